"""The native wire form of an error, version 1: to it, from it, and as JSON text.

`to_payload` takes anything that can be raised or passed and never raises; `from_payload` takes anything that
can arrive and never raises either. Nothing in a payload is imported, evaluated or trusted: it can't make a
code public, and its class name only picks among classes that are registered for the code.

This is the public face. The work is done in `encoding.py`, `decoding.py` and `jsontext.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from errkit import jsontext
from errkit.decoding import decode, decode_own, malformed
from errkit.encoding import Encoder, last_resort
from errkit.errors import CodedError, home_registry
from errkit.fields import class_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.registry import Registry

__all__ = ["Audience", "dumps", "from_payload", "loads", "make_payload", "to_payload"]

Audience = Literal["internal", "public"]

_SMALL: Final = 65_536
"""Characters of a text whose facts may wait for the first look: no longer one is kept for that."""


def to_payload(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The payload of an error, of exact built-in types, redacted and bounded. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` shows only the code and the title of a code that is not public, and keeps causes that are not
        public, notes and log paths at home.
    """
    try:
        return Encoder(audience).whole(error)
    except Exception:
        return last_resort(error)


def make_payload(code: str, message: str, *, details: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The payload of a failure that is signalled and not raised.

    Parameters
    ----------
    code
        A code of the default registry; an unknown one is kept as it is.
    message
        A short sentence for people.
    details
        Structured facts.
    """
    return to_payload(CodedError(code, message, details=details))


def dumps(error: object, *, audience: Audience = "internal") -> str:
    """The payload of an error as JSON text. Never raises."""
    return jsontext.write(to_payload(error, audience=audience))


def from_payload(payload: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind a payload; junk gives an `errkit.malformed_payload` error. Never raises.

    Unknown codes, fields and numbers are kept and sent on. The sender's `retryable` wins over the registry's.

    Parameters
    ----------
    payload
        Anything that arrived.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return decode(payload, home_registry(CodedError) if registry is None else registry)


def loads(text: str | bytes | bytearray, *, registry: Registry | None = None) -> CodedError:
    """The error behind JSON text; other text gives an `errkit.malformed_payload` error. Never raises.

    Parameters
    ----------
    text
        What arrived.
    registry
        Where codes are looked up; the default registry if not given.
    """
    try:
        payload = jsontext.read(text)
        is_small = len(text) <= _SMALL
    except Exception as error:
        return malformed("$", f"expected JSON, found text that is none ({_reason(error)})", text)
    home = home_registry(CodedError) if registry is None else registry
    return decode_own(payload, home) if is_small else decode(payload, home)


def _reason(error: Exception) -> str:
    from json import JSONDecodeError

    if isinstance(error, JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}"
    return class_name(error)
