"""Where codes live: `Registry`, and `REGISTRY`, the default one.

A registry is a set of domains, found by code, alias, number and range. Adding a domain checks it against all
others and either adds it whole or refuses it whole. Readers take no lock: what they iterate over is replaced,
never changed.

What may be added is the business of `tables.py`. This room knows nothing of payloads, pages or files
(`catalog_file.py` reads and writes those).
"""

from __future__ import annotations

import sys
import weakref
from _thread import allocate_lock
from types import MappingProxyType

from errkit.codes import DomainSpec, ErrorCode, ErrorSpec, show_rich, text_of
from errkit.declaring import clash, fold, refuse
from errkit.errors import CodedError, home_registry, place_of
from errkit.fields import is_a
from errkit.tables import Tables, check_retired, empty, rebuilt, replaced, same_name, with_domain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from os import PathLike
    from typing import Any, Final, Literal, TypeVar
else:
    from errkit.fields import TypeVar

__all__ = [
    "MARKUPS",
    "REGISTRY",
    "Facade",
    "Registry",
    "facade",
    "find_registry",
    "find_spec",
    "living_registries",
]

C = TypeVar("C", bound=CodedError)

MARKUPS: Final = {"rst": ".rst", "md": ".md", "text": ".txt"}
"""What prose may be written in -> how a file of it ends."""


class Registry:
    """A set of domains and their codes.

    Iterating gives each `ErrorSpec` in the order of declaration; `len` counts codes; `in` asks for a code.

    Parameters
    ----------
    name
        How pages, pickles and the configuration call the registry; the last part of the calling module's name
        if not given.
    markup
        What the prose under its codes is written in: `rst`, `md`, or `text`, which has paragraphs and
        literals between backquotes, and in which nothing else means anything.
    base_url
        The address of the published reference site; gives errors their `docs_url`.
    headings
        What becomes of headings in prose, which may stand at any depth of a page: the reference site warns of
        each (`refuse`), or makes bold lines of them (`bold`), for texts that somebody else wrote.

    Raises
    ------
    CodedError
        `errkit.bad_declaration` for another markup.
    """

    def __init__(
        self, name: str | None = None, *, markup: str = "rst", base_url: str = "", headings: str = "refuse"
    ) -> None:
        caller = sys._getframe(1)
        module = str(caller.f_globals.get("__name__", "registry"))
        self.name: str = name or module.rpartition(".")[2]
        if markup not in MARKUPS:
            problem = f"markup is {', '.join(MARKUPS)}, and not {markup!r}"
            refuse(f"registry {self.name!r}", f"{caller.f_code.co_filename}:{caller.f_lineno}", problem)
        self.markup = markup
        self.base_url = base_url
        self.headings = headings
        self._lock = allocate_lock()
        self._on_add: list[Callable[[DomainSpec], None]] = []
        self._swap(empty())
        known = _REGISTRIES.setdefault(self.name, [])
        known.append((module, weakref.ref(self, lambda gone: known.remove((module, gone)))))

    def _swap(self, tables: Tables) -> None:
        self._tables, self._names = tables, tables.names
        self.codes: Mapping[str, ErrorSpec] = MappingProxyType(tables.codes)
        """Code -> spec, read-only; the fastest look-up. Each change of the registry makes a new one."""

    # --- looking up ---------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[ErrorSpec]:
        return iter(self._tables.codes.values())

    def __len__(self) -> int:
        return len(self._tables.codes)

    def __contains__(self, code: object) -> bool:
        return is_a(code, str) and text_of(code) in self._tables.codes

    def get(self, code: str) -> ErrorSpec | None:
        """The spec of a code or an alias, or None."""
        try:
            return self._names.get(code)
        except Exception:  # whatever the hash or the comparison of a stranger raises
            return None

    def __getitem__(self, code: str) -> ErrorSpec:
        """The spec of a code or an alias.

        Raises
        ------
        CodedError
            `errkit.unknown_code`, with the codes that look alike.
        """
        try:
            return self._names[code]
        except (KeyError, TypeError):
            raise self._unknown(code) from None

    def _unknown(self, code: object) -> CodedError:
        from errkit.own import ErrkitError

        near = self.near(code)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        message = f"registry {self.name!r} has no code {code!r}{meant}"
        return ErrkitError.UNKNOWN_CODE(message, wanted=str(code), registry=self.name, near=near)

    def near(self, code: object) -> list[str]:
        """Up to three registered codes that look like `code`."""
        import difflib

        by_fold = {fold(name): spec.code for name, spec in self._tables.names.items()}
        matches = difflib.get_close_matches(fold(str(code)[:200]), by_fold, n=3, cutoff=0.6)
        return list(dict.fromkeys(by_fold[match] for match in matches))

    @property
    def domains(self) -> tuple[DomainSpec, ...]:
        """The domains in the order of declaration."""
        return tuple(self._tables.domains.values())

    def domain(self, name: str) -> DomainSpec | None:
        """The domain of that name, or None."""
        return self._tables.domains.get(name)

    def by_number(self, number: int) -> ErrorSpec | None:
        """The spec with that number, or None."""
        return self._tables.numbers.get(number)

    def range_of(self, number: int) -> type[CodedError] | None:
        """The domain class whose range holds `number`, whether a code has it or not; None if none does."""
        for domain in self._tables.domains.values():
            if domain.numbers is not None and number in domain.numbers:
                return domain.cls
        return None

    def class_of(self, spec: ErrorSpec, name: str | None = None) -> type[CodedError] | None:
        """The class that an error with this code gets: the one called `name`, the default one, the domain's.

        Only classes that are bound to the code count, in the registry that the code belongs to.
        """
        if spec.cls is None:
            return None
        tables = home_registry(spec.cls)._tables
        if tables.codes.get(spec.code) is not spec:
            return spec.cls
        if spec.code not in tables.bound:
            return spec.cls
        named = {spec.cls.__name__: spec.cls, **tables.bound.get(spec.code, {})}
        return named.get(name or "") or tables.defaults.get(spec.code) or spec.cls

    def __repr__(self) -> str:
        return f"<Registry {self.name!r}: {len(self._tables.domains)} domains, {len(self)} codes>"

    _repr_mimebundle_ = show_rich

    def __eq__(self, other: object) -> bool:
        """Whether both declare the same contract: same domains, codes and facts, in whatever class."""
        if not isinstance(other, Registry):
            return NotImplemented
        from errkit.catalog_file import catalog

        return self is other or catalog(self) == catalog(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __copy__(self) -> Registry:
        return self

    def __deepcopy__(self, memo: object) -> Registry:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Registry | None], tuple[str]]:
        return find_registry, (self.name,)

    # --- changing -----------------------------------------------------------------------------------

    def add_domain(self, *domains: DomainSpec) -> None:
        """Add declared domains, or refuse them whole. `CodedError` calls this when a domain class is made.

        A class of the same module and qualified name takes the place of the old one, so a module can be
        reloaded.

        Raises
        ------
        CodedError
            `errkit.clash`, naming both owners with file and line.
        """
        with self._lock:
            added = [domain for domain in dict.fromkeys(domains) if domain not in self.domains]
            # Nothing can fail after the first domain is in, so several start from tables of their own.
            tables = self._tables if len(added) == 1 else rebuilt(self._tables, self.domains)
            for domain in added:
                tables = with_domain(tables, domain)
            self._swap(tables)
            listeners = tuple(self._on_add)
        for domain in added:
            for notify in listeners:
                notify(domain)

    def include(self, *sources: Registry | type[CodedError]) -> Registry:
        """Share the domains of other registries or of single classes; the specs are the same objects.

        Raises
        ------
        CodedError
            `errkit.clash` as for a domain of its own, `errkit.bad_declaration` for a class that is no domain.
        """
        self.add_domain(*(domain for source in sources for domain in _domains_of(source)))
        return self

    def register(self, cls: type[C]) -> type[C]:
        """Share one domain class, and return it, so that this also serves as a decorator.

        A class registers itself when it is made; this is for one that another registry owns, or that went
        when a `scoped` block ended. Raises as `include` does.
        """
        self.include(cls)
        return cls

    def bind(self, spec: ErrorSpec, cls: type[CodedError], *, default: bool) -> None:
        """Bind a subclass to one code; `CodedError` calls this for a class with `of=`.

        Raises
        ------
        CodedError
            `errkit.clash` if another class of that name, or another default, is bound to the code already.
        """
        with self._lock:
            tables = self._tables
            others = tables.bound.get(spec.code, {})
            rivals = {f"the class name {cls.__name__} for {spec.code}": others.get(cls.__name__)}
            if default:
                rivals[f"default=True for {spec.code}"] = tables.defaults.get(spec.code)
            for what, rival in rivals.items():
                if rival is not None and not same_name(rival, cls):
                    clash(what, place_of(rival), place_of(cls))
            bound = {**tables.bound, spec.code: {**others, cls.__name__: cls}}
            defaults = {**tables.defaults, spec.code: cls} if default else tables.defaults
            self._swap(replaced(tables, bound=bound, defaults=defaults))
            if default:
                _point_constant(spec, cls)

    def retire(self, *codes: str, numbers: Iterable[int] = ()) -> None:
        """Reserve codes and numbers that were removed: nothing can be registered under them again.

        Raises
        ------
        CodedError
            `errkit.clash` if one of them is registered; nothing is retired then.
        """
        with self._lock:
            tables = self._tables
            retired_numbers = tables.retired_numbers | set(numbers)
            retired_codes = tables.retired_codes | {fold(code) for code in codes}
            for domain in tables.domains.values():
                for spec in domain.codes:
                    check_retired(spec, retired_codes, retired_numbers)
            self._swap(replaced(tables, retired_codes=retired_codes, retired_numbers=retired_numbers))

    def on_add(self, notify: Callable[[DomainSpec], None]) -> None:
        """Call `notify` with each domain that is added from now on."""
        self._on_add.append(notify)

    def scoped(self) -> AbstractContextManager[Registry]:
        """Whatever is registered inside the block is unregistered at its end; for tests."""
        return _Scope(self)

    def _restore(self, before: Tables) -> None:
        """Go back to an earlier state; for `Scope`."""
        with self._lock:
            after = self._tables
            self._swap(rebuilt(before, before.domains.values()))
            for code, spec in before.codes.items():
                if after.defaults.get(code) is not before.defaults.get(code):
                    _point_constant(spec, before.defaults.get(code))

    # --- files --------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Registry:
        """The registry in a catalogue file (`errkit.catalog/1`, JSON or TOML).

        Raises
        ------
        CodedError
            `errkit.bad_catalog`, naming the file, the place in it and the reason; nothing is loaded then.
        """
        from errkit.catalog_file import load

        return load(path)

    @classmethod
    def from_catalog(cls, data: Mapping[str, Any]) -> Registry:
        """The registry in the data of a catalogue, such as a JSON file of that format would hold.

        Its codes are declared where this is called.

        Raises
        ------
        CodedError
            `errkit.bad_catalog` as for a file, naming the line that called this; nothing is made then.
        """
        from errkit.catalog_file import from_data

        return from_data(data, sys._getframe(1))

    def export(self) -> str:
        """The registry as JSON text in `errkit.catalog/1`; defaults are left out."""
        from errkit.catalog_file import export

        return export(self)

    # --- notebooks ----------------------------------------------------------------------------------

    def to_frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """A frame with a row for each code and a column for each fact, in the order of declaration.

        Parameters
        ----------
        library
            What makes the frame.

        Raises
        ------
        CodedError
            `errkit.missing_extra` if that library is not installed.
        """
        from errkit.jupyter.frames import registry_frame

        return registry_frame(self, library)


class _Scope:
    """What `Registry.scoped` gives: the registry inside the block, and its old state afterwards."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __enter__(self) -> Registry:
        self._before = self._registry._tables
        return self._registry

    def __exit__(self, *exception: object) -> None:
        self._registry._restore(self._before)


def _domains_of(source: Registry | type[CodedError]) -> tuple[DomainSpec, ...]:
    if isinstance(source, Registry):
        return source.domains
    if source.__domain__ is None:
        problem = "the class is no domain; give a class with domain= or a Registry"
        refuse(source.__qualname__, place_of(source), problem)
    return (source.__domain__,)


def _point_constant(spec: ErrorSpec, cls: type[CodedError] | None) -> None:
    """Let the constant on the domain's class build `cls`, or the domain's class again."""
    if spec.cls is not None:
        setattr(spec.cls, spec.const, ErrorCode(spec, cls or spec.cls))


# --- all registries ---------------------------------------------------------------------------------

_REGISTRIES: Final[dict[str, list[tuple[str, weakref.ref[Registry]]]]] = {}
"""Name -> the modules that made a registry of that name, each with the registry."""

REGISTRY: Final = Registry("errkit")
"""The default registry. `errkit.REGISTRY` holds errkit's own codes from the start."""


def living_registries(name: str) -> list[Registry]:
    """The living registries of a name: the first module's first, and of one module the newest (a reload)."""
    import errkit.own  # noqa: F401 (the default registry starts with errkit's own codes)

    by_module: dict[str, list[Registry]] = {}
    for module, reference in tuple(_REGISTRIES.get(name, ())):
        found = reference()
        if found is not None:
            by_module.setdefault(module, []).insert(0, found)
    return [registry for registries in by_module.values() for registry in registries]


def find_registry(name: str) -> Registry | None:
    """The living registry of that name, if any."""
    return next(iter(living_registries(name)), None)


def find_spec(registry: str, code: str) -> ErrorSpec | None:
    """The spec of a code or alias in the living registries of a name."""
    found = (home.get(code) for home in living_registries(registry))
    return next((spec for spec in found if spec is not None), None)


# --- facades ----------------------------------------------------------------------------------------


class Facade:
    """Every code of some registries or domains by its constant; made by `facade()`.

    `codes["NOT_FOUND"]` and, where no type checker looks, `codes.NOT_FOUND` give the code.
    """

    def __init__(self, specs: Mapping[str, ErrorSpec]) -> None:
        self.__specs = dict(specs)

    def __getitem__(self, const: str) -> ErrorCode[..., Any, CodedError]:
        spec = self.__specs[const]
        found: ErrorCode[..., Any, CodedError] = getattr(spec.cls, spec.const)
        return found

    if not TYPE_CHECKING:
        # A type checker must not see this: it would let every misspelt constant pass.
        def __getattr__(self, const):
            if const.startswith("_") or const not in self:
                raise AttributeError(f"no code has the constant {const}", name=const, obj=self)
            return self[const]

        def __dir__(self):
            return [*super().__dir__(), *self.__specs]

    def __contains__(self, const: object) -> bool:
        return const in self.__specs

    def __iter__(self) -> Iterator[ErrorCode[..., Any, CodedError]]:
        return map(self.__getitem__, self.__specs)

    def __len__(self) -> int:
        return len(self.__specs)

    def __repr__(self) -> str:
        return f"<Facade: {len(self)} codes>"


def facade(*sources: Registry | type[CodedError]) -> Facade:
    """Every code of the given registries and domain classes in one namespace, by constant.

    Where the domains are known when the program is written, a class that inherits them is better, since type
    checkers know its constants: `class ErrorCodes(HostFsError, StorageError, facade=True)`.

    Raises
    ------
    CodedError
        `errkit.clash` if two codes share a constant.
    """
    found: dict[str, ErrorSpec] = {}
    for source in sources:
        for domain in _domains_of(source):
            for spec in domain.codes:
                other = found.setdefault(spec.const, spec)
                if other is not spec:
                    what = f"the constant {spec.const} of {spec.code}"
                    clash(what, f"{other.code} at {other.place}", spec.place)
    return Facade(found)
