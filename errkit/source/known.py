"""Between registries and source: which class of the program is which domain, which reference is which code.

Registries say what codes there are; the source says which class statement is meant. They are tied by the file
of the declaration, and where that is another copy, or a catalogue file, by the name of the domain.
"""

from __future__ import annotations

import ast
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from errkit.declaring import fold
from errkit.registry import REGISTRY
from errkit.source.resolving import Class, External, Result
from errkit.source.walking import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errkit.codes import DomainSpec, ErrorSpec
    from errkit.registry import Registry
    from errkit.source.facts import Outline, Scope
    from errkit.source.resolving import Program, Thing

__all__ = ["Code", "Coded", "Known", "Missing", "packages_of"]


class Coded(NamedTuple):
    """What is known of a class whose instances carry codes."""

    name: str
    """How the source calls it."""
    domains: tuple[DomainSpec, ...] = ()
    """All domains that it can mean: several registries may have one of the same name."""
    of: Code | None = None
    """The code of a class with `of=`."""
    generic: bool = False
    """It stands for no domain, as `CodedError` does."""
    facade: bool = False


class Code(NamedTuple):
    """A code that the source refers to."""

    specs: tuple[ErrorSpec, ...]
    """More than one where a domain of that name stands in several registries."""

    @property
    def spec(self) -> ErrorSpec:
        """The first of them, for what all have in common."""
        return self.specs[0]


class Missing(NamedTuple):
    """A constant that a domain does not have."""

    owner: str
    const: str
    near: tuple[str, ...]


def packages_of(registries: Iterable[Registry]) -> dict[str, str]:
    """The top-level packages that declare codes, and the folders that they lie in; errkit is one."""
    found = {"errkit": os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))}
    for registry in registries:
        for domain in registry.domains:
            top = domain.cls.__module__.partition(".")[0]
            file = getattr(sys.modules.get(top), "__file__", None)
            if isinstance(file, str) and top not in found:
                folder = os.path.dirname(os.path.abspath(file))
                is_package = os.path.basename(file).startswith("__init__.")
                found[top] = os.path.dirname(folder) if is_package else folder
    return found


class Known:
    """The codes of some registries, found by what the source says.

    Parameters
    ----------
    program
        The source.
    registries
        The registries whose codes count.
    """

    def __init__(self, program: Program, registries: Sequence[Registry]) -> None:
        self.program = program
        self.registries = registries
        self._by_name: dict[str, list[DomainSpec]] = {}
        self._by_class: dict[str, DomainSpec] = {}
        self._classes: dict[int, Coded | None] = {}
        self.owners: dict[int, list[str]] = {}
        """Identity of a spec -> the names of the registries that have it."""
        for registry in registries:
            for domain in registry.domains:
                same = self._by_name.setdefault(domain.domain, [])
                if domain not in [other for other in same if other is domain]:
                    same.append(domain)
                self._by_class[f"{domain.cls.__module__}.{domain.cls.__qualname__}"] = domain
                for spec in domain.codes:
                    self.owners.setdefault(id(spec), []).append(registry.name)

    def coded(self, thing: Thing | None, depth: int = 0) -> Coded | None:
        """What is known of a class; None if it is no class of coded errors."""
        if isinstance(thing, External):
            domain = self._by_class.get(thing.name)
            return None if domain is None else Coded(thing.name.rpartition(".")[2], (domain,))
        if isinstance(thing, Result):
            return self._made_facade(thing)
        if not isinstance(thing, Class) or depth > 20:
            return None
        key = id(thing.scope)
        if key not in self._classes:
            self._classes[key] = None
            self._classes[key] = self._coded(thing, depth)
        return self._classes[key]

    def _coded(self, cls: Class, depth: int) -> Coded | None:
        name = cls.scope.qualname
        if cls.full_name == "errkit.errors.CodedError":
            return Coded(name, generic=True)
        above = [found for base in self.program.bases(cls) if (found := self.coded(base, depth + 1))]
        if not above:
            return None
        inherited = tuple(domain for base in above for domain in base.domains)
        said = {keyword.arg: keyword.value for keyword in cls.scope.keywords}
        if "domain" in said:
            return Coded(name, (*self._declared(cls, said["domain"]), *inherited))
        if "of" in said:
            outer = cls.scope.parent or cls.outline.scope
            of = self.reference(said["of"], outer, cls.outline)
            return Coded(name, inherited, of if isinstance(of, Code) else None)
        facade = "facade" in said or len(above) > 1
        generic = all(base.generic for base in above)
        return Coded(name, inherited, generic=generic, facade=facade)

    def _declared(self, cls: Class, said: ast.expr) -> tuple[DomainSpec, ...]:
        exact = self._by_class.get(cls.full_name)
        if not (isinstance(said, ast.Constant) and isinstance(said.value, str)):
            return () if exact is None else (exact,)
        named = self._by_name.get(said.value, [])
        here = [domain for domain in named if _same_file(domain.file, cls.outline.file)]
        return tuple(here or named)

    def _made_facade(self, made: Result) -> Coded | None:
        if (dotted(made.call.func) or "").rpartition(".")[2] != "facade":
            return None
        function = self.program.resolve(made.call.func, made.scope, made.outline)
        if not _is_errkits(function, "errkit.registry", "facade"):
            return None
        domains: list[DomainSpec] = []
        for argument in made.call.args:
            found = self.coded(self.program.resolve(argument, made.scope, made.outline))
            if found is None:
                # A registry: which one can't be told, so all count.
                domains += [domain for registry in self.registries for domain in registry.domains]
            else:
                domains += found.domains
        return Coded("facade", tuple(domains), facade=True)

    # --- codes ----------------------------------------------------------------------------------------

    def reference(self, node: ast.AST, scope: Scope, outline: Outline) -> Code | Missing | None:
        """The code that a reference such as `Domain.CONST` means; None if it means something else."""
        if isinstance(node, ast.Name):
            return self._renamed(node.id, scope, outline)
        if not isinstance(node, ast.Attribute):
            return None
        owner = self.program.resolve(node.value, scope, outline)
        found = self.coded(owner)
        if found is None:
            return None
        return self.constant(owner, found, node.attr)

    def _renamed(self, name: str, scope: Scope, outline: Outline) -> Code | Missing | None:
        """A name that was given a code: `GONE = HostFsError.NOT_FOUND`."""
        at: Scope | None = scope
        while at is not None:
            bound = at.bindings.get(name)
            if isinstance(bound, ast.Attribute):
                return self.reference(bound, at, outline)
            at = None if bound is not None else at.parent
        return None

    def constant(self, owner: Thing | None, coded: Coded, const: str) -> Code | Missing | None:
        """The code that a class of coded errors has under a constant."""
        specs = tuple(spec for domain in coded.domains for spec in domain.codes if spec.const == const)
        if specs:
            return Code(tuple({id(spec): spec for spec in specs}.values()))
        declared = isinstance(owner, Class) and self._mentions(owner, const)
        if declared or not coded.domains:
            return None
        consts = {spec.const: spec for domain in coded.domains for spec in domain.codes}
        return Missing(coded.name, const, tuple(near(const, consts)))

    def _mentions(self, cls: Class, const: str, depth: int = 0) -> bool:
        """Whether the source of a class or of a base says something of the name, or can't be seen."""
        bases = list(self.program.bases(cls))
        if const in cls.scope.bindings or len(bases) < len(cls.scope.bases) or depth > 20:
            return True
        return any(self._base_mentions(base, const, depth + 1) for base in bases)

    def _base_mentions(self, base: Thing, const: str, depth: int) -> bool:
        if isinstance(base, Class):
            return self._mentions(base, const, depth)
        is_foreign = isinstance(base, External) and base.name.partition(".")[0] not in sys.stdlib_module_names
        return is_foreign and self.coded(base) is None

    def by_text(self, text: str) -> Code | None:
        """The code of that text: the default registry's, where it has it, else that of any other."""
        found = {id(spec): spec for registry in self.registries if (spec := registry.get(text)) is not None}
        own = [spec for spec in found.values() if spec.registry == REGISTRY.name]
        return Code(tuple(own or found.values())) if found else None

    def near_text(self, text: str) -> list[str]:
        """Codes of any registry that look like a text."""
        return list(dict.fromkeys(code for registry in self.registries for code in registry.near(text)))[:3]


def near(name: str, names: Iterable[str]) -> list[str]:
    """Up to three names that look like one."""
    import difflib

    folded = {fold(other): other for other in names}
    return [folded[found] for found in difflib.get_close_matches(fold(name), folded, n=3, cutoff=0.6)]


def _is_errkits(thing: Thing | None, module: str, name: str) -> bool:
    scope = getattr(thing, "scope", None)
    outline = getattr(thing, "outline", None)
    if scope is None or outline is None:
        return isinstance(thing, External) and thing.name in (f"errkit.{name}", f"{module}.{name}")
    return (outline.module, scope.qualname) == (module, name)


def _same_file(one: str, other: str) -> bool:
    return bool(one) and (one == other or os.path.realpath(one) == os.path.realpath(other))
