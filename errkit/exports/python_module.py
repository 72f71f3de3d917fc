"""A Python module of constants and types for programs that know the codes but have no errkit.

It needs the standard library of Python 3.11 only, and passes `mypy --strict` and pyright. All texts stand in
literals, or in comments of one line.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file import json_line
from errkit.exports.names import Names, pascal

if TYPE_CHECKING:
    from errkit.exports.fields import Schema
    from errkit.exports.view import CodeView, DomainView, View

__all__ = ["literal", "type_text", "usable", "write"]

_FIXED: Final = ("CodeFacts", "ErrorCode", "FACTS", "Kind", "is_error_code", "annotations")
_SIMPLE: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "array": "list[Any]",
    "object": "dict[str, Any]",
}


def write(view: View) -> str:
    """The module."""
    names = Names((*_FIXED, *_IMPORTED))
    codes = view.codes
    parts = [
        f"# {view.origin}\n# ruff: noqa\n# fmt: off\n{_HEAD}",
        _codes(codes),
        *(_constants(domain, names) for domain in view.domains),
        *(_details(code, names.free(f"{pascal(code.code)}Details")) for code in codes if code.fields),
        _facts(codes),
        _GUARD,
    ]
    return "\n\n".join(parts) + "\n"


def usable(name: str) -> bool:
    """Whether a name can stand in a class body: catalogue files may hold keywords."""
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")


def literal(value: object) -> str:
    """A value of exact builtins as Python writes it; texts hold no character that steers."""
    return json_line(value) if isinstance(value, str) else repr(value)


def _codes(codes: list[CodeView]) -> str:
    if not codes:
        return "ErrorCode: TypeAlias = Never"
    lines = "".join(f"    {literal(code.code)},\n" for code in codes)
    return f"ErrorCode: TypeAlias = Literal[\n{lines}]"


def _constants(domain: DomainView, names: Names) -> str:
    lines = [f"class {names.free(f'{pascal(domain.domain)}Codes')}:", f"    {literal(domain.title)}", ""]
    constants = Names()
    for code in domain.codes:
        name = constants.free(code.const if usable(code.const) else f"{code.const}_")
        lines += [f"    {name}: Final = {literal(code.code)}", f"    {literal(' '.join(_said(code)))}"]
    return "\n".join(lines)


def _said(code: CodeView) -> list[str]:
    return [*code.lines, *([f"Deprecated: {code.farewell}."] if code.farewell else [])]


def _details(code: CodeView, name: str) -> str:
    kinds = {field.name: type_text(field.schema) for field in code.fields}
    kinds |= {field.name: f"NotRequired[{kinds[field.name]}]" for field in code.fields if not field.required}
    if not all(map(usable, kinds)):
        items = ", ".join(f"{literal(field)}: {kind}" for field, kind in kinds.items())
        return f'{name} = TypedDict("{name}", {{{items}}})'
    lines = [f"class {name}(TypedDict):", f"    {literal(f'The details of {code.code}.')}", ""]
    for field in code.fields:
        lines.append(f"    {field.name}: {kinds[field.name]}")
        lines += [f"    {literal(field.text)}"] if field.text else []
    return "\n".join(lines)


def _facts(codes: list[CodeView]) -> str:
    lines = [f"    {literal(code.code)}: CodeFacts({_facts_of(code)}),\n" for code in codes]
    return f"FACTS: Final[Mapping[str, CodeFacts]] = MappingProxyType({{\n{''.join(lines)}}})"


def _facts_of(code: CodeView) -> str:
    facts: dict[str, Any] = {name: getattr(code, name) for name in _FACT_NAMES}
    return ", ".join(f"{name}={literal(value)}" for name, value in facts.items())


_FACT_NAMES: Final = ("title", "kind", "retryable", "alert", "public", "number", "hint", "http_status")


def type_text(schema: Schema) -> str:
    """The Python type of what a schema describes."""
    if "const" in schema or "enum" in schema:
        return _literals(schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(type_text, schema["anyOf"])))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(_SIMPLE[kind] for kind in kinds)
    if schema.get("items"):
        return f"list[{type_text(schema['items'])}]"
    if "additionalProperties" in schema:
        return f"dict[str, {type_text(schema['additionalProperties'])}]"
    return "Any" if kinds is None else _SIMPLE[kinds]


def _literals(values: list[Any]) -> str:
    if not values or any(isinstance(value, float) for value in values):
        return "Any"
    return f"Literal[{', '.join(map(literal, values))}]"


_IMPORTED: Final = (
    *("Any", "Final", "Literal", "Mapping", "MappingProxyType", "NamedTuple", "Never", "NotRequired"),
    *("TypeAlias", "TypeGuard", "TypedDict"),
)

_HEAD: Final = '''
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Never, NotRequired, TypeAlias, TypedDict, TypeGuard

Kind: TypeAlias = Literal["terminal", "transient", "outcome", "cancelled", "bug"]


class CodeFacts(NamedTuple):
    """What is known of a code before anything fails."""

    title: str
    kind: Kind
    retryable: bool
    alert: bool
    public: bool
    number: int | None
    hint: str
    http_status: int | None'''

_GUARD: Final = '''\
def is_error_code(value: object) -> TypeGuard[ErrorCode]:
    """Whether a value is one of the codes."""
    return isinstance(value, str) and value in FACTS'''
