"""From the data of a catalogue file to a registry with real domain classes.

The rules of declaring are the core's own (`declaring.py`, `registry.py`); what they refuse is reported with
its place in the file. Only what would break a class that is made from data is checked here first.
"""

from __future__ import annotations

import itertools
import os
import re
import types
from bisect import bisect_left
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from errkit.catalog_file.parsing import LARGEST, Fault, Lines, OneLine, at, parse, plain, read_text
from errkit.catalog_file.shapes import (
    CODE_KEYS,
    DOMAIN_KEYS,
    FIELD_KEYS,
    REASON_KEYS,
    REGISTRY_KEYS,
    check_format,
    checked,
)
from errkit.catalog_file.vocabulary import split_type, type_of
from errkit.catalog_file.writing import as_json, settled
from errkit.codes import Declaration, Details, Reason, code
from errkit.declaring import ALIAS_GRAMMAR, RESERVED_FIELDS, check_code, declare_domain
from errkit.errors import CodedError, _become_domain
from errkit.fields import MISSING, PLACEHOLDER, SECRET, Field, read_fields, revive
from errkit.own import ErrkitError
from errkit.registry import MARKUPS, Registry
from errkit.safe import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["HEADINGS", "from_data", "load"]

HEADINGS: Final = ("refuse", "bold")
"""What becomes of headings in prose."""


def load(path: str | os.PathLike[str]) -> Registry:
    """The registry that a catalogue file declares: a new one at each call, with classes of its own.

    Parameters
    ----------
    path
        A file that ends in `.json` or `.toml`.

    Raises
    ------
    CodedError
        `errkit.bad_catalog`, naming the file, the place in it and the reason.
    """
    file = os.fsdecode(path)
    with _naming(file):
        text = read_text(file)
        return _build(parse(text, file), _Home(file, file, Lines(text)))


def from_data(data: Mapping[str, Any], caller: types.FrameType) -> Registry:
    """The registry that the data of a catalogue declares; `Registry.from_catalog` says what it promises."""
    file, module = caller.f_code.co_filename, str(caller.f_globals.get("__name__", ""))
    with _naming(f"{file}:{caller.f_lineno}"):
        return _build(plain(data), _Home(file, module, OneLine(caller.f_lineno)))


@contextmanager
def _naming(source: str) -> Iterator[None]:
    try:
        yield
    except Fault as fault:
        problem = fault.problem if len(fault.problem) <= 500 else f"{fault.problem[:500]}..."
        raise ErrkitError.BAD_CATALOG(
            f"{source}: {fault.place}: {problem}", path=source, place=fault.place, problem=problem
        ) from fault.__cause__


class _Home(NamedTuple):
    """Where the codes of a catalogue are declared."""

    file: str
    module: str
    """The module of the classes: that which declares them, or the file itself."""
    lines: Lines | OneLine


def _build(data: object, home: _Home) -> Registry:
    check_format(data)
    top = checked(data, REGISTRY_KEYS, "", "domains")
    name = top.get("registry") or os.path.splitext(os.path.basename(home.file))[0]
    problem = check_code(name, ALIAS_GRAMMAR)
    if problem:
        raise Fault("registry", problem.replace("is no code", "is no name of a registry"))
    markup = top.get("markup", "rst")
    if markup not in MARKUPS:
        raise Fault("markup", f"expected rst, md or text, found {markup!r}")
    headings = top.get("headings", "refuse")
    if headings not in HEADINGS:
        raise Fault("headings", f"expected refuse or bold, found {headings!r}")
    domains = [_domain_facts(item, f"domains[{index}]", home) for index, item in enumerate(top["domains"])]
    # What lives is found by its name, and a refused registry would live until the garbage is collected.
    trial = Registry(__name__)
    for domain in domains:
        _add_domain(trial, domain)
    registry = Registry(name, markup=markup, headings=headings)
    for domain in domains:
        _declare(registry, domain, domain.codes)
    return registry


_Declared = Declaration[..., Any]


class _Domain:
    """A domain of a file: its facts, and its codes as declarations by constant."""

    def __init__(self, place: str, home: _Home, line: int, facts: dict[str, Any]) -> None:
        self.place = place
        self.home = home
        self.line = line
        self.facts = facts
        self.codes: dict[str, _Declared] = {}


def _domain_facts(item: object, place: str, home: _Home) -> _Domain:
    facts = checked(item, DOMAIN_KEYS, place, "domain")
    name = facts["domain"]
    problem = check_code(name)
    if problem:
        raise Fault(at(place, "domain"), problem)
    if "numbers" in facts:
        facts["numbers"] = _range(facts["numbers"], at(place, "numbers"))
    facts["description"] = _explicit(facts.get("description", ""))
    code_items = facts.pop("codes", ())
    domain = _Domain(place, home, home.lines.of("domain", name), facts)
    for index, code_item in enumerate(code_items):
        const, declaration = _code_facts(code_item, name, f"{place}.codes[{index}]")
        if const in domain.codes:
            raise Fault(f"{place}.codes[{index}].const", f"{const} stands twice in the domain {name!r}")
        lines, text = home.lines, declaration.facts.get("code")
        declaration.file = home.file
        declaration.line = lines.of("code", text) or lines.of("const", const, domain.line)
        domain.codes[const] = declaration
    return domain


def _range(bounds: list[Any], place: str) -> range:
    if len(bounds) != 2 or not all(
        isinstance(bound, int) and not isinstance(bound, bool) for bound in bounds
    ):
        raise Fault(place, "expected two whole numbers, the first and the last of the range")
    first, last = bounds
    if max(abs(first), abs(last)) > LARGEST:
        raise Fault(place, f"holds a number beyond {LARGEST}")
    if last < first:
        raise Fault(place, f"the last number {last} is smaller than the first, {first}")
    return range(first, last + 1)


def _code_facts(item: object, domain: str, place: str) -> tuple[str, _Declared]:
    facts = checked(item, CODE_KEYS, place, "title")
    const = facts.pop("const", None)
    if const is None:
        const = _const_from(facts.get("code"), domain)
    if const is None:
        raise Fault(at(place, "const"), "is missing; give a const, a code, or both")
    if not const.isidentifier() or const.startswith("__") or hasattr(CodedError, const):
        raise Fault(at(place, "const"), f"{const[:80]!r} can't name a code; write it like NOT_FOUND")
    facts["description"] = _explicit(facts.get("description", "")) or ""
    if "details" in facts:
        facts["details"] = _details(facts["details"], const, at(place, "details"))
    if "reasons" in facts:
        facts["reasons"] = _reasons(facts["reasons"], at(place, "reasons"))
    if "example" in facts:
        facts["example"] = _example(facts["example"], facts.get("details"))
    return const, code(**facts)


def _explicit(text: str) -> str | None:
    """Prose of a file for a spec.

    A docstring begins beside its quotes, so its first line says nothing of how the others are indented. The
    line break in front tells `prose.py` that this text begins on a line of its own.
    """
    text = settled(text)
    return f"\n{text}" if text else None


def _const_from(text: str | None, domain: str) -> str | None:
    """`NOT_FOUND` from the code `os.fs.not_found` of the domain `os.fs`."""
    return None if text is None else text.removeprefix(f"{domain}.").replace(".", "_").upper()


def _reasons(items: dict[str, Any], place: str) -> dict[str, Reason]:
    found: dict[str, Reason] = {}
    for name, item in items.items():
        facts = {"title": item} if isinstance(item, str) else item
        found[well_formed(name)] = Reason(**checked(facts, REASON_KEYS, at(place, name), "title"))
    return found


def _details(items: list[Any], const: str, place: str) -> type[Details]:
    """A Details class with the fields of a file, whose types are read already."""
    fields: dict[str, dict[str, Any]] = {}
    for index, item in enumerate(items):
        facts = _field_facts(item, f"{place}[{index}]")
        if facts["name"] in fields:
            raise Fault(f"{place}[{index}].name", f"{facts['name']!r} stands twice")
        fields[facts["name"]] = facts
    body = {
        "__module__": __name__,
        "__annotations__": {name: _annotation(facts) for name, facts in fields.items()},
        "__field_prose__": {name: facts["description"] for name, facts in fields.items()},
        **{name: facts["default"] for name, facts in fields.items() if not facts["required"]},
    }
    name = "".join(map(str.capitalize, const.split("_"))) + "Details"
    cls: type[Details] = types.new_class(name, (Details,), exec_body=lambda scope: scope.update(body))
    # The text of a type can't be read back from the type itself, so the fields are told, not found.
    cls.__fields__ = tuple(_field(cls, facts) for facts in fields.values())
    return cls


def _field_facts(item: object, place: str) -> dict[str, Any]:
    facts = checked(item, FIELD_KEYS, place, "name")
    name = facts["name"]
    if name in RESERVED_FIELDS or not name.isidentifier() or name.startswith("_") or hasattr(Details, name):
        raise Fault(at(place, "name"), f"{name[:80]!r} can't name a field; choose another identifier")
    text, secret = split_type(facts.get("type") or "Any")
    kind = type_of(text)
    given = item.get("default") if isinstance(item, dict) else None
    required = facts.get("required", not (isinstance(item, dict) and "default" in item))
    if required and given is not None:
        raise Fault(at(place, "default"), "stands at a required field; write required = false or no default")
    return {
        "name": name,
        "type_text": text,
        "type": kind,
        "required": required,
        "default": _revived(kind, given),
        "secret": secret or facts.get("secret", False),
        "description": settled(facts.get("description", "")),
    }


def _annotation(facts: Mapping[str, Any]) -> Any:
    return Annotated[facts["type"], SECRET] if facts["secret"] else facts["type"]


def _field(cls: type[Details], facts: Mapping[str, Any]) -> Field:
    return Field(
        name=facts["name"],
        type_text=facts["type_text"],
        type=facts["type"],
        required=facts["required"],
        default=MISSING if facts["required"] else facts["default"],
        secret=facts["secret"],
        owner=cls,
    )


def _revived(kind: Any, value: Any) -> Any:
    """A value of a file as its declared type, if it would be written in the same way again; else as it is."""
    plain = as_json(value)
    if plain is None or plain == PLACEHOLDER:
        return plain
    try:
        found = revive(kind, plain)
    except Exception:
        # A list inside a set, for instance, can't be told from its type alone.
        return plain
    return plain if found is MISSING or as_json(found) != plain else found


def _example(values: Mapping[str, Any], details: type[Details] | None) -> dict[str, Any]:
    kinds = {} if details is None else {field.name: field.type for field in read_fields(details)}
    return {well_formed(name): _revived(kinds.get(name, Any), value) for name, value in values.items()}


def _add_domain(registry: Registry, domain: _Domain) -> None:
    try:
        _declare(registry, domain, domain.codes)
    except CodedError as error:
        problem = str(error.details.get("problem") or error)
        raise Fault(_blame(registry, domain), problem) from error


def _declare(registry: Registry, domain: _Domain, codes: Mapping[str, _Declared], *leave_out: str) -> None:
    """Make the class of a domain and register it, as a class statement does for a domain in Python."""
    name = _class_name(registry, domain.facts["domain"])
    body = {"__module__": domain.home.module, "__place__": (domain.home.file, domain.line)}
    cls: type[CodedError] = types.new_class(
        name, (CodedError,), {"registry": registry}, lambda scope: scope.update(body)
    )
    for const, declaration in codes.items():
        setattr(cls, const, declaration)
    facts = {**_NO_DOMAIN_FACTS, **{key: fact for key, fact in domain.facts.items() if key not in leave_out}}
    found = declare_domain(cls, **facts, pattern=None, registry=registry.name, place=cls.__place__)
    _become_domain(cls, found)
    registry.add_domain(found)


_NO_DOMAIN_FACTS: Final[dict[str, Any]] = {"title": None, "numbers": None}


def _class_name(registry: Registry, domain: str) -> str:
    """A name that no other class of the file has: two classes of one name would pass for a reloaded one."""
    parts = re.split(r"[._]+", domain)
    name = "".join(part[:1].upper() + part[1:] for part in parts) + "Error"
    taken = {other.cls.__name__ for other in registry.domains}
    names = (f"{name}{number}" for number in itertools.count(2))
    return name if name not in taken else next(free for free in names if free not in taken)


def _blame(registry: Registry, domain: _Domain) -> str:
    """The place of the fault in a domain that was refused: where leaving something out heals it."""

    def sound(codes: Mapping[str, _Declared], *leave_out: str) -> bool:
        with registry.scoped():
            try:
                _declare(registry, domain, codes, *leave_out)
            except CodedError:
                return False
            return True

    codes = list(domain.codes.items())
    counts = range(len(codes) + 1)
    needed = bisect_left(counts, True, key=lambda count: not sound(dict(codes[:count])))
    if needed == 0:
        return at(domain.place, "numbers" if sound({}, "numbers") else "domain")
    const, declaration = codes[needed - 1]
    place = f"{domain.place}.codes[{needed - 1}]"
    for key in declaration.facts:
        healed = {**dict(codes[: needed - 1]), const: _without(declaration, key)}
        if sound(healed):
            return at(place, key)
    return place


def _without(declaration: _Declared, key: str) -> _Declared:
    facts = {name: fact for name, fact in declaration.facts.items() if name != key}
    return Declaration({**_LEAST_FACTS, **facts}, declaration.file, declaration.line)


_LEAST_FACTS: Final[dict[str, Any]] = {"title": "-", "kind": "terminal", "aliases": ()}
