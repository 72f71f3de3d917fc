"""The map of domains and codes, and its table of counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from errkit.codes import KINDS
from errkit.sphinx.assets import CSS
from errkit.sphinx.overview import Island, overview_html
from tests.sphinx.sites import Site, elements

if TYPE_CHECKING:
    from pathlib import Path

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20) | st.just("<script>x")
ISLANDS = st.lists(
    st.builds(
        Island,
        registry=TEXT,
        domain=TEXT,
        codes=st.lists(st.tuples(TEXT, st.sampled_from(KINDS)), max_size=30).map(tuple),
    ),
    max_size=4,
)
TAGS = {
    "a", "code", "div", "li", "p", "rect", "span", "svg", "table", "tbody", "td", "tfoot", "th", "thead",
    "title", "tr", "ul",
}  # fmt: skip


def nowhere(kind: str, registry: str, name: str) -> str | None:
    """An address made of the names."""
    return f"x.html?{kind}&{registry}#{name}"


@given(ISLANDS)
def test_the_map_holds_a_mark_for_each_code_in_its_colour(islands: list[Island]) -> None:
    """Whatever domains are called; each mark says its code, each picture says in words what it shows."""
    page = overview_html(islands, nowhere)
    found = elements(page)
    assert {each.tag for each in found} <= TAGS
    marks = [each for each in found if each.tag == "rect" and each.text]
    # The islands of a registry stand together, in the order of the registries.
    order = list(dict.fromkeys(island.registry for island in islands if island.codes))
    islands = sorted((each for each in islands if each.codes), key=lambda each: order.index(each.registry))
    assert [(each.text, each.attributes["class"]) for each in marks] == [
        (code, f"errkit-{kind}") for island in islands for code, kind in island.codes
    ]
    pictures = [each for each in found if each.tag == "svg" and each.attributes.get("role") == "img"]
    assert len(pictures) == len(islands)
    places = re.findall(r' x="(\d+)" y="(\d+)"[^>]*><title>', page)
    for island in islands:
        mine, places = places[: len(island.codes)], places[len(island.codes) :]
        assert len(set(mine)) == len(mine)


@given(ISLANDS)
def test_the_table_counts_what_the_map_shows(islands: list[Island]) -> None:
    """Each row adds up, and so does each column."""
    [table] = re.findall(r"<table.*?</table>", overview_html(islands, nowhere, with_map=False), re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    numbers = [
        [int(cell or 0) for cell in re.findall(r"<td>(\d*)</td>", row)][-(1 + len(kinds_of(islands))) :]
        for row in rows[1:]
    ]
    assert [row[0] for row in numbers] == [
        *(len(island.codes) for island in islands),
        sum(len(island.codes) for island in islands),
    ]
    for row in numbers:
        assert row[0] == sum(row[1:])


def kinds_of(islands: list[Island]) -> set[str]:
    """The kinds that occur."""
    return {kind for island in islands for _, kind in island.codes}


def test_each_kind_has_a_colour_that_stands_out_on_white_and_on_black() -> None:
    """At least 3 to 1 (WCAG 2.2, 1.4.11), so one set of colours serves light and dark pages."""
    css = CSS.read_text("utf-8")
    for kind in KINDS:
        [tone] = re.findall(rf"\.errkit-{kind} {{ --errkit-tone: #([0-9a-f]{{6}}); }}", css)
        parts = [int(tone[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert 1.05 / (light + 0.05) >= 3, kind
        # Furo's dark background is #131416.
        assert (light + 0.05) / (0.0070 + 0.05) >= 3, kind


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Two registries and a page with the map."""
    site = Site(tmp_path, 'errkit_registries = ["shop", "depot"]\n')
    site.write(
        "map.rst", "Map\n===\n\n.. err:overview::\n\n.. err:overview::\n   :registry: depot\n   :no-map:\n"
    )
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n   map\n")
    return site


def test_the_map_of_a_site_leads_to_its_domains(site: Site) -> None:
    """By name, from the map and from the table; other formats have the table."""
    built = site.build()
    assert built.warnings == []
    page = built.text("map.html")
    assert page.count('href="errors/shop.cart.html#err-domain-shop-cart"') == 2
    assert page.count('href="errors/depot/shop.cart.html#err-domain-depot--shop-cart"') == 3
    assert "shop.cart: 3 codes: 1 terminal, 1 transient, 1 outcome" in page
    assert page.count('class="errkit-islands"') == 2
    text = site.build("text").text("map.txt")
    assert re.search(r'\| shop +\| "shop\.cart" +\| 3 ', text)


def test_a_code_that_changes_its_kind_reads_the_page_again(site: Site) -> None:
    """A hint is not on the map, a kind is; a registry that nobody lists is a warning."""
    site.write(
        "mine.py",
        'from errkit import CodedError, Registry, code\nREGISTRY = Registry("mine")\n\n\n'
        'class MineError(CodedError, domain="mine", registry=REGISTRY):\n    ONE = code("One", hint="Do.")\n',
    )
    site.edit("conf.py", '"depot"]', '"depot", "mine"]')
    site.build()
    site.edit("mine.py", "Do.", "Do it.")
    assert "map" not in site.build().read
    site.edit("mine.py", 'hint="Do it."', 'kind="bug"')
    assert "map" in site.build().read
    site.edit("map.rst", ":registry: depot", ":registry: deport")
    [warning] = site.build().warnings
    assert "no listed registry has the registry 'deport'; did you mean depot?" in warning
