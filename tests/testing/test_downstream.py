"""A project downstream, for real: wheels, a new environment, its own tests, its own site, and planted faults.

`tests/downstream/` is the project. Sphinx, pytest and Hypothesis come from this environment; errkit and the
project are installed from their wheels, so that what is tested is what users get.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent.parent
PROJECT = ROOT / "tests" / "downstream"
INHERITED = ("PYTHON", "PYTEST", "HYPOTHESIS", "ERRKIT", "COV")
BIN = "Scripts" if os.name == "nt" else "bin"


class Place(NamedTuple):
    """An environment with errkit, and a copy of the project that is installed there."""

    python: Path
    project: Path

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """A finished `python ...` in the folder of the project."""
        # Nothing of this checkout, nor of the run around this one, may reach the project.
        env = {name: value for name, value in os.environ.items() if not name.startswith(INHERITED)}
        return subprocess.run(
            [str(self.python), *arguments],
            cwd=self.project,
            env={**env, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A run of the project's tests; errors of its modules count as those of a user's."""
        return self.run("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments)

    def checks(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A run of the checks alone, without the many plugins that are installed here."""
        chosen = ("-p", "errkit", "-o", "addopts=", "pyproject.toml")
        return self.run("-m", "pytest", *chosen, *arguments, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")


def build(source: Path, folder: Path) -> Path:
    """The wheel of a project."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "--directory", str(folder)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob(f"{'errkit' if source == ROOT else 'bikes'}-*.whl")
    return wheel


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The project in a new environment, its site built."""
    folder = tmp_path_factory.mktemp("downstream")
    project = folder / "project"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    wheels = [build(ROOT, folder), build(project, folder)]
    # From here on the project is what was installed.
    shutil.rmtree(project / "bikes")
    venv.create(folder / "env", with_pip=False, symlinks=os.name != "nt")
    python = folder / "env" / BIN / "python"
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "env")}))
    install = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install"]
    done = subprocess.run(
        [*install, "--quiet", "--no-deps", "--no-index", *map(str, wheels)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # The tools, after what is installed: errkit is found in its wheel first.
    (packages / "tools.pth").write_text("\n".join(site.getsitepackages()), "utf-8")
    found = Place(python, project)
    where = found.run(
        "-c", "import errkit, bikes.errors; print(errkit.__file__, bikes.errors.__file__)"
    ).stdout
    assert where.count(str(packages)) == 2, where
    built = found.run("-m", "sphinx", "-q", "-W", "-n", "-b", "html", "docs", "build/site")
    assert (built.returncode, built.stdout) == (0, "")
    return found


def test_the_project_passes_with_everything_on(place: Place) -> None:
    """Its tests, the checks of each code, its site, and every code raised but the exempt one."""
    done = place.pytest("-v", "-ra", "-W", "error")
    assert done.returncode == 0, done.stdout
    assert "SKIPPED" not in done.stdout
    assert "pyproject.toml::bikes::bikes.dock.full::docs PASSED" in done.stdout
    assert "pyproject.toml::bikes::all-codes::orphans PASSED" in done.stdout
    assert "pyproject.toml::bikes::all-codes::lock PASSED" in done.stdout
    assert "pyproject.toml::exemptions PASSED" in done.stdout
    assert "bikes: 3 of 3 codes raised, 100 %, 1 exempt" in done.stdout
    assert re.search(r"^plugins: .*errkit-", done.stdout, re.MULTILINE)


@pytest.mark.full
def test_the_project_passes_on_two_workers(place: Place) -> None:
    """With xdist the outcome is the same."""
    done = place.pytest("-n2", "-W", "error")
    assert done.returncode == 0, done.stdout
    assert "bikes: 3 of 3 codes raised, 100 %, 1 exempt" in done.stdout


def test_a_run_without_the_plugin_knows_nothing_of_it(place: Place) -> None:
    """`-p no:errkit` works where the plugin is installed from a wheel."""
    done = place.pytest("-p", "no:errkit", "-o", "addopts=", "-W", "error", "-k", "refused")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


FAULTY = '''

import threading
import time

LOCK = threading.Lock()


class LockDetails(Details):
    """A lock that nobody can send anywhere."""

    lock: object
    """The lock."""


class Slow:
    """Never ends when it is pickled."""

    def __reduce__(self):
        time.sleep(600)


class FaultyError(CodedError, domain="bikes.faulty", numbers=range(300, 400), registry=REGISTRY):
    """One fault each."""

    UNPICKLABLE = code("Can't travel", LockDetails, number=301, hint="Stay.", example={"lock": LOCK})
    """Nobody can send a lock. It is one. Stay."""

    HANGING = code("Never ends", LockDetails, number=302, hint="Wait.", example={"lock": Slow()})
    """It waits. It always does. Wait."""

    UNDOCUMENTED = code("Nobody explains it", number=303, hint="Ask.")

    HINTLESS = code("Nobody helps", number=304)
    """It happens. Nobody knows why. Ask somebody."""

    LEAKING = code(
        "Tells too much", DockDetails, number=305, hint="Be silent.", example={"dock": "postgres://ann:hunter2@db/x"}
    )
    """It says a password. Somebody copied it from a log. Take it out."""
'''

MISSING = "the built site does not document it"
HANGS = r"did not end within 2 seconds; it stands at \S*bikes/errors\.py:\d+ in __reduce__"

REST = r"\n  check +\w+: .*\n  declared at  bikes/errors\.py:\d+\n  to do +[A-Z].*\.$"

FOUND = {
    "unpicklable::pickle": r"out of a pickle, details\.lock is a str and no lock",
    "hanging::pickle": f"it {HANGS}",
    "hanging::copy": f"it {HANGS}",
    "hanging::process": f"pickling it {HANGS}",
    "undocumented::text": "it has no prose",
    "hintless::text": "it has no hint",
    "leaking::details": "the example holds what looks like a secret",
    **{
        f"{name}::docs": MISSING for name in ("unpicklable", "hanging", "undocumented", "hintless", "leaking")
    },
}
"""Item -> what it says; nothing else may fail."""


@pytest.fixture(scope="module")
def faulty(place: Place) -> Place:
    """A copy of the project with a domain of faults, beside the site of the sound one."""
    project = place.project.parent / "faulty"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copytree(place.project / "build", project / "build")
    with (project / "bikes" / "errors.py").open("a", encoding="utf-8") as file:
        file.write(FAULTY)
    found = Place(place.python, project)
    # What is new is no fault of the codes: it is written down before they are tested.
    done = found.run("-m", "errkit", "lock")
    assert done.returncode == 0, done.stdout
    return found


def test_each_planted_fault_is_found_and_nothing_else(faulty: Place) -> None:
    """Each message says code, problem, place and remedy; what hangs costs seconds, not the run."""
    done = faulty.checks("--errkit-timeout=2", "-rf")
    failed = re.findall(r"^FAILED pyproject\.toml::bikes::bikes\.faulty\.(\S+)", done.stdout, re.MULTILINE)
    assert sorted(failed) == sorted(FOUND), done.stdout
    assert len(re.findall("^FAILED", done.stdout, re.MULTILINE)) == len(FOUND)
    for item, problem in FOUND.items():
        code = f"bikes.faulty.{item.partition('::')[0]}"
        told = rf"^{re.escape(code)}: {problem}{REST}"
        assert re.search(told, done.stdout, re.MULTILINE), f"{item} does not say: {problem}\n{done.stdout}"
    assert "Traceback" not in done.stdout
    assert "hunter2" not in done.stdout


def test_a_number_out_of_range_is_told_with_its_place(place: Place) -> None:
    """The declaration is refused when the codes are imported, and the run says which, where and why."""
    project = place.project.parent / "out_of_range"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    path = project / "bikes" / "errors.py"
    path.write_text(path.read_text("utf-8").replace("number=102", "number=202"), "utf-8")
    done = Place(place.python, project).checks()
    assert done.returncode == 2, done.stdout
    where = r"\[errkit\.bad_declaration\] RentalError\.BROKEN at \S*bikes/errors\.py:\d+"
    assert re.search(rf"{where}: number 202 is outside the domain's range 100 to 199", done.stdout)
    assert "Hint: Correct the declaration at the place that the message names." in done.stdout
    assert "Traceback" not in done.stdout
