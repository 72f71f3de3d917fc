"""Cleaning up: all steps run, and what fails meanwhile is kept beside the failure that counts.

`cleanup` holds the steps of one piece of work. They run in reverse order when the block ends, each whatever
became of the others. The failure of the block stays the one that leaves it; failures of steps are its
`secondary`. Where the block succeeded, the first step that fails is the failure.

Nothing here decides what a failure means (`verdicts.py`), translates it (`boundary`) or swallows it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Self

from errkit import diagnostics
from errkit.codes import text_of
from errkit.errors import CodedError, attributes_of
from errkit.fields import is_a
from errkit.message import _line
from errkit.own import ErrkitError
from errkit.payload import to_payload
from errkit.pickling import _freeze_failure, _thaw_chain
from errkit.reading import secondary_of
from errkit.unexpected import on_unexpected_error
from errkit.verdicts import is_cancellation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Step = Callable[[], object] | tuple[str, Callable[[], object]]

__all__ = ["Cleanup", "cleanup"]

P = ParamSpec("P")


def cleanup(*steps: Step) -> Cleanup:
    """Run steps when the block ends, in reverse order, and keep what fails beside the failure of the block.

    Use it as `with cleanup() as steps:`, and as `async with` where a step has to be awaited; in the block,
    `steps.add("close page", page.close)` right after the page was opened.

    - All steps run, whatever the others do.
    - If the block fails, its failure leaves as it is, and the failures of steps are its `secondary`.
    - If only steps fail, the one that failed first leaves, and the others are its `secondary`.
    - A cancellation, of the block or in a step, always leaves, as it is. Failures that it passes are given
      to `on_unexpected_error`.
    - Each failure of a step has a note with the name of the step, and so does the failure that leaves. In a
      diagnostic scope it is an event as well.

    Parameters
    ----------
    steps
        Functions without arguments, or pairs of a name and such a function; the last one runs first.
    """
    found = Cleanup()
    for step in steps:
        name, function = step if isinstance(step, tuple) else (_name_of(step), step)
        found.add(name, function)
    return found


class Cleanup:
    """The steps of one block, as `cleanup` returns them; each runs once."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[], object]]] = []

    def add(self, name: str, step: Callable[P, object], /, *args: P.args, **keywords: P.kwargs) -> None:
        """Let a step run when the block ends, before the ones that were added earlier.

        Parameters
        ----------
        name
            What the step does, for people: `close page`.
        step
            The function; in an `async with` it may be a coroutine function, or return any awaitable.
        args, keywords
            What it is called with.
        """
        self._steps.append((name, partial(step, *args, **keywords)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        end = _End(error)
        del error  # as in `leave`: this frame is part of the traceback of each failure
        while self._steps:
            name, step = self._steps.pop()
            try:
                _refuse_awaitable(name, step())
            except BaseException as failure:
                end.note(name, failure)
        return end.leave()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        end = _End(error)
        del error
        while self._steps:
            name, step = self._steps.pop()
            try:
                found: Any = step()
                if _is_awaitable(found):
                    await found
            except BaseException as failure:
                end.note(name, failure)
        return end.leave()


def _name_of(step: object) -> str:
    while isinstance(step, partial):
        step = step.func
    return text_of(getattr(step, "__qualname__", None) or type(step).__qualname__)


def _is_awaitable(found: object) -> bool:
    return hasattr(type(found), "__await__")


def _refuse_awaitable(name: str, found: Any) -> None:
    if not _is_awaitable(found):
        return
    if hasattr(found, "close"):
        found.close()
    raise ErrkitError.ASYNC_STEP(
        f"the cleanup step {name!r} has to be awaited, but stands in a plain with; use async with", step=name
    )


# --- the end of a block -----------------------------------------------------------------------------


class _End:
    """What has failed when the block and its steps are through."""

    def __init__(self, primary: BaseException | None) -> None:
        self._primary = primary
        self._failures: list[tuple[str, BaseException]] = []
        self._stop = primary if primary is not None and _is_stop(primary) else None

    def note(self, name: str, failure: BaseException) -> None:
        """Keep the failure of a step."""
        if failure is self._primary:
            return  # a step that waits for the same work fails with the same object
        _forget_context(failure, self._primary)
        if _is_stop(failure):
            self._stop = failure if self._stop is None else self._stop
            return
        _add_note(failure, f"cleanup step: {name}")
        self._failures.append((name, failure))
        if diagnostics.current() is not None:
            diagnostics.emit("cleanup failed", level="error", step=name, error=to_payload(failure))

    def leave(self) -> Literal[False]:
        """Raise what is to leave the block instead of its own failure; that leaves when False is returned."""
        primary, leaving = self._primary, self._leaving()
        # An error whose traceback leads to the error itself would keep every frame alive.
        self._primary, self._stop, self._failures = None, None, []
        try:
            if leaving is None or leaving is primary:
                return False
            raise leaving
        finally:
            del primary, leaving

    def _leaving(self) -> BaseException | None:
        """What leaves the block, with the rest beside it."""
        stop, failures = self._stop, self._failures
        failure = None if self._primary is stop else self._primary
        if failure is None and failures:
            (_, failure), *failures = failures
        if failure is not None:
            _put_beside(failure, failures)
        if stop is None:
            return failure
        if failure is not None:
            on_unexpected_error(failure)
        return stop


def _is_stop(error: BaseException) -> bool:
    """Whether an error must leave as it is, whatever else has failed."""
    return not is_a(error, Exception) or is_cancellation(error)


def _forget_context(failure: BaseException, primary: BaseException | None) -> None:
    """Undo that each error of a step has the failure of the block as its context: it is no cause of it."""
    seen: set[int] = set()
    link: BaseException | None = failure
    while primary is not None and link is not None and id(link) not in seen:
        seen.add(id(link))
        if link.__context__ is primary:
            link.__context__ = None
        link = link.__context__


def _add_note(error: BaseException, note: str) -> None:
    try:
        error.add_note(note)
    except Exception:
        return  # somebody has put something else in the place of the notes


def _put_beside(primary: BaseException, failures: Iterable[tuple[str, BaseException]]) -> None:
    """Make failures of steps the `secondary` of an error of any kind."""
    found = list(failures)
    if not found:
        return
    together = Failures((*secondary_of(primary), *(failure for _, failure in found)))
    values = attributes_of(primary)
    if is_a(primary, CodedError):
        primary.note_facts(secondary=together)
    elif is_a(values.get("secondary", together), Failures):
        values["secondary"] = together
    else:
        for _, failure in found:  # the attribute is taken by something else
            on_unexpected_error(failure)
    for name, failure in found:
        _add_note(primary, f"cleanup step {name!r} failed: {_line(to_payload(failure))}")


class Failures(tuple[BaseException, ...]):
    """Failures of cleanup that travel with a foreign exception: one that has no pickle must not spoil it."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[..., Failures], tuple[Any, ...]]:
        return _thaw_failures, ([_freeze_failure(failure) for failure in self],)


def _thaw_failures(states: list[dict[str, Any]]) -> Failures:
    return Failures(_thaw_chain(state) for state in states)
