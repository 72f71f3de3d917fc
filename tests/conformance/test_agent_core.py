"""agent-core: what its error package was recorded to do, and where errkit does something else on purpose.

Recorded with the real code of kimi-code `agent-core-v2` (MIT). Class names are not compared: they are those
of another language.
"""

from __future__ import annotations

import asyncio
import errno
import json
import types
from typing import Any, Final

import pytest

from errkit import (
    BugIndicatingError,
    CodedError,
    ExpectedError,
    NoTelemetryError,
    Registry,
    UserCancelled,
    as_coded,
    code,
    error_info,
    format_error,
    from_payload,
    is_coded_error,
    is_error_code,
    not_implemented,
    on_unexpected_error,
    reset_unexpected_error_handler,
    safely_call,
    set_unexpected_error_handler,
    to_payload,
    unwrap_cause,
)
from errkit.catalogs.agent_core import REGISTRY, ErrorCodes
from errkit.dialects import agent_core, agent_core_http
from errkit.domains.os_fs import to_host_fs_error
from errkit.domains.storage import AppendLogCorruptedError, to_storage_error
from errkit.verdicts import is_cancellation
from tests.conformance.support import Case, cases, check, check_list

SEED: Final = "agent-core"


# --- building what the recorded cases were given ----------------------------------------------------


def coded(name: str, message: str, cause: BaseException | None = None, **details: Any) -> CodedError:
    """A coded error of the catalogue."""
    error: CodedError = caused(ErrorCodes(name, message, details=details), cause)
    return error


def foreign(message: str, cause: BaseException | None = None, **attributes: Any) -> Exception:
    """An exception of somebody else, with attributes."""
    error = ValueError(message)
    vars(error).update(attributes)
    found: Exception = caused(error, cause)
    return found


def caused(error: Any, cause: BaseException | None) -> Any:
    """The error with a cause."""
    error.__cause__ = cause
    return error


def system(name: str) -> OSError:
    """A failed system call; one with an errno that this platform has no number for has no errno."""
    return OSError(getattr(errno, name), "mock failure") if hasattr(errno, name) else OSError("mock failure")


def chain(length: int, *, of: str = "coded") -> BaseException:
    """Errors inside each other, the innermost being `layer 0`."""
    error: BaseException | None = None
    for number in range(length):
        message = f"layer {number}"
        error = coded("internal", message, error) if of == "coded" else foreign(message, error)
    assert error is not None
    return error


def revived(**form: Any) -> CodedError:
    """The error of a payload that arrived."""
    return agent_core.decode(form, registry=REGISTRY)


def payload(given: Any) -> Any:
    """The payload without the names of classes."""
    return nameless(agent_core.encode(given))


def nameless(form: Any) -> Any:
    """A payload without the names of classes, in all causes."""
    if isinstance(form, dict):
        return {key: nameless(value) for key, value in form.items() if key != "name"}
    return form


def link(
    name: str, message: str, retryable: bool = False, cause: Any = None, **details: Any
) -> dict[str, Any]:
    """A payload as recorded, without the names of classes."""
    form: dict[str, Any] = {"code": name, "message": message, "retryable": retryable}
    if details:
        form["details"] = details
    return {**form, "cause": cause} if cause is not None else form


def nested(first: int, last: int) -> Any:
    """The payload of a chain from one layer down to another."""
    form = None
    for number in range(last, first + 1):
        form = link("internal", f"layer {number}", cause=form)
    return form


# --- payloads ---------------------------------------------------------------------------------------

PAYLOADS: Final = (
    Case("a coded error", coded("session.not_found", "no session"), link("session.not_found", "no session")),
    Case(
        "a retryable code",
        coded("turn.agent_busy", "a turn runs"),
        link("turn.agent_busy", "a turn runs", True),
    ),
    Case(
        "details",
        coded("provider.rate_limit", "slow down", statusCode=429),
        link("provider.rate_limit", "slow down", True, statusCode=429),
    ),
    Case(
        "empty details",
        coded("config.invalid", "bad"),
        {**link("config.invalid", "bad"), "details": {}},
        link("config.invalid", "bad"),
        "empty-details",
    ),
    Case("a code of storage", coded("storage.locked", "held"), link("storage.locked", "held", True)),
    Case("an empty message", coded("internal", ""), link("internal", "")),
    Case(
        "a coded cause",
        coded("provider.api_error", "translated", coded("provider.connection_error", "reset")),
        link("provider.api_error", "translated", cause=link("provider.connection_error", "reset", True)),
    ),
    Case(
        "a foreign cause",
        coded("storage.io_failed", "write failed", foreign("boom")),
        link("storage.io_failed", "write failed", True, link("internal", "boom")),
    ),
    Case(
        "a foreign cause with an errno",
        coded("storage.io_failed", "write failed", foreign("i/o", code="EIO", errno=-5)),
        link("storage.io_failed", "write failed", True, link("internal", "i/o")),
    ),
    Case(
        "a text as the cause",
        coded("internal", "outer", as_coded("raw")),
        link("internal", "outer", cause=link("internal", "raw")),
        link("internal", "outer", cause=link("internal", "raw", value="raw")),
        "causes-are-exceptions",
    ),
    Case("a foreign error", foreign("boom"), link("internal", "boom")),
    Case("a foreign error of another class", caused(IndexError("out"), None), link("internal", "out")),
    Case(
        "a foreign error without words",
        caused(IndexError(), None),
        link("internal", ""),
        link("internal", "IndexError"),
        "errors-have-words",
    ),
    Case(
        "details of every kind",
        coded("session.busy", "m", flag=True, nothing=None, empty=[], text="", deep={"a": [{"b": 1.5}]}),
        link("session.busy", "m", flag=True, nothing=None, empty=[], text="", deep={"a": [{"b": 1.5}]}),
    ),
    Case(
        "causes of both kinds in turns",
        foreign("a", coded("web.fetch_failed", "b", foreign("c", coded("fs.too_large", "d", size=1)))),
        link(
            "internal",
            "a",
            cause=link(
                "web.fetch_failed",
                "b",
                True,
                link("internal", "c", cause=link("fs.too_large", "d", size=1)),
            ),
        ),
    ),
    Case(
        "a foreign error over a coded one",
        foreign("outer", coded("fs.too_large", "too big")),
        link("internal", "outer", cause=link("fs.too_large", "too big")),
    ),
    Case("an errno as the code", foreign("m", code="ENOENT", path="/x"), link("internal", "m")),
    Case(
        "a registered code as an attribute",
        foreign("looks coded", code="mcp.oauth_failed"),
        link("mcp.oauth_failed", "looks coded"),
        link("internal", "looks coded"),
        "attributes-are-no-codes",
    ),
    Case("a number as the code", foreign("rpc", code=-32000), link("internal", "rpc")),
    Case(
        "a group",
        ExceptionGroup("two", [foreign("a"), coded("web.fetch_failed", "b")]),
        link("internal", "two"),
        link("internal", "two (2 sub-exceptions)"),
        "text-of-groups",
    ),
    Case("a broken rule", BugIndicatingError("read before ready"), link("internal", "read before ready")),
    Case("an expected failure", ExpectedError("meh"), link("internal", "meh")),
    Case("a failure not for telemetry", NoTelemetryError("quiet"), link("internal", "quiet")),
    Case("a chain of 9", chain(9), nested(8, 0)),
    Case("a chain of 10", chain(10), nested(9, 1), nested(9, 0), "root-is-kept"),
    Case("a chain of 12", chain(12), nested(11, 3), nested(11, 0), "root-is-kept"),
    Case("a foreign chain of 12", chain(12, of="foreign"), nested(11, 3), nested(11, 0), "root-is-kept"),
    Case("a text", "nope", link("internal", "nope")),
    Case("an empty text", "", link("internal", "")),
    Case("a number", 42, link("internal", "42")),
    Case("not a number", float("nan"), link("internal", "NaN")),
    Case("nothing", None, link("internal", "null")),
    Case("a flag", True, link("internal", "true")),
    Case("a small integer", 7, link("internal", "7")),
    Case(
        "a map",
        {"a": 1},
        link("internal", "[object Object]"),
        link("internal", '{"a": 1}'),
        "objects-are-shown",
    ),
    Case(
        "a map with an unknown code",
        {"code": "nope.not_real", "message": "hello", "details": {"a": 1}},
        link("internal", "[object Object]"),
        link("nope.not_real", "hello", a=1),
        "unknown-codes-are-kept",
    ),
    Case(
        "a revived payload",
        revived(
            code="fs.too_large", message="too large", name="FsError", details={"size": 12}, retryable=False
        ),
        link("fs.too_large", "too large", size=12),
    ),
    Case(
        "a verdict against the registry",
        revived(code="fs.too_large", message="too large", retryable=True),
        link("fs.too_large", "too large"),
        link("fs.too_large", "too large", True),
        "sender-decides-on-retry",
    ),
    Case(
        "a revived cause",
        revived(
            code="provider.api_error",
            message="outer",
            cause={"code": "provider.connection_error", "message": "inner"},
        ),
        link("provider.api_error", "outer", cause=link("provider.connection_error", "inner", True)),
    ),
    Case(
        "fields that nobody knows",
        revived(code="internal", message="m", stack="at x", password="p"),
        link("internal", "m"),
        {**link("internal", "m"), "stack": "at x", "password": "[REDACTED]"},
        "unknown-fields-are-kept",
    ),
)


@cases(*PAYLOADS)
def test_payloads(case: Case) -> None:
    """Code, message, details, verdict and causes on the wire."""
    check(case, payload(case.given), SEED)


MALFORMED: Final = Case(
    "a payload of wrong types",
    {"code": "internal", "message": 5, "details": "not a map", "name": 3},
    ("internal", 5),
    ("errkit.malformed_payload", "$.message"),
    "junk-is-named",
)


def test_wrong_types_are_refused() -> None:
    """There, wrong types pass through; here the payload is malformed, with the place."""
    found = agent_core.decode(MALFORMED.given)
    check(MALFORMED, (found.code, found.details["place"]), SEED)


def test_texts_for_missing_features_are_our_own() -> None:
    """Code and verdict are those of the seed, with and without the name of the feature."""
    for found in (not_implemented("voice"), not_implemented()):
        assert strip_message(payload(found)) == {"code": "not_implemented", "retryable": False}
    assert "voice" in not_implemented("voice").message
    assert payload(BugIndicatingError())["code"] == "internal"


def strip_message(form: dict[str, Any]) -> dict[str, Any]:
    """The payload without what is said in errkit's own words."""
    return {key: value for key, value in form.items() if key not in ("message", "details")}


DEPTHS: Final = (
    *(Case(f"a chain of {n}", n, {"nodes": n, "root": True}) for n in (1, 2, 8, 9)),
    *(
        Case(
            f"a chain of {n}",
            n,
            {"nodes": 9, "root": False},
            {"nodes": min(n, 17), "root": True},
            "root-is-kept",
        )
        for n in (10, 12, 20)
    ),
)


@cases(*DEPTHS)
def test_how_deep_causes_go(case: Case) -> None:
    """How many errors of a chain are on the wire, and whether the innermost is."""
    form = agent_core.encode(chain(case.given))
    count = 1
    while "cause" in form:
        form, count = form["cause"], count + 1
    check(case, {"nodes": count, "root": form["message"] == "layer 0"}, SEED)


def test_a_signalled_failure() -> None:
    """A payload for a failure that was not raised has the code's verdict; any text may be a code."""
    for name in ("mcp.startup_failed", "constructor"):
        assert payload(coded(name, "did not start")) == link(name, "did not start")


REVIVED: Final = (
    Case(
        "a small one", {"code": "session.closed", "message": "closed", "retryable": False}, ["session.closed"]
    ),
    Case(
        "with a cause",
        {
            "code": "provider.api_error",
            "message": "outer",
            "details": {"statusCode": 500},
            "retryable": False,
            "cause": {"code": "provider.connection_error", "message": "inner", "retryable": True},
        },
        ["provider.api_error", "provider.connection_error"],
    ),
    Case("with an unknown code", {"code": "ghost.code", "message": "x", "retryable": True}, ["ghost.code"]),
    Case(
        "with null as its cause",
        {"code": "internal", "message": "x", "cause": None},
        "throws",
        ["internal"],
        "junk-is-named",
    ),
)


@cases(*REVIVED)
def test_reviving(case: Case) -> None:
    """A payload becomes an error again, with its causes."""
    error: Any = agent_core.decode(case.given, registry=REGISTRY)
    assert error.message == case.given["message"]
    assert dict(error.details) == case.given.get("details", {})
    codes = []
    while error is not None:
        codes.append(error.code)
        error = error.__cause__
    check(case, codes, SEED)


@pytest.mark.parametrize(
    "error",
    [
        coded("goal.not_found", "no goal", id="g1"),
        coded("provider.api_error", "outer", coded("provider.connection_error", "inner"), statusCode=500),
        foreign("boom"),
        chain(12),
        revived(code="ghost.code", message="from a newer peer", retryable=True, details={"a": 1}),
    ],
    ids=["coded", "with a cause", "foreign", "deep", "unknown"],
)
def test_a_second_hop_is_stable(error: Any) -> None:
    """The payload of a revived error is the one that it came from; of an unknown code too, unlike there."""
    first = agent_core.encode(error)
    second = agent_core.encode(agent_core.decode(json.loads(json.dumps(first)), registry=REGISTRY))
    assert nameless(second) == nameless(first)


@pytest.mark.parametrize("code", ["internal", "fs.too_large", "ghost.code"])
def test_the_name_of_a_class_survives_a_hop(code: str) -> None:
    """Also where no such class exists here, in the error and in its cause."""
    sent = {
        "code": code,
        "message": "m",
        "name": "FsError",
        "retryable": False,
        "cause": {"code": "internal", "message": "c", "name": "TypeError", "retryable": False},
    }
    assert agent_core.encode(agent_core.decode(sent, registry=REGISTRY)) == sent


# --- guards and look-ups ----------------------------------------------------------------------------

GUARDS: Final = (
    Case("an instance", coded("internal", "x"), True),
    Case("an instance with an unknown code", coded("ghost.code", "x"), False, True, "instances-are-coded"),
    Case("a map with a code", {"code": "internal"}, True, False, "guards-ask-for-a-message"),
    Case("a map with code and message", {"code": "internal", "message": "m"}, True),
    Case("a map with an unknown code", {"code": "E", "message": "m"}, False),
    Case("an exception with an errno", foreign("x", code="ENOENT"), False),
    Case("nothing", None, False),
    Case("a text", "internal", False),
    Case("a number as the code", {"code": 7, "message": "m"}, False),
)


@cases(*GUARDS)
def test_the_structural_guard(case: Case) -> None:
    """What counts as a coded error."""
    check(case, is_coded_error(case.given, registry=REGISTRY), SEED)


@pytest.mark.parametrize(
    ("given", "is_one"),
    [
        (coded("internal", "x"), True),
        (coded("ghost.code", "x"), True),
        ({"code": "internal", "message": "m"}, False),
        ({"code": "E"}, False),
        (foreign("x", code="ENOENT"), False),
        (foreign("x", code="internal"), False),
        (None, False),
        ("internal", False),
        ({"code": 7}, False),
    ],
)
def test_the_guard_by_class(given: Any, is_one: bool) -> None:
    """An instance is one whatever its code; nothing else is."""
    assert isinstance(given, CodedError) is is_one


@pytest.mark.parametrize(
    ("given", "is_one"),
    [("internal", True), ("os.fs.unknown", True), ("constructor", False), ("", False), (None, False)],
)
def test_codes(given: Any, is_one: bool) -> None:
    """A registered text is a code; nothing that every object has is."""
    assert is_error_code(given, registry=REGISTRY) is is_one


FACTS: Final = (
    Case("of internal", "internal", (False, True)),
    Case("of a code without an entry there", "session.not_found", (False, True)),
    Case("of a code with an entry there", "os.fs.permission_denied", (False, True)),
    Case("of a retryable code", "turn.agent_busy", (True, True)),
    Case("of an unknown code", "ghost.code", (False, True), (False, False), "fails-closed"),
    Case("of a name that every object has", "toString", "a function", (False, False), "fails-closed"),
)


@cases(*FACTS)
def test_facts_of_a_code(case: Case) -> None:
    """Whether a code is retryable and public; a title there is for each."""
    spec = error_info(case.given, registry=REGISTRY)
    assert spec.title
    check(case, (spec.retryable, spec.public), SEED)


# --- text -------------------------------------------------------------------------------------------

TEXTS: Final = (
    Case("coded", coded("fs.too_large", "too large"), "[fs.too_large] too large"),
    Case("coded with details", coded("fs.too_large", "too large", size=12), "[fs.too_large] too large"),
    Case("coded with a cause", coded("fs.too_large", "m", foreign("inner")), "[fs.too_large] m"),
    Case(
        "an unknown code", coded("ghost.code", "m", a=1), "m", "[ghost.code] m", "texts-start-with-the-code"
    ),
    Case("foreign", foreign("boom"), "boom", "[internal] boom", "texts-start-with-the-code"),
    Case(
        "foreign without words", TypeError(), "TypeError", "[internal] TypeError", "texts-start-with-the-code"
    ),
    Case(
        "foreign with a cause",
        foreign("outer", foreign("inner")),
        "outer",
        "[internal] outer",
        "texts-start-with-the-code",
    ),
    Case("a text", "plain text", "plain text", "[internal] plain text", "texts-start-with-the-code"),
    Case("an empty text", "", "", "[internal] ", "texts-start-with-the-code"),
    Case("a map", {"a": 1}, '{"a":1}', '[internal] {"a": 1}', "texts-start-with-the-code"),
    Case("a number", 42, "42", "[internal] 42", "texts-start-with-the-code"),
    Case("nothing", None, "null", "[internal] null", "texts-start-with-the-code"),
    Case(
        "a revived payload", revived(code="fs.too_large", message="m", details={"a": 1}), "[fs.too_large] m"
    ),
)


@cases(*TEXTS)
def test_the_first_line_for_people(case: Case) -> None:
    """An error as a line of text."""
    check(case, format_error(case.given).split("\n")[0], SEED)


VERBOSE: Final = (
    Case(
        "details",
        coded("fs.too_large", "m", size=12, path="/a"),
        ['[fs.too_large] m {"size":12,"path":"/a"}'],
        ["[fs.too_large] m", "  size: 12", "  path: /a"],
        "verbose-has-lines",
    ),
    Case(
        "a coded cause",
        foreign("outer", coded("fs.too_large", "inner", a=1)),
        ["outer (caused by: [fs.too_large] inner)"],
        ["[internal] outer", "Caused by: [fs.too_large] inner"],
        "verbose-has-lines",
    ),
    Case(
        "a chain of three",
        chain(3, of="foreign"),
        ["layer 2 (caused by: layer 1)"],
        [
            "[internal] layer 2",
            "Caused by: [internal] ValueError: layer 1",
            "Caused by: [internal] ValueError: layer 0",
        ],
        "verbose-has-lines",
    ),
    Case(
        "the cause of a coded error",
        coded("fs.too_large", "m", foreign("inner")),
        ["[fs.too_large] m"],
        ["[fs.too_large] m", "Caused by: [internal] ValueError: inner"],
        "verbose-has-lines",
    ),
)


@cases(*VERBOSE)
def test_the_long_text(case: Case) -> None:
    """What the verbose text adds; number, hint and verdict are left out of the comparison."""
    lines = format_error(case.given, verbose=True).split("\n")
    check(case, [line for line in lines if not line.startswith(("Hint: ", "Number: ", "Retry: "))], SEED)


@pytest.mark.parametrize("given", [None, len, lambda: None, object()])
def test_there_is_always_a_text(given: Any) -> None:
    """Where the seed returns no text at all, there is one."""
    assert isinstance(format_error(given), str)


# --- causes -----------------------------------------------------------------------------------------

RAW: Final = foreign("raw")
OUTER: Final = foreign("outer", foreign("inner"))
ALONE: Final = coded("internal", "alone")
OVER_NOTHING: Final = coded("internal", "over nothing", None)
UNWRAPPED: Final = (
    Case("coded over foreign", coded("storage.io_failed", "o", RAW), RAW),
    Case("coded over coded over foreign", coded("internal", "o", coded("storage.io_failed", "m", RAW)), RAW),
    Case("coded alone", ALONE, ALONE),
    Case("foreign over foreign", OUTER, OUTER),
    Case("coded over foreign over foreign", coded("internal", "o", OUTER), OUTER),
    Case("coded over null", OVER_NOTHING, None, OVER_NOTHING, "causes-are-exceptions"),
    Case("a number", 5, 5),
)


@cases(*UNWRAPPED)
def test_unwrapping(case: Case) -> None:
    """The first cause that is not coded."""
    found = unwrap_cause(case.given)
    check(case, found, SEED)


def test_a_circle_of_causes_ends() -> None:
    """There, two errors that cause each other hang the walk, and a payload in itself overflows the stack."""
    one, other = coded("internal", "a"), coded("internal", "b")
    one.__cause__, other.__cause__ = other, one
    assert unwrap_cause(one) is other
    assert len(json.dumps(agent_core.encode(one))) < 1_000
    circle: dict[str, Any] = {"code": "internal", "message": "m"}
    circle["cause"] = circle
    assert agent_core.decode(circle).code == "internal"
    deep: dict[str, Any] = {"code": "internal", "message": "root"}
    for _ in range(20_000):
        deep = {"code": "internal", "message": "m", "cause": deep}
    link_: Any = agent_core.decode(deep)
    while link_.__cause__ is not None:
        link_ = link_.__cause__
    assert link_.message == "root"


def test_details_never_break_the_wire() -> None:
    """Values that JSON does not know, and circles, have a stated form; secrets have none."""
    details: dict[str, Any] = {"n": 10**30, "authorization": "Bearer abc", "apiKey": "sk-test-123"}
    details["self"] = details
    error = coded("provider.auth_error", "bad key sk-test-1234567890abcdef1234", **details)
    error.__cause__ = foreign("GET https://u:p@host/?token=zzz failed")
    text = json.dumps(agent_core.encode(error))
    for secret in ("Bearer abc", "sk-test", "u:p@", "zzz"):
        assert secret not in text


# --- translators ------------------------------------------------------------------------------------

FS: Final = (
    *(
        Case(name, system(name), (f"os.fs.{found}", False))
        for name, found in (
            ("ENOENT", "not_found"),
            ("EISDIR", "is_directory"),
            ("ENOTDIR", "not_directory"),
            ("EEXIST", "already_exists"),
            ("EACCES", "permission_denied"),
            ("EPERM", "permission_denied"),
            ("ENOTEMPTY", "not_empty"),
        )
    ),
    *(
        Case(name, system(name), ("os.fs.unknown", True), (f"os.fs.{found}", retryable), "errnos-apart")
        for name, found, retryable in (
            ("ENOSPC", "disk_full", False),
            ("EMFILE", "too_many_open_files", True),
            ("ELOOP", "symlink_loop", False),
            ("EROFS", "read_only", False),
            ("ENAMETOOLONG", "name_too_long", False),
        )
    ),
    *(Case(name, system(name), ("os.fs.unknown", True)) for name in ("EBUSY", "EINTR", "ETXTBSY")),
    *(
        Case(title, given, ("os.fs.unknown", True), ("os.fs.unknown", False), "unknown-is-not-retryable")
        for title, given in (
            ("EIO", system("EIO")),
            ("EXDEV", system("EXDEV")),
            ("an errno that nobody knows", system("ESOMETHINGELSE")),
            ("an error without an errno", foreign("boom")),
            ("a text", "not an error"),
            ("nothing", None),
        )
    ),
)


@cases(*FS)
def test_the_file_system(case: Case) -> None:
    """What becomes of a failed call: code and verdict; its facts are in the details, not in the message."""
    found = to_host_fs_error(case.given, path="/x/y.txt", op="read", syscall="open")
    check(case, (found.code, found.retryable), SEED)
    assert (found.details["path"], found.details["op"], found.details["syscall"]) == (
        "/x/y.txt",
        "read",
        "open",
    )
    assert "/x/y.txt" not in found.message
    if isinstance(case.given, OSError) and case.given.errno:
        assert found.details["errno"] == case.title
        assert case.title not in found.message
    if isinstance(case.given, BaseException):
        assert found.__cause__ is case.given


def test_translating_again_changes_nothing() -> None:
    """An error of the domain comes back as it is, and so does one that was revived, unlike there."""
    first = to_host_fs_error(system("ENOENT"), path="/x", op="read")
    assert to_host_fs_error(first, path="/other", op="write") is first
    again = to_host_fs_error(from_payload(to_payload(first)), path="/other", op="write")
    assert (again.code, again.details["path"]) == ("os.fs.not_found", "/x")
    stored = to_storage_error(system("ENOSPC"), path="/s/k", op="write")
    assert to_storage_error(stored, path="/other", op="read") is stored


def test_an_error_of_another_domain_is_read_by_its_cause() -> None:
    """There, a file-system error in a store becomes a retryable failure; here its raw cause decides."""
    missing = to_host_fs_error(system("ENOENT"), path="/x", op="read")
    found = to_storage_error(missing, path="/s/k", op="write")
    assert (found.code, found.retryable, found.details["errno"]) == ("storage.not_found", False, "ENOENT")
    full = to_storage_error(system("ENOSPC"), path="/x", op="read")
    again = to_host_fs_error(full, path="/x", op="read")
    assert (again.code, again.details["errno"]) == ("os.fs.disk_full", "ENOSPC")


def test_cancellation_passes() -> None:
    """There, the file-system translator wraps a cancellation, which it claims never to see."""
    stop = UserCancelled()
    with pytest.raises(UserCancelled) as caught:
        raise to_host_fs_error(stop, path="/x", op="read")
    assert caught.value is stop


STORAGE: Final = (
    *(
        Case(name, system(name), (f"storage.{found}", False))
        for name, found in (
            ("ENOENT", "not_found"),
            ("EACCES", "permission_denied"),
            ("EPERM", "permission_denied"),
            ("ENOSPC", "disk_full"),
        )
    ),
    *(
        Case(name, system(name), ("storage.io_failed", True), (f"storage.{found}", retryable), "errnos-apart")
        for name, found, retryable in (
            ("EDQUOT", "quota_exceeded", False),
            ("EROFS", "read_only", False),
            ("EAGAIN", "locked", True),
        )
    ),
    *(
        Case(
            name,
            system(name),
            ("storage.io_failed", True),
            ("storage.io_failed", False),
            "unknown-is-not-retryable",
        )
        for name in ("EIO", "EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ESOMETHINGELSE")
    ),
)


@cases(*STORAGE)
def test_a_store(case: Case) -> None:
    """What becomes of a failed operation of a store."""
    found = to_storage_error(case.given, path="/s/k", op="write")
    check(case, (found.code, found.retryable), SEED)
    assert (found.details["path"], found.details["op"]) == ("/s/k", "write")
    assert found.__cause__ is case.given


def test_a_corrupted_log_passes_unchanged() -> None:
    """It is an error of the domain already."""
    error = AppendLogCorruptedError("line 3", scope="scope", key="key", line=3)
    assert to_storage_error(error, path="/x", op="read") is error
    assert (error.code, error.retryable) == ("storage.corrupted", False)


@pytest.mark.parametrize(
    ("name", "retryable"), [("disk_full", False), ("decode_failed", False), ("locked", True)]
)
def test_codes_of_storage_have_the_verdict_of_the_seed(name: str, retryable: bool) -> None:
    """The ready-made domain and the catalogue agree with the seed on them."""
    assert error_info(f"storage.{name}").retryable is retryable
    assert error_info(f"storage.{name}", registry=REGISTRY).retryable is retryable


# --- providers --------------------------------------------------------------------------------------

PROVIDER_CODES: Final = (
    ("401, 403", "provider.auth_error", False),
    ("402, 404, 408, 409, 413, 422, 425", "provider.api_error", False),
    ("500, 502, 503, 504, 520", "provider.api_error", False),
    ("a rejected image, quota used up, an empty answer", "provider.api_error", False),
    ("an answer that was filtered", "provider.filtered", False),
    ("429", "provider.rate_limit", True),
    ("529, or words of overload", "provider.overloaded", True),
    ("no connection, a timeout, a stream cut short", "provider.connection_error", True),
    ("words of too long a context", "context.overflow", True),
)


@pytest.mark.parametrize(("what", "name", "retryable"), PROVIDER_CODES)
def test_verdicts_on_providers(what: str, name: str, retryable: bool) -> None:
    """Which code an answer gets is that system's own table; what its codes say is in the catalogue."""
    assert error_info(name, registry=REGISTRY).retryable is retryable


def test_a_delay_is_sent() -> None:
    """There, the delay that a provider asked for never reaches the wire."""
    error = ErrorCodes("provider.rate_limit", "slow down").override(retry_after=2)
    case = Case("a delay", error, None, 2.0, "delays-are-sent")
    check(case, to_payload(error).get("retry_after"), SEED)


@pytest.mark.parametrize(
    ("given", "is_one"),
    [(asyncio.CancelledError(), True), (UserCancelled(), True), (coded("internal", "x"), False)],
)
def test_cancellations(given: Any, is_one: bool) -> None:
    """What stands for the abort of a request."""
    assert is_cancellation(given) is is_one


def test_a_coded_error_passes_every_boundary_unchanged() -> None:
    """Wrapping keeps the instance; whatever is no error gets the fallback, with the value kept."""
    error = coded("fs.too_large", "m")
    assert as_coded(error) is error
    assert (as_coded("boom").code, as_coded("boom").message) == ("internal", "boom")
    assert as_coded(None).code == "internal"
    raw = foreign("x")
    assert as_coded(raw).__cause__ is raw


@pytest.mark.parametrize(
    ("name", "details"),
    [
        ("event.duplicate_event", {"type": "a.b"}),
        ("skill.nested_too_deep", {"depth": 4, "skillName": "s"}),
        ("auth.token_missing", {"provider_id": "p"}),
        ("auth.model_not_resolved", {}),
        ("web.fetch_failed", {"status": 503}),
        ("os.process.spawn_failed", {"command": "x", "args": ["a"], "errno": "ENOENT"}),
    ],
)
def test_classes_of_the_domains(name: str, details: dict[str, Any]) -> None:
    """Each has its code, its verdict, and details that are declared."""
    error = coded(name, "m", **details)
    assert error.details_problem is None
    assert payload(error) == link(name, "m", name == "web.fetch_failed", **details)


# --- the registry -----------------------------------------------------------------------------------


def declare(name: str, registry: Registry, **constants: str) -> Any:
    """A domain with these codes, in a class of its own."""
    body = {const: code(text, code=text) for const, text in constants.items()}
    keywords = {"domain": name, "registry": registry, "title": name}
    return types.new_class(f"{name}Error", (CodedError,), keywords, lambda space: space.update(body))


REGISTERING: Final = (
    Case("one code in two domains", [{"A": "x.a"}, {"B": "x.a"}], "refused"),
    Case(
        "one code twice in a domain",
        [{"A": "x.a", "B": "x.a"}],
        "accepted",
        "refused",
        "registering-is-strict",
    ),
    Case("any text as a code", [{"A": "no code at all!"}], "accepted", "refused", "registering-is-strict"),
    Case("a code of the core", [{"I": "internal"}, {"J": "internal"}], "refused"),
)


@cases(*REGISTERING)
def test_registering(case: Case) -> None:
    """What a registry takes; a refused domain leaves nothing behind, unlike there."""
    registry = Registry("test_conformance")
    outcome = "accepted"
    for number, constants in enumerate(case.given):
        before = len(registry)
        try:
            declare(f"d{number}", registry, **constants)
        except CodedError:
            outcome = "refused"
            assert len(registry) == before
    check(case, outcome, SEED)


# --- the unexpected ---------------------------------------------------------------------------------


def test_the_default_handler_writes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """One entry with a mark of its own, and it never raises."""
    reset_unexpected_error_handler()
    on_unexpected_error(foreign("boom"))
    assert capsys.readouterr().err.startswith("[unexpected] [internal] boom")


def test_a_handler_that_fails_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own failure and the original error are both told."""

    def broken(_error: object) -> None:
        raise RuntimeError("handler-boom")

    previous = set_unexpected_error_handler(broken)
    try:
        on_unexpected_error(foreign("original"))
    finally:
        set_unexpected_error_handler(previous)
    told = capsys.readouterr().err
    assert "handler-boom" in told
    assert "original" in told


LISTENERS: Final = (
    Case("a plain function that fails", False, ["listener-boom"]),
    Case("an async function that fails", True, [], ["listener-boom"], "async-is-seen"),
)


@cases(*LISTENERS)
def test_a_listener_is_called_safely(case: Case) -> None:
    """What it raises goes to the handler."""
    seen: list[str] = []

    def plain() -> None:
        raise RuntimeError("listener-boom")

    async def later() -> None:
        raise RuntimeError("listener-boom")

    previous = set_unexpected_error_handler(lambda error: seen.append(str(error)))
    try:
        if case.given:
            asyncio.run(safely_call(later))
        else:
            safely_call(plain)
    finally:
        set_unexpected_error_handler(previous)
    check(case, seen, SEED)


def test_the_handler_that_was_in_place_is_returned() -> None:
    """There, setting a handler returns nothing, so nobody can put the old one back."""
    first = set_unexpected_error_handler(print)
    case = Case("the old handler", None, None, print, "old-handler-is-returned")
    check(case, set_unexpected_error_handler(first), SEED)


# --- the numbered envelope --------------------------------------------------------------------------

ENVELOPES: Final = (
    Case(
        "a coded error",
        coded("session.busy", "busy", a=1),
        {"code": 40901, "msg": "busy", "data": None, "request_id": "req-1"},
        {"code": 40901, "msg": "busy", "data": None, "request_id": "req-1", "details": {"a": 1}},
        "envelope-has-details",
    ),
    Case("foreign", foreign("boom"), {"code": 50001, "msg": "boom", "data": None, "request_id": "req-1"}),
    Case("a text", "nope", {"code": 50001, "msg": "nope", "data": None, "request_id": "req-1"}),
    Case(
        "a revived payload",
        {"code": "session.busy", "message": "busy"},
        {"code": 50001, "msg": "[object Object]", "data": None, "request_id": "req-1"},
        {"code": 40901, "msg": "busy", "data": None, "request_id": "req-1"},
        "payloads-are-recognized",
    ),
    Case(
        "a timeout", TimeoutError("late"), {"code": 50001, "msg": "late", "data": None, "request_id": "req-1"}
    ),
)


@cases(*ENVELOPES)
def test_the_numbered_envelope(case: Case) -> None:
    """Number, message and id of the request; a stack is never sent, unlike there."""
    check(case, agent_core_http.encode(case.given, request_id="req-1"), SEED)


NUMBERED: Final = {
    "validation.failed": 40001,
    "auth.token_missing": 40111,
    "session.not_found": 40401,
    "fs.path_not_found": 40409,
    "fs.permission_denied": 40411,
    "plugin.not_found": 40419,
    "session.busy": 40901,
    "goal.not_found": 40914,
    "prompt.id_conflict": 40927,
    "mcp.oauth_failed": 40929,
    "fs.too_large": 41302,
    "fs.grep_timeout": 41305,
    "turn.agent_busy": 50001,
    "modelsDev.catalog_unavailable": 50004,
}


@pytest.mark.parametrize("code", NUMBERED)
def test_the_numbers(code: str) -> None:
    """Each is the one that the server was recorded to answer with, or its catch-all."""
    assert agent_core_http.encode(coded(code, "m"))["code"] == NUMBERED[code]


# --- the list ---------------------------------------------------------------------------------------


def test_the_list_of_differences_is_complete() -> None:
    """Every difference that a case shows stands there with its reason, and every entry has a case."""
    tables = (PAYLOADS, DEPTHS, REVIVED, GUARDS, FACTS, TEXTS, VERBOSE, UNWRAPPED, FS, STORAGE)
    more = (REGISTERING, LISTENERS, ENVELOPES, (MALFORMED,))
    in_tests = frozenset({"delays-are-sent", "old-handler-is-returned"})
    not_here = frozenset({"names-of-classes", "words", "providers-are-the-hosts", "stacks-stay-home"})
    check_list(SEED, *tables, *more, told_elsewhere=in_tests | not_here)
