"""Verdicts: what to do about any error."""

from __future__ import annotations

import asyncio
import concurrent.futures

import pytest

from errkit import (
    CodedError,
    Registry,
    UserCancelled,
    Verdict,
    classify,
    code,
    is_retryable,
    register_classifier,
    to_payload,
)
from tests.hostile import every_hostile_object

REG = Registry("test_verdicts")


class JobError(CodedError, domain="job", registry=REG):
    LOST = code("Job was lost", kind="transient", retry_after=3)
    BROKEN = code("Job is broken")
    REJECTED = code("Rejected", kind="outcome")
    STOPPED = code("Stopped", kind="cancelled", alert=True)
    MISUSED = code("Misused", kind="bug")


@pytest.mark.parametrize(
    ("error", "retry", "alert"),
    [
        (JobError.LOST(), True, True),
        (JobError.BROKEN(), False, True),
        (JobError.REJECTED(), False, False),
        (JobError.STOPPED(), False, True),
        (JobError.MISUSED(), False, True),
        (JobError.BROKEN().override(retryable=True), True, True),
        (JobError.LOST().override(retryable=False), False, True),
        (JobError.LOST().override(retries_spent=True), False, True),
        (ValueError("boom"), False, True),
        ("text", False, True),
    ],
)
def test_the_kind_and_the_error_itself_decide(error: object, retry: bool, alert: bool) -> None:
    """Retry and alarm follow from the kind, unless something was said of this one failure."""
    verdict = classify(error)
    assert (verdict.retryable, verdict.alert) == (retry, alert)
    assert is_retryable(error) is retry


def test_spent_retries_leave_the_fact_of_the_code() -> None:
    """`retryable` says what the failure is, `is_retryable` what to do."""
    error = JobError.LOST().override(retries_spent=True)
    assert error.retryable
    assert not is_retryable(error)


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        SystemExit(),
        GeneratorExit(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
        UserCancelled(),
    ],
)
def test_cancellation_is_neither_retried_nor_alarmed(error: BaseException) -> None:
    """Someone stopped the work; that is no failure."""
    verdict = classify(error)
    assert (verdict.kind, verdict.retryable, verdict.alert) == ("cancelled", False, False)


def test_a_group_is_worth_a_retry_only_if_each_member_is() -> None:
    """The worst member decides; cancelled siblings do not (modelcontextprotocol/python-sdk/issues/2114)."""
    lost = JobError.LOST()
    assert is_retryable(ExceptionGroup("g", [lost, ExceptionGroup("h", [JobError.LOST()])]))
    assert not is_retryable(ExceptionGroup("g", [lost, ValueError()]))
    assert is_retryable(BaseExceptionGroup("g", [asyncio.CancelledError(), lost]))
    assert classify(ExceptionGroup("g", [lost])).retry_after == 3.0


def test_a_host_maps_its_own_failures() -> None:
    """The last classifier is asked first, a failing one has no opinion, and one can be taken back."""

    class Unauthorized(Exception):
        pass

    def broken(error: BaseException) -> Verdict | None:
        raise RuntimeError("classifier failed")

    def known(error: BaseException) -> Verdict | None:
        return (
            Verdict(code="auth", kind="terminal", retryable=False, alert=False)
            if isinstance(error, Unauthorized)
            else None
        )

    undo = [register_classifier(known), register_classifier(broken)]
    try:
        assert classify(Unauthorized()).code == "auth"
        assert classify(ValueError()).code == "internal"
    finally:
        for take_back in undo:
            take_back()
    assert classify(Unauthorized()).code == "internal"


@every_hostile_object
def test_any_object_has_a_verdict(value: object) -> None:
    """Whatever is asked about fails closed."""
    assert not is_retryable(value)


def test_a_payload_has_the_verdict_of_its_error() -> None:
    """A revived shape is judged like the error itself."""
    assert not is_retryable({"code": "validation.failed", "message": "no"})
    assert to_payload({"code": "validation.failed", "message": "no", "retryable": True})["retryable"]
