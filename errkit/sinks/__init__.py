"""Where records of failures go: files, databases, OpenTelemetry, the program's log.

A sink has two methods, `write(record)` and `close()`, and neither raises; any object with these two is one.
`reporter` makes a handler of sinks, for whatever hands out failures. Each sink has a module of its own:
`ndjson`, `sql`, `otel`, `log`. `SqlRecords`, in `records`, asks a database and writes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.sinks.base import Sink

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.diagnostics import ErrorRecord
    from errkit.sinks.log import LogSink as LogSink
    from errkit.sinks.ndjson import NdjsonSink as NdjsonSink
    from errkit.sinks.otel import OtelSink as OtelSink
    from errkit.sinks.records import SqlRecords as SqlRecords
    from errkit.sinks.sql import SqlSink as SqlSink

__all__ = ["LogSink", "NdjsonSink", "OtelSink", "Sink", "SqlRecords", "SqlSink", "reporter"]

_HOMES = {
    "LogSink": "log",
    "NdjsonSink": "ndjson",
    "OtelSink": "otel",
    "SqlRecords": "records",
    "SqlSink": "sql",
}


def reporter(*sinks: Sink) -> Callable[[object], None]:
    """A function that gives the record of any failure to each of the sinks. It never raises.

    Parameters
    ----------
    sinks
        Each of them gets every record.

    Returns
    -------
    Callable
        Takes an error or a record; fits `set_unexpected_error_handler` and `diagnostics.forward`.
    """
    from errkit.diagnostics import ErrorRecord

    def report(failure: object) -> None:
        record = failure if isinstance(failure, ErrorRecord) else ErrorRecord.of(failure)
        for sink in sinks:
            _write(sink, record)

    return report


def _write(sink: Sink, record: ErrorRecord) -> None:
    """A sink of the program's own may break its promise; the others get their record all the same."""
    from errkit.unexpected import report_on_stderr

    try:
        sink.write(record)
    except Exception as error:
        report_on_stderr(error)


if not TYPE_CHECKING:
    # A type checker must not see this: it would let every misspelt name pass.
    def __getattr__(name):
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
