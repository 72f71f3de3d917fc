"""What a reader sees in a browser: dark and light, with the style sheet and without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from errkit import CodedError, Registry
from errkit.catalogs.agent_core import REGISTRY as CORE
from errkit.domains.os_fs import HostFsError
from errkit.jupyter import to_html
from errkit.jupyter.displaying import Codes
from errkit.jupyter.exploring import Exploration
from errkit.jupyter.style import COLOURS, EXPLORER_STYLE, STYLE
from errkit.jupyter.widget import SCRIPT
from tests.browser import serious
from tests.jupyter.conftest import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

VARIABLES = {
    "jupyterlab": ("jp-content-font-color1", "jp-layout-color0", "jp-content-link-color"),
    "vscode": ("vscode-editor-foreground", "vscode-editor-background", "vscode-textLink-foreground"),
    "furo": ("color-foreground-primary", "color-background-primary", "color-link"),
    "pydata": ("pst-color-text-base", "pst-color-background", "pst-color-link"),
    "unknown": (),
}
"""How each platform calls the colours of text, ground and links."""
THEMES = {
    "jupyterlab-light": ("rgba(0,0,0,.87)", "#fff", "#1976d2"),
    "jupyterlab-dark": ("#fff", "#111", "#42a5f5"),
    "vscode-light": ("#333", "#fff", "#006ab1"),
    "vscode-dark": ("#d4d4d4", "#1e1e1e", "#3794ff"),
    "furo-light": ("#000", "#fff", "#2962ff"),
    "furo-dark": ("#cfd0d0", "#131416", "#3d94ff"),
    "pydata-dark": ("#ced6dd", "#14181e", "#3fb1c5"),
    "unknown-light": ("#111", "#fff"),
    "unknown-dark": ("#eee", "#111"),
}
"""What they are in its themes."""

CONTRASTS = """
() => {
  const parse = text => [...text.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const over = (top, low) => [0, 1, 2].map(i => top[i] * top[3] + low[i] * (1 - top[3]));
  const light = rgb => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = node => {
    if (!node) return [255, 255, 255];
    const found = parse(getComputedStyle(node).backgroundColor);
    return found[3] === 1 ? found.slice(0, 3) : over(found, ground(node.parentElement));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let node; node = walker.nextNode();) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.tagName === "STYLE") continue;
    const below = ground(owner), above = over(parse(getComputedStyle(owner).color), below);
    const [dark, bright] = [light(above), light(below)].sort((a, b) => a - b);
    seen.push([(bright + 0.05) / (dark + 0.05), node.data]);
  }
  return seen;
}
"""


def failure() -> CodedError:
    details = {"path": "/x", "op": "read", "more": {"a": [1]}}
    error = CodedError(HostFsError.NOT_FOUND, "no such file", details=details)
    error.__cause__ = OSError("disk")
    error.add_note("noted")
    error.note_facts(docs="https://errors.example/e/os.fs.not_found/")
    return error


SHOWN: dict[str, Any] = {
    "code": HostFsError.NOT_FOUND,
    "error": failure(),
    "domain": HostFsError,
    "registry": CORE,
    "codes": Codes(list(CORE)[:5]),
}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A tab without network."""
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    found = context.new_page()
    yield found
    context.close()


def put(page: Page, output: str, theme: str = "jupyterlab-light") -> None:
    """Show an output as a platform shows it."""
    colours = THEMES[theme]
    names = VARIABLES[theme.partition("-")[0]]
    said = "".join(f"--{name}:{colour};" for name, colour in zip(names, colours, strict=False))
    page.set_content(
        f'<!doctype html><body style="{said}color:{colours[0]};background:{colours[1]}">{output}</body>'
    )


def untrusted(html: str) -> str:
    """What JupyterLab leaves of the output of a notebook that is not trusted: no style sheet."""
    return re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)


def bare(html: str) -> str:
    """What GitHub leaves: no style sheet and no classes."""
    return re.sub(r' (?:class|role|aria-label)="[^"]*"', "", untrusted(html))


@pytest.mark.parametrize("theme", THEMES)
def test_every_word_can_be_read(theme: str, page: Page) -> None:
    """On each platform, dark and light, text has a contrast of 4.5:1 at least (WCAG 2.2, 1.4.3)."""
    put(page, "".join(to_html(SHOWN[name]) for name in ("code", "error", "codes")), theme)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    seen = page.evaluate(CONTRASTS)
    assert len(seen) > 50
    assert [(round(ratio, 2), text) for ratio, text in seen if ratio < 4.5] == []


@pytest.mark.parametrize("name", SHOWN)
def test_it_reads_well_without_styles(name: str, page: Page) -> None:
    """Where the style sheet is taken away, the words and their order stay, and tables are tables."""
    html = to_html(SHOWN[name])
    put(page, html)
    styled = page.locator("body").inner_text().split()
    for strip in (untrusted, bare):
        put(page, strip(html))
        assert page.locator("body").inner_text().split() == styled
    for table in page.locator("table").all():
        assert table.locator("thead th[scope=col]").count() >= 2
        assert table.locator("tbody th[scope=row]").count() >= 1


def test_what_to_do_is_seen_before_anything_is_opened(page: Page) -> None:
    """Code, title and hint; what is secondary opens by keyboard alone."""
    put(page, to_html(HostFsError.NOT_FOUND))
    for text in ("os.fs.not_found", "File or folder not found", "Check the path, or create the file first."):
        assert page.get_by_text(text).first.is_visible()
    cell = page.locator("tbody code", has_text="path").first
    assert not cell.is_visible()
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert cell.is_visible()


def test_it_fits_where_it_stands(page: Page) -> None:
    """Nothing wider than a notebook's column; nothing of the page around it is restyled."""
    put(page, f"<p id=outside>a <code>b</code></p>{to_html(failure())}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.querySelector('#outside code')).fontWeight") == "400"


@pytest.mark.parametrize("strip", [str, untrusted, bare])
def test_a_hostile_catalogue_runs_nothing(strip: Any, evil: Registry, page: Page) -> None:
    """Its markup is seen as text: no script runs, no image is asked for, no address is one of a script."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    spec = next(iter(evil))
    assert spec.cls is not None
    error = CodedError(spec.code, spec.title, details={spec.title: spec.title}).override(hint=spec.title)
    for value in (evil, spec, error):
        put(page, strip(to_html(value)))
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("window.hacked === undefined")
        assert page.locator("script, img, iframe, object, form, [onerror], [onclick], a").count() == 0
        assert "<script>hacked=1</script>" in page.locator("body").inner_text()
    assert asked == []


# --- the explorer -------------------------------------------------------------------------------------------

RUN_EXPLORER = """
async (script) => {
  const heard = {}, state = await ask({});
  const emit = (event, found) => (heard[event] ?? []).forEach(hear => hear(found));
  const model = {
    get: name => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: async () => {
      const answer = await ask(state.asked);
      for (const name in answer) { state[name] = answer[name]; emit(`change:${name}`); }
    },
    send: async wanted => emit("msg:custom", await open_card(wanted)),
    on: (event, hear) => (heard[event] ??= []).push(hear),
    off: (event, hear) => { heard[event] = heard[event].filter(one => one !== hear); },
  };
  const source = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  window.leave = (await import(source)).default.render({ model, el: document.querySelector("#explorer") });
  window.listeners = () => Object.values(heard).flat().length;
}
"""
"""Everything of the explorer but the way between browser and kernel, which `test_jupyterlab.py` has."""


@pytest.fixture
def explored(explorer: Page) -> Page:
    """The explorer as it shows itself at first."""
    clear = explorer.get_by_role("button", name="Clear")
    if clear.is_visible():
        clear.click()
    return explorer


@pytest.fixture(scope="module")
def explorer(evil: Registry, browser: Browser) -> Iterator[Page]:
    """The explorer in a dark theme, without network."""
    exploration = Exploration([CORE, evil])

    def ask(asked: dict[str, str]) -> dict[str, Any]:
        return {"asked": asked, **exploration.answer(asked)._asdict()}

    def open_card(wanted: dict[str, Any]) -> dict[str, Any]:
        return {**wanted, "card": str.__str__(exploration.card(wanted["place"], wanted["code"]))}

    context = browser.new_context(offline=True, viewport={"width": 900, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    found = context.new_page()
    found.expose_function("ask", ask)
    found.expose_function("open_card", open_card)
    put(found, f"<style>{STYLE}{EXPLORER_STYLE}</style><main id=explorer></main>", "jupyterlab-dark")
    found.evaluate("document.title = 'Codes'; document.documentElement.lang = 'en'")
    found.evaluate(RUN_EXPLORER, SCRIPT.read_text("utf-8"))
    yield found
    found.evaluate("leave()")
    assert found.evaluate("listeners()") == 0
    context.close()


def test_codes_are_found_by_typing_and_choosing(explored: Page) -> None:
    """The focus stays in the box; lists say how many codes each choice leaves; all can be cleared."""
    explored.get_by_text(re.compile("^133 codes$")).wait_for()
    box = explored.get_by_role("searchbox")
    box.press_sequentially("provider")
    explored.get_by_text(re.compile("^1. of 133 codes$")).wait_for()
    assert box.evaluate("box => box === document.activeElement")
    explored.get_by_label("Retry").select_option("yes")
    explored.get_by_text("3 of 133 codes").wait_for()
    assert explored.locator("tbody button").first.inner_text() == "provider.rate_limit"
    assert explored.get_by_label("Kind").locator("option").all_inner_texts() == ["any", "transient (3)"]
    explored.get_by_role("button", name="Clear").click()
    explored.get_by_text(re.compile("^133 codes$")).wait_for()
    assert [box.input_value(), explored.get_by_label("Retry").input_value()] == ["", ""]


def test_a_code_opens_and_closes_by_keyboard(explored: Page) -> None:
    """The focus stays on it, and its state is said; every word can be read."""
    button = explored.get_by_role("button", name="provider.rate_limit")
    button.press("Enter")
    card = explored.locator(".errkit-card")
    card.wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    assert button.evaluate("button => button === document.activeElement")
    seen = explored.evaluate(CONTRASTS)
    assert [(round(ratio, 2), text) for ratio, text in seen if ratio < 4.5] == []
    assert explored.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button.press("Space")
    card.wait_for(state="detached")
    assert serious(explored) == []


def test_the_explorer_runs_nothing_of_a_hostile_catalogue(explored: Page) -> None:
    """In its lists, rows and cards."""
    explored.get_by_label("Registry").select_option("evil")
    explored.get_by_text("1 of 133 codes").wait_for()
    explored.get_by_role("button", name="evil.x").click()
    explored.locator(".errkit-card").wait_for()
    assert "<script>hacked=1</script>" in explored.locator(".errkit-card").inner_text()
    assert explored.locator("#explorer :is(script, img, iframe, a, [onerror])").count() == 0
    assert explored.evaluate("window.hacked === undefined")


# --- the style sheet ----------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("kind", COLOURS)
def test_marks_of_kinds_are_seen_on_every_ground(kind: str) -> None:
    """3:1 on white and on near-black (WCAG 2.2, 1.4.11)."""
    own = luminance(COLOURS[kind])
    assert 1.05 / (own + 0.05) >= 3
    assert (own + 0.05) / (luminance("#111111") + 0.05) >= 3


def test_the_style_sheet_is_small() -> None:
    """Each output carries it."""
    assert len(STYLE) < 3_000
