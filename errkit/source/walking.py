"""One pass over the tree of a file, which keeps what `facts.py` names.

Everything here is decided by the form of the code; what a name means is asked later, and only where it
matters. Statements and expressions are taken off a stack, so that no depth of nesting is too deep; only
blocks that Python itself nests at most a hundred deep are entered by recursion.
"""

from __future__ import annotations

import ast
import builtins
import sys
from typing import TYPE_CHECKING, Any, Final

from errkit.source.facts import (
    Caught,
    Context,
    Covered,
    From,
    Handler,
    Imported,
    Invocation,
    Raise,
    Scope,
    Tried,
    Use,
    is_constant,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errkit.source.facts import Outline

__all__ = ["dotted", "last_name", "walk"]

# Annotations hold no code that runs.
_NOT_ENTERED: Final = frozenset(
    """annotation arg attr conversion ctx id is_async kind kwd_attrs level module name names op ops rest
    returns simple type_comment type_ignores type_params""".split()
)
_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    cls: tuple(name for name in reversed(cls._fields) if name not in _NOT_ENTERED)
    for cls in vars(ast).values()
    if isinstance(cls, type) and issubclass(cls, ast.AST) and cls not in (ast.Constant, ast.MatchSingleton)
} | {ast.Constant: (), ast.MatchSingleton: ()}
_FUNCTIONS: Final = frozenset({"as_coded", "facade", "make_payload", "translating"})
"""Functions of errkit whose calls matter, beside whatever is named like a class."""
_BROAD: Final = frozenset({"BaseException", "BaseExceptionGroup", "CancelledError"})


def walk(tree: ast.Module, outline: Outline) -> None:
    """Fill an outline from the tree of its file."""
    _Walk(outline).block(tree.body, outline.scope, None)
    outline.calls = [one for one in outline.calls if _may_be_coded(one)]


def dotted(node: ast.AST) -> str | None:
    """The text of a reference such as `a.b.C`; None for other expressions."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def last_name(node: ast.AST | None) -> str:
    """The last part of a reference, empty for other expressions."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _may_be_coded(one: Invocation) -> bool:
    """Whether what is called may be a class of coded errors: none is built in, or of the standard library."""
    name = (dotted(one.call.func) or "").partition(".")[0]
    scope: Scope | None = one.scope
    while scope is not None and name not in scope.bindings:
        scope = scope.parent
    bound = None if scope is None else scope.bindings[name]
    if isinstance(bound, (From, Imported)):
        return bound.module.partition(".")[0] not in sys.stdlib_module_names
    return bound is not None or name in ("self", "cls") or not hasattr(builtins, name)


def result_of(node: ast.expr | None) -> ast.expr | None:
    """What has to be kept of a value to tell later which error it is; None if it can be none.

    Of most calls that is the function: their arguments would be most of the tree.
    """
    if isinstance(node, (ast.Name, ast.Attribute)):
        return node if dotted(node) is not None else None
    if isinstance(node, ast.IfExp):
        body, orelse = result_of(node.body), result_of(node.orelse)
        return ast.IfExp(node.test, body, orelse) if body and orelse else body or orelse
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(node.op, [value for value in map(result_of, node.values) if value is not None])
    if isinstance(node, (ast.Await, ast.NamedExpr)):
        return result_of(node.value)
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        inner = result_of(node.func.value)
        return ast.Call(ast.Attribute(inner, node.func.attr), [], []) if inner is not None else None
    if last_name(node.func) in _FUNCTIONS:
        return node
    is_text = bool(node.args) and isinstance(node.args[0], ast.Constant)
    return ast.Call(node.func, node.args if is_text else [], []) if dotted(node.func) else None


def classes_named(node: ast.expr | None) -> list[ast.expr | None]:
    """The classes that an `except` names."""
    return [*node.elts] if isinstance(node, ast.Tuple) else [node]


class _Walk:
    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.scope = outline.scope
        self.context: Context | None = None
        self.stack: list[Any] = []
        self.let_go: set[int] = set()
        """Handlers, by the identity of their surroundings, that raise again what they caught."""

    def block(self, nodes: Sequence[ast.AST | None], scope: Scope, context: Context | None) -> None:
        before = self.scope, self.context, self.stack
        self.scope, self.context = scope, context
        self.stack = stack = [*reversed(nodes)]
        special, fields, name, constant = _SPECIAL, _FIELDS, ast.Name, ast.Constant
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is name or kind is constant or node is None:
                continue
            visit = special.get(kind)
            if visit is not None:
                visit(self, node)
                continue
            for field in fields[kind]:
                value = getattr(node, field)
                if value.__class__ is list:
                    stack.extend(value[::-1])
                else:
                    stack.append(value)
        self.scope, self.context, self.stack = before

    def inside(self, around: Tried | Covered | Caught, nodes: Sequence[ast.AST | None]) -> None:
        """Walk nodes that something more surrounds."""
        self.block(nodes, self.scope, Context(around, self.context))

    # --- names ----------------------------------------------------------------------------------------

    def bind(self, name: str, value: Imported | From | Scope | ast.expr | None) -> None:
        # What is known stays known: `X = None` in an `except ImportError` says nothing about X.
        if value is not None or name not in self.scope.bindings:
            self.scope.bindings[name] = value

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.asname:
                self.bind(alias.asname, Imported(alias.name))
            else:
                top = alias.name.partition(".")[0]
                self.bind(top, Imported(top))

    def import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            home = self.outline.home.split(".") if self.outline.home else []
            kept = home[: len(home) - node.level + 1]
            module = ".".join([*kept, *filter(None, [module])])
        for alias in node.names:
            if alias.name == "*":
                self.outline.stars.append(module)
            else:
                self.bind(alias.asname or alias.name, From(module, alias.name, node.lineno))

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        inner = self.named("function", node.name, node.lineno)
        self.bind(node.name, inner)
        arguments = node.args
        self.block([*arguments.defaults, *arguments.kw_defaults], self.scope, self.context)
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            inner.bindings[argument.arg] = None
        context: Context | None = None
        for decorator in node.decorator_list:
            context = Context(Covered(decorator), context)
            self.block([decorator], self.scope, self.context)
        self.block(node.body, inner, context)

    def class_(self, node: ast.ClassDef) -> None:
        inner = self.named("class", node.name, node.lineno)
        inner.bases, inner.keywords = node.bases, node.keywords
        self.bind(node.name, inner)
        self.block([*node.decorator_list, *(keyword.value for keyword in node.keywords)], inner, self.context)
        self.block(node.body, inner, None)

    def named(self, kind: Any, name: str, line: int) -> Scope:
        outer = self.scope
        between = ".<locals>." if outer.kind == "function" else "." if outer.qualname else ""
        return Scope(kind, f"{outer.qualname}{between}{name}", outer, line)

    def assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.bind(target.id, result_of(node.value))
        single = node.targets[0] if len(node.targets) == 1 else None
        self.value(node.value, single)
        self.stack.extend(target for target in node.targets if not isinstance(target, ast.Name))

    def annotated(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            return
        if isinstance(node.target, ast.Name):
            self.bind(node.target.id, result_of(node.value))
        self.value(node.value, node.target)

    def value(self, node: ast.expr, target: ast.expr | None) -> None:
        """The value of an assignment; outside functions its name stands for the place."""
        if self.is_code(node):
            self.use(node, "kept")
        elif self.scope.kind in ("module", "class") and isinstance(target, ast.Name):
            if not isinstance(node, (ast.Name, ast.Constant)):
                self.block([node], self.named("value", target.id, node.lineno), self.context)
        else:
            self.stack.append(node)

    # --- references -----------------------------------------------------------------------------------

    def is_code(self, node: ast.AST | None) -> bool:
        return isinstance(node, ast.Attribute) and is_constant(node.attr)

    def use(self, node: Any, how: Any, call: ast.Call | None = None) -> None:
        self.outline.uses.append(Use(node, how, call, self.scope, self.context))
        if not isinstance(node.value, ast.Name):
            self.stack.append(node.value)

    def attribute(self, node: ast.Attribute) -> None:
        if is_constant(node.attr):
            self.use(node, "read")
        elif not isinstance(node.value, ast.Name):
            self.stack.append(node.value)

    def call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            name = function.id
            if is_constant(name):
                self.outline.uses.append(Use(function, "built", node, self.scope, self.context))
        elif isinstance(function, ast.Attribute):
            name = function.attr
            if is_constant(name):
                self.use(function, "built", node)
            elif not isinstance(function.value, ast.Name):
                self.stack.append(function.value)
            if name == "cancel":
                self.cancels()
        else:
            name = ""
            self.stack.append(function)
        if name in _FUNCTIONS or (name.lstrip("_")[:1].isupper() and not is_constant(name)):
            self.outline.calls.append(Invocation(node, self.scope, self.context))
        for argument in node.args:
            self.argument(argument, node)
        for keyword in node.keywords:
            self.argument(keyword.value, node)

    def argument(self, value: ast.expr, call: ast.Call) -> None:
        if isinstance(value, ast.Attribute) and is_constant(value.attr):
            self.use(value, "passed", call)
        else:
            self.stack.append(value)

    def cancels(self) -> None:
        function = self.scope.function
        if function is not None:
            function.cancels = True

    def keep(self, nodes: Sequence[ast.AST | None]) -> None:
        for node in nodes:
            if self.is_code(node):
                self.use(node, "kept")
            else:
                self.stack.append(node)

    def items(self, node: ast.List | ast.Tuple | ast.Set) -> None:
        self.keep(node.elts)

    def table(self, node: ast.Dict) -> None:
        self.stack.extend(node.keys)
        self.keep(node.values)

    def comparison(self, node: ast.Compare) -> None:
        self.stack.append(node.left)
        for other in node.comparators:
            # `code in (Domain.ONE, Domain.TWO)` keeps neither.
            self.stack.extend(other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other])

    def choice(self, node: ast.IfExp) -> None:
        self.stack.append(node.test)
        self.keep((node.body, node.orelse))

    def either(self, node: ast.BoolOp) -> None:
        self.keep(node.values)

    def given_back(self, node: ast.Return | ast.Yield | ast.Lambda) -> None:
        value = node.body if isinstance(node, ast.Lambda) else node.value
        if value is None:
            return
        function = None if isinstance(node, (ast.Lambda, ast.Yield)) else self.scope.function
        found = None if function is None else result_of(value)
        if function is not None and found is not None:
            function.returns.append(found)
        self.keep((value,))

    # --- failures -------------------------------------------------------------------------------------

    def raise_(self, node: ast.Raise) -> None:
        if node.exc is None or self.is_caught(node.exc):
            self.raised_again()
        else:
            self.outline.raises.append(Raise(node, self.scope, self.context))
            self.keep((node.exc, node.cause))

    def is_caught(self, node: ast.expr) -> bool:
        """Whether an expression is the exception that the innermost handler caught."""
        handler = self.handler()
        name = handler.around.name if handler is not None and isinstance(handler.around, Caught) else None
        return isinstance(node, ast.Name) and node.id == name

    def handler(self) -> Context | None:
        context = self.context
        while context is not None and not isinstance(context.around, Caught):
            context = context.outer
        return context

    def raised_again(self) -> None:
        handler = self.handler()
        if handler is not None:
            self.let_go.add(id(handler))

    def try_(self, node: ast.Try) -> None:
        kept: list[ast.expr | None] = []
        self.inside(Tried(kept), node.body)
        earlier: list[ast.expr | None] = []
        for handler in node.handlers:
            named = classes_named(handler.type)
            if any(found is None or last_name(found) in _BROAD for found in named):
                self.outline.handlers.append(Handler(handler, [*earlier], self.scope))
            earlier += named
            self.stack.append(handler.type)
            context = Context(Caught(handler.name, handler.type), self.context)
            self.block(handler.body, self.scope, context)
            if id(context) in self.let_go:
                self.let_go.discard(id(context))
            else:
                kept += named
                self.outline.caught += [(node, self.scope) for node in named if node is not None]
        self.block([*node.orelse, *node.finalbody], self.scope, self.context)

    def with_(self, node: ast.With | ast.AsyncWith) -> None:
        context = self.context
        for item in node.items:
            self.stack.append(item.context_expr)
            context = Context(Covered(item.context_expr), context)
        self.block(node.body, self.scope, context)


_SPECIAL: Final[dict[type, Callable[[_Walk, Any], None]]] = {
    ast.Import: _Walk.import_,
    ast.ImportFrom: _Walk.import_from,
    ast.FunctionDef: _Walk.function,
    ast.AsyncFunctionDef: _Walk.function,
    ast.ClassDef: _Walk.class_,
    ast.Assign: _Walk.assign,
    ast.AnnAssign: _Walk.annotated,
    ast.Attribute: _Walk.attribute,
    ast.Call: _Walk.call,
    ast.List: _Walk.items,
    ast.Tuple: _Walk.items,
    ast.Set: _Walk.items,
    ast.Dict: _Walk.table,
    ast.Compare: _Walk.comparison,
    ast.IfExp: _Walk.choice,
    ast.BoolOp: _Walk.either,
    ast.Return: _Walk.given_back,
    ast.Yield: _Walk.given_back,
    ast.Lambda: _Walk.given_back,
    ast.Raise: _Walk.raise_,
    ast.Try: _Walk.try_,
    ast.TryStar: _Walk.try_,
    ast.With: _Walk.with_,
    ast.AsyncWith: _Walk.with_,
}
