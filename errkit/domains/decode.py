"""Text and bytes that can't be read as what they should be: the domain `decode`, for settings, messages and
files that were sent.

`translating(to_decode_error, source="settings.toml")` goes around the call of the decoder. What a store makes
of its own documents is in `storage.py`, and an answer of a server in `http.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.boundary import Rule, Translator
from errkit.codes import Details, code, text_of
from errkit.errors import CodedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.codes import ErrorSpec

__all__ = ["FORMATS", "DecodeError", "EncodingDetails", "PlaceDetails", "SourceDetails", "to_decode_error"]


class SourceDetails(Details):
    """Which document it was."""

    source: str | None = None
    """Where it came from, in the words of the caller: a file, an address, a setting."""
    format: str | None = None
    """What it was read as, such as ``json``; absent where the decoder does not tell."""


class PlaceDetails(SourceDetails):
    """Which document it was, and where it stops to make sense."""

    line: int | None = None
    """The line, counted from 1; absent where the decoder does not tell."""
    column: int | None = None
    """The character in the line, counted from 1."""


class EncodingDetails(SourceDetails):
    """Which document it was, and where its bytes are no text."""

    encoding: str
    """The encoding that it was read in, such as ``utf-8``."""
    offset: int
    """The first byte that does not belong, counted from 0."""


class DecodeError(CodedError, domain="decode", title="Decoding", numbers=range(12500, 12600)):
    """A text or a sequence of bytes is not valid in its format.

    ======================================================================  =========================
    what was raised                                                         code
    ======================================================================  =========================
    ``EOFError``, and any of the following at the end of the text           ``decode.cut_off``
    ``json.JSONDecodeError``, ``tomllib.TOMLDecodeError``                   ``decode.malformed``
    ``configparser.Error``, ``csv.Error``, ``ParseError`` of XML            ``decode.malformed``
    ``binascii.Error``, ``pickle.UnpicklingError``, ``YAMLError``           ``decode.malformed``
    ``UnicodeDecodeError``                                                  ``decode.wrong_encoding``
    ``RecursionError``                                                      ``decode.too_deep``
    ======================================================================  =========================

    All other errors come back as they are: they are mistakes in the code around the decoder. Details tell
    the place and never the text, which may hold anything.
    """

    MALFORMED = code(
        "Document is not valid in its format",
        PlaceDetails,
        number=12501,
        http_status=400,
        hint="Correct the document at the line and column that the details name.",
        example={"source": "settings.toml", "format": "toml", "line": 14, "column": 9},
    )
    """The decoder met something that its format does not allow: a comma too many, a quote that is missing, a
    value without quotes. Files that were edited by hand are the usual ones, and templates whose placeholder
    nobody filled. ``python -m json.tool`` and ``python -m tomllib`` repeat the check with the decoder's own
    words."""

    CUT_OFF = code(
        "Document ends too early",
        PlaceDetails,
        number=12502,
        http_status=400,
        hint="Get the document again, and check that its writer had finished.",
        example={"source": "events.ndjson", "format": "json", "line": 1, "column": 213},
    )
    """All is well up to the end, but the end came before the document was complete; an empty one counts too.
    A writer that was stopped half-way does it, a reader that looked while it was being written, or a limit on
    the size. Write to a temporary file and ``os.replace`` it, and a reader will see a whole one or none."""

    WRONG_ENCODING = code(
        "Bytes are no text in that encoding",
        EncodingDetails,
        number=12503,
        http_status=400,
        hint="Read the document in the encoding that it was written in.",
        example={"source": "names.csv", "encoding": "utf-8", "offset": 1027},
    )
    """A byte can't stand where it stands in ``details.encoding``. Spreadsheets on Windows save ``cp1252`` or
    UTF-16 unless told otherwise, and compressed data looks like text to nobody. ``file --mime`` guesses the
    real encoding; say it with ``encoding=`` instead of relying on the locale."""

    TOO_DEEP = code(
        "Document is nested too deeply",
        SourceDetails,
        number=12504,
        http_status=400,
        hint="Refuse the document, or have it written with fewer levels.",
        example={"source": "request body", "format": "json"},
    )
    """Lists within lists, or tables within tables, go deeper than the decoder can follow, which is some
    thousand levels. Nobody writes that by hand: a program put each result into the next, or somebody probes
    your service. Raising ``sys.setrecursionlimit`` only moves the crash."""


# --- from what was raised to code -------------------------------------------------------------------

FORMATS: Final = (
    ("json.decoder.JSONDecodeError", "json"),
    ("simplejson.errors.JSONDecodeError", "json"),
    ("tomllib.TOMLDecodeError", "toml"),
    ("tomllib._parser.TOMLDecodeError", "toml"),
    ("tomli._parser.TOMLDecodeError", "toml"),
    ("configparser.Error", "ini"),
    ("_csv.Error", "csv"),
    ("xml.etree.ElementTree.ParseError", "xml"),
    ("xml.parsers.expat.ExpatError", "xml"),
    ("yaml.error.YAMLError", "yaml"),
    ("_pickle.UnpicklingError", "pickle"),
    ("binascii.Error", "base64"),
    ("plistlib.InvalidFileException", "plist"),
)
"""The errors of decoders by their full names, and their formats."""

_ENDS: Final = (
    "Unterminated string",
    "end of document",
    "no element found",
    "truncated",
    "unexpected end of data",
    "Incorrect padding",
)
"""What decoders say where the text ended and they wanted more."""

_AT: Final = re.compile(r"\bline[: ]*(\d+)(?:, |:? )col(?:umn)?[: ]*(\d+)")


def _is_cut_off(error: BaseException) -> bool:
    """Whether a decoder came to the end of the text and wanted more."""
    if any(words in text_of(error) for words in _ENDS):
        return True
    text, place = getattr(error, "doc", None), getattr(error, "pos", None)
    return isinstance(text, (str, bytes)) and isinstance(place, int) and place >= len(text.rstrip())


def _place(name: str | None) -> Callable[[BaseException], Mapping[str, Any]]:
    """Format, line and column, wherever the decoder keeps them."""

    def found_in(error: BaseException) -> Mapping[str, Any]:
        line, column = _attributes(error) or _in_words(error) or (None, None)
        return {"format": name, "line": line, "column": column}

    return found_in


def _attributes(error: BaseException) -> tuple[Any, Any] | None:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return mark.line + 1, mark.column + 1  # YAML counts from 0
    position = getattr(error, "position", None)
    if isinstance(position, tuple) and len(position) == 2:
        return position[0], position[1] + 1  # expat counts columns from 0
    line = getattr(error, "lineno", None)
    return (line, getattr(error, "colno", None)) if isinstance(line, int) else None


def _in_words(error: BaseException) -> tuple[int, int] | None:
    """`tomllib` told the place in its message alone before Python 3.14."""
    found = _AT.search(text_of(error)[:500])
    return None if found is None else (int(found[1]), int(found[2]))


def _encoding(error: BaseException) -> Mapping[str, Any]:
    return {"encoding": getattr(error, "encoding", "?"), "offset": getattr(error, "start", 0)}


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    where = "".join(f", {name} {details[name]}" for name in ("line", "column") if name in details)
    return f"{details.get('format', 'decoding')} failed: {spec.title[0].lower()}{spec.title[1:]}{where}"


TRANSLATOR: Final = Translator(
    DecodeError,
    [
        Rule(DecodeError.WRONG_ENCODING, catches=UnicodeDecodeError, details=_encoding),
        Rule(DecodeError.TOO_DEEP, catches=RecursionError),
        Rule(DecodeError.CUT_OFF, catches=EOFError),
        *(
            Rule(DecodeError.CUT_OFF, catches=cls, when=_is_cut_off, details=_place(name))
            for cls, name in FORMATS
        ),
        *(Rule(DecodeError.MALFORMED, catches=cls, details=_place(name)) for cls, name in FORMATS),
    ],
    message=_message,
)


def to_decode_error(
    error: object,
    /,
    *,
    source: str | None = None,
    format: str | None = None,  # noqa: A002 (the name of the field)
) -> DecodeError:
    """The error to raise for what a decoder raised, without `from`: its cause is set. Never raises.

    What no decoder raised comes back as it is.

    Parameters
    ----------
    error
        What was caught. An error of `decode` comes back as it is, and so does a cancellation.
    source
        Where the document came from, such as the name of its file.
    format
        What it was read as; where it is not given, what the error tells.
    """
    return TRANSLATOR(error, source=source, format=format)
