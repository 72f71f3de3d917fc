"""Codes in a text that somebody pasted: a message, a traceback, a payload, a log.

A text is data: it is read in pieces, no more of it than a limit, and nothing of it is kept but the names of
codes. A word counts as a code where it can hardly be anything else: whole, and with a dot or an underscore in
it, or at a place where codes stand. A number counts at such a place only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.declaring import MAX_CODE_LENGTH, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO

    from errkit.codes import ErrorSpec
    from errkit.lock import Retired
    from errkit.registry import Registry

__all__ = ["LIMIT", "Input", "Names", "words_in"]

LIMIT: Final = 64 * 1024 * 1024
"""So many bytes of an input are read."""
_PIECE: Final = 1024 * 1024
_OVERLAP: Final = 2 * MAX_CODE_LENGTH

_COLOURS: Final = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]")
_WORD: Final = re.compile(r"(?<![A-Za-z0-9_.\-])[.-]*[A-Za-z0-9_][A-Za-z0-9]*[._\-][A-Za-z0-9_.\-]*")
_BRACKETED: Final = re.compile(r"(?:^|[\s:>|])\[([A-Za-z0-9_.\-]{1,128})\]")
_KEYED: Final = re.compile(
    r"(?<!exit )(?<!exit_)(?<!status )(?<!status_)(?<!return )(?<!response )(?<![\w.-])"
    r"""(?:error[ _]?)?code(\\{0,3}["'])?\s{0,8}[:=]\s{0,8}\\{0,3}["']?([A-Za-z0-9_.\-]{1,128})""",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"\b[Ee](?:(?:RR|rr)-?|(?:rror|RROR)[ :#]{1,3})?([0-9]{3,9})(?![\w.])")
_LINKED: Final = re.compile(r"/e/(?:[A-Za-z0-9_-]{1,64}/)?([0-9]{1,19})(?![\w.-])")
_TRACED: Final = re.compile(r"[\s|+-]*(?:\w+\.)*([A-Za-z_]\w*): (.+)")


class Input:
    """The lines of a file or a pipe, with their numbers, no more than a limit of bytes.

    Parameters
    ----------
    stream
        What is read; a line that is very long comes in pieces that overlap.
    limit
        Bytes.
    """

    def __init__(self, stream: BinaryIO, limit: int = LIMIT) -> None:
        self._stream = stream
        self._left = limit
        self.cut = False
        """Whether there was more than the limit, once all lines were read."""

    def __iter__(self) -> Iterator[tuple[int, str]]:
        number, rest = 1, b""
        while self._left > 0:
            piece = self._stream.readline(min(_PIECE, self._left))
            if not piece:
                return
            self._left -= len(piece)
            yield number, (rest + piece).decode("utf-8", "replace")
            ended = piece.endswith(b"\n")
            number, rest = (number + 1, b"") if ended else (number, piece[-_OVERLAP:])
        self.cut = bool(self._stream.read(1))


class Names:
    """What codes are called in texts.

    Parameters
    ----------
    registries
        Whose codes are looked for.
    retired
        What was taken back.
    """

    def __init__(self, registries: Sequence[Registry], retired: Sequence[Retired]) -> None:
        self._exact: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._numbers: dict[int, str] = {}
        self._traced: dict[tuple[str, str], str] = {}
        for registry in registries:
            for spec in registry:
                self._add(spec.code, spec.aliases, spec.number)
                self._add_class(spec)
        for item in retired:
            self._add(item.code or str(item.number), (), item.number)

    def _add(self, code: str, aliases: Iterable[str], number: int | None) -> None:
        for name in (code, *aliases):
            self._exact.setdefault(name, code)
            self._words.setdefault(f"err-{fold(name)}", code)
            if re.search(r"[A-Za-z0-9][._-][A-Za-z0-9]", name):
                self._words.setdefault(name, code)
        if number is not None:
            # Where several codes have it, the number itself is what the text names.
            known = self._numbers.setdefault(number, code)
            self._numbers[number] = code if known == code else str(number)

    def _add_class(self, spec: ErrorSpec) -> None:
        if spec.cls is None:
            return
        name = spec.cls.__name__
        self._words.setdefault(f"{name}.{spec.const}", spec.code)
        self._traced.setdefault((name, spec.title), spec.code)

    def word(self, text: str) -> str:
        """The code that a word is, wherever it stands; empty if it is none."""
        found = self._words.get(text)
        if found is None and text.count(".") > 1:
            # A traceback may name a class with its module.
            found = self._words.get(".".join(text.rsplit(".", 2)[1:]))
        return found or ""

    def exact(self, text: str) -> str:
        """The code that a word is, at a place where codes stand; empty if it is none."""
        text = text.strip(".-")
        number = int(text) if text.isdecimal() and len(text) < 20 else None
        if number is not None:
            return self._numbers.get(number, "")
        return self._exact.get(text, "") or self.word(text)

    def traced(self, name: str, message: str) -> str:
        """The code of the last line of a traceback whose message is the title of a code."""
        return self._traced.get((name, message), "")


class Word(NamedTuple):
    """A code that a line names."""

    name: str
    """The code, or the number; what was written, if nobody knows it."""
    known: bool


def words_in(line: str, names: Names, *, first: bool = False) -> Iterator[Word]:
    """What a line names, also several times.

    Parameters
    ----------
    line
        A line, with its end or without.
    names
        What to look for.
    first
        The line is the first one, which in a pasted message begins with the code.
    """
    if "\x1b" in line:
        line = _COLOURS.sub("", line)
    for word in _WORD.findall(line):
        found = names.word(word.strip(".-"))
        if found:
            yield Word(found, known=True)
    yield from _placed(line, names, first=first)


def _placed(line: str, names: Names, *, first: bool) -> Iterator[Word]:
    """Words and numbers at places where codes stand."""
    # Plain searches first: most lines of a log have nothing at any of these places.
    for match in _BRACKETED.finditer(line) if "[" in line else ():
        found = names.exact(match[1])
        if found or (first and match.start() == 0 and _looks_coded(match[1])):
            yield Word(found or match[1], known=bool(found))
    for match in _KEYED.finditer(line) if "code" in line or "CODE" in line or "Code" in line else ():
        found = names.exact(match[2])
        if found or (match[1] and _looks_coded(match[2])):
            yield Word(found or match[2], known=bool(found))
    for match in (*_NUMBERED.finditer(line), *(_LINKED.finditer(line) if "/e/" in line else ())):
        found = names.exact(match[1])
        if found:
            yield Word(found, known=True)
    traced = _TRACED.match(line)
    found = names.traced(traced[1], traced[2].rstrip()) if traced else ""
    if found:
        yield Word(found, known=True)


def _looks_coded(word: str) -> bool:
    return re.search(r"[A-Za-z0-9][._][A-Za-z0-9]", word) is not None and not word[0].isdigit()
