"""`RegistrySuite`: the checks of one registry as a test class, for editors and for suites that read well.

It works without the plugin. Its tests are ordinary functions with an argument for each code, so every editor
shows them. What they ask is in `errkit.checks`: a new check there is a new test here.

PYTEST_DONT_REWRITE: the messages are made by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from errkit.checks import CHECKS, Context, check_code, check_registry
from errkit.config import load_registries, read_config
from errkit.config.meaning import groundless
from errkit.errors import CodedError
from errkit.message import format_error
from errkit.testing.recording import GENERATED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from errkit.checks import Check, Finding
    from errkit.codes import ErrorSpec
    from errkit.config import Exemption
    from errkit.registry import Registry

__all__ = ["RegistrySuite"]


class RegistrySuite:
    """The checks of one registry: subclass it in a test module and say which.

        class TestErrors(RegistrySuite):
            registry = "shop.errors"

    Each check is a test, which may be overridden; `test_docs = None` takes one out.
    A base of several suites says `__test__ = False`.
    """

    registry: ClassVar[Registry | str | None] = None
    """The registry, or what an item of `registries` may be."""
    exempt: ClassVar[tuple[Exemption, ...]] = ()
    """Checks that some codes need not pass, beside those of `[tool.errkit]`."""
    patience: ClassVar[float] = 10.0
    """Seconds that one check of one code may take."""

    __test__: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "__test__" not in vars(cls):
            cls.__test__ = True

    def example(self, spec: ErrorSpec) -> Mapping[str, Any] | None:
        """Details of a realistic error, where the declaration has no example or not one for tests."""
        return None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run a test that takes `code` once for each code."""
        if "code" in metafunc.fixturenames:
            specs = list(_subject(type(self), metafunc.config.rootpath)[0])
            metafunc.parametrize("code", specs, ids=[spec.code for spec in specs])


def _subject(suite: type[RegistrySuite], root: Path) -> tuple[Registry, Context]:
    """The registry of a suite and what its checks need, made once for each class."""
    known: tuple[Registry, Context] | None = vars(suite).get("_subject")
    if known is None:
        known = _load(suite, root)
        suite._subject = known  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]
    return known


def _load(suite: type[RegistrySuite], root: Path) -> tuple[Registry, Context]:
    if suite.registry is None:
        raise pytest.Collector.CollectError(
            f"{suite.__qualname__}: say which registry it checks: `registry = shop.errors.REGISTRY`"
        )
    try:
        config = read_config(root)
        [registry] = load_registries([suite.registry], root=config.root)
    except CodedError as error:
        raise pytest.Collector.CollectError(f"{suite.__qualname__}: {format_error(error)}") from error
    checks = {check.name: check.per for check in CHECKS}
    for index, item in enumerate(suite.exempt):
        fault = groundless(item, checks, [registry])
        if fault:
            raise pytest.Collector.CollectError(
                f"{suite.__qualname__}.exempt[{index}]: {item.code} is exempt from {item.check}, and {fault}"
            )
    return registry, Context(config, suite().example, patience=suite.patience)


# --- the tests ----------------------------------------------------------------------------------------


def _per_code(check: Check) -> Callable[..., None]:
    def test(self: RegistrySuite, code: ErrorSpec, pytestconfig: pytest.Config) -> None:
        __tracebackhide__ = True
        registry, context = _asked(self, check, pytestconfig)
        _settle(self, check, context, check_code(check, code, registry, context), {code.code})

    return test


def _per_registry(check: Check) -> Callable[..., None]:
    def test(self: RegistrySuite, pytestconfig: pytest.Config) -> None:
        __tracebackhide__ = True
        registry, context = _asked(self, check, pytestconfig)
        _settle(self, check, context, check_registry(check, registry, context), set(registry.codes))

    return test


def _asked(suite: RegistrySuite, check: Check, config: pytest.Config) -> tuple[Registry, Context]:
    registry, context = _subject(type(suite), config.rootpath)
    reason = check.missing(context)
    if reason:
        pytest.skip(f"not run: {reason}")
    return registry, context


def _settle(
    suite: RegistrySuite, check: Check, context: Context, findings: list[Finding], codes: set[str]
) -> None:
    __tracebackhide__ = True
    exempt = {item.code: item for item in (*context.config.exempt, *suite.exempt) if item.check == check.name}
    faults = [str(item) for item in findings if item.code not in exempt]
    hit = {item.code for item in findings}
    faults += [
        f"{code}: it passes the check {check.name}, and is exempt from it ({exempt[code].reason}). "
        "Take the exemption out."
        for code in exempt
        if code in codes - hit
    ]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)
    if findings:
        pytest.xfail("; ".join(f"exempt: {exempt[code].reason}" for code in sorted(hit)))


for _check in CHECKS:
    _test = (_per_code if _check.per == "code" else _per_registry)(_check)
    _test.__name__ = _test.__qualname__ = f"test_{_check.name}"
    _test.__doc__ = _check.about
    _test.__dict__[GENERATED] = True
    setattr(RegistrySuite, _test.__name__, _test)
