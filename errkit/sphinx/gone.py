"""What was removed: the codes, aliases and numbers that the lock keeps reserved.

Each has a page of its own below `e/` (`publish.py`) that says since when it is gone and what to use instead,
and a role that still names one is told the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errkit.lock import read_lock
from errkit.sphinx.reports import Report, report

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from errkit.lock import Lock, LockedCode
    from errkit.registry import Registry
    from errkit.sphinx.config import Settings

__all__ = ["Gone", "read_gone"]


class Gone(NamedTuple):
    """Something that was removed."""

    registry: str
    code: str
    """The code or alias; empty where only the number was taken back."""
    number: int | None
    title: str
    since: str
    removed: str
    """The version that no longer has it; empty if the lock does not say."""
    replaced_by: str

    @property
    def name(self) -> str:
        """What it was called by."""
        return self.code or str(self.number)

    @property
    def names(self) -> tuple[str, ...]:
        """All that it was called by."""
        return tuple(name for name in (self.code, "" if self.number is None else str(self.number)) if name)

    @property
    def story(self) -> str:
        """What became of it, for messages."""
        when = f" in {self.removed}" if self.removed else ""
        return f"was removed{when}" + (f"; use {self.replaced_by}" if self.replaced_by else "")


def read_gone(
    settings: Settings, registries: Sequence[Registry], hidden: Collection[str]
) -> tuple[Gone, ...]:
    """What the registries have taken back, and what the lock still promises but nobody declares any more.

    The latter is reported: a code must not vanish without a word. On a site for the public only what is known
    to have been public is told, and a lock does not say that of what it has retired.

    Raises
    ------
    CodedError
        `errkit.bad_lock` if the lock can't be read.
    """
    if settings.lock is None:
        return ()
    lock = read_lock(settings.lock)
    found: list[Gone] = []
    for registry in registries:
        if settings.audience != "public":
            found += _retired(lock, registry)
        found += _lost(lock, registry, public=settings.audience == "public")
    return tuple(each._replace(replaced_by="") if each.replaced_by in hidden else each for each in found)


def _retired(lock: Lock, registry: Registry) -> Iterator[Gone]:
    for item in lock.retired(registry.name):
        yield Gone(
            registry.name, item.code, item.number, item.title, item.since, item.removed, item.replaced_by
        )


def _lost(lock: Lock, registry: Registry, *, public: bool) -> Iterator[Gone]:
    for code in _undeclared(lock, registry):
        instead = f"; use {code.replaced_by}" if code.replaced_by else ""
        report(
            Report.LOCK,
            f"{registry.name}:{code.code} is in the lock, and nothing declares it any more{instead}; "
            "bring it back, make it an alias, or retire it with: errkit lock",
            code.place,
        )
        if code.public or not public:
            yield Gone(registry.name, code.code, code.number, code.title, code.since, "", code.replaced_by)


def _undeclared(lock: Lock, registry: Registry) -> Iterator[LockedCode]:
    promised = lock.codes(registry.name)
    if promised:
        declared = {name for spec in registry for name in (spec.code, *spec.aliases)}
        yield from (code for name, code in promised.items() if name not in declared)
