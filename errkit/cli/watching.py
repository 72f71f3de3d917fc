"""Building a site again whenever something that it is made of has changed.

Each build is a process of its own, so that what it imports is always what stands in the files. It reports
what it was made of: the user's modules, the packages that were asked for, catalogues, prose, pyproject.toml.
This process only looks at those files and never imports them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from errkit.cli.screen import note
from errkit.config import read_config
from errkit.config.sources import SUFFIXES
from errkit.errors import CodedError
from errkit.registry import MARKUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errkit.config import Config

__all__ = ["keep_building", "report_inputs"]

INTERVAL: Final = 0.3
"""Seconds between two looks at the files."""
REPORT: Final = "ERRKIT_SITE_INPUTS"
"""The environment variable that names the file for the report of a build."""
_KINDS: Final = (".py", *MARKUPS.values(), *SUFFIXES)
_NO_SOURCES: Final = ("__pycache__", "node_modules")
_Seen = dict[str, tuple[int, ...] | None]


# --- in the process of a build ------------------------------------------------------------------------------


def report_inputs(items: Sequence[object]) -> None:
    """Tell the process that waits for changes, if there is one, what a build of these items is made of."""
    target = os.environ.get(REPORT)
    if target:
        Path(target).write_text(json.dumps(sorted(set(_inputs(items)))), "utf-8")


def _inputs(items: Sequence[object]) -> Iterator[str]:
    here = root = Path.cwd()
    # A nearer one than that of the project may come.
    yield from (str(folder / "pyproject.toml") for folder in (here, *here.parents))
    config = _config()
    if config is not None:
        root = root if items else config.root
        items = items or config.registries or ["errkit"]
        yield from () if config.prose is None else (str(config.prose),)
    for item in items:
        yield from _places(item, root)
    yield from _own_modules()


def _config() -> Config | None:
    try:
        return read_config()
    except CodedError:
        # The build says what is wrong with it.
        return None


def _places(item: object, root: Path) -> Iterator[str]:
    """The folder of the package that an item names, the file of its module, or its catalogue."""
    if isinstance(item, Mapping):
        item = item.get("registry")
    if not isinstance(item, str):
        return
    if item.lower().endswith(SUFFIXES):
        yield str(root / item)
        return
    try:
        spec = importlib.util.find_spec(item.partition(":")[0].partition(".")[0])
    except (ImportError, ValueError):
        return
    if spec is not None:
        yield from spec.submodule_search_locations or ([spec.origin] if spec.origin else ())


def _own_modules() -> Iterator[str]:
    """The files of all modules that were imported and do not belong to an installed library."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    others = tuple(os.path.join(path, "") for path in (*installed, str(Path(__file__).parents[1])))
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.isabs(file) and not file.startswith(others):
            yield file


# --- in the process that waits ------------------------------------------------------------------------------


def keep_building(command: Sequence[str], folder: Path, after_first: Callable[[], None]) -> int:
    """Build, and build again after each change, until the user stops it.

    Parameters
    ----------
    command
        Builds the site once.
    folder
        The folder of the site, in which nothing is looked at.
    after_first
        Called once, when the first build has ended.

    Returns
    -------
    int
        The exit code of the first build, if it failed and there is nothing whose change could help.
    """
    with tempfile.TemporaryDirectory(prefix="errkit-watch.") as scratch:
        report = Path(scratch, "inputs.json")
        watched: set[str] = set()
        first = True
        while True:
            began = time.time_ns()
            before = snapshot(watched, folder)
            code = _run(command, report)
            watched |= _read(report)
            if first:
                if code and not any(os.path.exists(path) for path in watched):
                    return code
                after_first()
                first = False
            seen = {**_unless_later(snapshot(watched, folder), began), **before}
            names = wait_for_change(watched, folder, seen)
            note(f"changed: {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}")


def _run(command: Sequence[str], report: Path) -> int:
    # Two versions of a module in the same second would share their bytecode.
    environment = {**os.environ, REPORT: str(report), "PYTHONDONTWRITEBYTECODE": "1"}
    # In a group of its own: Ctrl-C is for this process, which then ends the other one.
    group = 0 if os.name == "posix" else None
    # The command is this very program, with the arguments that it was given.
    with subprocess.Popen(command, env=environment, process_group=group) as process:  # noqa: S603
        try:
            return process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()


def _read(report: Path) -> set[str]:
    try:
        return set(json.loads(report.read_text("utf-8")))
    except OSError:
        # The build ended before it could say anything.
        return set()


def snapshot(paths: Iterable[str], skipped: Path) -> _Seen:
    """What each file is like, also of those in folders; None for one that is not there."""
    found: _Seen = {}
    for path in paths:
        found[path] = None
        for file in _files(path, str(skipped)):
            found[file] = _state(file)
    return found


def _state(file: str) -> tuple[int, ...] | None:
    try:
        state = os.stat(file)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _files(path: str, skipped: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    for folder, inner, names in os.walk(path):
        inner[:] = [
            name
            for name in inner
            if name[0] != "." and name not in _NO_SOURCES and os.path.join(folder, name) != skipped
        ]
        yield from (os.path.join(folder, name) for name in names if name.endswith(_KINDS))


def _unless_later(found: _Seen, began: int) -> _Seen:
    """Files as they were when a build began: whatever is newer counts as changed."""
    return {path: None if state is not None and state[0] > began else state for path, state in found.items()}


def wait_for_change(paths: Iterable[str], skipped: Path, seen: _Seen) -> list[str]:
    """Wait until files are other than they were seen, and have stayed so; their names."""
    now = seen
    while True:
        time.sleep(INTERVAL)
        latest = snapshot(paths, skipped)
        if latest == now != seen:
            break
        now = latest
    changed = (path for path in {**seen, **now} if seen.get(path) != now.get(path))
    return sorted({os.path.relpath(path) for path in changed})
