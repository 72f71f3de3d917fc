"""The OpenAPI components, read by openapi-spec-validator and asked with real problems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from errkit import Registry
from errkit.catalogs import agent_core, agent_device, harness
from errkit.dialects import problem
from errkit.exports import export
from tests.exports.samples import HOSTILE, OUTLET, CartError, VaultError, instance

if TYPE_CHECKING:
    from errkit.exports import Audience

REGISTRIES = {
    "outlet": OUTLET,
    "traps": HOSTILE,
    "agent_core": agent_core.REGISTRY,
    "agent_device": agent_device.REGISTRY,
    "harness": harness.REGISTRY,
    "empty": Registry("empty"),
}


def document(name: str, audience: Audience = "public") -> dict[str, Any]:
    """The document of a registry."""
    found: dict[str, Any] = json.loads(export(REGISTRIES[name], "openapi", audience))
    return found


def faults(body: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What the response for the status of a problem finds in it; any problem's schema, if there is none."""
    components = found["components"]
    response = components["responses"].get(f"problem-{body['status']}")
    schema = {"$ref": "#/components/schemas/any-problem"}
    if response is not None:
        schema = response["content"]["application/problem+json"]["schema"]
    # A reference leads to the same place in a schema that holds the components.
    validator = Draft202012Validator({"components": components, **schema})
    return [fault.message for fault in validator.iter_errors(json.loads(json.dumps(body)))]


@pytest.mark.parametrize("name", REGISTRIES)
def test_it_is_openapi(name: str) -> None:
    """By the schema of OpenAPI 3.1 and the rules on references; each schema is one of 2020-12."""
    found = document(name)
    OpenAPIV31SpecValidator(found).validate()
    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("audience", ["public", "internal"])
@pytest.mark.parametrize("name", [name for name in REGISTRIES if name != "empty"])
def test_the_problem_of_every_code_passes(name: str, audience: Audience) -> None:
    """Under its own status, with and without what the public may not see."""
    found = document(name, audience)
    for spec in REGISTRIES[name]:
        body = problem.encode(instance(spec), audience=audience)
        assert faults(body, found) == [], spec.code


def test_a_response_for_each_status() -> None:
    """With the codes that have it, its words, and how long to wait where a retry is worth it."""
    responses = document("outlet")["components"]["responses"]
    assert list(responses) == ["problem-409", "problem-503"]
    assert responses["problem-409"]["description"] == "Conflict"
    assert "Retry-After" in responses["problem-503"]["headers"]
    schema = responses["problem-409"]["content"]["application/problem+json"]["schema"]
    assert schema["discriminator"]["mapping"] == {
        "outlet.cart.empty": "#/components/schemas/outlet.cart.empty"
    }


def test_what_differs_from_its_code_passes() -> None:
    """A verdict of its own moves a problem to another status, and codes that are not public stay unknown."""
    found = document("outlet")
    moved = problem.encode(CartError.LOCKED("x", reason="audit"))
    assert moved["status"] != 503
    hidden = problem.encode(VaultError.EMPTY("x", row=1))
    for body in (moved, hidden, problem.encode(ValueError("x"))):
        assert faults(body, found) == []


@pytest.mark.parametrize(
    "change",
    [
        {"detail": 3},
        {"status": 200},
        {"kind": "bug"},
        {"details": {}},
        {"number": 1},
        {"cause": {}},
        {"type": None},
    ],
    ids=str,
)
def test_a_broken_problem_fails(change: dict[str, Any]) -> None:
    """Also in a response that takes any other problem."""
    found = document("outlet")
    body = problem.encode(CartError.EMPTY("x", cart="c", count=1))
    assert faults(body, found) == []
    broken = {**body, **change}
    found["components"]["responses"] = {} if broken["status"] != 409 else found["components"]["responses"]
    assert faults(broken, found)
