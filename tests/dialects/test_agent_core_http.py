"""The numbered envelope of agent-core's HTTP server."""

from __future__ import annotations

import pytest

from errkit.catalogs.agent_core import REGISTRY, ErrorCodes
from errkit.dialects import agent_core_http


def test_every_number_belongs_to_a_code_of_the_catalogue() -> None:
    """The table names codes that are declared, each with a number of its own."""
    assert set(agent_core_http.NUMBERS) <= {spec.code for spec in REGISTRY}
    assert len(set(agent_core_http.NUMBERS.values())) == len(agent_core_http.NUMBERS)


@pytest.mark.parametrize("code", sorted(agent_core_http.NUMBERS))
def test_a_numbered_code_comes_back(code: str) -> None:
    """Number, message, details and the id of the request survive."""
    error = REGISTRY[code].cls
    assert error is not None
    sent = error(code, "m", details={"a": 1}) if code != "internal" else ErrorCodes.INTERNAL("m")
    form = agent_core_http.encode(sent, request_id="req-1")
    found = agent_core_http.decode(form, registry=REGISTRY)
    assert (found.code, found.message) == (code, "m")
    assert agent_core_http.encode(found) == form


def test_an_unknown_number_keeps_its_number() -> None:
    """What the catalogue has no code for is named by its number, and goes on with it."""
    form = {"code": 40404, "msg": "no such approval", "data": None, "request_id": "r"}
    error = agent_core_http.decode(form, registry=REGISTRY)
    assert (error.code, error.retryable) == ("kap.40404", False)
    assert agent_core_http.encode(error) == form


def test_an_error_without_a_number_is_internal() -> None:
    """As over there, the server's catch-all number stands for the rest; no stack is ever sent."""
    assert agent_core_http.encode(ErrorCodes.TURN_AGENT_BUSY("slow down")) == {
        "code": 50001,
        "msg": "slow down",
        "data": None,
        "request_id": "",
    }


def test_details_of_any_shape_are_read() -> None:
    """A list of complaints about the request is kept under one name."""
    complaints = [{"path": "a.b", "message": "required"}]
    form = {"code": 40001, "msg": "a.b: required", "data": None, "request_id": "r", "details": complaints}
    error = agent_core_http.decode(form, registry=REGISTRY)
    assert (error.code, error.details["details"]) == ("validation.failed", complaints)
