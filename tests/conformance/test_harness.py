"""The harness: what its page says of its errors, and where errkit does something else on purpose.

The page is all there is: its tables are lost and nothing was run. What it says of single codes is proved
where the catalogue is; here are its forms, its look-ups and its advice.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from errkit import CodedError, classify, error_info, format_error, is_coded_error, to_payload
from errkit.catalogs.harness import (
    REGISTRY,
    ErrorCodes,
    HarnessCodedError,
    ProviderFamilyExhaustedError,
    do_not_alert,
    transient,
)
from errkit.dialects import harness
from tests.conformance.support import Case, cases, check, check_list

SEED: Final = "harness"

LOST_SESSION: Final = ErrorCodes.SESSION_NOT_FOUND("Session not found", context={"sessionId": "ses_41"})

# --- the thrown form --------------------------------------------------------------------------------

FIELDS: Final = (
    Case("the symbol", "errorCode", "SESSION_NOT_FOUND"),
    Case("the number", "code", 2001),
    Case("the message", "message", "[2001] Session not found"),
    Case("the context", "context", {"sessionId": "ses_41"}),
)


@cases(*FIELDS)
def test_the_fields_of_a_thrown_error(case: Case) -> None:
    """Each field of the class is in the form."""
    check(case, harness.encode(LOST_SESSION)[case.given], SEED)


ATTRIBUTES: Final = (
    Case("code", "code", 2001, "SESSION_NOT_FOUND", "one-name-for-one-type"),
    Case("number", "number", None, 2001, "one-name-for-one-type"),
    Case("message", "message", "[2001] Session not found", "Session not found", "messages-are-bare"),
)


@cases(*ATTRIBUTES)
def test_the_attributes_of_an_error_in_the_program(case: Case) -> None:
    """What stands under which name on the exception."""
    check(case, getattr(LOST_SESSION, case.given), SEED)


def test_every_error_has_a_recovery_instruction() -> None:
    """The page promises one for each code, and the thrown form carries it."""
    for spec in REGISTRY:
        assert spec.cls is not None
        assert harness.encode(getattr(spec.cls, spec.const)())["recovery"] == spec.hint != ""


def test_the_guards() -> None:
    """An error of the harness is told by its class, and is still a plain exception."""
    assert isinstance(LOST_SESSION, HarnessCodedError)
    assert isinstance(LOST_SESSION, Exception)
    assert is_coded_error(LOST_SESSION)
    assert not isinstance(ValueError("x"), HarnessCodedError)
    exhausted = ProviderFamilyExhaustedError("every rung failed")
    assert (exhausted.number, isinstance(exhausted, HarnessCodedError)) == (5008, True)


def test_the_look_ups() -> None:
    """By name and by number, without an instance."""
    assert REGISTRY["SESSION_NOT_FOUND"].number == 2001
    by_number = REGISTRY.by_number(2001)
    assert by_number is REGISTRY["SESSION_NOT_FOUND"]
    assert REGISTRY.by_number(1) is None


# --- the streamed form ------------------------------------------------------------------------------

SAMPLE: Final = {"type": "error", "error": "Session not found", "code": "PROVIDER_ERROR", "codeNum": 5006}
EVENTS: Final = (
    Case("text and number", SAMPLE, (5006, 5)),
    Case("no number", {"type": "error", "error": "m", "code": "PROVIDER_ERROR"}, (None, 0)),
    Case("neither", {"type": "error", "error": "m"}, (None, 0)),
    Case("an unknown number", {"type": "error", "error": "m", "codeNum": 5099}, (5099, 5)),
)


@cases(*EVENTS)
def test_dispatch_on_the_range(case: Case) -> None:
    """The number decides, and one that is not known has a range all the same."""
    error = harness.decode(case.given, registry=REGISTRY)
    number = error.number if error.code != "internal" else None
    domain = None if number is None else REGISTRY.range_of(number)
    thousands = (
        0
        if domain is None or domain.__domain__ is None or domain.__domain__.numbers is None
        else (domain.__domain__.numbers.start // 1000)
    )
    check(case, (number, thousands), SEED)


def test_the_text_on_the_stream_is_kept_apart() -> None:
    """It is a signal of the host, so it neither names the error nor is lost."""
    error = harness.decode(SAMPLE, registry=REGISTRY)
    assert error.code != "PROVIDER_ERROR"
    assert to_payload(error)["host_code"] == "PROVIDER_ERROR"
    assert harness.encode_stream(error) == SAMPLE


STREAMED: Final = (
    Case("the type", "type", "error"),
    Case("the message without a number", "error", "Session not found"),
    Case("the number", "codeNum", 2001),
    Case("the text", "code", "a text of the host", "SESSION_NOT_FOUND", "the-same-code-in-both-forms"),
)


@cases(*STREAMED)
def test_the_fields_of_an_event(case: Case) -> None:
    """What stands in an event that errkit writes."""
    check(case, harness.encode_stream(LOST_SESSION)[case.given], SEED)


# --- advice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1003, 1004, 4001, 4002, 5003, 5006, 5007, 9002])
def test_transient_codes(number: int) -> None:
    """Each number of the page's set is retryable."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert spec.retryable
    assert number in transient()


@pytest.mark.parametrize("number", [2001, 2003, 5001, 5002, 6001, 7001, 7003, 8002])
def test_terminal_codes(number: int) -> None:
    """Each number of the page's set is not."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    assert not spec.retryable


@pytest.mark.parametrize("number", [8002, 9004, 11004])
def test_codes_that_wake_nobody(number: int) -> None:
    """Normal flow and a user's own stop raise no alarm."""
    assert number in do_not_alert()


ADVICE: Final = (
    Case("3001", 3001, "unexpected", True, "words-outweigh-lists"),
    Case("11001", 11001, "unexpected", True, "words-outweigh-lists"),
    Case("2004", 2004, "unexpected", False, "every-code-has-a-verdict"),
    Case("7002", 7002, "unexpected", False, "every-code-has-a-verdict"),
    Case("5008", 5008, "unexpected", False, "every-code-has-a-verdict"),
)


@cases(*ADVICE)
def test_codes_in_neither_list(case: Case) -> None:
    """The sample dispatcher calls whatever is in neither set unexpected."""
    spec = REGISTRY.by_number(case.given)
    assert spec is not None
    check(case, spec.retryable, SEED)


def test_retries_that_are_spent() -> None:
    """The page's sample repeats what the runtime has repeated in vain; here that is a fact of its own."""
    error: Any = ErrorCodes(code_of(5006), "stream broke").override(retries_spent=True)
    case = Case("5006 after the loop", error, True, False, "spent-retries-are-said")
    check(case, classify(case.given).retryable, SEED)
    assert error.retryable


def code_of(number: int) -> str:
    """The code of a number."""
    spec = REGISTRY.by_number(number)
    assert spec is not None
    return spec.code


def test_an_unknown_code_keeps_what_it_says() -> None:
    """The sample shows `Unexpected error` for what it does not know; here message and hint are shown."""
    form = {"errorCode": "BRAND_NEW", "code": 2099, "message": "[2099] new", "recovery": "Update the client."}
    error = harness.decode(form, registry=REGISTRY)
    case = Case(
        "a new code",
        None,
        "Unexpected error",
        "[BRAND_NEW] new\nHint: Update the client.",
        "unknown-codes-speak",
    )
    check(case, format_error(error), SEED)
    assert not error_info(error.code, registry=REGISTRY).public


def test_a_recovery_on_the_stream_comes_from_the_registry() -> None:
    """The event has no place for it; whoever has the catalogue has it."""
    error: CodedError = harness.decode(SAMPLE, registry=REGISTRY)
    case = Case("the hint", None, "", error.hint, "hints-come-from-the-registry")
    check(case, error.hint, SEED)


# --- the list ---------------------------------------------------------------------------------------


def test_the_list_of_differences_is_complete() -> None:
    """Every difference that a case shows stands there with its reason, and every entry has a case."""
    in_tests = frozenset({"spent-retries-are-said", "unknown-codes-speak", "hints-come-from-the-registry"})
    not_here = frozenset({"words", "numbers-that-are-lost", "ranges-decide-nothing"})
    tables = (FIELDS, ATTRIBUTES, EVENTS, STREAMED, ADVICE)
    check_list(SEED, *tables, told_elsewhere=in_tests | not_here)
