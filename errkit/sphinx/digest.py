"""Which pages are read again, and which are only written again: by content, never by time.

A page notes a digest of everything that it shows of a registry. It is read again when one of those digests
has changed, so a touched file, or a comment in it, costs nothing, and a new prose file or a changed setting
is seen although no page depends on it. A page that refers to a code is written again when the code has
changed, has moved or is gone; in the last case the reference warns, where Sphinx alone would stay silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.sphinx.domain import ErrorDomain
from errkit.sphinx.shown import facts_of, stamp_of, words_of

if TYPE_CHECKING:
    from typing import Any

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from errkit.sphinx.catalogue import Catalogue
    from errkit.sphinx.notes import Shown

__all__ = ["outdated_pages", "setup_digest", "updated_pages"]


def setup_digest(app: Sphinx) -> None:
    """Answer Sphinx's questions about what is out of date."""
    app.connect("env-get-outdated", outdated_pages)
    app.connect("env-get-updated", updated_pages)


def outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """The pages to read again: what they show has changed, or a file has come or gone in their place."""
    domain = ErrorDomain.of(env)
    known = added | changed | removed
    virtual = domain.virtual_pages
    swapped = (virtual ^ domain.data["virtual"].keys()) & env.all_docs.keys()
    stale = {
        docname
        for docname, page in domain.pages.items()
        if docname not in known
        and not all(still_shows(domain.catalogue, key, page["shown"]) for key in page["shown"])
    }
    return sorted((stale | swapped) - known)


def still_shows(catalogue: Catalogue, key: tuple[Any, ...], shown: dict[tuple[Any, ...], Shown]) -> bool:
    """Whether something is what it was when the page was read.

    Words are read only if a file that may hold them is another than before.
    """
    before = shown[key]
    if facts_of(catalogue, key) != before.facts:
        return False
    stamp = stamp_of(catalogue, key)
    if stamp and stamp == before.stamp:
        return True
    if words_of(catalogue, key) != before.words:
        return False
    shown[key] = before._replace(stamp=stamp)
    return True


def updated_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages to write again, because what they refer to has changed."""
    domain = ErrorDomain.of(env)
    prints: dict[tuple[str, str], str] = {}
    stale = []
    for docname, page in domain.pages.items():
        refs = page["refs"]
        for ref in refs:
            if ref not in prints:
                prints[ref] = domain.fingerprint(*ref)
        now = {ref: prints[ref] for ref in refs}
        if now != refs:
            page["refs"] = now
            stale.append(docname)
    return sorted(stale)
