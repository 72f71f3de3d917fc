"""What is known of a code, in words, whatever the face; those prove what it looks like."""

from __future__ import annotations

from typing import Any

from errkit import CodedError, Details, Reason, Registry, Secret, code
from errkit.codes import KINDS
from errkit.explaining import KIND_MEANINGS, address_of, explain, retired_address, tell, tell_retired
from errkit.lock import Retired

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


def test_every_kind_has_a_meaning() -> None:
    """In the order of the kinds."""
    assert tuple(KIND_MEANINGS) == KINDS


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


def test_what_was_taken_back_is_told() -> None:
    """As removed, with the version and what takes its place; no text of a lock steers a terminal."""
    item = Retired(
        registry="explained",
        code="cart.lost",
        number=12,
        title="Lost\x1b[2J",
        since="1.0",
        removed="2.0",
        replaced_by="cart.empty",
    )
    assert [text for text, _ in tell_retired(item)] == [
        "cart.lost  12",
        "Lost\\x1b[2J",
        "",
        "This code was removed in 2.0, and is never given away again.",
        "",
        "Hint: Use cart.empty instead.",
        "",
        "Registry:     explained",
        "Since:        1.0",
        "Removed:      2.0",
        "Replaced by:  cart.empty",
    ]
    bare = [text for text, _ in tell_retired(Retired(registry="explained", number=12))]
    assert bare[0] == "12"
    assert "This number was removed, and is never given away again." in bare


def test_a_page_has_an_address() -> None:
    """That of the declaration, of the registry, else of the project; none if nobody published one."""
    spec = CartError.EMPTY.spec
    assert address_of(spec) == ""
    assert address_of(spec, "https://e.example/") == "https://e.example/e/cart.empty/"
    assert address_of(spec, "https://e.example", registry="a") == "https://e.example/e/a/cart.empty/"
    assert dict(explain(spec, [SHOP], address="https://e.example/x").facts)["See"] == "https://e.example/x"
    item = Retired(registry="explained", number=12)
    assert (retired_address(item, ""), retired_address(item, "https://e")) == ("", "https://e/e/12/")
