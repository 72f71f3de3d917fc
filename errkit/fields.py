"""Annotation-only classes: what they declare, and whether a value fits a declared type.

`Record` is the base of every frozen record of errkit and of `Details`: a class body of annotations and
defaults, with nothing generated at import. Annotations are read when somebody asks, field by field, so a
name that exists for type checkers only costs nothing, and spoils no other field.

This room knows types and values. It knows no codes and no errors: those start in `codes.py`.
"""

from __future__ import annotations

import sys
from types import NoneType, SimpleNamespace, UnionType
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
    get_type_hints,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
    from typing import Self

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
        if not (required <= given and names.issuperset(given)):
            _refuse(self.__class__, given - names, required - given)
        self.__dict__.update(values)

    @classmethod
    def from_known(cls, values: dict[str, Any]) -> Self:
        """A record of values whose names are known to be right; for those who build thousands."""
        record = cls.__new__(cls)
        record.__dict__.update(values)
        return record

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

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        import copy

        return self.from_known({name: copy.deepcopy(value, memo) for name, value in vars(self).items()})

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


def _refuse(cls: type, unknown: AbstractSet[str], missing: AbstractSet[str]) -> None:
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
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    if get_origin(annotation) is Annotated and SECRET in annotation.__metadata__:
        return f"Secret[{_type_text(annotation.__origin__)}]"
    return str(annotation).replace("typing.", "")


def _is_secret(annotation: Any, outer: tuple[Any, ...] = ()) -> bool:
    """Whether `Secret` stands anywhere in the annotation; a list of secrets is one too."""
    if get_origin(annotation) is Annotated and SECRET in annotation.__metadata__:
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
    return annotation


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
        return found if any(type(found) is type(one) and found == one for one in arguments) else MISSING
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
        return [(arguments[0], key) for key in value] + [(item_type, item) for item in value.values()]
    if issubclass(kind, tuple) and arguments[-1] is not ...:
        return list(zip(arguments, value, strict=True)) if len(arguments) == len(value) else None
    return [(arguments[0], item) for item in value]


# --- and back from JSON -----------------------------------------------------------------------------


def _turned_back(kind: type, arguments: tuple[Any, ...], value: Any) -> Any:
    """The value of `kind` whose wire form (`safe.py`) is `value`; `MISSING` if there is none."""
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
    found = {_key_from(key_type, key): revive(item_type, item) for key, item in value.items()}
    return MISSING if MISSING in found or any(item is MISSING for item in found.values()) else found


def _key_from(declared: Any, key: str) -> Any:
    found = revive(declared, key)
    return declared(key) if found is MISSING and declared in (int, float) else found


def _collection_from(kind: type, arguments: tuple[Any, ...], value: Any) -> Any:
    from collections.abc import Set as AbstractSet

    pairs = _parts(kind, arguments, value) if arguments else [(Any, item) for item in value]
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
