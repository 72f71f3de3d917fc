"""`errkit scan`, and what of errkit and its examples it finds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import errkit as package
from errkit.config import load_registries, read_config
from errkit.source import RULES, scan
from tests.cli.conftest import variables

if TYPE_CHECKING:
    from tests.cli.conftest import Command

ROOT = Path(package.__file__).parent.parent

WORK = """
from shop_errors import CartError

def pay(cart, password):
    if not cart:
        raise CartError.EMPTI("nothing in it", cart="c1")
    raise ValueError(f"no {password}")
"""


@pytest.fixture
def shop(folder: Path) -> Path:
    """A project that raises its codes in a wrong way."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['shop_errors']\n")
    (folder / "work.py").write_text(WORK)
    return folder


def test_findings_are_shown_with_place_rule_and_hint(errkit_here: Command, shop: Path) -> None:
    """A line says what was found and where, the next one what to do; the exit code is 1."""
    done = errkit_here("scan", "work.py")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "work.py:6:15: CartError has no code EMPTI; did you mean EMPTY? [unknown-code]",
        "  Correct the spelling, or declare the code.",
        "work.py:7:5: ValueError is raised without a code; shop.cart should own it [bare-raise]",
        "  Raise a code of the domain, or put the call under `translating`.",
        "work.py:7:5: the message holds 'password' [secret-in-message]",
        "  Leave the value out, or put it into a details field marked `Secret`.",
    ]
    assert done.stderr == "1 file, 3 findings, 0 allowed\n"


def test_what_the_configuration_says_counts(errkit_here: Command, shop: Path) -> None:
    """Paths and allowances come from the project; an entry that allows nothing is found."""
    (shop / "pyproject.toml").write_text(
        "[tool.errkit]\nregistries = ['shop_errors']\n[tool.errkit.scan]\npaths = ['work.py']\nallow = [\n"
        "{ rule = 'bare-raise', file = 'work.py', reason = 'r' },\n"
        "{ rule = 'secret-in-message', file = 'work.py', reason = 'r' },\n"
        "{ rule = 'unknown-code', file = 'work.py', what = 'EMPTI', reason = 'r' },\n"
        "{ rule = 'unknown-code', file = 'work.py', what = 'FULL', reason = 'r' }]\n"
    )
    done = errkit_here("scan", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert [one["rule"] for one in found["findings"]] == ["stale-allowance"]
    assert sorted(one["rule"] for one in found["allowed"]) == [
        "bare-raise",
        "secret-in-message",
        "unknown-code",
    ]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("owners = { work = 'shop.kart' }", "owners.work: there is no domain 'shop.kart'"),
        ("allow = [{ rule = 'bear', file = 'f', reason = 'r' }]", "allow[0].rule: there is no rule 'bear'"),
        ("allow = [{ rule = 'bare-raise', file = 'f' }]", "allow[0].reason: is missing"),
        ("fallback_share = 120", "fallback_share: expected a whole number from 0 to 100"),
        ("path = ['src']", "path: is no key here; did you mean 'paths'?"),
        ("paths = 'src'", "paths: expected a list"),
    ],
)
def test_a_wrong_setting_is_refused(setting: str, said: str, errkit_here: Command, shop: Path) -> None:
    """File, key and problem are named; the exit code is 2."""
    with (shop / "pyproject.toml").open("a") as file:
        file.write(f"[tool.errkit.scan]\n{setting}\n")
    done = errkit_here("scan", "work.py")
    assert done.returncode == 2
    assert f"tool.errkit.scan.{said}" in done.stderr


def test_a_clean_project_ends_with_0(errkit_here: Command, shop: Path) -> None:
    """Nothing found, nothing printed."""
    (shop / "work.py").write_text(
        "from shop_errors import CartError\nraise CartError.EMPTY('m', cart='c1')\n"
    )
    done = errkit_here("scan", "work.py")
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_no_form_shows_a_secret(form: str, errkit_here: Command, shop: Path) -> None:
    """What stands in the source is not printed: names of things are, and those are redacted."""
    (shop / "work.py").write_text(
        "from errkit import CodedError\nraise CodedError('ghp_0123456789abcdefghijABCDEFGHIJ012345', 'm')\n"
    )
    done = errkit_here("scan", "work.py", "--format", form)
    assert done.returncode == 1
    assert "ghp_0123456789" not in done.stdout + done.stderr
    assert "unknown-code" in done.stdout


def test_sarif_names_rule_and_place(errkit_here: Command, shop: Path) -> None:
    """Code scanning gets each rule with what it asks, and each finding with file, line and column."""
    [run] = json.loads(errkit_here("scan", "work.py", "--format", "sarif").stdout)["runs"]
    rules = {rule["id"]: rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {name: rule.asks for name, rule in RULES.items()}
    first = run["results"][0]
    assert (first["ruleId"], first["level"]) == ("unknown-code", "error")
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "work.py"},
                "region": {"startLine": 6, "startColumn": 15},
            }
        }
    ]


def test_annotations_stand_beside_the_line(errkit_here: Command, shop: Path) -> None:
    """A workflow of GitHub shows each finding where it is."""
    first = errkit_here("scan", "work.py", "--format", "github").stdout.splitlines()[0]
    assert first.startswith("::error file=work.py,line=6,col=15,title=errkit unknown-code::CartError has no")


def test_rules_are_explained(errkit_here: Command) -> None:
    """One rule, or all of them; a wrong name is answered with those that there are."""
    done = errkit_here("scan", "--explain", "bare-raise")
    assert done.stdout.splitlines()[:2] == ["bare-raise (warning)", "An exception without a code is raised."]
    assert all(f"{name} (" in errkit_here("scan", "--explain", "all").stdout for name in RULES)
    wrong = errkit_here("scan", "--explain", "bear-raise")
    assert wrong.returncode == 2
    assert "there is no rule 'bear-raise'; there are bare-raise, " in wrong.stderr


# --- errkit's own house -----------------------------------------------------------------------------


def test_errkit_and_its_example_are_clean() -> None:
    """Whatever errkit raises without a code, it raises on purpose, and pyproject.toml says why."""
    config = read_config(ROOT)
    registries = load_registries([*config.registries, "examples.jobs.errors", "examples.jobs.client"])
    outcome = scan(config.scan.paths, registries, config)
    assert [f"{one.file}:{one.line}: {one.message} [{one.rule}]" for one in outcome.findings] == []
    assert {one.rule for one in outcome.allowed} <= {"bare-raise", "foreign-text", "never-raised"}


def test_the_project_downstream_is_clean() -> None:
    """A project as others have it is scanned where it stands, with its own configuration."""
    done = subprocess.run(
        [sys.executable, "-m", "errkit", "scan"],
        cwd=ROOT / "tests" / "downstream",
        env=variables(PYTHONPATH=str(ROOT), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "2 files, 0 findings, 1 allowed\n"


def test_the_hook_runs_the_command_on_the_whole_project(tmp_path: Path) -> None:
    """The definition for pre-commit names a command that exists, and passes no single files."""
    yaml = pytest.importorskip("yaml")
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["entry"].split() == ["errkit", "scan"]
    assert hook["pass_filenames"] is False
    project = read_project()
    assert hook["additional_dependencies"] == project["optional-dependencies"]["cli"]


def read_project() -> dict[str, dict[str, list[str]]]:
    import tomllib

    project: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


@pytest.mark.full
@pytest.mark.skipif(shutil.which("git") is None, reason="pre-commit needs git")
def test_pre_commit_runs_the_hook(shop: Path) -> None:
    """pre-commit itself installs errkit from a repository and stops a commit with findings."""
    pre_commit = Path(sys.executable).with_name("pre-commit")
    source = shop / "errkit"
    wanted = ("errkit", "pyproject.toml", "README.md", "LICENSE", "NOTICE", ".pre-commit-hooks.yaml")
    source.mkdir()
    for name in wanted:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    project = shop / "project"
    project.mkdir()
    for name in ("shop_errors.py", "work.py", "pyproject.toml"):
        shutil.move(shop / name, project / name)
    environment = {
        **os.environ,
        **{
            f"GIT_{who}_{what}": "x@example.com"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
        "PRE_COMMIT_HOME": str(shop / "cache"),
    }
    for folder in (source, project):
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=folder, env=environment, check=True)
    done = subprocess.run(
        [pre_commit, "try-repo", str(source), "errkit-scan", "--all-files", "--verbose"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "work.py:6:15: CartError has no code EMPTI; did you mean EMPTY? [unknown-code]" in done.stdout
