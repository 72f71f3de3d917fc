"""`errkit new`: a domain that is green from its first minute."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import variables

if TYPE_CHECKING:
    from tests.cli.conftest import Command

BIN = Path(sys.executable).parent
# What mypy knows of errkit is kept for the next run.
CACHE = str(Path(__file__).parents[2] / ".mypy_cache" / "new")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project with two domains, set up as the command says."""
    root = tmp_path_factory.mktemp("project")
    told = run(root, sys.executable, "-m", "errkit", "new", "shop.cart", "--details", "--prose", "texts")
    files, _, settings = told.partition("\n\n")
    assert files.splitlines() == [
        "shop/errors/cart.py",
        "tests/test_cart_errors.py",
        "texts/shop.cart/shop.cart.not_found.rst",
        "shop/__init__.py",
        "shop/errors/__init__.py",
    ]
    (root / "pyproject.toml").write_text(settings, "utf-8")
    told = run(root, sys.executable, "-m", "errkit", "new", "shop.pay.timeout")
    assert "[tool" not in told
    return root


def run(root: Path, *command: str | Path) -> str:
    """What a command prints, which has to succeed."""
    done = subprocess.run(command, cwd=root, env=variables(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--select", "ALL", "--ignore", "D203,D213,COM812,INP001,CPY"),
        ("ruff", "format", "--check"),
        ("ruff", "format", "--check", "--line-length", "120"),
        ("mypy", "--strict", "--cache-dir", CACHE, "shop", "tests"),
        ("pytest", "-q", "-p", "no:cacheprovider"),
        ("errkit", "check"),
        ("errkit", "site", "-o", "site"),
    ],
    ids=["lint", "format", "format-wide", "types", "test", "check", "site"],
)
def test_everything_is_green_at_once(command: tuple[str, ...], project: Path) -> None:
    """Linter, formatter with any length of lines, type checker, its own test, `errkit check`, the site."""
    run(project, BIN / command[0], *command[1:])


def test_the_site_shows_the_prose_file(project: Path) -> None:
    """The text that was started is what readers see."""
    run(project, BIN / "errkit", "site", "-o", "site")
    pages = [page.read_text("utf-8") for page in (project / "site").rglob("*.html")]
    assert any("so there is no cart to work with" in page for page in pages)


def test_the_next_numbers_are_proposed(project: Path) -> None:
    """Each domain has a hundred of its own."""
    lines = run(project, BIN / "errkit", "list").splitlines()
    assert [line.split("\t")[1:3] for line in lines] == [
        ["shop.cart.not_found", "1000"],
        ["shop.pay.timeout.not_found", "1100"],
    ]


def test_nothing_is_overwritten(errkit_here: Command, folder: Path) -> None:
    """A file in the way is named, and no other file is written."""
    (folder / "tests").mkdir()
    (folder / "tests" / "test_cart_errors.py").write_text("mine")
    before = sorted(folder.rglob("*"))
    done = errkit_here("new", "shop.cart")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("[errkit.not_started]")
    assert "tests/test_cart_errors.py: is there already" in done.stderr
    assert sorted(folder.rglob("*")) == before
    assert (folder / "tests" / "test_cart_errors.py").read_text() == "mine"


def test_what_can_not_be_written_leaves_nothing(errkit_here: Command, folder: Path) -> None:
    """Files that were written before the failure are taken back."""
    (folder / "tests").write_text("a file")
    done = errkit_here("new", "shop.cart", "--json")
    assert done.returncode == 2
    assert json.loads(done.stderr)["code"] == "errkit.not_started"
    assert not [path for path in folder.rglob("*.py") if path.name != "shop_errors.py"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shop..cart"], "is no code"),
        (["shop.3d"], "starts a segment with no letter"),
        (["shop.md"], "suffix of a source file"),
        (["os.fs"], "'os.fs' is a domain of errkit already, declared in errkit.domains.os_fs"),
        (["os_fs"], "would share its anchor with os.fs.not_found"),
        (["shop.cart", "--package", "a-b"], "can't be imported: 'a-b' is no name of a module"),
        (["shop.cart", "--package", "shop.class"], "'class' is no name of a module"),
        (["shop.cart", "--package", "shop_errors.cart"], "is a plain module"),
        (["shop.cart", "--numbers", "9-1"], "expected FIRST-LAST, found '9-1'"),
        (["shop.cart", "--numbers", "12000-12001"], "overlaps 12000-12099 of os.fs"),
    ],
)
def test_what_can_not_be_started_is_refused(
    arguments: list[str], said: str, errkit_here: Command, folder: Path
) -> None:
    """With the reason; nothing is written."""
    before = sorted(folder.rglob("*"))
    done = errkit_here("new", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert sorted(folder.rglob("*")) == before


def test_a_project_is_read_first(errkit_here: Command, folder: Path) -> None:
    """Its numbers, what it took back, where its sources are and what it lists count."""
    (folder / "src").mkdir()
    (folder / "pyproject.toml").write_text(
        "[build-system]\n[tool.errkit]\nregistries = ['shop_errors', {registry='shop_errors', name='b'}]\n"
    )
    (folder / "errors.lock.json").write_text(
        '{"format": "errkit.lock/1", "facts": [\n["registry", "code", "fact", "name", "value"]\n'
        '], "retired": [\n'
        '["registry", "code", "number", "anchor", "title", "since", "removed", "replaced_by"]\n'
        ',["b", "", 1150, "", "", "", "", ""]\n]}\n'
    )
    told = json.loads(errkit_here("new", "shop.pay", "--json").stdout)
    assert told["numbers"] == [1200, 1299]
    assert told["written"][0] == "src/shop/errors/pay.py"
    assert told["settings"] == (
        '[tool.errkit]\nregistries = ["shop_errors", '
        '{ registry = "shop_errors", name = "b" }, "shop.errors"]\n'
    )
    told = json.loads(errkit_here("new", "bill", "--numbers", "none", "--json").stdout)
    assert (told["module"], told["numbers"]) == ("bill.errors.bill", None)


def test_a_registry_of_the_project_is_joined(errkit_here: Command, folder: Path) -> None:
    """Where the package has a registry of its own, the domain belongs to it, once it is imported there."""
    (folder / "shop" / "errors").mkdir(parents=True)
    home = folder / "shop" / "errors" / "__init__.py"
    home.write_text("from errkit import Registry\n\nREGISTRY = Registry('shop')\n")
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop.errors']\n")
    told = json.loads(errkit_here("new", "shop.cart", "--json").stdout)
    assert "import shop.errors.cart in shop.errors, below the line that makes REGISTRY" in told["next"]
    home.write_text(home.read_text() + "\nimport shop.errors.cart\n")
    assert errkit_here("list").stdout.startswith("shop\tshop.cart.not_found\t")
