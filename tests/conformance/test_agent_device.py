"""agent-device: what its error system was recorded to do, and where errkit does something else on purpose.

Recorded with the released package 0.21.5 (MIT). Hints and messages of its own are not compared; `<hint>`
stands for the hint that belongs to the code, in whoever's words.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from errkit import CodedError, as_coded, diagnostics, error_info, format_error, redact, to_payload
from errkit.catalogs.agent_device import ADB_FAILURES, REGISTRY, ErrorCodes
from errkit.dialects import agent_device, jsonrpc, mcp
from errkit.domains.os_process import HostProcessError, process_error, to_process_error
from errkit.domains.output import telling_line
from errkit.redaction import add_literal, remove_literal
from errkit.safe import to_json
from tests.conformance.support import Case, cases, check, check_list

SEED: Final = "agent-device"


def app(name: str, message: str, cause: BaseException | None = None, **details: Any) -> CodedError:
    """An error of the device tool."""
    error = ErrorCodes(name, message, details=details)
    error.__cause__ = cause
    return error


def normalized(error: object) -> dict[str, Any]:
    """The normalized error, with `<hint>` for a hint that belongs to its code."""
    form = agent_device.encode(error)
    hints = {error_info(form["code"], registry=known).hint for known in (REGISTRY, None)} - {""}
    if form["hint"] in hints | {agent_device.GENERIC_HINT}:
        form["hint"] = "<hint>"
    return form


def form(name: str, message: str, **more: Any) -> dict[str, Any]:
    """A normalized error as recorded."""
    return {"code": name, "message": message, "hint": "<hint>", **more}


# --- codes ------------------------------------------------------------------------------------------

HINTED: Final = (
    "INVALID_ARGS",
    "DEVICE_NOT_FOUND",
    "DEVICE_IN_USE",
    "TOOL_MISSING",
    "UNSUPPORTED_PLATFORM",
    "NOT_IMPLEMENTED",
    "SESSION_NOT_FOUND",
    "UNAUTHORIZED",
    "AMBIGUOUS_MATCH",
    "REPLAY_DIVERGENCE",
    "REPAIR_SESSION_EXPIRED",
)
UNKNOWN: Final = ("SOME_DAEMON_ONLY_CODE", "constructor", "__proto__")


@pytest.mark.parametrize("name", [*HINTED, *UNKNOWN])
def test_every_code_has_a_hint_and_one_has_a_verdict(name: str) -> None:
    """Each has a hint, registered or not; without a word about it, only a busy device may be tried again."""
    found = normalized(app(name, "m"))
    assert found["hint"] == "<hint>"
    assert found.get("retriable") == (True if name == "DEVICE_IN_USE" else None)
    assert (name in REGISTRY) == (name in HINTED)


@pytest.mark.parametrize(
    ("given", "name"),
    [(None, "COMMAND_FAILED"), ("", "COMMAND_FAILED"), ("CUSTOM", "CUSTOM"), (42, "COMMAND_FAILED")],
)
def test_a_code_from_the_wire(given: Any, name: str) -> None:
    """What is no text, or an empty one, is the general code."""
    assert agent_device.decode({"code": given, "message": "m"}).code == name


WRAPPED: Final = (
    Case("an error of its own", app("TOOL_MISSING", "m"), ("TOOL_MISSING", "m", {})),
    Case("a foreign error", ValueError("boom"), ("UNKNOWN", "boom", {})),
    Case("a foreign error of another class", TypeError("bad type"), ("UNKNOWN", "bad type", {})),
    Case(
        "a text",
        "raw",
        ("UNKNOWN", "Unknown error", {"err": "raw"}),
        ("UNKNOWN", "raw", {"value": "raw"}),
        "values-keep-their-words",
    ),
    Case(
        "a number",
        42,
        ("UNKNOWN", "Unknown error", {"err": 42}),
        ("UNKNOWN", "42", {"value": 42}),
        "values-keep-their-words",
    ),
    Case(
        "nothing",
        None,
        ("UNKNOWN", "Unknown error", {"err": None}),
        ("UNKNOWN", "None", {"value": None}),
        "values-keep-their-words",
    ),
    Case(
        "a map",
        {"some": "object"},
        ("UNKNOWN", "Unknown error", {"err": {"some": "object"}}),
        ("UNKNOWN", "{'some': 'object'}", {"value": {"some": "object"}}),
        "values-keep-their-words",
    ),
)


@cases(*WRAPPED)
def test_wrapping(case: Case) -> None:
    """What was caught becomes a coded error: the same instance, or a new one with a fallback and a cause."""
    found = as_coded(case.given, fallback="UNKNOWN")
    check(case, (found.code, found.message, dict(found.details)), SEED)
    if isinstance(case.given, CodedError):
        assert found is case.given
    elif isinstance(case.given, BaseException):
        assert found.__cause__ is case.given


def test_the_fallback_is_the_callers() -> None:
    """Whoever wraps names the code."""
    assert as_coded(ValueError("boom"), fallback="COMMAND_FAILED").code == "COMMAND_FAILED"


@pytest.mark.parametrize(
    ("given", "is_one"),
    [(app("X", "m"), True), (ValueError("m"), False), ({"code": "X"}, False), (None, False), ("X", False)],
)
def test_the_guard_by_class(given: Any, is_one: bool) -> None:
    """Only an instance is an error of ours."""
    assert isinstance(given, CodedError) is is_one


@pytest.mark.parametrize(("given", "text"), [("s", "s"), (42, "42"), (ValueError("m"), "m")])
def test_the_words_of_anything(given: Any, text: str) -> None:
    """Whatever was thrown has a message."""
    assert to_payload(given)["message"] == text


def test_nothing_has_words_too() -> None:
    """Both null and undefined have a text there; here there is one nothing, and it reads like JSON."""
    assert to_payload(None)["message"] == "null"


# --- the normalized error ---------------------------------------------------------------------------

SHARED: Final = {"a": 1}


def noted(error: CodedError, **facts: Any) -> CodedError:
    """An error with facts of its diagnostic scope."""
    error.note_facts(**facts)
    return error


def with_code(code: object) -> Exception:
    """An exception of somebody else that has a code."""
    error = ValueError("held")
    vars(error)["code"] = code
    return error


NORMALIZED: Final = (
    Case("a small one", app("INVALID_ARGS", "bad flag"), form("INVALID_ARGS", "bad flag")),
    Case(
        "ids in the details and in the scope",
        noted(
            app("COMMAND_FAILED", "x", diagnosticId="own", logPath="/d.log"),
            diagnostic_id="scope",
            log_path="/c.log",
        ),
        form("COMMAND_FAILED", "x", diagnosticId="own", logPath="/d.log"),
    ),
    Case(
        "ids of the scope",
        noted(
            app("COMMAND_FAILED", "x", diagnosticsRecord={"session": "s", "requestId": "r"}),
            diagnostic_id="scope",
            log_path="/c.log",
        ),
        form(
            "COMMAND_FAILED",
            "x",
            diagnosticId="scope",
            logPath="/c.log",
            diagnosticsRecord={"session": "s", "requestId": "r"},
        ),
    ),
    Case(
        "keys of the form with wrong types",
        app("COMMAND_FAILED", "m", diagnosticId=12345, logPath=True, hint=[], keep=1),
        form("COMMAND_FAILED", "m", details={"keep": 1}),
    ),
    Case("an empty hint", app("COMMAND_FAILED", "x", hint=""), {**form("COMMAND_FAILED", "x"), "hint": ""}),
    Case(
        "a verdict in the details",
        app("COMMAND_FAILED", "adb exited with code 1", stderr="error: device offline", retriable=True),
        form(
            "COMMAND_FAILED",
            "adb exited with code 1",
            retriable=True,
            details={"stderr": "error: device offline"},
        ),
    ),
    Case(
        "a verdict against the code",
        app("DEVICE_IN_USE", "m", retriable=False),
        form("DEVICE_IN_USE", "m", retriable=False),
    ),
    Case(
        "a verdict that is none",
        app("DEVICE_IN_USE", "m", retriable="yes"),
        form("DEVICE_IN_USE", "m", retriable=True),
    ),
    Case(
        "the verdict of the code", app("DEVICE_IN_USE", "busy"), form("DEVICE_IN_USE", "busy", retriable=True)
    ),
    Case(
        "where it would work",
        app("UNSUPPORTED_OPERATION", "no", supportedOn="apple, android", other=1),
        form("UNSUPPORTED_OPERATION", "no", supportedOn="apple, android", details={"other": 1}),
    ),
    Case(
        "where it would work, as a list",
        app("UNSUPPORTED_OPERATION", "no", supportedOn=["ios"], other=1),
        form("UNSUPPORTED_OPERATION", "no", details={"other": 1}),
    ),
    Case(
        "nothing but keys of the form",
        app(
            "COMMAND_FAILED", "x", hint="h", diagnosticId="d", logPath="/l", retriable=True, supportedOn="ios"
        ),
        {
            **form("COMMAND_FAILED", "x", diagnosticId="d", logPath="/l", retriable=True, supportedOn="ios"),
            "hint": "h",
        },
    ),
    Case("empty details", app("COMMAND_FAILED", "x"), form("COMMAND_FAILED", "x")),
    Case(
        "why there is no log",
        app("COMMAND_FAILED", "x", logPathUnavailable="remote daemon https://h, request r: 404"),
        form("COMMAND_FAILED", "x", logPathUnavailable="remote daemon https://h,/ request r: 404"),
        form("COMMAND_FAILED", "x", logPathUnavailable="remote daemon https://h, request r: 404"),
        "addresses-stay-readable",
    ),
    Case(
        "a reference to a record",
        app("COMMAND_FAILED", "x", diagnosticsRecord={"session": "s", "requestId": "r", "extra": 1}),
        form("COMMAND_FAILED", "x", diagnosticsRecord={"session": "s", "requestId": "r"}),
    ),
    Case(
        "a reference to no record",
        app("COMMAND_FAILED", "x", diagnosticsRecord={"session": "", "requestId": "r"}, k=1),
        form("COMMAND_FAILED", "x", details={"k": 1}),
    ),
    Case("an unknown code", app("RUNNER_WEDGED", "stuck"), form("RUNNER_WEDGED", "stuck")),
    Case(
        "a foreign error, wrapped",
        as_coded(ValueError("boom"), fallback="UNKNOWN"),
        form("UNKNOWN", "boom", cause={"message": "boom"}),
    ),
    Case(
        "a foreign error as it is",
        ValueError("boom"),
        form("UNKNOWN", "boom", cause={"message": "boom"}),
        form("internal", "boom"),
        "internal-is-the-word",
    ),
    Case(
        "a text, wrapped",
        as_coded("it broke token=abc123", fallback="UNKNOWN"),
        form("UNKNOWN", "Unknown error", details={"err": "it broke token=[REDACTED]"}),
        form("UNKNOWN", "it broke token=[REDACTED]", details={"value": "it broke token=[REDACTED]"}),
        "values-keep-their-words",
    ),
    Case(
        "an error and a time among the details",
        app(
            "COMMAND_FAILED",
            "x",
            err=ValueError("inner"),
            when=datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC),
        ),
        form("COMMAND_FAILED", "x", details={"err": {}, "when": {}}),
        form(
            "COMMAND_FAILED",
            "x",
            details={"err": {"type": "ValueError", "message": "inner"}, "when": "1970-01-01T00:00:00+00:00"},
        ),
        "objects-have-a-form",
    ),
    Case(
        "a cause with an errno",
        app("COMMAND_FAILED", "no source", ConnectionRefusedError(111, "refused")),
        form("COMMAND_FAILED", "no source", cause={"message": "[Errno 111] refused", "code": "ECONNREFUSED"}),
    ),
    Case(
        "a cause with a code of its own",
        app("COMMAND_FAILED", "x", with_code("EBUSY")),
        form("COMMAND_FAILED", "x", cause={"message": "held", "code": "EBUSY"}),
    ),
    Case(
        "a cause with a number as its code",
        app("COMMAND_FAILED", "x", with_code(5)),
        form("COMMAND_FAILED", "x", cause={"message": "held"}),
    ),
    Case(
        "a cause of a cause",
        app("COMMAND_FAILED", "outer", app("X", "middle", ValueError("root"))),
        form("COMMAND_FAILED", "outer", cause={"message": "middle", "code": "X"}),
    ),
    Case(
        "a coded cause",
        app("COMMAND_FAILED", "outer", app("TOOL_MISSING", "no adb", hint="inner hint", reason="r")),
        form("COMMAND_FAILED", "outer", cause={"message": "no adb", "code": "TOOL_MISSING"}),
    ),
    Case(
        "a cause without words",
        app("COMMAND_FAILED", "x", ValueError()),
        form("COMMAND_FAILED", "x"),
        form("COMMAND_FAILED", "x", cause={"message": "ValueError"}),
        "causes-have-words",
    ),
    Case(
        "a secret in a cause",
        app(
            "COMMAND_FAILED",
            "x",
            ValueError("login failed password=hunter2 at https://u:p@h.example/x?token=1"),
        ),
        form(
            "COMMAND_FAILED",
            "x",
            cause={
                "message": "login failed password=[REDACTED] at https://REDACTED:REDACTED@h.example/x?REDACTED"
            },
        ),
        form(
            "COMMAND_FAILED",
            "x",
            cause={
                "message": "login failed password=[REDACTED] at https://[REDACTED]@h.example/x?token=[REDACTED]"
            },
        ),
        "addresses-stay-readable",
    ),
    Case(
        "a secret in the message",
        app("COMMAND_FAILED", "login failed password=hunter2"),
        form("COMMAND_FAILED", "login failed password=hunter2"),
        form("COMMAND_FAILED", "login failed password=[REDACTED]"),
        "messages-are-redacted",
    ),
    Case(
        "a secret in the message of a foreign error",
        as_coded(ValueError("password=hunter2"), fallback="UNKNOWN"),
        form("UNKNOWN", "password=hunter2", cause={"message": "password=[REDACTED]"}),
        form("UNKNOWN", "password=[REDACTED]", cause={"message": "password=[REDACTED]"}),
        "messages-are-redacted",
    ),
    Case(
        "a hint about a token",
        app("UNAUTHORIZED", "x", hint="Set the auth token: export AGENT_TOKEN=<value> and retry"),
        {
            **form("UNAUTHORIZED", "x"),
            "hint": "Set the auth token: [REDACTED] AGENT_TOKEN=[REDACTED] and retry",
        },
        {**form("UNAUTHORIZED", "x"), "hint": "Set the auth token: export AGENT_TOKEN=<value> and retry"},
        "sentences-stay",
    ),
    Case(
        "one object twice",
        app("COMMAND_FAILED", "x", first=SHARED, second=SHARED),
        form("COMMAND_FAILED", "x", details={"first": {"a": 1}, "second": "[Circular]"}),
        form("COMMAND_FAILED", "x", details={"first": {"a": 1}, "second": {"a": 1}}),
        "only-circles-are-marked",
    ),
    Case(
        "a huge number",
        app("COMMAND_FAILED", "x", big=10),
        "throws",
        form("COMMAND_FAILED", "x", details={"big": 10}),
        "the-reporter-is-total",
    ),
)


@cases(*NORMALIZED)
def test_normalizing(case: Case) -> None:
    """Everything that a surface shows, from an error with these details."""
    check(case, normalized(case.given), SEED)


REASONED: Final = Case("a known reason", "DEVICE_CLAIM_LIVE_OWNER", True, False, "reasons-have-verdicts")


def test_a_known_reason_has_a_verdict_and_a_hint() -> None:
    """There, the code alone decides where neither the details nor the sender say something."""
    found = agent_device.encode(app("DEVICE_IN_USE", "m", reason=REASONED.given))
    check(REASONED, found["retriable"], SEED)
    assert found["hint"] != error_info("DEVICE_IN_USE", registry=REGISTRY).hint
    said = agent_device.encode(app("DEVICE_IN_USE", "m", reason=REASONED.given, retriable=True, hint="h"))
    assert (said["retriable"], said["hint"]) == (True, "h")


NORMALIZED_AGAIN: Final = Case(
    "a normalized error, normalized",
    {"code": "X", "message": "m", "hint": "h"},
    ("UNKNOWN", "Unknown error"),
    ("X", "m"),
    "normalizing-again-is-safe",
)


def test_normalizing_what_is_normalized() -> None:
    """There, the whole error ends up among the details of an unknown one."""
    found = normalized(agent_device.decode(NORMALIZED_AGAIN.given))
    check(NORMALIZED_AGAIN, (found["code"], found["message"]), SEED)
    assert found["hint"] == "h"


def test_a_long_hint_is_not_cut_at_400() -> None:
    """There, a hint of more than 400 characters loses its end."""
    case = Case("500 characters", "y" * 500, 400, 500, "bounds-are-wide")
    check(case, len(normalized(app("COMMAND_FAILED", "x", hint=case.given))["hint"]), SEED)


# --- the wire ---------------------------------------------------------------------------------------

WIRE: Final = (
    Case("a small one", {"code": "COMMAND_FAILED", "message": "x"}, form("COMMAND_FAILED", "x")),
    Case("no code", {"message": "x"}, form("COMMAND_FAILED", "x")),
    Case("an empty code", {"code": "", "message": "x"}, form("COMMAND_FAILED", "x")),
    Case("an unknown code", {"code": "RUNNER_WEDGED", "message": "x"}, form("RUNNER_WEDGED", "x")),
    Case(
        "an empty hint and empty facts",
        {"code": "X", "message": "x", "hint": "", "diagnosticId": "", "logPath": "", "supportedOn": ""},
        {**form("X", "x", diagnosticId="", logPath="", supportedOn=""), "hint": ""},
    ),
    Case(
        "a hint among the details only",
        {"code": "COMMAND_FAILED", "message": "x", "details": {"hint": "inner", "retriable": True, "k": 1}},
        form("COMMAND_FAILED", "x", details={"k": 1}),
        {**form("COMMAND_FAILED", "x", retriable=True, details={"k": 1}), "hint": "inner"},
        "details-speak-where-the-top-is-silent",
    ),
    Case(
        "a secret in the message",
        {"code": "COMMAND_FAILED", "message": "password=hunter2"},
        form("COMMAND_FAILED", "password=hunter2"),
        form("COMMAND_FAILED", "password=[REDACTED]"),
        "messages-are-redacted",
    ),
    Case("a text as the cause", {"code": "X", "message": "x", "cause": "s"}, form("X", "x")),
    Case("null as the cause", {"code": "X", "message": "x", "cause": None}, form("X", "x")),
    Case("a cause without a message", {"code": "X", "message": "x", "cause": {"code": "C"}}, form("X", "x")),
    Case(
        "a cause with an empty message",
        {"code": "X", "message": "x", "cause": {"message": ""}},
        form("X", "x"),
    ),
    Case(
        "a cause with an empty code",
        {"code": "X", "message": "x", "cause": {"message": "m", "code": ""}},
        form("X", "x", cause={"message": "m"}),
    ),
    Case(
        "a cause with more than it should have",
        {"code": "X", "message": "x", "cause": {"message": "m token=abc", "code": "C", "stack": "x"}},
        form("X", "x", cause={"message": "m token=[REDACTED]", "code": "C"}),
    ),
    *(
        Case(
            f"the record {record!r}",
            {"code": "X", "message": "x", "diagnosticsRecord": record},
            form("X", "x", diagnosticsRecord={"session": "s", "requestId": "r"})
            if isinstance(record, dict)
            else form("X", "x"),
        )
        for record in (
            {"session": "s", "requestId": "r"},
            {"session": "s", "requestId": "r", "x": 1},
            None,
            "x",
        )
    ),
)


@cases(*WIRE)
def test_the_wire(case: Case) -> None:
    """What a client makes of an error that arrives, normalized again."""
    check(case, normalized(agent_device.decode(case.given, registry=REGISTRY)), SEED)


WHOLE: Final = {
    "code": "DEVICE_IN_USE",
    "message": "busy",
    "cause": {"message": "inner", "code": "EBUSY"},
    "hint": "h",
    "diagnosticId": "d",
    "logPath": "/l",
    "retriable": False,
    "details": {"reason": "DEVICE_LEASE_BUSY"},
}


def test_two_hops_change_nothing() -> None:
    """Normalized, sent, revived and normalized: the same, twice, also where the client is Python."""
    error = agent_device.decode(WHOLE, registry=REGISTRY)
    assert agent_device.encode(error) == WHOLE
    assert agent_device.encode(agent_device.decode(json.loads(json.dumps(WHOLE)))) == WHOLE


def test_an_error_as_the_sdk_rejects_with() -> None:
    """Its hint and its ids still stand among its details; they are read from there."""
    lifted = {key: WHOLE[key] for key in ("hint", "diagnosticId", "logPath", "retriable")}
    sdk = {"code": "DEVICE_IN_USE", "message": "busy", "details": {"reason": "DEVICE_LEASE_BUSY", **lifted}}
    found = agent_device.encode(agent_device.decode(sdk, registry=REGISTRY))
    assert found == {key: value for key, value in WHOLE.items() if key != "cause"}


def test_an_error_inside_a_response() -> None:
    """An error in a result that says `ok: false` is read, its secrets hidden."""
    inner = {**WHOLE, "supportedOn": "apple", "diagnosticsRecord": {"session": "s", "requestId": "r"}}
    inner["details"] = {"reason": "DEVICE_LEASE_BUSY", "token": "abc"}
    found = agent_device.encode(agent_device.decode({"ok": False, "error": inner}, registry=REGISTRY))
    assert found == {**inner, "details": {"reason": "DEVICE_LEASE_BUSY", "token": "[REDACTED]"}}


def test_an_error_inside_an_answer_of_json_rpc() -> None:
    """The daemon answers with a number and a message, and with the whole error as `data`."""
    answer = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "m", "data": WHOLE}}
    assert agent_device.encode(agent_device.decode(answer, registry=REGISTRY)) == WHOLE
    short = {"error": {"code": -32601, "message": "no such method", "data": {}}}
    assert (found := agent_device.decode(short)).message == "no such method"
    assert found.code == "COMMAND_FAILED"


def test_cancellation() -> None:
    """A request that was stopped keeps its reason and what the caller adds to it."""
    error = app("COMMAND_FAILED", "request canceled", hint="custom", released="x", reason="request_canceled")
    assert agent_device.encode(error) == {
        "code": "COMMAND_FAILED",
        "message": "request canceled",
        "hint": "custom",
        "details": {"released": "x", "reason": "request_canceled"},
    }


# --- faces ------------------------------------------------------------------------------------------

FACES: Final = (
    Case(
        "a multi-line message",
        app("COMMAND_FAILED", "line1\nline2"),
        ["Error (COMMAND_FAILED): line1", "line2"],
        ["[COMMAND_FAILED] line1", "line2"],
        "texts-start-with-the-code",
    ),
    Case(
        "a foreign error",
        ValueError("boom"),
        ["Error (UNKNOWN): boom"],
        ["[internal] boom"],
        "texts-start-with-the-code",
    ),
    Case("no hint", app("X", "x"), ["Error (X): x"], ["[X] x"], "texts-start-with-the-code"),
)


@cases(*FACES)
def test_texts(case: Case) -> None:
    """What a person and a model read first, at the terminal and in the result of a tool; then the hint."""
    for text in (format_error(case.given), mcp.text(case.given)):
        lines = text.split("\n")
        check(case, [line for line in lines if not line.startswith(("Hint: ", "Caused by: "))], SEED)
    hints = [line for line in format_error(case.given).split("\n") if line.startswith("Hint: ")]
    assert len(hints) == bool(to_payload(case.given).get("hint"))


def test_the_result_of_a_tool() -> None:
    """The flag, the whole error as structure, and text; there, the text lacks the diagnostic id."""
    error = noted(app("TOOL_MISSING", "no adb"), diagnostic_id="d-7", log_path="/l")
    result = mcp.encode(error)
    assert result["isError"] is True
    assert result["structuredContent"]["code"] == "TOOL_MISSING"
    text = result["content"][0]["text"]
    case = Case("the id", None, False, True, "texts-stand-alone")
    check(case, "d-7" in text, SEED)
    assert error.hint in text


def test_no_error_is_without_a_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There, an error before the first event has an id that leads nowhere."""
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(tmp_path))
    error = app("INVALID_ARGS", "m")
    with pytest.raises(CodedError), diagnostics.scope("request"):
        raise error
    case = Case("before any event", None, False, True, "every-id-has-a-log")
    check(case, error.log_path is not None and os.path.exists(error.log_path), SEED)
    assert error.diagnostic_id


def test_events_are_redacted_when_they_are_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By key, by form, and by literals that were registered after the event."""
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(tmp_path))
    error = app("COMMAND_FAILED", "failed password=hunter2")

    def work() -> None:
        with diagnostics.scope("fill", session="s/one"):
            diagnostics.emit(
                "request", token="abc", text="some text", nested={"authorization": "x"}, safe="ok"
            )
            diagnostics.emit("echo", message="my-literal-secret and my-literal")
            add_literal("my-literal")
            add_literal("my-literal-secret")
            raise error

    try:
        with pytest.raises(CodedError):
            work()
    finally:
        remove_literal("my-literal")
        remove_literal("my-literal-secret")
    assert error.log_path is not None
    lines = [json.loads(line) for line in Path(error.log_path).read_text("utf-8").splitlines()]
    assert lines[0]["data"] == {
        "session": "s/one",
        "token": "[REDACTED]",
        "text": "some text",
        "nested": {"authorization": "[REDACTED]"},
        "safe": "ok",
    }
    assert lines[1]["data"]["message"] == "[REDACTED] and [REDACTED]"
    assert lines[-1]["error"]["message"] == "failed password=[REDACTED]"


def test_a_failure_of_cleanup_stands_beside_the_failure_of_the_work() -> None:
    """The failure of the work stays first; there, the other one is a text in the log and nowhere else."""
    error = noted(app("INVALID_ARGS", "m"), secondary=(app("COMMAND_FAILED", "cleanup", reason="r"),))
    case = Case("both fail", None, None, ("COMMAND_FAILED", {"reason": "r"}), "cleanup-is-in-the-payload")
    found = to_payload(error)
    assert found["code"] == "INVALID_ARGS"
    check(case, (found["secondary"][0]["code"], found["secondary"][0]["details"]), SEED)


def test_the_record_of_a_failure_says_what_happened() -> None:
    """There, the timeline has the code and the id, neither message nor hint."""
    error = noted(app("SESSION_NOT_FOUND", "no session"), diagnostic_id="d-1")
    record = diagnostics.ErrorRecord.of(error)
    case = Case("a record", None, ("", ""), ("no session", error.hint), "records-say-what-happened")
    check(case, (record.message, record.hint), SEED)
    assert (record.code, record.diagnostic_id) == ("SESSION_NOT_FOUND", "d-1")


def test_errors_of_the_protocol_carry_code_and_hint() -> None:
    """There, a broken request of MCP is answered with a number and a message alone."""
    error = app("INVALID_ARGS", "expected a name")
    case = Case("-32602", None, None, ("INVALID_ARGS", error.hint), "protocol-errors-are-whole")
    data = jsonrpc.encode(error)["data"]
    check(case, (data["code"], data["hint"]), SEED)


# --- processes --------------------------------------------------------------------------------------

LONG: Final = "x" * 250
LINES: Final = (
    Case(
        "the first of two lines", "\nOperation not permitted\nUnderlying details", "Operation not permitted"
    ),
    Case("a plain line", "instrumentation unavailable\n", "instrumentation unavailable"),
    Case(
        "two prefixes",
        "adb: error: failed to get features: device offline\n",
        "failed to get features: device offline",
    ),
    Case("a bare prefix", "error: device is locked\n", "device is locked"),
    Case("a prefix without a space", "adb:deviceOffline still not ready\n", "deviceOffline still not ready"),
    Case("a prefix in capitals", "ERROR: Bad thing\n", "Bad thing"),
    Case("a prefix twice", "Error: error: x\n", "error: x"),
    Case("a word that is no prefix", "fatal: not a git repository\n", "fatal: not a git repository"),
    Case("other line ends", "\r\nboom here\r\nnext\r\n", "boom here"),
    Case(
        "a traceback",
        'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nValueError: bad\n',
        "Traceback (most recent call last):",
        "ValueError: bad",
        "lines-are-chosen",
    ),
    Case(
        "a warning first",
        "npm warn deprecated foo\nnpm error code ENOENT\n",
        "npm warn deprecated foo",
        "code ENOENT",
        "lines-are-chosen",
    ),
    Case("colours", "\x1b[31merror: boom\x1b[0m\n", "\x1b[31merror: boom\x1b[0m", "boom", "lines-are-chosen"),
    Case("progress", "10%\r50%\r100%\rfailed\n", "10%\r50%\r100%\rfailed", "failed", "lines-are-chosen"),
    Case("200 characters", "y" * 200 + "\n", "y" * 200),
    Case("250 characters", LONG + "\n", LONG[:200] + "...", LONG[:199] + "…", "quotes-have-200-characters"),
)


@cases(*LINES)
def test_the_line_that_tells(case: Case) -> None:
    """Which line of a program's error output is quoted."""
    check(case, telling_line(case.given, program="npm" if case.given.startswith("npm") else "adb"), SEED)


MESSAGES: Final = (
    Case(
        "a reason",
        ("Operation not permitted", ""),
        "Operation not permitted",
        "xcrun exited with code 1: Operation not permitted",
        "messages-say-how-it-ended",
    ),
    Case("no output", ("", ""), "xcrun exited with code 1"),
    Case(
        "output on the other channel",
        ("", "BUILD FAILED: reason"),
        "xcrun exited with code 1",
        "xcrun exited with code 1: BUILD FAILED: reason",
        "both-channels-speak",
    ),
)


@cases(*MESSAGES)
def test_the_message_of_a_failed_process(case: Case) -> None:
    """How it ended, and the line that tells why."""
    stderr, stdout = case.given
    check(case, process_error(["xcrun"], 1, stderr=stderr, stdout=stdout).message, SEED)


def exited(name: str, message: str, **details: Any) -> CodedError:
    """An error around a process that failed, as its rule 4 asks for."""
    return app(name, message, **{"exitCode": 1, "processExitError": True, **details})


EXCERPTS: Final = (
    Case(
        "a message that says nothing",
        exited("COMMAND_FAILED", "xcrun exited with code 1", stderr="\nOperation not permitted\nmore"),
        "Operation not permitted",
        "xcrun exited with code 1: Operation not permitted",
        "messages-say-how-it-ended",
    ),
    Case(
        "a message of its own",
        exited("COMMAND_FAILED", "no XML came", stderr="instrumentation unavailable\n"),
        "no XML came: instrumentation unavailable",
    ),
    Case(
        "the line in the message already",
        exited("COMMAND_FAILED", "boot failed: device is locked", stderr="device is locked\n"),
        "boot failed: device is locked",
    ),
    Case(
        "a bare prefix",
        exited("COMMAND_FAILED", "m", stderr="error: device is locked"),
        "m: device is locked",
    ),
    *(
        Case(
            f"the usual program as a prefix: {text}",
            exited("COMMAND_FAILED", "boot failed", stderr=text),
            "boot failed: device offline",
        )
        for text in ("adb: device offline", "adb: error: device offline", "ADB:Error: device offline")
    ),
    Case(
        "its program as a prefix",
        exited("COMMAND_FAILED", "m", cmd="/opt/sdk/adb", stderr="adb: error: device offline"),
        "m: device offline",
    ),
    Case(
        "a prefix and nothing behind it",
        exited("COMMAND_FAILED", "m", stderr="error:\nreason"),
        "m: error:",
        "m: reason",
        "lines-are-chosen",
    ),
    Case("nothing on the channel", exited("COMMAND_FAILED", "m", stderr=" \n"), "m"),
    Case(
        "the other channel",
        exited("COMMAND_FAILED", "m", stderr="", stdout="BUILD FAILED: reason"),
        "m",
        "m: BUILD FAILED: reason",
        "both-channels-speak",
    ),
    Case(
        "both channels",
        exited("COMMAND_FAILED", "m", stderr="device is locked", stdout="error: something else"),
        "m: device is locked",
    ),
    Case(
        "a line far behind the bound of a text",
        exited("COMMAND_FAILED", "m", stderr="warning: x\n" * 2_000 + "error: boom"),
        "m: warning: x",
        "m: boom",
        "lines-are-chosen",
    ),
    Case(
        "a secret in the line",
        exited("COMMAND_FAILED", "m", stderr="login failed token=abc"),
        "m: login failed token=[REDACTED]",
    ),
    Case("no mark", app("COMMAND_FAILED", "m", stderr="boom"), "m"),
    Case("the mark unset", app("COMMAND_FAILED", "m", processExitError=False, stderr="boom"), "m"),
    Case("a mark that is none", app("COMMAND_FAILED", "m", processExitError=1, stderr="boom"), "m"),
    Case("no text on the channel", app("COMMAND_FAILED", "m", processExitError=True, stderr=12345), "m"),
    Case("another code", exited("DEVICE_NOT_FOUND", "device vanished", stderr="other"), "device vanished"),
)


@cases(*EXCERPTS)
def test_the_message_of_an_error_around_a_failed_process(case: Case) -> None:
    """The line that tells why joins the message, whatever the payload cuts; a second hop adds nothing."""
    found = agent_device.encode(case.given)
    check(case, found["message"], SEED)
    again = agent_device.encode(agent_device.decode(json.loads(json.dumps(found)), registry=REGISTRY))
    assert again["message"] == found["message"]


def failed(*command: str, timeout: float | None = None) -> HostProcessError:
    """What becomes of a command that fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=timeout)
    except (OSError, subprocess.SubprocessError) as error:
        return to_process_error(error, command=command)
    raise AssertionError("the command did not fail")


def test_real_processes() -> None:
    """The ends that a process can have, each told apart, with all that the program said."""
    script = "import sys; print('out'); print('error: boom', file=sys.stderr); sys.exit(3)"
    error = failed(sys.executable, "-c", script)
    assert (error.code, error.details["exit_code"]) == ("os.process.exit_failed", 3)
    assert (error.details["stdout"], error.details["stderr"]) == ("out\n", "error: boom\n")
    assert error.message.endswith("exited with code 3: boom")
    missing = failed("definitely-not-a-tool-xyz")
    assert (missing.code, missing.details["errno"]) == ("os.process.spawn_failed", "ENOENT")
    assert isinstance(missing.__cause__, FileNotFoundError)
    late = failed(sys.executable, "-c", "import time; time.sleep(30)", timeout=0.05)
    assert (late.code, late.details["timeout"]) == ("os.process.timed_out", 0.05)


def test_a_signal_keeps_its_name() -> None:
    """There, the end by a signal is exit code 1."""
    case = Case("SIGKILL", None, (1, None), (-9, "SIGKILL"), "signals-keep-their-names")
    error = failed(sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
    check(case, (error.details["exit_code"], error.details["signal"]), SEED)


def test_secret_arguments_of_a_process_are_hidden() -> None:
    """There, arguments reach every surface as they are."""
    error = process_error(["sh", "-c", "exit 2", "--password", "hunter2"], 2)
    case = Case("--password", None, True, False, "more-forms")
    check(case, "hunter2" in json.dumps(to_payload(error)), SEED)


@pytest.mark.parametrize(
    ("reason", "retryable"),
    [
        ("device_unauthorized", None),
        ("device_offline", True),
        ("multiple_devices", None),
        ("no_devices", None),
        ("device_not_found", True),
        ("server_version_mismatch", True),
        ("connection_dropped", True),
        ("install_update_incompatible", None),
        ("install_version_downgrade", None),
        ("install_failed", None),
    ],
)
def test_what_adb_says(reason: str, retryable: bool | None) -> None:
    """Each case that adb's output tells apart has a hint and the recorded verdict."""
    assert ADB_FAILURES[reason].retryable is retryable
    assert ADB_FAILURES[reason].hint


@pytest.mark.parametrize(
    "reason",
    ["ANDROID_BOOT_TIMEOUT", "ADB_TRANSPORT_UNAVAILABLE", "CI_RESOURCE_STARVATION_SUSPECTED", "UNKNOWN"],
)
def test_why_a_device_did_not_boot(reason: str) -> None:
    """Each is a reason of the catalogue, with a hint of its own."""
    assert app("COMMAND_FAILED", "m", reason=reason).hint != app("COMMAND_FAILED", "m").hint


# --- redaction --------------------------------------------------------------------------------------

# The mark keeps scanners for secrets from stopping at this file.
AWS_KEY: Final = "AKIA‸IOSFODNN7EXAMPLE".replace("‸", "")
JWT: Final = "eyJ‸hbGciOiJIUzI1NiJ9.eyJ‸zdWIiOiIxIn0.sig".replace("‸", "")
API_KEY: Final = "sk-‸proj-abcdef0123456789".replace("‸", "")

SECRET_KEYS: Final = """
    API_KEY AWS_ACCESS_KEY_ID Authorization accessKey accessToken access_key access_token agentToken api_key
    apikey authorization clientSecret cookies device-code deviceCode passwordHash privateKey private_key
    refreshCredential refreshToken refresh_credential secret set-cookie token tokens userCode user_code
    x-api-key
""".split()
OPEN_KEYS: Final = "email key phone session sessionId signature ssh_key username".split()
KEYS: Final = (
    *(Case(key, key, True) for key in SECRET_KEYS),
    *(Case(key, key, False) for key in OPEN_KEYS),
    *(Case(key, key, True, False, "whole-words") for key in ("max_tokens", "secretary")),
    *(Case(key, key, False, True, "more-names") for key in ("pwd", "auth", "credentials", "jwt")),
)


@cases(*KEYS)
def test_keys(case: Case) -> None:
    """Whether the value under a key is hidden."""
    check(case, to_json({case.given: "v-value"}) == {case.given: "[REDACTED]"}, SEED)


REDACTED: Final = (
    Case("{'token': {'a': 1}}", {"token": {"a": 1}}, {"token": "[REDACTED]"}),
    Case("{'cookies': ['a', 'b']}", {"cookies": ["a", "b"]}, {"cookies": "[REDACTED]"}),
    Case(
        "{'password': ''}",
        {"password": ""},
        {"password": "[REDACTED]"},
        {"password": ""},
        "absence-is-no-secret",
    ),
    Case("sent Bearer abc.DEF-123_x to host", "sent Bearer abc.DEF-123_x to host", "sent [REDACTED] to host"),
    Case("BEARER ABC", "BEARER ABC", "[REDACTED]"),
    Case("token=abc123 next", "token=abc123 next", "token=[REDACTED] next"),
    Case("refresh_token:oauth-refresh", "refresh_token:oauth-refresh", "refresh_token:[REDACTED]"),
    Case("password = hunter2 rest", "password = hunter2 rest", "password = [REDACTED] rest"),
    Case("password: hunter2 user: bob", "password: hunter2\nuser: bob", "password: [REDACTED]\nuser: bob"),
    Case(
        "AWS_SECRET_ACCESS_KEY=wJalr/abc",
        "AWS_SECRET_ACCESS_KEY=wJalr/abc",
        "AWS_SECRET_ACCESS_KEY=[REDACTED]",
    ),
    Case("--password=hunter2 --verbose", "--password=hunter2 --verbose", "--password=[REDACTED] --verbose"),
    Case("x-api-token: abc", "x-api-token: abc", "x-api-token: [REDACTED]"),
    Case("token is adc_agent_abc123 ok", "token is adc_agent_abc123 ok", "token is [REDACTED] ok"),
    Case(
        "https://example.com/cb#access_token=abc",
        "https://example.com/cb#access_token=abc",
        "https://example.com/cb#access_token=[REDACTED]",
    ),
    Case("https://[bad", "https://[bad", "https://[bad"),
    Case(
        "Create a service/API token: https://bridge.agent-device.dev/",
        "Create a service/API token: https://bridge.agent-device.dev/api-keys",
        "Create a service/API token: https://bridge.agent-device.dev/api-keys",
    ),
    Case(
        "Unexpected token < in JSON at position 0",
        "Unexpected token < in JSON at position 0",
        "Unexpected token < in JSON at position 0",
    ),
    Case(
        "Forgot your password? Reset it", "Forgot your password? Reset it", "Forgot your password? Reset it"
    ),
    Case("pässword=x token=ключ", "pässword=x token=ключ", "pässword=x token=[REDACTED]"),
    Case(
        "{'a': {'b': {'password': 'x', 'c': 'token=1'}}}",
        {"a": {"b": {"password": "x", "c": "token=1"}}},
        {"a": {"b": {"password": "[REDACTED]", "c": "token=[REDACTED]"}}},
    ),
    Case(
        "['token=1', 'ok', {'secret': 's'}]",
        ["token=1", "ok", {"secret": "s"}],
        ["token=[REDACTED]", "ok", {"secret": "[REDACTED]"}],
    ),
    Case(
        "{'tokenCount': 42}",
        {"tokenCount": 42},
        {"tokenCount": "[REDACTED]"},
        {"tokenCount": 42},
        "whole-words",
    ),
    Case(
        "{'token': None}", {"token": None}, {"token": "[REDACTED]"}, {"token": None}, "absence-is-no-secret"
    ),
    Case(
        "{'hasToken': True}",
        {"hasToken": True},
        {"hasToken": "[REDACTED]"},
        {"hasToken": True},
        "whole-words",
    ),
    Case("Bearer abc+def/ghi==", "Bearer abc+def/ghi==", "[REDACTED]+def/ghi==", "[REDACTED]", "more-forms"),
    Case(
        "Authorization: Basic dXNlcjpwYXNz",
        "Authorization: Basic dXNlcjpwYXNz",
        "Authorization: Basic dXNlcjpwYXNz",
        "Authorization: [REDACTED]",
        "more-forms",
    ),
    Case(
        'api_key="a b c" tail',
        'api_key="a b c" tail',
        "api_key=[REDACTED] tail",
        'api_key="[REDACTED]" tail',
        "quotes-stay",
    ),
    Case(
        "secret='a b' tail",
        "secret='a b' tail",
        "secret=[REDACTED] tail",
        "secret='[REDACTED]' tail",
        "quotes-stay",
    ),
    Case(
        '{"password":"hunter2","user":"bob"}',
        '{"password":"hunter2","user":"bob"}',
        '{"password":"hunter2","user":"bob"}',
        '{"password":"[REDACTED]","user":"bob"}',
        "more-forms",
    ),
    Case(
        '{"api_key": "abc"}',
        '{"api_key": "abc"}',
        '{"api_key": "abc"}',
        '{"api_key": "[REDACTED]"}',
        "more-forms",
    ),
    Case(AWS_KEY, AWS_KEY, AWS_KEY, "[REDACTED]", "more-forms"),
    Case("access_key=abc", "access_key=abc", "access_key=abc", "access_key=[REDACTED]", "more-forms"),
    Case(
        "Cookie: sid=abc; other=1",
        "Cookie: sid=abc; other=1",
        "Cookie: sid=abc; other=1",
        "Cookie: [REDACTED]",
        "more-forms",
    ),
    Case(
        "Set-Cookie: sid=abc; HttpOnly",
        "Set-Cookie: sid=abc; HttpOnly",
        "Set-Cookie: sid=abc; HttpOnly",
        "Set-Cookie: [REDACTED]",
        "more-forms",
    ),
    Case(
        JWT,
        JWT,
        JWT,
        "[REDACTED]",
        "more-forms",
    ),
    Case(
        API_KEY,
        API_KEY,
        API_KEY,
        "[REDACTED]",
        "more-forms",
    ),
    Case(
        "GET https://example.com/a?token=1&x=2 failed",
        "GET https://example.com/a?token=1&x=2 failed",
        "GET https://example.com/a?REDACTED failed",
        "GET https://example.com/a?token=[REDACTED]&x=2 failed",
        "addresses-stay-readable",
    ),
    Case(
        "https://example.com/a?page=2",
        "https://example.com/a?page=2",
        "https://example.com/a?REDACTED",
        "https://example.com/a?page=2",
        "addresses-stay-readable",
    ),
    Case(
        "http://EXAMPLE.com",
        "http://EXAMPLE.com",
        "http://example.com/",
        "http://EXAMPLE.com",
        "addresses-stay-readable",
    ),
    Case(
        "(https://example.com/a?x=1).",
        "(https://example.com/a?x=1).",
        "(https://example.com/a?REDACTED",
        "(https://example.com/a?x=1).",
        "addresses-stay-readable",
    ),
    Case(
        "https://a.example/?x=1 https://u:p@b.example/",
        "https://a.example/?x=1 https://u:p@b.example/",
        "https://a.example/?REDACTED https://REDACTED:REDACTED@b.example/",
        "https://a.example/?x=1 https://[REDACTED]@b.example/",
        "addresses-stay-readable",
    ),
    Case(
        "postgres://user:pass@db:5432/x",
        "postgres://user:pass@db:5432/x",
        "postgres://user:pass@db:5432/x",
        "postgres://[REDACTED]@db:5432/x",
        "more-forms",
    ),
    Case(
        "git+ssh://git:tok@host/repo",
        "git+ssh://git:tok@host/repo",
        "git+ssh://git:tok@host/repo",
        "git+ssh://[REDACTED]@host/repo",
        "more-forms",
    ),
    Case(
        "API token: https://example.com/other",
        "API token: https://example.com/other",
        "API token: [REDACTED]",
        "API token: https://example.com/other",
        "sentences-stay",
    ),
    Case(
        "Unexpected token: } in JSON",
        "Unexpected token: } in JSON",
        "Unexpected token: [REDACTED] in JSON",
        "Unexpected token: } in JSON",
        "sentences-stay",
    ),
    Case("secret: none", "secret: none", "secret: [REDACTED]", "secret: none", "sentences-stay"),
    Case(
        "prompt_tokens=123 completion_tokens: 456",
        "prompt_tokens=123 completion_tokens: 456",
        "prompt_tokens=[REDACTED] completion_tokens: [REDACTED]",
        "prompt_tokens=123 completion_tokens: 456",
        "whole-words",
    ),
    Case("  a   b  ", "\n a\n  b \n", "a\n  b", "\n a\n  b \n", "texts-are-not-trimmed"),
    Case(
        "{'logPathUnavailable': 'remote daemon https://mac.example.co",
        {"logPathUnavailable": "remote daemon https://mac.example.com, request 8f2c: 404"},
        {"logPathUnavailable": "remote daemon https://mac.example.com,/ request 8f2c: 404"},
        {"logPathUnavailable": "remote daemon https://mac.example.com, request 8f2c: 404"},
        "addresses-stay-readable",
    ),
    Case(
        "{'args': ['--password', 'hunter2', '--token', 'abc']}",
        {"args": ["--password", "hunter2", "--token", "abc"]},
        {"args": ["--password", "hunter2", "--token", "abc"]},
        {"args": ["--password", "[REDACTED]", "--token", "[REDACTED]"]},
        "more-forms",
    ),
    Case(
        "{'headers': [{'name': 'x-api-key', 'value': 'abc'}]}",
        {"headers": [{"name": "x-api-key", "value": "abc"}]},
        {"headers": [{"name": "x-api-key", "value": "abc"}]},
        {"headers": [{"name": "x-api-key", "value": "[REDACTED]"}]},
        "more-forms",
    ),
)


@cases(*REDACTED)
def test_values(case: Case) -> None:
    """What becomes of a value, by its form and by the names in it."""
    check(case, to_json(case.given), SEED)
    if isinstance(case.given, str):
        assert redact(redact(case.given)) == redact(case.given)


OBJECTS: Final = (
    Case(
        "an error", ValueError("boom"), {}, {"type": "ValueError", "message": "boom"}, "objects-have-a-form"
    ),
    Case(
        "a coded error",
        app("X", "m", token="t"),
        {"code": "X"},
        {"type": "ErrorCodes", "code": "X", "message": "m"},
        "objects-have-a-form",
    ),
    Case(
        "a time",
        datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC),
        {},
        "1970-01-01T00:00:00+00:00",
        "objects-have-a-form",
    ),
    Case("a map", {"token": "t"}, {}, {"token": "[REDACTED]"}, "objects-have-a-form"),
    Case("a set", {"a"}, {}, ["a"], "objects-have-a-form"),
    Case("bytes", b"ab", {"0": 97, "1": 98}, "base64:YWI=", "objects-have-a-form"),
    Case("a function", len, "the function", "<built-in function len>", "objects-have-a-form"),
    Case("plain values", {"n": 1, "b": True, "z": None}, {"n": 1, "b": True, "z": None}),
)


@cases(*OBJECTS)
def test_objects(case: Case) -> None:
    """What becomes of what JSON does not know."""
    check(case, to_json(case.given), SEED)


def test_circles_and_shared_objects() -> None:
    """A circle is marked in both; an object that merely stands in two places is written twice here."""
    circle: dict[str, Any] = {"a": 1}
    circle["self"] = circle
    assert to_json(circle) == {"a": 1, "self": "[Circular]"}
    array: list[Any] = []
    array.append(array)
    assert to_json(array) == ["[Circular]"]
    case = Case("shared", {"p": SHARED, "q": SHARED}, "[Circular]", {"a": 1}, "only-circles-are-marked")
    found: Any = to_json(case.given)
    check(case, found["q"], SEED)


def test_headers_as_pairs() -> None:
    """A header in a pair is hidden by its name, unlike there."""
    case = Case(
        "pairs",
        {"headers": [["authorization", "Bearer abc"], ["x-api-key", "abc"]]},
        {"headers": [["authorization", "[REDACTED]"], ["x-api-key", "abc"]]},
        {"headers": [["authorization", "[REDACTED]"], ["x-api-key", "[REDACTED]"]]},
        "more-forms",
    )
    check(case, to_json(case.given), SEED)


def test_the_input_is_not_changed() -> None:
    """Redacting makes a copy."""
    given = {"token": "x", "n": {"a": "token=1"}}
    to_json(given)
    redact(given)
    assert given == {"token": "x", "n": {"a": "token=1"}}


def test_redacting_comes_before_cutting() -> None:
    """A secret before the cut is hidden, and texts are cut much later here."""
    text = "token=abc " + "b" * 500
    case = Case("500 characters", text, 400, len("token=[REDACTED] ") + 500, "bounds-are-wide")
    found: Any = to_json(case.given)
    check(case, len(found), SEED)
    assert found.startswith("token=[REDACTED] b")
    assert len(str(to_json("m" * 100_000))) < 10_000


ENVIRONMENT: Final = (
    Case(
        "a map",
        {"launchEnvironment": {"A": "x", "DB_PASSWORD": "y"}},
        ["A", "DB_PASSWORD"],
        ["DB_PASSWORD"],
        "environments-by-name",
    ),
)


@cases(*ENVIRONMENT)
def test_environments(case: Case) -> None:
    """Which variables of an environment are hidden."""
    found: Any = to_json(case.given)
    check(case, [name for name, value in found["launchEnvironment"].items() if value == "[REDACTED]"], SEED)


# --- the list ---------------------------------------------------------------------------------------


def test_the_list_of_differences_is_complete() -> None:
    """Every difference that a case shows stands there with its reason, and every entry has a case."""
    tables = (
        WRAPPED,
        NORMALIZED,
        WIRE,
        FACES,
        LINES,
        MESSAGES,
        EXCERPTS,
        KEYS,
        REDACTED,
        OBJECTS,
        ENVIRONMENT,
    )
    in_tests = frozenset(
        {
            "bounds-are-wide",
            "texts-stand-alone",
            "every-id-has-a-log",
            "signals-keep-their-names",
            "cleanup-is-in-the-payload",
            "records-say-what-happened",
            "protocol-errors-are-whole",
        }
    )
    not_here = frozenset(
        {"words", "candidates-are-details", "wording-is-the-hosts", "exit-codes", "running-is-the-hosts"}
    )
    check_list(SEED, *tables, (NORMALIZED_AGAIN, REASONED), told_elsewhere=in_tests | not_here)
