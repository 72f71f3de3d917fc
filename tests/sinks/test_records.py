"""Asking a database of records without a right, or a way, to change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from errkit import ErrkitError
from errkit.sinks import SqlRecords, SqlSink
from tests.sinks.failures import record

if TYPE_CHECKING:
    from tests.sinks.conftest import OpenSink


def test_records_are_read_and_nothing_else(target: str, open_sink: OpenSink) -> None:
    """What a sink wrote can be asked as from the sink itself; there is no way to write or to delete."""
    sink = open_sink(target)
    sink.write(record("first"))
    sink.write(record("second"))
    with SqlRecords(target) as found:
        assert [one.message for one in found.records()] == ["second", "first"]
        assert found.counts() == sink.counts()
        assert found.shapes() == sink.shapes()
        assert not hasattr(found, "write")
        assert not hasattr(found, "prune")
        assert "planted-pw" not in repr(found)


def test_the_database_itself_refuses_a_change(target: str, open_sink: OpenSink) -> None:
    """It is not left to our good will: the file, or the transaction, is read-only."""
    open_sink(target).write(record("kept"))
    found = SqlRecords(target)
    with pytest.raises(DBAPIError), found._store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM errkit_records")
    found.close()
    assert len(open_sink(target).records()) == 1


def test_an_empty_database_has_no_records(target: str) -> None:
    """No table is made for an answer; where there is no file, none appears."""
    found = SqlRecords(target)
    if target.startswith("sqlite"):
        with pytest.raises(ErrkitError, match="unable to open database file") as caught:
            found.records()
        assert caught.value.code == ErrkitError.SINK_UNAVAILABLE
        assert not Path(target.removeprefix("sqlite:///")).exists()
    else:
        assert found.records() == found.counts() == found.shapes() == []
        with found._store.engine.connect() as connection:
            assert not sa.inspect(connection).get_table_names()
    found.close()


def test_no_spool_is_made(tmp_path: Path, log_folder: Path) -> None:
    """Whoever only asks leaves nothing behind."""
    path = tmp_path / "odd name?#%.db"
    url = sa.URL.create("sqlite", database=str(path))
    sink = SqlSink(url)
    sink.write(record("there"))
    sink.close()
    before = sorted(log_folder.rglob("*"))
    with SqlRecords(url) as found:
        assert [one.message for one in found.records()] == ["there"]
    assert sorted(log_folder.rglob("*")) == before
    assert {file.name for file in tmp_path.iterdir()} <= {path.name, log_folder.name}


@pytest.mark.parametrize("target", ["no url", "oracle://h/n", "sqlite://h/n"])
def test_an_address_that_fails_is_refused(target: str) -> None:
    """As by the sink, and without showing it."""
    with pytest.raises(ErrkitError) as caught:
        SqlRecords(target).records()
    assert caught.value.code in (ErrkitError.BAD_SINK, ErrkitError.SINK_UNAVAILABLE)
