"""HTML as a browser reads it, for tests that need no browser."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a browser sees: elements, attributes, texts; refuses elements that are not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self) -> str:
        """All that can be read."""
        return "".join(self.texts)
