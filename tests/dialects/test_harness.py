"""The two forms of the harness: which fact decides, and what is kept apart."""

from __future__ import annotations

from typing import Any

import pytest

from errkit import CodedError, Registry, to_payload
from errkit.catalogs.harness import REGISTRY, ErrorCodes
from errkit.dialects import harness, harness_stream
from tests.dialects.samples import REG, AnyError, ShopError

THROWN = ErrorCodes.SESSION_NOT_FOUND("no session ses_41", context={"sessionId": "ses_41"})


def test_the_thrown_form() -> None:
    """Symbol, number, number before the message, hint as recovery, context unwrapped."""
    form = harness.encode(THROWN)
    assert form == {
        "errorCode": "SESSION_NOT_FOUND",
        "code": 2001,
        "message": "[2001] no session ses_41",
        "recovery": THROWN.hint,
        "context": {"sessionId": "ses_41"},
    }
    found = harness.decode(form, registry=REGISTRY)
    assert to_payload(found) == to_payload(THROWN)


def test_the_streamed_form() -> None:
    """A type, the message as it is, the code as text, the number under its own name."""
    form = harness.encode_stream(THROWN)
    assert form == {
        "type": "error",
        "error": "no session ses_41",
        "code": "SESSION_NOT_FOUND",
        "codeNum": 2001,
    }
    assert harness_stream.encode(THROWN) == form
    found = harness.decode(form, registry=REGISTRY)
    assert (found.code, found.number, found.hint) == ("SESSION_NOT_FOUND", 2001, THROWN.hint)


def test_the_number_decides_on_the_stream() -> None:
    """The seed's own sample pairs a host's text with another number: the number is the error."""
    form = {"type": "error", "error": "Session not found", "code": "PROVIDER_ERROR", "codeNum": 5006}
    found = harness.decode(form, registry=REGISTRY)
    assert found.number == 5006
    assert found.spec is REGISTRY.by_number(5006)
    assert to_payload(found)["host_code"] == "PROVIDER_ERROR"
    assert harness.encode_stream(found) == form


@pytest.mark.parametrize(
    ("form", "code", "number", "host"),
    [
        ({"error": "m", "code": "PROVIDER_ERROR", "codeNum": 5099}, "harness.5099", 5099, "PROVIDER_ERROR"),
        ({"error": "m", "code": "SESSION_INVALID", "codeNum": 9999}, "SESSION_INVALID", 2003, None),
        ({"error": "m", "code": "PROVIDER_ERROR"}, "PROVIDER_ERROR", None, None),
        ({"error": "m", "code": "SESSION_INVALID"}, "SESSION_INVALID", 2003, None),
        ({"error": "m", "codeNum": 2003}, "SESSION_INVALID", 2003, None),
        ({"error": "m", "codeNum": 2003.0}, "SESSION_INVALID", 2003, None),
        ({"error": "m", "codeNum": "2003"}, "internal", None, None),
        ({"error": "m"}, "internal", None, None),
        ({"error": "m", "code": 2003}, "internal", None, None),
    ],
)
def test_an_event_may_lack_either(
    form: dict[str, Any], code: str, number: int | None, host: str | None
) -> None:
    """The number first, then the text; an event with neither is an error without a code."""
    found = harness.decode({"type": "error", **form}, registry=REGISTRY)
    assert (found.code, to_payload(found).get("host_code")) == (code, host)
    assert found.number == number or code == "internal"
    assert not found.retryable


@pytest.mark.parametrize(
    ("form", "code", "message"),
    [
        ({"errorCode": "SESSION_INVALID", "code": 2003, "message": "[2003] m"}, "SESSION_INVALID", "m"),
        ({"errorCode": "SESSION_INVALID", "message": "[2003] m"}, "SESSION_INVALID", "[2003] m"),
        ({"errorCode": "BRAND_NEW", "code": 2003, "message": "[2003] m"}, "SESSION_INVALID", "m"),
        ({"errorCode": "BRAND_NEW", "code": 2099, "message": "m"}, "BRAND_NEW", "m"),
        ({"code": 2003, "message": "[2099] m"}, "SESSION_INVALID", "[2099] m"),
        ({"code": 2099, "message": "m"}, "harness.2099", "m"),
        ({"errorCode": "SESSION_INVALID", "code": 2003}, "SESSION_INVALID", "Session not valid"),
        ({"errorCode": "BRAND_NEW"}, "BRAND_NEW", "BRAND_NEW"),
    ],
)
def test_a_thrown_error_may_lack_parts(form: dict[str, Any], code: str, message: str) -> None:
    """`JSON.stringify` of the class drops the message, and older versions have other symbols."""
    found = harness.decode(form, registry=REGISTRY)
    assert (found.code, found.message) == (code, message)


def test_the_range_of_an_unknown_number_is_still_known() -> None:
    """Programs that dispatch on ranges go on doing so."""
    found = harness.decode({"type": "error", "error": "m", "codeNum": 5099}, registry=REGISTRY)
    assert found.number is not None
    domain = REGISTRY.range_of(found.number)
    assert domain is not None
    assert domain.domain == "provider"


def test_details_of_other_codes_are_the_context_as_they_are() -> None:
    """Only a code whose details are the free context alone has it unwrapped."""
    error = ShopError.BROKEN("m", path="/a").override(context={"n": 1})
    form = harness.encode(error)
    assert form["context"] == {"path": "/a", "context": {"n": 1}}
    assert harness.decode(form, registry=REG).details == error.details
    odd = AnyError("a.b", "m", details={"context": {"n": 1}})
    assert harness.decode(harness.encode(odd)).details == odd.details


def test_an_error_without_a_number_has_no_number_in_either_form() -> None:
    """A key whose fact is not known is absent."""
    error = CodedError("a.b", "m")
    assert harness.encode(error) == {"errorCode": "a.b", "message": "m"}
    assert harness.encode_stream(error) == {"type": "error", "error": "m", "code": "a.b"}


def test_a_number_on_the_stream_that_nobody_knows_keeps_the_text_of_the_code() -> None:
    """The number decides there, so without its registry a code is a number, and its text stays apart."""
    form = harness_stream.encode(THROWN)
    found = harness_stream.decode(form, registry=Registry("test_harness_empty"))
    assert found.code == f"harness.{form['codeNum']}"
    assert to_payload(found)["host_code"] == form["code"]
    assert harness_stream.encode(found) == form
