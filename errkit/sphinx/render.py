"""From the records of a catalogue to nodes: a pure function of the record, with no application in sight.

Prose arrives as nodes that `markup.py` parsed; everything else is built here from data and never parsed. The
nodes are those of `nodes.py`; what they look like is decided there and in `stock.py`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from docutils import nodes

from errkit.declaring import fold
from errkit.sphinx.catalogue import module_path, slug
from errkit.sphinx.examples import example_payload, plain_text
from errkit.sphinx.labels import words
from errkit.sphinx.nodes import error_code, error_facts, error_hint, error_table, error_title
from errkit.sphinx.rows import Badges, CodeRow, DomainRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errkit.codes import DomainSpec, ErrorSpec
    from errkit.sphinx.catalogue import CodeView, DomainView, RegistryView
    from errkit.sphinx.examples import Form

__all__ = [
    "anchors",
    "code_node",
    "code_row",
    "codes_table",
    "declared",
    "domain_anchor",
    "domain_row",
    "domains_table",
    "example_payload",
    "registry_anchor",
    "source_address",
]

_WORD: Final = re.compile(r"\w+")
"""What the search of most languages takes for a word; others split these further."""
SUMMARY: Final = ("code", "number", "title", "kind", "retry")
"""The columns of a table of codes, where none are asked for."""
INDEX: Final = (*SUMMARY, "audience")
"""The columns of the table of all codes."""


# --- anchors --------------------------------------------------------------------------------------------


def anchors(view: CodeView) -> list[str]:
    """The anchors of a code, best first: its own, the exact one of a shared name, those of its aliases."""
    exact = [f"err-{slug(view.registry).lower()}--{fold(view.code)}"] if view.shared else []
    aliases = (f"err-{fold(alias)}" for alias in view.spec.aliases)
    # An alias may be the code in another spelling.
    return [*dict.fromkeys((f"err-{fold(view.code)}", *exact, *aliases))]


def domain_anchor(view: DomainView) -> str:
    """The anchor of a domain; that of a shared name says whose it is."""
    exact = f"{slug(view.registry).lower()}--" if view.shared else ""
    return f"err-domain-{exact}{fold(view.name)}"


def registry_anchor(view: RegistryView) -> str:
    """The anchor of a registry on the index."""
    return f"err-registry-{slug(view.name).lower()}"


class Sites(NamedTuple):
    """Where source files can be read and edited: addresses with the placeholders of `source_address`."""

    source: str = ""
    edit: str = ""
    prose: str = ""


NOWHERE: Final = Sites()


# --- a code ---------------------------------------------------------------------------------------------


def code_node(
    view: CodeView,
    ids: Sequence[str],
    prose: Sequence[nodes.Node] = (),
    *,
    payload: dict[str, Any] | None = None,
    forms: Sequence[Form] = (),
    sites: Sites = NOWHERE,
    prose_file: str = "",
) -> error_code:
    """One code with everything that it shows.

    Parameters
    ----------
    view
        The record of the code.
    ids
        The anchors that are free on the page, best first.
    prose
        The prose as nodes.
    payload
        The example, as `example_payload` builds it.
    forms
        What stands beside it, as `examples.forms_of` builds it.
    sites
        Where source files can be read and edited.
    prose_file
        The file that the prose is from, in the prose folder.
    """
    spec = view.spec
    badges = Badges(
        number=spec.number,
        kind=spec.kind,
        retryable=spec.retryable,
        alert=spec.alert,
        public=spec.public,
        since=spec.since,
        deprecated=spec.deprecated,
        replaced_by=view.replaced_by,
        registry=view.registry,
    )
    title = error_title(spec.title, spec.title, code=view.code, badges=badges)
    told = {**_facts(view, sites), **_prose(sites, prose_file), "example": payload, "forms": forms}
    data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    facts = error_facts("", nodes.Text(_words(view, payload, forms)), facts=data)
    parts: list[nodes.Node] = [title]
    if spec.hint:
        parts.append(error_hint.of(spec.hint))
    parts += [*prose, facts]
    node = error_code(
        "", *parts, code=view.code, ids=list(ids), shared=view.shared, deprecated=bool(spec.deprecated)
    )
    for part in (node, *parts):
        if not isinstance(part, nodes.Text) and part.source is None:
            part.source, part.line = spec.file or None, spec.line
    return node


def _facts(view: CodeView, sites: Sites) -> dict[str, Any]:
    spec = view.spec
    return {
        "registry": view.registry,
        "http_status": spec.http_status,
        "retry_after": spec.retry_after,
        "since": spec.since,
        "deprecated": spec.deprecated,
        "replaced_by": view.replaced_by,
        "aliases": list(spec.aliases),
        "docs": spec.docs,
        "declared": declared(spec),
        "class": list(class_of(spec)),
        "source_url": source_address(sites.source, spec),
        "edit_url": source_address(sites.edit, spec),
        "raised": [
            {
                "name": raiser.name,
                "at": [raiser.module, raiser.qualname],
                "source_url": fill(sites.source, raiser.path, raiser.line, raiser.module),
            }
            for raiser in view.raised
        ],
        "fields": [
            {
                "name": field.name,
                "type": field.type_text,
                "required": field.required,
                "default": field.default,
                "secret": field.secret,
                "description": " ".join(field.description.split()),
            }
            for field in view.fields
        ],
        "reasons": [
            {"name": name, "title": reason.title, "hint": reason.hint, "retryable": reason.retryable}
            for name, reason in spec.reasons.items()
        ],
    }


def _prose(sites: Sites, file: str) -> dict[str, list[str]]:
    """Name and address of a prose file, if it can be edited somewhere."""
    return {"prose": [file, sites.prose.replace("{path}", quote(file))]} if sites.prose and file else {}


def declared(spec: ErrorSpec) -> str:
    """Where a code is declared, as a reader would look for it; never the path of a file on this machine."""
    return ".".join((*class_of(spec), spec.const)) if class_of(spec) else module_path(spec) or spec.domain


def _words(view: CodeView, payload: dict[str, Any] | None, forms: Sequence[Form]) -> str:
    """What search finds a code by, besides its title, its hint and its prose."""
    spec = view.spec
    found = [spec.code, declared(spec), *spec.aliases, spec.kind, view.replaced_by, spec.docs]
    if spec.number is not None:
        found.append(str(spec.number))
    for field in view.fields:
        found += [field.name, field.type_text, field.default or "", field.description]
    for name, reason in spec.reasons.items():
        found += [name, reason.title, reason.hint]
    if payload is not None:
        found += _texts(payload)
    found += (plain_text(form) for form in forms)
    # A word counts once on a page, so once is enough here.
    return " ".join(dict.fromkeys(_WORD.findall(" ".join(found))))


def _texts(value: object) -> Iterator[str]:
    """The keys and values of a JSON value as texts."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)


def source_address(pattern: str, spec: ErrorSpec | DomainSpec) -> str:
    """The address of a declaration by a pattern with placeholders; empty if it has no module."""
    path = module_path(spec)
    if not pattern or not path or spec.cls is None:
        return ""
    return fill(pattern, path, spec.line, spec.cls.__module__)


def fill(pattern: str, path: str, line: int, module: str) -> str:
    """A pattern with its placeholders filled in."""
    return pattern.replace("{path}", path).replace("{line}", str(line)).replace("{module}", module)


def class_of(spec: ErrorSpec | DomainSpec) -> tuple[str, str] | tuple[()]:
    """Module and name of the declaring class; nothing where the declaration is no Python."""
    if spec.cls is None or not module_path(spec).endswith(".py"):
        return ()
    return spec.cls.__module__, spec.cls.__qualname__


# --- tables ---------------------------------------------------------------------------------------------


def codes_table(
    views: Iterable[CodeView],
    columns: Sequence[str] = SUMMARY,
    *,
    size: tuple[int, tuple[int, int] | None] | None = None,
) -> error_table:
    """A table with one row a code; `size` is what a domain says above it: its count and range of numbers."""
    rows = [code_row(view) for view in views]
    if all(row.number is None for row in rows):
        columns = [name for name in columns if name != "number"]
    if size is None:
        return error_table("", kind="codes", rows=rows, columns=list(columns), classes=["no-search"])
    # The rows repeat what the codes below say. What search may find here are the words around the facts of
    # all.
    return error_table(
        "", nodes.Text(" ".join(words())), kind="codes", rows=[*rows], columns=list(columns), size=size
    )


def code_row(view: CodeView) -> CodeRow:
    """What a table shows of a code."""
    spec = view.spec
    return CodeRow(
        registry=view.registry,
        domain=spec.domain,
        code=spec.code,
        number=spec.number,
        title=spec.title,
        kind=spec.kind,
        retryable=spec.retryable,
        alert=spec.alert,
        public=spec.public,
        http_status=spec.http_status,
        deprecated=bool(spec.deprecated),
    )


def domains_table(views: Iterable[DomainView]) -> error_table:
    """A table with one row a domain."""
    rows = [domain_row(view) for view in views]
    return error_table("", kind="domains", rows=rows, columns=[], classes=["no-search"])


def domain_row(view: DomainView) -> DomainRow:
    """What a table shows of a domain."""
    return DomainRow(view.registry, view.name, view.spec.title, len(view.codes), numbers_of(view))


def numbers_of(view: DomainView) -> tuple[int, int] | None:
    """The range of a domain as (first, one past the last)."""
    numbers = view.spec.numbers
    return None if numbers is None else (numbers.start, numbers.stop)
