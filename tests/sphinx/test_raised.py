"""Who raises a code: found in the source that is named, linked, and incremental like everything else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errkit.config import Allowance
from errkit.sphinx.raised import Raised, Raiser, read_sources
from tests.sphinx.samples import shop, till
from tests.sphinx.sites import Site, elements, section

SAMPLE = Path(till.__file__)
CONF = 'errkit_registries = ["shop"]\nerrkit_sources = ["till.py", "shop"]\n'
AUTODOC = """
Till
====

.. autofunction:: till.checkout

.. autoclass:: till.Cashier
   :members:
"""


def names(found: Raised, code: str) -> list[str]:
    """The names of what raises a code of the shop."""
    return [raiser.name for raiser in found.by(shop.REGISTRY[code])]


def test_functions_are_found_without_importing_them() -> None:
    """Methods, helpers that only return the error, functions inside others: each under its outer name."""
    found = read_sources([SAMPLE], [shop.REGISTRY])
    module = "tests.sphinx.samples.till" if (SAMPLE.parent / "__init__.py").exists() else "till"
    assert names(found, "shop.cart.empty") == [f"{module}.checkout", f"{module}.Cashier.charge"]
    assert names(found, "shop.cart.locked") == [f"{module}.checkout"]
    assert names(found, "shop.pay.declined") == [f"{module}.Cashier.charge"]
    assert [raiser.path for raiser in found.by(shop.REGISTRY["shop.cart.locked"])] == ["till.py"]
    assert read_sources([], [shop.REGISTRY]) == Raised()


def test_what_is_declared_and_raised_nowhere_is_known() -> None:
    """Unless the project allows it, or the code is on its way out."""
    paths = [SAMPLE, Path(shop.__file__)]
    found = read_sources(paths, [shop.REGISTRY])
    assert found.never == {("shop", "shop.pay.broken")}
    assert found.is_never(shop.PayError.BROKEN.spec)
    allowed = [Allowance(rule="never-raised", file="samples/shop.py", reason="Some day.")]
    assert read_sources(paths, [shop.REGISTRY], allowed).never == frozenset()


def test_a_place_at_the_top_of_a_module_has_the_name_of_the_module() -> None:
    """There is no function to name."""
    assert Raiser("a.b", "", "a/b.py", 3).name == "a.b"


# --- on pages -------------------------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path: Path) -> Site:
    """A project of its own that raises what it declares, with its documentation."""
    site = Site(tmp_path, CONF)
    site.edit(
        "conf.py", '["errkit.sphinx"]', '["errkit.sphinx", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]'
    )
    source = SAMPLE.read_text("utf-8").replace("tests.sphinx.samples.shop", "shop")
    site.write("till.py", source)
    site.write("shop.py", Path(shop.__file__).read_text("utf-8"))
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n   till\n\n.. err:unraised::\n")
    site.write("till.rst", AUTODOC)
    return site


def raised(page: str, anchor: str) -> list[tuple[str, str]]:
    """The links under `Raised by` as (text, address); the text alone where there is none."""
    [facts] = re.findall(r"<dt>Raised by</dt><dd>(.*?)</dd>", section(page, anchor), re.DOTALL) or [""]
    found = elements(facts)
    linked = {each.text: each.attributes["href"] for each in found if each.tag == "a"}
    return [(each.text, linked.get(each.text, "")) for each in found if each.tag == "code"]


def test_a_page_names_who_raises_a_code(mine: Site) -> None:
    """Linked to what autodoc says of it and to its source; a code that nobody raises is in the table."""
    built = mine.build()
    assert built.warnings == []
    page = built.text("errors/shop.cart.html")
    assert raised(page, "err-shop-cart-empty") == [
        ("till.checkout", "../till.html#till.checkout"),
        ("till.Cashier.charge", "../till.html#till.Cashier.charge"),
    ]
    assert raised(page, "err-shop-cart-gone") == []
    assert 'href="../_modules/till.html#Cashier.charge">[source]' in page
    assert 'id="Cashier.charge"' in built.text("_modules/till.html")
    index = built.text("index.html")
    assert ">shop.pay.broken</code>" in index
    assert ">shop.cart.empty</code>" not in index
    # A comment moves lines, and a page says nothing of lines.
    mine.edit("till.py", '"""A program', '"""Still a program')
    mine.edit("till.py", "\n\nclass Cashier", "\n\n# Here.\nclass Cashier")
    assert [name for name in mine.build().read if name.startswith("errors/")] == []
    # Somebody else raises a code now: the page of its domain is read again, the other one is not.
    mine.edit("till.py", "raise PayError.DECLINED", "raise PayError.BROKEN")
    built = mine.build()
    assert built.warnings == []
    assert [name for name in built.read if name.startswith(("errors/", "index"))] == [
        "errors/shop.pay",
        "index",
    ]
    assert raised(built.text("errors/shop.pay.html"), "err-shop-pay-declined") == []
    assert ">shop.pay.declined</code>" in built.text("index.html")
    # What was documented is no longer: the pages that linked to it are written again.
    mine.write("till.rst", AUTODOC.replace(".. autofunction:: till.checkout", "Nothing."))
    built = mine.build()
    assert built.warnings == []
    assert raised(built.text("errors/shop.cart.html"), "err-shop-cart-locked") == [("till.checkout", "")]


def test_a_pattern_of_addresses_leads_to_the_source_elsewhere(mine: Site) -> None:
    """In HTML and in other formats; the declaration can be edited where the site says how."""
    address = "https://code.invalid"
    conf = (mine.folder / "conf.py").read_text("utf-8")
    mine.write(
        "conf.py",
        f'{conf}errkit_source_url = "{address}/{{path}}#L{{line}}"\n'
        f'errkit_edit_url = "{address}/edit/{{path}}"\n',
    )
    page = mine.build().text("errors/shop.cart.html")
    assert f'href="{address}/edit/shop.py">[edit]' in page
    assert re.search(rf'href="{address}/till\.py#L\d+">\[source\]', section(page, "err-shop-cart-locked"))
    text = mine.build("text").text("errors/shop.cart.txt")
    assert '"till.checkout" [source]' in text


def test_without_sources_nothing_is_said(tmp_path: Path) -> None:
    """No row on the pages; the directive that needs source says what to set."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n\n.. err:unraised::\n")
    built = site.build()
    assert len(built.warnings) == 1
    assert (
        "index.rst:8: WARNING: err:unraised needs source to look into: set errkit_sources"
        in (built.warnings[0])
    )
    assert "[errkit.source]" in built.warnings[0]
    assert "Raised by" not in built.text("errors/shop.cart.html")


def test_sources_come_from_what_a_scan_reads(tmp_path: Path) -> None:
    """`[tool.errkit.scan] paths` counts where conf.py is silent."""
    site = Site(tmp_path)
    site.write("pyproject.toml", '[tool.errkit]\nregistries = ["shop"]\nscan = {paths = ["src"]}\n')
    site.write("src/till.py", SAMPLE.read_text("utf-8").replace("tests.sphinx.samples.shop", "shop"))
    built = site.build()
    assert built.warnings == []
    assert "till.checkout" in built.text("errors/shop.cart.html")


def test_a_code_that_is_raised_everywhere_names_some_places(tmp_path: Path) -> None:
    """Ten, and how many more, in every format."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nerrkit_sources = ["many.py"]\n')
    functions = "".join(f"def f{at:02}():\n    raise PayError.DECLINED\n\n" for at in range(14))
    site.write("many.py", f"from shop import PayError\n\n{functions}")
    page = section(site.build().text("errors/shop.pay.html"), "err-shop-pay-declined")
    text = " ".join(site.build("text").text("errors/shop.pay.txt").split())
    for shown in (page, text):
        assert "many.f09" in shown
        assert "many.f10" not in shown
        assert "and 4 more" in shown
