"""A real instance of any code: from its example, or from values made up for its declared fields."""

from __future__ import annotations

from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin

from errkit.errors import CodedError
from errkit.fields import MISSING, Record, read_fields
from errkit.registry import find_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.checks.model import Context
    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["build", "build_alone", "example_details", "foreign_codes"]


def example_details(spec: ErrorSpec, context: Context) -> Mapping[str, Any]:
    """The details of a realistic instance: given by the project, declared, or made up from the types."""
    given = None if context.given_example is None else context.given_example(spec)
    if given is not None:
        return given
    if spec.example is not None:
        return spec.example
    return made_up(spec)


def made_up(spec: ErrorSpec) -> dict[str, Any]:
    """A value for each required field, by its type."""
    fields = () if spec.details is None else read_fields(spec.details)
    found = {field.name: sample(field.type, field.name) for field in fields if field.required}
    if spec.reasons and "reason" not in found:
        found["reason"] = next(iter(spec.reasons))
    return found


def build(spec: ErrorSpec, context: Context) -> CodedError:
    """A new error with this code, with details, a note and a cause, as a throw site raises it."""
    error = build_alone(spec, context)
    error.add_note(f"an example of {spec.code}")
    error.__cause__ = ValueError("the root cause of the example")
    return error


def build_alone(spec: ErrorSpec, context: Context) -> CodedError:
    """A new error with this code and details, and neither note nor cause."""
    declared = _loaded_last(spec)
    assert declared.cls is not None
    error: CodedError = getattr(declared.cls, declared.const)(**example_details(spec, context))
    return error


def _loaded_last(spec: ErrorSpec) -> ErrorSpec:
    """The code as its module has it now: a test may have loaded that again, and pickles find the newest."""
    found = find_spec(spec.registry, spec.code)
    return spec if found is None or found.place != spec.place else found


def foreign_codes(registry: Registry, context: Context) -> frozenset[str]:
    """The codes whose errors run code of others when they are copied, pickled or shown.

    That is so where a class has methods of its own, or a value of the example is not of a plain type.
    """
    return frozenset(spec.code for spec in registry if not _is_plain_error(spec, context))


def _is_plain_error(spec: ErrorSpec, context: Context) -> bool:
    try:
        error = build_alone(spec, context)
        classes = type(error).__mro__[: type(error).__mro__.index(CodedError)]
        methods = (type(value) for cls in classes for value in vars(cls).values())
        return _METHODS.isdisjoint(methods) and all(map(_is_plain, error.details.values()))
    except Exception:
        return False


_METHODS: Final = frozenset({FunctionType, property, classmethod, staticmethod})
_PLAIN_TYPES: Final = frozenset({str, int, float, bool, bytes, NoneType})


def _is_plain(value: object) -> bool:
    if type(value) is dict:
        return all(map(_is_plain, value)) and all(map(_is_plain, value.values()))
    if type(value) in (list, tuple, set, frozenset):
        return all(map(_is_plain, value))  # type: ignore[call-overload]
    return type(value) in _PLAIN_TYPES


def sample(declared: Any, name: str = "value") -> Any:
    """One plain value of a declared type; the text of the name where the type says nothing."""
    import datetime
    import decimal
    import enum
    import pathlib
    import types
    import uuid

    origin, arguments = get_origin(declared), get_args(declared)
    if origin in (Union, types.UnionType):
        return sample(next(choice for choice in arguments if choice is not types.NoneType), name)
    if origin is Literal:
        return arguments[0]
    kind = origin or declared
    if not isinstance(kind, type) or declared is MISSING:
        return name
    if issubclass(kind, enum.Enum):
        return next(iter(kind))
    if issubclass(kind, Record):
        return kind(
            **{field.name: sample(field.type, field.name) for field in read_fields(kind) if field.required}
        )
    plain: dict[type, Any] = {
        str: name,
        bool: True,
        int: 1,
        float: 1.5,
        bytes: b"\x00\x01",
        datetime.datetime: datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        datetime.date: datetime.date(2026, 1, 2),
        datetime.time: datetime.time(3, 4, 5),
        datetime.timedelta: datetime.timedelta(seconds=90),
        decimal.Decimal: decimal.Decimal("1.50"),
        uuid.UUID: uuid.UUID(int=1),
    }
    if kind in plain:
        return plain[kind]
    if issubclass(kind, pathlib.PurePath):
        return kind("example")
    if issubclass(kind, tuple):
        return kind(sample(inner, name) for inner in arguments if inner is not ...)
    if issubclass(kind, (list, set, frozenset)):
        return kind(sample(inner, name) for inner in arguments)
    if kind is type(None):
        return None
    return _of_abstract(kind, arguments, name)


def _of_abstract(kind: type, arguments: tuple[Any, ...], name: str) -> Any:
    from collections.abc import Iterable, Mapping

    if issubclass(kind, Mapping):
        return {sample(arguments[0], "key"): sample(arguments[1], name)} if len(arguments) == 2 else {}
    if issubclass(kind, Iterable):
        return [sample(inner, name) for inner in arguments]
    return name
