"""Names are looked up as the documentation says, whoever else has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from errkit.sphinx.catalogue import Key, digest_of, join, module_path, slug
from errkit.sphinx.config import Settings
from errkit.sphinx.reading import build_catalogue
from tests.sphinx.samples import depot, shop

CATALOGUE = build_catalogue(Settings(items=(shop.REGISTRY, depot.REGISTRY), root=Path(__file__).parent))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("shop.cart.empty", ["shop:shop.cart.empty", "depot:shop.cart.empty"]),
        ("depot:shop.cart.empty", ["depot:shop.cart.empty"]),
        ("shop.cart.broken", ["depot:shop.cart.broken"]),
        ("E-CART", ["shop:shop.cart.empty"]),
        ("shop:E-CART", ["shop:shop.cart.empty"]),
        ("depot:E-CART", []),
        ("nowhere:shop.cart.empty", []),
        ("", []),
    ],
)
def test_a_bare_name_belongs_to_the_first_registry_that_has_it(name: str, found: list[str]) -> None:
    """An exact one to its registry; aliases count as names."""
    assert [str(view.key) for view in CATALOGUE.find_codes(name)] == found


def test_numbers_and_domains_are_found_alike() -> None:
    """In the order of the registries."""
    assert [str(view.key) for view in CATALOGUE.find_numbers("1001")] == [
        "shop:shop.cart.empty",
        "depot:shop.cart.empty",
    ]
    assert [view.registry for view in CATALOGUE.find_domains("shop.cart")] == ["shop", "depot"]
    assert [view.registry for view in CATALOGUE.find_domains("depot:shop.cart")] == ["depot"]


def test_only_later_owners_of_a_name_are_marked_as_sharing_it() -> None:
    """So a registry that is added at the end changes nothing about the others."""
    assert [str(key) for key, view in CATALOGUE.codes.items() if view.shared] == ["depot:shop.cart.empty"]
    assert [str(key) for key, view in CATALOGUE.domains.items() if view.shared] == ["depot:shop.cart"]


@given(st.text(max_size=40))
def test_a_slug_is_safe_in_an_address_and_a_path(name: str) -> None:
    """Whatever a registry is called; a name that is safe stays as it is."""
    made = slug(name)
    assert made
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
    assert not made.startswith(".")
    assert slug(made) == made


def test_digests_tell_values_apart() -> None:
    """Nothing is joined to something else by accident."""
    assert digest_of("a", "b") == digest_of("a", "b")
    assert (
        len(
            {
                digest_of("a", "b"),
                digest_of("ab"),
                digest_of(["a", "b"]),
                digest_of("a", None),
                digest_of("a", ""),
            }
        )
        == 5
    )


def test_small_things() -> None:
    """A key reads as it is written; empty parts of page names vanish; paths are those of the distribution."""
    assert str(Key("r", "a.b")) == "r:a.b"
    assert join("errors", "", "a") == "errors/a"
    assert module_path(shop.CartError.EMPTY.spec) == "tests/sphinx/samples/shop.py"
