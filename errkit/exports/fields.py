"""The fields of details on the wire: each declared type as the JSON Schema of its form.

The only table from types to JSON forms; TypeScript and Python types are printed from these schemas. The forms
are those of `safe`. A schema says what a sender means to send: a value that was cut because it is too
long, and a number that JSON can't hold, arrive as text.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_args, get_origin

from errkit.codes import ReasonDetails
from errkit.explaining import clean
from errkit.fields import MISSING, PLACEHOLDER, Record, read_fields
from errkit.prose import field_prose
from errkit.safe import hides, redact, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.codes import ErrorSpec
    from errkit.fields import Field

__all__ = ["FieldView", "Schema", "fields_of", "schema_of"]

Schema = dict[str, Any]

HIDDEN: Final[Mapping[str, Any]] = {"const": PLACEHOLDER}
"""What is secret arrives as this."""
_MAX_DEPTH: Final = 8
"""Types that hold themselves are followed that deep."""


class FieldView(Record):
    """A field as it looks on the wire."""

    name: str
    schema: Schema
    required: bool
    text: str
    """What is written about it, in one line."""


def fields_of(spec: ErrorSpec) -> tuple[FieldView, ...]:
    """The fields of the details of a code, with the `reason` that its reasons bring."""
    declared = read_fields(spec.details) if spec.details is not None else ()
    texts = field_prose(spec.details) if spec.details is not None else {}
    found = [_field(field, texts.get(field.name, "")) for field in declared]
    if spec.reasons and (spec.details is ReasonDetails or "reason" not in {each.name for each in found}):
        found = [each for each in found if each.name != "reason"]
        schema = {"type": ["string", "null"]}
        found.append(FieldView(name="reason", schema=schema, required=False, text=_reasons(spec)))
    return tuple(found)


def _reasons(spec: ErrorSpec) -> str:
    told = (f"{name} ({reason.title})" for name, reason in spec.reasons.items())
    return _line(f"Which of these it was: {', '.join(told)}.")


def _field(field: Field, text: str) -> FieldView:
    schema = schema_of(field.type)
    if field.secret:
        # Absence is no secret.
        schema = _any_of([dict(HIDDEN), {"type": "null"}] if _takes_none(schema) else [dict(HIDDEN)])
    elif schema != {"type": "string"} and (hides(field.name, "x") or hides(field.name, 12)):
        # Its name hides most values, and leaves what says that there is none.
        schema = _any_of([dict(HIDDEN), schema])
    return FieldView(name=field.name, schema=schema, required=field.required, text=_line(text))


def _takes_none(schema: Schema) -> bool:
    kinds = schema.get("type", "null")
    return "null" in kinds or any(map(_takes_none, schema.get("anyOf", ())))


def _line(text: str) -> str:
    return clean(" ".join(str(redact(text)).split()))


def schema_of(declared: Any, depth: int = 0) -> Schema:
    """The JSON Schema of the form that values of a type have on the wire; `{}` where that may be anything."""
    while get_origin(declared) is Annotated:
        declared = declared.__origin__
    if declared is None or declared is types.NoneType:
        return {"type": "null"}
    origin, arguments = get_origin(declared), get_args(declared)
    if depth > _MAX_DEPTH or declared is MISSING:
        return {}
    if origin in (Union, types.UnionType):
        return _any_of([schema_of(choice, depth + 1) for choice in arguments])
    if origin is Literal:
        return _one_of_values(arguments)
    kind = origin or declared
    if not isinstance(kind, type):
        # What a `type` statement or a `NewType` stands for.
        alias = getattr(kind, "__value__", None) or getattr(kind, "__supertype__", None)
        return {} if alias is None else schema_of(alias, depth + 1)
    return _of_class(kind, arguments, depth + 1)


def _of_class(kind: type, arguments: tuple[Any, ...], depth: int) -> Schema:
    import datetime
    import decimal
    import enum
    import pathlib
    import uuid
    from collections.abc import Iterable, Mapping

    if issubclass(kind, enum.Enum):
        return _one_of_values(tuple(kind))
    simple = {bool: "boolean", int: "integer", float: "number", datetime.timedelta: "number", str: "string"}
    for base, name in simple.items():
        if issubclass(kind, base):
            return {"type": name}
    texts = (
        *(bytes, bytearray, memoryview, datetime.date, datetime.time),
        *(decimal.Decimal, uuid.UUID, pathlib.PurePath),
    )
    if issubclass(kind, texts):
        return {"type": "string"}
    if issubclass(kind, Record):
        return _of_record(kind, depth)
    if issubclass(kind, BaseException) or hasattr(kind, "__required_keys__"):
        return {"type": "object"}
    if issubclass(kind, Mapping):
        item = schema_of(arguments[1], depth) if len(arguments) == 2 else {}
        return {"type": "object", **({"additionalProperties": item} if item else {})}
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return {"type": "object"}
    if issubclass(kind, tuple) and arguments and arguments[-1] is not ...:
        return {
            "type": "array",
            "prefixItems": [schema_of(item, depth) for item in arguments],
            "items": False,
            "minItems": len(arguments),
        }
    if issubclass(kind, Iterable):
        item = schema_of(arguments[0], depth) if arguments else {}
        return {"type": "array", **({"items": item} if item else {})}
    return {}


def _of_record(kind: type[Record], depth: int) -> Schema:
    fields = read_fields(kind)
    found: Schema = {
        "type": "object",
        "properties": {
            field.name: dict(HIDDEN) if field.secret else schema_of(field.type, depth) for field in fields
        },
    }
    required = [field.name for field in fields if field.required]
    return {**found, "required": required} if required else found


def _one_of_values(values: tuple[Any, ...]) -> Schema:
    forms: list[Any] = []
    for value in values:
        form = to_json(value)
        if form not in forms or any(isinstance(form, bool) != isinstance(other, bool) for other in forms):
            forms.append(form)
    return {"enum": forms}


def _any_of(schemas: list[Schema]) -> Schema:
    """One of several forms; bare types are joined, and what may be anything takes all."""
    found: list[Schema] = []
    for schema in schemas:
        found += [each for each in schema.get("anyOf", [schema]) if each not in found]
    if {} in found:
        return {}
    names = [each["type"] for each in found if each.keys() == {"type"} and isinstance(each["type"], str)]
    others = [each for each in found if not (each.keys() == {"type"} and isinstance(each["type"], str))]
    if names:
        others.append({"type": names if len(names) > 1 else names[0]})
    return others[0] if len(others) == 1 else {"anyOf": others}
