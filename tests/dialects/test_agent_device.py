"""The normalized error of agent-device: its own keys, what it lifts out of the details, other versions."""

from __future__ import annotations

from typing import Any

import pytest

from errkit import to_payload
from errkit.catalogs.agent_device import REGISTRY, ErrorCodes
from errkit.dialects import agent_device
from tests.dialects.samples import AnyError, ShopError, chained


def test_the_form_has_the_keys_of_the_device_tool() -> None:
    """Facts stand under that program's names, the cause is one level."""
    assert agent_device.encode(chained()) == {
        "code": "shop.cart.busy",
        "message": "cart 7 is in use",
        "cause": {"message": "cart.json ends early", "code": "shop.cart.broken"},
        "hint": "Wait a second.",
        "diagnosticId": "d-1",
        "logPath": "/var/log/d-1.ndjson",
        "retriable": True,
        "supportedOn": "weekdays",
        "details": {"path": "/carts/7", "line": 3, "context": {"deep": {"er": [1, None]}}},
    }


def test_a_form_always_has_a_hint() -> None:
    """An error without one gets the general hint, which is no part of the error that arrives."""
    form = agent_device.encode(AnyError("a.b", "m"))
    assert form["hint"] == agent_device.GENERIC_HINT
    assert agent_device.decode(form).hint == ""


def test_the_cause_of_a_failed_system_call_has_its_errno() -> None:
    """A foreign cause has no code but the name of its errno, as over there."""
    error = ShopError.IMPOSSIBLE("m")
    error.__cause__ = ConnectionRefusedError(111, "refused")
    assert agent_device.encode(error)["cause"] == {
        "message": "[Errno 111] refused",
        "code": "ECONNREFUSED",
    }
    error.__cause__ = ValueError("v")
    assert agent_device.encode(error)["cause"] == {"message": "v"}


def test_a_system_call_may_tell_its_errno_badly() -> None:
    """What a subclass makes of `errno` is not asked."""

    class Mute(OSError):
        @property
        def errno(self) -> Any:  # type: ignore[override] # pyright: ignore[reportIncompatibleVariableOverride]
            raise KeyError("no errno")

    error = ShopError.IMPOSSIBLE("m")
    error.__cause__ = Mute(111, "refused")
    assert agent_device.encode(error)["cause"]["code"] == "ECONNREFUSED"


@pytest.mark.parametrize(
    ("details", "lifted", "kept"),
    [
        ({"hint": "h", "k": 1}, {"hint": "h"}, {"k": 1}),
        ({"hint": 5, "k": 1}, {}, {"k": 1}),
        ({"retriable": False}, {"retriable": False}, None),
        ({"retriable": "no"}, {"retriable": True}, None),
        ({"diagnosticId": "d", "logPath": True}, {"diagnosticId": "d"}, None),
        (
            {"diagnosticsRecord": {"session": "s", "requestId": "r", "x": 1}},
            {"diagnosticsRecord": {"session": "s", "requestId": "r"}},
            None,
        ),
        ({"diagnosticsRecord": {"session": "", "requestId": "r"}}, {}, None),
        ({"startupRuleMatched": True, "reason": "x"}, {}, {"reason": "x"}),
    ],
)
def test_keys_of_the_form_are_lifted_out_of_the_details(
    details: dict[str, Any], lifted: dict[str, Any], kept: dict[str, Any] | None
) -> None:
    """In both directions; a wrong type is dropped, and what goes unsaid follows from the code."""
    form = agent_device.encode(ErrorCodes("DEVICE_IN_USE", "busy", details=details))
    expected = {"code": "DEVICE_IN_USE", "message": "busy", "hint": form["hint"], "retriable": True, **lifted}
    assert form == {**expected, **({"details": kept} if kept else {})}
    raw = {"code": "DEVICE_IN_USE", "message": "busy", "details": details}
    error = agent_device.decode(raw, registry=REGISTRY)
    assert agent_device.encode(error) == form


@pytest.mark.parametrize("code", [None, "", 42, ["x"]])
def test_a_code_that_is_none_is_the_general_one(code: Any) -> None:
    """A missing, empty or ill-typed code means that a command failed."""
    assert agent_device.decode({"code": code, "message": "m"}, registry=REGISTRY).code == "COMMAND_FAILED"


@pytest.mark.parametrize("wrapper", [{"success": False}, {"ok": False}])
def test_a_response_is_opened(wrapper: dict[str, Any]) -> None:
    """The JSON of the command line and of the daemon wrap the error."""
    form = {"code": "TOOL_MISSING", "message": "no adb", "hint": "Install it."}
    assert agent_device.decode({**wrapper, "error": form}, registry=REGISTRY).hint == "Install it."


def test_another_version_is_read() -> None:
    """Keys that this version does not know stay beside the others, on the next hop too."""
    form = {
        "code": "COMMAND_FAILED",
        "message": "tap failed",
        "hint": "Look first.",
        "details": {"dispatched": "unknown", "dispatchedSteps": 2},
        "severity": "warning",
        "logPathUnavailable": "remote daemon https://h, request r: HTTP 404",
    }
    error = agent_device.decode(form, registry=REGISTRY)
    assert dict(error.details) == {"dispatched": "unknown", "dispatchedSteps": 2}
    assert agent_device.encode(error) == form
    assert to_payload(error)["severity"] == "warning"


def test_what_is_said_on_top_goes_before_the_details() -> None:
    """A half-normalized error has both; the top level is newer."""
    form = {"code": "X", "message": "m", "hint": "new", "details": {"hint": "old", "supportedOn": "ios"}}
    error = agent_device.decode(form)
    assert (error.hint, error.supported_on) == ("new", "ios")
