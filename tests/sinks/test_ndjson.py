"""Records in files: one line each, whole, readable again, and free of secrets."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from errkit import CoreError, redaction
from errkit.diagnostics import now
from errkit.sinks import NdjsonSink
from errkit.sinks.ndjson import read_records
from tests.hostile import every_hostile_object
from tests.sinks.failures import failed, record, remade

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parent.parent.parent


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    """In the order in which they were written; the file is named after the day."""
    sink = NdjsonSink(tmp_path)
    written = [record("ä\n\0"), record(error=ValueError("foreign"))]
    for one in written:
        sink.write(one)
    assert sink.path is not None
    assert sink.path == str(tmp_path / f"{now()[:10]}.ndjson")
    assert list(read_records(sink.path)) == written
    lines = Path(sink.path).read_text("utf-8").splitlines()
    assert [json.loads(line)["format"] for line in lines] == ["errkit.record/1"] * 2


def test_without_a_folder_records_stand_in_the_log_folder(log_folder: Path) -> None:
    """In a folder of their own."""
    sink = NdjsonSink()
    sink.write(record())
    assert [path.name for path in log_folder.iterdir()] == ["records"]


@every_hostile_object
def test_any_failure_becomes_one_line(value: object, tmp_path: Path) -> None:
    """Valid JSON, with a code and a message."""
    sink = NdjsonSink(tmp_path)
    sink.write(record(error=failed("x", odd=value)))
    assert sink.path is not None
    (line,) = Path(sink.path).read_text("utf-8").splitlines()
    assert json.loads(line)["code"] == "shop.empty"


def test_no_secret_reaches_a_line(tmp_path: Path) -> None:
    """Nor one that was registered after the record was made, nor one in a record that was built by hand."""
    sink = NdjsonSink(tmp_path)
    late = record(error=failed("planted-late-literal", odd=["planted-late-literal"]))
    redaction.add_literal("planted-late-literal")
    try:
        sink.write(late)
    finally:
        redaction.remove_literal("planted-late-literal")
    sink.write(record(error=failed("Bearer planted-secret-1", password="planted-secret-2")))
    sink.write(remade(record(), payload={"cookie": "planted-secret-3"}, hint="token=planted-secret-4"))
    assert sink.path is not None
    text = Path(sink.path).read_text("utf-8")
    assert len(text.splitlines()) == 3
    assert "planted" not in text


def test_long_texts_are_not_cut_twice(tmp_path: Path) -> None:
    """A record that was bounded when it was made passes as it is."""
    sink = NdjsonSink(tmp_path)
    made = record(error=failed("long " * 50_000, text="x" * 100_000))
    sink.write(made)
    assert sink.path is not None
    assert list(read_records(sink.path)) == [made]


def test_a_record_of_any_size_is_bounded(tmp_path: Path) -> None:
    """One that was built by hand goes through the total pass."""
    sink = NdjsonSink(tmp_path)
    sink.write(remade(record(), payload={"list": ["x" * 1_000] * 10_000}, message="y" * 10**6))
    assert sink.path is not None
    assert Path(sink.path).stat().st_size < 1_000_000
    (found,) = read_records(sink.path)
    assert len(found.payload["list"]) < 10_000


def test_a_full_disk_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The program goes on, and it is told once."""
    (tmp_path / f"{now()[:10]}.ndjson").symlink_to("/dev/full")
    sink = NdjsonSink(tmp_path)
    for _ in range(3):
        sink.write(record())
    assert sink.lost == 3
    assert capsys.readouterr().err.count("[errkit.sink_unavailable]") == 1


def test_lines_of_others_are_passed_over(tmp_path: Path) -> None:
    """Such as the events of a diagnostic log, broken lines, and records that lack a field."""
    path = tmp_path / "x.ndjson"
    NdjsonSink(tmp_path).write(record())
    (written,) = tmp_path.iterdir()
    line = written.read_text("utf-8")
    short = json.dumps({"format": "errkit.record/1", "id": "x"})
    path.write_text(f'{{"format": "errkit.log/1"}}\n[]\n{short}\n\n{line}{line[:50]}', encoding="utf-8")
    assert [one.message for one in read_records(path)] == ["no item"]


def test_a_line_that_was_cut_off_costs_no_other(tmp_path: Path) -> None:
    """What a full disk left of a line stands before the next one, also where that tells of such a line."""
    sink = NdjsonSink(tmp_path)
    written = [record('{"format": "errkit.record/1", "id": "x'), record("\n{x")]
    for one in written:
        sink.write(one)
        assert sink.path is not None
        with open(sink.path, "ab") as file:
            file.write(b'{"format": "errkit.record/1", "message": "\xc3')
    sink.write(written[0])
    assert sink.path is not None
    assert list(read_records(sink.path)) == [*written, written[0]]


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    """A reader takes what it knows."""
    path = tmp_path / "x.ndjson"
    NdjsonSink(tmp_path).write(record(error=CoreError.INTERNAL("x")))
    (written,) = tmp_path.iterdir()
    later = {**json.loads(written.read_text("utf-8")), "format": "errkit.record/1.4", "new": 1}
    path.write_text(json.dumps(later), encoding="utf-8")
    assert [one.code for one in read_records(path)] == ["internal"]


def test_many_processes_write_one_file(tmp_path: Path) -> None:
    """Lines never run into each other."""
    script = """
        import sys
        from errkit.sinks import NdjsonSink
        from tests.sinks.failures import failed, record
        sink = NdjsonSink(sys.argv[1])
        for number in range(50):
            sink.write(record(error=failed("x" * 3000, number=number)))
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    running = [subprocess.Popen(command, cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    (path,) = tmp_path.iterdir()
    assert len(path.read_text("utf-8").splitlines()) == len(list(read_records(path))) == 150
