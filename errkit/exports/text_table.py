"""A table in plain text for people and for `awk`, as PostgreSQL keeps its own in `errcodes.txt`.

https://github.com/postgres/postgres/blob/master/src/backend/utils/errcodes.txt. A line that begins with `#`
is a comment, one that begins with `Section:` opens a domain, and any other line is a code: code, number,
kind, audience and constant with spaces between them, then the title up to the end of the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errkit.exports.view import CodeView, DomainView, View

__all__ = ["write"]


def write(view: View) -> str:
    """The table; what a code lacks is a `-`."""
    head = ["# code", "number", "kind", "audience", "constant"]
    rows = [head, *map(_cells, view.codes)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    parts = [f"# {view.origin}", f"{_line(head, widths)} title"]
    for domain in view.domains:
        lines = [f"{_line(_cells(code), widths)} {code.title}" for code in domain.codes]
        parts += ["", f"Section: {_heading(domain)}", "", *lines]
    return "\n".join(parts) + "\n"


def _heading(domain: DomainView) -> str:
    return domain.domain if domain.title == domain.domain else f"{domain.domain} - {domain.title}"


def _cells(code: CodeView) -> list[str]:
    number = "-" if code.number is None else str(code.number)
    return [code.code, number, code.kind, "public" if code.public else "internal", code.const]


def _line(cells: list[str], widths: list[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
