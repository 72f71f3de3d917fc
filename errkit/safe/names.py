"""What must not be shown because of the name it stands under.

Whether a name is a secret's is decided in `redaction`; here it is asked of the keys of containers.
"""

from __future__ import annotations

from typing import Final

from errkit.fields import is_a
from errkit.redaction import is_secret_item, is_secret_key, redact_text
from errkit.redaction.names import OPEN, kind_of

__all__ = ["NAME_KEYS", "VALUE_KEYS", "hides", "is_name", "names_a_secret", "open_names", "remember"]

VALUE_KEYS: Final = frozenset({"value", "val", "content", "data"})
NAME_KEYS: Final = frozenset({"name", "key", "header", "field"})

_MOST_NAMES: Final = 2_048
open_names: Final[set[str]] = set()
"""Names that were found to stand for nothing secret, whatever stands under them."""


def is_name(key: object) -> bool:
    """Whether a key is a short identifier, and not itself a secret, such as a token or a literal."""
    return type(key) is str and len(key) < 64 and key.isidentifier() and redact_text(key) is key


def remember(name: str) -> None:
    """Keep a name under which nothing secret stands, so that it need not be judged again."""
    if kind_of(name) == OPEN and name not in NAME_KEYS:
        if len(open_names) >= _MOST_NAMES:
            open_names.clear()
        open_names.add(name)


def hides(key: object, value: object) -> bool:
    """Whether a value must not be shown because of the key it stands under; absence is no secret."""
    return is_a(key, str) and is_secret_item(str.__str__(key), value)


def names_a_secret(owner: object) -> bool:
    """Whether a mapping is a pair in long form, such as `{"name": "Authorization", "value": ...}`."""
    if type(owner) is not dict:
        return False
    return any(isinstance(owner.get(key), str) and is_secret_key(owner[key]) for key in NAME_KEYS)
