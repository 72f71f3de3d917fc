"""The plugin as every run of pytest meets it: there, and silent until it is asked."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.shop import CODES, make_shop, run_apart

pytest_plugins = "pytester"

ROOT = Path(__file__).parent.parent.parent
FILES = sorted((ROOT / "errkit" / "testing").rglob("*.py"))

NOTHING = """
import sys

def test_nothing():
    print(sorted(name for name in sys.modules if name.startswith("errkit")))
"""


def test_the_plugin_is_installed_under_its_name() -> None:
    """`-p no:errkit` and `-p errkit` need the entry point to have that name."""
    import importlib.metadata

    [point] = [found for found in importlib.metadata.entry_points(group="pytest11") if found.name == "errkit"]
    assert point.value == "errkit.testing.plugin"


def test_a_run_that_asks_for_nothing_loads_nothing(pytester: pytest.Pytester) -> None:
    """The plugin, its fixtures and its hooks alone are loaded: no core, nothing of the project."""
    make_shop(pytester)
    pytester.makepyfile(NOTHING)
    result = run_apart(pytester, "-s", "-W", "error")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*errkit:*")
    [loaded] = [line for line in result.outlines if "'errkit'" in line]
    assert ast.literal_eval(loaded[loaded.index("[") : loaded.index("]") + 1]) == [
        "errkit",
        "errkit.testing",
        "errkit.testing.asking",
        "errkit.testing.fixtures",
        "errkit.testing.hookspecs",
        "errkit.testing.plugin",
    ]


def test_loading_the_plugin_loads_nothing_but_pytest() -> None:
    """Beside the standard library only what pytest itself has loaded already."""
    script = """
import json, sys, pytest
before = set(sys.modules)
import errkit.testing.plugin
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [name for name in json.loads(done.stdout) if name.partition(".")[0] != "errkit"] == []


def test_the_plugin_can_be_turned_off(pytester: pytest.Pytester) -> None:
    """With `-p no:errkit` pytest does not know the options, and a suite without them runs."""
    pytester.makepyfile("def test(): pass")
    assert pytester.runpytest("-p", "no:errkit", "--errkit").ret == pytest.ExitCode.USAGE_ERROR
    pytester.runpytest("-p", "no:errkit").assert_outcomes(passed=1)


def test_the_plugin_can_be_asked_for_where_others_are_not_loaded(pytester: pytest.Pytester) -> None:
    """`PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 -p errkit` is how careful suites choose their plugins."""
    make_shop(pytester)
    result = run_apart(pytester, "--errkit", "--errkit-check=json", "-W", "error")
    result.assert_outcomes(passed=len(CODES))


def test_importing_errkit_first_warns_of_nothing(pytester: pytest.Pytester) -> None:
    """A sitecustomize or an earlier plugin that imports errkit must not stop a run with `-W error`."""
    pytester.makepyfile(early="import errkit.testing, errkit.payload")
    pytester.makepyfile("def test(): pass")
    pytester.syspathinsert()
    result = pytester.runpytest_subprocess("-p", "early", "-W", "error")
    result.assert_outcomes(passed=1)


def test_the_fixtures_are_listed_with_what_they_give(pytester: pytest.Pytester) -> None:
    """`pytest --fixtures` is where a user looks."""
    text = pytester.runpytest("--fixtures").stdout.str()
    names = ["codes", "error", "inventory", "process", "registry"]
    assert sorted(re.findall(r"^errkit_(\w+)", text, re.MULTILINE)) == names
    ours = text.partition("fixtures defined from errkit")[2].partition("fixtures defined from")[0]
    assert "no docstring available" not in ours


def test_the_marker_is_declared(pytester: pytest.Pytester) -> None:
    """A suite with strict markers may select by it."""
    assert "@pytest.mark.errkit(registry, code, check)" in pytester.runpytest("--markers").stdout.str()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_private_name_of_pytest_or_hypothesis_is_used(path: Path) -> None:
    """Private names change without notice: one such import has stopped all runs of a plugin's users before
    (anyio issue 1271).
    """
    tree = ast.parse(path.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert [name for name in modules if re.match(r"_pytest|_hypothesis|hypothesis\.(internal|_)", name)] == []
    assert [name for name in modules if ".internal" in name or "._" in name] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pytest_rewrites_nothing_of_the_kit(path: Path) -> None:
    """What is loaded at each start must not be parsed and compiled there for assertions it does not have."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    assert "PYTEST_DONT_REWRITE" in docstring
