"""What to ask for its text, so that the answer comes to an end.

`str` and `repr` write a container that stands in many places anew in each: thirty lists, each twice in the
next, are a few hundred bytes in memory and a thousand million in writing. They also ask a set or a queue of a
class of its own how to iterate over it. Here such a value is found beforehand, and its bounded form is asked
instead.

How a value becomes a text is decided in `codes.py` (`text_of`) and in `safe`.
"""

from __future__ import annotations

import gc
from contextvars import ContextVar
from itertools import islice
from types import MappingProxyType, SimpleNamespace, WrapperDescriptorType

from errkit.fields import class_name, is_a, items_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import OrderedDict, deque
    from typing import Any, Final
else:
    # Where `collections` takes them from; itself, it takes as long to load as all that raises an error.
    from _collections import OrderedDict, deque

__all__ = ["asked_for_text", "is_vast"]

_MOST: Final = 20_000
"""Values in writing; a text is cut long before it shows as many."""
_ERROR: Final = 50
"""How many of them an error counts for: a coded one redacts what it shows."""

_FEW: Final = 200
"""The same for what stands in a value that is shown in its bounded form."""

_NOTHING: Final[dict[str, str]] = {}
_VIEWS: Final = (type(_NOTHING.keys()), type(_NOTHING.values()), type(_NOTHING.items()))
_SHOWING: Final = (deque, MappingProxyType, SimpleNamespace, *_VIEWS)
"""What shows all that it holds, and gives no other access to it that its classes could not change."""
_HOLDERS: Final = (list, tuple, dict, set, frozenset, BaseException, *_SHOWING)
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_BUILT_IN: Final = frozenset({*_PLAIN, *_HOLDERS})

_inside_another: Final[ContextVar[bool]] = ContextVar("inside a value that is too large", default=False)
_read_args: Final = BaseException.__dict__["args"].__get__
_OF_OS: Final = [OSError.__dict__[name].__get__ for name in ("errno", "strerror", "filename", "filename2")]
_OF_SYNTAX: Final = [SyntaxError.__dict__["msg"].__get__]
"""What the text of an error shows that need not be among its arguments."""
_ASKED: Final = ((set, "__iter__"), (frozenset, "__iter__"), (deque, "__iter__"), (OrderedDict, "items"))
"""What is shown in a way that a class derived from it may change."""


def asked_for_text(value: object, asked: str = "__str__") -> object:
    """The value itself, or what to ask instead of it where its own answer might never end.

    Parameters
    ----------
    value
        Any object.
    asked
        The method that is going to be called: `__str__` or `__repr__`.
    """
    kind = type(value)
    if is_a(value, BaseException) and _PLAIN.issuperset(map(type, _said_by(value))):
        return value
    if is_a(value, (set, frozenset)) and kind not in (set, frozenset):
        value = frozenset(value)
    if _speaks_by_itself(kind, asked) or not is_vast(value, _FEW if _inside_another.get() else _MOST):
        return value
    return f"<{class_name(value)}>" if _inside_another.get() else _bounded(value)


def _bounded(value: object) -> object:
    """A vast value as JSON; vast ones in it are named only, or each would be shown by as many again."""
    from errkit.safe import to_json

    said: Any = _said_by(value) if is_a(value, BaseException) else value
    token = _inside_another.set(True)
    try:
        return to_json(said[0] if is_a(value, BaseException) and len(said) == 1 else said)
    finally:
        _inside_another.reset(token)


def _said_by(error: BaseException) -> tuple[Any, ...]:
    """The arguments of an error, and what else its text shows."""
    args: tuple[Any, ...] = _read_args(error)
    if not is_a(error, (OSError, SyntaxError)):
        return args
    readers = _OF_OS if is_a(error, OSError) else _OF_SYNTAX
    if _PLAIN.issuperset([type(read(error)) for read in readers]):
        return args  # nothing in them is worth a look, and most are so
    known = {id(None), *map(id, args)}
    return (*args, *(one for one in (read(error) for read in readers) if id(one) not in known))


def _iterates_its_own_way(value: object) -> bool:
    """Whether `repr` would ask a container of a class of its own how to iterate, which may never end."""
    kind = type(value)
    if kind in _BUILT_IN or _speaks_by_itself(kind, "__repr__"):
        return False
    look_up = type.__getattribute__
    return any(
        issubclass(kind, base) and look_up(kind, name) is not look_up(base, name) for base, name in _ASKED
    )


def _speaks_by_itself(kind: type, asked: str) -> bool:
    """Whether a class has words of its own, which need not show what the object holds."""
    if not issubclass(kind, _HOLDERS) or (asked == "__str__" and issubclass(kind, BaseExceptionGroup)):
        return True  # a group merely counts its members
    return type(type.__getattribute__(kind, asked)) is not WrapperDescriptorType


def is_vast(value: object, most: int = _MOST) -> bool:
    """Whether a value holds more than `most` others in writing, each counted where it stands; total.

    So does one that holds what iterates in a way of its own: nobody knows how long that is.

    A circle counts once, and a coded error or an object of a class of its own for what it is.
    """
    left = most
    path: set[int] = set()
    waiting: list[tuple[object, bool]] = [(value, False)]
    while waiting:
        one, is_done = waiting.pop()
        if is_done:
            path.discard(id(one))
            continue
        if _iterates_its_own_way(one):
            return True
        inside = _inside(one, left + 1)
        left -= _ERROR if is_a(one, BaseException) else 1
        if left < len(inside):
            return True
        if inside and id(one) not in path:
            path.add(id(one))
            waiting.append((one, True))
            waiting += [(item, False) for item in inside]
    return False


def _inside(value: object, most: int) -> list[Any]:
    if is_a(value, (list, tuple)):
        return items_of(value, most)
    if is_a(value, dict):
        return [part for pair in islice(dict.items(value), most) for part in pair]
    if type(value) in (set, frozenset):
        return list(islice(value, most))  # type: ignore[call-overload]
    if is_a(value, BaseException):
        args: list[Any] = items_of(_said_by(value), most)
        return args
    # Asked itself, a view would ask what it is a view of.
    return gc.get_referents(value)[:most] if is_a(value, _SHOWING) else []
