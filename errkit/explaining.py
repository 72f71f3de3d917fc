"""What a code or a number means, for every face that explains one: `errkit explain`, notebooks.

Looking up is forgiving and asks every registry. What is found comes as plain records and texts; how they are
shown, and in which colours, is the face's business. Texts of a catalogue come from elsewhere, so a face that
writes to a terminal gives them to `clean` first.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.catalog_file import code_data
from errkit.declaring import fold
from errkit.fields import Record
from errkit.own import ErrkitError
from errkit.prose import code_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError
    from errkit.registry import Registry

    Match = tuple[ErrorSpec, list[Registry]]
    """A code, and the registries that have it."""

__all__ = [
    "KIND_MEANINGS",
    "Explanation",
    "FieldLine",
    "ReasonLine",
    "clean",
    "explain",
    "find",
    "tell",
    "unknown",
]

Emphasis = Literal["code", "hint", ""]

KIND_MEANINGS: Final = {
    "terminal": "repeating the call does not help",
    "transient": "the same call may succeed later",
    "outcome": "part of the normal flow",
    "cancelled": "someone stopped it",
    "bug": "the caller or the program is wrong",
}
"""What each kind means for the caller, as half a sentence."""

# C0 and C1 controls, marks of writing direction, line separators, halves of surrogate pairs.
_STEERING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: object, *, lines: bool = False) -> str:
    """Text that steers no terminal: each control character is written out, as in a Python text.

    Parameters
    ----------
    text
        What to show.
    lines
        Keep line breaks, for text that has several lines.
    """
    if lines:
        return "\n".join(clean(line) for line in re.split("\r\n|\n", str(text)))
    return _STEERING.sub(_written_out, str(text))


def _written_out(match: re.Match[str]) -> str:
    if match[0] == "\t":
        return " "
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")


# --- looking up ---------------------------------------------------------------------------------------------


def find(wanted: str, registries: Sequence[Registry]) -> list[Match]:
    """The codes that are meant, each with the registries that have it: exact ones, else those alike.

    Parameters
    ----------
    wanted
        A code, an alias or a number; where none of these fits, a code in another spelling, such as the one
        that it has in an address.
    registries
        Where to look.
    """
    return _merged(_exact(wanted, registries)) or _merged(_folded(wanted, registries))


def _exact(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    number = _number(wanted)
    for registry in registries:
        for spec in (registry.get(wanted), None if number is None else registry.by_number(number)):
            if spec is not None:
                yield spec, registry


def _number(wanted: str) -> int | None:
    return int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 20 else None


def _folded(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    for registry in registries:
        for spec in registry:
            if fold(wanted) in map(fold, (spec.code, *spec.aliases)):
                yield spec, registry


def _merged(found: Iterator[tuple[ErrorSpec, Registry]]) -> list[Match]:
    owners: dict[int, Match] = {}
    for spec, registry in found:
        owners.setdefault(id(spec), (spec, []))[1].append(registry)
    return list(owners.values())


def unknown(wanted: str, registries: Sequence[Registry], *, hint: str) -> CodedError:
    """The error for a code or number that none of some registries has, to raise or to show.

    Parameters
    ----------
    wanted
        What was asked for.
    registries
        Where it was looked for; what looks alike there is named, or the domain that a number belongs to.
    hint
        How to list the codes at this face.
    """
    spellings = {
        fold(name): spec.code
        for registry in registries
        for spec in registry
        for name in (spec.code, *spec.aliases)
    }
    near = difflib.get_close_matches(fold(wanted[:200]), spellings, n=3, cutoff=0.6)
    codes = list(dict.fromkeys(spellings[match] for match in near))
    named = ", ".join(registry.name for registry in registries)
    meant = f"; did you mean {' or '.join(codes)}?" if codes else _range_of(wanted, registries)
    error = ErrkitError.UNKNOWN_CODE(
        f"no code or number {wanted!r} in {named}{meant}", wanted=wanted, registry=named, near=codes
    )
    return error.override(hint=hint)


def _range_of(wanted: str, registries: Sequence[Registry]) -> str:
    number = _number(wanted)
    if number is None:
        return ""
    found = [(registry, registry.range_of(number)) for registry in registries]
    owners = [f"{domain.domain!r} of {registry.name}" for registry, domain in found if domain is not None]
    return f"; the number lies in the range of the domain {' and of '.join(owners)}" if owners else ""


# --- explaining ---------------------------------------------------------------------------------------------


class Explanation(Record):
    """All that is known of one code, in the order in which a reader wants it."""

    code: str
    number: int | None
    title: str
    prose: str
    """What happened, why, and what to do, in the markup of its source; empty if nothing is written."""
    hint: str
    facts: tuple[tuple[str, str], ...]
    """Label and value of each fact that the code has."""
    details: tuple[FieldLine, ...]
    reasons: tuple[ReasonLine, ...]


class FieldLine(Record):
    """One field of the details."""

    name: str
    type: str
    required: bool
    secret: bool
    description: str
    """In one line."""


class ReasonLine(Record):
    """One value of `details.reason`."""

    name: str
    title: str
    retryable: bool | None
    hint: str


def explain(spec: ErrorSpec, owners: Sequence[Registry]) -> Explanation:
    """All that is known of a code.

    Parameters
    ----------
    spec
        The code.
    owners
        The registries that have it.
    """
    prose = code_prose(spec)
    return Explanation(
        code=spec.code,
        number=spec.number,
        title=spec.title,
        prose="" if prose is None else prose.text,
        hint=spec.hint,
        facts=tuple((label, str(value)) for label, value in _facts(spec, owners)),
        details=tuple(map(_field, code_data(spec).get("details", ()))),
        reasons=tuple(
            ReasonLine(name=name, title=reason.title, retryable=reason.retryable, hint=reason.hint)
            for name, reason in spec.reasons.items()
        ),
    )


def _facts(spec: ErrorSpec, owners: Sequence[Registry]) -> Iterator[tuple[str, object]]:
    domains = (domain for registry in owners for domain in registry.domains)
    domain = next((found for found in domains if found.domain == spec.domain), None)
    titled = f" ({domain.title})" if domain is not None and domain.title != spec.domain else ""
    yield "Registry", ", ".join(registry.name for registry in owners)
    yield "Domain", f"{spec.domain}{titled}"
    yield "Kind", spec.kind
    yield "Retry", "yes" if spec.retryable else "no"
    if spec.retry_after is not None:
        yield "Retry after", f"{spec.retry_after:g} s"
    yield "Alert", "yes" if spec.alert else "no"
    yield "Audience", "public" if spec.public else "internal"
    if spec.http_status is not None:
        yield "HTTP status", spec.http_status
    if spec.aliases:
        yield "Aliases", ", ".join(spec.aliases)
    for label, value in (
        ("Since", spec.since),
        ("Deprecated", spec.deprecated),
        ("Replaced by", spec.replaced_by),
        ("See", spec.docs),
        ("Declared", spec.place if spec.file else ""),
    ):
        if value:
            yield label, value


def _field(item: dict[str, Any]) -> FieldLine:
    return FieldLine(
        name=item["name"],
        type=item.get("type", "Any"),
        required=item.get("required", True),
        secret=item.get("secret", False),
        description=" ".join(item.get("description", "").split()),
    )


# --- in words -----------------------------------------------------------------------------------------------


def tell(found: Explanation) -> Iterator[tuple[str, Emphasis]]:
    """An explanation as text: each piece, of one line or several, and how much it stands out."""
    number = "" if found.number is None else f"  {found.number}"
    yield clean(f"{found.code}{number}"), "code"
    yield clean(found.title), ""
    if found.prose:
        yield "", ""
        yield clean(_plain(found.prose), lines=True), ""
    if found.hint:
        yield "", ""
        yield clean(f"Hint: {found.hint}"), "hint"
    yield "", ""
    for label, value in found.facts:
        yield clean(f"{label + ':':<14}{value}"), ""
    for heading, lines in (
        ("Details", list(map(_field_text, found.details))),
        ("Reasons", list(map(_reason_text, found.reasons))),
    ):
        if lines:
            yield f"{heading}:", ""
            for line in lines:
                yield clean(f"  {line}"), ""


def _plain(text: str) -> str:
    return text.replace("``", "`")


def _field_text(field: FieldLine) -> str:
    name = field.name if field.required else f"{field.name}?"
    secret = ", secret" if field.secret else ""
    return f"{name}: {field.type}{secret}{'  ' + _plain(field.description) if field.description else ''}"


def _reason_text(reason: ReasonLine) -> str:
    retry = "" if reason.retryable is None else f" (retry: {'yes' if reason.retryable else 'no'})"
    return f"{reason.name}  {reason.title}{retry}{'. ' + reason.hint if reason.hint else ''}"
