"""A registry whose prose is in Markdown."""

from __future__ import annotations

from errkit.codes import Details, code
from errkit.errors import CodedError
from errkit.registry import Registry

REGISTRY = Registry("notes", markup="md")


class NoteDetails(Details):
    """Which note."""

    path: str
    """The file, as `ls` shows it."""


class NoteError(CodedError, domain="notes", title="Notes", registry=REGISTRY):
    """Failures of **notes**, see [the list](#notes.lost)."""

    LOST = code("Note is lost", NoteDetails, hint="Look under the sofa.", example={"path": "a.md"})
    """Nobody knows *where* it is:

    1. Ask around.
    2. Run `find . -name '*.md'`.

    | Place | Likely |
    | ----- | ------ |
    | sofa  | yes    |
    """
