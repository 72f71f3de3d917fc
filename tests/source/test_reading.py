"""Files that no parser likes, and which files there are."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from errkit.source.reading import find_files, matches, module_of, without_pauses

if TYPE_CHECKING:
    from pathlib import Path

    from tests.source.conftest import Granary

BROKEN: dict[str, bytes] = {
    "a syntax error": b"def f(:\n",
    "Python 2": b"print 'x'\nraise ValueError, 'm'\n",
    "no UTF-8": b"x = '\xff\xfe'\n",
    "an unknown encoding": b"# -*- coding: klingon -*-\nx = 1\n",
    "a null byte": b"x = 1\n\x00\n",
    "brackets without end": b"(" * 5000,
    "too many brackets": b"x = " + b"[" * 300 + b"]" * 300 + b"\n",
    "too many signs": b"x = " + b"-" * 200_000 + b"1\n",
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_no_python_is_reported(what: str, granary: Granary) -> None:
    """A file that can't be parsed is one finding, and the other files are scanned."""
    (granary.folder / "broken.py").write_bytes(BROKEN[what])
    findings = granary.scan("def f(): raise ValueError('m')").findings
    assert [one.rule for one in findings] == ["unreadable-file", "bare-raise"]
    assert "the file is " in findings[0].message


FINE: dict[str, str] = {
    "a long sum": f"x = {' + '.join(['a.B'] * 2_000)}\n",
    "a long chain of calls": f"x = a{'.b()' * 900}\n",
    "a long chain of elif": "if a: pass\n" + "elif a: raise ValueError\n" * 2_500,
    "nested functions": "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(90))
    + " " * 90
    + "pass\n",
    "nested tries": "".join(f"{' ' * depth}try:\n" for depth in range(18))
    + " " * 18
    + "raise ValueError\n"
    + "".join(f"{' ' * depth}finally: pass\n" for depth in range(17, -1, -1)),
    "every kind of match": (
        "match x:\n    case True: pass\n    case {'a': 1, **r}: pass\n    case C(a=1) | [1, *_]: pass\n"
    ),
    "another encoding": "# coding: latin-1\nx = 'a'\n",
    "a mark of byte order": "\ufeffx = 1\n",
    "names that lead to themselves": (
        "from mill import a\na = a\nb = c\nc = b\nraise b\nclass A(A): pass\nraise A.B()\n"
    ),
    "a star that leads back": "from mill import *\nraise Nothing.HERE()\n",
    "nothing": "",
}


@pytest.mark.parametrize("what", FINE)
def test_what_is_python_is_read(what: str, granary: Granary) -> None:
    """No depth, no length and no circle is too much."""
    assert "unreadable-file" not in [one.rule for one in granary.scan(FINE[what]).findings]


def test_a_file_that_is_gone_is_reported(granary: Granary) -> None:
    """A broken link is a finding, not an end."""
    (granary.folder / "gone.py").symlink_to(granary.folder / "nowhere.py")
    [one] = granary.scan("").findings
    assert one.message == "the file can't be read: No such file or directory"


def test_folders_are_entered_but_not_those_of_others(tmp_path: Path) -> None:
    """Hidden folders, caches and installed packages are left out unless they are named."""
    for name in ("a.py", "b/c.py", ".venv/d.py", "node_modules/e.py", "b/__pycache__/f.py", "g.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def names(*paths: Path, exclude: tuple[str, ...] = ()) -> list[str]:
        return [file.removeprefix(f"{tmp_path}/") for file in find_files(paths, exclude)]

    assert names(tmp_path) == ["a.py", "b/c.py"]
    assert names(tmp_path, tmp_path / "a.py") == ["a.py", "b/c.py"]
    assert names(tmp_path, exclude=("b",)) == ["a.py"]
    assert names(tmp_path / ".venv") == [".venv/d.py"]


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("mill.py", True),
        ("src/mill.py", True),
        ("src", True),
        ("s*c", True),
        ("/p/src", True),
        ("ill.py", False),
    ],
)
def test_patterns_mean_ends_of_paths_and_folders(pattern: str, meant: bool) -> None:
    """A pattern is the end of a path, at a separator, or a folder above it."""
    assert matches("/p/src/mill.py", pattern) is meant


def test_a_module_is_named_by_its_packages(tmp_path: Path) -> None:
    """The name of a module begins at the outermost folder with an `__init__.py`."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("a/__init__.py", "a/b/__init__.py"):
        (tmp_path / name).touch()
    assert module_of(str(tmp_path / "a" / "b" / "c.py")) == ("a.b.c", str(tmp_path))
    assert module_of(str(tmp_path / "a" / "b" / "__init__.py")) == ("a.b", str(tmp_path))
    assert module_of(str(tmp_path / "c.py")) == ("c", str(tmp_path))


def test_the_collector_is_left_as_it_was() -> None:
    """Reading pauses the collector of cycles, and only if it was on."""
    with without_pauses():
        assert not gc.isenabled()
        with without_pauses():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
