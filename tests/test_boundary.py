"""Translators and boundaries: what is translated, what passes, what is kept, in each form."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import errno
import functools
import gc
import inspect
import itertools
import json
import subprocess
import threading
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit import (
    CodedError,
    Details,
    ErrkitError,
    Reason,
    Registry,
    UserCancelled,
    code,
    from_payload,
    is_retryable,
    to_payload,
    unwrap_cause,
)
from errkit.boundary import (
    Answering,
    Rule,
    Translator,
    answering,
    errno_name,
    passes_every_boundary,
    through_groups,
    translating,
)
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

REG = Registry("test_boundary")


class ShopDetails(Details):
    """What the tests' domain says."""

    cart: str
    errno: str | None = None
    status: int | None = None


class ShopError(CodedError, domain="shop", registry=REG):
    """The domain of these tests."""

    GONE = code("It is gone", ShopDetails, public=True, hint="Look elsewhere.")
    BUSY = code("It is busy", ShopDetails, kind="transient")
    FAILED = code("It failed", ShopDetails)
    STOPPED = code("It was stopped", kind="cancelled")
    PLAIN = code("No details")


class BankDetails(Details):
    """What the other domain says."""

    errno: str | None = None


class BankError(CodedError, domain="bank", registry=REG):
    """Another domain."""

    CLOSED = code("Bank is closed", BankDetails, kind="transient", hint="Come back tomorrow.")
    SHOWN = code("Bank is full", BankDetails, public=True)
    REFUSED = code("Refused", reasons={"late": Reason(title="Too late", hint="Be early.")}, kind="outcome")


to_shop_error = Translator(
    ShopError,
    [
        Rule(ShopError.GONE, errno="ENOENT"),
        Rule(ShopError.BUSY, status=(429, 503)),
        Rule(ShopError.BUSY, errno={"EAGAIN"}, retryable=True),
        Rule(ShopError.PLAIN, catches=ZeroDivisionError),
    ],
    fallback=ShopError.FAILED,
    details=lambda error: {"errno": errno_name(error)},
    passes=LookupError,
)


# --- rules ------------------------------------------------------------------------------------------


def rule(**conditions: Any) -> Rule[ShopError]:
    """A rule with these conditions."""
    return Rule(ShopError.FAILED, **conditions)


def carrying(**attributes: Any) -> Exception:
    """A foreign error with attributes."""
    error = RuntimeError("foreign")
    error.__dict__.update(attributes)
    return error


@pytest.mark.parametrize(
    ("conditions", "error"),
    [
        ({"catches": KeyError}, KeyError("x")),
        ({"catches": LookupError}, KeyError("x")),
        ({"catches": (ValueError, KeyError)}, KeyError("x")),
        ({"catches": "json.decoder.JSONDecodeError"}, json.JSONDecodeError("m", "d", 0)),
        ({"catches": "builtins.ValueError"}, json.JSONDecodeError("m", "d", 0)),
        ({"errno": "ENOENT"}, FileNotFoundError(errno.ENOENT, "x")),
        ({"errno": errno.ENOENT}, FileNotFoundError(errno.ENOENT, "x")),
        ({"errno": ["EPERM", "EACCES"]}, OSError(errno.EACCES, "x")),
        ({"errno": "EWOULDBLOCK"}, BlockingIOError(errno.EAGAIN, "x")),
        ({"errno": 9999}, OSError(9999, "x")),
        ({"errno": "ENOENT"}, BankError.CLOSED("x", errno="ENOENT")),
        ({"errno": "ESOMEWHERE"}, BankError.CLOSED("x", errno="ESOMEWHERE")),
        ({"status": 404}, carrying(status=404)),
        ({"status": 404}, carrying(status_code=404)),
        ({"status": 404}, carrying(code=404)),
        ({"status": 404}, carrying(response=SimpleNamespace(status_code=404))),
        ({"status": range(500, 600)}, carrying(status=503)),
        ({"status": {401, 403}}, carrying(status=403)),
        ({"exit_code": 3}, subprocess.CalledProcessError(3, "x")),
        ({"exit_code": (1, 2)}, carrying(exit_code=2)),
        ({"when": lambda error: "foreign" in str(error)}, carrying()),
        ({"catches": RuntimeError, "status": 404}, carrying(status=404)),
    ],
)
def test_a_rule_matches(conditions: dict[str, Any], error: BaseException) -> None:
    """By class, full name of a class, errno, status, exit code, predicate, or several of them at once."""
    assert rule(**conditions).matches(error)


@pytest.mark.parametrize(
    ("conditions", "error"),
    [
        ({"catches": KeyError}, ValueError("x")),
        ({"catches": "KeyError"}, KeyError("x")),
        ({"errno": "ENOENT"}, OSError("no errno")),
        ({"errno": 1}, carrying(errno=True)),
        ({"errno": "ENOENT"}, RuntimeError("ENOENT")),
        ({"status": 404}, carrying(status="404")),
        ({"status": 1}, carrying(status=True)),
        ({"status": 404}, carrying(code="not_found")),
        ({"exit_code": 0}, carrying()),
        ({"when": lambda error: error.nothing}, carrying()),
        ({"when": lambda error: 1 / 0}, carrying()),
        ({"catches": RuntimeError, "status": 404}, carrying(status=403)),
        ({"catches": ValueError, "status": 404}, carrying(status=404)),
    ],
)
def test_a_rule_does_not_match(conditions: dict[str, Any], error: BaseException) -> None:
    """All conditions must hold; a predicate that fails says no, and no words of a message decide anything."""
    assert not rule(**conditions).matches(error)


def test_a_rule_asks_hostile_errors_in_vain() -> None:
    """An error whose attributes can't be read matches by its class alone."""

    class Sealed(Exception):
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError("sealed")

    assert not rule(status=404).matches(Sealed())
    assert not rule(errno="ENOENT").matches(Sealed())
    assert rule(catches=Sealed).matches(Sealed())


def test_a_rule_without_a_condition_is_refused() -> None:
    """It would hide every rule after it; the refusal names the code's place."""
    with pytest.raises(ErrkitError, match="fallback") as caught:
        rule()
    assert caught.value.code == ErrkitError.BAD_DECLARATION
    assert __file__ in caught.value.details["place"]


def test_the_first_rule_that_matches_wins() -> None:
    """The order of the table decides."""
    first = Translator(
        ShopError, [Rule(ShopError.BUSY, catches=OSError), Rule(ShopError.GONE, catches=FileNotFoundError)]
    )
    assert first(FileNotFoundError(), cart="c").code == "shop.busy"


# --- what a translator promises ---------------------------------------------------------------------


def test_the_original_is_the_cause() -> None:
    """It needs no `from`, and shows as the direct cause."""
    original = OSError(errno.ENOENT, "x")
    error = to_shop_error(original, cart="c1")
    assert (error.code, dict(error.details)) == ("shop.gone", {"cart": "c1", "errno": "ENOENT"})
    assert error.__cause__ is original
    assert error.__suppress_context__


def test_context_that_is_not_declared_is_kept_apart() -> None:
    """It lands under `context`, where no details class has to know it; None says nothing."""
    error = to_shop_error(OSError(errno.ENOENT, "x"), cart="c1", page=3, status=None)
    assert dict(error.details) == {"cart": "c1", "errno": "ENOENT", "context": {"page": 3}}
    assert error.details_problem is None
    assert dict(to_shop_error(ZeroDivisionError(), cart="c1").details) == {"context": {"cart": "c1"}}
    nested = to_shop_error(OSError(), cart="c1", context={"page": 3}, shelf=2)
    assert dict(nested.details) == {"cart": "c1", "context": {"page": 3, "shelf": 2}}


def test_the_context_of_the_call_wins_over_what_was_found() -> None:
    """What the caller says of its own call is truer than what the error says."""
    assert to_shop_error(OSError(errno.ENOENT, "x"), cart="c", errno="EMINE").details["errno"] == "EMINE"


def test_details_come_from_the_table_and_from_the_rule() -> None:
    """The rule's go over the table's, and extractors that fail have nothing to say."""
    table = Translator(
        ShopError,
        [Rule(ShopError.GONE, catches=OSError, details=lambda error: {"cart": "rule"})],
        fallback=ShopError.FAILED,
        details=lambda error: {"cart": "table", "status": error.args[0]},
    )
    assert dict(table(OSError(5)).details) == {"cart": "rule", "status": 5}
    assert dict(table(RuntimeError()).details) == {}


def test_an_error_of_the_domain_comes_back_as_it_is() -> None:
    """The same object, also after the wire: the first context wins (agent-core wrapped those again)."""
    first = to_shop_error(OSError(errno.ENOENT, "x"), cart="c1")
    for error in (first, from_payload(to_payload(first), registry=REG)):
        assert to_shop_error(error, cart="other") is error
        assert error.details["cart"] == "c1"


def test_codes_that_only_a_newer_peer_knows_come_back_as_they_are() -> None:
    """An unknown code belongs to the domain that its name says; one of another domain is translated."""
    ours = from_payload({"v": 1, "code": "shop.new", "message": "m", "retryable": True}, registry=REG)
    assert to_shop_error(ours, cart="c") is ours
    theirs = from_payload({"v": 1, "code": "shop.cart.new", "message": "m"}, registry=REG)
    assert to_shop_error(theirs, cart="c").code == "shop.failed"


def test_an_error_of_the_domain_that_was_wrapped_keeps_its_code() -> None:
    """It comes again with its code, details and what was said of it, over the error that wrapped it."""
    inner = ShopError.BUSY("all carts taken", cart="c1").override(hint="Wait.", retry_after=2)
    inner.add_note("of the inner one")
    for wrapper in (RuntimeError("wrapped"), BankError.CLOSED("wrapped")):
        wrapper.__cause__ = inner
        error = to_shop_error(wrapper, cart="other")
        assert error is not inner
        assert (error.code, error.message, dict(error.details)) == (
            "shop.busy",
            "all carts taken",
            {"cart": "c1"},
        )
        assert (error.hint, error.retry_after, error.retryable) == ("Wait.", 2, True)
        assert error.__cause__ is wrapper
        assert not hasattr(error, "__notes__")
        assert to_shop_error(error, cart="third") is error


def test_an_error_with_the_shape_of_a_coded_one_is_revived() -> None:
    """A class that was reloaded, or a proxy's, is known by code and message; it becomes the cause."""

    class Reloaded(Exception):
        code = "shop.gone"
        message = "it went"
        details = {"cart": "c9"}

    original = Reloaded("x")
    error = to_shop_error(original, cart="other")
    assert (type(error), error.code, error.message) == (ShopError, "shop.gone", "it went")
    assert (dict(error.details), error.__cause__) == ({"cart": "c9"}, original)


def test_a_payload_is_revived() -> None:
    """What is no exception can't be a cause: a payload of the domain is revived, another one translated."""
    assert to_shop_error({"code": "shop.gone", "message": "m", "details": {"cart": "c"}}).message == "m"
    theirs = to_shop_error({"v": 1, "code": "bank.closed", "message": "m"}, cart="c")
    assert (theirs.code, getattr(theirs.__cause__, "code", "")) == ("shop.failed", "bank.closed")
    assert to_shop_error("no exception", cart="c").code == "shop.failed"


def test_classification_looks_at_the_unwrapped_cause() -> None:
    """A coded error of another domain is judged by its raw cause (agent-core took its code for an errno)."""
    raw = OSError(errno.ENOENT, "x")
    outer, inner = BankError.CLOSED("outer"), BankError.CLOSED("inner")
    outer.__cause__, inner.__cause__ = inner, raw
    error = to_shop_error(outer, cart="c")
    assert (error.code, error.details["errno"], error.__cause__) == ("shop.gone", "ENOENT", outer)
    assert unwrap_cause(error) is raw


def test_foreign_errors_are_not_unwrapped() -> None:
    """A foreign error that has a cause was raised on purpose and is judged itself."""
    outer = RuntimeError("outer")
    outer.__cause__ = OSError(errno.ENOENT, "x")
    assert to_shop_error(outer, cart="c").code == "shop.failed"


def test_coded_errors_above_the_root_are_asked_too() -> None:
    """Where the raw cause says nothing, the coded errors do, the innermost first."""
    error = BankError.CLOSED("x", errno="ENOENT")
    error.__cause__ = RuntimeError("dull")
    assert to_shop_error(error, cart="c").code == "shop.gone"
    revived = from_payload(to_payload(error), registry=REG)
    assert to_shop_error(revived, cart="c").code == "shop.gone"


@pytest.mark.parametrize(
    ("coded", "hint"),
    [
        (BankError.CLOSED("x").override(hint="Ring twice."), "Ring twice."),
        (BankError.CLOSED("x"), "Come back tomorrow."),
        (BankError.SHOWN("x"), ""),
        (BankError.REFUSED("x", reason="late"), "Be early."),
    ],
)
def test_an_existing_hint_is_kept(coded: CodedError, hint: str) -> None:
    """What was said of this failure, else the hint of its former code where the new code has none."""
    error = to_shop_error(coded, cart="c")
    assert (error.code, error.hint) == ("shop.failed", hint)


def test_the_hint_of_the_code_stays_unless_another_was_said() -> None:
    """A general hint of the former code does not replace the one of the new code."""
    coded = BankError.SHOWN("x", errno="ENOENT").override(hint="Said of it.")
    assert to_shop_error(coded, cart="c").hint == "Said of it."
    assert to_shop_error(BankError.SHOWN("x", errno="ENOENT"), cart="c").hint == "Look elsewhere."


def test_no_hint_becomes_public_by_a_translation() -> None:
    """A hint of an error that is not public stays out of a public one."""
    coded = BankError.CLOSED("x", errno="ENOENT").override(hint="Ask Ann, room 3.")
    error = to_shop_error(coded, cart="c")
    assert error.public
    assert error.hint == "Look elsewhere."


def test_the_verdict_on_this_failure_is_kept() -> None:
    """Retries that are spent, a time to wait and a diagnostic id stay true under another code."""
    coded = BankError.CLOSED("x", errno="ENOENT")
    coded.override(retries_spent=True, retry_after=3, retryable=True, supported_on="linux")
    coded.note_facts(diagnostic_id="d1", log_path="/log")
    error = to_shop_error(coded, cart="c")
    assert (error.retries_spent, error.retry_after, error.supported_on) == (True, 3, "linux")
    assert (error.diagnostic_id, error.log_path) == ("d1", "/log")
    assert not is_retryable(error)


def test_a_coded_error_that_no_rule_knows_keeps_its_verdict() -> None:
    """The fallback says nothing about it, so its own code has the last word; a rule would have decided."""
    assert to_shop_error(BankError.CLOSED("x"), cart="c").retryable
    assert not to_shop_error(BankError.SHOWN("x"), cart="c").retryable
    assert not to_shop_error(BankError.CLOSED("x", errno="ENOENT"), cart="c").retryable
    assert to_shop_error(BankError.SHOWN("x", errno="EAGAIN"), cart="c").retryable


def test_without_a_fallback_unknown_errors_pass() -> None:
    """A table may be about a few errors only."""
    table = Translator(ShopError, [Rule(ShopError.GONE, catches=KeyError)])
    bug = TypeError("a bug")
    found: object = table(bug)
    assert found is bug
    assert table(KeyError()).code == "shop.gone"


def test_code_of_says_what_would_come() -> None:
    """It builds nothing: for deciding before translating, and for answers."""
    assert to_shop_error.code_of(OSError(errno.ENOENT, "x")) is ShopError.GONE
    assert to_shop_error.code_of(RuntimeError()) is ShopError.FAILED
    assert to_shop_error.code_of(ShopError.BUSY(cart="c")) == ShopError.BUSY
    wrapper = RuntimeError()
    wrapper.__cause__ = ShopError.BUSY(cart="c")
    assert to_shop_error.code_of(wrapper) == ShopError.BUSY
    for passing in (KeyError(), UserCancelled(), ExceptionGroup("g", [OSError()]), "text", None):
        assert to_shop_error.code_of(passing) is None
    assert Translator(ShopError).code_of(OSError()) is None


def test_any_coded_error_is_enough_for_a_table_on_the_base_class() -> None:
    """A translator for `CodedError` lets every coded error pass, of whatever domain."""
    table: Translator[CodedError] = Translator(
        CodedError, [Rule(ShopError.GONE, catches=OSError)], fallback=BankError.SHOWN
    )
    error = BankError.CLOSED("x")
    assert table(error) is error
    assert table(OSError()).code == "shop.gone"
    assert table(RuntimeError()).code == "bank.shown"


# --- foreign text -----------------------------------------------------------------------------------

SECRET = "hunter2-of-the-database"


@pytest.mark.parametrize(
    "original", [OSError(errno.ENOENT, SECRET, SECRET), ZeroDivisionError(SECRET), RuntimeError(SECRET)]
)
def test_foreign_text_stays_with_the_cause(original: Exception) -> None:
    """Validation errors and URLs with keys echo secrets
    (github.com/AndrewKeig/express-validation/issues/129, github.com/MehdiZare/fmp-data/issues/94).
    """
    error = to_shop_error(original, cart="c")
    assert SECRET not in error.message + error.hint + str(dict(error.details))
    assert SECRET not in str(to_payload(error, audience="public"))
    assert SECRET in str(error.__cause__)


def test_a_message_is_made_from_facts() -> None:
    """`message=` gets the code's facts and the details; one that fails leaves the title."""
    table = Translator(
        ShopError,
        [Rule(ShopError.GONE, catches=OSError), Rule(ShopError.FAILED, catches=KeyError)],
        message=lambda spec, details: f"{details['cart']}: {spec.title}",
    )
    assert table(OSError(SECRET), cart="c1").message == "c1: It is gone"
    assert table(OSError(SECRET)).message == "It is gone"


# --- cancellation -----------------------------------------------------------------------------------


class OwnCancellation(BaseException):
    """Such as trio's or a test runner's: no `Exception`."""


CANCELLATIONS: list[BaseException] = [
    KeyboardInterrupt(),
    SystemExit(1),
    asyncio.CancelledError(),
    concurrent.futures.CancelledError(),
    UserCancelled(),
    OwnCancellation(),
    ShopError.STOPPED(),
    from_payload(to_payload(ShopError.STOPPED())),
    KeyError("named in passes"),
]
every_cancellation = pytest.mark.parametrize(
    "stop",
    CANCELLATIONS,
    ids=[f"{number}-{type(stop).__name__}" for number, stop in enumerate(CANCELLATIONS)],
)


@every_cancellation
def test_cancellation_passes_the_function(stop: BaseException) -> None:
    """It comes back as the same object."""
    found: object = to_shop_error(stop, cart="c")
    assert found is stop


def run_form(form: str, error: BaseException) -> None:
    """Raise `error` inside a boundary of that form and let come out what comes."""
    boundary = translating(to_shop_error, cart="c1")

    def fail() -> None:
        raise error

    async def wait() -> None:
        await asyncio.sleep(0)
        raise error

    def generate() -> Iterator[int]:
        yield 1
        raise error

    async def generate_later() -> AsyncIterator[int]:
        yield 1
        await asyncio.sleep(0)
        raise error

    def hidden() -> Awaitable[None]:
        return wait()

    async def block() -> None:
        async with boundary:
            await wait()

    async def consume() -> None:
        async for _ in boundary(generate_later)():
            pass

    forms: dict[str, Callable[[], object]] = {
        "with": lambda: fail_in(boundary, fail),
        "function": boundary(fail),
        "generator": lambda: list(boundary(generate)()),
        "async with": lambda: finish(block()),
        "coroutine function": lambda: finish(boundary(wait)()),
        "hidden coroutine function": lambda: finish(boundary(hidden)()),
        "async generator": lambda: finish(consume()),
    }
    forms[form]()


FORMS = (
    "with",
    "function",
    "generator",
    "async with",
    "coroutine function",
    "hidden coroutine function",
    "async generator",
)
every_form = pytest.mark.parametrize("form", FORMS)


def fail_in(boundary: Any, fail: Callable[[], None]) -> None:
    """Call a function inside a with block."""
    with boundary:
        fail()


def finish(coroutine: Awaitable[Any]) -> Any:
    """Drive a coroutine without a loop: `asyncio.run` would turn a cancellation into something else."""
    steps = coroutine.__await__()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@every_form
@every_cancellation
def test_cancellation_passes_every_form(form: str, stop: BaseException) -> None:
    """By identity and untouched, in each form (github.com/langflow-ai/langflow/pull/6625,
    github.com/tornadoweb/tornado/pull/3538, github.com/groodt/retrying/pull/15,
    github.com/nuclio/nuclio/pull/1450).
    """
    cause, context = stop.__cause__, stop.__context__
    with pytest.raises(type(stop)) as caught:
        run_form(form, stop)
    assert caught.value is stop
    assert (stop.__cause__, stop.__context__) == (cause, context)


@every_form
def test_every_form_translates(form: str) -> None:
    """A foreign error leaves as the domain's: the original is its cause, the context in its details."""
    original = OSError(errno.ENOENT, "x")
    with pytest.raises(ShopError) as caught:
        run_form(form, original)
    assert caught.value.code == ShopError.GONE
    assert caught.value.details["cart"] == "c1"
    assert caught.value.__cause__ is original


@every_form
def test_every_form_lets_errors_of_the_domain_be(form: str) -> None:
    """Nested boundaries wrap once; the error is not raised again, so its causes are untouched."""
    original = ShopError.BUSY("x", cart="inner")
    with pytest.raises(ShopError) as caught:
        run_form(form, original)
    assert caught.value is original
    assert (original.__cause__, original.__context__) == (None, None)


def test_generator_exit_passes_generators() -> None:
    """Closing a generator closes the one inside, and is no failure."""
    closed: list[str] = []

    @translating(to_shop_error, cart="c")
    def numbers() -> Iterator[int]:
        try:
            yield 1
        except GeneratorExit:
            closed.append("sync")
            raise

    @translating(to_shop_error, cart="c")
    async def later() -> AsyncIterator[int]:
        try:
            yield 1
        except GeneratorExit:
            closed.append("async")
            raise

    async def close() -> None:
        stream: Any = later()
        await anext(stream)
        await stream.aclose()

    made: Any = numbers()
    next(made)
    made.close()
    finish(close())
    assert closed == ["sync", "async"]
    stop = GeneratorExit()
    found: object = to_shop_error(stop)
    assert found is stop


@pytest.mark.parametrize("end", [StopIteration, StopAsyncIteration])
def test_iterators_can_still_end(end: type[Exception]) -> None:
    """The end of an iteration is no failure: a decorated `__next__` must be able to say it."""

    @translating(to_shop_error, cart="c")
    def step() -> int:
        raise end

    with pytest.raises(end):
        step()


def test_what_passes_every_boundary() -> None:
    """The check is public for boundaries that are written by hand."""
    assert passes_every_boundary(KeyboardInterrupt())
    assert passes_every_boundary(OwnCancellation())
    assert not passes_every_boundary(ValueError())
    assert not passes_every_boundary(TimeoutError())


def test_a_timeout_that_cancels_is_a_failure() -> None:
    """`asyncio.timeout` turns its own cancellation into TimeoutError: that is translated, the rest passes."""

    @translating(to_shop_error, cart="c")
    async def slow() -> None:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()

    with pytest.raises(ShopError) as caught:
        asyncio.run(slow())
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_a_cancelled_task_stays_cancelled() -> None:
    """The loop sees its cancellation through a boundary in a running task."""

    @translating(to_shop_error, cart="c")
    async def wait() -> None:
        await asyncio.Event().wait()

    async def main() -> bool:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(main())


# --- groups -----------------------------------------------------------------------------------------


def shape(error: BaseException) -> Any:
    """The structure of a group: messages, notes, and the codes or classes of its leaves."""
    if isinstance(error, BaseExceptionGroup):
        return error.message, getattr(error, "__notes__", []), [shape(member) for member in error.exceptions]
    return getattr(error, "code", None) or type(error).__name__


def test_a_group_is_translated_leaf_by_leaf() -> None:
    """Structure, notes and cause stay, cancellations and errors of the domain pass by identity
    (github.com/agronholm/anyio/issues/668, github.com/modelcontextprotocol/python-sdk/issues/2114).
    """
    stop, ours = asyncio.CancelledError(), ShopError.BUSY("x", cart="c")
    raw = OSError(errno.ENOENT, "x")
    inner = BaseExceptionGroup("inner", [raw, stop])
    inner.add_note("of the inner")
    group = BaseExceptionGroup("outer", [inner, ours, RuntimeError("x")])
    group.add_note("of the outer")
    group.__cause__ = cause = ValueError("why")
    found: Any = to_shop_error(group, cart="c1")
    assert shape(found) == (
        "outer",
        ["of the outer"],
        [("inner", ["of the inner"], ["shop.gone", "CancelledError"]), "shop.busy", "shop.failed"],
    )
    assert found.__cause__ is cause
    assert found.exceptions[0].exceptions[0].__cause__ is raw
    assert found.exceptions[0].exceptions[1] is stop
    assert found.exceptions[1] is ours
    assert shape(group)[2][1] == "shop.busy"
    assert shape(inner)[2][0] == "FileNotFoundError", "the original group is left as it was"


def test_a_group_of_cancellations_passes() -> None:
    """A group in which nothing is translated comes back as the same object."""
    group = BaseExceptionGroup("g", [KeyboardInterrupt(), ExceptionGroup("h", [ShopError.BUSY(cart="c")])])
    found: object = to_shop_error(group, cart="c")
    assert found is group


@every_form
def test_groups_in_every_form(form: str) -> None:
    """`except*` at the caller finds the domain's errors; a task group is the usual source."""
    raw = OSError(errno.ENOENT, "x")
    group = ExceptionGroup("g", [raw])
    seen: list[BaseException] = []
    try:
        run_form(form, group)
    except* ShopError as caught:
        seen += caught.exceptions
    assert [error.__cause__ for error in seen] == [raw]


def test_a_task_group_at_a_boundary() -> None:
    """What a real task group raises comes out with its failed tasks translated."""

    @translating(to_shop_error, cart="c")
    async def work() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(fail())
            tasks.create_task(asyncio.Event().wait())

    async def fail() -> None:
        raise OSError(errno.ENOENT, "x")

    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(work())
    assert [error.code for error in caught.value.exceptions if isinstance(error, CodedError)] == ["shop.gone"]


def test_groups_of_a_class_of_their_own_keep_it() -> None:
    """`derive` makes the new group; one that fails leaves a plain group."""

    class Own(ExceptionGroup[Exception]):
        def derive(self, members: Any, /) -> Any:
            return Own(self.message, members)

    class Broken(ExceptionGroup[Exception]):
        def derive(self, members: Any, /) -> Any:
            raise RuntimeError("no")

    found: Any = to_shop_error(Own("g", [OSError()]), cart="c")
    assert type(found) is Own
    found = to_shop_error(Broken("g", [OSError()]), cart="c")
    assert (type(found), shape(found)) == (ExceptionGroup, ("g", [], ["shop.failed"]))


def test_groups_of_any_depth() -> None:
    """Deeper than the interpreter recurses; a leaf that two groups share is translated once."""
    leaf = OSError(errno.ENOENT, "x")
    group: Any = ExceptionGroup("bottom", [leaf, leaf])
    for level in range(3_000):
        group = ExceptionGroup(str(level), [group])
    found: Any = to_shop_error(group, cart="c")
    while isinstance(found, ExceptionGroup):
        assert len({id(member) for member in found.exceptions}) == 1
        found = found.exceptions[0]
    assert (found.code, found.__cause__) == ("shop.gone", leaf)


def test_a_group_that_contains_itself() -> None:
    """A class can lie about its members; the walk ends all the same."""

    class Circle(ExceptionGroup[Exception]):
        @property
        def exceptions(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
            return (self, OSError(errno.ENOENT, "x"))

    circle = Circle("c", [OSError()])
    assert isinstance(to_shop_error(circle, cart="c"), BaseException)


def test_groups_for_functions_written_by_hand() -> None:
    """`through_groups` gives any function from error to error what `Translator` has."""
    group = ExceptionGroup("g", [OSError(), ExceptionGroup("h", [KeyError()])])
    found: Any = through_groups(group, lambda leaf: RuntimeError(type(leaf).__name__))
    assert shape(found) == ("g", [], ["RuntimeError", ("h", [], ["RuntimeError"])])
    assert through_groups("text", lambda leaf: leaf) == "text"


# --- a translator never raises ----------------------------------------------------------------------


@every_hostile_object
def test_hostile_objects(value: Any) -> None:
    """Whatever is passed, as the error or inside the context, something comes back that can be raised."""
    assert isinstance(to_shop_error(value, cart="c"), BaseException)
    error = RuntimeError("x")
    error.args = (value,)
    error.__dict__.update(errno=value, status=value, code=value, message=value, response=value, details=value)
    found = to_shop_error(error, cart=value, other=value)
    assert found.code == "shop.failed"
    assert found.__cause__ is error
    assert isinstance(to_payload(found), dict)


def test_objects_that_hide_their_class() -> None:
    """Its own `__class__` is nobody's business: an error that hides it is translated like any other."""

    class Masked(Exception):
        @property  # type: ignore[misc]
        def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride]
            raise RuntimeError("masked")

    value = type("MaskedValue", (), {"__class__": vars(Masked)["__class__"]})()
    error = Masked("x")
    found = to_shop_error(error, cart="c")
    assert found.code == "shop.failed"
    assert (found.__cause__ is error) is True  # pytest itself would ask for the class
    assert to_shop_error.code_of(error) == "shop.failed"
    assert issubclass(type(to_shop_error(value, cart="c")), CodedError)
    with pytest.raises(ShopError), translating(to_shop_error, cart="c"):
        raise error


def test_without_a_fallback_values_are_internal() -> None:
    """What is no exception can't pass, so it becomes the error that says the least."""
    assert Translator(ShopError)("text").code == "internal"


def test_circular_and_endless_causes() -> None:
    """Cycles and very long chains are walked once."""
    one, two = BankError.CLOSED("one"), BankError.CLOSED("two")
    one.__cause__, two.__cause__ = two, one
    assert to_shop_error(one, cart="c").__cause__ is one
    root: BaseException = OSError(errno.ENOENT, "x")
    for _ in range(20_000):
        link = BankError.CLOSED("link")
        link.__cause__ = root
        root = link
    assert to_shop_error(root, cart="c").code == "shop.gone"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    attributes=st.dictionaries(st.sampled_from(["errno", "status", "code", "message", "details"]), anything)
)
def test_any_attributes(attributes: dict[str, Any]) -> None:
    """Whatever a foreign error carries under the names that rules read, it is translated once and for all."""
    error = to_shop_error(carrying(**attributes), cart="c")
    assert isinstance(error, CodedError)
    assert to_shop_error(error, cart="d") is error


@given(
    layers=st.lists(st.sampled_from(["foreign", "bank", "wire", "shop"]), max_size=6),
    name=st.sampled_from(["ENOENT", "EAGAIN", "EIO"]),
)
def test_any_layers(layers: list[str], name: str) -> None:
    """However an error was wrapped, translated and sent, the result is of the domain, once, with a cause."""
    original: BaseException = OSError(getattr(errno, name), "x")
    error = original
    for layer in layers:
        if layer == "wire":
            error = from_payload(to_payload(error), registry=REG)
            continue
        if layer == "shop":
            error = to_shop_error(error, cart="c")
            continue
        outer = RuntimeError("w") if layer == "foreign" else BankError.CLOSED("w")
        outer.__cause__, error = error, outer
    found = to_shop_error(error, cart="c")
    assert to_shop_error(found, cart="d") is found
    assert found is error or found.__cause__ is error
    if "shop" in layers:
        first = to_shop_error(rebuilt(original, layers[: layers.index("shop")]), cart="c")
        assert found.code == first.code


def rebuilt(error: BaseException, layers: list[str]) -> BaseException:
    """The error under these layers again."""
    for layer in layers:
        if layer == "wire":
            error = from_payload(to_payload(error), registry=REG)
        else:
            outer = RuntimeError("w") if layer == "foreign" else BankError.CLOSED("w")
            outer.__cause__, error = error, outer
    return error


# --- forms ------------------------------------------------------------------------------------------


def test_a_decorated_function_stays_what_it_was() -> None:
    """Its kind, name, signature and documentation stay; frameworks look at them."""

    @translating(to_shop_error, cart="c")
    def plain(a: int, *, b: int = 2) -> int:
        """Adds."""
        return a + b

    @translating(to_shop_error, cart="c")
    async def later() -> None: ...

    @translating(to_shop_error, cart="c")
    def generate() -> Iterator[int]:
        yield 1

    @translating(to_shop_error, cart="c")
    async def generate_later() -> AsyncIterator[int]:
        yield 1

    assert plain(1, b=4) == 5
    assert (plain.__name__, plain.__doc__, str(inspect.signature(plain))) == (
        "plain",
        "Adds.",
        "(a: 'int', *, b: 'int' = 2) -> 'int'",
    )
    assert inspect.iscoroutinefunction(later)
    assert inspect.isgeneratorfunction(generate)
    assert inspect.isasyncgenfunction(generate_later)


def test_methods_partials_and_callable_objects() -> None:
    """Whatever can be called can be decorated, and its kind is found."""

    class Service:
        @translating(to_shop_error, cart="c")
        def read(self) -> None:
            raise OSError(errno.ENOENT, "x")

        async def __call__(self) -> None:
            raise OSError(errno.ENOENT, "x")

    boundary = translating(to_shop_error, cart="c")
    for fails in (Service().read, boundary(functools.partial(Service.read, Service()))):
        with pytest.raises(ShopError):
            fails()
    with pytest.raises(ShopError):
        finish(boundary(Service())())
    with pytest.raises(ShopError):
        finish(boundary(functools.partial(Service().__call__))())


def test_static_methods_and_class_methods_stay_what_they_are() -> None:
    """A boundary may stand above the built-in decorators as well as below them."""
    boundary = translating(to_shop_error, cart="c")

    class Service:
        @boundary
        @staticmethod
        def free() -> None:
            raise OSError(errno.ENOENT, "x")

        @boundary
        @classmethod
        def of_the_class(cls) -> None:
            raise OSError(errno.ENOENT, cls.__name__)

    for fails in (Service.free, Service().free, Service.of_the_class, Service().of_the_class):
        with pytest.raises(ShopError) as caught:
            fails()
        assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_a_plain_decorator_below_hides_no_kind() -> None:
    """What a function returns is put under the boundary as well, if it fails only later."""

    def plain(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda: function()  # noqa: PLW0108 (a plain function is the point)

    def generate() -> Iterator[int]:
        yield 1
        raise OSError(errno.ENOENT, "x")

    async def generate_later() -> AsyncIterator[int]:
        yield 1
        raise OSError(errno.ENOENT, "x")

    async def later() -> None:
        raise OSError(errno.ENOENT, "x")

    async def read(items: Any) -> list[int]:
        return [item async for item in items]

    boundary = translating(to_shop_error, cart="c")
    with pytest.raises(ShopError):
        list(boundary(plain(generate))())
    with pytest.raises(ShopError):
        finish(read(boundary(plain(generate_later))()))
    with pytest.raises(ShopError):
        finish(boundary(plain(later))())


def test_a_generator_keeps_its_dialogue() -> None:
    """Values that are sent, errors that are thrown and the returned value reach the generator inside."""
    heard: list[object] = []

    @translating(to_shop_error, cart="c")
    def talk() -> Any:
        heard.append((yield 1))
        try:
            yield 2
        except KeyError as error:
            heard.append(error)
        yield 3
        return "end"

    made = talk()
    thrown = KeyError("x")
    assert (next(made), made.send("hello"), made.throw(thrown)) == (1, 2, 3)
    with pytest.raises(StopIteration) as end:
        next(made)
    assert end.value.value == "end"
    assert heard == ["hello", thrown]


def test_an_async_generator_keeps_its_dialogue() -> None:
    """The same for asend, athrow and aclose."""
    heard: list[object] = []

    @translating(to_shop_error, cart="c")
    async def talk() -> Any:
        try:
            heard.append((yield 1))
            try:
                yield 2
            except KeyError as error:
                heard.append(error)
            yield 3
        finally:
            heard.append("closed")

    async def listen() -> list[int]:
        made: Any = talk()
        said = [await anext(made), await made.asend("hello"), await made.athrow(thrown)]
        await made.aclose()
        return said

    thrown = KeyError("x")
    assert finish(listen()) == [1, 2, 3]
    assert heard == ["hello", thrown, "closed"]


def test_an_async_generator_that_swallows_ends_as_before() -> None:
    """`athrow` into a generator that ends after it raises StopAsyncIteration, as without a boundary."""

    @translating(to_shop_error, cart="c")
    async def talk() -> Any:
        with contextlib.suppress(OSError):
            yield 1

    async def listen() -> None:
        made: Any = talk()
        await anext(made)
        await made.athrow(OSError("x"))

    with pytest.raises(StopAsyncIteration):
        finish(listen())


def test_context_managers_made_from_generators() -> None:
    """`contextmanager` and `asynccontextmanager` work on top; what their block raises is translated too."""

    @contextlib.contextmanager
    @translating(to_shop_error, cart="c")
    def connection() -> Iterator[str]:
        yield "open"

    @contextlib.asynccontextmanager
    @translating(to_shop_error, cart="c")
    async def session() -> AsyncIterator[str]:
        yield "open"

    async def use() -> None:
        async with session() as state:
            assert state == "open"
            raise OSError(errno.ENOENT, "x")

    with pytest.raises(ShopError), connection():
        raise OSError(errno.ENOENT, "x")
    with pytest.raises(ShopError):
        finish(use())


def test_one_boundary_serves_many_threads() -> None:
    """It holds no state of a call, so nested and concurrent use do not mix."""
    boundary = translating(to_shop_error, cart="c")
    ready = threading.Barrier(8)
    found: list[str] = []

    @boundary
    def fail(number: int) -> None:
        with boundary:
            ready.wait()
            raise OSError(number, "x")

    def call(number: int) -> None:
        try:
            fail(number)
        except ShopError as error:
            found.append(f"{number} {getattr(error.__cause__, 'errno', None)}")

    threads = [threading.Thread(target=call, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [f"{number} {number}" for number in range(1, 9)]


def test_any_function_may_be_the_translator() -> None:
    """It gets leaves only, needs no care for cancellations, and its result gets the cause."""

    def to_error(error: Exception, *, page: int) -> CodedError:
        return BankError.CLOSED(f"page {page}")

    raw = OSError("x")
    with pytest.raises(BankError, match="page 3") as caught, translating(to_error, page=3):
        raise raw
    assert caught.value.__cause__ is raw
    with pytest.raises(KeyboardInterrupt), translating(to_error, page=3):
        raise KeyboardInterrupt
    with pytest.raises(ExceptionGroup) as group, translating(to_error, page=3):
        raise ExceptionGroup("g", [raw])
    assert shape(group.value) == ("g", [], ["bank.closed"])


def test_a_translator_that_fails_loses_nothing() -> None:
    """The original error goes on."""
    broken: list[Any] = [lambda error: 1 / 0, lambda error: None, lambda error: "text"]
    for translator in broken:
        with pytest.raises(OSError, match="raw"), translating(translator):
            raise OSError("raw")


def test_the_context_of_a_translated_error_is_its_own() -> None:
    """`raise` inside a boundary must not chain the error to itself or hide a former context
    (github.com/python/cpython/issues/98458, github.com/jd/tenacity/issues/658).
    """
    with pytest.raises(ExceptionGroup) as group, translating(to_shop_error, cart="c"):
        raise ExceptionGroup("g", [OSError()])
    assert group.value.__context__ is None
    with pytest.raises(ShopError) as caught, translating(to_shop_error, cart="c"):
        raise OSError("x")
    assert caught.value.__context__ is None
    assert isinstance(caught.value.__cause__, OSError)


@every_form
def test_no_reference_cycle(form: str) -> None:
    """A translated error dies as soon as nobody holds it; a cycle through a frame keeps files and locks alive
    (github.com/python/cpython/issues/75188).
    """
    gc.disable()
    try:
        dead = watched(form)
        assert dead() is None
    finally:
        gc.enable()


def watched(form: str) -> weakref.ref[BaseException]:
    """A weak reference to the error that left a boundary."""
    try:
        run_form(form, OSError(errno.ENOENT, "x"))
    except ShopError as error:
        return weakref.ref(error)
    raise AssertionError("nothing was raised")


# --- failures that are answers ----------------------------------------------------------------------


def gone(answer: Any) -> Answering[Any]:
    """Answers what the shop calls gone."""
    return answering(answer, lambda error: to_shop_error.code_of(error) == ShopError.GONE)


def test_a_failure_that_is_an_answer() -> None:
    """Decorated functions of each kind return the documented value; other failures and values go on."""

    @gone("nothing")
    def read(error: BaseException | None) -> str:
        if error is not None:
            raise error
        return "something"

    @gone("nothing")
    async def read_later(error: BaseException | None) -> str:
        return read.__wrapped__(error)  # type: ignore[attr-defined,no-any-return]

    @gone(None)
    def stream(error: BaseException) -> Iterator[int]:
        yield 1
        raise error

    absent = OSError(errno.ENOENT, "x")
    for call in (read, lambda error: finish(read_later(error))):
        assert call(absent) == "nothing"
        assert call(to_shop_error(absent, cart="c")) == "nothing"
        assert call(None) == "something"
        with pytest.raises(OSError, match="other"):
            call(OSError(errno.EIO, "other"))
    assert list(stream(absent)) == [1]


def test_a_block_under_an_answer() -> None:
    """The block sets `.value`; the documented value stays if the failure came first."""
    boundary = gone(0)
    with boundary as first:
        first.value = 5
    with boundary as second:
        raise OSError(errno.ENOENT, "x")
    assert (first.value, second.value) == (5, 0)

    async def later() -> Any:
        async with boundary as third:
            raise OSError(errno.ENOENT, "x")
        return third.value

    assert finish(later()) == 0


@every_cancellation
def test_an_answer_never_swallows_a_cancellation(stop: BaseException) -> None:
    """Not even with a predicate that says yes to everything."""
    if isinstance(stop, KeyError):
        return
    with pytest.raises(type(stop)), answering(None, lambda error: True):
        raise stop


def test_a_predicate_that_fails_says_no() -> None:
    """The failure goes on."""
    with pytest.raises(OSError, match="raw"), answering(None, lambda error: 1 / 0):
        raise OSError("raw")


# --- recorded cases of unwrapping -------------------------------------------------------------------


def chain(*errors: BaseException) -> BaseException:
    """Errors, each the cause of the one before."""
    for outer, inner in itertools.pairwise(errors):
        outer.__cause__ = inner
    return errors[0]


def test_recorded_unwrapping() -> None:
    """agent-core's `unwrapErrorCause`: through coded errors to the first foreign one, and no further.

    Recorded as well, and different in Python: a cause that is null or no error can't exist.
    """
    raw, deep = OSError(errno.EIO, "raw"), RuntimeError("deep")
    assert unwrap_cause(chain(BankError.CLOSED("o"), raw)) is raw
    assert unwrap_cause(chain(ShopError.FAILED("o", cart="c"), BankError.CLOSED("m"), raw)) is raw
    alone = BankError.CLOSED("o")
    assert unwrap_cause(alone) is alone
    assert unwrap_cause(chain(raw, RuntimeError("i"))) is raw
    assert unwrap_cause(chain(BankError.CLOSED("o"), raw, deep)) is raw
    assert unwrap_cause(5) == 5
    payload = {"code": "internal", "message": "o", "cause": "x"}
    assert unwrap_cause(payload) is payload
