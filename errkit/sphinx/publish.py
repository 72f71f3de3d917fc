"""Addresses that outlive the layout of a site: `/e/<code>/` and its kin, and `errors.json`.

They are made from what the domain knows at the end of a build, never from pages that happened to be written,
so an incremental build leaves what a clean one leaves. A short link is a page without JavaScript that leads
to the one place of a code; where several codes answer to a name it lists them. Only builders that write a
site of HTML pages publish anything.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sphinx.builders.html import StandaloneHTMLBuilder

from errkit.sphinx.catalogue import Key, digest_of, slug
from errkit.sphinx.domain import ErrorDomain
from errkit.sphinx.extras import write_extras
from errkit.sphinx.labels import label
from errkit.sphinx.plain import text_link
from errkit.sphinx.reports import Report, report
from errkit.sphinx.tombstones import bare_page, removed_entry, removed_names, removed_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sphinx.application import Sphinx

    from errkit.codes import Reason
    from errkit.sphinx.catalogue import CodeView, DomainView
    from errkit.sphinx.notes import Place

    Entry = dict[str, Any]

__all__ = ["INDEX_FORMAT", "index_of", "link_names", "setup_publish"]

INDEX_FORMAT: Final = "errkit.index/1"
SCHEMA: Final = Path(__file__).parent / "static" / "errors.schema.json"
LINKS: Final = "e"
INDEX: Final = "errors.json"
LEDGER: Final = "e/.errkit.json"
"""Lists what was written below `e/`: what is no longer wanted can go, the rest need not be looked at."""


def setup_publish(app: Sphinx) -> None:
    """Publish when a build has ended well."""
    app.connect("build-finished", publish)


def publish(app: Sphinx, exception: Exception | None) -> None:
    """Write `errors.json`, the short links and all else of a site of HTML pages."""
    builder = app.builder
    if exception is not None or not publishes(builder):
        return
    assert isinstance(builder, StandaloneHTMLBuilder)
    domain = ErrorDomain.of(app.env)
    folder, language = Path(builder.outdir), app.config.language or "en"
    stamp = _stamp(domain, builder, language)
    ledger = _read_ledger(folder)
    if ledger.get("stamp") == stamp and (folder / INDEX).is_file():
        return
    index = index_of(domain, builder)
    _write(folder / INDEX, index_text(index))
    _write(folder / SCHEMA.name, SCHEMA.read_text("utf-8"))
    links = write_links(folder, index, language, frozenset(ledger.get("links", ())))
    known = {
        "stamp": stamp,
        "links": links,
        "pages": drop_pages(domain, builder, ledger.get("pages")),
        **write_extras(folder, domain, builder, language, ledger),
    }
    _write(folder / LEDGER, json.dumps(known, separators=(",", ":")))


def _stamp(domain: ErrorDomain, builder: StandaloneHTMLBuilder, language: str) -> str:
    """A digest of all that what is published depends on."""
    settings, config = domain.catalogue.settings, builder.config
    places = [
        (view.facts, place.docname, place.anchor(builder), place.note.digest)
        for view, place in domain.documented()
    ]
    site = (builder.name, builder.link_suffix, config.project, config.version, config.root_doc)
    pages = sorted(domain.virtual_pages)
    return digest_of(
        domain.catalogue.salt, site, settings.base_url, language, places, domain.catalogue.gone, pages
    )


def drop_pages(domain: ErrorDomain, builder: StandaloneHTMLBuilder, before: object) -> list[str]:
    """Remove the pages that appeared by themselves and no longer do: Sphinx leaves what it wrote.

    Gives those that are there now, for the ledger.
    """
    for docname in before if isinstance(before, list) else ():
        path = Path(builder.get_outfilename(str(docname)))
        own = Path(builder.outdir).resolve() in path.resolve().parents
        if docname not in builder.env.found_docs and own and builder.name != "singlehtml":
            path.unlink(missing_ok=True)
            with suppress(OSError):
                # Where each page has a folder, and of the last part of a domain.
                path.parent.rmdir()
                path.parent.parent.rmdir()
    return sorted(domain.virtual_pages)


def publishes(builder: object) -> bool:
    """Whether a builder writes pages for a browser: not an e-book, not a help file, not fragments of JSON."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not builder.embedded
        and builder.out_suffix not in (".fjson", ".fpickle")
    )


# --- errors.json ----------------------------------------------------------------------------------------


def index_of(domain: ErrorDomain, builder: StandaloneHTMLBuilder) -> dict[str, Any]:
    """The content of `errors.json`: every documented code, and where it is."""
    documented = domain.documented()
    folders = {view.registry: slug(view.registry) for view, _ in documented}
    removed = [removed_entry(gone) for gone in domain.catalogue.gone]
    return {
        "$schema": "errors.schema.json",
        "format": INDEX_FORMAT,
        "project": builder.config.project,
        "version": builder.config.version,
        "base_url": domain.catalogue.settings.base_url,
        "registries": [registry.name for registry in domain.catalogue.registries],
        "domains": [_domain_entry(view, domain, builder) for view in domain.catalogue.domains.values()],
        "codes": [_entry(view, place, builder, folders[view.registry]) for view, place in documented],
        **({"removed": removed} if removed else {}),
    }


def index_text(index: Mapping[str, Any]) -> str:
    """`errors.json` as text, with a line for each code."""
    lists = [name for name in ("codes", "removed") if name in index]
    text = _encode({name: value for name, value in index.items() if name not in lists})[:-1]
    for name in lists:
        rows = ",\n".join(map(_encode, index[name]))
        text += f', "{name}": [\n{rows}\n]'
    return text + "}\n"


# Made once: `json.dumps` would make an encoder for each code.
_encode: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def _entry(view: CodeView, place: Place, builder: StandaloneHTMLBuilder, folder: str) -> Entry:
    spec = view.spec
    found = {
        "code": spec.code,
        "registry": view.registry,
        "domain": spec.domain,
        "number": spec.number,
        "title": spec.title,
        "kind": spec.kind,
        "retryable": spec.retryable,
        "alert": spec.alert,
        "public": spec.public,
        "hint": spec.hint or None,
        "http_status": spec.http_status,
        "since": spec.since or None,
        "deprecated": spec.deprecated or None,
        "replaced_by": view.replaced_by or None,
        "aliases": list(spec.aliases) or None,
        "docs": spec.docs or None,
        "reasons": [_reason(name, reason) for name, reason in spec.reasons.items()] or None,
        "text": text_link(spec.code),
        "anchor": place.anchor(builder),
        "url": f"{page_address(builder, place.docname)}#{place.anchor(builder)}",
        "link": f"{LINKS}/{folder}/{spec.code}/",
    }
    return {name: value for name, value in found.items() if value is not None}


def _reason(name: str, reason: Reason) -> Entry:
    found = {"name": name, "title": reason.title, "hint": reason.hint, "retryable": reason.retryable}
    return {key: value for key, value in found.items() if value not in ("", None)}


def _domain_entry(view: DomainView, domain: ErrorDomain, builder: StandaloneHTMLBuilder) -> Entry:
    place = domain.place("domains", Key(view.registry, view.name))
    numbers = view.spec.numbers
    found = {
        "registry": view.registry,
        "domain": view.name,
        "title": view.spec.title,
        "numbers": None if numbers is None else [numbers.start, numbers.stop - 1],
        "url": None if place is None else f"{page_address(builder, place.docname)}#{place.anchor(builder)}",
    }
    return {name: value for name, value in found.items() if value is not None}


def page_address(builder: StandaloneHTMLBuilder, docname: str) -> str:
    """The address of a page from the top of the site."""
    if builder.name == "singlehtml":
        return f"{builder.config.root_doc}{builder.link_suffix}"
    return builder.get_target_uri(docname)


# --- short links ----------------------------------------------------------------------------------------


def link_names(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Folder below `e/` -> the codes that it leads to, in the order of the registries.

    Spellings that differ in case alone lead to the same codes, since some file systems could not keep them
    apart. A number stands bare unless a code is spelled like it.
    """
    entries = list(entries)
    spellings: dict[str, set[str]] = {}
    owners: dict[str, list[Entry]] = {}

    def add(spelling: str, entry: Entry) -> None:
        folded = spelling.lower()
        spellings.setdefault(folded, set()).update((spelling, folded))
        known = owners.setdefault(folded, [])
        if entry not in known:
            known.append(entry)

    for entry in entries:
        add(entry["code"], entry)
    codes = set(owners)
    for entry in entries:
        registry = entry["link"].split("/")[1]
        for name in (entry["code"], *entry.get("aliases", ())):
            add(f"{registry}/{name}", entry)
        for alias in entry.get("aliases", ()):
            if alias.lower() not in codes:
                add(alias, entry)
        if "number" in entry:
            number = str(entry["number"])
            add(f"n/{number}", entry)
            if number not in codes:
                add(number, entry)
    return {spelling: owners[folded] for folded in sorted(owners) for spelling in sorted(spellings[folded])}


def write_links(folder: Path, index: Mapping[str, Any], language: str, before: frozenset[str]) -> list[str]:
    """Write every short link whose text is another; remove those of `before` that lead nowhere any more."""
    wanted = link_names(index["codes"])
    removed = removed_names(index.get("removed", ()), wanted.keys())
    before -= removed.keys()
    for name in sorted(before - wanted.keys(), reverse=True):
        _remove(folder / LINKS, name)
    for name, entries in wanted.items():
        text = link_page("../" * (name.count("/") + 2), entries, index["base_url"], language)
        _write_link(f"{folder / LINKS}/{name}", text)
    for name, entries in removed.items():
        text = removed_page("../" * (name.count("/") + 2), entries, index["codes"], language)
        _write_link(f"{folder / LINKS}/{name}", text)
    return [*wanted, *removed]


def _write_link(folder: str, text: str) -> None:
    """Write a short link; there are tens of thousands of them, so a new one is not looked for first."""
    try:
        os.mkdir(folder)
        with open(f"{folder}/index.html", "wb") as file:
            file.write(text.encode())
    except OSError:
        # It is there already, or the folder above it is not.
        _write(Path(folder, "index.html"), text)


def _read_ledger(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / LEDGER).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    # It lies where others may have written, and says what is to be removed.
    links, texts = found.get("links"), found.get("texts")
    found["links"] = [name for name in links if _is_below(name)] if isinstance(links, list) else []
    known = texts.items() if isinstance(texts, dict) else ()
    found["texts"] = {code: digest for code, digest in known if _is_below(code)}
    return found


def _is_below(name: object) -> bool:
    """Whether something is the name of a short link, and leads to no other folder."""
    return isinstance(name, str) and not {"", ".", ".."} & set(re.split(r"[\\\\/]", name))


def _remove(root: Path, name: str) -> None:
    """Remove one short link, and the folders that it leaves empty."""
    (root / name / "index.html").unlink(missing_ok=True)
    folder = root / name
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def link_page(up: str, entries: Sequence[Entry], base_url: str, language: str) -> str:
    """The page of a short link; `up` leads from it to the top of the site."""
    items = [
        f'<a href="{escape(up + entry["url"])}"><code>{escape(entry["code"])}</code></a> '
        + escape(entry["title"])
        + (f" ({escape(entry['registry'])})" if len(entries) > 1 else "")
        for entry in entries
    ]
    head = ""
    if len(entries) == 1:
        address = up + entries[0]["url"]
        canonical = posixpath.join(base_url, entries[0]["url"]) if base_url else address
        head = (
            f'<link rel="canonical" href="{escape(canonical)}">\n'
            f'<meta http-equiv="refresh" content="0; url={escape(address)}">\n'
        )
        body = f"<p>{items[0]}</p>"
    else:
        body = f"<ul>\n{''.join(f'<li>{item}</li>' + chr(10) for item in items)}</ul>"
    title = escape(
        f"{entries[0]['code']}: {entries[0]['title']}" if len(entries) == 1 else label("index_title")
    )
    return bare_page(title, head, body, language)


def _write(path: Path, text: str) -> None:
    """Write a file if its text is another."""
    content = text.encode()
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return
    except OSError:
        pass
    try:
        os.makedirs(path.parent, exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        report(Report.PUBLISH, f"can't write {path}: {error.strerror}")
