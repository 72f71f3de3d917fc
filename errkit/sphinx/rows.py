"""What the heading of a code and a row of a table say, as small records that are pickled with their page.

There is one of each for every code, so they are tuples.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Badges", "CodeRow", "DomainRow"]


class Badges(NamedTuple):
    """The line under the heading of a code, and the note below it where the code is deprecated."""

    number: int | None
    kind: str
    retryable: bool
    alert: bool
    public: bool
    since: str = ""
    deprecated: str = ""
    replaced_by: str = ""
    registry: str = ""
    """Whose code it is, which is where `replaced_by` is looked for first."""


class CodeRow(NamedTuple):
    """A row in a table of codes."""

    registry: str
    domain: str
    code: str
    number: int | None
    title: str
    kind: str
    retryable: bool
    alert: bool
    public: bool
    http_status: int | None
    deprecated: bool


class DomainRow(NamedTuple):
    """A row in a table of domains."""

    registry: str
    domain: str
    title: str
    codes: int
    """How many codes there are."""
    numbers: tuple[int, int] | None
    """The first, and one past the last."""
