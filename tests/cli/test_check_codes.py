"""`errkit check`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from errkit.checks import CHECKS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

NOT_RUN = "not run: docs, orphans: `docs` is not set under [tool.errkit]"
PROJECT = "[tool.errkit]\nregistries = ['shop_errors']\n"


SOUND = '''
from errkit import CodedError, Details, Secret, code


class CartDetails(Details):
    """Which cart."""

    cart: str
    """The cart's id."""
    token: Secret[str] = "hunter2"
    """The key of the cart."""


class CartError(CodedError, domain="shop.cart", title="Cart", numbers=range(1000, 1100)):
    """What goes wrong with a cart."""

    EMPTY = code("Cart is empty", CartDetails, number=1001, hint="Add an item first.", example={"cart": "c1"})
    """Nothing is in the cart. The last item sold out. Add an item."""

    SLOW = code("Cart did not answer", number=1002, kind="transient", hint="Ask again.")
    """The cart did not answer. It is far away. Ask again."""
'''


@pytest.fixture
def project(errkit_here: Command, folder: Path) -> Path:
    """A project with sound codes and their lock."""
    (folder / "shop_errors.py").write_text(SOUND, "utf-8")
    (folder / "pyproject.toml").write_text(PROJECT)
    assert errkit_here("lock").returncode == 0
    return folder


def change(folder: Path, old: str, new: str) -> None:
    """Change the codes of the shop."""
    path = folder / "shop_errors.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_sound_codes_are_clean(errkit_here: Command, project: Path) -> None:
    """Nothing on standard output; what was asked and what was not stands on standard error."""
    done = errkit_here("check")
    assert (done.returncode, done.stdout) == (0, "")
    not_run, summary = done.stderr.splitlines()
    assert not_run.startswith(NOT_RUN)
    assert summary == f"2 codes of shop_errors: {len(CHECKS) - 2} checks, 0 findings"


def test_findings_have_place_rule_and_remedy(errkit_here: Command, project: Path) -> None:
    """A line for each, as editors read it, and below it what to do; the exit code is 1."""
    change(project, 'hint="Ask again."', 'hint="hm"')
    change(project, "1001", "1007")
    done = errkit_here("check")
    assert done.returncode == 1
    assert re.search(
        r"^shop_errors\.py:\d+: shop\.cart\.slow: .* \[text\]\n  [A-Z]", done.stdout, re.MULTILINE
    )
    assert re.search(
        r"^shop_errors\.py:\d+: shop\.cart\.empty: its number was 1001 and is 1007 \[lock\]\n"
        r"  Give it its number back, or declare a major change: errkit lock --major$",
        done.stdout,
        re.MULTILINE,
    )
    assert done.stderr.endswith(" checks, 2 findings\n")


def test_checks_can_be_chosen(errkit_here: Command, project: Path) -> None:
    """`--only` and `--skip` take their names; one that does not exist is wrong use."""
    change(project, 'hint="Ask again."', 'hint="hm"')
    assert errkit_here("check", "--only", "lock", "--only", "json").stderr.endswith("2 checks, 0 findings\n")
    assert errkit_here("check", "--skip", "text", "--skip", "docs", "--skip", "orphans").returncode == 0
    assert errkit_here("check", "--only", "text").returncode == 1
    done = errkit_here("check", "--skip", "locks")
    assert done.returncode == 2
    assert "no check is called 'locks'; did you mean lock" in done.stderr


def test_what_was_not_run_is_a_finding_where_that_is_asked(errkit_here: Command, project: Path) -> None:
    """With `--strict`, a lock that somebody deleted does not pass."""
    (project / "errors.lock.json").unlink()
    done = errkit_here("check", "--skip", "docs", "--skip", "orphans")
    assert done.returncode == 0
    assert "not run: lock: " in done.stderr
    strict = errkit_here("check", "--skip", "docs", "--skip", "orphans", "--strict")
    assert strict.returncode == 1
    assert "shop_errors: not run: " in strict.stdout
    assert "errors.lock.json does not exist; write it with: errkit lock [lock]" in strict.stdout


def test_exemptions_count_and_are_needed(errkit_here: Command, project: Path) -> None:
    """A finding with a reason passes; an exemption without a finding does not."""
    exempt = "exempt = [{ code = 'shop.cart.slow', check = 'text', reason = 'Later.' }]\n"
    (project / "pyproject.toml").write_text(PROJECT + exempt)
    done = errkit_here("check")
    assert done.returncode == 1
    assert (
        "shop.cart.slow: it passes the check text, and is exempt from it (Later.) [exemption]" in done.stdout
    )
    assert "Take the exemption out of [tool.errkit]." in done.stdout
    change(project, 'hint="Ask again."', 'hint="hm"')
    done = errkit_here("check")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.endswith("0 findings, 1 exempt\n")
    assert errkit_here("check", "errkit.catalogs.harness", "--only", "text").returncode == 0


def test_an_exemption_of_an_unknown_code_says_what_is_near(errkit_here: Command, project: Path) -> None:
    """A misspelt code is not told to pass the check that it is exempt from."""
    exempt = "exempt = [{ code = 'shop.cart.slwo', check = 'text', reason = 'Later.' }]\n"
    (project / "pyproject.toml").write_text(PROJECT + exempt)
    done = errkit_here("check")
    assert done.returncode == 1
    assert (
        "shop.cart.slwo: it is exempt from text (Later.), and shop_errors has no such code; "
        "did you mean shop.cart.slow" in done.stdout
    )
    assert "Correct the exemption, or take it out of [tool.errkit]." in done.stdout


def test_a_registry_that_is_no_longer_listed_is_found(errkit_here: Command, project: Path) -> None:
    """The lock remembers it, also where nothing of the project names it any more."""
    (project / "pyproject.toml").write_text("[tool.errkit]\nregistries = ['errkit.catalogs.harness']\n")
    done = errkit_here("check", "--only", "lock")
    assert done.returncode == 1
    assert "errors.lock.json: shop_errors: the lock promises 2 codes of it" in done.stdout
    assert "harness: the lock does not have this registry [lock]" in done.stdout


def test_a_broken_lock_is_a_finding(errkit_here: Command, project: Path) -> None:
    """With its place and the way out, once for each registry."""
    lock = project / "errors.lock.json"
    lock.write_text(lock.read_text("utf-8").replace("lock/1", "lock/2"), "utf-8")
    done = errkit_here("check")
    assert done.returncode == 1
    assert "version 2 is newer than this errkit reads; update errkit [lock]" in done.stdout


def test_forms_for_machines(errkit_here: Command, project: Path) -> None:
    """JSON tells also what was exempt and what was not run; SARIF and GitHub hold the same finding."""
    change(project, "1001", "1007")
    told = json.loads(errkit_here("check", "--json").stdout)
    [item] = told["findings"]
    assert (item["rule"], item["code"], item["registry"]) == ("lock", "shop.cart.empty", "shop_errors")
    assert item["file"] == "shop_errors.py"
    assert [row["rule"] for row in told["not_run"]] == ["docs", "orphans"]
    assert told["exempted"] == []
    [run] = json.loads(errkit_here("check", "--format", "sarif").stdout)["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["lock"]
    assert {"id": "lock", "shortDescription": {"text": "What was promised is kept."}} in run["tool"][
        "driver"
    ]["rules"]
    assert errkit_here("check", "--format", "github").stdout.startswith("::error file=shop_errors.py,line=")


def test_the_built_site_can_be_named(errkit_here: Command, project: Path) -> None:
    """`--docs` stands for the setting of that name."""
    done = errkit_here("check", "--only", "docs", "--docs", "site")
    assert done.returncode == 0
    assert "site/objects.inv does not exist; build the site first" in done.stderr


def test_colours_are_for_terminals(errkit: Command, errkit_at_terminal: Command, project: Path) -> None:
    """A finding stands out at a terminal, and the number of codes is shown while it is waited for."""
    change(project, "1001", "1007")
    shown = errkit_at_terminal("check").stdout
    assert "\x1b[1mshop_errors.py" in shown
    assert "\x1b[1m" not in errkit("check").stdout


def test_a_planted_secret_is_in_no_output(errkit_here: Command, project: Path) -> None:
    """Neither the default of a field nor what stands in an example or in a text that a finding quotes."""
    change(project, '"cart": "c1"', '"cart": "password=hunter2", "token": "hunter2"')
    change(project, 'hint="Ask again."', 'hint="password=hunter2"')
    for form in ("text", "json", "sarif", "github"):
        done = errkit_here("check", "--format", form)
        assert done.returncode == 1
        assert "hunter2" not in done.stdout + done.stderr
