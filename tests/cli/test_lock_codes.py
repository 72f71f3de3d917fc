"""`errkit lock`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from errkit.lock import read_lock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

PROJECT = "[tool.errkit]\nregistries = ['shop_errors']\n"


@pytest.fixture
def lock(errkit_here: Command, folder: Path) -> Path:
    """The lock of a project that has just written its first one."""
    (folder / "pyproject.toml").write_text(PROJECT)
    done = errkit_here("lock")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "wrote errors.lock.json: 2 codes of shop_errors\n"
    return folder / "errors.lock.json"


def change(folder: Path, old: str, new: str) -> None:
    """Change the codes of the shop."""
    path = folder / "shop_errors.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_writing_again_changes_nothing(errkit_here: Command, lock: Path) -> None:
    """The same codes give the same bytes, and that is said."""
    before = lock.read_bytes()
    done = errkit_here("lock")
    assert (done.returncode, done.stderr) == (0, "errors.lock.json is up to date: 2 codes of shop_errors\n")
    assert errkit_here("lock", "--check").returncode == 0
    assert lock.read_bytes() == before
    assert b"\r" not in before


def test_what_is_new_is_written_and_shown(errkit_here: Command, lock: Path, folder: Path) -> None:
    """A line for each change; `--check` shows the same, writes nothing and ends with 1."""
    before = lock.read_bytes()
    change(folder, "SLOW = code(", 'LOST = code("Cart is lost", number=1003)\n\n    SLOW = code(')
    checked = errkit_here("lock", "--check")
    assert checked.returncode == 1
    assert checked.stderr == "errors.lock.json is not up to date; run: errkit lock\n"
    assert lock.read_bytes() == before
    done = errkit_here("lock")
    assert done.returncode == 0
    assert done.stdout == checked.stdout == "minor\tshop_errors\tshop.cart.lost\tit is new\n"
    assert "shop.cart.lost" in read_lock(lock).codes("shop_errors")


def test_a_break_is_refused_unless_it_is_declared(errkit_here: Command, lock: Path, folder: Path) -> None:
    """The findings say where and what to do, and nothing is written; `--major` retires what is gone."""
    before = lock.read_bytes()
    change(folder, "SLOW = code(", "SLUGGISH = code(")
    change(folder, "1002", "1003")
    done = errkit_here("lock")
    assert done.returncode == 1
    [place, remedy] = done.stdout.splitlines()
    assert place.startswith("errors.lock.json:")
    assert place.endswith("shop.cart.slow: it is gone; use shop.cart.empty [lock]")
    assert remedy.endswith("or declare a major change: errkit lock --major")
    assert done.stderr == "errors.lock.json was not written: a change breaks what was promised\n"
    assert lock.read_bytes() == before
    assert errkit_here("lock", "--major", "--release", "2.0").returncode == 0
    [gone] = read_lock(lock).retired("shop_errors")
    assert (gone.code, gone.number, gone.removed, gone.since) == ("shop.cart.slow", 1002, "2.0", "1.1")
    assert gone.replaced_by == "shop.cart.empty"


def test_what_is_retired_is_refused_also_with_major(errkit_here: Command, lock: Path, folder: Path) -> None:
    """No declaration gives a number away a second time."""
    change(folder, "SLOW = code(", "SLUGGISH = code(")
    done = errkit_here("lock", "--major")
    assert done.returncode == 1
    assert "shop.cart.sluggish: it takes the number 1002 of shop.cart.slow" in done.stdout
    assert "was not written" in done.stderr
    assert read_lock(lock).retired("shop_errors") == ()


def test_a_rename_with_an_alias_needs_no_declaration(errkit_here: Command, lock: Path, folder: Path) -> None:
    """The old name goes on as an alias, so nothing is retired."""
    change(folder, "SLOW = code(", "SLUGGISH = code(")
    change(folder, "number=1002,", 'number=1002, aliases=("shop.cart.slow",),')
    done = errkit_here("lock")
    assert done.returncode == 0, done.stdout
    assert "it was called shop.cart.slow, which stays as an alias" in done.stdout
    assert read_lock(lock).retired("shop_errors") == ()


def test_only_the_named_registries_are_touched(errkit_here: Command, lock: Path, folder: Path) -> None:
    """Items add to the lock of the project, and leave what it holds of others."""
    assert errkit_here("lock", "twin=shop_errors").returncode == 0
    assert read_lock(lock).registries == ("shop_errors", "twin")
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['errkit.catalogs.harness']\n")
    assert errkit_here("lock", "shop_errors").returncode == 0
    done = errkit_here("lock")
    assert done.returncode == 1
    assert done.stderr.endswith("4 changes break what was promised\n")


def test_json_says_what_was_done(errkit_here: Command, lock: Path, folder: Path) -> None:
    """An object with the file, whether it was written, and each change with weight, place and remedy."""
    change(folder, 'code("Cart is empty", CartDetails, number=1001', 'code("Cart is empty", number=1001')
    done = errkit_here("lock", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["lock"], told["written"]) == (str(lock), False)
    assert {(item["weight"], item["what"]) for item in told["changes"]} == {
        ("major", "its field cart is gone"),
        ("major", "its field token is gone"),
    }
    assert told["changes"][0]["place"].startswith(f"{folder}/shop_errors.py:")
    assert json.loads(errkit_here("lock", "--json", "--major").stdout)["written"] is True


def test_nobody_said_which_registries(errkit_here: Command) -> None:
    """errkit's own codes are no promise of a project that names none."""
    done = errkit_here("lock")
    assert done.returncode == 2
    assert "say which registries promise something" in done.stderr


@pytest.mark.parametrize("arguments", [("lock",), ("lock", "--check"), ("diff",)], ids=" ".join)
def test_a_lock_that_cannot_be_used_ends_with_2(
    arguments: tuple[str, ...], errkit_here: Command, lock: Path
) -> None:
    """It is never written over: the message says the place and the way out."""
    text = lock.read_text("utf-8").replace('\n,["shop', '\n<<<<<<< HEAD\n,["shop', 1)
    lock.write_text(text, "utf-8")
    done = errkit_here(*arguments)
    assert done.returncode == 2
    assert f"[errkit.bad_lock] {lock}: line 3: holds a conflict marker" in done.stderr
    assert "Hint: Delete the lines of git's conflict markers" in done.stderr
    assert lock.read_text("utf-8") == text


def test_a_lock_that_cannot_be_written_is_said(errkit_here: Command, folder: Path) -> None:
    """As a coded error with its hint."""
    (folder / "pyproject.toml").write_text(PROJECT + "lock = 'there/is/none.json'\n")
    done = errkit_here("lock")
    assert done.returncode == 2
    assert "[errkit.bad_lock]" in done.stderr
    assert "can't be written" in done.stderr
    assert "Hint: Correct the setting `lock`" in done.stderr


def test_a_planted_secret_is_in_no_output(errkit_here: Command, lock: Path, folder: Path) -> None:
    """Neither in the lock nor in what is said of it; the shop has one as a default and in an example."""
    change(folder, 'title="Sold out"', 'title="Sold out password=hunter2"')
    change(folder, "1002", "1003")
    for arguments in (("lock",), ("lock", "--json"), ("lock", "--major"), ("lock", "--check")):
        done = errkit_here(*arguments)
        assert "hunter2" not in done.stdout + done.stderr
    assert "hunter2" not in lock.read_text("utf-8")
