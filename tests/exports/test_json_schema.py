"""The JSON Schema of payloads, asked with the validator of the `jsonschema` package."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from errkit import Registry, dumps, to_payload
from errkit.catalogs import agent_core, agent_device, harness
from errkit.exports import export
from tests.exports.samples import HOSTILE, OUTLET, CartError, Place, Size, instance

if TYPE_CHECKING:
    from errkit import ErrorSpec

REGISTRIES = {
    "outlet": OUTLET,
    "traps": HOSTILE,
    "agent_core": agent_core.REGISTRY,
    "agent_device": agent_device.REGISTRY,
    "harness": harness.REGISTRY,
    "empty": Registry("empty"),
}
VALIDATORS = {
    name: Draft202012Validator(json.loads(export(registry, "jsonschema")))
    for name, registry in REGISTRIES.items()
}
FULL = CartError.EMPTY(
    "nothing in it",
    cart="c",
    count=1,
    size=Size.LARGE,
    places=[Place(row=1)],
    by_name={"a": 1},
    raw=b"\xff",
    password="x",
    whatever=object(),
)


def wire(error: BaseException) -> dict[str, Any]:
    """A payload as it arrives."""
    found: dict[str, Any] = json.loads(dumps(error))
    return found


def faults(payload: Any, name: str = "outlet") -> list[str]:
    """What the schema finds in a payload."""
    return [fault.message for fault in VALIDATORS[name].iter_errors(payload)]


@pytest.mark.parametrize("name", REGISTRIES)
def test_it_is_a_schema(name: str) -> None:
    """By the meta-schema of the draft that it names."""
    schema = json.loads(export(REGISTRIES[name], "jsonschema"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", [name for name in REGISTRIES if name != "empty"])
def test_the_payload_of_every_code_passes(name: str) -> None:
    """With details, a note, a foreign cause, and whole groups of them."""
    specs: list[ErrorSpec] = list(REGISTRIES[name])
    errors = [instance(spec) for spec in specs]
    for error in errors:
        assert faults(wire(error), name) == []
    assert faults(wire(ExceptionGroup("several", errors[:5])), name) == []


def test_every_field_passes_in_its_form() -> None:
    """Sets, enums, records, bytes, secrets and what nobody knows."""
    payload = wire(FULL)
    assert payload["details"]["size"] == "l"
    assert faults(payload) == []
    assert faults(wire(FULL.override(hint="x", retry_after=2, context={"a": 1}))) == []


def test_other_codes_and_other_keys_pass() -> None:
    """As readers of payloads let them."""
    assert faults(to_payload(ValueError("x"))) == []
    assert faults({"code": "new.code", "message": "", "more": 1}) == []
    assert faults({**wire(FULL), "more": 1}) == []


BROKEN: dict[str, dict[str, Any]] = {
    "no message": {"message": ...},
    "no code": {"code": ...},
    "a message that is no text": {"message": 3},
    "a version below 1": {"v": 0},
    "a verdict in words": {"retryable": "yes"},
    "another number": {"number": 61002},
    "another kind": {"kind": "transient"},
    "no details": {"details": ...},
    "details in a list": {"details": []},
    "a field is missing": {"details": {"cart": "c"}},
    "a field of another type": {"details": {"cart": 3, "count": 1}},
    "another value of an enum": {"details": {"cart": "c", "count": 1, "size": "m"}},
    "a secret in clear": {"details": {"cart": "c", "count": 1, "token": "abc"}},
    "a list as a password": {"details": {"cart": "c", "count": 1, "password": ["abc"]}},
    "a broken record": {"details": {"cart": "c", "count": 1, "places": [{"name": "x"}]}},
    "a broken tuple": {"details": {"cart": "c", "count": 1, "sizes": ["a", 1]}},
    "a broken item": {"details": {"cart": "c", "count": 1, "tags": [1]}},
    "a broken value": {"details": {"cart": "c", "count": 1, "by_name": {"a": "b"}}},
    "a broken cause": {"cause": {"code": "x"}},
    "a broken member": {"group": [{"code": "outlet.cart.empty", "message": "", "kind": "bug"}]},
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_broken_payload_fails(change: dict[str, Any]) -> None:
    """Whatever contradicts the form of payloads or the declaration of the code."""
    payload = {**wire(FULL), **change}
    assert faults({name: value for name, value in payload.items() if value is not ...})


@given(error=st.deferred(lambda: __import__("errkit.testing.strategies", fromlist=["x"]).errors(OUTLET)))
def test_errors_of_any_content_pass(error: Any) -> None:
    """But for values that JSON can't hold and values that were cut, which are text on the wire."""
    payload = wire(error)
    text = json.dumps(payload)
    if not any(mark in text for mark in ("left out]", "NaN", "Infinity", "elided")):
        assert faults(payload) == [], payload


def test_the_schema_knows_all_keys_of_a_payload() -> None:
    """Those that errkit's own reader knows."""
    from errkit.dialects.shared import NATIVE
    from errkit.exports.json_schema import PAYLOAD

    assert set(PAYLOAD) == set(NATIVE)
    assert copy.deepcopy(PAYLOAD) == PAYLOAD
