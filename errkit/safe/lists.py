"""What must not be shown because of what stands before it in a list: an argument, the value of a header.

Names and values may be texts or bytes, as in the headers of ASGI; a name may be a member of an enumeration.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from errkit.fields import PLACEHOLDER, is_a
from errkit.redaction import redact_argv
from errkit.safe.names import hides

__all__ = ["hide_behind_names"]


def hide_behind_names(items: list[Any], most: int | None = None) -> list[Any]:
    """The items; what an option or a name before them makes a secret is replaced.

    Parameters
    ----------
    items
        All items of the list.
    most
        How many characters of a text tell; all if not given. More of it is not looked at here.
    """
    if all(type(item) in (str, bytes) for item in items):
        starts = [_start(item, most) for item in items]
        return [_shown(*each) for each in zip(items, starts, redact_argv(starts), strict=True)]
    if len(items) == 2 and is_a(items[0], (str, bytes, bytearray, Enum)) and hides(items[0], items[1]):
        return [items[0], PLACEHOLDER]
    return items


def _start(item: str | bytes, most: int | None) -> str:
    start = item[:most]
    return start.decode("utf-8", "replace") if isinstance(start, bytes) else start


def _shown(item: str | bytes, start: str, redacted: str) -> str | bytes:
    if redacted == start:
        return item
    if type(item) is bytes:
        return PLACEHOLDER
    return redacted if len(item) == len(start) or redacted.endswith(PLACEHOLDER) else item
