"""The tables of records in SQLite or PostgreSQL, and what is asked of them.

Three tables: `errkit_records` has a row for each failure, `errkit_days` the number of failures of each shape
(fingerprint) and day, `errkit_meta` the version of the schema. A row counts once, however often it is sent.
Of one shape and day only the first rows keep their payload, so a storm of one failure stays small.

Everything here may raise what SQLAlchemy raises. That a sink does not is the business of `errkit.sinks.sql`.
"""

from __future__ import annotations

import datetime
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from errkit.fields import Record
from errkit.own import ErrkitError
from errkit.sinks.form import record_of, short_payload

try:
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.types import TypeDecorator, TypeEngine
except ImportError as missing:
    raise ErrkitError.MISSING_EXTRA(
        f"records in SQL need SQLAlchemy: pip install 'errkit[sql]' ({missing})",
        extra="sql",
        module="sqlalchemy",
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.diagnostics import ErrorRecord

__all__ = ["SCHEMA", "Count", "Shape", "Store"]

SCHEMA: Final = 1
_SCHEMA_LOCK: Final = 0x6572726B6974
"""A number of ours among PostgreSQL's advisory locks, held while the tables are made."""


class Count(Record):
    """How often a code failed on a day."""

    code: str
    day: str
    """The day in UTC, ISO 8601."""
    count: int


class Shape(Record):
    """Failures of one shape: the same codes and classes along the causes."""

    fingerprint: str
    code: str
    count: int
    first_at: str
    last_at: str
    message: str
    """What the latest of them says."""


class _Moment(TypeDecorator[str]):
    """UTC as ISO 8601 to Python and in SQLite, where it sorts by time; a point in time to PostgreSQL."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        is_postgresql = dialect.name == "postgresql"
        return dialect.type_descriptor(sa.DateTime(timezone=True) if is_postgresql else sa.Text())

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> Any:
        if value is None or dialect.name != "postgresql":
            return value
        return datetime.datetime.fromisoformat(value)

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> str | None:
        return utc_text(value) if isinstance(value, datetime.datetime) else value


def utc_text(moment: datetime.datetime) -> str:
    """A point in time as UTC with milliseconds; one without a zone is taken as UTC."""
    known = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    return known.astimezone(datetime.UTC).isoformat(timespec="milliseconds")


_METADATA: Final = sa.MetaData()
_MOMENT: Final = _Moment()

META: Final = sa.Table(
    "errkit_meta",
    _METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
DAYS: Final = sa.Table(
    "errkit_days",
    _METADATA,
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("count", sa.BigInteger, nullable=False),
    sa.Column("first_at", _MOMENT, nullable=False),
    sa.Column("last_at", _MOMENT, nullable=False),
    sa.Index("errkit_days_by_code", "code", "day"),
)
RECORDS: Final = sa.Table(
    "errkit_records",
    _METADATA,
    # Rows are numbered as they arrive; SQLite does that for this type alone.
    sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("at", _MOMENT, nullable=False, index=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False, index=True),
    sa.Column("number", sa.BigInteger),
    sa.Column("kind", sa.Text),
    sa.Column("hint", sa.Text, nullable=False),
    sa.Column("retryable", sa.Boolean, nullable=False),
    sa.Column("alert", sa.Boolean, nullable=False),
    sa.Column("diagnostic_id", sa.Text, index=True),
    sa.Column("log_path", sa.Text),
    sa.Column(
        "payload",
        sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql"),
    ),
    sa.Index("errkit_records_by_code", "code", "at"),
)


class Store:
    """The records in one database.

    Parameters
    ----------
    engine
        Of SQLite 3.35 or newer, or PostgreSQL.
    samples
        Of one shape and day, how many rows keep their payload.
    seconds
        How long PostgreSQL may take for one statement; half of it for a lock.

    Raises
    ------
    ErrkitError
        `errkit.bad_sink` for another kind of database.
    """

    def __init__(self, engine: sa.Engine, *, samples: int, seconds: float) -> None:
        self.engine = engine
        self.name = engine.url.render_as_string(hide_password=True)
        self._samples = samples
        self._milliseconds = max(int(seconds * 1000), 1)
        self._is_ready = False
        inserts: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
        if engine.dialect.name not in inserts:
            problem = f"expected SQLite or PostgreSQL, found {engine.dialect.name}"
            raise ErrkitError.BAD_SINK(f"{self.name}: {problem}", sink=self.name, problem=problem)
        self._insert = inserts[engine.dialect.name]

    # --- writing ------------------------------------------------------------------------------------

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Add records in their plain form, all of them or none; those already there are passed over."""
        rows = list({row["id"]: _storable(row) for row in rows}.values())
        with self._writing() as connection:
            self._add(connection, rows)

    def _add(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        counted = self._counted(connection, rows)
        shown = []
        for row in rows:
            key = _shape_and_day(row)
            counted[key] = counted.get(key, 0) + 1
            shown.append(row if counted[key] <= self._samples else {**row, "payload": None})
        statement = self._insert(RECORDS).on_conflict_do_nothing().returning(RECORDS.c.id)
        added = set(connection.execute(statement, shown).scalars())
        self._count(connection, [row for row in rows if row["id"] in added])

    def _counted(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
        """How many failures of the shapes and days of `rows` are known."""
        keys = {_shape_and_day(row) for row in rows}
        query = sa.select(DAYS.c.fingerprint, DAYS.c.day, DAYS.c.count).where(
            DAYS.c.fingerprint.in_(sorted({fingerprint for fingerprint, _ in keys})),
            DAYS.c.day.in_(sorted({day for _, day in keys})),
        )
        return {(fingerprint, day): count for fingerprint, day, count in connection.execute(query)}

    def _count(self, connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
        tally: dict[tuple[str, str], dict[str, Any]] = {}
        for row in rows:
            key = _shape_and_day(row)
            new = {"code": row["code"], "count": 0, "first_at": row["at"], "last_at": row["at"]}
            known = tally.setdefault(key, {"fingerprint": key[0], "day": key[1], **new})
            known["count"] += 1
            known["first_at"] = min(known["first_at"], row["at"])
            known["last_at"] = max(known["last_at"], row["at"])
        if not tally:
            return
        # Sorted, since two processes that lock the same rows in different orders wait for each other.
        statement = self._insert(DAYS).values([tally[key] for key in sorted(tally)])
        new = statement.excluded
        statement = statement.on_conflict_do_update(
            index_elements=[DAYS.c.fingerprint, DAYS.c.day],
            set_={
                "count": DAYS.c.count + new.count,
                "first_at": sa.case((new.first_at < DAYS.c.first_at, new.first_at), else_=DAYS.c.first_at),
                "last_at": sa.case((new.last_at > DAYS.c.last_at, new.last_at), else_=DAYS.c.last_at),
            },
        )
        connection.execute(statement)

    def prune(self, before: datetime.date) -> int:
        """Delete what is older than the beginning of a day in UTC; the number of records that went."""
        day = before.isoformat()
        with self._writing() as connection:
            gone = connection.execute(sa.delete(RECORDS).where(RECORDS.c.at < f"{day}T00:00:00.000+00:00"))
            connection.execute(sa.delete(DAYS).where(DAYS.c.day < day))
        return gone.rowcount

    # --- reading ------------------------------------------------------------------------------------

    def records(self, conditions: dict[str, Any], limit: int | None) -> list[ErrorRecord]:
        """Records, the latest first."""
        query = sa.select(RECORDS).where(*_conditions(RECORDS, conditions))
        query = query.order_by(RECORDS.c.at.desc(), RECORDS.c.seq.desc()).limit(limit)
        found = (record_of(_with_payload(dict(row))) for row in self._ask(query))
        return [record for record in found if record is not None]

    def counts(self, conditions: dict[str, Any]) -> list[Count]:
        """Failures per code and day."""
        total = sa.func.sum(DAYS.c.count).label("count")
        query = sa.select(DAYS.c.code, DAYS.c.day, total).where(*_conditions(DAYS, conditions))
        query = query.group_by(DAYS.c.code, DAYS.c.day).order_by(DAYS.c.day, DAYS.c.code)
        return [Count(**{**row, "count": int(row["count"])}) for row in self._ask(query)]

    def shapes(self, conditions: dict[str, Any]) -> list[Shape]:
        """Failures per shape, the most frequent first."""
        query = (
            sa.select(
                DAYS.c.fingerprint,
                sa.func.min(DAYS.c.code).label("code"),
                sa.func.sum(DAYS.c.count).label("count"),
                sa.func.min(DAYS.c.first_at).label("first_at"),
                sa.func.max(DAYS.c.last_at).label("last_at"),
                self._latest_message().label("message"),
            )
            .where(*_conditions(DAYS, conditions))
            .group_by(DAYS.c.fingerprint)
            .order_by(sa.desc("count"), DAYS.c.fingerprint)
        )
        return [
            Shape(**{**row, "count": int(row["count"]), "message": row["message"] or ""})
            for row in self._ask(query)
        ]

    def _latest_message(self) -> sa.ScalarSelect[Any]:
        of_shape = sa.select(RECORDS.c.message).where(RECORDS.c.fingerprint == DAYS.c.fingerprint)
        return of_shape.order_by(RECORDS.c.seq.desc()).limit(1).scalar_subquery()

    # --- the database -------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """A transaction that may write, with the tables in place."""
        try:
            with self.engine.begin() as connection:
                self._limit_waiting(connection)
                self._take_write_lock(connection)
                if not self._is_ready:
                    self._prepare(connection)
                yield connection
            self._is_ready = True
        except BaseException:
            # The next attempt may meet another database, such as one that was restored without our tables.
            self._is_ready = False
            raise

    def _ask(self, query: sa.Executable) -> Sequence[sa.RowMapping]:
        """The rows of a query, which needs no right to write; none where nothing was ever written."""
        with self.engine.connect() as connection:
            self._limit_waiting(connection)
            if not self._is_ready and not sa.inspect(connection).has_table(META.name):
                return []
            self._check_version(connection)
            return connection.execute(query).mappings().all()

    def _take_write_lock(self, connection: sa.Connection) -> None:
        """SQLite refuses to turn a transaction that reads into one that writes while another one writes."""
        if self.engine.dialect.name == "sqlite":
            driver: Any = connection.connection.dbapi_connection
            if not driver.in_transaction:
                connection.exec_driver_sql("BEGIN IMMEDIATE")

    def _limit_waiting(self, connection: sa.Connection) -> None:
        """For this transaction alone, which a pooler between us and the server lets pass."""
        if self.engine.dialect.name == "postgresql":
            set_config = sa.func.set_config
            connection.execute(
                sa.select(
                    set_config("statement_timeout", str(self._milliseconds), True),
                    set_config("lock_timeout", str(max(self._milliseconds // 2, 1)), True),
                )
            )

    def _prepare(self, connection: sa.Connection) -> None:
        """Make the tables that are missing, and check their version."""
        if self.engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_SCHEMA_LOCK)))
        _METADATA.create_all(connection)
        mark = self._insert(META).values(name="schema", value=str(SCHEMA))
        connection.execute(mark.on_conflict_do_nothing())
        self._check_version(connection)

    def _check_version(self, connection: sa.Connection) -> None:
        version = connection.execute(sa.select(META.c.value).where(META.c.name == "schema")).scalar()
        if version != str(SCHEMA):
            problem = f"expected tables of version {SCHEMA}, found version {version}"
            raise ErrkitError.BAD_SINK(f"{self.name}: {problem}", sink=self.name, problem=problem)


def _shape_and_day(row: dict[str, Any]) -> tuple[str, str]:
    return row["fingerprint"], row["at"][:10]


def _conditions(table: sa.Table, asked: dict[str, Any]) -> list[sa.ColumnElement[bool]]:
    """`since` (included), `until` (excluded) and equality, as far as they were asked."""
    times = ("at", "at") if table is RECORDS else ("last_at", "first_at")
    found: list[sa.ColumnElement[bool]] = []
    for name, value in asked.items():
        if value is None:
            continue
        if name == "since":
            found.append(table.c[times[0]] >= value)
        elif name == "until":
            found.append(table.c[times[1]] < value)
        else:
            found.append(table.c[name] == value)
    return found


def _storable(row: dict[str, Any]) -> dict[str, Any]:
    """A plain form without the one character that PostgreSQL has in no text."""
    return {name: _without_nul(value) for name, value in row.items() if name in RECORDS.c}


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\N{SYMBOL FOR NULL}")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(item) for key, item in value.items()}
    return [_without_nul(item) for item in value] if isinstance(value, list) else value


def _with_payload(row: dict[str, Any]) -> dict[str, Any]:
    if row["payload"] is None:
        row["payload"] = short_payload(row["code"], row["message"], row["retryable"])
    return row
