"""What a page may show of a catalogue, and what that depends on: the keys in its notes, and their digests.

A key says what is shown: `("code", name)`, `("domain", name)`, `("part", number, name)`,
`("registry", name)`, `("overview", registry)`, or `("table", option, ...)` and `("unraised", option, ...)`.
`digest.py` compares what a key stood for when its page was read with what it stands for now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.sphinx.catalogue import Key, digest_of
from errkit.sphinx.finding import find_of
from errkit.sphinx.notes import Shown
from errkit.sphinx.overview import islands_of
from errkit.sphinx.render import INDEX, SUMMARY, code_row, domain_row
from errkit.sphinx.rows import CodeRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from errkit.sphinx.catalogue import Catalogue, CodeView

__all__ = ["SORTS", "facts_of", "select", "shown", "sort", "stamp_of", "words_of"]

SORTS: Final[dict[str, Callable[[CodeView], Any] | None]] = {
    "declaration": None,
    "code": lambda view: view.code,
    "number": lambda view: (view.spec.number is None, view.spec.number or 0, view.code),
}
"""The orders that an option can ask for."""


def select(catalogue: Catalogue, options: Mapping[str, Any]) -> list[CodeView]:
    """The codes that the options of a table leave, in the order that they ask for."""
    names = options.get("domain", ())
    domains = {Key(view.registry, view.name) for name in names for view in catalogue.find_domains(name)}
    found = [
        view
        for view in catalogue.codes.values()
        if options.get("registry", view.registry) == view.registry
        and ("domain" not in options or Key(view.registry, view.domain) in domains)
        and ("kind" not in options or view.spec.kind in options["kind"])
        and ("retry" not in options or view.spec.retryable == (options["retry"] == "yes"))
        and ("audience" not in options or view.spec.public == (options["audience"] == "public"))
    ]
    return sort(found, options.get("sort"))


def sort(views: Sequence[CodeView], order: str | None) -> list[CodeView]:
    """Codes in the order that an option asks for."""
    key = SORTS[order or "declaration"]
    return list(views) if key is None else sorted(views, key=key)


def shown(catalogue: Catalogue, key: tuple[Any, ...]) -> Shown:
    """What a key stands for now."""
    return Shown(facts_of(catalogue, key), words_of(catalogue, key), stamp_of(catalogue, key))


def facts_of(catalogue: Catalogue, key: tuple[Any, ...]) -> str:
    """A digest of the declarations behind a key; empty if there is nothing of that name."""
    kind, name = key[0], key[-1]
    if kind == "code":
        codes = catalogue.find_codes(name)
        return digest_of(catalogue.salt, codes[0].key, codes[0].shared, codes[0].facts) if codes else ""
    if kind == "domain":
        domains = catalogue.find_domains(name)
        if not domains:
            return ""
        shared = [code.code for code in domains[0].codes if code.shared]
        return digest_of(catalogue.salt, domains[0].registry, shared, domains[0].facts)
    if kind == "part":
        parts = catalogue.find_parts(name, key[1])
        if not parts:
            return ""
        facts = [(code.facts, code.shared) for code in parts[0].codes]
        return digest_of(catalogue.salt, parts[0].registry, parts[0].title, facts)
    if kind == "table":
        options = dict(key[1:])
        return _rows(catalogue, select(catalogue, options), options.get("columns", SUMMARY))
    if kind == "overview":
        return digest_of(catalogue.salt, islands_of(catalogue, name))
    if kind == "unraised":
        silent = [view for view in catalogue.codes.values() if view.never_raised]
        return _rows(catalogue, silent, dict(key[1:]).get("columns", SUMMARY))
    registries = [each for each in catalogue.registries if name in ("", each.name)]
    rows = [[each.name, [domain_row(view) for view in each.domains]] for each in registries]
    codes = [code for each in registries for code in each.codes]
    finds = [find_of(code, catalogue.settings.audience) for code in codes]
    return digest_of(rows, _rows(catalogue, codes, INDEX), finds)


def _rows(catalogue: Catalogue, views: Iterable[CodeView], columns: Sequence[str]) -> str:
    """A digest of what a table shows; two facts are in few tables, and must not touch the others."""
    left_out = {
        name for name, shown in (("alert", "alert"), ("http_status", "status")) if shown not in columns
    }
    shown_at = [at for at, name in enumerate(CodeRow._fields) if name not in left_out]
    rows = [code_row(view) for view in views]
    return digest_of(catalogue.salt, [[row[at] for at in shown_at] for row in rows])


def words_of(catalogue: Catalogue, key: tuple[Any, ...]) -> str:
    """A digest of what is written about a code or a domain; tables show none of it."""
    views = _written(catalogue, key)
    return views[0].words if views else ""


def stamp_of(catalogue: Catalogue, key: tuple[Any, ...]) -> str:
    """A digest of the files that hold those words."""
    views = _written(catalogue, key)
    if not views:
        return ""
    specs = [views[0].spec, *(code.spec for code in getattr(views[0], "codes", ()))]
    stamp: str = views[0].texts.stamp(specs)
    return stamp


def _written(catalogue: Catalogue, key: tuple[Any, ...]) -> Sequence[Any]:
    if key[0] == "code":
        return catalogue.find_codes(key[-1])
    if key[0] == "part":
        return catalogue.find_parts(key[-1], key[1])
    return catalogue.find_domains(key[-1]) if key[0] == "domain" else ()
