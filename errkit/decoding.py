"""From payloads to errors: checked where they enter, read into facts at once or at the first look.

A payload is data of a stranger. Nothing in it is imported, evaluated or trusted, and what does not fit gives
an error that names its place. `payload.py` is the public face of this room.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from errkit import own
from errkit.asking import sharing
from errkit.codes import native_new, set_arguments, text_of
from errkit.errors import CodedError, attributes_of, home_registry
from errkit.fields import MISSING, PLACEHOLDER, class_name, dict_of, is_a, items_of
from errkit.guards import MAX_WALK, error_info, is_coded_error
from errkit.reading import READERS, whole_number
from errkit.safe import BOUNDS, Pass, hides, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.registry import Registry

__all__ = [
    "MAX_CODE",
    "MAX_ERRORS",
    "MAX_GROUP_DEPTH",
    "VERSION",
    "decode",
    "decode_at",
    "decode_own",
    "error_of",
    "kind_name",
    "malformed",
    "read_arrived",
]

VERSION: Final = 1
MAX_CODE: Final = 512
"""Characters of a code."""
MAX_GROUP_DEPTH: Final = 6
"""Groups inside groups."""
MAX_ERRORS: Final = 400
"""Errors of one payload, members and their causes included; those of the first chain are never left out."""

_STRUCTURE: Final = frozenset(
    {"v", "code", "message", "cause", "group", "secondary", "notes", "elided", "details"}
)
_DECLARED: Final = frozenset({"number", "kind", "alert", "docs"})
"""What the local registry says of a code that it knows."""
_ELIDED: Final = ("causes", "items", "chars")
_FAMILY: Final = ("group", "secondary")


# --- what is malformed ------------------------------------------------------------------------------


def malformed(place: str, problem: str, found: object) -> CodedError:
    """The error that stands in for a payload which is broken at `place`.

    Parameters
    ----------
    place
        The path of the fault, such as `$.cause.message`.
    problem
        What was expected there, and what was found.
    found
        What stands there; it is shown redacted and cut.
    """
    shown = Pass().text(found[:400] if type(found) is str else text_of(to_json(found)), 200)
    return own.ErrkitError.MALFORMED_PAYLOAD(
        f"payload is malformed at {place}: {problem}", place=place, problem=problem, found=shown
    )


def kind_name(value: object) -> str:
    """What a value is called in JSON."""
    return _KIND_NAMES.get(type(value), class_name(value))


_KIND_NAMES: Final[dict[type, str]] = {
    dict: "an object",
    list: "an array",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


# --- a chain ----------------------------------------------------------------------------------------


def decode(payload: Any, registry: Registry) -> CodedError:
    """The error of a payload, whatever it is. Never raises."""
    try:
        return decode_at("$", payload, registry)
    except Exception as error:
        return malformed("$", f"could not be read: {class_name(error)}", payload)


def decode_at(place: str, payload: Any, registry: Registry) -> CodedError:
    """The error of a payload that stands at `place`, with its causes and members.

    May raise for what only a program can hand over, such as a mapping that raises.
    """
    with sharing():
        return _decode_chain(place, payload, _Reading(registry), 0)


class _Reading:
    """One payload that is read, and how much of it may still be."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.errors = MAX_ERRORS
        """What a program hands over may hold one payload in many places, each with all that is in it."""


def _decode_chain(place: str, payload: Any, reading: _Reading, depth: int) -> CodedError:
    """An error, `depth` groups deep, with its causes and members."""
    first = error = _decode_one(payload, reading, place, depth)
    left = 0
    for _ in range(BOUNDS.causes * 2):
        payload = payload.get("cause") if isinstance(payload, dict) else None
        if payload is None:
            return first
        place += ".cause"
        cause = _decode_one(payload, reading, place, depth)
        error.__cause__ = error = cause
    seen: set[int] = set()
    while (
        is_a(payload, dict)
        and payload.get("cause") is not None
        and id(payload) not in seen
        and left < MAX_WALK
    ):
        seen.add(id(payload))
        payload, left = payload["cause"], left + 1
    if left:
        # The last one counted is the root, which is kept.
        first.note_facts(causes_left_out=int(first._facts.get("causes_left_out", 0)) + left - 1)
        error.__cause__ = _decode_one(payload, reading, f"{place}.cause", depth)
    return first


def decode_own(payload: Any, registry: Registry) -> CodedError:
    """Like `decode`, for small JSON that nobody else holds: its facts are read at the first look.

    Only what is right at a glance waits; anything else is decoded at once, so that a fault is told at once.
    """
    links: list[CodedError] = []
    link = payload
    while link is not None:
        if not _is_right(link) or len(links) > BOUNDS.causes:
            return decode(payload, registry)
        links.append(_unread(link, registry))
        link = link.get("cause")
    for effect, cause in pairwise(links):
        effect.__cause__ = cause
    return links[0] if links else decode(payload, registry)


def _is_right(items: Any) -> bool:
    """Whether `_decode_one` would find no fault, nor anything that must be read at once."""
    return (
        type(items) is dict
        and type(items.get("code")) is str
        and 0 < len(items["code"]) <= MAX_CODE
        and type(items.get("message")) is str
        and items.get("v") is VERSION
        and _AT_ONCE.isdisjoint(items)
    )


_AT_ONCE: Final = frozenset({"group", "secondary", "notes"})


# --- one error --------------------------------------------------------------------------------------


def _decode_one(payload: Any, reading: _Reading, place: str, depth: int) -> CodedError:
    reading.errors -= 1
    if type(payload) is dict:
        items = payload
    else:
        from collections.abc import Mapping

        if not is_a(payload, Mapping):
            return malformed(place, f"expected an object, found {kind_name(payload)}", payload)
        items = dict_of(payload)
    for key in ("code", "message"):
        if not isinstance(items.get(key), str):
            found = kind_name(items[key]) if key in items else "nothing"
            return malformed(f"{place}.{key}", f"expected text, found {found}", items.get(key))
    if not 0 < len(items["code"]) <= MAX_CODE:
        return malformed(
            f"{place}.code",
            f"expected 1 to {MAX_CODE} characters, found {len(items['code'])}",
            items["code"],
        )
    version = items.get("v", VERSION)
    if type(version) is float and version.is_integer():
        version = int(version)  # JSON knows no difference
    if type(version) is not int or version < 1:
        return malformed(
            f"{place}.v", f"expected a whole number from 1 up, found {kind_name(version)}", version
        )
    error = _unread(items, reading.registry)
    read_arrived(error)
    _add_family(error, items, reading, place, depth)
    return error


def _unread(items: dict[str, Any], registry: Registry) -> CodedError:
    """The error of checked items with its code and message; `read_arrived` reads the rest."""
    spec = error_info(items["code"], registry=registry)
    name = items.get("name")
    cls = registry.class_of(spec, name if isinstance(name, str) else None) or CodedError
    try:
        error: CodedError = Exception.__new__(cls, items["message"])
    except TypeError:  # a class with a built-in base of its own
        error = native_new(cls)(cls)
        set_arguments(error, (items["message"],))
    values = attributes_of(error)
    values["_spec"], values["_arrived"] = spec, items
    return error


def read_arrived(error: CodedError) -> None:
    """Read the details and the facts of an error that came by the wire, if that was put off."""
    values = attributes_of(error)
    items = values.get("_arrived")
    if items is None:
        return
    details = items.get("details")
    found = to_json(details) if is_a(details, dict) else {}
    facts = _facts_of(items, error)
    # Another thread may read at the same time: the first one wins.
    values.setdefault("_details", found)
    values.setdefault("_facts", facts)
    values.pop("_arrived", None)


def _facts_of(items: Mapping[str, Any], error: CodedError) -> dict[str, Any]:
    facts: dict[str, Any] = {"revived": True}
    unknown: dict[str, Any] = {}
    known, name = error._spec.cls is not None, class_name(error)
    walk = Pass()
    for key, value in items.items():
        if (key in _STRUCTURE and (key != "details" or is_a(value, dict))) or (
            key == "name" and value == name
        ):
            continue
        reader = READERS.get(key)
        read = MISSING if reader is None else reader(value)
        if read is MISSING:
            if len(unknown) < BOUNDS.items:
                shown = walk.text(text_of(key), BOUNDS.key)
                unknown[shown] = PLACEHOLDER if hides(key, value) else walk.value(value)
        elif not known or key not in _DECLARED:
            facts[key] = read
    if unknown:
        facts["unknown"] = unknown
    elided = items.get("elided")
    if isinstance(elided, dict):
        counts = {what: whole_number(elided.get(what)) for what in _ELIDED}
        facts |= {f"{what}_left_out": n for what, n in counts.items() if n is not MISSING and n > 0}
    return facts


def _add_family(
    error: CodedError, items: Mapping[str, Any], reading: _Reading, place: str, depth: int
) -> None:
    """Members, failures of cleanup and notes."""
    for key in _FAMILY:
        members = items.get(key)
        if is_a(members, (list, tuple)):
            found = tuple(
                _decode_chain(f"{place}.{key}[{index}]", member, reading, depth + 1)
                for index, member in enumerate(items_of(members, BOUNDS.group))
                if depth < MAX_GROUP_DEPTH and reading.errors > 0
            )
            kind: Any = list if is_a(members, list) else tuple
            left = kind.__len__(members) - len(found) + int(error._facts.get("items_left_out", 0))
            error.note_facts(**{key: found}, **({"items_left_out": left} if left else {}))
    for note in items_of(items.get("notes"), BOUNDS.group):
        error.add_note(text_of(note)[: BOUNDS.text])


# --- what is no payload -----------------------------------------------------------------------------


def error_of(value: object) -> CodedError:
    """An object that was passed where an error belongs."""
    from collections.abc import Mapping

    try:
        if is_a(value, Mapping) and is_a(value.get("code"), str) and is_a(value.get("message"), str):
            return decode(value, home_registry(CodedError))
        if is_coded_error(value):
            return CodedError(value.code, value.message, details=getattr(value, "details", None))  # type: ignore[attr-defined]
    except Exception:
        return _wrapped(value)
    return _wrapped(value)


def _wrapped(value: object) -> CodedError:
    shown = value if isinstance(value, str) else to_json(value)
    return CodedError("internal", shown if isinstance(shown, str) else _compact(shown))


def _compact(shown: object) -> str:
    import json

    return json.dumps(shown, ensure_ascii=False)
