"""What happened, as HTML and as text: one failure from its payload, and recorded failures in a table.

A failure is shown from the payload that `to_payload` made of it, so it is redacted and bounded before
anything here sees it; a payload that came from elsewhere goes through the same pass first.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from errkit.codes import text_of
from errkit.explaining import KIND_MEANINGS, clean
from errkit.jupyter.markup import Html, element, fold_away, link, more, phrase, table
from errkit.jupyter.tables import count, flag, text_table
from errkit.message import format_payload
from errkit.safe import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errkit.diagnostics import ErrorRecord

__all__ = ["failure_html", "failure_text", "payload_from", "records_html", "records_text"]

_MAX_ITEMS: Final = 20
"""Details, causes, members of a group, notes: so many of each are shown."""
_MAX_RECORDS: Final = 50


def payload_from(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """A payload from elsewhere, redacted and bounded; None for a mapping that is none."""
    known = to_json(found)
    if not (isinstance(known, dict) and isinstance(known.get("code"), str)):
        return None
    return known if isinstance(known.get("message"), str) else None


# --- one failure --------------------------------------------------------------------------------------------


def failure_html(payload: dict[str, Any], depth: int = 0) -> Html:
    """The card of a failure: what happened and what to do first; details, causes and the rest folded."""
    kind = payload.get("kind")
    marked = f" errkit-kind-{kind}" if isinstance(kind, str) and kind in KIND_MEANINGS else ""
    return element("div", *_parts(payload, depth), class_=f"errkit-card{marked}")


def _parts(payload: dict[str, Any], depth: int) -> Iterator[Html]:
    number, name, hint, docs = (payload.get(key) for key in ("number", "name", "hint", "docs"))
    yield element(
        "p",
        element("code", _text(payload.get("code")), kind="code"),
        *([f" {number}"] if number is not None else []),
        *([f" ({name})"] if name else []),
    )
    yield element("p", element("strong", _text(payload.get("message"))), kind="title")
    if hint:
        yield element("p", element("strong", "What to do: "), phrase(_text(hint)), kind="hint")
    yield element("ul", *(element("li", fact) for fact in _facts(payload)), kind="facts")
    if docs:
        yield element("p", link(_text(docs), f"Read more about {_text(payload.get('code'))}"))
    yield from _details(payload.get("details"))
    yield from _notes(payload.get("notes"))
    if depth >= _MAX_ITEMS:
        yield element("p", "More causes are left out", kind="more")
        return
    for key, label in (("group", "In the group"), ("secondary", "While cleaning up")):
        yield from _members(payload.get(key), label, depth)
    cause = payload.get("cause")
    if isinstance(cause, dict):
        yield fold_away(_headline("Caused by", cause), failure_html(cause, depth + 1), is_open=depth == 0)
    elided = payload.get("elided")
    if isinstance(elided, dict):
        left = ", ".join(f"{number} {what}" for what, number in elided.items() if number)
        yield element("p", f"Left out: {left}", kind="more")


def _text(value: object) -> str:
    return value if isinstance(value, str) else text_of(value)


def _facts(payload: dict[str, Any]) -> Iterator[str]:
    kind = payload.get("kind")
    if isinstance(kind, str):
        yield f"Kind: {kind} ({KIND_MEANINGS[kind]})" if kind in KIND_MEANINGS else f"Kind: {kind}"
    if "retryable" in payload:
        yield f"Retry: {_retry(payload)}"
    if "alert" in payload:
        yield f"Alert: {flag(payload['alert'])}"
    for key, label in (
        ("supported_on", "Supported on"),
        ("diagnostic_id", "Diagnostic id"),
        ("log_path", "Log"),
    ):
        if payload.get(key):
            yield f"{label}: {_text(payload[key])}"


def _retry(payload: dict[str, Any]) -> str:
    if not payload["retryable"]:
        return "no"
    if payload.get("retries_spent"):
        return "no, retries are spent"
    wait = payload.get("retry_after")
    return f"yes, after {wait:g} s" if isinstance(wait, (int, float)) else "yes"


def _details(details: object) -> Iterator[Html]:
    if not details:
        return
    found = details if isinstance(details, dict) else {"details": details}
    rows = [(element("code", name), _value(value)) for name, value in list(found.items())[:_MAX_ITEMS]]
    yield fold_away(
        f"Details: {', '.join(list(found)[:8])}",
        table(("Field", "Value"), rows),
        *more(len(found) - _MAX_ITEMS, "detail"),
        is_open=len(found) <= 3,
    )


def _value(value: object) -> Html:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return element("pre", shown) if "\n" in shown else element("code", shown)


def _notes(notes: object) -> Iterator[Html]:
    if isinstance(notes, list) and notes:
        yield element("ul", *(element("li", f"Note: {_text(note)}") for note in notes[:_MAX_ITEMS]))
        yield from more(len(notes) - _MAX_ITEMS, "note")


def _members(members: object, label: str, depth: int) -> Iterator[Html]:
    if not isinstance(members, list):
        return
    shown = [member for member in members if isinstance(member, dict)]
    if shown:
        cards = [fold_away(_headline("", one), failure_html(one, depth + 1)) for one in shown[:_MAX_ITEMS]]
        left = more(len(shown) - _MAX_ITEMS, "failure")
        yield fold_away(f"{label}: {count(len(shown), 'failure')}", *cards, *left, is_open=depth == 0)


def _headline(label: str, payload: dict[str, Any]) -> Html:
    said = f" {_text(payload.get('message'))[:200]}"
    return element(
        "span", f"{label} " if label else "", element("code", _text(payload.get("code")), kind="code"), said
    )


def failure_text(payload: dict[str, Any]) -> str:
    """A failure as text, with all that is known."""
    return clean(format_payload({"retryable": False, **payload}, verbose=True), lines=True)


# --- records ------------------------------------------------------------------------------------------------

_COLUMNS: Final = ("At", "Code", "Message", "Kind", "Retry", "Alert")


def records_html(records: Sequence[ErrorRecord]) -> Html:
    """Recorded failures as a table, the latest first."""
    shown = [_record_row(record) for record in records[:_MAX_RECORDS]]
    rows = [(row[0], element("code", row[1]), *row[2:]) for row in shown]
    return element(
        "div",
        element("p", element("strong", _about(records))),
        *([table(_COLUMNS, rows)] if rows else []),
        *more(len(records) - _MAX_RECORDS, "record"),
    )


def records_text(records: Sequence[ErrorRecord]) -> str:
    """Recorded failures as lines."""
    lines = [_about(records)]
    if records:
        lines += text_table(_COLUMNS, map(_record_row, records[:_MAX_RECORDS]))
    if len(records) > _MAX_RECORDS:
        lines.append(f"... {count(len(records) - _MAX_RECORDS, 'more record')}")
    return "\n".join(lines)


def _about(records: Sequence[ErrorRecord]) -> str:
    if not records:
        return "0 records"
    codes = len({record.code for record in records})
    return f"{count(len(records), 'record')} of {count(codes, 'code')}"


def _record_row(record: ErrorRecord) -> list[str]:
    return [
        record.at[:19].replace("T", " "),
        record.code,
        record.message[:300],
        record.kind or "",
        flag(record.retryable),
        flag(record.alert),
    ]
