"""Finding codes by what somebody was told."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Registry, code
from errkit.explaining import find, find_retired, retired_of, unknown
from errkit.lock import Lock, Retired

SHOP = Registry("explained")
OTHER = Registry("explained_too")


class CartError(CodedError, domain="cart", title="Cart", numbers=range(10, 20), registry=SHOP):
    EMPTY = code("Cart is empty", number=10, aliases=("E-CART",))
    GONE = code("Parcel went missing", number=11)


class BillError(CodedError, domain="bill", numbers=range(5, 15), registry=OTHER):
    TORN = code("Torn", number=10)


GONE = (
    Retired(registry="explained", code="cart.lost", number=12, replaced_by="cart.gone", removed="2.0"),
    Retired(registry="explained", number=13, replaced_by="cart.gone"),
    Retired(registry="elsewhere", code="cart.lost"),
)


@pytest.mark.parametrize(
    "wanted", ["cart.empty", "E-CART", "CART_EMPTY", "cart-empty", "e.cart", " cart empty "]
)
def test_a_code_is_found_by_any_of_its_names(wanted: str) -> None:
    """By code or alias, in whatever spelling."""
    assert find(wanted, [SHOP, OTHER]) == [(CartError.EMPTY.spec, [SHOP])]


def test_a_number_finds_every_match() -> None:
    """One code of each registry that has the number; a shared code once, with both its registries."""
    both = Registry("both").include(SHOP)
    found = find("10", [SHOP, OTHER, both])
    assert found == [(CartError.EMPTY.spec, [SHOP, both]), (BillError.TORN.spec, [OTHER])]


@pytest.mark.parametrize(
    ("wanted", "said", "near"),
    [
        ("cart.emtpy", "did you mean cart.empty or cart.gone?", ["cart.empty", "cart.gone"]),
        ("19", "the number lies in the range of the domain 'cart' of explained", []),
        ("9" * 30, f"no code or number '{'9' * 30}' in explained, explained_too", []),
    ],
)
def test_what_is_unknown_is_told_with_what_may_be_meant(wanted: str, said: str, near: list[str]) -> None:
    """The error names what looks alike, or the range that the number lies in, and the hint of the face."""
    assert find(wanted, [SHOP, OTHER]) == []
    error = unknown(wanted, [SHOP, OTHER], hint="Look again.")
    assert (error.code, error.hint, error.details["near"]) == ("errkit.unknown_code", "Look again.", near)
    assert said in error.message


@pytest.mark.parametrize(
    ("wanted", "codes"),
    [
        ("E10", ["cart.empty", "bill.torn"]),
        ("ERR-0011", ["cart.gone"]),
        ("#11", ["cart.gone"]),
        ("explained:10", ["cart.empty"]),
        ("explained_too:bill.torn", ["bill.torn"]),
        ("explained_too:cart.empty", []),
        ("CartError.GONE", ["cart.gone"]),
        ("shop.errors.CartError.GONE", ["cart.gone"]),
        ("BillError.GONE", []),
    ],
)
def test_more_ways_to_say_it(wanted: str, codes: list[str]) -> None:
    """A number behind letters, the name of a registry before it, the constant as a traceback shows it."""
    assert [spec.code for spec, _ in find(wanted, [SHOP, OTHER])] == codes


@given(st.text(max_size=300))
def test_any_text_may_be_looked_for(wanted: str) -> None:
    """Nothing that somebody types is a failure."""
    if not find(wanted, [SHOP, OTHER]):
        assert unknown(wanted, [SHOP], hint="-").code == "errkit.unknown_code"
    assert find_retired(wanted, GONE) is not None


def test_the_words_of_a_title_are_near() -> None:
    """Whoever remembers what was said, and not the code, is told the code."""
    assert unknown("the parcel is missing", [SHOP, OTHER], hint="-").details["near"] == ["cart.gone"]


def test_a_long_text_is_cut() -> None:
    """The error says the beginning of it."""
    assert len(unknown("x" * 10_000, [SHOP], hint="-").message) < 300


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("CART-LOST", [0]), ("12", [0]), ("E12", [0]), ("13", [1]), ("explained:12", [0]), ("elsewhere:12", [])],
)
def test_what_was_taken_back_is_found_by_name_and_number(wanted: str, found: list[int]) -> None:
    """In any spelling, in the registries that are asked."""
    mine = retired_of(Lock({}, GONE), [SHOP])
    assert mine == list(GONE[:2])
    assert find_retired(wanted, mine) == [GONE[place] for place in found]
