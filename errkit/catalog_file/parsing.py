"""From a file to plain data: within bounds, in UTF-8, JSON or TOML, each key once.

What the data means is the business of `shapes.py` and `reading.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

__all__ = [
    "LARGEST",
    "MAX_BYTES",
    "MAX_DEPTH",
    "Fault",
    "Lines",
    "OneLine",
    "at",
    "parse",
    "plain",
    "read_text",
]

MAX_BYTES: Final = 64 * 1024 * 1024
"""The size of the largest file that is read."""
MAX_DEPTH: Final = 64
"""How deep objects and arrays of a file may be nested."""


LARGEST: Final = 2**53 - 1
"""The largest number that every reader of JSON reads exactly."""


class Fault(Exception):
    """What is wrong with a file, and the place in it."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem


def read_text(file: str) -> str:
    """The text of a file that is not too large and in UTF-8."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Fault("the file", f"can't be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_BYTES:
        raise Fault("the file", f"has more than {MAX_BYTES} bytes; split the catalogue")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault(f"byte {error.start}", "expected UTF-8") from error


def parse(text: str, file: str) -> object:
    """The data in a text, as JSON or TOML by the name of its file."""
    suffix = os.path.splitext(file)[1].lower()
    parse = {".json": _parse_json, ".toml": _parse_toml}.get(suffix)
    if parse is None:
        raise Fault(
            "the file", f"expected a name that ends in .json or .toml, found {suffix or 'no suffix'!r}"
        )
    try:
        data = parse(text)
    except RecursionError as error:
        raise Fault("the file", f"is nested deeper than {MAX_DEPTH} levels") from error
    _check_nesting(data)
    return data


def plain(data: Mapping[str, Any]) -> object:
    """Data as a JSON file would hold it; whatever JSON has no word for is refused."""
    try:
        text = json.dumps(data, allow_nan=False, default=_mapping)
    except (TypeError, ValueError, RecursionError) as error:
        raise Fault("the data", f"is no JSON: {error}") from error
    return parse(text, "data.json")


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"found a {type(value).__name__}")
    return dict(value)


class _Object(dict[str, Any]):
    """A JSON object; `twice` is a key that stands in it more than once."""

    twice: str | None = None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        found.twice = next(name for name in names if names.count(name) > 1)
    return found


def _parse_json(text: str) -> object:
    def refuse_constant(name: str) -> NoReturn:
        raise Fault("the file", f"{name} is no JSON")

    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise Fault(f"line {error.lineno}, column {error.colno}", f"is no JSON: {error.msg}") from error
    except ValueError as error:
        raise Fault("the file", f"holds a number that is too long: {error}") from error


def _parse_toml(text: str) -> object:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, OverflowError) as error:
        found = re.search(r"\s*\(at (line \d+, column \d+|end of document)\)", str(error))
        place = found[1] if found else "the file"
        raise Fault(place, f"is no TOML: {str(error).replace(found[0] if found else '', '')}") from error


def _check_nesting(data: object) -> None:
    pending: list[tuple[object, str, int]] = [(data, "", 0)]
    while pending:
        value, place, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise Fault(place[:200], f"is nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, dict):
            twice = getattr(value, "twice", None)
            if twice is not None:
                raise Fault(at(place, twice), "stands twice in one object; merge the two")
            pending += [(item, at(place, name), depth + 1) for name, item in value.items()]
        elif isinstance(value, list):
            pending += [(item, f"{place}[{index}]", depth + 1) for index, item in enumerate(value)]


def at(place: str, key: str) -> str:
    """The place of a key inside an object, such as `domains[0].title`."""
    name = key if key.isidentifier() else json.dumps(key[:80])
    return f"{place}.{name}" if place else name


class Lines:
    """The lines of a file on which a domain or a code is named."""

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, str], list[int]] = {}
        line, seen = 1, 0
        for match in _NAMED.finditer(text):
            line += text.count("\n", seen, match.start(1))
            seen = match.start(1)
            self._found.setdefault((match[1], match[3]), []).append(line)

    def of(self, key: str, value: object, after: int = 0) -> int:
        """The first line on which `key` has that value, not before line `after`; 0 if it is not seen."""
        lines = self._found.get((key, value), ()) if isinstance(value, str) else ()
        return next((line for line in lines if line >= after), 0)


class OneLine:
    """In place of the lines of a file: everything was declared on one line."""

    def __init__(self, line: int) -> None:
        self._line = line

    def of(self, key: str, value: object, after: int = 0) -> int:
        """The line."""
        return self._line


_NAMED: Final = re.compile(r"""\b(domain|code|const)\b["']?\s*[:=]\s*(["'])([^"'\\\n]*)\2""")
