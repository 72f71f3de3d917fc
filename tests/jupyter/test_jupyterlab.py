"""The explorer and the reprs in a real JupyterLab: what runs there, what a notebook from elsewhere shows.

JupyterLab takes long to start, so there is one server, and all of this belongs to the full matrix.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import urlopen

import nbformat
import pytest

from errkit.jupyter import explorer, mimebundle
from tests.browser import tab
from tests.examples.service import until
from tests.jupyter.conftest import EVIL, PATIENCE, SHOP
from tests.jupyter.test_style import CONTRASTS
from tests.story import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from errkit import Registry
    from tests.browser import Watched

pytestmark = pytest.mark.full

LIVE = """
from errkit import Registry
from errkit.jupyter import explorer
from shop_errors import SHOP

found = explorer(SHOP, Registry.load("evil.json"))
found
"""


class Lab(NamedTuple):
    """A server, and the folder that it shows."""

    address: str
    folder: Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, evil: Registry) -> Iterator[Lab]:
    """A JupyterLab that knows nothing of this machine's settings, and asks nobody for news."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    folder.mkdir()
    (folder / "shop_errors.py").write_text(SHOP, "utf-8")
    (folder / "evil.json").write_text(evil.export(), "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    settings = ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    own = {name: str(home / name.lower()) for name in (*places, *settings)}
    with (home / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                *("--expose-app-in-browser", "--LabApp.extension_manager=readonly"),
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                *(f"--ServerApp.port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"),
            ],
            env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )

    def ask() -> Any:
        assert server.poll() is None, (home / "log.txt").read_text("utf-8", "replace")
        try:
            return urlopen(f"http://127.0.0.1:{port}/api", timeout=PATIENCE)
        except OSError:
            return None

    try:
        until(ask, seconds=PATIENCE).close()
        yield Lab(f"http://127.0.0.1:{port}/", folder)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def write(lab: Lab, name: str, *cells: Any) -> None:
    notebook = nbformat.v4.new_notebook(cells=list(cells))
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, lab.folder / name)


def opened(lab: Lab, watched: Watched, name: str) -> None:
    """Open a notebook as its reader does."""
    watched.page.set_default_timeout(PATIENCE * 1000)
    watched.page.goto(f"{lab.address}lab/tree/{name}")
    watched.page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()


def command(page: Page, name: str, **arguments: Any) -> None:
    page.evaluate(
        "([name, given]) => jupyterapp.commands.execute(name, given).then(() => null)", [name, arguments]
    )


@pytest.fixture(scope="module")
def live(lab: Lab, browser: Browser) -> Iterator[Watched]:
    """A notebook whose kernel runs."""
    write(lab, "live.ipynb", nbformat.v4.new_code_cell(LIVE))
    with tab(browser, viewport={"width": 1200, "height": 900}) as watched:
        opened(lab, watched, "live.ipynb")
        # A cell that is run before the kernel answers is never run.
        watched.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        command(watched.page, "notebook:run-all-cells")
        watched.page.locator(".errkit-explorer").wait_for()
        yield watched


@pytest.fixture
def shown(live: Watched) -> Locator:
    """The explorer, with nothing asked."""
    found = live.page.locator(".errkit-explorer")
    found.get_by_role("button", name="Clear").click()
    found.get_by_text(re.compile("^4 codes$")).wait_for()
    return found


def codes(shown: Locator) -> list[str]:
    return shown.locator("tbody button").all_inner_texts()


def test_what_is_typed_and_chosen_is_found(shown: Locator) -> None:
    """By the kernel, while the focus stays in the box."""
    box = shown.get_by_role("searchbox")
    box.press_sequentially("cart add")
    shown.get_by_text("1 of 4 codes").wait_for()
    assert codes(shown) == ["shop.cart.empty"]
    assert box.evaluate("box => box === document.activeElement")
    box.fill("")
    shown.get_by_label("Kind").select_option("transient")
    shown.get_by_text("1 of 4 codes").wait_for()
    assert codes(shown) == ["shop.cart.slow"]
    assert shown.get_by_label("Domain").locator("option").all_inner_texts() == [
        "any", "shop (1)", "shop.cart (1)"
    ]  # fmt: skip


def test_a_code_opens_to_its_card_by_keyboard(shown: Locator) -> None:
    """Keys that JupyterLab has commands for included."""
    button = shown.get_by_role("button", name="shop.cart.empty")
    button.press("Enter")
    card = shown.locator(".errkit-card")
    card.wait_for()
    assert "Add an item first." in card.inner_text()
    assert "Nothing is in the cart" in card.inner_text()
    assert "PLANTED" not in card.inner_html()
    button.press("Space")
    card.wait_for(state="detached")


def test_python_asks_too(live: Watched, shown: Locator) -> None:
    """What a cell sets is shown, also in the box and the lists."""
    page = live.page
    command(page, "notebook:insert-cell-below")
    page.locator(".jp-CodeCell").last.locator(".cm-content").fill(
        "found.asked = {'text': 'printer', 'kind': 'outcome'}"
    )
    command(page, "notebook:run-cell")
    shown.get_by_text("1 of 4 codes").wait_for()
    assert (codes(shown), shown.get_by_role("searchbox").input_value()) == (["shop.till.no_paper"], "printer")
    assert shown.get_by_label("Kind").input_value() == "outcome"


def test_a_hostile_catalogue_runs_nothing(live: Watched, shown: Locator) -> None:
    """Its markup is text in rows, lists and cards."""
    button = shown.get_by_role("button", name="evil.x")
    button.click()
    shown.locator(".errkit-card").wait_for()
    assert "<script>hacked=1</script>" in shown.locator(".errkit-card").inner_text()
    assert shown.locator("script, img, iframe, [onerror], a").count() == 0
    assert live.page.evaluate("window.hacked === undefined")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_every_word_can_be_read(theme: str, live: Watched, shown: Locator) -> None:
    """A contrast of 4.5:1 at least (WCAG 2.2, 1.4.3), in the themes that JupyterLab has."""
    command(live.page, "apputils:change-theme", theme=theme)
    live.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    shown.get_by_role("button", name="shop.cart.empty").click()
    shown.locator(".errkit-card").wait_for()
    contrasts = CONTRASTS.replace("document.body", "document.querySelector('.errkit-explorer')")
    seen = live.page.evaluate(contrasts)
    assert len(seen) > 30
    assert [(round(ratio, 2), text) for ratio, text in seen if ratio < 4.5] == []


def test_nothing_is_asked_of_another_machine(lab: Lab, live: Watched, shown: Locator) -> None:
    """Neither for the widget nor for its script; and no script failed."""
    elsewhere = [
        url for url in live.requests if not url.startswith((lab.address, "data:", f"blob:{lab.address}"))
    ]
    assert elsewhere == []
    assert live.faults == []


def test_a_notebook_from_elsewhere_shows_the_table(lab: Lab, evil: Registry, browser: Browser) -> None:
    """Not trusted, no kernel: what stands for the widget is shown, and the reprs; no markup of theirs is."""
    bundle, _ = explorer(evil)._repr_mimebundle_()
    outputs = [
        nbformat.v4.new_output("display_data", data=data)
        for data in (bundle, mimebundle(evil), mimebundle(next(iter(evil))))
    ]
    write(lab, "foreign.ipynb", nbformat.v4.new_code_cell("explorer(evil)", outputs=outputs))
    with tab(browser) as watched:
        opened(lab, watched, "foreign.ipynb")
        shown = watched.page.locator(".jp-OutputArea-output")
        shown.get_by_text("evil.x").first.wait_for()
        assert shown.count() == 3
        assert shown.locator("script, img, style, [onerror]").count() == 0
        assert EVIL[5:40] in shown.first.inner_text()
        assert watched.page.evaluate("window.hacked === undefined")
