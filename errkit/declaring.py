"""From the body of a domain class to its records: every check that needs no other domain.

`declare_domain` reads the declarations of a class and returns a `DomainSpec`, or refuses the whole class with
`errkit.bad_declaration`. It registers nothing: what other domains have to say is asked in `registry.py`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from errkit.codes import (
    KINDS,
    Declaration,
    Details,
    DomainSpec,
    ErrorSpec,
    Reason,
    ReasonDetails,
    default_alert,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.errors import CodedError

__all__ = ["RESERVED_FIELDS", "check_code", "declare_domain", "fold"]

CODE_GRAMMAR: Final = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")
ALIAS_GRAMMAR: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
MAX_CODE_LENGTH: Final = 128
RESERVED_FIELDS: Final = frozenset({"match", "cause", "code", "hint", "message"})
# `errors/foo.md` would be a source file to Sphinx, not the page of the domain `foo.md`.
_SOURCE_SUFFIXES: Final = frozenset({"md", "rst"})
_TEXTS: Final = ("title", "hint", "since", "deprecated", "replaced_by", "docs")


def fold(code: str) -> str:
    """A code as it appears in anchors and addresses: lower case, with `-` for `.` and `_`."""
    return code.lower().replace(".", "-").replace("_", "-")


def check_code(text: object, grammar: re.Pattern[str] = CODE_GRAMMAR) -> str:
    """What is wrong with a code string, or the empty string."""
    if not isinstance(text, str) or grammar.fullmatch(text) is None:
        return f"{text!r} is no code: use letters, digits and underscores in segments separated by dots"
    if len(text) > MAX_CODE_LENGTH:
        return f"{text[:40]!r}... has {len(text)} characters; a code has at most {MAX_CODE_LENGTH}"
    return ""


def declare_domain(
    cls: type[CodedError],
    *,
    domain: str,
    title: str | None,
    numbers: range | None,
    pattern: str | None,
    registry: str,
    place: tuple[str, int],
    description: str | None = None,
) -> DomainSpec:
    """The records of a domain class, from the declarations in its body.

    Raises
    ------
    CodedError
        `errkit.bad_declaration`, naming the class, the constant, file and line, and the way out.
    """
    where = f"{place[0]}:{place[1]}"
    problem = check_code(domain)
    if not problem and domain.rpartition(".")[2] in _SOURCE_SUFFIXES:
        problem = f"domain {domain!r} ends in a source file suffix; choose another last segment"
    if not problem and numbers is not None and not _is_plain_range(numbers):
        problem = f"numbers={numbers!r} is no ascending range of whole numbers with step 1"
    if problem:
        refuse(cls.__qualname__, where, problem)
    specs = tuple(
        _declare_code(cls, const, declaration, domain, numbers, pattern, registry)
        for const, declaration in vars(cls).items()
        if isinstance(declaration, Declaration)
    )
    return DomainSpec(
        domain=domain,
        title=title or domain,
        codes=specs,
        cls=cls,
        numbers=numbers,
        description=description,
        registry=registry,
        file=place[0],
        line=place[1],
    )


def refuse(owner: str, place: str, problem: str) -> NoReturn:
    """Raise `errkit.bad_declaration` for one fault of one declaration."""
    from errkit.own import ErrkitError

    raise ErrkitError.BAD_DECLARATION(
        f"{owner} at {place}: {problem}", owner=owner, place=place, problem=problem
    )


def _is_plain_range(numbers: object) -> bool:
    return isinstance(numbers, range) and numbers.step == 1 and len(numbers) > 0


def _declare_code(
    cls: type[CodedError],
    const: str,
    declaration: Declaration[..., Any],
    domain: str,
    numbers: range | None,
    pattern: str | None,
    registry: str,
) -> ErrorSpec:
    facts = dict(declaration.facts)
    text = facts.pop("code", None) or _code_string(domain, const, pattern)
    problem = check_code(text) or _fault(facts, numbers)
    if problem:
        refuse(f"{cls.__qualname__}.{const}", f"{declaration.file}:{declaration.line}", problem)
    reasons = {name: _as_reason(reason) for name, reason in (facts.pop("reasons", None) or {}).items()}
    facts.setdefault("alert", default_alert(facts["kind"]))
    facts["aliases"] = tuple(facts["aliases"])
    if "retry_after" in facts:
        facts["retry_after"] = float(facts["retry_after"])
    if "example" in facts:
        facts["example"] = MappingProxyType(dict(facts["example"]))
    if reasons:
        facts.setdefault("details", ReasonDetails)
        facts["reasons"] = MappingProxyType(reasons)
    return ErrorSpec(
        code=text,
        const=const,
        domain=domain,
        registry=registry,
        cls=cls,
        file=declaration.file,
        line=declaration.line,
        **facts,
    )


def _code_string(domain: str, const: str, pattern: str | None) -> str:
    if pattern is None:
        return f"{domain}.{const.lower()}"
    return pattern.replace("{domain}", domain).replace("{CONST}", const).replace("{const}", const.lower())


def _as_reason(reason: str | Reason) -> Reason:
    return Reason(title=reason) if isinstance(reason, str) else reason


def _fault(facts: Mapping[str, Any], numbers: range | None) -> str:
    """The first thing wrong with what `code()` was given; empty if all is well."""
    for name in _TEXTS:
        if name in facts and not isinstance(facts[name], str):
            return f"{name}={facts[name]!r} is no text"
    if not facts["title"].strip():
        return "the title is empty; say in a few words what happened"
    if facts["kind"] not in KINDS:
        return f"kind={facts['kind']!r} is none of {', '.join(KINDS)}"
    return (
        _number_fault(facts.get("number"), numbers)
        or _details_fault(facts.get("details"))
        or _alias_fault(facts["aliases"])
        or _value_fault(facts)
    )


def _number_fault(number: Any, numbers: range | None) -> str:
    if number is None:
        return ""
    if type(number) is not int:
        return f"number={number!r} is no whole number"
    if numbers is None:
        return f"number {number} stands in a domain without a range; give the class numbers=range(...)"
    if number not in numbers:
        return f"number {number} is outside the domain's range {numbers.start} to {numbers.stop - 1}"
    return ""


def _details_fault(details: Any) -> str:
    if details is None:
        return ""
    if not (isinstance(details, type) and issubclass(details, Details)):
        return f"details={details!r} is no Details class"
    reserved = sorted(RESERVED_FIELDS & details.field_names()[0])
    if reserved:
        return f"{details.__qualname__} has a field {reserved[0]!r}: {', '.join(sorted(RESERVED_FIELDS))} are reserved"
    return ""


def _alias_fault(aliases: Any) -> str:
    if isinstance(aliases, str):
        return f"aliases={aliases!r} is a text; give a tuple of texts"
    for alias in aliases:
        problem = check_code(alias, ALIAS_GRAMMAR)
        if problem:
            return f"alias {problem}"
    return ""


def _value_fault(facts: Mapping[str, Any]) -> str:
    example, reasons = facts.get("example"), facts.get("reasons") or {}
    if example is not None and not all(isinstance(name, str) for name in example):
        return f"example={example!r} is no mapping of field names to values"
    for name, reason in reasons.items():
        if not isinstance(name, str) or not isinstance(reason, (str, Reason)):
            return f"reason {name!r} is declared as {reason!r}; give a title or a Reason"
    for name in ("retry_after", "http_status"):
        value = facts.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0
        ):
            return f"{name}={value!r} is no number from 0 up"
    return ""
