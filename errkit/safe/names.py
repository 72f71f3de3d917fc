"""What must not be shown because of the name it stands under.

Whether a name is a secret's is decided in `redaction`; here it is asked of the keys of containers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from errkit.fields import is_a
from errkit.redaction import is_secret_item, is_secret_key, redact_text
from errkit.redaction.names import OPEN, kind_of, words_of
from errkit.safe.texts import key_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["hides", "is_name", "names_a_secret", "open_names", "remember", "values_of_secrets"]

_NAMES: Final = frozenset({"name", "key", "header", "field"})
_VALUES: Final = frozenset({"value", "val", "content", "data"})
"""Last words of the two keys of a pair in long form: `{"name": ..., "value": ...}`, or with words before
them that both have, such as `ParameterKey` and `ParameterValue`."""

_MOST_NAMES: Final = 2_048
open_names: Final[set[str]] = set()
"""Names that were found to stand for nothing secret, whatever stands under them."""


def is_name(key: object) -> bool:
    """Whether a key is a short identifier, and not itself a secret, such as a token or a literal."""
    return type(key) is str and len(key) < 64 and key.isidentifier() and redact_text(key) is key


def remember(name: str) -> None:
    """Keep a name under which nothing secret stands, so that it need not be judged again."""
    if kind_of(name) == OPEN and _part(name) not in _NAMES:
        if len(open_names) >= _MOST_NAMES:
            open_names.clear()
        open_names.add(name)


def hides(key: object, value: object) -> bool:
    """Whether a value must not be shown because of the key it stands under; absence is no secret.

    Bytes are read as text; another key that is none, such as a member of an enumeration, is taken for what
    is shown of it.
    """
    return is_secret_item(_name_of(key), value)


def _name_of(key: object) -> str:
    kinds: tuple[Any, ...] = (bytes, bytearray)  # asked by name: a class derived from one answers as it likes
    for kind in kinds:
        if is_a(key, kind):
            return bytes(kind.__getitem__(key, _LAST)).decode("utf-8", "replace")
    return str.__str__(key) if is_a(key, str) else key_text(key)


_LAST: Final = slice(-200, None)
"""Of a very long name the end tells."""


# --- pairs in long form -----------------------------------------------------------------------------


def names_a_secret(key: str, value: object) -> bool:
    """Whether an item of a mapping says that a secret stands beside it: `{"name": "Authorization"}`."""
    return _part(key) in _NAMES and is_a(value, (str, bytes, bytearray)) and is_secret_key(_name_of(value))


def values_of_secrets(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The keys of a mapping under which that secret stands: `value` in `{"name": "Cookie", "value": ...}`."""
    keys = [(key, value) for key, value in items if type(key) is str]
    owners = {_owner(key) for key, value in keys if names_a_secret(key, value)}
    if not owners:
        return frozenset()
    return frozenset(key for key, _ in keys if _part(key) in _VALUES and _owner(key) in owners)


def _part(key: str) -> str | None:
    """`name` or `value` or their like, of a key that ends so; None for any other."""
    return _split(key)[1] if len(key) < 64 else None


def _owner(key: str) -> tuple[str, ...]:
    return _split(key)[0]


@lru_cache(maxsize=_MOST_NAMES)
def _split(key: str) -> tuple[tuple[str, ...], str | None]:
    words = words_of(key)
    if words and (words[-1] in _NAMES or words[-1] in _VALUES):
        return tuple(words[:-1]), words[-1]
    return (), None
