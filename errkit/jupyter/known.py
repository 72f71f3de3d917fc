"""The registries that a notebook asks: those that it made itself, those of its project, errkit's own.

Which the project has is read from `[tool.errkit]` once, when somebody first asks; registries are live, so
codes that are declared later are found all the same.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from errkit.config import default_sources, load_sources, read_config
from errkit.errors import CodedError
from errkit.explaining import retired_of
from errkit.jupyter.settings import SETTINGS
from errkit.lock import read_lock
from errkit.registry import REGISTRY, Registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.lock import Retired

__all__ = ["Known"]


class Known:
    """The registries of one session.

    Parameters
    ----------
    names
        The variables of the notebook; a `Registry` among them counts.
    """

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names
        self._project: list[Registry] | None = None

    def registries(self) -> list[Registry]:
        """Each registry once, those of the notebook first.

        Raises
        ------
        ErrkitError
            `errkit.bad_config`, `errkit.bad_source`; the next call tries again.
        """
        if self._project is None:
            self._project = list(_project_registries())
        own = [value for name, value in list(self._names.items()) if _is_own(name, value)]
        found = [value for value in own if isinstance(value, Registry)]
        return list({id(registry): registry for registry in [*found, *self._project, REGISTRY]}.values())

    def retired(self) -> list[Retired]:
        """What these have taken back, as the lock of the project tells it; nothing without a lock."""
        try:
            return retired_of(read_lock(read_config().lock), self.registries())
        except CodedError:
            return []


def _is_own(name: str, value: object) -> bool:
    return not name.startswith("_") and type(value) is Registry


def _project_registries() -> Iterator[Registry]:
    config = read_config()
    SETTINGS.base_url = config.base_url
    if not config.registries:
        yield from (source.registry for source in default_sources())
        return
    if not sys.flags.safe_path and str(config.root) not in sys.path:
        sys.path.append(str(config.root))
    for source in load_sources(config.registries, root=config.root, markup=config.markup):
        yield source.registry
