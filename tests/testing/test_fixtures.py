"""The fixtures, as a project's tests take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.testing.shop import CODES, make_shop

if TYPE_CHECKING:
    import pytest

pytest_plugins = "pytester"


def test_a_test_runs_once_for_each_code(pytester: pytest.Pytester) -> None:
    """`errkit_code` is the code itself; the ids are the codes, so they can be selected."""
    make_shop(pytester)
    pytester.makepyfile(
        """
        def test_title(errkit_code):
            assert errkit_code.spec.title.startswith("Cart")

        def test_error(errkit_error, errkit_code):
            assert errkit_error.code == errkit_code
            assert errkit_error.details == {"cart": "c1"}
            assert errkit_error.__notes__ and errkit_error.__cause__

        def test_error_alone(errkit_error):
            errkit_error.add_note("mine")
            assert len(errkit_error.__notes__) == 2
        """
    )
    result = pytester.runpytest("-v", "-W", "error")
    result.assert_outcomes(passed=6)
    for code in CODES:
        result.stdout.fnmatch_lines([f"*::test_error_alone[[]{code}[]] PASSED*"])
    pytester.runpytest("-k", "shop.cart.gone").assert_outcomes(passed=3, deselected=3)


def test_codes_of_several_registries_have_ids_of_their_own(pytester: pytest.Pytester) -> None:
    """A code that two registries have is told apart by the registry, under strict ids too."""
    make_shop(pytester)
    pytester.makeconftest(
        """
        from errkit import CodedError, Registry, code

        OTHER = Registry("other")

        class CartError(CodedError, domain="shop.cart", registry=OTHER):
            EMPTY = code("Cart is empty")

        def pytest_errkit_registries(config):
            return [OTHER]
        """
    )
    pytester.makepyfile("def test(errkit_code): pass")
    result = pytester.runpytest("-v", "-o", "strict_parametrization_ids=true")
    result.stdout.fnmatch_lines(
        ["*test[[]kiosk-shop.cart.empty]*", "*test[[]shop.cart.gone]*", "*test[[]other-shop.cart.empty]*"]
    )


def test_all_codes_at_once(pytester: pytest.Pytester) -> None:
    """`errkit_codes` is there for tests that compare codes with each other, in the order of declaration."""
    make_shop(pytester)
    pytester.makepyfile(f"def test(errkit_codes): assert errkit_codes == {CODES!r}")
    pytester.runpytest("-W", "error").assert_outcomes(passed=1)


def test_a_registry_to_play_with(pytester: pytest.Pytester) -> None:
    """What a test declares is gone after it, in the registries of the project and in the default one."""
    make_shop(pytester)
    pytester.makepyfile(
        """
        import pytest
        from errkit import REGISTRY, CodedError, code
        from shop.errors import REGISTRY as SHOP

        @pytest.mark.parametrize("again", range(2))
        def test_declaring(errkit_registry, again):
            assert errkit_registry is SHOP
            class OneError(CodedError, domain="one", registry=errkit_registry):
                A = code("A")
            class TwoError(CodedError, domain="two"):
                B = code("B")
            assert OneError.A in SHOP and TwoError.B in REGISTRY

        def test_afterwards():
            assert "one.a" not in SHOP and "two.b" not in REGISTRY
            assert "shop.cart.gone" in SHOP and "internal" in REGISTRY
        """
    )
    pytester.runpytest("-W", "error", "-p", "no:randomly").assert_outcomes(passed=3)


def test_without_settings_the_default_registry_is_there_to_play_with(pytester: pytest.Pytester) -> None:
    """A project that names no registry can still try declarations; it has no codes to run a test for."""
    pytester.makepyfile(
        """
        from errkit import REGISTRY

        def test_registry(errkit_registry):
            assert errkit_registry is REGISTRY

        def test_codes(errkit_codes):
            pass
        """
    )
    result = pytester.runpytest("-rfE")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["errkit: *tool.errkit.registries: names no registry; list the modules*"])
    pytester.makepyfile("def test(errkit_code): pass")
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*ERROR collecting*", "errkit: *names no registry;*"])
    assert "Traceback" not in result.stdout.str()


def test_another_process(pytester: pytest.Pytester) -> None:
    """An error goes there and comes back; one that hangs the other process fails the test in time."""
    make_shop(pytester)
    pytester.makepyfile(
        """
        import time
        import pytest
        from shop.errors import CartError

        def test_there_and_back(errkit_process):
            error = CartError.GONE("gone", cart="c1")
            found = errkit_process.revive(error)
            assert type(found) is CartError and found.details == {"cart": "c1"}

        class Hanging(CartError):
            def __reduce__(self):
                return time.sleep, (600,)

        def test_hanging(errkit_process):
            with pytest.raises(RuntimeError, match="did not answer within 2 seconds"):
                errkit_process.revive(Hanging("x"))
        """
    )
    pytester.runpytest("-W", "error", "--errkit-timeout=2").assert_outcomes(passed=2)


def test_the_inventory_of_the_site(pytester: pytest.Pytester) -> None:
    """Where the site is built, what it documents; else the test is skipped, and says why."""
    import zlib

    make_shop(pytester)
    pytester.makepyfile(
        """
        def test(errkit_inventory):
            assert errkit_inventory == {"kiosk:shop.cart.gone": "shop.cart.html#err-shop-cart-gone"}
        """
    )
    result = pytester.runpytest("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED * not run: `docs` is not set under *"])
    head = b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# zlib\n"
    line = "kiosk:shop.cart.gone err:code 1 shop.cart.html#err-shop-cart-gone -\n"
    (pytester.path / "objects.inv").write_bytes(head + zlib.compress(line.encode()))
    for where in ("objects.inv", "."):
        pytester.runpytest(f"--errkit-docs={where}").assert_outcomes(passed=1)


def test_hypothesis_has_nothing_to_say_against_them(pytester: pytest.Pytester) -> None:
    """Fixtures for property tests live as long as the session, or are parameters (hypothesis issue 3018)."""
    make_shop(pytester)
    pytester.makepyfile(
        """
        from hypothesis import given, strategies as st

        @given(st.text())
        def test_code(errkit_code, text):
            assert errkit_code(text, cart="c1").message == text

        @given(st.integers(0, 1))
        def test_codes(errkit_codes, errkit_process, which):
            assert errkit_process.revive(errkit_codes[which](cart="c1")).code == errkit_codes[which]
        """
    )
    pytester.runpytest("-W", "error").assert_outcomes(passed=3)
