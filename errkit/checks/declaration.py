"""Whether a declaration is complete: texts that help, fields that are explained, examples that fit."""

from __future__ import annotations

import gc
import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from errkit.checks.model import Finding, finding
from errkit.fields import MISSING, read_fields
from errkit.prose import code_prose, field_prose
from errkit.registry import living_registries
from errkit.safe import redact, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.checks.model import Context
    from errkit.codes import Details, ErrorSpec
    from errkit.registry import Registry

__all__ = ["find_aliases", "find_clashes", "find_details", "find_ranges", "find_reasons", "find_text"]

_NO_IMPERATIVE: Final = re.compile(
    r"(?:the|a|an|it|this|that|these|you|your|we|there|if|when|please|something|error|failed|invalid)\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s+[A-Z])")


# --- per code ---------------------------------------------------------------------------------------


def find_text(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Title, hint and prose are there; the hint is one imperative sentence; the title is only this code's."""
    twin = next((other for other in context.once(_by_title, registry)[spec.title] if other is not spec), None)
    if twin is not None:
        problem = f"the title {spec.title!r} is also that of {twin.code}"
        yield finding("text", registry, spec, problem, "Say in the title what sets this code apart.")
    if spec.title.rstrip().endswith("."):
        yield finding("text", registry, spec, "the title ends in a full stop", "Write the title as a phrase.")
    fault = hint_fault(spec.hint)
    if fault:
        yield finding("text", registry, spec, fault, "Give hint= one imperative sentence: what to do next.")
    if code_prose(spec) is None:
        problem = "it has no prose"
        remedy = "Write under the code, as a string literal, what happened, why, and what to do now."
        yield finding("text", registry, spec, problem, remedy)


def _by_title(registry: Registry, _context: Context) -> dict[str, list[ErrorSpec]]:
    found: dict[str, list[ErrorSpec]] = {}
    for spec in registry:
        found.setdefault(spec.title, []).append(spec)
    return found


def hint_fault(hint: str) -> str:
    """What keeps a hint from being one imperative sentence, or the empty string."""
    text = hint.strip()
    if not text:
        return "it has no hint"
    if not text.endswith((".", "!", "`.")):
        return f"the hint does not end like a sentence: {text[-20:]!r}"
    if _SENTENCE_END.search(text):
        return "the hint is more than one sentence"
    if _NO_IMPERATIVE.match(text):
        return f"the hint does not begin with what to do: {text[:20]!r}"
    return ""


def find_details(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Each field resolves and is documented, and the example fits the declaration and holds no secret."""
    if spec.details is not None:
        known = context.once(_known_faults, registry)
        if spec.details not in known:
            known[spec.details] = list(_field_faults(spec.details))
        for problem, remedy in known[spec.details]:
            yield finding("details", registry, spec, problem, remedy)
    yield from _example_findings(spec, registry, context)


def _known_faults(_registry: Registry, _context: Context) -> dict[type[Details], list[tuple[str, str]]]:
    """What is wrong with the fields of a class, for all codes that share it."""
    return {}


def _field_faults(details: type[Details]) -> Iterator[tuple[str, str]]:
    """Each problem with a field, and its remedy."""
    described = field_prose(details)
    for field in read_fields(details):
        if field.type is MISSING:
            problem = f"the type of {field.name}, {field.type_text!r}, can't be resolved: it counts as secret"
            yield problem, "Import the type at run time."
        if field.name not in described and field.owner is not None:
            yield f"the field {field.name} is not documented", "Write a docstring under the field."


def _example_findings(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    given = context.given_example(spec) if context.given_example is not None else None
    example = spec.example if given is None else given
    if example is None:
        if spec.details is not None and spec.details.field_names()[1]:
            remedy = "Give code() an example= with the details of a realistic failure."
            yield finding("details", registry, spec, "it has required fields and no example", remedy)
        return
    assert spec.cls is not None
    problem = getattr(spec.cls, spec.const)(**example).details_problem
    if problem:
        remedy = "Correct the example, or the declaration."
        yield finding("details", registry, spec, f"the example does not fit: {problem}", remedy)
    plain = to_json(dict(example))
    if redact(plain) != plain or "[REDACTED]" in str(plain):
        remedy = "Take what looks like a secret out of the example, or mark its field Secret."
        yield finding("details", registry, spec, "the example holds what looks like a secret", remedy)


# --- per registry -----------------------------------------------------------------------------------


def find_clashes(registry: Registry, _context: Context) -> Iterator[Finding]:
    """Pickles of each code come out as this code, and not as that of another registry of the same name.

    Clashes within a registry are refused when they are declared; two registries need not know each other.
    """
    if _before(registry):
        # One that nobody holds any more may wait to be collected: then its name is free.
        gc.collect()
    earlier = _before(registry)
    for spec in registry if earlier else ():
        other = next(filter(None, (home.get(spec.code) for home in earlier)), None)
        # One place is one declaration, loaded twice.
        if other is not None and other.place != spec.place:
            problem = f"another registry is called {registry.name} too, and has this code at {other.place}"
            yield finding("clashes", registry, spec, problem, "Give one of the registries another name.")


def _before(registry: Registry) -> list[Registry]:
    """The registries whose codes a pickle finds before those of this one of the same name."""
    return list(takewhile(lambda other: other is not registry, living_registries(registry.name)))


def find_ranges(registry: Registry, _context: Context) -> Iterator[Finding]:
    """In a domain with a range of numbers each code has one."""
    for domain in registry.domains:
        if domain.numbers is None:
            continue
        for spec in domain.codes:
            if spec.number is None:
                problem = f"it has no number, though {domain.domain} has a range of them"
                yield finding("ranges", registry, spec, problem, "Give the code a free number of the range.")


def find_aliases(registry: Registry, _context: Context) -> Iterator[Finding]:
    """What a deprecated code is replaced by exists and is not deprecated itself."""
    for spec in registry:
        if not spec.replaced_by:
            continue
        target = registry.get(spec.replaced_by)
        if target is None:
            problem = f"it is replaced by {spec.replaced_by!r}, which is no code of the registry"
            yield finding("aliases", registry, spec, problem, "Name a code that exists.")
        elif target.deprecated:
            problem = f"it is replaced by {target.code}, which is deprecated too"
            yield finding("aliases", registry, spec, problem, "Name the code that is to be used now.")


def find_reasons(registry: Registry, _context: Context) -> Iterator[Finding]:
    """Where a code declares reasons, its details have a field for them and each has a title of its own."""
    for spec in registry:
        if not spec.reasons:
            continue
        if spec.details is None or "reason" not in spec.details.field_names()[0]:
            problem = "it declares reasons, and its details have no field `reason`"
            yield finding(
                "reasons", registry, spec, problem, "Add `reason: str | None = None` to the details."
            )
        titles = [reason.title for reason in spec.reasons.values()]
        for name, reason in spec.reasons.items():
            if not reason.title.strip() or titles.count(reason.title) > 1:
                problem = f"the reason {name!r} has no title of its own"
                yield finding(
                    "reasons", registry, spec, problem, "Say in each title what sets the reason apart."
                )
