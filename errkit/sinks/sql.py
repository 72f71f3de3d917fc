"""Records in a database: SQLite by default, PostgreSQL for a fleet.

A record is written at once while the database answers. While it does not, records wait in a spool file, and
a thread sends them, in order and each once, when it is back; so a restart of the database or of the program
costs no row. Asking is in `errkit.sinks.records`, tables and queries are in `errkit.sinks.store`, and the
file is in `errkit.sinks.spool`.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from errkit.diagnostics import log_folder
from errkit.sinks.base import Trouble
from errkit.sinks.form import plain, record_of
from errkit.sinks.ndjson import NdjsonSink
from errkit.sinks.records import SqlRecords, address, make_engine
from errkit.sinks.spool import Spool
from errkit.sinks.store import Count, Shape, Store

# The store refuses with a coded error where it is missing.
import sqlalchemy as sa  # isort: skip
from sqlalchemy import exc  # isort: skip

if TYPE_CHECKING:
    import datetime

    from errkit.diagnostics import ErrorRecord

__all__ = ["Count", "Shape", "SqlSink"]

MAX_SPOOL: Final = 64 * 1024 * 1024
"""Bytes that wait at most."""


class SqlSink(SqlRecords):
    """Keeps records in a database, and answers what `SqlRecords` does.

    Writing never raises and never waits long: the first record that meets a database that does not answer
    waits up to `seconds`, those after it go to the spool at once. What neither takes is counted in `lost`.

    Parameters
    ----------
    target
        A URL of SQLAlchemy, such as `sqlite:///errors.db` or `postgresql+psycopg://user@host/name`, or an
        engine; SQLite in the log folder (`records.db`) if not given.
    spool
        The file that holds records while the database is away; one in the log folder, named after the target,
        if not given. Processes may share it.
    max_spool
        How many bytes may wait.
    samples
        Of one shape and day, how many rows keep their payload; the others keep everything else.
    seconds
        How long connecting, a lock or a statement may take, and how long to wait before another attempt.

    Raises
    ------
    ErrkitError
        `errkit.bad_sink` for an address that can't be used; `errkit.missing_extra` when this module is
        imported without SQLAlchemy.
    """

    def __init__(
        self,
        target: str | sa.URL | sa.Engine | None = None,
        *,
        spool: str | os.PathLike[str] | None = None,
        max_spool: int = MAX_SPOOL,
        samples: int = 100,
        seconds: float = 5.0,
    ) -> None:
        self._owns_engine = not isinstance(target, sa.Engine)
        engine = target if isinstance(target, sa.Engine) else make_engine(address(target), seconds)
        self._store = Store(engine, samples=samples, seconds=seconds)
        self._seconds = seconds
        self.spool = os.fspath(spool) if spool is not None else _spool_path(self._store.name)
        """The file that holds records while the database is away."""
        self.lost = 0
        """How many records neither the database nor the disk took."""
        self._spool = Spool(self.spool, max_spool)
        self._refused = NdjsonSink(f"{self.spool}.refused")
        self._trouble = Trouble(self._store.name)
        self._loss = Trouble(f"{self._store.name} and its spool")
        self._start_afresh()

    def _start_afresh(self) -> None:
        """State of this process alone."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._drainer: threading.Thread | None = None
        self._silence: Exception | None = None
        """Why the database does not answer; None while it does."""
        self._try_again = 0.0

    # --- writing ------------------------------------------------------------------------------------

    def write(self, record: ErrorRecord) -> None:
        """Keep one record. Never raises."""
        try:
            self._notice_fork()
            self._keep(plain(record))
            self._loss.ends()
        except Exception as error:
            self.lost += 1
            self._loss.begins(error, "records are lost")

    def _keep(self, row: dict[str, Any]) -> None:
        """In the database if it answers and nothing waits before it; else in the spool, if that takes it."""
        if self._may_ask() and self._spool.is_empty() and self._sent([row]):
            return
        try:
            self._spool.append(row)
        except OSError:
            if not (self._may_ask() and self._sent([row])):
                raise
            return
        self._tell_silence()
        self._drain_in_background()

    def _may_ask(self) -> bool:
        """Whether the database answered last time, or was left alone for long enough."""
        return self._silence is None or time.monotonic() >= self._try_again

    def _sent(self, rows: list[dict[str, Any]]) -> bool:
        """Whether the database took the rows."""
        try:
            self._send(rows)
        except Exception as error:
            self._fell_silent(error)
            return False
        self._answered()
        return True

    def _fell_silent(self, error: Exception) -> None:
        self._silence = error
        self._try_again = time.monotonic() + self._seconds

    def _answered(self) -> None:
        self._silence = None
        self._trouble.ends()

    def _tell_silence(self) -> None:
        if self._silence is not None:
            self._trouble.begins(self._silence, f"records wait in {self.spool}")

    def _send(self, rows: list[dict[str, Any]]) -> None:
        """Add rows; one that is refused for what it holds is put aside, so that others can follow."""
        try:
            self._store.add(rows)
        except (exc.DataError, exc.IntegrityError):
            if len(rows) == 1:
                self._put_aside(rows[0])
                return
            for row in rows:
                self._send([row])

    def _put_aside(self, row: dict[str, Any]) -> None:
        record, lost = record_of(row), self._refused.lost
        if record is not None:
            self._refused.write(record)
            self.lost += self._refused.lost - lost

    # --- draining -----------------------------------------------------------------------------------

    def drain(self) -> bool:
        """Send what waits in the spool now. Never raises.

        Returns
        -------
        bool
            Whether nothing waits any longer.
        """
        try:
            self._notice_fork()
            done = self._spool.drain(self._send)
        except Exception as error:
            self._fell_silent(error)
            self._tell_silence()
            return False
        if done:
            self._answered()
        return done

    def _drain_in_background(self) -> None:
        with self._lock:
            if self._drainer is None and not self._closing.is_set():
                self._drainer = threading.Thread(
                    target=self._drain_until_empty, name="errkit-spool", daemon=True
                )
                self._drainer.start()

    def _drain_until_empty(self) -> None:
        pause = 0.0 if self._silence is None else self._seconds
        while not self._closing.wait(pause):
            pause = 0.0 if self.drain() else self._seconds
            with self._lock:
                if pause == 0.0 and self._spool.is_empty():
                    self._drainer = None
                    return

    def close(self) -> None:
        """Send what waits, as far as the database takes it, and close the connections. Never raises.

        What the database does not take stays in the spool, for the next process that writes.
        """
        try:
            self._notice_fork()
            self._closing.set()
            drainer = self._drainer
            if drainer is not None:
                drainer.join(self._seconds)
            self._drain_for(self._seconds)
            if self._owns_engine:
                self._store.engine.dispose()
        except Exception as error:
            self._trouble.begins(error, "the connections may still be open")

    def _drain_for(self, seconds: float) -> None:
        """Another process may hold the spool for a moment."""
        end = time.monotonic() + seconds
        while not self.drain() and self._silence is None and time.monotonic() < end:
            time.sleep(0.05)

    def _notice_fork(self) -> None:
        """A forked child has neither the threads of its parent nor a right to its connections."""
        if self._process != os.getpid():
            self._store.engine.dispose(close=False)
            self._start_afresh()

    # --- forgetting ---------------------------------------------------------------------------------

    def prune(self, before: datetime.date) -> int:
        """Delete the records and counts from before a day in UTC; gives the number of records.

        Parameters
        ----------
        before
            The first day that stays.

        Raises
        ------
        ErrkitError
            As in `records`.
        """
        return self._ask(lambda: self._store.prune(before))


def _spool_path(name: str) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
    return os.path.join(log_folder(), "spool", f"{mark}.ndjson")
