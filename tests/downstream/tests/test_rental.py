"""Tests of the bikes, as somebody writes them who uses the kit."""

from __future__ import annotations

import pytest
from bikes.errors import REGISTRY, BikeDetails, DockError, RentalError
from bikes.rental import bring_back, rent
from hypothesis import given, strategies as st

from errkit import CodedError, from_payload, to_payload
from errkit.testing import RegistrySuite, assert_round_trip, raises_code
from errkit.testing.strategies import Malformed, errors, malformed_payloads


class TestBikes(RegistrySuite):
    """The checks once more, for editors."""

    registry = REGISTRY


def test_a_taken_bike_is_refused() -> None:
    """The error names the bike."""
    taken = {17}
    with raises_code(RentalError.TAKEN, bike=17) as raised:
        rent(17, taken=taken, broken=set())
    assert_round_trip(raised.value)


def test_a_broken_bike_is_refused() -> None:
    """Whoever has it."""
    with raises_code(RentalError.BROKEN, match="bike 17", bike=17):
        rent(17, taken={17}, broken={17})


def test_a_full_dock_takes_no_bike() -> None:
    """It may have a place later."""
    with raises_code(DockError.FULL) as raised:
        bring_back(17, "harbour", taken={17}, free=0)
    assert raised.value.retryable


def test_a_code_has_a_public_side(errkit_error: CodedError) -> None:
    """What is not public shows no details."""
    payload = to_payload(errkit_error, audience="public")
    assert errkit_error.public or "details" not in payload


@given(errors(REGISTRY))
def test_errors_go_over_the_wire(error: CodedError) -> None:
    """Whatever they hold."""
    assert from_payload(to_payload(error), registry=REGISTRY).code == error.code


@given(malformed_payloads(REGISTRY))
def test_junk_is_answered(malformed: Malformed) -> None:
    """With an error, and never an exception."""
    assert isinstance(from_payload(malformed.payload, registry=REGISTRY), CodedError)


@given(st.from_type(BikeDetails), st.from_type(DockError))
def test_types_are_known_to_hypothesis(details: BikeDetails, error: DockError) -> None:
    """Without a line of preparation."""
    assert isinstance(details.bike, int)
    assert error.code.startswith("bikes.dock.")


def test_another_process_understands(errkit_process: object) -> None:
    """It never heard of bikes."""
    found = errkit_process.revive(RentalError.TAKEN(bike=17))  # type: ignore[attr-defined]
    assert found.details == {"bike": 17}


@pytest.mark.parametrize("code", ["bikes.rental.taken", "bikes.dock.full"])
def test_the_site_documents(errkit_inventory: dict[str, str], code: str) -> None:
    """Each code has an address."""
    assert f"bikes:{code}" in errkit_inventory
