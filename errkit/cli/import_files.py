"""`errkit import`: somebody else's list of codes as a catalogue, with what is left to do.

The formats are those of `errkit.imports.READERS`; the catalogue is tried before anybody gets it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import click

from errkit.catalog_file import json_text
from errkit.cli.export_files import write_whole
from errkit.cli.screen import note, show_raw
from errkit.imports import READERS, import_list
from errkit.registry import Registry
from errkit.safe import redact

if TYPE_CHECKING:
    from errkit.imports import Draft
    from errkit.imports.draft import Note

__all__ = ["import_files"]

GAPS: Final = ("title", "hint", "description")
"""What a person has to write; all other notes tell of a choice that was made."""
_SHOWN: Final = 10


@click.command(
    "import",
    short_help="Take over somebody else's list of codes.",
    epilog="\b\nExamples:\n"
    "  errkit import list errors.yaml -o errors.json\n"
    "  errkit import list codes.json --map title=text --map hint=whatToDo -o errors.json\n"
    "  ruff rule --all --output-format json | errkit import ruff - -o ruff.json\n"
    "  pylint --list-msgs | errkit import pylint - -o pylint.json\n\n"
    "\b\nFormats:\n" + "\n".join(f"  {reader.name:9} {reader.about}" for reader in READERS.values()),
)
@click.argument("form", metavar="FORMAT", type=click.Choice(list(READERS)))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write the catalogue to this file.")
@click.option("--name", default="", help="The name of the registry.")
@click.option(
    "--map",
    "fields",
    multiple=True,
    metavar="KEY=FIELD",
    help="The field of a list that holds a key of the catalogue, such as title=message; repeatable.",
)
@click.option("--all", "show_all", is_flag=True, help="Show every note, not only the first ten of each kind.")
@click.option("--json", "as_json", is_flag=True, help="Print an object with the catalogue and the notes.")
def import_files(
    form: str,
    files: tuple[str, ...],
    output: str | None,
    name: str,
    fields: tuple[str, ...],
    show_all: bool,
    as_json: bool,
) -> int:
    """Turn somebody else's list of codes into a catalogue (errkit.catalog/1), and say what is left to do.

    FILE is `-` for the standard input. The notes go to standard error; the exit code is 0 also if there are
    some, since every list has gaps.
    """
    made = import_list(form, files, registry=name, names=_names(fields))
    # A catalogue that could not be loaded must never reach anybody.
    Registry.from_catalog(made.catalogue)
    text = json_text(made.catalogue)
    if output is not None:
        write_whole(output, text)
    if as_json:
        show_raw(json_text(_told(made, output)))
        return 0
    if output is None:
        show_raw(text)
    _report(made, show_all=show_all)
    if output is not None:
        note(f"wrote {output}: {made.size} codes in {len(made.catalogue['domains'])} domains")
    return 0


def _names(fields: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for field in fields:
        key, mark, name = field.partition("=")
        if not (key and mark and name):
            raise click.BadParameter(f"{field!r} is not KEY=FIELD, such as title=message", param_hint="--map")
        found[key] = name
    return found


def _told(made: Draft, output: str | None) -> dict[str, Any]:
    notes = [
        {name: redact(getattr(each, name)) for name in ("rule", "code", "place", "message")}
        for each in made.notes
    ]
    told: dict[str, Any] = {"file": output, "codes": made.size, "notes": notes}
    return told if output is not None else {**told, "catalogue": json.loads(json_text(made.catalogue))}


def _report(made: Draft, *, show_all: bool) -> None:
    """The notes on standard error: first what was chosen, then what is missing."""
    counts = Counter(each.rule for each in made.notes)
    for rule in sorted(counts, key=lambda rule: (rule in GAPS, rule)):
        found = [each for each in made.notes if each.rule == rule]
        shown = found if show_all else found[:_SHOWN]
        for each in shown:
            note(_line(each))
        if len(shown) < len(found):
            note(f"... and {len(found) - len(shown)} more of this kind [{rule}]; --all shows them")


def _line(each: Note) -> str:
    place = f"{each.place}: " if each.place else ""
    return str(redact(f"{place}{each.code}: {each.message} [{each.rule}]"))
