"""The form of each kind of object as JSON; the reference lists them.

A form asks the class of an object, never the object, which may lie or raise; who calls it catches what it
raises. Budgets are kept by the walk (`walk.py`).
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from errkit.codes import text_of
from errkit.errors import CodedError
from errkit.fields import PLACEHOLDER, Record, class_name, is_a, items_of, secret_names
from errkit.redaction import redact_text
from errkit.redaction.names import BYTES
from errkit.safe.bounds import MARGIN
from errkit.safe.lists import hide_behind_names
from errkit.safe.texts import safe_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.safe.walk import Pass

__all__ = ["form_of"]

_PLAIN_INT: Final = range(-(2**63), 2**64)


def _integer(walk: Pass, value: int) -> int | str:
    plain = int(value)
    if plain in _PLAIN_INT:
        return plain
    if plain.bit_length() > 4_096 or walk.room <= plain.bit_length() // 3:
        walk.left_chars += plain.bit_length() // 3
        return f"<integer of {plain.bit_length()} bits>"
    shown = str(plain)
    walk.spend(len(shown))
    return shown


def _float(_walk: Pass, value: float) -> float | str:
    plain = float(value)
    if plain != plain:
        return "NaN"
    if plain in (float("inf"), float("-inf")):
        return "Infinity" if plain > 0 else "-Infinity"
    return plain


def _dict(walk: Pass, value: dict[Any, Any]) -> Any:
    found = walk.flat(value)
    return _mapping(walk, value) if found is None else found


def _mapping(walk: Pass, value: Mapping[Any, Any]) -> Any:
    return walk.mapping(value.items(), len(value), value)


def _array(walk: Pass, value: Any) -> Any:
    count = list.__len__(value) if is_a(value, list) else tuple.__len__(value)
    items = items_of(value, walk.bounds.items + 1)
    if 0 < count <= walk.bounds.items and walk.room:
        items = hide_behind_names(items, walk.bounds.text + MARGIN)
    return walk.sequence(items, count, value)


def _set(walk: Pass, value: Any) -> Any:
    # A set of a class of its own is not asked how to iterate over it.
    items: Any = value if type(value) in (set, frozenset) else frozenset(value)
    if len(items) <= walk.bounds.items:
        items = sorted(items, key=lambda item: (class_name(item), safe_repr(item)))
    return walk.sequence(items, len(items), value)


def _view(walk: Pass, value: Any) -> Any:
    return walk.sequence(value, len(value), value)


def _bytes(walk: Pass, value: Any) -> str:
    import base64

    limit = min(walk.bounds.text, walk.room) * 3 // 4
    plain: Any = bytes if is_a(value, bytes) else bytearray
    data = bytes(plain.__getitem__(value, slice(limit + MARGIN)))
    text = data.decode("utf-8", "replace")
    if redact_text(text) != text:
        return PLACEHOLDER
    left = plain.__len__(value) - len(data[:limit])
    walk.left_chars += max(left, 0)
    encoded = BYTES + base64.b64encode(data[:limit]).decode("ascii")
    walk.spend(len(encoded))
    return f"{encoded}...[{left} bytes left out]" if left > 0 else encoded


def _memory(walk: Pass, value: memoryview) -> str:
    return _bytes(
        walk,
        value.tobytes()
        if value.nbytes <= walk.bounds.text
        else bytes(value.cast("B")[: walk.bounds.text + MARGIN]),
    )


def _enum(walk: Pass, value: Any) -> Any:
    inner = value._value_
    return walk.value(inner) if isinstance(inner, (str, int, float)) else walk.budgeted(text_of(value._name_))


def _text_form(walk: Pass, value: Any) -> str:
    return walk.budgeted(text_of(value))


def _iso_form(walk: Pass, value: Any) -> str:
    return walk.budgeted(text_of(value.isoformat()))


def _seconds(walk: Pass, value: Any) -> Any:
    return _float(walk, value.total_seconds())


def _record(walk: Pass, value: Record) -> Any:
    pairs = list(value.__iter_fields__())
    return walk.mapping(pairs, len(pairs), value, secret_names(value.__class__))


def _named_tuple(walk: Pass, value: Any) -> Any:
    return walk.mapping(zip(value._fields, value, strict=False), len(value), value)


def _dataclass(walk: Pass, value: Any) -> Any:
    names = list(islice(type(value).__dataclass_fields__, walk.bounds.items + 1))
    hidden = {name for name in names if not type(value).__dataclass_fields__[name].repr}
    pairs = [(name, getattr(value, name, None)) for name in names]
    return walk.mapping(pairs, len(pairs), value, frozenset(hidden))


def _exception(walk: Pass, value: BaseException) -> Any:
    """An exception among the details: its kind and its message, without its causes."""
    most = walk.bounds.key
    shown = {"code": walk.budgeted(value.code, most)} if isinstance(value, CodedError) else {}
    name = walk.budgeted(class_name(value), most)
    return {"type": name, **shown, "message": walk.budgeted(text_of(value))}


def _scalar(walk: Pass, value: Any) -> Any:
    """A number of an array library, which gives its plain value with `item()`."""
    plain = value.item()
    return walk.budgeted(safe_repr(value)) if type(plain) is type(value) else walk.value(plain)


def _anything(walk: Pass, value: object) -> str:
    return walk.budgeted(safe_repr(value))


_FORMS: Final[dict[type, Callable[[Pass, Any], Any]]] = {
    int: _integer,
    float: _float,
    dict: _dict,
    list: _array,
    tuple: _array,
    set: _set,
    frozenset: _set,
    bytes: _bytes,
    bytearray: _bytes,
    memoryview: _memory,
}
"""Exact type -> form; other types are recognized by their base."""


def form_of(kind: type) -> Callable[[Pass, Any], Any]:
    """What makes JSON of the instances of a type, which may raise where an instance lies."""
    return _FORMS.get(kind) or _form_by_base(kind)


def _form_by_base(kind: type) -> Callable[[Pass, Any], Any]:
    for base, form in _bases():
        if issubclass(kind, base):
            return form
    if issubclass(kind, tuple):
        return _named_tuple if hasattr(kind, "_fields") else _array
    if hasattr(kind, "__dataclass_fields__"):
        return _dataclass
    if hasattr(kind, "dtype") and hasattr(kind, "item"):
        return _scalar
    return _anything


def _bases() -> list[tuple[type, Callable[[Pass, Any], Any]]]:
    """Base class -> form, in order; modules that nobody imported have no instances."""
    from collections.abc import ItemsView, KeysView, Mapping, ValuesView

    found: list[tuple[type, Callable[[Pass, Any], Any]]] = [(Record, _record), (BaseException, _exception)]
    for module, name, form in _LATE_BASES:
        base = getattr(sys.modules.get(module), name, None)
        if isinstance(base, type):
            found.append((base, form))
    found += [(str, _text_form), (int, _integer), (float, _float), (Mapping, _mapping), (list, _array)]
    found += [(set, _set), (frozenset, _set), (bytes, _bytes), (bytearray, _bytes)]
    found += [(ItemsView, _view), (KeysView, _view), (ValuesView, _view)]
    return found


_LATE_BASES: Final[tuple[tuple[str, str, Callable[[Pass, Any], Any]], ...]] = (
    ("enum", "Enum", _enum),
    ("datetime", "date", _iso_form),
    ("datetime", "time", _iso_form),
    ("datetime", "timedelta", _seconds),
    ("decimal", "Decimal", _text_form),
    ("uuid", "UUID", _text_form),
    ("pathlib", "PurePath", _text_form),
)
