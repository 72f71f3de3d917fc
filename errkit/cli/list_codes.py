"""`errkit list`: every code of some registries, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from errkit.catalog_file import code_data, json_text
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.screen import is_terminal, show_raw, show_table

if TYPE_CHECKING:
    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["code_facts", "list_codes"]


@click.command(
    "list",
    epilog=epilog(
        "errkit list",
        "errkit list shop.errors",
        "errkit list shop.json --json | jq '.[].code'",
        "errkit list | grep transient",
    ),
    short_help="List codes.",
)
@take_items
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def list_codes(items: tuple[str, ...], as_json: bool) -> int:
    """List the codes of one or more registries.

    In a pipe each code is one line: registry, code, number, kind, audience and title with tabs between them.
    """
    sources, _ = resolve(items)
    registries = [source.registry for source in sources]
    if as_json:
        show_raw(json_text([code_facts(registry, spec) for registry in registries for spec in registry]))
    elif is_terminal():
        for registry in registries:
            _show_registry(registry)
    else:
        show_table((), [(registry.name, *_row(spec)) for registry in registries for spec in registry])
    return 0


def _show_registry(registry: Registry) -> None:
    rows = [_row(spec) for spec in registry]
    columns = ["Code", "Number", "Kind", "Audience", "Title"]
    if all(number is None for _, number, *_ in rows):
        columns.remove("Number")
        rows = [(row[0], *row[2:]) for row in rows]
    size = f"{_count(len(registry.domains), 'domain')}, {_count(len(registry), 'code')}"
    show_table(columns, rows, f"{registry.name}: {size}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _row(spec: ErrorSpec) -> tuple[object, ...]:
    return spec.code, spec.number, spec.kind, "public" if spec.public else "internal", spec.title


def code_facts(registry: Registry, spec: ErrorSpec) -> dict[str, Any]:
    """All facts of a code for machines; unlike in a catalogue, what follows from others is there too."""
    return {
        "registry": registry.name,
        "domain": spec.domain,
        "number": spec.number,
        "kind": spec.kind,
        "retryable": spec.retryable,
        "alert": spec.alert,
        "public": spec.public,
        "hint": spec.hint,
        **code_data(spec),
    }
