"""The messages of pylint, as `pylint --list-msgs` prints them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from errkit.imports.draft import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.imports.files import Source

__all__ = ["read"]

_CATEGORIES: Final = {
    "C": "convention",
    "E": "error",
    "F": "fatal",
    "I": "information",
    "R": "refactor",
    "W": "warning",
}
_MESSAGE: Final = re.compile(r"^:([\w-]+) \(([A-Z]\d{4})\):(?: \*(.*)\*)?$")


def read(source: Source) -> Iterator[Entry]:
    """Each message; a category is a domain. Lines that belong to none are passed over."""
    head: tuple[int, re.Match[str]] | None = None
    words: list[str] = []
    for number, line in enumerate([*source.text.splitlines(), ":"], 1):
        if not line.startswith(":"):
            if line.startswith(" ") or not line:
                words.append(line.strip())
            continue
        if head is not None:
            yield _entry(*head, words)
        found = _MESSAGE.match(line)
        head, words = (None if found is None else (number, found)), []


def _entry(line: int, found: re.Match[str], words: list[str]) -> Entry:
    symbol, code, title = found.groups()
    category = _CATEGORIES.get(code[0], "other")
    return Entry(
        code=code,
        place=f"line {line}",
        domain=category,
        domain_title=category.title(),
        title=title or symbol,
        facts={"public": True, "description": " ".join(words).strip()},
        aliases=(symbol,),
    )
