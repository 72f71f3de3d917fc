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
    ErrorCode,
    ErrorSpec,
    Reason,
    ReasonDetails,
    default_alert,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.errors import CodedError

__all__ = ["RESERVED_FIELDS", "check_code", "clash", "declare_domain", "fold", "refuse"]

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
    problem = check_code(domain) or _domain_fault(domain, title, numbers, pattern)
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


def clash(what: str, first: str, second: str) -> NoReturn:
    """Raise `errkit.clash`: `second`, a place or an owner, wants what `first` has."""
    from errkit.own import ErrkitError

    raise ErrkitError.CLASH(
        f"{what} at {second} can't be registered: taken by {first}", what=what, first=first, second=second
    )


def _domain_fault(domain: str, title: object, numbers: object, pattern: object) -> str:
    if domain.rpartition(".")[2].lower() in _SOURCE_SUFFIXES:
        return f"domain {domain!r} ends in a source file suffix; choose another last segment"
    if not (isinstance(numbers, range | None) and (numbers is None or (numbers.step == 1 and numbers))):
        return f"numbers={numbers!r} is no ascending range of whole numbers with step 1"
    for name, text in (("title", title), ("codes", pattern)):
        if not isinstance(text, str | None):
            return f"{name}={text!r} is no text"
    return ""


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
    text = facts.pop("code", None)
    text = _code_string(domain, const, pattern) if text is None else text
    problem = _constant_fault(cls, const) or check_code(text) or _fault(facts, numbers)
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


def _constant_fault(cls: type[CodedError], const: str) -> str:
    for base in cls.__mro__[1:]:
        if const in base.__dict__ and not isinstance(base.__dict__[const], ErrorCode):
            return f"the constant hides {base.__name__}.{const}; give the code another one"
    return ""


def _fault(facts: Mapping[str, Any], numbers: range | None) -> str:
    """The first thing wrong with what `code()` was given; empty if all is well."""
    for name in _TEXTS:
        if not isinstance(facts.get(name, ""), str):
            return f"{name}={facts[name]!r} is no text"
    if not facts.get("title", "").strip():
        return "the title is empty; say in a few words what happened"
    if facts["kind"] not in KINDS:
        return f"kind={facts['kind']!r} is none of {', '.join(KINDS)}"
    for name in ("public", "alert"):
        if not isinstance(facts.get(name, False), bool):
            return f"{name}={facts[name]!r} is neither True nor False"
    return (
        _number_fault(facts.get("number"), numbers)
        or _details_fault(facts.get("details"))
        or _alias_fault(facts["aliases"])
        or _mapping_fault(facts)
        or _seconds_or_status_fault(facts)
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
    names = details.field_names()[0]
    reserved = sorted(RESERVED_FIELDS & names) or [name for name in sorted(names) if hasattr(Details, name)]
    return f"the field {reserved[0]!r} of {details.__qualname__} is reserved; rename it" if reserved else ""


def _alias_fault(aliases: Any) -> str:
    if not isinstance(aliases, (tuple, list)):
        return f"aliases={aliases!r} is no tuple of texts"
    problems = (check_code(alias, ALIAS_GRAMMAR) for alias in aliases)
    return next((f"alias {problem}" for problem in problems if problem), "")


def _mapping_fault(facts: Mapping[str, Any]) -> str:
    for name in ("example", "reasons"):
        found = facts.get(name)
        if found is None:
            continue
        if not (hasattr(found, "items") and all(isinstance(key, str) for key in found)):
            return f"{name}={found!r} is no mapping with texts as keys"
    for key, reason in (facts.get("reasons") or {}).items():
        if not isinstance(reason, (str, Reason)):
            return f"reason {key!r} is declared as {reason!r}; give a title or a Reason"
    return ""


def _seconds_or_status_fault(facts: Mapping[str, Any]) -> str:
    seconds, status = facts.get("retry_after", 0), facts.get("http_status", 500)
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e12:
        return f"retry_after={seconds!r} is no number of seconds"
    if type(status) is not int or not 100 <= status <= 599:
        return f"http_status={status!r} is no HTTP status, a whole number from 100 to 599"
    return ""
