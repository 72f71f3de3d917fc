"""What shells offer, in the shells themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import variables

if TYPE_CHECKING:
    from collections.abc import Sequence

BIN = str(Path(sys.executable).parent)

BASH = """
compopt() { :; }
eval "$(_ERRKIT_COMPLETE=bash_source errkit)"
complete -p errkit | grep -q _errkit_completion || exit 3
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_errkit_completion errkit
printf '%s\\n' "${COMPREPLY[@]}"
"""

ZSH = """
compdef() { [[ $1 == _errkit_completion ]] || exit 3 }
_describe() { local name=$3; print -l -- "${(@P)name}" }
compadd() { local name=$@[-1]; print -l -- "${(@P)name}" }
eval "$(_ERRKIT_COMPLETE=zsh_source errkit)"
words=("$@"); CURRENT=$#
_errkit_completion
"""

FISH = """
_ERRKIT_COMPLETE=fish_source errkit | source
complete -C (string join ' ' -- $argv)
"""

SHELLS = {
    "bash": ["bash", "--norc", "-c", BASH, "bash"],
    "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    "fish": ["fish", "--no-config", "-c", FISH],
}


def offered(shell: str, folder: Path, line: Sequence[str]) -> list[str]:
    """What a shell offers for the last word of a line."""
    path = f"{BIN}:{variables()['PATH']}"
    assert shutil.which(SHELLS[shell][0]), f"{shell} is missing; .ci/run installs it"
    done = subprocess.run(
        [*SHELLS[shell], *line],
        cwd=folder,
        env=variables(PATH=path, HOME=str(folder)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    # fish and zsh show what a word means behind a tab or a colon.
    return [re.split("[\t:]", text)[0] for text in done.stdout.splitlines() if text]


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with the codes of the shop."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop_errors']\n")
    return folder


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_codes(shell: str, project: Path) -> None:
    """bash, zsh and fish offer the codes of the project."""
    found = offered(shell, project, ["errkit", "explain", "shop.c"])
    assert set(found) == {"shop.cart.empty", "shop.cart.slow"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["errkit", "li"], ["list"]),
        (["errkit", "explain", "E"], ["E-CART"]),
        (["errkit", "explain", "nobody"], []),
        (["errkit", "list", "--kind", "tr"], ["transient"]),
        (["errkit", "list", "--domain", ""], ["shop.cart"]),
        (["errkit", "list", "--registry", "s"], ["shop_errors"]),
        (["errkit", "check", "shop"], ["shop_errors"]),
        (["errkit", "explain", "--w"], ["--web"]),
    ],
    ids=["command", "alias", "nothing", "kind", "domain", "registry", "item", "option"],
)
def test_each_kind_of_word_is_offered(line: list[str], expected: list[str], project: Path) -> None:
    """Aliases, kinds, domains, registries, items, options."""
    assert set(expected) <= set(offered("bash", project, line))
    if not expected:
        assert offered("bash", project, line) == []


def test_a_broken_project_offers_nothing(project: Path) -> None:
    """No message is written into the line that somebody types."""
    (project / "shop_errors.py").write_text("raise RuntimeError('password=hunter2')\n")
    assert offered("bash", project, ["errkit", "explain", "shop.c"]) == []
    (project / "pyproject.toml").write_text("[tool.errkit]\nregistries = 1\n")
    assert offered("bash", project, ["errkit", "explain", "shop.c"]) == []
