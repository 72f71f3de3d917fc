"""From the body of a domain class to its records: every check that needs no other domain.

`declare_domain` reads the declarations of a class and returns a `DomainSpec`, or refuses the whole class with
`errkit.bad_declaration`. It registers nothing: what other domains have to say is asked in `registry.py`.
"""

from __future__ import annotations

from types import MappingProxyType

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final, NoReturn

    from errkit.errors import CodedError

__all__ = ["RESERVED_FIELDS", "check_code", "clash", "declare_domain", "fold", "refuse"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
CODE_GRAMMAR: Final = f"{_LETTERS}{_LETTERS.upper()}0123456789_."
"""What a code consists of, in segments separated by single dots."""
ALIAS_GRAMMAR: Final = f"{CODE_GRAMMAR}-"
MAX_CODE_LENGTH: Final = 128
RESERVED_FIELDS: Final = frozenset({"match", "cause", "code", "hint", "message"})
_UNUSABLE_FIELDS: Final = RESERVED_FIELDS | {name for name in dir(Details) if not name.startswith("_")}
# `errors/foo.md` would be a source file to Sphinx, not the page of the domain `foo.md`.
_SOURCE_SUFFIXES: Final = frozenset({"md", "rst"})


def fold(code: str) -> str:
    """A code as it appears in anchors and addresses: lower case, with `-` for `.` and `_`."""
    return code.lower().replace(".", "-").replace("_", "-")


def check_code(text: object, grammar: str = CODE_GRAMMAR) -> str:
    """What is wrong with a code string, or the empty string."""
    if not isinstance(text, str) or text.strip(grammar) or not all(text.split(".")):
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
    text = facts.get("code")
    if text is None:
        text = _code_string(domain, const, pattern)
    problem = _constant_fault(cls, const) or check_code(text) or _fault(facts, numbers)
    if problem:
        refuse(f"{cls.__qualname__}.{const}", f"{declaration.file}:{declaration.line}", problem)
    if facts.get("alert") is None:
        facts["alert"] = default_alert(facts["kind"])
    _freeze(facts)
    facts |= {"code": text, "const": const, "domain": domain, "registry": registry, "cls": cls}
    facts |= {"file": declaration.file, "line": declaration.line}
    return ErrorSpec.from_known(facts)


def _freeze(facts: dict[str, Any]) -> None:
    """Turn what may be changed later into what can't be."""
    facts["aliases"] = tuple(facts["aliases"])
    facts["description"] = facts.get("description") or None
    if facts.get("retry_after") is not None:
        facts["retry_after"] = float(facts["retry_after"])
    if facts.get("example") is not None:
        facts["example"] = MappingProxyType(dict(facts["example"]))
    reasons = facts.pop("reasons", None)
    if reasons:
        found = {name: _as_reason(reason) for name, reason in reasons.items()}
        facts["reasons"] = MappingProxyType(found)
        facts["details"] = facts.get("details") or ReasonDetails


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
    for name, fact in facts.items():
        kinds, expected, check = _EXPECTED[name]
        if not isinstance(fact, kinds):
            return f"{name}={fact!r} is no {expected}"
        problem = check(fact) if check is not None and fact is not None else ""
        if problem:
            return problem
    number = facts.get("number")
    return "" if number is None else _number_fault(number, numbers)


def _title_fault(title: str) -> str:
    return "" if title.strip() else "the title is empty; say in a few words what happened"


def _kind_fault(kind: str) -> str:
    return "" if kind in KINDS else f"kind={kind!r} is none of {', '.join(KINDS)}"


def _number_fault(number: int, numbers: range | None) -> str:
    if isinstance(number, bool):
        return f"number={number!r} is no whole number"
    if numbers is None:
        return f"number {number} stands in a domain without a range; give the class numbers=range(...)"
    if number not in numbers:
        return f"number {number} is outside the domain's range {numbers.start} to {numbers.stop - 1}"
    return ""


def _details_fault(details: type) -> str:
    if not issubclass(details, Details):
        return f"details={details!r} is no Details class"
    names = details.field_names()[0]
    if names.isdisjoint(_UNUSABLE_FIELDS):
        return ""
    return f"the field {min(names & _UNUSABLE_FIELDS)!r} of {details.__qualname__} is reserved; rename it"


def _alias_fault(aliases: Sequence[Any]) -> str:
    for alias in aliases:
        problem = check_code(alias, ALIAS_GRAMMAR)
        if problem:
            return f"alias {problem}"
    return ""


def _example_fault(example: Any) -> str:
    if not hasattr(example, "items"):
        return f"example={example!r} is no mapping of field names to values"
    wrong = [key for key in example if not isinstance(key, str)]
    return f"example={example!r} has the key {wrong[0]!r}, which is no text" if wrong else ""


def _reasons_fault(reasons: Any) -> str:
    if not hasattr(reasons, "items"):
        return f"reasons={reasons!r} is no mapping of values of details.reason to titles"
    for key, reason in reasons.items():
        if not isinstance(key, str) or not isinstance(reason, (str, Reason)):
            return f"reason {key!r} is declared as {reason!r}; give a text with a title or a Reason"
    return ""


def _seconds_fault(seconds: float) -> str:
    is_one = not isinstance(seconds, bool) and 0 <= seconds < 1e12
    return "" if is_one else f"retry_after={seconds!r} is no number of seconds from 0 up"


def _status_fault(status: int) -> str:
    is_one = not isinstance(status, bool) and 100 <= status <= 599
    return "" if is_one else f"http_status={status!r} is no HTTP status, a whole number from 100 to 599"


_NONE: Final = type(None)
_TEXT: Final[tuple[Any, str, Callable[[Any], str] | None]] = (str, "text", None)
_EXPECTED: Final[dict[str, tuple[Any, str, Callable[[Any], str] | None]]] = {
    "title": (str, "text", _title_fault),
    "details": ((_NONE, type), "Details class", _details_fault),
    "number": ((_NONE, int), "whole number", None),
    "kind": (str, "text", _kind_fault),
    "public": (bool, "flag, True or False", None),
    "hint": _TEXT,
    "alert": ((_NONE, bool), "flag, True or False", None),
    "retry_after": ((_NONE, int, float), "number of seconds", _seconds_fault),
    "http_status": ((_NONE, int), "HTTP status, a whole number from 100 to 599", _status_fault),
    "reasons": (object, "mapping of values of details.reason to titles", _reasons_fault),
    "example": (object, "mapping of field names to values", _example_fault),
    "since": _TEXT,
    "deprecated": _TEXT,
    "replaced_by": _TEXT,
    "aliases": ((tuple, list), "tuple of texts", _alias_fault),
    "docs": _TEXT,
    "description": _TEXT,
    "code": ((_NONE, str), "text", None),
}
