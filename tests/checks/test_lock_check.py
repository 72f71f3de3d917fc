"""The check `lock`: what was promised is kept, proved on a project downstream with its own run of pytest."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from errkit import CodedError, Registry, code
from errkit.checks import CHECKS, Context, run_checks
from errkit.config import Config, Exemption
from errkit.lock import Lock, lock_of, lock_text

if TYPE_CHECKING:
    from errkit.checks import Report

DOWNSTREAM = Path(__file__).parent.parent / "downstream"
LOCK = [check for check in CHECKS if check.name == "lock"]


def hirings(name: str = "hiring", **codes: int) -> Registry:
    """A registry with one domain, and in it a code for each number."""
    registry = Registry(name)

    class SlotError(CodedError, domain="slot", numbers=range(1, 100), registry=registry):
        locals().update({const: code("Slot", number=number) for const, number in codes.items()})

    assert SlotError.__domain__ is not None
    return registry


def checked(folder: Path, registry: Registry, promised: Lock | str, *exempt: Exemption) -> Report:
    """What the check says of a registry beside a lock."""
    path = folder / "errors.lock.json"
    path.write_text(promised if isinstance(promised, str) else lock_text(promised), "utf-8")
    return run_checks([registry], Context(Config(root=folder, lock=path, exempt=exempt)), LOCK)


def test_what_is_kept_passes(tmp_path: Path) -> None:
    """Codes as they were promised are clean, in whatever order they are declared."""
    assert checked(tmp_path, hirings(A=1, B=2), lock_of([hirings(B=2, A=1)])).clean


def test_without_a_lock_the_check_is_not_run(tmp_path: Path) -> None:
    """It says how to write the first one."""
    context = Context(Config(root=tmp_path, lock=tmp_path / "errors.lock.json"))
    [item] = run_checks([hirings(A=1)], context, LOCK).not_run
    assert item.reason == f"{tmp_path}/errors.lock.json does not exist; write it with: errkit lock"


def test_breaks_and_what_is_not_recorded_are_findings(tmp_path: Path) -> None:
    """Each with its code, place and remedy: a removed code stands in the lock, others in the source."""
    gone, new = checked(tmp_path, hirings(A=1, C=3), lock_of([hirings(A=1, B=2)])).findings
    assert (gone.code, gone.problem, gone.place) == (
        "slot.b",
        "it is gone",
        f"{tmp_path}/errors.lock.json:7",
    )
    assert gone.remedy.startswith("Bring it back")
    assert (new.code, new.problem) == ("slot.c", "it is new, and the lock does not say so yet")
    assert new.place.startswith(f"{__file__}:")
    assert new.remedy == "Record it, with the change itself: errkit lock"


def test_texts_may_change(tmp_path: Path) -> None:
    """Nobody has to touch the lock for a better title."""
    promised = lock_text(lock_of([hirings(A=1)])).replace('"Slot"', '"Another title"')
    assert checked(tmp_path, hirings(A=1), promised).clean


def test_a_break_can_be_exempt(tmp_path: Path) -> None:
    """For a reason, and only while it is one."""
    exempt = Exemption(code="slot.b", check="lock", reason="Was never released.")
    assert checked(tmp_path, hirings(A=1), lock_of([hirings(A=1, B=2)]), exempt).clean
    assert checked(tmp_path, hirings(A=1), lock_of([hirings(A=1)]), exempt).stale == (exempt,)


def test_a_registry_that_the_lock_does_not_know_is_a_finding(tmp_path: Path) -> None:
    """It does not pass in silence: nothing of it is promised yet."""
    [item] = checked(tmp_path, hirings("other", A=1), lock_of([hirings(A=1)])).findings
    assert (item.registry, item.problem) == ("other", "the lock does not have this registry")


def test_a_broken_lock_is_one_finding_with_its_place(tmp_path: Path) -> None:
    """What a merge left behind is told with its line and the way out."""
    text = lock_text(lock_of([hirings(A=1)])).replace("],", "]\n<<<<<<< HEAD\n,", 1)
    [item] = checked(tmp_path, hirings(A=1), text).findings
    assert "errors.lock.json: line " in item.problem
    assert "conflict marker" in item.problem
    assert item.remedy.startswith("Delete the lines of git's conflict markers")


# --- a project downstream ---------------------------------------------------------------------------


class Project(NamedTuple):
    """A copy of the project, with a lock of its codes."""

    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A finished `python -m ...` there; nothing of the run around this one reaches it."""
        inherited = ("PYTHON", "PYTEST", "ERRKIT", "COV")
        env = {name: value for name, value in os.environ.items() if not name.startswith(inherited)}
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env={**env, "PYTHONPATH": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )

    def pytest(self) -> subprocess.CompletedProcess[str]:
        """Its check `lock`, as pytest runs it."""
        options = [
            "-o",
            "addopts=",
            "--errkit-check=lock",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
            "-rf",
        ]
        return self.run("pytest", "pyproject.toml", *options)

    def edit(self, old: str, new: str) -> None:
        """Change its codes."""
        path = self.folder / "bikes" / "errors.py"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The project downstream, as it is with what it promises written down."""
    shutil.copytree(
        DOWNSTREAM, tmp_path / "bikes", ignore=shutil.ignore_patterns("__pycache__", ".*", "docs")
    )
    found = Project(tmp_path / "bikes")
    done = found.run("errkit", "lock")
    assert done.returncode == 0, done.stdout
    return found


def test_the_project_passes_errkit_check(project: Project) -> None:
    """Beside its lock, and without a site, nothing is found."""
    (project.folder / "pyproject.toml").write_text('[tool.errkit]\nregistries = ["bikes.errors"]\n', "utf-8")
    done = project.run("errkit", "check", "--strict", "--skip=docs", "--skip=orphans")
    assert done.returncode == 0, done.stdout


def test_a_removed_and_a_renumbered_code_fail_the_run(project: Project) -> None:
    """The item fails with what is gone, where that was promised and what to do; undone, it passes."""
    path = project.folder / "bikes" / "errors.py"
    before = path.read_text("utf-8")
    project.edit("FULL = code(", "PACKED = code(")
    project.edit("number=102", "number=150")
    done = project.pytest()
    assert done.returncode == 1, done.stdout
    assert "FAILED pyproject.toml::bikes::all-codes::lock" in done.stdout
    what = r"\n  check +lock: What was promised is kept\."
    where = r"\n  declared at  errors\.lock\.json:\d+\n  to do +Bring it back"
    assert re.search(rf"^bikes\.dock\.full: it is gone{what}{where}", done.stdout, re.MULTILINE), done.stdout
    assert "its number was 102 and is 150" in done.stdout
    assert "or declare a major change: errkit lock --major" in done.stdout
    assert "bikes.dock.packed: it is new, and the lock does not say so yet" in done.stdout
    assert "Traceback" not in done.stdout
    path.write_text(before, "utf-8")
    assert project.pytest().returncode == 0
