"""`errkit list`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_in_a_pipe_a_code_is_a_line(errkit: Command) -> None:
    """Registry, code, number, kind, audience and title, with tabs between them and no heading."""
    done = errkit("list", "shop_errors")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "shop_errors\tshop.cart.empty\t1001\tterminal\tpublic\tCart is empty",
        "shop_errors\tshop.cart.slow\t1002\ttransient\tinternal\tCart did not answer",
    ]


def test_at_a_terminal_there_is_a_table(errkit_at_terminal: Command) -> None:
    """A person sees the size of each registry, headings, and no column of numbers where there are none."""
    shown = re.sub(
        r"\x1b\[[0-9;]*m",
        "",
        errkit_at_terminal("list", "shop_errors", "agent_core=errkit.catalogs.agent_core").stdout,
    )
    shop, core = shown.split("agent_core: ")
    assert "shop_errors: 1 domain, 2 codes" in shop
    assert re.search(r"Code +Number +Kind +Audience +Title", shop)
    assert re.search(r"shop\.cart\.empty +1001 +terminal +public +Cart is empty", shop)
    assert core.startswith("33 domains, 132 codes")
    assert "Number" not in core
    assert max(map(len, shown.splitlines())) <= 80


def test_json_has_every_fact(errkit_here: Command) -> None:
    """The array tells also what follows from other facts, and no secret."""
    done = errkit_here("list", "--json", "shop_errors")
    empty, slow = json.loads(done.stdout)
    assert (empty["registry"], empty["domain"], empty["code"]) == (
        "shop_errors",
        "shop.cart",
        "shop.cart.empty",
    )
    assert (slow["retryable"], slow["alert"], slow["public"], slow["number"]) == (True, True, False, 1002)
    assert empty["details"][0]["description"] == "The cart's id."
    assert "Nothing is in the cart" in empty["description"]
    assert "hunter2" not in done.stdout


def test_a_catalogue_file_serves_like_a_module(errkit_here: Command, folder: Path) -> None:
    """What was exported lists the same codes."""
    assert errkit_here("export", "json", "shop_errors", "-o", "shop.json").returncode == 0
    assert errkit_here("list", "shop.json").stdout == errkit_here("list", "shop_errors").stdout


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["--kind", "transient"], ["shop.cart.slow"]),
        (["--kind", "transient", "-k", "terminal"], ["shop.cart.empty", "shop.cart.slow"]),
        (["--public"], ["shop.cart.empty"]),
        (["--internal"], ["shop.cart.slow"]),
        (["--retryable"], ["shop.cart.slow"]),
        (["--not-retryable"], ["shop.cart.empty"]),
        (["--deprecated"], ["shop.cart.slow"]),
        (["--not-deprecated"], ["shop.cart.empty"]),
        (["--domain", "shop"], ["shop.cart.empty", "shop.cart.slow"]),
        (["--registry", "shop_errors"], ["shop.cart.empty", "shop.cart.slow"]),
        (["--search", "answer cart"], ["shop.cart.slow"]),
        (["-s", "e-cart", "-d", "shop.cart"], ["shop.cart.empty"]),
    ],
)
def test_facets_pick(arguments: list[str], codes: list[str], errkit_here: Command) -> None:
    """Each option narrows what is listed, as lines and as JSON."""
    done = errkit_here("list", "shop_errors", *arguments)
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == codes
    done = errkit_here("list", "--json", "shop_errors", *arguments)
    assert [fact["code"] for fact in json.loads(done.stdout)] == codes


def test_nothing_found_is_said(errkit_here: Command) -> None:
    """An empty answer is no failure; programs get an empty array."""
    done = errkit_here("list", "shop_errors", "--search", "nowhere")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "no code is like that\n")
    assert errkit_here("list", "shop_errors", "--search", "nowhere", "--json").stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--domain", "shp.cart"], "did you mean 'shop.cart'?"),
        (["--registry", "nobody"], "nothing here is called 'nobody'"),
        (["--kind", "transitory"], "'transient'"),
    ],
)
def test_a_name_that_nothing_has_is_refused(arguments: list[str], said: str, errkit_here: Command) -> None:
    """An empty list would say that there is no such code."""
    done = errkit_here("list", "shop_errors", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_narrow_terminal_shows_whole_codes(errkit_at_terminal: Command) -> None:
    """The table fits, and what is deprecated is marked; a code is never broken into two lines."""
    shown = errkit_at_terminal("list", "shop_errors", COLUMNS="70", NO_COLOR="1").stdout
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in shown.splitlines()]
    assert max(map(len, lines)) <= 70
    assert any(line.lstrip().startswith("shop.cart.slow ") for line in lines)
    assert re.search(r"shop\.cart\.slow +1002 +transient +internal ", "\n".join(lines))
    assert "deprecated" in shown
