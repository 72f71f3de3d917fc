"""With xdist: two workers do what one process does, also when one of them dies. One run shows it all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from tests.testing.shop import ALL, CODES, NOT_RUN, PER_CODE, make_shop, run_apart

if TYPE_CHECKING:
    import pytest

pytest_plugins = "pytester"

TESTS = """
import os

from errkit.testing import raises_code
from shop.errors import CartError


def test_before():
    with raises_code(CartError.EMPTY):
        raise CartError.EMPTY(cart="c1")


def test_deadly():
    for _ in range(70):
        with raises_code(CartError.ODD):
            raise CartError.ODD()
    os._exit(7)


def test_after():
    CartError.GONE(cart="c1")
"""
ODD = (
    """    GONE = code(""",
    '''    ODD = code("Odd", hint="Look at it.", number=103)
    """Somebody saw something odd. It happens. Look at it."""

    GONE = code(''',
)


def test_workers_share_the_work_and_lose_nothing_when_they_die(pytester: pytest.Pytester) -> None:
    """Items, markers and properties of the checks are the same there; what each test raised is counted once
    and by name, also what a worker had raised when it died; too few codes fail the run.
    """
    make_shop(pytester, ODD)
    pytester.makepyfile(test_it=TESTS)
    reports = ["--junitxml=out.xml", "--errkit-report=json:out.json", "--errkit-fail-under=70"]
    result = run_apart(pytester, "--errkit", "-n2", "-W", "error", *reports, plugins=("xdist",))
    # The new code has each check of a code too; the killed test fails.
    result.assert_outcomes(passed=ALL + len(PER_CODE) + 2, failed=1, skipped=len(NOT_RUN))
    root = ElementTree.parse(pytester.path / "out.xml")
    found = [item.get("value") for item in root.iter("property") if item.get("name") == "errkit_code"]
    assert sorted(found, key=str) == sorted((*CODES, "shop.cart.odd") * len(PER_CODE))
    counts: dict[str, Any] = json.loads((pytester.path / "out.json").read_text("utf-8"))
    assert counts["registries"] == [
        {
            "registry": "kiosk",
            "raised": {
                "shop.cart.empty": ["test_it.py::test_before"],
                "shop.cart.odd": ["test_it.py::test_deadly"],
            },
            "never": ["shop.cart.gone"],
            "exempt": {},
            "stale": {},
        }
    ]
    [lost] = counts["lost_workers"]
    result.stdout.fnmatch_lines(
        [
            "kiosk: 2 of 3 codes raised, 66.6 %",
            f"died: {lost}; what they had raised by then is counted",
            "FAIL: 2 of 3 codes raised are 66.6 %, less than the 70 % of --errkit-fail-under",
        ]
    )
