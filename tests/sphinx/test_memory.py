"""What a build lets go of while it runs."""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

import pytest

from errkit.sphinx.memory import without_collecting

if TYPE_CHECKING:
    from tests.sphinx.sites import Site

COUNTING = '''

def setup(app):
    """Note the pages whose trees are in memory, between reading and writing, and while each is written."""
    import gc
    from pathlib import Path
    from docutils import nodes

    def note(app, *_):
        gc.collect()  # a tree is a circle
        here = [one for one in gc.get_objects() if type(one) is nodes.document]
        with open(Path(app.confdir).parent / "trees", "a", encoding="utf-8") as file:
            print(sum(str(one.get("source")).startswith(str(app.doctreedir)) for one in here), file=file)

    app.connect("env-updated", note)
    app.connect("html-page-context", note)
'''


def test_trees_of_pages_without_files_do_not_wait_in_memory(site: Site) -> None:
    """They are half of what a large build would keep, and are read from their files faster than made."""
    conf = site.folder / "conf.py"
    conf.write_text(conf.read_text("utf-8") + COUNTING, "utf-8")
    built = site.build()
    assert built.warnings == []
    counts = [int(line) for line in (site.folder.parent / "trees").read_text("utf-8").split()]
    assert len([name for name in built.read if name.startswith("errors/")]) == 3
    # The one that was read last, and the one that is being written.
    assert counts[0] <= 1
    assert 1 <= max(counts[1:]) <= 2


@pytest.mark.parametrize("enabled", [True, False])
def test_looking_for_garbage_is_left_as_it_was(enabled: bool) -> None:
    """Whatever a program has chosen, and whatever goes wrong meanwhile."""
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with contextlib.suppress(ValueError), without_collecting():
            assert not gc.isenabled()
            raise ValueError("meanwhile")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()
