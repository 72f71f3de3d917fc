"""A small project for the tests of the kit: a registry, its settings, ways to spoil it and to run it.

Runs in this process share it with the samples of other rooms, so the registry has a name that no other has.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

import pytest

import errkit.checks
import errkit.dialects
import errkit.pickling
import errkit.testing.strategies
from errkit.checks import CHECKS, Context
from errkit.config import Config

for _room in (errkit.checks, errkit.dialects, errkit.testing, errkit.testing.strategies):
    # Whatever a run in this process imports first is forgotten with it, and would be imported by each.
    for _module in iter_modules(_room.__path__, f"{_room.__name__}."):
        import_module(_module.name)

ERRORS = '''
"""The codes of the shop."""

from errkit import CodedError, Details, Registry, code

REGISTRY = Registry("kiosk")


class CartDetails(Details):
    """Which cart it was."""

    cart: str
    """The number of the cart."""


class CartError(CodedError, domain="shop.cart", title="Carts", numbers=range(100, 200), registry=REGISTRY):
    """Something with a cart."""

    EMPTY = code("Cart is empty", CartDetails, number=101, hint="Add an item first.", example={"cart": "c1"})
    """A cart without items was paid. A stale tab does that. Add an item."""

    GONE = code("Cart is gone", CartDetails, number=102, hint="Make a new one.", example={"cart": "c1"})
    """The cart was too old. Carts live for a day. Make a new one."""
'''

SETTINGS = """
[tool.pytest.ini_options]
addopts = ["-p", "no:randomly"]
pythonpath = ["."]
filterwarnings = ["error"]

[tool.errkit]
registries = ["shop.errors"]
"""

CODES = ("shop.cart.empty", "shop.cart.gone")

_BARE = Context(Config(root=Path(), lock=Path("there", "is", "none")))
NOT_RUN = [check.name for check in CHECKS if check.missing(_BARE)]
"""The checks that can't be asked of the shop: it has no site and no lock."""
PER_CODE = [check.name for check in CHECKS if check.per == "code" and check.name not in NOT_RUN]
"""The checks of each code that can."""
PER_REGISTRY = [check.name for check in CHECKS if check.per == "registry" and check.name not in NOT_RUN]
ALL = len(CODES) * len(PER_CODE) + len(PER_REGISTRY)
"""How many items pass, each a check."""


QUICK = ALL - len(CODES)
"""How many of them start no process."""
NO_PROCESS: Final = ("-k", "not process")
"""Leaves those out, for tests about something else: a process takes longer than all other checks."""


def run_apart(pytester: pytest.Pytester, *arguments: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
    """A run in a process of its own, with errkit's plugin and those that are named.

    With all that are installed here it would take longer to start than to run.
    """
    named = [word for name in ("errkit", *plugins) for word in ("-p", name)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return pytester.runpytest_subprocess(*named, *arguments)


def make_shop(pytester: pytest.Pytester, *spoil: tuple[str, str], settings: str = SETTINGS) -> None:
    """Write the project to the current folder, with some of its text replaced."""
    errors = ERRORS
    for old, new in spoil:
        assert old in errors
        errors = errors.replace(old, new)
    package = pytester.path / "shop"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / "errors.py").write_text(errors, "utf-8")
    pytester.makepyprojecttoml(settings)
