"""Running checks: over one code, one registry, or all that a project names, with its exemptions applied."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from errkit.checks import declaration, lock, published, survival
from errkit.checks.examples import foreign_codes
from errkit.checks.model import Check, Context, Finding, NotRun, Report, finding
from errkit.checks.watching import Hung, each

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errkit.codes import ErrorSpec
    from errkit.config import Exemption
    from errkit.registry import Registry

__all__ = ["CHECKS", "check_code", "check_registry", "run_checks"]

CHECKS: Final[tuple[Check, ...]] = (
    Check(name="json", per="code", find=survival.find_json, about="An error comes through JSON unchanged."),
    Check(name="pickle", per="code", find=survival.find_pickle, about="An error comes out of every pickle."),
    Check(name="copy", per="code", find=survival.find_copy, about="A copy of an error is like the error."),
    Check(
        name="process",
        per="code",
        find=survival.find_process,
        prepare=survival.prepare_process,
        about="An error survives another process.",
    ),
    Check(name="dialects", per="code", find=survival.find_dialects, about="Each dialect keeps what it can."),
    Check(
        name="details", per="code", find=declaration.find_details, about="Fields and example are complete."
    ),
    Check(name="text", per="code", find=declaration.find_text, about="Title, hint and prose are there."),
    Check(
        name="docs",
        per="code",
        find=published.find_docs,
        about="The built site documents the code.",
        missing=published.docs_missing,
    ),
    Check(name="clashes", per="registry", find=declaration.find_clashes, about="No other registry has them."),
    Check(name="ranges", per="registry", find=declaration.find_ranges, about="Numbered domains number all."),
    Check(name="aliases", per="registry", find=declaration.find_aliases, about="Replacements exist."),
    Check(name="reasons", per="registry", find=declaration.find_reasons, about="Reasons can be told apart."),
    Check(
        name="lock",
        per="registry",
        find=lock.find_lock,
        about="What was promised is kept.",
        missing=lock.lock_missing,
    ),
    Check(
        name="orphans",
        per="registry",
        find=published.find_orphans,
        about="Nothing is documented that is gone.",
        missing=published.docs_missing,
    ),
)
"""Every check, in the order in which they are run."""


def check_code(check: Check, spec: ErrorSpec, registry: Registry, context: Context) -> list[Finding]:
    """What one check finds about one code; a check that fails or does not end is a finding too."""
    check.prepare(registry, context)
    return _ask(check, [spec], registry, context, watched=spec.code in context.once(foreign_codes, registry))


def check_registry(check: Check, registry: Registry, context: Context) -> list[Finding]:
    """What one check finds about a whole registry, code by code where it asks each."""
    if check.per == "registry":
        try:
            return list(check.find(registry, context))
        except Exception as failure:
            return [_failed(check, registry, failure)]
    check.prepare(registry, context)
    foreign = context.once(foreign_codes, registry)
    found: list[Finding] = []
    for watched, part in groupby(registry, key=lambda spec: spec.code in foreign):
        found += _ask(check, list(part), registry, context, watched=watched)
    return found


def _ask(
    check: Check, specs: list[ErrorSpec], registry: Registry, context: Context, *, watched: bool
) -> list[Finding]:
    def ask(spec: ErrorSpec) -> list[Finding]:
        try:
            return list(check.find(spec, registry, context))
        except (Exception, SystemExit) as failure:
            return [_failed(check, registry, failure, spec)]

    # Watching costs as much as some checks do, and errkit's own code does not hang.
    if not watched:
        return [item for spec in specs for item in ask(spec)]
    found: list[Finding] = []
    for spec, answer in zip(specs, each(ask, specs, context.patience), strict=True):
        found += [_hung(check, registry, answer, spec)] if isinstance(answer, Hung) else answer
    return found


def _failed(
    check: Check, registry: Registry, failure: BaseException, spec: ErrorSpec | None = None
) -> Finding:
    return Finding(
        check=check.name,
        registry=registry.name,
        code="" if spec is None else spec.code,
        place="" if spec is None else spec.place,
        problem=f"the check itself fails: {type(failure).__name__}: {failure}",
        remedy="Read the failure: most often an example that the class refuses.",
    )


def _hung(check: Check, registry: Registry, hung: Hung, spec: ErrorSpec) -> Finding:
    remedy = "Remove what waits or loops there: most often a `__reduce__`, `__deepcopy__` or `__str__`."
    return finding(check.name, registry, spec, f"it {hung}", remedy)


def run_checks(registries: Iterable[Registry], context: Context, checks: Sequence[Check] = CHECKS) -> Report:
    """Run checks over registries and apply the exemptions of the configuration.

    Parameters
    ----------
    registries
        What to check.
    context
        The configuration, and the project's examples.
    checks
        Which checks; all if not given.
    """
    found: list[Finding] = []
    not_run: list[NotRun] = []
    for registry in registries:
        for check in checks:
            reason = check.missing(context)
            if reason:
                not_run.append(NotRun(check=check.name, registry=registry.name, reason=reason))
            else:
                found += check_registry(check, registry, context)
    return _report(found, not_run, context.config.exempt, {check.name for check in checks})


def _report(
    found: list[Finding], not_run: list[NotRun], exemptions: tuple[Exemption, ...], asked: set[str]
) -> Report:
    skipped = {item.check for item in not_run}
    covered = {(exemption.code, exemption.check) for exemption in exemptions}
    hit = {(item.code, item.check) for item in found}
    return Report(
        findings=tuple(item for item in found if (item.code, item.check) not in covered),
        not_run=tuple(not_run),
        exempted=tuple(item for item in found if (item.code, item.check) in covered),
        # An exemption of a check that did not run may still be needed.
        stale=tuple(
            exemption
            for exemption in exemptions
            if exemption.check in asked - skipped and (exemption.code, exemption.check) not in hit
        ),
    )
