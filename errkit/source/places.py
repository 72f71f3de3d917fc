"""A finding at a node of the tree."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from errkit.source.rules import RULES, Found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.source.facts import Outline

__all__ = ["found_at"]


def found_at(
    rule: str,
    outline: Outline,
    node: ast.stmt | ast.expr | ast.excepthandler,
    message: str,
    *,
    what: str = "",
    hint: str = "",
    facts: Mapping[str, Any] | None = None,
) -> Found:
    """A finding of one rule at a statement or an expression; the hint is the rule's own if not given."""
    return Found(
        rule=rule,
        message=message,
        file=outline.file,
        line=node.lineno,
        last=node.lineno if isinstance(node, ast.excepthandler) else node.end_lineno or node.lineno,
        column=node.col_offset + 1,
        what=what,
        hint=hint or RULES[rule].remedy,
        facts={"module": outline.module, **(facts or {})},
    )
