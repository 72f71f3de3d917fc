"""What an error carries, how classes are made, and how errors are built."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sys
import threading
import traceback
import weakref
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, strategies as st

from errkit import (
    REGISTRY,
    BugIndicatingError,
    CodedError,
    CoreError,
    Details,
    ErrkitError,
    ExpectedError,
    NoTelemetryError,
    Reason,
    Registry,
    Secret,
    UserCancelled,
    as_coded,
    classify,
    code,
    format_error,
    is_coded_error,
    is_error_code,
    is_retryable,
    not_implemented,
    to_payload,
    unwrap_cause,
)
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Callable

REG = Registry("test_errors", base_url="https://errors.example.org/")


class CallDetails(Details):
    host: str
    token: Secret[str] = ""


class NetError(CodedError, domain="net", title="Network", numbers=range(100, 200), registry=REG):
    """A call over the network failed."""

    TIMEOUT = code(
        "Host did not answer", CallDetails, number=101, kind="transient", retry_after=1.5, hint="Wait."
    )
    REFUSED = code(
        "Connection refused", CallDetails, number=102, public=True, docs="https://docs.example.org/r"
    )
    BUSY = code(
        "Busy",
        kind="transient",
        hint="Try later.",
        reasons={
            "lock": Reason(title="Locked", hint="Release the lock.", retryable=False),
            "load": "Too much load",
            "stop": Reason(title="Stopped", retryable=True),
        },
    )
    EXHAUSTED = code("All routes failed")


class RouteError(CodedError, domain="route", registry=REG):
    """A route could not be found."""

    LOST = code("Route lost")


class FirstExhausted(NetError, of=NetError.EXHAUSTED):
    """Bound to one code; picked by name."""


class FamilyExhausted(NetError, of=NetError.EXHAUSTED, default=True):
    """Bound to the same code, and what the code builds."""


class MissingHost(NetError, FileNotFoundError, of=NetError.REFUSED):
    """Keeps an old `except` clause alive."""


class NetSub(NetError):
    """Bound to no code."""


# --- what an error carries ------------------------------------------------------------------------------


def test_a_fresh_error_carries_the_facts_of_its_code() -> None:
    """Each attribute of a new error comes from the throw site or from the code."""
    error = NetError.TIMEOUT("no answer", host="a")
    carried = {
        "code": "net.timeout",
        "number": 101,
        "message": "no answer",
        "details": {"host": "a"},
        "hint": "Wait.",
        "kind": "transient",
        "retryable": True,
        "alert": True,
        "retry_after": 1.5,
        "retries_spent": False,
        "public": False,
        "docs_url": "https://errors.example.org/e/net.timeout/",
        "supported_on": None,
        "diagnostic_id": None,
        "log_path": None,
        "secondary": (),
        "cause_payload": None,
        "__cause__": None,
        "args": ("no answer",),
        "details_problem": None,
    }
    assert {name: getattr(error, name) for name in carried} == carried
    assert not hasattr(error, "__notes__")
    assert NetError.REFUSED(host="a").docs_url == "https://docs.example.org/r"
    assert CoreError.INTERNAL().docs_url is None


def test_text_is_the_message_alone_and_repr_is_redacted() -> None:
    """`str` gives the message as it was said; `repr` gives all but secrets."""
    error = NetError.TIMEOUT("Bearer abcdefghijklmnop123456 refused", host="a", token="hunter2")
    assert str(error) == "Bearer abcdefghijklmnop123456 refused"
    shown = repr(error)
    assert shown.startswith("NetError('net.timeout', ")
    assert "host='a'" in shown
    assert "hunter2" not in shown
    assert "abcdefghijklmnop" not in shown
    assert error.details["token"] == "hunter2"


def test_details_are_read_only() -> None:
    """The details are a mapping that can't be written to; the error itself can, as any exception."""
    error = NetError.TIMEOUT(host="a")
    assert isinstance(error.details, MappingProxyType)
    with pytest.raises(TypeError):
        error.details["host"] = "b"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    cast("Any", error).attempt = 3
    assert cast("Any", error).attempt == 3
    assert error.with_traceback(None) is error


def test_errors_are_equal_and_hash_by_identity() -> None:
    """Two errors with the same facts are two errors, and any error can be kept in a set.
    https://github.com/pallets/werkzeug/pull/1540
    """
    one, other = NetError.BUSY(), NetError.BUSY()
    assert one != other
    assert len({one, other}) == 2


def test_arguments_are_the_message_alone_at_every_time() -> None:
    """`args` is what any exception has, before and after a look; assigning changes the message."""
    error = NetError.TIMEOUT("a", host="b")
    assert error.args == ("a",)
    error.args = ("changed", 2)
    assert (error.message, error.args) == ("changed", ("changed", 2))
    unread = NetError.TIMEOUT("a", host="b")
    unread.args = ("before the first look",)
    assert (unread.message, unread.code, unread.details) == (
        "before the first look",
        "net.timeout",
        {"host": "b"},
    )
    unread.args = ()
    assert unread.message == "Host did not answer"


def test_many_threads_may_look_at_an_error_first() -> None:
    """An error that is raised in one thread is the same for all that look at it at once."""
    for _ in range(100):
        error = cast("Any", NetError.TIMEOUT)("a", "surplus", host="b")
        start = threading.Barrier(4)
        seen: list[Any] = []

        def look(error: CodedError = error, start: threading.Barrier = start, seen: list[Any] = seen) -> None:
            start.wait()
            seen.append((error.args, error.code, dict(error.details)))

        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [(("a",), "net.timeout", {"host": "b", "positional": ("surplus",)})] * 4


def test_an_error_is_whole_however_it_is_first_looked_at() -> None:
    """Whatever is asked for first, all of it is there."""
    looks: list[Callable[[CodedError], object]] = [
        lambda error: error.code,
        lambda error: error.details,
        lambda error: error.args,
        lambda error: error.message,
        repr,
        str,
        to_payload,
        lambda error: error.override(hint="x"),
        lambda error: error.add_note("n"),
        traceback.format_exception,
    ]
    for look in looks:
        error = NetError.TIMEOUT("a", host="b")
        look(error)
        assert (error.code, error.message, error.details) == ("net.timeout", "a", {"host": "b"})
        assert error.args == ("a",)


def test_tracebacks_and_logs_show_the_message() -> None:
    """The standard library prints a coded error like any other exception."""
    try:
        raise NetError.TIMEOUT("no answer", host="secret-host")
    except NetError as error:
        text = "".join(traceback.format_exception(error))
        record = logging.LogRecord("a", 40, "b", 1, "failed", (), sys.exc_info())
    assert text.rstrip().endswith("NetError: no answer")
    assert "secret-host" not in text.splitlines()[-1]
    assert "NetError: no answer" in logging.Formatter().format(record)


def test_nothing_keeps_an_error_alive() -> None:
    """Neither the registry nor a code holds on to errors, or to the frames behind their tracebacks.
    https://github.com/python/cpython/issues/75188
    """

    class Load:
        pass

    def fail() -> weakref.ref[Load]:
        load = Load()
        try:
            raise NetError.BUSY("x", reason="lock")
        except NetError as error:
            to_payload(error)
            repr(error)
        return weakref.ref(load)

    reference = fail()
    gc.collect()
    assert reference() is None


# --- one failure against its code -----------------------------------------------------------------------


def test_override_says_something_of_one_failure_and_returns_the_error() -> None:
    """What `override` says wins over the code, for this instance and no other."""
    error = NetError.TIMEOUT("a", host="b")
    same = error.override(
        hint="Go.",
        retryable=False,
        retry_after=60,
        retries_spent=True,
        supported_on="linux",
        context={"try": 2},
    )
    assert same is error
    assert (error.hint, error.retryable, error.retry_after) == ("Go.", False, 60.0)
    assert isinstance(error.retry_after, float)
    assert (error.retries_spent, error.supported_on) == (True, "linux")
    assert error.details == {"host": "b", "context": {"try": 2}}
    assert error.details_problem is None
    other = NetError.TIMEOUT(host="b")
    assert (other.hint, other.retryable, other.retry_after, other.details) == (
        "Wait.",
        True,
        1.5,
        {"host": "b"},
    )


def test_override_leaves_what_it_is_not_told() -> None:
    """Each call adds to what was said before; False and the empty text are things to say."""
    error = NetError.TIMEOUT(host="b").override(hint="").override(retryable=False).override()
    assert (error.hint, error.retryable, error.retry_after) == ("", False, 1.5)


@every_hostile_object
def test_override_takes_whatever_it_is_given(value: Any) -> None:
    """`override` stands at throw sites, so it never fails; what makes no sense is not said."""
    error = NetError.TIMEOUT(host="b").override(
        hint=value, retry_after=value, retries_spent=None, supported_on=value, context=value
    )
    assert isinstance(error.hint, str)
    assert error.retry_after is None or isinstance(error.retry_after, float)
    assert to_payload(error)["code"] == "net.timeout"


def test_retries_that_are_spent_end_the_retrying() -> None:
    """`retries_spent` leaves the verdict of the code, and makes `is_retryable` say no."""
    error = NetError.TIMEOUT(host="b")
    assert is_retryable(error)
    error.override(retries_spent=True)
    assert error.retryable
    assert not is_retryable(error)


@pytest.mark.parametrize(
    ("reason", "hint", "retryable"),
    [
        ("lock", "Release the lock.", False),
        ("load", "Try later.", True),
        ("stop", "Try later.", True),
        ("unheard of", "Try later.", True),
        (None, "Try later.", True),
        (["lock"], "Try later.", True),
    ],
)
def test_a_reason_refines_its_code(reason: Any, hint: str, retryable: bool) -> None:
    """The declared reason brings its own hint and verdict; any other value leaves those of the code."""
    error = NetError.BUSY(reason=reason)
    assert (error.hint, error.retryable) == (hint, retryable)
    assert NetError.BUSY(reason="lock").override(hint="Mine.", retryable=True).hint == "Mine."
    assert NetError.BUSY(reason="lock").override(retryable=True).retryable


# --- a class per code -----------------------------------------------------------------------------------


def test_several_classes_may_bind_one_code_and_be_raised_directly() -> None:
    """A bound class takes the message and the details itself, and has its code without being told."""
    error = FirstExhausted("none left", routes=3)
    assert (error.code, error.message, error.details) == ("net.exhausted", "none left", {"routes": 3})
    assert type(error) is FirstExhausted
    assert isinstance(error, NetError)
    assert FirstExhausted().message == "All routes failed"
    assert FirstExhausted("m", details={"a": 1}).details == {"a": 1}
    assert cast("Any", FirstExhausted)(3, 4).details == {"positional": (4,)}
    assert cast("Any", FirstExhausted)("m", self=1, cls=2).details == {"self": 1, "cls": 2}


def test_one_of_them_may_be_the_default() -> None:
    """The default is what the code builds, also by its string at run time; the others are built by name."""
    assert type(NetError.EXHAUSTED("m")) is FamilyExhausted
    assert NetError.EXHAUSTED("m").message == "m"
    assert type(cast("Any", CodedErrorOfNet("net.exhausted", "m"))) is FamilyExhausted
    assert CodedErrorOfNet("net.exhausted", "m").message == "m"
    assert CodedErrorOfNet("net.exhausted").message == NetError.EXHAUSTED.spec.title
    assert CodedErrorOfNet(NetError.EXHAUSTED, "m", details={"a": 1}).details == {"a": 1}
    assert type(FirstExhausted.EXHAUSTED("m")) is FirstExhausted
    assert type(NetSub.EXHAUSTED("m")) is NetSub


def test_a_class_without_a_code_may_choose_any_of_its_domain() -> None:
    """A subclass, or the domain's class itself, takes a code as its first argument."""
    error = NetSub(NetError.TIMEOUT, "late", details={"host": "a"})
    assert (type(error), error.code, error.message) == (NetSub, "net.timeout", "late")
    assert NetSub("net.timeout").message == "Host did not answer"
    assert NetError("net.timeout", "m", details={"host": "a"}).details_problem is None


def test_a_message_without_a_code_is_internal() -> None:
    """A class that is told no code says so on the wire; nothing is public or retried by accident."""
    for error in (
        NetError("it broke"),
        NetError("broken"),
        NetError(),
        CodedError("It broke."),
        CodedError(),
    ):
        assert error.code == "internal"
        assert (error.retryable, error.public, error.kind) == (False, False, "bug")
    assert NetError("broken", host="a").details == {"host": "a"}
    assert NetError("broken").message == "broken"


@pytest.mark.parametrize(
    "builtin",
    [
        FileNotFoundError,
        KeyError,
        TimeoutError,
        ValueError,
        StopIteration,
        SystemExit,
        ImportError,
        UnicodeError,
    ],
)
def test_mixing_with_a_builtin_keeps_old_clauses_alive(builtin: type[BaseException]) -> None:
    """Such an error is caught as either, has its own text, and is built by its code and directly alike."""
    registry = Registry()

    class MixError(CodedError, domain="mix", registry=registry):
        X = code("A title", CallDetails)

    mixed = cast("Any", type)("Mixed", (MixError, builtin), {}, of=MixError.X)
    for error in (mixed("gone", host="a"), mixed.X("gone", host="a"), mixed.X(host="a"), mixed()):
        with pytest.raises(builtin):
            raise error
        with pytest.raises(MixError):
            raise error
        assert error.code == "mix.x"
        assert str(error) in ("gone", "A title")
        assert error.args == (str(error),)
        assert to_payload(error)["code"] == "mix.x"


def test_a_mixed_error_has_the_fields_of_its_builtin() -> None:
    """What old handlers read, such as `errno`, can be set and is never taken from the details."""
    error = MissingHost("gone", host="a")
    assert (error.errno, error.filename, error.strerror) == (None, None, None)
    error.errno = 2
    assert error.errno == 2
    assert (error.code, error.message, error.details) == ("net.refused", "gone", {"host": "a"})


@pytest.mark.parametrize("builtin", [ExceptionGroup, UnicodeDecodeError, FileNotFoundError])
def test_builtins_that_come_first_or_need_arguments_are_refused(builtin: type[BaseException]) -> None:
    """It would answer for text and pickles, or make throw sites fail; the refusal says what to do."""
    with pytest.raises(CodedError, match="list it last"):
        cast("Any", type)("Bad", (builtin, NetError), {})
    if builtin is ExceptionGroup:
        with pytest.raises(CodedError, match="needs arguments of its own"):
            cast("Any", type)("Bad", (NetError, builtin), {})


class CodedErrorOfNet(CodedError, registry=REG):
    """Sets the registry, and nothing else."""


def test_a_code_that_arrives_at_run_time_builds_its_domains_class() -> None:
    """`CodedError("some.code", ...)` gives the class of the code in the registry of the base."""
    error: Any = CodedErrorOfNet("net.timeout", "late", details={"host": "a"})
    assert (type(error), error.details, error.kind) == (NetError, {"host": "a"}, "transient")
    assert type(CodedError("not_implemented", "later")) is CoreError
    assert type(CodedError(NetError.TIMEOUT, "late")) is NetError


def test_an_unknown_code_is_kept_and_fails_closed() -> None:
    """An unregistered code stays as it is: not public, not retryable, no problem with any details."""
    error = CodedError("who.knows", "something", details={"a": 1})
    assert (type(error), error.code, error.message) == (CodedError, "who.knows", "something")
    assert (error.public, error.retryable, error.number, error.hint) == (False, False, None, "")
    assert error.details_problem is None
    assert error.spec.cls is None


@given(
    st.lists(st.one_of(st.none(), st.text(), st.integers(), st.just(NetError.BUSY)), max_size=4),
    st.booleans(),
)
def test_building_never_fails(arguments: list[Any], keyword: bool) -> None:
    """Whatever the arguments are, an error comes out that can be shown and sent."""
    keywords = {"details": arguments, "x": 1} if keyword else {}
    for cls in (CodedError, NetError, FamilyExhausted, MissingHost, CodedErrorOfNet, AllCodes):
        error = cast("Any", cls)(*arguments, **keywords)
        assert isinstance(error, CodedError)
        assert to_payload(error)["message"] == error.message
        assert type(error.message) is str


def test_an_init_of_its_own_does_not_stand_in_the_way() -> None:
    """A class with an `__init__` of its own is built by its codes without that, and by hand with it.

    Where its code arrives at run time, the next class that can be built with it stands in.
    """
    registry = Registry()

    class JobError(CodedError, domain="job", registry=registry):
        FAILED = code("Job failed")

    class JobFailed(JobError, of=JobError.FAILED, default=True):
        def __init__(self, *, job: str) -> None:
            super().__init__(f"{job} failed", job=job)
            self.job = job

    class Base(CodedError, registry=registry):
        pass

    assert JobFailed(job="a").job == "a"
    assert (JobFailed(job="a").message, JobFailed(job="a").code) == ("a failed", "job.failed")
    assert type(cast("Any", JobError.FAILED)("m", note=1)) is JobFailed
    assert type(cast("Any", Base("job.failed", "m"))) is JobError
    assert Base("job.failed", "m").details == {}


def test_a_class_that_skips_init_is_whole() -> None:
    """A subclass that never calls `super().__init__` has its code, the title and no details."""

    class Silent(NetError, of=NetError.TIMEOUT):
        def __init__(self) -> None:
            pass

    assert (Silent().code, Silent().message, Silent().details) == ("net.timeout", "Host did not answer", {})
    bare = BaseException.__new__(NetError, "by hand")
    assert (bare.code, bare.message, bare.details) == ("internal", "by hand", {})


# --- class keywords -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keywords", "problem"),
    [
        ({"domain": "a", "of": NetError.BUSY}, "domain= and of= can't stand together"),
        ({"domain": "a", "facade": True}, "domain= and facade= can't stand together"),
        ({"title": "A"}, "title= belongs to a domain; add domain="),
        ({"numbers": range(3)}, "numbers= belongs to a domain"),
        ({"codes": "{CONST}"}, "codes= belongs to a domain"),
        ({"description": "Prose."}, "description= belongs to a domain"),
        ({"default": True}, "default= belongs to of="),
        ({"of": "net.busy"}, "of='net.busy' is no code of a domain that the class derives from"),
        ({"of": RouteError.LOST}, "is no code of a domain that the class derives from"),
    ],
)
def test_keywords_that_would_be_ignored_are_refused(keywords: dict[str, Any], problem: str) -> None:
    """A class keyword means something or is refused, with the class, file and line."""
    with pytest.raises(CodedError) as caught:
        cast("Any", type)("Odd", (NetError,), {}, **keywords)
    assert caught.value.code == "errkit.bad_declaration"
    assert problem in caught.value.message
    assert "test_errors.py:" in caught.value.message


def test_codes_stand_in_the_class_of_their_domain() -> None:
    """A `code()` in a class without `domain=` is refused, not lost."""
    for keywords in ({}, {"of": NetError.BUSY}, {"facade": True}, {"registry": REG}):
        with pytest.raises(CodedError, match=r"Stray\.X at .*the class has no domain="):
            cast("Any", type)("Stray", (NetError,), {"X": code("X")}, **keywords)


def test_other_class_keywords_reach_other_bases() -> None:
    """Keywords that errkit does not know go on to the next `__init_subclass__`, or fail there."""
    seen = []

    class Listener:
        def __init_subclass__(cls, *, topic: str = "", **keywords: Any) -> None:
            super().__init_subclass__(**keywords)
            seen.append(topic)

    type("Both", (NetError, Listener), {}, topic="errors")
    assert seen == ["errors"]
    with pytest.raises(TypeError, match="takes no keyword arguments"):
        cast("Any", type)("Bad", (NetError,), {}, wrong=1)


def test_the_place_of_a_class_is_its_statement() -> None:
    """Domains know file and line of their class statement, through a hook and a metaclass in between."""

    class Meta(type):
        def __new__(mcs, *arguments: Any, **keywords: Any) -> Any:
            return super().__new__(mcs, *arguments, **keywords)

    class Hooked(CodedError, registry=Registry(), metaclass=Meta):
        def __init_subclass__(cls, **keywords: Any) -> None:
            super().__init_subclass__(**keywords)

    line = sys._getframe().f_lineno + 2

    class Placed(
        Hooked,
        domain="placed",
    ):
        pass

    domain = Placed.__domain__
    assert domain is not None
    assert (domain.file, domain.line) == (__file__, line)
    assert domain.place == f"{__file__}:{line}"


def test_a_domain_may_derive_from_a_domain() -> None:
    """The narrower domain has codes of its own; the codes of the wider one reached through it build it."""
    registry = Registry()

    class Wide(CodedError, domain="wide", registry=registry):
        A = code("A")

    class Narrow(Wide, domain="wide.narrow"):
        B = code("B")

    assert [spec.code for spec in registry] == ["wide.a", "wide.narrow.b"]
    assert isinstance(Narrow.B(), Wide)
    assert type(Narrow.A()) is Narrow
    assert Narrow.A().code == "wide.a"
    assert type(Wide.A()) is Wide


# --- facades --------------------------------------------------------------------------------------------


class AllCodes(NetError, RouteError, facade=True):
    """Every code of the registry in one namespace."""


def test_a_facade_gathers_codes_and_builds_the_owners_classes() -> None:
    """A constant reached through the facade is the owner's, and builds the owner's class."""
    assert AllCodes.TIMEOUT is NetError.TIMEOUT
    assert type(AllCodes.LOST("gone")) is RouteError
    assert type(AllCodes.TIMEOUT(host="a")) is NetError
    assert type(cast("Any", AllCodes.EXHAUSTED())) is FamilyExhausted
    assert AllCodes.__domain__ is None
    with pytest.raises(AttributeError):
        getattr(AllCodes, "LOTS")  # noqa: B009


def test_a_facade_takes_codes_at_run_time() -> None:
    """Called itself, a facade builds the class that the code belongs to, initialized and all."""
    error: Any = AllCodes("route.lost", "gone", details={"to": "b"})
    assert (type(error), error.message, error.details) == (RouteError, "gone", {"to": "b"})


def test_a_facade_refuses_constants_that_collide() -> None:
    """Two codes of one constant are refused; the message names both codes and both places."""

    class Other(CodedError, domain="other", registry=REG):
        TIMEOUT = code("Something else")

    with pytest.raises(CodedError, match=r"the constant TIMEOUT") as caught:
        type("Colliding", (NetError, Other), {}, facade=True)
    assert caught.value.code == "errkit.clash"
    for spec in (NetError.TIMEOUT.spec, Other.TIMEOUT.spec):
        assert spec.code in caught.value.message
        assert spec.place in caught.value.message


def test_a_facade_may_gather_facades() -> None:
    """A code that arrives by two ways is one code."""

    class More(AllCodes, NetError, facade=True):
        pass

    assert More.LOST is RouteError.LOST


# --- as any exception -----------------------------------------------------------------------------------


def fail_from(cause: BaseException, given: BaseException | None) -> None:
    """Raise while `cause` is being handled."""
    try:
        raise cause
    except type(cause):
        raise NetError.BUSY("high") from given


def test_raise_from_keeps_cause_context_and_flag() -> None:
    """`raise ... from` sets the cause and hides the context, as for any exception."""
    low = OSError("low")
    with pytest.raises(NetError) as caught:
        fail_from(low, low)
    assert caught.value.__cause__ is low
    assert caught.value.__suppress_context__
    with pytest.raises(NetError) as caught:
        fail_from(low, None)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is low


def test_notes_and_groups_take_coded_errors() -> None:
    """`add_note`, `ExceptionGroup`, `except*` and task groups take a coded error like any exception."""
    error = NetError.BUSY("x")
    error.add_note("seen on monday")
    assert error.__notes__ == ["seen on monday"]
    group = ExceptionGroup("several", [error, ValueError("y")])
    mine, others = group.split(NetError)
    assert mine is not None
    assert others is not None
    assert mine.exceptions == (error,)
    caught: list[BaseException] = []
    try:
        raise ExceptionGroup("all mine", [error])
    except* NetError as found:
        caught.extend(found.exceptions)
    assert caught == [error]

    async def fail() -> None:
        raise NetError.TIMEOUT("late", host="a")

    async def work() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(fail())

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(work())
    assert NetError.TIMEOUT.match(raised.value.exceptions[0]) == CallDetails(host="a")


# --- the family -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [ExpectedError, NoTelemetryError, BugIndicatingError])
def test_the_plain_family_has_no_code(cls: type[Exception]) -> None:
    """These are plain exceptions for a program's own flow; on the wire they are `internal`."""
    assert not issubclass(cls, CodedError)
    assert to_payload(cls("said"))["code"] == "internal"
    assert str(cls("said")) == "said"
    assert str(BugIndicatingError()) == "a rule of the program was broken"


def test_a_cancelled_user_action_is_never_coded() -> None:
    """It is an outcome: no coded error, no shape of one."""
    assert not issubclass(UserCancelled, CodedError)
    assert not is_coded_error(UserCancelled("stop"))
    assert not is_retryable(UserCancelled("stop"))


def test_not_implemented_names_the_feature() -> None:
    """`errkit.not_implemented(feature)` builds the error to raise."""
    with pytest.raises(CodedError) as caught:
        raise not_implemented("export")
    error = caught.value
    assert (error.code, error.message, error.details) == (
        "not_implemented",
        "not implemented: export",
        {"feature": "export"},
    )
    assert not_implemented().details_problem is None


def test_errkits_own_errors_are_registered_with_the_rest() -> None:
    """Its own failures are codes of the default registry like anybody's."""
    assert "errkit.clash" in REGISTRY
    assert ErrkitError.CLASH.spec.cls is ErrkitError


# --- subclasses that take the fields into their own hands -----------------------------------------------


def _sulk(_self: object, *_arguments: object) -> Any:
    raise RuntimeError("asked")


FIELDS = sorted(name for name, value in vars(CodedError).items() if isinstance(value, property))
PRIVATE = ["_spec", "_details", "_facts", "_by_reason", "__dict__"]
NATIVE = ["__cause__", "__context__", "__suppress_context__", "__notes__", "__class__", "__traceback__"]


@pytest.mark.parametrize("name", [*FIELDS, *PRIVATE, *NATIVE])
def test_a_field_that_raises_is_not_asked(name: str) -> None:
    """What a subclass makes of a field is its own affair: every face reads what the error was built with."""
    kind = type("SulkingError", (NetError,), {name: property(_sulk)})
    error = vars(kind)["BUSY"]("line is busy", port=5)
    BaseException.__dict__["__cause__"].__set__(error, OSError("no line"))
    verdict = classify(error)
    assert (verdict.code, verdict.retryable) == ("net.busy", True)
    payload = to_payload(error)
    assert (payload["code"], payload["message"], payload["name"]) == (
        "net.busy",
        "line is busy",
        "SulkingError",
    )
    assert payload["details"] == {"port": 5}
    assert payload["cause"]["message"] == "no line"
    assert format_error(error).startswith("[net.busy] line is busy")
    assert repr(error) == "SulkingError('net.busy', 'line is busy', port=5)"
    assert (as_coded(error) is error) is True
    assert type(unwrap_cause(error)) is OSError


@pytest.mark.parametrize("junk", [5, None])
@pytest.mark.parametrize("name", ["_spec", "_details", "_facts"])
def test_facts_that_somebody_has_replaced_are_none(name: str, junk: object) -> None:
    """Junk in the place of the facts is no fact, and no reason to fail."""
    error = NetError.BUSY("line is busy")
    assert error.code == "net.busy"
    error.__dict__[name] = junk
    assert classify(error).code == ("internal" if name == "_spec" else "net.busy")
    assert to_payload(error)["message"] == "line is busy"
    assert "line is busy" in repr(error)


def test_a_repr_of_many_errors_is_short() -> None:
    """A container shows each error in it with a text of bounded size, also where errors hold one another."""

    class Box:
        def __init__(self, *held: object) -> None:
            self.held = held

        def __repr__(self) -> str:
            return f"Box{self.held!r}"

    error = NetError.BUSY("x" * 100_000, first="y" * 100_000, second=["z"] * 10_000)
    assert len(repr([error] * 10)) < 80_000
    inner: Any = NetError.BUSY("at the bottom")
    for _ in range(30):
        inner = NetError.BUSY("m", box=Box(inner, inner))
    assert len(repr(inner)) < 5_000
    knot = NetError.BUSY("m")
    knot.override(context={"box": Box(knot, knot)})
    assert len(repr(knot)) < 5_000
    assert "net.busy" in json.dumps(to_payload(ValueError(Box(knot, knot))))


class SulkingText(str):
    """A text that can be neither hashed nor compared."""

    __slots__ = ()
    __hash__ = __eq__ = _sulk  # pyright: ignore[reportAssignmentType]


def test_a_code_that_can_not_be_looked_up_is_its_text() -> None:
    """Where a text has a mind of its own, the characters count."""
    assert CodedError(SulkingText("net.busy"), "m").code == "net.busy"
    assert is_error_code(SulkingText("internal"))
    assert is_coded_error({"code": SulkingText("internal"), "message": "m"})
    assert as_coded({"code": SulkingText("internal"), "message": "m"}).code == "internal"
