"""The one total pass: any object, redacted, as bounded JSON. It never raises.

The order matters. Text is redacted before it is cut, since half a secret is no longer recognized. What is
left out is counted, and said where it was left out. The form of each kind of object stands in `forms.py`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from errkit.asking import sharing
from errkit.fields import PLACEHOLDER, class_name, is_a
from errkit.redaction import is_secret_item, literals, redact_text
from errkit.safe.bounds import BOUNDS, MARGIN, Bounds
from errkit.safe.forms import form_of
from errkit.safe.names import hides, is_name, names_a_secret, open_names, remember, values_of_secrets
from errkit.safe.texts import CIRCULAR, free_key, key_text, safe_repr, well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Pass", "to_json"]

_TAIL_SHARE: Final = 4
_FLAT: Final = frozenset({str, int, float, bool, type(None)})
_FEW: Final = 16
"""Items of a mapping that is flat."""
_SHORT: Final = 1_024
"""Characters of a text in it."""


class Pass:
    """One walk with one budget; `left_items` and `left_chars` count what was left out."""

    def __init__(self, bounds: Bounds = BOUNDS) -> None:
        self.bounds = bounds
        self.left_items = 0
        self.left_chars = 0
        self._nodes = bounds.nodes
        self.room = bounds.chars
        """Characters that are left of the budget of the whole walk."""
        self._open: set[int] = set()

    def text(self, value: str, limit: int | None = None) -> str:
        """A text: redacted, without lone surrogates, at most `limit` characters and a note of the rest."""
        limit = self.bounds.text if limit is None else limit
        if len(value) <= limit:
            clean = well_formed(redact_text(value))
            if len(clean) <= limit:
                return clean
            value = clean
        return self._cut(value, limit)

    def _cut(self, value: str, limit: int) -> str:
        tail = limit // _TAIL_SHARE
        head = limit - tail
        start = well_formed(redact_text(value[: head + MARGIN]))[:head] if head else ""
        end = well_formed(redact_text(value[-(tail + MARGIN) :]))[-tail:] if tail else ""
        left = len(value) - len(start) - len(end)
        self.left_chars += max(left, 0)
        return f"{start}...[{left} characters left out]...{end}"

    def budgeted(self, value: str, most: int | None = None) -> str:
        """A text of at most `most` characters that counts against the budget of the whole walk."""
        limit = min(self.bounds.text if most is None else most, self.room)
        kept = self.text(value, limit)
        self.room -= min(len(kept), limit)
        return kept

    def spend(self, chars: int) -> None:
        """Count characters that no text is cut for; what is left is never less than nothing."""
        self.room = max(self.room - chars, 0)

    def value(self, value: Any) -> Any:
        """Any object as JSON."""
        kind = type(value)
        if kind is str:
            return self.budgeted(value)
        if value is None or kind is bool:
            return value
        try:
            return form_of(kind)(self, value)
        except Exception:
            return self.budgeted(safe_repr(value))

    def mapping(
        self,
        items: Iterable[tuple[Any, Any]],
        count: int,
        owner: object,
        secret: frozenset[str] = frozenset(),
    ) -> Any:
        """A JSON object from pairs; values under secret keys are replaced."""
        if not self._enter(owner):
            return CIRCULAR if id(owner) in self._open else self._skip(count)
        found: dict[str, Any] = {}
        try:
            pairs = islice(dict.items(owner), self.bounds.items) if is_a(owner, dict) else ()
            named = values_of_secrets(pairs)
            for kept, (key, value) in enumerate(items):
                if kept >= self.bounds.items or self._nodes <= 0:
                    found[free_key(found, "...")] = self._skip(count - kept)
                    break
                self._nodes -= 1
                text = key if type(key) is str else key_text(key)
                name = text if is_name(text) else self.budgeted(text, self.bounds.key)
                # The whole text decides: a name may be cut, down to nothing.
                hidden = text in secret or text in named or hides(key, value)
                found[free_key(found, name)] = PLACEHOLDER if hidden else self.value(value)
        finally:
            self._open.discard(id(owner))
        return found

    def flat(self, items: dict[Any, Any]) -> dict[str, Any] | None:
        """What `mapping` makes of a few short plain values; None where it may have to cut or to look deeper.

        Most details are so. The two differ in nothing but what they cost. Total.
        """
        if (
            len(items) > _FEW
            or self._nodes <= _FEW
            or self.room <= _FEW * _SHORT
            or len(self._open) >= self.bounds.depth
            or self.bounds is not BOUNDS
        ):
            return None
        found: dict[str, Any] = {}
        chars = 0
        for key, value in items.items():
            held = type(value)
            if type(key) is not str or held not in _FLAT:
                return None
            if key not in open_names or literals.forms:
                if not is_name(key) or names_a_secret(key, value):
                    return None
                if is_secret_item(key, value):
                    found[key] = PLACEHOLDER
                    continue
                remember(key)
            if held is str:
                if len(value) > _SHORT:
                    return None
                text = redact_text(value)
                found[key] = text = text if text.isascii() else well_formed(text)
                if len(text) > _SHORT:
                    return None
                chars += len(text)
            elif value is None or -(2**63) <= value < 2**64:
                found[key] = value
            else:
                return None  # also where it is no number
        self._nodes -= len(items)
        self.room -= chars
        return found

    def sequence(self, items: Iterable[Any], count: int, owner: object) -> Any:
        """A JSON array."""
        if not self._enter(owner):
            return CIRCULAR if id(owner) in self._open else self._skip(count)
        found: list[Any] = []
        try:
            for kept, item in enumerate(items):
                if kept >= self.bounds.items or self._nodes <= 0:
                    found.append(self._skip(count - kept))
                    break
                self._nodes -= 1
                found.append(self.value(item))
        finally:
            self._open.discard(id(owner))
        return found

    def _enter(self, owner: object) -> bool:
        if id(owner) in self._open or len(self._open) >= self.bounds.depth:
            return False
        self._open.add(id(owner))
        return True

    def _skip(self, count: int) -> str:
        self.left_items += max(count, 1)
        return f"[{max(count, 1)} more left out]"


def to_json(value: object, bounds: Bounds = BOUNDS) -> Any:
    """Any object as redacted, bounded JSON of exact built-in types. Never raises."""
    try:
        with sharing():
            return Pass(bounds).value(value)
    except Exception:
        return f"<{class_name(value)} object>"
