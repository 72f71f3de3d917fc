"""Failures in OpenTelemetry: on the span that they happened in, and as log records.

Names follow the semantic conventions for exceptions and errors; what they have no name for stands under
`errkit.`. `error.type` is a code of a registry and never anything else, since metrics are grouped by it.

Only the API of OpenTelemetry is used; without an SDK nothing happens. The tracer's own recording of
exceptions is not redacted: open spans with `OtelSink.span`, or with `record_exception=False`.
"""

from __future__ import annotations

import datetime
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from errkit.diagnostics import ErrorRecord
from errkit.own import ErrkitError
from errkit.registry import REGISTRY
from errkit.safe import redact
from errkit.sinks.base import Trouble
from errkit.sinks.form import plain, severity
from errkit.verdicts import is_cancellation

try:
    from opentelemetry import trace

    # The underscore says that the API may change, not that it is private; tests/sinks/test_otel.py notices.
    from opentelemetry._logs import SeverityNumber, get_logger
except ImportError as missing:
    raise ErrkitError.MISSING_EXTRA(
        f"records in OpenTelemetry need its API: pip install 'errkit[otel]' ({missing})",
        extra="otel",
        module="opentelemetry",
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry._logs import LoggerProvider

    from errkit.registry import Registry

__all__ = ["OtelSink"]

UNREGISTERED: Final = "_OTHER"
"""What the conventions call an error that is none of those expected."""
_SCOPE: Final = "errkit"
_SEVERITY: Final = {
    "info": SeverityNumber.INFO,
    "warning": SeverityNumber.WARN,
    "error": SeverityNumber.ERROR,
}
_OWN: Final = (
    "code",
    "number",
    "kind",
    "hint",
    "retryable",
    "alert",
    "fingerprint",
    "diagnostic_id",
    "log_path",
)


class OtelSink:
    """Sends each record to the current span and to the log of OpenTelemetry.

    Parameters
    ----------
    registry
        Whose codes may stand in `error.type`; the default registry if not given.
    tracer_provider, logger_provider
        Where spans and log records go; the global ones if not given.
    """

    def __init__(
        self,
        *,
        registry: Registry | None = None,
        tracer_provider: trace.TracerProvider | None = None,
        logger_provider: LoggerProvider | None = None,
    ) -> None:
        self._registry = REGISTRY if registry is None else registry
        self._tracer = trace.get_tracer(_SCOPE, tracer_provider=tracer_provider)
        self._logger = get_logger(_SCOPE, logger_provider=logger_provider)
        self._trouble = Trouble("OpenTelemetry")

    def write(self, record: ErrorRecord) -> None:
        """Record one failure. Never raises."""
        try:
            found = plain(record)
            self._mark(trace.get_current_span(), record, found)
            self._log(record, found)
            self._trouble.ends()
        except Exception as error:
            self._trouble.begins(error, "records are lost")

    def close(self) -> None:
        """Nothing waits here; the providers belong to the program, which shuts them down."""

    @contextmanager
    def span(self, name: str, **attributes: str | bool | float) -> Iterator[trace.Span]:
        """A span around a block, on which a failure of the block is recorded, redacted, before it passes on.

        Cancellation passes unrecorded.

        Parameters
        ----------
        name
            The name of the span.
        attributes
            Attributes of the span.
        """
        with self._tracer.start_as_current_span(
            redact(name), attributes=redact(attributes), record_exception=False, set_status_on_exception=False
        ) as opened:
            try:
                yield opened
            except BaseException as error:
                if not is_cancellation(error):
                    self.write(ErrorRecord.of(error))
                raise

    def _mark(self, span: trace.Span, record: ErrorRecord, found: dict[str, Any]) -> None:
        if not span.is_recording():
            return
        error_type = self._error_type(found["code"])
        span.set_attribute("error.type", error_type)
        if severity(record) != "info":
            span.set_status(trace.Status(trace.StatusCode.ERROR, found["message"]))
        span.add_event("exception", {**_attributes(found), "error.type": error_type})

    def _log(self, record: ErrorRecord, found: dict[str, Any]) -> None:
        loudness = severity(record)
        self._logger.emit(
            timestamp=_nanoseconds(found["at"]),
            severity_number=_SEVERITY[loudness],
            severity_text=loudness.upper(),
            body=found["message"],
            attributes={
                **_attributes(found),
                "error.type": self._error_type(found["code"]),
                "errkit.payload": json.dumps(found["payload"], ensure_ascii=False),
            },
            event_name="exception",
        )

    def _error_type(self, code: str) -> str:
        """The code of a registry, also where its alias was given; nothing that a peer made up."""
        spec = self._registry.get(code)
        return UNREGISTERED if spec is None else spec.code


def _attributes(found: dict[str, Any]) -> dict[str, Any]:
    shown = {
        "exception.type": found["payload"].get("name") or found["code"],
        "exception.message": found["message"],
        "errkit.record_id": found["id"],
        **{f"errkit.{name}": found[name] for name in _OWN},
    }
    return {name: value for name, value in shown.items() if value not in (None, "")}


def _nanoseconds(at: str) -> int:
    moment = datetime.datetime.fromisoformat(at)
    return int(moment.timestamp() * 1_000) * 1_000_000
