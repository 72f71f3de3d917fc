"""`google.rpc.Status` as a dict in the JSON mapping of protobuf, with the details that AIP-193 asks for.

=================== ================================================================================
detail              holds
=================== ================================================================================
`ErrorInfo`         ``reason``: the last part of the code in UPPER_SNAKE; ``domain``: the part before;
                    ``metadata``: the exact ``code``, ``retryable``, ``number``, ``hint``, all text
`RetryInfo`         how long to wait, if another try is worth it and the time is known
`Help`              the page of the code, if it has one
`LocalizedMessage`  message and hint for users, if the code is public
`Struct`            all else of the native payload, nested: details, causes, notes, and so on
=================== ================================================================================

``code`` follows from the HTTP status of the error (`errkit.dialects.statuses`). The dict fits
``google.protobuf.json_format.ParseDict``, and from there ``grpc_status.rpc_status.to_status``; protobuf knows
the details once ``google.rpc.error_details_pb2`` and ``google.protobuf.struct_pb2`` are imported.

A `Status` travels in the trailers of HTTP/2, which readers limit to 8 KiB by default. It is cut to fit, from
the inside out; what was left out is counted under ``elided``.

A status of someone else has no such metadata. Its code is the domain, a dot and the reason of its
`ErrorInfo`; without one, ``grpc.`` and the canonical code, such as ``grpc.not_found``. `RetryInfo`, and
``UNAVAILABLE``, count as the sender's verdict; the metadata and all other details become the details. Details
that somebody added to a status of ours travel on as data, under ``grpc_details``: a kind of message that this
program's protobuf does not know would keep the status from being built.
The JSON form of Google's HTTP APIs, an ``error`` object around it, is read as well.

What is lost:

- what does not fit into 6 KiB, beginning with the deepest
- the type of whole numbers from 2**53 up, which become text: a `Struct` holds doubles
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.dialects.shared import (
    MAX_CODE,
    ROUTINE,
    fact_text,
    guarded,
    malformed,
    read,
    revive,
    told_by,
    without,
)
from errkit.dialects.statuses import CANONICAL, canonical_of, http_status, valid_status
from errkit.fields import dict_of, items_of
from errkit.safe import BOUNDS, Bounds, Pass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.codes import ErrorSpec
    from errkit.dialects.shared import Facts
    from errkit.errors import CodedError
    from errkit.payload import Audience
    from errkit.registry import Registry

__all__ = ["LOST", "decode", "encode", "upper_snake"]

LOST: Final[frozenset[str]] = frozenset()
"""The keys of the native payload that do not come back from this form."""

_TYPES: Final = "type.googleapis.com/"
_ERROR_INFO: Final = "google.rpc.ErrorInfo"
_RETRY_INFO: Final = "google.rpc.RetryInfo"
_HELP: Final = "google.rpc.Help"
_LOCALIZED: Final = "google.rpc.LocalizedMessage"
_STRUCT: Final = "google.protobuf.Struct"

_MAX_WIRE: Final = 6_144
"""Bytes of trailers; 8 KiB is the limit of most readers, for all trailers together."""
_MAX_DEPTH: Final = 24
"""Objects in objects; a parser of protobuf gives up at about 33, which take three messages each."""
_STEPS: Final = (
    (BOUNDS, None),
    (Bounds(text=1_024, key=64, depth=8, items=40, nodes=120, chars=2_400), 3),
    (Bounds(text=256, key=64, depth=6, items=10, nodes=30, chars=640), 2),
    (Bounds(text=120, key=40, depth=5, items=8, nodes=16, chars=320), 1),
    (Bounds(text=120, key=40, depth=1, items=0, nodes=0, chars=120), 0),
)
"""What is kept, and how many causes, until it fits; the root is the last cause to go."""

_MAX_REASON: Final = 63
_MAX_SECONDS: Final = 315_576_000_000
"""What a `google.protobuf.Duration` holds: ten thousand years."""
_DURATION: Final = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)s")
_EXACT: Final = 2**53
_MAX_DETAILS: Final = 100
_BY_NAME: Final = {canonical.name: canonical.number for canonical in CANONICAL[1:]}


# --- encoding ---------------------------------------------------------------------------------------


def encode(error: object, *, audience: Audience = "public", locale: str = "en") -> dict[str, Any]:
    """The error as a `google.rpc.Status`: `code`, `message`, `details`. Never raises.

    Parameters
    ----------
    error
        A coded error, any other exception, or any object at all.
    audience
        `public` hides what is not public, as in `to_payload`.
    locale
        The language of the program's messages, as a BCP 47 tag.
    """
    facts = read(error, audience)
    number = _canonical(facts.spec, facts.payload)
    status = _status(facts, number, locale, *_STEPS[0])
    for bounds, causes in _STEPS[1:]:
        if _fits(status):
            break
        status = _status(facts, number, locale, bounds, causes)
    return status


def _canonical(spec: ErrorSpec, payload: Mapping[str, Any]) -> int:
    sent = payload.get("grpc_code")
    if type(sent) is int and 0 < sent < len(CANONICAL) and spec.http_status is None:
        return sent
    return canonical_of(http_status(spec, payload)).number


def _status(facts: Facts, number: int, locale: str, bounds: Bounds, causes: int | None) -> dict[str, Any]:
    walk = Pass(bounds)
    message = walk.text(facts.message)
    details = [_error_info(facts, walk), *_standard(facts, message, locale, walk)]
    rest = _rest(facts, walk, causes)
    if rest:
        details.append({"@type": _TYPES + _STRUCT, "value": rest})
    return {"code": number, "message": message, "details": details}


def _error_info(facts: Facts, walk: Pass) -> dict[str, Any]:
    domain, reason = _domain_and_reason(facts)
    metadata = {"code": facts.code, "retryable": "true" if facts.retryable else "false"}
    if facts.number is not None:
        metadata["number"] = str(facts.number)
    if facts.text("hint"):
        metadata["hint"] = walk.text(facts.text("hint"))
    info = {"@type": _TYPES + _ERROR_INFO, "reason": reason, "domain": domain, "metadata": metadata}
    return info if domain else without(info, ["domain"])


def _domain_and_reason(facts: Facts) -> tuple[str, str]:
    domain, _, last = facts.code.rpartition(".")
    return domain or facts.spec.domain, upper_snake(last)


def upper_snake(text: str) -> str:
    """The text as a reason: `[A-Z][A-Z0-9_]+[A-Z0-9]`, at most 63 characters."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text[: 4 * _MAX_REASON])
    folded = re.sub(r"[^A-Z0-9]+", "_", split.upper())[:_MAX_REASON].strip("_")
    if re.fullmatch(r"[A-Z][A-Z0-9_]+[A-Z0-9]", folded) is None:
        return f"ERROR_{folded}"[:_MAX_REASON].rstrip("_")
    return folded


def _standard(facts: Facts, message: str, locale: str, walk: Pass) -> Iterator[dict[str, Any]]:
    """The details that any reader of gRPC knows."""
    if _tells_delay(facts):
        yield {"@type": _TYPES + _RETRY_INFO, "retryDelay": _duration(facts.retry_after or 0)}
    if facts.text("docs"):
        link = {"description": "What this error means", "url": facts.text("docs")}
        yield {"@type": _TYPES + _HELP, "links": [link]}
    if facts.spec.public:
        said = f"{message}\n{walk.text(facts.text('hint'))}".strip()
        yield {"@type": _TYPES + _LOCALIZED, "locale": locale, "message": said}


def _tells_delay(facts: Facts) -> bool:
    seconds = facts.retry_after
    spent = facts.payload.get("retries_spent") is True
    return facts.retryable and not spent and seconds is not None and seconds <= _MAX_SECONDS


def _duration(seconds: float) -> str:
    """Seconds in the JSON mapping of `Duration`: with 0, 3, 6 or 9 digits behind the point."""
    whole, nanos = divmod(round(seconds * 10**9), 10**9)
    fraction = f"{nanos:09d}"
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    return f"{whole}.{fraction}s" if fraction else f"{whole}s"


def _rest(facts: Facts, walk: Pass, causes: int | None) -> dict[str, Any]:
    """What has no place in the details that everybody knows; whole, or with so many causes."""
    has_place = {*ROUTINE, "retryable", "grpc_code"}
    for key in ("number", "hint", "docs"):
        if facts.number is not None if key == "number" else facts.text(key):
            has_place.add(key)
    if _tells_delay(facts) and _seconds(_duration(facts.retry_after or 0)) == facts.retry_after:
        has_place.add("retry_after")
    rest = without(facts.payload, has_place)
    found: dict[str, Any] = _as_doubles(rest if causes is None else _cut(rest, walk, causes))
    return found


def _cut(rest: dict[str, Any], walk: Pass, causes: int) -> dict[str, Any]:
    """The payload with less: few causes, each in short, no members and notes, and of the rest what fits."""
    chain = _chain(rest)
    kept = [*chain[: causes - 1], chain[-1]] if chain and causes else []
    plain = without(rest, ("cause", "elided", *_SEVERAL))
    shown = walk.value(plain) if causes else {}
    shown = {key: value for key, value in shown.items() if key in plain and type(value) is type(plain[key])}
    walk.left_items += len(plain.keys() - shown.keys()) + _members(rest)
    walk.left_items += sum(len(cause.keys() - {*_IN_SHORT, "v", "cause", *_SEVERAL}) for cause in kept)
    walk.left_items += sum(map(_members, kept))
    link = shown
    for cause in kept:
        link["cause"] = link = {key: cause[key] for key in _IN_SHORT if key in cause}
        link["message"] = walk.text(link["message"])
    before = rest.get("elided")
    left = {"causes": len(chain) - len(kept), "items": walk.left_items, "chars": walk.left_chars}
    for key in left:
        said = before.get(key) if isinstance(before, dict) else None
        left[key] += said if type(said) is int else 0
    return {**shown, "elided": left}


_SEVERAL: Final = ("group", "secondary", "notes")
_IN_SHORT: Final = ("code", "message", "retryable", "name")


def _members(payload: Mapping[str, Any]) -> int:
    """How many members, failures of cleanup and notes an error has."""
    return sum(len(found) for found in map(payload.get, _SEVERAL) if isinstance(found, list))


def _chain(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The causes of a payload, the root last."""
    found: list[dict[str, Any]] = []
    cause = payload.get("cause")
    while isinstance(cause, dict):
        found.append(cause)
        cause = cause.get("cause")
    return found


def _as_doubles(value: Any) -> Any:
    """The value as a `Struct` can hold it; the payload is bounded in depth."""
    if isinstance(value, dict):
        return {key: _as_doubles(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_doubles(item) for item in value]
    return str(value) if type(value) is int and abs(value) >= _EXACT else value


def _fits(status: Mapping[str, Any]) -> bool:
    """Whether readers take it: its trailers in bytes, and how deep its messages stand in each other."""
    import json
    from urllib.parse import quote

    text = json.dumps(status, ensure_ascii=False, separators=(",", ":"))
    # The message stands in the trailers percent-encoded, and all of it again in base64.
    size = len(quote(status["message"])) + len(text.encode()) * 4 // 3
    return size <= _MAX_WIRE and (
        text.count("{") + text.count("[") <= _MAX_DEPTH or _depth(status) <= _MAX_DEPTH
    )


def _depth(value: Any) -> int:
    """How deep objects and arrays stand in each other; the payload is bounded in depth."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inside), default=0)


# --- decoding ---------------------------------------------------------------------------------------


def decode(obj: object, *, registry: Registry | None = None) -> CodedError:
    """The error behind a `google.rpc.Status`; junk gives `errkit.malformed_payload`. Never raises.

    Parameters
    ----------
    obj
        The status in the JSON mapping, such as `json_format.MessageToDict` returns.
    registry
        Where codes are looked up; the default registry if not given.
    """
    return guarded(_decode, obj, registry)


def _decode(form: dict[str, Any], registry: Registry) -> CodedError:
    place = "$"
    if isinstance(form.get("error"), dict):
        form, place = form["error"], "$.error"
    number = _number(form)
    if number is None:
        code = form.get("code")
        return malformed(f"{place}.code", "a code of gRPC from 1 to 16", code, missing="code" not in form)
    # The JSON mapping leaves out what is empty.
    message = form.get("message", "")
    if not isinstance(message, str):
        return malformed(f"{place}.message", "text", message)
    details = form.get("details", [])
    if not isinstance(details, (list, tuple)):
        return malformed(f"{place}.details", "an array", details)
    found, others = _sorted_out(details[:_MAX_DETAILS])
    metadata = found.get(_ERROR_INFO, {}).get("metadata")
    if isinstance(metadata, dict) and _is_ours(metadata, found[_ERROR_INFO]):
        return _keep(revive(_ours(message, metadata, found, others), registry, place), number)
    return _keep(revive(_foreign(number, message, found, others), registry, place), number)


def _number(form: Mapping[str, Any]) -> int | None:
    """The canonical code, given as a number, by name, or by name beside an HTTP status."""
    code = form.get("code")
    for name in (form.get("status"), code):
        if type(name) is str and name in _BY_NAME:
            return _BY_NAME[name]
    if isinstance(code, bool) or not isinstance(code, (int, float)):
        return None
    if valid_status(code):
        return canonical_of(int(code)).number
    return int(code) if code in range(1, len(CANONICAL)) else None


def _sorted_out(details: Any) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """The first detail of each kind that is read here, and all others."""
    found: dict[str, dict[str, Any]] = {}
    others: list[dict[str, Any]] = []
    known = (_ERROR_INFO, _RETRY_INFO, _HELP, _LOCALIZED, _STRUCT)
    for detail in details:
        if isinstance(detail, dict):
            kind = fact_text(detail, "@type").rpartition("/")[2]
            if kind in known and kind not in found:
                found[kind] = detail
            else:
                others.append(detail)
    return found, others


def _is_ours(metadata: Mapping[str, Any], info: Mapping[str, Any]) -> bool:
    code = fact_text(metadata, "code")
    return 0 < len(code) <= MAX_CODE and upper_snake(code.rpartition(".")[2]) == info.get("reason")


def _ours(
    message: str,
    metadata: Mapping[str, Any],
    found: Mapping[str, Mapping[str, Any]],
    others: list[dict[str, Any]],
) -> dict[str, Any]:
    rest = found.get(_STRUCT, {}).get("value")
    native: dict[str, Any] = {
        **(_as_numbers(rest) if isinstance(rest, dict) else {}),
        "code": metadata["code"],
        "message": message,
    }
    if metadata.get("retryable") in ("true", "false"):
        native["retryable"] = metadata["retryable"] == "true"
    if re.fullmatch(r"-?\d{1,18}", fact_text(metadata, "number")):
        native["number"] = int(metadata["number"])
    if fact_text(metadata, "hint"):
        native["hint"] = metadata["hint"]
    if others:
        native["grpc_details"] = others
    return _with_standard(native, found)


def _with_standard(native: dict[str, Any], found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    seconds = _seconds(found.get(_RETRY_INFO, {}).get("retryDelay"))
    if seconds is not None:
        native.setdefault("retry_after", seconds)
    links = found.get(_HELP, {}).get("links")
    for link in links if isinstance(links, (list, tuple)) else ():
        if isinstance(link, dict) and fact_text(link, "url"):
            native.setdefault("docs", link["url"])
    return native


def _seconds(written: Any) -> float | None:
    found = _DURATION.fullmatch(written) if isinstance(written, str) else None
    return float(found[1]) if found else None


def _as_numbers(value: Any) -> Any:
    """Whole doubles as whole numbers again; a `Struct` does not know the difference."""
    if isinstance(value, dict):
        return {key: _as_numbers(item) for key, item in dict_of(value).items()}
    if isinstance(value, list):
        return [_as_numbers(item) for item in items_of(value)]
    return int(value) if type(value) is float and value.is_integer() and abs(value) < _EXACT else value


def _foreign(
    number: int, message: str, found: Mapping[str, Mapping[str, Any]], others: list[dict[str, Any]]
) -> dict[str, Any]:
    """The payload of a status by someone who does not know errkit."""
    canonical = CANONICAL[number]
    info = found.get(_ERROR_INFO, {})
    domain, reason = fact_text(info, "domain"), fact_text(info, "reason")
    code = f"{domain}.{reason}" if domain and reason else reason
    localized = fact_text(found.get(_LOCALIZED, {}), "message")
    native: dict[str, Any] = {
        "code": code if 0 < len(code) <= MAX_CODE else f"grpc.{canonical.name.lower()}",
        "message": message or localized or canonical.name,
        "retryable": canonical.name == "UNAVAILABLE" or _RETRY_INFO in found,
    }
    metadata = info.get("metadata")
    details = dict_of(metadata) if isinstance(metadata, dict) else {}
    for detail in [*others, *([found[_STRUCT]] if _STRUCT in found else [])]:
        kind = fact_text(detail, "@type").rpartition("/")[2]
        details.setdefault(kind or "detail", without(detail, ["@type"]))
    if details:
        native["details"] = details
    return _with_standard(native, found)


def _keep(error: CodedError, number: int) -> CodedError:
    """Remember the canonical code where this side would choose another one."""
    if _canonical(error._spec, told_by(error)) != number:
        kept = {"status": CANONICAL[number].status, "grpc_code": number}
        error.note_facts(unknown={**error._facts.get("unknown", {}), **kept})
    return error
