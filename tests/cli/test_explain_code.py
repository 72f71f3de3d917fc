"""`errkit explain`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command


def test_all_that_is_known_is_shown(errkit: Command) -> None:
    """Code, number, title, prose, hint and each fact that the code has; secrets have no value."""
    done = errkit("explain", "shop.cart.empty", "shop_errors")
    assert done.returncode == 0
    text = done.stdout
    assert text.startswith(
        "shop.cart.empty  1001\nCart is empty\n\nNothing is in the cart: `len(items) == 0`."
    )
    for line in (
        "Hint: Add an item first.",
        "Registry:     shop_errors",
        "Domain:       shop.cart (Cart)",
        "Kind:         terminal",
        "Retry:        no",
        "Alert:        yes",
        "Audience:     public",
        "HTTP status:  409",
        "Aliases:      E-CART",
        "  cart: str  The cart's id.",
        "  token?: str, secret",
        "  sold_out  Sold out (retry: yes). Wait.",
    ):
        assert line in text.splitlines()
    assert "shop_errors.py:" in text
    assert "hunter2" not in text


def test_rarer_facts_are_shown(errkit: Command) -> None:
    """Waiting time, versions, successor and address."""
    lines = errkit("explain", "1002", "shop_errors").stdout.splitlines()
    for line in (
        "Retry after:  1.5 s",
        "Since:        1.1",
        "Deprecated:   2.0",
        "Replaced by:  shop.cart.empty",
        "See:          https://example.com/slow",
    ):
        assert line in lines


@pytest.mark.parametrize(
    "wanted", ["shop.cart.empty", "1001", "E-CART", "SHOP_CART_EMPTY", " shop-cart-empty "]
)
def test_a_code_is_found_by_any_of_its_names(wanted: str, errkit: Command) -> None:
    """By code, number, alias, and in the spelling of an anchor or of a constant."""
    assert errkit("explain", wanted, "shop_errors").stdout.startswith("shop.cart.empty  1001\n")


def test_every_match_is_shown(errkit: Command) -> None:
    """A code that two registries declare is explained twice; one that two share, once."""
    found = json.loads(errkit("explain", "--json", "session_not_found").stdout)
    assert {(fact["registry"], fact["code"]) for fact in found} >= {("harness", "SESSION_NOT_FOUND")}
    twice = errkit("explain", "SESSION_NOT_FOUND").stdout
    assert twice.count("SESSION_NOT_FOUND\n") + twice.count("SESSION_NOT_FOUND  2001\n") == 2
    shared = errkit("explain", "1001", "a=shop_errors", "b=shop_errors").stdout
    assert shared.count("Cart is empty\n") == 1
    assert "Registry:     a, b\n" in shared


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("shop.cart.emtpy", "did you mean shop.cart.empty"),
        ("1050", "the number lies in the range of the domain 'shop.cart' of shop_errors"),
        ("99999999999999999999999999", "no code or number"),
        ("nothing like it", "in shop_errors"),
    ],
)
def test_an_unknown_code_ends_with_1(wanted: str, said: str, errkit: Command) -> None:
    """The failure is coded, and says what looks alike or where a number would belong."""
    done = errkit("explain", wanted, "shop_errors")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("[errkit.unknown_code]")
    assert said in done.stderr
    assert "Hint: " in done.stderr
