"""Which codes a process raises: really raised, not merely built, and not by the kit.

`seeing.py` tells of each error that is raised. What becomes of the codes is the business of `coverage.py`. A
child process takes part by `record_raises()`.

PYTEST_DONT_REWRITE: this runs at every raise.
"""

from __future__ import annotations

import json
import os
import sys
import weakref
from typing import TYPE_CHECKING, Final

from errkit.codes import ErrorCode, get_arguments
from errkit.errors import CodedError, bare
from errkit.testing.seeing import watch_for

if TYPE_CHECKING:
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
    for recorder in _ACTIVE:
        recorder.forget(error)


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
        self._watch = watch_for(self.note, self._done)

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

    def forget(self, error: CodedError) -> None:
        """Note an error never."""
        self._watch.forget(error)

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

    atexit.register(recorder.stop)
    if "multiprocessing.util" in sys.modules:
        # Its children end without `atexit`, and begin by forgetting what else they were to do at the end.
        from multiprocessing.util import Finalize, register_after_fork

        register_after_fork(recorder, lambda found: Finalize(None, found.stop, exitpriority=10))


_ACTIVE: Final[list[Recorder]] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_move_to_child)
