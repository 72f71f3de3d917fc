"""`errkit man`: the manual pages of the commands."""

from __future__ import annotations

import os
from importlib.metadata import version

import click

from errkit.catalog_file import json_text
from errkit.cli.manual import page_name, page_of, pages
from errkit.cli.screen import note, show_raw
from errkit.own import ErrkitError

__all__ = ["print_manual"]


@click.command(
    "man",
    epilog="\b\nExamples:\n  errkit man explain | man -l -\n  errkit man -o ~/.local/share/man/man1",
    short_help="Write manual pages.",
)
@click.argument("command", nargs=-1)
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="Write the page, and those of the commands below it, into this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object: name and text of each page.")
@click.pass_context
def print_manual(context: click.Context, command: tuple[str, ...], output: str | None, as_json: bool) -> int:
    """Print the manual page of COMMAND, or of errkit itself, for the program man.

    The pages say what --help says.
    """
    first = _context_of(context.find_root(), command)
    every = {page_name(found): page_of(found, version("errkit")) for found in pages(first)}
    if output is not None:
        _write(output, every)
    if as_json:
        show_raw(json_text(every))
    elif output is None:
        show_raw(page_of(first, version("errkit")))
    return 0


def _context_of(root: click.Context, names: tuple[str, ...]) -> click.Context:
    found = click.Context(root.command, info_name=root.info_name, **root.command.context_settings)
    for name in names:
        command = found.command
        below = command.get_command(found, name) if isinstance(command, click.Group) else None
        if below is None:
            known = ", ".join(command.list_commands(found)) if isinstance(command, click.Group) else "none"
            raise click.BadParameter(
                f"no command is called {name!r}; there are {known}.", param_hint="COMMAND"
            )
        found = click.Context(below, info_name=name, parent=found)
    return found


def _write(folder: str, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = os.path.join(folder, f"{name}.1")
        try:
            os.makedirs(folder, exist_ok=True)
            with click.open_file(path, "w", encoding="ascii", atomic=True) as file:
                file.write(text)
        except OSError as error:
            problem = f"can't be written: {error.strerror or error}"
            raise ErrkitError.FILE_NOT_WRITTEN(f"{path}: {problem}", path=path, problem=problem) from error
        note(f"wrote {path}")
