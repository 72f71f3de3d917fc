"""The style sheet is there before a page links to it, and costs no build anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errkit.codes import KINDS
from errkit.sphinx.assets import CSS, EXAMPLES, PARTS, SCRIPT
from errkit.sphinx.labels import COLUMNS
from errkit.sphinx.overview import Island, overview_html
from errkit.sphinx.tabs import tabs
from tests.sphinx.sites import Built, Site

if TYPE_CHECKING:
    from pathlib import Path


def test_every_page_links_the_style_sheet_by_its_content(shop: Built) -> None:
    """With a checksum, so that browsers fetch a new one."""
    assert (shop.folder / "_static" / "errkit.css").read_bytes() == CSS.read_bytes()
    assert re.search(r'href="\.\./_static/errkit\.css\?v=[0-9a-f]{8}"', shop.text("errors/shop.cart.html"))


def test_other_formats_get_no_style_sheet(tmp_path: Path) -> None:
    """Text has no use for it."""
    built = Site(tmp_path, 'errkit_registries = ["shop"]\n').build("text")
    assert not (built.folder / "_static").exists()


def test_colours_are_those_of_the_theme_in_the_dark_as_well() -> None:
    """Every colour is a variable of a theme or a shade of the text colour: none is fixed for a light page.

    The tones of kinds stand out on both; `test_overview.py` measures it.
    """
    css = re.sub(r"/\*.*?\*/|--errkit-tone: #\w+", "", CSS.read_text("utf-8"), flags=re.DOTALL)
    fixed = re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:white|black|grey|gray|red|green|blue)\b(?!-)", css)
    assert fixed == []
    assert "--color-background-border" in css
    assert "--pst-color-border" in css


def test_every_class_of_the_style_sheet_is_used(shop: Built) -> None:
    """No rule outlives what it was made for."""
    classes = set(re.findall(r"\.(errkit-[a-z-]+)", CSS.read_text("utf-8")))
    pages = SCRIPT.read_text("utf-8").replace(
        "errkit-at-${name}", " ".join(f"errkit-at-{name}" for name in COLUMNS)
    )
    pages += EXAMPLES.read_text("utf-8") + PARTS.read_text("utf-8")
    pages += "".join(f"errkit-{kind} " for kind in KINDS)
    pages += overview_html([Island("r", "d", (("c", "bug"),))], lambda *_: None)
    pages += tabs("Legend", [("Caption", "")], "group")
    pages += "".join(path.read_text("utf-8") for path in shop.folder.rglob("*.html"))
    assert {name for name in classes if name not in pages} == set()
