"""The last-resort handler: nothing that is reported is lost, and reporting never fails."""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from errkit import (
    CoreError,
    on_unexpected_error,
    reset_unexpected_error_handler,
    safely_call,
    set_unexpected_error_handler,
)
from errkit.unexpected import install_hooks, report_on_stderr
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def reported() -> Iterator[list[object]]:
    """Whatever the handler received."""
    found: list[object] = []
    previous = set_unexpected_error_handler(found.append)
    yield found
    set_unexpected_error_handler(previous)


def test_the_handler_receives_the_error_itself(reported: list[object]) -> None:
    """The installed handler gets the very object, once."""
    error = ValueError("boom")
    on_unexpected_error(error)
    assert reported == [error]


def test_setting_returns_the_handler_to_put_back(reported: list[object]) -> None:
    """A handler can be replaced for a while and put back."""
    mine = set_unexpected_error_handler(print)
    assert mine == reported.append
    assert set_unexpected_error_handler(mine) is print
    reset_unexpected_error_handler()
    assert set_unexpected_error_handler(mine) is report_on_stderr


def test_by_default_the_error_is_written_to_stderr_redacted(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a handler, the code, the message and the hint reach standard error."""
    reset_unexpected_error_handler()
    on_unexpected_error(CoreError.INTERNAL("password=hunter2"))
    shown = capsys.readouterr().err
    assert shown.startswith("[unexpected] [internal] password=[REDACTED]\nHint: ")


def test_a_handler_that_fails_is_reported_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Both failures are on standard error; nothing is propagated."""

    def broken(error: object) -> None:
        raise RuntimeError("handler broke")

    previous = set_unexpected_error_handler(broken)
    try:
        on_unexpected_error(ValueError("boom"))
    finally:
        set_unexpected_error_handler(previous)
    shown = capsys.readouterr().err
    assert "handler broke" in shown
    assert "boom" in shown


def test_an_async_handler_is_no_handler_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody would run it, so the error is told on standard error, with the reason."""

    async def later(_error: object) -> None:
        """Never runs."""

    previous = set_unexpected_error_handler(later)
    try:
        on_unexpected_error(ValueError("original"))
    finally:
        set_unexpected_error_handler(previous)
    told = capsys.readouterr().err
    assert "nobody awaits it" in told
    assert "original" in told


@every_hostile_object
def test_any_result_passes(value: object) -> None:
    """What a function returns is not asked whether it is awaitable."""
    assert safely_call(lambda: value) is value


def test_a_handler_that_reports_does_not_recurse(capsys: pytest.CaptureFixture[str]) -> None:
    """A report from inside the handler goes to standard error instead of to the handler."""
    previous = set_unexpected_error_handler(lambda error: on_unexpected_error(ValueError("inner")))
    try:
        on_unexpected_error(ValueError("outer"))
    finally:
        set_unexpected_error_handler(previous)
    assert "inner" in capsys.readouterr().err


@every_hostile_object
def test_any_object_can_be_reported(value: object) -> None:
    """Reporting comes back whatever it is given."""
    reset_unexpected_error_handler()
    on_unexpected_error(value)


def test_a_program_without_stderr_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With standard error closed there is nobody to tell, and nothing fails."""
    monkeypatch.setattr(sys, "stderr", None)
    on_unexpected_error(ValueError("boom"))


class TestSafelyCall:
    """Calls whose failures must not reach the caller."""

    def test_results_pass_and_failures_are_reported(self, reported: list[object]) -> None:
        """A result comes back; a failure gives None and a report."""
        assert safely_call(divmod, 7, 2) == (3, 1)
        assert safely_call(int, "no number") is None
        assert [type(error) for error in reported] == [ValueError]

    def test_async_functions_too(self, reported: list[object]) -> None:
        """Awaiting the result never raises."""

        async def fails(word: str) -> str:
            raise ValueError(word)

        async def works(word: str) -> str:
            return word

        assert asyncio.run(safely_call(works, "yes")) == "yes"
        assert asyncio.run(safely_call(fails, "no")) is None
        assert str(reported[0]) == "no"

    @pytest.mark.parametrize(
        "stop",
        [
            KeyboardInterrupt,
            SystemExit,
            GeneratorExit,
            asyncio.CancelledError,
            concurrent.futures.CancelledError,
        ],
        ids=["interrupt", "exit", "generator", "asyncio", "futures"],
    )
    def test_cancellation_passes(self, stop: type[BaseException], reported: list[object]) -> None:
        """Someone stopped the work: that is no failure to report."""

        def stops() -> None:
            raise stop

        with pytest.raises(stop):
            safely_call(stops)
        assert reported == []


class TestHooks:
    """The interpreter's own last resorts, opt-in."""

    def test_uncaught_exceptions_of_program_threads_and_loop_arrive(self, reported: list[object]) -> None:
        """Each of the three hooks leads to the handler, and undoing restores what was there."""
        before = sys.excepthook, threading.excepthook
        loop = asyncio.new_event_loop()
        undo = install_hooks(loop)
        try:
            sys.excepthook(ValueError, ValueError("program"), None)

            def fails() -> None:
                raise ValueError("thread")

            thread = threading.Thread(target=fails)
            thread.start()
            thread.join()
            loop.call_soon(_raise, ValueError("loop"))
            loop.run_until_complete(asyncio.sleep(0))
        finally:
            undo()
            loop.close()
        assert [str(error) for error in reported] == ["program", "thread", "loop"]
        assert (sys.excepthook, threading.excepthook) == before

    def test_an_interrupt_goes_where_it_went_before(
        self, reported: list[object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ctrl-C is left to the hook that was there."""
        seen: list[Any] = []
        monkeypatch.setattr(sys, "excepthook", lambda *found: seen.append(found[1]))
        undo = install_hooks()
        stop = KeyboardInterrupt()
        sys.excepthook(KeyboardInterrupt, stop, None)
        undo()
        assert (seen, reported) == ([stop], [])


def _raise(error: Exception) -> None:
    raise error
