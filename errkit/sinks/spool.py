"""Where records wait while their target is away: an NDJSON file that is drained in order.

Any number of processes may append to one spool and drain it. A record leaves the file only after it was sent;
a crash in between sends it again, so whoever takes it must know it by its id. A line that a crash or a full
disk cut off is passed over, and never runs into the next one.

Two locks keep order, and who appends never waits for the target: one on the file itself, for the moment of
appending or emptying, and one on the file `.sent` beside it, for as long as a process drains. That file holds
the number of bytes that were sent.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from errkit.sinks.form import line_of, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Spool", "SpoolFullError"]

BATCH: Final = 100
"""Lines that are sent together."""
_MAX_READ: Final = 4 * 1024 * 1024
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
_LOCKED_BYTE: Final = 2**40
"""Windows locks bytes and not files; this one lies beyond any of ours."""


class SpoolFullError(OSError):
    """The spool holds as much as it may."""


class Spool:
    """The waiting records of one target.

    Parameters
    ----------
    path
        The file; it and its folder are made when they are first needed, for this user alone.
    max_bytes
        How large the file may grow.
    """

    def __init__(self, path: str, max_bytes: int) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._sent_path = f"{path}.sent"

    def is_empty(self) -> bool:
        """Whether nothing waits."""
        try:
            return os.stat(self.path).st_size == 0
        except OSError:
            return True

    def append(self, record: dict[str, Any]) -> None:
        """Add one record, in its plain form.

        Raises
        ------
        OSError
            The disk did not take it, or (`SpoolFullError`) the spool is full; it is as it was before.
        """
        os.makedirs(os.path.dirname(self.path) or ".", mode=0o700, exist_ok=True)
        with _locked(self.path, wait=True) as file:
            size = os.lseek(file, 0, os.SEEK_END)
            if size == 0:
                # The file may be a new one: what was sent of an older one says nothing about it.
                self._forget_sent()
            line = line_of(record)
            if size + len(line) > self._max_bytes:
                raise SpoolFullError(f"{self.path} has reached {self._max_bytes} bytes")
            _write_whole(file, size, line)

    def drain(self, send: Callable[[list[dict[str, Any]]], None]) -> bool:
        """Send what waits, oldest first, and empty the file.

        Parameters
        ----------
        send
            Takes a batch of records. What it raises passes on, and its batch stays.

        Returns
        -------
        bool
            Whether nothing waits any longer; False as well while another process drains.
        """
        if self.is_empty():
            return True
        with _locked(self._sent_path, wait=False) as sent_file:
            if sent_file is None:
                return False
            while True:
                sent = self._read_sent(sent_file)
                lines = self._lines_from(sent)
                if not lines:
                    if self._emptied(sent_file, sent):
                        return True
                    continue
                batch = list(read_lines(lines))
                if batch:
                    send(batch)
                _rewrite(sent_file, sent + len(lines))

    def _lines_from(self, start: int) -> bytes:
        """The next whole lines, a batch at most."""
        with open(self.path, "rb") as file:
            file.seek(start)
            block = file.read(_MAX_READ)
        end = -1
        for _ in range(BATCH):
            following = block.find(b"\n", end + 1)
            if following < 0:
                break
            end = following
        return block[: end + 1]

    def _emptied(self, sent_file: int, sent: int) -> bool:
        """Empty the file unless a line came since."""
        with _locked(self.path, wait=True) as file:
            os.lseek(file, sent, os.SEEK_SET)
            if b"\n" in os.read(file, _MAX_READ):
                return False
            # In this order: after a crash in between, all is sent again, and nothing is passed over.
            _rewrite(sent_file, 0)
            os.ftruncate(file, 0)
        return True

    def _read_sent(self, sent_file: int) -> int:
        os.lseek(sent_file, 0, os.SEEK_SET)
        digits = os.read(sent_file, 32)
        sent = int(digits) if digits.isdigit() else 0
        return sent if sent <= os.stat(self.path).st_size else 0

    def _forget_sent(self) -> None:
        try:
            os.truncate(self._sent_path, 0)
        except FileNotFoundError:
            return


def _write_whole(file: int, size: int, line: bytes) -> None:
    """Append a line, or leave the file as it was."""
    if size and _byte_at(file, size - 1) != b"\n":
        line = b"\n" + line
    try:
        written = os.write(file, line)
    except OSError:
        os.ftruncate(file, size)
        raise
    if written != len(line):
        os.ftruncate(file, size)
        raise OSError(f"the disk took {written} of {len(line)} bytes")


def _byte_at(file: int, place: int) -> bytes:
    os.lseek(file, place, os.SEEK_SET)
    return os.read(file, 1)


def _rewrite(file: int, number: int) -> None:
    """Replace the number in a file that is opened for appending."""
    os.ftruncate(file, 0)
    os.write(file, str(number).encode())


# --- locks ------------------------------------------------------------------------------------------


@contextmanager
def _locked(path: str, *, wait: bool) -> Iterator[Any]:
    """A descriptor of the file while its lock is held; None if it is held elsewhere and `wait` is False."""
    file = os.open(path, _FLAGS, 0o600)
    try:
        if not _lock(file, wait):
            yield None
            return
        try:
            yield file
        finally:
            # A child that was forked meanwhile has the descriptor too, so closing ours would not be enough.
            _unlock(file)
    finally:
        os.close(file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, wait: bool) -> bool:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return True
            except OSError:
                # LK_LOCK gives up after ten seconds.
                if not wait:
                    return False

    def _unlock(file: int) -> None:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, wait: bool) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
