"""The next lock: what there is now, and everything that was ever taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errkit.declaring import fold
from errkit.lock.comparing import heirs
from errkit.lock.model import Lock, Retired, anchor_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


__all__ = ["renewed"]


def renewed(old: Lock, new: Lock, registries: Collection[str] | None = None, *, removed: str = "") -> Lock:
    """The lock that takes the place of an old one.

    Parameters
    ----------
    old, new
        What was promised, and what is there now.
    registries
        The names of those that count; the others stay as they were. All if not given.
    removed
        The version from which on what is gone is no longer there.
    """
    names = {*old.registries, *new.registries}
    counted = names if registries is None else names & set(registries)
    codes = {name: (new if name in counted else old).codes(name) for name in names}
    gone = [item for name in sorted(counted) for item in _gone(name, old, new, removed)]
    kept = [item for name in old.registries for item in old.retired(name)]
    return Lock({name: found for name, found in codes.items() if found}, (*kept, *gone))


def _gone(registry: str, old: Lock, new: Lock, removed: str) -> Iterator[Retired]:
    before, now = old.codes(registry), new.codes(registry)
    names = {fold(name) for code in now.values() for name in code.names}
    for name, heir in heirs(before, now).items():
        code = before[name]
        told: dict[str, Any] = {
            "registry": registry,
            "since": code.since,
            "title": code.title,
            "removed": removed,
        }
        instead = code.replaced_by if heir is None else heir.code
        if heir is None:
            yield Retired(**told, code=code.code, number=code.number, anchor=code.anchor, replaced_by=instead)
        elif code.number is not None and heir.number != code.number:
            yield Retired(**told, number=code.number, replaced_by=instead)
        for alias in code.aliases:
            # Its anchor may be that of a code that lives, which keeps it then.
            if fold(alias) not in names and fold(alias) != fold(code.code):
                yield Retired(**told, code=alias, anchor=anchor_of(alias), replaced_by=instead)
