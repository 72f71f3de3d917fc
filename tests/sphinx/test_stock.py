"""Every other format: real sections, tables and links, from the same data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from docutils import nodes

from errkit.sphinx import stock
from errkit.sphinx.rows import Badges
from tests.sphinx.samples.hostile import NASTY
from tests.sphinx.sites import Built, Site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A project with two registries and the hostile one."""
    site = Site(tmp_path_factory.mktemp("stock"), 'errkit_registries = ["shop", "depot", "hostile"]\n')
    site.write("index.rst", "Site\n====\n\n:err:code:`shop.cart.locked`\n\n.. toctree::\n\n   errors/index\n")
    return site


def built(project: Site, builder: str, **settings: Any) -> Built:
    """The project in one format, without a warning."""
    done = project.build(builder, **settings)
    assert done.warnings == []
    return done


def test_text_says_everything(project: Site) -> None:
    """Heading, hint, facts, tables and payload, as plain text; data comes out as it is."""
    done = built(project, "text")
    page = done.text("errors/shop.cart.txt")
    for expected in (
        '"shop.cart.empty" Cart is empty', "**What to do:** Add an item first.", "Number:\n   1001",
        "HTTP status:\n   409", "**Details**", '"cart"', "**Reasons**", "A checkout is under way",
        "**Payload**",
        '"token": "[REDACTED]"',
        "Numbers 1000 to 1099", "*shared*",
    ):  # fmt: skip
        assert expected in page, expected
    flat = re.sub(r"\s+", " ", done.text("errors/hostile-b-/nasty.txt"))
    shown = re.sub(r"`+(\w+)`+", r'"\1"', NASTY)
    assert f"What to do:** {shown}" in flat


def test_latex_has_sections_labels_and_links(project: Site) -> None:
    """A code is a section of its own; references from elsewhere lead to it."""
    [book] = built(project, "latex").folder.glob("*.tex")
    text = book.read_text("utf-8")
    assert r"\label{\detokenize{errors/shop.cart:err-shop-cart-locked}}" in text
    assert r"\hyperref[\detokenize{errors/shop.cart:err-shop-cart-locked}]" in text
    assert r"section{\sphinxstyleliteralintitle{\sphinxupquote{shop.cart.locked}} Cart is locked}" in text
    assert "<script>alert(1)</script>" in text.replace(r"\textless{}", "<").replace(
        r"\textgreater{}", ">"
    ).replace("\\", "")


@pytest.mark.parametrize(
    ("builder", "name", "expected"),
    [
        ("man", "site.1", "shop.cart.locked"),
        ("texinfo", "site.texi", "shop.cart.locked"),
        ("xml", "errors/shop.cart.xml", '<section ids="err-shop-cart-locked">'),
        ("pseudoxml", "errors/shop.cart.pseudoxml", '<section ids="err-shop-cart-locked">'),
        ("epub", "errors/shop.cart.xhtml", 'id="err-shop-cart-locked"'),
    ],
)
def test_a_code_is_in_every_format(project: Site, builder: str, name: str, expected: str) -> None:
    """No writer meets a node that it does not know. https://github.com/useblocks/sphinx-needs/issues/796"""
    done = built(project, builder, version="1", copyright="x", man_pages=[("index", "site", "Site", "x", 1)])
    assert expected in done.text(name)


def test_one_page_for_the_whole_site_has_no_id_twice(project: Site) -> None:
    """Where two registries share a code, each has an anchor of its own there."""
    page = built(project, "singlehtml").text("index.html")
    found = re.findall(r'<section[^>]* id="(err-[^"]*)"', page)
    assert len(found) == len(set(found))
    assert {"err-shop-cart-empty", "err-depot--shop-cart-empty"} <= set(found)
    assert 'href="#err-depot--shop-cart-empty"' in page


def test_the_pages_of_an_e_book_are_well_formed_xml(project: Site) -> None:
    """Readers of e-books refuse a page that is not."""
    folder = built(project, "epub", version="1", copyright="x").folder
    pages = list(folder.rglob("*.xhtml"))
    assert len(pages) > 5
    for path in pages:
        ElementTree.parse(path)


def test_links_are_there_to_be_checked(tmp_path: Path) -> None:
    """linkcheck sees the addresses that codes give; our own short links are none of them."""
    done = Site(tmp_path, 'errkit_registries = ["shop"]\nlinkcheck_ignore = ["https://"]\n').build(
        "linkcheck"
    )
    assert "https://example.invalid/carts" in done.text("output.json")
    assert "/e/shop" not in done.text("output.json")


def test_a_table_is_made_of_nodes_that_every_writer_knows() -> None:
    """Head, body, and cells with what they were given."""
    table = stock.table(("code", "title"), [[[nodes.Text("a")], [nodes.literal("", "b")]]])
    assert [entry.astext() for entry in table.findall(nodes.entry)] == ["Code", "Title", "a", "b"]
    assert next(iter(table.findall(nodes.tgroup)))["cols"] == 2


def test_an_address_that_runs_something_is_no_link() -> None:
    """Not in any format."""
    facts: dict[str, Any] = {
        "http_status": None, "retry_after": None, "since": "", "deprecated": "", "replaced_by": "",
        "aliases": [], "docs": "javascript:x", "declared": "d", "source_url": "javascript:y",
        "class": ["m", "D"], "raised": [{"name": "m.f", "at": ["m", "f"], "source_url": "javascript:z"}],
        "fields": [], "reasons": [], "example": None, "forms": [],
    }  # fmt: skip
    made = stock.facts(
        Badges(None, "bug", False, True, False),
        facts,
        lambda kind, registry, name, content: content,
        str,
    )
    assert [node for part in made for node in part.findall(nodes.reference)] == []
