"""The `error` event of the Pleach harness's stream: `harness.encode_stream` under the face of a dialect.

What is carried, how it is read, and what is lost is told in `errkit.dialects.harness`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.dialects import harness

if TYPE_CHECKING:
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "decode", "encode"]

LOST: Final = harness.LOST_ON_STREAM
"""The keys of the native payload that do not come back from this form."""


def encode(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as an event of the harness's stream. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    return harness.encode_stream(error, audience=audience)


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind an event, or behind a thrown error of the harness. Never raises.

    Parameters
    ----------
    obj
        The event, parsed from JSON.
    registry
        Where codes and numbers are looked up; the default registry if not given.
    """
    return harness.decode(obj, registry=registry)
