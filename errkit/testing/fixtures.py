"""The fixtures: codes, errors, the inventory of the site, another process, a registry to play with.

All but `errkit_registry` and `errkit_error` live as long as the session, so Hypothesis has nothing to say
against them in a property test. `errkit_code` is no fixture but a parameter, for the same reason.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.checks.other_process import OtherProcess
    from errkit.codes import ErrorCode
    from errkit.errors import CodedError
    from errkit.registry import Registry
    from errkit.testing.project import Project

__all__ = [
    "errkit_codes",
    "errkit_error",
    "errkit_inventory",
    "errkit_process",
    "errkit_registry",
    "parametrize_code",
]


@pytest.fixture(scope="session")
def errkit_codes(pytestconfig: pytest.Config) -> tuple[ErrorCode[..., Any, CodedError], ...]:
    """Each code of the project's registries, in the order of declaration."""
    codes: tuple[ErrorCode[..., Any, CodedError], ...] = _asked(pytestconfig, "codes")
    return codes


@pytest.fixture
def errkit_error(errkit_code: ErrorCode[..., Any, CodedError], pytestconfig: pytest.Config) -> CodedError:
    """A new error with its example as details, a note and a cause; the test runs once for each code.

    `errkit_code` gives the code alone, or beside the error the one that it has.
    """
    from errkit.checks.examples import build
    from errkit.testing.project import project_of
    from errkit.testing.recording import disown

    error = build(errkit_code.spec, project_of(pytestconfig).context)
    disown(error)
    return error


@pytest.fixture
def errkit_registry(pytestconfig: pytest.Config) -> Iterator[Registry]:
    """The first registry of the project, or the default one.

    Whatever is registered in it during the test, or in another registry of the project or the default one, is
    gone afterwards.
    """
    with ExitStack() as stack:
        registries: tuple[Registry, ...] = _asked(pytestconfig, "scoped_registries")
        for registry in registries:
            stack.enter_context(registry.scoped())
        yield registries[0]


@pytest.fixture(scope="session")
def errkit_inventory(pytestconfig: pytest.Config) -> Mapping[str, str]:
    """What the built site documents: `registry:code` -> address below the site's root.

    Skips the test where `docs` is not set or the site is not built.
    """
    from errkit.checks.published import docs_missing, read_inventory
    from errkit.testing.project import project_of

    context = project_of(pytestconfig).context
    reason = docs_missing(context)
    if reason:
        pytest.skip(f"not run: {reason}")
    docs = context.config.docs
    return {} if docs is None else read_inventory(docs if docs.suffix == ".inv" else docs / "objects.inv")


@pytest.fixture(scope="session")
def errkit_process(pytestconfig: pytest.Config) -> Iterator[OtherProcess]:
    """Another process, which never heard of the project's codes; `revive(error)` sends an error to and fro.

    It is asked with a time limit, so an error that hangs it fails the test.
    """
    from errkit.checks.other_process import OtherProcess

    with OtherProcess(pytestconfig.option.errkit_timeout) as other:
        yield other


def _asked(config: pytest.Config, fact: str) -> Any:
    """A fact of the project; a fault in its settings fails the test with no traceback."""
    from errkit.errors import CodedError
    from errkit.testing.project import project_of, said_of

    project: Project = project_of(config)
    try:
        return getattr(project, fact)
    except CodedError as error:
        pytest.fail(said_of(error, config), pytrace=False)


def parametrize_code(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `errkit_code` or `errkit_error` once for each code of the project."""
    from errkit.errors import CodedError
    from errkit.testing.project import project_of, said_of

    try:
        codes = project_of(metafunc.config).codes
    except CodedError as error:
        raise pytest.Collector.CollectError(said_of(error, metafunc.config)) from error
    specs = [code.spec for code in codes]
    owners = Counter(spec.code for spec in specs)
    ids = [spec.code if owners[spec.code] == 1 else f"{spec.registry}-{spec.code}" for spec in specs]
    metafunc.parametrize("errkit_code", codes, ids=ids)
