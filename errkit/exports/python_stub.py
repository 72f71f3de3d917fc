"""Types for a Python module that loads the registry from a catalogue file, so that checkers know its codes.

The module itself is four lines, which docs/how-to/export.md shows: it loads the file, makes the facade, and
names the domain classes. This stub says the same to type checkers, with each code and its details.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin

from errkit.codes import ReasonDetails
from errkit.exports.names import Names, ascii_name, pascal
from errkit.exports.python_module import literal, usable
from errkit.fields import read_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errkit.exports.view import CodeView, DomainView, View

__all__ = ["write"]

_FIXED: Final = (
    *("Any", "CodedError", "Details", "ErrorCodes", "Literal", "REGISTRY", "details_of_any_name"),
    *("Registry", "Secret", "code", "codes", "collections", "datetime", "decimal"),
    *("pathlib", "uuid"),
)
_MODULES: Final = frozenset({"collections.abc", "datetime", "decimal", "pathlib", "uuid"})


def write(view: View) -> str:
    """The stub."""
    names = Names(_FIXED)
    classes = {domain.domain: names.free(ascii_name(domain.class_name)) for domain in view.domains}
    parts = [f"# {view.origin}\n{_HEAD}"]
    for domain in view.domains:
        details = {
            code.code: names.free(f"{pascal(code.code)}Details") for code in domain.codes if _typed(code)
        }
        parts += [_details(code, details[code.code]) for code in domain.codes if code.code in details]
        parts.append(_domain(domain, classes[domain.domain], details))
    parts.append(_facade(view, classes.values()))
    return "\n\n".join(parts) + "\n"


def _typed(code: CodeView) -> bool:
    cls = code.spec.details
    if cls is None or cls is ReasonDetails:
        return False
    return all(usable(field.name) for field in read_fields(cls))


def _details(code: CodeView, name: str) -> str:
    assert code.spec.details is not None
    lines = [f"class {name}(Details):"]
    for field in read_fields(code.spec.details):
        kind = f"Secret[{_text(field.type)}]" if field.secret else _text(field.type)
        lines.append(f"    {field.name}: {kind}{'' if field.required else ' = ...'}")
    lines += ["    reason: str | None = ..."] if _adds_reason(code) else []
    return "\n".join(lines) if len(lines) > 1 else f"{lines[0]} ..."


def _adds_reason(code: CodeView) -> bool:
    assert code.spec.details is not None
    return bool(code.reasons) and "reason" not in code.spec.details.field_names()[0]


def _domain(domain: DomainView, name: str, details: dict[str, str]) -> str:
    lines = [f"class {name}(CodedError):", f"    {literal(domain.title)}", ""]
    for code in domain.codes:
        if usable(code.const):
            lines.append(f"    {code.const} = {_declaration(code, details)}")
            lines.append(f"    {literal(' '.join(code.lines))}")
    return "\n".join(lines)


def _declaration(code: CodeView, details: dict[str, str]) -> str:
    title = literal(code.title)
    if code.code in details:
        return f"code({title}, {details[code.code]})"
    if code.spec.details is not None and code.spec.details is not ReasonDetails:
        return f"code({title}, details_of_any_name)"
    return f"code({title}, reasons={{}})" if code.reasons else f"code({title})"


def _facade(view: View, classes: Iterable[str]) -> str:
    constants = [code.const for code in view.codes]
    if len(set(constants)) < len(constants) or not constants:
        return "# Two domains share a constant, so there is no facade."
    return f"class ErrorCodes({', '.join(classes)}): ...\n\ncodes: type[ErrorCodes]"


def _text(declared: Any) -> str:
    """A type as it stands in the stub; `Any` for a class of somebody's own."""
    if declared is None or declared is types.NoneType:
        return "None"
    origin, arguments = get_origin(declared), get_args(declared)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(_text, arguments)))
    if origin is Literal:
        plain = all(type(value) in (str, int, bool, types.NoneType) for value in arguments)
        return f"Literal[{', '.join(map(literal, arguments))}]" if plain else "Any"
    kind = origin or declared
    if not isinstance(kind, type):
        return "Any"
    if kind.__module__ == "builtins":
        name = kind.__name__
    elif kind.__module__.removesuffix("._local") in _MODULES:
        name = f"{kind.__module__.removesuffix('._local')}.{kind.__name__}"
    else:
        return "Any"
    if not arguments:
        return name
    inner = ", ".join("..." if argument is ... else _text(argument) for argument in arguments)
    return f"{name}[{inner}]"


_HEAD: Final = """\
import collections.abc
import datetime
import decimal
import pathlib
import uuid
from typing import Any, Literal

from errkit import CodedError, Details, Registry, Secret, code

REGISTRY: Registry

def details_of_any_name(**details: Any) -> Details: ..."""
