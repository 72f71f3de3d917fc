"""Failures in logs: the payload under one key, for `logging` and structlog, and no secret in any line."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from errkit import to_payload
from errkit.sinks import LogSink
from errkit.sinks.log import ErrorFilter, JsonFormatter, structlog_errors
from tests.hostile import Silent, every_hostile_object
from tests.sinks.failures import ShopError, failed, record

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = failed(
    "https://ann:planted-1@shop.example", message="spread?", name="spread?", password="planted-2", args=["x"]
)
"""Its details are called like attributes of a log record, and it holds secrets."""


class Log:
    """A logger of the test's own, and what it printed."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.stream = io.StringIO()
        # Outside the hierarchy: pytest also listens to loggers that do not propagate, and its workers can't
        # send lone surrogates to each other.
        self.logger = logging.Logger("tests.sinks.log", logging.DEBUG)  # noqa: LOG001 (see above)
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(formatter)
        self.logger.addHandler(self.handler)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def plain() -> Iterator[Log]:
    """A log with the formatter of the standard library, and the filter."""
    log = Log(logging.Formatter("%(levelname)s %(message)s %(error)s", defaults={"error": None}))
    log.handler.addFilter(ErrorFilter())
    yield log
    log.logger.removeHandler(log.handler)


@pytest.fixture
def lines() -> Iterator[Log]:
    """A log of JSON lines."""
    log = Log(JsonFormatter())
    yield log
    log.logger.removeHandler(log.handler)


def raised(error: BaseException) -> BaseException:
    """The error with a traceback and a cause."""
    try:
        try:
            raise RuntimeError("Authorization: Bearer planted-3")
        except RuntimeError as cause:
            raise error from cause
    except BaseException as caught:
        return caught


# --- logging ----------------------------------------------------------------------------------------


def test_a_logged_exception_brings_its_payload(lines: Log) -> None:
    """Whole, under `error`, with the traceback beside it."""
    error = raised(SECRET)
    lines.logger.error("checkout failed", exc_info=error)
    (line,) = lines.lines
    assert line["error"] == to_payload(error)
    assert (line["message"], line["level"], line["logger"]) == ("checkout failed", "error", "tests.sinks.log")
    assert "Traceback" in line["traceback"]
    assert "in raised" in line["traceback"]
    assert "planted" not in lines.text


def test_an_exception_can_be_given_as_the_key_itself(lines: Log) -> None:
    """Nothing of it becomes an attribute of the record, which `logging` would refuse.

    https://github.com/getsentry/sentry/issues/60890
    """
    lines.logger.warning("skipped", extra={"error": SECRET})
    (line,) = lines.lines
    assert line["error"] == to_payload(SECRET)
    assert "traceback" not in line


def test_any_formatter_prints_redacted_texts(plain: Log) -> None:
    """Message, arguments and traceback, whichever formatter the program has."""
    plain.logger.error("failed: %s", raised(SECRET), exc_info=raised(SECRET), stack_info=True)
    plain.logger.error("password=planted-4")
    assert "ERROR failed: https://[REDACTED]@shop.example {'v': 1" in plain.text
    assert "RuntimeError: Authorization: [REDACTED]" in plain.text
    assert "planted" not in plain.text


def test_the_exception_that_is_being_handled_is_found(lines: Log) -> None:
    """`logger.exception` needs no argument."""
    try:
        raise ShopError.BUSY("now")
    except ShopError:
        lines.logger.exception("failed")
    assert lines.lines[0]["error"]["code"] == "shop.busy"


def test_what_is_no_failure_is_left_alone(lines: Log, plain: Log) -> None:
    """Its message is the same, and there is no `error`; a value of the program under the key stays."""
    lines.logger.info("%d items in %s", 3, {"cart": 1})
    lines.logger.info("own", extra={"error": "text"})
    first, second = lines.lines
    assert first["message"] == "3 items in {'cart': 1}"
    assert "error" not in first
    assert second["error"] == "text"


@every_hostile_object
def test_any_object_can_be_logged(value: object, lines: Log) -> None:
    """As an argument, under the key, and in an exception."""
    if type(value) is Silent:
        pytest.skip("the standard library's own record asks an argument for its class")
    lines.logger.error("x %s", value, extra={"error": value}, exc_info=failed("x", odd=value))
    assert len(lines.lines) == 1


def test_a_record_with_wrong_arguments_is_no_failure_of_the_program(lines: Log) -> None:
    """The line says that it can't be read."""
    lines.logger.error("%d items", "three")
    assert lines.lines[0]["message"] == "[log record that can't be read]"


def test_configuration_from_a_dict_works() -> None:
    """Filter and formatter are named as `logging.config` wants them."""
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "filters": {"errors": {"()": "errkit.sinks.log.ErrorFilter"}},
            "formatters": {"json": {"()": "errkit.sinks.log.JsonFormatter"}},
            "handlers": {
                "out": {"class": "logging.StreamHandler", "filters": ["errors"], "formatter": "json"}
            },
            "loggers": {"tests.sinks.configured": {"handlers": ["out"]}},
        }
    )
    (handler,) = logging.getLogger("tests.sinks.configured").handlers
    assert isinstance(handler.formatter, JsonFormatter)
    assert isinstance(handler.filters[0], ErrorFilter)


def test_records_can_be_sent_to_the_log(lines: Log) -> None:
    """The level follows from what the code says: alert, no alert, cancelled."""
    sink = LogSink(lines.logger)
    for error in (SECRET, ShopError.BUSY(), ShopError.STOPPED()):
        sink.write(record(error=error))
    assert [line["level"] for line in lines.lines] == ["error", "warning", "info"]
    assert lines.lines[0]["message"] == "[shop.empty] https://[REDACTED]@shop.example"
    assert lines.lines[0]["error"] == to_payload(SECRET)
    assert "planted" not in lines.text


# --- structlog --------------------------------------------------------------------------------------


def structured(log: io.StringIO) -> Any:
    """A logger of structlog that prints JSON."""
    return structlog.wrap_logger(
        structlog.PrintLogger(log),
        processors=[
            structlog.processors.add_log_level,
            structlog_errors,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
    )


def test_structlog_gets_the_payload_under_one_key() -> None:
    """From `exc_info`, in each of its forms, and from `error=`; the traceback is redacted."""
    log = io.StringIO()
    logger = structured(log)
    error = raised(SECRET)
    logger.error("given", exc_info=error)
    logger.error("a tuple", exc_info=(type(error), error, error.__traceback__))
    logger.error("the key", error=error)
    try:
        raise error
    except ShopError:
        logger.exception("handled")
    found = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["error"] for line in found] == [to_payload(error)] * 4
    assert ["Traceback" in line.get("exception", "") for line in found] == [True, True, False, True]
    assert all("exc_info" not in line for line in found)
    assert "planted" not in log.getvalue()


def test_structlog_events_are_redacted() -> None:
    """Bound values, by key and by value; an event without a failure gets no `error`."""
    log = io.StringIO()
    structured(log).bind(api_key="planted-5", page=2).info("token=planted-6", urls=["x://a:planted-7@b"])
    assert "planted" not in repr(structlog_errors(None, "info", {"password=planted-8": "x"}))
    found = json.loads(log.getvalue())
    assert found == {
        "api_key": "[REDACTED]",
        "page": 2,
        "event": "token=[REDACTED]",
        "urls": ["x://[REDACTED]@b"],
        "level": "info",
    }


@every_hostile_object
def test_structlog_never_fails_for_our_sake(value: object) -> None:
    """The processor passes on whatever it is given."""
    assert structlog_errors(None, "info", {"event": "x", "odd": value, "error": value, "exc_info": None})
