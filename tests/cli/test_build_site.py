"""`errkit site`, with real builds."""

from __future__ import annotations

import importlib.util
import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import variables

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

pytest.importorskip("sphinx")
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("errkit.sphinx") is None, reason="the Sphinx extension is not there"
)


def test_a_module_in_an_empty_folder_becomes_a_site(errkit: Command, folder: Path) -> None:
    """One file with a domain is enough: the landing page shows its codes, each has a short link."""
    done = errkit("site", "shop_errors", "-o", "site")
    assert (done.returncode, done.stdout, done.stderr) == (0, "site/index.html\n", "")
    index = (folder / "site/index.html").read_text("utf-8")
    assert "<title>Errors of shop_errors" in index
    assert "shop.cart.empty" in index
    page = (folder / "site/errors/shop.cart.html").read_text("utf-8")
    assert 'id="err-shop-cart-empty"' in page
    assert "Add an item first." in page
    assert "hunter2" not in page
    assert (folder / "site/e/1001/index.html").exists()
    codes = json.loads((folder / "site/errors.json").read_text("utf-8"))["codes"]
    assert [code["code"] for code in codes] == ["shop.cart.empty", "shop.cart.slow"]
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == [
        "shop_errors.py",
        "site",
    ]
    assert stat.S_IMODE((folder / "site").stat().st_mode) & 0o500 == 0o500


def test_a_catalogue_becomes_a_site(errkit: Command, folder: Path) -> None:
    """A file serves like a module, with a theme and a title that is text and nothing else."""
    errkit("export", "json", "shop_errors", "-o", "shop.json")
    (folder / "shop_errors.py").unlink()
    title = "Shop *errors* `x` |y| <z> :ref:`a`"
    done = errkit("site", "shop.json", "-o", "deep/site", "--title", title, "--theme", "alabaster")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == os.path.join("deep/site", "index.html") + "\n"
    index = (folder / "deep/site/index.html").read_text("utf-8")
    assert "<h1>Shop *errors* `x` |y| &lt;z&gt; :ref:`a`<" in index
    assert "alabaster.css" in index


def test_several_registries_share_a_site(errkit_here: Command, folder: Path) -> None:
    """Without items and without a project, everything that errkit has is on one site."""
    done = errkit_here("site")
    assert (done.returncode, done.stdout, done.stderr) == (0, "site/index.html\n", "")
    codes = json.loads((folder / "site/errors.json").read_text("utf-8"))["codes"]
    assert {code["code"] for code in codes} >= {"errkit.site_failed", "os.fs.not_found", "SESSION_NOT_FOUND"}


def test_a_prose_folder_that_is_not_there_is_refused(errkit_here: Command, folder: Path) -> None:
    """The message names what the user has written, and no file of the workplace."""
    table = '[tool.errkit]\nregistries = ["shop_errors"]\nprose = "words"\n'
    (folder / "pyproject.toml").write_text(table, "utf-8")
    done = errkit_here("site")
    assert (done.returncode, done.stdout) == (2, "")
    assert "pyproject.toml: tool.errkit.prose: there is no folder" in done.stderr
    assert "conf.py" not in done.stderr


BROKEN = '''
from errkit import CodedError, code

class BrokenError(CodedError, domain="broken"):
    ONE = code("One")
    """See :nothing:`here` first."""
'''


FAILING = {
    "def broken(:": "SyntaxError: invalid syntax",
    "import sys; sys.exit(3)": "SystemExit: 3",
    "import os; os.nothing": "AttributeError: module 'os' has no attribute 'nothing'",
    "from errkit import *\nclass E(CodedError, domain='x'):\n A = code('')": "[errkit.bad_declaration] E.A",
}


def test_a_failure_or_a_warning_keeps_the_last_good_site(errkit_here: Command, folder: Path) -> None:
    """A module that fails ends with 2, broken prose with 1, and both say where; the old site stays as it was,
    and can be given up.
    """
    errkit_here("site", "shop_errors")
    before = {path: path.read_bytes() for path in (folder / "site").rglob("*") if path.is_file()}
    for text, cause in FAILING.items():
        (folder / "failing_errors.py").write_text(text, "utf-8")
        done = errkit_here("site", "failing_errors")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"failing_errors: failing_errors can't be imported: {cause}" in done.stderr
    (folder / "broken_errors.py").write_text(BROKEN, "utf-8")
    done = errkit_here("site", "broken_errors")
    assert (done.returncode, done.stdout) == (1, "")
    assert 'Unknown interpreted text role "nothing"' in done.stderr
    assert "[errkit.site_failed]" in done.stderr
    assert "the builder warned once" in done.stderr
    assert "Hint: " in done.stderr
    assert "\x1b" not in done.stderr
    assert {path: path.read_bytes() for path in before} == before
    done = errkit_here("site", "broken_errors", "--allow-warnings")
    assert (done.returncode, done.stdout) == (0, "site/index.html\n")
    assert 'role "nothing"' in done.stderr
    assert (folder / "site/errors/broken.html").exists()
    assert not (folder / "site/errors/shop.cart.html").exists()


def test_a_theme_that_is_not_there(errkit_here: Command, folder: Path) -> None:
    """What Sphinx can't do ends with 2, as a coded error, with nothing left behind."""
    done = errkit_here("site", "shop_errors", "--theme", "no_such_theme")
    assert (done.returncode, done.stdout) == (2, "")
    assert "[errkit.site_failed]" in done.stderr
    assert "no_such_theme" in done.stderr
    assert [path.name for path in folder.iterdir() if path.name != "__pycache__"] == ["shop_errors.py"]


def test_a_build_that_is_stopped_leaves_nothing(errkit_here: Command, folder: Path) -> None:
    """SIGTERM ends the command with 143, and no half-built site stays beside the old one."""
    stops = "import os, signal\ndef setup(app):\n    os.kill(os.getpid(), signal.SIGTERM)\n"
    (folder / "stops.py").write_text(stops)
    script = (
        "import sys, errkit.cli.building as room\n"
        "settings = room.settings\n"
        "room.settings = lambda *a: {**settings(*a), 'extensions': ['stops']}\n"
        "from errkit.cli import main\n"
        "sys.exit(main(['site', 'shop_errors']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=variables(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")
    assert not [path.name for path in folder.iterdir() if path.name.startswith((".site", "site"))]


def test_without_sphinx_the_extra_is_named(folder: Path) -> None:
    """Where Sphinx is missing, the command says what to install and ends with 2."""
    script = "import sys; sys.modules['sphinx'] = None\nfrom errkit.cli import main\nsys.exit(main(['site']))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=variables(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("[errkit.missing_extra] errkit site needs Sphinx")
    assert "errkit[site]" in done.stderr
