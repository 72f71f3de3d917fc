"""Where codes live: `Registry`, and `REGISTRY`, the default one.

A registry is a set of domains, found by code, alias, number and range. Adding a domain checks it against all
others and either adds it whole or refuses it whole. Readers take no lock: a change builds new tables and swaps
them in.

This room knows nothing of payloads, pages or files (`catalog_file.py` reads and writes those).
"""

from __future__ import annotations

import sys
import threading
import weakref
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from errkit.codes import DomainSpec, ErrorCode, ErrorSpec
from errkit.declaring import fold
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from os import PathLike

    from errkit.errors import CodedError

__all__ = ["REGISTRY", "Facade", "Registry", "facade", "find_registry"]


class _Tables(Record):
    """One consistent state of a registry; never changed, only replaced."""

    domains: dict[str, DomainSpec]
    codes: dict[str, ErrorSpec]
    names: dict[str, ErrorSpec]
    """Codes and aliases."""
    folded: dict[str, ErrorSpec]
    numbers: dict[int, ErrorSpec]
    bound: dict[str, dict[str, type[CodedError]]]
    """Code -> the classes bound to it, by name."""
    defaults: dict[str, type[CodedError]]
    """Code -> the class that the code builds, where that is not the domain's."""
    retired_codes: frozenset[str]
    """Folded codes that were removed and stay reserved."""
    retired_numbers: frozenset[int]


def _empty() -> _Tables:
    return _Tables(
        domains={},
        codes={},
        names={},
        folded={},
        numbers={},
        bound={},
        defaults={},
        retired_codes=frozenset(),
        retired_numbers=frozenset(),
    )


class Registry:
    """A set of domains and their codes.

    Iterating gives each `ErrorSpec` in the order of declaration; `len` counts codes; `in` asks for a code.

    Parameters
    ----------
    name
        How pages, pickles and the configuration call the registry; the last part of the calling module's name
        if not given.
    markup
        What the prose under its codes is written in, `rst` or `md`.
    base_url
        The address of the published reference site; gives errors their `docs_url`.
    """

    def __init__(self, name: str | None = None, *, markup: str = "rst", base_url: str = "") -> None:
        self.name = name or str(sys._getframe(1).f_globals.get("__name__", "registry")).rpartition(".")[2]
        self.markup = markup
        self.base_url = base_url
        self._lock = threading.RLock()
        self._on_add: list[Callable[[DomainSpec], None]] = []
        self._swap(_empty())
        _REGISTRIES.setdefault(self.name, []).append(weakref.ref(self))

    def _swap(self, tables: _Tables) -> None:
        self._tables = tables
        self.codes: Mapping[str, ErrorSpec] = MappingProxyType(tables.codes)
        """Code -> spec, read-only; the fastest look-up. Each change of the registry makes a new one."""

    # --- looking up ---------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[ErrorSpec]:
        return iter(self._tables.codes.values())

    def __len__(self) -> int:
        return len(self._tables.codes)

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and code in self._tables.codes

    def get(self, code: str) -> ErrorSpec | None:
        """The spec of a code or an alias, or None."""
        return self._tables.names.get(code) if isinstance(code, str) else None

    def __getitem__(self, code: str) -> ErrorSpec:
        """The spec of a code or an alias.

        Raises
        ------
        CodedError
            `errkit.unknown_code`, with the codes that look alike.
        """
        found = self.get(code)
        if found is None:
            from errkit.own import ErrkitError

            near = self.near(code)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise ErrkitError.UNKNOWN_CODE(
                f"registry {self.name!r} has no code {code!r}{meant}",
                wanted=str(code),
                registry=self.name,
                near=near,
            )
        return found

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
        """The class that an error with this code gets: the one bound under `name`, the default one, the domain's."""
        bound = self._tables.bound.get(spec.code, {}).get(name or "")
        return bound or self._tables.defaults.get(spec.code) or spec.cls

    def __repr__(self) -> str:
        return f"<Registry {self.name!r}: {len(self._tables.domains)} domains, {len(self)} codes>"

    def __eq__(self, other: object) -> bool:
        """Whether both declare the same contract: same domains, codes and facts, in whatever class."""
        return contract(self) == contract(other) if isinstance(other, Registry) else NotImplemented

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Callable[[str], Registry | None], tuple[str]]:
        return find_registry, (self.name,)

    # --- changing -----------------------------------------------------------------------------------

    def add_domain(self, domain: DomainSpec) -> None:
        """Add a declared domain, or refuse it whole. `CodedError` calls this when a domain class is made.

        A class of the same module and qualified name takes the place of the old one, so a module can be
        reloaded.

        Raises
        ------
        CodedError
            `errkit.clash`, naming both owners with file and line.
        """
        with self._lock:
            kept = [other for other in self.domains if not _same_class(other, domain)]
            place = next((i for i, other in enumerate(self.domains) if _same_class(other, domain)), len(kept))
            _check_domain(self._tables, kept, domain)
            self._swap(_build([*kept[:place], domain, *kept[place:]], self._tables))
            for notify in tuple(self._on_add):
                notify(domain)

    def include(self, *sources: Registry | type[CodedError]) -> Registry:
        """Share the domains of other registries or of single classes; the specs are the same objects.

        Raises
        ------
        CodedError
            `errkit.clash` as for a domain of its own, `errkit.bad_declaration` for a class that is no domain.
        """
        with self._lock, self._all_or_nothing():
            for source in sources:
                for domain in _domains_of(source):
                    if domain not in self.domains:
                        self.add_domain(domain)
                if isinstance(source, Registry):
                    self._share_bound(source)
        return self

    def _share_bound(self, source: Registry) -> None:
        for code, classes in source._tables.bound.items():
            for cls in classes.values():
                self.bind(source.codes[code], cls, default=source._tables.defaults.get(code) is cls)

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
            rival = others.get(cls.__name__) or (tables.defaults.get(spec.code) if default else None)
            if rival is not None and not _same_name(rival, cls):
                what = (
                    f"class {cls.__name__} for {spec.code}"
                    if rival.__name__ == cls.__name__
                    else f"default class for {spec.code}"
                )
                clash(
                    what, f"{rival.__module__}.{rival.__qualname__}", f"{cls.__module__}.{cls.__qualname__}"
                )
            bound = {**tables.bound, spec.code: {**others, cls.__name__: cls}}
            defaults = {**tables.defaults, spec.code: cls} if default else tables.defaults
            self._swap(_replaced(tables, bound=bound, defaults=defaults))
            if default:
                _point_constant(spec, cls)

    def retire(self, *codes: str, numbers: tuple[int, ...] = ()) -> None:
        """Reserve codes and numbers that were removed: nothing can be registered under them again."""
        with self._lock:
            tables = self._tables
            self._swap(
                _replaced(
                    tables,
                    retired_codes=tables.retired_codes | {fold(code) for code in codes},
                    retired_numbers=tables.retired_numbers | set(numbers),
                )
            )

    def on_add(self, notify: Callable[[DomainSpec], None]) -> None:
        """Call `notify` with each domain that is added from now on."""
        self._on_add.append(notify)

    @contextmanager
    def scoped(self) -> Iterator[Registry]:
        """Whatever is registered inside the block is unregistered at its end; for tests."""
        with self._lock:
            before = self._tables
        try:
            yield self
        finally:
            with self._lock:
                after, _ = self._tables, self._swap(before)
            for code in after.defaults.keys() | before.defaults.keys():
                spec = before.codes.get(code)
                if spec is not None and after.defaults.get(code) is not before.defaults.get(code):
                    _point_constant(spec, before.defaults.get(code))

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        before = self._tables
        try:
            yield
        except BaseException:
            self._swap(before)
            raise

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

    def export(self) -> str:
        """The registry as JSON text in `errkit.catalog/1`; defaults are left out."""
        from errkit.catalog_file import export

        return export(self)


# --- checks and tables ------------------------------------------------------------------------------


def _build(domains: list[DomainSpec], old: _Tables) -> _Tables:
    codes = {spec.code: spec for domain in domains for spec in domain.codes}
    aliases = {alias: spec for spec in codes.values() for alias in spec.aliases}
    return _replaced(
        old,
        domains={domain.domain: domain for domain in domains},
        codes=codes,
        names=aliases | codes,
        folded={fold(name): spec for name, spec in (aliases | codes).items()},
        numbers={spec.number: spec for spec in codes.values() if spec.number is not None},
        bound={code: classes for code, classes in old.bound.items() if code in codes},
        defaults={code: cls for code, cls in old.defaults.items() if code in codes},
    )


def _replaced(tables: _Tables, **changes: Any) -> _Tables:
    return _Tables(**{**vars(tables), **changes})


def _same_class(one: DomainSpec, other: DomainSpec) -> bool:
    return _same_name(one.cls, other.cls)


def _same_name(one: type, other: type) -> bool:
    """A reloaded module, or a function called again, makes the same class again."""
    return one.__module__ == other.__module__ and one.__qualname__ == other.__qualname__


def _check_domain(tables: _Tables, others: list[DomainSpec], domain: DomainSpec) -> None:
    for other in others:
        if other.domain == domain.domain or fold(other.domain) == fold(domain.domain):
            clash(f"domain {domain.domain!r}", other.place, domain.place)
        if _overlap(other.numbers, domain.numbers):
            clash(f"numbers {_span(domain.numbers)} and {_span(other.numbers)}", other.place, domain.place)
    taken = {
        fold(name): spec for other in others for spec in other.codes for name in (spec.code, *spec.aliases)
    }
    numbers = {spec.number: spec for other in others for spec in other.codes if spec.number is not None}
    for spec in domain.codes:
        _check_names(tables, taken, spec)
        if spec.number is not None:
            _check_number(tables, numbers, spec)


def _check_names(tables: _Tables, taken: dict[str, ErrorSpec], spec: ErrorSpec) -> None:
    for name in (spec.code, *spec.aliases):
        other = taken.setdefault(fold(name), spec)
        if other is not spec:
            same = (
                f"code {name!r}"
                if name == other.code
                else f"{name!r} and {other.code!r} (they would share an anchor)"
            )
            clash(same, other.place, spec.place)
        if fold(name) in tables.retired_codes:
            clash(f"code {name!r}", "a retired code, reserved for ever", spec.place)


def _check_number(tables: _Tables, numbers: dict[int, ErrorSpec], spec: ErrorSpec) -> None:
    assert spec.number is not None
    other = numbers.setdefault(spec.number, spec)
    if other is not spec:
        clash(f"number {spec.number} ({other.code} and {spec.code})", other.place, spec.place)
    if spec.number in tables.retired_numbers:
        clash(f"number {spec.number}", "a retired number, reserved for ever", spec.place)


def _overlap(one: range | None, other: range | None) -> bool:
    return one is not None and other is not None and max(one.start, other.start) < min(one.stop, other.stop)


def _span(numbers: range | None) -> str:
    return "" if numbers is None else f"{numbers.start} to {numbers.stop - 1}"


def clash(what: str, first: str, second: str) -> NoReturn:
    """Raise `errkit.clash`: two owners want the same thing."""
    from errkit.own import ErrkitError

    raise ErrkitError.CLASH(
        f"{what} is claimed twice: {first} and {second}", what=what, first=first, second=second
    )


def _domains_of(source: Registry | type[CodedError]) -> tuple[DomainSpec, ...]:
    if isinstance(source, Registry):
        return source.domains
    if source.__domain__ is None:
        from errkit.declaring import refuse

        refuse(
            source.__qualname__,
            source.__module__,
            "the class is no domain; give a class with domain= or a Registry",
        )
    return (source.__domain__,)


def _point_constant(spec: ErrorSpec, cls: type[CodedError] | None) -> None:
    """Let the constant on the domain's class build `cls`, or the domain's class again."""
    if spec.cls is not None:
        setattr(spec.cls, spec.const, ErrorCode(spec, cls or spec.cls))


def contract(registry: Registry) -> list[Any]:
    """What a registry promises, as comparable data: facts of domains, codes, details fields and reasons."""
    from errkit.catalog_file import catalog

    return [catalog(registry)]


# --- all registries ---------------------------------------------------------------------------------

_REGISTRIES: Final[dict[str, list[weakref.ref[Registry]]]] = {}

REGISTRY: Final = Registry("errkit")
"""The default registry. `errkit.REGISTRY` holds errkit's own codes from the start."""


def find_registry(name: str) -> Registry | None:
    """The living registry of that name; the oldest, if several have it."""
    import errkit.own  # noqa: F401 (the default registry starts with errkit's own codes)

    for reference in _REGISTRIES.get(name, ()):
        found = reference()
        if found is not None:
            return found
    return None


class Facade:
    """Every code of some registries or domains as attributes of one object; made by `facade()`."""

    def __init__(self, specs: Mapping[str, ErrorSpec]) -> None:
        self.__dict__.update({const: _constant(spec) for const, spec in specs.items()})

    if TYPE_CHECKING:

        def __getattr__(self, const: str) -> ErrorCode[..., Any, CodedError]: ...

    def __iter__(self) -> Iterator[ErrorCode[..., Any, CodedError]]:
        return iter(self.__dict__.values())

    def __len__(self) -> int:
        return len(self.__dict__)

    def __repr__(self) -> str:
        return f"<Facade: {len(self)} codes>"


def _constant(spec: ErrorSpec) -> ErrorCode[..., Any, CodedError]:
    found: ErrorCode[..., Any, CodedError] = getattr(spec.cls, spec.const)
    return found


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
                    clash(f"constant {spec.const} ({other.code} and {spec.code})", other.place, spec.place)
    return Facade(found)
