"""What to ask for its text, so that the answer comes to an end.

`str` and `repr` write a container that stands in many places anew in each: thirty lists, each twice in the
next, are a few hundred bytes in memory and a thousand million in writing. They also ask a set or a queue of a
class of its own how to iterate over it. Here such a value is found beforehand, and its bounded form is asked
instead. That takes time too, so all values that one operation meets share an allowance; where it is used up,
such a value is only named.

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

__all__ = ["asked_for_text", "count_in_writing", "sharing"]

_MOST: Final = 20_000
"""Values in writing; a text is cut long before it shows as many."""
_ERROR: Final = 50
"""How many of them an error counts for: a coded one redacts what it shows."""
_FEW: Final = 200
"""Values in writing that are shown even where the allowance is used up."""

_NOTHING: Final[dict[str, str]] = {}
_VIEWS: Final = (type(_NOTHING.keys()), type(_NOTHING.values()), type(_NOTHING.items()))
_SHOWING: Final = (deque, MappingProxyType, SimpleNamespace, *_VIEWS)
"""What shows all that it holds, and gives no other access to it that its classes could not change."""
_HOLDERS: Final = (list, tuple, dict, set, frozenset, BaseException, *_SHOWING)
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_BUILT_IN: Final = frozenset({*_PLAIN, *_HOLDERS})

_allowance: Final[ContextVar[_Allowance | None]] = ContextVar("what may still be asked", default=None)
_read_args: Final = BaseException.__dict__["args"].__get__
_OF_OS: Final = [OSError.__dict__[name].__get__ for name in ("errno", "strerror", "filename", "filename2")]
_OF_SYNTAX: Final = [SyntaxError.__dict__["msg"].__get__]
"""What the text of an error shows that need not be among its arguments."""
_ASKED: Final = ((set, "__iter__"), (frozenset, "__iter__"), (deque, "__iter__"), (OrderedDict, "items"))
"""What is shown in a way that a class derived from it may change."""


class _Allowance:
    """How many values may still be looked at in one operation, whatever is asked for its text."""

    left = 10 * _MOST

    def spend(self, values: int) -> None:
        """Count values that were looked at."""
        self.left = max(self.left - values, 0)


class sharing:  # noqa: N801 (used like a function)
    """While it is entered, all that is asked for its text shares one allowance: the outermost one's."""

    def __enter__(self) -> None:
        self._token = None if _allowance.get() else _allowance.set(_Allowance())

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _allowance.reset(self._token)


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
    if _speaks_by_itself(kind, asked):
        return value
    allowance = _allowance.get() or _Allowance()
    most = min(_MOST, max(allowance.left, _FEW))
    values = count_in_writing(value, most)
    allowance.spend(values)
    if values <= most:
        return value
    if allowance.left < _MOST:
        return f"<{class_name(value)}>"
    allowance.spend(_MOST)
    return _bounded(value)


def _bounded(value: object) -> object:
    """A vast value as JSON."""
    from errkit.safe import to_json

    said: Any = _said_by(value) if is_a(value, BaseException) else value
    return to_json(said[0] if is_a(value, BaseException) and len(said) == 1 else said)


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


def count_in_writing(value: object, most: int) -> int:
    """How many values are in a value, itself included, each counted where it stands; total.

    `most + 1` where there are more, and where one iterates in a way of its own: nobody knows how long that
    is. A circle counts once, and a coded error or an object of a class of its own for what it is.
    """
    count = 0
    path: set[int] = set()
    waiting: list[tuple[object, bool]] = [(value, False)]
    while waiting:
        one, is_done = waiting.pop()
        if is_done:
            path.discard(id(one))
            continue
        inside = _inside(one, most + 1 - count)
        count += _ERROR if is_a(one, BaseException) else 1
        if count + len(inside) > most or _iterates_its_own_way(one):
            return most + 1
        if inside and id(one) not in path:
            path.add(id(one))
            waiting.append((one, True))
            waiting += [(item, False) for item in inside]
    return count


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
