"""`from_type` just works: for each Details class and domain, whenever it was made, and for nobody else's."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import typing
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from errkit import CodedError, Details, ErrorCode, Registry, code
from errkit.domains.os_fs import HostFsError, PathDetails
from errkit.registry import living_registries

REGISTRY = Registry("arriving")


class SeatDetails(Details):
    """A seat."""

    seat: str
    row: int = 0


class SeatError(CodedError, domain="arriving.seat", registry=REGISTRY):
    """Seats."""

    TAKEN = code("Seat is taken", SeatDetails)
    GONE = code("Seat is gone")


class TakenError(SeatError, of=SeatError.TAKEN):
    """One code."""


class LocalSeatError(SeatError):
    """All codes of the domain, as instances of its own."""


class Elsewhere(CodedError, registry=REGISTRY):
    """A common base without codes of its own."""


class CartError(Elsewhere, domain="arriving.cart"):
    """Carts."""

    EMPTY = code("Cart is empty")


def drawn(kind: Any) -> list[Any]:
    """Some values that `from_type` draws for a type."""
    found: list[Any] = []

    @settings(max_examples=40, database=None)
    @given(st.from_type(kind))
    def draw(value: Any) -> None:
        found.append(value)

    draw()
    return found


@given(st.from_type(SeatDetails))
def test_details_are_drawn_with_all_their_fields(found: SeatDetails) -> None:
    """What is drawn is an instance, with values of the declared types."""
    assert type(found) is SeatDetails
    assert isinstance(found.seat, str)
    assert isinstance(found.row, int)


@given(st.from_type(SeatError))
def test_errors_of_a_domain_fit_their_declaration(error: SeatError) -> None:
    """Whichever code it is, the details are complete."""
    assert isinstance(error, SeatError)
    assert error.details_problem is None


@pytest.mark.parametrize(
    ("cls", "codes"),
    [
        (SeatError, {"arriving.seat.taken", "arriving.seat.gone"}),
        (TakenError, {"arriving.seat.taken"}),
        (LocalSeatError, {"arriving.seat.taken", "arriving.seat.gone"}),
        (Elsewhere, {"arriving.cart.empty"}),
        (CartError, {"arriving.cart.empty"}),
    ],
)
def test_each_class_gives_what_it_stands_for(cls: type[CodedError], codes: set[str]) -> None:
    """A domain, a class bound to one code, a plain subclass, a common base: always their own instances."""
    found = drawn(cls)
    assert {error.code for error in found} == codes
    assert all(isinstance(error, cls) for error in found)


def test_ready_made_domains_and_the_base_are_known() -> None:
    """What errkit ships is there, and `CodedError` stands for the whole default registry."""
    assert all(type(found) is PathDetails for found in drawn(PathDetails))
    assert all(error.code.startswith("os.fs.") for error in drawn(HostFsError))
    assert all(type(found) is ErrorCode for found in drawn(ErrorCode))
    assert all(isinstance(found, Registry) for found in drawn(Registry))
    assert len({error.code for error in drawn(CodedError)}) > 5


def test_classes_made_later_are_known_too() -> None:
    """Whatever a test declares is there in the same test; so is a registry that came later."""
    with REGISTRY.scoped():

        class LateDetails(Details):
            when: int

        class LateError(CodedError, domain="arriving.late", registry=REGISTRY):
            LATE = code("Late", LateDetails)

        assert all(isinstance(found.when, int) for found in drawn(LateDetails))
        assert {error.code for error in drawn(LateError)} == {"arriving.late.late"}
        LaterError = type("LaterError", (LateError,), {})
        assert {type(error) for error in drawn(LaterError)} == {LaterError}
    # The domain is registered no longer: Hypothesis is on its own again, and knows nothing of details.
    assert all(not error.details for error in drawn(LateError))


def test_a_class_with_a_hook_of_its_own_still_gets_its_keywords() -> None:
    """Being told of new classes changes nothing about how classes are made."""
    seen: list[str] = []

    class HookedDetails(Details):
        def __init_subclass__(cls, *, label: str = "", **keywords: Any) -> None:
            super().__init_subclass__(**keywords)
            seen.append(label)

    class PlainDetails(HookedDetails, label="plain"):
        size: int

    assert seen == ["plain"]
    assert all(isinstance(found.size, int) for found in drawn(PlainDetails))
    assert SeatError.__place__[0] == __file__


def test_a_registry_of_data_goes_when_nobody_holds_it() -> None:
    """Hypothesis would hold its classes for ever, and pickles would find the copy's code."""
    Registry.from_catalog({**json.loads(REGISTRY.export()), "registry": "arriving_once"})
    gc.collect()
    assert living_registries("arriving_once") == []


@pytest.mark.parametrize("kind", [Exception, Sequence[int], Sequence[str], typing.Collection[int]], ids=str)
def test_whoever_asks_for_a_base_gets_what_they_got_before(kind: Any) -> None:
    """An installed errkit does not change the tests of others: no code among sequences of numbers."""
    assert [value for value in drawn(kind) if isinstance(value, (CodedError, ErrorCode))] == []


def test_nothing_is_drawn_or_written_when_hypothesis_is_imported(tmp_path: Any) -> None:
    """No warning, no `.hypothesis` folder (hypothesis issue 3140), and no strategy made."""
    script = """
import sys, hypothesis
print([name for name in sys.modules if name.startswith("errkit.testing.strategies")])
print("errkit.testing.arriving" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[]\nTrue\n", "")
    assert list(tmp_path.iterdir()) == []
