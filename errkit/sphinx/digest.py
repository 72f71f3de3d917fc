"""Which pages are read again, and which are only written again: by content, never by time.

A page notes a digest of everything that it shows of a registry. It is read again when one of those digests
has changed, so a touched file, or a comment in it, costs nothing, and a new prose file or a changed setting
is seen although no page depends on it. A page that refers to a code is written again when the code has
changed, has moved or is gone; in the last case the reference warns, where Sphinx alone would stay silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.sphinx.directives import digest_of_shown
from errkit.sphinx.domain import ErrorDomain

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

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
    swapped = virtual.symmetric_difference(domain.data["virtual"]) & env.all_docs.keys()
    stale = {
        docname
        for docname, page in domain.pages.items()
        if docname not in known
        and any(digest_of_shown(domain.catalogue, key) != digest for key, digest in page["shown"].items())
    }
    return sorted((stale | swapped) - known)


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
