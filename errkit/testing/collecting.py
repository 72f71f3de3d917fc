"""The items of `--errkit`: `<config file>::<registry>::<code>::<check>`, below the file that asks for them.

They hang on the configuration file, which is a real one, so whatever takes a node id takes theirs: the
command line, `--lf`, `--deselect`, xdist. No name holds a bracket or a colon: pytest 9.2 loses such items in
`--lf` (pytest issue 15045). A large registry is collected code by code, a very large one as one item.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest

from errkit.checks import check_code, check_registry
from errkit.errors import CodedError
from errkit.testing.project import project_of, said_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from errkit.checks import Check, Finding
    from errkit.codes import ErrorSpec
    from errkit.config import Exemption
    from errkit.registry import Registry

__all__ = ["CheckFailed", "GeneratedItem", "RegistryFile"]

ALL_CODES: Final = "all-codes"
"""Stands for the code in items about a whole registry; no code has a hyphen."""

_MOST_CHECKS: Final = 300
"""Codes of a registry up to which each check of each is an item."""
_MOST_CODES: Final = 3000
"""Codes up to which each is an item."""


class CheckFailed(Exception):
    """What checks found, as text for people."""


class RegistryFile(pytest.File):
    """The configuration file, and below it the registries that the project names."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """A collector for each registry, and an item for exemptions that exempt nothing."""
        project = project_of(self.config)
        try:
            registries, exemptions = project.registries, project.settings.exempt
            _ = project.checks
        except CodedError as error:
            raise self.CollectError(said_of(error, self.config)) from error
        except pytest.UsageError as error:
            raise self.CollectError(f"errkit: {error}") from error
        for registry in registries:
            name = re.sub(r"[\[\]:]+", "-", registry.name)
            yield RegistryCollector.from_parent(self, name=name, registry=registry)
        if exemptions:
            yield ExemptionsItem.from_parent(self, name="exemptions")


class RegistryCollector(pytest.Collector):
    """One registry."""

    def __init__(self, *, registry: Registry, **node: Any) -> None:
        super().__init__(**node)
        self._registry = registry

    def collect(self) -> Iterator[pytest.Collector | pytest.Item]:
        """The codes in the order of declaration, then what is asked once for all of them."""
        project, registry = project_of(self.config), self._registry
        wanted = self.config.getoption("errkit_granularity") or granularity(len(registry))
        apart: list[Check] = []
        together: list[Check] = []
        for check in project.checks:
            is_apart = wanted != "registry" and check.per == "code" and not check.missing(project.context)
            (apart if is_apart else together).append(check)
        for spec in registry if apart else ():
            make = CodeCollector if wanted == "check" else CodeItem
            yield make.from_parent(self, name=spec.code, registry=registry, checks=apart, spec=spec)
        if together:
            yield WholeCollector.from_parent(self, name=ALL_CODES, registry=registry, checks=together)


def granularity(codes: int) -> str:
    """What is an item in a registry with so many codes: each `check` of each code, a `code`, or a check of
    the whole `registry`.
    """
    if codes <= _MOST_CHECKS:
        return "check"
    return "code" if codes <= _MOST_CODES else "registry"


class CodeCollector(pytest.Collector):
    """One code, with an item for each check."""

    def __init__(self, *, registry: Registry, checks: Sequence[Check], spec: ErrorSpec, **node: Any) -> None:
        super().__init__(**node)
        self._registry = registry
        self._checks = checks
        self._spec = spec

    def collect(self) -> Iterator[pytest.Item]:
        """The checks in the order in which they are listed."""
        for check in self._checks:
            yield CheckItem.from_parent(
                self, name=check.name, registry=self._registry, checks=(check,), spec=self._spec
            )


class WholeCollector(pytest.Collector):
    """All codes of a registry together, with an item for each check."""

    def __init__(self, *, registry: Registry, checks: Sequence[Check], **node: Any) -> None:
        super().__init__(**node)
        self._registry = registry
        self._checks = checks

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each check; a check that can't be asked is there too, and skipped."""
        context = project_of(self.config).context
        for check in self._checks:
            item = WholeItem.from_parent(self, name=check.name, registry=self._registry, checks=(check,))
            reason = check.missing(context)
            if reason:
                item.add_marker(pytest.mark.skip(reason=f"not run: {reason}"))
            yield item


# --- items ------------------------------------------------------------------------------------------


class GeneratedItem(pytest.Item):
    """An item that the kit made; what it raises is no merit of the suite."""

    generated_by_errkit = True

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was found, without a traceback."""
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class ChecksItem(GeneratedItem):
    """Some checks of some codes of a registry."""

    def __init__(self, *, registry: Registry, checks: Sequence[Check], **node: Any) -> None:
        super().__init__(**node)
        self.registry = registry
        self.checks = checks
        self.project = project_of(self.config)
        facts = self.facts()
        self.user_properties += [(f"errkit_{name}", fact) for name, fact in facts.items()]
        self.add_marker(self.project.marker.with_args(**facts))

    def facts(self) -> dict[str, str]:
        """What the item is about, for `-m` and for reports."""
        raise NotImplementedError

    def find(self, check: Check) -> list[Finding]:
        """What a check finds about the codes of the item."""
        raise NotImplementedError

    def codes(self) -> Iterable[str]:
        """The codes that the item is about."""
        raise NotImplementedError

    def runtest(self) -> None:
        """Fail with all that was found and is not exempt."""
        faults: list[str] = []
        reasons: list[str] = []
        for check in self.checks:
            needed = set()
            for item in self.find(check):
                exemption = self.project.exemption(item.code, check.name)
                if exemption is None:
                    faults.append(self._shown(check, item))
                else:
                    needed.add(item.code)
                    reasons.append(f"exempt: {exemption.reason}")
            faults += map(_stale, self._stale(check, needed))
        if faults:
            raise CheckFailed("\n\n".join(faults))
        if reasons:
            pytest.xfail("; ".join(dict.fromkeys(reasons)))

    def _stale(self, check: Check, needed: set[str]) -> Iterator[Exemption]:
        for code in self.codes() if self.project.settings.exempt else ():
            exemption = self.project.exemption(code, check.name)
            if exemption is not None and code not in needed:
                yield exemption

    def _shown(self, check: Check, item: Finding) -> str:
        declared = self.project.shown(item.place) if item.place else ""
        return _paragraph(
            f"{item.code or item.registry}: {item.problem}",
            {"check": f"{check.name}: {check.about}", "declared at": declared, "to do": item.remedy},
        )


class CodeItem(ChecksItem):
    """All checks of one code."""

    def __init__(self, *, spec: ErrorSpec, **node: Any) -> None:
        self.spec = spec
        super().__init__(**node)

    def facts(self) -> dict[str, str]:
        """Registry and code."""
        return {"registry": self.registry.name, "code": self.spec.code}

    def find(self, check: Check) -> list[Finding]:
        """What a check finds about the code."""
        return check_code(check, self.spec, self.registry, self.project.context)

    def codes(self) -> Iterable[str]:
        """The code alone."""
        return (self.spec.code,)

    def reportinfo(self) -> tuple[str | Path, int | None, str]:
        """Where the code is declared, for editors that jump there."""
        return self.spec.file or self.path, max(self.spec.line - 1, 0), " ".join(self.facts().values())


class CheckItem(CodeItem):
    """One check of one code."""

    def facts(self) -> dict[str, str]:
        """Registry, code and check."""
        return {**super().facts(), "check": self.checks[0].name}


class WholeItem(ChecksItem):
    """One check of a whole registry."""

    def facts(self) -> dict[str, str]:
        """Registry and check."""
        return {"registry": self.registry.name, "check": self.checks[0].name}

    def find(self, check: Check) -> list[Finding]:
        """What a check finds about the registry."""
        return check_registry(check, self.registry, self.project.context)

    def codes(self) -> Iterable[str]:
        """All codes of the registry."""
        return self.registry.codes

    def reportinfo(self) -> tuple[str | Path, int | None, str]:
        """The file that names the registry."""
        return self.path, 0, " ".join(self.facts().values())


class ExemptionsItem(GeneratedItem):
    """Exemptions of codes or checks that there are none of."""

    def runtest(self) -> None:
        """Fail with each of them."""
        project = project_of(self.config)
        found = project.groundless_exemptions()
        if found:
            told = [_groundless(item, fault, project.exemption_place(item)) for item, fault in found]
            raise CheckFailed("\n\n".join(told))

    def reportinfo(self) -> tuple[str | Path, int | None, str]:
        """The file that holds them."""
        return self.path, 0, "exemptions"


# --- in words ---------------------------------------------------------------------------------------


def _stale(exemption: Exemption) -> str:
    return _paragraph(
        f"{exemption.code}: it passes the check {exemption.check}, and is exempt from it",
        {"reason given": exemption.reason, "to do": "Take the exemption out of [tool.errkit]."},
    )


def _groundless(exemption: Exemption, fault: str, place: str) -> str:
    return _paragraph(
        f"{exemption.code}: it is exempt from {exemption.check}, and {fault}",
        {
            "written at": place,
            "reason given": exemption.reason,
            "to do": "Correct the exemption, or take it out.",
        },
    )


def _paragraph(head: str, facts: dict[str, str]) -> str:
    lines = [f"  {name:<12} {fact}" for name, fact in facts.items() if fact]
    return "\n".join([head, *lines])
