"""HTML from data: whatever the data says, the page stays well formed and shows exactly that."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from sphinx.highlighting import PygmentsBridge

from errkit.codes import KINDS
from errkit.sphinx import html
from errkit.sphinx.labels import COLUMNS
from errkit.sphinx.rows import Badges, CodeRow
from tests.sphinx.samples.hostile import NASTY
from tests.sphinx.sites import Built, elements, section

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30) | st.sampled_from(
    [NASTY, "", "``", "`"]
)
FIELDS = st.fixed_dictionaries(
    {
        "name": TEXT,
        "type": TEXT,
        "required": st.booleans(),
        "default": st.none() | TEXT,
        "secret": st.booleans(),
        "description": TEXT,
    }
)
REASONS = st.fixed_dictionaries(
    {"name": TEXT, "title": TEXT, "hint": TEXT, "retryable": st.none() | st.booleans()}
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
PLACES = st.fixed_dictionaries(
    {"name": TEXT, "at": st.lists(TEXT, min_size=2, max_size=2), "source_url": TEXT}
)
FORMS = st.tuples(TEXT, JSON) | st.tuples(st.just("python"), st.lists(st.tuples(TEXT, TEXT)))
CODES = st.fixed_dictionaries(
    {
        "registry": TEXT,
        "http_status": st.none() | st.integers(), "retry_after": st.none() | st.floats(0, 1e6), "since": TEXT,
        "deprecated": TEXT, "replaced_by": TEXT, "aliases": st.lists(TEXT, max_size=2), "docs": TEXT,
        "declared": TEXT, "class": st.just([]) | st.lists(TEXT, min_size=2, max_size=2),
        "raised": st.lists(PLACES, max_size=12), "source_url": TEXT, "edit_url": TEXT,
        "fields": st.lists(FIELDS, max_size=2),
        "reasons": st.lists(REASONS, max_size=2), "example": st.none() | JSON,
        "forms": st.lists(FORMS, max_size=2),
    }
)  # fmt: skip
BADGES = st.builds(
    Badges,
    number=st.none() | st.integers(),
    kind=st.sampled_from(KINDS),
    since=TEXT,
    deprecated=TEXT,
    replaced_by=TEXT,
    registry=TEXT,
)
ROWS = st.builds(CodeRow, registry=TEXT, domain=TEXT, code=TEXT, title=TEXT, kind=st.sampled_from(KINDS))
TAGS = {
    "a", "br", "caption", "code", "dd", "div", "dl", "dt", "fieldset", "input", "label", "legend", "p", "pre",
    "span", "strong", "table", "tbody", "td", "th", "thead", "tr",
}  # fmt: skip


def somewhere(kind: str, registry: str, name: str) -> str | None:
    """An address made of the names themselves."""
    return f"page.html?{kind}&{registry}#{name}" if name else None


def same(text: str) -> str:
    """No translation."""
    return text


def line(text: str) -> str:
    """What is read of a line in which only literals are markup."""
    return "".join(part for _, part in html.spans(text))


def cells(page: str) -> list[str]:
    """The texts of all table cells."""
    return [element.text for element in elements(page) if element.tag == "td"]


@given(BADGES, CODES)
def test_facts_of_any_data_are_well_formed_and_hold_no_tag_of_the_data(
    badges: Badges, code: Mapping[str, Any]
) -> None:
    """Every tag is ours, every tag closes, and texts come out as they went in."""
    page = html.badges(badges) + html.deprecation(badges, somewhere) + html.facts(code, somewhere, same)
    found = elements(page)
    assert {element.tag for element in found} <= TAGS
    assert not any(name.startswith("on") for element in found for name in element.attributes)
    for reason in code["reasons"]:
        assert {reason["name"], reason["title"], line(reason["hint"])} <= set(cells(page))
    for field in code["fields"]:
        assert field["name"] in cells(page)


@given(ROWS)
def test_a_row_shows_its_texts_and_carries_what_to_filter_by(code: CodeRow) -> None:
    """A table of codes is as safe; its hooks hold the data unchanged."""
    page = html.codes_table([code], tuple(COLUMNS)[:10], somewhere, same, html.filter_hooks)
    shown = cells(page)
    assert shown[0] == code.code
    assert shown[2] == code.title
    row = next(
        element for element in elements(page) if element.tag == "tr" and "data-domain" in element.attributes
    )
    assert row.attributes["data-domain"] == code.domain
    assert row.attributes["data-registry"] == code.registry
    assert row.attributes["data-audience"] == ("public" if code.public else "internal")
    assert (
        "data-"
        not in html.codes_table([code], ("code",), somewhere, same, html.no_hooks).partition("<tbody>")[2]
    )


@given(JSON)
def test_a_json_block_reads_as_the_json_it_shows(value: Any) -> None:
    """The text of the block is the JSON that the standard library writes for the value."""
    [block] = [element.text for element in elements(html.json_block(value)) if element.tag == "pre"]
    assert json.loads(block) == value
    assert block.rstrip("\n") == json.dumps(value, indent=2, ensure_ascii=False)


def test_a_json_block_has_the_colours_of_pygments() -> None:
    """Keys, strings, numbers and constants carry the classes that every theme's style sheet knows."""
    value = {"key": "text", "whole": 1, "broken": 0.5, "flag": True, "none": None}
    ours = elements(html.json_block(value))
    theirs = elements(PygmentsBridge("html", "sphinx").highlight_block(json.dumps(value, indent=2), "json"))

    def coloured(found: list[Any]) -> list[tuple[str, str]]:
        kinds = ("nt", "s2", "mi", "mf", "kc")
        return [
            (each.attributes["class"], each.text) for each in found if each.attributes.get("class") in kinds
        ]

    assert coloured(ours) == coloured(theirs)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://example.invalid/a?b=c#d", True),
        ("http://example.invalid", True),
        ("mailto:a@b.invalid", True),
        ("javascript:alert(1)", False),
        (" https://x", False),
        ("data:text/html,x", False),
        ('https://x" onclick="y', False),
        ("/relative", False),
    ],
)
def test_only_addresses_of_the_web_become_links(address: str, safe: bool) -> None:
    """An address from data may not run anything."""
    assert html.safe_address(address) is safe


@given(st.text("ab`* ", max_size=20))
def test_literals_in_a_line_lose_nothing_but_their_marks(text: str) -> None:
    """Each piece is either plain or literal; no letter is lost, and plain pieces stand there as they were."""
    found = html.spans(text)
    assert all(part for _, part in found)
    assert re.sub("[` ]", "", "".join(part for _, part in found)) == re.sub("[` ]", "", text)
    assert all(part in text for _, part in found)


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("Run `app login`.", ["app login"]),
        ("Run ``app login``.", ["app login"]),
        ("Run `` `app` `` or `b`.", ["`app`", "b"]),
        ("`a` and ``b``", ["a", "b"]),
        ("one ` alone, two `` alone, three ```", []),
        ("*no* :role:`x` <b>", ["x"]),
        ("`", []),
        ("", []),
    ],
)
def test_single_and_double_backquotes_make_literals(text: str, literals: list[str]) -> None:
    """Whatever markup the prose is in: a hint is written for terminals, where nothing interprets it."""
    assert [part for literal, part in html.spans(text) if literal] == literals


def test_the_hostile_registry_shows_every_text_as_it_is(hostile: Built) -> None:
    """Data is never read as markup. https://github.com/click-contrib/sphinx-click/issues/57"""
    page = section(hostile.text("errors/nasty.html"), "err-nasty-worst")
    found = elements(page)
    assert {element.tag for element in found} <= TAGS | {"section", "h2"}
    [heading] = [element for element in found if element.tag == "h2"]
    assert heading.text == f"nasty.worst {NASTY}\N{PILCROW SIGN}"
    [hint] = [element for element in found if element.attributes.get("class") == "errkit-hint"]
    assert hint.text == f"What to do {line(NASTY)}"
    assert [
        element for element in found if element.tag == "a" and element.attributes["href"].startswith("java")
    ] == []
    [payload] = [json.loads(element.text) for element in found if element.tag == "pre"]
    assert payload["hint"] == NASTY
    assert payload["details"]["more"] == "</pre></div>"
    assert {"<i>", NASTY, line(NASTY)} <= set(cells(page))


def test_the_hostile_registry_is_safe_on_every_page(hostile: Built) -> None:
    """The index, the contents lists, the short links and the tooltips hold no tag of the data either."""
    for path in [*hostile.folder.rglob("*.html")]:
        page = path.read_text("utf-8")
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path
        assert "javascript:alert" not in "".join(
            element.attributes.get("href", "") for element in elements(page)
        ), path


def test_a_planted_secret_is_on_no_page(shop: Built) -> None:
    """Neither as an example's value nor as a field's default, in no file of the site."""
    for path in [*shop.folder.rglob("*")]:
        if path.is_file():
            assert b"planted-secret-value" not in path.read_bytes(), path
    assert "[REDACTED]" in shop.text("errors/shop.cart.html")
