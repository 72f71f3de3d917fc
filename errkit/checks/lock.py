"""Whether the codes keep what the lock promises, and the lock knows all that they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.checks.model import Finding
from errkit.errors import CodedError
from errkit.lock import compare, lock_of, read_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.checks.model import Context
    from errkit.lock import Change, Lock
    from errkit.registry import Registry

__all__ = ["find_lock", "lock_missing"]

NAME: Final = "lock"
_RECORD: Final = "Record it, with the change itself: errkit lock"


def lock_missing(context: Context) -> str:
    """Why there is no lock to compare with; empty if there is one."""
    lock = context.config.lock
    return "" if lock.is_file() else f"{lock} does not exist; write it with: errkit lock"


def find_lock(registry: Registry, context: Context) -> Iterator[Finding]:
    """Nothing that was promised is broken, and what is promised anew stands in the lock.

    Texts may differ: they are no promise, and the lock follows when it is written the next time.
    """
    try:
        lock = _lock(context)
    except CodedError as error:
        yield Finding(
            check=NAME,
            registry=registry.name,
            problem=error.message,
            remedy=error.hint or "Correct the lock.",
        )
        return
    if registry.name not in lock.registries:
        yield Finding(
            check=NAME, registry=registry.name, problem="the lock does not have this registry", remedy=_RECORD
        )
        return
    for change in compare(lock, lock_of([registry]), [registry.name]):
        if change.weight != "patch":
            yield _found(change)


def _lock(context: Context) -> Lock:
    path = context.config.lock
    found: Lock | None = context.memory.get((NAME, path))
    if found is None:
        found = context.memory[NAME, path] = read_lock(path)
    return found


def _found(change: Change) -> Finding:
    broken = change.weight == "major"
    return Finding(
        check=NAME,
        registry=change.registry,
        code=change.code,
        place=change.place,
        problem=change.what if broken else f"{change.what}, and the lock does not say so yet",
        remedy=change.remedy if broken else _RECORD,
    )
