"""`swallowed-cancellation`: handlers that end a cancellation in functions that raise codes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from errkit.source.known import Code
from errkit.source.places import found_at
from errkit.source.raising import Kind, Translated
from errkit.source.walking import classes_named, last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.source.facts import Handler, Outline, Scope
    from errkit.source.raising import Reading
    from errkit.source.rules import Found

__all__ = ["find_swallowed_cancellations"]

_ALL: Final = frozenset({"BaseException", "BaseExceptionGroup"})
_EXITS: Final = frozenset({"_exit", "abort", "exit"})


def find_swallowed_cancellations(reading: Reading) -> Iterator[Found]:
    """Handlers that catch a cancellation and let it end there."""
    raising = _functions_that_raise(reading)
    for outline in reading.program.outlines:
        for handler in outline.handlers:
            function = handler.scope.function or outline.scope
            if id(function) in raising and _swallows(handler, function, outline, reading):
                caught = "everything" if handler.node.type is None else ast.unparse(handler.node.type)
                where = f" in {function.qualname}" if function.qualname else ""
                text = f"the handler for {caught[:80]}{where} ends cancellations"
                yield found_at("swallowed-cancellation", outline, handler.node, text, what=function.qualname)


def _functions_that_raise(reading: Reading) -> set[int]:
    """The functions that raise coded errors or translate into them, by identity."""
    found = {id(site.scope.function or site.outline.scope) for site in reading.sites if site.how == "built"}
    for outline in reading.program.outlines:
        for one in outline.raises:
            outcomes = reading.raised(one.node.exc, one.scope, outline, one.context) if one.node.exc else ()
            if any(isinstance(outcome, (Code, Kind, Translated)) for outcome in outcomes):
                found.add(id(one.scope.function or outline.scope))
        for call, scope, _ in outline.calls:
            if last_name(call.func) == "translating":
                found.add(id(scope.function or outline.scope))
    return found


def _swallows(handler: Handler, function: Scope, outline: Outline, reading: Reading) -> bool:
    seen = {last_name(node) if node is not None else "BaseException" for node in handler.earlier}
    if seen & {"CancelledError", "BaseException"}:
        return False
    caught = {
        last_name(node) if node is not None else "BaseException" for node in classes_named(handler.node.type)
    }
    if not caught & _ALL and function.cancels:
        # The function ended the task itself, and waits for that.
        return False
    return not any(_lets_go(node, handler, outline, reading) for node in _inside(handler.node.body))


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    pending: list[ast.AST] = [*body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))


def _lets_go(node: ast.AST, handler: Handler, outline: Outline, reading: Reading) -> bool:
    """Whether a node raises again what was caught, or ends the process."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _EXITS
    if not isinstance(node, ast.Raise):
        return False
    if node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == handler.node.name):
        return True
    outcomes = reading.raised(node.exc, handler.scope, outline, None)
    # Translators give cancellations back as they came.
    return any(isinstance(outcome, Translated) for outcome in outcomes)
