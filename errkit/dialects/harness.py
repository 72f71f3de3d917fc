"""The errors of the Pleach harness, in both of its forms: thrown (`encode`) and streamed (`encode_stream`).

=============== ============================================= =============================================
form            keys                                          holds
=============== ============================================= =============================================
thrown          ``errorCode`` ``code`` ``message``            the code, its number, the message behind
                ``recovery`` ``docs`` ``context``             ``[number]``, hint, page, details
streamed        ``type`` ``error`` ``code`` ``codeNum``       ``"error"``, the message, the code, its number
=============== ============================================= =============================================

``code`` is a number in the one and a text in the other; a key whose fact is not known is absent. The details
of a code of the harness catalogue are its ``context`` alone, so that is what ``context`` holds there.

`decode` reads both. On the stream the number decides: a text beside it is a signal of the host, and is kept
apart as ``host_code``. A number that the registry does not have is the code ``harness.`` and the number,
unless the text is a code that it has; with no number, the text is the code; with neither, the error is
`internal`. A thrown error has symbol and number
from one entry of a catalogue, so there the symbol comes first if the registry has it. Pass
``registry=errkit.catalogs.harness.REGISTRY`` to have the codes known.

What is lost in the thrown form:

================= =====================================================================
key               what becomes of it
================= =====================================================================
``retryable``     is what the registry says of the code
``name``          the same
``kind``          the same
``alert``         the same
``retry_after``   the same
``retries_spent`` is gone
``supported_on``  is gone
``diagnostic_id`` is gone
``log_path``      is gone
``notes``         are gone
``cause``         is gone
``group``         is gone
``secondary``     is gone
``elided``        is gone
================= =====================================================================

The streamed form loses ``hint``, ``docs`` and ``details`` as well (`LOST_ON_STREAM`). The number decides
there, so a code that has one comes back only with a registry that has it: else it is ``harness.`` and the
number, and the text of the code stays as ``host_code``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import MAX_CODE, fact_text, guarded, malformed, read, revive, without
from errkit.fields import read_fields

if TYPE_CHECKING:
    from errkit.codes import ErrorSpec
    from errkit.dialects.shared import Facts
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "LOST_ON_STREAM", "decode", "encode", "encode_stream"]

LOST: Final = frozenset(
    {
        "retryable",
        "name",
        "kind",
        "alert",
        "retry_after",
        "retries_spent",
        "supported_on",
        "diagnostic_id",
        "log_path",
        "notes",
        "cause",
        "group",
        "secondary",
        "elided",
    }
)
"""The keys of the native payload that do not come back from the thrown form."""

LOST_ON_STREAM: Final = LOST | {"hint", "docs", "details"}
"""The keys of the native payload that do not come back from the streamed form."""

_CONTEXT: Final = "context"
_HOST_CODE: Final = "host_code"
_EXACT: Final = 2**53


# --- encoding ---------------------------------------------------------------------------------------


def encode(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as the harness throws it. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    facts = read(error, audience)
    number = facts.number
    found = {
        "errorCode": facts.code,
        "code": number,
        "message": facts.message if number is None else f"[{number}] {facts.message}",
        "recovery": facts.text("hint") or None,
        "docs": facts.text("docs") or None,
        _CONTEXT: _context(facts) or None,
    }
    return {key: value for key, value in found.items() if value is not None} | without(facts.extras, found)


def _context(facts: Facts) -> dict[str, Any]:
    details = facts.details
    inner = details.get(_CONTEXT)
    alone = _holds_context_alone(facts.spec) and details.keys() == {_CONTEXT} and isinstance(inner, dict)
    return inner if alone and isinstance(inner, dict) else details


def _holds_context_alone(spec: ErrorSpec) -> bool:
    """Whether the declared details are the free context and nothing else."""
    return spec.details is not None and [field.name for field in read_fields(spec.details)] == [_CONTEXT]


def encode_stream(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as an event of the harness's stream. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    facts = read(error, audience)
    found = {
        "type": "error",
        "error": facts.message,
        "code": facts.text(_HOST_CODE) or facts.code,
        "codeNum": facts.number,
    }
    extras = without(facts.extras, (*found, _HOST_CODE))
    return {key: value for key, value in found.items() if value is not None} | extras


# --- decoding ---------------------------------------------------------------------------------------


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind either form; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The event or the thrown error, parsed from JSON.
    registry
        Where codes and numbers are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    is_event = form.get("type") == "error" or ("errorCode" not in form and "error" in form)
    return _decode_event(form, registry) if is_event else _decode_thrown(form, registry)


def _decode_event(form: dict[str, Any], registry: Registry) -> CodedError:
    message = form.get("error")
    if not isinstance(message, str):
        return malformed("$.error", "text", message, missing="error" not in form)
    number, host = _number(form.get("codeNum")), fact_text(form, "code")
    native = _identity(number, host, registry)
    rest = without(form, ("type", "error", "code", "codeNum", *native))
    return revive({**native, "message": message, **rest}, registry)


def _identity(number: int | None, host: str, registry: Registry) -> dict[str, Any]:
    """Which error an event means: by its number, else by its text."""
    if number is None:
        return {"code": host if 0 < len(host) <= MAX_CODE else "internal"}
    known = registry.by_number(number) or registry.get(host)
    code = f"harness.{number}" if known is None else known.code
    return {"code": code, "number": number, **({_HOST_CODE: host} if host not in ("", code) else {})}


def _decode_thrown(form: dict[str, Any], registry: Registry) -> CodedError:
    symbol, number = fact_text(form, "errorCode")[:MAX_CODE], _number(form.get("code"))
    if not symbol and number is None:
        return malformed("$.errorCode", "text", form.get("errorCode"), missing="errorCode" not in form)
    spec = registry.get(symbol) or (registry.by_number(number) if number is not None else None)
    code = spec.code if spec is not None else symbol or f"harness.{number}"
    message = form.get("message", code if spec is None else spec.title)
    if not isinstance(message, str):
        return malformed("$.message", "text", message)
    native: dict[str, Any] = {"code": code, "message": _without_number(message, number)}
    said = {"number": number, "hint": form.get("recovery"), "docs": form.get("docs")}
    native |= {key: value for key, value in said.items() if value is not None}
    if isinstance(form.get(_CONTEXT), dict):
        native["details"] = _details(form[_CONTEXT], spec)
    rest = without(form, ("errorCode", "code", "message", "recovery", "docs", _CONTEXT, *native))
    return revive({**native, **rest}, registry)


def _number(value: Any) -> int | None:
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and abs(value) < _EXACT else None


def _without_number(message: str, number: int | None) -> str:
    return message.removeprefix(f"[{number}] ") if number is not None else message


def _details(context: dict[str, Any], spec: ErrorSpec | None) -> dict[str, Any]:
    wraps = spec is not None and _holds_context_alone(spec) and not isinstance(context.get(_CONTEXT), dict)
    return {_CONTEXT: context} if wraps else context
