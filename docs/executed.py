"""The notebooks as pages: run once, and again when what they show can have changed.

A page of `docs/notebooks/` is a file of one line: the path of its notebook, from the
root of the repository. `read` gives Sphinx that notebook as it is after a run from top
to bottom in a fresh kernel. A run is kept below `build/notebooks`, under a digest of
all that it depends on: the notebook, errkit, the example, Python, what is installed.
`tests/jupyter/test_notebooks.py` asks for the same runs.

The cache of myst-nb knows the cells alone, and would show what an older errkit said.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import os
import re
import sys
import tempfile
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jupytext
import nbformat
import zmq
from nbclient import NotebookClient
from traitlets.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbformat import NotebookNode
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".notebook"
PATIENCE = 300
"""Seconds for a cell: how long one takes says something about the machine alone."""
LOG = logging.getLogger(__name__)
LOG.setLevel(logging.WARNING)
WIDGET = "application/vnd.jupyter.widget-view+json"
GENERATIONS = 4
"""Runs of one notebook that are kept, such as those of several Pythons."""


# --- runs -----------------------------------------------------------------------------


def executed(path: Path) -> NotebookNode:
    """A notebook after a run from top to bottom; the run is kept.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell failed. Such a run is not kept.
    """
    kept = kept_run(path)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with alone(kept.with_suffix(".lock")):
        if not kept.is_file():
            write_whole(kept, nbformat.writes(run(jupytext.read(path))))
            forget_old(kept)
    return nbformat.read(kept, as_version=4)


def kept_run(path: Path) -> Path:
    """The file that a run is kept in."""
    digest = hashlib.sha256(path.read_bytes() + surroundings())
    return folder() / digest.hexdigest()[:16] / f"{path.stem}.ipynb"


@cache
def surroundings() -> bytes:
    """All that the run of a notebook depends on, except the notebook, as a digest."""
    digest = hashlib.sha256(sys.version.encode())
    for line in sorted(f"{found.name} {found.version}" for found in distributions()):
        digest.update(line.encode())
    for path in sorted(sources()):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.digest()


def sources() -> Iterator[Path]:
    """The files that a run may read."""
    yield Path(__file__)
    for name in ("errkit", "examples"):
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def folder() -> Path:
    """Where runs are kept: with all else that make builds, if one may write there."""
    if os.access(ROOT, os.W_OK):
        return ROOT / "build" / "notebooks"
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "errkit", "notebooks")


def run(notebook: NotebookNode) -> NotebookNode:
    """Run a notebook in a fresh kernel, in an empty folder."""
    with tempfile.TemporaryDirectory() as place:
        client = NotebookClient(
            notebook,
            timeout=PATIENCE,
            startup_timeout=PATIENCE,
            kernel_name="python3",
            log=LOG,
            store_widget_state=False,
            coalesce_streams=True,
            config=Config({"KernelManager": {"transport_encryption": encryption()}}),
            resources={"metadata": {"path": place}},
        )
        # What pytest shows is in order, whatever plugins are here.
        client.execute(
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "PYTEST_ADDOPTS": "-p no:randomly",
            }
        )
    return without_widgets(notebook)


def without_widgets(notebook: NotebookNode) -> NotebookNode:
    """Leave what stands for a widget, which has no kernel on a page.

    The page would ask another site for the script of widgets.
    """
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
    return notebook


def encryption() -> str:
    """A kernel complains on standard error about a line that is not encrypted."""
    return "auto" if zmq.has("curve") else "disabled"


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let a site and a test that want the same run at once make one of it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody ever reads half of it."""
    draft = path.with_suffix(".draft")
    draft.write_text(text, "utf-8")
    draft.replace(path)


def forget_old(kept: Path) -> None:
    """Remove runs that a later one has replaced."""
    found = [*folder().glob(f"*/{kept.name}")]
    found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[GENERATIONS:]:
        for each in (path, path.with_suffix(".lock")):
            each.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            path.parent.rmdir()


# --- pages ----------------------------------------------------------------------------


def read(pointer: str) -> NotebookNode:
    """What myst-nb shows of a page: the notebook with its outputs, and links to it."""
    path = ROOT / pointer.strip()
    notebook, kept = executed(path), kept_run(path)
    notebook.metadata = {**notebook.metadata, "run": kept.parent.name}
    links = {"Download it as a notebook": kept, "as text": path}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_links_of_page(cell.source)
    page = ROOT / "docs" / "notebooks"
    notebook.cells[0].source += "\n\n" + ", ".join(
        f"{{download}}`{title} <{os.path.relpath(file, page)}>`"
        for title, file in links.items()
    )
    return notebook


def with_links_of_page(text: str) -> str:
    """Links to other notebooks and to the documentation, as its pages need them."""
    text = re.sub(r"(\]\(\d-[\w-]+)\.md\b", rf"\1{SUFFIX}", text)
    return text.replace("](../docs/", "](../")


def outdated(
    app: Sphinx, env: BuildEnvironment, added: Any, changed: Any, removed: Any
) -> list[str]:
    """The pages that show another run than the one that would be shown now."""
    return [
        name
        for name in env.found_docs
        if (file := env.doc2path(name)).suffix == SUFFIX
        and env.metadata[name].get("run")
        != kept_run(ROOT / file.read_text("utf-8").strip()).parent.name
    ]


def hide_pointer(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Offer no source of a page whose file holds a path."""
    if context.get("page_source_suffix") == SUFFIX:
        context.update(sourcename="", has_source=False, page_source_suffix="")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the pages to a Sphinx application."""
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", hide_pointer, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
