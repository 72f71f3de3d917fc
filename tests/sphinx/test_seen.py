"""Codes and the map as a browser shows them: by mouse, by keys, without scripts, under a strict policy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from errkit import dialects
from errkit.sphinx.catalogue import PER_PAGE
from errkit.sphinx.examples import NAMES, caption, example_error
from tests.browser import serious, serving, tab
from tests.sphinx.samples import shop
from tests.sphinx.sites import INDEX, Site
from tests.sphinx.test_parts import source
from tests.sphinx.test_tombstones import RETIRED, locked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog, Page

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
CONF = f"""
errkit_registries = ["shop", "hostile", "extremes", "machine"]
errkit_examples = {list(NAMES)}
errkit_sources = ["till.py", "odd", "extremes.py"]
errkit_source_url = "https://source.invalid/{{path}}#L{{line}}"
"""
ODD = """<img src=x onerror=alert(9)> '"&`*|.py"""
"""A file whose name is where an error is raised."""
LONG = "A_VERY_LONG_NAME_THAT_DOES_NOT_FIT_ON_THE_SCREEN_OF_A_PHONE"
EXTREMES = f"""
from errkit import CodedError, Registry, code

REGISTRY = Registry("seen-extremes")


class ExtremeError(CodedError, domain="seen.a_domain_with_a_long_name", registry=REGISTRY):
    {LONG} = code("{"Superlong" * 12}", hint="{"/very/long/path" * 9}")
    RIGHT_TO_LEFT = code("\u05d4\u05e7\u05d5\u05d1\u05e5 \u05dc\u05d0 \u05e0\u05de\u05e6\u05d0 (404)!")
    FACES = code("\U0001f600\u200d\U0001f468\u200d\U0001f469\u200d\U0001f467 \u00e9\u0301")
"""
PATIENCE = 120_000
"""Milliseconds; other tests may keep the machine busy."""
CODE = "/errors/shop.cart.html#err-shop-cart-empty"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site, served under a policy that allows nothing inline."""
    site = Site(tmp_path_factory.mktemp("seen"), CONF)
    site.write("till.py", "from shop import PayError\n\n\ndef pay():\n    raise PayError.DECLINED\n")
    site.write(f"odd/{ODD}", "from hostile import NastyError\n\nraise NastyError.WORST\n")
    site.write("extremes.py", EXTREMES)
    site.write("machine.py", source(PER_PAGE + 1, "seen-machine"))
    site.write("errors.lock.json", locked(*RETIRED))
    site.write("index.rst", INDEX.replace("\n.. toc", "\n.. err:overview::\n\n.. err:unraised::\n\n.. toc"))
    built = site.build(html_theme="furo", errkit_lock="errors.lock.json")
    assert built.warnings == []
    with serving(built.folder, POLICY) as found:
        yield found.removesuffix("/")


@pytest.fixture(scope="module")
def shared_page(browser: Browser) -> Iterator[Page]:
    """A page that may write to the clipboard; another one would be another process."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(shared_page: Page) -> Page:
    """That page, as if it were new."""
    shared_page.goto("about:blank")
    shared_page.set_viewport_size({"width": 1280, "height": 720})
    return shared_page


@pytest.fixture(scope="module")
def examined(browser: Browser) -> Iterator[Page]:
    """A page in which axe may run."""
    context = browser.new_context(bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def visible(page: Page) -> list[str]:
    """The captions of the panels that can be seen, one for each code with tabs."""
    return page.eval_on_selector_all(  # type: ignore[no-any-return]
        ".errkit-tab",
        "all => all.filter(each => each.offsetParent).map(each => each.previousElementSibling.textContent)",
    )


def test_tabs_work_without_a_script(browser: Browser, address: str) -> None:
    """A click shows a panel in place of another; so does an arrow key."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address + CODE)
    code = page.locator("#err-shop-cart-empty")
    assert code.locator("pre:visible").count() == 1
    code.get_by_text("Python", exact=True).click()
    assert "except CartError as error:" in code.locator("pre:visible").inner_text()
    code.locator("input:checked").press("ArrowRight")
    assert json.loads(code.locator("pre:visible").inner_text())["status"] == 409
    assert page.locator(".errkit-copy").count() == 0
    context.close()


def test_what_is_copied_is_what_the_encoder_says(page: Page, address: str) -> None:
    """The button copies the example and says so; a choice of tab counts for all codes of the page."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(address + CODE)
    assert set(visible(page)) == {"Payload"}
    code = page.locator("#err-shop-cart-empty")
    before = code.bounding_box()
    code.get_by_text("JSON-RPC", exact=True).click()
    assert set(visible(page)) == {"JSON-RPC"}
    assert before is not None
    assert code.bounding_box() is not None
    button = code.locator(".errkit-copy:visible")
    button.focus()
    button.press("Enter")
    # A condition in a string would be refused by the policy.
    code.get_by_role("button", name="Copied").wait_for()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert copied == dialects.get("jsonrpc").encode(example_error(shop.CartError.EMPTY.spec))
    assert "planted-secret-value" not in page.content()
    # Furo has inline scripts and styles of its own, which the policy refuses; ours are none of them.
    assert [text for text in said if "errkit" in text.replace(address, "")] == []


def test_the_map_is_drawn_and_says_in_words_what_it_shows(page: Page, address: str) -> None:
    """Each picture has a name, each mark a colour; the name of a domain leads to its page."""
    page.goto(f"{address}/index.html")
    pictures = page.locator(".errkit-islands svg")
    assert pictures.count() == 5
    assert page.get_by_role("img", name="shop.cart: 3 codes: 1 terminal, 1 transient, 1 outcome").count() == 1
    fills = page.eval_on_selector_all(
        ".errkit-islands rect", "all => all.map(each => getComputedStyle(each).fill)"
    )
    assert len(set(fills)) == 4
    page.locator(".errkit-islands a").first.click()
    assert page.url == f"{address}/errors/shop.cart.html#err-domain-shop-cart"


def test_a_tombstone_leads_on(page: Page, address: str) -> None:
    """From the address of a removed code to what took its place."""
    page.goto(f"{address}/e/1077/")
    assert "Removed in 2.0" in page.locator("body").inner_text()
    page.get_by_role("link").click()
    assert page.url.endswith("errors/shop.cart.html#err-shop-cart-locked")


# Of a page without a theme axe does not see that the browser makes it dark.
@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("errors/shop.cart.html", "light"),
        ("errors/shop.cart.html", "dark"),
        pytest.param("index.html", "light", marks=pytest.mark.full),
        ("index.html", "dark"),
        ("e/1077/index.html", "light"),
    ],
)
def test_axe_finds_nothing_serious(examined: Page, address: str, name: str, scheme: Any) -> None:
    """In what errkit makes, light and dark."""
    examined.emulate_media(color_scheme=scheme)
    examined.goto(f"{address}/{name}", wait_until="domcontentloaded")
    assert serious(examined) == []


def test_hostile_texts_run_nothing(page: Page, address: str) -> None:
    """In every tab, in the name of who raises it, on the map and in lists.

    No dialog opens, no element of the data appears, and what the data says is there to read.
    """
    opened: list[str] = []

    def close(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", close)
    index = page.request.get(f"{address}/errors.json").json()["codes"]
    [nasty] = [entry for entry in index if entry["code"] == "nasty.worst"]
    for name in (nasty["url"], "index.html", "errors/index.html", "err-codes.html"):
        page.goto(f"{address}/{name}", wait_until="domcontentloaded")
        assert page.locator("article img, article script, article i, article b, body > b").count() == 0, name
    page.goto(f"{address}/{nasty['url']}")
    code = page.locator("#err-nasty-worst")
    assert ODD.removesuffix(".py") in code.locator(".errkit-facts").inner_text()
    assert code.locator("a[href^='javascript:'], a[href*='onerror']").count() == 0
    texts: list[str] = []
    for name in ("Payload", *map(caption, NAMES)):
        code.get_by_text(name, exact=True).click()
        shown = code.locator(".errkit-tab:visible")
        assert shown.locator("script, img, b, i").count() == 0
        texts.append(shown.inner_text())
    assert sum("<script>alert(1)</script>" in text for text in texts) > len(NAMES) / 2
    assert opened == []


def test_what_nothing_raises_is_listed_as_text(page: Page, address: str) -> None:
    """In the table for maintainers; what is raised in any file is not in it."""
    page.goto(f"{address}/index.html")
    rows = page.locator("table.errkit-codes tbody tr").all_inner_texts()
    codes = {row.split()[0] for row in rows}
    assert f"seen.a_domain_with_a_long_name.{LONG.lower()}" in codes
    assert "nasty.worst" not in codes


PAGES = ("errors/seen-extremes/seen.a_domain_with_a_long_name.html", "index.html", "errors/index.html?q=seen")


def test_nothing_is_wider_than_a_phone(page: Page, address: str) -> None:
    """Long codes, titles and hints are broken or scrolled in their own box; nothing is cut off."""
    wide = """all => all.filter(each => each.getBoundingClientRect().right > innerWidth + 1
        && !each.closest(".errkit-scroll, pre")).map(each => each.outerHTML.slice(0, 200))"""
    page.set_viewport_size({"width": 360, "height": 640})
    for name in PAGES:
        page.goto(f"{address}/{name}")
        assert page.locator("article [class*=errkit]").count() > 0, name
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        assert page.eval_on_selector_all("article :is([class*=errkit], [class*=errkit] *)", wide) == []


LATE = "err-big-part-150"
MOVED = {
    f"big.html#{LATE}": f"big/2.html#{LATE}",
    "big.html#err-old-first": "big/1.html#err-big-first",
    f"big/1.html#{LATE}": f"big/2.html#{LATE}",
    "big/1.html#err-nobody": "big.html#err-nobody",
    "big.html#err-domain-big": "big.html#err-domain-big",
}
"""Where a link to a domain of very many codes leads -> where one ends."""


def test_a_link_from_before_the_split_leads_on(page: Page, browser: Browser, address: str) -> None:
    """To the code itself; without a script to its row, which stands out. So does one to another part."""
    folder = f"{address}/errors/seen-machine"
    for old, now in MOVED.items():
        page.goto("about:blank")
        page.goto(f"{folder}/{old}", wait_until="commit")
        page.wait_for_url(f"{folder}/{now}", wait_until="commit")
    with tab(browser, java_script_enabled=False) as (plain, _, _):
        plain.goto(f"{folder}/big.html#{LATE}")
        row = plain.locator("tr:target")
        assert row.is_visible()
        row.get_by_role("link").click()
        assert plain.url == f"{folder}/big/2.html#{LATE}"


def test_a_title_in_another_direction_is_read_in_its_own(page: Page, address: str) -> None:
    """The code stays at the left of its Hebrew title, whose last mark stands at the left end."""
    page.goto(f"{address}/errors/seen-extremes/seen.a_domain_with_a_long_name.html")
    title = page.locator("[id$=right-to-left] > h2 > span")
    assert title.evaluate("each => getComputedStyle(each).unicodeBidi") == "plaintext"
    [first, last] = title.evaluate("""each => [0, each.firstChild.length - 1].map(at => {
        const range = document.createRange();
        range.setStart(each.firstChild, at);
        range.setEnd(each.firstChild, at + 1);
        return range.getBoundingClientRect().left;
    })""")
    assert last < first
