"""A domain of very many codes: pages of its own hold them, and no link to its page breaks.

In a browser: `test_seen.py`.
"""

from __future__ import annotations

import shutil
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from errkit.sphinx.catalogue import PER_PAGE
from tests.sphinx.sites import INDEX, Built, Site, ids, links, section

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
from errkit import CodedError, Registry, code

REGISTRY = Registry("{name}")


class BigError(CodedError, domain="big", title="Big machine", numbers=range(5000, 6000), registry=REGISTRY):
    '''What breaks in the machine.'''

    FIRST = code("First part is worn", number=5000, aliases=("OLD-FIRST", "big.primal"))
    '''Take it out with *care*.'''
"""
LAST = "big.part_399"
REFERRER = f"""
   page

See :err:code:`{LAST}`, :err:number:`5398`, :any:`big.part_2`, :err:code:`OLD-FIRST` and :err:domain:`big`.
"""
ROWS = {
    "code": ["err-big-first", "err-old-first", "err-big-primal"],
    **{f"part {at}": [f"err-big-part-{at}"] for at in range(1, 400)},
}


def source(count: int, name: str) -> str:
    """A module with so many codes."""
    lines = [f'    PART_{at} = code("Part {at} is worn", number={5000 + at})\n' for at in range(1, count)]
    return HEAD.format(name=name) + "".join(lines)


def site_of(folder: Path, count: int, name: str) -> Site:
    """A project with a domain of so many codes."""
    return Site(folder, 'errkit_registries = ["machine"]\n', machine=source(count, name))


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A domain of 400 codes as HTML, with a page that refers to some."""
    site = site_of(tmp_path_factory.mktemp("big"), 400, "parts-big")
    site.write("index.rst", INDEX + REFERRER.replace("   page\n", ""))
    built = site.build()
    assert built.warnings == []
    return built


def test_every_anchor_stays_on_the_page_of_the_domain(big: Built) -> None:
    """Each stands there once, as it would without the split, and its row leads to the code.

    https://github.com/rust-lang/rust/issues/101166
    """
    page = big.text("errors/big.html")
    known = ids(page)
    wanted = ["err-domain-big", *(anchor for row in ROWS.values() for anchor in row)]
    assert [anchor for anchor in wanted if known.count(anchor) != 1] == []
    assert 'class="errkit-code' not in page
    rows = page[page.index("<tbody>") : page.index("</tbody>")].split("</tr>\n")[:-1]
    assert len(rows) == 400
    for row, anchors in zip(rows, ROWS.values(), strict=True):
        [address] = links(row.partition("<td>")[2].partition("</td>")[0])
        there, _, anchor = address.partition("#")
        assert anchor == anchors[0]
        assert f'id="{anchor}"' in big.text(f"errors/{there}")


def test_the_parts_hold_all_codes_in_order(big: Built) -> None:
    """So many to a page, each whole, with a way back to the domain."""
    pages = [big.text(f"errors/big/{at}.html") for at in (1, 2, 3)]
    held = [[each for each in ids(page) if each.startswith("err-big-")] for page in pages]
    held[0].remove("err-big-primal")
    assert [len(each) for each in held] == [PER_PAGE, PER_PAGE, 400 - 2 * PER_PAGE]
    assert [*chain(*held)] == [row[0] for row in ROWS.values()]
    assert "with <em>care</em>" in section(pages[0], "err-big-first")
    assert "<h1>Big machine (2/3)" in pages[1]
    assert all("../big.html#err-domain-big" in links(page) for page in pages)
    assert not (big.folder / "errors/big/4.html").exists()


def test_whatever_leads_to_a_code_leads_to_its_part(big: Built) -> None:
    """Roles, inventory, short links, `errors.json`, the lists of codes, and Sphinx's own search."""
    there = "errors/big/3.html#err-big-part-399"
    inventory = big.inventory()
    assert inventory["err:code", LAST] == inventory["err:number", "5399"] == there
    assert inventory["err:code", "OLD-FIRST"] == "errors/big/1.html#err-big-first"
    assert inventory["err:domain", "big"] == "errors/big.html#err-domain-big"
    entries = {entry["code"]: entry for entry in big.json()["codes"]}
    assert entries[LAST]["url"] == there
    assert big.json()["domains"][0]["url"] == "errors/big.html#err-domain-big"
    for name in ("big.part_399", "5399", "n/5399", "parts-big/big.part_399"):
        assert f'href="../../{"../" * name.count("/")}{there}"' in big.text(f"e/{name}/index.html")
    assert {there, "errors/big/3.html#err-big-part-398", "errors/big/1.html#err-big-part-2",
            "errors/big/1.html#err-big-first", "errors/big.html#err-domain-big"} <= {
        *links(big.text("index.html"))
    }  # fmt: skip
    assert there.removeprefix("errors/") in links(big.text("errors/index.html"))
    assert there in links(big.text("err-codes.html"))
    index = big.search_index()
    [[at, anchor, is_main]] = [index["indexentries"][name][0] for name in (LAST,)]
    assert (index["docnames"][at], anchor, is_main) == ("errors/big/3", "err-big-part-399", True)
    assert index["docnames"][index["objects"]["big"][0][0]].startswith("errors/big/")


def test_the_parts_are_in_the_navigation(big: Built) -> None:
    """Below their domain, and nowhere else."""
    assert big.app is not None
    includes = big.app.env.toctree_includes
    assert includes["errors/big"] == ["errors/big/1", "errors/big/2", "errors/big/3"]
    assert includes["errors/index"] == ["errors/big"]


def test_a_domain_may_grow_and_shrink_over_the_limit(tmp_path: Path) -> None:
    """What changed is read, what is gone is gone, and the site is what a clean build makes."""
    site = site_of(tmp_path, PER_PAGE, "parts-grow")
    whole = site.build()
    assert 'class="errkit-code' in whole.text("errors/big.html")
    before = state(whole)
    built = whole
    for count, read in (
        (PER_PAGE + 1, ["errors/big", "errors/big/1", "errors/big/2", "errors/index"]),
        (PER_PAGE + 2, ["errors/big", "errors/big/2", "errors/index"]),
    ):
        site.write("machine.py", source(count, "parts-grow"))
        built = site.build()
        assert (sorted(built.read), built.warnings) == (read, [])
    split = state(built)
    shutil.rmtree(site.target)
    assert state(site.build()) == split
    site.edit("machine.py", "with *care*", "*slowly*")
    assert sorted(site.build().read) == ["errors/big", "errors/big/1"]
    site.write("machine.py", source(PER_PAGE, "parts-grow"))
    built = site.build()
    assert (sorted(built.read), built.warnings) == (["errors/big", "errors/index"], [])
    assert state(built) == before
    assert not (built.folder / "errors/big").exists()


def state(built: Built) -> dict[str, str]:
    """What a build must leave the same, whatever way it took: every page, and where things are."""
    paths = [*built.folder.rglob("*.html"), built.folder / "errors.json"]
    found = {str(path.relative_to(built.folder)): path.read_text("utf-8") for path in paths}
    return {**found, **{" ".join(key): address for key, address in built.inventory().items()}}


def test_whoever_writes_the_page_of_a_domain_decides(tmp_path: Path) -> None:
    """A page of the project holds all codes, and no page for a part appears; it comes back when that goes."""
    site = site_of(tmp_path, PER_PAGE + 1, "parts-own")
    site.write("errors/big.rst", "Ours\n====\n\n.. err:domain:: big\n")
    built = site.build()
    assert (built.warnings, sorted(built.read)) == ([], ["errors/big", "errors/index", "index"])
    assert 'id="err-big-part-150"' in built.text("errors/big.html")
    site.remove("errors/big.rst")
    built = site.build()
    assert built.warnings == []
    assert f"errors/big/2.html#err-big-part-{PER_PAGE}" == built.inventory()["err:code", "big.part_150"]


def test_on_one_page_of_all_no_anchor_stands_twice(tmp_path: Path) -> None:
    """There the codes themselves have them, and the rows none."""
    built = site_of(tmp_path, PER_PAGE + 1, "parts-single").build("singlehtml")
    assert built.warnings == []
    known = ids(built.text("index.html"))
    assert len(known) > PER_PAGE
    assert {anchor for anchor in known if known.count(anchor) > 1} == set()


@pytest.mark.full
def test_other_formats_and_processes(tmp_path: Path) -> None:
    """`-j 2` makes the same site; LaTeX has every code once."""
    site = site_of(tmp_path, PER_PAGE + 1, "parts-others")
    serial = site.run(target=tmp_path / "serial")
    parallel = site.run("html", "-j", "2", target=tmp_path / "parallel")
    assert state(parallel) == state(serial)
    tex = site.build("latex").text("site.tex")
    assert tex.count("label{\\detokenize{errors/big/2:err-big-part-150}}") == 1


def test_a_part_that_is_not_there_is_reported(tmp_path: Path) -> None:
    """With how many there are."""
    site = site_of(tmp_path, 2, "parts-none")
    site.write("index.rst", f"{INDEX}\n.. err:domain:: big\n   :part: 2\n")
    [warning] = site.build().warnings
    assert "domain big has 0 parts, and no part 2 [errkit.option]" in warning
