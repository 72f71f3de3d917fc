"""Seeing each error that is raised, whatever becomes of it; two ways, as the version of Python allows.

From Python 3.12 on the interpreter itself tells of each raise (`sys.monitoring`), whatever thread it happens
in and wherever the error came from. Before that, errors are watched once they are built, and count if they
have a traceback in the end. `recording.py` decides what counts.

PYTEST_DONT_REWRITE: this runs at every raise.
"""

from __future__ import annotations

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

    def forget(self, error: CodedError) -> None:
        """Keep no record of an error whose raise is not to be noted."""


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

    def forget(self, error: CodedError) -> None:
        """Nothing: none is kept."""


# --- errors have a traceback once they were raised --------------------------------------------------

_PLAIN_CALL: Final = ErrorCode.__call__
_MOST_WATCHED: Final = 1000
"""Errors that are watched for whether they will be raised."""

_get_traceback: Final[Callable[[BaseException], object]] = BaseException.__dict__["__traceback__"].__get__


class Tracebacks:
    """Watches the errors that are built, until one with the same code was raised.

    Whether an error was raised is asked when it dies, and of those that live when a test is over. None is
    kept alive for it: tests that look for leaks, and frames that errors refer to, must find none of ours.

    An error that comes from the wire or out of a pickle is not built and so not seen.
    """

    name = "tracebacks"

    def __init__(self, note: Callable[[CodedError], None], done: set[int]) -> None:
        self._note = note
        self._done = done
        self._watched: dict[int, weakref.ref[CodedError]] = {}

    def start(self) -> None:
        """Step in between a code and the errors that it builds."""
        self._call, self._init = ErrorCode.__call__, CodedError.__init__
        self._del: Any = CodedError.__dict__.get("__del__")
        init, watch, done, inner, after = self._init, self._watch, self._done, self._call, self._del

        # What `ErrorCode.__call__` does, and one look-up more: most errors have a code that is known already.
        def noted_call(code: Any, message: Any = None, /, *extra: Any, **details: Any) -> Any:
            error = code._make(message, code, details, extra)
            if id(code.spec) not in done:
                watch(error)
            return error

        def noted_call_of_another(code: Any, message: Any = None, /, *extra: Any, **details: Any) -> Any:
            error = inner(code, message, *extra, **details)
            watch(error)
            return error

        def noted_init(error: CodedError, /, *arguments: Any, **keywords: Any) -> None:
            init(error, *arguments, **keywords)
            watch(error)

        watched, end = self._watched, self._end

        def noted_end(error: CodedError) -> None:
            if id(error) in watched:
                end(error)
            if after is not None:
                after(error)

        is_first = inner is _PLAIN_CALL
        ErrorCode.__call__ = noted_call if is_first else noted_call_of_another  # type: ignore[method-assign]
        CodedError.__init__ = noted_init  # type: ignore[method-assign]
        CodedError.__del__ = noted_end  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]

    def stop(self) -> None:
        """Step out again."""
        self.settle()
        ErrorCode.__call__ = self._call  # type: ignore[method-assign]
        CodedError.__init__ = self._init  # type: ignore[method-assign]
        if self._del is None:
            del CodedError.__del__  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]
        else:
            CodedError.__del__ = self._del  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]

    def _watch(self, error: CodedError) -> None:
        if len(self._watched) >= _MOST_WATCHED:
            # The oldest: it was not raised for long.
            self._watched.pop(next(iter(self._watched), 0), None)
        self._watched[id(error)] = weakref.ref(error)

    def _end(self, error: CodedError) -> None:
        # Not by the reference: where garbage is collected, it is dead before the error has its end.
        if self._watched.pop(id(error), None) is not None and _get_traceback(error) is not None:
            self._note(error)

    def settle(self) -> None:
        """Note what was raised of all that lives; the rest still may be."""
        # Anything may die meanwhile, and be taken out.
        for key in list(self._watched):
            reference = self._watched.get(key)
            error = None if reference is None else reference()
            if error is None:
                self._watched.pop(key, None)
            elif _get_traceback(error) is not None:
                self._watched.pop(key, None)
                self._note(error)

    def forget(self, error: CodedError) -> None:
        """Watch an error no more."""
        self._watched.pop(id(error), None)
