"""How payloads are read: at once or at the first look, with the same result, and faults always at once."""

from __future__ import annotations

import copy
import json
import pickle
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Registry, code, from_payload, loads, to_payload, unwrap_cause
from errkit.decoding import decode, decode_own
from errkit.errors import attributes_of

if TYPE_CHECKING:
    from collections.abc import Callable

REG = Registry("test_decoding")


class PostError(CodedError, domain="post", registry=REG, numbers=range(100, 200)):
    LOST = code("Letter is lost", number=101, kind="transient", hint="Write again.")
    TORN = code("Letter is torn")


class LostError(PostError, of=PostError.LOST):
    """A class of its own."""


PAYLOAD: dict[str, Any] = {
    "v": 1,
    "code": "post.lost",
    "message": "gone",
    "retryable": False,
    "name": "LostError",
    "hint": "Call.",
    "details": {"street": "Elm", "password": "hunter2"},
    "future": 1,
    "elided": {"items": 2},
    "cause": {"v": 1, "code": "ghost.code", "message": "root", "details": {"n": 1}},
}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    "retryable number name kind alert retry_after retries_spent hint docs details supported_on diagnostic_id"
    " log_path notes group secondary elided other token"
).split()


def payloads(causes: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Payloads that are right or nearly so."""
    return st.fixed_dictionaries(
        {
            "v": st.just(1) | st.sampled_from([1, 1, 1, 2, 0, True, "1"]),
            "code": st.sampled_from(["post.lost", "post.torn", "ghost.code", "", 5, "a" * 600]),
            "message": st.sampled_from(["m", "password=hunter2", None]),
        },
        optional={**dict.fromkeys(KEYS, VALUES), "name": st.just("LostError") | VALUES, "cause": causes},
    )


PAYLOADS = st.recursive(VALUES, payloads, max_leaves=4)


def everything(error: CodedError) -> object:
    """All that an error holds, causes and members included."""
    facts = {key: value for key, value in error._facts.items() if key not in ("group", "secondary")}
    cause = error.__cause__
    members = (*error._facts.get("group", ()), *error.secondary)
    return (
        type(error),
        error.args,
        error.spec.code,
        dict(error.details),
        facts,
        getattr(error, "__notes__", None),
        [everything(member) for member in members if isinstance(member, CodedError)],
        everything(cause) if isinstance(cause, CodedError) else cause,
    )


@given(PAYLOADS)
def test_reading_at_the_first_look_gives_what_reading_at_once_gives(payload: Any) -> None:
    """Code, class, details, facts, notes, members and causes."""
    assert everything(decode_own(payload, REG)) == everything(decode(payload, REG))


def raised(error: CodedError) -> None:
    with pytest.raises(PostError):
        raise error


LOOKS: dict[str, Callable[[CodedError], object]] = {
    "details": lambda error: error.details,
    "hint": lambda error: error.hint,
    "retryable": lambda error: error.retryable,
    "repr": repr,
    "args": lambda error: error.args,
    "add_note": lambda error: error.add_note("n"),
    "raise": raised,
    "note_facts": lambda error: error.note_facts(log_path="/log"),
    "override": lambda error: error.override(supported_on="linux"),
    "unwrap_cause": unwrap_cause,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
}


@pytest.mark.parametrize("look", LOOKS)
def test_whatever_is_looked_at_first_nothing_is_lost(look: str) -> None:
    """The first look may be at any field, by any function; all others find theirs afterwards."""
    text = json.dumps(PAYLOAD)
    error, eager = loads(text, registry=REG), decode(json.loads(text), REG)
    assert "_arrived" in attributes_of(error)
    LOOKS[look](error)
    LOOKS[look](eager)
    assert to_payload(error) == to_payload(eager)
    assert (error.details["street"], error.details["password"]) == ("Elm", "[REDACTED]")
    assert "_arrived" not in attributes_of(error)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_a_twin_of_an_error_that_nobody_has_looked_at_is_whole(
    twin: Callable[[CodedError], CodedError],
) -> None:
    """Copies and pickles hold what has arrived."""
    error = loads(json.dumps(PAYLOAD), registry=REG)
    assert to_payload(twin(error)) == to_payload(error)


def test_one_payload_in_many_places_is_read_so_often_and_no_more() -> None:
    """A few payloads that hold each other are a thousand million errors; what is left out is counted."""
    payload: dict[str, Any] = {"v": 1, "code": "a.b", "message": "m"}
    for _ in range(6):
        payload = {**payload, "group": [payload] * 20, "cause": payload}
    took = -time.process_time()
    error = from_payload(payload)
    assert took + time.process_time() < 5
    assert to_payload(error)["elided"]["items"] > 0
    assert to_payload(from_payload(to_payload(error)))["elided"] == to_payload(error)["elided"]


def test_a_fault_is_told_at_once() -> None:
    """However deep it stands, and although all around it is right."""
    sent = json.loads(json.dumps(PAYLOAD))
    sent["cause"]["cause"] = {"v": 1, "code": "post.torn", "message": 5}
    root = unwrap_cause(loads(json.dumps(sent), registry=REG))
    assert isinstance(root, CodedError)
    assert (root.code, root.details["place"]) == ("errkit.malformed_payload", "$.cause.cause.message")
    assert root.details["found"] == "5"


def test_what_somebody_else_holds_is_read_at_once() -> None:
    """A payload that the caller changes afterwards does not change the error."""
    sent = json.loads(json.dumps(PAYLOAD))
    error = decode(sent, REG)
    sent["details"]["street"] = sent["hint"] = "changed"
    assert (error.details["street"], error.hint) == ("Elm", "Call.")


def test_a_long_text_is_not_kept_for_a_later_look() -> None:
    """A sender can't fill the memory with what nobody looks at."""
    sent = {**PAYLOAD, "details": {"text": "x" * 100_000}}
    assert "_arrived" not in attributes_of(loads(json.dumps(sent), registry=REG))
