"""The keys of `errkit.catalog/1`, and which kind of value belongs to each.

An unknown key is ignored, so that a newer errkit may add some within this format. One that looks like a known
key is taken for a misspelling and refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from errkit.catalog_file.parsing import LARGEST, Fault, at
from errkit.safe import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "CODE_KEYS",
    "DOMAIN_KEYS",
    "FIELD_KEYS",
    "FORMAT",
    "REASON_KEYS",
    "REGISTRY_KEYS",
    "check_format",
    "checked",
]

FORMAT: Final = "errkit.catalog/1"

_Check: TypeAlias = "tuple[str, Callable[[Any], bool]]"


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


_TEXT: Final[_Check] = "text", _is(str)
_WHOLE_NUMBER: Final[_Check] = "a whole number", lambda value: _is(int)(value) and abs(value) <= LARGEST
_NUMBER: Final[_Check] = (
    "a number",
    lambda value: abs(value) < float("inf") if isinstance(value, float) else _WHOLE_NUMBER[1](value),
)
_TRUTH: Final[_Check] = "true or false", _is(bool)
_TABLE: Final[_Check] = "an object", _is(dict)
_ARRAY: Final[_Check] = "an array", _is(list)
_TEXTS: Final[_Check] = (
    "an array of texts",
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
)
_ANYTHING: Final[_Check] = "anything", lambda _: True

REGISTRY_KEYS: Final[dict[str, _Check]] = {
    "format": _TEXT,
    "registry": _TEXT,
    "markup": _TEXT,
    "headings": _TEXT,
    "domains": _ARRAY,
}
DOMAIN_KEYS: Final[dict[str, _Check]] = {
    "domain": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "numbers": _ARRAY,
    "codes": _ARRAY,
}
CODE_KEYS: Final[dict[str, _Check]] = {
    "const": _TEXT,
    "code": _TEXT,
    "title": _TEXT,
    "number": _WHOLE_NUMBER,
    "kind": _TEXT,
    "alert": _TRUTH,
    "public": _TRUTH,
    "hint": _TEXT,
    "description": _TEXT,
    "http_status": _WHOLE_NUMBER,
    "retry_after": _NUMBER,
    "details": _ARRAY,
    "reasons": _TABLE,
    "example": _TABLE,
    "aliases": _TEXTS,
    "since": _TEXT,
    "deprecated": _TEXT,
    "replaced_by": _TEXT,
    "docs": _TEXT,
}
FIELD_KEYS: Final[dict[str, _Check]] = {
    "name": _TEXT,
    "type": _TEXT,
    "required": _TRUTH,
    "default": _ANYTHING,
    "secret": _TRUTH,
    "description": _TEXT,
}
REASON_KEYS: Final[dict[str, _Check]] = {"title": _TEXT, "hint": _TEXT, "retryable": _TRUTH}
# Keys that somebody who knows payloads may write; silence would leave the belief that they count.
_NOT_KEYS: Final = {
    "retryable": "follows from kind; write kind = transient",
    "message": "is given where the error is raised; write title",
}


def checked(item: object, keys: Mapping[str, _Check], place: str, *required: str) -> dict[str, Any]:
    """The known keys of an object, each of its kind; null is as good as absent."""
    if not isinstance(item, dict):
        raise Fault(place or "the file", f"expected an object, found {_kind_of(item)}")
    for name in item:
        if name not in keys:
            _refuse_misspelt(name, keys, place)
    found = {name: value for name, value in item.items() if name in keys and value is not None}
    for name, value in found.items():
        expected, fits = keys[name]
        if not fits(value):
            raise Fault(at(place, name), f"expected {expected}, found {_kind_of(value)}")
        if isinstance(value, str):
            found[name] = well_formed(value)
    for name in required:
        if name not in found:
            raise Fault(at(place, name), "is missing")
    return found


def _refuse_misspelt(name: str, keys: Mapping[str, _Check], place: str) -> None:
    import difflib

    if name in _NOT_KEYS and keys is CODE_KEYS:
        raise Fault(at(place, name), f"is no key of a code: it {_NOT_KEYS[name]}")
    near = difflib.get_close_matches(name[:100].lower(), keys, n=1, cutoff=0.8)
    if near:
        raise Fault(at(place, name), f"is no known key; did you mean {near[0]!r}?")


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    for expected, fits in (_TRUTH, _TEXT, _WHOLE_NUMBER, _NUMBER, _ARRAY, _TABLE):
        if fits(value):
            return expected
    return f"a number beyond {LARGEST}" if isinstance(value, (int, float)) else f"a {type(value).__name__}"


def check_format(data: object) -> None:
    """Refuse what does not say that it is a catalogue of this format."""
    if not isinstance(data, dict):
        raise Fault("the file", f"expected an object, found {_kind_of(data)}")
    found = data.get("format")
    match = re.fullmatch(r"errkit\.catalog/([1-9]\d{0,8})", found) if isinstance(found, str) else None
    if match is None:
        shown = repr(found[:80]) if isinstance(found, str) else _kind_of(found)
        raise Fault("format", f"expected {FORMAT!r}, found {shown if 'format' in data else 'nothing'}")
    if match[1] != FORMAT.rpartition("/")[2]:
        raise Fault("format", f"version {match[1]} is newer than this errkit reads; update errkit")
