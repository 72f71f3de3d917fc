"""From errors to payloads: redacted, bounded, counted, whatever was raised.

One `Encoder` makes one payload, with one budget for all that it holds. What is known of a code beforehand is
prepared once (`_Frame`), since most errors say no more than their message and their details.
`payload.py` is the public face of this room.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from errkit import own
from errkit.codes import NoDetails, get_arguments, native_new, settle
from errkit.decoding import MAX_CODE, MAX_GROUP_DEPTH, VERSION, decode
from errkit.errors import (
    CodedError,
    attributes_of,
    bare,
    home_registry,
    is_coded_error,
    members_of,
    public_details,
)
from errkit.fields import MISSING, PLACEHOLDER, is_a
from errkit.reading import chain_of, coded_view, facts_of, kept_of, message_of, notes_of, secondary_of
from errkit.redaction import literals
from errkit.safe import BOUNDS, Pass, to_json
from errkit.typed import read_fields, secret_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.codes import ErrorSpec

__all__ = ["Encoder", "last_resort"]

UNKNOWN_TITLE: Final = "Internal error"
_MAX_ERRORS: Final = 400
"""Errors of one payload, members and their causes included; those of the first chain are never left out."""
_SHORT: Final = 256
"""Characters that a text of a member keeps even where the budget of all is used up."""


def last_resort(error: object) -> dict[str, Any]:
    """The payload of an error that has none: its class alone."""
    return {"v": VERSION, "code": "internal", "message": type(error).__name__[:200], "retryable": False}


class Encoder:
    """One payload with one budget for all that it holds."""

    def __init__(self, audience: str) -> None:
        self.public_only = audience != "internal"
        self.walk = Pass()
        self.left_causes = 0
        self._errors = _MAX_ERRORS
        self._path: set[int] = set()
        """The errors that lead to the one that is being encoded: a member among them closes a circle."""

    def whole(self, error: object, depth: int = 0) -> dict[str, Any]:
        """An error with its causes, its group and its failures of cleanup; may raise where it lies."""
        if not is_a(error, BaseException):
            error = _as_error(error)
        chain = chain_of(error)
        if self._path:
            chain = list(takewhile(lambda link: id(link) not in self._path, chain))
        kept = kept_of(chain)
        for link in chain[BOUNDS.causes : -1] if kept is not chain else ():
            self.left_causes += 1
            if is_a(link, CodedError):
                self._count_left_earlier(bare(link)._facts)
        payload = self._linked(kept, depth)
        if depth == 0 and not (self.public_only and not _is_public(coded_view(error))):
            self._add_elided(payload)
        return payload

    def _count_left_earlier(self, facts: Mapping[str, Any]) -> None:
        """Take over what earlier hops left out of pickles and payloads."""
        self.left_causes += int(facts.get("causes_left_out", 0))
        self.walk.left_items += int(facts.get("items_left_out", 0))
        self.walk.left_chars += int(facts.get("chars_left_out", 0))

    def _linked(self, links: list[BaseException], depth: int) -> dict[str, Any]:
        """The first error, and in it those of its causes that the audience may see."""
        self._errors -= len(links)
        first: dict[str, Any] = {}
        last: dict[str, Any] | None = None
        for link in links:
            self._path.add(id(link))
            view = coded_view(link)
            if view is not None and view._facts:
                self._count_left_earlier(view._facts)
            if last is None:
                first = last = self._one(link, view, depth)
            elif not self.public_only or _is_public(view):
                last["cause"] = last = self._one(link, view, depth)
        self._path.difference_update(map(id, links))
        return first

    def _add_elided(self, payload: dict[str, Any]) -> None:
        walk = self.walk
        if self.left_causes or walk.left_items or walk.left_chars:
            payload["elided"] = {
                "causes": self.left_causes,
                "items": walk.left_items,
                "chars": walk.left_chars,
            }

    # --- one error ----------------------------------------------------------------------------------

    def _one(self, error: BaseException, view: CodedError | None, depth: int) -> dict[str, Any]:
        """An error without its causes; `view` is what is coded about it."""
        if view is not None and view is error and depth == 0 and not self.public_only:
            plain = self._plain(view)
            if plain is not None:
                return plain
        return self._in_full(error, view, depth)

    def _plain(self, error: CodedError) -> dict[str, Any] | None:
        """The payload of an error that says no more than its message and its details; None for any other.

        What its code says is copied from a frame. `_in_full` gives the same, and costs more.
        """
        if error._facts or "__notes__" in attributes_of(error):
            return None
        frame, details = _frame_of(error), error._details
        if frame is None or (frame.has_reasons and "reason" in details):
            return None
        found = frame.payload.copy()
        arguments = get_arguments(error)
        is_text = len(arguments) == 1 and type(arguments[0]) is str
        found["message"] = self.walk.text(arguments[0] if is_text else error.message)
        if details:
            shown = frame.shown(details)
            found["details"] = self.walk.flat(shown) or self.walk.value(shown)
        return found

    def _in_full(self, error: BaseException, view: CodedError | None, depth: int) -> dict[str, Any]:
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
        if limit is None and self.walk.has_room(_SHORT):
            return self.walk.budgeted(value)
        return self.walk.text(value, _SHORT if limit is None else limit)

    def _coded(self, error: CodedError, text: Callable[..., str]) -> dict[str, Any]:
        facts = error._facts
        found = self.declared(error, text)
        if error._details:
            found["details"] = self.walk.value(public_details(error))
        for key in _PLACES:
            if facts.get(key) and not (self.public_only and key == "log_path"):
                found[key] = text(facts[key])
        return found

    def declared(self, error: CodedError, text: Callable[..., str]) -> dict[str, Any]:
        """What an error and its code say, without its details."""
        spec, facts = error._spec, error._facts
        known = spec.cls is not None
        found: dict[str, Any] = {
            "v": VERSION,
            "code": text(spec.code, MAX_CODE),
            "message": text(error.message),
            "retryable": error.retryable,
        }
        if error.number is not None:
            found["number"] = error.number
        name = facts.get("name") or (type(error).__name__ if type(error) is not CodedError else None)
        if name:
            found["name"] = text(name, MAX_CODE)
        for key in ("kind", "alert"):
            if known or key in facts:
                found[key] = getattr(error, key)
        if error.retry_after is not None:
            found["retry_after"] = self.walk.value(error.retry_after)
        if error.retries_spent:
            found["retries_spent"] = True
        for key, said in (("hint", error.hint), ("docs", error.docs_url)):
            if said:
                found[key] = text(said)
        return found

    def _hidden(self, error: CodedError) -> dict[str, Any]:
        spec = error._spec
        title = spec.title if spec.cls is not None and spec.code != "internal" else UNKNOWN_TITLE
        code = self.walk.text(spec.code, MAX_CODE)
        return {"v": VERSION, "code": code, "message": title, "retryable": error.retryable}

    def _foreign(self, error: BaseException, text: Callable[..., str]) -> dict[str, Any]:
        spec = own.CoreError.INTERNAL.spec
        if self.public_only:
            return {"v": VERSION, "code": spec.code, "message": UNKNOWN_TITLE, "retryable": False}
        found: dict[str, Any] = {
            "v": VERSION,
            "code": spec.code,
            "message": text(message_of(error)),
            "retryable": False,
            "number": spec.number,
            "name": text(type(error).__name__, MAX_CODE),
            "kind": spec.kind,
            "alert": spec.alert,
            "hint": spec.hint,
        }
        for key in ("diagnostic_id", "log_path"):
            value = attributes_of(error).get(key)
            if is_a(value, str):
                found[key] = text(value)
        return found

    # --- its family ---------------------------------------------------------------------------------

    def _add_family(self, error: BaseException, found: dict[str, Any], depth: int) -> None:
        """Notes, the members of a group, and failures of cleanup."""
        notes = notes_of(error)
        if notes and not self.public_only:
            found["notes"] = [self.walk.budgeted(note) for note in notes[: BOUNDS.group]]
            self.walk.left_items += max(len(notes) - BOUNDS.group, 0)
        if is_a(error, BaseExceptionGroup):
            found["group"] = self._several(members_of(error), depth)
        facts = facts_of(error)
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
            if depth < MAX_GROUP_DEPTH and self._errors > 0 and id(member) not in self._path
        ]
        self.walk.left_items += len(errors) - len(found)
        return found


_PLACES: Final = ("supported_on", "diagnostic_id", "log_path")


def _is_public(view: CodedError | None) -> bool:
    return view is not None and view._spec.public


# --- what a code says -------------------------------------------------------------------------------


class _Frame:
    """What every payload of a code and a class has in common, made of one such error and then copied."""

    def __init__(self, spec: ErrorSpec, payload: dict[str, Any]) -> None:
        self.spec = spec
        self.payload = payload
        self.has_reasons = bool(spec.reasons)
        self._literals = literals.forms
        self._home = None if spec.docs or spec.cls is None else home_registry(spec.cls)
        self._base_url = None if self._home is None else self._home.base_url
        self._secret = secret_names(spec.details)

    def holds(self, spec: ErrorSpec) -> bool:
        """Whether nothing has changed since: the code, the registered secrets, the address of the pages."""
        return (
            self.spec is spec
            and self._literals is literals.forms
            and (self._home is None or self._home.base_url == self._base_url)
        )

    def shown(self, details: dict[str, Any]) -> dict[str, Any]:
        """The details with every declared secret replaced."""
        secret = self._secret
        if not secret or secret.isdisjoint(details):
            return details
        return {name: PLACEHOLDER if name in secret else value for name, value in details.items()}


def _frame_of(error: CodedError) -> _Frame | None:
    """The frame for an error about which nothing else is said; None where its texts need to be cut."""
    cls, spec = type(error), error._spec
    frames: dict[str, _Frame] | None = cls.__dict__.get("__frames__")
    if frames is None:
        frames = {}
        type.__setattr__(cls, "__frames__", frames)  # they must not outlive the class
    frame = frames.get(spec.code)
    if frame is None or not frame.holds(spec):
        frame = _new_frame(error)
        if frame is not None:
            frames[spec.code] = frame
    return frame


def _new_frame(error: CodedError) -> _Frame | None:
    spec = error._spec
    # Codes that nobody registered come and go, and an annotation that can't be read now may be so later.
    if spec.cls is None or is_a(error, BaseExceptionGroup):
        return None
    if any(field.type is MISSING for field in read_fields(spec.details or NoDetails)):
        return None
    encoder, cls = Encoder("internal"), type(error)
    blank: CodedError = native_new(cls)(cls)  # the frame must hold nothing of this one error
    settle(blank, attributes_of(blank), "", spec, {}, ())
    payload = encoder.declared(blank, encoder.walk.text)
    return None if encoder.walk.left_chars else _Frame(spec, payload)


# --- what is no exception ---------------------------------------------------------------------------


def _as_error(value: object) -> CodedError:
    """An object that was passed where an error belongs."""
    from collections.abc import Mapping

    try:
        if is_a(value, Mapping) and is_a(value.get("code"), str) and is_a(value.get("message"), str):
            return decode(value, home_registry(CodedError))
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
