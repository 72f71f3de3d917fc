"""What a registry holds, as one state: how a domain joins it, and what forbids that.

A change makes a new state of the old one, or is refused whole with `errkit.clash`. `registry.py` decides
which state counts.
"""

from __future__ import annotations

from errkit.declaring import clash, fold
from errkit.fields import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from errkit.codes import DomainSpec, ErrorSpec
    from errkit.errors import CodedError

__all__ = ["Tables", "check_retired", "empty", "rebuilt", "replaced", "same_name", "with_domain"]


class Tables(Record):
    """One state of a registry. `domains` and `codes` are replaced, never changed, so they can be iterated."""

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


def empty() -> Tables:
    """The state of a registry with nothing in it."""
    return Tables(
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


def with_domain(tables: Tables, domain: DomainSpec) -> Tables:
    """The tables and one more domain, after all checks; an older form of the same class gives way."""
    others = [other for other in tables.domains.values() if not _same_class(other, domain)]
    if len(others) == len(tables.domains):
        _check_domain(tables, domain)
        return _extended(tables, domain)
    _check_domain(rebuilt(tables, others), domain)
    domains = [domain if _same_class(other, domain) else other for other in tables.domains.values()]
    return rebuilt(tables, domains)


def rebuilt(tables: Tables, domains: Collection[DomainSpec]) -> Tables:
    """Tables of these domains alone; classes bound to a code stay while they derive from its class."""
    codes = {spec.code: spec for domain in domains for spec in domain.codes}

    def stays(code: str, cls: type[CodedError]) -> bool:
        return code in codes and codes[code].cls in cls.__mro__

    found = replaced(
        tables,
        domains={domain.domain: domain for domain in domains},
        codes=codes,
        names={},
        folded={},
        numbers={},
        bound={
            code: {name: cls for name, cls in classes.items() if stays(code, cls)}
            for code, classes in tables.bound.items()
        },
        defaults={code: cls for code, cls in tables.defaults.items() if stays(code, cls)},
    )
    for spec in codes.values():
        _enter(found, spec)
    return found


def _extended(tables: Tables, domain: DomainSpec) -> Tables:
    """The tables with one more domain. Look-ups find its codes first, iteration afterwards."""
    for spec in domain.codes:
        _enter(tables, spec)
    return replaced(
        tables,
        domains={**tables.domains, domain.domain: domain},
        codes=tables.codes | {spec.code: spec for spec in domain.codes},
    )


def _enter(tables: Tables, spec: ErrorSpec) -> None:
    for name in (*spec.aliases, spec.code):
        tables.names[name] = spec
        tables.folded[fold(name)] = spec
    if spec.number is not None:
        tables.numbers[spec.number] = spec


def replaced(tables: Tables, **changes: Any) -> Tables:
    """The tables with some of them exchanged."""
    return Tables(**{**vars(tables), **changes})


def _same_class(one: DomainSpec, other: DomainSpec) -> bool:
    """Whether one is the other after a reload; what a function makes is told apart by its domain too."""
    is_local = "<locals>" in one.cls.__qualname__
    return same_name(one.cls, other.cls) and (one.domain == other.domain or not is_local)


def same_name(one: type, other: type) -> bool:
    """Whether two classes are found under the same name, as a class is after a reload."""
    return one.__module__ == other.__module__ and one.__qualname__ == other.__qualname__


def _check_domain(tables: Tables, domain: DomainSpec) -> None:
    folded_name = fold(domain.domain)
    for other in tables.domains.values():
        if len(other.domain) == len(folded_name) and fold(other.domain) == folded_name:
            clash(f"domain {domain.domain!r}", f"domain {other.domain!r} at {other.place}", domain.place)
        if _overlap(other.numbers, domain.numbers):
            what = f"range {_span(domain.numbers)}"
            clash(what, f"range {_span(other.numbers)} at {other.place}", domain.place)
    taken: dict[str, ErrorSpec] = {}
    numbers: dict[int, ErrorSpec] = {}
    for spec in domain.codes:
        for name in (spec.code, *spec.aliases):
            folded = fold(name)
            other_spec = tables.folded.get(folded) or taken.setdefault(folded, spec)
            if other_spec is not spec:
                clash(_what(name, other_spec), f"{other_spec.code!r} at {other_spec.place}", spec.place)
        if spec.number is not None:
            other_spec = tables.numbers.get(spec.number) or numbers.setdefault(spec.number, spec)
            if other_spec is not spec:
                owner = f"{other_spec.code} at {other_spec.place}"
                clash(f"number {spec.number} of {spec.code}", owner, spec.place)
        if tables.retired_codes or tables.retired_numbers:
            check_retired(spec, tables.retired_codes, tables.retired_numbers)


def _what(name: str, other: ErrorSpec) -> str:
    if name in (other.code, *other.aliases):
        return f"code {name!r}"
    return f"code {name!r} (it would share an anchor)"


def check_retired(spec: ErrorSpec, codes: frozenset[str], numbers: frozenset[int]) -> None:
    """Refuse a code whose names, folded, or whose number are retired."""
    for name in (spec.code, *spec.aliases):
        if fold(name) in codes:
            clash(f"code {name!r}", "a removed code, which stays reserved for ever", spec.place)
    if spec.number in numbers:
        clash(f"number {spec.number}", "a removed code, whose number stays reserved for ever", spec.place)


def _overlap(one: range | None, other: range | None) -> bool:
    return one is not None and other is not None and max(one.start, other.start) < min(one.stop, other.stop)


def _span(numbers: range | None) -> str:
    return "" if numbers is None else f"{numbers.start} to {numbers.stop - 1}"
