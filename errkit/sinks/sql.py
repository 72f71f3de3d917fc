"""Records in a database: SQLite by default, PostgreSQL for a fleet.

A record is written at once while the database answers. While it does not, records wait in a spool file, and
a thread sends them, in order and each once, when it is back; so a restart of the database or of the program
costs no row. Tables and queries are in `errkit.sinks.store`, the file in `errkit.sinks.spool`.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar

from errkit.diagnostics import log_folder
from errkit.errors import CodedError
from errkit.own import ErrkitError
from errkit.sinks.base import Trouble, first_line
from errkit.sinks.form import plain, record_of
from errkit.sinks.ndjson import NdjsonSink
from errkit.sinks.spool import Spool
from errkit.sinks.store import Count, Shape, Store, utc_text

# The store refuses with a coded error where it is missing.
import sqlalchemy as sa  # isort: skip
from sqlalchemy import exc  # isort: skip
from sqlalchemy.pool import SingletonThreadPool  # isort: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.diagnostics import ErrorRecord

__all__ = ["Count", "Shape", "SqlSink"]

T = TypeVar("T")

MAX_SPOOL: Final = 64 * 1024 * 1024
"""Bytes that wait at most."""


class SqlSink:
    """Keeps records in a database.

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
        engine = target if isinstance(target, sa.Engine) else _engine(target, seconds)
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

    def __repr__(self) -> str:
        return f"SqlSink({self._store.name!r})"

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

    # --- reading ------------------------------------------------------------------------------------

    def records(
        self,
        *,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
        code: str | None = None,
        fingerprint: str | None = None,
        diagnostic_id: str | None = None,
        limit: int | None = 1_000,
    ) -> list[ErrorRecord]:
        """Records, the latest first.

        Parameters
        ----------
        since, until
            From when on, and before when: a day, a point in time, or either as ISO 8601 text. UTC where no
            zone is given.
        code
            Those of one code.
        fingerprint
            Those of one shape.
        diagnostic_id
            Those of one diagnostic scope.
        limit
            How many at most; None for all.

        Raises
        ------
        ErrkitError
            `errkit.sink_unavailable` if the database does not answer; `errkit.bad_sink` if a newer errkit
            made its tables.
        """
        conditions = {
            **_between(since, until),
            "code": code,
            "fingerprint": fingerprint,
            "diagnostic_id": diagnostic_id,
        }
        return self._ask(lambda: self._store.records(conditions, limit))

    def counts(
        self,
        *,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
        code: str | None = None,
    ) -> list[Count]:
        """How often each code failed on each day, by day.

        Parameters
        ----------
        since, until
            As in `records`; a day counts whole.
        code
            That of one code.

        Raises
        ------
        ErrkitError
            As in `records`.
        """
        return self._ask(lambda: self._store.counts({**_between(since, until), "code": code}))

    def shapes(
        self,
        *,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
        code: str | None = None,
    ) -> list[Shape]:
        """Failures of the same shape as one entry each, the most frequent first.

        Parameters
        ----------
        since, until
            As in `records`; a day counts whole.
        code
            Those of one code.

        Raises
        ------
        ErrkitError
            As in `records`.
        """
        return self._ask(lambda: self._store.shapes({**_between(since, until), "code": code}))

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

    def _ask(self, question: Callable[[], T]) -> T:
        self._notice_fork()
        try:
            return question()
        except CodedError:
            raise
        except Exception as error:
            name, problem = self._store.name, first_line(error)
            raise ErrkitError.SINK_UNAVAILABLE(f"{name}: {problem}", sink=name, problem=problem) from error


# --- engines and paths ------------------------------------------------------------------------------


def _engine(target: str | sa.URL | None, seconds: float) -> sa.Engine:
    """An engine that notices a database that went away, and waits for nothing longer than `seconds`."""
    try:
        url = sa.make_url(target) if target is not None else _default_url()
        return sa.create_engine(
            url,
            connect_args=_patience(url, seconds),
            hide_parameters=True,
            pool_pre_ping=True,
            **({"poolclass": SingletonThreadPool} if _is_in_memory(url) else {"pool_timeout": seconds}),
        )
    except Exception as error:
        # The address is not shown: it may hold a password.
        problem = f"expected the URL of a database and its driver, found one that fails: {first_line(error)}"
        raise ErrkitError.BAD_SINK(f"sink in SQL: {problem}", sink="SQL", problem=problem) from error


def _patience(url: sa.URL, seconds: float) -> dict[str, Any]:
    """What the drivers call it; a setting in the URL stays as it is."""
    driver = url.get_driver_name()
    if url.get_backend_name() == "sqlite":
        found: dict[str, Any] = {"timeout": seconds}
    elif driver in ("psycopg", "psycopg2"):
        # libpq takes whole seconds, two at least; the other one is milliseconds.
        found = {"connect_timeout": max(int(seconds), 2), "tcp_user_timeout": max(int(seconds * 2000), 1)}
    else:
        found = {}
    return {name: value for name, value in found.items() if name not in url.query}


def _is_in_memory(url: sa.URL) -> bool:
    in_memory = url.database in (None, "", ":memory:") or url.query.get("mode") == "memory"
    return url.get_backend_name() == "sqlite" and in_memory


def _default_url() -> sa.URL:
    folder = log_folder()
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return sa.URL.create("sqlite", database=os.path.join(folder, "records.db"))


def _spool_path(name: str) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
    return os.path.join(log_folder(), "spool", f"{mark}.ndjson")


def _between(since: str | datetime.date | None, until: str | datetime.date | None) -> dict[str, Any]:
    return {"since": _utc(since), "until": _utc(until)}


def _utc(moment: str | datetime.date | None) -> str | None:
    """A time in the one form that the tables are asked in."""
    if moment is None:
        return None
    if isinstance(moment, str):
        moment = datetime.datetime.fromisoformat(moment)
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime(moment.year, moment.month, moment.day, tzinfo=datetime.UTC)
    return utc_text(moment)
