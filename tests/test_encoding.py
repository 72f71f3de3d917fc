"""How payloads are made: prepared by code where an error says nothing special, and the same either way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, Reason, Registry, Secret, code, to_payload
from errkit.encoding import Encoder
from errkit.errors import bare
from tests.hostile import every_hostile_object

REG = Registry("test_encoding")


class TripDetails(Details):
    place: str
    seats: int = 1
    token: Secret[str] = ""
    reason: str | None = None
    name: str = ""


class TripError(CodedError, domain="trip", registry=REG, numbers=range(300, 400)):
    FULL = code(
        "Boat is full",
        TripDetails,
        number=301,
        kind="outcome",
        hint="Take the next one.",
        retry_after=600,
        reasons={"storm": Reason(title="Storm", hint="Stay in port.", retryable=True)},
    )
    LATE = code("Boat is late", kind="transient")
    LEAKY = code("Boat leaks", hint="Run with --password hunter2.", docs="https://u:hunter2@x/?page=2")
    LONG = code("Boat is long", hint="h" * 10_000)


class SunkError(TripError, of=TripError.LATE):
    """A class of its own for one code."""


class OwnError(TripError):
    """A class that takes a field into its own hands."""

    @property
    def hint(self) -> str:
        return f"Ask {self.details.get('name')}."


CODES = (TripError.FULL, TripError.LATE, TripError.LEAKY, TripError.LONG)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(
        ["storm", "password=hunter2", "Bearer abcdefgh12345678", "x" * 9_000, [], {"a": 1}, b""]
    )
)
NAMES = st.sampled_from(["place", "seats", "token", "reason", "name", "value", "password", "auth", "n_1"])


def both_ways(error: CodedError) -> tuple[Any, Any]:
    """What the frame of the code gives, and what a look at every fact gives, each with its budget."""
    quick, slow = Encoder("internal"), Encoder("internal")
    view = bare(error)
    found = quick._plain(view) if view is error else None
    whole = slow._in_full(error, view, 0)
    if found is None:
        return None, None
    return (list(found.items()), vars(quick.walk)), (list(whole.items()), vars(slow.walk))


@given(
    st.sampled_from(CODES),
    st.none() | st.text() | st.just("pw=hunter2"),
    st.dictionaries(NAMES, VALUES),
    st.none() | st.lists(VALUES, max_size=3) | st.just(["a note"] * 30),
)
def test_the_short_way_gives_what_the_long_way_gives(
    make: Any, message: str | None, details: dict[str, Any], notes: list[Any] | None
) -> None:
    """The same keys in the same order, the same values, and the same left of the budget."""
    error = make(message, **details)
    if notes is not None:
        error.__notes__ = notes
    quick, slow = both_ways(error)
    assert quick == slow


@every_hostile_object
def test_the_short_way_is_as_total_as_the_long_way(value: Any) -> None:
    """Whatever is said in the message or in the details."""
    for error in (
        TripError.LATE(value),
        TripError.FULL(place=value),
        TripError.FULL(place="pier", name=value),
    ):
        quick, slow = both_ways(error)
        assert repr(quick) == repr(slow)


def test_an_ordinary_error_goes_the_short_way() -> None:
    """Else the two would agree on nothing."""
    noted = TripError.LATE()
    noted.add_note("n")
    for error in (TripError.FULL(place="pier"), TripError.LATE(), SunkError(), TripError.LEAKY("m"), noted):
        assert both_ways(error)[0] is not None
    assert "hunter2" not in str(to_payload(TripError.LEAKY()))


@pytest.mark.parametrize(
    "error",
    [
        TripError.LONG(),
        TripError.LATE().override(hint="Wait."),
        TripError.FULL(place="pier", reason="storm"),
        OwnError("m", name="Ann"),
        CodedError("ghost.code", "m"),
    ],
    ids=lambda error: f"{type(error).__name__}-{error.code}",
)
def test_an_error_that_says_more_goes_the_long_way(error: CodedError) -> None:
    """What is said of one failure is never taken for what its code says."""
    assert both_ways(error) == (None, None)
