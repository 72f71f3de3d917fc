"""The one form in which a record leaves: a flat dict of JSON values, redacted, sound and bounded.

A record that `ErrorRecord.of` made is all that already. It is made sure of once more, since a record can be
built by hand, and a secret can be registered (`redaction.add_literal`) while its record waits.
"""

from __future__ import annotations

import datetime
import json
from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.codes import KINDS, text_of
from errkit.diagnostics import ErrorRecord, now, whole_part
from errkit.safe import BOUNDS, Pass, redact, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["RECORD_FORMAT", "Severity", "line_of", "plain", "read_lines", "record_of", "severity"]

RECORD_FORMAT: Final = "errkit.record/1"
Severity = Literal["info", "warning", "error"]

_MAX_NAME: Final = 512
_MAX_TEXT: Final = 2 * BOUNDS.text
"""A text that was cut before carries a note of it, and must not be cut for that note."""
_MAX_PAYLOAD: Final = 8 * BOUNDS.chars
_INT64: Final = range(-(2**63), 2**63)


def plain(record: ErrorRecord) -> dict[str, Any]:
    """The fields of a record as JSON values."""
    return {
        "id": _text(record.id, _MAX_NAME),
        "at": _moment(record.at),
        "code": _text(record.code, _MAX_NAME),
        "message": _text(record.message),
        "fingerprint": _text(record.fingerprint, _MAX_NAME),
        "payload": _payload(record),
        "number": record.number if type(record.number) is int and record.number in _INT64 else None,
        "kind": record.kind if record.kind in KINDS else None,
        "hint": _text(record.hint),
        "retryable": record.retryable is True,
        "alert": record.alert is not False,
        "diagnostic_id": _text_or_none(record.diagnostic_id),
        "log_path": _text_or_none(record.log_path),
    }


def _text(value: object, limit: int = _MAX_TEXT) -> str:
    return Pass().text(text_of(value), limit)


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _moment(value: str) -> str:
    """A time as UTC with milliseconds; texts of this one shape sort by time."""
    try:
        read = datetime.datetime.fromisoformat(value)
        known = read if read.tzinfo else read.replace(tzinfo=datetime.UTC)
        return known.astimezone(datetime.UTC).isoformat(timespec="milliseconds")
    except Exception:
        return now()


def _payload(record: ErrorRecord) -> dict[str, Any]:
    payload = _sound(redact(record.payload))
    if isinstance(payload, dict):
        return payload
    return short_payload(text_of(record.code), _text(record.message), record.retryable is True)


def _sound(value: Any) -> Any:
    """`value` if it is JSON within bounds, else its bounded form."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if len(text.encode()) <= _MAX_PAYLOAD:
            return json.loads(text)
    except Exception:
        return to_json(value)
    return to_json(value)


def short_payload(code: str, message: str, retryable: bool) -> dict[str, Any]:
    """The least that is a payload."""
    return {"v": 1, "code": code, "message": message, "retryable": retryable}


def record_of(found: dict[str, Any]) -> ErrorRecord | None:
    """The record behind its plain form; None if it lacks what each record has. Unknown keys are ignored."""
    names, required = ErrorRecord.field_names()
    if not all(isinstance(found.get(name), dict if name == "payload" else str) for name in required):
        return None
    return ErrorRecord(**{name: value for name, value in found.items() if name in names})


def line_of(found: dict[str, Any]) -> bytes:
    """The plain form of a record as a line of NDJSON."""
    shown = {"format": RECORD_FORMAT, **found}
    return (json.dumps(shown, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "backslashreplace")


def read_lines(lines: bytes) -> Iterator[dict[str, Any]]:
    """The plain forms in NDJSON; lines that hold none, such as one that was cut off, are passed over."""
    for line in lines.decode("utf-8", "replace").split("\n"):
        try:
            found = json.loads(whole_part(line))
        except ValueError:
            continue
        if isinstance(found, dict) and text_of(found.pop("format", "")).startswith("errkit.record/"):
            yield found


def severity(record: ErrorRecord) -> Severity:
    """How loud a record is: what alerts is an error, normal flow and a cancellation are information."""
    if record.kind in ("outcome", "cancelled") and not record.alert:
        return "info"
    return "error" if record.alert else "warning"
