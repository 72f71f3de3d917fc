"""The plain form of a record: JSON, sound, and the same when it comes back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError
from errkit.codes import KINDS
from errkit.sinks.form import line_of, plain, read_lines, record_of, severity
from tests.sinks.failures import failed, record, remade

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(message=st.text(), details=st.dictionaries(st.text(), VALUES, max_size=3))
def test_a_record_that_was_made_of_a_failure_passes_as_it_is(
    message: str, details: dict[str, object]
) -> None:
    """The form changes nothing, and neither does the way through a line."""
    made = record(error=CodedError("shop.empty", message, details=details))
    found = plain(made)
    assert record_of(found) == made
    assert list(read_lines(line_of(found))) == [found]


@given(value=VALUES)
def test_a_record_that_was_built_by_hand_becomes_sound(value: object) -> None:
    """Whatever stands in its fields, its form is JSON with the types that each field has."""
    for name in vars(record()):
        found = plain(remade(record(), **{name: value}))
        json.dumps(found, allow_nan=False).encode()
        assert record_of(found) is not None
        assert found["kind"] in (*KINDS, None)
        assert isinstance(found["alert"], bool)


def test_times_become_utc() -> None:
    """With milliseconds, so that they sort as text; what is no time becomes the present."""
    shown = {at: plain(record(at=at))["at"] for at in ("2031-05-01T00:00:00+02:00", "2031-05-01", "soon")}
    assert shown["2031-05-01T00:00:00+02:00"] == "2031-04-30T22:00:00.000+00:00"
    assert shown["2031-05-01"] == "2031-05-01T00:00:00.000+00:00"
    assert shown["soon"] > "2025"


@pytest.mark.parametrize(
    ("kind", "alert", "loud"),
    [
        ("terminal", True, "error"),
        ("transient", False, "warning"),
        ("outcome", False, "info"),
        ("outcome", True, "error"),
        ("cancelled", False, "info"),
        ("bug", True, "error"),
        (None, True, "error"),
    ],
)
def test_how_loud_a_record_is_follows_from_its_verdicts(kind: str | None, alert: bool, loud: str) -> None:
    """What alerts is an error; normal flow and a cancellation are information."""
    assert severity(remade(record(error=failed("x")), kind=kind, alert=alert)) == loud
