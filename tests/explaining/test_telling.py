"""Looking up and explaining codes, whatever the face; those prove what it looks like."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Details, Reason, Registry, Secret, code
from errkit.codes import KINDS
from errkit.explaining import KIND_MEANINGS, clean, explain, find, tell, unknown

ANYTHING = st.text(st.characters(exclude_categories=()))
SHOP = Registry("explained")
OTHER = Registry("explained_too")


class CartDetails(Details):
    cart: str
    """The cart's
    id."""
    token: Secret[str] = "hunter2"


class CartError(CodedError, domain="cart", title="Cart", numbers=range(10, 20), registry=SHOP):
    EMPTY = code("Empty", CartDetails, number=10, hint="Fill it.", aliases=("E-CART",), retry_after=2,
                 reasons={"gone": Reason(title="Gone", hint="Wait.", retryable=True)})  # fmt: skip
    """It held ``nothing``."""


class BillError(CodedError, domain="bill", numbers=range(5, 15), registry=OTHER):
    TORN = code("Torn", number=10)


@given(text=ANYTHING)
def test_no_text_steers(text: str) -> None:
    """Controls, marks of writing direction and lone surrogates are written out; all else stays."""
    shown = clean(text)
    assert shown.isprintable() or not set(shown) & set("\n\r\x1b\x00\x9b\u202e\u2028")
    shown.encode()
    harmless = "".join(letter for letter in text if letter.isprintable())
    assert clean(harmless) == harmless
    assert clean(shown) == shown


@given(text=ANYTHING)
def test_lines_stay_lines(text: str) -> None:
    """With `lines`, the line breaks of a text are kept, and nothing else that steers."""
    shown = clean(text, lines=True)
    assert shown.count("\n") == text.count("\n")
    assert clean(shown.replace("\n", "")) == shown.replace("\n", "")


def test_every_kind_has_a_meaning() -> None:
    """In the order of the kinds."""
    assert tuple(KIND_MEANINGS) == KINDS


@pytest.mark.parametrize("wanted", ["cart.empty", "E-CART", "CART_EMPTY", "cart-empty", "e.cart"])
def test_a_code_is_found_by_any_of_its_names(wanted: str) -> None:
    """By code or alias, in whatever spelling."""
    assert find(wanted, [SHOP, OTHER]) == [(CartError.EMPTY.spec, [SHOP])]


def test_a_number_finds_every_match() -> None:
    """One code of each registry that has the number; a shared code once, with both its registries."""
    both = Registry("both").include(SHOP)
    found = find("10", [SHOP, OTHER, both])
    assert found == [(CartError.EMPTY.spec, [SHOP, both]), (BillError.TORN.spec, [OTHER])]


@pytest.mark.parametrize(
    ("wanted", "said", "near"),
    [
        ("cart.emtpy", "did you mean cart.empty?", ["cart.empty"]),
        ("19", "the number lies in the range of the domain 'cart' of explained", []),
        ("9" * 30, f"no code or number '{'9' * 30}' in explained, explained_too", []),
    ],
)
def test_what_is_unknown_is_told_with_what_may_be_meant(wanted: str, said: str, near: list[str]) -> None:
    """The error names what looks alike, or the range that the number lies in, and the hint of the face."""
    assert find(wanted, [SHOP, OTHER]) == []
    error = unknown(wanted, [SHOP, OTHER], hint="Look again.")
    assert (error.code, error.hint, error.details["near"]) == ("errkit.unknown_code", "Look again.", near)
    assert said in error.message


def test_all_that_is_known_is_told() -> None:
    """Prose, hint, facts, details without values of secrets, reasons; what is not said is not there."""
    found = explain(CartError.EMPTY.spec, [SHOP])
    facts: dict[str, Any] = dict(found.facts)
    assert (found.code, found.number, found.title, found.hint) == ("cart.empty", 10, "Empty", "Fill it.")
    assert found.prose == "It held ``nothing``."
    assert (facts["Domain"], facts["Retry"], facts["Retry after"]) == ("cart (Cart)", "no", "2 s")
    assert facts["Aliases"] == "E-CART"
    assert "Since" not in facts
    assert [(field.name, field.type, field.required, field.secret) for field in found.details] == [
        ("cart", "str", True, False),
        ("token", "str", False, True),
    ]
    assert found.details[0].description == "The cart's id."
    assert [(reason.name, reason.title, reason.retryable) for reason in found.reasons] == [
        ("gone", "Gone", True)
    ]
    assert "hunter2" not in repr(found)


def test_a_bare_code_has_no_prose_and_no_lines() -> None:
    """A code that declares its title alone."""
    found = explain(BillError.TORN.spec, [OTHER])
    assert (found.prose, found.hint, found.details, found.reasons) == ("", "", (), ())
    assert dict(found.facts)["Domain"] == "bill"


def test_an_explanation_is_told_in_words() -> None:
    """Code first, hint marked, then the facts; no text of a catalogue steers a terminal."""
    told = list(tell(explain(CartError.EMPTY.spec, [SHOP])))
    lines = [text for text, _ in told]
    assert told[0] == ("cart.empty  10", "code")
    assert ("Hint: Fill it.", "hint") in told
    assert lines[1:4] == ["Empty", "", "It held `nothing`."]
    assert lines[-5:] == [
        "Details:",
        "  cart: str  The cart's id.",
        "  token?: str, secret",
        "Reasons:",
        "  gone  Gone (retry: yes). Wait.",
    ]
    bad = explain(CodedError("x").spec, [SHOP])
    bad = type(bad)(**{**vars(bad), "title": "a\x1b[2J", "prose": "b\u202e\nc", "hint": "d\ne"})
    shown = [text for text, _ in tell(bad)]
    assert ("a\\x1b[2J" in shown, "b\\u202e\nc" in shown, "Hint: d\\ne" in shown) == (True, True, True)
