"""Errors as text for people."""

from __future__ import annotations

from typing import Any

import pytest

from errkit import CodedError, Details, Registry, code, format_error
from tests.hostile import every_hostile_object

REG = Registry("test_message")


class PathDetails(Details):
    path: str
    sizes: list[int] | None = None


class DiskError(CodedError, domain="disk", registry=REG, numbers=range(10, 20)):
    FULL = code(
        "Disk is full",
        PathDetails,
        number=11,
        hint="Free some space.",
        docs="https://errors.example/e/disk.full/",
    )


def test_code_and_message_then_the_hint_on_its_own_line() -> None:
    """The short form is what a person needs and no more."""
    assert format_error(DiskError.FULL("no room", path="/a")) == "[disk.full] no room\nHint: Free some space."


def test_verbose_tells_the_rest() -> None:
    """Number, address, details, notes and the chain of causes, one a line."""
    error = DiskError.FULL("no room", path="/a", sizes=[1, 2])
    error.add_note("while saving")
    error.__cause__ = CodedError("net.gone", "peer left")
    error.__cause__.__cause__ = OSError("ENOSPC")
    assert format_error(error, verbose=True).splitlines() == [
        "[disk.full] no room",
        "Hint: Free some space.",
        "Number: 11",
        "See: https://errors.example/e/disk.full/",
        "Retry: no",
        "  path: /a",
        "  sizes: [1, 2]",
        "Note: while saving",
        "Caused by: [net.gone] peer left",
        "Caused by: [internal] OSError: ENOSPC",
    ]


def test_members_of_groups_and_failures_of_cleanup_are_named() -> None:
    """A group lists its members; failures of cleanup stand beside the primary one."""
    assert "In the group: [internal] ValueError: a" in format_error(
        ExceptionGroup("g", [ValueError("a")]), verbose=True
    )
    error = DiskError.FULL(path="/a")
    error.note_facts(secondary=(ValueError("close failed"),))
    assert "While cleaning up: [internal] ValueError: close failed" in format_error(error, verbose=True)


@every_hostile_object
def test_any_object_has_a_text(value: Any) -> None:
    """Both forms come back as text for anything."""
    assert format_error(value).startswith("[")
    assert format_error(DiskError.FULL(path=value), verbose=True)
    assert repr(DiskError.FULL(path=value))


def test_repr_is_redacted_and_str_is_the_message_alone() -> None:
    """`repr` is safe to log; `str` is exactly what the throw site said."""
    error = DiskError.FULL("password=hunter2", path="/a")
    assert str(error) == "password=hunter2"
    assert repr(error) == "DiskError('disk.full', 'password=[REDACTED]', path='/a')"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"retryable": True}, "Retry: yes"),
        ({"retryable": True, "retry_after": 1.5}, "Retry: yes, after 1.5 s"),
        ({"retryable": True, "retries_spent": True}, "Retry: no, retries are spent"),
        ({}, "Retry: no"),
    ],
)
def test_verbose_tells_whether_to_try_again(said: dict[str, Any], line: str) -> None:
    """The verdict of this one failure, in words."""
    assert line in format_error(DiskError.FULL(path="/a").override(**said), verbose=True).splitlines()
