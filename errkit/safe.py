"""The one total pass: any object, redacted, as bounded JSON. It never raises.

The order matters. Text is redacted before it is cut, since half a secret is no longer recognized. Each kind
of object has one stated form, listed in `_FORMS` and in the reference. What is left out is counted, and said
where it was left out.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from errkit.asking import asked_for_text
from errkit.codes import text_of
from errkit.errors import CodedError
from errkit.fields import PLACEHOLDER, Record, class_name, is_a, items_of, secret_names
from errkit.redaction import is_secret_item, is_secret_key, literals, redact_argv, redact_text
from errkit.redaction.names import OPEN, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["BOUNDS", "Bounds", "Pass", "redact", "safe_repr", "to_json"]


class Bounds(Record):
    """How much of an object the pass keeps."""

    text: int = 8_192
    """Characters of one text."""
    key: int = 256
    """Characters of one key."""
    depth: int = 12
    """Containers inside containers."""
    items: int = 200
    """Items of one container."""
    nodes: int = 4_000
    """Values in all."""
    chars: int = 131_072
    """Characters in all."""
    causes: int = 16
    """Causes of one error, the root included."""
    group: int = 20
    """Members of one exception group, and failures of cleanup."""


BOUNDS: Final = Bounds()
CIRCULAR: Final = "[Circular]"
_MARGIN: Final = 8_192
"""Characters redacted beyond the cut, so that a secret that crosses it is still recognized."""
_TAIL_SHARE: Final = 4
_PLAIN_INT: Final = range(-(2**63), 2**64)
_FLAT: Final = frozenset({str, int, float, bool, type(None)})
_FEW: Final = 16
"""Items of a mapping that is flat."""
_SHORT: Final = 1_024
"""Characters of a text in it."""
_MAX_REDACT_DEPTH: Final = 100


class Pass:
    """One walk with one budget; `left_items` and `left_chars` count what was left out."""

    def __init__(self, bounds: Bounds = BOUNDS) -> None:
        self.bounds = bounds
        self.left_items = 0
        self.left_chars = 0
        self._nodes = bounds.nodes
        self._chars = bounds.chars
        self._open: set[int] = set()

    def text(self, value: str, limit: int | None = None) -> str:
        """A text: redacted, without lone surrogates, at most `limit` characters and a note of the rest."""
        limit = self.bounds.text if limit is None else limit
        if len(value) <= limit:
            clean = well_formed(redact_text(value))
            if len(clean) <= limit:
                return clean
            value = clean
        return self._cut(value, limit)

    def _cut(self, value: str, limit: int) -> str:
        tail = limit // _TAIL_SHARE
        head = limit - tail
        start = well_formed(redact_text(value[: head + _MARGIN]))[:head]
        end = well_formed(redact_text(value[-(tail + _MARGIN) :]))[-tail:] if tail else ""
        left = len(value) - len(start) - len(end)
        self.left_chars += max(left, 0)
        return f"{start}...[{left} characters left out]...{end}"

    def has_room(self, chars: int) -> bool:
        """Whether so many characters are left of the budget of the whole walk."""
        return self._chars > chars

    def budgeted(self, value: str, most: int | None = None) -> str:
        """A text of at most `most` characters that counts against the budget of the whole walk."""
        limit = min(self.bounds.text if most is None else most, self._chars)
        kept = self.text(value, limit)
        self._chars -= min(len(kept), limit)
        return kept

    def spend(self, chars: int) -> None:
        """Count characters that no text is cut for; what is left is never less than nothing."""
        self._chars = max(self._chars - chars, 0)

    def value(self, value: Any) -> Any:
        """Any object as JSON."""
        kind = type(value)
        if kind is str:
            return self.budgeted(value)
        if value is None or kind is bool:
            return value
        try:
            return (_FORMS.get(kind) or _form_by_base(kind))(self, value)
        except Exception:
            return self.budgeted(safe_repr(value))

    def mapping(
        self,
        items: Iterable[tuple[Any, Any]],
        count: int,
        owner: object,
        secret: frozenset[str] = frozenset(),
    ) -> Any:
        """A JSON object from pairs; values under secret keys are replaced."""
        if not self._enter(owner):
            return CIRCULAR if id(owner) in self._open else self._skip(count)
        found: dict[str, Any] = {}
        try:
            named_secret = _names_a_secret(owner)
            for kept, (key, value) in enumerate(items):
                if kept >= self.bounds.items or self._nodes <= 0:
                    found[_free_key(found, "...")] = self._skip(count - kept)
                    break
                self._nodes -= 1
                name = key if _is_name(key) else self.budgeted(_key_text(key), self.bounds.key)
                declared = type(key) is str and key in secret  # a name may be cut, down to nothing
                hidden = declared or hides(key, value) or (named_secret and key in _VALUE_KEYS)
                found[_free_key(found, name)] = PLACEHOLDER if hidden else self.value(value)
        finally:
            self._open.discard(id(owner))
        return found

    def flat(self, items: dict[Any, Any]) -> dict[str, Any] | None:
        """What `mapping` makes of a few short plain values; None where it may have to cut or to look deeper.

        Most details are so. The two differ in nothing but what they cost. Total.
        """
        if (
            len(items) > _FEW
            or self._nodes <= _FEW
            or self._chars <= _FEW * _SHORT
            or len(self._open) >= self.bounds.depth
            or self.bounds is not BOUNDS
        ):
            return None
        found: dict[str, Any] = {}
        chars = 0
        for key, value in items.items():
            held = type(value)
            if type(key) is not str or held not in _FLAT:
                return None
            if key not in _open_names or literals.forms:
                if not _is_name(key) or (key in _NAME_KEYS and held is str and is_secret_key(value)):
                    return None
                if is_secret_item(key, value):
                    found[key] = PLACEHOLDER
                    continue
                _remember(key)
            if held is str:
                if len(value) > _SHORT:
                    return None
                text = redact_text(value)
                found[key] = text = text if text.isascii() else well_formed(text)
                if len(text) > _SHORT:
                    return None
                chars += len(text)
            elif value is None or -(2**63) <= value < 2**64:
                found[key] = value
            else:
                return None  # also where it is no number
        self._nodes -= len(items)
        self._chars -= chars
        return found

    def sequence(self, items: Iterable[Any], count: int, owner: object) -> Any:
        """A JSON array."""
        if not self._enter(owner):
            return CIRCULAR if id(owner) in self._open else self._skip(count)
        found: list[Any] = []
        try:
            for kept, item in enumerate(items):
                if kept >= self.bounds.items or self._nodes <= 0:
                    found.append(self._skip(count - kept))
                    break
                self._nodes -= 1
                found.append(self.value(item))
        finally:
            self._open.discard(id(owner))
        return found

    def _enter(self, owner: object) -> bool:
        if id(owner) in self._open or len(self._open) >= self.bounds.depth:
            return False
        self._open.add(id(owner))
        return True

    def _skip(self, count: int) -> str:
        self.left_items += max(count, 1)
        return f"[{max(count, 1)} more left out]"


# --- the form of each kind --------------------------------------------------------------------------


def well_formed(text: str) -> str:
    """The text with lone surrogates written out as escapes, so that it can be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def _integer(walk: Pass, value: int) -> int | str:
    plain = int(value)
    if plain in _PLAIN_INT:
        return plain
    if plain.bit_length() > 4_096 or not walk.has_room(plain.bit_length() // 3):
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
    if 0 < count <= walk.bounds.items:
        if all(type(item) is str for item in items):
            items = redact_argv(items)
        elif count == 2 and type(items[0]) is str and hides(items[0], items[1]):
            items = [items[0], PLACEHOLDER]
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

    limit = min(walk.bounds.text, walk._chars) * 3 // 4
    plain: Any = bytes if is_a(value, bytes) else bytearray
    data = bytes(plain.__getitem__(value, slice(limit + _MARGIN)))
    text = data.decode("utf-8", "replace")
    if redact_text(text) != text:
        return PLACEHOLDER
    left = plain.__len__(value) - len(data[:limit])
    walk.left_chars += max(left, 0)
    encoded = "base64:" + base64.b64encode(data[:limit]).decode("ascii")
    walk.spend(len(encoded))
    return f"{encoded}...[{left} bytes left out]" if left > 0 else encoded


def _memory(walk: Pass, value: memoryview) -> str:
    return _bytes(
        walk,
        value.tobytes()
        if value.nbytes <= walk.bounds.text
        else bytes(value.cast("B")[: walk.bounds.text + _MARGIN]),
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
"""Exact type -> form; other types are added when their base is recognized."""


def _form_by_base(kind: type) -> Callable[[Pass, Any], Any]:
    """The form of a type by what it derives from. Classes are asked, never instances, which may lie."""
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


def _key_text(key: object) -> str:
    if key is None or is_a(key, (str, int, float)):
        return text_of(key)
    return safe_repr(key)


def _free_key(found: dict[str, Any], key: str) -> str:
    """The key, or the key with a number where another one has the same text already."""
    if key not in found:
        return key
    number = 2
    while f"{key}#{number}" in found:
        number += 1
    return f"{key}#{number}"


def safe_repr(value: object) -> str:
    """The `repr` of anything, or its type in angle brackets where that fails; not redacted."""
    if is_a(value, BaseExceptionGroup):
        # Its own shows every member anew in each group that shares it: twice as long with each level.
        return f"{class_name(value)}({text_of(value)!r})"
    try:
        shown = repr(asked_for_text(value, "__repr__"))
        return str.__str__(shown)
    except Exception:
        return f"<{class_name(value)} object>"


# --- redacting --------------------------------------------------------------------------------------

_VALUE_KEYS: Final = frozenset({"value", "val", "content", "data"})
_NAME_KEYS: Final = frozenset({"name", "key", "header", "field"})

_MOST_NAMES: Final = 2_048
_open_names: Final[set[str]] = set()
"""Names that were found to stand for nothing secret, whatever stands under them."""


def _is_name(key: object) -> bool:
    """Whether a key is a short identifier, and not itself a secret, such as a token or a literal."""
    return type(key) is str and len(key) < 64 and key.isidentifier() and redact_text(key) is key


def _remember(name: str) -> None:
    if kind_of(name) == OPEN and name not in _NAME_KEYS:
        if len(_open_names) >= _MOST_NAMES:
            _open_names.clear()
        _open_names.add(name)


def hides(key: object, value: object) -> bool:
    """Whether a value must not be shown because of the key it stands under; absence is no secret."""
    return is_a(key, str) and is_secret_item(str.__str__(key), value)


def _names_a_secret(owner: object) -> bool:
    """Whether a mapping is a pair in long form, such as `{"name": "Authorization", "value": ...}`."""
    if type(owner) is not dict:
        return False
    return any(isinstance(owner.get(key), str) and is_secret_key(owner[key]) for key in _NAME_KEYS)


def redact(value: Any) -> Any:
    """`value` without its secrets: a text, dict, list or tuple of the same type; an exception's payload.

    Anything else comes back as it is. The input is never changed, and nothing is cut.
    """
    if is_a(value, BaseException):
        from errkit.payload import to_payload

        return to_payload(value)
    try:
        return _redacted(value, frozenset(), {})
    except Exception:
        return PLACEHOLDER


def _redacted(value: Any, outer: frozenset[int], done: dict[tuple[int, int], Any]) -> Any:
    """The value without its secrets; `done` is what was made of others at each depth.

    What stands in many places is looked at once: thirty lists, each twice in the next, would never end.
    """
    if is_a(value, str):
        return redact_text(str.__str__(value))
    if not is_a(value, (dict, list, tuple, BaseException)):
        return value
    if id(value) in outer:
        return CIRCULAR
    if len(outer) >= _MAX_REDACT_DEPTH:
        return PLACEHOLDER
    place = id(value), len(outer)
    if place not in done:
        if is_a(value, BaseException):
            done[place] = redact(value)
        elif is_a(value, dict):
            done[place] = _redacted_map(value, outer | {id(value)}, done)
        else:
            done[place] = _redacted_items(value, outer | {id(value)}, done)
    return done[place]


def _redacted_map(value: dict[Any, Any], inside: frozenset[int], done: dict[tuple[int, int], Any]) -> Any:
    named_secret = _names_a_secret(value)
    return {
        _redacted(key, inside, done): PLACEHOLDER
        if hides(key, item) or (named_secret and key in _VALUE_KEYS)
        else _redacted(item, inside, done)
        for key, item in dict.items(value)
    }


def _redacted_items(value: Any, inside: frozenset[int], done: dict[tuple[int, int], Any]) -> Any:
    items = items_of(value)
    if items and all(type(item) is str for item in items):
        items = redact_argv(items)
    elif len(items) == 2 and hides(items[0], items[1]):
        items = [items[0], PLACEHOLDER]
    else:
        items = [_redacted(item, inside, done) for item in items]
    if is_a(value, list):
        return items
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def to_json(value: object, bounds: Bounds = BOUNDS) -> Any:
    """Any object as redacted, bounded JSON of exact built-in types. Never raises."""
    try:
        return Pass(bounds).value(value)
    except Exception:
        return f"<{class_name(value)} object>"
