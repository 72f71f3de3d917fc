"""The error payload of ``agent-core-v2`` of Kimi Code CLI: the native payload with six of its keys.

``code``, ``message``, ``retryable``, ``name``, ``details`` and ``cause``, the causes in the same form, and
beside them what an earlier sender said in keys of its own. Its reader takes any code. Pass
``registry=errkit.catalogs.agent_core.REGISTRY`` to have its codes known.

Decoding takes what `from_payload` takes. A missing ``retryable`` is what the registry says of the code.

What is lost:

================= =====================================================================
key               what becomes of it
================= =====================================================================
``number``        comes from the registry, where that has the code
``kind``          the same
``alert``         the same
``docs``          the same
``hint``          the hint of the code, from the registry
``retry_after``   the delay of the code, from the registry
``retries_spent`` is gone
``supported_on``  is gone
``diagnostic_id`` is gone
``log_path``      is gone
``notes``         are gone
``group``         is gone; the message of the group stays
``secondary``     is gone
``elided``        is gone; the texts say themselves where something was left out
================= =====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import NATIVE, guarded, read, revive, without

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "decode", "encode"]

LOST: Final = frozenset(
    {
        "number",
        "kind",
        "alert",
        "docs",
        "hint",
        "retry_after",
        "retries_spent",
        "supported_on",
        "diagnostic_id",
        "log_path",
        "notes",
        "group",
        "secondary",
        "elided",
    }
)
"""The keys of the native payload that do not come back from this form."""

_TYPES: Final[Mapping[str, type]] = {
    "code": str,
    "message": str,
    "name": str,
    "details": dict,
    "retryable": bool,
}
"""The keys of this form in its own order; each is absent where the payload has nothing of that type."""


def encode(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as a payload of agent-core. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    payload: Any = read(error, audience).payload
    first = link = _one(payload)
    while isinstance(payload.get("cause"), dict):
        payload = payload["cause"]
        link["cause"] = link = _one(payload)
    return first


def _one(payload: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: payload[key] for key, kind in _TYPES.items() if isinstance(payload.get(key), kind)}
    return own | without(payload, NATIVE)


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind a payload of agent-core; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The payload, parsed from JSON.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(revive, obj, registry)
