"""Codes that don't exist, details that don't fit, codes that nobody raises, fallbacks raised for all."""

from __future__ import annotations

import ast
import os
from collections import Counter
from typing import TYPE_CHECKING, Final

from errkit.source.facts import From, Imported
from errkit.source.known import Code, near
from errkit.source.places import found_at
from errkit.source.raising import is_errkits
from errkit.source.resolving import Class
from errkit.source.rules import RULES, Found
from errkit.source.walking import last_name
from errkit.typed import read_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry
    from errkit.source.facts import Outline
    from errkit.source.raising import Reading, Site

__all__ = [
    "find_details",
    "find_facade_imports",
    "find_never_raised",
    "find_overused_fallbacks",
    "find_unknown_codes",
]

_ENOUGH: Final = 4
"""A domain that is raised in fewer places has no habits yet."""


def find_unknown_codes(reading: Reading) -> Iterator[Found]:
    """Constants that their domain does not have, and texts that are no code."""
    for missing, node, outline, _ in reading.missing:
        message = f"{missing.owner} has no code {missing.const}{_meant(missing.near)}"
        yield found_at("unknown-code", outline, node, message, what=missing.const)
    for text, call, outline, _ in reading.unknown:
        message = f"no registry has the code {text!r}{_meant(reading.known.near_text(text))}"
        yield found_at("unknown-code", outline, call, message, what=text)


def _meant(names: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(names)}?" if names else ""


# --- details ----------------------------------------------------------------------------------------


def find_details(reading: Reading) -> Iterator[Found]:
    """Details keys that are unknown or missing where an error is built."""
    for site in reading.sites:
        if site.how != "built" or site.call is None or len({spec.details for spec in site.code.specs}) > 1:
            continue
        given, is_complete = _given(site, site.call)
        if given is not None:
            yield from _judged(site, site.call, given, is_complete=is_complete)


def _judged(site: Site, call: ast.Call, given: dict[str, ast.expr], *, is_complete: bool) -> Iterator[Found]:
    spec = site.code.spec
    fields = () if spec.details is None else read_fields(spec.details)
    known = [field.name for field in fields]
    allowed = {*known, "context", *(["reason"] if spec.reasons else [])}
    for name in given:
        if name not in allowed:
            message = f"{spec.code} has no details key {name!r}{_meant(near(name, known))}"
            yield found_at(
                "unknown-detail", site.outline, call, message, what=name, facts={"code": spec.code}
            )
    missing = [field.name for field in fields if field.required and field.name not in given]
    if missing and is_complete:
        message = f"{spec.code} is raised without {', '.join(map(repr, missing))}"
        yield found_at(
            "missing-detail", site.outline, call, message, what=missing[0], facts={"code": spec.code}
        )


def _given(site: Site, call: ast.Call) -> tuple[dict[str, ast.expr] | None, bool]:
    """The details that a call gives, None if it gives none that way; and whether these are all."""
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    is_complete = len(given) == len(call.keywords) and not any(
        isinstance(argument, ast.Starred) for argument in call.args
    )
    if last_name(call.func) == site.code.spec.const:
        return given, is_complete
    if last_name(call.func) == "as_coded":
        return None, False
    details = given.pop("details", None)
    if details is None:
        return given, is_complete
    if not isinstance(details, ast.Dict):
        return given, False
    for key, value in zip(details.keys, details.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            given[key.value] = value
        else:
            is_complete = False
    return given, is_complete


# --- whole domains ----------------------------------------------------------------------------------


def find_never_raised(
    reading: Reading, registries: Sequence[Registry], files: Collection[str]
) -> Iterator[Found]:
    """Codes that are declared in some files and raised nowhere; a code that is to go away needs no raise."""
    raised = {id(spec) for site in reading.sites for spec in site.code.specs}
    for spec in _declared_in(registries, files):
        if id(spec) not in raised and not spec.deprecated and not spec.replaced_by:
            yield _at_declaration("never-raised", spec, f"{spec.code} is declared, and nothing raises it")


def find_overused_fallbacks(
    reading: Reading, registries: Sequence[Registry], files: Collection[str], share: int
) -> Iterator[Found]:
    """Fallback codes that stand behind more than a share, in percent, of what their domain raises by hand."""
    fallbacks = {id(spec) for spec in _fallbacks(reading)}
    built = Counter(id(spec) for site in reading.sites if site.how == "built" for spec in site.code.specs[:1])
    declared = list(_declared_in(registries, files))
    totals: Counter[str] = Counter()
    for spec in declared:
        totals[spec.domain] += built[id(spec)]
    for spec in declared:
        count, total = built[id(spec)], totals[spec.domain]
        if id(spec) in fallbacks and total >= _ENOUGH and count * 100 > share * total:
            message = (
                f"{spec.code} is the fallback of {spec.domain}, and stands at {count} of its {total} raises"
            )
            yield _at_declaration("overused-fallback", spec, message)


def _fallbacks(reading: Reading) -> Iterator[ErrorSpec]:
    for outline in reading.program.outlines:
        for call, scope, _ in outline.calls:
            if last_name(call.func) != "Translator":
                continue
            if not is_errkits(reading.program.resolve(call.func, scope, outline)):
                continue
            for keyword in call.keywords:
                code = reading.known.reference(keyword.value, scope, outline)
                if keyword.arg == "fallback" and isinstance(code, Code):
                    yield from code.specs


def _declared_in(registries: Sequence[Registry], files: Collection[str]) -> Iterator[ErrorSpec]:
    specs = {id(spec): spec for registry in registries for spec in registry}
    yield from (spec for spec in specs.values() if spec.file and os.path.abspath(spec.file) in files)


def _at_declaration(rule: str, spec: ErrorSpec, message: str) -> Found:
    return Found(
        rule=rule,
        message=message,
        file=os.path.abspath(spec.file),
        line=spec.line,
        last=spec.line,
        what=spec.code,
        hint=RULES[rule].remedy,
        facts={"code": spec.code, "registry": spec.registry},
    )


# --- modules of errors ------------------------------------------------------------------------------


def find_facade_imports(reading: Reading) -> Iterator[Found]:
    """Facades that a module imports which declares a domain."""
    for outline in reading.program.outlines:
        if not _declares(outline, reading):
            continue
        for name, bound in outline.scope.bindings.items():
            if not isinstance(bound, (From, Imported)):
                continue
            coded = reading.known.coded(reading.program.lookup(name, outline.scope, outline))
            if coded is not None and coded.facade:
                line = bound.line if isinstance(bound, From) else 0
                yield Found(
                    rule="facade-import",
                    message=f"{outline.module} declares a domain, and imports the facade {name}",
                    file=outline.file,
                    line=line,
                    last=line,
                    what=name,
                    hint=RULES["facade-import"].remedy,
                    facts={"module": outline.module},
                )


def _declares(outline: Outline, reading: Reading) -> bool:
    for bound in outline.scope.bindings.values():
        keywords = getattr(bound, "keywords", ())
        if any(keyword.arg == "domain" for keyword in keywords):
            return reading.known.coded(Class(outline, bound)) is not None  # type: ignore[arg-type]
    return False
