"""What is noted of each page while it is read: what it documents, shows and refers to.

The notes are pickled with Sphinx's environment, and copied between its processes, so they are plain records.
What they are for is said in `domain.py`, which keeps them, and in `digest.py`, which compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

if TYPE_CHECKING:
    from sphinx.builders import Builder

__all__ = ["Note", "Page", "Place", "Shown", "new_page"]


class Note(NamedTuple):
    """That a page documents something."""

    registry: str
    name: str
    anchor: str
    exact: str
    """The anchor that no other registry's code has."""
    line: int
    explicit: bool
    """Written by hand in a page of the project; such a place wins over a page that appears by itself."""
    digest: str = ""
    """A digest of all that the page shows of it, so that whoever refers to it sees it change."""


class Place(NamedTuple):
    """Where something is documented."""

    docname: str
    note: Note

    def anchor(self, builder: Builder) -> str:
        """The anchor to link to; on a page that holds the whole site only the exact one is unique."""
        return self.note.exact if builder.name == "singlehtml" else self.note.anchor


class Shown(NamedTuple):
    """What something was when a page that shows it was read."""

    facts: str
    """A digest of what the declarations say; empty if the thing was not there."""
    words: str
    """A digest of what is written about it."""
    stamp: str
    """A digest of the files that hold those words: while it is the same, they need not be read."""


class Page(TypedDict):
    """What one page documents, shows and refers to."""

    codes: list[Note]
    domains: list[Note]
    registries: list[Note]
    shown: dict[tuple[Any, ...], Shown]
    """What the page shows -> what it was when the page was read."""
    refs: dict[tuple[str, str], str]
    """(role, target) -> what the reference resolved to in the last build."""


def new_page() -> Page:
    """The notes of a page of which nothing is known yet."""
    return {"codes": [], "domains": [], "registries": [], "shown": {}, "refs": {}}
