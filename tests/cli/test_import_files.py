"""`errkit import`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from errkit.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

LIST = """
- {name: cart-empty, message: The cart is empty, fix: "Add an item, password=hunter2"}
- {name: cart-slow, message: "token=hunter2"}
"""


@pytest.fixture
def listed(folder: Path) -> Path:
    """A list of codes."""
    (folder / "codes.yaml").write_text(LIST, "utf-8")
    return folder


def test_a_catalogue_and_what_is_left_to_do(errkit_here: Command, listed: Path) -> None:
    """The file loads; the notes stand beside the result, with the place in the list."""
    done = errkit_here("import", "list", "codes.yaml", "-o", "shop.json")
    assert (done.returncode, done.stdout) == (0, "")
    assert "[1]: cart_slow: has no hint: say in one sentence what to do [hint]" in done.stderr
    assert done.stderr.endswith("wrote shop.json: 2 codes in 1 domains\n")
    assert Registry.load(listed / "shop.json")["cart-empty"].title == "The cart is empty"
    printed = errkit_here("import", "list", "codes.yaml")
    assert printed.stdout == (listed / "shop.json").read_text("utf-8")


def test_json_is_one_object(errkit_here: Command, listed: Path) -> None:
    """With the notes, and the catalogue where no file is written."""
    told = json.loads(errkit_here("import", "list", "codes.yaml", "--json").stdout)
    assert told["codes"] == len(told["catalogue"]["domains"][0]["codes"]) == 2
    assert {"rule", "code", "place", "message"} == told["notes"][0].keys()


def test_a_planted_secret_is_in_no_output(errkit_here: Command, listed: Path) -> None:
    """Neither in the catalogue nor in the notes."""
    for options in ((), ("--json",), ("-o", "out.json")):
        done = errkit_here("import", "list", "codes.yaml", *options)
        assert "hunter2" not in done.stdout + done.stderr
    assert "hunter2" not in (listed / "out.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "none.yaml"), "[errkit.bad_import] none.yaml: the file: can't be read"),
        (("botocore", "codes.yaml"), "[errkit.bad_import]"),
        (("list", "codes.yaml", "--map", "title"), "is not KEY=FIELD"),
        (("list", "codes.yaml", "-o", "none/a.json"), "[errkit.file_not_written]"),
        (("nothing", "codes.yaml"), "nothing"),
    ],
    ids=str,
)
def test_what_is_wrong_ends_with_2(
    arguments: tuple[str, ...], said: str, errkit_here: Command, listed: Path
) -> None:
    """As a coded error, or as wrong use."""
    done = errkit_here("import", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
