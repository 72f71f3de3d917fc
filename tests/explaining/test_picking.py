"""Codes that have some property."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Registry, code
from errkit.codes import KINDS
from errkit.explaining import Facets, pick

SHOP = Registry("picked")
OTHER = Registry("picked_too")


class CartError(CodedError, domain="pick.cart", numbers=range(10, 20), registry=SHOP):
    EMPTY = code("Cart is empty", number=10, public=True, hint="Fill it.", aliases=("E-CART",))
    SLOW = code("Cart is slow", number=11, kind="transient", deprecated="2.0")


class CartonError(CodedError, domain="pick.carton", registry=OTHER):
    TORN = code("Carton is torn", kind="outcome")


ALL = ["pick.cart.empty", "pick.cart.slow", "pick.carton.torn"]


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        ({}, ALL),
        ({"domains": ("pick.cart",)}, ALL[:2]),
        ({"domains": ("pick.",)}, ALL),
        ({"kinds": ("transient", "outcome")}, ALL[1:]),
        ({"registries": ("picked_too",)}, ALL[2:]),
        ({"public": True}, ALL[:1]),
        ({"public": False}, ALL[1:]),
        ({"retryable": True}, ALL[1:2]),
        ({"alert": False}, ALL[2:]),
        ({"deprecated": True}, ALL[1:2]),
        ({"deprecated": False, "public": False}, ALL[2:]),
        ({"text": "cart is"}, ALL),
        ({"text": "FILL"}, ALL[:1]),
        ({"text": "e-cart"}, ALL[:1]),
        ({"text": "11"}, ALL[1:2]),
        ({"text": "*.torn"}, ALL[2:]),
        ({"text": "torn slow"}, []),
    ],
)
def test_each_property_counts(asked: dict[str, Any], codes: list[str]) -> None:
    """Alone and together; what is not said does not matter."""
    assert [spec.code for _, spec in pick([SHOP, OTHER], Facets(**asked))] == codes


@given(
    st.builds(
        Facets,
        text=st.text(max_size=20),
        kinds=st.lists(st.sampled_from(KINDS)).map(tuple),
        public=st.sampled_from([None, True, False]),
    )
)
def test_more_is_never_found_than_there_is(facets: Facets) -> None:
    """Whatever is asked, the answer keeps the order, and each code comes with its registry."""
    found = list(pick([SHOP, OTHER], facets))
    assert found == [pair for pair in pick([SHOP, OTHER], Facets()) if pair in found]
