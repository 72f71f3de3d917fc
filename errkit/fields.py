"""Annotation-only classes: what they declare, and whether a value fits a declared type.

`Record` is the base of every frozen record of errkit and of `Details`: a class body of annotations and
defaults, with nothing generated at import. Annotations are read when somebody asks, field by field, so a
name that exists for type checkers only costs nothing, and spoils no other field.

This room knows types and values. It knows no codes and no errors: those start in `codes.py`.
"""

from __future__ import annotations

import sys
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["MISSING", "SECRET", "Field", "Record", "Secret", "fits", "read_fields", "revive", "secret_names"]

_T = TypeVar("_T")
PLACEHOLDER: Final = "[REDACTED]"


class _Mark:
    """A named constant that is nothing but itself."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __reduce__(self) -> str:
        return self._name


MISSING: Final = _Mark("MISSING")
SECRET: Final = _Mark("SECRET")

Secret = Annotated[_T, SECRET]
"""Marks a details field whose value must never leave the program: `token: Secret[str]`."""


def own_annotations(cls: type) -> Mapping[str, Any]:
    """The annotations written in `cls` itself, unevaluated where the interpreter allows it."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    annotations: Mapping[str, Any] = cls.__dict__.get("__annotations__", {})
    return annotations


def _is_class_variable(annotation: object) -> bool:
    if isinstance(annotation, str):
        return annotation.replace("typing.", "").startswith("ClassVar")
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _declared(cls: type) -> dict[str, tuple[type, Any]]:
    """Field name -> (the class that declares it, its annotation), bases first."""
    found: dict[str, tuple[type, Any]] = {}
    for base in reversed(cls.__mro__):
        if base is Record or not issubclass(base, Record):
            continue
        for name, annotation in own_annotations(base).items():
            if not name.startswith("_") and not _is_class_variable(annotation):
                found[name] = (base, annotation)
    return found


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """A frozen record: annotations name its fields, class attributes hold the defaults.

    Subclasses are built with keywords only. A missing or unknown keyword is refused with
    `errkit.bad_record`; the types of values are the type checkers' business.
    """

    __record__: ClassVar[tuple[frozenset[str], frozenset[str]] | None] = None

    def __init__(self, **values: Any) -> None:
        names, required = self.__class__.field_names()
        given = values.keys()
        if not (required <= given and given <= names):
            _refuse(self.__class__, given - names, required - given)
        self.__dict__.update(values)

    @classmethod
    def field_names(cls) -> tuple[frozenset[str], frozenset[str]]:
        """All field names, and those without a default."""
        if "__record__" not in cls.__dict__ or cls.__record__ is None:
            names = frozenset(_declared(cls))
            cls.__record__ = names, frozenset(name for name in names if not hasattr(cls, name))
        known = cls.__record__
        assert known is not None
        return known

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} can't be set: the record is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} can't be deleted: the record is frozen")

    def __iter_fields__(self) -> Iterator[tuple[str, Any]]:
        for name in _declared(self.__class__):
            yield name, getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(value == getattr(other, name) for name, value in self.__iter_fields__())

    def __hash__(self) -> int:
        # Equal records hash alike whatever their values are; a record with an identity says so itself.
        return hash(self.__class__)

    def __repr__(self) -> str:
        secret = secret_names(self.__class__)
        shown = ", ".join(
            f"{name}={PLACEHOLDER if name in secret else repr(value)}"
            for name, value in self.__iter_fields__()
        )
        return f"{self.__class__.__qualname__}({shown})"


def _refuse(cls: type, unknown: set[str], missing: set[str]) -> None:
    from errkit.own import ErrkitError

    faults = [
        f"{title}: {', '.join(sorted(names))}"
        for title, names in (("unknown", unknown), ("missing", missing))
        if names
    ]
    raise ErrkitError.BAD_RECORD(
        f"{cls.__qualname__} can't be built; {'; '.join(faults)}",
        record=cls.__qualname__,
        fields=sorted(unknown | missing),
    )


class Field(Record):
    """One field of a `Record`, as its annotation declares it."""

    name: str
    type_text: str
    """The annotation as written, for people."""
    type: Any
    """The resolved type without its `Secret` mark, or `MISSING` where the annotation can't be resolved."""
    required: bool
    default: Any = MISSING
    secret: bool = False
    """Marked `Secret`, or not resolvable: what can't be read is not shown."""
    owner: Any = None
    """The class that declares the field."""


_FIELDS: Final[dict[type, tuple[Field, ...]]] = {}


def read_fields(cls: type) -> tuple[Field, ...]:
    """The fields that a `Record` subclass declares, bases first, each resolved on its own."""
    known = _FIELDS.get(cls)
    if known is None:
        known = tuple(
            _read_field(cls, name, owner, annotation) for name, (owner, annotation) in _declared(cls).items()
        )
        if all(field.type is not MISSING for field in known):
            # An unresolved name may be defined later (a class further down the module).
            _FIELDS[cls] = known
    return known


def secret_names(cls: type | None) -> frozenset[str]:
    """The names of the fields of `cls` whose values must not be shown."""
    if cls is None:
        return frozenset()
    return frozenset(field.name for field in read_fields(cls) if field.secret)


def _read_field(cls: type, name: str, owner: type, annotation: Any) -> Field:
    resolved = _resolve(annotation, owner)
    default = getattr(cls, name, MISSING)
    return Field(
        name=name,
        type_text=_type_text(annotation),
        type=resolved if resolved is MISSING else _strip(resolved),
        required=default is MISSING,
        default=default,
        secret=resolved is MISSING or _is_secret(resolved),
        owner=owner,
    )


def _resolve(annotation: Any, owner: type) -> Any:
    """The annotation as a type; `MISSING` if a name in it is not defined at run time."""
    text = getattr(annotation, "__forward_arg__", annotation)
    if not isinstance(text, str):
        return annotation
    module = sys.modules.get(owner.__module__)
    try:
        return eval(text, dict(vars(module)) if module else {}, dict(vars(owner)))  # noqa: S307 (the program's own annotation)
    except Exception:
        return MISSING


def _type_text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    if get_origin(annotation) is Annotated and SECRET in annotation.__metadata__:
        return f"Secret[{_type_text(annotation.__origin__)}]"
    return str(annotation).replace("typing.", "")


def _is_secret(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        return SECRET in annotation.__metadata__ or _is_secret(annotation.__origin__)
    return get_origin(annotation) in (Union, UnionType) and any(map(_is_secret, get_args(annotation)))


def _strip(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = annotation.__origin__
    return annotation


# --- values against types ---------------------------------------------------------------------------


def fits(declared: Any, value: object) -> bool:
    """Whether `value` is an instance of the declared type, looking into containers."""
    return (
        _check(declared, value, lambda kind, found: found if isinstance(found, kind) else MISSING)
        is not MISSING
    )


def revive(declared: Any, value: object) -> Any:
    """`value` as the declared type, turned back from its JSON form where need be; `MISSING` if it is neither."""
    return _check(declared, value, _turn_back)


def _check(declared: Any, value: Any, leaf: Callable[[type, Any], Any]) -> Any:
    declared = _strip(declared)
    if declared is Any or declared is object or declared is MISSING or isinstance(declared, TypeVar):
        return value
    if declared is None or declared is NoneType:
        return None if value is None else MISSING
    origin = get_origin(declared)
    if origin in (Union, UnionType):
        return _check_union(get_args(declared), value, leaf)
    if origin is Literal:
        return (
            value
            if any(value == choice and type(value) is type(choice) for choice in get_args(declared))
            else MISSING
        )
    if origin is not None:
        return _check_generic(origin, get_args(declared), value, leaf)
    if not isinstance(declared, type):
        supertype = getattr(declared, "__supertype__", None) or getattr(declared, "__value__", None)
        return value if supertype is None else _check(supertype, value, leaf)
    if hasattr(declared, "__required_keys__"):
        return value if isinstance(value, dict) and declared.__required_keys__ <= value.keys() else MISSING
    if declared is float and type(value) is int:
        return value
    if declared is int and isinstance(value, bool):
        return MISSING
    return leaf(declared, value)


def _check_union(choices: tuple[Any, ...], value: Any, leaf: Callable[[type, Any], Any]) -> Any:
    for choice in choices:
        if fits(choice, value):
            return value
    for choice in choices:
        found = _check(choice, value, leaf)
        if found is not MISSING:
            return found
    return MISSING


def _check_generic(
    origin: type, arguments: tuple[Any, ...], value: Any, leaf: Callable[[type, Any], Any]
) -> Any:
    from collections.abc import Iterable, Mapping

    if not isinstance(origin, type):
        return value
    if issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            return MISSING
        pairs = [
            (_check(arguments[0], key, leaf), _check(arguments[1], item, leaf)) for key, item in value.items()
        ]
        return MISSING if any(key is MISSING or item is MISSING for key, item in pairs) else dict(pairs)
    if not issubclass(origin, Iterable):
        return leaf(origin, value)
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return MISSING
    if leaf(origin, value) is MISSING:
        return MISSING
    if issubclass(origin, tuple) and not (len(arguments) == 2 and arguments[1] is ...):
        items = list(value)
        if len(items) != len(arguments):
            return MISSING
        checked = [_check(kind, item, leaf) for kind, item in zip(arguments, items, strict=True)]
    else:
        checked = [_check(arguments[0], item, leaf) for item in value]
    if any(item is MISSING for item in checked):
        return MISSING
    rebuilt: Any = origin if origin in (list, tuple, set, frozenset) else list
    return rebuilt(checked)


def _turn_back(kind: type, value: Any) -> Any:
    """The value of `kind` whose wire form (`safe.py`) is `value`; `MISSING` if there is none."""
    if isinstance(value, kind):
        return value
    if issubclass(kind, (tuple, set, frozenset)) and isinstance(value, list):
        return kind(value)
    if issubclass(kind, Record) and isinstance(value, dict):
        return _record_from(kind, value)
    maker = _maker(kind)
    if maker is None or not isinstance(value, (str, int, float)):
        return MISSING
    try:
        return maker(value)
    except Exception:
        return MISSING


def _record_from(kind: type[Record], value: dict[str, Any]) -> Any:
    found = {}
    for field in read_fields(kind):
        if field.name in value:
            found[field.name] = _check(field.type, value[field.name], _turn_back)
    _, required = kind.field_names()
    if not required <= found.keys() or any(item is MISSING for item in found.values()):
        return MISSING
    return kind(**found)


def _maker(kind: type) -> Callable[[Any], Any] | None:
    import datetime
    import decimal
    import enum
    import pathlib
    import uuid

    if issubclass(kind, datetime.datetime):
        return kind.fromisoformat
    if issubclass(kind, (datetime.date, datetime.time)):
        return kind.fromisoformat
    if issubclass(kind, datetime.timedelta):
        return lambda seconds: kind(seconds=seconds)
    if issubclass(kind, enum.Enum):
        return lambda text: _enum_member(kind, text)
    if issubclass(kind, bytes):
        return _bytes_from
    if issubclass(kind, (pathlib.PurePath, uuid.UUID, decimal.Decimal)):
        return kind
    return None


def _enum_member(kind: Any, value: Any) -> Any:
    """By value first, then by the text of the value, then by name."""
    for member in kind:
        if member.value == value or str(member.value) == value or member.name == value:
            return member
    return MISSING


def _bytes_from(text: str) -> bytes:
    import base64

    prefix = "base64:"
    if not text.startswith(prefix):
        raise ValueError(text)
    return base64.b64decode(text[len(prefix) :], validate=True)
