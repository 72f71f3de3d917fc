"""The page for addresses that lead nowhere, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from errkit.cli.serving import serving as served_by_errkit
from errkit.sphinx.missing import top_of
from tests.browser import tab
from tests.sphinx.sites import Built, Site

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


def offered(page: Any) -> list[str]:
    """The codes that the page offers."""
    page.locator(".errkit-missing section").wait_for()
    codes: list[str] = page.locator(".errkit-missing li a").all_inner_texts()
    return codes


SPELLINGS = ("OS.FS.NOT_FOUND/", "Os.Fs.Not_Found", "os-fs-not-found/index.html", "N/12001/")


def test_a_short_link_in_any_spelling_finds_its_way(browser: Browser, address: str) -> None:
    """Web servers tell letter cases apart, and people do not.

    https://github.com/astral-sh/ruff/issues/4710, https://github.com/python/mypy/issues/7186
    """
    with tab(browser) as (page, faults, requests):
        for name in SPELLINGS:
            page.goto("about:blank")
            page.goto(f"{address}e/{name}")
            # Where it leads is a large page: that it is asked for is enough.
            page.wait_for_url(f"{address}errors/os.fs.html#err-os-fs-not-found", wait_until="commit")
        assert faults == []
        assert {url for url in requests if not url.startswith(address)} == set()


def test_what_looks_alike_is_offered(browser: Browser, address: str) -> None:
    """With what to do, for a misspelled code, for a page that has moved, and for a code that several own."""
    with tab(browser) as (page, _, _):
        page.goto(f"{address}e/os.fs.not_fuond/")
        assert offered(page)[0] == "os.fs.not_found"
        assert page.get_by_text("Check the path, or create the file first.").is_visible()
        page.goto(f"{address}old/place.html#err-shop-pay-broken")
        assert offered(page) == ["shop.pay.broken"]
        page.goto(f"{address}e/SHOP.CART.EMPTY/")
        assert offered(page) == ["shop.cart.empty", "shop.cart.empty"]
        page.goto(f"{address}e/DEPOT/SHOP.CART.EMPTY/")
        page.wait_for_url(f"{address}errors/depot/shop.cart.html#err-shop-cart-empty")


def test_the_box_leads_to_the_index_without_a_script(browser: Browser, address: str) -> None:
    """What is typed there is the query of the index, and no empty list of suggestions is shown."""
    with tab(browser, java_script_enabled=False) as (page, _, _):
        page.goto(f"{address}e/Nothing.Like.It/")
        assert not page.get_by_text("Did you mean").is_visible()
        page.get_by_role("searchbox", name="Find a code").fill("ENOENT")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{address}errors/index.html?q=ENOENT")


HOSTILE = [
    "e/%3Cscript%3Ealert(9)%3C%2Fscript%3E/",
    "e/%E0%A4%A/",
    "e/NASTY.WORST%22onload=alert(9)/",
    "%2F%2Fevil.example/e/x",
]


STRANGE = "main :is(script, img, iframe, b, i, [onerror], [onload], a:not([href^='http://127'], [href^='/']))"


def test_a_hostile_address_and_a_hostile_registry_run_nothing(browser: Browser, address: str) -> None:
    """Neither what was asked for nor what a registry says becomes markup, or leads off the site."""
    with tab(browser) as (page, faults, requests):
        for path in HOSTILE:
            page.goto(address + path)
            page.wait_for_load_state("networkidle")
            assert page.locator(STRANGE).count() == 0, path
        assert faults == []
        assert {url for url in requests if not url.startswith(address)} == set()
        assert page.url.startswith(address)


def test_the_server_of_errkit_shows_it(browser: Browser, library: Built) -> None:
    """`errkit site --serve` answers as a real host does, with the site's own page."""
    with served_by_errkit(library.folder, 0) as place, tab(browser) as (page, _, _):
        answer = page.goto(f"{place}no/such/page")
        assert answer is not None
        assert answer.status == 404
        assert page.get_by_role("heading", name="There is no such page").is_visible()
        page.goto(f"{place}e/OS.FS.NOT_FOUND/")
        page.wait_for_url(f"{place}errors/os.fs.html#err-os-fs-not-found")


@pytest.mark.parametrize(
    ("base_url", "top"),
    [
        ("", "/"),
        ("https://a.example", "/"),
        ("https://a.example/docs/v1/", "/docs/v1/"),
        ("https://a.example//x", "/x/"),
    ],
)
def test_addresses_start_at_the_top_of_the_host(base_url: str, top: str) -> None:
    """The page is shown at any depth."""
    assert top_of(base_url) == top


def test_a_page_of_the_project_is_left_alone(tmp_path: Path) -> None:
    """Whoever has a `404.html` or an `llms.txt` keeps it, in every build."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nhtml_extra_path = ["extra"]\n')
    for name in ("404.html", "llms.txt"):
        site.write(f"extra/{name}", "mine")
    for _ in range(2):
        built = site.build()
        assert built.warnings == []
        assert built.text("404.html") == built.text("llms.txt") == "mine"
        site.edit("index.rst", "Site\n====", "Sites\n=====") if _ == 0 else None
