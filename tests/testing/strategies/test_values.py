"""Values of details: each fits its type and comes back from JSON, and the simplest is simple."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import pathlib
import typing
import uuid
from collections import abc
from typing import Annotated, Any, Literal, NewType, TypeVar

import pytest
from hypothesis import HealthCheck, find, given, settings, strategies as st
from hypothesis.errors import NoSuchExample

from errkit import Details, Secret
from errkit.fields import MISSING, Record, fits, revive
from errkit.safe import to_json
from errkit.testing.strategies.values import field_values, json_values, values


class Colour(enum.Enum):
    """An enumeration."""

    RED = "red"
    BLUE = "blue"


class Point(Record):
    """A record inside details."""

    x: int
    y: int = 0


class Tree(Details):
    """Details that hold their like."""

    name: str
    inner: list[Tree] = []


Size = NewType("Size", int)
Item = TypeVar("Item")

TYPES = [
    str,
    int,
    float,
    bool,
    bytes,
    None,
    datetime.datetime,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    decimal.Decimal,
    uuid.UUID,
    pathlib.PurePosixPath,
    pathlib.Path,
    Colour,
    Literal["a", 5],
    Size,
    Annotated[int, "unit"],
    int | None,
    str | int,
    typing.Optional[bytes],  # noqa: UP045
    list[int],
    list,
    tuple[int, str],
    tuple[int, ...],
    set[int],
    frozenset[str],
    dict[str, int],
    dict[int, str],
    abc.Sequence[str],
    abc.Mapping[str, datetime.date],
    abc.Iterable[int],
    Point,
    list[Point],
    Any,
    object,
    Item,
]


few = settings(max_examples=settings().max_examples // 3)


@pytest.mark.parametrize("declared", TYPES, ids=str)
@settings(max_examples=30, suppress_health_check=[HealthCheck.differing_executors])
@given(data=st.data())
def test_values_fit_their_type_and_come_back_from_json(declared: Any, data: st.DataObject) -> None:
    """The JSON form of each value is strict JSON, and turns back into a value that is equal."""
    value = data.draw(values(declared))
    assert fits(declared, value)
    plain = json.loads(json.dumps(to_json(value), allow_nan=False))
    if "[REDACTED]" in json.dumps(plain):
        return  # by chance it looked like a secret
    back = revive(declared, plain)
    assert back is not MISSING
    if declared not in (Any, object, Item, abc.Iterable[int], str | int):
        assert back == value


@pytest.mark.parametrize(
    ("declared", "simplest"),
    [
        (str, ""),
        (int, 0),
        (int | None, None),
        (bool, False),
        (list[int], []),
        (dict[str, int], {}),
        (Colour, Colour.RED),
    ],
    ids=str,
)
def test_values_shrink_to_the_simplest(declared: Any, simplest: Any) -> None:
    """A failing example shows nothing that does not matter."""
    assert find(values(declared), lambda _value: True) == simplest


@few
@given(field_values(Tree))
def test_details_may_hold_their_like(found: dict[str, Any]) -> None:
    """A class that refers to itself is drawn to some depth."""
    assert Tree(**found).name == found["name"]


def test_whole_numbers_are_those_that_every_reader_of_json_reads_exactly() -> None:
    """A reader in another language has doubles."""
    with pytest.raises(NoSuchExample):
        find(values(int), lambda value: abs(value) >= 2**53, settings=settings(database=None))


def test_optional_fields_are_left_out_where_nothing_asks_for_them() -> None:
    """The least details are the required ones."""
    assert find(field_values(Point), lambda _found: True) == {"x": 0}
    assert find(field_values(Point), lambda found: "y" in found) == {"x": 0, "y": 0}


def test_secrets_and_types_that_are_gone_are_text() -> None:
    """A declared secret gets values of its type; a type that nobody can resolve gets text."""

    class OddDetails(Details):
        pin: Secret[int]
        gone: NotImported  # type: ignore[name-defined] # noqa: F821 # pyright: ignore[reportUndefinedVariable]

    assert find(field_values(OddDetails), lambda _found: True) == {"pin": 0, "gone": ""}


class Money:
    """A type of somebody else's."""

    def __init__(self, cents: int) -> None:
        self.cents = cents


def test_a_type_of_somebody_elses_is_left_to_hypothesis() -> None:
    """What a project has registered with Hypothesis holds inside details too."""
    st.register_type_strategy(Money, st.builds(Money, st.just(5)))

    class PriceDetails(Details):
        price: Money

    assert find(field_values(PriceDetails), lambda _found: True)["price"].cents == 5


@few
@given(json_values)
def test_json_values_are_json(value: Any) -> None:
    """They come back as they went."""
    assert json.loads(json.dumps(value, allow_nan=False)) == value
