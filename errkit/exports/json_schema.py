"""JSON Schema 2020-12 of the native payload: https://json-schema.org/draft/2020-12.

The schema takes what a reader of payloads takes: unknown keys and unknown codes are fine. A payload with one
of the codes must keep what that code declares: its number, its kind, its details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file import json_text
from errkit.codes import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.exports.fields import Schema
    from errkit.exports.view import CodeView, View

__all__ = ["PAYLOAD", "about", "by_code", "details_of", "with_details", "write"]

_TEXT: Final = {"type": "string"}
_PAYLOAD_REF: Final = {"$ref": "#/$defs/any-error"}
_PAYLOADS: Final = {"type": "array", "items": _PAYLOAD_REF}

PAYLOAD: Final[Mapping[str, Schema]] = {
    "v": {"type": "integer", "minimum": 1, "description": "The version of the form."},
    "code": {**_TEXT, "minLength": 1},
    "message": _TEXT,
    "retryable": {"type": "boolean", "description": "Whether the same call may succeed later."},
    "number": {"type": "integer"},
    "name": {**_TEXT, "description": "The exception class, for people."},
    "kind": {"enum": list(KINDS)},
    "alert": {"type": "boolean", "description": "Whether the failure is worth an alarm."},
    "retry_after": {"type": "number", "minimum": 0, "description": "Seconds to wait before another try."},
    "retries_spent": {"type": "boolean", "description": "Whether somebody has retried already."},
    "hint": {**_TEXT, "description": "What to do next."},
    "docs": {**_TEXT, "description": "The address of the page that explains the code."},
    "details": {"type": "object"},
    "supported_on": {**_TEXT, "description": "Where the operation would work."},
    "diagnostic_id": {**_TEXT, "description": "Names the diagnostic record of this failure."},
    "log_path": {**_TEXT, "description": "The file that holds that record."},
    "notes": {"type": "array", "items": _TEXT},
    "cause": _PAYLOAD_REF,
    "group": {**_PAYLOADS, "description": "The members of an exception group."},
    "secondary": {**_PAYLOADS, "description": "Failures of cleanup that happened beside this one."},
    "elided": {
        "type": "object",
        "properties": {name: {"type": "integer", "minimum": 0} for name in ("causes", "items", "chars")},
        "description": "How much was left out.",
    },
}
"""The keys of a payload, as docs/reference/payload.md lists them."""


def write(view: View) -> str:
    """The schema of a payload with any of the codes, or with one that is not known here."""
    codes = view.codes
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": view.origin,
        "title": f"Errors of {view.name}",
        "$ref": "#/$defs/any-error",
        "$defs": {
            # No code holds a hyphen, so these names are free.
            "any-error": {
                "description": "An error. One with a code that is listed here keeps what the code declares.",
                "type": "object",
                "required": ["code", "message"],
                "properties": dict(PAYLOAD),
                **by_code(codes, lambda code: f"#/$defs/{code.code}"),
            },
            **({"any-code": {"enum": [code.code for code in codes]}} if codes else {}),
            **{code.code: {**about(code), **_of_code(code)} for code in codes},
        },
    }
    return json_text(schema)


def by_code(codes: list[CodeView], address: Callable[[CodeView], str]) -> Schema:
    """For each code: what has it keeps its schema."""
    rules = [
        {
            "if": {"properties": {"code": {"const": code.code}}, "required": ["code"]},
            "then": {"$ref": address(code)},
        }
        for code in codes
    ]
    return {"allOf": rules} if rules else {}


def about(code: CodeView) -> Schema:
    """What a schema says of a code for people."""
    found: Schema = {"title": code.title}
    lines = [line for line in (code.hint, code.farewell and f"Deprecated: {code.farewell}") if line]
    if lines:
        found["description"] = "\n".join(lines)
    if code.deprecated or code.replaced_by:
        found["deprecated"] = True
    return found


def _of_code(code: CodeView) -> Schema:
    properties: dict[str, Any] = {"code": {"const": code.code}}
    if code.number is not None:
        properties["number"] = {"const": code.number}
    properties["kind"] = {"const": code.kind}
    properties["alert"] = {"const": code.alert}
    return {"type": "object", **with_details(code, properties)}


def with_details(code: CodeView, properties: dict[str, Any]) -> Schema:
    """Properties and the details of a code, which have to be there if one of their fields has to."""
    if code.fields:
        properties["details"] = details_of(code)
    required = ["details"] if any(field.required for field in code.fields) else []
    return {"properties": properties, "required": ["code", *required]}


def details_of(code: CodeView) -> Schema:
    """The schema of the details of a code."""
    properties = {
        field.name: {**field.schema, **({"description": field.text} if field.text else {})}
        for field in code.fields
    }
    required = [field.name for field in code.fields if field.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}
