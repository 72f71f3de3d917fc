"""The error object of JSON-RPC 2.0 (section 5.1 of the specification).

``code`` is a whole number there: the number of the errkit code, -32603 for an error without one, else -32000.
Nothing else of the reserved range (-32768 to -32000) is ever written, except where an error that arrived with
such a number goes on its way. ``data`` holds all of the native payload, so ``data.code`` is the code, also an
unknown one.

An error of someone else has no ``data.code``. The numbers that the specification defines become
``jsonrpc.parse_error``, ``jsonrpc.invalid_request``, ``jsonrpc.method_not_found``, ``jsonrpc.invalid_params``
and ``jsonrpc.internal_error``; -32000 to -32099 is ``jsonrpc.server_error``, the rest of the reserved range
``jsonrpc.reserved``. Another number is the code of the registry that has it, else ``jsonrpc.error``. The
number is kept; ``data`` becomes the details.

What is lost: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import MAX_CODE, ROUTINE, guarded, malformed, read, revive, without
from errkit.fields import dict_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.dialects.shared import Facts
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "RESERVED", "decode", "encode"]

LOST: Final[frozenset[str]] = frozenset()
"""The keys of the native payload that do not come back from this form."""

RESERVED: Final = range(-32768, -31999)
"""The numbers that the specification keeps for itself."""

_SERVER_ERRORS: Final = range(-32099, -31999)
_SERVER_ERROR: Final = -32000
_INTERNAL_ERROR: Final = -32603
_DEFINED: Final[Mapping[int, str]] = {
    -32700: "jsonrpc.parse_error",
    -32600: "jsonrpc.invalid_request",
    -32601: "jsonrpc.method_not_found",
    -32602: "jsonrpc.invalid_params",
    _INTERNAL_ERROR: "jsonrpc.internal_error",
}


def encode(error: object, *, audience: Audience = "public") -> dict[str, Any]:
    """The error as an error object: `code`, `message`, `data`. Never raises.

    The server puts it under ``error`` of its response.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    facts = read(error, audience)
    data = {"code": facts.code} | without(facts.payload, ROUTINE)
    return {"code": _number(facts), "message": facts.message, "data": data}


def _number(facts: Facts) -> int:
    number = facts.number
    if number is not None and facts.code == _name_of(number):
        return number
    if facts.code == "internal":
        return _INTERNAL_ERROR
    return _SERVER_ERROR if number is None or number in RESERVED else number


def _name_of(number: int) -> str:
    """The code for a number of the reserved range; empty for any other."""
    if number in _DEFINED:
        return _DEFINED[number]
    if number in _SERVER_ERRORS:
        return "jsonrpc.server_error"
    return "jsonrpc.reserved" if number in RESERVED else ""


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind an error object, or behind the response that holds one. Never raises.

    Parameters
    ----------
    obj
        The object, parsed from JSON.
    registry
        Where codes and numbers are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    place = "$"
    if "error" in form and "code" not in form:
        form, place = form["error"], "$.error"
        if not isinstance(form, dict):
            return malformed(place, "an object", form)
    number, message, data = form.get("code"), form.get("message"), form.get("data")
    if type(number) is float and number.is_integer():
        number = int(number)
    if type(number) is not int:
        return malformed(f"{place}.code", "a whole number", number, missing="code" not in form)
    if not isinstance(message, str):
        return malformed(f"{place}.message", "text", message, missing="message" not in form)
    if isinstance(data, dict) and isinstance(data.get("code"), str) and 0 < len(data["code"]) <= MAX_CODE:
        return revive({**dict_of(data), "message": message}, registry, f"{place}.data")
    return revive(_foreign(number, message, data, registry), registry, place)


def _foreign(number: int, message: str, data: Any, registry: Registry) -> dict[str, Any]:
    """The payload of an error by someone who does not know errkit."""
    known = registry.by_number(number)
    code = _name_of(number) or ("jsonrpc.error" if known is None else known.code)
    native: dict[str, Any] = {"code": code, "message": message, "number": number}
    if data is not None:
        native["details"] = data if isinstance(data, dict) else {"data": data}
    return native
