"""Codes that have some property: what `errkit list`, `%errcodes` and the explorer can be asked for."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["Facets", "pick"]


class Facets(Record):
    """What a code has to be like; what is not said does not matter."""

    text: str = ""
    """Words that all stand in code, title, hint, alias or number; `*` and `?` stand for any."""
    domains: tuple[str, ...] = ()
    """One of these, or below one of them."""
    kinds: tuple[str, ...] = ()
    registries: tuple[str, ...] = ()
    public: bool | None = None
    retryable: bool | None = None
    alert: bool | None = None
    deprecated: bool | None = None


def pick(registries: Sequence[Registry], facets: Facets) -> Iterator[tuple[Registry, ErrorSpec]]:
    """The codes that have all that is asked, each with its registry, in their order."""
    words = facets.text.lower().split()
    for registry in registries:
        if facets.registries and registry.name not in facets.registries:
            continue
        for spec in registry:
            if _fits(spec, facets) and all(_says(spec, word) for word in words):
                yield registry, spec


def _fits(spec: ErrorSpec, facets: Facets) -> bool:
    asked = (
        (facets.public, spec.public),
        (facets.retryable, spec.retryable),
        (facets.alert, spec.alert),
        (facets.deprecated, bool(spec.deprecated)),
    )
    return (
        (not facets.kinds or spec.kind in facets.kinds)
        and (not facets.domains or any(_is_below(spec.domain, name) for name in facets.domains))
        and all(wanted is None or wanted == found for wanted, found in asked)
    )


def _is_below(domain: str, name: str) -> bool:
    return f"{domain}.".startswith(f"{name.rstrip('.')}.")


def _says(spec: ErrorSpec, word: str) -> bool:
    number = "" if spec.number is None else str(spec.number)
    texts = (text.lower() for text in (spec.code, spec.title, spec.hint, *spec.aliases, number))
    if "*" in word or "?" in word:
        return any(fnmatch.fnmatchcase(text, word) for text in texts)
    return any(word in text for text in texts)
