"""Whether the built site documents each code: in its inventory, on its page, under its anchor."""

from __future__ import annotations

import zlib
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final

from errkit.checks.model import Finding, finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from errkit.checks.model import Context
    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["docs_missing", "find_docs", "find_orphans", "read_inventory"]

_HEADER: Final = b"# Sphinx inventory version 2"
_OBJECT: Final = "err:code"
_BUILD: Final = "Build the site again, and see that the registry is one of its sources."


def docs_missing(context: Context) -> str:
    """Why the built site can't be asked; empty if it can."""
    docs = context.config.docs
    if docs is None:
        return "`docs` is not set under [tool.errkit]: the folder of the built site, or its objects.inv"
    if not _inventory_path(docs).is_file():
        return f"{_inventory_path(docs)} does not exist; build the site first"
    return ""


def find_docs(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The code stands in objects.inv, its page exists, and its anchor is on the page and not empty."""
    docs = context.config.docs
    assert docs is not None
    address = _inventory(docs, context).get(f"{registry.name}:{spec.code}")
    if address is None:
        yield finding("docs", registry, spec, "the built site does not document it", _BUILD)
        return
    page, _, anchor = address.partition("#")
    if docs.suffix == ".inv" and not _page_path(docs, page).is_file():
        return  # an inventory on its own: there are no pages to look at
    texts = _anchors(_page_path(docs, page), context)
    if texts is None:
        yield finding("docs", registry, spec, f"its page {page} does not exist", _BUILD)
    elif anchor not in texts:
        yield finding("docs", registry, spec, f"its page {page} has no anchor {anchor}", _BUILD)
    elif not texts[anchor]:
        yield finding("docs", registry, spec, f"nothing stands under {address}", _BUILD)


def find_orphans(registry: Registry, context: Context) -> Iterator[Finding]:
    """No code is documented that is gone."""
    docs = context.config.docs
    assert docs is not None
    for name in _inventory(docs, context):
        code = name.removeprefix(f"{registry.name}:")
        if code != name and code not in registry:
            yield Finding(
                check="orphans",
                registry=registry.name,
                code=code,
                problem="the built site documents it, and the registry does not have it",
                remedy=_BUILD,
            )


# --- reading the site -------------------------------------------------------------------------------


def _inventory_path(docs: Path) -> Path:
    return docs if docs.suffix == ".inv" else docs / "objects.inv"


def _page_path(docs: Path, page: str) -> Path:
    folder = _inventory_path(docs).parent
    return folder / page / "index.html" if page.endswith("/") or not page else folder / page


def _inventory(docs: Path, context: Context) -> Mapping[str, str]:
    found: Mapping[str, str] | None = context.memory.get(_inventory_path(docs))
    if found is None:
        found = context.memory[_inventory_path(docs)] = read_inventory(_inventory_path(docs))
    return found


def read_inventory(path: Path) -> dict[str, str]:
    """The error codes of an objects.inv: `registry:code` -> address below the site's root.

    The format is version 2 of Sphinx's inventory: four lines of text, then compressed lines of
    `name domain:role priority uri dispname`. What is no such file documents nothing.
    """
    data = path.read_bytes()
    parts = data.split(b"\n", 4)
    if len(parts) < 5 or parts[0] != _HEADER:
        return {}
    try:
        lines = zlib.decompress(parts[4]).decode("utf-8").splitlines()
    except (zlib.error, UnicodeDecodeError):
        return {}
    found = {}
    for line in lines:
        # The name of a registry may hold spaces.
        name, _, rest = line.partition(f" {_OBJECT} ")
        facts = rest.split(None, 2)
        if len(facts) > 1 and ":" in name:
            found[name] = facts[1].replace("$", name)
    return found


def _anchors(page: Path, context: Context) -> Mapping[str, bool] | None:
    """Anchor -> whether text stands under it; None if there is no such page."""
    known: dict[Path, Mapping[str, bool] | None] = context.memory.setdefault(_anchors, {})
    if page not in known:
        known[page] = _read_page(page)
    return known[page]


def _read_page(page: Path) -> Mapping[str, bool] | None:
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    reader = _PageReader()
    reader.feed(text)
    return reader.found


class _PageReader(HTMLParser):
    """Which elements with an id hold text."""

    _VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, bool] = {}
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        anchor = dict(attrs).get("id")
        if anchor is not None:
            self.found.setdefault(anchor, False)
        if tag not in self._VOID:
            self._open.append((tag, anchor))

    def handle_endtag(self, tag: str) -> None:
        while self._open and any(name == tag for name, _ in self._open):
            if self._open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> Any:
        if data.strip():
            self.found.update({anchor: True for _, anchor in self._open if anchor is not None})
