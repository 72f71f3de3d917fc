"""`assert_round_trip`: whatever an error really has comes back; what does not is named with both values."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from errkit import CodedError, Details, Registry, code
from errkit.domains.os_fs import HostFsError
from errkit.testing import assert_round_trip

REGISTRY = Registry("trips")


class SeatDetails(Details):
    """A seat."""

    seat: Any = ""


class SeatError(CodedError, domain="trips.seat", registry=REGISTRY):
    """Seats."""

    TAKEN = code("Seat is taken", SeatDetails)


class LossyError(CodedError, domain="trips.lossy", registry=REGISTRY):
    """Pickles and copies lose something."""

    GONE = code("Gone", SeatDetails)

    def __reduce__(self) -> Any:
        return SeatError, ("trips.lossy.gone", "Gone")

    def __copy__(self) -> Any:
        raise TypeError("no copies")


def test_whatever_an_error_has_comes_back() -> None:
    """Details, notes, causes and what was said of this failure."""
    error = HostFsError.NOT_FOUND("no such file", path="/x", op="read").override(hint="Look.", retry_after=2)
    error.add_note("noted")
    error.__cause__ = SeatError.TAKEN(seat="7F")
    error.__cause__.__cause__ = ValueError("root")
    assert_round_trip(error)
    assert_round_trip(SeatError.TAKEN(seat={"row": [7, None, 1.5]}))


def test_a_pickle_that_loses_something_is_named_with_both_values() -> None:
    """The trip, the key, what was sent and what came back."""
    with pytest.raises(AssertionError) as caught:
        assert_round_trip(LossyError.GONE(seat="7F"))
    assert str(caught.value).splitlines()[0] == (
        "trips.lossy.gone comes out of a pickle of protocol 2 changed: name (- sent, + came back)"
    )
    assert "    - LossyError" in str(caught.value)


def test_a_trip_that_fails_is_named_with_its_failure() -> None:
    """An error that can't be copied says so."""

    class UncopiedError(CodedError, domain="trips.uncopied", registry=Registry("trips_uncopied")):
        GONE = code("Gone")

        def __copy__(self) -> Any:
            raise TypeError("no copies")

    with pytest.raises(AssertionError, match=re.escape("through copy.copy: TypeError: no copies")) as caught:
        assert_round_trip(UncopiedError.GONE())
    assert isinstance(caught.value.__cause__, TypeError)
    with pytest.raises(TypeError):
        copy.copy(UncopiedError.GONE())


class TurningError(SeatError):
    """Turns into another class when it is copied, and says that it did not."""

    def __deepcopy__(self, memo: object) -> Any:
        found = SeatError.TAKEN(seat="7F")
        found.note_facts(name="TurningError")
        return found


def test_another_class_is_a_change() -> None:
    """Whoever catches by class must still catch the copy."""
    with pytest.raises(AssertionError, match=r"comes out of copy.deepcopy as another class") as caught:
        assert_round_trip(TurningError.TAKEN(seat="7F"))
    assert "+ SeatError" in str(caught.value)


def test_the_registry_may_be_given() -> None:
    """JSON is read with the registry of its reader; one that says something else of the code is a change."""
    readers = Registry("trips_of_a_reader")

    class OtherSeatError(CodedError, domain="trips.seat", registry=readers):
        TAKEN = code("Seat is taken", SeatDetails, hint="Choose another one.")

    assert OtherSeatError.TAKEN in readers
    with pytest.raises(AssertionError, match="comes out of JSON changed: hint"):
        assert_round_trip(SeatError.TAKEN(seat="7F"), registry=readers)
