"""The hooks that a project's `conftest.py` may implement, beside `[tool.errkit]`.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from errkit.checks import Check
    from errkit.codes import ErrorSpec

__all__ = ["pytest_errkit_checks", "pytest_errkit_example", "pytest_errkit_registries"]


@pytest.hookspec
def pytest_errkit_registries(config: pytest.Config) -> Iterable[object]:  # type: ignore[empty-body]
    """More registries to check, beside those of `[tool.errkit]`.

    Parameters
    ----------
    config
        The configuration of the run.

    Returns
    -------
    Iterable[object]
        What an item of `registries` may be: a `Registry`, a module by name, `module:attribute`, the path of a
        catalogue file, a table with `registry` and `name`.
    """


@pytest.hookspec(firstresult=True)
def pytest_errkit_example(spec: ErrorSpec) -> Mapping[str, object] | None:
    """Details of a realistic error, where the declaration has no example or not one for tests.

    Parameters
    ----------
    spec
        The facts of the code.

    Returns
    -------
    Mapping[str, object] | None
        The details; None for what the declaration says.
    """


@pytest.hookspec
def pytest_errkit_checks(config: pytest.Config) -> Iterable[Check]:  # type: ignore[empty-body]
    """More checks, which are collected, selected and exempted like errkit's own.

    Parameters
    ----------
    config
        The configuration of the run.

    Returns
    -------
    Iterable[Check]
        Checks with names of their own.
    """
