"""Types as text: what the type of a details field may say in a file, and which type it then stands for.

A text is taken apart with `ast` and built up again from a fixed vocabulary; it is never run. What goes beyond
the vocabulary stands for `Any`, and the text stays as documentation.
"""

from __future__ import annotations

import ast
import collections.abc
import datetime
import decimal
import pathlib
import uuid
import warnings
from typing import TYPE_CHECKING, Any, Final, Literal, Union

from errkit.safe import well_formed

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["split_type", "type_of"]

_MAX_TYPE_TEXT: Final = 1_000
_ARGUMENTS: Final = {
    list: 1,
    set: 1,
    frozenset: 1,
    dict: 2,
    collections.abc.Sequence: 1,
    collections.abc.Iterable: 1,
    collections.abc.Mapping: 2,
}
_TYPES: Final[dict[str, Any]] = {
    **{kind.__name__: kind for kind in (str, int, float, bool, bytes, object, tuple, *_ARGUMENTS)},
    **{f"collections.abc.{kind.__name__}": kind for kind in _ARGUMENTS if kind.__module__ != "builtins"},
    **{kind.__name__: kind for kind in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)},
    **{
        f"{kind.__module__}.{kind.__name__}": kind
        for kind in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
    },
    "Path": pathlib.Path,
    "PurePath": pathlib.PurePath,
    "pathlib.Path": pathlib.Path,
    "pathlib.PurePath": pathlib.PurePath,
    "UUID": uuid.UUID,
    "uuid.UUID": uuid.UUID,
    "Decimal": decimal.Decimal,
    "decimal.Decimal": decimal.Decimal,
    "Any": Any,
}
_FORMS: Final = frozenset({"Literal", "Optional", "Union", "Annotated", "Secret"})


class _Unknown(Exception):
    """A type text goes beyond the vocabulary."""


def split_type(text: str) -> tuple[str, bool]:
    """A type without `typing.` and `Secret[...]`, as it stands in a file, and whether it was secret."""
    text, secret = well_formed(text), False
    while True:
        plain, marked = _without_secret(text.replace("typing.", ""))
        secret = secret or marked
        if plain == text:
            return text, secret
        text = plain


def _without_secret(text: str) -> tuple[str, bool]:
    if "Secret" not in text:
        return text, False
    uncover = _Uncover()
    try:
        plain = ast.unparse(uncover.visit(_type_tree(text)))
    except (_Unknown, RecursionError):
        return text, False
    return (plain, True) if uncover.found else (text, False)


class _Uncover(ast.NodeTransformer):
    """Puts `X` in the place of `Secret[X]`."""

    found = False

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        inner = self.generic_visit(node)
        if not (isinstance(node.value, ast.Name) and node.value.id == "Secret"):
            return inner
        self.found = True
        return node.slice


def _type_tree(text: str) -> ast.expr:
    if len(text) > _MAX_TYPE_TEXT:
        raise _Unknown
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Unknown from error


def type_of(text: str) -> Any:
    """The type that a text stands for; `Any` where it goes beyond the vocabulary. The text is never run."""
    try:
        return _build_type(_type_tree(text))
    except (_Unknown, RecursionError):
        return Any


def _build_type(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Name() | ast.Attribute():
            return _known(_TYPES, _dotted(node))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union(_build_type(left), _build_type(right))
        case ast.Subscript(value=head, slice=ast.Tuple(elts=arguments)):
            return _build_generic(_dotted(head), arguments)
        case ast.Subscript(value=head, slice=argument):
            return _build_generic(_dotted(head), [argument])
        case _:
            raise _Unknown


def _build_generic(head: str, arguments: list[ast.expr]) -> Any:
    if not arguments:
        raise _Unknown
    if head in _FORMS:
        return _build_form(head, arguments)
    origin = _known(_TYPES, head)
    kinds: tuple[Any, ...]
    match arguments:
        case [first, ast.Constant(value=end)] if origin is tuple and end is ...:
            kinds = (_build_type(first), ...)
        case _ if origin is tuple or _ARGUMENTS.get(origin) == len(arguments):
            kinds = tuple(map(_build_type, arguments))
        case _:
            raise _Unknown
    return _TYPES[head][kinds]


def _build_form(head: str, arguments: list[ast.expr]) -> Any:
    if head == "Literal":
        values = tuple(map(_literal, arguments))
        return Literal[values]
    if head in ("Annotated", "Secret"):
        return _build_type(arguments[0])
    kinds = tuple(map(_build_type, arguments))
    return _union(*kinds, None) if head == "Optional" else _union(*kinds)


def _union(*kinds: Any) -> Any:
    """The `|` of types does not exist between None and None."""
    return Union[kinds]  # noqa: UP007 (built from data)


def _literal(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=str() | int() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case _:
            raise _Unknown


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_dotted(owner)}.{name}"
        case _:
            raise _Unknown


def _known(names: Mapping[str, Any], name: str) -> Any:
    if name not in names:
        raise _Unknown
    return names[name]
