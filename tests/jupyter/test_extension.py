"""`%load_ext errkit` in a real kernel: tracebacks, cards, magics, completion, and a clean way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.jupyter.conftest import Kernel, Outputs

# --- tracebacks ---------------------------------------------------------------------------------------------


@pytest.fixture
def on(kernel: Kernel) -> Iterator[Kernel]:
    """The kernel, as it is after loading the extension."""
    yield kernel
    kernel.run("%errkit on")
    kernel.run("%xmode Context")


def hinted(found: Outputs) -> list[str]:
    """The last lines of a traceback: what errkit adds, and the summary."""
    return found.traceback[-4:]


EMPTY = [
    "Code: shop.cart.empty 1001",
    "Hint: Add an item first.",
    "See: https://shop.example/docs/e/shop.cart.empty/",
]


@pytest.mark.parametrize("mode", ["Context", "Minimal", "Verbose", "Plain", "Docs"])
def test_a_hint_stands_before_the_last_line(mode: str, on: Kernel) -> None:
    """In each mode of `%xmode` the summary stays last, where tools look for it."""
    on.run(f"%xmode {mode}")
    found = on.run("raise CartError.EMPTY('no item', cart='c7')")
    assert found.kinds == ["error"]
    assert hinted(found) == [*EMPTY, "CartError: no item"]
    # The traceback above is IPython's own.
    assert any("raise CartError.EMPTY" in line for line in found.traceback) == (mode != "Minimal")


def test_a_failure_after_await_has_its_hint(on: Kernel) -> None:
    """Cells that await are run in another way, and end in the same."""
    found = on.run("import asyncio", "await asyncio.sleep(0)", "raise CartError.EMPTY(cart='c7')")
    assert hinted(found) == [*EMPTY, "CartError: Cart is empty"]


def test_the_hint_of_a_reason_or_of_the_throw_site_wins(on: Kernel) -> None:
    """What is said of this one failure is shown."""
    assert "Hint: Wait." in on.run("raise CartError.EMPTY(cart='c', reason='sold_out')").traceback
    assert "Hint: Mine." in on.run("raise CartError.SLOW().override(hint='Mine.')").traceback


def test_no_secret_is_in_a_traceback(on: Kernel) -> None:
    """Neither from the message nor from the line of source that raised it, in any mode."""
    for mode in ("Context", "Verbose"):
        on.run(f"%xmode {mode}")
        on.run("password = ''.join(['PLAN', 'TED'])")
        found = on.run("raise CartError.SLOW(f'password={password} token=PLANTED')")
        assert found.traceback[-1] == "CartError: password=[REDACTED] token=[REDACTED]"
        assert "PLANTED" not in found.text


def test_no_color_means_no_colour(on: Kernel) -> None:
    """With NO_COLOR not one escape is left in a coded traceback; without it there are some."""
    on.run("import os; os.environ['NO_COLOR'] = '1'")
    plain = on.run("raise CartError.EMPTY(cart='c7')")
    on.run("del os.environ['NO_COLOR']")
    coloured = on.run("raise CartError.EMPTY(cart='c7')")
    assert (plain.coloured == plain.text, coloured.coloured == coloured.text) == (True, False)
    assert plain.traceback[-4:] == coloured.traceback[-4:]


def test_a_cause_with_a_code_gets_a_card(on: Kernel) -> None:
    """The traceback of an error without a code is IPython's; the code among its causes is shown below it."""
    found = on.run("raise KeyError('k') from CartError.EMPTY('no item', cart='c7')")
    assert found.kinds == ["error", "display_data"]
    assert "Caused by: [shop.cart.empty] no item" in found.text
    assert "Add an item first." in found.html


def test_a_group_gets_a_card(on: Kernel) -> None:
    """IPython prints groups by itself, without an error output; each coded member is on the card."""
    found = on.run(
        "raise ExceptionGroup('two', [CartError.SLOW(), ExceptionGroup('in', [CartError.EMPTY(cart='c')])])"
    )
    assert found.kinds[-1] == "display_data"
    assert "shop.cart.slow" in found.html
    assert "shop.cart.empty" in found.html


def test_failures_without_a_code_are_left_alone(on: Kernel) -> None:
    """No card, no hint."""
    for cell in ("1 / 0", "raise ExceptionGroup('g', [ValueError('v')])", "1 +"):
        assert "display_data" not in on.run(cell).kinds
        assert "Hint:" not in on.seen[-1].text


# --- %errkit ------------------------------------------------------------------------------------------------


def test_off_shows_what_ipython_shows(on: Kernel) -> None:
    """Neither hints nor cards."""
    on.run("%errkit off")
    assert "Hint:" not in on.run("raise CartError.EMPTY(cart='c7')").text
    assert on.run("raise KeyError('k') from CartError.EMPTY(cart='c7')").kinds == ["error"]


def test_cards_adds_a_card_to_each_coded_failure(on: Kernel) -> None:
    """Under the hint stands what the hint has no room for."""
    on.run("%errkit cards")
    found = on.run("raise CartError.EMPTY('no item', cart='c7')")
    assert found.kinds == ["error", "display_data"]
    assert hinted(found)[:3] == EMPTY
    assert "<code>c7</code>" in found.html


def test_plain_is_text_alone(on: Kernel) -> None:
    """Reprs, magics and cards have no HTML."""
    on.run("%errkit plain")
    for cell in ("SHOP", "CartError.EMPTY", "%explain 1001", "raise KeyError('k') from CartError.SLOW()"):
        found = on.run(cell)
        assert (found.html.strip(), found.text != "") == ("", True), cell


def test_errkit_alone_says_what_is_chosen(on: Kernel) -> None:
    """With a mark; a choice that does not exist is told in a line."""
    on.run("%errkit cards")
    assert "* cards" in on.run("%errkit").text
    found = on.run("%errkit loud")
    assert (found.kinds, "'loud' is none of on, off, cards, plain" in found.text) == (["stderr"], True)


# --- %explain and %errcodes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["shop.cart.empty", "1001", "E-CART", "SHOP_CART_EMPTY"])
def test_a_code_is_explained_by_any_of_its_names(wanted: str, kernel: Kernel) -> None:
    """Codes of a registry that stands in a variable are known, in whatever spelling."""
    found = kernel.run(f"%explain {wanted}")
    assert found.kinds == ["display_data"]
    assert found.text.startswith(
        "shop.cart.empty  1001\nCart is empty\n\nNothing is in the cart: `len(items)"
    )
    assert "What to do: </strong><span>Add an item first." in found.html
    assert 'href="https://shop.example/docs/e/shop.cart.empty/"' in found.html


def test_codes_that_errkit_ships_are_known(kernel: Kernel) -> None:
    """Without a project: errkit's own, the ready-made domains and the catalogues."""
    assert kernel.run("%explain os.fs.not_found").text.startswith("os.fs.not_found  12001")
    assert kernel.run("%explain SESSION_NOT_FOUND").text.count("SESSION_NOT_FOUND") > 1


def test_an_unknown_code_is_told_with_what_may_be_meant(kernel: Kernel) -> None:
    """As a failure with its hint, not as a traceback."""
    found = kernel.run("%explain shop.cart.emtpy")
    assert found.kinds == ["display_data"]
    assert "did you mean shop.cart.empty or shop.cart.slow?" in found.text
    assert "%errcodes" in found.text


RETIRED = """
from pathlib import Path
Path("pyproject.toml").write_text("[tool.errkit]\\n")
Path("errors.lock.json").write_text('''{"format": "errkit.lock/1", "facts": [
["registry", "code", "fact", "name", "value"]
], "retired": [
["registry", "code", "number", "anchor", "title", "since", "removed", "replaced_by"]
,["shop", "shop.cart.gone", null, "err-shop-cart-gone", "Cart is gone", "1.0", "2.0", "shop.cart.empty"]
]}''');
"""


def test_each_code_of_a_pasted_message_is_explained(kernel: Kernel) -> None:
    """Once, in its order; what else stands there is passed over."""
    found = kernel.run("%explain [shop.cart.slow] late (see shop.cart.empty, shop.cart.slow)")
    assert re.findall(r"^shop\S+", found.text, re.MULTILINE) == ["shop.cart.slow", "shop.cart.empty"]


def test_what_a_cell_prints_is_one_output(kernel: Kernel) -> None:
    """However many messages a kernel on a busy machine sends it in: each flush is one."""
    found = kernel.run("print('one', flush=True)", "import time; time.sleep(0.3)", "print('two', flush=True)")
    assert (found.kinds, found.text) == (["stdout"], "one\ntwo\n")


def test_a_removed_code_says_what_replaced_it(kernel: Kernel) -> None:
    """As the lock of the project tells; here and in a message."""
    assert kernel.run(RETIRED).text == ""
    try:
        for asked in ("shop.cart.gone", "[shop.cart.gone] no longer"):
            found = kernel.run(f"%explain {asked}")
            assert found.kinds == ["stdout"]
            assert "shop.cart.gone" in found.text
            assert "shop.cart.empty" in found.text
    finally:
        kernel.run("Path('errors.lock.json').unlink(); Path('pyproject.toml').unlink()", "%reload_ext errkit")


def test_the_last_failure_is_explained(kernel: Kernel) -> None:
    """What happened, then what the code means; for one without a code that is said."""
    kernel.run("raise CartError.EMPTY('no item', cart='c7')")
    found = kernel.run("%explain last")
    assert found.text.startswith("[shop.cart.empty] no item\nHint: Add an item first.")
    assert "\nNothing is in the cart" in found.text
    kernel.run("1 / 0")
    assert "ZeroDivisionError has no code" in kernel.run("%explain last").text


def test_codes_are_listed(kernel: Kernel) -> None:
    """By what `errkit list` takes, with the verdicts; several conditions hold together."""
    assert "shop.till.no_paper" in kernel.run("%errcodes shop").text
    both = kernel.run("%errcodes --domain shop.cart --kind transient")
    assert both.text.split("\n")[0] == "1 code"
    assert both.text.split("\n")[2].split()[:2] == ["shop.cart.slow", "1002"]
    assert "shop.cart.empty" in kernel.run("%errcodes *.cart.e*").text
    assert "shop.cart.empty" in kernel.run("%errcodes e-cart").text
    two = kernel.run("%errcodes cart add --kind terminal --kind transient --registry shop --public").text
    assert [line.split()[0] for line in two.splitlines()[2:]] == ["shop.cart.empty"]
    assert "shop.cart.slow" in kernel.run("%errcodes shop --retryable --internal").text
    assert "shop.till.no_paper" in kernel.run("%errcodes shop --not-retryable --internal").text
    assert kernel.run("%errcodes no.such.thing").text.startswith("No code is like that")
    assert "invalid choice" in kernel.run("%errcodes --kind loud").text


def test_a_magic_without_its_argument_says_what_is_missing(kernel: Kernel) -> None:
    """In one line."""
    assert "UsageError: say what to explain" in kernel.run("%explain").text
    assert "UsageError: say which code" in kernel.run("%%expect", "1").text


# --- %%expect -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wait", ["", "await asyncio.sleep(0)"], ids=["plain", "await"])
def test_an_expected_failure_becomes_a_card(wait: str, kernel: Kernel) -> None:
    """The cell passes; what it assigned stays; the failure can be explained."""
    kernel.run("import asyncio")
    found = kernel.run("%%expect shop.cart.empty", wait, "got = 5", "raise CartError.EMPTY('x', cart='c7')")
    assert found.kinds == ["display_data"]
    assert "<code>c7</code>" in found.html
    assert kernel.run("got").text == "5"
    assert kernel.run("del got", "%explain last").text.startswith("[shop.cart.empty] x")


@pytest.mark.parametrize("wait", ["pass", "await asyncio.sleep(0)"], ids=["plain", "await"])
def test_a_cell_that_does_not_fail_so_fails(wait: str, kernel: Kernel) -> None:
    """With a summary that says what was expected and what came; the magic itself is not in it."""
    kernel.run("import asyncio")
    assert kernel.run("%%expect shop.cart.empty", wait).traceback == [
        "NotAsExpected: shop.cart.empty was expected, and nothing was raised"
    ]
    found = kernel.run("%%expect 1001", wait, "raise CartError.SLOW('late, password=PLANTED')")
    assert found.traceback[0].endswith("shop.cart.empty was expected, and shop.cart.slow was raised")
    assert "PLANTED" not in found.text


def test_magics_and_syntax_errors_work_in_an_expected_cell(kernel: Kernel) -> None:
    """The cell is a cell like others."""
    found = kernel.run("%%expect shop.cart.slow", "%xmode Context", "raise CartError.SLOW()")
    assert found.kinds == ["stdout", "display_data"]
    assert "SyntaxError" in kernel.run("%%expect shop.cart.slow", "1 +").text


# --- the explorer -------------------------------------------------------------------------------------------


def test_the_explorer_answers_a_browser(kernel: Kernel) -> None:
    """What is typed there is found here, a code that is opened is sent, and junk is passed over."""
    kernel.run("from errkit.jupyter import explorer", "found = explorer(SHOP)")
    [shown] = kernel.run("found").outputs
    assert {"text/plain", "text/html"} < set(shown.data)
    model = shown.data["application/vnd.jupyter.widget-view+json"]["model_id"]
    kernel.tell_widget(model, method="update", state={"asked": {"text": "cart", "kind": "transient"}})
    assert kernel.run("print(found.said)").text == "1 of 3 codes\n"
    nothing: list[Any] = [7, ["place"], {"place": {}, "code": None}, {}]
    for junk in nothing:
        kernel.tell_widget(model, method="custom", content=junk)
    kernel.tell_widget(model, method="custom", content={"place": 0, "code": "shop.cart.empty"})
    while (heard := kernel.heard_from_widget())["code"] is None:
        assert heard["card"] == ""
    assert (heard["place"], heard["code"]) == (0, "shop.cart.empty")
    assert "Add an item first." in heard["card"]
    assert "PLANTED" not in heard["card"]


def test_the_explorer_knows_what_the_magics_know(kernel: Kernel) -> None:
    """Without a registry: those of the notebook and those that errkit ships."""
    found = kernel.run("found = explorer(text='no_paper'); found")
    assert "shop.till.no_paper" in found.text
    assert "<option" not in found.html
    kernel.run("found.asked = {'domain': 'os.fs'}")
    assert "os.fs.not_found" in kernel.run("found").text


# --- completion ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("%explain shop.ca", ["%explain shop.cart.empty", "%explain shop.cart.slow"]),
        ("%explain shop.cart.e", ["%explain shop.cart.empty"]),
        ("%explain las", ["%explain last"]),
        ("%%expect shop.ti", ["%%expect shop.till.no_paper"]),
        ("%errcodes --domain shop.", ["%errcodes --domain shop.cart", "%errcodes --domain shop.till"]),
        ("%errcodes --kind tran", ["%errcodes --kind transient"]),
        ("%errcodes cart --domain shop --registry sho", ["%errcodes cart --domain shop --registry shop"]),
        ("%errkit pl", ["%errkit plain"]),
    ],
)
def test_codes_are_completed(typed: str, offered: list[str], kernel: Kernel) -> None:
    """After the magics that take them, dots included."""
    assert kernel.complete(typed) == offered


def test_other_completion_is_untouched(kernel: Kernel) -> None:
    """Names are completed as before."""
    assert "CartError" in kernel.complete("CartErr")


# --- loading and unloading ----------------------------------------------------------------------------------

STATE = """
def state():
    shell = get_ipython()
    return (
        sorted(name for kind in shell.magics_manager.magics.values() for name in kind),
        len(shell.Completer.custom_matchers),
        len(shell.input_transformers_cleanup),
        len(shell.events.callbacks["post_run_cell"]),
        "_render_traceback_" in vars(CodedError),
    )
"""


def test_unloading_restores_all_and_loading_twice_is_loading_once(kernel: Kernel) -> None:
    """Magics, completion, transformers, events, tracebacks and the chosen mode."""
    kernel.run(STATE, "loaded = state()", "%errkit off")
    kernel.run("%reload_ext errkit", "%reload_ext errkit")
    kernel.run("import errkit; errkit.load_ipython_extension(get_ipython())")
    assert kernel.run("state() == loaded").text == "True"
    assert "* on" in kernel.run("%errkit").text
    kernel.run("%unload_ext errkit", "bare = state()")
    try:
        assert kernel.run(
            "[len(loaded[0]) - len(bare[0]), *(a - b for a, b in zip(loaded[1:], bare[1:]))]"
        ).text == ("[4, 1, 1, 1, 1]")
        assert "Hint:" not in kernel.run("raise CartError.EMPTY(cart='c')").text
        assert "not found" in kernel.run("%explain 1001").text
        # Reprs need no extension.
        assert "Add an item first." in kernel.run("CartError.EMPTY").html
        assert kernel.run("errkit.unload_ipython_extension(get_ipython())").text == ""
    finally:
        kernel.run("%load_ext errkit")
    assert kernel.run("state() == loaded").text == "True"


def test_no_planted_secret_is_in_any_output(kernel: Kernel) -> None:
    """Of all that the tests above have seen: defaults and examples of secret fields included."""
    for shown in ("SHOP", "CartError", "CartError.EMPTY.spec", "SHOP.to_frame()"):
        kernel.run(shown)
    kernel.run("error = CartError.EMPTY('key: sk-' + 'PLANTED' * 8, cart='c', token='PLANTED'); error")
    kernel.run(
        "import errkit.jupyter", "errkit.jupyter.show({'code': 'a', 'message': 'password=' + 'PLANTED'})"
    )
    seen = [found.text + found.html for found in kernel.seen]
    assert len(seen) > 15
    assert [text for text in seen if "PLANTED" in text] == []
