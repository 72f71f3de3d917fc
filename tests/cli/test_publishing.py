"""The folder of a site: what is refused, and how one site replaces another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from errkit import CodedError, ErrkitError
from errkit.cli.publishing import MARKER, put_in_place, refuse_foreign, workplace

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_files_of_others_are_never_replaced(errkit_here: Command, folder: Path) -> None:
    """The current folder, and one that holds anything that this command did not make, are refused."""
    (folder / "precious").mkdir()
    (folder / "precious/file").write_text("precious")
    for output in (".", "..", "precious", str(folder), "/"):
        for more in ((), ("--watch", "--serve", "--port", "0")):
            done = errkit_here("site", "shop_errors", "-o", output, *more)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"[errkit.site_folder] {output}: ")
            assert "Hint: Name another folder with -o" in done.stderr
    assert (folder / "precious/file").read_text() == "precious"


@pytest.mark.parametrize("output", ["shop_errors.py/site", "/proc/errkit/site", "/dev/null/site"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_build(folder: Path, output: str) -> None:
    """Below a file, and where the system lets nobody write."""
    with pytest.raises(CodedError) as caught:
        refuse_foreign((folder / output).resolve(), output)
    assert caught.value.code == ErrkitError.SITE_FOLDER
    assert "can't be used" in str(caught.value)


def test_empty_new_and_own_folders_are_taken(folder: Path) -> None:
    """Nothing is lost in them, and looking leaves nothing behind."""
    (folder / "empty").mkdir()
    (folder / "own").mkdir()
    (folder / "own" / MARKER).touch()
    for output in ("empty", "own", "new/deep"):
        refuse_foreign(folder / output, output)
    assert not (folder / "new").exists()


def test_a_site_replaces_the_old_one_whole(folder: Path) -> None:
    """What the old site had and the new one has not is gone, and the workplace too."""
    site = folder / "site"
    for name in ("first", "second"):
        with workplace(site) as work:
            (work / "site").mkdir()
            (work / "site" / name).touch()
            put_in_place(work / "site", site)
    assert sorted(path.name for path in site.iterdir()) == [MARKER, "second"]
    assert not list(folder.glob(".site.*"))


def test_a_folder_that_cannot_be_exchanged_is_filled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a folder can't be renamed, as one that is mounted, its content is exchanged."""
    built, site = folder / "built", folder / "site"
    (built / "sub").mkdir(parents=True)
    (built / "sub/new").write_text("new")
    (site / "dir").mkdir(parents=True)
    (site / "dir/old").write_text("old")
    (site / "link").symlink_to("dir")

    def refuse(*_: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr("pathlib.Path.rename", refuse)
    put_in_place(built, site)
    assert sorted(str(path.relative_to(site)) for path in site.rglob("*")) == [MARKER, "sub", "sub/new"]
