"""Foreign code with a watch beside it: a call that does not end is left behind, and said where it stands.

A `__reduce__`, a `__deepcopy__` or an import may wait or loop for ever. Signals reach the main thread alone,
and not on every system, so the calls run in a thread that is given up when it is silent for too long. It is
a daemon: it keeps no program from ending.
"""

from __future__ import annotations

import os
import queue
import sys
import sysconfig
import threading
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

__all__ = ["Hung", "each"]

T = TypeVar("T")
R = TypeVar("R")


class Hung:
    """What stands in the place of an answer that did not come.

    Parameters
    ----------
    seconds
        How long it was waited for.
    place
        Where the call stands, as `file:line in function`.
    """

    def __init__(self, seconds: float, place: str) -> None:
        self.seconds = seconds
        self.place = place

    def __str__(self) -> str:
        return f"did not end within {self.seconds:g} seconds; it stands at {self.place}"


def each(function: Callable[[T], R], items: Iterable[T], patience: float) -> Iterator[R | Hung]:
    """`function` of each item in turn; `Hung` for one that takes longer than `patience` seconds.

    `function` must not raise an `Exception`. What a call does after it was given up is nobody's business.
    """
    waiting = list(items)
    while waiting:
        worker = _IDLE.pop() if _IDLE else _Worker()
        answers: queue.SimpleQueue[R] = queue.SimpleQueue()
        worker.jobs.put((function, waiting, answers))
        for done in range(1, len(waiting) + 1):
            try:
                yield answers.get(timeout=patience)
            except queue.Empty:
                worker.given_up = True
                yield Hung(patience, worker.place())
                waiting = waiting[done:]
                break
        else:
            _IDLE.append(worker)
            return


class _Worker(threading.Thread):
    """Runs one batch of calls after the other, until it is given up."""

    def __init__(self) -> None:
        super().__init__(name="errkit checks", daemon=True)
        self.jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.given_up = False
        self.start()

    def run(self) -> None:
        while True:
            # Nothing stays in this frame: an idle thread must keep no error alive.
            self._work(*self.jobs.get())
            if self.given_up:
                return

    def _work(
        self, function: Callable[[Any], Any], items: list[Any], answers: queue.SimpleQueue[Any]
    ) -> None:
        for item in items:
            answers.put(function(item))
            if self.given_up:
                return

    def place(self) -> str:
        """Where the thread stands: the innermost function that is neither errkit's nor the library's."""
        inmost = frame = sys._current_frames().get(self.ident or 0)
        while frame is not None and frame.f_code.co_filename.startswith(_NOT_THE_USERS):
            frame = frame.f_back
        found = frame or inmost
        return "an unknown place" if found is None else _shown(found)


def _shown(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"


_NOT_THE_USERS: Final = (
    "<frozen",
    os.path.dirname(os.path.dirname(__file__)) + os.sep,
    *(
        os.path.join(sysconfig.get_path(name), part)
        for name in ("stdlib", "platstdlib")
        for part in (
            "copy.py",
            "pickle.py",
            "queue.py",
            "threading.py",
            "json" + os.sep,
            "importlib" + os.sep,
        )
    ),
)
_IDLE: Final[list[_Worker]] = []

if hasattr(os, "register_at_fork"):
    # A forked process has the list and none of the threads.
    os.register_at_fork(after_in_child=_IDLE.clear)
