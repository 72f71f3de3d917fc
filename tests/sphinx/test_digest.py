"""What is read and written again: by content, in one process or many, and never more than need be."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import weakref
from typing import TYPE_CHECKING

import pytest

from errkit.sphinx import catalogue
from tests.sphinx.sites import INDEX, SAMPLES, Built, Site, links
from tests.story import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HERE = 'errkit_registries = ["mine"]\n'
REFERRER = "Page\n====\n\nSee :err:code:`shop.cart.empty`.\n"
OTHER = "Other\n=====\n\nSee :err:code:`shop.pay.declined`.\n"


@pytest.fixture
def mine(tmp_path: Path) -> Site:
    """A project with a registry of its own to edit, and two pages that refer to codes of it."""
    site = Site(tmp_path, HERE, mine=(SAMPLES / "shop.py").read_text("utf-8"))
    site.write("index.rst", f"{INDEX}   page\n   other\n")
    site.write("page.rst", REFERRER)
    site.write("other.rst", OTHER)
    assert site.build().warnings == []
    return site


def test_a_build_without_changes_reads_and_writes_nothing(mine: Site) -> None:
    """https://github.com/readthedocs/sphinx-autoapi/issues/380, https://github.com/useblocks/sphinx-needs/issues/343"""
    built = mine.build()
    assert built.read == built.written == []
    assert built.app is not None
    assert "The configuration has changed" not in built.app.status.getvalue()


def test_a_touched_file_and_a_comment_change_nothing(mine: Site) -> None:
    """Time says nothing, and neither do lines that move.

    https://github.com/pyodide/sphinx-js/issues/194
    """
    os.utime(mine.folder / "mine.py")
    assert mine.build().read == []
    mine.edit("mine.py", "    EMPTY = code(\n", "    # A comment above it.\n    EMPTY = code(\n")
    assert mine.build().read == []
    assert mine.build().read == []


CHANGES = {
    'hint="Add an item first."': 'hint="Add two items."',
    "so there is nothing to buy": "so nothing can be bought",
    "which one still holds something": "which one holds something",
    "as ``/carts`` lists it": "as ``/lists`` lists it",
    '"cart": "c-17", "token"': '"cart": "c-18", "token"',
    "http_status=409": "http_status=410",
    '"E-CART"': '"E-KART"',
}


def test_a_changed_code_reads_its_page_and_writes_what_refers_to_it(mine: Site) -> None:
    """Hint, prose, description of a field, example, status, alias: each counts, and nothing else does.

    https://github.com/sphinx-contrib/typer/issues/35
    """
    for old, new in CHANGES.items():
        mine.edit("mine.py", old, new)
        built = mine.build()
        assert built.warnings == []
        # The index is searched by what the declaration says.
        index = ["errors/index"] if new.startswith(("hint", '"E-', "http_status")) else []
        assert built.read == [*index, "errors/shop.cart"], new
        # Sphinx writes each page whose toctree holds one of these again: the two indices.
        assert built.written == ["errors/index", "errors/shop.cart", "index", "page"], new
        assert "other" not in built.written


def test_what_the_index_shows_reads_the_index_too(mine: Site) -> None:
    """A title stands in its table; a hint does not."""
    mine.edit("mine.py", '"Card declined"', '"Card refused"')
    built = mine.build()
    assert built.read == ["errors/index", "errors/shop.pay"]
    assert set(built.written) >= {"errors/index", "errors/shop.pay", "other"}
    assert "errors/shop.cart" not in built.read


def test_a_removed_code_warns_at_each_page_that_refers_to_it(mine: Site) -> None:
    """Sphinx alone would stay silent: the referring pages have not changed."""
    source = (mine.folder / "mine.py").read_text("utf-8")
    start = source.index("    DECLINED = code")
    mine.write("mine.py", source[:start] + source[source.index("    BROKEN = code") :])
    built = mine.build()
    assert built.read == ["errors/index", "errors/shop.pay"]
    assert len(built.warnings) == 2
    assert "shop.cart" in built.warnings[0] or "mine.py" in built.warnings[0]
    assert any(
        "other.rst:4: WARNING: no listed registry has the code 'shop.pay.declined'" in each
        for each in built.warnings
    )


def test_a_code_that_comes_back_is_linked_again(mine: Site) -> None:
    """A page that warned is written again once its code is there."""
    mine.write("other.rst", OTHER.replace("declined", "refused"))
    assert len(mine.build().warnings) == 1
    mine.edit("mine.py", '    BROKEN = code("Bank', '    REFUSED = code("Refused")\n    BROKEN = code("Bank')
    built = mine.build()
    assert built.warnings == []
    assert "other" in built.written
    assert 'href="errors/shop.pay.html#err-shop-pay-refused"' in built.text("other.html")


def test_a_code_that_moves_to_a_page_of_the_project_takes_its_links_along(mine: Site) -> None:
    """A page that documents it by hand now owns it, so whoever refers to it is written again."""
    mine.write("index.rst", f"{INDEX}   page\n   other\n   hand\n")
    mine.write("hand.rst", "Hand\n====\n\n.. err:code:: shop.pay.declined\n")
    built = mine.build()
    assert built.warnings == []
    assert {"other", "errors/index", "errors/shop.pay"} <= set(built.written)
    assert 'href="hand.html#err-shop-pay-declined"' in built.text("other.html")
    assert 'href="../hand.html#err-shop-pay-declined"' in built.text("errors/index.html")


def test_prose_files_come_change_and_go(tmp_path: Path) -> None:
    """A new file is seen although no page depends on it; so is one that is gone.

    https://github.com/sphinx-contrib/sphinxcontrib-towncrier/issues/1, https://github.com/pylint-dev/pylint/pull/11260
    """
    site = Site(
        tmp_path,
        'errkit_registries = ["shop"]\nerrkit_prose = "words"\nsuppress_warnings = ["errkit.no_prose"]\n',
    )
    (site.folder / "words").mkdir()
    assert site.build().warnings == []
    name = "words/shop.pay/shop.pay.broken"
    for suffix, text, shown in (
        (".rst", "From a *file*.", "From a <em>file</em>."),
        (".txt", "From a *file*.", "From a *file*."),
        (".txt", "Changed.", "Changed."),
    ):
        (site.folder / f"{name}.rst").unlink(missing_ok=True)
        site.write(name + suffix, text)
        built = site.build()
        assert built.read == ["errors/shop.pay"], (suffix, text)
        assert built.warnings == []
        assert shown in built.text("errors/shop.pay.html")
    assert site.build().read == []
    site.remove(f"{name}.txt")
    built = site.build()
    assert built.read == ["errors/shop.pay"]
    assert "Changed." not in built.text("errors/shop.pay.html")


def test_the_markup_of_a_registry_counts_wherever_it_is_said(tmp_path: Path) -> None:
    """Also in another module than the codes, whose own file stays the same."""
    source = (SAMPLES / "shop.py").read_text("utf-8")
    site = Site(tmp_path, HERE, home='from errkit import Registry\n\nREGISTRY = Registry("shop")\n')
    site.write("mine.py", source.replace('REGISTRY = Registry("shop")', "from home import REGISTRY"))
    site.build()
    site.edit("home.py", '"shop")', '"shop", markup="text")')
    built = site.build()
    assert built.read == ["errors/shop.cart", "errors/shop.pay"]
    assert "See :err:code:" in built.text("errors/shop.cart.html")


def test_a_setting_and_a_newer_renderer_read_the_pages_that_they_change(
    mine: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of sources, and how all of it is rendered, is on every page of codes and on no other."""
    site_pages = ["errors/index", "errors/shop.cart", "errors/shop.pay"]
    mine.write(
        "conf.py",
        (mine.folder / "conf.py").read_text("utf-8") + 'errkit_source_url = "https://x.invalid/{path}"\n',
    )
    built = mine.build()
    assert built.read == site_pages
    assert 'href="https://x.invalid/mine.py"' in built.text("errors/shop.pay.html")
    monkeypatch.setattr(catalogue, "RENDERER", catalogue.RENDERER + 1)
    assert mine.build().read == site_pages
    assert mine.build().read == []


def test_whatever_leads_to_a_page_that_moves_is_written_again(mine: Site) -> None:
    """Also `any`, which may mean a code, a domain or a number."""
    mine.write("other.rst", "Other\n=====\n\n:any:`shop.pay` :any:`1001`\n")
    mine.build()
    mine.write("conf.py", (mine.folder / "conf.py").read_text("utf-8") + 'errkit_docs_prefix = "codes"\n')
    mine.edit("index.rst", "errors/index", "codes/index")
    built = mine.build()
    assert built.warnings == []
    found = {each for each in links(built.text("other.html")) if "#err-" in each}
    assert found == {
        "codes/shop.pay.html#err-domain-shop-pay",
        "codes/shop.cart.html#err-shop-cart-empty",
    }


def test_a_domain_that_comes_and_goes_takes_its_page_along(mine: Site) -> None:
    """Its page is read, the index lists it, and later both forget it.

    https://github.com/sphinx-doc/sphinx/issues/10458
    https://github.com/sandialabs/pyttb/issues/410
    """
    added = '\n\nclass NewError(CodedError, domain="shop.new", registry=REGISTRY):\n    ONE = code("One")\n'
    before = (mine.folder / "mine.py").read_text("utf-8")
    mine.write("mine.py", before + added)
    built = mine.build()
    assert built.warnings == []
    assert built.read == ["errors/index", "errors/shop.new"]
    assert ("err:code", "shop.new.one") in built.inventory()
    mine.write("mine.py", before)
    built = mine.build()
    assert built.warnings == []
    assert built.read == ["errors/index"]
    assert ("err:code", "shop.new.one") not in built.inventory()


def results(built: Built) -> dict[str, bytes]:
    """What a build must leave the same, whatever way it took."""
    wanted = [
        built.folder / "objects.inv",
        built.folder / "errors.json",
        *sorted((built.folder / "e").rglob("*.html")),
    ]
    return {str(path.relative_to(built.folder)): path.read_bytes() for path in wanted}


def test_an_incremental_build_leaves_what_a_clean_one_leaves(mine: Site) -> None:
    """Byte for byte in the inventory, errors.json and the short links; stale ones go.

    https://github.com/VACUUM/sphinx-fortran/issues/56
    """
    mine.edit(
        "mine.py",
        '    LOCKED = code(\n        "Cart is locked",',
        '    HELD = code(\n        "Cart is held",',
    )
    mine.edit("mine.py", "number=1003", "number=1013")
    incremental = results(mine.build())
    shutil.rmtree(mine.target)
    assert results(mine.build()) == incremental


def test_parallel_builds_leave_what_serial_ones_leave(mine: Site) -> None:
    """`-j 2` with `-W -n`, twice, and an incremental one after it.

    https://github.com/kdeldycke/click-extra/issues/1482
    """
    serial = mine.build()
    parallel = mine.run("html", "-j", "2", target=mine.target / "parallel")
    assert results(parallel) == results(serial)
    assert pages_of(parallel) == pages_of(serial)
    mine.edit("mine.py", '"Cart is empty"', '"Cart is bare"')
    serial = mine.build()
    parallel = mine.run("html", "-j", "2", target=mine.target / "parallel")
    assert results(parallel) == results(serial)
    assert pages_of(parallel) == pages_of(serial)
    assert "Cart is bare" in parallel.text("errors/shop.cart.html")


def pages_of(built: Built) -> dict[str, str]:
    """Every page of the site."""
    return {
        str(path.relative_to(built.folder)): path.read_text("utf-8") for path in built.folder.rglob("*.html")
    }


def test_registry_objects_in_conf_py_cost_nothing(mine: Site) -> None:
    """Sphinx keeps the configuration between builds, and an object must not look changed each time.

    https://github.com/numpy/numpydoc/issues/226
    """
    mine.edit("conf.py", 'errkit_registries = ["mine"]', "import mine\nerrkit_registries = [mine.REGISTRY]")
    assert mine.build().warnings == []
    again = mine.build()
    assert again.read == again.written == again.warnings == []


def test_the_theme_may_change_between_builds(mine: Site) -> None:
    """The pages are written anew, and none is read."""
    assert mine.build(html_theme="alabaster").read == []


def rebuild(site: Site, count: int) -> list[int]:
    """Build so many times, one code changed each time; the objects that lived after each build."""
    dead, alive, frozen = [], [], gc.get_freeze_count()
    for at in range(count):
        old = '"Card declined"' if at == 0 else f'"Card declined {at - 1}"'
        site.edit("mine.py", old, f'"Card declined {at}"')
        built = site.build()
        assert built.read == ["errors/index", "errors/shop.pay"]
        assert built.app is not None
        dead.append(weakref.ref(built.app))
        del built
        gc.collect()
        assert gc.get_freeze_count() <= frozen
        alive.append(len(gc.get_objects()))
    # Sphinx's logging holds on to the last application until there is another.
    assert [ref() for ref in dead[:-1] if ref() is not None] == []
    return alive


def test_many_builds_in_one_process_keep_nothing(mine: Site) -> None:
    """An editor that builds on every keystroke for a day must not grow."""
    rebuild(mine, 3)


FIFTY = """
import json, sys
from pathlib import Path
from tests.sphinx.test_digest import HERE, rebuild
from tests.sphinx.sites import SAMPLES, Site

site = Site(Path(sys.argv[1]), HERE, mine=(SAMPLES / "shop.py").read_text("utf-8"))
site.build()
print(json.dumps(rebuild(site, 50)))
"""


@pytest.mark.full
def test_fifty_builds_in_one_process_keep_nothing(tmp_path: Path) -> None:
    """Nor does the number of living objects: what the first ten leave behind is all that is ever left.

    In a process of its own: where Hypothesis is, it keeps each class that it is taught.
    """
    command = [sys.executable, "-c", FIFTY, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    alive = json.loads(done.stdout.splitlines()[-1])
    assert max(alive[10:]) < 1.001 * alive[9], alive
