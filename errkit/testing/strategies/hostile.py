"""Objects that fight back, for whoever takes in what others pass: each has one trick, and says which.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from hypothesis import strategies as st

from errkit.errors import CodedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

__all__ = ["Hostile", "hostile_objects"]


class Hostile:
    """An object that fights back, wrapped so that a test runner can name it.

    Parameters
    ----------
    trick
        What it does, in words.
    value
        The object itself.
    """

    def __init__(self, trick: str, value: Any) -> None:
        self.trick = trick
        self.value = value

    def __repr__(self) -> str:
        return f"Hostile({self.trick!r})"


@st.composite
def hostile_objects(draw: DrawFn) -> Hostile:
    """Objects and exceptions that raise, lie, never end, or are far too large; a new one for each draw."""
    trick = draw(_NAMES)
    return Hostile(trick, _TRICKS[trick]())


# --- the tricks -------------------------------------------------------------------------------------


def _raise(*_arguments: object, **_keywords: object) -> NoReturn:
    raise RuntimeError("asked")


def _object(**methods: Any) -> Any:
    return type("Trick", (), methods)()


def _error(**methods: Any) -> Any:
    return type("TrickError", (Exception,), methods)("tricky")


def _circle() -> Any:
    found: list[Any] = []
    found.append(found)
    return found


def _tower() -> Any:
    found: Any = "bottom"
    for _ in range(5_000):
        found = [found]
    return found


def _circle_of_causes() -> Any:
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    return first


def _own_detail() -> Any:
    error = CodedError("internal", "holds itself")
    error._details["self"] = error
    return error


def _endless(_self: object) -> Any:
    while True:
        yield "again"


_TRICKS: Final[dict[str, Callable[[], Any]]] = {
    "its repr raises": lambda: _object(__repr__=_raise, __str__=_raise),
    "its repr is no text": lambda: _object(__repr__=lambda _self: None),
    "its str is no text": lambda: _object(__str__=lambda _self: 5),
    "any attribute of it raises": lambda: _object(__getattr__=_raise),
    "its comparison raises": lambda: _object(__eq__=_raise, __hash__=_raise),
    "its truth raises": lambda: _object(__bool__=_raise),
    "it claims to be a dict": lambda: _object(__class__=property(lambda _self: dict)),
    "a mapping whose items raise": lambda: type("Trick", (dict,), {"items": _raise})(a=1),
    "iterates for ever": lambda: _object(__iter__=_endless, __len__=lambda _self: 0),
    "a text whose methods raise": lambda: type("Trick", (str,), {"__str__": _raise, "__len__": _raise})("x"),
    "an error whose text raises": lambda: _error(__str__=_raise, __repr__=_raise),
    "an error whose notes raise": lambda: _error(__notes__=property(_raise)),
    "an error whose code raises": lambda: _error(code=property(_raise), message=property(_raise)),
    "an error with notes of the wrong type": lambda: _error(__notes__=5),
    "an error that can't be pickled": lambda: _error(__reduce_ex__=_raise),
    "causes in a circle": _circle_of_causes,
    "an error among its own details": _own_detail,
    "a list that holds itself": _circle,
    "5000 lists in each other": _tower,
    "a set of unlike things": lambda: {1, "1", None, (1,), frozenset()},
    "keys of all types": lambda: {1: 1, None: 2, (1, 2): 3, b"k": 4, float("nan"): 5, ValueError: 6},
    "not a number": lambda: float("nan"),
    "infinity": lambda: float("-inf"),
    "a number of 5000 digits": lambda: 10**5000,
    "a lone surrogate": lambda: "\ud800",
    "a million characters": lambda: "x" * 1_000_000,
    "bytes that are no text": lambda: b"\xff\xfe\x00",
    "a generator": lambda: (number for number in range(3)),
    "a class": lambda: type,
    "a function": lambda: _raise,
    "an object without anything": object,
}
_NAMES: Final = st.sampled_from(list(_TRICKS))
