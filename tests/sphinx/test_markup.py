"""Prose becomes what docutils or MyST make of it, on any page; its faults are reported where it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from hypothesis import example, given, strategies as st
from sphinx.errors import ExtensionError

from errkit.catalog_file import FORMAT
from errkit.sphinx.markup import plain_paragraphs, text_paragraphs
from tests.sphinx.sites import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.sphinx.sites import Built

SAMPLES = Path(__file__).parent / "samples"


def by_docutils(text: str) -> list[nodes.Node]:
    """What docutils itself makes of a text."""
    settings = get_default_settings(Parser)
    settings.report_level = 5
    document = new_document("prose", settings)
    Parser().parse(text, document)
    return document.children


def shape(found: Sequence[nodes.Node]) -> list[object]:
    """Nodes as comparable data, with what they were written as and where."""
    return [
        (node.tagname, node.rawsource, node.line, shape(node.children))
        if isinstance(node, nodes.Element)
        else str(node)
        for node in found
    ]


PIECES = st.sampled_from(
    [
        "word", "Two words", "``code``", "``a b``", "``", "`", "*", "**", "_", "x_", "_x", "a_b", "|", "\\",
        ":", "::", ": ", "http://x.invalid", "a@b.invalid", ".", ",", "(", ")", "[1]_", "-", "- ", "1. ",
        "iv) ", "(a) ", "mix. ", "#. ", "..", ".. note::", "====",
        "\n", "\n\n", "\n   ", "  ", "\t", ">>> 1",
        "+---+", "/V", "--opt", '"', "'", "\u00e9", "\u2022 ",
        "\u2028", "\x0b", "\x00", "&", "<b>", "{x}", "%s", "$", "~", "^", "5008 has", "e.g. this", "Mr. X",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=8).map("".join))
@example("mix. of letters that are a Roman number")
@example("one\n   two, indented")
@example("Title\n=====")
@example("it ends ``so``s")
@example("x :term: y")
@example("(``a``) and ``b``, ``c``.")
@example("``\0``")
@example("``a\u2028b`` and ``c\td``")
def test_what_is_built_without_a_parser_is_what_docutils_builds(text: str) -> None:
    """Either the direct way gives up, or its nodes equal those of docutils, lines included."""
    plain = plain_paragraphs(text)
    if plain is not None:
        for line, paragraph in plain:
            paragraph.line = line + 1
        assert shape([paragraph for _, paragraph in plain]) == shape(by_docutils(text))


@pytest.mark.parametrize(
    "text",
    [
        "Nothing lies in the cart, so there is nothing to buy.",
        "The system answered ``ENOENT``: the file, or a folder, is not there.\n\nList it with ``ls -la``.",
        'Numbers such as 5008, names such as os.fs.not_found, and "quotes" (in brackets).',
    ],
)
def test_ordinary_prose_takes_the_direct_way(text: str) -> None:
    """The way that costs no parser is the one that most prose takes."""
    assert plain_paragraphs(text) is not None


def test_markup_in_prose_is_rendered(shop: Built) -> None:
    """Emphasis, literals, lists and roles in a docstring appear as such."""
    page = shop.text("errors/shop.cart.html")
    assert "<em>shared</em>" in page
    assert "<li><p>It may be a checkout.</p></li>" in page
    assert 'href="shop.pay.html#err-shop-pay-declined"' in page


FAULTY = '''\
from errkit.codes import code
from errkit.errors import CodedError
from errkit.registry import Registry
REGISTRY = Registry("faulty", markup="{markup}")
class FaultyError(CodedError, domain="faulty", title="Faulty", registry=REGISTRY):
    ONE = code("One")
    """Good.

    {first}
    """
    TWO = code("Two")
    """{second}"""
'''


def test_a_warning_about_prose_names_the_file_and_line_of_the_prose(tmp_path: Path) -> None:
    """Not the page that shows it, which nobody has written."""
    site = Site(tmp_path, 'errkit_registries = ["faulty"]\n')
    path = site.write(
        "faulty.py", FAULTY.format(markup="rst", first="Bad :nothing:`role`.", second="See :err:code:`x.y`.")
    )
    warnings = site.build().warnings
    assert len(warnings) == 2
    assert warnings[0].startswith(f"{path}:9: ERROR: Unknown interpreted text role")
    assert warnings[1].startswith(f"{path}:12: WARNING: no listed registry has the code 'x.y'")


def test_a_warning_about_markdown_prose_names_its_file_and_line(tmp_path: Path) -> None:
    """MyST alone would name the page. https://github.com/executablebooks/MyST-Parser/issues/967"""
    site = Site(tmp_path, 'errkit_registries = ["faulty"]\n')
    path = site.write(
        "faulty.py", FAULTY.format(markup="md", first="Bad {nothing}`role`.", second="[gone](#not-there)")
    )
    warnings = site.build().warnings
    assert len(warnings) == 2
    assert f"{path}:9: " in warnings[0]
    assert f"{path}:12: " in warnings[1]


@given(st.lists(PIECES, max_size=20).map(" ".join))
@example("one\n\n  two\n \t\n\nthree")
@example("\0 \n word")
def test_plain_text_is_paragraphs_and_literals(text: str) -> None:
    """Nothing else in it means anything: each character but whitespace and the marks of literals is shown.

    A null character is shown as the replacement character, as in Markdown.
    """
    found = [paragraph for _, paragraph in text_paragraphs(text)]
    kinds = {type(node) for paragraph in found for node in paragraph.children}
    assert kinds <= {nodes.Text, nodes.literal}
    shown = "".join(paragraph.astext() for paragraph in found)
    text = text.replace("\0", "\ufffd")
    assert re.sub(r"[\s`]", "", shown) == re.sub(r"[\s`]", "", text)
    lines = text.split("\n")
    for line, paragraph in text_paragraphs(text):
        assert paragraph.astext().split("\n")[0].strip()[:1] in lines[line] + "`"


def test_prose_in_plain_text_is_shown_as_it_is(tmp_path: Path) -> None:
    """Neither markup nor typographic quotes, in any format; a heading is text like any other."""
    text = 'A "quoted" *word* -- and `code`.\n\nNot a heading\n-------------\n\n:nothing:`here` <b>'
    codes = [{"code": "a.one", "title": "One", "description": text}]
    data = {"format": FORMAT, "markup": "text", "domains": [{"domain": "a", "codes": codes}]}
    site = Site(tmp_path, 'errkit_registries = ["plain.json"]\n')
    site.write("plain.json", json.dumps(data))
    built = site.build()
    assert built.warnings == []
    page = built.text("errors/a.html")
    assert "<p>A &quot;quoted&quot; *word* -- and <code" in page
    assert "<p>Not a heading\n-------------</p>" in page
    assert "<p>:nothing:<code" in page
    assert "&lt;b&gt;</p>" in page
    assert "Not a heading -------------" in re.sub(r"\s+", " ", site.build("text").text("errors/a.txt"))


def test_headings_of_foreign_texts_may_be_bold_lines(tmp_path: Path) -> None:
    """Whoever shows the texts of others can't rewrite them; nothing is reported then."""
    codes = [{"code": "a.one", "title": "One", "description": "## What\n\nText.\n\n### Why\n\nMore."}]
    data = {
        "format": FORMAT,
        "markup": "md",
        "headings": "bold",
        "domains": [{"domain": "a", "codes": codes}],
    }
    site = Site(tmp_path, 'errkit_registries = ["plain.json"]\n')
    site.write("plain.json", json.dumps(data))
    built = site.build()
    assert built.warnings == []
    page = built.text("errors/a.html")
    assert "<strong>What</strong>" in page
    assert "<strong>Why</strong>" in page


@pytest.mark.parametrize("suffix", ["json", "toml"])
@pytest.mark.parametrize("markup", ["rst", "md"])
def test_a_warning_about_prose_of_a_catalogue_file_names_the_line_of_its_code(
    tmp_path: Path, markup: str, suffix: str
) -> None:
    """A text in a file has no lines of its own there, so nothing is counted from them."""
    role = ":nothing:`x`" if markup == "rst" else "{nothing}`x`"
    reference = ":err:code:`x.y`" if markup == "rst" else "{err:code}`x.y`"
    text = f"One.\n\nTwo is {role}.\n\nHeading\n-------\n\nThree is {reference}."
    heads = {"registry": "faulty", "format": FORMAT, "markup": markup}
    facts = {"code": "a.one", "title": "One"}
    if suffix == "json":
        codes = [{**facts, "description": text}]
        lines = json.dumps({**heads, "domains": [{"domain": "a", "codes": codes}]}, indent=1)
    else:
        pairs = [f"{name} = {json.dumps(value)}" for name, value in heads.items()]
        pairs += ["[[domains]]", 'domain = "a"', "[[domains.codes]]"]
        pairs += [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
        lines = "\n".join([*pairs, f"description = '''\n{text}'''"])
    site = Site(tmp_path, f'errkit_registries = ["faulty.{suffix}"]\n')
    path = site.write(f"faulty.{suffix}", lines)
    line = next(at for at, each in enumerate(lines.split("\n"), 1) if "a.one" in each)
    warnings = site.build().warnings
    assert len(warnings) >= 3
    assert [each for each in warnings if not each.startswith(f"{path}:{line}: ")] == []


@pytest.mark.parametrize(("markup", "heading"), [("rst", "Heading\n    -------"), ("md", "## Heading")])
def test_a_heading_in_prose_is_refused_with_its_place(tmp_path: Path, markup: str, heading: str) -> None:
    """It would break the outline of the page. https://github.com/useblocks/sphinx-needs/issues/1336"""
    site = Site(tmp_path, 'errkit_registries = ["faulty"]\n')
    path = site.write(
        "faulty.py", FAULTY.format(markup=markup, first=heading + "\n\n    Below it.", second="Fine.")
    )
    built = site.build()
    assert len(built.warnings) == 1
    assert f"{path}:9: WARNING: prose has no headings, found 'Heading'" in built.warnings[0]
    assert "errkit.heading" in built.warnings[0]
    page = built.text("errors/faulty.html")
    assert "<strong>Heading</strong>" in page
    assert "Below it." in page


def test_markdown_prose_is_rendered_on_a_page_that_is_none(tmp_path: Path) -> None:
    """Emphasis, lists, tables, code and links; `myst_parser` need not be among the extensions."""
    built = Site(tmp_path, 'errkit_registries = ["notes"]\n').build()
    assert built.warnings == []
    page = built.text("errors/notes.html")
    assert "Nobody knows <em>where</em> it is" in page
    assert "<li><p>Ask around.</p></li>" in page
    assert "<td><p>sofa</p></td>" in page
    assert 'href="#err-notes-lost"' in page
    assert 'as <code class="literal notranslate">ls</code> shows it.' in page


def test_markdown_prose_makes_no_pages_of_markdown_files(tmp_path: Path) -> None:
    """A README.md of a project in reStructuredText stays what it was: no page."""
    site = Site(tmp_path, 'errkit_registries = ["notes"]\n')
    site.write("README.md", "# Read me\n")
    built = site.build()
    assert built.warnings == []
    assert not (built.folder / "README.html").exists()


def test_both_markups_work_on_a_page_in_markdown(tmp_path: Path) -> None:
    """A directive in a .md page shows codes of any registry. https://github.com/executablebooks/MyST-Parser/issues/150"""
    site = Site(
        tmp_path,
        'extensions.append("myst_parser")\nerrkit_registries = ["shop", "notes"]\nerrkit_pages = False\n',
    )
    site.remove("index.rst")
    site.write(
        "index.md",
        "# Site\n\n```{err:domain} shop.cart\n```\n\n```{err:domain} notes\n```\n\n"
        "```{err:domain} shop.pay\n```\n\n{err:code}`notes.lost`\n",
    )
    built = site.build()
    assert built.warnings == []
    page = built.text("index.html")
    assert "<em>shared</em>" in page
    assert "Nobody knows <em>where</em> it is" in page
    assert page.count('class="errkit-code') == 6


def test_the_body_of_a_directive_replaces_prose_in_the_markup_of_its_page(tmp_path: Path) -> None:
    """Whoever writes a page writes in the page's markup."""
    site = Site(tmp_path, 'extensions.append("myst_parser")\nerrkit_registries = ["shop"]\n')
    site.write("index.rst", "Site\n====\n\n.. toctree::\n\n   errors/index\n   one\n   two\n")
    site.write("one.rst", "One\n===\n\n.. err:code:: shop.cart.empty\n\n   In *reStructuredText*.\n")
    site.write("two.md", "# Two\n\n```{err:code} shop.cart.locked\nIn **Markdown**.\n```\n")
    built = site.build()
    assert built.warnings == []
    assert "In <em>reStructuredText</em>." in built.text("one.html")
    assert "In <strong>Markdown</strong>." in built.text("two.html")
    assert "nothing to buy" not in built.text("one.html")


def test_markdown_without_myst_names_the_extra(tmp_path: Path) -> None:
    """A face whose library is missing says which extra to install."""
    site = Site(tmp_path, 'errkit_registries = ["notes"]\n')
    site.edit(
        "conf.py", 'project = "Site"', 'import sys\nsys.modules["myst_parser"] = None\nproject = "Site"'
    )
    done = site.command("html")
    assert done.returncode == 2
    assert "[errkit.missing_extra]" in done.stderr
    assert "errkit[sphinx]" in done.stderr


def test_a_missing_registry_is_an_extension_error(tmp_path: Path) -> None:
    """What ends a build is the extension's error to Sphinx, with the coded error as its cause."""
    with pytest.raises(ExtensionError) as caught:
        Site(tmp_path, 'errkit_registries = ["nowhere.at.all"]\n').build()
    assert getattr(caught.value.__cause__, "code", "") == "errkit.bad_source"
