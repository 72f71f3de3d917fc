"""The extension in a plain IPython terminal: the same words, without HTML."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.jupyter.conftest import COLOURS, SHOP

if TYPE_CHECKING:
    from pathlib import Path

CELLS = """
%load_ext errkit
from shop_errors import *
%explain 1001
raise CartError.EMPTY('no item', cart='c7')
raise KeyError('k') from CartError.SLOW()
SHOP
%errcodes shop.till
%unload_ext errkit
raise CartError.SLOW()
"""


def test_a_terminal_shows_the_same_as_text(tmp_path: Path) -> None:
    """Explanations, hints, cards, registries; nothing of HTML, and no colour with NO_COLOR in a hint."""
    (tmp_path / "shop_errors.py").write_text(SHOP, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--ipython-dir", str(tmp_path)],
        input=CELLS,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    shown = COLOURS.sub("", done.stdout)
    for text in (
        "shop.cart.empty  1001\nCart is empty\n",
        "Code: shop.cart.empty 1001\nHint: Add an item first.\n",
        "CartError: no item",
        "Caused by: [shop.cart.slow] Cart did not answer",
        "shop: 2 domains, 3 codes",
        "shop.till.no_paper",
    ):
        assert text in shown, text
    assert "<div" not in shown
    assert "PLANTED" not in shown
    assert "Hint:" not in shown.rpartition("CartError")[0].rpartition("In [")[2]
