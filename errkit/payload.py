"""The native wire form of an error, version 1: to it, from it, and as JSON text.

`to_payload` takes anything that can be raised or passed and never raises; `from_payload` takes anything that
can arrive and never raises either. Nothing in a payload is imported, evaluated or trusted: it can't make a
code public, and its class name only picks among classes that are registered for the code.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, Final, Literal

from errkit import own
from errkit.codes import native_new, text_of
from errkit.errors import (
    CodedError,
    attributes_of,
    bare,
    cause_of,
    code_and_details,
    context_of,
    error_info,
    home_registry,
    is_coded_error,
    iter_causes,
    members_of,
    public_details,
)
from errkit.fields import MISSING, PLACEHOLDER, is_a
from errkit.safe import BOUNDS, Pass, hides, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from json import JSONEncoder

    from errkit.registry import Registry

__all__ = ["Audience", "dumps", "from_payload", "loads", "make_payload", "to_payload"]

Audience = Literal["internal", "public"]

VERSION: Final = 1
UNKNOWN_TITLE: Final = "Internal error"
_MAX_CODE: Final = 512
_MAX_GROUP_DEPTH: Final = 6
_MAX_ERRORS: Final = 400
"""Errors of one payload, members and their causes included; those of the first chain are never left out."""
_SHORT: Final = 256
"""Characters that a text of a member keeps even where the budget of all is used up."""


# --- to the wire ------------------------------------------------------------------------------------


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
        return _Encoder(audience).whole(error, 0)
    except Exception:
        return _last_resort(error)


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
    return _encoder().encode(to_payload(error, audience=audience))


@cache
def _encoder() -> JSONEncoder:
    """One encoder for all payloads: `json.dumps` would make a new one for each."""
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _last_resort(error: object) -> dict[str, Any]:
    return {"v": VERSION, "code": "internal", "message": type(error).__name__[:200], "retryable": False}


class _Encoder:
    """One payload with one budget for all that it holds."""

    def __init__(self, audience: Audience) -> None:
        self.public_only = audience != "internal"
        self.walk = Pass()
        self.left_causes = 0
        self._errors = _MAX_ERRORS
        self._path: set[int] = set()
        """The errors that lead to the one that is being encoded: a member among them closes a circle."""

    def whole(self, error: object, depth: int) -> dict[str, Any]:
        """An error with its causes, its group and its failures of cleanup."""
        if not is_a(error, BaseException):
            error = _as_error(error)
        chain = list(_chain(error))
        if self._path:
            chain = list(takewhile(lambda link: id(link) not in self._path, chain))
        kept = chain if len(chain) <= BOUNDS.causes + 1 else [*chain[: BOUNDS.causes], chain[-1]]
        self.left_causes += len(chain) - len(kept) + _left_earlier(chain, "causes")
        self.walk.left_items += _left_earlier(chain, "items")
        self.walk.left_chars += _left_earlier(chain, "chars")
        views = [_coded_view(link) for link in kept]
        shown = self._shown(kept, views, depth)
        for effect, cause in pairwise(shown):
            effect["cause"] = cause
        payload = shown[0]
        if depth == 0 and not (self.public_only and not _is_public(views[0])):
            payload.update(self._elided())
        return payload

    def _shown(
        self, links: list[BaseException], views: list[CodedError | None], depth: int
    ) -> list[dict[str, Any]]:
        """The first error, and those of its causes that the audience may see."""
        self._errors -= len(links)
        shown: list[dict[str, Any]] = []
        for link, view in zip(links, views, strict=True):
            self._path.add(id(link))
            if not shown or not self.public_only or _is_public(view):
                shown.append(self._one(link, view, depth))
        self._path.difference_update(map(id, links))
        return shown

    def _elided(self) -> dict[str, Any]:
        counts = {"causes": self.left_causes, "items": self.walk.left_items, "chars": self.walk.left_chars}
        return {"elided": counts} if any(counts.values()) else {}

    def _one(self, error: BaseException, view: CodedError | None, depth: int) -> dict[str, Any]:
        """An error without its causes; `view` is what is coded about it."""
        text = self.walk.text if depth == 0 else self._short
        if view is None:
            found = self._foreign(error, text)
        elif self.public_only and not view._spec.public:
            return self._hidden(view)
        else:
            found = self._coded(view, text)
        if view is None and self.public_only:
            return found
        self._add_family(error, found, depth)
        if view is not None and "unknown" in view._facts:
            for key, value in view._facts["unknown"].items():
                found.setdefault(key, self.walk.value(value))
        return found

    def _short(self, value: str, limit: int | None = None) -> str:
        """A text of a member: all members share what is left, and each keeps a little."""
        if limit is None and self.walk._chars > _SHORT:
            return self.walk.budgeted(value)
        return self.walk.text(value, _SHORT if limit is None else limit)

    def _coded(self, error: CodedError, text: Callable[..., str]) -> dict[str, Any]:
        spec, facts = error._spec, error._facts
        known = spec.cls is not None
        found: dict[str, Any] = {
            "v": VERSION,
            "code": text(spec.code, _MAX_CODE),
            "message": text(error.message),
        }
        found["retryable"] = error.retryable
        if error.number is not None:
            found["number"] = error.number
        name = facts.get("name") or (type(error).__name__ if type(error) is not CodedError else None)
        if name:
            found["name"] = text(name, _MAX_CODE)
        for key in ("kind", "alert"):
            if known or key in facts:
                found[key] = getattr(error, key)
        self._add_said(error, found, text)
        if error._details:
            found["details"] = self.walk.value(public_details(error))
        for key in (
            ("supported_on", "diagnostic_id")
            if self.public_only
            else ("supported_on", "diagnostic_id", "log_path")
        ):
            if facts.get(key):
                found[key] = text(facts[key])
        return found

    def _add_said(self, error: CodedError, found: dict[str, Any], text: Callable[..., str]) -> None:
        if error.retry_after is not None:
            found["retry_after"] = self.walk.value(error.retry_after)
        if error.retries_spent:
            found["retries_spent"] = True
        if error.hint:
            found["hint"] = text(error.hint)
        if error.docs_url:
            found["docs"] = text(error.docs_url)

    def _add_family(self, error: BaseException, found: dict[str, Any], depth: int) -> None:
        """Notes, the members of a group, and failures of cleanup."""
        notes = _notes(error)
        if notes and not self.public_only:
            found["notes"] = [self.walk.budgeted(note) for note in notes[: BOUNDS.group]]
            self.walk.left_items += max(len(notes) - BOUNDS.group, 0)
        if is_a(error, BaseExceptionGroup):
            found["group"] = self._several(members_of(error), depth)
        facts = _facts_of(error)
        if facts.get("group") and is_a(error, CodedError):
            found["group"] = self._several(facts["group"], depth)
        if "secondary" in facts and not self.public_only:
            failures = secondary_of(error)
            if failures:
                found["secondary"] = self._several(failures, depth)

    def _several(self, errors: tuple[BaseException, ...], depth: int) -> list[dict[str, Any]]:
        found = [
            self.whole(member, depth + 1)
            for member in errors[: BOUNDS.group]
            if depth < _MAX_GROUP_DEPTH and self._errors > 0 and id(member) not in self._path
        ]
        self.walk.left_items += len(errors) - len(found)
        return found

    def _hidden(self, error: CodedError) -> dict[str, Any]:
        spec = error._spec
        title = spec.title if spec.cls is not None and spec.code != "internal" else UNKNOWN_TITLE
        code = self.walk.text(spec.code, _MAX_CODE)
        return {"v": VERSION, "code": code, "message": title, "retryable": error.retryable}

    def _foreign(self, error: BaseException, text: Callable[..., str]) -> dict[str, Any]:
        spec = own.CoreError.INTERNAL.spec
        if self.public_only:
            return {"v": VERSION, "code": spec.code, "message": UNKNOWN_TITLE, "retryable": False}
        name = type(error).__name__
        found: dict[str, Any] = {
            "v": VERSION,
            "code": spec.code,
            "message": text(message_of(error)),
            "retryable": False,
            "number": spec.number,
            "name": text(name, _MAX_CODE),
            "kind": spec.kind,
            "alert": spec.alert,
            "hint": spec.hint,
        }
        for key in ("diagnostic_id", "log_path"):
            value = attributes_of(error).get(key)
            if is_a(value, str):
                found[key] = text(value)
        return found


def _coded_view(error: BaseException) -> CodedError | None:
    """The coded error that an exception is, or that it has the shape of; None for any other."""
    return bare(error) if is_a(error, CodedError) else coded_by_shape(error)


def _facts_of(error: BaseException) -> Mapping[str, Any]:
    """What was said of this one failure beside its message."""
    return bare(error)._facts if is_a(error, CodedError) else attributes_of(error)


def coded_by_shape(error: BaseException) -> CodedError | None:
    """A coded error with what a foreign exception says, if that has a registered code and a text message.

    Code, message, details and what was said of this one failure (a hint, a verdict) are those of the
    exception; notes, causes and members stay with it. Total.
    """
    shape: Any = error
    try:
        # Most exceptions have no such thing, and look-ups are dear.
        if not isinstance(getattr(error, "code", None), str) or not is_coded_error(error):
            return None
        code, details = code_and_details(error)
        found = CodedError(code or "internal", shape.message, details=details)
    except Exception:
        return None
    found.note_facts(**_said_of(error), name=type(error).__name__)
    return found


def _said_of(error: BaseException) -> dict[str, Any]:
    """What an exception says of its one failure against its code."""
    read = {key: _READERS[key](_attribute(error, key)) for key in _SAID}
    return {key: value for key, value in read.items() if value is not MISSING}


def _attribute(error: BaseException, name: str) -> Any:
    try:
        return getattr(error, name, None)
    except Exception:
        return None


def secondary_of(error: BaseException) -> tuple[BaseException, ...]:
    """The failures of cleanup beside an error of any kind; total."""
    try:
        failures = _facts_of(error).get("secondary")
        found = failures if is_a(failures, (list, tuple)) else ()
        return tuple(one for one in found if is_a(one, BaseException))
    except Exception:
        return ()


def message_of(error: BaseException) -> str:
    """What a foreign exception says, or the name of its class where it says nothing; not redacted."""
    return text_of(error).strip() or type(error).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error` and its causes; where there is none, what was being handled, unless that was suppressed."""
    seen: set[int] = set()
    kept: list[BaseException] = []
    start: BaseException | None = error
    while start is not None:
        for link in iter_causes(start):
            if id(link) in seen:
                return
            seen.add(id(link))
            kept.append(link)
            yield link
        last = kept[-1]
        start = context_of(last) if cause_of(last) is None else None


def _left_earlier(chain: list[BaseException], what: str) -> int:
    """What earlier hops left out of pickles and payloads."""
    coded = (link for link in chain if is_a(link, CodedError))
    return sum(int(bare(link)._facts.get(f"{what}_left_out", 0)) for link in coded)


def _is_public(view: CodedError | None) -> bool:
    return view is not None and view._spec.public


def _notes(error: BaseException) -> list[str]:
    notes = attributes_of(error).get("__notes__")
    return [text_of(note) for note in notes] if is_a(notes, (list, tuple)) else []


def _as_error(value: object) -> CodedError:
    """An object that was passed where an error belongs."""
    from collections.abc import Mapping

    try:
        if (
            isinstance(value, Mapping)
            and isinstance(value.get("code"), str)
            and isinstance(value.get("message"), str)
        ):
            return from_payload(value)
        if is_coded_error(value):
            return CodedError(value.code, value.message, details=getattr(value, "details", None))  # type: ignore[attr-defined]
    except Exception:
        return _wrapped(value)
    return _wrapped(value)


def _wrapped(value: object) -> CodedError:
    shown = value if isinstance(value, str) else to_json(value)
    return CodedError("internal", shown if isinstance(shown, str) else _compact(shown))


def _compact(shown: object) -> str:
    import json

    return json.dumps(shown, ensure_ascii=False)


# --- from the wire ----------------------------------------------------------------------------------


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
    try:
        return _decode_chain(payload, home_registry(CodedError) if registry is None else registry, "$", 0)
    except Exception as error:
        return _malformed("$", f"could not be read: {type(error).__name__}", payload)


def loads(text: str | bytes | bytearray, *, registry: Registry | None = None) -> CodedError:
    """The error behind JSON text; other text gives an `errkit.malformed_payload` error. Never raises."""
    import json

    try:
        payload = json.loads(text)
    except Exception as error:
        reason = (
            f"line {error.lineno}, column {error.colno}"
            if isinstance(error, json.JSONDecodeError)
            else type(error).__name__
        )
        return _malformed("$", f"expected JSON, found text that is none ({reason})", text)
    return from_payload(payload, registry=registry)


def _malformed(place: str, problem: str, found: object) -> CodedError:
    shown = Pass().text(found[:400] if type(found) is str else text_of(to_json(found)), 200)
    return own.ErrkitError.MALFORMED_PAYLOAD(
        f"payload is malformed at {place}: {problem}", place=place, problem=problem, found=shown
    )


def _decode_chain(payload: Any, registry: Registry, place: str, depth: int) -> CodedError:
    first = error = _decode_one(payload, registry, place, depth)
    left = 0
    for _ in range(BOUNDS.causes * 2):
        payload = payload.get("cause") if isinstance(payload, dict) else None
        if payload is None:
            return first
        place += ".cause"
        cause = _decode_one(payload, registry, place, depth)
        error.__cause__ = error = cause
    seen: set[int] = set()
    while isinstance(payload, dict) and payload.get("cause") is not None and id(payload) not in seen:
        seen.add(id(payload))
        payload, left = payload["cause"], left + 1
    if left:
        # The last one counted is the root, which is kept.
        first.note_facts(causes_left_out=int(first._facts.get("causes_left_out", 0)) + left - 1)
        error.__cause__ = _decode_one(payload, registry, f"{place}.cause", depth)
    return first


def _decode_one(payload: Any, registry: Registry, place: str, depth: int) -> CodedError:
    if isinstance(payload, dict):
        items = payload
    else:
        from collections.abc import Mapping

        if not isinstance(payload, Mapping):
            return _malformed(place, f"expected an object, found {_kind_name(payload)}", payload)
        items = dict(payload)
    for key in ("code", "message"):
        if not isinstance(items.get(key), str):
            found = _kind_name(items[key]) if key in items else "nothing"
            return _malformed(f"{place}.{key}", f"expected text, found {found}", items.get(key))
    if not 0 < len(items["code"]) <= _MAX_CODE:
        return _malformed(
            f"{place}.code",
            f"expected 1 to {_MAX_CODE} characters, found {len(items['code'])}",
            items["code"],
        )
    version = items.get("v", VERSION)
    if type(version) is not int or version < 1:
        return _malformed(
            f"{place}.v", f"expected a whole number from 1 up, found {_kind_name(version)}", version
        )
    return _revived(items, registry, place, depth)


def _revived(items: Mapping[str, Any], registry: Registry, place: str, depth: int) -> CodedError:
    spec = error_info(items["code"], registry=registry)
    name = items.get("name")
    cls = registry.class_of(spec, name if isinstance(name, str) else None) or CodedError
    if name == cls.__name__:
        items = {key: value for key, value in items.items() if key != "name"}
    error: CodedError = native_new(cls)(cls)
    error.args = (items["message"],)
    error._spec = spec
    details = items.get("details")
    error._details = to_json(details) if isinstance(details, dict) else {}
    facts: dict[str, Any] = {"revived": True}
    unknown: dict[str, Any] = {}
    walk = Pass()
    for key, value in items.items():
        if key in _STRUCTURE or (key == "details" and isinstance(details, dict)):
            continue
        reader = _READERS.get(key)
        read = MISSING if reader is None else reader(value)
        if read is not MISSING and (spec.cls is None or key not in _DECLARED):
            facts[key] = read
        elif read is MISSING and len(unknown) < BOUNDS.items:
            unknown[text_of(key)[: BOUNDS.key]] = PLACEHOLDER if hides(key, value) else walk.value(value)
    if unknown:
        facts["unknown"] = unknown
    for key in ("group", "secondary"):
        if isinstance(items.get(key), (list, tuple)) and depth < _MAX_GROUP_DEPTH:
            members = items[key][: BOUNDS.group]
            facts[key] = tuple(
                _decode_chain(item, registry, f"{place}.{key}[{i}]", depth + 1)
                for i, item in enumerate(members)
            )
    elided = items.get("elided")
    if isinstance(elided, dict):
        counts = {what: _whole(elided.get(what)) for what in _ELIDED}
        facts |= {f"{what}_left_out": n for what, n in counts.items() if n is not MISSING and n > 0}
    error._facts = facts
    for note in items["notes"][: BOUNDS.group] if isinstance(items.get("notes"), (list, tuple)) else ():
        error.add_note(text_of(note)[: BOUNDS.text])
    return error


_STRUCTURE: Final = frozenset({"v", "code", "message", "cause", "group", "secondary", "notes", "elided"})
_ELIDED: Final = ("causes", "items", "chars")
_DECLARED: Final = frozenset({"number", "kind", "alert", "docs"})
"""What the local registry says of a code that it knows."""


def _kind_name(value: object) -> str:
    names = {
        dict: "an object",
        list: "an array",
        str: "text",
        bool: "a boolean",
        int: "a number",
        float: "a number",
        type(None): "null",
    }
    return names.get(type(value), type(value).__name__)


def _text(value: Any) -> Any:
    return value[: BOUNDS.text] if isinstance(value, str) and value else MISSING


def _flag(value: Any) -> Any:
    return value if isinstance(value, bool) else MISSING


def _whole(value: Any) -> Any:
    return value if type(value) is int and abs(value) < 2**53 else MISSING


def _seconds(value: Any) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e12 else MISSING


def _kind(value: Any) -> Any:
    from errkit.codes import KINDS

    return value if isinstance(value, str) and value in KINDS else MISSING


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "retryable": _flag,
    "number": _whole,
    "name": _text,
    "kind": _kind,
    "alert": _flag,
    "retry_after": _seconds,
    "retries_spent": _flag,
    "hint": _text,
    "docs": _text,
    "supported_on": _text,
    "diagnostic_id": _text,
    "log_path": _text,
}

_SAID: Final = (
    "hint",
    "retryable",
    "retry_after",
    "retries_spent",
    "supported_on",
    "diagnostic_id",
    "log_path",
)
"""What may be said of one failure against its code."""
