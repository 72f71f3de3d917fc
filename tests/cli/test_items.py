"""Which registries a command is about, and where modules are looked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("click")

from errkit.cli.items import epilog, resolve, search_here

if TYPE_CHECKING:
    from pathlib import Path

CATALOG = '{"format": "errkit.catalog/1", "registry": "filed", "domains": [{"domain": "filed"}]}'


def test_the_current_folder_comes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is put on the path once, as `python -m` does."""
    monkeypatch.setattr(sys, "path", ["/elsewhere"])
    search_here()
    search_here()
    assert sys.path == [str(folder), "/elsewhere"]


def test_items_win_over_the_project(folder: Path) -> None:
    """What is given is meant; its paths start from the current folder, and the settings still count."""
    (folder / "pyproject.toml").write_text(
        "[tool.errkit]\nregistries = ['not_there']\nbase_url = 'https://x'\n"
    )
    (folder / "filed.json").write_text(CATALOG)
    sources, config = resolve(["filed.json", "again=filed.json"])
    assert [source.registry.name for source in sources] == ["filed", "again"]
    assert config.base_url == "https://x"


def test_a_file_may_have_an_equals_sign_in_its_name(folder: Path) -> None:
    """A path that exists is a path, whatever it looks like."""
    (folder / "a=b.json").write_text(CATALOG)
    sources, _ = resolve(["a=b.json"])
    assert [source.registry.name for source in sources] == ["filed"]


def test_the_root_of_the_project_is_searched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a folder below, the modules and files that the project names are found at its root."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['filed.json']\n")
    (folder / "filed.json").write_text(CATALOG)
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    monkeypatch.setattr(sys, "path", ["/elsewhere"])
    sources, config = resolve([])
    assert [source.registry.name for source in sources] == ["filed"]
    assert sys.path == ["/elsewhere", str(config.root)]


def test_the_end_of_a_help_text_has_examples() -> None:
    """Examples keep their lines."""
    assert epilog("errkit list").startswith("\b\nExamples:\n  errkit list\n\nITEM is")
