"""Codes in a text that somebody pasted."""

from __future__ import annotations

import io
import time

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Registry, code
from errkit.explaining import Input
from errkit.explaining.mentions import Names, words_in
from errkit.lock import Retired

SHOP = Registry("mentioned")
OTHER = Registry("mentioned_too")


class CartError(CodedError, domain="shop.cart", numbers=range(1000, 1100), registry=SHOP):
    EMPTY = code("Cart is empty", number=1001, aliases=("E-CART",))
    SLOW = code("Cart is slow", number=1002)
    BUSY = code("Busy", code="busy", number=1003)


class BillError(CodedError, domain="bill", numbers=range(1000, 1100), registry=OTHER):
    TORN = code("Torn", code="BILL_TORN", number=1002)


NAMES = Names([SHOP, OTHER], [Retired(registry="mentioned", code="shop.cart.gone", number=1009)])


def words(line: str, *, first: bool = False) -> set[str]:
    """What a line names; with a question mark if nobody knows it."""
    return {word.name if word.known else f"{word.name}?" for word in words_in(line, NAMES, first=first)}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("failed with shop.cart.empty.", {"shop.cart.empty"}),
        ("(shop.cart.empty), E-CART; BILL_TORN", {"shop.cart.empty", "BILL_TORN"}),
        ("\x1b[31mshop.cart.empty\x1b[0m", {"shop.cart.empty"}),
        ("https://e.example/e/shop.cart.empty/", {"shop.cart.empty"}),
        ("https://e.example/errors/shop.cart/#err-shop-cart-empty", {"shop.cart.empty"}),
        ("https://e.example/e/1001/ and /e/n/1003", {"shop.cart.empty", "busy"}),
        ("    raise CartError.EMPTY(cart=c) from error", {"shop.cart.empty"}),
        ("    raise shop.errors.CartError.EMPTY", {"shop.cart.empty"}),
        ("shop.errors.CartError: Cart is empty", {"shop.cart.empty"}),
        ("  | CartError: Busy", {"busy"}),
        ("[busy] try again", {"busy"}),
        ("2026-11-30 app: [busy] try again", {"busy"}),
        ('{"code": "busy", "message": "x"}', {"busy"}),
        (r'"{\"code\":\"busy\"}"', {"busy"}),
        ("code=busy code: 1001", {"busy", "shop.cart.empty"}),
        ("error 1001, E1003, ERR-1001", {"shop.cart.empty", "busy"}),
        ('{"code": 1002}', {"1002"}),
        ("shop.cart.gone", {"shop.cart.gone"}),
        ("E1009", {"shop.cart.gone"}),
        ('{"code": "shop.cart.nope", "message": "x"}', {"shop.cart.nope?"}),
    ],
)
def test_a_code_is_seen_where_it_can_be_nothing_else(line: str, found: set[str]) -> None:
    """As a word, behind a key, in brackets, in an address, in a traceback, by number, once it was removed."""
    assert words(line) == found


@pytest.mark.parametrize(
    "line",
    [
        "the line was busy",
        "shop.cart.empty_too xshop.cart.empty shop.cart.empty.json my-shop.cart.empty",
        "1001 items on port 1003, line 1001 of 1009",
        "exit code 1001; status code: 1001; exit_code=1001",
        "[INFO] [main] [my.logger] hello",
        "BillError: Cart is empty",
        '{"code": "ENOENT"}, zip code: 90210',
        "",
        "\x00\xff\ufffd",
    ],
)
def test_other_words_are_no_codes(line: str) -> None:
    """English, longer names, bare numbers, exit codes and names of loggers are left alone."""
    assert words(line) == set()


def test_a_message_begins_with_its_code() -> None:
    """What stands in brackets at the very beginning is a code, also one that nobody knows."""
    assert words("[shop.cart.nope] no", first=True) == {"shop.cart.nope?"}
    assert words("[shop.cart.nope] no") == set()
    assert words("[INFO] no", first=True) == set()


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Nothing in it is a failure, and what is known is a code."""
    for word in words_in(text, NAMES, first=True):
        assert not word.known or word.name in {*SHOP.codes, *OTHER.codes, "shop.cart.gone", "1002"}


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))), st.integers(0, 100))
def test_an_input_gives_its_lines_up_to_a_limit(lines: list[str], limit: int) -> None:
    """Numbered from 1, in order, whatever bytes there are; it says whether something is left."""
    data = "\n".join(lines).encode()
    given_ = Input(io.BytesIO(data), limit)
    read = list(given_)
    assert [number for number, _ in read] == list(range(1, len(read) + 1))
    if limit > len(data):
        assert "".join(text for _, text in read).encode() == data
    assert given_.cut == (limit < len(data) or (limit == 0 and bool(data)))


def test_a_long_line_hides_no_code() -> None:
    """It comes in pieces that overlap, so a code on the cut is whole in one of them."""
    for shift in range(15):
        data = b"x" * (1024 * 1024 - shift) + b" shop.cart.empty " + b"y" * 100
        read = list(Input(io.BytesIO(data)))
        assert {number for number, _ in read} == {1}
        assert set().union(*(words(text) for _, text in read)) >= {"shop.cart.empty"}


def test_time_grows_with_the_text_alone() -> None:
    """No line makes reading slow: four times as much takes no more than some eight times as long."""
    for part in ("a", "a.", "a.b:", " ", "code ", "[[", "e", "-", "E1", "x|", "error ", "\x1b["):
        small, large = (seconds(part * (count // len(part))) for count in (50_000, 200_000))
        assert large < 8 * small + 0.1, part


def seconds(line: str) -> float:
    began = time.process_time()
    words(line)
    return time.process_time() - began
