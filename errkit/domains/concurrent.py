"""Work that others do meanwhile: the domain `concurrent`, for tasks, threads, pools and queues.

`translating(to_concurrent_error, work="resize images")` goes around waiting for a result, handing work to a
pool, or taking from a queue. The work's own failures pass as they are. A time limit on one request belongs to
`http.py`, one on a process to `os_process.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.boundary import Rule, Translator
from errkit.codes import Details, code, text_of
from errkit.errors import CodedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.codes import ErrorSpec

__all__ = ["ConcurrentError", "LimitDetails", "WorkDetails", "WorkTimedOut", "to_concurrent_error"]


class WorkDetails(Details):
    """Which work it was."""

    work: str | None = None
    """What was to be done, in the words of the caller."""


class LimitDetails(WorkDetails):
    """Which work took too long."""

    timeout: float | None = None
    """Seconds that it was given, where the caller tells them."""


class ConcurrentError(CodedError, domain="concurrent", title="Concurrent work", numbers=range(12600, 12700)):
    """Waiting for others, or handing something to them, failed; what they failed with is not touched.

    ========================================================================  ===========================
    what was raised                                                           code
    ========================================================================  ===========================
    ``TimeoutError`` of asyncio, ``concurrent.futures``, ``multiprocessing``  ``concurrent.timed_out``
    ``BrokenProcessPool`` and its like                                        ``concurrent.worker_lost``
    ``queue.Full``, ``asyncio.QueueFull``                                     ``concurrent.queue_full``
    ``queue.Empty``, ``asyncio.QueueEmpty``                                   ``concurrent.queue_empty``
    an executor, loop or queue that was shut down                             ``concurrent.closed``
    ``PicklingError`` and its like                                            ``concurrent.not_sendable``
    ========================================================================  ===========================

    A cancellation passes as it is. A timeout is none, even though asyncio cancels the work for it, and keeps
    its built-in class: ``except TimeoutError`` catches ``concurrent.timed_out``.
    """

    TIMED_OUT = code(
        "Work did not end in time",
        LimitDetails,
        number=12601,
        kind="transient",
        http_status=504,
        hint="Try again, or give the work more time.",
        example={"work": "resize images", "timeout": 30.0},
    )
    """The result was not there when the limit was reached. ``asyncio.timeout`` has cancelled the work;
    threads and processes of a pool go on with it, and hold their place until they are done. Dump what it is
    waiting for with ``faulthandler.dump_traceback_later`` before you raise the limit."""

    WORKER_LOST = code(
        "Worker ended without an answer",
        WorkDetails,
        number=12602,
        http_status=500,
        hint="Find out what ended the worker, and make a new pool.",
        example={"work": "resize images"},
    )
    """A process of the pool died, and with it all work that the pool had taken. The kernel kills workers when
    memory runs out (``dmesg`` has a line of ``oom-kill``), extension modules crash, and a script without
    ``if __name__ == "__main__":`` starts itself over and over. The pool stays broken, so a retry needs a new
    one; hand over less at once if the same work kills it again."""

    QUEUE_FULL = code(
        "Queue is full",
        WorkDetails,
        number=12603,
        kind="transient",
        http_status=503,
        hint="Wait until something was taken out, or refuse the work.",
        example={"work": "outgoing mail"},
    )
    """Nothing more fits, since what comes in is more than what is worked off. A short burst passes; a
    ``maxsize`` that is always reached means too few workers, or one that hangs. Slow the sender down with a
    blocking ``put``, rather than taking the bound away."""

    QUEUE_EMPTY = code(
        "Queue is empty",
        WorkDetails,
        number=12604,
        kind="transient",
        http_status=503,
        hint="Wait with a blocking `get`, or do something else first.",
        example={"work": "outgoing mail"},
    )
    """There is nothing to take yet. After ``get_nowait`` that is an ordinary answer, best caught where it is
    asked; after a ``get`` with a timeout, the sender is late or has ended without a sign. Let senders put a
    last item that says so, or call ``shutdown`` on the queue."""

    CLOSED = code(
        "No more work is taken",
        WorkDetails,
        number=12605,
        http_status=503,
        hint="Hand the work over before the shutdown, or make a new executor.",
        example={"work": "flush metrics"},
    )
    """The executor, the event loop or the queue has been shut down. Work that is handed over while a program
    ends is the usual case, from ``atexit`` or ``__del__``, and so is a pool that left its ``with`` block.
    Keep the order of the shutdown the reverse of the start."""

    NOT_SENDABLE = code(
        "Work can't be sent to another process",
        WorkDetails,
        number=12606,
        http_status=500,
        hint="Move the function to the top level of a module, and pass plain data.",
        example={"work": "resize images"},
    )
    """Whatever goes to a worker process, or comes back from it, is pickled, and this does not pickle. Lambdas
    and nested functions, open files, locks and database connections are the usual ones. Try it alone with
    ``pickle.dumps``; let the worker open what it needs by itself."""


class WorkTimedOut(ConcurrentError, TimeoutError, of=ConcurrentError.TIMED_OUT, default=True):
    """`concurrent.timed_out` as the `TimeoutError` that it always was."""


# --- from what was raised to code -------------------------------------------------------------------

_SHUT: Final = (
    "cannot schedule new futures after",
    "Event loop is closed",
    "Executor shutdown has been called",
    "can't start new thread at interpreter shutdown",
    "Pool not running",
)
"""What the standard library says where it has no class for a thing that is closed."""

_UNSENDABLE: Final = ("pickle", "Can't get local object", "Can't get attribute")


def _is_closed(error: BaseException) -> bool:
    text = text_of(error)
    return isinstance(error, (RuntimeError, ValueError)) and any(words in text for words in _SHUT)


def _does_not_pickle(error: BaseException) -> bool:
    text = text_of(error)
    return isinstance(error, (TypeError, AttributeError)) and any(words in text for words in _UNSENDABLE)


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    timeout = details.get("timeout")
    limit = "" if timeout is None else f" ({timeout:.3g} s)"
    return f"{details.get('work') or 'work'}: {spec.title[0].lower()}{spec.title[1:]}{limit}"


TRANSLATOR: Final = Translator(
    ConcurrentError,
    [
        Rule(ConcurrentError.TIMED_OUT, catches=(TimeoutError, "multiprocessing.context.TimeoutError")),
        Rule(ConcurrentError.WORKER_LOST, catches="concurrent.futures._base.BrokenExecutor"),
        Rule(ConcurrentError.QUEUE_FULL, catches=("queue.Full", "asyncio.queues.QueueFull")),
        Rule(
            ConcurrentError.QUEUE_EMPTY, catches=("queue.Empty", "_queue.Empty", "asyncio.queues.QueueEmpty")
        ),
        Rule(ConcurrentError.CLOSED, catches=("queue.ShutDown", "asyncio.queues.QueueShutDown")),
        Rule(ConcurrentError.CLOSED, when=_is_closed),
        Rule(
            ConcurrentError.NOT_SENDABLE,
            catches=("_pickle.PicklingError", "multiprocessing.pool.MaybeEncodingError"),
        ),
        Rule(ConcurrentError.NOT_SENDABLE, when=_does_not_pickle),
    ],
    message=_message,
)


def to_concurrent_error(
    error: object, /, *, work: str | None = None, timeout: float | None = None
) -> ConcurrentError:
    """The error to raise where waiting or handing over failed, without `from`: its cause is set.

    Never raises itself. What the work failed with comes back as it is, but for a `TimeoutError` of its own:
    that can't be told from a limit that was reached.

    Parameters
    ----------
    error
        What was caught. An error of `concurrent` comes back as it is, and so does a cancellation.
    work
        What was to be done.
    timeout
        Seconds that it was given.
    """
    return TRANSLATOR(error, work=work, timeout=timeout)
