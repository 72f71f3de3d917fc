"""The last resort: one handler for failures that nobody may propagate and nobody may lose.

A listener, a callback, a record that has to be skipped: the caller goes on, and the failure is reported here.
Reporting never raises. A handler that fails is itself reported on standard error, together with the failure
that it was given.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from errkit.message import format_error
from errkit.verdicts import is_cancellation

if TYPE_CHECKING:
    import asyncio
    import threading
    from collections.abc import Awaitable, Callable

__all__ = [
    "Handler",
    "install_hooks",
    "on_unexpected_error",
    "reset_unexpected_error_handler",
    "safely_call",
    "set_unexpected_error_handler",
]

Handler: TypeAlias = "Callable[[object], object]"


def report_on_stderr(error: object) -> None:
    """The handler that is in place until another one is set."""
    _print(f"[unexpected] {format_error(error, verbose=True)}")


_handler: Handler = report_on_stderr
_inside: Final[ContextVar[bool]] = ContextVar("inside an unexpected-error handler", default=False)


def set_unexpected_error_handler(handler: Handler) -> Handler:
    """Let `handler` receive unexpected errors from now on.

    Parameters
    ----------
    handler
        Takes the error, and is no async function. What it returns is ignored, what it raises is reported on
        standard error.

    Returns
    -------
    Handler
        The handler that was in place, to put back.
    """
    global _handler
    previous, _handler = _handler, handler
    return previous


def reset_unexpected_error_handler() -> None:
    """Report unexpected errors on standard error again."""
    set_unexpected_error_handler(report_on_stderr)


def on_unexpected_error(error: object) -> None:
    """Report a failure that can't be propagated. Never raises, also from inside a handler."""
    handler = report_on_stderr if _inside.get() else _handler
    token = _inside.set(True)
    try:
        answer = handler(error)
        if _is_awaitable(answer):
            _refuse_async(answer)
    except Exception as failure:
        _print(f"[unexpected] the handler failed: {format_error(failure)}")
        _print(f"[unexpected] it was given: {format_error(error, verbose=True)}")
    finally:
        _inside.reset(token)


def safely_call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call `function`; what it raises is reported, not propagated. Cancellation passes as it is.

    Parameters
    ----------
    function
        A plain or an async function; for the latter the result is awaitable, and awaiting it never raises.
    arguments, keywords
        Passed on.

    Returns
    -------
    Any
        What the function returns; None if it failed.
    """
    try:
        result = function(*arguments, **keywords)
    except Exception as error:
        if is_cancellation(error):
            raise
        on_unexpected_error(error)
        return None
    return _safely_await(result) if _is_awaitable(result) else result


def _is_awaitable(result: object) -> bool:
    return hasattr(type(result), "__await__")


def _refuse_async(answer: Any) -> None:
    """There may be no loop that would run it, and the error must be told now."""
    if hasattr(type(answer), "close"):
        answer.close()
    raise TypeError("it is async, and nobody awaits it")  # errkit: allow bare-raise -- reported at once


async def _safely_await(awaitable: Awaitable[Any]) -> Any:
    try:
        return await awaitable
    except Exception as error:
        if is_cancellation(error):
            raise
        on_unexpected_error(error)
        return None


def _print(text: str) -> None:
    # Without a usable standard error there is nobody left to tell.
    try:
        sys.stderr.write(text + "\n")
    except Exception:
        return


# --- hooks of the interpreter -----------------------------------------------------------------------


def install_hooks(loop: asyncio.AbstractEventLoop | None = None) -> Callable[[], None]:
    """Send uncaught exceptions of the program, of its threads and of an event loop to the handler.

    Cancellation, such as a `KeyboardInterrupt`, goes to the hooks that were there before.

    Parameters
    ----------
    loop
        The event loop whose exception handler is set as well; none if not given.

    Returns
    -------
    Callable
        Puts the former hooks back.
    """
    import threading

    former, former_thread = sys.excepthook, threading.excepthook
    former_loop = None if loop is None else loop.get_exception_handler()

    def for_program(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        former(kind, error, trace) if is_cancellation(error) else on_unexpected_error(error)

    def for_thread(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is None or is_cancellation(failed.exc_value):
            former_thread(failed)
        else:
            on_unexpected_error(failed.exc_value)

    def for_loop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        on_unexpected_error((context.get("message") or context) if error is None else error)

    sys.excepthook, threading.excepthook = for_program, for_thread
    if loop is not None:
        loop.set_exception_handler(for_loop)

    def undo() -> None:
        sys.excepthook, threading.excepthook = former, former_thread
        if loop is not None:
            loop.set_exception_handler(former_loop)

    return undo
