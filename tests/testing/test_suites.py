"""`RegistrySuite`: each check is an ordinary test, with or without the plugin."""

from __future__ import annotations

import re

import pytest

from errkit.checks import CHECKS
from errkit.testing import RegistrySuite
from tests.testing.shop import ALL, CODES, NO_PROCESS, NOT_RUN, QUICK, SETTINGS, make_shop

pytest_plugins = "pytester"

SKIPPED = sum(len(CODES) if check.per == "code" else 1 for check in CHECKS if check.name in NOT_RUN)

SUITE = """
from errkit.testing import RegistrySuite
from shop.errors import REGISTRY

class TestShop(RegistrySuite):
    registry = REGISTRY
"""


def test_there_is_a_test_for_each_check() -> None:
    """A new check is in the suite by itself; each test says what it proves."""
    for check in CHECKS:
        assert getattr(RegistrySuite, f"test_{check.name}").__doc__ == check.about


@pytest.mark.parametrize("plugin", ["errkit", "no:errkit"])
def test_each_check_of_each_code_is_a_test(pytester: pytest.Pytester, plugin: str) -> None:
    """The ids are the codes; the base itself is not collected; the plugin is not needed."""
    make_shop(pytester)
    pytester.makepyfile(test_shop=SUITE)
    flags = ["-p", plugin] if plugin == "no:errkit" else []
    result = pytester.runpytest("-v", "-W", "error", "--strict-markers", *flags)
    result.assert_outcomes(passed=ALL, skipped=SKIPPED)
    for code in CODES:
        result.stdout.fnmatch_lines([f"test_shop.py::TestShop::test_json[[]{code}[]] PASSED*"])
    assert "RegistrySuite" not in result.stdout.str()


def test_a_registry_may_be_named(pytester: pytest.Pytester) -> None:
    """Whatever an item of `registries` may be; here a module, elsewhere a catalogue file."""
    make_shop(pytester)
    pytester.makepyfile(SUITE.replace("registry = REGISTRY", 'registry = "shop.errors"'))
    result = pytester.runpytest("-W", "error", *NO_PROCESS)
    result.assert_outcomes(passed=QUICK, skipped=SKIPPED, deselected=len(CODES))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pass", "TestShop: say which registry it checks"),
        ('registry = "shop.eror"', "TestShop: *there is no module 'shop.eror'*"),
        (
            "registry = REGISTRY; exempt = (Exemption(code='shop.cart.empty', check='txet', reason='-'),)",
            "TestShop.exempt[[]0]: shop.cart.empty is exempt from txet, and no *; did you mean text?",
        ),
    ],
)
def test_a_suite_that_names_what_is_not_there_says_so(
    pytester: pytest.Pytester, line: str, said: str
) -> None:
    """When it is collected, with no traceback."""
    make_shop(pytester)
    head = "from errkit.config import Exemption\n"
    pytester.makepyfile(head + SUITE.replace("registry = REGISTRY", line))
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*ERROR collecting*", f"{said}*"])
    assert "Traceback" not in result.stdout.str()


def test_a_base_of_suites_may_say_that_it_is_none(pytester: pytest.Pytester) -> None:
    """What several suites share needs no registry; what derives from it is a suite again."""
    make_shop(pytester)
    base = "class Base(RegistrySuite):\n    __test__ = False\n\nclass TestShop(Base):"
    pytester.makepyfile(SUITE.replace("class TestShop(RegistrySuite):", base))
    pytester.runpytest("-k", "json").assert_outcomes(passed=len(CODES), deselected=ALL + SKIPPED - len(CODES))


def test_findings_are_told_in_a_line(pytester: pytest.Pytester) -> None:
    """Code, check, problem, place and remedy, and nothing of how the suite works."""
    make_shop(pytester, (', hint="Add an item first."', ""))
    pytester.makepyfile(SUITE)
    result = pytester.runpytest(*NO_PROCESS)
    result.assert_outcomes(failed=1, passed=QUICK - 1, skipped=SKIPPED, deselected=len(CODES))
    assert re.search(
        r"^shop\.cart\.empty: text: it has no hint \(.*errors\.py:\d+\)\. Give hint= one",
        result.stdout.str(),
        re.MULTILINE,
    )
    assert "suites.py" not in result.stdout.str().partition("FAILURES")[2].partition("short test")[0]


def test_examples_and_tests_may_be_overridden(pytester: pytest.Pytester) -> None:
    """A suite may know better examples, and take a test out."""
    make_shop(pytester, (', example={"cart": "c1"}', ""))
    pytester.makepyfile(
        SUITE
        + """
    test_process = None

    def example(self, spec):
        return {"cart": "c9"}

    def test_of_my_own(self, code):
        assert code.code.startswith("shop.")
"""
    )
    # A test of the suite's own for each code, and none of another process.
    pytester.runpytest("-W", "error").assert_outcomes(passed=QUICK + len(CODES), skipped=SKIPPED)


@pytest.mark.parametrize("where", ["settings", "class"])
@pytest.mark.parametrize("needed", [True, False])
def test_exemptions(pytester: pytest.Pytester, where: str, needed: bool) -> None:
    """From the settings or the class: an expected failure while needed, a failure afterwards."""
    facts = 'code="shop.cart.empty", check="text", reason="Later."'
    in_settings = f"\nexempt = [{{ {facts} }}]\n" if where == "settings" else ""
    spoil = ((', hint="Add an item first."', ""),) if needed else ()
    make_shop(pytester, *spoil, settings=SETTINGS + in_settings)
    head = "from errkit.config import Exemption\n"
    in_class = f"    exempt = (Exemption({facts}),)\n" if where == "class" else ""
    pytester.makepyfile(head + SUITE + in_class)
    result = pytester.runpytest("-rxf", "-k", "text")
    if needed:
        result.assert_outcomes(xfailed=1, passed=1)
        result.stdout.fnmatch_lines(["XFAIL *test_text* - exempt: Later."])
    else:
        result.assert_outcomes(failed=1, passed=1)
        result.stdout.fnmatch_lines(
            ["shop.cart.empty: it passes the check text, and is exempt from it (Later.)*"]
        )
