"""Markdown: a table for each domain, for a README or a wiki; the reference site shows far more.

CommonMark with tables, as GitHub and MyST read it. No text of a catalogue is taken for markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errkit.exports.view import CodeView, DomainView, View

__all__ = ["escape", "write"]

# Colons and at signs too: GitHub makes links of addresses and of names.
_MEANT: Final = re.compile(r"([\\`*_\[\]{}<>&|~$^#!:@])")


_LITERAL: Final = re.compile(r"`([^`]*[^`\s][^`]*)`")


def escape(text: str) -> str:
    """A line in which nothing is markup but what stands between backquotes, for a cell of a table."""
    parts = _LITERAL.split(text)
    shown = [_MEANT.sub(r"\\\1", part) for part in parts]
    # A cell ends at a bar, also inside a literal: https://github.github.com/gfm/#example-200
    shown[1::2] = [f"`{part.replace('|', chr(92) + '|')}`" for part in parts[1::2]]
    return "".join(shown)


def write(view: View) -> str:
    """The page."""
    origin = re.sub("-{2,}|>", "-", view.origin)
    parts = [f"<!-- {origin} -->", f"# Errors of {escape(view.name)}"]
    return "\n\n".join([*parts, *map(_section, view.domains)]) + "\n"


def _section(domain: DomainView) -> str:
    heading = f"## {escape(domain.title)}"
    columns = ["Code", "Number", "Kind", "HTTP status", "Title", "What to do"]
    rows = [_cells(code) for code in domain.codes]
    kept = [at for at in range(len(columns)) if at in (0, 2, 4) or any(row[at] for row in rows)]
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join([heading, "", *(_row(line[at] for at in kept) for line in lines)])


def _cells(code: CodeView) -> list[str]:
    farewell = f" (deprecated: {escape(code.farewell)})" if code.farewell else ""
    return [
        f"`{code.code}`",
        "" if code.number is None else str(code.number),
        code.kind,
        "" if code.http_status is None else str(code.http_status),
        escape(code.title) + farewell,
        escape(code.hint),
    ]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
