"""The pages of the documentation about notebooks: their cells run, and what they name is what there is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errkit.jupyter import plots
from errkit.jupyter.magics import NAMES
from errkit.jupyter.settings import MODES
from tests.jupyter.conftest import running_kernel
from tests.story import ROOT, compare, read_blocks

if TYPE_CHECKING:
    import pytest

PAGES = ROOT / "docs"


def test_the_cells_of_the_how_to_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """From top to bottom in a fresh kernel; those that show what they print print that."""
    folder, last = tmp_path_factory.mktemp("page"), None
    with running_kernel(folder) as kernel:
        for block in read_blocks(PAGES / "how-to/notebooks.md"):
            if block.file:
                (folder / block.file).write_text(block.text, "utf-8")
            elif block.language in ("python", "py") or block.text.startswith("%"):
                last = kernel.run(block.text)
                assert "error" not in last.kinds, last.text
                assert "UsageError" not in last.text
            elif block.language == "text" and last is not None:
                compare(block.text, last.text)
    assert len(kernel.seen) > 8


def test_the_reference_names_every_magic_mode_and_plot() -> None:
    """In its tables and entries, and no others."""
    text = (PAGES / "reference/notebooks.md").read_text("utf-8")
    assert {*NAMES["line"], *NAMES["cell"]} == set(re.findall(r"^\| `%+(\w+)", text, re.MULTILINE))
    said = re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    assert [(mode, meaning) for mode, meaning in said if mode in MODES] == list(MODES.items())
    entries = text.partition("## errkit.jupyter.plots")[2]
    public = {name for name in plots.__all__ if name.islower()}
    assert public == set(re.findall(r"py:function:: (\w+)", entries))
