"""Diagnostic scopes: a failure leaves a record that can be found, and recording never breaks the program."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from errkit import CoreError, ErrkitError, diagnostics, format_error, redaction, to_payload
from errkit.diagnostics import MAX_EVENTS, ErrorRecord, Scope, log_folder, read_log, scope
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log folder of the test's own."""
    chosen = tmp_path / "logs"
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(chosen))
    return chosen


def fail(error: BaseException, **events: Any) -> Any:
    """Raise `error` inside a scope, after one event for each keyword, and give it back."""

    def work(opened: Scope) -> None:
        for event, data in events.items():
            opened.emit(event, value=data)
        raise error

    return fail_in(work, request="r1")


def fail_in(work: Callable[[Scope], None], **facts: Any) -> Any:
    """The error that `work` raises inside a scope."""
    try:
        with scope("work", **facts) as opened:
            work(opened)
    except BaseException as error:
        return error
    pytest.fail("the work did not fail")


def test_a_failure_writes_its_events_and_carries_id_and_path() -> None:
    """The log holds the events in order and the payload last; the error says where."""
    error = fail(CoreError.VALIDATION_FAILED("no"), connected=1, asked=2)
    assert error.diagnostic_id
    events = list(read_log(error.log_path))
    assert [event["event"] for event in events] == ["connected", "asked", "failed"]
    assert {event["diagnostic_id"] for event in events} == {error.diagnostic_id}
    assert events[0]["data"] == {"request": "r1", "value": 1}
    assert events[-1]["error"]["code"] == "validation.failed"
    assert error.log_path in format_error(error, verbose=True)


def test_a_failure_before_any_event_has_a_path_too() -> None:
    """An id never points nowhere (the device tool's flush without events gave an id and no path)."""
    assert os.path.exists(fail(CoreError.INTERNAL("early")).log_path)


def test_a_foreign_error_carries_them_as_well() -> None:
    """The payload of an uncoded exception names its record."""
    payload = to_payload(fail(ValueError("boom")))
    assert payload["diagnostic_id"]
    assert os.path.exists(payload["log_path"])


def test_success_and_cancellation_write_nothing(folder: Path) -> None:
    """Only failures cost a file."""
    with scope("work") as opened:
        opened.emit("done")
    for stop in (KeyboardInterrupt(), asyncio.CancelledError()):
        assert not hasattr(fail(stop), "diagnostic_id")
    assert not folder.exists()


def test_events_are_redacted_when_they_are_written() -> None:
    """A literal registered after the event was kept is hidden all the same."""

    def work(opened: Scope) -> None:
        opened.emit("sent", header="Authorization: Bearer hunter2hunter2", body="late-secret-literal")
        redaction.add_literal("late-secret-literal")
        raise CoreError.INTERNAL("late-secret-literal")

    error = fail_in(work, env={"API_KEY": "planted-in-env"})
    redaction.remove_literal("late-secret-literal")
    written = Path(error.log_path).read_text(encoding="utf-8")
    assert "hunter2" not in written
    assert "late-secret-literal" not in written
    assert "planted-in-env" not in written


def test_the_innermost_scope_names_the_error() -> None:
    """Scopes nest: the error keeps the first id, and the outer log names its own events."""
    opened: list[Scope] = []

    def work(outer: Scope) -> None:
        diagnostics.emit("outside")
        with scope("inner") as inner:
            opened.extend((outer, inner))
            assert diagnostics.current() is inner
            diagnostics.emit("inside")
            raise CoreError.INTERNAL("x")

    error = fail_in(work)
    outer, inner = opened
    assert error.diagnostic_id == inner.id
    events = list(read_log(error.log_path))
    assert [(event["event"], event["diagnostic_id"]) for event in events] == [
        ("inside", inner.id),
        ("failed", inner.id),
        ("outside", outer.id),
        ("failed", outer.id),
    ]
    assert events[0]["parent"] == outer.id
    assert diagnostics.current() is None


def test_a_scope_of_another_process_is_named_by_its_id() -> None:
    """What a task brought along wins over a scope that is open here, such as one of the whole worker."""
    with scope("worker"):
        error = fail_in_scope("task", parent="0190-of-the-parent", seat=7)
    event = next(read_log(error.log_path))
    assert event["parent"] == "0190-of-the-parent"
    assert event["data"] == {"seat": 7}


def fail_in_scope(name: str, **facts: Any) -> Any:
    """The error that left a scope."""
    with pytest.raises(CoreError) as caught, scope(name, **facts):
        raise CoreError.INTERNAL("x")
    return caught.value


def test_tasks_keep_their_scopes_apart() -> None:
    """Each task of an event loop has the scope that it opened."""

    async def work(name: str) -> str:
        with scope(name) as opened:
            await asyncio.sleep(0)
            diagnostics.emit(name)
            await asyncio.sleep(0)
            return opened._events[0]["event"]  # type: ignore[no-any-return]

    async def both() -> list[str]:
        return list(await asyncio.gather(work("a"), work("b")))

    assert asyncio.run(both()) == ["a", "b"]
    diagnostics.emit("without a scope nothing happens")


@pytest.mark.parametrize("broken", ["/dev/full/x", "/proc/nowhere"])
def test_a_folder_that_can_not_be_written_costs_the_log_only(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error still has its id, and its own words."""
    monkeypatch.setenv("ERRKIT_LOG_DIR", broken)
    error = fail(CoreError.INTERNAL("boom"))
    assert error.diagnostic_id
    assert error.log_path is None
    assert str(error) == "boom"


def test_a_full_disk_costs_the_log_only(folder: Path) -> None:
    """A file that takes no byte, as on a full disk, does not reach the caller."""
    folder.mkdir()
    (folder / f"{diagnostics.now()[:10]}.ndjson").symlink_to("/dev/full")
    assert fail(CoreError.INTERNAL("boom")).log_path is None


@every_hostile_object
def test_any_event_data_is_written(value: object) -> None:
    """Whatever an event holds, the log is valid JSON line by line."""
    error = fail(ErrkitError.UNKNOWN_CODE("x", wanted="y"), odd=value)
    for line in Path(error.log_path).read_text(encoding="utf-8").splitlines():
        json.loads(line)


def test_memory_is_bounded_and_says_so() -> None:
    """A scope keeps its latest events and counts the others."""

    def work(opened: Scope) -> None:
        for number in range(MAX_EVENTS + 5):
            opened.emit("tick", number=number)
        raise CoreError.INTERNAL("x")

    events = list(read_log(fail_in(work).log_path))
    assert len(events) == MAX_EVENTS + 1
    assert events[0]["data"]["number"] == 5
    assert events[0]["dropped"] == 5


def test_a_large_log_goes_on_in_another_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day's file that is full is left as it is."""
    monkeypatch.setattr(diagnostics, "MAX_FILE", 10)
    first, second = fail(CoreError.INTERNAL("a")).log_path, fail(CoreError.INTERNAL("b")).log_path
    assert first != second
    assert len(list(folder.iterdir())) == 2


def test_many_processes_write_one_log_without_mixing(folder: Path) -> None:
    """Lines of different processes never run into each other."""
    program = (
        "from errkit import CoreError, diagnostics\n"
        "for number in range(40):\n"
        "    try:\n"
        "        with diagnostics.scope('p') as opened:\n"
        "            opened.emit('e', text='x' * 2000)\n"
        "            raise CoreError.INTERNAL('boom')\n"
        "    except Exception: pass\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    (log,) = folder.iterdir()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4 * 40 * 2
    assert all(json.loads(line)["format"] == "errkit.log/1" for line in lines)


def test_a_broken_line_is_passed_over(tmp_path: Path) -> None:
    """A log that was cut off in the middle of a line can still be read."""
    log = tmp_path / "x.ndjson"
    log.write_text('{"format": "errkit.log/1", "event": "a"}\n{"format": "errkit.l\n[1]\n', encoding="utf-8")
    assert [event["event"] for event in read_log(str(log))] == ["a"]


def test_a_line_that_was_cut_off_costs_no_other(folder: Path) -> None:
    """What a full disk left of a line does not run into the next one."""
    folder.mkdir()
    (folder / f"{diagnostics.now()[:10]}.ndjson").write_text(
        '{"format": "errkit.log/1", "ev', encoding="utf-8"
    )
    events = list(read_log(fail(CoreError.INTERNAL("boom")).log_path))
    assert [event["event"] for event in events] == ["failed"]


def test_records_are_forwarded_once_with_id_and_path() -> None:
    """A receiver gets the record of a failure from the innermost scope, until it is taken back."""
    received: list[ErrorRecord] = []
    broken = diagnostics.forward(lambda record: record.nothing)  # type: ignore[attr-defined]
    undo = diagnostics.forward(received.append)

    def work(_outer: Scope) -> None:
        with scope("inner"):
            raise CoreError.INTERNAL("boom")

    error = fail_in(work)
    (record,) = received
    assert (record.message, record.diagnostic_id, record.log_path) == (
        "boom",
        error.diagnostic_id,
        error.log_path,
    )
    assert fail(KeyboardInterrupt())
    undo()
    broken()
    undo()
    assert fail(CoreError.INTERNAL("later"))
    assert len(received) == 1


def test_the_log_folder_is_private_to_its_user(folder: Path) -> None:
    """Others can read neither folder nor file."""
    path = Path(fail(CoreError.INTERNAL("x")).log_path)
    assert (folder.stat().st_mode & 0o077, path.stat().st_mode & 0o077) == (0, 0)


def test_without_a_setting_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Linux the XDG state folder is used, if it is the same from everywhere."""
    monkeypatch.delenv("ERRKIT_LOG_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    monkeypatch.setattr(sys, "platform", "linux")
    assert log_folder() == "/state/errkit"
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.setenv("HOME", "/home/ann")
    assert log_folder() == "/home/ann/.local/state/errkit"


def test_failures_of_the_same_shape_share_a_fingerprint() -> None:
    """The codes and classes along the causes count; what they say does not."""

    def record(message: str, cause: Exception | None = None) -> ErrorRecord:
        error = CoreError.INTERNAL(message)
        error.__cause__ = cause
        return ErrorRecord.of(error)

    assert record("a").fingerprint == record("b").fingerprint
    assert record("a", OSError()).fingerprint == record("a", OSError(5, "x")).fingerprint
    assert record("a", OSError()).fingerprint != record("a", KeyError()).fingerprint
    assert record("a").id != record("a").id
