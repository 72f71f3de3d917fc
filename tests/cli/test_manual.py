"""Manual pages, read by the programs that show them."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import click
import pytest
from hypothesis import given, strategies as st

from errkit.cli.app import commands
from errkit.cli.manual import page_name, page_of, pages

if TYPE_CHECKING:
    from pathlib import Path

ROOT = click.Context(commands, info_name="errkit", **commands.context_settings)
EVERY = {page_name(found): page_of(found, "1.0") for found in pages(ROOT)}


def test_every_command_has_a_page() -> None:
    """One for each, also for those below another."""
    assert {"errkit", "errkit-list", "errkit-export", "errkit-export-json", "errkit-man"} <= set(EVERY)
    assert set(commands.commands) <= {name.removeprefix("errkit-") for name in EVERY}


@pytest.mark.parametrize("name", EVERY)
def test_a_page_says_what_help_says(name: str) -> None:
    """Every option with its words, the description, the examples."""
    found = next(each for each in pages(ROOT) if page_name(each) == name)
    page = EVERY[name].replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", '"').replace("\\e", "\\")
    for parameter in found.command.get_params(found):
        if isinstance(parameter, click.Option):
            record = parameter.get_help_record(found)
            assert record is not None
            assert f".B {record[0]}\n{' '.join(record[1].split())}\n" in page
    assert ".SH EXAMPLES\n" in page or name == "errkit"
    for example in re.findall(r"^  (errkit .*)$", found.command.epilog or "", re.MULTILINE):
        assert f"\n{example}\n" in page


def test_the_programs_that_show_pages_have_nothing_to_complain_of(tmp_path: Path) -> None:
    """groff, as man calls it, and mandoc accept every page."""
    files = []
    for name, text in EVERY.items():
        (tmp_path / f"{name}.1").write_text(text, "ascii")
        files.append(str(tmp_path / f"{name}.1"))
    assert shutil.which("mandoc"), "mandoc is missing; .ci/run installs it"
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *files], capture_output=True, text=True, check=False
    )
    # A page that says the same every day has no date.
    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []
    shown = subprocess.run(["mandoc", "-T", "utf8", files[0]], capture_output=True, text=True, check=True)
    assert "Error codes: list, explain and check them" in re.sub(r".\x08", "", shown.stdout)


@given(st.text())
def test_no_text_is_a_request(text: str) -> None:
    """Whatever a command says of itself, no line of it is taken for a request or an escape."""
    said = click.Command("x", help=text, params=[click.Option(["--x"], help=text)])
    page = page_of(click.Context(said, info_name="x"), text)
    page.encode("ascii")
    known = (".TH ", ".SH ", ".PP", ".TP", ".B ", ".nf", ".fi", ".BR ")
    assert all(line.startswith(known) for line in page.split("\n") if line.startswith((".", "'")))
    assert set(re.findall(r"\\(.)", page)) <= set("-e&([")
