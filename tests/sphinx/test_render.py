"""Nodes from records, with no application anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from docutils import nodes

from errkit.codes import ErrorSpec
from errkit.sphinx import render
from errkit.sphinx.config import Settings
from errkit.sphinx.nodes import error_code, error_facts, error_hint, error_title
from errkit.sphinx.reading import build_catalogue
from errkit.sphinx.rows import Badges
from tests.sphinx.samples import depot, shop

if TYPE_CHECKING:
    from errkit.registry import Registry
    from errkit.sphinx.catalogue import Catalogue, CodeView


def catalogue(*registries: Registry, **settings: Any) -> Catalogue:
    """The view of some registries."""
    return build_catalogue(Settings(items=registries, root=Path(__file__).parent, **settings))


def view(name: str, *registries: Registry) -> CodeView:
    """One code of a catalogue."""
    return catalogue(*(registries or (shop.REGISTRY,))).find_codes(name)[0]


def spec(constant: str) -> ErrorSpec:
    """A spec of the sample registry."""
    found: ErrorSpec = getattr(shop.CartError, constant).spec
    return found


def test_a_code_is_a_handful_of_nodes() -> None:
    """Title, hint, prose and one leaf with all facts: the number of nodes is what a build costs."""
    node = render.code_node(view("shop.cart.empty"), ["err-a"], [nodes.paragraph("", "Prose.")])
    assert [type(child) for child in node.children] == [error_title, error_hint, nodes.paragraph, error_facts]
    assert len(list(node.findall())) <= 9
    assert node["ids"] == ["err-a"]
    assert not isinstance(node, nodes.section)


def test_all_facts_are_in_the_leaf_as_plain_data() -> None:
    """As text: they are pickled with the page, so nothing of a registry may hang on them."""
    payload = render.example_payload(spec("LOCKED"))
    node = render.code_node(view("shop.cart.locked"), ["err-a"], payload=payload)
    [leaf] = [child for child in node.children if isinstance(child, error_facts)]
    facts = leaf.data()
    assert isinstance(leaf["facts"], str)
    assert facts["retry_after"] == 0.5
    [title] = node.findall(error_title)
    assert title["badges"] == Badges(1002, "transient", True, True, False, registry="shop")
    assert [reason["name"] for reason in facts["reasons"]] == ["checkout", "audit"]
    assert [field["name"] for field in facts["fields"]] == ["cart", "items", "token"]
    assert facts["fields"][0]["description"] == "The cart, as ``/carts`` lists it."
    assert facts["declared"] == "tests.sphinx.samples.shop.CartError.LOCKED"


def test_what_search_reads_is_the_one_child_of_the_leaf() -> None:
    """Code, number, fields, reasons and values are words; the child is never shown."""
    payload = render.example_payload(spec("LOCKED"))
    node = render.code_node(view("shop.cart.locked"), ["err-a"], payload=payload)
    [words] = [child.astext() for child in node.children[-1].children]
    assert set("shop cart locked 1002 checkout auditor items 17 transient".split()) <= set(words.split())


def test_the_example_is_a_real_error() -> None:
    """It is built by the code itself and goes through the real payload: secrets are hidden."""
    payload = render.example_payload(spec("EMPTY"))
    assert payload is not None
    assert payload["code"] == "shop.cart.empty"
    assert payload["name"] == "CartError"
    assert payload["details"] == {"cart": "c-17", "token": "[REDACTED]"}


def test_a_code_that_needs_details_and_gives_no_example_shows_none() -> None:
    """Nothing is invented; where no detail is required, the bare error is an example."""
    assert render.example_payload(shop.PayError.DECLINED.spec) is not None
    lacking = ErrorSpec(code="x", title="X", const="EMPTY", cls=shop.CartError, details=spec("EMPTY").details)
    assert render.example_payload(lacking) is None


def test_a_public_site_shows_the_payload_that_the_public_gets() -> None:
    """Of a code that is not public, that is its code and title."""
    payload = render.example_payload(spec("LOCKED"), "public")
    assert payload is not None
    assert "details" not in payload
    assert payload["message"] == "Cart is locked"


@pytest.mark.parametrize(
    ("name", "registries", "expected"),
    [
        ("shop.cart.empty", (shop.REGISTRY,), ["err-shop-cart-empty", "err-e-cart", "err-shop-cart-void"]),
        (
            "depot:shop.cart.empty",
            (shop.REGISTRY, depot.REGISTRY),
            ["err-shop-cart-empty", "err-depot--shop-cart-empty"],
        ),
    ],
)
def test_anchors_outlive_layout_and_renaming(
    name: str, registries: tuple[Registry, ...], expected: list[str]
) -> None:
    """Computed by us, never by docutils: https://github.com/sphinx-doc/sphinx/issues/7301. Old names stay."""
    assert render.anchors(view(name, *registries)) == expected


def test_the_address_of_a_declaration_follows_the_pattern() -> None:
    """Module, path inside the distribution and line; no absolute path of this machine."""
    declared = spec("EMPTY")
    address = render.source_address("https://x.invalid/{path}#L{line}?{module}", declared)
    assert (
        address
        == f"https://x.invalid/tests/sphinx/samples/shop.py#L{declared.line}?tests.sphinx.samples.shop"
    )
    assert render.source_address("", declared) == ""


def test_rendering_twice_gives_the_same_nodes() -> None:
    """The same record makes the same tree, whenever it is asked for."""
    one, two = (
        render.code_node(view("shop.cart.locked"), ["err-a"], payload=render.example_payload(spec("LOCKED")))
        for _ in "ab"
    )
    assert isinstance(one, error_code)
    assert one.pformat() == two.pformat()
