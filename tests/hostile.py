"""Objects that fight back: each breaks one thing that a reporter of errors is tempted to rely on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, NoReturn

import pytest

from errkit.fields import class_name


class Grenade:
    """Raises from whatever is asked of it."""

    def _explode(self, *arguments: object) -> NoReturn:
        raise RuntimeError("asked")

    __str__ = __repr__ = __len__ = __bool__ = __iter__ = __eq__ = __hash__ = __format__ = _explode
    __getattr__ = __int__ = __float__ = __reduce__ = _explode


class Garbage:
    """Answers with values of the wrong type."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]

    def __repr__(self) -> str:
        return None  # type: ignore[return-value]

    def __len__(self) -> int:
        return -1


class Liar:
    """Claims to be a dict."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
        return dict


class Silent:
    """Does not even say what it is."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
        raise RuntimeError("no class")


class MutableKeys(dict[str, Any]):
    """A mapping whose views raise."""

    def items(self) -> Any:
        raise RuntimeError("no items")


class Endless:
    """Iterates for ever and says that it is empty."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Any:
        while True:
            yield "again"


class BadText(str):
    """A text whose own methods raise."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("no text")

    def __len__(self) -> int:
        raise RuntimeError("no length")


class BadNumber(int):
    """A number that can be neither compared nor looked up."""

    def _refuse(self, *arguments: object) -> NoReturn:
        raise RuntimeError("no number")

    __eq__ = __hash__ = __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = _refuse


class EndlessList(list[Any]):
    """A list that never ends where it is asked itself."""

    def __iter__(self) -> Any:
        while True:
            yield "again"


class EndlessDict(dict[str, Any]):
    """A mapping of one item that never ends where it is asked itself."""

    def keys(self) -> Any:
        while True:
            yield "code"

    def items(self) -> Any:
        while True:
            yield "code", "x"

    __iter__ = keys


class EndlessMapping(Mapping[Any, Any]):
    """A mapping that has every number as a key."""

    def __getitem__(self, key: object) -> Any:
        return "x"

    def __iter__(self) -> Any:
        return count()

    def __len__(self) -> int:
        return 1


class _Nameless(type):
    def __getattribute__(cls, name: str) -> Any:
        if name in ("__name__", "__qualname__", "__module__", "__mro__", "__dict__"):
            raise RuntimeError("no class")
        return type.__getattribute__(cls, name)


class NamelessError(Exception, metaclass=_Nameless):
    """An exception whose class says nothing about itself."""


class EndlessChainError(Exception):
    """An exception with ever another one behind each name."""

    def _another(self) -> Any:
        return EndlessChainError("another")

    __cause__ = exceptions = args = reason = property(_another)  # pyright: ignore[reportAssignmentType, reportIncompatibleVariableOverride]


class BadError(Exception):
    """An exception that can't be told."""

    def __str__(self) -> str:
        raise RuntimeError("no message")

    __repr__ = __str__


class WorseError(Exception):
    """An exception with attributes that can't be read."""

    @property
    def __notes__(self) -> Any:  # type: ignore[override] # pyright: ignore[reportIncompatibleVariableOverride]
        raise RuntimeError("no notes")

    @property
    def code(self) -> Any:
        raise RuntimeError("no code")


def _samples() -> list[Any]:
    """One of each, and some that are only very large, deep or circular."""
    circle: list[Any] = []
    circle.append(circle)
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    deep: Any = "bottom"
    for _ in range(5_000):
        deep = [deep]
    deep_map: Any = {}
    for _ in range(5_000):
        deep_map = {"x": deep_map}
    return [
        Grenade(),
        Garbage(),
        Liar(),
        Silent(),
        [Silent()],
        MutableKeys(a=1),
        Endless(),
        BadText("x"),
        BadNumber(404),
        EndlessList(["x"]),
        EndlessDict(x=EndlessDict(y=1)),
        EndlessMapping(),
        NamelessError("x"),
        EndlessChainError("x"),
        BadError("x"),
        WorseError("x"),
        circle,
        ring,
        deep,
        deep_map,
        {Grenade: 1, 1: "one", "1": "text", None: 0, (1, 2): 3, b"k": 4, float("nan"): 5},
        [Grenade(), {"g": Grenade()}, (Garbage(),)],
        "\ud800 lone",
        {"\udfff": "\ud800"},
        float("nan"),
        float("-inf"),
        10**5000,
        -(10**400),
        b"\xff\xfe",
        memoryview(b"abc"),
        range(10**12),
        object(),
        type,
        len,
        lambda: None,
        (number for number in range(3)),
        {}.keys(),
        {"a": 1}.items(),
        Ellipsis,
        NotImplemented,
        complex(1, 2),
    ]


_SAMPLES = _samples()

every_hostile_object = pytest.mark.parametrize(
    "value",
    [pytest.param(value, id=f"{number}-{class_name(value)}") for number, value in enumerate(_SAMPLES)],
)
"""Runs a test once with each of them, as `value`."""
