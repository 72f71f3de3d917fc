"""What every sink has in common: it takes records, never raises, and speaks of its trouble once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from errkit import on_unexpected_error, reset_unexpected_error_handler, set_unexpected_error_handler
from errkit.sinks import LogSink, NdjsonSink, OtelSink, Sink, SqlSink, reporter
from errkit.sinks.base import Trouble
from tests.hostile import _SAMPLES
from tests.sinks.failures import ShopError, record, remade

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from errkit.diagnostics import ErrorRecord

SINKS: list[Callable[[], Sink]] = [NdjsonSink, SqlSink, OtelSink, LogSink]


class Kept:
    """The smallest sink."""

    def __init__(self) -> None:
        self.records: list[ErrorRecord] = []

    def write(self, record: ErrorRecord) -> None:
        self.records.append(record)

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("make", SINKS)
def test_every_sink_takes_any_record(make: Callable[[], Sink]) -> None:
    """Records of hostile objects, and records that were built by hand from anything."""
    sink = make()
    assert isinstance(sink, Sink)
    for value in _SAMPLES:
        sink.write(record(error=ShopError(ShopError.EMPTY, "x", details={"odd": value})))
        sink.write(remade(record(), **dict.fromkeys(vars(record()), value)))
    sink.close()
    sink.close()


@pytest.mark.parametrize("make", SINKS)
def test_a_broken_folder_reaches_no_caller(
    make: Callable[[], Sink], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written, writing and closing are silent for the program."""
    sink = make()
    monkeypatch.setenv("ERRKIT_LOG_DIR", "/proc/nowhere")
    monkeypatch.setattr(logging, "raiseExceptions", False)
    sink.write(record())
    sink.close()


def test_a_reporter_gives_each_sink_the_record_of_any_failure() -> None:
    """It fits the unexpected-error handler; a record passes as it is."""
    first, second = Kept(), Kept()
    report = reporter(first, second)
    set_unexpected_error_handler(report)
    try:
        on_unexpected_error(ShopError.EMPTY("reported"))
    finally:
        reset_unexpected_error_handler()
    made = record()
    report(made)
    assert [one.message for one in first.records] == ["reported", "no item"]
    assert first.records == second.records
    assert first.records[1] is made


def test_a_sink_that_raises_costs_the_others_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A reporter keeps the promise that one of its sinks breaks."""

    class Broken(Kept):
        def write(self, record: ErrorRecord) -> None:
            raise RuntimeError("no promise")

    kept = Kept()
    reporter(Broken(), kept)(ShopError.EMPTY())
    assert len(kept.records) == 1
    assert "no promise" in capsys.readouterr().err


def test_a_misspelt_name_is_an_import_error() -> None:
    """The package has its public names, each loaded when it is used, and no others."""
    import errkit.sinks

    assert set(errkit.sinks.__all__) <= set(dir(errkit.sinks))
    with pytest.raises(ImportError, match="SqlSnk"):
        exec("from errkit.sinks import SqlSnk")


def test_trouble_is_told_once_until_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, with the reason, what becomes of the records, and no secret."""
    trouble = Trouble("disk")
    for _ in range(3):
        trouble.begins(OSError("password=planted-pw is wrong\nline 2"), "records wait")
    told = capsys.readouterr().err
    assert told.startswith(
        "[unexpected] [errkit.sink_unavailable] disk: password=[REDACTED] is wrong; records wait\n"
    )
    assert told.count("[errkit.sink_unavailable]") == 1
    assert "planted-pw" not in told
    trouble.ends()
    trouble.begins(OSError(), "records wait")
    assert "OSError" in capsys.readouterr().err
