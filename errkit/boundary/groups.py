"""What passes every boundary, and how an exception group is rebuilt leaf by leaf.

Groups may be nested deeper than the interpreter recurses, so nothing here does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from errkit.errors import CodedError, bare
from errkit.fields import is_a
from errkit.guards import members_of
from errkit.verdicts import is_cancellation

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["passes_every_boundary", "through_groups"]

_CONTROL_FLOW: Final = (StopIteration, StopAsyncIteration)
"""These end an iteration; an iterator at a boundary must still be able to end."""


def passes_every_boundary(error: BaseException) -> bool:
    """Whether no boundary may touch `error`: a cancellation, the end of an iteration, or no `Exception`."""
    if not is_a(error, Exception) or is_a(error, _CONTROL_FLOW) or is_cancellation(error):
        return True
    return is_a(error, CodedError) and bare(error).kind == "cancelled"


def through_groups(error: object, one: Callable[[object], object]) -> object:
    """`one(error)`; for a group, a group of the same structure and notes, each leaf passed through `one`.

    A group whose leaves all come back as they are comes back as it is. Nested groups may be of any depth.
    Never raises: if `one` does, the error comes back as it is.
    """
    try:
        return _rebuilt_tree(error, one) if is_a(error, BaseExceptionGroup) else one(error)
    except Exception:
        return error


def _rebuilt_tree(root: BaseExceptionGroup[BaseException], one: Callable[[object], object]) -> object:
    # By hand and not by recursion: groups may be nested deeper than the interpreter recurses.
    done: dict[int, BaseException] = {}
    entered: set[int] = set()
    waiting: list[BaseException] = [root]
    while waiting:
        node = waiting[-1]
        if id(node) in done:
            waiting.pop()
        elif not is_a(node, BaseExceptionGroup):
            done[id(waiting.pop())] = cast("BaseException", one(node))
        elif id(node) in entered:
            members = [done.get(id(member), member) for member in members_of(node)]
            done[id(waiting.pop())] = _with_members(node, members)
        else:
            entered.add(id(node))
            waiting.extend(member for member in reversed(members_of(node)) if id(member) not in entered)
    return done[id(root)]


def _with_members(
    group: BaseExceptionGroup[BaseException], members: list[BaseException]
) -> BaseExceptionGroup[BaseException]:
    if all(new is old for new, old in zip(members, members_of(group), strict=True)):
        return group
    try:
        twin = group.derive(members)
    except Exception:
        twin = BaseExceptionGroup(group.message, members)
    # The same that `split` copies to its parts.
    twin.__cause__, twin.__context__ = group.__cause__, group.__context__
    twin.__suppress_context__ = group.__suppress_context__
    twin.__traceback__ = group.__traceback__
    if hasattr(group, "__notes__"):
        twin.__notes__ = list(group.__notes__)
    # And what else was said of the failure: a diagnostic id, failures of cleanup.
    for name, value in vars(group).items():
        vars(twin).setdefault(name, value)
    return twin
