"""`errkit diff`."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def shop(errkit_here: Command, folder: Path) -> Path:
    """The module of a project in git whose lock was committed as v1, and whose codes have changed since."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop_errors']\n")
    assert errkit_here("lock").returncode == 0
    said = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "v1"], ["tag", "v1"]):
        subprocess.run(["git", *said, *command], cwd=folder, check=True, capture_output=True)
    path = folder / "shop_errors.py"
    text = path.read_text("utf-8").replace("SLOW = code(", "FAST = code(").replace("1002", "1003")
    path.write_text(text.replace("Add an item first", "Add one, *now*"), "utf-8")
    return path


CHANGES = [
    "major\tshop_errors\tshop.cart.slow\tit is gone; use shop.cart.empty",
    "minor\tshop_errors\tshop.cart.fast\tit is new",
    "patch\tshop_errors\tshop.cart.empty\tits hint reads otherwise",
]


def test_a_change_is_a_line(errkit_here: Command, shop: Path) -> None:
    """The heaviest first; which version number that asks for stands on standard error."""
    done = errkit_here("diff")
    assert done.returncode == 1
    assert done.stdout.splitlines() == CHANGES
    assert done.stderr == "these changes need a major version\n"


def test_nothing_has_changed(errkit_here: Command, shop: Path) -> None:
    """Once the change is declared, the lock and the codes are one."""
    assert errkit_here("lock", "--major").returncode == 0
    done = errkit_here("diff")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing has changed\n")


@pytest.mark.parametrize("base", ["v1", "HEAD", "HEAD~0", "old.lock.json", "old.json"])
def test_it_compares_with_a_revision_a_lock_or_a_catalogue(
    base: str, errkit_here: Command, shop: Path, folder: Path
) -> None:
    """Since a release, whatever the lock says by now."""
    (folder / "old.lock.json").write_bytes((folder / "errors.lock.json").read_bytes())
    new = shop.read_text("utf-8")
    subprocess.run(["git", "checkout", "-q", "v1", "--", "shop_errors.py"], cwd=folder, check=True)
    assert errkit_here("export", "json", "shop_errors", "-o", "old.json").returncode == 0
    shop.write_text(new, "utf-8")
    assert errkit_here("lock", "--major").returncode == 0
    done = errkit_here("diff", "--against", base)
    assert (done.returncode, done.stdout.splitlines()) == (1, CHANGES)


def test_a_catalogue_in_toml_serves_too(errkit_here: Command, shop: Path, folder: Path) -> None:
    """As every other file that holds codes."""
    (folder / "old.toml").write_text('format = "errkit.catalog/1"\nregistry = "shop_errors"\ndomains = []\n')
    done = errkit_here("diff", "--against", "old.toml")
    assert [line.split("\t")[3] for line in done.stdout.splitlines()] == ["it is new", "it is new"]
    assert done.returncode == 0


@pytest.mark.parametrize(("allow", "code"), [("none", 1), ("patch", 1), ("minor", 1), ("major", 0)])
def test_what_is_allowed_decides_on_the_exit_code(
    allow: str, code: int, errkit_here: Command, shop: Path
) -> None:
    """A change that weighs more is a finding."""
    assert errkit_here("diff", "--allow", allow).returncode == code


def test_additions_are_allowed(errkit_here: Command, shop: Path, folder: Path) -> None:
    """Unless a release is to hold corrections only."""
    subprocess.run(["git", "checkout", "-q", "v1", "--", "shop_errors.py"], cwd=folder, check=True)
    shop.write_text(shop.read_text("utf-8").replace("since=", "public=True, since="), "utf-8")
    done = errkit_here("diff")
    assert (done.returncode, done.stderr) == (0, "these changes need a minor version\n")
    assert errkit_here("diff", "--allow", "patch").returncode == 1


def test_json_is_an_object(errkit_here: Command, shop: Path) -> None:
    """The weight of all of it, and each change."""
    told = json.loads(errkit_here("diff", "--json").stdout)
    assert told["needed"] == "major"
    assert [item["code"] for item in told["changes"]] == [
        "shop.cart.slow",
        "shop.cart.fast",
        "shop.cart.empty",
    ]
    assert told["changes"][0]["remedy"].startswith("Bring it back")


def test_a_changelog_can_be_printed(errkit_here: Command, shop: Path, folder: Path) -> None:
    """In Markdown, by weight, with titles of new codes; nothing in a text marks anything up."""
    shop.write_text(shop.read_text("utf-8").replace("Cart did not answer", "Cart *is* <b>fast</b>"), "utf-8")
    done = errkit_here("diff", "--changelog")
    assert done.stdout == (
        "### Breaking\n\n"
        "- `shop.cart.slow`: it is gone; use shop.cart.empty\n\n"
        "### Added\n\n"
        "- `shop.cart.fast` (1003): Cart \\*is\\* \\<b\\>fast\\</b\\>\n\n"
        "### Changed\n\n"
        "- `shop.cart.empty`: its hint reads otherwise\n"
    )
    assert (done.returncode, done.stderr) == (1, "")


def test_at_a_terminal_there_is_a_table(errkit_at_terminal: Command, shop: Path) -> None:
    """With headings."""
    shown = re.sub(r"\x1b\[[0-9;]*m", "", errkit_at_terminal("diff").stdout)
    assert re.search(r"Weight +Registry +Code +Change", shown)
    assert re.search(r"major +shop_errors +shop\.cart\.slow +it is gone", shown)


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("v7", "v7: is neither a file nor a revision of git here"),
        ("--output=stolen", "is neither a file nor a revision of git here"),
        ("bad.json", "bad.json: line 1, column 2: is no JSON"),
        ("shop_errors.py", "shop_errors.py: line 2, column 1"),
        ("HEAD:shop_errors.py", "is neither a file nor a revision"),
    ],
)
def test_a_base_that_is_none_ends_with_2(
    base: str, said: str, errkit_here: Command, shop: Path, folder: Path
) -> None:
    """As a coded error with a hint; what git is given is a name, never an option."""
    (folder / "bad.json").write_text("{")
    done = errkit_here("diff", f"--against={base}")
    assert done.returncode == 2
    assert f"[errkit.bad_lock] {said}" in done.stderr or said in done.stderr
    assert "Hint: " in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "stolen").exists()


def test_a_revision_without_the_lock_is_said(errkit_here: Command, shop: Path, folder: Path) -> None:
    """The message names the file that is missing there."""
    (folder / "pyproject.toml").write_text(
        "[tool.errkit]\nregistries = ['shop_errors']\nlock = 'other.json'\n"
    )
    done = errkit_here("diff", "--against", "v1")
    assert done.returncode == 2
    assert "[errkit.bad_lock] v1:other.json: the revision has no other.json" in done.stderr


def test_outside_of_git_a_revision_is_none(errkit_here: Command, folder: Path) -> None:
    """A folder that is no repository has no revisions."""
    done = errkit_here("diff", "shop_errors", "--against", "HEAD", GIT_CEILING_DIRECTORIES=str(folder.parent))
    assert done.returncode == 2
    assert "HEAD: is neither a file nor a revision of git here" in done.stderr


def test_a_planted_secret_is_in_no_output(errkit_here: Command, shop: Path) -> None:
    """Not the value of a secret field, and none that stands in a text."""
    text = shop.read_text("utf-8").replace("Cart did not answer", "No answer, password=hunter2")
    shop.write_text(text.replace("shop.cart.empty", "password=hunter2"), "utf-8")
    for more in ((), ("--json",), ("--changelog",)):
        done = errkit_here("diff", *more)
        assert done.stdout
        assert "hunter2" not in done.stdout + done.stderr
