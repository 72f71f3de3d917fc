"""Names in generated files."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from errkit.exports.names import Names, ascii_name, pascal


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("shop.cart", "ShopCart"),
        ("shop.cart.sold_out", "ShopCartSoldOut"),
        ("SESSION_NOT_FOUND", "SessionNotFound"),
        ("s3.NoSuchBucket", "S3NoSuchBucket"),
        ("42.x", "N42X"),
        ("_", "N"),
    ],
)
def test_a_name_of_a_class(code: str, name: str) -> None:
    """Words run together, each with a capital; a letter first."""
    assert pascal(code) == name


@given(st.lists(st.text(max_size=8)))
def test_a_name_is_given_once(wanted: list[str]) -> None:
    """And always can be one."""
    names = Names(["taken"])
    found = [names.free(pascal(text)) for text in wanted]
    assert len(set(found)) == len(found)
    assert all(name.isascii() and name.isidentifier() for name in found)
    assert names.free("taken") == "taken_2"


def test_only_ascii_is_left() -> None:
    """Dots stay."""
    assert ascii_name("a b.caf\u00e9") == "a_b.caf_"
