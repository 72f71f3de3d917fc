"""Values for the fields of details, by their declared types.

Only what fits its type and comes back from JSON: no NaN, no whole number beyond 2**53, no lone surrogate. The
simplest value comes first. A type that is not known here is left to Hypothesis's own `from_type`, so whatever
a project has registered there holds here as well.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import pathlib
import types
import uuid
from collections.abc import Callable, Iterable, Mapping, Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from hypothesis import strategies as st

from errkit.fields import MISSING, Record, read_fields

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["field_values", "json_values", "messages", "values"]

LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON reads exactly."""
_MOST: Final = 4
"""Items of a drawn container."""

_TEXTS: Final = st.text(max_size=24)
_INTEGERS: Final = st.integers(-LARGEST, LARGEST)
_FLOATS: Final = st.floats(allow_nan=False, allow_infinity=False)

messages: Final[SearchStrategy[str | None]] = st.text(max_size=60).map(lambda text: text or None)
"""What a throw site says; None for the title of the code."""

json_values: Final[SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | _INTEGERS | _FLOATS | _TEXTS,
    lambda inner: (
        st.lists(inner, max_size=_MOST) | st.dictionaries(st.text(max_size=8), inner, max_size=_MOST)
    ),
    max_leaves=6,
)
"""Anything that JSON can hold."""

_PLAIN: Final[dict[Any, SearchStrategy[Any]]] = {
    str: _TEXTS,
    bool: st.booleans(),
    int: _INTEGERS,
    float: _FLOATS,
    bytes: st.binary(max_size=24),
    bytearray: st.binary(max_size=24).map(bytearray),
    type(None): st.none(),
    None: st.none(),
    Any: json_values,
    object: json_values,
    MISSING: _TEXTS,
    datetime.datetime: st.datetimes(timezones=st.sampled_from([None, datetime.UTC])),
    datetime.date: st.dates(),
    datetime.time: st.times(),
    # Their JSON form is seconds as a float: more days would lose microseconds.
    datetime.timedelta: st.timedeltas(datetime.timedelta(days=-10_000), datetime.timedelta(days=10_000)),
    decimal.Decimal: st.decimals(
        allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9
    ),
    uuid.UUID: st.uuids(),
}


def field_values(cls: type[Record]) -> SearchStrategy[dict[str, Any]]:
    """Keywords for a record: the required fields always, the others now and then."""
    fields = {field.name: field for field in read_fields(cls)}
    found = {name: values(field.type) for name, field in fields.items()}
    return st.fixed_dictionaries(
        {name: found[name] for name, field in fields.items() if field.required},
        optional={name: found[name] for name, field in fields.items() if not field.required},
    )


def values(declared: Any) -> SearchStrategy[Any]:
    """Values of a declared type."""
    origin = get_origin(declared)
    if origin is Annotated:
        return values(get_args(declared)[0])
    known = _PLAIN.get(declared) if _is_hashable(declared) else None
    if known is not None:
        return known
    if isinstance(declared, TypeVar):
        return json_values
    alias = getattr(declared, "__value__", None) or getattr(declared, "__supertype__", None)
    if alias is not None:
        return _later(alias)
    if origin in (Union, types.UnionType):
        # None is simpler than anything else.
        choices = sorted(get_args(declared), key=lambda choice: choice is not types.NoneType)
        return st.one_of([values(choice) for choice in choices])
    if origin is Literal:
        return st.sampled_from(get_args(declared))
    kind = origin or declared
    return _of_class(kind, get_args(declared), declared) if isinstance(kind, type) else st.from_type(declared)


def _is_hashable(declared: Any) -> bool:
    try:
        hash(declared)
    except TypeError:
        return False
    return True


def _of_class(kind: Any, arguments: tuple[Any, ...], declared: Any) -> SearchStrategy[Any]:
    if issubclass(kind, enum.Enum):
        return st.sampled_from(list(kind))
    if issubclass(kind, Record):
        return _later(kind)
    if issubclass(kind, pathlib.PurePath):
        names = st.text(st.characters(codec="utf-8", exclude_characters="\0/\\"), min_size=1, max_size=8)
        return st.lists(names, max_size=3).map(lambda parts: kind(*parts))
    if issubclass(kind, tuple) and not hasattr(kind, "_fields"):
        return _tuples(arguments)
    if kind in _CONTAINERS or getattr(kind, "__module__", "") == "collections.abc":
        found = _container(kind, arguments)
        return st.from_type(declared) if found is None else found
    return st.from_type(declared)


@lru_cache(maxsize=256)
def _later(declared: Any) -> SearchStrategy[Any]:
    """Values of a type that may hold itself: always the same strategy, looked into when it is drawn from."""
    if isinstance(declared, type) and issubclass(declared, Record):
        return st.deferred(lambda: field_values(declared).map(lambda found: declared(**found)))
    return st.deferred(lambda: values(declared))


def _tuples(arguments: tuple[Any, ...]) -> SearchStrategy[Any]:
    if not arguments or arguments[-1] is ...:
        items = values(arguments[0]) if arguments else json_values
        return st.lists(items, max_size=_MOST).map(tuple)
    return st.tuples(*map(values, arguments))


_CONTAINERS: Final = frozenset({list, set, frozenset, dict})


def _container(kind: type, arguments: tuple[Any, ...]) -> SearchStrategy[Any] | None:
    if issubclass(kind, Mapping):
        keys, items = arguments if len(arguments) == 2 else (str, Any)
        return st.dictionaries(values(keys), values(items), max_size=_MOST)
    item = values(arguments[0]) if len(arguments) == 1 else json_values
    if issubclass(kind, AbstractSet):
        make: Callable[[Iterable[Any]], Any] = set if kind is set else frozenset
        return st.lists(item, max_size=_MOST, unique=True).map(make) if arguments else st.just(make(()))
    if issubclass(kind, Iterable):
        return st.lists(item, max_size=_MOST)
    return None
