"""The native wire form: exact, bounded, total in both directions, closed to what does not belong outside."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit import (
    CodedError,
    CoreError,
    Details,
    Registry,
    Secret,
    as_coded,
    code,
    dumps,
    format_error,
    from_payload,
    is_coded_error,
    is_retryable,
    loads,
    make_payload,
    to_payload,
    unwrap_cause,
)
from errkit.safe import BOUNDS
from tests.hostile import every_hostile_object

REG = Registry("test_payload")


class CallDetails(Details):
    host: str
    port: int = 443
    token: Secret[str] = ""


class NetError(CodedError, domain="net", registry=REG, numbers=range(100, 200)):
    TIMEOUT = code(
        "Host did not answer",
        CallDetails,
        number=101,
        kind="transient",
        public=True,
        hint="Try again later.",
        retry_after=2,
    )
    REFUSED = code("Connection refused", CallDetails, number=102, hint="Check that the service runs.")
    BUSY = code("Busy", reasons={"lock": "Locked"}, kind="transient")


class SlowError(NetError, of=NetError.TIMEOUT):
    """One class per code where callers want it."""


def links(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """The payload and those of its causes."""
    found = [payload]
    while "cause" in found[-1]:
        found.append(found[-1]["cause"])
    return found


def chain(length: int) -> CodedError:
    """An error over `length` causes, the root being `cause 0`."""
    error: CodedError = NetError.REFUSED("cause 0", host="h")
    for number in range(1, length + 1):
        outer = NetError.REFUSED(f"cause {number}", host="h")
        outer.__cause__ = error
        error = outer
    return error


def test_a_payload_has_the_documented_keys() -> None:
    """Every fact that is known is there, and no key for one that is not."""
    error = NetError.TIMEOUT("no answer", host="h", token="t0p")
    error.add_note("seen at noon")
    assert to_payload(error) == {
        "v": 1,
        "code": "net.timeout",
        "message": "no answer",
        "retryable": True,
        "number": 101,
        "name": "NetError",
        "kind": "transient",
        "alert": True,
        "retry_after": 2.0,
        "hint": "Try again later.",
        "details": {"host": "h", "token": "[REDACTED]"},
        "notes": ["seen at noon"],
    }
    assert type(to_payload(error)["code"]) is str


def test_a_foreign_error_is_internal_and_keeps_its_kind_and_words() -> None:
    """An uncoded exception is `internal`, not retryable, under its own class name."""
    found = to_payload(ValueError("boom"))
    assert (found["code"], found["message"], found["name"], found["retryable"]) == (
        "internal",
        "boom",
        "ValueError",
        False,
    )
    assert to_payload(ValueError())["message"] == "ValueError"


@every_hostile_object
def test_any_object_has_a_payload(value: Any) -> None:
    """Whatever was raised or passed, the payload is strict JSON with text for code and message."""
    for found in (
        to_payload(value),
        to_payload(value, audience="public"),
        to_payload(NetError.REFUSED("m", host=value)),
    ):
        text = json.dumps(found, allow_nan=False, ensure_ascii=False)
        text.encode()
        assert type(found["code"]) is str
        assert type(found["message"]) is str
        assert len(text) < 4 * BOUNDS.chars


@pytest.mark.parametrize("length", [0, 1, BOUNDS.causes, BOUNDS.causes + 1, 50, 5_000, 100_000])
def test_the_root_cause_is_always_kept_and_the_rest_is_counted(length: int) -> None:
    """However long the chain, its root is on the wire and the payload says how many causes are not."""
    found = links(to_payload(chain(length)))
    assert found[-1]["message"] == "cause 0"
    assert found[0]["message"] == f"cause {length}"
    left = found[0].get("elided", {}).get("causes", 0)
    assert len(found) - 1 + left == length
    assert len(found) <= BOUNDS.causes + 1


def test_a_circular_chain_ends() -> None:
    """Causes that form a ring end where they meet themselves (jd/tenacity/issues/658)."""
    first, second = NetError.REFUSED("first", host="h"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert [link["message"] for link in links(to_payload(first))] == ["first", "second"]
    own = NetError.REFUSED("own", host="h")
    own.__cause__ = own
    assert len(links(to_payload(own))) == 1


def test_what_was_being_handled_counts_as_cause_unless_suppressed() -> None:
    """A forgotten `from` does not lose the root cause; `from None` does hide it."""

    def fail(*, hide: bool) -> CodedError:
        try:
            try:
                raise OSError("disk")
            except OSError:
                if hide:
                    raise NetError.REFUSED("outer", host="h") from None
                raise NetError.REFUSED("outer", host="h")  # noqa: B904 (the point of the test)
        except NetError as error:
            return error

    assert links(to_payload(fail(hide=False)))[-1]["message"] == "disk"
    assert "cause" not in to_payload(fail(hide=True))


def test_groups_keep_their_members_and_notes() -> None:
    """An exception group shows its members, nested ones too, and says how many it leaves out.
    https://github.com/python-attrs/cattrs/pull/408
    """
    inner: ExceptionGroup[Exception] = ExceptionGroup("inner", [NetError.TIMEOUT("t", host="h")])
    members: list[Exception] = [ValueError(str(number)) for number in range(100)]
    members.append(inner)
    group: ExceptionGroup[Exception] = ExceptionGroup("outer", members)
    group.add_note("while syncing")
    found = to_payload(group)
    assert found["message"].startswith("outer")
    assert found["notes"] == ["while syncing"]
    assert len(found["group"]) == BOUNDS.group
    assert found["elided"]["items"] == 101 - BOUNDS.group
    assert to_payload(inner)["group"][0]["code"] == "net.timeout"
    assert to_payload(from_payload(to_payload(inner)))["group"][0]["code"] == "net.timeout"


def test_groups_nested_a_thousand_deep_have_a_payload() -> None:
    """Depth of groups is bounded like all else."""
    error: Exception = ValueError("leaf")
    for _ in range(1_000):
        error = ExceptionGroup[Exception]("level", [error])
    json.dumps(to_payload(error))


def test_secrets_do_not_leave_in_any_field() -> None:
    """Message, hint, notes, details and causes are redacted (MehdiZare/fmp-data/issues/94)."""
    error = NetError.REFUSED("password=hunter2", host="https://u:hunter2@h/?token=hunter2", token="hunter2")
    error.override(hint="Run with --password hunter2.", context={"password": "hunter2"})
    error.add_note("Authorization: Bearer hunter2hunter2")
    error.__cause__ = ValueError("GET https://x/?api_key=hunter2 failed")
    assert "hunter2" not in dumps(error)
    assert "hunter2" not in repr(error)


class TestAudience:
    """What a reader outside the program sees."""

    def test_a_code_that_is_not_public_shows_code_and_title_only(self) -> None:
        """Message, hint and details of a non-public code stay home."""
        assert to_payload(NetError.REFUSED("db7 refused", host="db7"), audience="public") == {
            "v": 1,
            "code": "net.refused",
            "message": "Connection refused",
            "retryable": False,
        }

    @pytest.mark.parametrize(
        "error", [ValueError("secret path"), "text", CodedError("ghost.code", "from elsewhere")]
    )
    def test_the_unknown_says_internal_error(self, error: object) -> None:
        """A foreign error and an unknown code say nothing of what happened (fails closed)."""
        assert to_payload(error, audience="public")["message"] == "Internal error"

    def test_causes_notes_and_log_paths_stay_home(self) -> None:
        """A public error shows its public causes, and neither notes nor paths."""
        error = NetError.TIMEOUT("no answer", host="h")
        error.add_note("inside")
        error.note_facts(log_path="/var/log/x", diagnostic_id="d1")
        error.__cause__ = ValueError("inside")
        error.__cause__.__cause__ = NetError.TIMEOUT("deeper", host="h")
        found = to_payload(error, audience="public")
        assert [link["message"] for link in links(found)] == ["no answer", "deeper"]
        assert found["diagnostic_id"] == "d1"
        assert "inside" not in json.dumps(found)
        assert "log_path" not in found

    def test_no_payload_makes_a_code_public(self) -> None:
        """Publicness comes from the local registry, whatever a sender claims."""
        sent = {"code": "net.refused", "message": "db7", "public": True, "kind": "outcome"}
        assert not from_payload(sent, registry=REG).public
        assert (
            to_payload(from_payload(sent, registry=REG), audience="public")["message"] == "Connection refused"
        )


def test_a_round_trip_changes_nothing() -> None:
    """`to_payload` of the revived error equals the payload it came from, hop after hop."""
    error = NetError.TIMEOUT("no answer", host="h", port=80).override(
        retryable=False, retries_spent=True, supported_on="linux"
    )
    error.add_note("n")
    error.__cause__ = KeyError("k")
    first = to_payload(error)
    second = to_payload(loads(json.dumps(first), registry=REG))
    assert second == first
    assert to_payload(loads(json.dumps(second), registry=REG)) == first


def test_the_name_picks_among_registered_classes_only() -> None:
    """A payload's class name selects a class bound to the code; any other name is only kept."""
    sent = to_payload(SlowError("slow", host="h"))
    assert sent["name"] == "SlowError"
    assert type(from_payload(sent, registry=REG)) is SlowError
    other = from_payload({**sent, "name": "os.system"}, registry=REG)
    assert type(other) is NetError
    assert to_payload(other)["name"] == "os.system"


def test_unknown_codes_fields_and_numbers_survive_a_second_hop() -> None:
    """What a newer sender says is sent on (microsoft/agent-host-protocol/issues/366)."""
    sent = {
        "v": 3,
        "code": "new.code",
        "message": "m",
        "retryable": True,
        "number": 9999,
        "kind": "transient",
        "future": {"a": [1]},
        "details": {"x": 1},
    }
    found = from_payload(sent)
    assert (type(found), found.code, found.retryable, found.number, dict(found.details)) == (
        CodedError,
        "new.code",
        True,
        9999,
        {"x": 1},
    )
    assert {key: to_payload(found)[key] for key in sent if key != "v"} == {
        key: value for key, value in sent.items() if key != "v"
    }


def test_the_senders_verdict_wins() -> None:
    """`retryable` on the wire beats the local registry, both ways (temporalio/sdk-ruby/issues/338)."""
    assert from_payload({"code": "net.refused", "message": "m", "retryable": True}, registry=REG).retryable
    assert not from_payload(
        {"code": "net.timeout", "message": "m", "retryable": False}, registry=REG
    ).retryable
    assert from_payload({"code": "net.timeout", "message": "m"}, registry=REG).retryable
    assert not from_payload({"code": "ghost.code", "message": "m"}).retryable


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        (None, "$"),
        (5, "$"),
        ("text", "$"),
        ([], "$"),
        ({}, "$.code"),
        ({"code": "a.b"}, "$.message"),
        ({"code": 5, "message": "m"}, "$.code"),
        ({"code": "", "message": "m"}, "$.code"),
        ({"code": "a" * 600, "message": "m"}, "$.code"),
        ({"code": "a.b", "message": None}, "$.message"),
        ({"v": 0, "code": "a.b", "message": "m"}, "$.v"),
        ({"v": "1", "code": "a.b", "message": "m"}, "$.v"),
        ({"v": True, "code": "a.b", "message": "m"}, "$.v"),
    ],
)
def test_junk_gives_a_coded_error_with_the_place(payload: object, place: str) -> None:
    """Bad input is an `errkit.malformed_payload` naming the path of the fault, never another exception."""
    found = from_payload(payload)
    assert found.code == "errkit.malformed_payload"
    assert found.details["place"] == place
    assert found.details_problem is None


def test_who_can_not_go_on_raises_what_junk_gave() -> None:
    """The error that stands in for a payload may be raised like any other."""
    with pytest.raises(CodedError, match="payload"):
        raise from_payload("<html>502 Bad Gateway</html>")


def test_a_broken_cause_does_not_spoil_the_error() -> None:
    """The error keeps its own facts; the fault stands where the cause was."""
    found = from_payload(
        {"code": "net.busy", "message": "m", "cause": {"code": "x", "message": 5}}, registry=REG
    )
    assert found.code == "net.busy"
    cause = found.__cause__
    assert isinstance(cause, CodedError)
    assert (cause.code, cause.details["place"]) == ("errkit.malformed_payload", "$.cause.message")


def test_a_very_deep_payload_is_read_with_its_root() -> None:
    """Depth neither overflows the stack nor loses the root."""
    payload: dict[str, Any] = {"code": "root.code", "message": "root"}
    for _ in range(20_000):
        payload = {"code": "net.busy", "message": "m", "cause": payload}
    found = links(to_payload(from_payload(payload, registry=REG)))
    assert found[-1]["code"] == "root.code"
    assert len(found) - 1 + found[0]["elided"]["causes"] == 20_000


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 200_000, "<html>", b"\xff\xfe{", '{"code": NaN}', "1" * 5_000, "null"]
)
def test_text_that_is_no_payload_gives_a_coded_error(text: str | bytes) -> None:
    """`loads` never raises, on HTML, broken JSON, bad bytes, huge numbers and 200,000 open brackets."""
    assert loads(text).code == "errkit.malformed_payload"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)
KEYS = tuple(
    "v code message retryable number name kind alert retry_after retries_spent hint docs details supported_on"
    " diagnostic_id log_path notes cause group secondary elided other".split()
)
PAYLOADS = st.fixed_dictionaries(
    {"code": st.text(min_size=1), "message": st.text()}, optional=dict.fromkeys(KEYS[3:], JSON_VALUES)
)


@given(JSON_VALUES | PAYLOADS | st.dictionaries(st.sampled_from(KEYS), JSON_VALUES))
def test_any_json_value_is_read_and_sent_on(value: object) -> None:
    """Whatever arrives becomes a coded error whose own payload is stable from then on."""
    found = from_payload(value, registry=REG)
    assert isinstance(found, CodedError)
    payload = to_payload(found)
    json.dumps(payload, allow_nan=False)
    assert to_payload(from_payload(payload, registry=REG)) == payload


def test_a_signalled_failure_has_a_payload_without_being_raised() -> None:
    """`make_payload` takes a known or an unknown code and never has a cause."""
    assert make_payload("validation.failed", "no", details={"field": "x"})["details"] == {"field": "x"}
    assert make_payload("ghost.code", "boo") == {
        "v": 1,
        "code": "ghost.code",
        "message": "boo",
        "retryable": False,
    }


@pytest.mark.parametrize("key", ["toString", "constructor", "__class__", "__init__", "errkit.__proto__"])
def test_names_of_the_language_are_no_codes(key: str) -> None:
    """A code that is the name of an attribute is as unknown as any other."""
    found = make_payload(key, "m")
    assert (found["code"], found["retryable"]) == (key, False)


def test_objects_that_look_like_coded_errors_keep_their_code() -> None:
    """A mapping or object with a registered code and a text message is coded; one of the two alone is not."""

    class Revived:
        code = "validation.failed"
        message = "no"
        details = {"field": "x"}

    assert to_payload(Revived())["code"] == "validation.failed"
    assert to_payload({"code": "validation.failed", "message": "no"})["message"] == "no"
    assert to_payload({"code": "internal"})["code"] == "internal"
    assert "internal" in to_payload({"code": "internal"})["message"]


# --- exceptions with the shape of a coded error -----------------------------------------------------


class ForeignCoded(Exception):
    """What another library calls a coded error: a code and a message, and perhaps details."""

    def __init__(self, code: Any, message: Any, **more: Any) -> None:
        super().__init__("what str() says")
        self.code, self.message = code, message
        vars(self).update(more)


class ForeignGroup(ExceptionGroup[Exception]):
    code = "validation.failed"


def test_an_exception_with_a_registered_code_keeps_it() -> None:
    """What `is_coded_error` calls coded is so on the wire: code, message, details, verdict, notes."""
    shape = ForeignCoded("validation.failed", "name is empty", details={"field": "name", "password": "x1y2"})
    shape.add_note("on line 3")
    assert is_coded_error(shape)
    coded = CodedError("validation.failed", "name is empty", details={"field": "name", "password": "x1y2"})
    assert to_payload(shape) == {
        **to_payload(coded),
        "name": "ForeignCoded",
        "notes": ["on line 3"],
    }
    assert is_retryable(shape) is False
    assert format_error(shape).startswith("[validation.failed] name is empty")
    public = to_payload(shape, audience="public")
    assert (public["code"], public["message"], "notes" in public) == (
        "validation.failed",
        "name is empty",
        False,
    )


def test_what_was_said_of_the_one_failure_is_kept() -> None:
    """Hint, verdict, pause and diagnostic id of the exception win over its code, if they fit."""
    said: dict[str, Any] = {
        "hint": "Type a name.",
        "retryable": True,
        "retry_after": 2,
        "diagnostic_id": "d-1",
        "log_path": "/log",
    }
    payload = to_payload(ForeignCoded("validation.failed", "m", **said))
    assert {key: payload[key] for key in said} == said
    assert is_retryable(ForeignCoded("validation.failed", "m", **said))
    junk: dict[str, Any] = {"hint": 3, "retryable": "yes", "retry_after": "soon", "details": "none"}
    payload = to_payload(ForeignCoded("validation.failed", "m", **junk))
    assert payload == {**to_payload(CoreError.VALIDATION_FAILED("m")), "name": "ForeignCoded"}


@pytest.mark.parametrize(
    "shape",
    [
        ForeignCoded("no.such_code", "m"),
        ForeignCoded(3, "m"),
        ForeignCoded("validation.failed", 3),
        ForeignCoded(None, None),
    ],
)
def test_a_code_that_nobody_registered_stays_foreign(shape: ForeignCoded) -> None:
    """A `code` alone makes no coded error: many libraries have such an attribute."""
    assert not is_coded_error(shape)
    assert to_payload(shape)["code"] == "internal"
    assert to_payload(shape)["message"] == "what str() says"


def test_the_shape_is_seen_at_every_depth() -> None:
    """As a cause, behind a cause, in a group, among failures of cleanup; each keeps its own causes."""
    shape = ForeignCoded("validation.failed", "m", details={"field": "f"})
    shape.__cause__ = ValueError("root")
    outer = RuntimeError("outer")
    outer.__cause__ = shape
    top = NetError.REFUSED("m", host="h")
    top.__cause__ = outer
    names = [(link["code"], link.get("name")) for link in links(to_payload(top))]
    assert names == [
        ("net.refused", "NetError"),
        ("internal", "RuntimeError"),
        ("validation.failed", "ForeignCoded"),
        ("internal", "ValueError"),
    ]
    group = to_payload(ExceptionGroup("g", [shape]))["group"][0]
    assert (group["code"], group["details"], group["cause"]["message"]) == (
        "validation.failed",
        {"field": "f"},
        "root",
    )
    beside = NetError.REFUSED("m", host="h")
    beside.note_facts(secondary=(shape,))
    assert to_payload(beside)["secondary"] == [group]


def test_a_group_may_have_a_code_too() -> None:
    """Its members are kept beside its code."""
    payload = to_payload(ForeignGroup("two fields", [ValueError("a"), KeyError("b")]))
    assert (payload["code"], payload["message"], len(payload["group"])) == (
        "validation.failed",
        "two fields",
        2,
    )


def test_a_cause_with_a_shape_is_shown_to_the_public_only_if_its_code_is_public() -> None:
    """It is judged by its code, as any coded error."""
    for code_text, shown in (("validation.failed", True), ("internal", False)):
        top = NetError.TIMEOUT("m", host="h")
        top.__cause__ = ForeignCoded(code_text, "of the cause")
        payload = to_payload(top, audience="public")
        assert ("cause" in payload) is shown
        assert ("of the cause" in json.dumps(payload)) is shown


def test_as_coded_keeps_code_details_and_the_exception_itself() -> None:
    """The new error has what the shape says, and the exception with its causes behind it."""
    shape = ForeignCoded("validation.failed", "m", details={"field": "f"}, hint="Type.")
    shape.__cause__ = root = ValueError("root")
    found = as_coded(shape, fallback="not_implemented")
    assert isinstance(found, CoreError)
    assert (found.code, found.message, dict(found.details), found.hint) == (
        "validation.failed",
        "m",
        {"field": "f"},
        "Type.",
    )
    assert found.__cause__ is shape
    assert shape.__cause__ is root
    assert unwrap_cause(found) is shape
    assert [link["message"] for link in links(to_payload(found))] == ["m", "m", "root"]
    assert as_coded(found) is found


def test_a_shape_with_traps_is_read_as_far_as_it_goes() -> None:
    """Attributes that raise are left out, and the code stays."""

    class Trap(Exception):
        code = "validation.failed"
        message = "m"

        @property
        def details(self) -> Any:
            raise RuntimeError("no details")

        @property
        def hint(self) -> Any:
            raise RuntimeError("no hint")

    assert to_payload(Trap()) == {**to_payload(CoreError.VALIDATION_FAILED("m")), "name": "Trap"}
    assert as_coded(Trap()).code == "validation.failed"


# --- bounds on whole families -----------------------------------------------------------------------


def count(payload: dict[str, Any]) -> int:
    """The errors of a payload, members and causes included."""
    members = [*payload.get("group", ()), *payload.get("secondary", ())]
    cause = [payload["cause"]] if "cause" in payload else []
    return 1 + sum(count(member) for member in members + cause)


def test_an_error_among_its_own_family_is_left_out_and_counted() -> None:
    """Members that lead back to an error on the way to them end there; else each would hold all others."""
    error = ValueError("x")
    error.__cause__ = ExceptionGroup("g", [error] * 20)
    payload = to_payload(error)
    assert (count(payload), payload["elided"]["items"]) == (2, 20)
    primary = NetError.REFUSED("primary", host="h")
    failures = [OSError(f"step {number}") for number in range(20)]
    for failure in failures:
        failure.__context__ = primary
    primary.note_facts(secondary=(*failures, primary))
    payload = to_payload(primary)
    assert [member["message"] for member in payload["secondary"]] == [str(failure) for failure in failures]
    assert (count(payload), payload["elided"]["items"]) == (21, 1)


def test_shared_members_are_copied() -> None:
    """The same error at two places is no circle: it stands at both."""
    shared = ValueError("shared")
    error = NetError.REFUSED("m", host="h")
    error.__cause__ = shared
    group: Exception = ExceptionGroup("g", [shared, shared])
    error.note_facts(secondary=(shared, group))
    assert count(to_payload(error)) == 6
    assert "elided" not in to_payload(error)


def test_the_number_of_errors_is_bounded() -> None:
    """Groups that hold one another many times over end at a bound, and the rest is counted."""
    top: Exception = ValueError("leaf")
    for _ in range(6):
        members: list[Exception] = [top] * 20
        top = ExceptionGroup("g" * 10_000, members)
    payload = to_payload(top)
    assert 100 < count(payload) < 450
    assert payload["elided"]["items"] > 20
    assert len(json.dumps(payload)) < 4 * BOUNDS.chars


def test_a_payload_that_is_its_own_cause_is_read() -> None:
    """A circle that only a program can make, and no JSON, ends as well."""
    payload: dict[str, Any] = {"code": "net.busy", "message": "m"}
    payload["cause"] = payload
    assert from_payload(payload, registry=REG).code == "net.busy"


def test_secrets_under_unknown_keys_do_not_travel_on() -> None:
    """What a sender adds on top is redacted like the details."""
    sent = {"code": "net.busy", "message": "m", "password": "hunter2", "extra": {"token": "hunter2"}}
    for found in (to_payload(sent), to_payload(from_payload(sent, registry=REG))):
        assert "hunter2" not in json.dumps(found)
        assert found["password"] == "[REDACTED]"


def test_what_an_earlier_hop_left_out_is_still_said() -> None:
    """Counts of causes, items and characters are handed on."""
    elided = {"causes": 3, "items": 5, "chars": 7}
    assert (
        to_payload(from_payload({"code": "net.busy", "message": "m", "elided": elided}))["elided"] == elided
    )
