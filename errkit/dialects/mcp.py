"""The result of a failed tool of the Model Context Protocol: `isError`, structured content, and text.

``structuredContent`` is the native payload. Many hosts show the model the text alone and drop the rest
(https://github.com/anthropics/claude-code/issues/86032), so the text stands by itself: code and message,
hint, reason, what repeating may bring, the causes, where to read on, and the diagnostic id. It can be read
back where nothing else arrived.

A failure of a tool that is no part of the protocol's own messages belongs here; a broken request is an error
of JSON-RPC (`errkit.dialects.jsonrpc`).

The result of someone else becomes ``mcp.tool_error`` with its text as the message and its structured content
as the details. Structured content in the form of ``agent-device`` is read as that.

What is lost: nothing, as long as the structured content arrives. From the text alone come back the code, the
message, the hint, the reason, the diagnostic id, the page of the code, and whether to retry and after how
long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import fact_text, guarded, malformed, read, revive
from errkit.fields import dict_of
from errkit.message import format_payload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.dialects.shared import Facts
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "decode", "encode", "text"]

LOST: Final[frozenset[str]] = frozenset()
"""The keys of the native payload that do not come back from this form."""

TOOL_ERROR: Final = "mcp.tool_error"
_MAX_TEXT: Final = 65_536
"""Characters of a result's text that are read."""
_SHOWN_CAUSES: Final = 3

_FIRST_LINE: Final = re.compile(r"(?:\[([^\]\s]{1,512})\]|Error \(([^)\s]{1,512})\):) (.*)", re.DOTALL)
"""How errkit begins its text, and how agent-device does."""
_LINE: Final = re.compile(r"(Hint|Reason|Retry|Caused by|See|Diagnostic id|Diagnostic ID|Cause): (.*)")
_AFTER: Final = re.compile(r"after ([0-9.]{1,20}) s")
_AGAIN: Final = "the same call may succeed"


def encode(error: object, *, audience: Audience = "internal") -> dict[str, Any]:
    """The error as the result of a tool call: `content`, `structuredContent`, `isError`. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    facts = read(error, audience)
    return {
        "content": [{"type": "text", "text": "\n".join(_lines(facts))}],
        "structuredContent": facts.payload,
        "isError": True,
    }


def text(error: object, *, audience: Audience = "internal") -> str:
    """The text alone, for a host that takes nothing else. Never raises."""
    return "\n".join(_lines(read(error, audience)))


def _lines(facts: Facts) -> Iterator[str]:
    yield format_payload({**facts.payload, "hint": facts.text("hint")})
    reason = facts.details.get("reason")
    if isinstance(reason, str):
        yield f"Reason: {reason}"
    if facts.retryable and facts.payload.get("retries_spent") is not True:
        yield f"Retry: {_AGAIN} {_wait(facts.retry_after)}"
    for cause in _causes(facts.payload):
        yield f"Caused by: [{cause['code']}] {cause['message']}"
    for label, key in (("See", "docs"), ("Diagnostic id", "diagnostic_id")):
        if facts.text(key):
            yield f"{label}: {facts.text(key)}"


def _wait(seconds: float | None) -> str:
    return f"after {f'{seconds:.3f}'.rstrip('0').rstrip('.')} s" if seconds else "later"


def _causes(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The first causes, and always the last."""
    found: list[dict[str, Any]] = []
    cause = payload.get("cause")
    while isinstance(cause, dict):
        found.append(cause)
        cause = cause.get("cause")
    return found if len(found) <= _SHOWN_CAUSES else [*found[: _SHOWN_CAUSES - 1], found[-1]]


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind the result of a tool call; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The result, parsed from JSON; the field names of the Python SDK are read as well.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    structured = form.get("structuredContent", form.get("structured_content"))
    flag = form.get("isError", form.get("is_error"))
    if isinstance(structured, dict) and _is_payload(structured):
        return _structured(structured, registry)
    if flag is not True:
        return malformed("$.isError", "true", flag, missing=flag is None)
    said = _text_of(form.get("content"))
    if said is None and structured is None:
        return malformed("$.content", "a list with text", form.get("content"), missing="content" not in form)
    return revive(_foreign(said or "", structured), registry)


def _is_payload(structured: dict[str, Any]) -> bool:
    return isinstance(structured.get("message"), str) and fact_text(structured, "code") != ""


def _structured(structured: dict[str, Any], registry: Registry) -> CodedError:
    from errkit.dialects import agent_device

    if "retryable" not in structured and agent_device.recognizes(structured):
        return agent_device.decode(structured, registry=registry)
    return revive(structured, registry, "$.structuredContent")


def _text_of(content: Any) -> str | None:
    """All text of a result; None if it has none."""
    if not isinstance(content, (list, tuple)):
        return None
    parts = [part["text"] for part in content[:100] if isinstance(part, dict) and _is_text(part)]
    return "\n".join(parts)[:_MAX_TEXT] if parts else None


def _is_text(part: dict[str, Any]) -> bool:
    return part.get("type", "text") == "text" and isinstance(part.get("text"), str)


def _foreign(said: str, structured: Any) -> dict[str, Any]:
    """The payload behind a text, and behind structured content that is no payload."""
    native = _from_text(said)
    if structured is not None:
        details = structured if isinstance(structured, dict) else {"structuredContent": structured}
        native["details"] = {**dict_of(details), **native.get("details", {})}
    return native


def _from_text(said: str) -> dict[str, Any]:
    first = _FIRST_LINE.match(said)
    if first is None:
        return {"code": TOOL_ERROR, "message": said or "the tool failed"}
    message, labels = _split(first[3])
    native: dict[str, Any] = {"code": first[1] or first[2], "message": message}
    for label, key in _KEYS.items():
        if label in labels:
            native[key] = labels[label]
    if "Reason" in labels:
        native["details"] = {"reason": labels["Reason"]}
    if fact_text(labels, "Retry").startswith(_AGAIN):
        native["retryable"] = True
        after = _AFTER.search(labels["Retry"])
        if after is not None:
            native["retry_after"] = _seconds(after[1])
    return native


_KEYS: Final[Mapping[str, str]] = {
    "Hint": "hint",
    "See": "docs",
    "Diagnostic id": "diagnostic_id",
    "Diagnostic ID": "diagnostic_id",
}


def _split(said: str) -> tuple[str, dict[str, str]]:
    """The message, which may have several lines, and the labelled lines behind it."""
    message: list[str] = []
    labels: dict[str, str] = {}
    for line in said.split("\n"):
        labelled = _LINE.fullmatch(line)
        if labelled is not None:
            labels.setdefault(labelled[1], labelled[2])
        elif not labels:
            message.append(line)
    return "\n".join(message), labels


def _seconds(written: str) -> float | None:
    try:
        return float(written)
    except ValueError:
        return None
