"""What is prepared for each code: nothing of one error, and nothing that has changed since."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from errkit import CodedError, Details, Reason, Registry, code, redaction, to_payload

if TYPE_CHECKING:
    from collections.abc import Iterator

REG = Registry("test_frames")


class TripError(CodedError, domain="trip", registry=REG):
    LATE = code("Boat is late")
    LEAKY = code("Boat leaks", hint="Boil the Boat.")


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
