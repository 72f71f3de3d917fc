"""How payloads are made: prepared by code where an error says nothing special, and the same either way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, Reason, Registry, Secret, code, redaction, to_payload
from errkit.encoding import Encoder
from errkit.errors import bare
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@given(st.sampled_from(CODES), st.none() | st.text() | st.just("pw=hunter2"), st.dictionaries(NAMES, VALUES))
def test_the_short_way_gives_what_the_long_way_gives(
    make: Any, message: str | None, details: dict[str, Any]
) -> None:
    """The same keys in the same order, the same values, and the same left of the budget."""
    quick, slow = both_ways(make(message, **details))
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
    for error in (TripError.FULL(place="pier"), TripError.LATE(), SunkError(), TripError.LEAKY("m")):
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


def test_what_one_error_says_does_not_stick_to_its_code() -> None:
    """The first error of a code to be written may have a reason, a hint or notes of its own."""

    class RowError(CodedError, domain="row", registry=Registry("row")):
        OUT = code("Out", hint="Row.", reasons={"tired": Reason(title="Tired", hint="Rest.", retryable=True)})

    first = RowError.OUT(reason="tired")
    first.add_note("n")
    assert (to_payload(first)["hint"], to_payload(first)["retryable"]) == ("Rest.", True)
    assert (to_payload(RowError.OUT())["hint"], to_payload(RowError.OUT())["retryable"]) == ("Row.", False)
    assert "notes" not in to_payload(RowError.OUT())


@pytest.fixture
def literal() -> Iterator[str]:
    """A text that becomes a secret and stops being one."""
    yield "Boat"
    redaction.remove_literal("Boat")


def test_a_literal_registered_later_is_hidden_in_what_is_prepared(literal: str) -> None:
    """Titles and hints that went out before are redacted anew, and come back."""
    assert to_payload(TripError.LATE())["message"] == "Boat is late"
    redaction.add_literal(literal)
    assert to_payload(TripError.LATE("m")).get("message") == "m"
    assert "Boat" not in str(to_payload(TripError.LEAKY()))
    redaction.remove_literal(literal)
    assert to_payload(TripError.LEAKY())["message"] == "Boat leaks"


def test_an_address_given_later_is_written() -> None:
    """`docs` follows the registry's base address."""
    registry = Registry("piers")

    class PierError(CodedError, domain="pier", registry=registry):
        GONE = code("Pier is gone")

    assert "docs" not in to_payload(PierError.GONE())
    registry.base_url = "https://docs.example"
    assert to_payload(PierError.GONE())["docs"] == "https://docs.example/e/pier.gone/"


def test_a_field_whose_type_is_not_known_yet_is_secret_until_it_is() -> None:
    """What can't be read is not shown, and what can be read later is shown later."""

    class KeelError(CodedError, domain="keel", registry=Registry("keel")):
        class Depth(Details):
            depth: KnownLater  # type: ignore[name-defined] # noqa: F821 # pyright: ignore[reportUndefinedVariable]

        DEEP = code("Deep", Depth)

    error = KeelError.DEEP(depth=5)
    assert to_payload(error)["details"] == {"depth": "[REDACTED]"}
    globals()["KnownLater"] = int
    try:
        assert to_payload(error)["details"] == {"depth": 5}
    finally:
        del globals()["KnownLater"]


def test_a_reloaded_class_is_not_taken_for_the_old_one() -> None:
    """The same code with other facts, declared again, is written with these."""
    registry = Registry("again")

    def declare(hint: str) -> type[CodedError]:
        class SailError(CodedError, domain="sail", registry=registry):
            TORN = code("Sail is torn", hint=hint)

        return SailError

    for hint in ("Sew it.", "Buy one."):
        error = declare(hint)("sail.torn", "m")
        assert to_payload(error)["hint"] == hint


def test_what_is_prepared_does_not_outlive_its_class() -> None:
    """Classes that are thrown away with their registry are freed."""

    script = """
import gc, weakref
from errkit import CodedError, Registry, code, to_payload

def declare():
    class RaftError(CodedError, domain="raft", registry=Registry("raft")):
        WET = code("Wet")

    to_payload(RaftError.WET())
    return weakref.ref(RaftError)

gone = declare()
gc.collect()
assert gone() is None
"""
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.stderr == ""
