"""A declared code: text with facts that builds errors, and reads them again wherever they come from."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import pytest
from hypothesis import given, strategies as st

from errkit import (
    CodedError,
    CoreError,
    Details,
    ErrorSpec,
    Reason,
    Registry,
    Secret,
    code,
    dumps,
    from_payload,
    loads,
    to_payload,
)
from errkit.codes import KINDS, Declaration, text_of
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from errkit.codes import Kind

REG = Registry("test_codes")


class Mode(Enum):
    READ = "r"
    WRITE = "w"


class PathDetails(Details):
    """Where a file-system call failed."""

    path: str
    op: str
    errno: str | None = None


class RichDetails(Details):
    """One field of each type that JSON does not have."""

    when: datetime
    path: Path
    ident: UUID
    amount: Decimal
    mode: Mode
    raw: bytes
    days: list[date] = []
    owner: Secret[int] = 0
    note: int = 0


class FsError(CodedError, domain="os.fs", title="Host file system", numbers=range(100, 200), registry=REG):
    """A file-system call failed."""

    NOT_FOUND = code(
        "File or folder not found",
        PathDetails,
        number=101,
        public=True,
        hint="Check the path.",
        aliases=("fs.missing", "E-NOFILE"),
        example={"path": "/srv/a.txt", "op": "read"},
        http_status=404,
        since="1.2",
        deprecated="2.0",
        replaced_by="os.fs.gone",
        docs="https://example.org/fs",
    )
    BUSY = code("File system is busy", kind="transient", retry_after=2)
    RICH = code("Everything at once", RichDetails)
    DECLINED = code("Declined", reasons={"late": Reason(title="Too late", hint="Come earlier.")})


class Sub(FsError):
    """Narrows the domain."""


# --- a code is text -------------------------------------------------------------------------------------


def test_a_code_is_its_string() -> None:
    """A code equals, hashes and sorts like its string, and finds what is stored under that string."""
    assert isinstance(FsError.NOT_FOUND, str)
    assert FsError.NOT_FOUND == "os.fs.not_found"
    assert hash(FsError.NOT_FOUND) == hash("os.fs.not_found")
    assert {"os.fs.not_found": 1}[FsError.NOT_FOUND] == 1
    by_code: dict[str, int] = {FsError.NOT_FOUND: 1}
    assert by_code["os.fs.not_found"] == 1
    assert sorted(["os.fs.z", FsError.NOT_FOUND, FsError.BUSY]) == [
        "os.fs.busy",
        "os.fs.not_found",
        "os.fs.z",
    ]


def test_a_code_is_written_like_its_string() -> None:
    """JSON, formatting and joining write the code. An enumeration would write the name of its class:
    https://github.com/python/cpython/issues/100458
    """
    assert json.dumps({FsError.BUSY: FsError.BUSY}) == '{"os.fs.busy": "os.fs.busy"}'
    assert f"{FsError.BUSY} {FsError.BUSY!s:>12}" == "os.fs.busy   os.fs.busy"
    assert "os.fs.busy" in FsError.BUSY.split(",")


def test_a_code_matches_in_match_statements() -> None:
    """`case FsError.NOT_FOUND:` matches the code of an error and plain text alike."""

    def meaning(found: str) -> str:
        match found:
            case FsError.NOT_FOUND:
                return "missing"
            case FsError.BUSY:
                return "busy"
            case _:
                return "other"

    assert meaning(FsError.NOT_FOUND(path="a", op="b").code) == "missing"
    assert meaning("os.fs.busy") == "busy"
    assert meaning("os.fs") == "other"


def test_errors_and_payloads_hold_exact_text() -> None:
    """Whatever leaves the process carries a plain `str`: execnet refuses subclasses of it.
    https://github.com/pytest-dev/pytest-xdist/issues/304
    """
    error = FsError.NOT_FOUND("gone", path="a", op="read")
    assert type(error.code) is str
    assert type(to_payload(error)["code"]) is str
    assert type(error.spec.code) is str
    assert type(CodedError(FsError.NOT_FOUND, "gone").code) is str


def test_a_code_stays_itself_in_copies_and_pickles() -> None:
    """A copy is the same object; a pickle finds the code of the process that reads it."""
    assert copy.copy(FsError.BUSY) is FsError.BUSY
    assert copy.deepcopy({"code": FsError.BUSY})["code"] is FsError.BUSY
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(FsError.BUSY, protocol)) is FsError.BUSY


def test_a_code_that_is_not_known_here_comes_out_of_a_pickle_as_text() -> None:
    """Where its domain is not registered, the text of a code remains."""
    registry = Registry("test_codes.other")
    with registry.scoped():

        class Gone(CodedError, domain="gone", registry=registry):
            AWAY = code("Away")

        pickled = pickle.dumps([Gone.AWAY, Gone.AWAY.spec])
    assert copy.copy(Gone.AWAY) is copy.deepcopy(Gone.AWAY) is Gone.AWAY
    assert copy.copy(Gone.AWAY.spec) is copy.deepcopy(Gone.AWAY.spec) is Gone.AWAY.spec
    text, spec = pickle.loads(pickled)
    assert (type(text), text) == (str, "gone.away")
    assert (spec.code, spec.public, spec.retryable) == ("gone.away", False, False)


# --- facts ----------------------------------------------------------------------------------------------


def test_the_facts_of_a_code_are_on_its_spec() -> None:
    """Everything that `code()` was told stands on `.spec`, as it was told."""
    spec = FsError.NOT_FOUND.spec
    assert isinstance(spec, ErrorSpec)
    facts = {
        "code": "os.fs.not_found",
        "const": "NOT_FOUND",
        "domain": "os.fs",
        "title": "File or folder not found",
        "details": PathDetails,
        "number": 101,
        "kind": "terminal",
        "public": True,
        "hint": "Check the path.",
        "alert": True,
        "retry_after": None,
        "http_status": 404,
        "example": {"path": "/srv/a.txt", "op": "read"},
        "since": "1.2",
        "deprecated": "2.0",
        "replaced_by": "os.fs.gone",
        "aliases": ("fs.missing", "E-NOFILE"),
        "docs": "https://example.org/fs",
        "reasons": {},
        "registry": "test_codes",
        "cls": FsError,
    }
    assert {name: getattr(spec, name) for name in facts} == facts


def test_the_rest_of_the_facts_has_defaults() -> None:
    """Only the title is required; a code is terminal and not public unless it says so."""
    spec = FsError.RICH.spec
    assert (spec.kind, spec.public, spec.number, spec.hint, spec.aliases) == ("terminal", False, None, "", ())
    assert (spec.example, spec.http_status, spec.retry_after, spec.reasons) == (None, None, None, {})
    assert FsError.BUSY.spec.retry_after == 2.0
    assert isinstance(FsError.BUSY.spec.retry_after, float)


def test_the_facts_cannot_be_changed() -> None:
    """Neither the spec nor the mappings in it can be written to, and the caller's own are not kept."""
    example = {"path": "a", "op": "b"}

    class Kept(CodedError, domain="kept", registry=Registry()):
        X = code("X", PathDetails, example=example, reasons={"a": "A"})

    example["path"] = "changed"
    assert Kept.X.spec.example == {"path": "a", "op": "b"}
    with pytest.raises(AttributeError):
        Kept.X.spec.title = "Y"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        Kept.X.spec.example["path"] = "c"  # type: ignore[index]  # pyright: ignore[reportIndexIssue, reportOptionalSubscript]
    with pytest.raises(TypeError):
        Kept.X.spec.reasons["b"] = Reason(title="B")  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


@pytest.mark.parametrize(
    ("kind", "retryable", "alert"),
    [
        ("terminal", False, True),
        ("transient", True, True),
        ("outcome", False, False),
        ("cancelled", False, False),
        ("bug", False, True),
    ],
)
def test_retry_and_alarm_follow_from_the_kind(kind: Kind, retryable: bool, alert: bool) -> None:
    """The table of kinds: one field says whether to retry and whether to alert; only `alert` may differ."""

    class Kinds(CodedError, domain="kinds", registry=Registry()):
        PLAIN = code("Plain", kind=kind)
        LOUD = code("Loud", kind=kind, alert=True)
        QUIET = code("Quiet", kind=kind, alert=False)

    assert (Kinds.PLAIN.spec.retryable, Kinds.PLAIN.spec.alert) == (retryable, alert)
    assert (Kinds.PLAIN().retryable, Kinds.PLAIN().alert, Kinds.PLAIN().kind) == (retryable, alert, kind)
    assert (Kinds.LOUD.spec.retryable, Kinds.LOUD().alert) == (retryable, True)
    assert (Kinds.QUIET.spec.retryable, Kinds.QUIET().alert) == (retryable, False)


def test_the_table_of_kinds_is_whole() -> None:
    """There are five kinds."""
    assert KINDS == ("terminal", "transient", "outcome", "cancelled", "bug")


def test_the_place_of_a_code_is_the_line_of_its_call() -> None:
    """`file` and `line` name the line on which `code(` stands, however long the call is."""
    with open(__file__, encoding="utf-8") as source:
        lines = source.read().splitlines()
    for constant in (FsError.NOT_FOUND, FsError.BUSY, FsError.DECLINED):
        spec = constant.spec
        assert spec.file == __file__
        assert lines[spec.line - 1].strip().startswith(f"{spec.const} = code(")
        assert spec.place == f"{__file__}:{spec.line}"


def test_a_spec_is_itself_only() -> None:
    """Two registries share one spec, so specs are equal by identity; copies give the same one."""
    spec = FsError.BUSY.spec
    assert copy.copy(spec) is copy.deepcopy(spec) is spec
    assert pickle.loads(pickle.dumps(spec)) is spec
    assert repr(spec) == "<ErrorSpec os.fs.busy transient: File system is busy>"
    assert repr(FsError.NOT_FOUND.spec).startswith("<ErrorSpec os.fs.not_found 101 terminal")
    assert spec.facts()["kind"] == "transient"
    assert "cls" not in spec.facts()


# --- building -------------------------------------------------------------------------------------------


def test_calling_a_code_builds_the_domains_exception() -> None:
    """The error is an instance of exactly the domain's class, with the message, the details and the code."""
    error = FsError.NOT_FOUND("no such file", path="/a", op="read")
    assert type(error) is FsError
    assert error.args == ("no such file",)
    assert str(error) == error.message == "no such file"
    assert error.details == {"path": "/a", "op": "read"}
    assert error.spec is FsError.NOT_FOUND.spec
    assert error.details_problem is None


def test_every_call_builds_a_new_error() -> None:
    """A code is a factory: an instance that is raised twice grows its traceback and mixes threads.
    https://github.com/python/cpython/issues/90873
    """
    one, other = FsError.BUSY(), FsError.BUSY()
    assert one is not other
    assert one != other
    assert one.details == other.details
    with pytest.raises(TypeError, match="exceptions must derive from BaseException"):
        raise cast("Any", FsError.BUSY)


def test_a_code_reached_through_a_subclass_builds_that_subclass() -> None:
    """`Sub.X` builds a `Sub`, also for a code of the base, and has the same facts."""
    error = Sub.NOT_FOUND("gone", path="a", op="b")
    assert type(error) is Sub
    assert Sub.NOT_FOUND == FsError.NOT_FOUND
    assert Sub.NOT_FOUND.spec is FsError.NOT_FOUND.spec
    assert type(FsError.NOT_FOUND(path="a", op="b")) is FsError


def test_the_message_defaults_to_the_title() -> None:
    """A throw site that says nothing gives the title of the code."""
    assert FsError.BUSY().message == "File system is busy"
    assert FsError.BUSY(None).args == ("File system is busy",)
    assert FsError.BUSY("").message == ""
    assert cast("Any", FsError.BUSY)(3).message == "3"
    assert FsError.BUSY(FsError.NOT_FOUND).message == "os.fs.not_found"


@every_hostile_object
def test_a_throw_site_takes_whatever_it_is_given(value: Any) -> None:
    """No message, no detail and no surplus argument makes a throw site fail, nor what is read afterwards."""
    throw = cast("Any", FsError.NOT_FOUND)
    for error in (throw(value), throw("m", path=value), throw("m", value, value, other=value)):
        assert isinstance(error, FsError)
        assert type(str(error)) is str
        assert type(error.args[0]) is str
        assert error.details_problem
        assert type(repr(error)) is str
        assert from_payload(to_payload(error)).code == "os.fs.not_found"


def test_keys_that_do_not_fit_are_kept_and_noted() -> None:
    """Missing, unknown and ill-typed keys stay in the details; `details_problem` says which they are."""
    throw = cast("Any", FsError.NOT_FOUND)
    error = throw("gone", "and more", path=3, wrong=1)
    assert error.details == {"path": 3, "wrong": 1, "positional": ("and more",)}
    assert error.details_problem == "path is no str: int; missing: op; unknown: positional; unknown: wrong"
    assert throw("gone").details_problem == "missing: path; missing: op"
    assert cast("Any", FsError.BUSY)(host="a").details_problem == "unknown: host"


def test_names_of_its_own_parameters_are_no_trap() -> None:
    """A detail may be called like a parameter of the machinery that builds the error."""
    names = ("self", "cls", "message", "extra", "details", "args", "code", "spec")
    error = cast("Any", FsError.BUSY)("busy", **dict.fromkeys(names, 1))
    assert error.message == "busy"
    assert error.details == dict.fromkeys(names, 1)


@given(st.dictionaries(st.text(), st.integers()), st.text())
def test_any_text_can_be_a_key_or_a_message(details: dict[str, int], message: str) -> None:
    """Whatever text the keywords are, braces and percent signs included: nothing is formatted.
    https://github.com/kislyuk/ensure/issues/31
    """
    error = cast("Any", FsError.BUSY)(message, **details)
    assert (error.message, error.details) == (message, details)


# --- matching -------------------------------------------------------------------------------------------


def test_match_gives_the_typed_details_or_none() -> None:
    """`match` tells codes apart and gives the details typed; an absent optional field has its default."""
    error = FsError.NOT_FOUND("gone", path="/a", op="read")
    found = FsError.NOT_FOUND.match(error)
    assert found == PathDetails(path="/a", op="read")
    assert found is not None
    assert found.errno is None
    assert FsError.BUSY.match(error) is None
    assert FsError.BUSY.match(FsError.BUSY()) is not None
    assert Sub.NOT_FOUND.match(error) == found


def test_match_reads_revived_values() -> None:
    """After a trip over the wire each declared type is itself again."""
    values: dict[str, Any] = {
        "when": datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        "path": Path("/srv/a"),
        "ident": UUID(int=7),
        "amount": Decimal("1.10"),
        "mode": Mode.WRITE,
        "raw": b"\x00\xff",
        "days": [date(2026, 5, 6)],
    }
    revived = loads(dumps(FsError.RICH(**values)), registry=REG)
    assert revived.details["when"] == "2026-01-02T03:04:00+00:00"
    assert FsError.RICH.match(revived) == RichDetails(**values)
    assert revived.details_problem is None


def test_match_keeps_what_was_redacted_on_the_way() -> None:
    """A secret field holds the placeholder after the trip, and the match holds still."""
    error = FsError.RICH(
        when=datetime.now(UTC),
        path=Path("a"),
        ident=UUID(int=1),
        amount=Decimal(1),
        mode=Mode.READ,
        raw=b"",
        owner=7,
    )
    live, revived = FsError.RICH.match(error), FsError.RICH.match(loads(dumps(error), registry=REG))
    assert live is not None
    assert live.owner == 7
    assert revived is not None
    assert cast("Any", revived.owner) == "[REDACTED]"


@pytest.mark.parametrize(
    ("details", "found"),
    [
        ({"path": "a", "op": "b", "more": 1}, PathDetails(path="a", op="b")),
        ({"path": "a", "op": "b", "errno": 3}, PathDetails(path="a", op="b")),
        ({"path": "a"}, None),
        ({"path": "a", "op": None}, None),
        ({"path": ["a"], "op": "b"}, None),
        ({}, None),
    ],
)
def test_match_is_none_where_a_required_field_is_missing_or_wrong(
    details: dict[str, Any], found: PathDetails | None
) -> None:
    """Unknown fields are passed over, and an optional one that does not fit gets its default."""
    assert FsError.NOT_FOUND.match(CodedError(FsError.NOT_FOUND, "gone", details=details)) == found


def test_match_goes_by_the_code_and_not_by_the_class() -> None:
    """An object or a payload with the code matches, and so does one with a former spelling of it."""

    class Lookalike:
        code = "os.fs.not_found"
        message = "gone"
        details = {"path": "a", "op": "b"}

    payload = {"code": "fs.missing", "message": "gone", "details": {"path": "a", "op": "b"}}
    assert FsError.NOT_FOUND.match(Lookalike()) == PathDetails(path="a", op="b")
    assert FsError.NOT_FOUND.match(payload) == PathDetails(path="a", op="b")
    assert FsError.NOT_FOUND.match({"code": "os.fs.not_found"}) is None
    assert FsError.NOT_FOUND.match(from_payload(payload)) == PathDetails(path="a", op="b")


@every_hostile_object
def test_match_takes_anything(value: Any) -> None:
    """Whatever is asked about, the answer is no, and nothing is raised."""
    assert FsError.NOT_FOUND.match(value) is None
    assert FsError.NOT_FOUND.match({"code": FsError.NOT_FOUND, "message": "m", "details": value}) is None
    assert FsError.NOT_FOUND.match(ValueError(value)) is None


def test_a_code_without_details_matches_with_none_to_read() -> None:
    """The answer for a code that declares no details is still an object, so `if` works."""
    assert bool(CoreError.INTERNAL.match(CoreError.INTERNAL()))


# --- declaring ------------------------------------------------------------------------------------------


def test_a_code_outside_a_domain_says_so_when_it_is_used() -> None:
    """`code()` in a plain class makes nothing that can be raised, and says where it stands."""

    class Plain:
        LOST = code("Lost")

    with pytest.raises(
        CodedError, match=r"test_codes\.py:\d+ stands in .*Plain, which is no CodedError class"
    ) as caught:
        Plain.LOST()
    assert caught.value.code == "errkit.bad_declaration"
    assert isinstance(vars(Plain)["LOST"], Declaration)


def test_text_of_anything_is_exact_text() -> None:
    """Subclasses of `str` become plain, and what has no text has its type in brackets."""

    class Broken:
        def __str__(self) -> str:
            raise RuntimeError("no")

    assert type(text_of(FsError.BUSY)) is str
    assert text_of(3) == "3"
    assert text_of(Broken()) == "<unprintable Broken>"
