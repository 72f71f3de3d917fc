"""`errkit list`: the codes of some registries, in order; all, or those that are like something."""

from __future__ import annotations

import difflib
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click

from errkit.catalog_file import code_data, json_text
from errkit.cli.completing import complete_domains, complete_registries
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.screen import is_terminal, note, show_raw, show_table
from errkit.codes import KINDS
from errkit.explaining import Facets, pick

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["code_facts", "list_codes"]


@click.command(
    "list",
    epilog=epilog(
        "errkit list",
        "errkit list shop.errors --kind transient --public",
        "errkit list --domain os --search 'not found'",
        "errkit list shop.json --json | jq '.[].code'",
    ),
    short_help="List codes.",
)
@take_items
@click.option("-s", "--search", metavar="TEXT", default="", help="Codes in which all these words stand.")
@click.option(
    "-d",
    "--domain",
    "domains",
    multiple=True,
    shell_complete=complete_domains,
    help="Codes of this domain and those below it; repeatable.",
)
@click.option("-k", "--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Repeatable.")
@click.option(
    "-r",
    "--registry",
    "names",
    multiple=True,
    shell_complete=complete_registries,
    help="Codes of this registry; repeatable.",
)
@click.option("--public/--internal", default=None, help="Codes for everybody, or for yourselves.")
@click.option("--retryable/--not-retryable", default=None, help="Codes after which to try again, or not.")
@click.option("--deprecated/--not-deprecated", default=None, help="Codes that will go, or stay.")
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def list_codes(
    items: tuple[str, ...],
    search: str,
    domains: tuple[str, ...],
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    public: bool | None,
    retryable: bool | None,
    deprecated: bool | None,
    as_json: bool,
) -> int:
    """List the codes of one or more registries, all or those that are like what you say.

    Words are looked for in codes, titles, hints, aliases and numbers; * and ? stand for any text. In a pipe
    each code is one line: registry, code, number, kind, audience and title with tabs between them.
    """
    sources, _ = resolve(items)
    registries = [source.registry for source in sources]
    _check_names("--registry", names, [registry.name for registry in registries])
    every = [domain.domain for registry in registries for domain in registry.domains]
    _check_names("--domain", domains, [".".join(parts) for name in every for parts in _heads(name)])
    facets = Facets(
        text=search,
        domains=domains,
        kinds=kinds,
        registries=names,
        public=public,
        retryable=retryable,
        deprecated=deprecated,
    )
    found = list(pick(registries, facets))
    if as_json:
        show_raw(json_text([code_facts(registry, spec) for registry, spec in found]))
    elif is_terminal():
        for registry, codes in groupby(found, key=itemgetter(0)):
            _show_registry(registry, [spec for _, spec in codes])
    else:
        show_table((), [(registry.name, *_row(spec)) for registry, spec in found])
    if not found:
        note("no code is like that")
    return 0


def _heads(name: str) -> Iterator[list[str]]:
    """A domain, and those that it is below of."""
    parts = name.split(".")
    yield from (parts[:count] for count in range(1, len(parts) + 1))


def _check_names(option: str, asked: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a name that nothing has: an empty list would say that all is well."""
    for name in asked:
        if name.rstrip(".") not in known:
            near = difflib.get_close_matches(name, dict.fromkeys(known), n=1)
            meant = f"; did you mean {near[0]!r}?" if near else "."
            raise click.BadParameter(f"nothing here is called {name!r}{meant}", param_hint=option)


def _show_registry(registry: Registry, specs: Sequence[ErrorSpec]) -> None:
    rows = [_shown(spec) for spec in specs]
    columns = ["Code", "Number", "Kind", "Audience", "Title"]
    if all(number is None for _, number, *_ in rows):
        columns.remove("Number")
        rows = [(row[0], *row[2:]) for row in rows]
    domains = {spec.domain for spec in specs}
    size = f"{_count(len(domains), 'domain')}, {_count(len(specs), 'code')}"
    show_table(columns, rows, f"{registry.name}: {size}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _row(spec: ErrorSpec) -> tuple[object, ...]:
    return spec.code, spec.number, spec.kind, "public" if spec.public else "internal", spec.title


def _shown(spec: ErrorSpec) -> tuple[object, ...]:
    """A row for people."""
    *facts, title = _row(spec)
    return (*facts, f"{title} (deprecated)" if spec.deprecated else title)


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
