"""The normalized error of ``agent-device`` (0.21.5), as its daemon, CLI, SDK and MCP server send it.

``code``, ``message``, ``hint``, ``details`` and, where they are known, ``cause``, ``diagnosticId``,
``logPath``, ``retriable``, ``supportedOn``. A form without a hint of its own gets `GENERIC_HINT`, since every
surface there shows one. ``retriable`` stands there where another try is worth it, or where the verdict was
said of this failure; else the code decides, as over there.

Some keys of ``details`` belong to the form: it lifts them out, or drops them if they are of the wrong type.
That holds in both directions, so an error as its SDK rejects with, which still has its hint and its ids
there, is read whole. A code that is missing or no text is ``COMMAND_FAILED``. The wrappers
``{"success": false, "error": ...}`` and ``{"ok": false, "error": ...}`` are opened, and so is the error of
JSON-RPC that its daemon answers with. The message of a process that failed (``processExitError`` among the
details of ``COMMAND_FAILED``) says which line of its output tells why. Pass
``registry=errkit.catalogs.agent_device.REGISTRY`` to have its codes known.

What is lost:

================= =====================================================================
key               what becomes of it
================= =====================================================================
``cause``         one level, message and code
``number``        comes from the registry, where that has the code
``name``          the same
``kind``          the same
``alert``         the same
``docs``          the same
``retry_after``   the delay of the code, from the registry
``retries_spent`` is gone
``notes``         are gone
``group``         is gone; the message of the group stays
``secondary``     is gone; over there it is an event of the log
``elided``        is gone; the texts say themselves where something was left out
================= =====================================================================
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import MAX_CODE, fact_text, guarded, malformed, read, revive, without
from errkit.domains.output import telling_line
from errkit.errors import CodedError, bare
from errkit.fields import PLACEHOLDER, dict_of, is_a
from errkit.guards import cause_of, code_and_details
from errkit.redaction import redact_text
from errkit.safe import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.dialects.shared import Facts
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["EXTENDED", "GENERIC_HINT", "LOST", "decode", "encode", "recognizes"]

EXTENDED: Final = frozenset({"message"})
"""The keys of the native payload that this form may add to; see above for the message of a process."""

LOST: Final = frozenset(
    {
        "cause",
        "number",
        "name",
        "kind",
        "alert",
        "docs",
        "retry_after",
        "retries_spent",
        "notes",
        "group",
        "secondary",
        "elided",
    }
)
"""The keys of the native payload that do not come back from this form, or not whole."""

GENERIC_HINT: Final = "Repeat the command with `--debug` and read the diagnostics log that comes with it."
"""What to do about an error that says nothing about it."""

_LIFTED: Final[Mapping[str, tuple[str, type]]] = {
    "hint": ("hint", str),
    "diagnosticId": ("diagnostic_id", str),
    "logPath": ("log_path", str),
    "logPathUnavailable": ("logPathUnavailable", str),
    "diagnosticsRecord": ("diagnosticsRecord", dict),
    "retriable": ("retryable", bool),
    "supportedOn": ("supported_on", str),
}
"""Key of the form, also among its details -> key of the native payload, and its type."""

_USUAL_PROGRAM: Final = "adb"
"""Whose name is taken off the line where nothing tells which program it was."""
_SAYS_NOTHING: Final = re.compile(r"\S+ exited with code -?\d+")

_PLUMBING: Final = frozenset({"startupRuleMatched", "startupHostDeadlineHit"})
"""Keys of details that never leave that program."""

_DEFAULT_CODE: Final = "COMMAND_FAILED"


# --- encoding ---------------------------------------------------------------------------------------


def encode(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as a normalized error of agent-device. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    facts = read(error, audience)
    lifted = _lifted(facts.details)
    found: dict[str, Any] = {"code": facts.code, "message": _message(facts, error)}
    cause = _cause(facts, error)
    if cause:
        found["cause"] = cause
    found["hint"] = lifted.get("hint", facts.text("hint") or _other_hint(error))
    for key, (native, kind) in _LIFTED.items():
        value = _record_ref(facts.payload.get(native)) if kind is dict else facts.text(native)
        is_said = value or key in lifted or (kind is str and native in facts.payload)
        if key not in ("hint", "retriable") and is_said:
            found[key] = lifted.get(key, value)
    if facts.said or facts.retryable or "retriable" in lifted:
        found["retriable"] = lifted.get("retriable", facts.retryable)
    details = without(facts.details, (*_LIFTED, *_PLUMBING))
    if details:
        found["details"] = details
    return found | without(facts.extras, found)


def _other_hint(error: object) -> str:
    """The hint where the payload has none: the empty one if that was said, which surfaces leave out."""
    is_empty = is_a(error, CodedError) and bare(error)._facts.get("hint") == ""
    return "" if is_empty else GENERIC_HINT


def _lifted(details: Mapping[str, Any]) -> dict[str, Any]:
    """What the details hold of keys that belong to the form, where it is of the right type."""
    found: dict[str, Any] = {}
    for key, (_, kind) in _LIFTED.items():
        value = details.get(key)
        if isinstance(value, kind):
            value = _record_ref(value) if kind is dict else value
            if value is not None:
                found[key] = value
    return found


def _record_ref(value: Any) -> dict[str, str] | None:
    """Which record of the daemon belongs to the error: two texts, or nothing."""
    if not isinstance(value, dict):
        return None
    session, request = value.get("session"), value.get("requestId")
    if isinstance(session, str) and session and isinstance(request, str) and request:
        return {"session": session, "requestId": request}
    return None


def _message(facts: Facts, error: object) -> str:
    """The message; of a process that failed, with the line of its output that tells why."""
    shown = facts.details
    if facts.code != _DEFAULT_CODE or shown.get("processExitError") is not True:
        return facts.message
    if _has_arrived(error) and _SAYS_NOTHING.fullmatch(facts.message) is None:
        return facts.message  # its sender has added the line, and what is left of the output may be cut
    _, given = code_and_details(error)
    # The details of the payload are cut already, and the line may stand behind the cut.
    outputs = (_output(given, shown, key) for key in ("stderr", "stdout"))
    line = well_formed(redact_text(telling_line(*outputs, program=_program(facts))))
    return facts.message if not line or line in facts.message else f"{facts.message}: {line}"


def _has_arrived(error: object) -> bool:
    return not is_a(error, CodedError) or bool(bare(error)._facts.get("revived"))


def _output(given: Mapping[str, Any], shown: Mapping[str, Any], key: str) -> str:
    """What a channel said, where the payload shows that it is text."""
    whole, text = given.get(key), shown.get(key)
    if type(text) is not str or text == PLACEHOLDER:
        return ""
    return whole if type(whole) is str else text


def _program(facts: Facts) -> str:
    command = fact_text(facts.details, "cmd")
    if not command:
        says_nothing = _SAYS_NOTHING.fullmatch(facts.message) is not None
        command = facts.message.partition(" ")[0] if says_nothing else _USUAL_PROGRAM
    return command.replace("\\", "/").rpartition("/")[2]


def _cause(facts: Facts, error: object) -> dict[str, str]:
    """The direct cause: message, and code if it has one; of a foreign one, its errno or its own `code`."""
    cause = facts.payload.get("cause")
    if not isinstance(cause, dict) or not fact_text(cause, "message"):
        return {}
    code = fact_text(cause, "code")
    name = _foreign_code(error) if code == "internal" else code
    return {"message": cause["message"], **({"code": name} if name else {})}


def _foreign_code(error: object) -> str:
    cause = cause_of(error) if is_a(error, BaseException) else None
    if is_a(cause, OSError):
        import errno

        number = _read_errno(cause)
        return errno.errorcode.get(number, "") if type(number) is int else ""
    try:
        code = vars(cause).get("code")
    except Exception:
        return ""
    return well_formed(redact_text(code)) if type(code) is str and len(code) <= MAX_CODE else ""


_read_errno: Final[Callable[[OSError], Any]] = OSError.__dict__["errno"].__get__
"""The interpreter's own look: what a subclass makes of the name is not asked."""


# --- decoding ---------------------------------------------------------------------------------------


def recognizes(form: Mapping[str, Any]) -> bool:
    """Whether an object looks like a normalized error of agent-device."""
    return isinstance(form.get("message"), str) and any(key in form for key in _LIFTED)


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind a normalized error; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The error, or the response that holds it, parsed from JSON.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    place = "$"
    if "error" in form and "message" not in form:
        form, place = form["error"], "$.error"
        if not is_a(form, dict):
            return malformed(place, "an object", form)
        form = dict_of(form)
    inner = form.get("data")
    if type(form.get("code")) is int and is_a(inner, dict):
        form = {"message": form.get("message"), **dict_of(inner)}
    message, code = form.get("message"), form.get("code")
    if not isinstance(message, str):
        return malformed(f"{place}.message", "text", message, missing="message" not in form)
    native: dict[str, Any] = {
        "code": code if isinstance(code, str) and 0 < len(code) <= MAX_CODE else _DEFAULT_CODE,
        "message": message,
    }
    details = form.get("details")
    if isinstance(details, dict):
        native |= _native_of(_lifted(details))
        details = without(details, (*_LIFTED, *_PLUMBING))
        if details:
            native["details"] = details
    native |= _native_of(_lifted(form))
    hint = native.get("hint")
    if hint in {"", GENERIC_HINT}:
        del native["hint"]
    cause = _cause_payload(form.get("cause"))
    if cause is not None:
        native["cause"] = cause
    native |= without(form, ("code", "message", "details", "cause", *_LIFTED, *native))
    error = revive(native, registry, place)
    if hint == "":
        error.note_facts(hint="")
    return error


def _native_of(lifted: Mapping[str, Any]) -> dict[str, Any]:
    return {_LIFTED[key][0]: value for key, value in lifted.items()}


def _cause_payload(cause: Any) -> dict[str, Any] | None:
    """The cause as a payload; one without words tells nothing."""
    if not isinstance(cause, dict) or not isinstance(cause.get("message"), str) or not cause["message"]:
        return None
    code = cause.get("code")
    known = isinstance(code, str) and 0 < len(code) <= MAX_CODE
    return {"code": code if known else "internal", "message": cause["message"]}
