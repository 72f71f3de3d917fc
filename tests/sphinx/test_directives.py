"""The directives: what each shows, what its options leave out, what it says to a name that means nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.sphinx.sites import Built, Site, elements, ids

if TYPE_CHECKING:
    from pathlib import Path


def page(tmp_path: Path, text: str, registries: str = '["shop"]') -> Built:
    """A site that is one page, with nothing that appears by itself."""
    site = Site(tmp_path, f"errkit_registries = {registries}\nerrkit_pages = False\n")
    site.write("index.rst", f"Site\n====\n\n{text}\n")
    return site.build()


def codes(built: Built, name: str = "index.html") -> list[str]:
    """The codes that the page documents, in order."""
    found = elements(built.text(name).partition("<body>")[2].partition("</body>")[0])
    return [
        e.text.split()[0]
        for e in found
        if e.tag in ("h2", "h3") and "err-" not in e.text and "." in e.text.split()[0]
    ]


def rows(built: Built, name: str = "index.html") -> list[list[str]]:
    """The rows of the first table of codes."""
    text = built.text(name)
    start = text.index('<table class="errkit-table errkit-codes"')
    table = text[start : text.index("</table>", start)]
    return [
        [e.text for e in elements(row.partition("</tr>")[0]) if e.tag == "td"]
        for row in table.split("<tr")[2:]
        if row
    ]


def test_a_code_shows_everything_that_is_known_of_it(shop: Built) -> None:
    """Title, number, kind, retry, alert, audience, hint, details, status, version, aliases, declaration."""
    text = shop.text("errors/shop.cart.html")
    start = text.index('id="err-shop-cart-empty"')
    shown = text[start : text.index('id="err-shop-cart-locked"', start)]
    for expected in (
        "Cart is empty", "Number 1001", ">terminal<", "No retry", ">Alert<", ">Public<", "Add an item first.",
        "<dt>HTTP status</dt><dd>409</dd>", "<span>Since 1.2</span>", "E-CART", 'href="https://example.invalid/carts"',
        "shop.CartError.EMPTY", "<td>required</td>",
        ">secret<", '<code class="literal notranslate">/carts</code>',
        "nothing to buy", 'class="nt">"details"</span>',
    ):  # fmt: skip
        assert expected in shown, expected


def test_kind_reasons_retry_and_replacement_are_shown(shop: Built) -> None:
    """What else a code can say: a pause, reasons with hints and verdicts, a successor to link to."""
    text = shop.text("errors/shop.cart.html")
    for expected in (
        "<dt>Retry after</dt><dd>0.5 s</dd>", "A checkout is under way", "Ask the auditor.",
        '<strong>Deprecated since 2.0</strong> Use instead: <a href="#err-shop-cart-empty">', ">No alert<",
    ):  # fmt: skip
        assert expected in text, expected


def test_a_domain_shows_its_prose_its_range_and_a_summary(shop: Built) -> None:
    """Then its codes, each under a heading of its own."""
    text = shop.text("errors/shop.cart.html")
    assert text.index("Carts live for an hour.") < text.index("Numbers 1000 to 1099 · 3 codes")
    assert text.index("3 codes") < text.index("errkit-codes") < text.index("err-shop-cart-empty")
    assert ids(text).count("err-shop-cart-empty") == 1


def test_the_index_lists_registries_domains_and_codes(both: Built) -> None:
    """All of them in tables that need no script; a script finds what to filter by."""
    text = both.text("errors/index.html")
    assert text.count("errkit-domains") == 2
    assert 'data-errkit="codes"' in text
    hooks = 'data-registry="depot" data-domain="shop.cart" data-kind="terminal" data-retry="no"'
    assert (
        f'<tr {hooks} data-audience="public" data-deprecated="no" data-names="shop.cart.empty 1001"' in text
    )
    assert '<a href="depot/shop.cart.html#err-shop-cart-empty">' in text
    assert '<a href="shop.pay.html#err-domain-shop-pay">' in text


DOMAINS = {
    "": ["shop.cart.empty", "shop.cart.locked", "shop.cart.gone"],
    "   :include: shop.cart.gone, shop.cart.empty": ["shop.cart.empty", "shop.cart.gone"],
    "   :exclude: shop.cart.locked": ["shop.cart.empty", "shop.cart.gone"],
    "   :sort: code": ["shop.cart.empty", "shop.cart.gone", "shop.cart.locked"],
    "   :sort: number": ["shop.cart.empty", "shop.cart.locked", "shop.cart.gone"],
    "   :no-codes:": [],
}
TABLES = {
    "   :domain: shop.pay": ["shop.pay.declined", "shop.pay.broken"],
    "   :kind: outcome bug": ["shop.cart.gone", "shop.pay.declined", "shop.pay.broken"],
    "   :retry: yes": ["shop.cart.locked"],
    "   :audience: public": ["shop.cart.empty", "shop.cart.gone", "shop.pay.declined", "shop.cart.empty"],
    "   :registry: depot": ["shop.cart.empty", "shop.cart.broken"],
    "   :registry: depot\n   :sort: code": ["shop.cart.broken", "shop.cart.empty"],
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A site with one page for each case of the two tables above."""
    site = Site(tmp_path_factory.mktemp("cases"), 'errkit_registries = ["shop", "depot"]\n')
    site.write("index.rst", "Site\n====\n\n.. toctree::\n   :glob:\n\n   errors/index\n   d*\n   t*\n")
    for at, options in enumerate(DOMAINS):
        site.write(f"d{at}.rst", f"Case\n====\n\n.. err:domain:: shop.cart\n   :no-index:\n{options}\n")
    for at, options in enumerate(TABLES):
        site.write(f"t{at}.rst", f"Case\n====\n\n.. err:table::\n{options}\n")
    built = site.build()
    assert built.warnings == []
    return built


@pytest.mark.parametrize("options", DOMAINS)
def test_a_domain_shows_what_its_options_leave(cases: Built, options: str) -> None:
    """In the order that is asked for."""
    assert codes(cases, f"d{list(DOMAINS).index(options)}.html") == DOMAINS[options]


@pytest.mark.parametrize("options", TABLES)
def test_a_table_shows_what_its_options_leave(cases: Built, options: str) -> None:
    """Each option narrows it down; together they narrow it further."""
    assert [row[0] for row in rows(cases, f"t{list(TABLES).index(options)}.html")] == TABLES[options]


def test_a_table_has_the_columns_that_are_asked_for(tmp_path: Path) -> None:
    """In that order."""
    built = page(
        tmp_path, ".. err:table::\n   :columns: number title status domain audience\n   :domain: shop.cart"
    )
    assert rows(built)[0] == ["1001", "Cart is empty", "409", "shop.cart", "Public"]


def test_a_table_without_numbers_has_no_column_of_them(tmp_path: Path) -> None:
    """A registry that numbers nothing needs no empty column."""
    assert rows(page(tmp_path, ".. err:table::\n   :domain: shop.pay"))[0] == [
        "shop.pay.declined",
        "Card declined",
        "outcome",
        "no",
    ]


WRONG = {
    ".. err:code:: shop.cart.emty": "the code 'shop.cart.emty'; did you mean shop.cart.empty",
    ".. err:domain:: shop.crt": "the domain 'shop.crt'; did you mean shop.cart",
    ".. err:registry:: shp": "the registry 'shp'; did you mean shop?",
    ".. err:table::\n   :domain: nope": "no listed registry has the domain 'nope'",
    ".. err:table::\n   :registry: nope": "no listed registry has the registry 'nope'",
    ".. err:table::\n   :kind: fatal": "kind 'fatal' is none of terminal, transient, outcome, cancelled, bug",
    ".. err:table::\n   :columns: colour": "expected some of code, number, title",
    ".. err:table::\n   :sort: size": '"size" unknown; choose from "declaration", "code", or "number"',
    ".. err:domain:: shop.pay\n   :include: nope": "domain shop.pay has no code 'nope' [errkit.option]",
}


def test_wrong_use_names_the_place_and_the_way_out(tmp_path: Path) -> None:
    """One warning each, at the directive."""
    built = page(tmp_path, "\n\n".join(WRONG))
    assert len(built.warnings) == len(WRONG)
    assert built.app is not None
    said = built.app.warning.getvalue()
    for text, message in WRONG.items():
        assert message in said, text
    lines = "\n\n".join(WRONG).split("\n")
    places = {f"index.rst:{4 + at}:" for at, line in enumerate(lines) if line.startswith("..")}
    assert {re.search(r"index\.rst:\d+:", warning).group() for warning in built.warnings} == places  # type: ignore[union-attr]


def test_anchors_are_unique_on_a_page_that_shows_a_code_twice(tmp_path: Path) -> None:
    """Two registries with one code, or one code shown twice: no id stands on a page twice."""
    shown = ("err:domain:: shop:shop.cart", "err:domain:: depot:shop.cart", "err:code:: shop.cart.empty")
    text = "\n\n".join(f".. {each}" for each in shown) + "\n   :no-index:"
    built = page(tmp_path, text, '["shop", "depot"]')
    found = ids(built.text("index.html"))
    assert sorted(found) == sorted(set(found))
    assert {"err-shop-cart-empty", "err-depot--shop-cart-empty", "err-shop-cart-empty-2"} <= set(found)
    assert [warning for warning in built.warnings if "is on no page" not in warning] == []
    assert built.inventory()["err:code", "depot:shop.cart.empty"] == "index.html#err-depot--shop-cart-empty"


def test_a_code_may_stand_inside_other_content(tmp_path: Path) -> None:
    """In a note or a list item, where a heading could not."""
    built = page(
        tmp_path, ".. note::\n\n   .. err:code:: shop.pay.declined\n\n- .. err:code:: shop.pay.broken"
    )
    assert built.warnings == []
    assert codes(built) == ["shop.pay.declined", "shop.pay.broken"]


def test_headings_go_as_deep_as_the_page_around_them(tmp_path: Path) -> None:
    """A code in a subsection has a heading one level below it."""
    built = page(tmp_path, "Sub\n---\n\n.. err:code:: shop.pay.declined")
    found = elements(built.text("index.html").partition("<body>")[2].partition("</body>")[0])
    [heading] = [e for e in found if e.tag.startswith("h") and e.text.startswith("shop.pay.declined")]
    assert heading.tag == "h3"


def test_an_example_that_builds_no_error_is_reported(tmp_path: Path) -> None:
    """With the code and the place of its declaration; the page does without it.

    https://github.com/pydantic/pydantic/issues/13802
    """
    site = Site(tmp_path, 'errkit_registries = ["broken"]\n')
    path = site.write(
        "broken.py",
        "from errkit.codes import code\nfrom errkit.errors import CodedError\n"
        "from errkit.registry import Registry\n"
        'REGISTRY = Registry("broken")\nclass BrokenError(CodedError, domain="broken", registry=REGISTRY):\n'
        '    ONE = code("One")\nBrokenError.ONE = None\n',
    )
    built = site.build()
    [warning] = built.warnings
    assert f"{path}:6: WARNING: the example of broken.one builds no error" in warning
    assert 'id="err-broken-one"' in built.text("errors/broken.html")
