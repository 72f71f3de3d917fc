"""`errkit export`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from errkit.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_a_catalogue_is_printed_and_loads_back(errkit: Command, folder: Path) -> None:
    """The output is the export of the registry, without secrets, and the same at each run."""
    done = errkit("export", "json", "shop_errors")
    assert done.returncode == 0
    assert done.stdout == errkit("export", "json", "shop_errors").stdout
    assert json.loads(done.stdout)["format"] == "errkit.catalog/1"
    assert "hunter2" not in done.stdout
    path = folder / "shop.json"
    path.write_text(done.stdout, "utf-8")
    assert [spec.code for spec in Registry.load(path)] == ["shop.cart.empty", "shop.cart.slow"]


def test_a_file_is_written_whole(errkit: Command, folder: Path) -> None:
    """`-o` writes what would be printed, and only says so beside the result."""
    done = errkit("export", "json", "shop_errors", "-o", "shop.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "wrote shop.json\n")
    assert (folder / "shop.json").read_text("utf-8") == errkit("export", "json", "shop_errors").stdout


def test_one_registry_is_one_catalogue(errkit: Command) -> None:
    """Where several are meant, the command asks for one by name."""
    done = errkit("export", "json")
    assert done.returncode == 2
    assert "name one of errkit, errkit.catalogs.agent_core" in done.stderr


def test_the_registry_of_a_project_needs_no_name(errkit: Command, folder: Path) -> None:
    """The only registry of [tool.errkit] is meant where none is named."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop_errors']")
    assert json.loads(errkit("export", "json").stdout)["registry"] == "shop_errors"


def test_a_file_that_cannot_be_written(errkit: Command) -> None:
    """A folder that is not there is named, and the exit code is 2."""
    done = errkit("export", "json", "shop_errors", "-o", "none/shop.json")
    assert done.returncode == 2
    assert "'none/shop.json' can't be written" in done.stderr
