"""`errkit export`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from errkit.exports import FORMATS
from errkit.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_a_catalogue_is_printed_and_loads_back(errkit_here: Command, folder: Path) -> None:
    """The output is the export of the registry, without secrets, and the same at each run."""
    done = errkit_here("export", "json", "shop_errors")
    assert done.returncode == 0
    assert done.stdout == errkit_here("export", "json", "shop_errors").stdout
    assert json.loads(done.stdout)["format"] == "errkit.catalog/1"
    assert "hunter2" not in done.stdout
    path = folder / "shop.json"
    path.write_text(done.stdout, "utf-8")
    assert [spec.code for spec in Registry.load(path)] == ["shop.cart.empty", "shop.cart.slow"]


def test_a_file_is_written_whole(errkit_here: Command, folder: Path) -> None:
    """`-o` writes what would be printed, and only says so beside the result."""
    done = errkit_here("export", "json", "shop_errors", "-o", "shop.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "wrote shop.json\n")
    assert (folder / "shop.json").read_text("utf-8") == errkit_here("export", "json", "shop_errors").stdout


def test_one_registry_is_one_catalogue(errkit_here: Command) -> None:
    """Where several are meant, the command asks for one by name."""
    done = errkit_here("export", "json")
    assert done.returncode == 2
    assert "name one of errkit, errkit.catalogs.agent_core" in done.stderr


def test_the_registry_of_a_project_needs_no_name(errkit_here: Command, folder: Path) -> None:
    """The only registry of [tool.errkit] is meant where none is named."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop_errors']")
    assert json.loads(errkit_here("export", "json").stdout)["registry"] == "shop_errors"


def test_a_file_that_cannot_be_written(errkit_here: Command) -> None:
    """A folder that is not there is named, and the exit code is 2."""
    done = errkit_here("export", "json", "shop_errors", "-o", "none/shop.json")
    assert done.returncode == 2
    assert "[errkit.file_not_written] none/shop.json: can't be written" in done.stderr


def test_a_stale_typescript_export_is_found(errkit_here: Command, folder: Path) -> None:
    """`--check` says which line differs and which command refreshes the copy; the exit code is 1."""
    (folder / "web").mkdir()
    arguments = ("export", "typescript", "shop_errors")
    missing = errkit_here(*arguments, "--check", "web/errors.ts")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("web/errors.ts does not exist; run: errkit export typescript")
    assert errkit_here(*arguments, "-o", "web/errors.ts").returncode == 0
    fresh = errkit_here(*arguments, "--check", "web/errors.ts")
    assert (fresh.returncode, fresh.stderr) == (0, "web/errors.ts is up to date\n")
    path = folder / "shop_errors.py"
    path.write_text(path.read_text("utf-8").replace("Cart did not answer", "Cart is slow"), "utf-8")
    stale = errkit_here(*arguments, "--check", "web/errors.ts")
    assert stale.returncode == 1
    assert re.fullmatch(
        r"web/errors\.ts is stale \(line \d+ differs\); "
        r"run: errkit export typescript shop_errors -o web/errors\.ts\n",
        stale.stderr,
    )
    told = json.loads(errkit_here(*arguments, "--check", "web/errors.ts", "--json").stdout)
    assert (told["format"], told["file"], told["stale"][:8]) == ("typescript", "web/errors.ts", "is stale")


@pytest.mark.parametrize("form", FORMATS)
def test_a_planted_secret_is_in_no_export(form: str, errkit_here: Command, folder: Path) -> None:
    """The shop has one as a default and in an example; the public sees no code that is not public."""
    for options in ((), ("--audience", "public"), ("--json",), ("-o", "out", "--json")):
        done = errkit_here("export", form, "shop_errors", *options)
        assert done.returncode == 0, done.stderr
        assert "hunter2" not in done.stdout + done.stderr
    assert "hunter2" not in (folder / "out").read_text("utf-8")
    assert "SLOW" not in errkit_here("export", form, "shop_errors", "--audience", "public").stdout


def test_writing_and_checking_exclude_each_other(errkit_here: Command) -> None:
    """One file at a time."""
    done = errkit_here("export", "text", "shop_errors", "-o", "a", "--check", "a")
    assert done.returncode == 2
    assert "give one of them" in done.stderr
