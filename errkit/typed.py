"""What the annotations of a record mean: its fields, and whether a value fits a declared type.

Annotations are read when somebody asks, field by field, so a name that exists for type checkers only costs
nothing, and spoils no other field. This room loads `typing`; nothing that declares or raises does.
"""

from __future__ import annotations

import sys
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from errkit.fields import (
    MISSING,
    PLACEHOLDER,
    SECRET,
    Record,
    Secret,
    declared_annotations,
    dict_of,
    items_of,
    own_annotations,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Field", "fits", "is_redacted", "read_fields", "revive", "secret_names"]


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


def read_fields(cls: type) -> tuple[Field, ...]:
    """The fields that a `Record` subclass declares, bases first, each resolved on its own."""
    known: tuple[Field, ...] | None = cls.__dict__.get("__fields__")
    if known is None:
        known = tuple(
            _read_field(cls, name, owner, annotation)
            for name, (owner, annotation) in declared_annotations(cls).items()
        )
        if all(field.type is not MISSING for field in known):
            # An unresolved name may be defined later (a class further down the module).
            cls.__fields__ = known  # type: ignore[attr-defined]
    return known


def secret_names(cls: type | None) -> frozenset[str]:
    """The names of the fields of `cls` whose values must not be shown."""
    if cls is None:
        return frozenset()
    return frozenset(field.name for field in read_fields(cls) if field.secret)


def _read_field(cls: type, name: str, owner: type, annotation: Any) -> Field:
    try:
        resolved = _resolve(annotation, owner)
        kind, secret = _strip(resolved), _is_secret(resolved)
    except Exception:
        kind, secret = MISSING, True
    default = getattr(cls, name, MISSING)
    return Field(
        name=name,
        type_text=_type_text(annotation),
        type=kind,
        required=default is MISSING,
        default=default,
        secret=secret,
        owner=owner,
    )


def _resolve(annotation: Any, owner: type) -> Any:
    """The annotation as a type; raises if a name in it is not defined at run time."""
    module = sys.modules.get(owner.__module__)
    # In `date: date | None = None` the second `date` means the type, not the default of the field.
    fields = own_annotations(owner)
    inside = {name: value for name, value in vars(owner).items() if name not in fields}
    holder = SimpleNamespace(__annotations__={"field": annotation})
    return get_type_hints(holder, vars(module) if module else {}, inside, include_extras=True)["field"]


def _type_text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if annotation is NoneType:
        return "None"
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    if get_origin(annotation) is Annotated and SECRET in annotation.__metadata__:
        return f"Secret[{_type_text(annotation.__origin__)}]"
    if get_origin(annotation) and _is_secret(annotation):
        return _secret_text(get_origin(annotation), get_args(annotation))
    return str(annotation).replace("typing.", "")


def _secret_text(origin: Any, arguments: tuple[Any, ...]) -> str:
    """A type with `Secret` in one of its parts, which Python would show as the metadata that it is."""
    parts = ["..." if part is ... else _type_text(part) for part in arguments]
    if origin in (Union, UnionType):
        return " | ".join(parts)
    return f"{getattr(origin, '__name__', origin)}[{', '.join(parts)}]"


def _is_secret(annotation: Any, outer: tuple[Any, ...] = ()) -> bool:
    """Whether `Secret` stands anywhere in the annotation; a list of secrets is one too."""
    if annotation is Secret or (get_origin(annotation) is Annotated and SECRET in annotation.__metadata__):
        return True
    alias = _alias(annotation)
    inner = get_args(annotation) if alias is None else (alias, *get_args(annotation))
    # An alias may hold itself, such as `type Json = str | list[Json]`.
    return annotation not in outer and any(_is_secret(part, (*outer, annotation)) for part in inner)


def _alias(annotation: Any) -> Any:
    """What a `type` statement or a `NewType` stands for; None for anything else."""
    return getattr(annotation, "__value__", None) or getattr(annotation, "__supertype__", None)


def _strip(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = annotation.__origin__
    return Any if annotation is Secret else annotation


# --- values against types ---------------------------------------------------------------------------


def is_redacted(value: object) -> bool:
    """Whether a value was replaced on its way here; it then fits any type."""
    return type(value) is str and value == PLACEHOLDER


def fits(declared: Any, value: object) -> bool:
    """Whether `value` is of the declared type, looking into containers, though never into an iterator.

    A type that can't be asked, such as a plain `Protocol`, takes anything. Never raises.
    """
    try:
        return _check(declared, value, _as_it_is) is not MISSING
    except Exception:
        return True


def revive(declared: Any, value: object) -> Any:
    """`value` if it fits, else turned back from its JSON form; `MISSING` if it is neither. Never raises."""
    if fits(declared, value):
        return value
    try:
        return _check(declared, value, _turned_back)
    except Exception:
        return MISSING


def _check(declared: Any, value: Any, leaf: Callable[[type, tuple[Any, ...], Any], Any]) -> Any:
    """What `leaf` makes of the value for each class that the declared type comes down to."""
    declared = _strip(declared)
    if declared is Any or declared is object or declared is MISSING or isinstance(declared, TypeVar):
        return value
    if declared is None or declared is NoneType:
        return None if value is None else MISSING
    origin, arguments = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        return _first(arguments, value, leaf)
    if origin is Literal:
        found = _first(tuple(map(type, arguments)), value, leaf)
        return found if found is not MISSING and found in arguments else MISSING
    if origin is not None:
        return leaf(origin, arguments, value) if isinstance(origin, type) else value
    if not isinstance(declared, type):
        alias = _alias(declared)
        return value if alias is None else _check(alias, value, leaf)
    if hasattr(declared, "__required_keys__"):
        return value if isinstance(value, dict) and declared.__required_keys__ <= value.keys() else MISSING
    if declared is float and type(value) is int:
        return value
    if declared is int and isinstance(value, bool):
        return MISSING
    return leaf(declared, (), value)


def _first(choices: tuple[Any, ...], value: Any, leaf: Callable[[type, tuple[Any, ...], Any], Any]) -> Any:
    found = (_check(choice, value, leaf) for choice in choices)
    return next((one for one in found if one is not MISSING), MISSING)


def _as_it_is(kind: type, arguments: tuple[Any, ...], value: Any) -> Any:
    try:
        if not isinstance(value, kind):
            return MISSING
    except TypeError:
        return value
    pairs = _parts(kind, arguments, value)
    return value if pairs is not None and all(fits(part, item) for part, item in pairs) else MISSING


def _parts(kind: type, arguments: tuple[Any, ...], value: Any) -> list[tuple[Any, Any]] | None:
    """What a container holds, each with its declared type; None for a tuple of another length."""
    from collections.abc import Collection, Mapping

    if not arguments or not issubclass(kind, Collection):
        return []
    if issubclass(kind, Mapping):
        item_type = arguments[1] if len(arguments) == 2 else Any
        held = dict_of(value)
        return [(arguments[0], key) for key in held] + [(item_type, item) for item in held.values()]
    if issubclass(kind, tuple) and arguments[-1] is not ...:
        items = items_of(value)
        return list(zip(arguments, items, strict=True)) if len(arguments) == len(items) else None
    return [(arguments[0], item) for item in _all_of(value)]


def _all_of(value: Any) -> Iterable[Any]:
    """The items of a container; those of Python are read past what a class of its own makes of them."""
    if isinstance(value, (list, tuple)):
        return items_of(value)
    return frozenset(value) if isinstance(value, (set, frozenset)) else value


# --- and back from JSON -----------------------------------------------------------------------------


def _turned_back(kind: type, arguments: tuple[Any, ...], value: Any) -> Any:
    """The value of `kind` whose wire form (`safe`) is `value`; `MISSING` if there is none."""
    from collections.abc import Collection, Mapping

    if isinstance(value, dict):
        if issubclass(kind, Record):
            return _record_from(kind, value)
        return _mapping_from(arguments, value) if issubclass(kind, Mapping) else MISSING
    if isinstance(value, (list, tuple)):
        takes_items = issubclass(kind, Collection) and not issubclass(kind, (str, bytes, bytearray, Mapping))
        return _collection_from(kind, arguments, value) if takes_items else MISSING
    maker = _maker(kind)
    return MISSING if maker is None or not isinstance(value, (str, int, float)) else maker(value)


def _mapping_from(arguments: tuple[Any, ...], value: dict[str, Any]) -> Any:
    key_type, item_type = arguments if len(arguments) == 2 else (Any, Any)
    found = {_key_from(key_type, key): revive(item_type, item) for key, item in dict_of(value).items()}
    return MISSING if MISSING in found or any(item is MISSING for item in found.values()) else found


def _key_from(declared: Any, key: str) -> Any:
    found = revive(declared, key)
    return declared(key) if found is MISSING and declared in (int, float) else found


def _collection_from(kind: type, arguments: tuple[Any, ...], value: Any) -> Any:
    from collections.abc import Set as AbstractSet

    pairs = _parts(kind, arguments, value) if arguments else [(Any, item) for item in _all_of(value)]
    items = [MISSING] if pairs is None else [revive(part, item) for part, item in pairs]
    if any(item is MISSING for item in items):
        return MISSING
    if getattr(kind, "__abstractmethods__", None):
        kind = frozenset if issubclass(kind, AbstractSet) else list
    make: Any = kind
    return make(items)


def _record_from(kind: type[Record], value: dict[str, Any]) -> Any:
    found = {}
    for field in read_fields(kind):
        item = value.get(field.name, MISSING)
        item = item if item is MISSING or is_redacted(item) else revive(field.type, item)
        if item is not MISSING:
            found[field.name] = item
        elif field.required:
            return MISSING
    return kind(**found)


def _maker(kind: type) -> Callable[[Any], Any] | None:
    import datetime
    import decimal
    import enum
    import pathlib
    import uuid

    if issubclass(kind, (datetime.date, datetime.time)):
        return kind.fromisoformat
    if issubclass(kind, datetime.timedelta):
        return lambda seconds: kind(seconds=seconds)
    if issubclass(kind, enum.Enum):
        return lambda value: _enum_member(kind, value)
    if issubclass(kind, (bytes, bytearray)):
        return lambda text: kind(_bytes_from(text))
    if issubclass(kind, (pathlib.PurePath, uuid.UUID, decimal.Decimal)):
        return kind
    return _number_from if kind in (int, float) else None


def _enum_member(kind: Any, value: Any) -> Any:
    """By value first, then by the text of the value, then by name."""
    try:
        return kind(value)
    except ValueError:
        named = (member for member in kind if value in (str(member.value), member.name))
        return next(named, MISSING)


def _bytes_from(text: str) -> bytes:
    import base64

    prefix = "base64:"
    if not text.startswith(prefix):
        raise ValueError(text)
    return base64.b64decode(text[len(prefix) :], validate=True)


def _number_from(text: Any) -> Any:
    """A number that JSON can't hold, and nothing else that is written as text."""
    if text in ("NaN", "Infinity", "-Infinity"):
        return float(text)
    return int(text) if isinstance(text, str) and len(text) > 18 else MISSING
