"""Records as lines of a file: what needs no database, and what any tool can read.

Lines are appended whole, in one write, so that processes share a file; each day has its own. The events that
led up to a failure are another matter: `errkit.diagnostics` writes them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from errkit.diagnostics import append, log_folder
from errkit.sinks.base import Trouble
from errkit.sinks.form import line_of, plain, read_lines, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.diagnostics import ErrorRecord

__all__ = ["NdjsonSink", "read_records"]


class NdjsonSink:
    """Appends each record to a file of the day.

    Parameters
    ----------
    folder
        The folder of the files, made when it is first needed; `records` in the log folder if not given.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = os.path.join(log_folder(), "records") if folder is None else os.fspath(folder)
        self.path: str | None = None
        """The file that took the last record."""
        self.lost = 0
        """How many records the disk did not take."""
        self._trouble = Trouble(f"NDJSON in {self.folder}")

    def write(self, record: ErrorRecord) -> None:
        """Append one record. Never raises: what the disk does not take is counted in `lost`."""
        try:
            self.path = append(self.folder, line_of(plain(record)))
            self._trouble.ends()
        except Exception as error:
            self.lost += 1
            self._trouble.begins(error, "records are lost")

    def close(self) -> None:
        """Nothing waits: each record is in the file already."""


def read_records(path: str | os.PathLike[str]) -> Iterator[ErrorRecord]:
    """The records in a file, oldest first; lines that hold none are passed over.

    Parameters
    ----------
    path
        A file that an `NdjsonSink` wrote.

    Raises
    ------
    OSError
        The file can't be read.
    """
    with open(path, "rb") as lines:
        for line in lines:
            for found in read_lines(line):
                record = record_of(found)
                if record is not None:
                    yield record
