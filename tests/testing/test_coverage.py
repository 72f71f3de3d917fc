"""Error-code coverage, as a project runs it: what counts, what does not, and what becomes of dead workers."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from errkit.testing.recording import FOLDER
from tests.testing.shop import ERRORS, NO_PROCESS, SETTINGS, make_shop, run_apart

if TYPE_CHECKING:
    from collections.abc import Mapping

pytest_plugins = "pytester"

MORE = (
    """    GONE = code(""",
    '''    ODD = code("Odd", hint="Look at it.")
    """Odd."""

    GONE = code(''',
)

TESTS = """
import os
import subprocess
import sys
import threading

import pytest

from errkit.testing import raises_code
from shop.errors import CartError


def test_raised():
    with raises_code(CartError.EMPTY):
        raise CartError.EMPTY(cart="c1")


def test_raised_again():
    with pytest.raises(CartError):
        raise CartError.EMPTY(cart="c2")


def test_built_only():
    CartError.GONE(cart="c1")
"""


def report(pytester: pytest.Pytester, *arguments: str) -> Mapping[str, Any]:
    """The JSON report of a run, for its only registry."""
    result = pytester.runpytest("--errkit-report=json:out.json", "-W", "error", *arguments)
    found: dict[str, Any] = json.loads((pytester.path / "out.json").read_text("utf-8"))
    [registry] = found.pop("registries")
    return {**found, **registry, "ret": result.ret}


def test_what_was_raised_and_by_which_tests(pytester: pytest.Pytester) -> None:
    """Raised codes with their tests; a code that was only built counts as never raised.

    The environment, by which children are told, is as it was afterwards: sessions may run in each other.
    """
    make_shop(pytester)
    pytester.makepyfile(test_it=TESTS)
    before = os.environ.get(FOLDER)
    found = report(pytester)
    assert os.environ.get(FOLDER) == before
    assert found["raised"] == {
        "shop.cart.empty": ["test_it.py::test_raised", "test_it.py::test_raised_again"]
    }
    assert found["never"] == ["shop.cart.gone"]
    assert found["percent"] == 50
    assert found["ret"] == 0


def test_the_table_says_what_is_missing(pytester: pytest.Pytester) -> None:
    """After the tests, with the place of each code that was never raised."""
    make_shop(pytester)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-coverage")
    method = "sys.monitoring" if sys.version_info >= (3, 12) else "tracebacks"
    result.stdout.fnmatch_lines(
        [
            f"errkit: coverage of codes by {method}",
            "*- error codes raised -*",
            "kiosk: 1 of 2 codes raised, 50 %",
            "  never    shop.cart.gone  shop?errors.py:*",
        ]
    )
    assert result.ret == 0


@pytest.mark.parametrize(("limit", "ret"), [("50", 0), ("50.1", 1)])
def test_too_few_fail_the_run(pytester: pytest.Pytester, limit: str, ret: int) -> None:
    """`--errkit-fail-under` needs no other option."""
    make_shop(pytester)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest(f"--errkit-fail-under={limit}")
    assert result.ret == ret
    said = f"FAIL: 1 of 2 codes raised are 50 %, less than the {limit} % of --errkit-fail-under"
    assert (said in result.outlines) is bool(ret)


def test_what_keeps_coverage_from_being_told_is_told(pytester: pytest.Pytester) -> None:
    """An exemption of a code that there is none of, and a report that can't be written, fail the run."""
    exempt = '\nexempt = [{ code = "shop.cart.gnoe", check = "coverage", reason = "Only in production." }]\n'
    make_shop(pytester, settings=SETTINGS + exempt)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-fail-under=50", "--errkit-report=md:.", "--errkit-report=json:out")
    result.stdout.fnmatch_lines(
        [
            "json report: *out",
            "FAIL: shop.cart.gnoe is exempt, and kiosk has *; did you mean *? (pyproject.toml: *exempt[[]0])",
            "--errkit-report: * can't be written: *",
        ]
    )
    assert "md report" not in result.stdout.str()
    assert result.ret == 1


def test_exempt_codes_do_not_count(pytester: pytest.Pytester) -> None:
    """`check = "coverage"` exempts a code; once it is raised, the exemption has to go."""
    exempt = '\nexempt = [{ code = "shop.cart.gone", check = "coverage", reason = "Only in production." }]\n'
    make_shop(pytester, settings=SETTINGS + exempt)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-fail-under=100", "--errkit", "--errkit-check=text")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["kiosk: 1 of 1 codes raised, 100 %, 1 exempt"])
    more = TESTS[TESTS.index("def test_raised()") :].partition("def test_raised_again")[0]
    more = more.replace("EMPTY", "GONE").replace("test_raised", "test_gone")
    pytester.makepyfile(test_it=TESTS + more)
    result = pytester.runpytest("--errkit-fail-under=100")
    result.stdout.fnmatch_lines(["FAIL: raised, and exempt from it: shop.cart.gone"])
    assert result.ret == 1


def test_one_of_several_registries_may_be_asked_for(pytester: pytest.Pytester) -> None:
    """`--errkit-cover` needs no other option; a name that no registry has fails the run, and says so."""
    make_shop(pytester)
    pytester.makeconftest(
        """
        from errkit import CodedError, Registry, code

        OTHERS = Registry("others")

        class OthersError(CodedError, domain="others", registry=OTHERS):
            ONE = code("One")

        def pytest_errkit_registries(config):
            return [OTHERS]
        """
    )
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-cover=kiosk")
    result.stdout.fnmatch_lines(["kiosk: 1 of 2 codes raised, 50 %"])
    result.stdout.no_fnmatch_line("others:*")
    result = pytester.runpytest("--errkit-cover=kisok")
    result.stdout.fnmatch_lines(["--errkit-cover: no registry is called kisok; did you mean kiosk[?]"])
    assert result.ret == 1


def test_what_the_kit_does_is_no_merit_of_the_suite(pytester: pytest.Pytester) -> None:
    """Generated checks, `RegistrySuite`, examples and drawn errors do not count, even if they are raised."""
    make_shop(pytester)
    pytester.makeconftest(
        """
        from errkit.checks import Check

        def find(spec, registry, context):
            try:
                raise getattr(spec.cls, spec.const)(cart="c1")
            except spec.cls:
                return ()

        def pytest_errkit_checks():
            return [Check(name="raising", about="Raises.", per="code", find=find)]
        """
    )
    pytester.makepyfile(
        test_it="""
        import pytest
        from hypothesis import given, settings

        from errkit.testing import RegistrySuite
        from errkit.testing.strategies import errors
        from shop.errors import REGISTRY, CartError


        class TestShop(RegistrySuite):
            registry = REGISTRY


        @settings(max_examples=10, database=None)
        @given(errors(CartError))
        def test_drawn(error):
            with pytest.raises(CartError):
                raise error


        def test_example(errkit_error):
            with pytest.raises(CartError):
                raise errkit_error
        """
    )
    assert report(pytester, "--errkit", *NO_PROCESS)["raised"] == {}


def test_threads_and_processes_count(pytester: pytest.Pytester) -> None:
    """A thread by itself, a process that says `record_raises()`; both for the test that started them."""
    make_shop(pytester, MORE)
    pytester.makepyfile(
        child="""
        from errkit.testing import record_raises

        record_raises()

        from shop.errors import CartError

        raise CartError.GONE(cart="c1")
        """,
        test_it="""
        import subprocess
        import sys
        import threading

        from shop.errors import CartError


        def throw():
            try:
                raise CartError.ODD()
            except CartError:
                pass


        def test_thread():
            thread = threading.Thread(target=throw)
            thread.start()
            thread.join()


        def test_process():
            assert subprocess.run([sys.executable, "child.py"], stderr=subprocess.DEVNULL).returncode == 1
        """,
    )
    assert report(pytester)["raised"] == {
        "shop.cart.odd": ["test_it.py::test_thread"],
        "shop.cart.gone": ["test_it.py::test_process"],
    }


@pytest.mark.parametrize("text", ["xml:out.xml", "json:", "out.json"])
def test_a_report_of_no_known_format_is_refused(pytester: pytest.Pytester, text: str) -> None:
    """Before any test runs."""
    make_shop(pytester)
    result = pytester.runpytest(f"--errkit-report={text}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--errkit-report: expected json:PATH or md:PATH, found *"])


def test_collecting_only_counts_nothing(pytester: pytest.Pytester) -> None:
    """No table, and no failure, where no test runs."""
    make_shop(pytester)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-fail-under=100", "--collect-only")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*codes raised*")


def test_settings_that_are_wrong_fail_the_run(pytester: pytest.Pytester) -> None:
    """Whoever asks for coverage and names no registry is told."""
    make_shop(pytester, settings="[tool.pytest.ini_options]\npythonpath = ['.']\n")
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest("--errkit-coverage")
    result.stdout.fnmatch_lines(["errkit: *tool.errkit.registries: names no registry;*"])
    assert result.ret == 1


def test_lines_of_the_project_are_not_hidden_from_coverage(pytester: pytest.Pytester) -> None:
    """With everything of errkit on, `--cov` still sees each line of the project's own modules."""
    pytest.importorskip("pytest_cov")
    make_shop(pytester)
    pytester.makepyfile(test_it=TESTS)
    counted = ["--errkit-coverage", "--cov=shop", "--cov-report=term"]
    result = run_apart(pytester, "--errkit", "--errkit-check=json", *counted, plugins=("pytest_cov",))
    assert "shop" in ERRORS
    result.stdout.fnmatch_lines(["shop?errors.py*100%"])
