"""What the dialects that travel over HTTP have in common for clients: reading an answer once it is there.

A client holds a status, header fields and a body, and any of them may come from something in between: a
gateway answers with HTML, or with nothing. This room makes no request and knows no client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.codes import text_of
from errkit.dialects.statuses import RETRYABLE_STATUSES, phrase, valid_status
from errkit.domains.response import retry_after_of
from errkit.fields import dict_of, is_a

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errkit.errors import CodedError

__all__ = ["MAX_BODY", "body_of", "in_between", "is_failure", "with_wait"]

MAX_BODY: Final = 16 << 20
"""Characters or bytes of a body that are read."""


def is_failure(status: object) -> bool:
    """Whether a status says that the request failed."""
    return is_a(status, int) and int.__ge__(status, 400)


def body_of(body: object) -> dict[str, Any] | None:
    """The object that a body holds, if it is one or is the JSON text of one; else None. Never raises."""
    import json

    try:
        found: Any = body
        if is_a(body, str) or is_a(body, bytes) or is_a(body, bytearray):
            found = json.loads(body) if len(body) <= MAX_BODY else None
        return dict_of(found) if is_a(found, dict) else None
    except Exception:
        return None


def in_between(status: int) -> dict[str, Any]:
    """The native payload of an answer by a gateway or a proxy, which knows no code: its status alone."""
    number = int.__index__(status)
    known = valid_status(number)
    return {
        "code": f"http.{number}" if known else "internal",
        "message": (phrase(number) or f"HTTP status {number}") if known else "Unknown HTTP status",
        "retryable": number in RETRYABLE_STATUSES,
        "details": {"status": number},
    }


def with_wait(error: CodedError, headers: object) -> CodedError:
    """The error, which is told by `Retry-After` how long to wait where its body does not say so."""
    if error.retry_after is None and error.retryable:
        error.override(retry_after=retry_after_of(_Answer(headers)))
    return error


class _Answer:
    """An answer as `errkit.domains.response` reads one."""

    def __init__(self, headers: object) -> None:
        pairs: Any = headers
        self.headers = _by_name(pairs) if is_a(headers, (list, tuple)) else headers


def _by_name(pairs: Sequence[Any]) -> dict[str, Any]:
    """Header fields that came as pairs of texts or of bytes."""
    found: dict[str, Any] = {}
    for pair in pairs[:200]:
        if is_a(pair, (list, tuple)) and len(pair) == 2:
            name = pair[0].decode("latin-1") if is_a(pair[0], bytes) else text_of(pair[0])
            found.setdefault(name.lower(), pair[1])
    return found
