"""What a build of a site leaves for the next one, so that only what has changed is built.

It lies in the user's cache folder, never in the site, which is published. Only a build without a warning is
remembered: what a page warned of would not be said again, since the page is not read again. Whatever is wrong
with the memory makes the next build a whole one, and no failure.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Final

__all__ = ["Memory"]

_KEPT: Final = 20
"""So many sites are remembered."""


class Memory:
    """The memory of one site.

    Parameters
    ----------
    folder
        The folder of the site.
    work
        The folder of this build, where everything lies if there is no cache folder.
    """

    def __init__(self, folder: Path, work: Path) -> None:
        home = _home(folder)
        self._last = None if home is None else home / "last"
        self.source = (home or work) / "source"
        """The pages that the site is built from. Sphinx remembers nothing if they lie elsewhere."""
        self.state = work / "state"
        """What this build starts from and works on: the doctrees, and the site as it was built last."""
        self._work = work

    def recall(self) -> None:
        """Bring back what the last good build left, if it is there and of the same libraries."""
        try:
            if self._last is not None and (self._last / "made-by").read_text("utf-8") == _made_by():
                shutil.copytree(self._last, self.state)
        except OSError:
            # Missing, or exchanged by another build at this moment.
            shutil.rmtree(self.state, ignore_errors=True)
        self.state.mkdir(exist_ok=True)
        self.source.mkdir(parents=True, exist_ok=True)

    def keep(self) -> None:
        """Let what this build has made be the start of the next one."""
        if self._last is None:
            return
        new = self._last.with_name(self._work.name)
        try:
            (self.state / "made-by").write_text(_made_by(), "utf-8")
            shutil.copytree(self.state, new)
            shutil.rmtree(self._last, ignore_errors=True)
            new.rename(self._last)
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
        _forget_old(self._last.parents[1])


def _made_by() -> str:
    libraries = ("errkit", "sphinx", "docutils")
    return " ".join([sys.version, *(f"{name} {_version(name)}" for name in libraries)])


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


def _home(folder: Path) -> Path | None:
    """The cache folder of a site; None where there can't be one that only this user writes to."""
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    try:
        home = _cache() / "errkit" / "sites" / name
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.utime(home)
        # What lies there is unpickled, so it must be the user's own.
        ours = not hasattr(os, "getuid") or home.stat().st_uid == os.getuid()
    except (OSError, RuntimeError):
        return None
    return home if ours else None


def _cache() -> Path:
    """The folder of caches that the platform has for the user."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home()
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _forget_old(sites: Path) -> None:
    """Keep the memory from growing for ever."""
    try:
        for home in sorted(sites.iterdir(), key=os.path.getmtime)[:-_KEPT]:
            shutil.rmtree(home, ignore_errors=True)
    except OSError:
        # Another build forgets at this moment.
        pass
