"""The Markdown page, read by markdown-it as GitHub does and as MyST does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from errkit.catalogs import agent_core, harness
from errkit.exports import export
from errkit.exports.markdown import escape
from errkit.exports.view import one_line, view_of
from tests.exports.samples import HOSTILE, OUTLET, TRAPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.token import Token


def github(text: str) -> list[Token]:
    """As GitHub reads it, or nearly so."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def myst(text: str) -> list[Token]:
    """As MyST reads it, with everything switched on."""
    from myst_parser.mdit_to_docutils.base import DocutilsRenderer

    extensions = {
        "amsmath",
        "dollarmath",
        "colon_fence",
        "deflist",
        "substitution",
        "smartquotes",
        "strikethrough",
    }
    return create_md_parser(MdParserConfig(enable_extensions=extensions), DocutilsRenderer).parse(text)


def cells(tokens: list[Token]) -> list[list[str]]:
    """The plain text of each row of each table, without its head."""
    rows: list[list[str]] = []
    for number, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "td_open":
            children = tokens[number + 1].children or []
            allowed = {"text", "text_special", "code_inline"}
            assert {child.type for child in children} <= allowed, [child.type for child in children]
            rows[-1].append("".join(child.content for child in children))
    return [row for row in rows if row]


@pytest.mark.parametrize("read", [github, myst])
@pytest.mark.parametrize(
    "registry", [OUTLET, HOSTILE, agent_core.REGISTRY, harness.REGISTRY], ids=lambda each: each.name[:8]
)
def test_every_code_is_a_row(read: Callable[[str], list[Token]], registry: object) -> None:
    """With its title and its hint word for word, and no markup but literals."""
    from errkit import Registry

    assert isinstance(registry, Registry)
    rows = cells(read(export(registry, "markdown")))
    assert [row[0] for row in rows] == [spec.code for spec in registry]
    for row, code in zip(rows, view_of(registry, "markdown", "internal").codes, strict=True):
        said = "".join(row).replace("`", "")
        for text in (code.title, code.hint):
            assert squeezed(text) in squeezed(said)


def squeezed(text: str) -> str:
    """Without what literals and typography change."""
    for one, other in zip(
        "\u2018\u2019\u201c\u201d\u2026\u2013\u2014", ["'", "'", '"', '"', "...", "--", "---"], strict=True
    ):
        text = text.replace(one, other)
    return text.replace("`", "").replace(" ", "")


def test_columns_that_say_nothing_are_left_out() -> None:
    """Numbers and statuses stand where a code of the domain has one."""
    page = export(OUTLET, "markdown")
    assert "| Code | Number | Kind | HTTP status | Title | What to do |" in page
    assert "| Code | Kind | Title |\n" in page
    assert "| `outlet.cart.empty` | 61001 | terminal | 409 | Cart is empty (deprecated:" in page


def test_literals_stay_literal() -> None:
    """Between backquotes nothing is escaped but the bar, which would end the cell."""
    assert escape("run `a_b | c` *now*") == "run `a_b \\| c` \\*now\\*"
    [token] = [token for token in github(escape(one_line(TRAPS))) if token.type == "inline"]
    assert {child.type for child in token.children or []} <= {"text", "text_special", "code_inline"}
