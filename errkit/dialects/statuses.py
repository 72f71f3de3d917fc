"""The status of an error in HTTP and in gRPC: one table by kind, and the mapping between the two.

The order of the rules, for both: what the code declares (`http_status=`), else what the sender of a revived
error said, else the table by kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.codes import KINDS
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.codes import ErrorSpec

__all__ = [
    "BY_KIND",
    "CANONICAL",
    "RETRYABLE_STATUSES",
    "Canonical",
    "canonical_of",
    "http_status",
    "phrase",
    "valid_status",
]

BY_KIND: Final[Mapping[str, int]] = {
    "terminal": 400,
    "transient": 503,
    "outcome": 409,
    "cancelled": 499,
    "bug": 500,
}
"""The HTTP status of each kind, for codes that declare none.

- A terminal failure is 400, since repeating the same request is useless (RFC 9110 section 15.5.1); where the
  code is not public it is 500, since the client is not told what it could change.
- An outcome conflicts with the state of things (409); cancelled is 499, the status that `google.rpc.Code`
  maps ``CANCELLED`` to, first used by nginx for a client that went away.
- The verdict on retrying goes before the kind: retryable is 503, and a transient failure that is not worth
  another try this time is 500.
"""

RETRYABLE_STATUSES: Final = frozenset({408, 425, 429, 502, 503, 504, 529})
"""Statuses that invite another try where the body gives no verdict (RFC 9110, RFC 8470, RFC 6585; 529 is a
common word for overload)."""


class Canonical(Record):
    """One of the seventeen codes of gRPC."""

    number: int
    name: str
    status: int
    """The HTTP status that it stands for."""


CANONICAL: Final = tuple(
    Canonical(number=number, name=name, status=status)
    for number, name, status in (
        (0, "OK", 200),
        (1, "CANCELLED", 499),
        (2, "UNKNOWN", 500),
        (3, "INVALID_ARGUMENT", 400),
        (4, "DEADLINE_EXCEEDED", 504),
        (5, "NOT_FOUND", 404),
        (6, "ALREADY_EXISTS", 409),
        (7, "PERMISSION_DENIED", 403),
        (8, "RESOURCE_EXHAUSTED", 429),
        (9, "FAILED_PRECONDITION", 400),
        (10, "ABORTED", 409),
        (11, "OUT_OF_RANGE", 400),
        (12, "UNIMPLEMENTED", 501),
        (13, "INTERNAL", 500),
        (14, "UNAVAILABLE", 503),
        (15, "DATA_LOSS", 500),
        (16, "UNAUTHENTICATED", 401),
    )
)
"""The codes and their HTTP statuses as `google/rpc/code.proto` gives them; the index is the number."""

_BY_STATUS: Final[Mapping[int, int]] = {
    400: 3,
    401: 16,
    403: 7,
    404: 5,
    405: 12,
    408: 4,
    409: 10,
    410: 5,
    412: 9,
    413: 8,
    416: 11,
    422: 3,
    425: 14,
    428: 9,
    429: 8,
    499: 1,
    500: 13,
    501: 12,
    502: 14,
    503: 14,
    504: 4,
    507: 8,
    529: 14,
}
"""HTTP status -> gRPC code: the mapping of `code.proto` read backwards. Where several codes share a status,
the one that says least is taken; statuses that the file does not name stand with the nearest one."""

_PHRASES: Final[Mapping[int, str]] = {499: "Client Closed Request", 529: "Overloaded"}
"""Statuses without an entry in the registry of IANA."""


def http_status(spec: ErrorSpec, payload: Mapping[str, Any]) -> int:
    """The HTTP status of an error.

    Parameters
    ----------
    spec
        The facts of its code.
    payload
        Its native payload, for the verdict and the kind of this failure.
    """
    if spec.http_status is not None:
        return spec.http_status
    sent = payload.get("status")
    if valid_status(sent):
        status: int = sent  # type: ignore[assignment]
        return status
    if payload.get("retryable") is True:
        return BY_KIND["transient"]
    kind = payload.get("kind", spec.kind)
    if kind not in KINDS or kind == "transient" or (kind == "terminal" and not spec.public):
        kind = "bug"
    return BY_KIND[kind]


def valid_status(value: object) -> bool:
    """Whether a value is the status of an HTTP response that reports a failure."""
    return type(value) is int and 400 <= value < 600


def canonical_of(status: int) -> Canonical:
    """The gRPC code for an HTTP status; of its class, where the table does not name it."""
    number = _BY_STATUS.get(status) or (9 if 400 <= status < 500 else 13 if status >= 500 else 2)
    return CANONICAL[number]


def phrase(status: int) -> str:
    """The words that go with an HTTP status; empty if it has none."""
    from http import HTTPStatus

    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return _PHRASES.get(status, "")
