"""Asking another process what it makes of an error, without ever waiting for it in vain.

A process pool is no way to ask: one error that can't be read breaks it or hangs it for ever (cpython issues
103061 and 120810). Here a child that is silent for too long is ended, and the next question gets a new one.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import IO, Self

    from errkit.errors import CodedError

__all__ = ["OtherProcess"]

_START: Final = 30
"""Seconds that a child has more for its first answer."""


class OtherProcess:
    """A child that says what it makes of pickled errors; started when it is first asked.

    Parameters
    ----------
    patience
        Seconds that one answer may take.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._child: _Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def ask(self, blob: bytes) -> dict[str, Any]:
        """The child's answer to a pickle: its `payload` and a `pickle`, or the `problem`."""
        fresh = self._child is None
        child = self._child = self._child or _Child()
        answer = child.ask(base64.b64encode(blob).decode("ascii"), self._patience + (_START if fresh else 0))
        if answer is None:
            answer = {"problem": child.fault(self._patience)}
            self.close()
        return answer

    def revive(self, error: CodedError) -> Any:
        """What comes back when an error goes to the child and home again, each way as a pickle.

        Raises
        ------
        RuntimeError
            If the child can't read the error, ends, or does not answer.
        """
        answer = self.ask(pickle.dumps(error))
        if "problem" in answer:
            raise RuntimeError(answer["problem"])
        return pickle.loads(base64.b64decode(answer["pickle"]))  # noqa: S301 (made by our own child)


class _Child:
    """One child: lines in, lines out."""

    def __init__(self) -> None:
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed when the child ends)
        self._process = subprocess.Popen(
            # -P: the current folder must not hide modules of the library from the child.
            [sys.executable, "-P", "-m", "errkit.checks.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="errkit other process", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def ask(self, text: str, patience: float) -> dict[str, Any] | None:
        """The answer to one line; None if none came."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{text}\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=patience)
        except (OSError, queue.Empty):
            return None
        answer: dict[str, Any] | None = json.loads(line) if line else None
        return answer

    def fault(self, patience: float) -> str:
        """Why there was no answer."""
        try:
            status = self._process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            return f"the other process did not answer within {patience:g} seconds"
        self._said.seek(0)
        last = self._said.read().decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
        return f"the other process ended with code {status}" + (f": {last}" if last else "")

    def end(self) -> None:
        """End the process and close what belongs to it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                continue  # what was not sent any more
