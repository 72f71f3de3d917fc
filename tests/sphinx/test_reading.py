"""From settings to the catalogue of a build: which registries, which codes, which pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sphinx.errors import ExtensionError

from errkit.codes import code
from errkit.errors import CodedError
from errkit.registry import Registry
from errkit.sphinx.config import Settings
from errkit.sphinx.reading import build_catalogue
from tests.sphinx.sites import INDEX, Site

HERE = Path(__file__).parent


def registry(name: str, **domains: list[str]) -> Registry:
    """A registry with bare codes."""
    made = Registry(name)
    for domain, consts in domains.items():
        body: dict[str, Any] = {
            const: code(f"Title of {const}", public=const.startswith("P")) for const in consts
        }
        type(f"E{domain}", (CodedError,), body, domain=domain, registry=made)
    return made


def pages(*items: object, **settings: Any) -> dict[str, str]:
    """`registry:domain` -> its page."""
    catalogue = build_catalogue(Settings(items=items, root=HERE, **settings))
    return {str(key): view.page for key, view in catalogue.domains.items()}


def test_a_registry_that_is_added_moves_no_page() -> None:
    """The first has no prefix of its own, each further one its name: adding at the end moves nothing."""
    one, two, three = registry("one", a=["X"]), registry("two", a=["X"]), registry("three", b=["Y"])
    assert pages(one) == {"one:a": "errors/a"}
    assert pages(one, two) == {"one:a": "errors/a", "two:a": "errors/two/a"}
    before = pages(one, two)
    assert before.items() <= pages(one, two, three).items()


def test_a_prefix_makes_a_registry_independent_of_its_place() -> None:
    """With prefixes of their own, registries may change places."""
    one, two = registry("one", a=["X"]), registry("two", a=["X"])
    items: list[object] = [{"registry": one, "prefix": "first"}, {"registry": two, "prefix": "second"}]
    assert pages(*items) == pages(*reversed(items)) == {"one:a": "errors/first/a", "two:a": "errors/second/a"}


def test_two_domains_on_one_page_are_refused() -> None:
    """A page belongs to one domain; the message names both, and the way out."""
    one, two = registry("one", a=["X"]), registry("two", a=["X"])
    with pytest.raises(
        CodedError, match=r"domain 'a' of registry 'one' and .* 'two' would both be page"
    ) as caught:
        pages({"registry": one, "prefix": "p"}, {"registry": two, "prefix": "p"})
    assert caught.value.code == "errkit.bad_config"


def test_a_domain_called_index_is_refused() -> None:
    """The index of all codes has its page; a domain of that name needs a prefix."""
    with pytest.raises(CodedError, match=r"the index of all codes and domain 'index'"):
        pages(registry("one", index=["X"]))
    assert pages({"registry": registry("one", index=["X"]), "prefix": "one"}) == {
        "one:index": "errors/one/index"
    }


def test_without_any_setting_errkit_shows_what_it_brings(tmp_path: Path) -> None:
    """Its own codes, the ready-made domains and the three catalogues."""
    catalogue = build_catalogue(Settings(root=tmp_path))
    assert [each.name for each in catalogue.registries] == ["errkit", "agent_core", "agent_device", "harness"]
    assert catalogue.find_codes("errkit.clash")


def test_a_public_site_knows_nothing_of_other_codes() -> None:
    """Codes that are not public are in no look-up, nor in a suggestion; an empty domain goes with them."""
    mixed = registry("mixed", some=["PUBLIC", "HIDDEN"], none=["SECRET"])
    catalogue = build_catalogue(Settings(items=(mixed,), root=HERE, audience="public"))
    assert [str(key) for key in catalogue.codes] == ["mixed:some.public"]
    assert [str(key) for key in catalogue.domains] == ["mixed:some"]
    assert catalogue.find_codes("some.hidden") == []
    assert catalogue.near("some.hiden") == []


def test_a_public_site_names_no_hidden_replacement() -> None:
    """What to use instead is left out where the audience can't use it, whichever registry has it."""
    old, new = Registry("old"), Registry("new")
    shown = code("Shown", public=True, replaced_by="hidden.gone")
    other = code("Other", public=True, replaced_by="old.shown")
    type("OldError", (CodedError,), {"SHOWN": shown, "OTHER": other}, domain="old", registry=old)
    type("HiddenError", (CodedError,), {"GONE": code("Gone")}, domain="hidden", registry=new)
    audience: Any
    facts = []
    for audience, expected in (("public", ["", "old.shown"]), ("internal", ["hidden.gone", "old.shown"])):
        catalogue = build_catalogue(Settings(items=(old, new), root=HERE, audience=audience))
        assert [view.replaced_by for view in catalogue.registries[0].codes] == expected
        facts.append([view.facts for view in catalogue.registries[0].codes])
    # Whether the other code may be seen changes the page of this one.
    assert facts[0][0] != facts[1][0]
    assert facts[0][1] == facts[1][1]


def test_a_public_site_has_no_file_that_names_another_code(tmp_path: Path) -> None:
    """Not on a page, not in a table, an index, a short link, the inventory, the search index, nor in a copied
    source; the prose of such a code is no mistake. No secret is in any of them either.
    """
    conf = 'errkit_registries = ["shop"]\nerrkit_audience = "public"\nerrkit_prose = "words"\n'
    site = Site(tmp_path, conf + 'errkit_examples = ["python", "problem", "harness"]\n')
    site.write("index.rst", INDEX + "   own\n")
    site.write("own.rst", "Own\n===\n\n.. err:domain:: shop.cart\n\n.. err:table::\n")
    site.write("words/shop.cart/shop.cart.locked.txt", "Cart is locked.")
    site.write("words/shop.pay/shop.pay.broken.rst", "Cart is locked, too.")
    built = site.build(html_copy_source=True, html_show_sourcelink=True)
    assert built.warnings == []
    copied = {path.name for path in (built.folder / "_sources").rglob("*") if path.is_file()}
    assert copied == {"index.rst.txt", "own.rst.txt"}
    assert [entry["code"] for entry in built.json()["codes"]] == [
        "shop.cart.empty",
        "shop.cart.gone",
        "shop.pay.declined",
    ]
    for path in built.folder.rglob("*"):
        if path.is_file():
            assert not re.search(
                rb"shop\.cart\.locked|shop\.pay\.broken|Cart is locked|1002|planted-secret", path.read_bytes()
            ), path
            assert "locked" not in str(path)
    assert not any("shop.cart.locked" in name for _, name in built.inventory())


BROKEN = {
    "import a_module_that_is_not_there\n": "errors_of_mine needs the module 'a_module_that_is_not_there'",
    "def broken(:\n": "errors_of_mine can't be imported: SyntaxError: invalid syntax",
    "import os\nos.nothing\n": "AttributeError: module 'os' has no attribute 'nothing' (at ",
    "import sys\nsys.exit(3)\n": "errors_of_mine can't be imported: SystemExit: 3 (at ",
    "from errkit import *\nclass E(CodedError, domain='x'):\n    ONE = code('')\n": (
        "errors_of_mine can't be imported: [errkit.bad_declaration] E.ONE at "
    ),
}


def test_a_registry_that_cannot_be_imported_leaves_the_last_good_site(tmp_path: Path) -> None:
    """The message names the module and the cause, and no file of the site is touched."""
    site = Site(tmp_path, 'errkit_registries = ["errors_of_mine"]\n')
    good = (HERE / "samples" / "shop.py").read_text("utf-8")
    site.write("errors_of_mine.py", good)
    built = site.build()
    before = {path: path.stat().st_mtime_ns for path in built.folder.rglob("*") if path.is_file()}
    for text, expected in BROKEN.items():
        site.write("errors_of_mine.py", text)
        with pytest.raises(ExtensionError) as caught:
            site.build()
        assert str(caught.value).startswith("[errkit.bad_source] errors_of_mine: ")
        assert expected in str(caught.value)
    assert {path: path.stat().st_mtime_ns for path in built.folder.rglob("*") if path.is_file()} == before
    site.write("errors_of_mine.py", good)
    assert site.build().read == []


def test_digests_of_facts_are_the_same_in_every_process() -> None:
    """They depend on what is declared, not on addresses, order of hashing or the line of the declaration."""
    one = build_catalogue(Settings(items=(registry("same", a=["X", "Y"]),), root=HERE))
    two = build_catalogue(Settings(items=(registry("same", a=["X", "Y"]),), root=HERE))
    assert [view.facts for view in one.codes.values()] == [view.facts for view in two.codes.values()]
    other = build_catalogue(Settings(items=(registry("same", a=["X", "Z"]),), root=HERE))
    assert next(iter(one.codes.values())).facts == next(iter(other.codes.values())).facts
    assert next(iter(one.domains.values())).facts != next(iter(other.domains.values())).facts
