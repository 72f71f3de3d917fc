"""TypeScript: a union of all codes, constants, the details of each code, and guards that narrow a payload.

The file needs no library and compiles with `tsc --strict`. All texts stand in JSON literals or in comments,
where nothing ends the comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file import json_line
from errkit.exports.names import Names, pascal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errkit.exports.fields import Schema
    from errkit.exports.view import CodeView, DomainView, View

__all__ = ["type_text", "write"]

_FIXED: Final = (
    *("ErrorByCode", "ErrorCode", "ErrorFacts", "ErrorPayload", "KnownError"),
    *("NoDetails", "errorFacts", "hasCode", "isErrorCode", "isErrorPayload"),
)
_SIMPLE: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "array": "readonly unknown[]",
    "object": "{ readonly [key: string]: unknown }",
}


def write(view: View) -> str:
    """The module."""
    names = Names(_FIXED)
    codes = view.codes
    details = {code.code: names.free(f"{pascal(code.code)}Details") for code in codes if code.fields}
    parts = [
        f"// {view.origin}",
        _union("ErrorCode", (json_line(code.code) for code in codes), "Every code."),
        *(_constants(domain, names) for domain in view.domains),
        *(_details(code, details[code.code]) for code in codes if code.fields),
        _PAYLOAD,
        _by_code(codes, details),
        _facts(codes),
        _GUARDS,
    ]
    return "\n\n".join(parts) + "\n"


def _union(name: str, members: Iterable[str], about: str) -> str:
    shown = "".join(f"\n  | {member}" for member in members) or " never"
    return f"{_comment([about])}export type {name} ={shown};"


def _constants(domain: DomainView, names: Names) -> str:
    lines = [
        f"{_comment(code.lines, code.farewell, '  ')}  {_key(code.const)}: {json_line(code.code)},\n"
        for code in domain.codes
    ]
    name = names.free(f"{pascal(domain.domain)}Codes")
    return f"{_comment([domain.title])}export const {name} = {{\n{''.join(lines)}}} as const;"


def _details(code: CodeView, name: str) -> str:
    fields = [
        f"{_comment([field.text] if field.text else [], indent='  ')}"
        f"  readonly {_key(field.name)}{'' if field.required else '?'}: {type_text(field.schema)};\n"
        for field in code.fields
    ]
    return f"{_comment([f'The details of {code.code}.'])}export interface {name} {{\n{''.join(fields)}}}"


def _by_code(codes: list[CodeView], details: dict[str, str]) -> str:
    lines = []
    for code in codes:
        payload = f"ErrorPayload<{json_line(code.code)}>"
        if code.fields:
            mark = "" if any(field.required for field in code.fields) else "?"
            payload += f" & {{ readonly details{mark}: {details[code.code]} }}"
        lines.append(f"  {_key(code.code, in_type=True)}: {payload};\n")
    head = f"{_comment(['The payload of each code.'])}export interface ErrorByCode {{\n{''.join(lines)}}}"
    about = _comment(["A payload with one of the codes: `code` tells which, and so what its details are."])
    return f"{head}\n\n{about}export type KnownError = ErrorByCode[ErrorCode];"


def _facts(codes: list[CodeView]) -> str:
    lines = [f"  {_key(code.code)}: {json_line(_facts_of(code))},\n" for code in codes]
    return (
        f"{_FACTS}\n\n{_comment(['The facts of each code.'])}"
        f"export const errorFacts: {{ readonly [C in ErrorCode]: ErrorFacts }} = {{\n{''.join(lines)}}};"
    )


def _facts_of(code: CodeView) -> dict[str, Any]:
    facts: dict[str, Any] = {"title": code.title, "kind": code.kind, "retryable": code.retryable}
    facts |= {"alert": code.alert, "public": code.public}
    said = {"number": code.number, "hint": code.hint or None, "httpStatus": code.http_status}
    facts |= {name: value for name, value in said.items() if value is not None}
    return {**facts, "requiredDetails": [field.name for field in code.fields if field.required]}


def type_text(schema: Schema) -> str:
    """The TypeScript type of what a schema describes."""
    if "const" in schema:
        return json_line(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json_line, schema["enum"])) or "never"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(type_text, schema["anyOf"])))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(dict.fromkeys(_SIMPLE[kind] for kind in kinds))
    if "prefixItems" in schema:
        return f"readonly [{', '.join(map(type_text, schema['prefixItems']))}]"
    if "items" in schema:
        return f"readonly ({type_text(schema['items'])})[]"
    if "additionalProperties" in schema:
        return f"{{ readonly [key: string]: {type_text(schema['additionalProperties'])} }}"
    if "properties" in schema:
        required = schema.get("required", ())
        shown = (
            f"readonly {_key(name, in_type=True)}{'' if name in required else '?'}: {type_text(each)}"
            for name, each in schema["properties"].items()
        )
        return f"{{ {'; '.join(shown)} }}"
    return "unknown" if kinds is None else _SIMPLE[kinds]


def _key(name: str, *, in_type: bool = False) -> str:
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        return name
    # In an object literal, "__proto__" would set the prototype.
    return f"[{json_line(name)}]" if name == "__proto__" and not in_type else json_line(name)


def _comment(lines: list[str], farewell: str = "", indent: str = "") -> str:
    """A JSDoc comment; no text of a catalogue ends it or makes a tag of its own."""
    said = [re.sub(r"^@", r"\\@", line.replace("*/", "*\\/")) for line in lines]
    said += [f"@deprecated {farewell.replace('*/', '*' + chr(92) + '/')}"] if farewell else []
    if not said:
        return ""
    if len(said) == 1:
        return f"{indent}/** {said[0]} */\n"
    body = "".join(f"{indent} * {line}\n" for line in said)
    return f"{indent}/**\n{body}{indent} */\n"


_PAYLOAD: Final = """\
/** An error as it travels; keys that are absent are not known. */
export interface ErrorPayload<C extends string = string> {
  readonly v?: number;
  readonly code: C;
  readonly message: string;
  readonly retryable?: boolean;
  readonly number?: number;
  readonly name?: string;
  readonly kind?: "terminal" | "transient" | "outcome" | "cancelled" | "bug";
  readonly alert?: boolean;
  /** Seconds to wait before another try. */
  readonly retry_after?: number;
  readonly retries_spent?: boolean;
  readonly hint?: string;
  readonly docs?: string;
  readonly details?: object;
  readonly supported_on?: string;
  readonly diagnostic_id?: string;
  readonly log_path?: string;
  readonly notes?: readonly string[];
  readonly cause?: ErrorPayload;
  readonly group?: readonly ErrorPayload[];
  readonly secondary?: readonly ErrorPayload[];
  readonly elided?: { readonly causes: number; readonly items: number; readonly chars: number };
}"""

_FACTS: Final = """\
/** What is known of a code before anything fails. */
export interface ErrorFacts {
  readonly title: string;
  readonly kind: NonNullable<ErrorPayload["kind"]>;
  readonly retryable: boolean;
  readonly alert: boolean;
  readonly public: boolean;
  readonly number?: number;
  readonly hint?: string;
  readonly httpStatus?: number;
  /** The details that every payload with this code has. */
  readonly requiredDetails: readonly string[];
}"""

_GUARDS: Final = """\
/** Whether a value is one of the codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.prototype.hasOwnProperty.call(errorFacts, value);
}

/** Whether a value is an error payload, with a code that is known here or with another one. */
export function isErrorPayload(value: unknown): value is ErrorPayload {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { v, code, message } = value as { v?: unknown; code?: unknown; message?: unknown };
  const versioned = v === undefined || (typeof v === "number" && Number.isInteger(v) && v >= 1);
  return versioned && typeof code === "string" && typeof message === "string";
}

/** Whether a value is a payload with this code, and has the details that the code asks for. */
export function hasCode<C extends ErrorCode>(value: unknown, code: C): value is ErrorByCode[C] {
  if (!isErrorPayload(value) || value.code !== code) {
    return false;
  }
  const details = value.details ?? {};
  return errorFacts[code].requiredDetails.every((name) =>
    Object.prototype.hasOwnProperty.call(details, name),
  );
}"""
