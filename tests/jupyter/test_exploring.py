"""What the explorer answers, without a browser: the same as `errkit list`, as HTML that nothing breaks."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, Registry, Secret, code
from errkit.catalogs.agent_core import REGISTRY as CORE
from errkit.explaining import Facets, pick
from errkit.jupyter import explorer, to_html
from errkit.jupyter.exploring import FACETS, Exploration
from errkit.jupyter.settings import SETTINGS
from errkit.testing import raises_code
from tests.jupyter.reading import Page

SHOP = Registry("explored", base_url="https://shop.example")
OTHER = Registry("explored_too")


class CartDetails(Details):
    token: Secret[str] = "PLANTED"


class CartError(CodedError, domain="x.cart", registry=SHOP):
    EMPTY = code("Cart is empty", CartDetails, public=True, hint="Add an item first.")
    SLOW = code("Cart did not answer", kind="transient")


class TillError(CodedError, domain="x.till", registry=SHOP):
    SHUT = code("Till is shut", kind="outcome")


class OwnError(CodedError, domain="own", registry=OTHER):
    ONE = code("One")


OTHER.include(SHOP)
BOTH = Exploration([SHOP, OTHER])
ANYTHING = st.none() | st.integers() | st.text(max_size=20) | st.sampled_from([[], {}, True, 0.5, ["x"]])
"""What JSON from a browser may hold where a text is asked for."""


def codes(asked: dict[str, Any]) -> list[str]:
    return [spec.code for spec in BOTH.specs(asked)]


def options(asked: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {each["name"]: dict(each["options"]) for each in BOTH.answer(asked).choices}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["x.cart.empty", "x.cart.slow", "x.till.shut", "own.one"]),
        ({"text": "cart is"}, ["x.cart.empty"]),
        ({"text": "add *shut"}, []),
        ({"domain": "x.cart", "kind": "transient"}, ["x.cart.slow"]),
        ({"domain": "x", "retry": "no"}, ["x.cart.empty", "x.till.shut"]),
        ({"alert": "no"}, ["x.till.shut"]),
        ({"audience": "public"}, ["x.cart.empty"]),
        ({"registry": "explored"}, ["x.cart.empty", "x.cart.slow", "x.till.shut"]),
    ],
)  # fmt: skip
def test_codes_are_found_by_text_and_facets(asked: dict[str, Any], found: list[str]) -> None:
    """All that is asked holds; a code that several registries have is there once."""
    assert codes(asked) == found
    page = Page(BOTH.answer(asked).rows)
    assert [text for text in found if text not in page.text] == []


def test_a_line_says_how_many_there_are() -> None:
    """Of how many, where something is asked."""
    said = [BOTH.answer(asked).said for asked in ({}, {"text": "cart"}, {"text": "nothing like it"})]
    assert said == ["4 codes", "2 of 4 codes", "No code is like that"]


def test_facets_count_what_they_would_leave() -> None:
    """Beside the other facets and the text, whatever is chosen in themselves; domains count those below."""
    found = options({"kind": "transient"})
    assert found["kind"] == {"terminal": 2, "transient": 1, "outcome": 1}
    assert found["domain"] == {"x": 1, "x.cart": 1}
    assert found["registry"] == {"explored": 1, "explored_too": 1}
    assert options({"text": "nothing like it", "kind": "transient"})["kind"] == {"transient": 0}


def test_a_facet_that_divides_nothing_is_left_out() -> None:
    """Unless something is chosen in it."""
    alone = Exploration([Registry("explored_none"), OTHER])
    assert "registry" not in [each["name"] for each in alone.answer({}).choices]
    assert "registry" in [each["name"] for each in alone.answer({"registry": "gone"}).choices]
    assert [each["name"] for each in BOTH.answer({}).choices] == list(FACETS)


def test_registries_are_live() -> None:
    """A code that is declared later is found."""
    registry = Registry("explored_later")
    exploration = Exploration([registry])
    assert exploration.answer({}).said == "No code is like that"

    class LaterError(CodedError, domain="later", registry=registry):
        ONE = code("One")

    assert exploration.answer({}).said == "1 code"
    assert "later.one" in exploration.card(0, LaterError.ONE)


def test_a_code_opens_to_the_card_that_it_has_everywhere() -> None:
    """With its hint; no secret is in it."""
    card = BOTH.card(0, "x.cart.empty")
    assert "Add an item first." in Page(card).text
    assert "PLANTED" not in card
    assert str(Exploration([SHOP]).card(0, "x.cart.slow")) in to_html(CartError.SLOW)


def test_rows_are_capped_and_the_rest_is_counted() -> None:
    """A hundred buttons at most."""
    rows = Exploration([CORE]).answer({}).rows
    assert (rows.count("<button"), "32 more codes" in rows) == (100, True)


@given(asked=st.dictionaries(st.sampled_from(["text", *FACETS]), ANYTHING))
def test_whatever_is_asked_is_answered(asked: dict[str, Any]) -> None:
    """What comes from a browser may be anything; what is found is what `errkit list` finds."""
    answer = BOTH.answer(asked)
    assert Page(answer.rows).elements <= {
        *("button", "code", "div", "p", "table", "tbody", "td", "th", "thead", "tr")
    }
    text = asked.get("text")
    if isinstance(text, str) and not asked.keys() - {"text"}:
        found = dict.fromkeys(spec.code for _, spec in pick([SHOP, OTHER], Facets(text=text[:200])))
        assert codes(asked) == list(found)


@given(place=ANYTHING, wanted=ANYTHING)
def test_whatever_asks_for_a_card_gets_a_card_or_nothing(place: object, wanted: object) -> None:
    """Also for a place or a code that nobody has."""
    assert BOTH.card(place, wanted) == ""
    assert BOTH.card(place, "own.one") in ("", BOTH.card(1, "own.one"))


def test_a_hostile_catalogue_is_text(evil: Registry) -> None:
    """In rows and cards."""
    exploration = Exploration([evil])
    for html in (exploration.answer({}).rows, exploration.card(0, "evil.x")):
        page = Page(html)
        assert page.links == []
        assert "<script>hacked=1</script>" in page.text
        assert not page.elements & {"script", "img", "a"}


# --- the widget ---------------------------------------------------------------------------------------------


def test_where_no_widget_runs_there_is_the_table() -> None:
    """Beside the widget, as HTML without a script and as text; in plain mode as text alone."""
    found = explorer(SHOP, text="cart", retry="yes")
    bundle, _ = found._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    for shown in (bundle["text/plain"], Page(bundle["text/html"]).text, repr(found)):
        assert "x.cart.slow" in shown
        assert "x.cart.empty" not in shown
    assert "<script" not in bundle["text/html"]
    SETTINGS.mode = "plain"
    try:
        assert set(found._repr_mimebundle_()) == {"text/plain"}
    finally:
        SETTINGS.reset()


def test_the_answer_follows_the_question() -> None:
    """Set by the browser or by a cell."""
    found = explorer(SHOP)
    assert found.said == "3 codes"
    found.asked = {"kind": "outcome"}
    assert (found.said, "x.till.shut" in found.rows) == ("1 of 3 codes", True)


def test_nothing_is_loaded_from_elsewhere() -> None:
    """Script and style sheet name no address."""
    found = explorer(SHOP)
    for text in (found._esm, found._css):
        assert "http" not in text
        assert "url(" not in text
        assert "import" not in text


def test_without_registries_all_that_errkit_ships_is_there() -> None:
    """Without a notebook."""
    found = explorer(domain="os.fs")
    assert "os.fs.not_found" in found.rows


def test_wrong_use_is_told() -> None:
    """What is missing, and what there is."""
    with pytest.raises(TypeError, match="looks through registries; found int"):
        explorer(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no facet 'colour', only registry, domain"):
        explorer(SHOP, colour="red")


def test_without_anywidget_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before the explorer is asked for."""
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "errkit.jupyter.widget")
    with raises_code("errkit.missing_extra", match=r"pip install 'errkit\[explorer\]'"):
        explorer(SHOP)
