"""What was kept in a database, for whoever looks into failures: it asks, and changes nothing.

Writing is in `errkit.sinks.sql`, whose sink can be asked the same. Tables and queries are in
`errkit.sinks.store`.
"""

from __future__ import annotations

import datetime
import os
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import quote

from errkit.diagnostics import log_folder
from errkit.errors import CodedError
from errkit.own import ErrkitError
from errkit.sinks.base import first_line
from errkit.sinks.store import Count, Shape, Store, utc_text

# The store refuses with a coded error where it is missing.
import sqlalchemy as sa  # isort: skip
from sqlalchemy.pool import SingletonThreadPool  # isort: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.diagnostics import ErrorRecord

__all__ = ["SqlRecords"]

T = TypeVar("T")


class SqlRecords:
    """The records of a database, to be asked. It makes no database, no table and no spool.

    An SQLite file is opened for reading alone, and PostgreSQL is told that the transactions only read.

    Parameters
    ----------
    target
        A URL of SQLAlchemy; `records.db` in the log folder if not given.
    seconds
        How long connecting or a statement may take.

    Raises
    ------
    ErrkitError
        `errkit.bad_sink` for an address that can't be used; `errkit.missing_extra` when this module is
        imported without SQLAlchemy.
    """

    _store: Store

    def __init__(self, target: str | sa.URL | None = None, *, seconds: float = 5.0) -> None:
        engine = make_engine(_for_reading(address(target)), seconds)
        options = {"postgresql_readonly": True} if engine.dialect.name == "postgresql" else {}
        self._store = Store(engine.execution_options(**options), samples=0, seconds=seconds)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._store.name!r})"

    def close(self) -> None:
        """Close the connections. Never raises."""
        try:
            self._store.engine.dispose()
        except Exception:
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def _notice_fork(self) -> None:
        """A sink that writes has something to do in a forked child."""

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

    def _ask(self, question: Callable[[], T]) -> T:
        self._notice_fork()
        try:
            return question()
        except CodedError:
            raise
        except Exception as error:
            name, problem = self._store.name, first_line(error)
            raise ErrkitError.SINK_UNAVAILABLE(f"{name}: {problem}", sink=name, problem=problem) from error


# --- engines and addresses --------------------------------------------------------------------------


def address(target: str | sa.URL | None) -> sa.URL:
    """The URL of a database; of the one in the log folder if none is given.

    Raises
    ------
    ErrkitError
        `errkit.bad_sink` for what is none.
    """
    try:
        return sa.make_url(target) if target is not None else _default_url()
    except Exception as error:
        raise _bad_address(error) from error


def _bad_address(error: Exception) -> ErrkitError:
    # The address is not shown: it may hold a password.
    problem = f"expected the URL of a database and its driver, found one that fails: {first_line(error)}"
    return ErrkitError.BAD_SINK(f"sink in SQL: {problem}", sink="SQL", problem=problem)


def _for_reading(url: sa.URL) -> sa.URL:
    """The URL under which SQLite makes no file; that of another database as it is."""
    path = url.database or ""
    if url.get_backend_name() != "sqlite" or _is_in_memory(url) or path.startswith("file:"):
        return url
    # https://www.sqlite.org/uri.html
    return url.set(database=f"file:{quote(path)}", query={**url.query, "mode": "ro", "uri": "true"})


def make_engine(url: sa.URL, seconds: float) -> sa.Engine:
    """An engine that notices a database that went away, and waits for nothing longer than `seconds`."""
    try:
        return sa.create_engine(
            url,
            connect_args=_patience(url, seconds),
            hide_parameters=True,
            pool_pre_ping=True,
            **({"poolclass": SingletonThreadPool} if _is_in_memory(url) else {"pool_timeout": seconds}),
        )
    except Exception as error:
        raise _bad_address(error) from error


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
