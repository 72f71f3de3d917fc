"""Texts of what is no text: of any object, of a key, of half a character.

Nothing here redacts or cuts; that is done by who asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.asking import asked_for_text
from errkit.codes import text_of
from errkit.fields import class_name, is_a

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["CIRCULAR", "free_key", "key_text", "safe_repr", "well_formed"]

CIRCULAR: Final = "[Circular]"
"""What stands in place of a container inside itself."""


def well_formed(text: str) -> str:
    """The text with lone surrogates written out as escapes, so that it can be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


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


def key_text(key: object) -> str:
    """What a key of any kind is called: as JSON would, where it has a way, else its `repr`."""
    if key is None or is_a(key, (str, int, float)):
        return text_of(key)
    return safe_repr(key)


def free_key(found: Container[str], key: str) -> str:
    """The key, or the key with a number where another one has the same text already."""
    if key not in found:
        return key
    number = 2
    while f"{key}#{number}" in found:
        number += 1
    return f"{key}#{number}"
