"""Rows about codes, failures and records: what stands in which column, whether a table is HTML or text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.explaining import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errkit.codes import DomainSpec, ErrorSpec

__all__ = ["MAX_ROWS", "code_columns", "code_row", "count", "flag", "size_of", "text_table"]

MAX_ROWS: Final = 100
"""Rows that one output shows; the rest is counted."""
_NUMBER: Final = 1


def code_columns(specs: Iterable[ErrorSpec]) -> list[str]:
    """The headings of a table of codes; without one for numbers where no code has a number."""
    columns = ["Code", "Number", "Title", "Kind", "Retry", "Alert", "Audience"]
    if all(spec.number is None for spec in specs):
        del columns[_NUMBER]
    return columns


def code_row(spec: ErrorSpec, columns: Sequence[str]) -> list[str]:
    """The row of a code under the headings that `code_columns` gave."""
    cells = [
        spec.code,
        "" if spec.number is None else str(spec.number),
        f"{spec.title} (deprecated)" if spec.deprecated else spec.title,
        spec.kind,
        flag(spec.retryable),
        flag(spec.alert),
        "public" if spec.public else "internal",
    ]
    if "Number" not in columns:
        del cells[_NUMBER]
    return cells


def flag(value: object) -> str:
    """A fact in a word."""
    return "yes" if value else "no"


def count(number: int, noun: str) -> str:
    """So many of something."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def size_of(domain: DomainSpec) -> str:
    """How many codes a domain has, and its range of numbers."""
    numbers = domain.numbers
    span = "" if numbers is None else f", numbers {numbers.start} to {numbers.stop - 1}"
    return f"{count(len(domain.codes), 'code')}{span}"


def text_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table of plain text; the last column is as wide as it likes."""
    cells = [list(columns), *([clean(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
