"""What importing costs, and that a public name is one object however it was reached."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import errkit

ROOT = Path(__file__).parent.parent
HEAVY = ["dataclasses", "importlib.metadata", "inspect", "json", "logging", "traceback"]
ROOMS = sorted(
    {path.stem for path in (ROOT / "errkit").glob("*.py")} - {"__init__"}
    | {path.parent.name for path in (ROOT / "errkit").glob("*/__init__.py")}
)


def run(script: str, *, site: bool = False) -> str:
    """The output of a script in a fresh interpreter; without `site` nothing is loaded beforehand."""
    flags = ["-I"] if site else ["-I", "-S"]
    head = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    done = subprocess.run(
        [sys.executable, *flags, "-c", head + script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


LOADED = "print('\\n'.join(sorted(set(sys.modules) - before)))"


def test_import_errkit_loads_nothing_else() -> None:
    """`import errkit` alone loads no other module of errkit; each name loads its room when touched."""
    loaded = run(f"before = set(sys.modules)\nimport errkit\n{LOADED}").split()
    assert [name for name in loaded if name.startswith("errkit")] == ["errkit"]


def test_the_core_stays_within_its_budget() -> None:
    """What declares and raises loads at most 15 modules beyond those of typing and re, none of them heavy."""
    script = f"""
import typing, re
before = set(sys.modules)
import errkit
errkit.CodedError, errkit.code, errkit.Details, errkit.REGISTRY
{LOADED}
print(*[name for name in {HEAVY!r} if name in sys.modules], sep="\\n")
"""
    loaded = run(script).split()
    assert [name for name in loaded if name in HEAVY] == []
    assert len(loaded) <= 15, loaded


def test_a_misspelt_name_is_an_import_error() -> None:
    """`from errkit import ...` refuses a name that errkit does not have, and names it."""
    with pytest.raises(ImportError, match="CodedErorr"):
        exec("from errkit import CodedErorr")
    with pytest.raises(AttributeError, match="CodedErorr"):
        getattr(errkit, "CodedErorr")  # noqa: B009 (a type checker would refuse the plain form)


def test_every_public_name_is_there() -> None:
    """Each name of `__all__` resolves, is listed by `dir`, and comes with a star import."""
    found: dict[str, object] = {}
    exec("from errkit import *", found)
    assert [name for name in errkit.__all__ if found.get(name) is not getattr(errkit, name)] == []
    assert set(errkit.__all__) <= set(dir(errkit))
    assert sorted(errkit.__all__) == sorted(errkit._MODULES)


@pytest.mark.parametrize("seed", range(4))
def test_public_names_are_the_same_objects_in_every_order(seed: int) -> None:
    """Whatever is imported first, rooms or names, each public name is the one object that its room holds."""
    steps = [
        *errkit.__all__,
        *(f"errkit.{room}" for room in ROOMS if room not in ("cli", "sphinx", "testing", "jupyter")),
    ]
    random.Random(seed).shuffle(steps)
    script = f"""
import importlib, json
import errkit
first = {{}}
for step in {steps!r}:
    if step.startswith("errkit."):
        importlib.import_module(step)
    else:
        scope = {{}}
        exec(f"from errkit import {{step}}", scope)
        first[step] = scope[step]
wrong = []
for name, value in first.items():
    if getattr(errkit, name) is not value:
        wrong.append(f"errkit.{{name}} changed")
    for module in list(sys.modules.values()):
        if module.__name__.startswith("errkit.") and name in getattr(module, "__all__", ()):
            if module.__name__.count(".") == 1 and getattr(module, name) is not value:
                wrong.append(f"{{module.__name__}}.{{name}} is another object")
print(json.dumps(wrong))
"""
    assert json.loads(run(script)) == []


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_can_be_the_first(room: str) -> None:
    """Any module can be the first one imported: no cycle that works in one order only."""
    run(f"import errkit.{room}", site=True)


def test_pytest_leaves_the_package_alone() -> None:
    """pytest rewrites no assertions in errkit, so importing it before pytest starts warns of nothing."""
    assert "PYTEST_DONT_REWRITE" in (errkit.__doc__ or "")
