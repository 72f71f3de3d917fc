"""From errors to payloads: redacted, bounded, counted, whatever was raised.

One `Encoder` makes one payload, with one budget for all that it holds. What is known of a code beforehand is
prepared once in `frames.py`, since most errors say no more than their message and their details.
`payload.py` is the public face of this room.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from errkit import own
from errkit.asking import sharing
from errkit.codes import get_arguments, text_of
from errkit.decoding import MAX_CODE, MAX_ERRORS, MAX_GROUP_DEPTH, VERSION, error_of
from errkit.errors import CodedError, attributes_of, bare, public_details
from errkit.fields import class_name, is_a
from errkit.frames import declared, frame_of
from errkit.guards import members_of
from errkit.reading import chain_of, coded_view, failures_in, kept_of, message_of, notes_of
from errkit.safe import BOUNDS, Pass, safe_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


__all__ = ["Encoder", "last_resort"]

UNKNOWN_TITLE: Final = "Internal error"
_SHORT: Final = 256
"""Characters that a text of a member keeps even where the budget of all is used up."""


def last_resort(error: object) -> dict[str, Any]:
    """The payload of an error that has none: its class alone."""
    return {"v": VERSION, "code": "internal", "message": class_name(error)[:200], "retryable": False}


class Encoder:
    """One payload with one budget for all that it holds."""

    def __init__(self, audience: str) -> None:
        self.public_only = audience != "internal"
        self.walk = Pass()
        self.left_causes = 0
        self._errors = MAX_ERRORS
        self._path: set[int] = set()
        """The errors that lead to the one that is being encoded: a member among them closes a circle."""

    def whole(self, error: object, depth: int = 0) -> dict[str, Any]:
        """An error with its causes, its group and its failures of cleanup; may raise where it lies."""
        if not is_a(error, BaseException):
            error = error_of(error)
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
        with sharing():
            return self._in_full(error, view, depth)

    def _plain(self, error: CodedError) -> dict[str, Any] | None:
        """The payload of an error that says no more than its message, details and notes; None for any other.

        What its code says is copied from a frame. `_in_full` gives the same, and costs more.
        """
        if error._facts:
            return None
        frame, details = frame_of(error), error._details
        if frame is None or (frame.has_reasons and "reason" in details):
            return None
        found = frame.payload.copy()
        arguments = get_arguments(error)
        is_text = len(arguments) == 1 and type(arguments[0]) is str
        found["message"] = self.walk.text(arguments[0] if is_text else error.message)
        if details:
            shown = frame.shown(details)
            found["details"] = self.walk.flat(shown) or self._valued(shown)
        if "__notes__" in attributes_of(error):
            with sharing():
                self._add_notes(error, found)
        return found

    def _valued(self, details: dict[str, Any]) -> Any:
        with sharing():
            return self.walk.value(details)

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
        self._add_family(error, found, depth, view)
        if view is not None and "unknown" in view._facts:
            for key, value in view._facts["unknown"].items():
                shown = key if type(key) is str else self.walk.text(safe_repr(key), BOUNDS.key)
                found.setdefault(shown, self.walk.value(value))
        return found

    def _short(self, value: str, limit: int | None = None) -> str:
        """A text of a member: all members share what is left, and each keeps a little."""
        if limit is None and self.walk.room > _SHORT:
            return self.walk.budgeted(value)
        return self.walk.text(value, _SHORT if limit is None else limit)

    def _coded(self, error: CodedError, text: Callable[..., str]) -> dict[str, Any]:
        facts = error._facts
        found = declared(error, self.walk, text)
        if error._details:
            found["details"] = self.walk.value(public_details(error))
        for key in _PLACES:
            if facts.get(key) and not (self.public_only and key == "log_path"):
                found[key] = text(text_of(facts[key]))
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
            "name": text(class_name(error), MAX_CODE),
            "kind": spec.kind,
            "alert": spec.alert,
            "hint": spec.hint,
        }
        for key in ("diagnostic_id", "log_path"):
            value = attributes_of(error).get(key)
            if is_a(value, str):
                found[key] = text(text_of(value))
        return found

    # --- its family ---------------------------------------------------------------------------------

    def _add_family(
        self, error: BaseException, found: dict[str, Any], depth: int, view: CodedError | None
    ) -> None:
        """Notes, the members of a group, and failures of cleanup."""
        if not self.public_only:
            self._add_notes(error, found)
        if is_a(error, BaseExceptionGroup):
            found["group"] = self._several(members_of(error), depth)
        is_coded = view is not None and is_a(error, CodedError)
        facts = view._facts if view is not None and is_coded else attributes_of(error)
        if is_coded and facts.get("group"):
            found["group"] = self._several(facts["group"], depth)
        if "secondary" in facts and not self.public_only:
            failures = failures_in(facts["secondary"])
            if failures:
                found["secondary"] = self._several(failures, depth)

    def _add_notes(self, error: BaseException, found: dict[str, Any]) -> None:
        notes = notes_of(error)
        if notes:
            found["notes"] = [self.walk.budgeted(text_of(note)) for note in notes[: BOUNDS.group]]
            self.walk.left_items += max(len(notes) - BOUNDS.group, 0)

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
