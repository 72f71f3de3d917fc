"""Texts that the program itself registers as secrets."""

from __future__ import annotations

import re
from _thread import allocate_lock
from typing import Final

from errkit.fields import PLACEHOLDER

__all__ = ["add_literal", "remove_literal", "without_literals"]

_SHORTEST_LITERAL: Final = 4
_SHORTEST_BASE64: Final = 6

_lock = allocate_lock()
_literals: dict[str, tuple[str, ...]] = {}
forms: tuple[str, ...] = ()
"""Every form of every literal, longest first. Replaced as a whole, so that readers need no lock."""


def add_literal(value: str) -> None:
    """Hide this text wherever it occurs, from now on, also in what was made before and is written later.

    It is also found percent-encoded (as a path, a query or a form writes it), escaped for JSON or Python,
    and in base64, standard and URL-safe. Inside a longer base64 text the literal may start at any of three
    alignments; the characters that depend on nothing but the literal are hidden, if there are at least six
    of them, and those at the ends that it shares with its neighbours stay.

    Parameters
    ----------
    value
        The secret itself. Registering it twice is the same as once.

    Raises
    ------
    ErrkitError.BAD_LITERAL
        If the text is shorter than four characters, or part of the placeholder: hiding it would tear holes in
        every message. The error does not show the text.
    """
    if len(value) < _SHORTEST_LITERAL or value in PLACEHOLDER:
        from errkit.own import ErrkitError

        raise ErrkitError.BAD_LITERAL(
            f"a literal of {len(value)} characters can't be hidden: register secrets of at least"
            f" {_SHORTEST_LITERAL} characters that are no part of {PLACEHOLDER}",
            length=len(value),
        )
    with _lock:
        _publish({**_literals, value: _forms_of(value)})


def remove_literal(value: str) -> None:
    """Stop hiding a text that `add_literal` registered. Unknown texts are ignored.

    Parameters
    ----------
    value
        The secret as it was registered.
    """
    with _lock:
        _publish({known: spelled for known, spelled in _literals.items() if known != value})


def _publish(literals: dict[str, tuple[str, ...]]) -> None:
    global _literals, forms  # noqa: PLW0603
    _literals = literals
    every = {form for spelled in literals.values() for form in spelled}
    forms = tuple(sorted(every, key=lambda form: (-len(form), form)))


def _forms_of(value: str) -> tuple[str, ...]:
    """The literal in every spelling in which it can be part of a text."""
    from json import dumps
    from urllib.parse import quote, quote_plus

    data = value.encode("utf-8", "surrogatepass")
    percent = {quote(data, safe=safe) for safe in ("", "/", "!'()*", "/:@!$&'()*+,;=")} | {quote_plus(data)}
    percent |= {re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), form) for form in percent}
    plain = dumps(value, ensure_ascii=False)
    escaped = {written[1:-1] for written in (dumps(value), plain, repr(value), ascii(value))}
    twice = {dumps(form)[1:-1] for form in escaped}
    spelled = {value} | percent | escaped | twice | _base64_forms(data)
    return tuple(form for form in spelled if len(form) >= _SHORTEST_LITERAL and form not in PLACEHOLDER)


def _base64_forms(data: bytes) -> set[str]:
    from base64 import b64encode

    whole = b64encode(data).decode("ascii")
    forms = {whole, whole.rstrip("=")}
    for shift in range(3):
        encoded = b64encode(bytes(shift) + data).decode("ascii")
        forms.add(encoded[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6])
    forms |= {form.replace("+", "-").replace("/", "_") for form in forms}
    return {form for form in forms if len(form) >= _SHORTEST_BASE64}


def without_literals(text: str) -> str:
    """The text with each form of each literal replaced."""
    for form in forms:
        if form in text:
            text = text.replace(form, PLACEHOLDER)
    return text
