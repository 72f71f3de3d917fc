"""Which codes a process raises: really raised, not merely built.

From Python 3.12 on the interpreter itself tells of each raise (`sys.monitoring`), whatever thread it happens
in and wherever the error came from. Before that, errors are noted when they are built, and count once they
have a traceback.

What becomes of the codes is the business of `coverage.py`. A child process takes part by `record_raises()`.

PYTEST_DONT_REWRITE: this runs at every raise.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import weakref
from typing import TYPE_CHECKING, Any, Final, Protocol

from errkit.codes import ErrorCode, get_arguments
from errkit.errors import CodedError, bare
from errkit.fields import is_a

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.codes import ErrorSpec

__all__ = ["FOLDER", "GENERATED", "Recorder", "disown", "record_raises"]

FOLDER: Final = "ERRKIT_COVERAGE_DIR"
"""The environment variable that names the folder where other processes leave what they raised."""

GENERATED: Final = "generated_by_errkit"
"""The attribute of an item, or test function, that the kit made: what it raises is no merit of the suite."""

_MADE_BY_THE_KIT: Final[weakref.WeakValueDictionary[int, CodedError]] = weakref.WeakValueDictionary()
"""By identity: a class of errors that compare by value may have no hash."""


def disown(error: CodedError) -> None:
    """Count an error as made by the kit, by a strategy or a fixture: raising it proves nothing."""
    _MADE_BY_THE_KIT[id(error)] = error


class Recorder:
    """Notes the code of each error that is raised between `start` and `stop`.

    Parameters
    ----------
    folder
        Where the first raise of each code is written at once, so that it is known even if the process dies.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._fresh: dict[int, ErrorSpec] = {}
        self._written: set[int] = set()
        self._paused = False
        self._done: set[int] = set()
        """The ids of specs, and of codes, that need no look until the next `take`."""
        self._watch: _Watch = _Monitoring.free(self.note, self._done) or _Tracebacks(self.note, self._done)

    @property
    def method(self) -> str:
        """How raises are seen: `sys.monitoring` or `tracebacks`."""
        return self._watch.name

    def start(self) -> None:
        """Begin."""
        self._watch.start()
        _ACTIVE.append(self)

    def stop(self) -> None:
        """End; what was noted stays."""
        if self in _ACTIVE:
            _ACTIVE.remove(self)
            self._watch.stop()

    def move_to_child(self, folder: str | None) -> None:
        """Go on in a process that was forked: what was noted so far is the parent's."""
        self._folder = None
        self.take()
        self._folder = folder
        self._written.clear()

    def pause(self, *, paused: bool) -> None:
        """Note nothing while a check of the kit runs."""
        self._watch.settle()
        self._paused = paused

    def take(self) -> list[str]:
        """The codes since the last call, sorted, each as `registry:code`."""
        self._watch.settle()
        found, self._fresh = self._fresh, {}
        self._done.clear()
        return sorted(f"{spec.registry}:{spec.code}" for spec in found.values())

    def note(self, error: CodedError) -> None:
        """Note one error that was raised."""
        # Looking at an error would settle what its throw site left lying; reading the code need not.
        raw = get_arguments(error)
        code = raw[1] if len(raw) == 4 and type(raw[1]) is ErrorCode else None
        spec = bare(error)._spec if code is None else code.spec
        if self._paused or spec.cls is None or id(error) in _MADE_BY_THE_KIT:
            return
        self._fresh[id(spec)] = spec
        self._done |= {id(spec), id(code)}
        if self._folder is not None and id(spec) not in self._written:
            self._written.add(id(spec))
            _write(self._folder, spec)


def _write(folder: str, spec: ErrorSpec) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    line = json.dumps({"code": f"{spec.registry}:{spec.code}", "test": test})
    try:
        with open(os.path.join(folder, f"{os.getpid()}.jsonl"), "a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError:
        # Measuring must not break what is measured; the folder goes when the session ends.
        return


class _Watch(Protocol):
    """A way to see raises."""

    name: str

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def settle(self) -> None:
        """Make sure that all raises up to now were noted."""


# --- the interpreter tells --------------------------------------------------------------------------

_MONITORING: Final[Any] = getattr(sys, "monitoring", None)


class _Monitoring:
    """`sys.monitoring`, from Python 3.12 on; of its six tools, two are nobody's by convention."""

    name = "sys.monitoring"

    def __init__(self, tool: int, note: Callable[[CodedError], None], done: set[int]) -> None:
        self._tool = tool
        self._note = note
        self._done = done

    @classmethod
    def free(cls, note: Callable[[CodedError], None], done: set[int]) -> _Monitoring | None:
        """One with a tool that nobody uses, if there is one."""
        if _MONITORING is None:
            return None
        free = [tool for tool in (4, 3) if _MONITORING.get_tool(tool) is None]
        return cls(free[0], note, done) if free else None

    def start(self) -> None:
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
        _MONITORING.set_events(self._tool, 0)
        _MONITORING.register_callback(self._tool, _MONITORING.events.RAISE, None)
        _MONITORING.free_tool_id(self._tool)

    def settle(self) -> None:
        return


# --- errors have a traceback once they were raised --------------------------------------------------

_PLAIN_CALL: Final = ErrorCode.__call__
_MOST_WAITING: Final = 64
"""Errors that are kept until it is known whether they were raised."""


class _Tracebacks:
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


# --- child processes --------------------------------------------------------------------------------


def record_raises() -> bool:
    """Count what this process raises, if it runs for a test session that measures; call it at the start.

    The session says so by the environment variable `ERRKIT_COVERAGE_DIR`. A process that was forked from a
    measured one takes part by itself.

    Returns
    -------
    bool
        Whether the process is measured.
    """
    folder = os.environ.get(FOLDER)
    if not folder:
        return False
    recorder = Recorder(folder)
    recorder.start()
    _take_at_the_end(recorder)
    return True


def _move_to_child() -> None:
    for recorder in _ACTIVE:
        recorder.move_to_child(os.environ.get(FOLDER))
        _take_at_the_end(recorder)


def _take_at_the_end(recorder: Recorder) -> None:
    """Before Python 3.12, what was raised is known only when somebody looks."""
    import atexit

    atexit.register(recorder.take)
    if "multiprocessing.util" in sys.modules:
        # Its children end without `atexit`, and begin by forgetting what else they were to do at the end.
        from multiprocessing.util import Finalize, register_after_fork

        register_after_fork(recorder, lambda found: Finalize(None, found.take, exitpriority=10))


_ACTIVE: Final[list[Recorder]] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_move_to_child)
