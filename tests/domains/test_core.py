"""The domain `core` beside the other ready-made ones."""

from __future__ import annotations

import errkit
from errkit import own
from errkit.domains import core


def test_it_is_the_same_domain() -> None:
    """Nothing is declared twice: the room gives the three codes of errkit itself their place."""
    assert core.CoreError is own.CoreError is errkit.CoreError
    assert core.not_implemented is errkit.not_implemented
    codes = [spec.code for spec in errkit.REGISTRY if spec.cls is core.CoreError]
    assert codes == ["internal", "not_implemented", "validation.failed"]
