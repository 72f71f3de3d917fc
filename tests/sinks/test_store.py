"""The tables: what goes in comes out, each failure counts once, and questions are answered."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from errkit import CoreError, ErrkitError, redaction
from errkit.sinks.store import Count
from tests.hostile import _SAMPLES
from tests.sinks.failures import ShopError, failed, record, remade

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.sinks import SqlSink
    from tests.sinks.conftest import OpenSink
    from tests.sinks.postgres import Server


@pytest.fixture
def sink(target: str, open_sink: OpenSink) -> Iterator[SqlSink]:
    found = open_sink(target)
    yield found
    # Every record went to the database at once.
    assert found.lost == 0
    assert not Path(found.spool).exists()
    assert not Path(f"{found.spool}.refused").exists()


def cells(target: str) -> str:
    """Every value of every table, as text."""
    engine = sa.create_engine(target)
    try:
        with engine.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            rows = [connection.execute(sa.text(f"SELECT * FROM {table}")).all() for table in tables]
    finally:
        engine.dispose()
    assert {"errkit_records", "errkit_days", "errkit_meta"} <= set(tables)
    return str(rows)


def test_a_record_comes_back_as_it_was(sink: SqlSink) -> None:
    """All fields, the payload included, whatever they hold."""
    cause = CoreError.INTERNAL("beneath")
    cause.__cause__ = OSError(5, "disk")
    failure = failed("Kasse belegt: ä€😀 \\u0000 'quoted' %s {x}", till=7, ratio=0.1, big=2**63)
    failure.__cause__ = cause
    first, second = record(error=failure), record(error=ValueError("foreign"))
    sink.write(first)
    sink.write(second)
    assert sink.records() == [second, first]


def test_what_can_not_be_stored_is_stored_in_another_form(sink: SqlSink) -> None:
    """Any failure becomes a row: NUL, lone surrogates, huge numbers, objects that raise."""
    odd = [failed(f"{number}", odd=value) for number, value in enumerate(_SAMPLES)]
    odd += [failed("nul \0 here", key={"a\0b": ["\0"]}), ShopError.EMPTY("\ud800")]
    for error in odd:
        sink.write(record(error=error))
    made = record()
    sink.write(remade(made, id="number", number=10**30))
    sink.write(remade(made, id="payload", payload={"x": object(), "y": {1: float("nan")}}))
    sink.write(remade(made, id="time", at="tomorrow"))
    sink.write(remade(made, id="kind", kind="worse"))
    assert len(sink.records()) == len(odd) + 4
    (found,) = sink.records(limit=1, code="shop.empty", until="9999-01-01")
    assert found.code == "shop.empty"


def test_each_failure_counts_once(sink: SqlSink) -> None:
    """A record that is sent again, alone or in a batch, changes nothing."""
    first = record()
    for one in (first, record(), first, first):
        sink.write(one)
    assert len(sink.records()) == 2
    assert sum(count.count for count in sink.counts()) == 2


def test_failures_are_counted_by_code_and_day(sink: SqlSink) -> None:
    """Days are those of UTC; the order is by day."""
    for at, failure in (
        ("2031-05-02T00:30:00+02:00", ShopError.EMPTY()),
        ("2031-05-01T10:00:00+00:00", ShopError.EMPTY()),
        ("2031-05-01T11:00:00+00:00", ShopError.BUSY()),
        ("2031-05-02T10:00:00+00:00", ShopError.EMPTY()),
    ):
        sink.write(record(at=at, error=failure))
    empty, busy = "shop.empty", "shop.busy"
    assert sink.counts() == [
        Count(code=busy, day="2031-05-01", count=1),
        Count(code=empty, day="2031-05-01", count=2),
        Count(code=empty, day="2031-05-02", count=1),
    ]
    assert [count.count for count in sink.counts(code=ShopError.EMPTY, until="2031-05-02")] == [2]
    assert [count.count for count in sink.counts(since=datetime.date(2031, 5, 2))] == [1]


def test_failures_of_one_shape_are_one_entry(sink: SqlSink) -> None:
    """The most frequent first, with the time of the first and the last and what the latest says."""
    for hour in (3, 1, 2):
        sink.write(record(f"at {hour}", at=f"2031-05-01T0{hour}:00:00+00:00"))
    sink.write(record(at="2031-05-01T09:00:00+00:00", error=ShopError.BUSY()))
    frequent, other = sink.shapes()
    assert (frequent.code, frequent.count, frequent.message) == ("shop.empty", 3, "at 2")
    assert frequent.first_at == "2031-05-01T01:00:00.000+00:00"
    assert frequent.last_at == "2031-05-01T03:00:00.000+00:00"
    assert other.fingerprint != frequent.fingerprint
    assert [found.message for found in sink.records(fingerprint=frequent.fingerprint)] == [
        "at 3",
        "at 2",
        "at 1",
    ]


def test_records_are_asked_for_by_time_code_and_scope(sink: SqlSink) -> None:
    """`since` is included and `until` is not; days, points in time and texts all do."""
    for hour in (1, 2, 3):
        sink.write(
            remade(record(f"at {hour}", at=f"2031-05-01T0{hour}:00:00+00:00"), diagnostic_id=f"d{hour}")
        )

    def asked(**question: Any) -> list[str]:
        return [found.message for found in sink.records(**question)]

    two = datetime.datetime(2031, 5, 1, 2, tzinfo=datetime.UTC)
    assert asked(since=two) == ["at 3", "at 2"]
    assert asked(until=two) == ["at 1"]
    assert asked(since="2031-05-01T04:00:00+02:00", until="2031-05-01T03:00:00") == ["at 2"]
    assert asked(since=datetime.date(2031, 5, 1), until=datetime.date(2031, 5, 2), limit=2) == [
        "at 3",
        "at 2",
    ]
    assert asked(code="shop.busy") == []
    assert asked(diagnostic_id="d1") == ["at 1"]


def test_a_storm_of_one_failure_stays_small(target: str, open_sink: OpenSink) -> None:
    """Of one shape and day the first rows keep their payload; the others keep all else, and count."""
    sink = open_sink(target, samples=2)
    for number in range(5):
        sink.write(record(error=failed(f"{number}", cart=f"c{number}")))
    sink.write(record(error=ShopError.BUSY("other shape")))
    found = {one.message: one.payload.get("details") for one in sink.records(code="shop.empty")}
    assert found == {"0": {"cart": "c0"}, "1": {"cart": "c1"}, "2": None, "3": None, "4": None}
    assert all(one.payload["code"] == "shop.empty" for one in sink.records(code="shop.empty"))
    assert sink.records(code="shop.busy")[0].payload["hint"] == "Wait."
    assert sum(count.count for count in sink.counts(code="shop.empty")) == 5


def test_no_secret_reaches_a_row(sink: SqlSink, target: str) -> None:
    """By value, by key, registered after the record was made, or put by hand into a record."""
    cause = RuntimeError("Authorization: Bearer planted-secret-1")
    failure = failed("https://ann:planted-secret-2@shop.example", api_key="planted-secret-3")
    failure.__cause__ = cause
    failure.add_note("password=planted-secret-4")
    late = record(error=failed("planted-late-literal", odd="planted-late-literal"))
    by_hand = remade(record("token=planted-secret-5"), payload={"password": "planted-secret-6"}, hint="x")
    redaction.add_literal("planted-late-literal")
    try:
        for one in (record(error=failure), late, by_hand):
            sink.write(one)
    finally:
        redaction.remove_literal("planted-late-literal")
    assert len(sink.records()) == 3
    assert "planted" not in cells(target)


def test_old_records_are_deleted_on_request(sink: SqlSink) -> None:
    """What is older than a day goes, with its counts."""
    for day in (1, 2, 3):
        sink.write(record(f"on {day}", at=f"2031-05-0{day}T12:00:00+00:00"))
    assert sink.prune(datetime.date(2031, 5, 3)) == 2
    assert [found.message for found in sink.records()] == ["on 3"]
    assert [count.day for count in sink.counts()] == ["2031-05-03"]


def test_where_nothing_was_written_there_is_nothing(target: str, open_sink: OpenSink) -> None:
    """Asking makes no tables."""
    sink = open_sink(target)
    assert (sink.records(), sink.counts(), sink.shapes()) == ([], [], [])
    engine = sa.create_engine(target)
    assert sa.inspect(engine).get_table_names() == []
    engine.dispose()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///file:x?mode=memory&uri=true"])
def test_a_database_in_memory_serves_one_thread(url: str, open_sink: OpenSink) -> None:
    """Enough for a test of the program."""
    sink = open_sink(url)
    sink.write(record())
    assert len(sink.records()) == 1


def test_asking_needs_no_right_to_write(tmp_path: Path, open_sink: OpenSink) -> None:
    """A notebook may open the file read-only."""
    path = tmp_path / "errors.db"
    open_sink(f"sqlite:///{path}").write(record())
    reader = open_sink(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert len(reader.records()) == len(reader.counts()) == len(reader.shapes()) == 1


def test_a_role_that_may_only_read_can_ask(server: Server, open_sink: OpenSink) -> None:
    """On PostgreSQL, rights on the tables are enough."""
    url = server.new_database()
    owner = open_sink(url)
    owner.write(record())
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE ROLE reader LOGIN")
        connection.exec_driver_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    engine.dispose()
    reader = open_sink(url.replace("errkit:planted-pw", "reader"))
    assert len(reader.records()) == 1


def test_tables_of_a_newer_errkit_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], open_sink: OpenSink
) -> None:
    """Records wait in the spool, and whoever asks is told why."""
    path = tmp_path / "errors.db"
    first = open_sink(f"sqlite:///{path}")
    first.write(record())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE errkit_meta SET value = '2' WHERE name = 'schema'")
    connection.close()
    sink = open_sink(f"sqlite:///{path}")
    sink.write(record())
    assert "expected tables of version 1, found version 2" in capsys.readouterr().err
    with pytest.raises(ErrkitError, match="found version 2") as caught:
        sink.records()
    assert caught.value.code == ErrkitError.BAD_SINK
    assert len(Path(sink.spool).read_text("utf-8").splitlines()) == 1


def test_other_databases_are_refused(open_sink: OpenSink) -> None:
    """The message says what was expected, and keeps the password to itself."""
    engine = sa.create_engine("mysql+mysqldb://ann:planted@db.example/errors", module=sqlite3)
    for address in (engine, "mysql+nodriver://ann:planted@db.example/errors", "no url"):
        with pytest.raises(ErrkitError) as caught:
            open_sink(address)
        assert caught.value.code == ErrkitError.BAD_SINK
        assert "expected" in str(caught.value)
        assert "planted" not in repr(caught.value) + str(caught.value)
