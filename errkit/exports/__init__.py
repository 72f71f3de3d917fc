"""A registry in the form of another tool: pure functions from a registry to the text of a file.

`FORMATS` lists the forms. Each writer stands in a module of its own and gets a `View`: what the audience may
see, as plain texts that are redacted and free of control characters; it only has to care for what its own
form gives a meaning. The types of details fields are read once, as JSON Schema, in `fields.py`; the forms
with types print that.

The same registry always gives the same text, so a copy can be committed and compared. Nothing here touches
files: `errkit/cli/export_files.py` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.exports import (
    catalogue,
    json_schema,
    markdown,
    openapi,
    proto,
    python_module,
    python_stub,
    text_table,
    typescript,
)
from errkit.exports.view import AUDIENCES, Audience, view_of
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.exports.view import View
    from errkit.registry import Registry

__all__ = ["AUDIENCES", "FORMATS", "Audience", "Format", "export"]


class Format(Record):
    """A form that a registry can be written in."""

    name: str
    write: Callable[[View], str]
    suffix: str
    """How its files are usually called."""
    about: str
    """What it is for, in one sentence."""
    audience: Audience = "internal"
    """For whom it is written if nobody says."""


FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        Format(
            name="json",
            write=catalogue.write,
            suffix=".json",
            about="A catalogue (errkit.catalog/1), for every command that takes a module.",
        ),
        Format(
            name="jsonschema",
            write=json_schema.write,
            suffix=".schema.json",
            about="A JSON Schema (2020-12) of payloads, with the details of each code.",
        ),
        Format(
            name="openapi",
            write=openapi.write,
            suffix=".openapi.json",
            about="OpenAPI 3.1 components: a response with problem details (RFC 9457) for each HTTP status.",
            audience="public",
        ),
        Format(
            name="typescript",
            write=typescript.write,
            suffix=".ts",
            about="TypeScript: union types, constants, details of each code, type guards.",
        ),
        Format(
            name="python",
            write=python_module.write,
            suffix=".py",
            about="A Python module of constants and types that needs no errkit.",
        ),
        Format(
            name="pyi",
            write=python_stub.write,
            suffix=".pyi",
            about="Types for a Python module that loads the registry from a file: its domains, and a facade.",
        ),
        Format(
            name="markdown", write=markdown.write, suffix=".md", about="Markdown: a table for each domain."
        ),
        Format(
            name="text",
            write=text_table.write,
            suffix=".txt",
            about="A table in plain text, in sections, like errcodes.txt of PostgreSQL.",
        ),
        Format(
            name="proto",
            write=proto.write,
            suffix=".proto",
            about="A Protocol Buffers file with an enum of the reasons of google.rpc.ErrorInfo.",
        ),
    )
}


def export(registry: Registry, form: str, audience: Audience | None = None) -> str:
    """The text of a file that holds the registry in another form.

    Parameters
    ----------
    registry
        What to write.
    form
        One of `FORMATS`.
    audience
        `public` leaves out codes that are not public; what the form is usually for if not given.
    """
    chosen = FORMATS[form]
    return chosen.write(view_of(registry, chosen.name, audience or chosen.audience))
