"""`errkit explain`."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import variables

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_all_that_is_known_is_shown(errkit_here: Command) -> None:
    """Code, number, title, prose, hint and each fact that the code has; secrets have no value."""
    done = errkit_here("explain", "shop.cart.empty", "shop_errors")
    assert done.returncode == 0
    text = done.stdout
    assert text.startswith(
        "shop.cart.empty  1001\nCart is empty\n\nNothing is in the cart: `len(items) == 0`."
    )
    for line in (
        "Hint: Add an item first.",
        "Registry:     shop_errors",
        "Domain:       shop.cart (Cart)",
        "Kind:         terminal",
        "Retry:        no",
        "Alert:        yes",
        "Audience:     public",
        "HTTP status:  409",
        "Aliases:      E-CART",
        "  cart: str  The cart's id.",
        "  token?: str, secret",
        "  sold_out  Sold out (retry: yes). Wait.",
    ):
        assert line in text.splitlines()
    assert "shop_errors.py:" in text
    assert "hunter2" not in text


def test_rarer_facts_are_shown(errkit_here: Command) -> None:
    """Waiting time, versions, successor and address."""
    lines = errkit_here("explain", "1002", "shop_errors").stdout.splitlines()
    for line in (
        "Retry after:  1.5 s",
        "Since:        1.1",
        "Deprecated:   2.0",
        "Replaced by:  shop.cart.empty",
        "See:          https://example.com/slow",
    ):
        assert line in lines


@pytest.mark.parametrize(
    "wanted", ["shop.cart.empty", "1001", "E-CART", "SHOP_CART_EMPTY", " shop-cart-empty "]
)
def test_a_code_is_found_by_any_of_its_names(wanted: str, errkit_here: Command) -> None:
    """By code, number, alias, and in the spelling of an anchor or of a constant."""
    assert errkit_here("explain", wanted, "shop_errors").stdout.startswith("shop.cart.empty  1001\n")


def test_every_match_is_shown(errkit_here: Command) -> None:
    """A code that two registries declare is explained twice; one that two share, once."""
    found = json.loads(errkit_here("explain", "--json", "session_not_found").stdout)
    assert {(fact["registry"], fact["code"]) for fact in found} >= {("harness", "SESSION_NOT_FOUND")}
    twice = errkit_here("explain", "SESSION_NOT_FOUND").stdout
    assert twice.count("SESSION_NOT_FOUND\n") + twice.count("SESSION_NOT_FOUND  2001\n") == 2
    shared = errkit_here("explain", "1001", "a=shop_errors", "b=shop_errors").stdout
    assert shared.count("Cart is empty\n") == 1
    assert "Registry:     a, b\n" in shared


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("shop.cart.emtpy", "did you mean shop.cart.empty"),
        ("1050", "the number lies in the range of the domain 'shop.cart' of shop_errors"),
        ("99999999999999999999999999", "no code or number"),
        ("nothing like it", "in shop_errors"),
    ],
)
def test_an_unknown_code_ends_with_1(wanted: str, said: str, errkit_here: Command) -> None:
    """The failure is coded, and says what looks alike or where a number would belong."""
    done = errkit_here("explain", wanted, "shop_errors")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("[errkit.unknown_code]")
    assert said in done.stderr
    assert "Hint: " in done.stderr


def explained(folder: Path, text: str | bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What `errkit explain -` says to a text."""
    done = subprocess.run(
        [sys.executable, "-m", "errkit", "explain", "-", "shop_errors", *arguments],
        cwd=folder,
        env=variables(),
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


TRACEBACK = """Traceback (most recent call last):
  File "pay.py", line 1001, in pay
    raise CartError.EMPTY(cart="c1", token="hunter2")
shop_errors.CartError: nothing to check out
"""


def test_a_pasted_text_is_explained(folder: Path) -> None:
    """Each code of a traceback, a message or a payload, once, with the line that names it first."""
    done = explained(folder, TRACEBACK)
    assert done.returncode == 0
    assert done.stdout.startswith("shop.cart.empty  1001\n")
    assert done.stdout.endswith("\nFound:        once, on line 3\n")
    assert "hunter2" not in done.stdout + done.stderr


def test_a_log_is_explained_with_counts(folder: Path, errkit_here: Command) -> None:
    """A file of NDJSON, as text and as JSON; the arguments are items then."""
    record = json.dumps({"code": "shop.cart.slow", "message": "password=hunter2", "number": 1002})
    lines = ["{}", record, record, json.dumps({"code": "shop.cart.empty"}), ""]
    (folder / "app.ndjson").write_text("\n".join(lines), "utf-8")
    done = errkit_here("explain", "--log", "app.ndjson", "shop_errors")
    assert done.stdout.index("shop.cart.slow  1002") < done.stdout.index("shop.cart.empty  1001")
    assert "Found:        on 2 lines, first on line 2\n" in done.stdout
    told = json.loads(errkit_here("explain", "--json", "--log", "app.ndjson", "shop_errors").stdout)
    assert [(fact["code"], fact["lines"], fact["first_line"]) for fact in told] == [
        ("shop.cart.slow", 2, 2),
        ("shop.cart.empty", 1, 4),
    ]
    assert "hunter2" not in done.stdout + json.dumps(told)


def test_codes_of_a_text_that_nobody_knows_are_told(folder: Path) -> None:
    """What is known is explained all the same; the exit code is 1."""
    done = explained(folder, '{"code": "shop.cart.emtpy", "message": "x"}\nshop.cart.slow\n')
    assert done.returncode == 1
    assert done.stdout.startswith("shop.cart.slow  1002\n")
    assert "did you mean shop.cart.empty" in done.stderr
    done = explained(folder, '{"code": "shop.cart.emtpy"}', "--json")
    assert (done.stdout, json.loads(done.stderr)["code"]) == ("[]\n", "errkit.unknown_code")


@pytest.mark.parametrize("text", ["", "nothing", "\x00\x1b[2J\n" * 3, b"\xff\xfe\x00"])
def test_a_text_without_codes_ends_with_1(text: str | bytes, folder: Path) -> None:
    """It says so, and shows nothing of the text."""
    done = explained(folder, text)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("[errkit.unknown_code] no code stands in the input\nHint: ")
    assert "\x1b" not in done.stderr


def test_a_message_may_be_an_argument(errkit_here: Command) -> None:
    """What errkit said of an error is understood as a whole."""
    done = errkit_here("explain", "[shop.cart.empty] nothing to check out", "shop_errors")
    assert done.stdout.startswith("shop.cart.empty  1001\n")


LOCK = """{"format": "errkit.lock/1", "facts": [
["registry", "code", "fact", "name", "value"]
], "retired": [
["registry", "code", "number", "anchor", "title", "since", "removed", "replaced_by"]
,["shop_errors", "shop.cart.gone", 1003, "err-shop-cart-gone", "Cart is gone", "1.0", "2.0", "E-CART"]
]}
"""


def test_removed_codes_are_explained(folder: Path, errkit_here: Command) -> None:
    """The lock knows what they were, since when they are gone, and what takes their place."""
    (folder / "errors.lock.json").write_text(LOCK, "utf-8")
    for wanted in ("shop.cart.gone", "1003", "SHOP_CART_GONE", "E1003"):
        done = errkit_here("explain", wanted, "shop_errors")
        assert done.returncode == 0
        assert done.stdout.startswith("shop.cart.gone  1003\nCart is gone\n\nThis code was removed in 2.0, ")
        assert "Hint: Use E-CART instead." in done.stdout
    [told] = json.loads(errkit_here("explain", "1003", "shop_errors", "--json").stdout)
    assert (told["code"], told["retired"], told["replaced_by"]) == ("shop.cart.gone", True, "E-CART")
    assert "removed in 2.0" in explained(folder, "[shop.cart.gone] oh").stdout


def test_a_broken_lock_hides_removed_codes_only(folder: Path, errkit_here: Command) -> None:
    """It is named, and codes that live are explained."""
    (folder / "errors.lock.json").write_text("{", "utf-8")
    done = errkit_here("explain", "1001", "shop_errors")
    assert done.returncode == 0
    assert done.stderr.startswith("removed codes are not known: ")


def test_the_page_has_an_address(folder: Path, errkit_here: Command) -> None:
    """`--web` prints where the page of a code is, and says what is missing where nobody published one."""
    done = errkit_here("explain", "1001", "shop_errors", "--web")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("[errkit.bad_config]")
    assert "base_url" in done.stderr
    (folder / "pyproject.toml").write_text("[tool.errkit]\nbase_url = 'https://e.example/'\n")
    (folder / "errors.lock.json").write_text(LOCK, "utf-8")
    for wanted, address in (
        ("1001", "https://e.example/e/shop.cart.empty/"),
        ("1002", "https://example.com/slow"),
        ("1003", "https://e.example/e/shop.cart.gone/"),
    ):
        assert errkit_here("explain", wanted, "shop_errors", "--web").stdout == f"{address}\n"
    assert errkit_here("explain", "1001", "a=shop_errors", "--web", "--json").stdout == (
        '[\n  "https://e.example/e/shop.cart.empty/"\n]\n'
    )
    assert (
        "See:          https://e.example/e/shop.cart.empty/"
        in errkit_here("explain", "1001", "shop_errors").stdout.splitlines()
    )


def test_at_a_terminal_the_page_is_opened(folder: Path, errkit_at_terminal: Command) -> None:
    """By the browser that the user has."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nbase_url = 'https://e.example'\n")
    browser = folder / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > opened.txt\n')
    browser.chmod(0o755)
    done = errkit_at_terminal("explain", "1001", "shop_errors", "--web", BROWSER=f"{browser} %s")
    assert "https://e.example/e/shop.cart.empty/" in done.stdout
    assert (folder / "opened.txt").read_text() == "https://e.example/e/shop.cart.empty/\n"
