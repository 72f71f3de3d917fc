"""Failures in the program's log: `logging` from the standard library, and structlog.

A payload stands whole under the one key `error`. Spread over the record, its `message` would be refused by
`logging` and its `name` taken for the logger's (https://github.com/getsentry/sentry/issues/60890). Whatever
passes here is redacted, the text of tracebacks too.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from errkit.fields import class_name, is_a
from errkit.payload import to_payload
from errkit.redaction import redact_text
from errkit.safe import redact, to_json
from errkit.sinks.base import Trouble
from errkit.sinks.form import plain, severity

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from errkit.diagnostics import ErrorRecord

__all__ = ["KEY", "ErrorFilter", "JsonFormatter", "LogSink", "structlog_errors"]

KEY: Final = "error"
"""The one key that a payload stands under."""
_LEVELS: Final = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_MAX_TRACEBACK: Final = 65_536


class LogSink:
    """Writes each record to a logger, with the payload under `error`.

    Parameters
    ----------
    logger
        A logger or its name.
    """

    def __init__(self, logger: logging.Logger | str = "errkit") -> None:
        self._logger = logging.getLogger(logger) if isinstance(logger, str) else logger
        self._trouble = Trouble(f"logger {self._logger.name}")

    def write(self, record: ErrorRecord) -> None:
        """Log one record. Never raises."""
        try:
            found = plain(record)
            level = _LEVELS[severity(record)]
            self._logger.log(level, "[%s] %s", found["code"], found["message"], extra={KEY: found["payload"]})
            self._trouble.ends()
        except Exception as error:
            self._trouble.begins(error, "records are lost")

    def close(self) -> None:
        """Nothing waits here; handlers belong to the program."""


class ErrorFilter(logging.Filter):
    """Gives each log record that comes with an exception its payload, as the attribute `error`.

    The exception is that of `exc_info`, or one that was given as `extra={"error": error}`. The message and
    the traceback are redacted. Every record passes. Add it to handlers: a filter of a logger does not see
    what its children log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record in place; never refuses it and never raises."""
        try:
            _attach_payload(record)
            _redact_texts(record)
        except Exception:
            # Half a redaction is none.
            record.msg, record.args, record.exc_text = "[log record that can't be read]", None, ""
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`; where known, `error` and `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        ErrorFilter().filter(record)
        shown: dict[str, Any] = {
            "at": _at(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if KEY in vars(record):
            shown[KEY] = vars(record)[KEY]
        if record.exc_text:
            shown["traceback"] = record.exc_text
        try:
            return json.dumps(shown, ensure_ascii=False, allow_nan=False)
        except Exception:
            return json.dumps(to_json(shown), ensure_ascii=False)


def structlog_errors(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """A processor for structlog: the payload under `error`, the redacted traceback under `exception`.

    It takes the place of `structlog.processors.format_exc_info`. The exception is that of `exc_info`, or one
    that stands under `error`. All texts of the event are redacted.
    """
    active = _exception_of(event.get("exc_info"))
    given = event.get(KEY)
    error = given if is_a(given, BaseException) else active
    if active is not None:
        del event["exc_info"]
        event["exception"] = _traceback_of(active)
    shown = {redact_text(name): _redacted(name, value) for name, value in event.items() if value is not error}
    return shown if error is None else {**shown, KEY: to_payload(error)}


def _redacted(name: str, value: Any) -> Any:
    found = redact({name: value})
    return next(iter(found.values())) if isinstance(found, dict) else found


def _exception_of(exc_info: Any) -> BaseException | None:
    """The exception behind what `logging` and structlog take as `exc_info`."""
    if is_a(exc_info, BaseException):
        return exc_info
    if is_a(exc_info, tuple):
        return exc_info[1] if len(exc_info) == 3 else None
    return sys.exc_info()[1] if exc_info else None


def _attach_payload(record: logging.LogRecord) -> None:
    given = vars(record).get(KEY)
    error = given if is_a(given, BaseException) else _exception_of(record.exc_info)
    if error is not None and not is_a(given, dict):
        setattr(record, KEY, to_payload(error))
    elif KEY in vars(record):
        setattr(record, KEY, redact(given))


def _redact_texts(record: logging.LogRecord) -> None:
    said = record.getMessage()
    shown = redact_text(said)
    if shown != said:
        record.msg, record.args = shown, None
    error = _exception_of(record.exc_info)
    if record.exc_text or error is not None:
        # Formatters take this text where it is set, and format the exception themselves where it is not.
        record.exc_text = redact_text(record.exc_text) if record.exc_text else _traceback_of(error)
    if record.stack_info:
        record.stack_info = redact_text(record.stack_info)


def _traceback_of(error: BaseException | None) -> str:
    """The traceback as Python prints it, redacted, and cut in the middle if it is huge."""
    try:
        text = redact_text("".join(traceback.format_exception(error)).rstrip("\n"))
    except Exception:
        return f"[traceback of {class_name(error)} that can't be read]"
    half = _MAX_TRACEBACK // 2
    return text if len(text) <= _MAX_TRACEBACK else f"{text[:half]}\n[...]\n{text[-half:]}"


def _at(seconds: float) -> str:
    import datetime

    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds")
