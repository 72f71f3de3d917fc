"""`errkit man`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_a_page_is_printed(errkit_here: Command) -> None:
    """That of errkit itself, of a command, of one below another."""
    for command, title in (
        ((), "ERRKIT"),
        (("list",), r"ERRKIT\-LIST"),
        (("export", "json"), r"ERRKIT\-EXPORT\-JSON"),
    ):
        done = errkit_here("man", *command)
        assert done.returncode == 0
        assert done.stdout.startswith(f'.TH "{title}" "1" ')


def test_pages_are_written(errkit_here: Command, folder: Path) -> None:
    """All that belong to a command, into a folder that need not be there."""
    done = errkit_here("man", "export", "-o", "share/man1")
    assert (done.returncode, done.stdout) == (0, "")
    assert (folder / "share" / "man1" / "errkit-export-json.1").read_text().startswith(".TH ")
    assert not (folder / "share" / "man1" / "errkit.1").exists()


def test_programs_get_an_object(errkit_here: Command) -> None:
    """Names and texts."""
    assert json.loads(errkit_here("man", "list", "--json").stdout)["errkit-list"].startswith(".TH ")


def test_what_can_not_be_done_is_said(errkit_here: Command, folder: Path) -> None:
    """A command that there is not, and a folder that can't be one."""
    done = errkit_here("man", "lst")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no command is called 'lst'" in done.stderr
    (folder / "file").write_text("")
    done = errkit_here("man", "-o", "file/below")
    assert done.returncode == 2
    assert done.stderr.startswith("[errkit.file_not_written]")
