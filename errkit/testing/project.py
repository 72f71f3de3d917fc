"""What one run of pytest knows of its project: settings, registries, checks, exemptions.

Read once, when first asked for: a run that asks for nothing imports nothing of the project, so a measured
`--cov` run sees every line of it.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from errkit.config import Config, load_registries, read_config
from errkit.config.meaning import groundless, instead
from errkit.errors import CodedError
from errkit.message import format_error
from errkit.own import ErrkitError
from errkit.registry import REGISTRY, Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.checks import Check, Context
    from errkit.codes import ErrorCode, ErrorSpec
    from errkit.config import Exemption

__all__ = ["COVERAGE", "Project", "code_of", "project_of", "said_of"]

COVERAGE: Final = "coverage"
"""What exemptions call error-code coverage, which is no check."""

_KEY: Final = pytest.StashKey["Project"]()


def project_of(config: pytest.Config) -> Project:
    """The project of a run."""
    if _KEY not in config.stash:
        config.stash[_KEY] = Project(config)
    return config.stash[_KEY]


class Project:
    """The project that is tested; each fact raises a `CodedError` where the project says it wrongly."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @cached_property
    def settings(self) -> Config:
        """`[tool.errkit]`, with what the command line says instead."""
        found = read_config(self._config.rootpath)
        docs: str | None = self._config.getoption("errkit_docs")
        if docs is None:
            return found
        return Config(**{**vars(found), "docs": Path(self._config.invocation_params.dir, docs)})

    @cached_property
    def registries(self) -> tuple[Registry, ...]:
        """The registries that the settings and the hooks name."""
        items = [*self.settings.registries, *self._given("pytest_errkit_registries")]
        if not items:
            path, key = str(self.settings.path or self._config.rootpath), "tool.errkit.registries"
            problem = "names no registry; list the modules or catalogue files that hold your codes"
            raise ErrkitError.BAD_CONFIG(f"{path}: {key}: {problem}", path=path, key=key, problem=problem)
        return tuple(dict.fromkeys(load_registries(items, root=self.settings.root)))

    @cached_property
    def scoped_registries(self) -> tuple[Registry, ...]:
        """The registries of the project, if it names any, and the default one."""
        try:
            named = self.registries
        except CodedError as error:
            if error.code != ErrkitError.BAD_CONFIG:
                raise
            named = ()
        return tuple(dict.fromkeys([*named, REGISTRY]))

    @cached_property
    def context(self) -> Context:
        """What the checks need beside the registries."""
        from errkit.checks import Context

        return Context(self.settings, self._example, patience=self._config.option.errkit_timeout)

    @property
    def _example(self) -> Callable[[ErrorSpec], Mapping[str, Any] | None] | None:
        hook = self._config.hook.pytest_errkit_example
        return (lambda spec: hook(spec=spec)) if hook.get_hookimpls() else None

    @cached_property
    def known_checks(self) -> dict[str, Check]:
        """The checks that there are, by name: errkit's own first, then those of the hooks."""
        from errkit.checks import CHECKS

        known = {check.name: check for check in CHECKS}
        for check in self._given("pytest_errkit_checks"):
            fault = _check_fault(check, known)
            if fault:
                raise pytest.UsageError(f"pytest_errkit_checks: {fault}")
            known[check.name] = check
        return known

    def _given(self, name: str) -> list[Any]:
        """What a hook of the project's own gives, from all who implement it."""
        answers = getattr(self._config.hook, name)(config=self._config)
        for answer in answers:
            if isinstance(answer, (str, Registry)) or not isinstance(answer, Iterable):
                raise pytest.UsageError(f"{name}: expected a list, found {answer!r}; return [it]")
        return [item for answer in answers for item in answer]

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The checks that are wanted."""
        known = self.known_checks
        wanted: list[str] = self._config.getoption("errkit_check") or list(known)
        for name in wanted:
            if name not in known:
                raise pytest.UsageError(f"--errkit-check: no check is called {name}; {instead(name, known)}")
        return tuple(check for name, check in known.items() if name in wanted)

    @cached_property
    def covered(self) -> tuple[Registry, ...]:
        """The registries whose codes the tests should raise."""
        names = [registry.name for registry in self.registries]
        wanted: list[str] = self._config.getoption("errkit_cover") or names
        for name in wanted:
            if name not in names:
                raise pytest.UsageError(
                    f"--errkit-cover: no registry is called {name}; {instead(name, names)}"
                )
        return tuple(registry for registry in self.registries if registry.name in wanted)

    def exemption(self, code: str, check: str) -> Exemption | None:
        """What the settings say on a code that need not pass a check."""
        return self._exemptions.get((code, check))

    @cached_property
    def _exemptions(self) -> dict[tuple[str, str], Exemption]:
        return {(exemption.code, exemption.check): exemption for exemption in self.settings.exempt}

    def groundless_exemptions(self) -> list[tuple[Exemption, str]]:
        """The exemptions of checks, or of codes, that there are none of, each with what is wrong with it."""
        checks = {**{check.name: check.per for check in self.known_checks.values()}, COVERAGE: "code"}
        found = [(item, groundless(item, checks, self.registries)) for item in self.settings.exempt]
        return [(item, fault) for item, fault in found if fault]

    def exemption_place(self, exemption: Exemption) -> str:
        """Where an exemption is written."""
        file = self.shown(str(self.settings.path))
        return f"{file}: tool.errkit.exempt[{self.settings.exempt.index(exemption)}]"

    @cached_property
    def codes(self) -> tuple[ErrorCode[..., Any, CodedError], ...]:
        """Each code of each registry, in the order of declaration."""
        return tuple(code_of(spec) for registry in self.registries for spec in registry)

    @cached_property
    def marker(self) -> pytest.MarkDecorator:
        """The marker of generated items, looked up once: for thousands of them that counts."""
        return pytest.mark.errkit

    def shown(self, file: str) -> str:
        """The path of a file as it stands in messages: below the root folder of the run, where it is."""
        try:
            return str(Path(file).relative_to(self._config.rootpath))
        except ValueError:
            return file


def _check_fault(check: Any, known: Mapping[str, Check]) -> str:
    """Why a check of the project's own can't be taken; empty if it can."""
    from errkit.checks import Check

    if not isinstance(check, Check):
        return f"expected checks, found {check!r}"
    # Brackets and colons would break node ids.
    if re.fullmatch(r"\w[\w.-]*", check.name) is None:
        return f"{check.name!r} is no name of a check; write letters, digits, dots, hyphens and underscores"
    if check.name in known or check.name == COVERAGE:
        return f"there is a check called {check.name} already; give this one another name"
    if check.per not in ("code", "registry"):
        return f"{check.name}: expected per='code' or per='registry', found {check.per!r}"
    return ""


def code_of(spec: ErrorSpec) -> ErrorCode[..., Any, CodedError]:
    """The code that a spec holds the facts of."""
    found: ErrorCode[..., Any, CodedError] = getattr(spec.cls, spec.const)
    return found


def said_of(error: CodedError, config: pytest.Config) -> str:
    """What keeps the project of a run from being tested, for people."""
    said = f"errkit: {format_error(error)}"
    missing = error.__cause__.name if isinstance(error.__cause__, ModuleNotFoundError) else None
    for folder in (".", "src") if missing else ():
        place = config.rootpath / folder
        if (place / f"{missing}.py").exists() or (place / f"{missing}" / "__init__.py").exists():
            said += (
                f"\n{missing} lies in the project, where pytest does not look: install the project, "
                f'or set pythonpath = ["{folder}"] in pytest\'s settings.'
            )
    return said
