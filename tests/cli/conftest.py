"""Running the command as its users do: in a process of its own, in a pipe or at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SHOP = '''
from errkit import CodedError, Details, Reason, Secret, code


class CartDetails(Details):
    """Which cart."""

    cart: str
    """The cart's id."""
    token: Secret[str] = "hunter2"


class CartError(CodedError, domain="shop.cart", title="Cart", numbers=range(1000, 1100)):
    """What goes wrong with a cart."""

    EMPTY = code("Cart is empty", CartDetails, number=1001, public=True, hint="Add an item first.",
                 reasons={"sold_out": Reason(title="Sold out", hint="Wait.", retryable=True)},
                 aliases=("E-CART",), http_status=409, example={"cart": "c1", "token": "hunter2"})
    """Nothing is in the cart: ``len(items) == 0``. The last item sold out. Add an item."""

    SLOW = code("Cart did not answer", number=1002, kind="transient", retry_after=1.5, since="1.1",
                deprecated="2.0", replaced_by="shop.cart.empty", docs="https://example.com/slow")
'''


class Command(Protocol):
    """Runs `errkit` in the temporary folder."""

    def __call__(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]: ...


def variables(**more: str) -> dict[str, str]:
    """The environment of a command: nothing that says how to show colours, unless it is given."""
    said = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "TERM")
    kept = {name: value for name, value in os.environ.items() if name not in said}
    return {**kept, "TERM": "xterm-256color", **more}


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one, with the module `shop_errors` in it, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (tmp_path / "shop_errors.py").write_text(SHOP, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def errkit(folder: Path) -> Command:
    """The command in a pipe."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "errkit", *arguments],
            cwd=folder,
            env=variables(**environment),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run


def _forget(folder: Path) -> None:
    """Forget the modules of a folder, with the packages around them, which need not have a file."""
    files = {name: str(getattr(module, "__file__", None)) for name, module in sys.modules.items()}
    tops = {name.partition(".")[0] for name, file in files.items() if file.startswith(f"{folder}{os.sep}")}
    for name in [name for name in files if name.partition(".")[0] in tops]:
        del sys.modules[name]


@pytest.fixture
def errkit_here(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command in a pipe, but in this process: quick. It forgets what it imported from the folder."""
    from errkit import REGISTRY
    from errkit.cli import main
    from errkit.config import load_registries

    # What a command imports first inside a scope would be gone for the next one.
    load_registries(["errkit"])
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    # A file that changes within a second and keeps its size would be taken for its old bytecode.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        with REGISTRY.scoped():
            code = main(arguments)
        _forget(folder)
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return run


@pytest.fixture
def errkit_at_terminal(folder: Path) -> Command:
    """The command at a terminal of 80 columns; what it writes is all in `stdout`."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "errkit", *arguments],
            cwd=folder,
            env=variables(**{"COLUMNS": "80", **environment}),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen = b""
        try:
            while chunk := os.read(ours, 65536):
                seen += chunk
        except OSError:
            # Linux says so when the other end was closed.
            pass
        os.close(ours)
        return subprocess.CompletedProcess(arguments, process.wait(), seen.decode("utf-8"), "")

    return run
