"""`bare-raise`: exceptions without a code, and the domain that should own them."""

from __future__ import annotations

import ast
import builtins
import os
from typing import TYPE_CHECKING, Final

from errkit.source.facts import Covered, Tried
from errkit.source.places import found_at
from errkit.source.raising import Plain, around_of, is_errkits
from errkit.source.resolving import Builtin, Class, External, Function, Result
from errkit.source.walking import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.source.facts import Context, Outline, Raise, Scope
    from errkit.source.raising import Reading
    from errkit.source.resolving import Program
    from errkit.source.rules import Found

__all__ = ["Owners", "find_bare_raises", "is_boundary"]

_FLOW: Final = frozenset(
    """AssertionError BugIndicatingError CancelledError ExpectedError GeneratorExit KeyboardInterrupt
    NoTelemetryError StopAsyncIteration StopIteration SystemExit UserCancelled""".split()
)
"""Classes that steer the program, mark what can't happen, or are errkit's own answer to what has no code."""

_ASKED_FOR: Final = {
    "AttributeError": frozenset(
        "__delattr__ __delete__ __get__ __getattr__ __getattribute__ __set__ __setattr__".split()
    ),
    "KeyError": frozenset("__delitem__ __getitem__ __missing__ pop popitem".split()),
    "IndexError": frozenset("__delitem__ __getitem__ __setitem__ pop".split()),
    "ValueError": frozenset("index remove".split()),
    "TypeError": frozenset(
        "__copy__ __deepcopy__ __getstate__ __hash__ __init_subclass__ __reduce__".split()
    ),
    "PicklingError": frozenset("__getstate__ __reduce__ __reduce_ex__".split()),
}
"""Class -> the methods whose protocol asks for it: Python's own callers wait for exactly that class."""

_BOUNDARIES: Final = frozenset({"absent_as", "answering", "exists_as", "translating"})


class Owners:
    """Which domain a file belongs to.

    Parameters
    ----------
    said
        Module or package -> domain, as the project says; the longest name wins.
    reading
        The source; a domain owns the folder in which it is declared, and the folders below.
    """

    def __init__(self, said: Mapping[str, str], reading: Reading) -> None:
        self._said = dict(sorted(said.items(), key=lambda item: -len(item[0])))
        self._declared: dict[str, list[str]] = {}
        for file, domain in (*_declarations(reading), *_registered(reading)):
            for home in (file, os.path.dirname(file)):
                names = self._declared.setdefault(home, [])
                if domain not in names:
                    names.append(domain)

    def of(self, outline: Outline) -> list[str]:
        """The domains that may own a file, those of the nearest folder; empty if there is none."""
        for prefix, domain in self._said.items():
            if f"{outline.module}.".startswith(f"{prefix}."):
                return [domain]
        place = outline.file
        while place not in self._declared:
            above = os.path.dirname(place)
            if above == place:
                return []
            place = above
        return self._declared[place]


def _registered(reading: Reading) -> Iterator[tuple[str, str]]:
    """File and name of each domain of the registries."""
    for registry in reading.known.registries:
        for domain in registry.domains:
            if domain.file.endswith(".py"):
                yield os.path.abspath(domain.file), domain.domain


def _declarations(reading: Reading) -> Iterator[tuple[str, str]]:
    """File and name of each domain that is declared in the program."""
    for outline in reading.program.outlines:
        for bound in outline.scope.bindings.values():
            if getattr(bound, "kind", "") != "class":
                continue
            for keyword in bound.keywords:  # type: ignore[union-attr]
                name = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
                coded = keyword.arg == "domain" and reading.known.coded(Class(outline, bound))  # type: ignore[arg-type]
                if coded and isinstance(name, str):
                    yield outline.file, name


def find_bare_raises(reading: Reading, owners: Owners) -> Iterator[Found]:
    """Each place that raises an exception without a code which leaves its function untranslated."""
    signals = _signals(reading)
    for outline in reading.program.outlines:
        for one in outline.raises:
            for name in _bare(one, outline, reading, signals):
                owner = owners.of(outline)
                yield found_at(
                    "bare-raise",
                    outline,
                    one.node,
                    f"{name} is raised without a code{_said_of(owner)}",
                    what=name,
                    hint="" if owner else "Declare a domain for the package, or name its owner in `owners`.",
                    facts={"owners": owner, "function": one.scope.qualname},
                )


def _said_of(owner: list[str]) -> str:
    if not owner:
        return ", and no domain is declared near it"
    return f"; {' or '.join(owner[:3])} should own it"


def _signals(reading: Reading) -> set[tuple[int, str]]:
    """Classes of the program that a package catches by name and does not let go, each with the package.

    What a package raises for itself is no failure that anybody else sees.
    """
    found: set[tuple[int, str]] = set()
    for outline in reading.program.outlines:
        for node, scope in outline.caught:
            thing = reading.program.resolve(node, scope, outline)
            if isinstance(thing, Class):
                found.add((id(thing.scope), outline.home))
    return found


def _bare(one: Raise, outline: Outline, reading: Reading, signals: set[tuple[int, str]]) -> Iterator[str]:
    if one.node.exc is None:
        return
    for outcome in reading.raised(one.node.exc, one.scope, outline, one.context):
        if not isinstance(outcome, Plain) or _is_flow(outcome.thing, reading.program):
            continue
        name = _full_name(outcome)
        if _is_signal(outcome.thing, outline.home, signals, reading.program):
            continue
        if not (
            _is_asked_for(outcome.name, one.scope)
            or _is_abstract(outcome.name, one)
            or _stays_inside(outcome, one.context, outline, one.scope, reading)
        ):
            yield name


def _is_signal(
    thing: object, home: str, signals: set[tuple[int, str]], program: Program, depth: int = 0
) -> bool:
    if not isinstance(thing, Class) or depth > 20:
        return False
    bases = program.bases(thing)
    return (id(thing.scope), home) in signals or any(
        _is_signal(base, home, signals, program, depth + 1) for base in bases
    )


def _full_name(outcome: Plain) -> str:
    return outcome.thing.name if isinstance(outcome.thing, External) else outcome.name


def _is_flow(thing: object, program: Program, depth: int = 0) -> bool:
    if isinstance(thing, (Builtin, External)):
        return thing.name.rpartition(".")[2] in _FLOW
    if not isinstance(thing, Class) or depth > 20:
        return False
    if thing.scope.qualname in _FLOW:
        return True
    return any(_is_flow(base, program, depth + 1) for base in program.bases(thing))


def _is_asked_for(name: str, scope: Scope) -> bool:
    function = scope.function
    return function is not None and function.qualname.rpartition(".")[2] in _ASKED_FOR.get(name, ())


def _is_abstract(name: str, one: Raise) -> bool:
    """Whether it marks a method that subclasses have to write, rather than a feature that is not there."""
    function = one.scope.function
    if name != "NotImplementedError" or function is None:
        return False
    is_method = function.parent is not None and function.parent.kind == "class"
    return is_method or not isinstance(one.node.exc, ast.Call)


def _stays_inside(
    outcome: Plain, context: Context | None, outline: Outline, scope: Scope, reading: Reading
) -> bool:
    """Whether the exception is caught, or translated, before it leaves its function."""
    for around in around_of(context):
        if isinstance(around, Tried) and any(_catches(node, outcome.name) for node in around.catches):
            return True
        if isinstance(around, Covered) and is_boundary(around.by, scope, outline, reading):
            return True
    return False


def _catches(node: ast.expr | None, name: str) -> bool:
    caught = "BaseException" if node is None else last_name(node)
    if caught in (name, "Exception", "BaseException"):
        return True
    above, below = getattr(builtins, caught, None), getattr(builtins, name, None)
    return isinstance(above, type) and isinstance(below, type) and issubclass(below, above)


def is_boundary(node: ast.expr, scope: Scope, outline: Outline, reading: Reading) -> bool:
    """Whether a context manager or a decorator translates what passes through it."""
    function = node.func if isinstance(node, ast.Call) else node
    thing = reading.program.resolve(function, scope, outline)
    if isinstance(thing, Result):
        function = thing.call.func
        thing = reading.program.resolve(function, thing.scope, thing.outline)
    is_known = isinstance(thing, (Function, External, Class)) and is_errkits(thing)
    return is_known and last_name(function) in _BOUNDARIES
