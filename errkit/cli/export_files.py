"""`errkit export`: a registry in the form of another tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from errkit.cli.items import epilog, resolve
from errkit.cli.screen import note, show_raw

if TYPE_CHECKING:
    from errkit.registry import Registry

__all__ = ["export_files"]


@click.group("export", short_help="Write a registry in another form.")
def export_files() -> None:
    """Write a registry in another form."""


@export_files.command(
    "json", epilog=epilog("errkit export json shop.errors -o shop.json", "errkit list shop.json")
)
@click.argument("item", required=False)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
def export_json(item: str | None, output: str | None) -> int:
    """Write a registry as a catalogue (errkit.catalog/1), for every command that takes a module."""
    text = _only(item).export()
    if output is None:
        show_raw(text)
        return 0
    try:
        with click.open_file(output, "w", encoding="utf-8", atomic=True) as file:
            file.write(text)
    except OSError as error:
        raise click.BadParameter(f"{output!r} can't be written: {error.strerror}", param_hint="-o") from error
    note(f"wrote {output}")
    return 0


def _only(item: str | None) -> Registry:
    sources, _ = resolve([item] if item else [])
    if len(sources) > 1:
        names = ", ".join(source.item for source in sources)
        raise click.UsageError(f"a catalogue holds one registry; name one of {names}")
    return sources[0].registry
