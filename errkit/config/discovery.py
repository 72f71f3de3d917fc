"""The registries of installed packages, which announce them in the entry-point group `errkit.registries`.

    [project.entry-points."errkit.registries"]
    shop = "shop.errors:REGISTRY"

Nothing is loaded before it is asked for, and nothing is remembered: a package that fails now may work at the
next call. One that fails spoils none of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.config.sources import load_registries
from errkit.errors import CodedError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from errkit.registry import Registry

__all__ = ["GROUP", "discover"]

GROUP: Final = "errkit.registries"


def discover() -> list[tuple[str, Registry | CodedError]]:
    """The announced registries by name, sorted; for one that can't be loaded, the error in its place."""
    from importlib.metadata import entry_points

    once: dict[tuple[str, str, str], EntryPoint] = {}
    for point in entry_points(group=GROUP):
        # A package that was installed over an old one may be listed twice.
        once.setdefault((point.name, _distribution(point), point.value), point)
    return [(name, _load(once[name, owner, value])) for name, owner, value in sorted(once)]


def _distribution(point: EntryPoint) -> str:
    try:
        return point.dist.name.lower() if point.dist is not None else ""
    except Exception:
        # The metadata of a half-removed package may lack its name.
        return ""


def _load(point: EntryPoint) -> Registry | CodedError:
    try:
        return load_registries([point.value.partition("[")[0].strip().replace(" ", "")])[0]
    except CodedError as error:
        return error
