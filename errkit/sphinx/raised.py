"""Who raises each code: functions found in the source that the settings name, none of it imported.

What is asked of the source stands in `errkit.source`; here its answers become what a page shows. A page does
not depend on lines, which move with every comment: they only stand in links to the source.
"""

from __future__ import annotations

from os.path import relpath
from typing import TYPE_CHECKING, NamedTuple

from errkit.fields import Record
from errkit.source.allowing import by_configuration
from errkit.source.codes import find_never_raised
from errkit.source.raising import Reading
from errkit.source.reading import find_files, module_of, without_pauses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from errkit.codes import ErrorSpec
    from errkit.config import Allowance
    from errkit.registry import Registry
    from errkit.source import Place

__all__ = ["Raised", "Raiser", "read_sources"]


class Raiser(NamedTuple):
    """A function that raises a code."""

    module: str
    qualname: str
    """Empty for what stands in no function."""
    path: str
    """Where the module stands inside its distribution."""
    line: int

    @property
    def name(self) -> str:
        """Module and function, as Python writes it."""
        return f"{self.module}.{self.qualname}" if self.qualname else self.module


class Raised(Record):
    """What the source says of all codes."""

    places: Mapping[int, tuple[Raiser, ...]] = {}
    """Identity of a spec -> the functions that raise it."""
    never: frozenset[tuple[str, str]] = frozenset()
    """(registry, code) of what is declared in the source, raised nowhere in it and not allowed to be so."""

    def by(self, spec: ErrorSpec) -> tuple[Raiser, ...]:
        """The functions that raise a code."""
        return self.places.get(id(spec), ())

    def is_never(self, spec: ErrorSpec) -> bool:
        """Whether nothing raises a code that the source declares."""
        return (spec.registry, spec.code) in self.never


def read_sources(
    paths: Sequence[Path], registries: Sequence[Registry], allowed: Iterable[Allowance] = ()
) -> Raised:
    """Look into the source.

    Parameters
    ----------
    paths
        Files, and folders of them; with none there is nothing to say.
    registries
        The registries whose codes count.
    allowed
        What `[tool.errkit.scan]` allows: a code that need not be raised is not reported.
    """
    if not paths:
        return Raised()
    files = list(find_files(paths))
    with without_pauses():
        reading = Reading(files, registries)
        places = {spec: tuple(_raisers(found)) for spec, found in reading.places().items()}
        silent = find_never_raised(reading, registries, set(files))
    rules = [entry for entry in allowed if entry.rule == "never-raised"]
    left, _ = by_configuration(silent, rules, (), "")
    never = frozenset((str(one.facts["registry"]), str(one.facts["code"])) for one in left)
    return Raised(places=places, never=never)


def _raisers(places: Iterable[Place]) -> Iterable[Raiser]:
    """The places by function; what stands in a function inside another one counts for the outer."""
    found: dict[tuple[str, str], Raiser] = {}
    for place in places:
        qualname = place.qualname.partition(".<locals>")[0]
        path = relpath(place.file, module_of(place.file)[1]).replace("\\", "/")
        raiser = Raiser(place.module, qualname, path, place.line)
        found.setdefault((place.module, qualname), raiser)
    return found.values()
