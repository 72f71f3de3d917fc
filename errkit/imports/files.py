"""The files that are taken over: read within bounds, unpacked, and parsed as JSON, YAML, TOML or CSV."""

from __future__ import annotations

import csv
import io
import os
import sys
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn

from errkit.catalog_file import MAX_BYTES, MAX_DEPTH
from errkit.fields import Record
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Source", "data_of", "read_file", "refuse", "rows_of"]

_NODES: Final = 2_000_000
"""Values that the parsed file may hold, so that aliases of YAML can't make a giant of a dwarf."""


class Source(Record):
    """A file that was read."""

    path: str
    text: str
    names: Mapping[str, str] = {}
    """How the fields of a list are called: key of the catalogue -> name in the file."""

    @property
    def name(self) -> str:
        """The name of the file without what tells its format."""
        return os.path.basename(self.path).split(".")[0] if self.path != "-" else "imported"

    @property
    def suffix(self) -> str:
        """What tells its format, in lower case."""
        return os.path.splitext(self.path.removesuffix(".gz"))[1].lower()


def refuse(path: str, place: str, problem: str) -> NoReturn:
    """Raise `errkit.bad_import`."""
    raise ErrkitError.BAD_IMPORT(f"{path}: {place}: {problem}", path=path, place=place, problem=problem)


def read_file(path: str, names: Mapping[str, str]) -> Source:
    """A file of at most 64 MiB in UTF-8; `-` is the standard input, and `.gz` is unpacked.

    Raises
    ------
    CodedError
        `errkit.bad_import`.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = _unpacked(file) if path.endswith(".gz") else file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        refuse(path, "the file", f"can't be read: {getattr(error, 'strerror', None) or type(error).__name__}")
    if len(data) > MAX_BYTES:
        refuse(path, "the file", f"has more than {MAX_BYTES} bytes")
    try:
        return Source(path=path, text=data.decode("utf-8-sig"), names=names)
    except UnicodeDecodeError as error:
        refuse(path, f"byte {error.start}", "expected UTF-8")


def _unpacked(file: BinaryIO) -> bytes:
    import gzip

    with gzip.GzipFile(fileobj=file) as packed:
        return packed.read(MAX_BYTES + 1)


def data_of(source: Source) -> Any:
    """What a JSON, TOML or YAML file holds; the suffix decides, and without one it is JSON or else YAML.

    Raises
    ------
    CodedError
        `errkit.bad_import`; `errkit.missing_extra` if PyYAML is not there.
    """
    try:
        if source.suffix == ".toml":
            import tomllib

            data: Any = tomllib.loads(source.text)
        elif source.suffix in (".yaml", ".yml") or not source.text.lstrip().startswith(("{", "[")):
            data = _yaml(source)
        else:
            import json

            data = json.loads(source.text)
    except (ValueError, OverflowError) as error:
        refuse(source.path, "the file", f"can't be parsed: {error}")
    except RecursionError:
        refuse(source.path, "the file", f"is nested deeper than {MAX_DEPTH} levels")
    _bound(data, source.path)
    return data


def _yaml(source: Source) -> Any:
    try:
        import yaml
    except ModuleNotFoundError as error:
        problem = "reading YAML needs PyYAML; install it with: pip install 'errkit[cli]'"
        raise ErrkitError.MISSING_EXTRA(problem, extra="cli", module="yaml") from error
    try:
        return yaml.safe_load(source.text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark is not None else "the file"
        refuse(source.path, place, f"is no YAML: {getattr(error, 'problem', None) or type(error).__name__}")


def _bound(data: object, path: str) -> None:
    pending: list[tuple[object, int]] = [(data, 0)]
    count = 0
    while pending:
        value, depth = pending.pop()
        count += 1
        if depth > MAX_DEPTH or count > _NODES:
            refuse(path, "the file", f"holds more than {_NODES} values, or is nested deeper than {MAX_DEPTH}")
        if isinstance(value, dict):
            pending += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list):
            pending += [(item, depth + 1) for item in value]


def rows_of(source: Source) -> Iterator[dict[str, str]]:
    """The rows of a CSV file with a head."""
    try:
        for row in csv.DictReader(io.StringIO(source.text), strict=True):
            yield {str(name): value for name, value in row.items() if isinstance(value, str)}
    except csv.Error as error:
        refuse(source.path, "the file", f"is no CSV: {error}")
