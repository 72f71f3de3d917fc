"""Failures in OpenTelemetry, against its SDK: the span, the event, the log record."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from errkit import CoreError, to_payload
from errkit.sinks import OtelSink
from errkit.sinks.otel import UNREGISTERED
from tests.hostile import _SAMPLES
from tests.sinks.failures import REG, ShopError, failed, record


class Telemetry:
    """A sink, and what it sent."""

    def __init__(self) -> None:
        self.span_exporter = InMemorySpanExporter()
        self.log_exporter = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
        tracers, loggers = TracerProvider(), LoggerProvider()
        tracers.add_span_processor(SimpleSpanProcessor(self.span_exporter))
        loggers.add_log_record_processor(SimpleLogRecordProcessor(self.log_exporter))
        self.sink = OtelSink(registry=REG, tracer_provider=tracers, logger_provider=loggers)

    @property
    def span(self) -> Any:
        """The one span that ended."""
        (found,) = self.span_exporter.get_finished_spans()
        return found

    @property
    def logs(self) -> list[Any]:
        return [found.log_record for found in self.log_exporter.get_finished_logs()]


@pytest.fixture
def telemetry() -> Telemetry:
    return Telemetry()


def fail_in_span(telemetry: Telemetry, error: BaseException) -> None:
    """Let an error pass through a span of the sink."""
    with pytest.raises(type(error)) as caught, telemetry.sink.span("checkout", cart="c1"):
        raise error
    assert caught.value is error


def test_a_failure_stands_on_its_span(telemetry: Telemetry) -> None:
    """Status, error.type, and one exception event with what the code says."""
    fail_in_span(telemetry, ShopError.EMPTY("no item"))
    span = telemetry.span
    assert (span.name, span.attributes) == ("checkout", {"cart": "c1", "error.type": "shop.empty"})
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "no item")
    (event,) = span.events
    assert event.name == "exception"
    found = dict(event.attributes)
    assert found.pop("errkit.record_id")
    assert found.pop("errkit.fingerprint")
    assert found == {
        "exception.type": "ShopError",
        "exception.message": "no item",
        "error.type": "shop.empty",
        "errkit.code": "shop.empty",
        "errkit.number": 1001,
        "errkit.kind": "terminal",
        "errkit.hint": "Add an item first.",
        "errkit.retryable": False,
        "errkit.alert": True,
    }


def test_a_failure_is_a_log_record_within_its_trace(telemetry: Telemetry) -> None:
    """With the payload, and the ids of the span that it happened in."""
    error = ShopError.EMPTY("no item")
    fail_in_span(telemetry, error)
    (log,) = telemetry.logs
    assert (log.body, log.event_name, log.severity_text) == ("no item", "exception", "ERROR")
    assert log.severity_number.value == 17
    assert log.attributes["error.type"] == "shop.empty"
    assert json.loads(log.attributes["errkit.payload"]) == to_payload(error)
    context = telemetry.span.context
    assert (log.trace_id, log.span_id) == (context.trace_id, context.span_id)


def test_a_record_that_is_written_later_keeps_its_time(telemetry: Telemetry) -> None:
    """Without a span there is a log record all the same."""
    telemetry.sink.write(record(at="2031-05-01T10:00:00.123+00:00"))
    (log,) = telemetry.logs
    assert log.timestamp == 1_935_396_000_123_000_000
    assert telemetry.span_exporter.get_finished_spans() == ()


def test_error_type_has_few_values(telemetry: Telemetry) -> None:
    """Codes of the registry stand there, all others as `_OTHER`; the code itself is never lost."""
    other = CoreError("made.up.by.a.peer", "x")
    for error in (ShopError.BUSY("x"), other, ValueError("x")):
        telemetry.sink.write(record(error=error))
    types = [(log.attributes["error.type"], log.attributes["errkit.code"]) for log in telemetry.logs]
    assert types == [
        ("shop.busy", "shop.busy"),
        (UNREGISTERED, "made.up.by.a.peer"),
        (UNREGISTERED, "internal"),
    ]
    assert UNREGISTERED == "_OTHER"


def test_foreign_failures_are_internal_to_the_default_registry() -> None:
    """Without a registry of its own, a program has at least errkit's codes."""
    telemetry = Telemetry()
    telemetry.sink._registry = OtelSink()._registry
    fail_in_span(telemetry, ValueError("boom"))
    assert telemetry.span.attributes["error.type"] == "internal"
    assert telemetry.span.events[0].attributes["exception.type"] == "ValueError"


def test_what_is_no_alarm_is_no_error(telemetry: Telemetry) -> None:
    """A cancelled failure leaves the status of the span alone; severities follow the code."""
    fail_in_span(telemetry, ShopError.STOPPED())
    assert telemetry.span.status.status_code is StatusCode.UNSET
    telemetry.sink.write(record(error=ShopError.BUSY()))
    assert [log.severity_text for log in telemetry.logs] == ["INFO", "WARNING"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), asyncio.CancelledError(), SystemExit(0)])
def test_cancellation_passes_unrecorded(telemetry: Telemetry, stop: BaseException) -> None:
    """The span ends without a mark."""
    fail_in_span(telemetry, stop)
    assert (telemetry.span.events, telemetry.logs) == ((), [])
    assert telemetry.span.status.status_code is StatusCode.UNSET


def test_no_secret_reaches_a_span_or_a_log(telemetry: Telemetry) -> None:
    """The tracer itself would have recorded the message and the traceback as they are."""
    error = failed("https://ann:planted-1@shop.example", password="planted-2")
    error.__cause__ = RuntimeError("Bearer planted-secret-3")
    with (
        pytest.raises(type(error)),
        telemetry.sink.span("checkout", at="https://ann:planted-0@h", token="planted-4"),
    ):
        raise error
    sent = telemetry.span.to_json() + "".join(str(vars(log)) for log in telemetry.logs)
    assert "[REDACTED]" in sent
    assert "planted" not in sent


def test_any_failure_can_be_sent(telemetry: Telemetry) -> None:
    """Attributes are texts, numbers and booleans only, whatever the details hold."""
    for value in _SAMPLES:
        telemetry.sink.write(record(error=failed("x", odd=value)))
    assert len(telemetry.logs) == len(_SAMPLES)


def test_without_an_sdk_nothing_happens() -> None:
    """The API alone does nothing, and nothing fails."""
    sink = OtelSink()
    with pytest.raises(ShopError), sink.span("checkout"):
        raise ShopError.EMPTY("x")
    sink.close()


def test_without_the_api_the_extra_is_named() -> None:
    """Importing says what to install."""
    script = """
        import sys
        sys.modules["opentelemetry"] = None
        try:
            import errkit.sinks.otel
        except Exception as error:
            print(error.code, error.details["extra"])
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("errkit.missing_extra otel\n", "")
