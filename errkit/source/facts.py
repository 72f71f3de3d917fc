"""What one file says, before anybody asks what its names mean: scopes, references, raises, handlers.

`walking.py` fills these in one pass over the tree; `resolving.py` and the rules read them. Only the few
expressions that a question may be about are kept, never the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    import ast

__all__ = [
    "Caught",
    "Context",
    "Covered",
    "From",
    "Handler",
    "Imported",
    "Invocation",
    "Outline",
    "Raise",
    "Scope",
    "Tried",
    "Use",
    "is_constant",
]


class Imported(NamedTuple):
    """A name that stands for a module: `import a.b as name`, or `a` after `import a.b`."""

    module: str


class From(NamedTuple):
    """A name that came by `from module import name`."""

    module: str
    name: str
    line: int


class Scope:
    """A module, class or function, or the value that a name outside functions is given."""

    __slots__ = ("bases", "bindings", "cancels", "keywords", "kind", "line", "parent", "qualname", "returns")

    def __init__(
        self,
        kind: Literal["module", "class", "function", "value"],
        qualname: str,
        parent: Scope | None,
        line: int = 0,
    ) -> None:
        self.kind = kind
        self.qualname = qualname
        self.parent = parent
        self.line = line
        self.bindings: dict[str, Imported | From | Scope | ast.expr | None] = {}
        """Name -> what it was bound to last; None where that can't be told."""
        self.bases: list[ast.expr] = []
        self.keywords: list[ast.keyword] = []
        self.returns: list[ast.expr] = []
        self.cancels = False
        """Whether the function calls a method `cancel`: then a cancellation that it catches is its own."""

    @property
    def function(self) -> Scope | None:
        """The function that the scope is or stands in."""
        scope: Scope | None = self
        while scope is not None and scope.kind != "function":
            scope = scope.parent
        return scope


class Context(NamedTuple):
    """What surrounds an expression within its function, innermost first."""

    around: Tried | Covered | Caught
    outer: Context | None


class Tried(NamedTuple):
    """The body of a `try`, with the classes that its handlers keep from going on; None for all."""

    catches: list[ast.expr | None]


class Covered(NamedTuple):
    """The body of a `with`, or of a decorated function."""

    by: ast.expr


class Caught(NamedTuple):
    """The body of an `except`."""

    name: str | None
    type: ast.expr | None


class Use(NamedTuple):
    """A reference that ends like a constant, such as `errors.HostFsError.NOT_FOUND`."""

    node: ast.Attribute | ast.Name
    how: Literal["built", "passed", "kept", "read"]
    """Called; an argument of a call; an item of a table, a result or a value; compared or looked into."""
    call: ast.Call | None
    """The call that it is the function or an argument of."""
    scope: Scope
    context: Context | None


class Invocation(NamedTuple):
    """A call of something that is named like a class, or of one of errkit's functions."""

    call: ast.Call
    scope: Scope
    context: Context | None


class Raise(NamedTuple):
    """A `raise` with something to raise."""

    node: ast.Raise
    scope: Scope
    context: Context | None


class Handler(NamedTuple):
    """An `except` that may catch a cancellation."""

    node: ast.ExceptHandler
    earlier: list[ast.expr | None]
    """What the handlers above it catch."""
    scope: Scope


class Outline:
    """All that is kept of one file."""

    __slots__ = (
        "calls",
        "caught",
        "file",
        "handlers",
        "module",
        "package",
        "problem",
        "raises",
        "remarks",
        "scope",
        "stars",
        "uses",
    )

    def __init__(self, file: str, module: str, *, package: bool) -> None:
        self.file = file
        self.module = module
        self.package = package
        """Whether it is the `__init__` of a package."""
        self.scope = Scope("module", "", None)
        self.stars: list[str] = []
        self.uses: list[Use] = []
        self.calls: list[Invocation] = []
        self.raises: list[Raise] = []
        self.handlers: list[Handler] = []
        self.caught: list[tuple[ast.expr, Scope]] = []
        """The classes that handlers catch and do not raise again."""
        self.remarks: list[tuple[int, str, bool]] = []
        """Line and text of each comment for errkit, and whether it has the line for itself."""
        self.problem: tuple[int, str] | None = None
        """Line and reason, where the file can't be read."""

    @property
    def home(self) -> str:
        """The package that relative imports start from."""
        return self.module if self.package else self.module.rpartition(".")[0]


_UPPER: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def is_constant(name: str) -> bool:
    """Whether a name is written like a code's constant."""
    return name[:1] in _UPPER and name.isupper()
