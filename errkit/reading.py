"""What an exception of any kind says: its causes, notes and message, and its code if it has the shape of one.

The exception is a stranger: whatever it answers is checked, and where it raises it has said nothing.
Here also stands what a value must be to count as a fact of an error, whether an object or a payload gives it.
How facts are written stands in `encoding.py`, how an error is made of them in `decoding.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.codes import KINDS, text_of
from errkit.errors import CodedError, attributes_of, bare
from errkit.fields import MISSING, class_name, is_a, items_of
from errkit.guards import MAX_WALK, cause_of, code_and_details, context_of, is_coded_error
from errkit.safe import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "READERS",
    "chain_of",
    "coded_by_shape",
    "coded_view",
    "failures_in",
    "kept_of",
    "message_of",
    "notes_of",
    "secondary_of",
    "whole_number",
]


# --- the chain --------------------------------------------------------------------------------------


def chain_of(error: BaseException) -> list[BaseException]:
    """`error` and its causes; where there is none, what was being handled, unless that was suppressed."""
    chain: list[BaseException] = []
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen and len(chain) < MAX_WALK:
        seen.add(id(link))
        chain.append(link)  # a cause revived on the way must outlive the comparison of ids
        cause = cause_of(link)
        link = context_of(link) if cause is None else cause
    return chain


def kept_of(chain: list[BaseException]) -> list[BaseException]:
    """The part of a chain that travels: the first ones, and always the root."""
    return chain if len(chain) <= BOUNDS.causes + 1 else [*chain[: BOUNDS.causes], chain[-1]]


# --- one exception ----------------------------------------------------------------------------------


def message_of(error: BaseException) -> str:
    """What a foreign exception says, or the name of its class where it says nothing; not redacted."""
    return text_of(error).strip() or class_name(error)


def notes_of(error: BaseException) -> list[Any]:
    """The notes of an exception as they are: texts, if nobody has put something else in their place."""
    return items_of(attributes_of(error).get("__notes__"))


def secondary_of(error: BaseException) -> tuple[BaseException, ...]:
    """The failures of cleanup beside an error of any kind; total."""
    facts = bare(error)._facts if is_a(error, CodedError) else attributes_of(error)
    return failures_in(facts.get("secondary"))


def failures_in(secondary: object) -> tuple[BaseException, ...]:
    """The failures of cleanup in what stands as `secondary` beside an error; total."""
    try:
        return tuple(one for one in items_of(secondary) if is_a(one, BaseException))
    except Exception:
        return ()


def coded_view(error: BaseException) -> CodedError | None:
    """The coded error that an exception is, or that it has the shape of; None for any other."""
    return bare(error) if is_a(error, CodedError) else coded_by_shape(error)


def coded_by_shape(error: BaseException) -> CodedError | None:
    """A coded error with what a foreign exception says, if that has a registered code and a text message.

    Code, message, details and what was said of this one failure (a hint, a verdict) are those of the
    exception; notes, causes and members stay with it. Total.
    """
    shape: Any = error
    try:
        # Most exceptions have no such thing, and look-ups are dear.
        if not isinstance(getattr(error, "code", None), str) or not is_coded_error(error):
            return None
        code, details = code_and_details(error)
        found = CodedError(code or "internal", shape.message, details=details)
    except Exception:
        return None
    found.note_facts(**_said_of(error), name=class_name(error))
    return found


def _said_of(error: BaseException) -> dict[str, Any]:
    """What an exception says of its one failure against its code."""
    read = {key: READERS[key](_attribute(error, key)) for key in _SAID}
    return {key: value for key, value in read.items() if value is not MISSING}


def _attribute(error: BaseException, name: str) -> Any:
    try:
        return getattr(error, name, None)
    except Exception:
        return None


_SAID: Final = (
    "hint",
    "retryable",
    "retry_after",
    "retries_spent",
    "supported_on",
    "diagnostic_id",
    "log_path",
)
"""What may be said of one failure against its code."""


# --- one fact ---------------------------------------------------------------------------------------


def _text(value: Any) -> Any:
    return (text_of(value)[: BOUNDS.text] or MISSING) if is_a(value, str) else MISSING


def _flag(value: Any) -> Any:
    return value if is_a(value, bool) else MISSING


def whole_number(value: Any) -> Any:
    """A whole number that every reader of JSON keeps exactly, else `MISSING` (RFC 8259 section 6)."""
    return value if type(value) is int and abs(value) < 2**53 else MISSING


def _seconds(value: Any) -> Any:
    if is_a(value, bool) or not is_a(value, (int, float)):
        return MISSING
    try:
        seconds = float(value)
    except Exception:  # of an integer beyond all floats, too
        return MISSING
    return seconds if 0 <= seconds < 1e12 else MISSING


def _kind(value: Any) -> Any:
    kind = text_of(value) if is_a(value, str) else ""
    return kind if kind in KINDS else MISSING


READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "retryable": _flag,
    "number": whole_number,
    "name": _text,
    "kind": _kind,
    "alert": _flag,
    "retry_after": _seconds,
    "retries_spent": _flag,
    "hint": _text,
    "docs": _text,
    "supported_on": _text,
    "diagnostic_id": _text,
    "log_path": _text,
}
"""Fact -> what reads it: the fact in its type, or `MISSING` where the value is none."""
