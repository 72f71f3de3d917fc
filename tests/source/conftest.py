"""A small program with codes, and files of it that a test writes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from errkit.config import Config, Scan, load_registries
from errkit.source import raisers, scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from errkit import Registry
    from errkit.source import Found, Scanned

ERRORS = '''
from errkit import CodedError, Details, Reason, Registry, Rule, Secret, Translator, code

REGISTRY = Registry("granary")


class GrainDetails(Details):
    grain: str
    amount: int = 1
    key: Secret[str] | None = None


class StockError(CodedError, domain="granary.stock", title="Stock", registry=REGISTRY):
    GONE = code("Grain is gone", GrainDetails, public=True)
    LOCKED = code("Stock is locked", reasons={"mice": Reason(title="Mice are in it")})
    FAILED = code("Stock failed", kind="bug")


class CashError(CodedError, domain="granary.cash", title="Cash", registry=REGISTRY):
    SHORT = code("Cash is short", public=True)


class GrainGone(StockError, of=StockError.GONE):
    """Bound to its code."""


to_stock_error = Translator(
    StockError, [Rule(StockError.LOCKED, catches=PermissionError)], fallback=StockError.FAILED
)
'''
FACADE = """
from granary.errors import CashError, StockError

class ErrorCodes(StockError, CashError, facade=True):
    pass
"""
INIT = "from granary.errors import StockError as StockError, to_stock_error as to_stock_error\n"


class Granary:
    """The program: `granary.errors` declares codes, `granary.codes` gathers them, and `file` writes more."""

    def __init__(self, home: Path, folder: Path, registry: Registry) -> None:
        self.home = home
        self.folder = folder
        self.registry = registry

    def file(self, text: str, name: str = "mill.py") -> Path:
        """Write a file beside the package."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def raised(self, text: str = "") -> dict[str, list[str]]:
        """Code -> the functions of the files that raise it."""
        if text:
            self.file(text)
        found = raisers([self.folder], [self.registry])
        return {code: [place.qualname for place in places] for (_, code), places in found.items()}

    def scan(self, text: str = "", *, all_of_it: bool = False, **settings: Any) -> Scanned:
        """Scan the files, and the package if it is all of it."""
        if text:
            self.file(text)
        config = Config(root=self.folder, lock=self.folder / "errors.lock.json", scan=Scan(**settings))
        paths = [self.folder, self.home / "granary"] if all_of_it else [self.folder]
        return scan(paths, [self.registry], config)

    def found(self, rule: str, text: str = "", **settings: Any) -> list[str]:
        """The messages of one rule."""
        return [one.message for one in self.scan(text, **settings).findings if one.rule == rule]

    def lines(self, rule: str, text: str = "") -> list[int]:
        """The lines of the findings of one rule."""
        return [one.line for one in self.scan(text).findings if one.rule == rule]


@pytest.fixture(scope="session")
def granary_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("granary")
    (home / "granary").mkdir()
    for name, text in (("__init__", INIT), ("errors", ERRORS), ("codes", FACADE)):
        (home / "granary" / f"{name}.py").write_text(text, "utf-8")
    return home


@pytest.fixture
def granary(granary_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Granary]:
    monkeypatch.syspath_prepend(granary_home)
    [registry] = load_registries(["granary.errors"])
    yield Granary(granary_home, tmp_path, registry)
    for name in [name for name in sys.modules if name.partition(".")[0] == "granary"]:
        del sys.modules[name]


def rules(findings: tuple[Found, ...]) -> list[str]:
    """The names of the rules of some findings."""
    return [one.rule for one in findings]
