"""All that is known of a code, as records and in words; how it is shown is the face's business.

Texts of a catalogue or a lock come from elsewhere, so the words have gone through `clean`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.catalog_file import code_data
from errkit.errors import home_registry
from errkit.explaining.cleaning import clean
from errkit.fields import Record
from errkit.prose import code_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.lock import Retired
    from errkit.registry import Registry

__all__ = [
    "KIND_MEANINGS",
    "Emphasis",
    "Explanation",
    "FieldLine",
    "ReasonLine",
    "address_of",
    "explain",
    "retired_address",
    "tell",
    "tell_retired",
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


def explain(spec: ErrorSpec, owners: Sequence[Registry], *, address: str = "") -> Explanation:
    """All that is known of a code.

    Parameters
    ----------
    spec
        The code.
    owners
        The registries that have it.
    address
        That of its page, if it has one.
    """
    prose = code_prose(spec)
    return Explanation(
        code=spec.code,
        number=spec.number,
        title=spec.title,
        prose="" if prose is None else prose.text,
        hint=spec.hint,
        facts=tuple((label, str(value)) for label, value in _facts(spec, owners, address)),
        details=tuple(map(_field, code_data(spec).get("details", ()))),
        reasons=tuple(
            ReasonLine(name=name, title=reason.title, retryable=reason.retryable, hint=reason.hint)
            for name, reason in spec.reasons.items()
        ),
    )


def _facts(spec: ErrorSpec, owners: Sequence[Registry], address: str) -> Iterator[tuple[str, object]]:
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
        ("See", address or spec.docs),
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


def address_of(spec: ErrorSpec, base_url: str = "", *, registry: str = "") -> str:
    """The address of the page that explains a code; empty if nobody published one.

    Parameters
    ----------
    spec
        The code.
    base_url
        The address of the site, where the registry of the code names none.
    registry
        The registry that is meant, where several have a code of this name.
    """
    if spec.docs or spec.cls is None:
        return spec.docs
    base = (home_registry(spec.cls).base_url or base_url).rstrip("/")
    exact = f"{registry}/" if registry else ""
    return f"{base}/e/{exact}{spec.code}/" if base else ""


def retired_address(item: Retired, base_url: str) -> str:
    """The address of the page that says what became of a code; empty if there is none."""
    base = base_url.rstrip("/")
    return f"{base}/e/{item.code or item.number}/" if base else ""


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


def tell_retired(item: Retired) -> Iterator[tuple[str, Emphasis]]:
    """What was taken back as text, in the same form as a code that lives."""
    number = "" if item.number is None else f"{item.number}"
    yield clean("  ".join(filter(None, [item.code, number]))), "code"
    if item.title:
        yield clean(item.title), ""
    what = "This code" if item.code else "This number"
    release = f" in {item.removed}" if item.removed else ""
    yield "", ""
    yield clean(f"{what} was removed{release}, and is never given away again."), ""
    if item.replaced_by:
        yield "", ""
        yield clean(f"Hint: Use {item.replaced_by} instead."), "hint"
    yield "", ""
    facts = {
        "Registry": item.registry,
        "Since": item.since,
        "Removed": item.removed,
        "Replaced by": item.replaced_by,
    }
    for label, value in facts.items():
        if value:
            yield clean(f"{label + ':':<14}{value}"), ""
