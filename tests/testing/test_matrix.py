"""The kit on the oldest pytest that it promises, and where the interpreter itself tells of raises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.environments import ROOT, another_python, environment

TOOLS: Final = (
    "--editable=.[cli,test]",
    "botocore",
    "markdown-it-py",
    "pytest-cov",
    "pytest-randomly",
    "pytest-xdist",
)
LEFT_OUT: Final = ("tests/testing/test_downstream.py", "tests/testing/test_matrix.py")


@pytest.mark.full
@pytest.mark.parametrize(("name", "pytest_is"), [("pytest9.0", "pytest==9.0.0"), ("python3.13", "pytest")])
def test_the_kit_passes_its_own_tests(name: str, pytest_is: str) -> None:
    """All but those that build a project downstream, which need what makes wheels and sites."""
    base = another_python(name) if name.startswith("python") else Path(sys.executable)
    python = environment(name, base, [*TOOLS, pytest_is])
    inherited = ("PYTHON", "PYTEST", "HYPOTHESIS", "ERRKIT", "COV")
    command: list[str | Path] = [python, "-m", "pytest", "-q", "--no-errkit", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *(f"--ignore={path}" for path in LEFT_OUT), "tests/testing", "tests/checks"],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith(inherited)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
