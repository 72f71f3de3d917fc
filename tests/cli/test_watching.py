"""`errkit site --watch`, with real processes that edit, break and stop."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from errkit.cli.watching import REPORT, snapshot
from tests.cli.conftest import variables
from tests.cli.test_serving import ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Command


PROJECT = """
[tool.errkit]
prose = "prose"
registries = ["shop.errors", { registry = "more.json", name = "more" }]
"""


class Watcher:
    """A running `errkit site`, whose lines are read as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []

    def until(self, *texts: str) -> str:
        """Read until a line holds each of the texts, in any order of lines; the last line."""
        missing = set(texts)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            missing -= {text for text in missing if text in line}
            if not missing:
                return line
        raise AssertionError(f"{sorted(missing)} never came:\n{''.join(self.said)}")

    def stop(self, number: int) -> tuple[int, str]:
        """Send a signal; the exit code, and what was said last."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        return self.process.wait(), rest


@contextmanager
def watching(folder: Path, *arguments: str) -> Iterator[Watcher]:
    process = subprocess.Popen(
        [sys.executable, "-m", "errkit", "site", *arguments],
        cwd=folder,
        env=variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    # Whoever waits for a line that never comes is told so.
    rescue = Timer(240, process.kill)
    rescue.start()
    try:
        yield Watcher(process)
    finally:
        rescue.cancel()
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"__pycache__"}


def test_an_edit_is_on_the_page_and_a_mistake_is_not(folder: Path) -> None:
    """A changed code is served; a broken one is reported and the last good site stays; Ctrl-C ends it all."""
    source = folder / "shop_errors.py"
    text = source.read_text()
    with watching(folder, "shop_errors", "--watch", "--serve", "--port", "0") as watcher:
        address = watcher.until("serving").split()[1]
        assert "site/index.html\n" in watcher.said
        page = "/errors/shop.cart.html"
        assert "Cart is empty" in ask(address, page).text
        source.write_text(text.replace("Cart is empty", "Cart holds nothing"))
        watcher.until("changed: shop_errors.py")
        watcher.until("site/index.html")
        assert "Cart holds nothing" in ask(address, page).text
        source.write_text(f"{text}\nraise SystemExit(3)\n")
        watcher.until("shop_errors can't be imported: SystemExit: 3 (at ")
        assert "Cart holds nothing" in ask(address, page).text
        source.write_text(text)
        watcher.until("site/index.html")
        assert "Cart is empty" in ask(address, page).text
        assert watcher.stop(signal.SIGINT) == (0, "stopped\n")
        with pytest.raises(ConnectionRefusedError):
            ask(address, page)
    assert left_in(folder) == {"shop_errors.py", "site"}


def test_a_first_build_that_fails_waits_for_the_correction(folder: Path) -> None:
    """Also where the module could not be imported once; SIGTERM ends with 143 and leaves nothing behind."""
    source = folder / "shop_errors.py"
    text = source.read_text()
    source.write_text("def broken(:\n" + text)
    with watching(folder, "shop_errors", "--watch") as watcher:
        watcher.until("[errkit.bad_source]")
        source.write_text(text)
        watcher.until("site/index.html")
        assert watcher.stop(signal.SIGTERM) == (143, "")
    assert left_in(folder) == {"shop_errors.py", "site"}


def test_a_build_is_stopped_with_the_command(folder: Path) -> None:
    """Ctrl-C in the middle of a build ends that process too, which cleans up."""
    source = folder / "slow_errors.py"
    source.write_text("import sys, time\nprint('building', flush=True)\ntime.sleep(600)\n")
    with watching(folder, "slow_errors", "--watch", "--serve", "--port", "0") as watcher:
        watcher.until("building")
        assert watcher.stop(signal.SIGINT) == (0, "stopped\n")
    assert left_in(folder) == {"shop_errors.py", "slow_errors.py"}


def test_where_no_change_could_help_the_command_ends(errkit: Command) -> None:
    """A module that is nowhere can't be watched."""
    done = errkit("site", "no_such_module", "--watch")
    assert done.returncode == 2
    assert "there is no module 'no_such_module'" in done.stderr


def test_a_site_is_served_until_the_user_has_seen_it(folder: Path) -> None:
    """Without --watch it is built once."""
    with watching(folder, "shop_errors", "--serve", "--port", "0") as watcher:
        address = watcher.until("serving").split()[1]
        assert ask(address, "/e/1001/").status == 200
        assert watcher.stop(signal.SIGINT) == (0, "stopped\n")


def test_a_build_reports_all_that_it_is_made_of(errkit: Command, folder: Path) -> None:
    """Package, helper modules, catalogues, prose and pyproject.toml; no library that is installed."""
    (folder / "shop" / "inner").mkdir(parents=True)
    (folder / "shop" / "__init__.py").touch()
    (folder / "helper.py").touch()
    source = (folder / "shop_errors.py").read_text()
    (folder / "shop" / "errors.py").write_text(f"import helper\n{source}")
    assert errkit("export", "json", "shop_errors", "-o", "more.json").returncode == 0
    (folder / "prose").mkdir()
    (folder / "pyproject.toml").write_text(PROJECT)
    report = folder / "report"
    done = errkit("site", "--allow-warnings", **{REPORT: str(report)})
    assert done.returncode == 0, done.stderr
    said = set(json.loads(report.read_text()))
    wanted = {"shop", "shop/errors.py", "helper.py", "more.json", "prose", "pyproject.toml"}
    assert {str(folder / name) for name in wanted} <= said
    assert not [path for path in said if "site-packages" in path or path.startswith(sys.base_prefix)]


def test_changes_are_seen_in_sources_only(tmp_path: Path) -> None:
    """A new, changed or removed source counts; bytecode, hidden folders and the site itself do not."""
    package = tmp_path / "shop"
    for name in ("_inner", "__pycache__", ".git", "site"):
        (package / name).mkdir(parents=True)

    def look() -> object:
        return snapshot([str(package)], package / "site")

    before = look()
    for name in ("__pycache__/x.py", ".git/x.py", "site/errors.json", "x.pyc", ".x.swp"):
        (package / name).touch()
    assert look() == before
    seen = [before]
    new = package / "_inner" / "new.py"
    for change in (
        lambda: new.write_text("1"),
        lambda: new.write_text("12"),
        new.unlink,
        (package / "prose.md").touch,
        (package / "prose.txt").touch,
        lambda: (package / "prose.txt").write_text("It failed."),
        (package / "prose.txt").unlink,
        lambda: package.rename(tmp_path / "moved"),
    ):
        change()
        assert look() != seen[-1]
        seen.append(look())
