"""The words that the extension itself puts on pages, each through the translation catalogue `errkit`.

The tables hold the English text, which is the message to translate; the functions look it up in the language
of the page that is being written. Texts from a registry are never labels: those are translated by the
catalogue of the page that shows them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.locale import get_translation

from errkit.explaining import KIND_MEANINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

__all__ = [
    "COLUMNS",
    "LOCALE_DIR",
    "column",
    "kind_meaning",
    "label",
    "messages",
    "setup_labels",
    "size_of",
    "translate",
    "words",
]

CATALOG: Final = "errkit"
LOCALE_DIR: Final = Path(__file__).parent / "locale"

_BADGES: Final = ("hint", "retry", "no_retry", "alert", "no_alert", "public", "internal", "yes", "no")
_LABELS: Final = {
    "hint": "What to do",
    "number": "Number",
    "kind": "Kind",
    "retry": "Retry",
    "no_retry": "No retry",
    "alert": "Alert",
    "no_alert": "No alert",
    "audience": "Audience",
    "public": "Public",
    "internal": "Internal",
    "yes": "yes",
    "no": "no",
    "http_status": "HTTP status",
    "retry_after": "Retry after",
    "since": "Since",
    "deprecated": "Deprecated",
    "deprecated_since": "since %s",
    "replaced_by": "Use instead",
    "aliases": "Also known as",
    "docs": "More",
    "declared": "Declared in",
    "raised": "Raised by",
    "more_places": "and %d more",
    "source": "source",
    "edit": "edit",
    "details": "Details",
    "reasons": "Reasons",
    "example": "Payload",
    "examples": "Examples",
    "copy": "Copy",
    "copied": "Copied",
    "since_badge": "Since %s",
    "deprecated_badge": "Deprecated since %s",
    "removed": "Removed",
    "removed_in": "Removed in %s",
    "required": "required",
    "secret": "secret",
    "seconds": "%s s",
    "permalink": "Link to this code",
    "index_title": "Error reference",
    "all_codes": "All codes",
    "find": "Find a code",
    "find_help": "A code, a number or words, or a whole message or JSON payload. "
    "Press / to come here and ↓ for the results.",
    "find_near": "No code fits exactly. These come closest:",
    "find_none": "No code fits.",
    "find_more": "Show all %d codes",
    "any": "any",
    "total": "All",
    "missing": "There is no such page",
    "missing_why": "The address is misspelled, or what it led to is gone.",
    "missing_near": "Did you mean one of these?",
    "first_page": "First page",
    "one_code": "1 code",
    "codes": "%d codes",
    "numbers": "Numbers %(first)d to %(last)d",
}
COLUMNS: Final = {
    "code": "Code",
    "number": "Number",
    "title": "Title",
    "kind": "Kind",
    "retry": "Retry",
    "alert": "Alert",
    "audience": "Audience",
    "status": "HTTP status",
    "domain": "Domain",
    "registry": "Registry",
    "codes": "Codes",
    "numbers": "Numbers",
    "field": "Field",
    "type": "Type",
    "default": "Default",
    "meaning": "Meaning",
    "reason": "Reason",
    "hint": "What to do",
}
"""The headings of all columns; a table of codes can show the first ten."""

translate = get_translation(CATALOG)


def setup_labels(app: Sphinx) -> None:
    """Register the translations that come with errkit."""
    app.add_message_catalog(CATALOG, str(LOCALE_DIR))


def messages() -> Iterator[str]:
    """Every message of the catalogue, once."""
    from errkit.sphinx import domain

    yield from dict.fromkeys(
        (*_LABELS.values(), *COLUMNS.values(), *KIND_MEANINGS.values(), *domain.MESSAGES)
    )


def words() -> Iterator[str]:
    """The labels and headings that the facts of codes stand under, for search."""
    yield from (label(name) for name in (*_BADGES, "details", "reasons", "example", "declared", "required"))
    yield from map(column, COLUMNS)


def label(name: str) -> str:
    """The label of one fact."""
    return translate(_LABELS[name])


def column(name: str) -> str:
    """The heading of one column; the name itself where it is a fact, such as a kind."""
    return translate(COLUMNS.get(name, name))


def kind_meaning(kind: str) -> str:
    """What a kind means for the caller, as half a sentence."""
    return translate(KIND_MEANINGS[kind]) if kind in KIND_MEANINGS else kind


def size_of(count: int, numbers: tuple[int, int] | None) -> str:
    """How large a domain is: its range of numbers (first, one past the last) and its count of codes."""
    text = label("one_code") if count == 1 else label("codes") % count
    if numbers is None:
        return text
    return f"{label('numbers') % {'first': numbers[0], 'last': numbers[1] - 1}} · {text}"
