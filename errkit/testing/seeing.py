"""Seeing each error that is raised, whatever becomes of it; two ways, as the version of Python allows.

From Python 3.12 on the interpreter itself tells of each raise (`sys.monitoring`), whatever thread it happens
in and wherever the error came from. Before that, errors are noted when they are built, and count once they
have a traceback. `recording.py` decides what counts.

PYTEST_DONT_REWRITE: this runs at every raise.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import TYPE_CHECKING, Any, Final, Protocol

from errkit.codes import ErrorCode, get_arguments
from errkit.errors import CodedError
from errkit.fields import is_a

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Tracebacks", "Watch", "watch_for"]


def watch_for(note: Callable[[CodedError], None], done: set[int]) -> Watch:
    """The best way that there is.

    Parameters
    ----------
    note
        Told of each error that is raised.
    done
        The ids of codes and of their specs that it need not be told of any more.
    """
    return Monitoring.free(note, done) or Tracebacks(note, done)


class Watch(Protocol):
    """A way to see raises."""

    name: str

    def start(self) -> None:
        """Begin to see raises."""

    def stop(self) -> None:
        """See no more, and leave all as it was."""

    def settle(self) -> None:
        """Make sure that all raises up to now were noted."""


# --- the interpreter tells --------------------------------------------------------------------------

_MONITORING: Final[Any] = getattr(sys, "monitoring", None)


class Monitoring:
    """`sys.monitoring`, from Python 3.12 on; of its six tools, two are nobody's by convention."""

    name = "sys.monitoring"

    def __init__(self, tool: int, note: Callable[[CodedError], None], done: set[int]) -> None:
        self._tool = tool
        self._note = note
        self._done = done

    @classmethod
    def free(cls, note: Callable[[CodedError], None], done: set[int]) -> Monitoring | None:
        """One with a tool that nobody uses, if there is one."""
        if _MONITORING is None:
            return None
        free = [tool for tool in (4, 3) if _MONITORING.get_tool(tool) is None]
        return cls(free[0], note, done) if free else None

    def start(self) -> None:
        """Ask the interpreter."""
        note, done = self._note, self._done

        # What goes wrong here would take the place of what was raised: an error is asked for nothing.
        def on_raise(_code: object, _offset: int, error: BaseException) -> None:
            if is_a(error, CodedError):
                raw = get_arguments(error)
                if not (len(raw) == 4 and id(raw[1]) in done):
                    note(error)

        _MONITORING.use_tool_id(self._tool, "errkit")
        _MONITORING.register_callback(self._tool, _MONITORING.events.RAISE, on_raise)
        _MONITORING.set_events(self._tool, _MONITORING.events.RAISE)

    def stop(self) -> None:
        """Give the tool back."""
        _MONITORING.set_events(self._tool, 0)
        _MONITORING.register_callback(self._tool, _MONITORING.events.RAISE, None)
        _MONITORING.free_tool_id(self._tool)

    def settle(self) -> None:
        """Nothing: each raise is noted at once."""


# --- errors have a traceback once they were raised --------------------------------------------------

_PLAIN_CALL: Final = ErrorCode.__call__
_MOST_WAITING: Final = 64
"""Errors that are kept until it is known whether they were raised."""


class Tracebacks:
    """Keeps the errors that are built, until one with the same code was seen to be raised.

    An error that comes from the wire or out of a pickle is not built and so not seen. What is kept is let go
    when somebody collects garbage: a test that looks for leaks must find none of ours.
    """

    name = "tracebacks"

    def __init__(self, note: Callable[[CodedError], None], done: set[int]) -> None:
        self._note = note
        self._done = done
        self._waiting: list[CodedError] = []
        self._meanwhile: list[weakref.ref[CodedError]] = []

    def start(self) -> None:
        """Step in between a code and the errors that it builds."""
        self._call, self._init = ErrorCode.__call__, CodedError.__init__
        init, add, done, inner = self._init, self._add, self._done, self._call

        # What `ErrorCode.__call__` does, and one look-up more: most errors have a code that is known already.
        def noted_call(code: Any, message: Any = None, /, *extra: Any, **details: Any) -> Any:
            error = code._make(message, code, details, extra)
            if id(code.spec) not in done:
                add(error)
            return error

        def noted_call_of_another(code: Any, message: Any = None, /, *extra: Any, **details: Any) -> Any:
            error = inner(code, message, *extra, **details)
            add(error)
            return error

        def noted_init(error: CodedError, /, *arguments: Any, **keywords: Any) -> None:
            init(error, *arguments, **keywords)
            add(error)

        is_first = inner is _PLAIN_CALL
        ErrorCode.__call__ = noted_call if is_first else noted_call_of_another  # type: ignore[method-assign]
        CodedError.__init__ = noted_init  # type: ignore[method-assign]
        gc.callbacks.append(self._collecting)

    def stop(self) -> None:
        """Step out again."""
        gc.callbacks.remove(self._collecting)
        self.settle()
        ErrorCode.__call__ = self._call  # type: ignore[method-assign]
        CodedError.__init__ = self._init  # type: ignore[method-assign]

    def _add(self, error: CodedError) -> None:
        # Where errors are built to be raised, the one before was raised by now.
        if len(self._waiting) >= _MOST_WAITING or (self._waiting and _was_raised(self._waiting[-1])):
            self._sweep(keep=_MOST_WAITING // 2)
        self._waiting.append(error)

    def settle(self) -> None:
        """Note what was raised of all that is kept."""
        self._sweep(keep=_MOST_WAITING)

    def _sweep(self, *, keep: int) -> None:
        """Note what was raised; the newest of what was not may still be."""
        # Another thread may add an error meanwhile: it lands in the new list.
        waiting, self._waiting = self._waiting, []
        for error in waiting:
            if _was_raised(error):
                self._note(error)
        self._waiting += [error for error in waiting if not _was_raised(error)][-keep:]

    def _collecting(self, phase: str, info: dict[str, int]) -> None:
        """Hold nothing during a full collection; what somebody else holds may still be raised after it."""
        if info["generation"] < 2:
            return
        if phase == "start":
            self.settle()
            waiting, self._waiting = self._waiting, []
            self._meanwhile = list(map(weakref.ref, waiting))
        else:
            references, self._meanwhile = self._meanwhile, []
            alive = [reference() for reference in references]
            self._waiting[:0] = [error for error in alive if error is not None]


_get_traceback: Final[Callable[[BaseException], object]] = BaseException.__dict__["__traceback__"].__get__


def _was_raised(error: CodedError) -> bool:
    return _get_traceback(error) is not None
