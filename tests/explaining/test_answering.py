"""What a question is answered with, be it a code or a log."""

from __future__ import annotations

import json

from errkit import CodedError, Registry, code, dumps, format_error
from errkit.explaining import answer, answer_text
from errkit.lock import Retired

SHOP = Registry("answered")
TWIN = Registry("answered_too")


class CartError(CodedError, domain="shop.cart", numbers=range(1000, 1100), registry=SHOP):
    EMPTY = code("Cart is empty", number=1001)
    SLOW = code("Cart is slow", number=1002)


class TwinError(CodedError, domain="shop.cart", registry=TWIN):
    EMPTY = code("Another cart is empty")


BOTH = [SHOP, TWIN]
GONE = [Retired(registry="answered", code="shop.cart.gone", number=1009)]


def test_a_code_has_one_answer() -> None:
    """With every registry's match, or with none where nobody knows it."""
    [found] = answer("shop.cart.empty", BOTH)
    assert [(spec.title, owners) for spec, owners in found.matches] == [
        ("Cart is empty", [SHOP]),
        ("Another cart is empty", [TWIN]),
    ]
    assert (found.known, found.lines) == (True, 0)
    [unknown] = answer("what?", BOTH)
    assert (unknown.known, unknown.wanted) == (False, "what?")
    [gone] = answer("1009", BOTH, GONE)
    assert (gone.known, gone.retired) == (True, tuple(GONE))


def test_a_message_is_answered_like_a_text() -> None:
    """What errkit itself says of an error names its code, and so does its payload."""
    error = CartError.SLOW("slow, see shop.cart.empty")
    for text in (format_error(error), dumps(error)):
        assert [found.wanted for found in answer(text, [SHOP])] == ["shop.cart.slow", "shop.cart.empty"]


def test_a_log_is_answered_once_a_code() -> None:
    """A code, its number and its constant are one; lines are counted, not words."""
    lines = [
        json.dumps({"code": "shop.cart.slow", "number": 1002, "message": "shop.cart.slow"}),
        "raise CartError.SLOW()",
        "nothing",
        "E1002 and E1009",
        '{"code": "shop.nope"}',
    ]
    found = answer_text(enumerate(lines, 1), BOTH, GONE)
    assert [(each.wanted, each.known, each.lines, each.first) for each in found] == [
        ("shop.cart.slow", True, 3, 1),
        ("shop.cart.gone", True, 1, 4),
        ("shop.nope", False, 1, 5),
    ]


def test_strangers_are_bounded() -> None:
    """A text may name any number of codes that nobody knows; so many are told, and all that are known."""
    lines = [f'{{"code": "no.such_{number}"}}' for number in range(1000)]
    found = answer_text(enumerate([*lines, "shop.cart.slow"], 1), BOTH)
    assert len(found) == 101
    assert found[-1].wanted == "shop.cart.slow"


def test_pieces_of_one_line_count_once() -> None:
    """A long line comes in pieces with one number."""
    [found] = answer_text([(1, "shop.cart.slow"), (1, "shop.cart.slow"), (2, "shop.cart.slow")], [SHOP])
    assert (found.lines, found.first) == (2, 1)
