"""The domain `err`: what roles link to, what they warn of, and what other projects find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.sphinx.sites import INDEX, Built, Site, elements, links

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY = '''\
"""A library."""


class Oops(Exception):
    """Oops."""


def plain():
    """Do it.

    :raises shop.cart.empty: if there is nothing
    :raises Oops: at times
    """


def google():
    """Do it.

    Raises:
        shop.cart.locked: if it is held
    """


def numpy():
    """Do it.

    Raises
    ------
    shop.pay.declined
        if it is refused
    """
'''

PAGE = "Page\n====\n\n{text}\n"


def page_with(
    tmp_path: Path, text: str, registries: str = '["shop"]', conf: str = "", **settings: Any
) -> Built:
    """A site with one page besides those of the registries."""
    site = Site(tmp_path, f"errkit_registries = {registries}\n{conf}")
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n   page\n")
    site.write("page.rst", PAGE.format(text=text))
    return site.build(**settings)


def linked(built: Built, name: str = "page.html") -> dict[str, str]:
    """Text -> address of the internal links in the body of a page."""
    body = built.text(name).partition('role="main"')[2].partition('class="clearer"')[0]
    start = body.index("<section")
    found = elements(body[start : body.rindex("</section>") + 10])
    return {
        e.text: e.attributes["href"]
        for e in found
        if e.tag == "a" and "internal" in e.attributes.get("class", "")
    }


# --- roles ----------------------------------------------------------------------------------------------


ROLES = {
    ":err:code:`shop.cart.empty`": ("shop.cart.empty", "errors/shop.cart.html#err-shop-cart-empty"),
    ":err:code:`shop:shop.cart.gone`": ("shop.cart.gone", "errors/shop.cart.html#err-shop-cart-gone"),
    ":err:code:`~shop.pay.declined`": ("declined", "errors/shop.pay.html#err-shop-pay-declined"),
    ":err:code:`no cart <shop.cart.empty>`": ("no cart", "errors/shop.cart.html#err-shop-cart-empty"),
    ":err:code:`E-CART`": ("E-CART", "errors/shop.cart.html#err-shop-cart-empty"),
    ":err:number:`1002`": ("1002", "errors/shop.cart.html#err-shop-cart-locked"),
    ":err:domain:`shop.cart`": ("shop.cart", "errors/shop.cart.html#err-domain-shop-cart"),
    ":err:registry:`shop`": ("shop", "errors/index.html#err-registry-shop"),
    ":any:`shop.cart.locked`": ("shop.cart.locked", "errors/shop.cart.html#err-shop-cart-locked"),
    ":any:`shop.pay`": ("shop.pay", "errors/shop.pay.html#err-domain-shop-pay"),
}


def test_a_role_links_to_what_it_names(tmp_path: Path) -> None:
    """Bare, exact, short, with a text of its own, by alias, by number; also by `any`.

    `any` must not fail for want of an answer: https://github.com/sphinx-doc/sphinx/issues/1601
    """
    built = page_with(tmp_path, "\n".join(ROLES), nitpicky=True)
    assert built.warnings == []
    assert linked(built) == dict(ROLES.values())


def test_a_reference_says_what_the_code_means(tmp_path: Path) -> None:
    """Its tooltip is the title and the hint, so a reader need not follow it."""
    page = page_with(tmp_path, "See :err:code:`shop.cart.empty`.").text("page.html")
    assert 'title="Cart is empty. Add an item first."' in page


def test_an_ambiguous_name_links_to_the_first_owner_and_warns(tmp_path: Path) -> None:
    """A bare code belongs to the first listed registry; the warning gives the exact names."""
    built = page_with(
        tmp_path, "See :err:code:`shop.cart.empty` and :err:number:`1001`.", '["shop", "depot"]'
    )
    assert linked(built) == {
        "shop.cart.empty": "errors/shop.cart.html#err-shop-cart-empty",
        "1001": "errors/shop.cart.html#err-shop-cart-empty",
    }
    assert len(built.warnings) == 2
    assert "write one of shop:shop.cart.empty, depot:shop.cart.empty [errkit.ambiguous]" in built.warnings[0]
    assert "write one of shop:1001, depot:1001 [errkit.ambiguous]" in built.warnings[1]


def test_an_exact_name_is_never_ambiguous(tmp_path: Path) -> None:
    """With the registry, each owner can be linked to, and nothing warns."""
    text = "See :err:code:`depot:shop.cart.empty`, :err:number:`depot:1001`, :err:domain:`depot:shop.cart`."
    built = page_with(tmp_path, text, '["shop", "depot"]', nitpicky=True)
    assert built.warnings == []
    assert linked(built) == {
        "shop.cart.empty": "errors/depot/shop.cart.html#err-shop-cart-empty",
        "1001": "errors/depot/shop.cart.html#err-shop-cart-empty",
        "shop.cart": "errors/depot/shop.cart.html#err-domain-depot--shop-cart",
    }


UNKNOWN = {
    ":err:code:`shop.cart.emty`": "the code 'shop.cart.emty'; did you mean shop.cart.empty",
    ":err:code:`shop:nothing.like.it`": "the code 'shop:nothing.like.it' [errkit.unknown]",
    ":err:number:`1009`": "the number '1009'; did you mean 100",
    ":err:domain:`shop.car`": "the domain 'shop.car'; did you mean shop.cart",
    ":err:registry:`shp`": "the registry 'shp'; did you mean shop?",
}


def test_an_unknown_name_warns_once_and_offers_what_looks_alike(tmp_path: Path) -> None:
    """Also without nitpicking: a dead reference to a code is always a mistake."""
    warnings = page_with(tmp_path, "\n\n".join(UNKNOWN)).warnings
    assert len(warnings) == len(UNKNOWN)
    for at, (warning, message) in enumerate(zip(warnings, UNKNOWN.values(), strict=True)):
        assert f"page.rst:{4 + 2 * at}: WARNING: no listed registry has {message}" in warning


def test_a_code_without_a_page_warns(tmp_path: Path) -> None:
    """It is known, but nothing on this site documents it."""
    built = page_with(
        tmp_path, "See :err:code:`shop.cart.empty`.", conf="errkit_pages = False\nexclude_patterns = []\n"
    )
    assert any(
        "code 'shop.cart.empty' is on no page of this site [errkit.unknown]" in each
        for each in built.warnings
    )


def test_warnings_can_be_silenced_by_type(tmp_path: Path) -> None:
    """Every warning has a type, so a project decides which it wants to see."""
    text = "See :err:code:`shop.cart.empty` and :err:code:`nothing`."
    conf = 'suppress_warnings = ["errkit.ambiguous", "errkit.unknown"]\n'
    assert page_with(tmp_path, text, '["shop", "depot"]', conf).warnings == []


def test_raises_fields_link_to_codes(tmp_path: Path) -> None:
    """`:raises code:` names a code where Python names an exception; real exceptions stay with Python."""
    conf = 'extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]\n'
    site = Site(tmp_path, f'errkit_registries = ["shop"]\n{conf}')
    site.write("library.py", LIBRARY)
    site.write("index.rst", f"{INDEX}\n.. automodule:: library\n   :members:\n   :undoc-members:\n")
    built = site.build(nitpicky=True)
    assert built.warnings == []
    assert (
        linked(built, "index.html").items()
        >= {
            "shop.cart.empty": "errors/shop.cart.html#err-shop-cart-empty",
            "shop.cart.locked": "errors/shop.cart.html#err-shop-cart-locked",
            "shop.pay.declined": "errors/shop.pay.html#err-shop-pay-declined",
            "Oops": "#library.Oops",
        }.items()
    )


# --- inventory ------------------------------------------------------------------------------------------


def test_the_inventory_has_every_name_of_a_code(shop: Built) -> None:
    """Bare and exact names, aliases and numbers, domains and registries; sphinx-needs has none of its own.

    https://github.com/useblocks/sphinx-needs/issues/390
    """
    found = shop.inventory()
    target = "errors/shop.cart.html#err-shop-cart-empty"
    for name in ("shop.cart.empty", "shop:shop.cart.empty", "E-CART", "shop:E-CART", "shop.cart.void"):
        assert found["err:code", name] == target
    assert found["err:number", "1001"] == target
    assert found["err:domain", "shop.cart"] == found["err:domain", "shop:shop.cart"]
    assert found["err:registry", "shop"] == "errors/index.html#err-registry-shop"
    assert len([name for kind, name in found if kind == "err:code" and ":" in name]) == 7


def test_a_shared_name_belongs_to_the_first_registry_in_the_inventory(both: Built) -> None:
    """The bare name has one owner, and each owner its exact name."""
    found = both.inventory()
    assert found["err:code", "shop.cart.empty"] == found["err:code", "shop:shop.cart.empty"]
    assert found["err:code", "depot:shop.cart.empty"] == "errors/depot/shop.cart.html#err-shop-cart-empty"
    assert found["err:number", "1001"] == "errors/shop.cart.html#err-shop-cart-empty"
    assert found["err:number", "depot:1001"] == "errors/depot/shop.cart.html#err-shop-cart-empty"


def test_every_role_has_an_object_type(shop: Built) -> None:
    """Else it would work in this project and never from another.

    https://github.com/sphinx-doc/sphinx/issues/14564
    """
    assert shop.app is not None
    domain = shop.app.env.get_domain("err")
    listed = {role for kind in domain.object_types.values() for role in kind.roles}
    assert listed == set(domain.roles)


ELSEWHERE = {
    "rst_with": (
        ":err:code:`shop.cart.locked` :err:code:`shop:shop.pay.broken` :err:code:`E-CART` :err:number:`1002` "
        ":external+shop:err:domain:`shop.pay` :any:`shop.cart.gone`"
    ),
    "rst_without": ":shop:`shop.cart.empty` :shop:`E-CART` :shop:`1001`",
    "md_with": (
        "{err:code}`shop.cart.locked` {err:code}`shop:shop.pay.broken` {err:code}`E-CART` {err:number}`1002` "
        "<inv:shop:err:domain#shop.pay> [](#shop.cart.gone)"
    ),
    "md_without": (
        "<inv:shop:err:code#shop.cart.locked> [Mine](inv:#shop.pay.broken) "
        "<inv:shop:err:code#E-CART> <inv:shop:err:number#1002> "
        "<inv:shop:err:domain#shop.pay> [](inv:shop#shop.cart.gone)"
    ),
}
FOUND = {
    "errors/shop.cart.html#err-shop-cart-locked",
    "errors/shop.pay.html#err-shop-pay-broken",
    "errors/shop.cart.html#err-shop-cart-empty",
    "errors/shop.pay.html#err-domain-shop-pay",
    "errors/shop.cart.html#err-shop-cart-gone",
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_another_project_links_to_codes(tmp_path: Path, shop: Built, case: str) -> None:
    """By intersphinx; without the extension, Sphinx knows no role for it, but short links need none."""
    host, _, extension = case.partition("_")
    extensions = ["sphinx.ext.intersphinx"] if case != "rst_without" else ["sphinx.ext.extlinks"]
    extensions += ["errkit.sphinx"] if extension == "with" else []
    extensions += ["myst_parser"] if host == "md" else []
    inventory = str(shop.folder / "objects.inv")
    site = Site(
        tmp_path,
        f"""
extensions = {extensions}
errkit_registries = ["depot"]
errkit_pages = False
intersphinx_mapping = {{"shop": ("https://shop.invalid/", {inventory!r})}}
extlinks = {{"shop": ("https://shop.invalid/e/%s/", "%s")}}
""",
    )
    site.remove("index.rst")
    title = "# Site" if host == "md" else "Site\n===="
    site.write(f"index.{host}", f"{title}\n\n{ELSEWHERE[case]}\n")
    built = site.build(nitpicky=True)
    assert built.warnings == []
    start = "https://shop.invalid/"
    leading = {each.removeprefix(start) for each in links(built.text("index.html")) if start in each}
    if case == "rst_without":
        assert leading == {"e/shop.cart.empty/", "e/E-CART/", "e/1001/"}
        assert all((shop.folder / address / "index.html").is_file() for address in leading)
    else:
        assert leading == FOUND


def test_markdown_pages_have_the_roles_and_plain_links(tmp_path: Path) -> None:
    """`{err:code}` and `[](#code)`; MyST warns of a domain that can't answer `any`.

    https://github.com/executablebooks/sphinx-proof/issues/97
    """
    site = Site(tmp_path, 'extensions.append("myst_parser")\nerrkit_registries = ["shop"]\n')
    site.remove("index.rst")
    site.write(
        "index.md",
        "# Site\n\n{err:code}`shop.cart.empty` [](#shop.cart.locked)\n\n```{toctree}\nerrors/index\n```\n",
    )
    built = site.build(nitpicky=True)
    assert built.warnings == []
    page = built.text("index.html")
    assert 'href="errors/shop.cart.html#err-shop-cart-empty"' in page
    assert 'href="errors/shop.cart.html#err-shop-cart-locked"' in page


# --- index and consistency ------------------------------------------------------------------------------


def test_the_index_lists_every_code_by_domain(shop: Built) -> None:
    """One index page, linked from the others by its own name."""
    page = shop.text("err-codes.html")
    for code in ("shop.cart.empty", "shop.cart.locked", "shop.pay.broken"):
        assert f'<code class="xref">{code}</code>' in page
    assert "<strong>shop.cart</strong>" in page
    assert 'href="err-codes.html"' in shop.text("index.html")


def test_the_index_says_whose_a_shared_code_is(both: Built) -> None:
    """Where there are several registries, each entry names its own."""
    page = both.text("err-codes.html")
    assert page.count("<em>(depot)</em>") == 2
    assert page.count('href="errors/depot/shop.cart.html#err-shop-cart-empty"') == 1


def test_two_places_that_document_one_code_are_both_named(tmp_path: Path) -> None:
    """A warning about a duplicate without both places costs hours.

    https://github.com/useblocks/sphinx-needs/issues/1398
    """
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n   one\n   two\n")
    for name in ("one", "two"):
        site.write(f"{name}.rst", f"{name}\n=====\n\n.. err:code:: shop.cart.empty\n")
    [warning] = site.build().warnings
    assert f"{site.folder / 'two.rst'}:4: WARNING: code shop:shop.cart.empty is documented here" in warning
    assert f"and at {site.folder / 'one.rst'}:4" in warning
    assert "[errkit.duplicate]" in warning
    site.write("two.rst", "two\n=====\n\n.. err:code:: shop.cart.empty\n   :no-index:\n")
    assert site.build().warnings == []


def test_a_page_that_documents_a_code_by_hand_owns_it(tmp_path: Path) -> None:
    """Links, inventory and short links lead there; the page of the domain still shows the code."""
    built = page_with(tmp_path, ".. err:code:: shop.cart.empty\n\n   Written by hand.")
    assert built.warnings == []
    assert built.inventory()["err:code", "shop.cart.empty"] == "page.html#err-shop-cart-empty"
    assert built.json()["codes"][0]["url"] == "page.html#err-shop-cart-empty"
    assert "../../page.html#err-shop-cart-empty" in built.text("e/shop.cart.empty/index.html")
    assert 'id="err-shop-cart-empty"' in built.text("errors/shop.cart.html")
