"""The domain `concurrent`: each row by real tasks, threads, processes and queues."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import multiprocessing.pool
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from errkit import UserCancelled, from_payload, to_payload, translating
from errkit.domains.concurrent import ConcurrentError, WorkTimedOut, to_concurrent_error
from errkit.prose import domain_prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def processes() -> Iterator[concurrent.futures.Executor]:
    """A pool of one process, which has served a call already."""
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        assert pool.submit(int, "7").result(60) == 7
        yield pool


def caught(fail: Callable[[], object], **context: Any) -> ConcurrentError:
    """The error that leaves a boundary around the call."""
    with pytest.raises(ConcurrentError) as found, translating(to_concurrent_error, **context):
        fail()
    assert found.value.details_problem is None
    return found.value


# --- time limits ------------------------------------------------------------------------------------


async def wait_for_ever() -> None:
    await asyncio.Event().wait()


async def under_timeout() -> None:
    async with asyncio.timeout(0.001):
        await wait_for_ever()


def wait_for_a_future() -> None:
    concurrent.futures.Future[None]().result(timeout=0.001)


def wait_for_several() -> None:
    list(concurrent.futures.as_completed([concurrent.futures.Future[None]()], timeout=0.001))


def wait_for_a_pool() -> None:
    release = threading.Event()
    with multiprocessing.pool.ThreadPool(1) as pool:
        try:
            pool.apply_async(release.wait).get(timeout=0.001)
        finally:
            release.set()


LIMITS: dict[str, Callable[[], object]] = {
    "asyncio.timeout": lambda: asyncio.run(under_timeout()),
    "asyncio.wait_for": lambda: asyncio.run(asyncio.wait_for(wait_for_ever(), 0.001)),
    "future": wait_for_a_future,
    "as_completed": wait_for_several,
    "multiprocessing": wait_for_a_pool,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_that_was_reached(name: str) -> None:
    """Of asyncio, of futures, of pools; it may work the next time, and old `except` clauses keep working."""
    error = caught(LIMITS[name], work="resize", timeout=0.001)
    assert error.code == "concurrent.timed_out"
    assert error.retryable
    assert dict(error.details) == {"work": "resize", "timeout": 0.001}
    assert str(error) == "resize: work did not end in time (0.001 s)"
    assert isinstance(error, TimeoutError)
    assert isinstance(from_payload(to_payload(error)), WorkTimedOut)


def test_a_boundary_inside_the_limit_sees_no_failure() -> None:
    """There it is a cancellation, which passes as it is and becomes the timeout outside."""

    async def work() -> None:
        async with asyncio.timeout(0.001):
            with translating(to_concurrent_error, work="inner"):
                await wait_for_ever()

    error = caught(lambda: asyncio.run(work()), work="outer")
    assert error.details["work"] == "outer"
    assert isinstance(error.__cause__, TimeoutError)
    assert isinstance(error.__cause__.__cause__, asyncio.CancelledError)


# --- workers, queues, ends --------------------------------------------------------------------------


def end_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_died() -> None:
    """The pool is broken for good, so it is not worth a retry with the same pool."""

    def run() -> None:
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
            pool.submit(end_itself).result(60)

    error = caught(run, work="resize")
    assert (error.code, error.retryable) == ("concurrent.worker_lost", False)


def a_broken_start() -> None:
    with concurrent.futures.ThreadPoolExecutor(1, initializer=int, initargs=("x",)) as pool:
        pool.submit(int).result(60)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_worker_that_could_not_start() -> None:
    """A pool of threads breaks when its initializer fails."""
    assert caught(a_broken_start).code == "concurrent.worker_lost"


def overfill(waiting: Any) -> None:
    waiting.put_nowait(1)
    waiting.put_nowait(2)


@pytest.mark.parametrize("kind", [queue.Queue, asyncio.Queue, SPAWN.Queue], ids=["thread", "task", "process"])
def test_queues(kind: Callable[[int], Any]) -> None:
    """Of threads, tasks and processes: full and empty are told apart, and both pass."""
    waiting = kind(1)
    empty = caught(waiting.get_nowait)
    full = caught(lambda: overfill(waiting))
    assert (empty.code, full.code) == ("concurrent.queue_empty", "concurrent.queue_full")
    assert empty.retryable
    assert full.retryable


def after_shutdown(pool: concurrent.futures.Executor) -> None:
    pool.shutdown()
    pool.submit(int)


async def nothing() -> None:
    pass


def on_a_closed_loop() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    coroutine = nothing()
    try:
        loop.run_until_complete(coroutine)
    finally:
        coroutine.close()


def in_a_closed_pool() -> None:
    pool = multiprocessing.pool.ThreadPool(1)
    pool.close()
    try:
        pool.apply(int)
    finally:
        pool.join()


CLOSED: dict[str, Callable[[], object]] = {
    "threads": lambda: after_shutdown(concurrent.futures.ThreadPoolExecutor(1)),
    "processes": lambda: after_shutdown(concurrent.futures.ProcessPoolExecutor(1, mp_context=SPAWN)),
    "loop": on_a_closed_loop,
    "pool": in_a_closed_pool,
}


def from_a_queue_that_was_shut_down() -> None:
    waiting: Any = queue.Queue()
    waiting.shutdown()
    waiting.get()


if sys.version_info >= (3, 13):
    CLOSED["queue"] = from_a_queue_that_was_shut_down


@pytest.mark.parametrize("name", CLOSED)
def test_what_was_shut_down_takes_no_more(name: str) -> None:
    """Whether it has a class of its own for that or only words."""
    error = caught(CLOSED[name], work="flush")
    assert (error.code, error.retryable) == ("concurrent.closed", False)


def make_lock() -> Any:
    return threading.Lock()


@pytest.mark.parametrize(
    "send",
    [
        lambda pool: pool.submit(lambda: 1),
        lambda pool: pool.submit(print, threading.Lock()),
        lambda pool: pool.submit(make_lock),
    ],
    ids=["function", "argument", "result"],
)
def test_what_can_t_be_sent(send: Callable[[Any], Any], processes: concurrent.futures.Executor) -> None:
    """A function, an argument or a result that does not pickle."""
    error = caught(lambda: send(processes).result(60))
    assert (error.code, error.retryable) == ("concurrent.not_sendable", False)


# --- as every translator ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [ValueError("of the work"), RuntimeError("other"), TypeError("a + b"), UserCancelled(), OSError(5, "x")],
)
def test_failures_of_the_work_come_back_as_they_are(error: Exception) -> None:
    """Waiting for work says nothing about what became of it."""
    found: object = to_concurrent_error(error, work="w")
    assert found is error


def test_a_cancelled_future_is_no_failure() -> None:
    """`concurrent.futures.CancelledError` passes."""
    future = concurrent.futures.Future[None]()
    future.cancel()
    with pytest.raises(concurrent.futures.CancelledError), translating(to_concurrent_error):
        future.result()


def test_it_is_idempotent() -> None:
    """The first context wins, also for a revived error."""
    error = caught(wait_for_a_future, work="first")
    assert to_concurrent_error(error, work="second") is error
    revived = from_payload(to_payload(error))
    assert to_concurrent_error(revived, work="second") is revived


def test_the_prose_names_each_code() -> None:
    """The table on the domain's page leads to every code."""
    assert ConcurrentError.__domain__ is not None
    prose = domain_prose(ConcurrentError.__domain__)
    assert prose is not None
    assert all(f"``{spec.code}``" in prose.text for spec in ConcurrentError.__domain__.codes)
