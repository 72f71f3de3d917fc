"""What is declared, as HTML and as text: a registry, a domain, a code, a list of codes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errkit.explaining import KIND_MEANINGS, clean, explain, tell
from errkit.jupyter.markup import Html, element, fold_away, link, more, phrase, prose, table
from errkit.jupyter.settings import docs_address
from errkit.jupyter.tables import MAX_ROWS, code_columns, code_row, count, flag, size_of, text_table
from errkit.prose import domain_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import DomainSpec, ErrorSpec
    from errkit.explaining import Explanation
    from errkit.registry import Registry

__all__ = [
    "code_html",
    "code_text",
    "codes_html",
    "codes_text",
    "domains_html",
    "domains_text",
    "registry_title",
]

_OPEN: int = 3
"""Domains that are shown unfolded; more of them are folded."""
_CELL = re.compile(r".*[\\/]ipykernel_\d+[\\/]\d+\.py:(\d+)")
"""The file that ipykernel names as that of a cell; there is none."""


# --- one code -----------------------------------------------------------------------------------------------


def code_html(spec: ErrorSpec, owners: Sequence[Registry]) -> Html:
    """The card of a code: what it means and what to do first, the rest folded."""
    found = explain(spec, owners)
    address = docs_address(spec)
    return element(
        "div",
        element("p", *_heading(found)),
        element("p", element("strong", spec.title), kind="title"),
        *(
            [element("p", element("strong", "What to do: "), phrase(spec.hint), kind="hint")]
            if spec.hint
            else []
        ),
        *prose(found.prose),
        element("ul", *(element("li", fact) for fact in _verdicts(spec)), kind="facts"),
        *_tables(found),
        *([element("p", link(address, f"Read more about {spec.code}"))] if address else []),
        class_=f"errkit-card errkit-kind-{spec.kind}",
    )


def _heading(found: Explanation) -> Iterator[object]:
    yield element("code", found.code, kind="code")
    if found.number is not None:
        yield f" {found.number}"


def _verdicts(spec: ErrorSpec) -> Iterator[str]:
    """What decides how a program goes on."""
    yield f"Kind: {spec.kind} ({KIND_MEANINGS.get(spec.kind, spec.kind)})"
    yield f"Retry: {flag(spec.retryable)}"
    yield f"Alert: {flag(spec.alert)}"
    yield f"Audience: {'public' if spec.public else 'internal'}"
    if spec.deprecated:
        yield f"Deprecated since {spec.deprecated}"
    if spec.replaced_by:
        yield f"Use instead: {spec.replaced_by}"


def _tables(found: Explanation) -> Iterator[Html]:
    if found.details:
        rows = [
            (
                element("code", field.name),
                element("code", field.type),
                "secret" if field.secret else "required" if field.required else "",
                phrase(field.description),
            )
            for field in found.details[:MAX_ROWS]
        ]
        yield fold_away(
            f"Details: {', '.join(field.name for field in found.details[:8])}",
            table(("Field", "Type", "", "Meaning"), rows),
            *more(len(found.details) - MAX_ROWS, "field"),
        )
    if found.reasons:
        reasons = [
            (
                element("code", reason.name),
                reason.title,
                "" if reason.retryable is None else flag(reason.retryable),
                phrase(reason.hint),
            )
            for reason in found.reasons[:MAX_ROWS]
        ]
        yield fold_away(
            f"Reasons: {', '.join(reason.name for reason in found.reasons[:8])}",
            table(("Reason", "Title", "Retry", "What to do"), reasons),
            *more(len(found.reasons) - MAX_ROWS, "reason"),
        )
    yield fold_away("All facts", table(("Fact", "Value"), _shareable(found.facts)))


def _shareable(facts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Facts for a page that may be published: the place of a declaration without folders of this machine."""
    for label, value in facts:
        yield label, _place(value) if label == "Declared" else value


def _place(value: str) -> str:
    cell = _CELL.fullmatch(value)
    return f"a cell, line {cell[1]}" if cell else value.replace("\\", "/").rpartition("/")[2]


def code_text(spec: ErrorSpec, owners: Sequence[Registry]) -> str:
    """A code as `errkit explain` tells it, for a notebook that may be published."""
    lines = [_without_folders(text) for text, _ in tell(explain(spec, owners))]
    address = docs_address(spec)
    if address and address != spec.docs:
        lines.append(clean(f"{'See:':<14}{address}"))
    return "\n".join(lines)


def _without_folders(line: str) -> str:
    head, place = line[:14], line[14:]
    return head + _place(place) if head.startswith("Declared:") else line


# --- several codes ------------------------------------------------------------------------------------------


def codes_html(specs: Sequence[ErrorSpec], limit: int = MAX_ROWS) -> Iterator[Html]:
    """A table of codes, and how many more there are."""
    columns = code_columns(specs)
    if specs[:limit]:
        yield table(columns, (_linked(spec, columns) for spec in specs[:limit]))
    yield from more(len(specs) - limit, "code")


def _linked(spec: ErrorSpec, columns: Sequence[str]) -> list[object]:
    code, *rest = code_row(spec, columns)
    return [link(docs_address(spec), element("code", code)), *rest]


def codes_text(specs: Sequence[ErrorSpec], limit: int = MAX_ROWS) -> Iterator[str]:
    """The lines of a table of codes."""
    columns = code_columns(specs)
    if specs[:limit]:
        yield from text_table(columns, [code_row(spec, columns) for spec in specs[:limit]])
    if len(specs) > limit:
        yield f"... {count(len(specs) - limit, 'more code')}"


# --- domains ------------------------------------------------------------------------------------------------


def registry_title(registry: Registry) -> str:
    """A registry in a line."""
    return f"{registry.name}: {count(len(registry.domains), 'domain')}, {count(len(registry), 'code')}"


def domains_html(title: str, domains: Sequence[DomainSpec]) -> Html:
    """Domains, each with its codes; all of them together are held to the limit of rows."""
    return element("div", *_domains_html(title, domains))


def _domains_html(title: str, domains: Sequence[DomainSpec]) -> Iterator[Html]:
    if title:
        yield element("p", element("strong", title))
    left = MAX_ROWS
    for domain in domains[:MAX_ROWS]:
        about = domain_prose(domain)
        yield fold_away(
            _summary(domain),
            *(prose(about.text) if about is not None else ()),
            *codes_html(domain.codes, left),
            is_open=len(domains) <= _OPEN,
        )
        left = max(left - len(domain.codes), 0)
    yield from more(len(domains) - MAX_ROWS, "domain")


def _summary(domain: DomainSpec) -> Html:
    titled = f" {domain.title}" if domain.title != domain.domain else ""
    return element("span", element("code", domain.domain, kind="code"), f"{titled} ({size_of(domain)})")


def domains_text(title: str, domains: Sequence[DomainSpec]) -> str:
    """Domains with their codes, as text."""
    lines = [clean(title)] if title else []
    left = MAX_ROWS
    for domain in domains[:MAX_ROWS]:
        titled = f" {domain.title}" if domain.title != domain.domain else ""
        lines += ["", clean(f"{domain.domain}{titled} ({size_of(domain)})")]
        lines += [f"  {line}" for line in codes_text(domain.codes, left)]
        left = max(left - len(domain.codes), 0)
    if len(domains) > MAX_ROWS:
        lines.append(f"... {count(len(domains) - MAX_ROWS, 'more domain')}")
    return "\n".join(lines).strip("\n")
