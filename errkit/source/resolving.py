"""What the names of a program mean: through imports, re-exports, aliases, bases and values, running nothing.

A `Program` is a set of files. A module that was not asked for is read as well when a name leads there, if it
lies in the folders of the program or belongs to a package that declares codes; everything else is `External`.
Where a name can't be followed, the answer is None: an unknown thing is never guessed at.
"""

from __future__ import annotations

import ast
import builtins
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from errkit.source.facts import From, Imported, Outline, Scope
from errkit.source.reading import module_of, read_outline
from errkit.source.walking import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Builtin", "Class", "External", "Function", "Module", "Program", "Result", "Thing"]

_DEPTH: Final = 40
_BUILTINS: Final = frozenset(vars(builtins))


class Module(NamedTuple):
    """A module of the program."""

    outline: Outline


class Class(NamedTuple):
    """A class of the program."""

    outline: Outline
    scope: Scope

    @property
    def full_name(self) -> str:
        """Module and qualified name."""
        return f"{self.outline.module}.{self.scope.qualname}"


class Function(NamedTuple):
    """A function or method of the program."""

    outline: Outline
    scope: Scope


class External(NamedTuple):
    """Something that the program only imports, by its dotted name."""

    name: str


class Builtin(NamedTuple):
    """A name that Python brings along."""

    name: str


class Result(NamedTuple):
    """What a call gave that a name was bound to."""

    outline: Outline
    call: ast.Call
    scope: Scope


Thing: TypeAlias = Module | Class | Function | External | Builtin | Result


class Program:
    """Files, and what the names in them mean.

    Parameters
    ----------
    files
        The files that were asked for.
    packages
        Top-level package -> the folder that it lies in, for packages that are read where names lead there.
    """

    def __init__(self, files: Iterable[str], packages: Mapping[str, str] | None = None) -> None:
        self.outlines: list[Outline] = []
        self._modules: dict[str, Outline | None] = {}
        self._roots: dict[str, set[str]] = {}
        self._listed: set[str] = set()
        self._packages = dict(packages or {})
        self._known: dict[tuple[int, str], Thing | None] = {}
        folders: dict[str, tuple[str, str]] = {}
        for file in files:
            folder, name = os.path.split(file)
            if folder not in folders:
                folders[folder] = module_of(os.path.join(folder, "__init__.py"))
            package, root = folders[folder]
            if not os.path.exists(os.path.join(folder, "__init__.py")):
                package, root = "", folder
            stem = os.path.splitext(name)[0]
            module = package if stem == "__init__" else ".".join(filter(None, [package, stem]))
            outline = read_outline(file, module or stem)
            self.outlines.append(outline)
            self._modules.setdefault(outline.module, outline)
            if package:
                # The folder may hold all packages that are installed; this one alone was asked for.
                self._roots.setdefault(root, set()).add(package.partition(".")[0])
            else:
                self.add_roots([root])

    def add_roots(self, roots: Iterable[str]) -> None:
        """More folders that absolute imports may start from."""
        for root in roots:
            if root not in self._listed:
                self._listed.add(root)
                with suppress(OSError):
                    names = {name.removesuffix(".py") for name in os.listdir(root)}
                    self._roots.setdefault(root, set()).update(names)

    # --- modules --------------------------------------------------------------------------------------

    def module(self, name: str) -> Outline | None:
        """The outline of a module of the program, read if need be; None for one from elsewhere."""
        if name not in self._modules:
            self._modules[name] = None
            self._modules[name] = self._find(name)
        return self._modules[name]

    def _find(self, name: str) -> Outline | None:
        top = name.partition(".")[0]
        roots = [root for root, names in self._roots.items() if top in names]
        if top in self._packages:
            roots.append(self._packages[top])
        for root in roots:
            path = os.path.join(root, *name.split("."))
            for file in (f"{path}.py", os.path.join(path, "__init__.py")):
                if os.path.isfile(file):
                    return self._same(file) or read_outline(file, name)
        return None

    def _same(self, file: str) -> Outline | None:
        """The outline of a file that was asked for, under whatever name it is imported."""
        module, _ = module_of(file)
        found = self._modules.get(module)
        return found if found is not None and found.file == file else None

    # --- names ----------------------------------------------------------------------------------------

    def resolve(self, node: ast.AST, scope: Scope, outline: Outline, depth: int = 0) -> Thing | None:
        """What a reference means where it stands."""
        name = dotted(node)
        if name is None or depth > _DEPTH:
            return None
        first, *rest = name.split(".")
        found = self.lookup(first, scope, outline, depth + 1)
        for part in rest:
            if found is None:
                return None
            found = self.attribute(found, part, depth + 1)
        return found

    def lookup(self, name: str, scope: Scope, outline: Outline, depth: int = 0) -> Thing | None:
        """What a bare name means in a scope."""
        key = id(scope), name
        if key not in self._known:
            # A name that leads back to itself means nothing.
            self._known[key] = None
            self._known[key] = self._lookup(name, scope, outline, depth)
        return self._known[key]

    def _lookup(self, name: str, scope: Scope, outline: Outline, depth: int) -> Thing | None:
        at: Scope | None = scope
        inside_function = False
        while at is not None:
            # Methods don't see the names of their class.
            if name in at.bindings and not (at.kind == "class" and inside_function):
                bound = at.bindings[name]
                if bound is None and name in ("self", "cls"):
                    return self._own_class(at, outline)
                # A name that is given itself means what it meant outside, as in `X = X`.
                return self._bound(bound, at, outline, depth)
            inside_function = inside_function or at.kind == "function"
            at = at.parent
        for star in outline.stars:
            found = self._from(star, name, depth + 1)
            if found is not None and not isinstance(found, External):
                return found
        return Builtin(name) if name in _BUILTINS else None

    @staticmethod
    def _own_class(scope: Scope, outline: Outline) -> Thing | None:
        parent = scope.parent
        return Class(outline, parent) if parent is not None and parent.kind == "class" else None

    def _bound(
        self, bound: Imported | From | Scope | ast.expr | None, scope: Scope, outline: Outline, depth: int
    ) -> Thing | None:
        if bound is None or depth > _DEPTH:
            return None
        if isinstance(bound, Imported):
            return self._module_or_external(bound.module)
        if isinstance(bound, From):
            return self._from(bound.module, bound.name, depth + 1)
        if isinstance(bound, Scope):
            return (Class if bound.kind == "class" else Function)(outline, bound)
        if isinstance(bound, ast.Await):
            bound = bound.value
        if isinstance(bound, ast.Call):
            return Result(outline, bound, scope)
        return self.resolve(bound, scope, outline, depth + 1)

    def _module_or_external(self, name: str) -> Thing:
        outline = self.module(name)
        return External(name) if outline is None else Module(outline)

    def _from(self, module: str, name: str, depth: int) -> Thing | None:
        outline = self.module(module)
        if outline is None:
            return External(f"{module}.{name}")
        return self.attribute(Module(outline), name, depth)

    def attribute(self, thing: Thing, name: str, depth: int = 0) -> Thing | None:
        """What an attribute of a thing means."""
        if depth > _DEPTH:
            return None
        if isinstance(thing, Module):
            return self._of_module(thing.outline, name, depth)
        if isinstance(thing, Class):
            return self._of_class(thing, name, depth)
        return External(f"{thing.name}.{name}") if isinstance(thing, External) else None

    def _of_module(self, outline: Outline, name: str, depth: int) -> Thing | None:
        if outline.scope.bindings.get(name) is not None or outline.stars:
            found = self.lookup(name, outline.scope, outline, depth + 1)
            if found is not None and not isinstance(found, Builtin):
                return found
        below = self.module(f"{outline.module}.{name}") if outline.package else None
        return None if below is None else Module(below)

    def _of_class(self, cls: Class, name: str, depth: int) -> Thing | None:
        bound = cls.scope.bindings.get(name)
        if bound is not None:
            return self._bound(bound, cls.scope, cls.outline, depth + 1)
        for base in self.bases(cls, depth + 1):
            if isinstance(base, Class):
                found = self._of_class(base, name, depth + 1)
                if found is not None:
                    return found
        return None

    def bases(self, cls: Class, depth: int = 0) -> Iterator[Thing]:
        """The classes that a class derives from, as far as they can be told."""
        outer = cls.scope.parent or cls.outline.scope
        for base in cls.scope.bases:
            node = base.value if isinstance(base, ast.Subscript) else base
            found = self.resolve(node, outer, cls.outline, depth + 1)
            if found is not None:
                yield found
