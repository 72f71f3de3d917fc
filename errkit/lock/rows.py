"""A lock as text: JSON in which a line is a fact, so that git merges two branches by line.

Every row starts with its comma. So no line changes because another one comes or goes, and a file in which git
kept the lines of both sides is JSON still. Rows are sorted, and what is usual is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file import json_line
from errkit.lock.model import FORMAT, usual
from errkit.safe import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.lock.model import Lock, LockedCode, Retired

__all__ = ["FACT_COLUMNS", "RETIRED_COLUMNS", "SCALARS", "lock_text"]

FACT_COLUMNS: Final = ("registry", "code", "fact", "name", "value")
RETIRED_COLUMNS: Final = (
    "registry",
    "code",
    "number",
    "anchor",
    "title",
    "since",
    "removed",
    "replaced_by",
)
SCALARS: Final[dict[str, tuple[type, Any]]] = {
    "anchor": (str, None),
    "kind": (str, None),
    "title": (str, None),
    "domain": (str, None),
    "const": (str, None),
    "alert": (bool, None),
    "number": (int, None),
    "public": (bool, False),
    "http_status": (int, None),
    "hint": (str, ""),
    "since": (str, ""),
    "deprecated": (str, ""),
    "replaced_by": (str, ""),
}
"""Fact without a name -> its type, and the value that is left out."""


def lock_text(lock: Lock) -> str:
    """The canonical text of a lock: equal promises always give the same text."""
    facts = sorted(
        (registry, code.code, fact, name, value)
        for registry, code in lock
        for fact, name, value in _facts(code)
    )
    retired = sorted(
        (_retired_row(item) for registry in lock.registries for item in lock.retired(registry)), key=_order
    )
    lines = [
        f'{{"format": "{FORMAT}", "facts": [',
        json_line(FACT_COLUMNS),
        *(f",{json_line(row)}" for row in facts),
        '], "retired": [',
        json_line(RETIRED_COLUMNS),
        *(f",{json_line(row)}" for row in retired),
        "]}",
    ]
    return "\n".join(lines) + "\n"


def _facts(code: LockedCode) -> Iterator[tuple[str, str, Any]]:
    left_out = {name: default for name, (_, default) in SCALARS.items()} | usual(code.code, code.kind)
    for fact in SCALARS:
        value = getattr(code, fact)
        if value != left_out[fact]:
            yield fact, "", well_formed(value) if isinstance(value, str) else value
    for alias in code.aliases:
        yield "alias", alias, True
    for name, field in code.fields.items():
        yield "field", name, well_formed(field.type)
        if not field.required:
            yield "optional", name, True
        if field.secret:
            yield "secret", name, True
    for name, retryable in code.reasons.items():
        yield "reason", well_formed(name), retryable


def _retired_row(item: Retired) -> tuple[Any, ...]:
    values = (getattr(item, column) for column in RETIRED_COLUMNS)
    return tuple(well_formed(value) if isinstance(value, str) else value for value in values)


def _order(row: tuple[Any, ...]) -> tuple[Any, ...]:
    registry, code, number, *_ = row
    return registry, code, -1 if number is None else number
