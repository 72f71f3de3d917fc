"""How much of an object is kept."""

from __future__ import annotations

from typing import Final

from errkit.fields import Record

__all__ = ["BOUNDS", "MARGIN", "Bounds"]


class Bounds(Record):
    """How much of an object the pass keeps."""

    text: int = 8_192
    """Characters of one text."""
    key: int = 256
    """Characters of one key."""
    depth: int = 12
    """Containers inside containers."""
    items: int = 200
    """Items of one container."""
    nodes: int = 4_000
    """Values in all."""
    chars: int = 131_072
    """Characters in all."""
    causes: int = 16
    """Causes of one error, the root included."""
    group: int = 20
    """Members of one exception group, and failures of cleanup."""


BOUNDS: Final = Bounds()
MARGIN: Final = 8_192
"""Characters redacted beyond the cut, so that a secret that crosses it is still recognized."""
