"""What Sphinx's own search finds codes by; `test_finding.py` asks it in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.sphinx.sites import Built, Site

if TYPE_CHECKING:
    from pathlib import Path


def test_a_code_and_its_aliases_are_main_entries(shop: Built) -> None:
    """An entry that equals the query ranks above everything, and it leads straight to the code.

    A number is an object alone: a second entry would only make the index longer.

    Parts of a name and names with a hyphen are not found as words:
    https://github.com/sphinx-doc/sphinx/issues/11253, https://github.com/sphinx-doc/sphinx/issues/2856
    """
    index = shop.search_index()
    page = index["docnames"].index("errors/shop.cart")
    for name in ("shop.cart.empty", "e-cart"):
        assert index["indexentries"][name] == [[page, "err-shop-cart-empty", True]]
    assert "1001" not in index["indexentries"]


def test_entries_of_pages_that_are_not_written_again_stay(site: Site) -> None:
    """Sphinx itself loses them: it pickles the environment before the search index is made."""
    first = site.build().search_index()["indexentries"]
    assert "shop.cart.empty" in first
    site.edit("index.rst", "Site\n====", "Other\n=====")
    again = site.build()
    assert again.written == ["index"]
    assert again.search_index()["indexentries"] == first


def test_codes_are_objects_of_the_search(shop: Built) -> None:
    """Numbers and living codes come before words, deprecated ones after them, aliases last.

    Names that say the registry are left out.
    """
    index = shop.search_index()
    kinds = index["objtypes"]
    found = {
        (f"{prefix}." if prefix else "") + name: (kinds[str(kind)], priority)
        for prefix, objects in index["objects"].items()
        for _, kind, priority, _, name in objects
    }
    assert found["shop.cart.empty"] == ("err:code", 0)
    assert found["shop.cart.gone"] == ("err:code", 1)
    assert found["E-CART"] == ("err:code", 2)
    assert found["1001"] == ("err:number", 0)
    assert not any(":" in name for name in found)


def test_every_word_of_a_code_is_found_on_its_page(shop: Built) -> None:
    """Titles, hints, prose, fields, reasons, values and labels, although most of it is in one leaf."""
    index = shop.search_index()
    page = index["docnames"].index("errors/shop.cart")
    terms = {**index["terms"], **index["titleterms"]}
    for word in "item cart bought client auditor checkout lock hour 409 payload retri wheel".split():
        pages = terms.get(word, [])
        expected = word not in ("wheel", "409")
        assert (page in ([pages] if isinstance(pages, int) else pages)) is expected, word


def test_the_tables_do_not_repeat_the_words(shop: Built) -> None:
    """A search for a title leads to the code and not to the list of all codes."""
    index = shop.search_index()
    listing = index["docnames"].index("errors/index")
    pages = index["terms"]["declin"]
    assert listing not in ([pages] if isinstance(pages, int) else pages)


def test_the_general_index_is_not_drowned(shop: Built) -> None:
    """Codes have an index of their own; the general one stays what the project made it."""
    assert "shop.cart.empty" not in shop.text("genindex.html")


def test_other_builders_get_no_entries(tmp_path: Path) -> None:
    """What search needs is in no book."""
    built = Site(tmp_path, 'errkit_registries = ["shop"]\n').build("latex")
    assert not re.search(r"\\index\{shop", (next(built.folder.glob("*.tex"))).read_text("utf-8"))
