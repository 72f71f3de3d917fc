"""The trees of a page, compared with files: whoever changes one sees what else changes.

`ERRKIT_REGENERATE=1 pytest tests/sphinx/test_trees.py` writes the files anew, to be read before they are
kept.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.sphinx.sites import Site

TREES = Path(__file__).parent / "trees"


def normalised(tree: str) -> str:
    """Without paths, and with what versions of docutils write in different ways written in one."""
    tree = re.sub(r'(source|refdoc)="[^"]*"', r'\1="..."', tree)
    tree = re.sub(r"\btests\.sphinx\.samples\.", "", tree)
    tree = re.sub(r'="(True|1)"', '="1"', tree)
    tree = re.sub(r'="(False|0)"', '="0"', tree)
    return "\n".join(line.rstrip() for line in tree.splitlines()) + "\n"


def compare(name: str, tree: str) -> None:
    """A tree with the one that is kept."""
    path = TREES / name
    found = normalised(tree)
    if os.environ.get("ERRKIT_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")


@pytest.mark.parametrize("page", ["errors/shop.cart", "errors/index"])
def test_the_tree_that_html_is_written_from(site: Site, page: str) -> None:
    """Elements of our own, one leaf a code."""
    built = site.build()
    assert built.app is not None
    compare(f"{page.replace('/', '-')}-html.txt", built.app.env.get_doctree(page).pformat())


@pytest.mark.parametrize("page", ["errors/shop.cart", "errors/index"])
def test_the_tree_that_everything_else_is_written_from(site: Site, page: str) -> None:
    """Nodes that every writer knows."""
    compare(f"{page.replace('/', '-')}-stock.txt", site.build("pseudoxml").text(f"{page}.pseudoxml"))
