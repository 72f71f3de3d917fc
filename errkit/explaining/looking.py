"""From what somebody was told to the codes that are meant: by name, by number, by what looks alike.

Looking up is forgiving and asks every registry. What was taken back is found through the lock.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from errkit.declaring import fold
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError
    from errkit.lock import Lock, Retired
    from errkit.registry import Registry

__all__ = ["Match", "find", "find_retired", "merged", "number_in", "retired_of", "unknown"]

Match: TypeAlias = "tuple[ErrorSpec, list[Registry]]"
"""A code, and the registries that have it."""

_NUMBER: Final = re.compile(r"(?:[A-Za-z]{1,16}[-_# ]?|#)?([0-9]{1,19})")
"""As people write numbers: 2001, E2001, ERR-2001, #2001."""


def find(wanted: str, registries: Sequence[Registry]) -> list[Match]:
    """The codes that are meant, each with the registries that have it: exact ones, else those alike.

    Parameters
    ----------
    wanted
        A code, an alias or a number, also behind the name of its registry and a colon; the class and the
        constant, as in a traceback. Where none of these fits, a code in another spelling, such as the one
        that it has in an address, or a number behind letters, such as E2001.
    registries
        Where to look.
    """
    wanted, registries = _narrowed(wanted.strip(), registries)
    for look in (_exact, _constants, _folded, _numbered):
        found = merged(look(wanted, registries))
        if found:
            return found
    return []


def _narrowed(wanted: str, registries: Sequence[Registry]) -> tuple[str, Sequence[Registry]]:
    """What stands behind the name of a registry, and that registry alone."""
    name, colon, rest = wanted.partition(":")
    named = [registry for registry in registries if colon and registry.name == name]
    return (rest.strip(), named) if named else (wanted, registries)


def _exact(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 20 else None
    for registry in registries:
        for spec in (registry.get(wanted), None if number is None else registry.by_number(number)):
            if spec is not None:
                yield spec, registry


def _constants(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    *_, owner, const = ("", "", *wanted.split("."))
    for registry in registries:
        for spec in registry:
            if const == spec.const and spec.cls is not None and spec.cls.__name__ == owner:
                yield spec, registry


def _folded(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    asked = fold(wanted).replace(" ", "-")
    for registry in registries:
        for spec in registry:
            if asked in map(fold, (spec.code, *spec.aliases)):
                yield spec, registry


def _numbered(wanted: str, registries: Sequence[Registry]) -> Iterator[tuple[ErrorSpec, Registry]]:
    number = number_in(wanted)
    for registry in registries:
        spec = None if number is None else registry.by_number(number)
        if spec is not None:
            yield spec, registry


def number_in(wanted: str) -> int | None:
    """The number that a text is about, alone or behind some letters; None if it is about none."""
    match = _NUMBER.fullmatch(wanted)
    return int(match[1]) if match else None


def merged(found: Iterable[tuple[ErrorSpec, Registry]]) -> list[Match]:
    """Each code once, with all registries that have it."""
    owners: dict[int, Match] = {}
    for spec, registry in found:
        known = owners.setdefault(id(spec), (spec, []))[1]
        if registry not in known:
            known.append(registry)
    return list(owners.values())


# --- what was taken back ------------------------------------------------------------------------------------


def retired_of(lock: Lock, registries: Sequence[Registry]) -> list[Retired]:
    """All that some registries have taken back, as their lock tells it."""
    return [item for registry in registries for item in lock.retired(registry.name)]


def find_retired(wanted: str, retired: Sequence[Retired]) -> list[Retired]:
    """What was taken back under a code, an alias or a number, however it is spelt.

    Parameters
    ----------
    wanted
        As for `find`.
    retired
        What `retired_of` gave.
    """
    registry, colon, rest = wanted.strip().partition(":")
    name = rest if colon else registry
    asked, number = fold(name.strip()).replace(" ", "-"), number_in(name.strip())
    found = [item for item in retired if not colon or item.registry == registry]
    named = [item for item in found if item.code and fold(item.code) == asked]
    return named or [item for item in found if number is not None and item.number == number]


# --- what is unknown ----------------------------------------------------------------------------------------


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
    wanted = wanted if len(wanted) <= 200 else f"{wanted[:200]}..."
    codes = _alike(wanted, registries)
    named = ", ".join(registry.name for registry in registries)
    meant = f"; did you mean {' or '.join(codes)}?" if codes else _range_of(wanted, registries)
    error = ErrkitError.UNKNOWN_CODE(
        f"no code or number {wanted!r} in {named}{meant}", wanted=wanted, registry=named, near=codes
    )
    return error.override(hint=hint)


def _alike(wanted: str, registries: Sequence[Registry]) -> list[str]:
    """Up to three codes whose name looks like a text, or whose title has its words."""
    spellings = {
        fold(name): spec.code
        for registry in registries
        for spec in registry
        for name in (spec.code, *spec.aliases)
    }
    asked = fold(wanted).replace(" ", "-")
    near = [spellings[match] for match in difflib.get_close_matches(asked, spellings, n=3, cutoff=0.6)]
    return list(dict.fromkeys([*near, *_titled(wanted, registries)]))[:3]


def _titled(wanted: str, registries: Sequence[Registry]) -> list[str]:
    words = _words(wanted)
    scores: dict[str, float] = {}
    for registry in registries:
        for spec in registry:
            shared = len(words & _words(f"{spec.title} {spec.code}"))
            if shared and shared / len(words) >= 0.6:
                scores.setdefault(spec.code, shared / len(words))
    return sorted(scores, key=lambda code: -scores[code])


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"[^a-z0-9]+", text.lower()) if len(word) > 2}


def _range_of(wanted: str, registries: Sequence[Registry]) -> str:
    number = number_in(wanted)
    if number is None:
        return ""
    found = [(registry, registry.range_of(number)) for registry in registries]
    owners = [f"{domain.domain!r} of {registry.name}" for registry, domain in found if domain is not None]
    return f"; the number lies in the range of the domain {' and of '.join(owners)}" if owners else ""
