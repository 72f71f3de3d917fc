"""The records of checking: what is asked, what was found, what could not be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from errkit.codes import ErrorSpec
    from errkit.config import Config, Exemption
    from errkit.registry import Registry

__all__ = ["PATIENCE", "Check", "Context", "Finding", "NotRun", "Report"]

T = TypeVar("T")

PATIENCE: Final = 10.0
"""Seconds that one check of one code may take."""


class Finding(Record):
    """One thing that is wrong with one code, or with a whole registry."""

    check: str
    registry: str
    problem: str
    """What was found, in one line."""
    remedy: str
    """What to do, as one imperative sentence."""
    code: str = ""
    """Empty if the whole registry is meant."""
    place: str = ""
    """Where the code is declared, as `file:line`."""

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        return f"{self.code or self.registry}: {self.check}: {self.problem}{where}. {self.remedy}"


class NotRun(Record):
    """A check that could not be asked, and why; never to be taken for passed."""

    check: str
    registry: str
    reason: str


class Context:
    """What checks may need beside the registry: the configuration, and examples given by the project.

    Parameters
    ----------
    config
        The settings of the project.
    example
        Details for a code that declares no example; None from it means that it has none.
    patience
        Seconds that one check of one code may take before it is given up.
    """

    def __init__(
        self,
        config: Config,
        example: Callable[[ErrorSpec], Mapping[str, Any] | None] | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self.config = config
        self.given_example = example
        self.patience = patience
        self.memory: dict[Any, Any] = {}
        """What a check computes once."""

    def once(self, make: Callable[[Registry, Context], T], registry: Registry) -> T:
        """What `make` gives for a registry, made once for each state of it."""
        state = registry.codes
        known = self.memory.get((make, registry.name))
        if known is None or known[0] is not state:
            known = self.memory[make, registry.name] = state, make(registry, self)
        found: T = known[1]
        return found


class Check(Record):
    """A question that is put to each code, or once to each registry."""

    name: str
    about: str
    """What it proves, in one sentence."""
    per: Literal["code", "registry"]
    find: Callable[..., Iterable[Finding]]
    """`find(spec, registry, context)`, or `find(registry, context)`."""
    prepare: Callable[[Registry, Context], object] = staticmethod(lambda _registry, _context: None)
    """What has to be done before the codes of a registry are asked, however long it takes."""
    missing: Callable[[Context], str] = staticmethod(lambda _context: "")
    """Why the check can't be asked in a context; empty if it can."""


class Report(Record):
    """The outcome of `run_checks`."""

    findings: tuple[Finding, ...]
    not_run: tuple[NotRun, ...]
    exempted: tuple[Finding, ...]
    """Findings that an exemption covers."""
    stale: tuple[Exemption, ...]
    """Exemptions that cover nothing any more; each is a failure."""

    @property
    def clean(self) -> bool:
        """Whether nothing was found and no exemption is stale; what was not run does not count."""
        return not self.findings and not self.stale


def finding(check: str, registry: Registry, spec: ErrorSpec, problem: str, remedy: str) -> Finding:
    """A finding about one code."""
    return Finding(
        check=check, registry=registry.name, code=spec.code, place=spec.place, problem=problem, remedy=remedy
    )
