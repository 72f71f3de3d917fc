"""OpenAPI 3.1 components: problem details (RFC 9457) with the members that `errkit.dialects.problem` writes.

https://spec.openapis.org/oas/v3.1.1. An operation refers to `#/components/responses/problem-404`. A response
lists the codes that have its status by themselves. It takes any other problem as well, since a program may
always fail with a code that is not public, and a failure may be worth another try against what its code says.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file import json_text
from errkit.dialects.problem import MEDIA_TYPE
from errkit.dialects.statuses import RETRYABLE_STATUSES, http_status, phrase
from errkit.exports.json_schema import PAYLOAD, about, by_code, with_details

if TYPE_CHECKING:
    from errkit.exports.fields import Schema
    from errkit.exports.view import CodeView, View

__all__ = ["write"]

_SCHEMAS: Final = "#/components/schemas/"
_MEMBERS: Final[Schema] = {
    "type": {"type": "string", "description": "Identifies the kind of problem: the page of the code."},
    "title": {"type": "string"},
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": {"type": "string", "description": "The message."},
    "instance": {"type": "string"},
}


def write(view: View) -> str:
    """An OpenAPI document without paths: other documents refer to its components."""
    codes = view.codes
    return json_text(
        {
            "openapi": "3.1.1",
            "info": {"title": f"Errors of {view.name}", "version": "1", "description": view.origin},
            "paths": {},
            "components": {
                "schemas": {**_general(codes), **{code.code: _of_code(code) for code in codes}},
                "headers": {"Retry-After": _RETRY_AFTER},
                "responses": dict(_response(status, found) for status, found in _by_status(codes)),
            },
        }
    )


_RETRY_AFTER: Final[Schema] = {
    "description": "Seconds to wait before another try.",
    "schema": {"type": "integer", "minimum": 0},
}


def _general(codes: list[CodeView]) -> dict[str, Schema]:
    """The schemas of a problem and of a payload, which a cause is; a problem keeps what its code declares."""
    payload = {name: _moved(schema) for name, schema in PAYLOAD.items()}
    members = {**_MEMBERS, **{name: each for name, each in payload.items() if name not in ("v", "message")}}
    return {
        # No code holds a hyphen, so these names are free.
        "problem-members": {
            "description": "The members of every problem.",
            "type": "object",
            "required": ["type", "status", "detail", "code"],
            "properties": members,
        },
        "any-problem": {
            "description": "A problem. One with a code that is listed here keeps what the code declares.",
            "$ref": f"{_SCHEMAS}problem-members",
            **by_code(codes, lambda code: f"{_SCHEMAS}{code.code}"),
        },
        "any-error": {
            "description": "An error inside a problem, such as its cause.",
            "type": "object",
            "required": ["code", "message"],
            "properties": payload,
        },
    }


def _moved(schema: Any) -> Any:
    """A schema of a payload whose references lead to the components."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/$defs/", _SCHEMAS) if key == "$ref" else _moved(value)
            for key, value in schema.items()
        }
    return schema


def _of_code(code: CodeView) -> Schema:
    properties: dict[str, Any] = {"code": {"const": code.code}}
    if code.http_status is not None:
        properties["status"] = {"const": code.http_status}
    if code.number is not None:
        properties["number"] = {"const": code.number}
    properties["kind"] = {"const": code.kind}
    properties["alert"] = {"const": code.alert}
    return {**about(code), "$ref": f"{_SCHEMAS}problem-members", **with_details(code, properties)}


def _by_status(codes: list[CodeView]) -> list[tuple[int, list[CodeView]]]:
    def status(code: CodeView) -> int:
        return http_status(code.spec, {"retryable": code.retryable, "kind": code.kind})

    found = groupby(sorted(codes, key=status), status)
    return [(number, list(members)) for number, members in found if number >= 400]


def _response(status: int, codes: list[CodeView]) -> tuple[str, Schema]:
    choices = [f"{_SCHEMAS}{code.code}" for code in codes]
    schema: Schema = {
        "anyOf": [{"$ref": choice} for choice in (*choices, f"{_SCHEMAS}any-problem")],
        "discriminator": {
            "propertyName": "code",
            "mapping": {code.code: choice for code, choice in zip(codes, choices, strict=True)},
        },
    }
    response: Schema = {"description": phrase(status) or f"HTTP status {status}"}
    if status in RETRYABLE_STATUSES:
        response["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    response["content"] = {MEDIA_TYPE: {"schema": schema}}
    return f"problem-{status}", response
