"""What every test run shares: settings of Hypothesis, the tests of the full matrix, and one browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

collect_ignore = ["tests/downstream"]
"""A project of its own; tests/testing/test_downstream.py runs it."""

FULL = os.environ.get("ERRKIT_TEST_ALL", "") not in ("", "0")

settings.register_profile(
    "errkit",
    max_examples=500 if FULL else 100,
    # Time says something about the machine, and nothing about errkit.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
    print_blob=True,
)
settings.load_profile("errkit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests marked `full` to `make test-all`."""
    if FULL:
        return
    skip = pytest.mark.skip(reason="belongs to the full matrix: make test-all")
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(skip)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a file: while Playwright runs, no other event loop can."""
    from tests.browser import running_browser

    with running_browser() as found:
        yield found
