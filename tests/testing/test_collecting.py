"""The items of `--errkit`, as a project runs them: what they find, say, and how they are selected."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from errkit.checks import CHECKS
from errkit.testing.collecting import granularity
from tests.testing.shop import (
    ALL,
    CODES,
    ERRORS,
    NO_PROCESS,
    NOT_RUN,
    PER_CODE,
    QUICK,
    SETTINGS,
    make_shop,
    run_apart,
)

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = "pytester"

WHOLE = [check.name for check in CHECKS if check.name not in PER_CODE]
"""The checks that are an item of the whole shop."""


def nodes(result: pytest.RunResult) -> list[str]:
    """The node ids that a verbose run shows."""
    return re.findall(r"^(\S+) (?:PASSED|FAILED|SKIPPED|XFAIL|ERROR)", result.stdout.str(), re.MULTILINE)


class TestNames:
    """One item for each check of each code, below the file that asks for them."""

    def test_each_check_of_each_code_is_an_item(self, pytester: pytest.Pytester) -> None:
        """The names are registry, code and check; a check that can't be asked is there once, and skipped.

        No name holds a bracket: pytest loses such items in `--lf` (pytest issue 15045).
        """
        make_shop(pytester)
        result = pytester.runpytest("--errkit", "-v", "-rs", "-W", "error")
        expected = [f"pyproject.toml::kiosk::{code}::{check}" for code in CODES for check in PER_CODE]
        expected += [f"pyproject.toml::kiosk::all-codes::{check}" for check in WHOLE]
        assert nodes(result) == expected
        result.assert_outcomes(passed=ALL, skipped=len(NOT_RUN))
        result.stdout.fnmatch_lines(
            [
                "errkit: checks of the registries in pyproject.toml",
                "SKIPPED [[]2] pyproject.toml*: not run: `docs` is not set under [[]tool.errkit]*",
            ]
        )

    @pytest.mark.parametrize("level", ["code", "registry"])
    def test_larger_items_may_be_asked_for(self, pytester: pytest.Pytester, level: str) -> None:
        """A code, or a check of the whole registry, can be one item; what can't be asked stays visible."""
        make_shop(pytester)
        result = pytester.runpytest("--errkit", "-v", f"--errkit-granularity={level}")
        if level == "code":
            expected, checks = [f"pyproject.toml::kiosk::{code}" for code in CODES], WHOLE
        else:
            expected, checks = [], [check.name for check in CHECKS]
        assert nodes(result) == expected + [f"pyproject.toml::kiosk::all-codes::{check}" for check in checks]
        passed = len(expected) + len(checks) - len(NOT_RUN)
        result.assert_outcomes(passed=passed, skipped=len(NOT_RUN))

    def test_the_size_of_a_registry_decides_otherwise(self) -> None:
        """So a run of a very large registry does not spend its time on bookkeeping."""
        assert [granularity(size) for size in (0, 300, 301, 3000, 3001)] == [
            "check",
            "check",
            "code",
            "code",
            "registry",
        ]


class TestSelecting:
    """Whatever selects tests selects these."""

    @pytest.mark.parametrize(
        ("arguments", "count"),
        [
            (["pyproject.toml::kiosk::shop.cart.gone::json"], 1),
            (["pyproject.toml::kiosk::shop.cart.gone"], len(PER_CODE)),
            (["pyproject.toml::kiosk"], ALL),
            (["--errkit", "-k", "gone and pickle"], 1),
            (["--errkit", "-k", "shop.cart.empty"], len(PER_CODE)),
            (["--errkit", "-m", 'errkit(code="shop.cart.gone")'], len(PER_CODE)),
            (["--errkit", "-m", 'errkit(check="text")'], 2),
            (["--errkit", "-m", 'errkit(registry="kiosk") and not errkit(check="text")'], ALL - 2),
            (["--errkit", "--deselect", "pyproject.toml::kiosk::shop.cart.gone"], ALL - len(PER_CODE)),
            (["--errkit", "--errkit-check", "json", "--errkit-check", "ranges"], 3),
            (["--errkit", "--import-mode=importlib"], ALL),
        ],
        ids=str,
    )
    def test_by_node_id_keyword_and_marker(
        self, pytester: pytest.Pytester, arguments: list[str], count: int
    ) -> None:
        """What is selected is what would run."""
        make_shop(pytester)
        run = pytester.inline_run(*arguments, "-W", "error", "--collect-only")
        call: Any
        [call] = run.getcalls("pytest_collection_finish")
        assert sum(not item.get_closest_marker("skip") for item in call.session.items) == count

    def test_a_check_that_does_not_exist_is_refused(self, pytester: pytest.Pytester) -> None:
        """With what may be meant."""
        make_shop(pytester)
        result = pytester.runpytest("--errkit", "--errkit-check=jason")
        result.stdout.fnmatch_lines(["errkit: --errkit-check: no check is called jason; did you mean json*"])
        assert ".py:" not in result.stdout.str()
        assert result.ret != 0

    @pytest.mark.parametrize(
        ("option", "said"),
        [
            ("--errkit-timeout=0", "expected seconds, more than 0 and at most a day (86400), found '0'"),
            ("--errkit-timeout=nan", "expected seconds, more than 0 *, found 'nan'"),
            ("--errkit-fail-under=nan", "expected a percentage from 0 to 100, found 'nan'"),
            ("--errkit-fail-under=150", "expected a percentage from 0 to 100, found '150'"),
            ("--errkit-fail-under=most", "expected a percentage from 0 to 100, found 'most'"),
        ],
    )
    def test_a_number_that_can_not_be_meant_is_refused(
        self, pytester: pytest.Pytester, option: str, said: str
    ) -> None:
        """A limit that nothing can miss, or that nothing can reach, is a slip."""
        result = pytester.runpytest(option)
        result.stderr.fnmatch_lines([f"*error: argument {option.partition('=')[0]}: {said}"])
        assert result.ret == pytest.ExitCode.USAGE_ERROR

    def test_last_failed_and_stepwise(self, pytester: pytest.Pytester) -> None:
        """`--lf` runs what failed, `--sw` goes on where it stopped."""
        make_shop(pytester, (', hint="Add an item first."', ""))
        all_but_slow = ["--errkit", *NO_PROCESS]
        result = pytester.runpytest(*all_but_slow)
        result.assert_outcomes(failed=1, passed=QUICK - 1, skipped=len(NOT_RUN), deselected=len(CODES))
        result = pytester.runpytest(*all_but_slow, "--lf", "-v")
        assert nodes(result) == ["pyproject.toml::kiosk::shop.cart.empty::text"]
        first = pytester.runpytest(*all_but_slow, "--sw", "-v")
        assert nodes(first)[-1] == "pyproject.toml::kiosk::shop.cart.empty::text"
        before = len(nodes(first)) - 1
        make_shop(pytester)
        again = pytester.runpytest(*all_but_slow, "--sw", "-v")
        assert nodes(again)[0] == "pyproject.toml::kiosk::shop.cart.empty::text"
        again.assert_outcomes(passed=QUICK - before, skipped=len(NOT_RUN), deselected=before + len(CODES))

    def test_any_name_of_a_registry_makes_a_node_id(self, pytester: pytest.Pytester) -> None:
        """A bracket would be lost in `--lf`, and a colon is what parts names."""
        make_shop(pytester, ('Registry("kiosk")', 'Registry("kiosk::[2]")'))
        for node in ("pyproject.toml", "pyproject.toml::kiosk-2-::shop.cart.gone::json"):
            result = pytester.runpytest(node, "-v", "--errkit-check=json")
            assert nodes(result)[-1] == "pyproject.toml::kiosk-2-::shop.cart.gone::json"

    def test_junit_says_what_each_item_is_about(self, pytester: pytest.Pytester) -> None:
        """Registry, code and check are properties of the test case."""
        make_shop(pytester)
        pytester.runpytest("--errkit", "--junitxml=out.xml", "-k", "gone and json")
        [case] = ElementTree.parse(pytester.path / "out.xml").iter("testcase")
        assert {item.get("name"): item.get("value") for item in case.iter("property")} == {
            "errkit_registry": "kiosk",
            "errkit_code": "shop.cart.gone",
            "errkit_check": "json",
        }

    def test_a_random_order(self, pytester: pytest.Pytester) -> None:
        """Whatever shuffles tests may shuffle these."""
        make_shop(pytester)
        arguments = ["--errkit", "-v", "-o", "addopts=", *NO_PROCESS]
        result = run_apart(pytester, *arguments, plugins=("randomly",))
        result.assert_outcomes(passed=QUICK, skipped=len(NOT_RUN), deselected=len(CODES))
        assert len(set(nodes(result))) == QUICK + len(NOT_RUN)


class TestAsking:
    """When checks are collected, and when not."""

    @pytest.mark.parametrize(
        ("arguments", "checks"),
        [
            ([], False),
            (["--errkit"], True),
            (["--errkit", "--no-errkit"], False),
            (["--errkit", "test_it.py"], True),
            (["pyproject.toml"], True),
            (["--no-errkit", "test_it.py"], False),
        ],
        ids=str,
    )
    def test_from_the_command_line(
        self, pytester: pytest.Pytester, arguments: list[str], checks: bool
    ) -> None:
        """Who asks on the command line gets checks, whatever else is asked for."""
        make_shop(pytester)
        pytester.makepyfile(test_it="def test(): pass")
        result = pytester.runpytest(*arguments, "-v", *NO_PROCESS)
        assert any(node.startswith("pyproject.toml") for node in nodes(result)) is checks
        assert len(nodes(result)) == len(set(nodes(result)))

    def test_from_the_settings(self, pytester: pytest.Pytester) -> None:
        """In `addopts` it holds for the whole suite, and is silent when somebody runs one file."""
        make_shop(pytester, settings=SETTINGS.replace("addopts = [", 'addopts = ["--errkit", '))
        pytester.makepyfile(test_it="def test(): pass")
        result = pytester.runpytest(*NO_PROCESS)
        result.assert_outcomes(passed=QUICK + 1, skipped=len(NOT_RUN), deselected=len(CODES))
        pytester.runpytest("test_it.py").assert_outcomes(passed=1)
        pytester.runpytest("pyproject.toml::kiosk::shop.cart.gone::json").assert_outcomes(passed=1)

    def test_from_a_folder_below(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wherever the run starts, the settings are those of the project."""
        make_shop(pytester)
        monkeypatch.chdir(pytester.mkdir("below"))
        result = pytester.runpytest("--errkit", "--rootdir=..", *NO_PROCESS)
        result.assert_outcomes(passed=QUICK, skipped=len(NOT_RUN), deselected=len(CODES))

    def test_with_a_configuration_file_of_pytests_own(self, pytester: pytest.Pytester) -> None:
        """Then the items hang on that one; the registries still come from `[tool.errkit]`."""
        make_shop(pytester)
        pytester.makefile(".ini", pytest="[pytest]\npythonpath = .\n")
        result = pytester.runpytest("--errkit", "-v", "-k", "gone and json")
        assert nodes(result) == ["pytest.ini::kiosk::shop.cart.gone::json"]

    def test_without_any_configuration(self, pytester: pytest.Pytester) -> None:
        """It says what is missing."""
        result = pytester.runpytest("--errkit")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*write a pyproject.toml with a table [[]tool.errkit] that lists*"])


FAULTS = {
    "a hint is missing": (
        (', hint="Add an item first."', ""),
        "shop.cart.empty::text",
        "shop.cart.empty: it has no hint",
        "Give hint= one imperative sentence: what to do next.",
    ),
    "a code is not documented": (
        ('"""A cart without items was paid. A stale tab does that. Add an item."""', ""),
        "shop.cart.empty::text",
        "shop.cart.empty: it has no prose",
        "Write under the code, as a string literal,*",
    ),
    "a field is not documented": (
        ('"""The number of the cart."""', ""),
        "shop.cart.empty::details",
        "shop.cart.empty: the field cart is not documented",
        "Write a docstring under the field.",
    ),
    "a secret in an example": (
        (
            'hint="Add an item first.", example={"cart": "c1"}',
            'hint="Add an item first.", example={"cart": "https://ann:hunter2@shop.example/c1"}',
        ),
        "shop.cart.empty::details",
        "shop.cart.empty: the example holds what looks like a secret",
        "Take what looks like a secret out of the example,*",
    ),
    "an example that does not fit": (
        (
            'hint="Add an item first.", example={"cart": "c1"}',
            'hint="Add an item first.", example={"cart": 5}',
        ),
        "shop.cart.empty::details",
        "shop.cart.empty: the example does not fit: cart is no str: int",
        "Correct the example, or the declaration.",
    ),
    "a code without a number": (
        ("number=101, ", ""),
        "all-codes::ranges",
        "shop.cart.empty: it has no number, though shop.cart has a range of them",
        "Give the code a free number of the range.",
    ),
}


# The details of both codes; an example that is wrong comes back from JSON as another type, too.
TWICE = ("a field is not documented", "an example that does not fit")


class TestFinding:
    """A planted fault is found by the item that is named for it, and the message says all that is needed."""

    @pytest.mark.parametrize("fault", FAULTS)
    def test_each_fault_is_told_with_place_and_remedy(self, pytester: pytest.Pytester, fault: str) -> None:
        """Code, what is wrong, which check, where it is declared, what to do; and no traceback."""
        spoil, node, problem, remedy = FAULTS[fault]
        make_shop(pytester, spoil)
        result = pytester.runpytest("--errkit", "-rf", *NO_PROCESS)
        expected = [
            f"*{problem}",
            "  check *: *",
            "  declared at  shop?errors.py:*",
            f"  to do        {remedy}",
        ]
        result.stdout.fnmatch_lines(expected, consecutive=True)
        result.stdout.fnmatch_lines([f"FAILED pyproject.toml::kiosk::{node}*"])
        assert "Traceback" not in result.stdout.str()
        assert ".py:" in result.stdout.str()
        assert result.parseoutcomes()["failed"] == (2 if fault in TWICE else 1)

    def test_a_number_out_of_range_is_told_when_collecting(self, pytester: pytest.Pytester) -> None:
        """A declaration that errkit refuses is told as such, with its place, and no traceback."""
        make_shop(pytester, ("number=101", "number=999"))
        result = pytester.runpytest("--errkit")
        declaration = "CartError.EMPTY at *errors.py:*: number 999 is outside the domain's range 100 to 199*"
        refused = "errkit: [[]errkit.bad_source] shop.errors: shop.errors can't be imported"
        result.stdout.fnmatch_lines(
            [
                "*ERROR collecting pyproject.toml*",
                f"{refused}: [[]errkit.bad_declaration] {declaration}",
                "Hint: Correct the declaration at the place that the message names.",
            ]
        )
        assert "Traceback" not in result.stdout.str()
        assert result.ret == pytest.ExitCode.INTERRUPTED

    def test_a_module_that_pytest_does_not_see_is_told(self, pytester: pytest.Pytester) -> None:
        """The first run of a new user: the codes lie beside the settings, and that is not on the path."""
        (pytester.path / "kiosk_codes.py").write_text(ERRORS, "utf-8")
        pytester.makepyprojecttoml("[tool.errkit]\nregistries = ['kiosk_codes']\n")
        result = pytester.runpytest("--errkit")
        result.stdout.fnmatch_lines(
            [
                "errkit: *there is no module 'kiosk_codes'*",
                "kiosk_codes lies in the project, where pytest does not look: *pythonpath = [[]?.?]*",
            ]
        )

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ("[tool.errkit]\nregistries = ['shop.eror']\n", "*there is no module 'shop.eror'*"),
            (
                "[tool.errkit]\nregistries = []\n",
                "*tool.errkit.registries: names no registry; list the modules*",
            ),
            ("[tool.errkit]\nregistry = ['shop']\n", "*tool.errkit.registry: is no setting; did you mean*"),
        ],
    )
    def test_settings_that_are_wrong_are_told(
        self, pytester: pytest.Pytester, settings: str, said: str
    ) -> None:
        """By the message of the settings themselves, in one line and a hint."""
        make_shop(pytester, settings=f"[tool.pytest.ini_options]\npythonpath = ['.']\n{settings}")
        result = pytester.runpytest("--errkit")
        result.stdout.fnmatch_lines([said, "Hint: *"])
        assert result.ret != 0

    def test_a_module_that_a_test_loads_again_is_no_fault(self, pytester: pytest.Pytester) -> None:
        """Its classes are new ones, and those that were collected with the checks are not found any more."""
        make_shop(pytester)
        pytester.makepyfile(
            test_it="import importlib, shop.errors\ndef test(): importlib.reload(shop.errors)"
        )
        result = pytester.runpytest("test_it.py", "--errkit", *NO_PROCESS)
        result.assert_outcomes(passed=QUICK + 1, skipped=len(NOT_RUN), deselected=len(CODES))

    def test_several_findings_of_one_item_are_all_told(self, pytester: pytest.Pytester) -> None:
        """With a blank line between them."""
        make_shop(
            pytester,
            (', hint="Add an item first."', ""),
            ('"""A cart without items was paid. A stale tab does that. Add an item."""', ""),
        )
        result = pytester.runpytest("--errkit", "--errkit-granularity=registry", *NO_PROCESS)
        passed = len(CHECKS) - len(NOT_RUN) - 2
        result.assert_outcomes(failed=1, passed=passed, skipped=len(NOT_RUN), deselected=1)
        result.stdout.fnmatch_lines(["*it has no hint", "*", "shop.cart.empty: it has no prose"])


EXEMPT = """
exempt = [{ code = "shop.cart.empty", check = "text", reason = "Prose follows in 1.1." }]
"""


class TestExemptions:
    """A code need not pass a check for a stated reason, as long as the reason holds."""

    @pytest.mark.parametrize("level", ["check", "code", "registry"])
    def test_an_exempt_fault_is_an_expected_failure(self, pytester: pytest.Pytester, level: str) -> None:
        """The reason is shown where pytest shows such."""
        make_shop(pytester, (', hint="Add an item first."', ""), settings=SETTINGS + EXEMPT)
        options = ["--errkit-check=text", f"--errkit-granularity={level}"]
        result = pytester.runpytest("--errkit", "-rx", *options)
        assert result.parseoutcomes()["xfailed"] == 1
        assert result.ret == 0
        result.stdout.fnmatch_lines(["XFAIL pyproject.toml::* - exempt: Prose follows in 1.1."])

    @pytest.mark.parametrize("level", ["check", "code", "registry"])
    def test_an_exemption_no_longer_needed_fails(self, pytester: pytest.Pytester, level: str) -> None:
        """Lists of exemptions do not outlive their cause."""
        make_shop(pytester, settings=SETTINGS + EXEMPT)
        result = pytester.runpytest("--errkit", "--errkit-check=text", f"--errkit-granularity={level}")
        assert result.parseoutcomes()["failed"] == 1
        result.stdout.fnmatch_lines(
            [
                "shop.cart.empty: it passes the check text, and is exempt from it",
                "  reason given Prose follows in 1.1.",
                "  to do        Take the exemption out of [[]tool.errkit].",
            ]
        )

    def test_exemptions_of_nothing_fail(self, pytester: pytest.Pytester) -> None:
        """A misspelt code, a misspelt check and an old name exempt nothing, and what may be meant is told."""
        wrong = [("shop.cart.epmty", "text"), ("shop.cart.empty", "txt"), ("shop.trolley.gone", "coverage")]
        rows = (f"{{ code = '{code}', check = '{check}', reason = 'Later.' }}" for code, check in wrong)
        make_shop(
            pytester,
            ("number=102,", 'number=102, aliases=["shop.trolley.gone"],'),
            settings=f"{SETTINGS}\nexempt = [{', '.join(rows)}]\n",
        )
        result = pytester.runpytest("--errkit", "--errkit-check=json", "-rf")
        to_do = "  to do        Correct the exemption, or take it out."
        faults = [
            "text, and kiosk has no such code; did you mean shop.cart.empty?*",
            "txt, and no check is called txt; did you mean text?",
            "coverage, and kiosk has no such code; did you mean shop.cart.gone*",
        ]
        for index, fault in enumerate(faults):
            said = f"{wrong[index][0]}: it is exempt from {fault}"
            place = f"  written at   pyproject.toml: tool.errkit.exempt[[]{index}]"
            result.stdout.fnmatch_lines([said, place, "  reason given Later.", to_do], consecutive=True)
        result.stdout.fnmatch_lines(["FAILED pyproject.toml::exemptions*"])

    def test_other_findings_of_the_code_still_fail(self, pytester: pytest.Pytester) -> None:
        """An exemption is for one check."""
        make_shop(
            pytester,
            ('"""The number of the cart."""', ""),
            (', hint="Add an item first."', ""),
            settings=SETTINGS + EXEMPT,
        )
        checks = ["--errkit-check=text", "--errkit-check=details"]
        result = pytester.runpytest("--errkit", "--errkit-granularity=code", *checks)
        result.assert_outcomes(failed=2, passed=1)


class TestHooks:
    """What a conftest.py may add."""

    def test_registries(self, pytester: pytest.Pytester) -> None:
        """Registries that no settings can name, beside those that they do."""
        make_shop(pytester)
        pytester.makeconftest(
            """
            from errkit import CodedError, Registry, code

            BAR = Registry("bar")

            class BarError(CodedError, domain="bar.door", registry=BAR):
                CLOSED = code("Door is closed", hint="Come back later.")

            def pytest_errkit_registries(config):
                return [BAR]
            """
        )
        result = pytester.runpytest("--errkit", "-v", "--errkit-check=json")
        assert nodes(result) == [
            "pyproject.toml::kiosk::shop.cart.empty::json",
            "pyproject.toml::kiosk::shop.cart.gone::json",
            "pyproject.toml::bar::bar.door.closed::json",
        ]

    def test_examples(self, pytester: pytest.Pytester) -> None:
        """The first one that answers counts; where nobody does, the declaration does."""
        make_shop(pytester, (', example={"cart": "c1"}', ""))
        pytester.makeconftest(
            """
            def pytest_errkit_example(spec):
                return {"cart": "c2"} if spec.const == "GONE" else None
            """
        )
        result = pytester.runpytest("--errkit", "--errkit-check=details", "-rf")
        result.assert_outcomes(failed=1, passed=1)
        result.stdout.fnmatch_lines(["shop.cart.empty: it has required fields and no example"])

    def test_checks(self, pytester: pytest.Pytester) -> None:
        """A check of the project's own is collected, selected and exempted like errkit's."""
        make_shop(pytester, settings=SETTINGS + EXEMPT.replace('"text"', '"polite"'))
        pytester.makeconftest(
            """
            from errkit.checks import Check, Finding

            def find(spec, registry, context):
                yield Finding(
                    check="polite",
                    registry=registry.name,
                    code=spec.code,
                    place=spec.place,
                    problem=f"{spec.title!r} does not say please",
                    remedy="Say please.",
                )

            def pytest_errkit_checks(config):
                return [Check(name="polite", about="Titles say please.", per="code", find=find)]
            """
        )
        result = pytester.runpytest("--errkit", "-rf", *NO_PROCESS)
        result.assert_outcomes(
            failed=1, passed=QUICK + 1, skipped=len(NOT_RUN), xfailed=1, deselected=len(CODES)
        )
        result.stdout.fnmatch_lines(
            [
                "shop.cart.gone: 'Cart is gone' does not say please",
                "  check        polite: Titles say please.",
                "FAILED pyproject.toml::kiosk::shop.cart.gone::polite*",
            ]
        )
        assert len(nodes(pytester.runpytest("--errkit", "-v", "--errkit-check=polite"))) == 3

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (
                "registries(config): return 'shop.errors'",
                "expected a list, found 'shop.errors'; return [[]it]",
            ),
            ("checks(config): return [CHECKS[0]]", "there is a check called json already; give this one *"),
            ("checks(config): return CHECKS[0]", "expected a list, found *; return [[]it]"),
            ("checks(config): return [Check('a[1]')]", "'a[[]1]' is no name of a check; write letters, *"),
            ("checks(config): return [Check('a', 'cod')]", "a: expected per='code' or per='registry', *"),
        ],
        ids=["text", "json", "one", "brackets", "per"],
    )
    def test_what_a_hook_gives_wrongly_is_told(
        self, pytester: pytest.Pytester, answer: str, said: str
    ) -> None:
        """A check of another's name would take the place of that one, and pass in silence."""
        make_shop(pytester)
        answer = re.sub(r"Check\((.*)\)", r"made(\1)", answer)
        pytester.makeconftest(
            f"""
            from errkit.checks import CHECKS, Check

            def made(name, per="code"):
                return Check(name=name, per=per, about="-", find=lambda *_: ())

            def pytest_errkit_{answer}
            """
        )
        result = pytester.runpytest("--errkit")
        result.stdout.fnmatch_lines([f"errkit: pytest_errkit_{answer.partition('(')[0]}: {said}"])
        assert ".py:" not in result.stdout.str()


def test_the_built_site_is_asked_where_it_is(pytester: pytest.Pytester, tmp_path: Path) -> None:
    """`--errkit-docs` names a site for this run; a code that it does not document fails."""
    make_shop(pytester)
    with_site = ["--errkit", "--errkit-docs=site", "--errkit-check=docs", "--errkit-check=orphans"]
    result = pytester.runpytest(*with_site, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED * not run: *objects.inv does not exist; build the site first"])
    import zlib

    site = pytester.mkdir("site")
    head = b"# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# zlib\n"
    line = "kiosk:shop.cart.gone err:code 1 shop.cart.html#err-shop-cart-gone -\n"
    (site / "objects.inv").write_bytes(head + zlib.compress(line.encode()))
    (site / "shop.cart.html").write_text('<p id="err-shop-cart-gone">Cart is gone</p>', "utf-8")
    result = pytester.runpytest(*with_site, "-rf")
    result.assert_outcomes(failed=1, passed=2)
    result.stdout.fnmatch_lines(
        ["shop.cart.empty: the built site does not document it", "FAILED *::shop.cart.empty::docs*"]
    )
