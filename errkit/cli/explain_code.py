"""`errkit explain`: what a code or a number means, and what to do about it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import click

from errkit.catalog_file import code_data, json_text
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.list_codes import code_facts
from errkit.cli.screen import complain, show, show_raw
from errkit.declaring import fold
from errkit.own import ErrkitError
from errkit.prose import code_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError
    from errkit.registry import Registry

    Match = tuple[ErrorSpec, list[Registry]]

__all__ = ["explain_code"]


@click.command(
    "explain",
    epilog=epilog("errkit explain os.fs.not_found", "errkit explain 2001", "errkit explain E-CART shop.json"),
    short_help="Explain a code or a number.",
)
@click.argument("wanted", metavar="CODE|NUMBER")
@take_items
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def explain_code(wanted: str, items: tuple[str, ...], as_json: bool) -> int:
    """Explain a code, an alias or a number: every match of every registry.

    Spelling is forgiven: os-fs-not-found and OS_FS_NOT_FOUND find os.fs.not_found. Where nothing matches,
    what looks alike is named and the exit code is 1.
    """
    sources, _ = resolve(items)
    registries = [source.registry for source in sources]
    matches = find(wanted.strip(), registries)
    if not matches:
        complain(_unknown(wanted.strip(), registries))
        return 1
    if as_json:
        facts = [code_facts(registry, spec) for spec, owners in matches for registry in owners]
        show_raw(json_text(facts))
        return 0
    for place, (spec, owners) in enumerate(matches):
        if place:
            show()
        _show(spec, owners)
    return 0


def find(wanted: str, registries: Sequence[Registry]) -> list[Match]:
    """The codes that are meant, each with the registries that have it: exact ones, else those alike."""
    return _merged(_exact(wanted, registries)) or _merged(_folded(wanted, registries))


def _exact(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 20 else None
    for registry in registries:
        for spec in (registry.get(wanted), None if number is None else registry.by_number(number)):
            if spec is not None:
                yield spec, registry


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


def _unknown(wanted: str, registries: Sequence[Registry]) -> CodedError:
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
    return error.override(hint="Check the spelling, or list the codes with: errkit list")


def _range_of(wanted: str, registries: Sequence[Registry]) -> str:
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 20):
        return ""
    found = [(registry, registry.range_of(int(wanted))) for registry in registries]
    owners = [f"{domain.domain!r} of {registry.name}" for registry, domain in found if domain is not None]
    return f"; the number lies in the range of the domain {' and of '.join(owners)}" if owners else ""


# --- showing ------------------------------------------------------------------------------------------------


def _show(spec: ErrorSpec, owners: list[Registry]) -> None:
    number = "" if spec.number is None else f"  {spec.number}"
    show(f"{spec.code}{number}", "bold", lines=False)
    show(spec.title, lines=False)
    prose = code_prose(spec)
    if prose is not None:
        show()
        show(prose.text.replace("``", "`"))
    if spec.hint:
        show()
        show(f"Hint: {spec.hint}", "bold green", lines=False)
    show()
    for label, value in _facts(spec, owners):
        show(f"{label + ':':<14}{value}", lines=False)
    for name, lines in (("Details", _details(spec)), ("Reasons", _reasons(spec))):
        if lines:
            show(f"{name}:")
            for line in lines:
                show(f"  {line}", lines=False)


def _facts(spec: ErrorSpec, owners: list[Registry]) -> Iterator[tuple[str, object]]:
    domain = next((found for found in owners[0].domains if found.domain == spec.domain), None)
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


def _details(spec: ErrorSpec) -> list[str]:
    return [_field(item) for item in code_data(spec).get("details", ())]


def _field(item: dict[str, Any]) -> str:
    name = item["name"] if item.get("required", True) else f"{item['name']}?"
    secret = ", secret" if item.get("secret") else ""
    text = " ".join(item.get("description", "").replace("``", "`").split())
    return f"{name}: {item.get('type', 'Any')}{secret}{'  ' + text if text else ''}"


def _reasons(spec: ErrorSpec) -> list[str]:
    found = []
    for name, reason in spec.reasons.items():
        retry = "" if reason.retryable is None else f" (retry: {'yes' if reason.retryable else 'no'})"
        found.append(f"{name}  {reason.title}{retry}{'. ' + reason.hint if reason.hint else ''}")
    return found
