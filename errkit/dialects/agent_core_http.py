"""The envelope of Kimi Code's HTTP server: ``{"code", "msg", "data", "request_id", "details"}``.

``code`` is one of that server's numbers, or 50001 where it has none for an error; `NUMBERS` holds those whose
meaning a code of the catalogue shares. The server answers with it under HTTP status 200, and 0 means success.
``details`` are sent, which that server itself does not do for errors that were thrown; a stack never is.

A number turns back into its code; any other one becomes ``kap.`` and the number, such as ``kap.40404``.
Pass ``registry=errkit.catalogs.agent_core.REGISTRY`` to have the codes known.

What is lost: nearly everything. The form carries a number, a message and details.

================= =====================================================================
key               what becomes of it
================= =====================================================================
``code``          `internal`, where the server has no number of its own for it
``number``        comes from the registry, where that has the code
``name``          the same
``kind``          the same
``alert``         the same
``docs``          the same
``retryable``     is what the registry says of the code
``hint``          the same
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
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.answers import body_of, in_between, is_failure, with_wait
from errkit.dialects.shared import fact_text, guarded, home, malformed, read, revive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "NUMBERS", "decode", "encode", "from_response"]

LOST: Final = frozenset(
    {
        "code",
        "number",
        "name",
        "kind",
        "alert",
        "docs",
        "retryable",
        "hint",
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
"""The keys of the native payload that do not come back from this form."""

INTERNAL: Final = 50001

NUMBERS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "validation.failed": 40001,
        "provider.oauth_managed": 40003,
        "modelsDev.import_invalid": 40004,
        "modelsDev.registry_import_invalid": 40005,
        "auth.provisioning_required": 40110,
        "auth.token_missing": 40111,
        "auth.token_unauthorized": 40112,
        "auth.model_not_resolved": 40113,
        "session.not_found": 40401,
        "prompt.not_found": 40402,
        "file.not_found": 40407,
        "mcp.server_not_found": 40408,
        "fs.path_not_found": 40409,
        "workspace.not_found": 40410,
        "fs.permission_denied": 40411,
        "provider.not_found": 40412,
        "model.not_found": 40413,
        "terminal.not_found": 40414,
        "skill.not_found": 40415,
        "modelsDev.catalog_entry_not_found": 40417,
        "capability.not_found": 40418,
        "plugin.not_found": 40419,
        "session.busy": 40901,
        "prompt.already_completed": 40903,
        "fs.is_directory": 40906,
        "fs.is_binary": 40907,
        "fs.git_unavailable": 40908,
        "compaction.unable": 40910,
        "session.undo_unavailable": 40911,
        "goal.already_exists": 40913,
        "goal.not_found": 40914,
        "goal.status_invalid": 40915,
        "goal.not_resumable": 40916,
        "goal.objective_empty": 40917,
        "goal.objective_too_long": 40918,
        "fs.already_exists": 40919,
        "goal.unsupported_agent": 40920,
        "capability.install_in_progress": 40924,
        "capability.unsupported": 40925,
        "prompt.id_conflict": 40927,
        "mcp.oauth_failed": 40929,
        "fs.too_large": 41302,
        "fs.too_many_results": 41303,
        "fs.grep_timeout": 41305,
        "internal": INTERNAL,
        "modelsDev.catalog_unavailable": 50004,
    }
)
"""Code of the catalogue -> number of the server, where both bear the same constant."""


def encode(error: object, *, audience: Audience = "internal", request_id: str = "") -> dict[str, Any]:
    """The error as an envelope. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    request_id
        Names the request that failed.
    """
    facts = read(error, audience)
    envelope: dict[str, Any] = {
        "code": _number(facts.code),
        "msg": facts.message,
        "data": None,
        "request_id": request_id or facts.text("request_id"),
    }
    return {**envelope, "details": facts.details} if facts.details else envelope


def _number(code: str) -> int:
    prefix, _, number = code.partition(".")
    if prefix == "kap" and number.isascii() and number.isdecimal() and len(number) <= 6:
        return int(number)
    return NUMBERS.get(code, INTERNAL)


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind an envelope; junk and success give `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The envelope, parsed from JSON.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def from_response(
    status: int, headers: object, body: object, *, registry: Registry | None = None
) -> CodedError | None:
    """The error behind an HTTP answer, to raise; None for an envelope of success. Never raises.

    The server says in the envelope whether a request failed, under the status 200. An answer that is no
    envelope came from something in between: it becomes `http.` and the status, with the wait that
    `Retry-After` asks for.

    Parameters
    ----------
    status
        The status.
    headers
        The header fields: a mapping, or pairs of texts or of bytes.
    body
        The body: bytes, text, or what was decoded from it.
    registry
        Where codes are looked up; the default registry if not given.
    """
    found = body_of(body)
    if found is not None and "code" in found and "msg" in found:
        # Zero is success, but a boolean is no number.
        is_success = type(found["code"]) is int and found["code"] == 0 and not is_failure(status)
        return None if is_success else with_wait(decode(found, registry=registry), headers)
    if is_failure(status):
        return with_wait(revive(in_between(status), home(registry)), headers)
    return decode(body if found is None else found, registry=registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    number, message, details = form.get("code"), form.get("msg"), form.get("details")
    if type(number) is not int or number <= 0:
        return malformed("$.code", "a whole number from 1 up", number, missing="code" not in form)
    if not isinstance(message, str):
        return malformed("$.msg", "text", message, missing="msg" not in form)
    code = next((code for code, found in NUMBERS.items() if found == number), f"kap.{number}")
    native: dict[str, Any] = {"code": code[:40], "message": message}
    if details is not None:
        native["details"] = details if isinstance(details, dict) else {"details": details}
    if fact_text(form, "request_id"):
        native["request_id"] = form["request_id"]
    return revive(native, registry)
