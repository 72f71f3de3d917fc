"""Annotation-only classes: `Record`, the base of every frozen record of errkit and of `Details`.

A class body of annotations and defaults, with nothing generated at import. What the annotations mean is read
when somebody asks, in `typed.py`. The rooms that a program needs to declare and raise never load `typing`,
which would double the time that it takes to start: they take stand-ins from here, and type checkers see the
originals.

This room knows no codes and no errors: those start in `codes.py`.
"""

from __future__ import annotations

import sys
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set as AbstractSet
    from typing import Annotated, Any, ClassVar, Final, Self, TypeVar, dataclass_transform

    from typing_extensions import TypeIs

    from errkit.typed import Field, fits, is_redacted, read_fields, revive, secret_names

    _T = TypeVar("_T")
else:
    # Stand-ins: while a program runs, nothing reads type parameters, overloads or transforms.
    class Generic:
        """Takes type parameters, and forgets them."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            return cls

    def TypeVar(name, **facts):  # noqa: ARG001, N802
        """The name alone."""
        return name

    ParamSpec = TypeVar

    def dataclass_transform(**facts):  # noqa: ARG001
        """Leave the class as it is."""
        return lambda cls: cls

    def overload(function):
        """Leave the function as it is."""
        return function

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import errkit.typed

        return getattr(errkit.typed, name)


__all__ = [
    "MISSING",
    "PLACEHOLDER",
    "SECRET",
    "Field",
    "Record",
    "Secret",
    "fits",
    "is_redacted",
    "read_fields",
    "revive",
    "secret_names",
]

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

if TYPE_CHECKING:
    Secret = Annotated[_T, SECRET]
    """Marks a details field whose value must never leave the program: `token: Secret[str]`."""
else:

    class Secret:
        """Marks a details field whose value must never leave the program: `token: Secret[str]`."""

        def __class_getitem__(cls, kind):
            from typing import Annotated

            return Annotated[kind, SECRET]


def is_a(value: object, cls: type[_T] | tuple[type[_T], ...]) -> TypeIs[_T]:
    """`isinstance` that asks the class of a value alone: the value may answer with a lie, or raise."""
    return issubclass(type(value), cls)


def items_of(found: object, most: int | None = None) -> list[Any]:
    """The first items of a list or a tuple, none of anything else.

    One of a class of its own is not asked: it may go on for ever.
    """
    if is_a(found, list):
        return list.__getitem__(found, slice(most))
    return list(tuple.__getitem__(found, slice(most))) if is_a(found, tuple) else []


def dict_of(found: Any, most: int = 100_000) -> dict[Any, Any]:
    """What `dict` makes of a value, read no further than `most` pairs where it is of a class of its own.

    Raises what the value raises.
    """
    if is_a(found, dict):
        return dict(found) if type(found) is dict else dict(dict.items(found))
    if hasattr(type(found), "keys"):
        return {key: found[key] for key in islice(found.keys(), most)}
    return dict(items_of(pair, 3) for pair in islice(found, most))


_read_name: Final = type.__dict__["__name__"].__get__


def class_name(value: object) -> str:
    """The name of the class of a value; its metaclass is not asked."""
    name: str = str.__str__(_read_name(type(value)))
    return name


def own_annotations(cls: type) -> Mapping[str, Any]:
    """The annotations written in `cls` itself, unevaluated where the interpreter allows it."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    annotations: Mapping[str, Any] = cls.__dict__.get("__annotations__", {})
    return annotations


def _is_class_variable(annotation: object) -> bool:
    text = annotation if isinstance(annotation, str) else str(annotation)
    return text.removeprefix("typing.").startswith("ClassVar")


def declared_annotations(cls: type) -> dict[str, tuple[type, Any]]:
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
    __fields__: ClassVar[tuple[Field, ...]]
    """What `typed.py` has read of the class: a table of classes would keep those that a reload replaced."""

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
            names = frozenset(declared_annotations(cls))
            cls.__record__ = names, frozenset(name for name in names if not hasattr(cls, name))
        known = cls.__record__
        assert known is not None
        return known

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} can't be set: the record is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} can't be deleted: the record is frozen")

    def __iter_fields__(self) -> Iterator[tuple[str, Any]]:
        for name in declared_annotations(self.__class__):
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
        from errkit.typed import secret_names

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
