"""The payload of agent-core: six keys, causes nested, and what a reader over there relies on."""

from __future__ import annotations

from typing import Any

from errkit import CodedError, to_payload
from errkit.catalogs.agent_core import REGISTRY, ErrorCodes
from errkit.dialects import agent_core
from tests.dialects.samples import AnyError, ShopError, chained


def test_the_form_has_the_six_keys() -> None:
    """Nothing of the native payload is there beside them; causes have the same form."""
    form = agent_core.encode(chained())
    link: Any = form
    while link is not None:
        assert set(link) <= {"code", "message", "retryable", "name", "details", "cause"}
        link = link.get("cause")
    assert form["details"]["context"] == {"deep": {"er": [1, None]}}
    assert form["cause"]["cause"] == {
        "code": "internal",
        "message": "[Errno 5] Input/output error",
        "name": "OSError",
        "retryable": False,
    }


def test_a_value_of_the_wrong_type_is_left_out() -> None:
    """A reader over there checks no types, so it never gets a wrong one."""
    form = agent_core.encode(
        {"code": "a.b", "message": "m", "details": "no map", "name": 3, "retryable": "x"}
    )
    assert form == {"code": "a.b", "message": "m", "retryable": False}


def test_the_codes_of_the_catalogue_are_known_with_its_registry() -> None:
    """The registry gives a revived error its class, and the verdict that the sender left out."""
    error = agent_core.decode({"code": "turn.agent_busy", "message": "held"}, registry=REGISTRY)
    assert error.code == ErrorCodes.TURN_AGENT_BUSY
    assert error.retryable
    assert error.hint
    assert not agent_core.decode({"code": "turn.agent_busy", "message": "held"}).retryable


def test_the_root_of_a_long_chain_is_kept() -> None:
    """Where the seed drops the root after eight causes, here it is the last one kept."""
    error: CodedError = AnyError("a.b", "root")
    for number in range(50):
        outer = AnyError("a.b", str(number))
        outer.__cause__ = error
        error = outer
    link = agent_core.encode(error)
    while "cause" in link:
        link = link["cause"]
    assert link["message"] == "root"


def test_the_name_picks_among_registered_classes_only() -> None:
    """A name from the wire makes no class."""
    form = {**agent_core.encode(ShopError.EMPTY()), "name": "OSError"}
    assert type(agent_core.decode(form)) is CodedError
    assert to_payload(agent_core.decode(form))["name"] == "OSError"
