"""What a command shows: text without control characters, tables at a terminal, plain lines in a pipe.

All text of a catalogue comes from elsewhere, so nothing is printed but through this room. rich is used at
terminals only (and where FORCE_COLOR asks for it); it obeys NO_COLOR and is never given text as markup.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from errkit.explaining import clean
from errkit.message import format_error
from errkit.payload import to_payload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "clean",
    "complain",
    "is_terminal",
    "note",
    "progress",
    "show",
    "show_raw",
    "show_table",
    "tolerate",
]


def tolerate() -> None:
    """Let no character fail that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _console(*, error: bool = False) -> Console:
    # Made anew each time: the streams may have been replaced since.
    return Console(stderr=error, markup=False, highlight=False, emoji=False, soft_wrap=True)


def is_terminal(*, error: bool = False) -> bool:
    """Whether a person looks at the output."""
    return _console(error=error).is_terminal


def show(text: object = "", style: str = "", *, lines: bool = True) -> None:
    """A line, or several, on standard output; the style counts at a terminal only."""
    _print(clean(text, lines=lines), style, error=False)


def note(text: object, style: str = "") -> None:
    """A line beside the result, on standard error."""
    _print(clean(text, lines=True), style, error=True)


def _print(text: str, style: str, *, error: bool) -> None:
    console = _console(error=error)
    if console.is_terminal:
        console.print(Text(text, style=style))
    else:
        (sys.stderr if error else sys.stdout).write(text + "\n")


def show_raw(text: str) -> None:
    """A result for machines, which is free of control characters already."""
    sys.stdout.write(text)


def show_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """A table at a terminal; in a pipe one line a row with tabs between the cells, and no heading."""
    cells = [["" if cell is None else clean(cell) for cell in row] for row in rows]
    if not is_terminal():
        sys.stdout.writelines("\t".join(row) + "\n" for row in cells)
        return
    table = Table(
        box=box.SIMPLE_HEAD, title=Text(clean(title), style="bold"), title_justify="left", pad_edge=False
    )
    for number, column in enumerate(columns):
        table.add_column(
            column,
            overflow="fold",
            no_wrap=number == 0,
            style="bold" if number == 0 else "",
            # A short word such as a kind is not broken for the sake of a long text beside it.
            min_width=min(12, max(map(len, [column, *(row[number] for row in cells)]))),
        )
    for row in cells:
        table.add_row(*map(Text, row))
    _console().print(table, soft_wrap=False)


def complain(error: object, *, as_json: bool = False) -> None:
    """A failure on standard error: its code, its message, its hint; its payload where a program reads."""
    if as_json:
        # As ASCII: what steers a terminal is written out.
        sys.stderr.write(json.dumps(to_payload(error)) + "\n")
        return
    first, _, rest = clean(format_error(error), lines=True).partition("\n")
    _print(first, "bold red", error=True)
    if rest:
        _print(rest, "", error=True)


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Show at a terminal that something is going on."""
    console = _console(error=True)
    if not console.is_terminal:
        yield
        return
    with console.status(Text(clean(doing))):
        yield


def no_longer_read() -> None:
    """After the reader of a pipe has gone: let the interpreter end without another complaint."""
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
