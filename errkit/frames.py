"""What a code says in a payload, prepared once and copied into each.

Most errors say no more than their message and their details; all else stands in the declaration, and is the
same each time. `encoding.py` fills the frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errkit.codes import NoDetails, native_new, settle, text_of
from errkit.decoding import MAX_CODE, VERSION
from errkit.errors import CodedError, attributes_of, home_registry
from errkit.fields import MISSING, PLACEHOLDER, class_name, is_a
from errkit.redaction import literals
from errkit.safe import Pass
from errkit.typed import read_fields, secret_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.codes import ErrorSpec

__all__ = ["Frame", "declared", "frame_of"]


def declared(error: CodedError, walk: Pass, text: Callable[..., str]) -> dict[str, Any]:
    """What an error and its code say, without its details."""
    spec, facts = error._spec, error._facts
    known = spec.cls is not None
    found: dict[str, Any] = {
        "v": VERSION,
        "code": text(spec.code, MAX_CODE),
        "message": text(error.message),
        "retryable": error.retryable,
    }
    if type(error.number) is int:
        found["number"] = error.number
    name = facts.get("name") or (class_name(error) if type(error) is not CodedError else None)
    if name:
        found["name"] = text(text_of(name), MAX_CODE)
    if known or "kind" in facts:
        found["kind"] = text(text_of(error.kind))
    if known or "alert" in facts:
        found["alert"] = error.alert
    if error.retry_after is not None:
        found["retry_after"] = walk.value(error.retry_after)
    if error.retries_spent:
        found["retries_spent"] = True
    for key, said in (("hint", error.hint), ("docs", error.docs_url)):
        if said:
            found[key] = text(text_of(said))
    return found


class Frame:
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


def frame_of(error: CodedError) -> Frame | None:
    """The frame for an error about which nothing else is said; None where its texts need to be cut."""
    cls, spec = type(error), error._spec
    frames: dict[str, Frame] | None = cls.__dict__.get("__frames__")
    if frames is None:
        frames = {}
        type.__setattr__(cls, "__frames__", frames)  # they must not outlive the class
    frame = frames.get(spec.code)
    if frame is None or not frame.holds(spec):
        frame = _new_frame(error)
        if frame is not None:
            frames[spec.code] = frame
    return frame


def _new_frame(error: CodedError) -> Frame | None:
    spec = error._spec
    # Codes that nobody registered come and go, and an annotation that can't be read now may be so later.
    if spec.cls is None or is_a(error, BaseExceptionGroup):
        return None
    if any(field.type is MISSING for field in read_fields(spec.details or NoDetails)):
        return None
    walk, cls = Pass(), type(error)
    blank: CodedError = native_new(cls)(cls)  # the frame must hold nothing of this one error
    settle(blank, attributes_of(blank), "", spec, {}, ())
    payload = declared(blank, walk, walk.text)
    return None if walk.left_chars else Frame(spec, payload)
