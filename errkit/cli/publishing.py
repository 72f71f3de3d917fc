"""The folder of a site: who may replace it, and how a new site takes the place of the old one.

A site is built elsewhere and put in place whole, so that nobody ever sees half of one and a failed build
changes nothing. A folder that holds anything but a site of `errkit site` is never touched.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MARKER", "copy_out", "put_in_place", "refuse_foreign", "workplace"]

MARKER: Final = ".errkit-site"
"""The file that says that a folder was made by this command, and may be replaced by it."""


def refuse_foreign(folder: Path, output: str) -> None:
    """Only what this command made is replaced: `-o .` must not cost anybody a project.

    Raises
    ------
    CodedError
        `errkit.site_folder`, saying what is wrong with the folder.
    """
    problem = _problem(folder)
    if problem:
        raise ErrkitError.SITE_FOLDER(f"{output}: {problem}", folder=str(folder), problem=problem)


def _problem(folder: Path) -> str:
    if Path.cwd().resolve().is_relative_to(folder):
        return "the current folder is in it"
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists():
            return "holds files that errkit site did not make"
        above = next(path for path in (folder, *folder.parents) if path.exists())
        # Where files can't be written, a build would be for nothing.
        with tempfile.TemporaryFile(dir=above):
            return ""
    except OSError as error:
        return f"can't be used: {error.strerror}"


@contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """A folder to build in, on the disk of the site if that can be written to; gone in the end."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent)
    except OSError:
        work = tempfile.mkdtemp(prefix="errkit-site.")
    try:
        yield Path(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def copy_out(built: Path, work: Path) -> Path:
    """A copy of a site that can be put in place: the original is what the next build starts from."""
    return Path(shutil.copytree(built, work / "site"))


def put_in_place(built: Path, folder: Path) -> None:
    """Let the new site take the place of the old one, which comes back if that fails.

    Raises
    ------
    CodedError
        `errkit.site_folder`, if the folder can't be written.
    """
    (built / MARKER).write_text("made by errkit site, and replaced by it\n", "utf-8")
    old = built.with_name("old")
    try:
        if folder.exists():
            folder.rename(old)
        built.rename(folder)
    except OSError:
        if old.exists() and not folder.exists():
            old.rename(folder)
        _put_inside(built, folder)


def _put_inside(built: Path, folder: Path) -> None:
    """Exchange what is in a folder that can't be exchanged itself, such as a mounted one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        shutil.copytree(built, folder, dirs_exist_ok=True)
    except OSError as error:
        problem = f"can't be written: {error}"
        raise ErrkitError.SITE_FOLDER(f"{folder}: {problem}", folder=str(folder), problem=problem) from error
