"""One answer for every face: what a code means, or each code of a text, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.explaining.looking import find, find_retired
from errkit.explaining.mentions import Names, words_in
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errkit.explaining.looking import Match
    from errkit.lock import Retired
    from errkit.registry import Registry

__all__ = ["Answer", "answer", "answer_text"]

_STRANGERS: Final = 100
"""So many codes that nobody knows are kept; a text may hold any number."""


class Answer(Record):
    """A code that was asked for, or that a text names, and what it is."""

    wanted: str
    """As it was asked for; in a text, the code."""
    matches: tuple[Match, ...] = ()
    """Each code that is meant with the registries that have it; empty if nobody has it."""
    retired: tuple[Retired, ...] = ()
    """What was taken back under this name."""
    lines: int = 0
    """How many lines of the text name it; 0 if no text was given."""
    first: int = 0
    """The first of those lines, from 1."""

    @property
    def known(self) -> bool:
        """Whether anything is known of it."""
        return bool(self.matches or self.retired)


def answer(wanted: str, registries: Sequence[Registry], retired: Sequence[Retired] = ()) -> list[Answer]:
    """What a code, an alias or a number means; where it is none, each code that stands in it as in a text.

    Parameters
    ----------
    wanted
        What somebody was told, or a message.
    registries
        Where to look.
    retired
        What these have taken back.

    Returns
    -------
    list
        One answer, which may be unknown; several for a message that names several codes.
    """
    matches, gone = find(wanted, registries), find_retired(wanted, retired)
    if not matches and not gone:
        named = answer_text(enumerate(wanted.splitlines(), 1), registries, retired)
        known = [found for found in named if found.known]
        if known:
            return named
    return [Answer(wanted=wanted, matches=tuple(matches), retired=tuple(gone))]


def answer_text(
    lines: Iterable[tuple[int, str]], registries: Sequence[Registry], retired: Sequence[Retired] = ()
) -> list[Answer]:
    """Each code that a text names, once, in the order of its first line; also those that nobody knows.

    Parameters
    ----------
    lines
        Lines with their numbers, such as an `Input`; two pieces of one line have the same number.
    registries, retired
        As for `answer`.
    """
    names = Names(registries, retired)
    seen: dict[str, list[int]] = {}
    strangers = 0
    for number, line in lines:
        for word in words_in(line, names, first=number == 1):
            tally = seen.get(word.name)
            if tally is None:
                strangers += not word.known
                if word.known or strangers <= _STRANGERS:
                    seen[word.name] = [1, number, number]
            elif tally[2] != number:
                tally[0] += 1
                tally[2] = number
    return _told(seen, registries, retired)


def _told(
    seen: dict[str, list[int]], registries: Sequence[Registry], retired: Sequence[Retired]
) -> list[Answer]:
    """Names that mean the same codes become one answer, that of the first."""
    found: dict[object, Answer] = {}
    for name, (lines, first, _) in seen.items():
        matches, gone = find(name, registries), find_retired(name, retired)
        key = (*(id(spec) for spec, _ in matches), *map(id, gone)) or name
        known = found.get(key)
        if known is None or lines > known.lines:
            told = Answer(
                wanted=known.wanted if known else name,
                matches=tuple(matches),
                retired=tuple(gone),
                lines=lines,
                first=first if known is None else min(first, known.first),
            )
            found[key] = told
    return list(found.values())
