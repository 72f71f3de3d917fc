"""Recorded failures in a notebook: read from any sink, shown as a table, turned into a frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from errkit.diagnostics import ErrorRecord
from errkit.sinks.form import plain, record_of
from errkit.sinks.ndjson import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errkit.jupyter.frames import Library

__all__ = ["Records"]


@runtime_checkable
class _Asked(Protocol):
    """What can be asked for its records, as a `SqlSink` can."""

    def records(self, *, limit: int | None = ...) -> Iterable[ErrorRecord]:
        """Records, at most so many."""
        ...


class Records(Sequence[ErrorRecord]):
    """Recorded failures, the latest first.

    Parameters
    ----------
    source
        A `SqlSink`, the path of an NDJSON file or of a folder of them, or records, such as those that
        `SqlSink.records` gave for some days or one code.

    Raises
    ------
    OSError
        The file or the folder can't be read.
    ErrkitError
        `errkit.sink_unavailable` if the database does not answer.
    """

    def __init__(self, source: str | os.PathLike[str] | _Asked | Iterable[ErrorRecord]) -> None:
        # Redacted once more: a record can be made by hand, or before a secret was known.
        found = (record_of(plain(record)) for record in _read(source))
        self._records = sorted(
            (record for record in found if record is not None), key=lambda record: record.at, reverse=True
        )

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, index: Any) -> Any:
        return Records(self._records[index]) if isinstance(index, slice) else self._records[index]

    def __repr__(self) -> str:
        return f"<Records: {len(self)}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from errkit.jupyter.displaying import mimebundle

        return mimebundle(self)

    def to_frame(self, library: Library = "pandas") -> Any:
        """The records as a frame, one row each: times as times, codes and kinds as categories.

        Parameters
        ----------
        library
            `pandas` or `polars`.

        Raises
        ------
        ErrkitError
            `errkit.missing_extra` if the library is not installed.
        """
        from errkit.jupyter.frames import records_frame

        return records_frame(self, library)


def _read(source: Any) -> Iterator[ErrorRecord]:
    if isinstance(source, (str, os.PathLike)):
        for path in _files(os.fspath(source)):
            yield from read_records(path)
    elif isinstance(source, _Asked):
        yield from source.records(limit=None)
    else:
        yield from source


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".ndjson"))
