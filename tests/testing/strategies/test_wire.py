"""Payloads and bytes: whole ones are read whole; broken ones name what is broken, and are always answered."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings

from errkit import CodedError, Details, Registry, code, from_payload, loads, to_payload
from errkit.testing import strategies
from errkit.testing.strategies import Malformed
from errkit.testing.strategies.wire import _KEPT, _REFUSED

REGISTRY = Registry("wire_tests")


class SeatDetails(Details):
    """A seat."""

    seat: str


class SeatError(CodedError, domain="wire_tests.seat", registry=REGISTRY):
    """Seats."""

    TAKEN = code("Seat is taken", SeatDetails, public=True)
    HELD = code("Seat is held", SeatDetails)


few = settings(max_examples=settings().max_examples // 3, suppress_health_check=[HealthCheck.too_slow])


@few
@given(strategies.payloads(REGISTRY))
def test_payloads_are_read_whole(payload: dict[str, Any]) -> None:
    """They are strict JSON, and sent on they are the same."""
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    assert to_payload(from_payload(payload, registry=REGISTRY))["details"] == payload["details"]


@few
@given(strategies.payloads(SeatError.HELD, audience="public"))
def test_payloads_may_be_for_the_public(payload: dict[str, Any]) -> None:
    """Then they say as little as such payloads do."""
    assert "details" not in payload


@settings(suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
@given(strategies.malformed_payloads(REGISTRY))
def test_each_broken_payload_says_whether_it_is_to_be_refused(malformed: Malformed) -> None:
    """`from_payload` answers with `errkit.malformed_payload` where it must, and with the error elsewhere."""
    error = from_payload(malformed.payload, registry=REGISTRY)
    assert (error.code == "errkit.malformed_payload") is malformed.refused


@pytest.mark.parametrize("mutation", [*_REFUSED, *_KEPT])
def test_each_mutation_does_something(mutation: str) -> None:
    """It gives something else than it was given, leaves that as it is, and says briefly what it did."""
    payload = to_payload(SeatError.TAKEN(seat="7F"))
    before = copy.deepcopy(payload)
    broken = {**_REFUSED, **_KEPT}[mutation](payload)
    assert broken != payload
    assert payload == before
    shown = repr(Malformed(mutation=mutation, payload=broken, refused=mutation in _REFUSED))
    assert shown.startswith(f"Malformed({mutation!r}, ")
    assert len(shown) < 1_200


@given(strategies.wire_bytes(REGISTRY))
def test_bytes_of_any_kind_are_answered(data: bytes) -> None:
    """`loads` gives an error, whatever came."""
    assert isinstance(loads(data, registry=REGISTRY), CodedError)


def test_some_bytes_are_whole_payloads() -> None:
    """And the simplest of them has the least details."""
    code = SeatError.TAKEN
    whole = find(strategies.wire_bytes(code), lambda data: loads(data, registry=REGISTRY).code == code)
    assert json.loads(whole)["details"] == {"seat": ""}


def test_some_bytes_are_anything_but() -> None:
    """Bad UTF-8, a key twice, a byte order mark."""
    found: set[bytes] = set()

    @settings(max_examples=200, database=None, derandomize=True)
    @given(strategies.wire_bytes(SeatError.TAKEN))
    def draw(data: bytes) -> None:
        found.add(data)

    draw()
    for sign in (b"\xff\xfe", b'"code": "twice"', b"\xef\xbb\xbf"):
        assert any(sign in data for data in found), sign
