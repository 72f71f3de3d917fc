"""What a build keeps in memory, and what it need not.

A catalogue is many thousand objects that all stay, so nobody has to look for garbage among them. The trees of
its pages are as many again, and are back from their files in a millisecond or two each.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx

__all__ = ["keep", "setup_memory", "without_collecting"]


def setup_memory(app: Sphinx) -> None:
    """Let go of trees while pages are read and written, and of the rest when the build has ended."""
    app.connect("doctree-read", forget_trees)
    app.connect("doctree-resolved", forget_trees)
    app.connect("build-finished", collect_again)


def forget_trees(app: Sphinx, _tree: nodes.document, _docname: str = "") -> None:
    """Drop what Sphinx keeps of virtual pages to save itself the reading: their trees, then their bytes.

    Both stores are its own business: a version without them is none the worse.
    """
    virtual: set[str] = getattr(app.project, "virtual", set())
    for name in ("_write_doc_doctree_cache", "_pickled_doctree_cache"):
        kept: Any = getattr(app.env, name, {})
        for docname in virtual & kept.keys():
            del kept[docname]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Look for no garbage: of the many thousand objects that are made meanwhile nearly all stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def keep() -> None:
    """Let whoever looks for garbage pass over all that is there now, until the build has ended."""
    gc.freeze()


def collect_again(_app: Sphinx, _exception: Exception | None) -> None:
    """Let what belongs to a build be garbage once it has ended."""
    gc.unfreeze()
