"""What was removed keeps its address, and whoever still names it is told what to use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from sphinx.errors import ExtensionError

from errkit.lock import Lock, LockedCode, Retired, lock_of, lock_text
from errkit.sphinx.gone import Gone
from errkit.sphinx.publish import SCHEMA
from errkit.sphinx.tombstones import removed_entry, removed_names, removed_page
from tests.sphinx.samples import shop
from tests.sphinx.samples.hostile import NASTY
from tests.sphinx.sites import Site, elements, links, problems

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

RETIRED = (
    Retired(
        registry="shop",
        code="shop.cart.full",
        number=1077,
        anchor="err-shop-cart-full",
        title="Cart is full",
        since="1.0",
        removed="2.0",
        replaced_by="shop.cart.locked",
    ),
    Retired(registry="shop", number=1078, replaced_by="shop.cart.gone", since="1.0"),
    Retired(registry="shop", code="E-FULL", anchor="err-e-full", replaced_by="shop.pay.nowhere"),
)
LOST = LockedCode(
    code="shop.pay.late",
    anchor="err-shop-pay-late",
    title="Paid too late",
    kind="terminal",
    domain="shop.pay",
    const="LATE",
    alert=True,
    public=True,
    replaced_by="shop.pay.declined",
)


def locked(*retired: Retired, lost: bool = False) -> str:
    """The lock of the shop, with what it has retired and perhaps a code that is there no longer."""
    codes = dict(lock_of([shop.REGISTRY]).codes("shop"))
    if lost:
        codes[LOST.code] = LOST
    return lock_text(Lock({"shop": codes}, retired))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site with a lock, and a page that still names what was removed."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    site.write("pyproject.toml", "[tool.errkit]\n")
    site.write("errors.lock.json", locked(*RETIRED))
    return site


def test_each_name_of_what_was_removed_has_a_page(site: Site) -> None:
    """Code, alias and number, bare and exact: what it was, since when it is gone, what to use instead."""
    built = site.build()
    assert built.warnings == []
    for name in ("shop.cart.full", "shop/shop.cart.full", "1077", "n/1077"):
        page = built.text(f"e/{name}/index.html")
        assert "<code>shop.cart.full</code> Cart is full" in page
        assert "Removed in 2.0. Use instead: " in page
        up = "../" * (name.count("/") + 2)
        assert list(links(page.partition("</head>\n")[2].removesuffix("</html>\n"))) == [
            f"{up}errors/shop.cart.html#err-shop-cart-locked"
        ]
        assert 'http-equiv="refresh"' not in page
    assert "<code>1078</code>" in built.text("e/1078/index.html")
    assert "<code>shop.pay.nowhere</code>" in built.text("e/E-FULL/index.html")
    assert (built.folder / "e/e-full/index.html").is_file()
    assert next(each for each in built.json()["removed"] if each.get("number") == 1077) == {
        "code": "shop.cart.full",
        "registry": "shop",
        "number": 1077,
        "title": "Cart is full",
        "since": "1.0",
        "removed": "2.0",
        "replaced_by": "shop.cart.locked",
        "link": "e/shop/shop.cart.full/",
    }
    assert list(problems(built.json(), json.loads(SCHEMA.read_text("utf-8")))) == []
    # The lock changes: so do the pages, and nothing is read.
    site.write("errors.lock.json", locked(*RETIRED[1:]))
    built = site.build()
    assert built.read == []
    assert not (built.folder / "e/shop.cart.full").exists()
    assert (built.folder / "e/1078/index.html").is_file()
    site.remove("errors.lock.json")
    built = site.build()
    assert "removed" not in built.json()
    assert not (built.folder / "e/1078").exists()


def test_a_role_or_directive_that_names_it_says_what_to_use(site: Site) -> None:
    """With a type of its own, at the line that names it."""
    site.write(
        "index.rst",
        "Site\n====\n\n:err:code:`shop.cart.full` and :err:number:`1078` and :err:code:`shop:E-FULL`.\n\n"
        ".. err:code:: shop.cart.full\n\n.. toctree::\n\n   errors/index\n\n:err:code:`None`\n",
    )
    *found, none = site.build().warnings
    # A code that was removed without a number is not called None.
    assert "no listed registry has the code 'None'" in none
    assert len(found) == 4
    assert all("[errkit.removed]" in each for each in found)
    told = "code 'shop.cart.full' was removed in 2.0; use shop.cart.locked"
    assert [each for each in found if "index.rst:6" in each and told in each]
    assert [each for each in found if "index.rst:4" in each and told in each]
    assert any("number '1078' was removed; use shop.cart.gone" in each for each in found)


def test_a_code_that_vanished_without_a_word_is_reported(site: Site) -> None:
    """At its line in the lock, with what to do; its address says meanwhile what became of it."""
    site.write("errors.lock.json", locked(lost=True))
    built = site.build()
    [warning] = built.warnings
    assert "errors.lock.json:" in warning
    assert "shop:shop.pay.late is in the lock, and nothing declares it any more" in warning
    assert "[errkit.lock]" in warning
    assert "Removed. Use instead:" in built.text("e/shop.pay.late/index.html")


def test_a_site_for_the_public_tells_of_what_was_public(site: Site) -> None:
    """The lock does not say it of what is retired, so that stays unsaid; hidden codes replace nothing."""
    site.write("errors.lock.json", locked(*RETIRED, lost=True))
    built = site.build(errkit_audience="public")
    assert [entry["code"] for entry in built.json()["removed"]] == ["shop.pay.late"]
    assert not (built.folder / "e/shop.cart.full").exists()
    assert b"shop.cart.locked" not in (built.folder / "errors.json").read_bytes()


def test_a_lock_that_can_not_be_read_ends_the_build(site: Site) -> None:
    """With the place in it, before anything is written."""
    site.write("errors.lock.json", "<<<<<<< ours\n{}\n")
    with pytest.raises(ExtensionError, match=r"errkit\.bad_lock.*line 1"):
        site.build()


def test_the_lock_can_be_named_and_left_out(site: Site) -> None:
    """`errkit_lock` counts before pyproject.toml; an empty one means none."""
    site.write("other.json", locked(RETIRED[0]))
    assert [each["code"] for each in site.build(errkit_lock="other.json").json()["removed"]] == [
        "shop.cart.full"
    ]
    assert "removed" not in site.build(errkit_lock="").json()


# --- pure parts -----------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a.b", "A.B", "c", "404", "E-X"])
GONE = st.builds(
    Gone,
    registry=st.sampled_from(["r", "R", NASTY]),
    code=st.just("") | NAMES,
    number=st.sampled_from([404, 7]),
    title=st.just(NASTY),
    since=st.just(NASTY),
    removed=st.just("") | st.just(NASTY),
    replaced_by=st.just("") | st.just("<b>") | NAMES,
)


@given(st.lists(GONE, max_size=5), st.lists(NAMES, unique=True))
def test_a_name_that_lives_is_never_taken_by_what_was_removed(gone: list[Gone], living: list[str]) -> None:
    """In no spelling; every other name of it leads to it."""
    entries = [removed_entry(each) for each in gone]
    found = removed_names(entries, living)
    assert not {name.lower() for name in found} & {name.lower() for name in living}
    for entry in entries:
        name = entry.get("code", str(entry["number"]))
        assert name.lower() in {each.lower() for each in living} or entry in found[name]
        assert entry in found[f"n/{entry['number']}"]


@given(st.lists(GONE, min_size=1, max_size=3))
def test_a_hostile_lock_harms_no_page(gone: list[Gone]) -> None:
    """Titles, versions and names are data: the page holds no tag of theirs."""
    living: list[dict[str, Any]] = [{"code": "a.b", "registry": "r", "url": 'p.html#"><b>'}]
    page = removed_page("../", [removed_entry(each) for each in gone], living, "en")
    body = page[page.index("<body>") :].removesuffix("</html>\n")
    assert {each.tag for each in elements(body)} <= {"body", "p", "code", "a"}
    assert "<script>" not in page
