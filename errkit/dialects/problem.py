"""Problem details for HTTP APIs: RFC 9457, `application/problem+json`.

An error becomes one problem. ``status`` follows `errkit.dialects.statuses`, ``detail`` is the message,
``type`` the page of the code where its registry has a `base_url` (then ``title`` is the title of the code),
else ``about:blank`` with the words of the status, as section 4.2.1 asks. All else are extension members under
the names of the native payload, ``code`` first; section 3.2 lets a reader ignore them.

A problem of someone else has no ``code``. Its ``type`` is its code then, as section 3.1.1 makes that its
identifier; where there is none, the code is ``http.`` and the status. Its extension members become the
details. A status that invites another try counts as the sender's verdict.

What is lost: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.answers import body_of, in_between, is_failure, with_wait
from errkit.dialects.shared import (
    MAX_CODE,
    ROUTINE,
    fact_text,
    guarded,
    home,
    malformed,
    read,
    revive,
    told_by,
    without,
)
from errkit.dialects.statuses import RETRYABLE_STATUSES, http_status, phrase, valid_status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.codes import ErrorSpec
    from errkit.dialects.shared import Facts
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "MEDIA_TYPE", "decode", "encode", "from_response", "headers"]

LOST: Final[frozenset[str]] = frozenset()
"""The keys of the native payload that do not come back from this form."""

MEDIA_TYPE: Final = "application/problem+json"

_MEMBERS: Final = ("type", "title", "status", "detail", "instance")
"""RFC 9457 section 3.1."""
_BLANK: Final = "about:blank"


def encode(error: object, *, audience: Audience = "public") -> dict[str, Any]:
    """The error as the body of a problem. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    """
    return _body(read(error, audience))


def _body(facts: Facts) -> dict[str, Any]:
    payload = facts.payload
    body = _members(facts.spec, payload, facts.message)
    rest = without(payload, (*ROUTINE, *_MEMBERS, *(["docs"] if body["type"] == payload.get("docs") else [])))
    return body | {"code": facts.code} | rest


def _members(spec: ErrorSpec, payload: Mapping[str, Any], message: str) -> dict[str, Any]:
    """The members that RFC 9457 defines."""
    status, kind = http_status(spec, payload), _type_of(payload)
    known = spec.title if spec.cls is not None else ""
    title = fact_text(payload, "title") or (phrase(status) if kind == _BLANK else known)
    instance = fact_text(payload, "instance")
    return {
        "type": kind,
        **({"title": title} if title else {}),
        "status": status,
        "detail": message,
        **({"instance": instance} if instance else {}),
    }


def _type_of(payload: Mapping[str, Any]) -> str:
    """The identifier of the kind of problem; the page of the code, if that is an address."""
    docs = fact_text(payload, "docs")
    return docs if _is_address(docs) else fact_text(payload, "type") or _BLANK


def _is_address(text: str) -> bool:
    return text.startswith(("https://", "http://")) and text.isprintable() and " " not in text


def headers(body: Mapping[str, Any]) -> dict[str, str]:
    """The header fields that go with a problem: its media type, and how long to wait.

    ``Retry-After`` is in whole seconds, rounded up (RFC 9110 section 10.2.3).

    Parameters
    ----------
    body
        What `encode` returned.
    """
    found = {"Content-Type": MEDIA_TYPE}
    seconds = body.get("retry_after")
    if body.get("retryable") is True and isinstance(seconds, (int, float)):
        found["Retry-After"] = str(-int(-seconds // 1))
    return found


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind the body of a problem; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The body, parsed from JSON.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(body: dict[str, Any], registry: Registry) -> CodedError:
    message = body.get("detail", body.get("title"))
    if not isinstance(message, str):
        message = _words(body)
    if "code" in body and not isinstance(body["code"], str) and "retryable" in body:
        return malformed("$.code", "text", body["code"])
    if message is None:
        return malformed("$.detail", "text", body.get("detail"), missing="detail" not in body)
    if not isinstance(body.get("code"), str) or not {"retryable", "details"} & body.keys():
        return _foreign(body, message, registry)
    native = without(body, _MEMBERS) | {"message": message} | _page(body)
    return _keep(revive(native, registry), body)


def from_response(
    status: int, headers: object, body: object, *, registry: Registry | None = None
) -> CodedError | None:
    """The error behind an HTTP answer, to raise; None for an answer that is no failure. Never raises.

    For clients of a service that answers with problems. What a gateway in between answers, such as a page of
    HTML, becomes `http.` and the status, and may be tried again if the status says so. Where the body does
    not say how long to wait, `Retry-After` does, in either of its forms.

    Parameters
    ----------
    status
        The status; the request failed from 400 on.
    headers
        The header fields: a mapping, or pairs of texts or of bytes.
    body
        The body: bytes, text, or what was decoded from it.
    registry
        Where codes are looked up; the default registry if not given.
    """
    if not is_failure(status):
        return None
    found = body_of(body)
    if found is None:
        return with_wait(revive(in_between(status), home(registry)), headers)
    return with_wait(decode({"status": status, **found}, registry=registry), headers)


def _words(body: Mapping[str, Any]) -> str | None:
    """A message for a problem that brings none."""
    status = body.get("status")
    if isinstance(status, int) and valid_status(status):
        return phrase(status) or f"HTTP status {status}"
    kind = body.get("type")
    return kind if isinstance(kind, str) and kind != _BLANK else None


def _page(body: Mapping[str, Any]) -> dict[str, Any]:
    kind = fact_text(body, "type")
    return {"docs": kind} if _is_address(kind) else {}


def _keep(error: CodedError, body: Mapping[str, Any]) -> CodedError:
    """Remember the members that this side would not write again by itself."""
    again = _members(error._spec, told_by(error), error.message)
    kept = {key: body[key] for key in _MEMBERS if key in body and body[key] != again.get(key)}
    if kept:
        error.note_facts(unknown={**error._facts.get("unknown", {}), **kept})
    return error


def _foreign(body: dict[str, Any], message: str, registry: Registry) -> CodedError:
    """A problem by someone who does not know errkit."""
    status, kind = body.get("status"), fact_text(body, "type")
    sent_code = fact_text(body, "code")
    code = sent_code if 0 < len(sent_code) <= MAX_CODE else ""
    if not code and kind != _BLANK and 0 < len(kind) <= MAX_CODE:
        code = kind
    native: dict[str, Any] = {
        "code": code or (f"http.{status}" if valid_status(status) else "internal"),
        "message": message,
        "retryable": status in RETRYABLE_STATUSES if isinstance(status, int) else False,
        **_page(body),
    }
    details = without(body, (*_MEMBERS, *(["code"] if code and code == sent_code else [])))
    if details:
        native["details"] = details
    return _keep(revive(native, registry), body)
