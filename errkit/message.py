"""Any error as text for people: at a terminal, in a log line, in a `repr`. Total, redacted and bounded."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from errkit.errors import bare, public_details
from errkit.fields import class_name
from errkit.payload import to_payload
from errkit.safe import Bounds, Pass, safe_repr

if TYPE_CHECKING:
    from errkit.errors import CodedError

__all__ = ["describe", "format_error", "format_payload"]


def format_error(error: object, *, verbose: bool = False) -> str:
    """`[code] message`, and the hint on a line of its own. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    verbose
        Also the number, the details, the causes, the notes and where the diagnostic record is.
    """
    return format_payload(to_payload(error), verbose=verbose)


def format_payload(payload: dict[str, Any], *, verbose: bool = False) -> str:
    """The text of `format_error` from a payload that `to_payload` made."""
    lines = [f"[{payload['code']}] {payload['message']}"]
    if payload.get("hint"):
        lines.append(f"Hint: {payload['hint']}")
    if verbose:
        lines += _more(payload)
    return "\n".join(lines)


def _more(payload: dict[str, Any]) -> list[str]:
    lines = [f"{label}: {payload[key]}" for key, label in _LABELS.items() if key in payload]
    lines.append(f"Retry: {_verdict(payload)}")
    details = payload.get("details", {})
    if not isinstance(details, dict):  # of a sender with another idea of details
        details = {"details": details}
    lines += [f"  {name}: {_shown(value)}" for name, value in details.items()]
    lines += [f"Note: {note}" for note in payload.get("notes", ())]
    for label, key in (("In the group", "group"), ("While cleaning up", "secondary")):
        for member in payload.get(key, ()):
            lines.append(f"{label}: {_line(member)}")
    cause = payload.get("cause")
    while cause is not None:
        lines.append(f"Caused by: {_line(cause)}")
        cause = cause.get("cause")
    if "elided" in payload:
        counts = ", ".join(f"{count} {what}" for what, count in payload["elided"].items() if count)
        lines.append(f"Left out: {counts}")
    return lines


_IN_SHORT: Final = Bounds(text=1_024, depth=4, items=20, nodes=100, chars=4_096)
_inside: Final[ContextVar[bool]] = ContextVar("inside the repr of a coded error", default=False)

_LABELS = {
    "number": "Number",
    "docs": "See",
    "supported_on": "Supported on",
    "diagnostic_id": "Diagnostic id",
    "log_path": "Log",
}


def _verdict(payload: dict[str, Any]) -> str:
    """Whether the same call is worth another try, in words."""
    if not payload["retryable"]:
        return "no"
    if payload.get("retries_spent"):
        return "no, retries are spent"
    return f"yes, after {payload['retry_after']:g} s" if payload.get("retry_after") is not None else "yes"


def _line(payload: dict[str, Any]) -> str:
    name = f"{payload['name']}: " if payload.get("name") and payload["code"] == "internal" else ""
    return f"[{payload['code']}] {name}{payload['message']}"


def _shown(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def describe(error: CodedError) -> str:
    """The `repr` of a coded error: its class, code, message and details, redacted. Never raises.

    Each starts a pass of its own, and a foreign container asks every error in it, so a `repr` is short; one
    that is asked for while the details of another are shown goes without details.
    """
    try:
        walk, view = Pass(_IN_SHORT), bare(error)
        shown = f"{walk.text(view.code)!r}, {walk.text(view.message)!r}"
        if not _inside.get():
            token = _inside.set(True)
            try:
                details = walk.value(public_details(view))
            finally:
                _inside.reset(token)
            shown += "".join(f", {name}={safe_repr(value)}" for name, value in details.items())
        return f"{class_name(error)}({shown})"
    except Exception:
        return f"<{class_name(error)}>"
