"""`errkit check`: everything that a registry has to prove, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from errkit.cli.findings import Finding, print_findings, split_place, take_format
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.screen import note, progress
from errkit.config import Config
from errkit.config.meaning import groundless, instead
from errkit.errors import CodedError
from errkit.lock import read_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.checks import Check, Finding as Found, NotRun, Report
    from errkit.cli.findings import Format
    from errkit.config import Exemption
    from errkit.registry import Registry

__all__ = ["check_codes"]

EXEMPTION: Final = "exemption"
"""The rule of exemptions that exempt nothing."""


@click.command(
    "check",
    epilog=epilog(
        "errkit check",
        "errkit check shop.errors --skip docs --skip orphans",
        "errkit check --only lock",
        "errkit check --format sarif > errkit.sarif",
    ),
    short_help="Check that codes keep what they promise.",
)
@take_items
@click.option("--only", multiple=True, metavar="CHECK", help="Run this check only; repeatable.")
@click.option("--skip", multiple=True, metavar="CHECK", help="Leave this check out; repeatable.")
@click.option("--docs", metavar="PATH", help="The built site, or its objects.inv, instead of `docs`.")
@click.option("--strict", is_flag=True, help="A check that could not be run is a finding too.")
@take_format
def check_codes(
    items: tuple[str, ...],
    only: tuple[str, ...],
    skip: tuple[str, ...],
    docs: str | None,
    strict: bool,
    form: Format,
) -> int:
    """Check each code of one or more registries, as `pytest --errkit` does.

    Exemptions of [tool.errkit] count, and one that is no longer needed is a finding. A check whose input is
    missing is reported as not run. The exit code is 1 if there is a finding.
    """
    from errkit.checks import Context, run_checks

    checks = _wanted(only, skip)
    sources, config = resolve(items)
    registries = [source.registry for source in sources]
    config = _settings(config, registries if items else None, docs)
    with progress(f"Checking {_count(sum(map(len, registries)), 'code')}"):
        report = run_checks(registries, Context(config), checks)
    found = [*map(_finding, report.findings), *(_stale(item, checks, registries) for item in report.stale)]
    if not items and any(check.name == "lock" for check in checks):
        found += _unlisted(config, registries)
    if strict:
        found += map(_not_run, report.not_run)
    print_findings(found, form, rules=_rules(checks), more=_more(report))
    for line in _summary(registries, checks, report, found):
        note(line)
    return int(bool(found))


def _wanted(only: Sequence[str], skip: Sequence[str]) -> list[Check]:
    from errkit.checks import CHECKS

    names = [check.name for check in CHECKS]
    for option, given in (("--only", only), ("--skip", skip)):
        for name in given:
            if name not in names:
                raise click.BadParameter(
                    f"no check is called {name!r}; {instead(name, names)}", param_hint=option
                )
    return [check for check in CHECKS if (not only or check.name in only) and check.name not in skip]


def _settings(config: Config, registries: Sequence[Registry] | None, docs: str | None) -> Config:
    """The settings, with what the command line says instead.

    Where only some registries are checked, exemptions of others are not taken for needless.
    """
    changed: dict[str, Any] = {}
    if docs is not None:
        changed["docs"] = type(config.root)(docs).absolute()
    if registries is not None:
        codes = {spec.code for registry in registries for spec in registry}
        changed["exempt"] = tuple(item for item in config.exempt if item.code in codes)
    return Config(**{**vars(config), **changed})


# --- findings ---------------------------------------------------------------------------------------


def _finding(item: Found) -> Finding:
    facts = {"registry": item.registry, "code": item.code}
    return Finding(
        rule=item.check,
        message=f"{item.code or item.registry}: {item.problem}",
        hint=item.remedy,
        facts={name: value for name, value in facts.items() if value},
        **split_place(item.place),
    )


def _stale(item: Exemption, checks: Sequence[Check], registries: Sequence[Registry]) -> Finding:
    fault = groundless(item, {check.name: check.per for check in checks}, registries)
    problem = f"it passes the check {item.check}, and is exempt from it ({item.reason})"
    remedy = "Take the exemption out of [tool.errkit]."
    if fault:
        problem = f"it is exempt from {item.check} ({item.reason}), and {fault}"
        remedy = "Correct the exemption, or take it out of [tool.errkit]."
    return Finding(rule=EXEMPTION, message=f"{item.code}: {problem}", hint=remedy, facts={"code": item.code})


def _not_run(item: NotRun) -> Finding:
    return Finding(
        rule=item.check,
        message=f"{item.registry}: not run: {item.reason}",
        hint="Configure what the check needs, or leave it out with --skip.",
        facts={"registry": item.registry},
    )


def _unlisted(config: Config, registries: Sequence[Registry]) -> Iterator[Finding]:
    """The registries that the lock promises, and the project no longer lists."""
    try:
        lock = read_lock(config.lock)
    except CodedError:
        return  # the check itself has said so
    listed = {registry.name for registry in registries}
    for name in lock.registries:
        if name not in listed and lock.codes(name):
            yield Finding(
                rule="lock",
                message=f"{name}: the lock promises {_count(len(lock.codes(name)), 'code')} of it, and "
                "`registries` of [tool.errkit] does not list it",
                file=str(config.lock),
                hint="List it again, or declare a major change: errkit lock --major",
                facts={"registry": name},
            )


# --- in words ---------------------------------------------------------------------------------------


def _rules(checks: Sequence[Check]) -> dict[str, str]:
    return {check.name: check.about for check in checks} | {EXEMPTION: "Exemptions are needed."}


def _more(report: Report) -> dict[str, Any]:
    return {
        "exempted": [
            {"rule": item.check, "registry": item.registry, "code": item.code, "message": item.problem}
            for item in report.exempted
        ],
        "not_run": [
            {"rule": item.check, "registry": item.registry, "reason": item.reason} for item in report.not_run
        ],
    }


def _summary(
    registries: Sequence[Registry], checks: Sequence[Check], report: Report, found: Sequence[Finding]
) -> Iterator[str]:
    for reason, names in _reasons(report).items():
        yield f"not run: {', '.join(names)}: {reason}"
    size = f"{_count(sum(map(len, registries)), 'code')} of {', '.join(item.name for item in registries)}"
    exempt = f", {len(report.exempted)} exempt" if report.exempted else ""
    asked = {check.name for check in checks} - {item.check for item in report.not_run}
    yield f"{size}: {_count(len(asked), 'check')}, {_count(len(found), 'finding')}{exempt}"


def _reasons(report: Report) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for item in report.not_run:
        found.setdefault(item.reason, {})[item.check] = None
    return {reason: list(names) for reason, names in found.items()}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
