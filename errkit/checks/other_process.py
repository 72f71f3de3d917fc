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
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from typing import IO, Self

    from errkit.errors import CodedError

__all__ = ["OtherProcess"]

T = TypeVar("T")

_START: Final = 30
"""Seconds that a child has more for its first answer."""
_PART: Final = 20
"""Errors that are sent at once."""


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
        [(_, answer)] = self.ask_each([(None, blob)])
        return answer

    def ask_each(self, questions: Iterable[tuple[T, bytes]]) -> Generator[tuple[T, dict[str, Any]]]:
        """The child's answer to each pickle in turn, with what the pickle came with.

        The child reads some of them while the caller makes the next ones and looks at the answers before.
        """
        rest = iter(questions)
        asked: list[tuple[T, bytes]] = []
        try:
            while part := list(islice(rest, _PART)):
                answered = self._answers(asked)
                self._child = self._child or _Child()
                self._child.send(" ".join(base64.b64encode(blob).decode("ascii") for _, blob in part))
                asked = part
                yield from answered
            yield from self._answers(asked)
            asked = []
        finally:
            if asked:
                self.close()  # its answer must not be taken for that to the next question

    def _answers(self, asked: list[tuple[T, bytes]]) -> list[tuple[T, dict[str, Any]]]:
        """The answers to what was asked last."""
        if not asked:
            return []
        assert self._child is not None
        answers = self._child.receive(self._patience)
        if answers is None:
            problem = self._child.fault(self._patience)
            self.close()
            if len(asked) > 1:  # one of them is to blame
                return [(key, self.ask(blob)) for key, blob in asked]
            answers = [{"problem": problem}]
        return [(key, answer) for (key, _), answer in zip(asked, answers, strict=True)]

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
        self._has_answered = False
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="errkit other process", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def send(self, text: str) -> None:
        """Say one line; no second one before the answer, since a child that hangs takes none."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{text}\n")
            self._process.stdin.flush()
        except OSError:
            return  # it has ended, and gives no answer

    def receive(self, patience: float) -> list[dict[str, Any]] | None:
        """The answers to a line; None if none come."""
        try:
            line = self._lines.get(timeout=patience + (0 if self._has_answered else _START))
        except queue.Empty:
            return None
        self._has_answered = True
        answers: list[dict[str, Any]] | None = json.loads(line) if line else None
        return answers

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
