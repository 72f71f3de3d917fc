"""Somebody else's list of codes as a catalogue (`errkit.catalog/1`), with a report of what a person must add.

`READERS` lists the formats. Each reader stands in a module of its own and turns the text of a file into
`Entry` records; `draft.py` fits those into the rules of a catalogue, and notes whatever it had to choose. A
file is data: nothing in it is run, and it is bounded like a catalogue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.fields import Record
from errkit.imports import botocore, http_statuses, listed, mypy_codes, openapi, pylint_messages, ruff_rules
from errkit.imports.draft import Draft, draft
from errkit.imports.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from errkit.imports.draft import Entry
    from errkit.imports.files import Source

__all__ = ["READERS", "Draft", "Reader", "import_list"]


class Reader(Record):
    """A format that a list of codes may have."""

    name: str
    read: Callable[[Source], Iterable[Entry]]
    """From a file to what it lists."""
    about: str
    """What it reads, in one sentence."""
    markup: str = "text"
    headings: str = "refuse"
    kind: str = ""
    """The kind of all its codes; empty if each has its own."""


READERS: Final[Mapping[str, Reader]] = {
    reader.name: reader
    for reader in (
        Reader(
            name="list",
            read=listed.read,
            about="A list in JSON, YAML, TOML or CSV: objects with a code and a title, under whatever names.",
        ),
        Reader(
            name="ruff",
            read=ruff_rules.read,
            about="The rules of Ruff: `ruff rule --all --output-format json`.",
            markup="md",
            headings="bold",
            kind="outcome",
        ),
        Reader(
            name="pylint",
            read=pylint_messages.read,
            about="The messages of pylint: `pylint --list-msgs`.",
            kind="outcome",
        ),
        Reader(
            name="mypy",
            read=mypy_codes.read,
            about="The error codes of mypy: its module `errorcodes.py`, which is read and not run.",
            kind="outcome",
        ),
        Reader(
            name="botocore",
            read=botocore.read,
            about="The errors of an AWS service: `service-2.json` of botocore, also with `.gz`.",
            markup="md",
        ),
        Reader(
            name="openapi",
            read=openapi.read,
            about="The responses from 400 on of an OpenAPI document, in JSON or YAML.",
            markup="md",
        ),
        Reader(
            name="http",
            read=http_statuses.read,
            about="HTTP statuses from 400 on: the CSV file of IANA's registry.",
        ),
    )
}


def import_list(
    form: str, paths: Iterable[str], *, registry: str = "", names: Mapping[str, str] | None = None
) -> Draft:
    """A catalogue made of files in somebody else's format, and what is left to do.

    Parameters
    ----------
    form
        One of `READERS`.
    paths
        The files; `-` is the standard input.
    registry
        The name of the registry; made from the format or the first file if not given.
    names
        How the fields of a list are called: key of the catalogue -> name in the file.

    Raises
    ------
    CodedError
        `errkit.bad_import`, `errkit.missing_extra`.
    """
    reader = READERS[form]
    sources = [read_file(path, names or {}) for path in paths]
    entries = [entry for source in sources for entry in reader.read(source)]
    name = registry or (sources[0].name if form in ("list", "openapi") else form)
    return draft(name, entries, sources[0].path, reader.markup, reader.headings, reader.kind)
