"""The notebooks: each runs from top to bottom in a fresh kernel, proves what it says, and shows no secret."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import jupytext  # type: ignore[import-untyped]
import pytest

from tests.examples.service import until
from tests.jupyter.conftest import PATIENCE
from tests.story import ROOT

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.md"))
SECRET = re.compile(r"swordfish[-\w]*")
"""What a notebook plants wherever a secret may stand."""


def load_executed() -> ModuleType:
    """The room of the documentation that runs notebooks and keeps what they gave."""
    spec = importlib.util.spec_from_file_location("executed", ROOT / "docs" / "executed.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXECUTED = load_executed()


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def written(path: Path) -> Any:
    """A notebook as it is in the repository."""
    return jupytext.read(path)


@pytest.fixture(scope="module")
def ran(path: Path) -> Any:
    """The same after a run, which the pages of the documentation share."""
    return EXECUTED.executed(path)


def test_it_runs_from_top_to_bottom(written: Any, ran: Any) -> None:
    """Every cell ran once, in order; a cell that is said to fail does, and no other one."""
    cells = code_cells(ran)
    assert [cell.source for cell in cells] == [cell.source for cell in code_cells(written)]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    for cell in cells:
        failed = any(output.output_type == "error" for output in cell.outputs)
        assert failed == ("raises-exception" in cell.metadata.get("tags", [])), cell.source
        assert all(output.get("data", True) for output in cell.outputs), f"{cell.source} shows nothing"


def test_it_proves_what_it_says(written: Any) -> None:
    """There are assertions in it, and prose before its first cell and between its sections."""
    sources = [cell.source for cell in code_cells(written)]
    assert sum(source.count("assert ") + source.count("%%expect") for source in sources) >= 4
    prose = [cell.source for cell in written.cells if cell.cell_type == "markdown"]
    assert prose[0].startswith("# ")
    assert written.cells[0].cell_type == "markdown"
    assert len(prose) >= 5


def test_no_secret_and_no_folder_of_this_machine_is_shown(written: Any, ran: Any) -> None:
    """What a notebook plants stands in its cells, and nowhere in what they gave."""
    assert SECRET.search("\n".join(cell.source for cell in code_cells(written)))
    for cell in code_cells(ran):
        shown = json.dumps(cell.outputs)
        assert not SECRET.findall(shown), cell.source
        for folder in (str(ROOT), tempfile.gettempdir()):
            assert folder not in shown, cell.source


def test_nothing_is_said_on_standard_error(ran: Any) -> None:
    """No warnings: a reader would take them for something to do."""
    for cell in code_cells(ran):
        assert not [output for output in cell.outputs if output.get("name") == "stderr"], cell.source


def test_its_lines_can_be_read_beside_the_navigation(written: Any) -> None:
    """Code of at most 88 characters, which a page of the documentation shows without scrolling."""
    lines = [line for cell in code_cells(written) for line in cell.source.splitlines()]
    assert [line for line in lines if len(line) > 88] == []


def test_a_code_of_a_cell_says_so() -> None:
    """It is declared in no file that a reader could open."""
    cells = code_cells(EXECUTED.executed(NOTEBOOKS[0]))
    [explained] = [cell for cell in cells if cell.source.startswith("%explain")]
    for shown in explained.outputs[0].data.values():
        assert re.search(r"Declared\b.*\ba cell, line \d+\b", shown)
        assert "ipykernel" not in shown


def test_every_notebook_is_a_page() -> None:
    """Each has a file in the documentation that names it, of the same name, and there are no others."""
    pages = sorted((ROOT / "docs" / "notebooks").glob("*.notebook"))
    assert [page.read_text("utf-8") for page in pages] == [f"notebooks/{path.name}\n" for path in NOTEBOOKS]
    assert [page.stem for page in pages] == [path.stem for path in NOTEBOOKS]


@pytest.mark.full
def test_make_notebooks_opens_them_in_jupyterlab() -> None:
    """The server answers, lists the notebooks, and gives them as notebooks although they are text."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = f"--no-browser --allow-root --ServerApp.port={port} --IdentityProvider.token=known"
    server = subprocess.Popen(
        ["make", "-C", str(ROOT), "notebooks", f"LAB_FLAGS={flags}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "MAKEFLAGS": ""},
        start_new_session=True,
    )

    def ask(path: str) -> Any:
        assert server.poll() is None
        try:
            return urlopen(f"http://127.0.0.1:{port}{path}token=known", timeout=PATIENCE)
        except OSError:
            return None

    try:
        with until(lambda: ask("/lab?"), seconds=PATIENCE) as answer:
            assert answer.status == 200
        with until(lambda: ask(f"/api/contents/{NOTEBOOKS[0].name}?type=notebook&")) as answer:
            assert json.load(answer)["content"]["cells"][0]["source"].startswith("# ")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(PATIENCE)
