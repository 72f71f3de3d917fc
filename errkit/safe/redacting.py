"""`redact`, the public face for values that are to keep their type and their size.

It hides what the pass hides (`walk.py`), and neither bounds nor translates into JSON.
"""

from __future__ import annotations

from typing import Any, Final

from errkit.fields import PLACEHOLDER, is_a, items_of
from errkit.redaction import redact_text
from errkit.safe.lists import hide_behind_names
from errkit.safe.names import hides, values_of_secrets
from errkit.safe.texts import CIRCULAR

__all__ = ["redact"]

_MAX_DEPTH: Final = 100


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
    if len(outer) >= _MAX_DEPTH:
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
    named = values_of_secrets(dict.items(value))
    return {
        _redacted(key, inside, done): PLACEHOLDER
        if hides(key, item) or (type(key) is str and key in named)
        else _redacted(item, inside, done)
        for key, item in dict.items(value)
    }


def _redacted_items(value: Any, inside: frozenset[int], done: dict[tuple[int, int], Any]) -> Any:
    items = hide_behind_names(items_of(value))
    names = getattr(type(value), "_fields", ())  # of a named tuple
    if names:
        items = [PLACEHOLDER if hides(*each) else each[1] for each in zip(names, items, strict=True)]
    items = [_redacted(item, inside, done) for item in items]
    if is_a(value, list):
        return items
    return type(value)(*items) if names else tuple(items)
