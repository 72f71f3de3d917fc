"""What the dialects have in common: reading any error once, and reviving one from its native payload.

Each dialect is a pair of plain functions between its own form and the native payload, so redaction, bounds
and the rules of `from_payload` hold for all of them. This room knows no form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.decoding import decode_at, kind_name, malformed as malformed_at
from errkit.errors import CodedError, bare, home_registry
from errkit.fields import PLACEHOLDER, Record, class_name, dict_of, is_a
from errkit.guards import error_info
from errkit.payload import to_payload
from errkit.safe import hides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from errkit.codes import ErrorSpec
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = [
    "NATIVE",
    "ROUTINE",
    "Facts",
    "fact_text",
    "guarded",
    "home",
    "malformed",
    "read",
    "revive",
    "told_by",
    "without",
]

MAX_CODE: Final = 512
"""Characters of a code that `from_payload` takes."""
_MAX_CAUSES: Final = 100_000
"""Causes of one object that are followed; the root of a longer chain is lost."""

ROUTINE: Final = frozenset({"v", "code", "message"})
"""Keys of every payload; a dialect has a place of its own for them."""

NATIVE: Final = ROUTINE | {
    "retryable",
    "number",
    "name",
    "kind",
    "alert",
    "retry_after",
    "retries_spent",
    "hint",
    "docs",
    "details",
    "supported_on",
    "diagnostic_id",
    "log_path",
    "notes",
    "cause",
    "group",
    "secondary",
    "elided",
}
"""All keys of the native payload. Another one came from a sender that knows more, and is sent on."""


# --- encoding ---------------------------------------------------------------------------------------


class Facts(Record):
    """An error as a dialect reads it."""

    payload: dict[str, Any]
    """The native payload for the audience; only `code` and `message` are sure to be of their type."""
    spec: ErrorSpec
    """The facts of the code; of an unknown one, facts that fail closed."""
    said: bool
    """Whether the retry verdict was said of this failure, and does not follow from its code."""

    @property
    def known(self) -> bool:
        """Whether a registry has the code."""
        return self.spec.cls is not None

    @property
    def code(self) -> str:
        """The code."""
        code: str = self.payload["code"]
        return code

    @property
    def message(self) -> str:
        """The message, redacted."""
        message: str = self.payload["message"]
        return message

    @property
    def retryable(self) -> bool:
        """The retry verdict."""
        return self.payload.get("retryable") is True

    def text(self, key: str) -> str:
        """A text of the payload; empty if there is none."""
        return fact_text(self.payload, key)

    @property
    def number(self) -> int | None:
        """The number of the code."""
        number = self.payload.get("number")
        return number if type(number) is int else None

    @property
    def details(self) -> dict[str, Any]:
        """The details, redacted."""
        details = self.payload.get("details")
        return details if isinstance(details, dict) else {}

    @property
    def extras(self) -> dict[str, Any]:
        """What a sender said beyond the keys of the native payload."""
        return without(self.payload, NATIVE)

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait."""
        seconds = self.payload.get("retry_after")
        return float(seconds) if isinstance(seconds, (int, float)) and seconds >= 0 else None


def read(error: object, audience: Audience) -> Facts:
    """Any error as the facts that a dialect needs. Never raises."""
    payload = to_payload(error, audience=audience)
    for key in payload.keys() - NATIVE:
        if hides(key, payload[key]):
            payload[key] = PLACEHOLDER
    try:
        if issubclass(type(error), CodedError):
            return _of_coded(error, payload)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    except Exception:
        # An instance that hides its own facts is read by its payload.
        return Facts(payload=payload, spec=error_info(payload["code"]), said=True)
    said = issubclass(type(error), dict) and _in_dict(error, "retryable")
    return Facts(payload=payload, spec=error_info(payload["code"]), said=said)


def _of_coded(error: CodedError, payload: dict[str, Any]) -> Facts:
    view = bare(error)
    said = "retryable" in view._facts or view._by_reason("retryable") is not None
    return Facts(payload=payload, spec=view._spec, said=said)


def _in_dict(value: Any, key: str) -> bool:
    try:
        return isinstance(dict.get(value, key), bool)
    except Exception:
        return False


def fact_text(payload: Mapping[str, Any], key: str) -> str:
    """A text of a mapping; empty if there is none."""
    value = payload.get(key)
    return value if type(value) is str else ""


def without(payload: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """The payload without some keys."""
    left_out = frozenset(keys)
    items = payload if type(payload) is dict else dict_of(payload)
    return {key: value for key, value in items.items() if key not in left_out}


def told_by(error: CodedError) -> dict[str, Any]:
    """What decides on the status of an error, under the keys of its payload, which costs more to make."""
    unknown = error._facts.get("unknown", {})
    return {**unknown, "retryable": error.retryable, "kind": error.kind, "docs": error.docs_url}


# --- decoding ---------------------------------------------------------------------------------------


def home(registry: Registry | None) -> Registry:
    """The registry to look codes up in."""
    return home_registry(CodedError) if registry is None else registry


def malformed(place: str, expected: str, found: Any, *, missing: bool = False) -> CodedError:
    """The error that stands in for a payload which is broken at `place`."""
    return malformed_at(
        place, f"expected {expected}, found {'nothing' if missing else kind_name(found)}", found
    )


def guarded(
    decode: Callable[[dict[str, Any], Registry], CodedError], obj: object, registry: Registry | None
) -> CodedError:
    """What `decode` makes of an object; an error that stands in for anything that is none. Never raises."""
    try:
        if type(obj) is not dict:
            from collections.abc import Mapping

            if not is_a(obj, Mapping):
                return malformed("$", "an object", obj)
            obj = dict_of(obj)
        return decode(obj, home(registry))
    except Exception as error:
        return malformed_at("$", f"could not be read: {class_name(error)}", obj)


def revive(native: dict[str, Any], registry: Registry, place: str = "$") -> CodedError:
    """The error of a native payload that stands at `place` of the form it came in."""
    return decode_at(place, _without_circle(native), registry)


def _without_circle(native: dict[str, Any]) -> dict[str, Any]:
    """The payload; cut off where its causes lead in a circle or go on for ever."""
    seen: set[int] = set()
    link: Any = native
    while isinstance(link, dict) and link.get("cause") is not None:
        if id(link) in seen or len(seen) >= _MAX_CAUSES:
            return _cut(native, len(seen) - 1)
        seen.add(id(link))
        link = link["cause"]
    return native


def _cut(native: dict[str, Any], length: int) -> dict[str, Any]:
    first = link = dict(native)
    for _ in range(min(length, _MAX_CAUSES)):
        link["cause"] = link = dict(link["cause"])
    link.pop("cause", None)
    return first
