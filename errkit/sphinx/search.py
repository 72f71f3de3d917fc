"""What the site's own search finds a code by.

Sphinx's search ranks a `main` index entry that equals the query above everything else, so each code and
alias has one. A number needs none: it is one word, and as the name of an important object it ranks above all
words. The entries are added when a page is written, where the search index is made, and not when it is read:
the general index of a project would drown in thousands of codes, which have an index of their own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sphinx import addnodes

from errkit.sphinx.catalogue import Key
from errkit.sphinx.domain import ErrorDomain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx

    from errkit.sphinx.catalogue import Catalogue

__all__ = ["setup_search"]


def setup_search(app: Sphinx) -> None:
    """Add the entries to each page as it is written, and to those that are not."""
    app.connect("doctree-resolved", add_entries)
    # The last event before the search index is stored.
    app.connect("html-collect-pages", complete_entries)


def add_entries(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add an index entry for each name of the codes on a page."""
    if app.builder.format != "html":
        return
    share_stems(app.builder)
    entries = entries_of(ErrorDomain.of(app.env), docname)
    if entries:
        doctree += addnodes.index(
            entries=[("single", name, anchor, "main", None) for name, anchor in entries]
        )


def entries_of(domain: ErrorDomain, docname: str) -> list[tuple[str, str]]:
    """Each name of the codes on a page, and where it leads."""
    notes = domain.pages[docname]["codes"] if docname in domain.pages else []
    return [
        (name, note.anchor)
        for note in notes
        for name in names_of(domain.catalogue, Key(note.registry, note.name))
    ]


def complete_entries(app: Sphinx) -> list[tuple[str, dict[str, Any], str]]:
    """Give back the entries of pages that are not written in this build.

    Sphinx forgets them: it stores its environment before it writes the pages.
    """
    known = getattr(getattr(app.builder, "indexer", None), "_index_entries", None)
    if isinstance(known, dict):
        domain = ErrorDomain.of(app.env)
        for docname, page in domain.pages.items():
            if page["codes"] and docname not in known:
                known[docname] = sorted((*entry, "main") for entry in entries_of(domain, docname))
    return []


def names_of(catalogue: Catalogue, key: Key) -> Iterator[str]:
    """What a code is looked for by and search takes for several words: itself, its aliases.

    Its number and its last segment need no entry: as the name of an object, one word counts for as much.
    """
    view = catalogue.codes.get(key)
    if view is not None:
        yield view.code
        yield from view.spec.aliases


def share_stems(builder: object) -> None:
    """Let the pages of one build share the stems of their words: Sphinx remembers them for one page only."""
    language = getattr(getattr(builder, "indexer", None), "lang", None)
    if language is not None and "stem" not in vars(language):
        language.stem = lru_cache(maxsize=None)(language.stem)
