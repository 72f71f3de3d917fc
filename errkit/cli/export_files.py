"""`errkit export`: a registry in the form of another tool, printed, written to a file, or compared with one.

One command for each of `errkit.exports.FORMATS`; what stands in a file is decided there.
"""

from __future__ import annotations

import shlex
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from errkit.catalog_file import json_text
from errkit.cli.items import epilog, resolve
from errkit.cli.screen import clean, note, show_raw
from errkit.exports import AUDIENCES, FORMATS, export
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from errkit.exports import Audience, Format
    from errkit.registry import Registry

__all__ = ["export_files", "write_whole"]


@click.group(
    "export",
    short_help="Write a registry in another form.",
    epilog="\b\nExamples:\n  errkit export typescript shop.errors -o web/src/errors.ts\n"
    "  errkit export typescript shop.errors --check web/src/errors.ts\n"
    "  errkit export openapi shop.errors --audience public -o errors.openapi.json",
)
def export_files() -> None:
    """Write a registry in another form.

    The same registry always gives the same text, so a copy can be committed; --check says if it is stale.
    """


def _command(form: Format) -> click.Command:
    @click.argument("item", required=False)
    @click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
    @click.option(
        "--check",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write nothing; the exit code is 1 if this file is not what would be written.",
    )
    @click.option(
        "--audience",
        type=click.Choice(AUDIENCES),
        default=form.audience,
        show_default=True,
        help="`public` leaves out codes that are not public.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print an object that says what was done.")
    def run(
        item: str | None, output: str | None, check: str | None, audience: Audience, as_json: bool
    ) -> int:
        if output is not None and check is not None:
            raise click.UsageError("-o writes a file and --check compares one; give one of them")
        text = export(_only(item), form.name, audience)
        stale = "" if check is None else _difference(check, text)
        if output is not None:
            write_whole(output, text)
        if as_json:
            show_raw(json_text(_told(form, audience, output or check, text, stale)))
        elif output is not None:
            note(f"wrote {output}")
        elif check is None:
            show_raw(text)
        elif not stale:
            note(f"{check} is up to date")
        if stale:
            again = _refreshing(form, item, audience, str(check))
            note(f"{check} {stale}; run: {again}")
        return int(bool(stale))

    run.__doc__ = f"{form.about}\n\nWithout -o the text is printed."
    path = f"errors{form.suffix}"
    examples = epilog(
        f"errkit export {form.name} shop.errors -o {path}",
        f"errkit export {form.name} shop.errors --check {path}",
    )
    return click.command(form.name, epilog=examples, short_help=form.about)(run)


for _form in FORMATS.values():
    export_files.add_command(_command(_form))


def _only(item: str | None) -> Registry:
    sources, _ = resolve([item] if item else [])
    if len(sources) > 1:
        names = ", ".join(source.item for source in sources)
        raise click.UsageError(f"an export holds one registry; name one of {names}")
    return sources[0].registry


def _told(form: Format, audience: str, file: str | None, text: str, stale: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"format": form.name, "audience": audience, "file": file}
    return {**facts, "stale": stale or None, **({"text": text} if file is None else {})}


# --- files ------------------------------------------------------------------------------------------


def write_whole(path: str, text: str) -> None:
    """Write a file, so that nobody ever sees a part of it.

    Raises
    ------
    CodedError
        `errkit.file_not_written`.
    """
    try:
        with click.open_file(path, "wb", atomic=True) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        problem = f"can't be written: {error.strerror or type(error).__name__}"
        raise ErrkitError.FILE_NOT_WRITTEN(f"{path}: {problem}", path=path, problem=problem) from error


def _difference(path: str, text: str) -> str:
    """How a file differs from what it should hold, for a sentence; empty if it does not."""
    try:
        with open(path, "rb") as file:
            # A checkout may have turned the ends of lines.
            found = file.read(4 * len(text) + 4096).replace(b"\r\n", b"\n")
    except FileNotFoundError:
        return "does not exist"
    except OSError as error:
        return f"can't be read ({error.strerror or type(error).__name__})"
    wanted = text.encode("utf-8")
    if found == wanted:
        return ""
    lines = zip_longest(found.split(b"\n"), wanted.split(b"\n"))
    here = next(number for number, (one, other) in enumerate(lines, 1) if one != other)
    return f"is stale (line {here} differs)"


def _refreshing(form: Format, item: str | None, audience: str, path: str) -> str:
    """The command that brings a file up to date."""
    words = ["errkit", "export", form.name, *([item] if item else [])]
    words += ["--audience", audience] if audience != form.audience else []
    return clean(shlex.join([*words, "-o", path]))
