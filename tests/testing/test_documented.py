"""The reference of the test kit: its lists are those of the code, in both directions."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from errkit.checks import CHECKS
from errkit.testing import fixtures, hookspecs, plugin, strategies
from errkit.testing.collecting import granularity

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "test-kit.md"


def column(head: str) -> list[str]:
    """The first literal of each row of the table whose first head is `head`."""
    text = PAGE.read_text("utf-8")
    table = text[text.index(f"| {head} |") :].partition("\n\n")[0]
    return [re.findall(r"`([^`]+)`", row)[0] for row in table.splitlines()[2:]]


def test_every_check_is_explained() -> None:
    """In the order in which they run."""
    assert column("Check") == [check.name for check in CHECKS]


def test_every_option_is_explained() -> None:
    """Each option of the parser, and no other."""

    class Group:
        def __init__(self) -> None:
            self.names: list[str] = []

        def addoption(self, name: str, **_: Any) -> None:
            self.names.append(name)

    class Parser(Group):
        def getgroup(self, *_: str) -> Parser:
            return self

    parser = Parser()
    plugin.pytest_addoption(parser)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert [option.partition(" ")[0] for option in column("Option")] == parser.names


def test_every_fixture_is_explained() -> None:
    """Each that the plugin offers, and the parameter."""
    names = [name for name in fixtures.__all__ if name.startswith("errkit_")]
    assert sorted(column("Fixture")) == sorted(["errkit_code", *names])


def test_every_hook_is_explained() -> None:
    """With its arguments."""
    found = [
        f"{name}({', '.join(inspect.signature(getattr(hookspecs, name)).parameters)})"
        for name in hookspecs.__all__
    ]
    assert sorted(column("Hook")) == sorted(found)


def test_every_strategy_is_explained() -> None:
    """Each public one, and the records that they draw."""
    text = PAGE.read_text("utf-8")
    names = [name.partition("(")[0] for name in column("Strategy")]
    assert sorted([*names, "Hostile", "Malformed"]) == sorted(strategies.__all__)
    assert all(f"`{name}(" in text for name in ("Hostile", "Malformed"))


@pytest.mark.parametrize(("codes", "row"), [(300, "up to 300"), (3000, "up to 3000"), (3001, "more")])
def test_the_sizes_are_those_of_the_code(codes: int, row: str) -> None:
    """The table says from which size on an item is what."""
    [line] = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {row} |")]
    assert f"`{granularity(codes)}`" in line
