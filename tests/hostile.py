"""Objects that fight back: each breaks one thing that a reporter of errors is tempted to rely on."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest


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
    [pytest.param(value, id=f"{number}-{type(value).__name__}") for number, value in enumerate(_SAMPLES)],
)
"""Runs a test once with each of them, as `value`."""
