"""The pytest plugin: it connects pytest's hooks with the rooms beside it, and holds no logic of its own.

It is loaded by every run of pytest on a machine where errkit is installed. So it does nothing before it is
asked: an option, a fixture, a node id of the configuration file. Until then it costs the import of this
module and of the fixtures, and no module of the project is imported.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.testing.asking import asks_for_checks, asks_for_coverage, read_percent, read_seconds
from errkit.testing.fixtures import (
    errkit_codes,
    errkit_error,
    errkit_inventory,
    errkit_process,
    errkit_registry,
    parametrize_code,
)

if TYPE_CHECKING:
    import pytest

# pytest finds the fixtures here.
__all__ = [
    "errkit_codes",
    "errkit_error",
    "errkit_inventory",
    "errkit_process",
    "errkit_registry",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all named --errkit."""
    group = parser.getgroup("errkit", "error codes")
    group.addoption(
        "--errkit",
        dest="errkit",
        action="store_true",
        default=None,
        help="check each code of the registries that [tool.errkit] names",
    )
    group.addoption(
        "--no-errkit", dest="errkit", action="store_false", help="collect no checks, whatever addopts says"
    )
    group.addoption(
        "--errkit-check",
        dest="errkit_check",
        action="append",
        metavar="NAME",
        help="run this check only; may be given several times",
    )
    group.addoption(
        "--errkit-granularity",
        dest="errkit_granularity",
        choices=("check", "code", "registry"),
        help="what one test is: a check of a code, a code, or a check of a registry; by default, by its size",
    )
    group.addoption(
        "--errkit-docs",
        dest="errkit_docs",
        metavar="PATH",
        help="the built site, or its objects.inv, instead of `docs` of [tool.errkit]",
    )
    group.addoption(
        "--errkit-timeout",
        dest="errkit_timeout",
        type=read_seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long one check of one code may take (default: 10)",
    )
    group.addoption(
        "--errkit-coverage",
        dest="errkit_coverage",
        action="store_true",
        default=False,
        help="report which registered codes the tests raise",
    )
    group.addoption(
        "--errkit-cover",
        dest="errkit_cover",
        action="append",
        metavar="REGISTRY",
        help="count the codes of this registry only; may be given several times; implies --errkit-coverage",
    )
    group.addoption(
        "--errkit-fail-under",
        dest="errkit_fail_under",
        type=read_percent,
        metavar="PERCENT",
        help="fail if the tests raise less than this share of the codes; implies --errkit-coverage",
    )
    group.addoption(
        "--errkit-report",
        dest="errkit_report",
        action="append",
        metavar="FORMAT:PATH",
        help="write the coverage to a file, json:PATH or md:PATH; implies --errkit-coverage",
    )


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let a conftest.py name registries, examples and checks."""
    from errkit.testing import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and what the options ask for."""
    config.addinivalue_line(
        "markers",
        "errkit(registry, code, check): a check that errkit generated; for -m 'errkit(code=\"...\")'",
    )
    if asks_for_checks(config):
        from errkit.testing.generating import Generator

        config.pluginmanager.register(Generator(config), "errkit-checks")
    if asks_for_coverage(config):
        from errkit.testing.coverage import make_coverage

        config.pluginmanager.register(make_coverage(config), "errkit-coverage")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `errkit_code` once for each code."""
    if "errkit_code" in metafunc.fixturenames:
        parametrize_code(metafunc)
