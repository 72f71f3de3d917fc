"""The sink in SQL: no row is lost and none is doubled, whatever the database and the processes do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from errkit import ErrkitError
from errkit.diagnostics import forward, scope
from errkit.sinks.ndjson import read_records
from tests.sinks.failures import ShopError, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.sinks import SqlSink
    from tests.sinks.conftest import OpenSink
    from tests.sinks.postgres import Server

ROOT = Path(__file__).parent.parent.parent


def messages(sink: SqlSink) -> list[str]:
    """What the rows say, in the order in which they arrived."""
    with sink._store.engine.connect() as connection:
        return list(connection.execute(sa.text("SELECT message FROM errkit_records ORDER BY seq")).scalars())


def until(fact: Callable[[], bool]) -> None:
    """Wait for what another thread or process does."""
    end = time.monotonic() + 30
    while not fact():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


class Lock:
    """Holds a SQLite database, so that nobody else can write."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("BEGIN EXCLUSIVE")

    def release(self) -> None:
        self._connection.execute("ROLLBACK")
        self._connection.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "errors.db"


# --- away and back ----------------------------------------------------------------------------------


def test_rows_wait_in_order_while_the_database_is_away(
    database: Path, capsys: pytest.CaptureFixture[str], open_sink: OpenSink
) -> None:
    """They are in the spool meanwhile, and in the database afterwards, each once; it is said once."""
    sink = open_sink(f"sqlite:///{database}", seconds=0.01)
    sink.write(record("0"))
    lock = Lock(database)
    for number in range(1, 6):
        sink.write(record(str(number)))
    assert [one.message for one in read_records(sink.spool)] == ["1", "2", "3", "4", "5"]
    told = capsys.readouterr().err
    assert told.count("[errkit.sink_unavailable]") == 1
    assert sink.spool in told
    lock.release()
    until(lambda: os.stat(sink.spool).st_size == 0)
    sink.write(record("6"))
    assert messages(sink) == ["0", "1", "2", "3", "4", "5", "6"]
    assert sum(count.count for count in sink.counts()) == 7
    assert sink.lost == 0


def test_rows_follow_without_another_failure(server: Server, open_sink: OpenSink) -> None:
    """When the server is back, the spool is drained though nothing else is written."""
    sink = open_sink(server.new_database(), seconds=0.2)
    sink.write(record("before"))
    server.kill()
    for number in range(3):
        sink.write(record(str(number)))
    with pytest.raises(ErrkitError) as caught:
        sink.records()
    assert caught.value.code == ErrkitError.SINK_UNAVAILABLE
    assert caught.value.retryable
    assert "planted-pw" not in repr(caught.value) + str(caught.value)
    server.start()
    until(lambda: os.stat(sink.spool).st_size == 0)
    assert messages(sink) == ["before", "0", "1", "2"]


def test_a_restart_between_two_failures_is_not_noticed(server: Server, open_sink: OpenSink) -> None:
    """Connections that broke meanwhile are replaced: the row goes to the database at once."""
    sink = open_sink(server.new_database())
    sink.write(record("before"))
    server.kill()
    server.start()
    sink.write(record("after"))
    assert messages(sink) == ["before", "after"]
    assert not os.path.exists(sink.spool)


def test_what_a_dead_process_left_is_sent_by_the_next_one(database: Path, open_sink: OpenSink) -> None:
    """The spool of one target is shared by all that write to it, one after the other too."""
    url = f"sqlite:///{database}"
    first = open_sink(url, seconds=0.01)
    lock = Lock(database)
    first.write(record("left"))
    first.close()
    lock.release()
    second = open_sink(url)
    second.write(record("new"))
    until(lambda: os.stat(second.spool).st_size == 0)
    assert messages(second) == ["left", "new"]
    third = open_sink(url)
    assert third.drain()


def test_a_row_that_arrived_unnoticed_is_not_doubled(database: Path, open_sink: OpenSink) -> None:
    """A connection that breaks during a commit leaves it open whether the row is there; it is sent again."""
    sink = open_sink(f"sqlite:///{database}", seconds=0.01)
    one = record("once")
    sink.write(one)
    lock = Lock(database)
    sink.write(one)
    sink.write(record("other"))
    assert next(read_records(sink.spool)).id == one.id
    lock.release()
    until(sink.drain)
    assert sorted(messages(sink)) == ["once", "other"]
    assert sum(count.count for count in sink.counts()) == 2


def test_a_server_that_is_restored_empty_gets_its_tables_again(database: Path, open_sink: OpenSink) -> None:
    """Tables are made on first use, and when they are gone."""
    sink = open_sink(f"sqlite:///{database}", seconds=0.01)
    sink.write(record("gone"))
    with sqlite3.connect(database) as connection:
        for table in ("errkit_records", "errkit_days", "errkit_meta"):
            connection.execute(f"DROP TABLE {table}")
    connection.close()
    sink.write(record("new"))
    until(lambda: os.stat(sink.spool).st_size == 0)
    assert messages(sink) == ["new"]


# --- many processes ---------------------------------------------------------------------------------

WRITER = """
    import os, sys, time
    from errkit.sinks import SqlSink
    from tests.sinks.failures import record
    target, name, stop = sys.argv[1:]
    sink, number = SqlSink(target, seconds=0.2), 0
    while not os.path.exists(stop):
        sink.write(record(f"{name}-{number}"))
        number += 1
        if number == 3:
            print("begun", flush=True)
        time.sleep(0.05)
    assert sink.lost == 0
    print(number)
"""


class Writers:
    """Two processes that write until they are told to stop; they have begun when this is made."""

    def __init__(self, target: str, folder: Path) -> None:
        self._stop = folder / "stop"
        self._processes = {
            name: subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(WRITER), target, name, str(self._stop)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name in "ab"
        }
        for process in self._processes.values():
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"

    def stop(self) -> tuple[list[str], str]:
        """The messages of all that they wrote, and what they said on standard error."""
        self._stop.touch()
        wrote: list[str] = []
        told = ""
        for name, process in self._processes.items():
            count, errors = process.communicate(timeout=60)
            assert process.returncode == 0, errors
            wrote += [f"{name}-{number}" for number in range(int(count))]
            told += errors
        return wrote, told


def assert_all_there(sink: SqlSink, wrote: list[str]) -> None:
    """Each record is a row, once, and is counted once."""
    until(sink.drain)
    assert sorted(messages(sink)) == sorted(wrote)
    assert sum(found.count for found in sink.counts()) == len(wrote)


def test_many_processes_write_at_once(database: Path, tmp_path: Path, open_sink: OpenSink) -> None:
    """From the first use on, when all of them want to make the tables."""
    target = f"sqlite:///{database}"
    wrote, _ = Writers(target, tmp_path).stop()
    assert_all_there(open_sink(target), wrote)


def test_killing_the_server_in_the_middle_loses_and_doubles_nothing(
    server: Server, tmp_path: Path, open_sink: OpenSink
) -> None:
    """Two processes, from first use on, while it crashes and comes back; every row is there, once."""
    target = server.new_database()
    writers = Writers(target, tmp_path)
    server.kill()
    server.start()
    wrote, told = writers.stop()
    assert "[errkit.sink_unavailable]" in told
    assert_all_there(open_sink(target), wrote)


def test_a_forked_child_writes_too(server: Server, open_sink: OpenSink) -> None:
    """It opens connections of its own, and leaves those of its parent alone."""
    target = server.new_database()
    script = """
        import os, sys
        from errkit.sinks import SqlSink
        from tests.sinks.failures import record
        sink = SqlSink(sys.argv[1])
        sink.write(record("parent"))
        children = []
        for name in ("first", "second"):
            child = os.fork()
            if child == 0:
                sink.write(record(name))
                sink.close()
                os._exit(sink.lost)
            children.append(child)
        sink.write(record("parent again"))
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
        sink.write(record("parent at last"))
        sink.close()
    """
    command = [sys.executable, "-c", textwrap.dedent(script), target]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    sink = open_sink(target)
    assert sorted(messages(sink)) == ["first", "parent", "parent again", "parent at last", "second"]


def test_many_threads_write_at_once(target: str, open_sink: OpenSink) -> None:
    """One sink serves a whole program."""
    sink = open_sink(target)

    def write(name: str) -> None:
        for number in range(20):
            sink.write(record(f"{name}-{number}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sink.close()
    assert len(messages(sink)) == len(set(messages(sink))) == 60


# --- bounds and refusals ----------------------------------------------------------------------------


def test_when_nothing_takes_a_record_it_is_counted_and_told_once(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], open_sink: OpenSink
) -> None:
    """Neither the database nor the disk: the program goes on, and the sink recovers."""
    (tmp_path / "file").write_text("")
    sink = open_sink(f"sqlite:///{database}", spool=tmp_path / "file" / "spool", seconds=0.01)
    sink.write(record("there"))
    lock = Lock(database)
    for _ in range(3):
        sink.write(record("lost"))
    assert sink.lost == 3
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("[unexpected]")]
    assert [line.endswith("records are lost") for line in told] == [True]
    lock.release()
    until(lambda: _wrote(sink, "back"))
    assert set(messages(sink)) == {"there", "back"}


def _wrote(sink: SqlSink, message: str) -> bool:
    before = sink.lost
    sink.write(record(message))
    return sink.lost == before


def test_a_full_spool_does_not_grow(database: Path, open_sink: OpenSink) -> None:
    """What waits is bounded; what does not fit is counted."""
    sink = open_sink(f"sqlite:///{database}", seconds=0.01, max_spool=5_000)
    lock = Lock(database)
    for number in range(40):
        sink.write(record(str(number)))
    assert os.stat(sink.spool).st_size <= 5_000
    assert 0 < sink.lost < 40
    lock.release()
    until(sink.drain)
    assert messages(sink) == [str(number) for number in range(40 - sink.lost)]


def test_a_row_that_is_refused_does_not_hold_up_the_others(database: Path, open_sink: OpenSink) -> None:
    """It is put aside in a file of its own."""
    sink = open_sink(f"sqlite:///{database}", seconds=0.01)
    sink.write(record("0"))
    with sqlite3.connect(database) as connection:
        connection.execute(
            "CREATE TRIGGER no BEFORE INSERT ON errkit_records WHEN NEW.message = 'bad' "
            "BEGIN SELECT RAISE(ABORT, 'not this one'); END"
        )
    connection.close()
    lock = Lock(database)
    for message in ("1", "bad", "2"):
        sink.write(record(message))
    lock.release()
    until(sink.drain)
    sink.write(record("bad"))
    assert messages(sink) == ["0", "1", "2"]
    (refused,) = Path(f"{sink.spool}.refused").iterdir()
    assert [one.message for one in read_records(refused)] == ["bad", "bad"]
    assert sink.lost == 0


# --- using it ---------------------------------------------------------------------------------------


def test_without_a_target_there_is_a_file_in_the_log_folder(log_folder: Path, open_sink: OpenSink) -> None:
    """SQLite needs nothing to be set up; the folder is for its user alone."""
    sink = open_sink()
    sink.write(record())
    sink.close()
    assert (log_folder / "records.db").exists()
    assert log_folder.stat().st_mode & 0o077 == 0
    assert len(open_sink().records()) == 1
    assert "records.db" in repr(sink)


def test_an_engine_of_the_program_can_be_used(database: Path, open_sink: OpenSink) -> None:
    """It is not changed and not closed, whether it or the driver begins transactions."""
    plain = sa.create_engine(f"sqlite:///{database}")
    eager = sa.create_engine(f"sqlite:///{database}")

    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    event.listen(eager, "begin", begin)
    for engine in (plain, eager):
        sink = open_sink(engine)
        sink.write(record())
        assert not os.path.exists(sink.spool)
        sink.close()
        with engine.connect() as connection:
            assert connection.execute(sa.text("SELECT 1")).scalar() == 1
    assert len(messages(open_sink(plain))) == 2
    plain.dispose()
    eager.dispose()


def test_failures_of_scopes_become_rows(database: Path, open_sink: OpenSink) -> None:
    """The row names the log that tells what led up to the failure."""
    sink = open_sink(f"sqlite:///{database}")
    undo = forward(sink.write)
    try:
        with pytest.raises(ShopError), scope("checkout"):
            raise ShopError.EMPTY()  # noqa: RSE102 (a code is called)
    finally:
        undo()
    (found,) = sink.records()
    assert found.log_path is not None
    assert os.path.exists(found.log_path)
    assert sink.records(diagnostic_id=found.diagnostic_id) == [found]


def test_without_sqlalchemy_the_extra_is_named() -> None:
    """Importing says what to install."""
    script = """
        import sys
        sys.modules["sqlalchemy"] = None
        import errkit.sinks
        try:
            errkit.sinks.SqlSink
        except errkit.CodedError as error:
            print(error.code, error.details["extra"])
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("errkit.missing_extra sql\n", "")
