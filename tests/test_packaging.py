"""What users get when they install errkit, and what contributors get from a fresh clone."""

from __future__ import annotations

import email
import importlib
import os
import re
import subprocess
import sys
import tarfile
import textwrap
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import errkit

if TYPE_CHECKING:
    from email.message import Message

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A finished command, with its output."""
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


# --- the distributions ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "hatchling", "build", "--directory", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    """The METADATA file of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_string(archive.read(name).decode("utf-8"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    """The wheel has every file of `errkit/`, the typing marker and the licences; no tests, no docs."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "errkit").rglob("*")
        if path.is_file() and path.suffix != ".pyc" and not path.name.startswith(".")
    }
    assert package <= names
    assert "errkit/py.typed" in names
    info = f"errkit-{errkit.__version__}.dist-info"
    assert {f"{info}/licenses/LICENSE", f"{info}/licenses/NOTICE"} <= names
    assert {name.partition("/")[0] for name in names} == {"errkit", info}


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    """Who packages errkit elsewhere finds the tests, the changelog and the licences in the source archive."""
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        "LICENSE",
        "NOTICE",
        "README.md",
        "CHANGELOG.md",
        "Makefile",
        "conftest.py",
        "tests/test_packaging.py",
    }
    assert wanted <= names


def test_the_core_depends_on_nothing(metadata: Message) -> None:
    """Each requirement belongs to an extra."""
    requirements = metadata.get_all("Requires-Dist") or []
    assert [line for line in requirements if "extra ==" not in line] == []


def test_extras_are_the_faces(metadata: Message) -> None:
    """There is an extra for each face; `all` has every one of them, `dev` has `all`, `docs` and the tools."""
    faces = {"cli", "sphinx", "site", "test", "jupyter", "explorer", "sql", "otel", "fast"}
    assert set(metadata.get_all("Provides-Extra") or []) == {*faces, "all", "dev", "docs", "lab"}
    [everything] = EXTRAS["all"]
    assert set(re.findall(r"[a-z]+", everything.partition("[")[2])) == faces - {"sphinx", "jupyter"}
    assert "errkit[sphinx]" in EXTRAS["site"]
    assert "errkit[jupyter]" in EXTRAS["explorer"]
    assert "errkit[all,docs]" in EXTRAS["dev"]


def test_sphinx_is_not_pinned_to_a_release(metadata: Message) -> None:
    """Sphinx 9.2 does not install on Python 3.11, so the extra names a range that both ends satisfy."""
    lines = metadata.get_all("Requires-Dist") or []
    ranges = {line.partition(";")[0] for line in lines if re.match("sphinx[<>=~!]", line)}
    assert ranges == {"sphinx<10,>=8.2"}
    assert metadata["Requires-Python"] == ">=3.11"


def test_metadata_says_what_errkit_is_for(metadata: Message) -> None:
    """The classifiers name the frameworks that errkit extends, and that it is typed; the licence is MIT."""
    classifiers = set(metadata.get_all("Classifier") or [])
    frameworks = ("Sphinx", "Sphinx :: Extension", "Pytest", "Hypothesis", "IPython")
    assert {"Typing :: Typed", *(f"Framework :: {name}" for name in frameworks)} <= classifiers
    assert metadata["License-Expression"] == "MIT"


def test_the_wheel_works_alone(wheel: Path) -> None:
    """From the wheel, with no other package in reach, a code is declared, raised and put on the wire."""
    script = f"""
    import sys
    sys.path.insert(0, {str(wheel)!r})
    from errkit import CodedError, Details, code, to_payload

    class CartDetails(Details):
        cart: str

    class CartError(CodedError, domain="cart"):
        EMPTY = code("Cart is empty", CartDetails)

    try:
        raise CartError.EMPTY(cart="c1")
    except CartError as error:
        print(to_payload(error)["code"], error.details["cart"])
    """
    done = run(sys.executable, "-I", "-S", "-c", textwrap.dedent(script))
    assert (done.stdout, done.stderr) == ("cart.empty c1\n", "")


@pytest.mark.parametrize("name", PROJECT["scripts"])
def test_console_scripts_load(name: str) -> None:
    """Each declared command names something that can be called."""
    module, _, attribute = PROJECT["scripts"][name].partition(":")
    assert callable(getattr(importlib.import_module(module), attribute))


# --- the papers -------------------------------------------------------------------------------------


def test_notice_names_the_sources() -> None:
    """NOTICE names the three systems whose facts the catalogues hold, and says that only facts were taken."""
    notice = " ".join((ROOT / "NOTICE").read_text("utf-8").split())
    for words in (
        "MoonshotAI/kimi-code",
        "packages/agent-core-v2",
        "callstack/agent-device",
        "pleach",
        "Only facts",
    ):
        assert words in notice


def test_the_changelog_is_about_this_version() -> None:
    """The newest entry of the changelog is the version that is built."""
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest
    assert newest[1] == errkit.__version__


# --- the two commands -------------------------------------------------------------------------------


def make_with(python: str, tmp_path: Path) -> str:
    """What `make venv` says in a bare folder with this Python; it must fail."""
    for name in ("Makefile", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    done = run("make", "-C", str(tmp_path), "venv", f"PYTHON={python}", MAKEFLAGS="")
    assert done.returncode != 0
    return done.stderr


def fake_python(tmp_path: Path, script: str) -> str:
    """A program that stands in for a Python that errkit can't use."""
    path = tmp_path / "python-of-old"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return str(path)


def test_make_says_that_python_is_missing(tmp_path: Path) -> None:
    """Without Python, make names what to install and how to name another one."""
    said = make_with("no-such-python", tmp_path)
    assert "no-such-python is missing" in said
    assert "apt-get install python3" in said


def test_make_says_that_python_is_too_old(tmp_path: Path) -> None:
    """With an old Python, make says which one is needed, which one was found, and how to name another."""
    old = fake_python(tmp_path, 'case "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac')
    said = make_with(old, tmp_path)
    assert "needs Python 3.11" in said
    assert "Python 3.9.2" in said
    assert "make PYTHON=" in said


def test_make_says_that_ensurepip_is_missing(tmp_path: Path) -> None:
    """Debian's Python comes without ensurepip: make says which package brings it."""
    bare = fake_python(tmp_path, 'case "$2" in *ensurepip*) exit 1;; *) exit 0;; esac')
    assert "apt-get install python3-venv" in make_with(bare, tmp_path)


@pytest.mark.full
def test_a_fresh_clone_builds_the_site(tmp_path: Path) -> None:
    """In a fresh clone `make site` installs, builds and prints a page; the second run installs nothing."""
    clone = tmp_path / "errkit"
    assert run("git", "clone", "--quiet", str(ROOT), str(clone)).returncode == 0
    first, second = (run("make", "-C", str(clone), "site", MAKEFLAGS="") for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    [page] = re.findall(r"/\S+/index\.html", first.stdout)
    assert Path(page).is_file()
    assert "Installing" in first.stdout
    assert "Installing" not in second.stdout
