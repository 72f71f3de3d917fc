"""`errkit scan`: what is wrong with how the source raises its codes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from errkit.cli.findings import Finding, print_findings, take_format
from errkit.cli.items import epilog, resolve
from errkit.cli.screen import note, progress, show
from errkit.own import ErrkitError
from errkit.source import RULES, scan

if TYPE_CHECKING:
    from errkit.cli.findings import Format
    from errkit.config import Config
    from errkit.registry import Registry
    from errkit.source import Found

__all__ = ["scan_sources"]


@click.command(
    "scan",
    epilog=epilog(
        "errkit scan src",
        "errkit scan src --codes shop.errors",
        "errkit scan --format sarif > scan.sarif",
        "errkit scan --explain bare-raise",
    ),
    short_help="Find faults in how codes are raised.",
)
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option(
    "-c", "--codes", "items", multiple=True, metavar="ITEM", help="Whose codes count; may be given again."
)
@click.option("--explain", "rule", metavar="RULE", help="Say what a rule finds and why; 'all' for each.")
@take_format
def scan_sources(paths: tuple[str, ...], items: tuple[str, ...], rule: str | None, form: Format) -> int:
    """Read Python files without importing them, and find exceptions without codes, codes that nobody raises,
    codes and details that don't exist, swallowed cancellations, and messages that tell too much.

    Without PATHS, those of [tool.errkit.scan] are meant, else the current folder. The exit code is 1 if
    anything is found.
    """
    if rule is not None:
        return _explain(rule)
    sources, config = resolve(items)
    registries = [source.registry for source in sources]
    _check_settings(config, registries)
    with progress("reading the source ..."):
        outcome = scan(paths or config.scan.paths or [os.curdir], registries, config)
    count, allowed = len(outcome.findings), len(outcome.allowed)
    print_findings(
        map(_finding, outcome.findings),
        form,
        rules={name: known.asks for name, known in RULES.items()},
        more={"files": outcome.files, "allowed": [vars(_finding(one)) for one in outcome.allowed]},
    )
    note(f"{_count(outcome.files, 'file')}, {_count(count, 'finding')}, {allowed} allowed")
    return 1 if count else 0


def _finding(one: Found) -> Finding:
    return Finding(
        rule=one.rule,
        message=one.message,
        file=one.file,
        line=one.line,
        column=one.column,
        hint=one.hint,
        level=RULES[one.rule].level,
        facts=one.facts,
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _explain(name: str) -> int:
    wanted = RULES.values() if name == "all" else [RULES[name]] if name in RULES else []
    if not wanted:
        raise click.BadParameter(
            f"there is no rule {name!r}; there are {', '.join(RULES)}", param_hint="--explain"
        )
    for place, rule in enumerate(wanted):
        if place:
            show()
        show(f"{rule.name} ({rule.level})", "bold")
        for text in (rule.asks, rule.why, rule.remedy):
            show(text)
    return 0


def _check_settings(config: Config, registries: list[Registry]) -> None:
    """Refuse settings that name what does not exist: they would pass over findings, or mislead."""
    domains = {domain.domain for registry in registries for domain in registry.domains}
    for module, domain in config.scan.owners.items():
        if domain not in domains:
            _refuse(config, f"owners.{module}", f"there is no domain {domain!r}")
    for place, entry in enumerate(config.scan.allow):
        if entry.rule not in RULES:
            _refuse(
                config,
                f"allow[{place}].rule",
                f"there is no rule {entry.rule!r}; there are {', '.join(RULES)}",
            )


def _refuse(config: Config, key: str, problem: str) -> None:
    key = f"tool.errkit.scan.{key}"
    raise ErrkitError.BAD_CONFIG(
        f"{config.path}: {key}: {problem}", path=str(config.path), key=key, problem=problem
    )
