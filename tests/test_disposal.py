"""Cleaning up: every step runs, the failure that counts leaves, and nothing that failed is lost."""

from __future__ import annotations

import asyncio
import concurrent.futures
import copy
import gc
import multiprocessing
import pickle
import threading
import weakref
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from errkit import (
    CodedError,
    ErrkitError,
    Registry,
    Translator,
    UserCancelled,
    cleanup,
    code,
    diagnostics,
    dumps,
    format_error,
    from_payload,
    loads,
    register_cancellation,
    set_unexpected_error_handler,
    to_payload,
    translating,
)
from errkit.disposal import Failures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REG = Registry("test_disposal")


class DeviceError(CodedError, domain="device", registry=REG):
    LOST = code("Device was lost", kind="transient", public=True)
    STUCK = code("Device does not let go")


@pytest.fixture
def reported() -> Iterator[list[object]]:
    """What was given to the handler of unexpected errors."""
    found: list[object] = []
    previous = set_unexpected_error_handler(found.append)
    yield found
    set_unexpected_error_handler(previous)


def fail(error: BaseException) -> None:
    raise error


def failing(name: str, error: BaseException) -> tuple[str, Callable[[], None]]:
    """A step of that name that fails."""
    return name, partial(fail, error)


async def fail_later(error: BaseException) -> None:
    await asyncio.sleep(0)
    raise error


# --- the order and the rules ------------------------------------------------------------------------


def test_steps_run_in_reverse_order_whatever_happens() -> None:
    """Also those before one that fails; each with its arguments, and once."""
    done: list[str] = []

    def print_to(*, word: str) -> None:
        done.append(word)

    with suppress(OSError), cleanup(("first", lambda: done.append("first"))) as steps:
        steps.add("second", done.append, "second")
        steps.add("third", fail, OSError("stuck"))
        steps.add("fourth", print_to, word="fourth")
        assert done == []
    assert done == ["fourth", "second", "first"]
    with steps:
        pass
    assert done == ["fourth", "second", "first"]


def test_a_step_may_add_a_step() -> None:
    """What cleaning up brings to light is cleaned up too."""
    done: list[str] = []
    with cleanup() as steps:
        steps.add("outer", lambda: steps.add("inner", done.append, "inner"))
    assert done == ["inner"]


def test_nothing_happens_where_nothing_fails() -> None:
    """The block goes on behind the `with`."""
    with cleanup(lambda: None) as steps:
        pass
    with cleanup():
        pass
    assert steps.__exit__(None, None, None) is False


@pytest.mark.parametrize(
    "primary", [DeviceError.LOST(), ValueError("boom"), ExceptionGroup("g", [KeyError()])]
)
def test_the_failure_of_the_block_stays_primary(primary: Exception) -> None:
    """It leaves as the same object, with the failures of steps beside it in the order they happened."""
    first, second = OSError("one"), DeviceError.STUCK("two")
    with pytest.raises(type(primary)) as caught, cleanup(failing("release", second), failing("close", first)):
        raise primary
    assert caught.value is primary
    assert tuple(primary.secondary) == (first, second)  # type: ignore[attr-defined]
    payload = to_payload(primary)
    assert [member["message"] for member in payload["secondary"]] == ["one", "two"]
    assert [member["notes"] for member in payload["secondary"]] == [
        ["cleanup step: close"],
        ["cleanup step: release"],
    ]
    assert payload["secondary"][1]["code"] == "device.stuck"


def test_a_traceback_tells_of_the_steps() -> None:
    """Who only sees the traceback sees a note for each step, redacted."""
    with (
        pytest.raises(DeviceError) as caught,
        cleanup(failing("log out", OSError("password=hunter22 refused"))),
    ):
        raise DeviceError.LOST("gone")
    assert caught.value.__notes__ == [
        "cleanup step 'log out' failed: [internal] OSError: password=[REDACTED] refused"
    ]
    assert "While cleaning up: [internal] OSError" in format_error(caught.value, verbose=True)


def test_cleanup_alone_fails_and_surfaces() -> None:
    """The failure of the only step leaves as it is."""
    failure = DeviceError.STUCK()
    with pytest.raises(DeviceError) as caught, cleanup(("release", partial(fail, failure))):
        pass
    assert caught.value is failure
    assert failure.secondary == ()
    assert failure.__notes__ == ["cleanup step: release"]
    assert failure.__context__ is None


def test_of_several_steps_the_first_that_failed_surfaces() -> None:
    """The later ones are beside it, as beside the failure of a block."""
    later, first = OSError("later"), DeviceError.STUCK("first")
    with pytest.raises(DeviceError) as caught, cleanup(failing("b", later), failing("a", first)):
        pass
    assert caught.value is first
    assert first.secondary == (later,)


def test_a_step_that_fails_with_the_same_error_adds_nothing() -> None:
    """Such as the result of the future that the block has waited for."""
    primary = DeviceError.LOST()
    with pytest.raises(DeviceError) as caught, cleanup(failing("wait", primary)):
        raise primary
    assert caught.value is primary
    assert primary.secondary == ()


def test_the_block_is_no_cause_of_what_a_step_does() -> None:
    """Python makes it the context of each error of a step; it is taken away, other contexts stay."""
    inner = KeyError("inner")

    def step() -> None:
        try:
            raise inner
        except KeyError:
            raise OSError("outer")  # noqa: B904 (the context is what is looked at)

    primary = DeviceError.LOST()
    with pytest.raises(DeviceError), cleanup(step):
        raise primary
    (failure,) = primary.secondary
    assert failure.__context__ is inner
    assert inner.__context__ is None
    assert "cause" not in to_payload(primary)["secondary"][0]["cause"]


def test_cleanups_nest() -> None:
    """Each level adds its failures behind those of the inner one."""
    errors = [OSError(f"step {number}") for number in range(3)]
    primary = DeviceError.LOST()
    with (
        pytest.raises(DeviceError),
        cleanup(("outer", partial(fail, errors[2]))),
        cleanup(failing("b", errors[1]), failing("a", errors[0])),
    ):
        raise primary
    assert primary.secondary == tuple(errors)


def test_an_error_that_is_reused_keeps_what_is_beside_it() -> None:
    """A module-level instance that fails twice has the failures of both times; nothing else can be known."""
    primary = ValueError("constant")
    for number in range(2):
        with pytest.raises(ValueError, match="constant"), cleanup(partial(fail, OSError(number))):
            raise primary
    assert [str(failure) for failure in vars(primary)["secondary"]] == ["0", "1"]


def test_steps_have_names_to_tell_them_apart() -> None:
    """A pair gives one; else it is that of the function, also behind a partial."""

    class Page:
        def close(self) -> None:
            raise OSError("stuck")

    primary = DeviceError.LOST()
    steps: list[Any] = [("a name", Page().close), Page().close, partial(partial(fail, OSError("x"))), _Step()]
    with pytest.raises(DeviceError), cleanup(*reversed(steps)):
        raise primary
    names = [failure.__notes__[0] for failure in primary.secondary]
    assert names[0] == "cleanup step: a name"
    assert names[1].endswith("Page.close")
    assert names[2:] == ["cleanup step: fail", "cleanup step: _Step"]


class _Step:
    def __call__(self) -> None:
        raise OSError("callable")


# --- cancellation -----------------------------------------------------------------------------------

STOPS: list[BaseException] = [
    KeyboardInterrupt(),
    SystemExit(1),
    GeneratorExit(),
    asyncio.CancelledError(),
    concurrent.futures.CancelledError(),
    UserCancelled(),
]
every_stop = pytest.mark.parametrize("stop", STOPS, ids=lambda stop: f"{type(stop)}"[8:-2])


@every_stop
def test_a_cancelled_block_stays_cancelled(stop: BaseException, reported: list[object]) -> None:
    """It leaves as it is, untouched; what fails in its steps is reported, since it can't carry that."""
    failure, second = OSError("stuck"), OSError("too")
    with pytest.raises(type(stop)) as caught, cleanup(failing("b", second), failing("a", failure)):
        raise stop
    assert caught.value is stop
    assert not vars(stop)
    assert reported == [failure]
    assert vars(failure)["secondary"] == (second,)


@every_stop
def test_a_step_that_is_cancelled_holds_up_no_other(stop: BaseException, reported: list[object]) -> None:
    """The remaining steps run, then the cancellation leaves."""
    done: list[str] = []
    with (
        pytest.raises(type(stop)) as caught,
        cleanup(("c", partial(done.append, "c")), failing("b", KeyboardInterrupt()), failing("a", stop)),
    ):
        pass
    assert caught.value is stop
    assert done == ["c"]
    assert not vars(stop)
    assert reported == []


@every_stop
def test_a_cancellation_in_a_step_goes_before_the_failure_of_the_block(
    stop: BaseException, reported: list[object]
) -> None:
    """The failure that it passes is reported, with what is beside it."""
    primary, failure = DeviceError.LOST(), OSError("stuck")
    with pytest.raises(type(stop)) as caught, cleanup(failing("b", failure), failing("a", stop)):
        raise primary
    assert caught.value is stop
    assert reported == [primary]
    assert primary.secondary == (failure,)


def test_registered_classes_count(reported: list[object]) -> None:
    """A host's own cancellation passes like the built-in ones."""

    class Abort(Exception):
        pass

    stop = Abort()
    undo = register_cancellation(Abort)
    try:
        with pytest.raises(Abort) as caught, cleanup(partial(fail, OSError("x"))):
            raise stop
    finally:
        undo()
    assert caught.value is stop
    assert len(reported) == 1


def test_a_coded_cancellation_can_carry_failures(reported: list[object]) -> None:
    """An error of the kind `cancelled` is an error all the same."""

    class StopError(CodedError, domain="stop", registry=Registry("stops")):
        NOW = code("Stopped", kind="cancelled")

    primary, failure = StopError.NOW(), OSError("x")
    with pytest.raises(StopError), cleanup(partial(fail, failure)):
        raise primary
    assert primary.secondary == (failure,)
    assert reported == []


def test_a_generator_that_is_closed_cleans_up() -> None:
    """`GeneratorExit` ends it as ever."""
    done: list[str] = []

    def generate() -> Iterator[int]:
        with cleanup(("close", partial(done.append, "closed"))):
            yield 1
            yield 2

    numbers = generate()
    assert next(numbers) == 1
    numbers.close()  # type: ignore[attr-defined]
    assert done == ["closed"]


# --- async ------------------------------------------------------------------------------------------


def test_async_steps_are_awaited() -> None:
    """Plain and async steps mix, each done before the next one starts."""
    done: list[str] = []

    async def close(name: str) -> None:
        await asyncio.sleep(0)
        done.append(name)

    async def work() -> None:
        async with cleanup(("zero", lambda: done.append("zero"))) as steps:
            steps.add("one", close, "one")
            steps.add("two", done.append, "two")
            steps.add("three", close, "three")

    asyncio.run(work())
    assert done == ["three", "two", "one", "zero"]


def test_async_failures_are_collected_alike() -> None:
    """The failure of the block leaves with those of its steps."""
    primary, first, second = DeviceError.LOST(), OSError("one"), OSError("two")

    async def work() -> None:
        async with cleanup() as steps:
            steps.add("b", fail, second)
            steps.add("a", fail_later, first)
            raise primary

    with pytest.raises(DeviceError) as caught:
        asyncio.run(work())
    assert caught.value is primary
    assert primary.secondary == (first, second)
    assert first.__context__ is None


def test_a_task_that_is_cancelled_cleans_up_and_stays_cancelled() -> None:
    """Also if the cancellation comes while a step is awaited: the remaining steps run."""
    done: list[str] = []

    async def close(name: str) -> None:
        await asyncio.sleep(0)
        done.append(name)

    async def work(entered: asyncio.Event, seconds: float, pause: float) -> None:
        async with cleanup() as steps:
            steps.add("last", close, "last")
            steps.add("pause", asyncio.sleep, pause)
            steps.add("first", entered.set)
            steps.add("first", close, "first")
            await asyncio.sleep(seconds)

    async def cancel(seconds: float, pause: float) -> bool:
        entered = asyncio.Event()
        task = asyncio.create_task(work(entered, seconds, pause))
        if pause:
            await entered.wait()
        await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return task.cancelled()

    for seconds, pause in ((60.0, 0.0), (0.0, 60.0)):
        done.clear()
        assert asyncio.run(cancel(seconds, pause))
        assert done == ["first", "last"]


def test_a_timeout_around_a_cleanup_is_a_timeout() -> None:
    """The cancellation inside comes out as `TimeoutError`, after the steps."""
    done: list[str] = []

    async def work() -> None:
        async with asyncio.timeout(0), cleanup(("close", partial(done.append, "closed"))):
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        asyncio.run(work())
    assert done == ["closed"]


def test_an_async_step_in_a_plain_with_is_a_failure() -> None:
    """It can't be awaited there; the error says so, nothing warns, and the other steps run."""
    done: list[str] = []
    with (
        pytest.raises(CodedError) as caught,
        cleanup(
            ("before", partial(done.append, "before")), ("close page", partial(fail_later, OSError("never")))
        ),
    ):
        pass
    details = ErrkitError.ASYNC_STEP.match(caught.value)
    assert details is not None
    assert details.step == "close page"
    assert done == ["before"]


# --- any mix ----------------------------------------------------------------------------------------

OUTCOMES: dict[str, Callable[[], BaseException | None]] = {
    "fine": lambda: None,
    "foreign": lambda: OSError("foreign"),
    "coded": DeviceError.STUCK,
    "group": lambda: ExceptionGroup("g", [OSError()]),
    "stop": UserCancelled,
}
outcomes = st.sampled_from(sorted(OUTCOMES))


@given(block=outcomes, steps=st.lists(st.tuples(outcomes, st.booleans()), max_size=5), is_async=st.booleans())
def test_any_mix_of_outcomes(block: str, steps: list[tuple[str, bool]], is_async: bool) -> None:
    """Every step runs, in order; what leaves follows the rules; each failure is beside it or reported."""
    primary = OUTCOMES[block]()
    failures = [OUTCOMES[outcome]() for outcome, _ in steps]
    order: list[int] = []
    reported: list[object] = []

    def step(number: int) -> None:
        order.append(number)
        error = failures[number]
        if error is not None:
            raise error

    async def step_later(number: int) -> None:
        await asyncio.sleep(0)
        step(number)

    def run() -> None:
        with cleanup() as held:
            for number in range(len(steps)):
                held.add(str(number), step, number)
            if primary is not None:
                raise primary

    async def run_later() -> None:
        async with cleanup() as held:
            for number, (_, later) in enumerate(steps):
                held.add(str(number), step_later if later else step, number)
            if primary is not None:
                raise primary

    previous = set_unexpected_error_handler(reported.append)
    try:
        asyncio.run(run_later()) if is_async else run()
        left: BaseException | None = None
    except Exception as error:
        left = error
    finally:
        set_unexpected_error_handler(previous)

    assert order == list(reversed(range(len(steps))))
    happened = [error for error in (primary, *reversed(failures)) if error is not None]
    stops = [error for error in happened if isinstance(error, UserCancelled)]
    rest = [error for error in happened if not isinstance(error, UserCancelled)]
    assert left is (stops[0] if stops else rest[0] if rest else None)
    assert reported == (rest[:1] if stops else [])
    if rest:
        beside = rest[0].secondary if isinstance(rest[0], CodedError) else vars(rest[0]).get("secondary", ())
        assert list(beside) == rest[1:]
        assert loads(dumps(rest[0])).secondary.__len__() == len(rest) - 1


# --- what becomes of it -----------------------------------------------------------------------------


class Unpicklable(Exception):
    """Holds what has no pickle."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.lock = threading.Lock()


def lose_device(foreign: bool) -> None:
    """What a worker of a pool does."""
    with cleanup() as steps:
        steps.add("b", fail, Unpicklable("two"))
        steps.add("a", fail, OSError("one"))
        raise ValueError("foreign") if foreign else DeviceError.LOST("coded")


@pytest.mark.parametrize("foreign", [True, False])
def test_failures_of_steps_come_along_from_another_process(foreign: bool) -> None:
    """Through a pool, beside any error; one that has no pickle spoils nothing."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        error: Any = pool.submit(lose_device, foreign).exception(timeout=60)
    assert str(error) == ("foreign" if foreign else "coded")
    assert [str(failure) for failure in error.secondary] == ["one", "two"]
    assert isinstance(error.secondary[0], OSError)
    assert [member["message"] for member in to_payload(error)["secondary"]] == ["one", "two"]


@pytest.mark.parametrize("primary", [DeviceError.LOST(), ValueError("boom")])
def test_failures_of_steps_survive_copies_and_the_wire(primary: Exception) -> None:
    """Copy, deep copy, pickle, payload: the same failures, in the same order."""
    with suppress(Exception), cleanup(partial(fail, OSError("x")), partial(fail, DeviceError.STUCK())):
        raise primary
    codes = [member["code"] for member in to_payload(primary)["secondary"]]
    assert codes == ["device.stuck", "internal"]
    twins = (copy.copy(primary), copy.deepcopy(primary), pickle.loads(pickle.dumps(primary)))
    for twin in (*twins, from_payload(to_payload(primary), registry=REG)):
        assert [member["code"] for member in to_payload(twin)["secondary"]] == codes


def test_failures_of_steps_survive_at_a_cause() -> None:
    """A pickle keeps them beside each coded error of the chain; failures that lead back to it end there."""
    primary = DeviceError.LOST()
    failures = [OSError(f"step {number}") for number in range(15)]
    for failure in failures:
        failure.__cause__ = primary
    with suppress(DeviceError), cleanup(*[failing("s", failure) for failure in reversed(failures)]):
        raise primary
    outer = DeviceError.STUCK()
    outer.__cause__ = primary
    twin = pickle.loads(pickle.dumps(outer))
    assert [str(failure) for failure in twin.__cause__.secondary] == list(map(str, failures))
    assert all(failure.__cause__.secondary == () for failure in twin.__cause__.secondary)


def test_a_group_that_is_translated_keeps_them() -> None:
    """The group that leaves the boundary is another one, with the same failures beside it."""
    to_device_error = Translator(DeviceError, fallback=DeviceError.LOST)
    failure = OSError("step")
    with pytest.raises(ExceptionGroup) as caught, translating(to_device_error):
        with cleanup(failing("s", failure)):
            raise ExceptionGroup("g", [ValueError("raw")])
    assert caught.value.secondary == (failure,)  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]
    assert to_payload(caught.value)["group"][0]["code"] == "device.lost"


def test_failures_of_steps_are_not_for_the_public() -> None:
    """Neither they nor the notes leave the house."""
    primary = DeviceError.LOST()
    with suppress(DeviceError), cleanup(partial(fail, OSError("secret path"))):
        raise primary
    assert "secret" not in dumps(primary, audience="public")


def test_a_boundary_outside_keeps_them_with_the_cause() -> None:
    """The raw error carries them, and the translated one has that as its cause."""
    to_device_error = Translator(DeviceError, fallback=DeviceError.LOST)
    with pytest.raises(DeviceError) as caught, translating(to_device_error):
        with cleanup(partial(fail, OSError("step"))):
            raise ValueError("raw")
    assert caught.value.secondary == ()
    assert to_payload(caught.value)["cause"]["secondary"][0]["message"] == "step"


def test_an_error_whose_secondary_is_something_else_keeps_it(reported: list[object]) -> None:
    """What another library stores under that name is left alone, and the failure is reported."""
    primary, failure = ValueError("boom"), OSError("step")
    vars(primary)["secondary"] = "theirs"
    with suppress(ValueError), cleanup(partial(fail, failure)):
        raise primary
    assert vars(primary)["secondary"] == "theirs"
    assert reported == [failure]
    assert "secondary" not in to_payload(primary)


def test_failures_of_steps_are_events_of_a_diagnostic_scope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log of the failure tells each step and its error, redacted (ADR 0019 of agent-device)."""
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(tmp_path))
    with (
        pytest.raises(DeviceError) as caught,
        diagnostics.scope("request"),
        cleanup(failing("release device", DeviceError.STUCK("password=hunter22"))),
    ):
        raise DeviceError.LOST("gone")
    assert caught.value.log_path is not None
    event, last = diagnostics.read_log(caught.value.log_path)
    assert (event["event"], event["level"], event["data"]["step"]) == (
        "cleanup failed",
        "error",
        "release device",
    )
    assert event["data"]["error"]["code"] == "device.stuck"
    assert "hunter22" not in str(event)
    assert last["error"]["secondary"][0]["code"] == "device.stuck"


@pytest.mark.parametrize("form", ["only cleanup", "block", "stop"])
def test_no_reference_cycle(form: str, reported: list[object]) -> None:
    """What has left is freed with the last reference to it, without the collector."""

    class Watched(Exception):
        pass

    def step() -> None:
        # A function that holds in a variable what it raises makes a cycle of its own.
        raise UserCancelled if form == "stop" else Watched("a")

    def run() -> weakref.ref[BaseException]:
        try:
            with cleanup() as steps:
                steps.add("b", step)
                steps.add("a", step)
                if form != "only cleanup":
                    raise Watched("block")
        except Exception as error:
            return weakref.ref(error)
        raise AssertionError

    gc.collect()
    gc.disable()
    try:
        found = run()
        reported.clear()
        assert found() is None
    finally:
        gc.enable()


def test_failures_is_a_tuple_of_its_own() -> None:
    """It is told from what others store, also after a pickle."""
    found = pickle.loads(pickle.dumps(Failures([OSError("x")])))
    assert isinstance(found, Failures)
    assert isinstance(found[0], OSError)
