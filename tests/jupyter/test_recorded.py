"""Records in a notebook: read from any sink, the latest first, redacted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from errkit import CodedError, code
from errkit.diagnostics import ErrorRecord
from errkit.jupyter import Records
from errkit.registry import Registry
from errkit.sinks import NdjsonSink, SqlSink

if TYPE_CHECKING:
    from collections.abc import Iterator


class TillError(CodedError, domain="till", registry=Registry("recorded")):
    NO_PAPER = code("No paper")


def record(second: int, **facts: Any) -> ErrorRecord:
    at = f"2026-11-30T10:00:{second:02}.000+00:00"
    return ErrorRecord(**{**vars(ErrorRecord.of(TillError.NO_PAPER(f"till {second}"))), "at": at, **facts})


@pytest.fixture
def sinks(tmp_path: Path) -> Iterator[tuple[SqlSink, NdjsonSink]]:
    """A database and a folder that hold the same three records."""
    sql = SqlSink(f"sqlite:///{tmp_path / 'errors.db'}", spool=tmp_path / "spool.ndjson")
    lines = NdjsonSink(tmp_path / "records")
    for second in (2, 3, 1):
        found = record(second)
        sql.write(found)
        lines.write(found)
    yield sql, lines
    sql.close()


def test_every_sink_gives_the_same_records(sinks: tuple[SqlSink, NdjsonSink]) -> None:
    """A database, a folder, a file, and records that were asked for: the latest first."""
    sql, lines = sinks
    assert lines.path is not None
    for source in (sql, lines.folder, Path(lines.path), lines.path, sql.records(code="till.no_paper")):
        found = Records(source)
        assert [one.message for one in found] == ["till 3", "till 2", "till 1"]
    assert Records(sql)[0].code == "till.no_paper"
    assert [one.message for one in Records(sql)[1:]] == ["till 2", "till 1"]
    assert repr(Records(sql)) == "<Records: 3>"


def test_records_made_by_hand_are_redacted() -> None:
    """What was not made by `ErrorRecord.of` may hold a secret, and may be no record at all."""
    payload = {"v": 1, "code": "a", "message": "token=PLANTED", "retryable": False, "details": {"key": "x"}}
    found = Records([record(1, message="password=PLANTED", payload=payload, kind="loud", number="n")])
    assert "PLANTED" not in str(vars(found[0]))
    assert (found[0].kind, found[0].number) == (None, None)


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    """Whoever names a file wants to know that it is not there."""
    with pytest.raises(FileNotFoundError):
        Records(tmp_path / "none.ndjson")
    assert len(Records(tmp_path)) == 0
