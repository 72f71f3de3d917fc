"""HTML as Markdown: paragraphs, lists, links and code; of all other tags the words."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Final

__all__ = ["from_html", "words_of"]

_BLOCKS: Final = frozenset({"p", "ul", "ol", "li", "dl", "dt", "dd", "pre", "note", "important"})


def from_html(text: str) -> str:
    """HTML as Markdown; whatever the HTML is, nothing in its words is markup."""
    writer = _Writer()
    writer.feed(text)
    writer.close()
    writer.end_paragraph()
    return "\n\n".join(writer.paragraphs)


def words_of(text: str) -> str:
    """HTML as one line, with code between backquotes."""
    text = re.sub(r"</?code>", "`", text)
    return " ".join(unescape(re.sub(r"<.*?>", "", text)).split())


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]{}<>&|~$^])", r"\\\1", text)


def _paragraph(words: str) -> str:
    """A line whose start makes no list, heading or the like of it."""
    return re.sub(r"^(\d*)([-+#=:%(.)])", r"\1\\\2", words.strip())


class _Writer(HTMLParser):
    """Gathers paragraphs."""

    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self._words = ""
        self._depth = 0
        self._new_items = 0
        self._in_code = False
        self._addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end_paragraph()
        if tag == "li":
            self._depth += 1
            self._new_items += 1
        elif tag == "code":
            self._in_code = True
        elif tag == "a":
            address = dict(attrs).get("href") or ""
            self._addresses.append("" if re.search(r"[<>\s]", address) else address)
            self._words += "[" if self._addresses[-1] else ""

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end_paragraph()
        if tag == "li":
            self._depth = max(self._depth - 1, 0)
            self._new_items = 0
        elif tag == "code":
            self._in_code = False
        elif tag == "a" and self._addresses:
            address = self._addresses.pop()
            self._words += f"](<{address}>)" if address else ""

    def handle_data(self, data: str) -> None:
        words = re.sub(r"[ \t\n]+", " ", data)
        self._words += f"`` {words.strip()} ``" if self._in_code and words.strip() else _escaped(words)

    def end_paragraph(self) -> None:
        """What was gathered is a paragraph, or the first one of an item."""
        if self._words.strip():
            margin = "  " * (self._depth - self._new_items) + "- " * self._new_items
            self.paragraphs.append(margin + _paragraph(self._words))
            self._new_items = 0
        self._words = ""
