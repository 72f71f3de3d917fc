"""Addresses that outlive a layout: short links, and the list of all codes for programs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, strategies as st

from errkit.sphinx.publish import SCHEMA, link_names, link_page
from tests.sphinx.sites import Built, Site, elements, ids, problems

if TYPE_CHECKING:
    from pathlib import Path


def target(built: Built, name: str) -> list[str]:
    """Where a short link leads, as addresses from the top of the site."""
    page = built.text(f"e/{name}/index.html")
    found = [
        e.attributes["href"]
        for e in elements(page[page.index("<body>") :].removesuffix("</html>\n"))
        if e.tag == "a"
    ]
    refresh = re.findall(r'http-equiv="refresh" content="0; url=([^"]*)"', page)
    assert refresh == (found if len(found) == 1 else [])
    return [
        urlsplit(urljoin(f"https://site.invalid/e/{name}/", href))._replace(scheme="", netloc="").geturl()[1:]
        for href in found
    ]


@pytest.mark.parametrize(
    "name",
    [
        "shop.cart.empty",
        "E-CART",
        "e-cart",
        "shop.cart.void",
        "1001",
        "n/1001",
        "shop/shop.cart.empty",
        "shop/E-CART",
    ],
)
def test_every_name_of_a_code_is_a_short_link(shop: Built, name: str) -> None:
    """Code, alias, number, exact name, each also in lower case: no table is needed to make a link.

    https://github.com/astral-sh/ruff/issues/4710, https://github.com/python/mypy/issues/7186
    """
    assert target(shop, name) == ["errors/shop.cart.html#err-shop-cart-empty"]


def test_short_links_need_no_script(shop: Built) -> None:
    """They lead there by themselves, and by hand where that is off."""
    page = shop.text("e/shop.cart.empty/index.html")
    assert "<script" not in page
    assert "<title>shop.cart.empty: Cart is empty</title>" in page


def test_a_name_with_several_owners_lists_them(both: Built) -> None:
    """In the order of the registries; the exact names lead to one each."""
    first, second = (
        "errors/shop.cart.html#err-shop-cart-empty",
        "errors/depot/shop.cart.html#err-shop-cart-empty",
    )
    assert target(both, "shop.cart.empty") == [first, second]
    assert target(both, "1001") == target(both, "n/1001") == [first, second]
    assert target(both, "shop/shop.cart.empty") == [first]
    assert target(both, "depot/shop.cart.empty") == [second]


def test_every_short_link_leads_to_an_anchor_that_is_there(both: Built) -> None:
    """No link of a built site is dead."""
    names = [
        str(path.parent.relative_to(both.folder / "e")) for path in (both.folder / "e").rglob("index.html")
    ]
    assert len(names) > 20
    for name in names:
        for address in target(both, name):
            page, _, anchor = address.partition("#")
            assert anchor in ids(both.text(page)), address


def test_the_index_of_codes_fits_its_schema(shop: Built, both: Built, hostile: Built) -> None:
    """`errkit.index/1`: every key is described, every value fits; the schema is published beside it."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    for built in (shop, both, hostile):
        assert list(problems(built.json(), schema)) == []
        assert built.json("errors.schema.json") == schema


def test_the_index_of_codes_says_where_each_code_is(both: Built) -> None:
    """Page, anchor and short link from the top of the site, for every code of every registry."""
    entries = both.json()["codes"]
    assert [entry["code"] for entry in entries] == [
        "shop.cart.empty", "shop.cart.locked", "shop.cart.gone", "shop.pay.declined", "shop.pay.broken",
        "shop.cart.empty", "shop.cart.broken",
    ]  # fmt: skip
    for entry in entries:
        page, _, anchor = entry["url"].partition("#")
        assert anchor == entry["anchor"]
        assert anchor in ids(both.text(page))
        assert target(both, entry["link"].removeprefix("e/").rstrip("/")) == [entry["url"]]


@pytest.mark.parametrize(
    ("builder", "expected"),
    [("dirhtml", "errors/shop.pay/#err-shop-pay-broken"), ("singlehtml", "index.html#err-shop-pay-broken")],
)
def test_other_layouts_of_html_have_their_own_addresses(site: Site, builder: str, expected: str) -> None:
    """The short link stays what it is; only where it leads to changes."""
    built = site.build(builder)
    assert built.warnings == []
    assert target(built, "shop.pay.broken") == [expected]
    assert (
        next(entry["url"] for entry in built.json()["codes"] if entry["code"] == "shop.pay.broken")
        == expected
    )


@pytest.mark.parametrize("builder", ["epub", "json", "text", "dummy", "gettext"])
def test_only_sites_of_pages_publish(site: Site, builder: str) -> None:
    """An e-book or a set of fragments has no addresses to keep."""
    built = site.build(builder, version="1", copyright="x")
    assert built.warnings == []
    assert not (built.folder / "e").exists()
    assert not (built.folder / "errors.json").exists()


def test_stale_links_go_and_foreign_files_stay(tmp_path: Path) -> None:
    """Only what was published is removed again."""
    site = Site(tmp_path, 'errkit_registries = ["shop", "depot"]\n')
    built = site.build()
    (built.folder / "e" / "mine").mkdir()
    (built.folder / "e" / "mine" / "index.html").write_text("ours")
    (built.folder / "e" / "1050" / "note.txt").write_text("ours")
    site.edit("conf.py", '["shop", "depot"]', '["shop"]')
    built = site.build()
    assert not (built.folder / "e" / "depot").exists()
    assert not (built.folder / "e" / "shop.cart.broken").exists()
    assert target(built, "1001") == ["errors/shop.cart.html#err-shop-cart-empty"]
    assert (built.folder / "e" / "mine" / "index.html").read_text() == "ours"
    assert [path.name for path in (built.folder / "e" / "1050").iterdir()] == ["note.txt"]


def test_nothing_is_written_twice(site: Site) -> None:
    """A build without changes leaves every published file untouched.

    https://github.com/boschglobal/doxysphinx/issues/99
    """
    built = site.build()
    paths = [built.folder / "errors.json", *(built.folder / "e").rglob("*")]
    before = {path: path.stat().st_mtime_ns for path in paths}
    site.build()
    assert {path: path.stat().st_mtime_ns for path in paths} == before


def test_a_failed_build_publishes_nothing(site: Site) -> None:
    """The last good links stay as they are."""
    built = site.build()
    before = built.json()
    site.write("shop_of_mine.py", "raise RuntimeError('half done')\n")
    site.edit("conf.py", '["shop"]', '["shop_of_mine"]')
    assert site.command("html").returncode == 2
    assert built.json() == before


def test_a_ledger_that_others_have_written_removes_nothing_elsewhere(site: Site) -> None:
    """It lies in the folder of the site; what it names outside of that is not touched."""
    built = site.build()
    outside = [site.write("index.html", "ours"), site.write("index.txt", "ours")]
    up = "../../../source"
    for content in (
        {
            "links": [up, str(site.folder), 3],
            "texts": {up: "", str(site.folder): ""},
            "files": {},
            "pages": [up],
        },
        {"links": 3, "texts": 3, "files": 3, "pages": 3},
        [3],
    ):
        (built.folder / "e" / ".errkit.json").write_text(json.dumps(content), "utf-8")
        assert site.build().warnings == []
        assert [path.read_text() for path in outside] == ["ours", "ours"]


def entry(code: str, registry: str = "r", **facts: Any) -> dict[str, Any]:
    """An entry of the index, as far as links need it."""
    return {
        "code": code,
        "registry": registry,
        "title": "T",
        "url": f"{registry}.html#{code}",
        "link": f"e/{registry}/{code}/",
        **facts,
    }


def owners(names: dict[str, list[dict[str, Any]]], name: str) -> list[str]:
    """The addresses behind a name."""
    return [each["url"] for each in names.get(name, [])]


def test_a_number_stands_bare_unless_a_code_is_spelled_like_it() -> None:
    """The code wins; the number keeps its own folder."""
    names = link_names([entry("404"), entry("lost", number=404), entry("gone", number=410)])
    assert owners(names, "404") == ["r.html#404"]
    assert owners(names, "n/404") == ["r.html#lost"]
    assert owners(names, "410") == owners(names, "n/410") == ["r.html#gone"]


def test_an_alias_never_hides_a_code() -> None:
    """A code of one registry that another has as an alias keeps its own address."""
    names = link_names([entry("a.new", aliases=["a.old"]), entry("a.old", "other")])
    assert owners(names, "a.old") == ["other.html#a.old"]
    assert owners(names, "r/a.old") == ["r.html#a.new"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "A", "b.c", "B.C", "B.c", "7", "n"]), st.sampled_from(["r", "R", "n"])
        ),
        unique=True,
    )
)
def test_spellings_that_differ_in_case_alone_have_the_same_page(pairs: list[tuple[str, str]]) -> None:
    """Some file systems can't keep them apart. The declared and the lower-case spelling are both there."""
    names = link_names([entry(code, registry, number=7) for code, registry in pairs])
    by_fold: dict[str, list[str]] = {}
    for name in names:
        assert by_fold.setdefault(name.lower(), owners(names, name)) == owners(names, name)
    for code, registry in pairs:
        for name in (code, code.lower(), f"{registry}/{code}", f"{registry}/{code}".lower(), "n/7"):
            assert f"{registry}.html#{code}" in owners(names, name)


def test_the_canonical_address_is_absolute_where_it_is_known() -> None:
    """Search engines are told where the page is, not where it once was.

    https://github.com/pylint-dev/pylint/issues/4958
    """
    page = link_page("../../", [entry("a")], "https://docs.invalid/", "en")
    assert '<link rel="canonical" href="https://docs.invalid/r.html#a">' in page
    assert '<link rel="canonical" href="../../r.html#a">' in link_page("../../", [entry("a")], "", "en")


def test_search_engines_learn_the_address_of_the_version_to_show(tmp_path: Path) -> None:
    """`html_baseurl` makes every page name it, also those without a file and the short links.

    A sitemap lists all pages, and no short link: those are the ways to a page.
    """
    conf = 'errkit_registries = ["shop"]\nextensions.append("sphinx_sitemap")\n'
    conf += 'sitemap_url_scheme = "{link}"\nhtml_baseurl = "https://docs.invalid/stable/"\n'
    built = Site(tmp_path, conf).build()
    assert built.warnings == []
    top = "https://docs.invalid/stable/"
    for name in ("index.html", "errors/index.html", "errors/shop.cart.html"):
        assert f'<link rel="canonical" href="{top}{name}"' in built.text(name)
    short = built.text("e/1001/index.html")
    assert f'<link rel="canonical" href="{top}errors/shop.cart.html#err-shop-cart-empty"' in short
    assert 'name="robots" content="noindex"' in short
    assert 'data-root="/stable/"' in built.text("404.html")
    listed = re.findall(r"<loc>(.*?)</loc>", built.text("sitemap.xml"))
    assert {f"{top}errors/{name}.html" for name in ("index", "shop.cart", "shop.pay")} <= {*listed}
    assert [address for address in listed if "/e/" in address or "404" in address] == []


def test_a_short_link_escapes_what_it_shows() -> None:
    """Titles are data here as everywhere."""
    page = link_page(
        "../../", [entry("a") | {"title": "<script>x</script>", "url": 'p.html#"><b>'}], "", "pt_BR"
    )
    assert "<script>" not in page
    assert "<b>" not in page
    assert '<html lang="pt-BR">' in page
