"""Diagnostic scopes: what led up to a failure, written down when it happens, and the record of the failure.

Inside a scope, events gather in memory and cost little. A failure writes them, redacted, to a log file in
NDJSON and gives the error the id and the path of that record. Writing never breaks the program: a full disk
costs the log, not the work.

Sending records elsewhere (a database, OpenTelemetry, logging) is the business of `errkit.sinks`.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from errkit.codes import Kind, text_of
from errkit.errors import CodedError, attributes_of, bare
from errkit.fields import Record, is_a
from errkit.payload import to_payload
from errkit.safe import to_json
from errkit.verdicts import is_cancellation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ErrorRecord", "Scope", "current", "emit", "forward", "log_folder", "scope"]

LOG_FORMAT: Final = "errkit.log/1"
MAX_EVENTS: Final = 1_000
"""Events that a scope keeps; older ones are dropped and counted."""
MAX_FILE: Final = 32 * 1024 * 1024
"""Bytes after which a day's log goes on in another file."""


# --- records ----------------------------------------------------------------------------------------


class ErrorRecord(Record):
    """One failure as it is kept: the row of a database, the last line of a diagnostic log."""

    id: str
    at: str
    """When it was recorded, UTC, ISO 8601."""
    code: str
    message: str
    fingerprint: str
    """The same for failures of the same shape: same codes and classes along the causes, whatever they say."""
    payload: dict[str, Any]
    """The internal payload, redacted and bounded."""
    number: int | None = None
    kind: Kind | None = None
    hint: str = ""
    retryable: bool = False
    alert: bool = True
    diagnostic_id: str | None = None
    log_path: str | None = None

    @classmethod
    def of(cls, error: object) -> ErrorRecord:
        """The record of any error or object. Never raises.

        Parameters
        ----------
        error
            What failed.
        """
        payload = to_payload(error)
        return cls(
            id=new_id(),
            at=now(),
            code=payload["code"],
            message=payload["message"],
            fingerprint=fingerprint(payload),
            payload=payload,
            number=payload.get("number"),
            kind=payload.get("kind"),
            hint=payload.get("hint", ""),
            retryable=payload["retryable"],
            alert=payload.get("alert", True),
            diagnostic_id=payload.get("diagnostic_id"),
            log_path=payload.get("log_path"),
        )


def fingerprint(payload: dict[str, Any]) -> str:
    """16 hexadecimal digits that failures of the same shape share."""
    import hashlib

    parts = []
    link: dict[str, Any] | None = payload
    while link is not None:
        parts.append(f"{link['code']} {link.get('name', '')}")
        link = link.get("cause")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def new_id() -> str:
    """An id that sorts by time: milliseconds and 32 random bits, hexadecimal."""
    import time

    return f"{int(time.time() * 1000):012x}-{os.urandom(4).hex()}"


def now() -> str:
    """The time, UTC, ISO 8601 with milliseconds."""
    import datetime

    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


# --- scopes -----------------------------------------------------------------------------------------

_CURRENT: Final[ContextVar[Scope | None]] = ContextVar("errkit diagnostic scope", default=None)


class Scope:
    """The events of one piece of work; made by `scope()`."""

    def __init__(self, name: str, facts: dict[str, Any], parent: str | None) -> None:
        self.id: str = new_id()
        self.name: str = name
        self._facts = facts
        self._parent = parent
        self._events: list[dict[str, Any]] = []
        self._dropped = 0

    def emit(self, event: str, *, level: str = "info", **data: Any) -> None:
        """Keep an event in memory; it is redacted when it is written.

        Parameters
        ----------
        event
            What happened, as a short name.
        level
            `debug`, `info`, `warning` or `error`.
        data
            Facts of the event.
        """
        if len(self._events) >= MAX_EVENTS:
            del self._events[0]
            self._dropped += 1
        self._events.append({"at": now(), "level": level, "event": event, "data": data})

    def fail(self, error: BaseException) -> None:
        """Write the events and the record of `error`; give the error its id and path. Never raises."""
        payload = to_payload(error)
        is_ours = attach(error, self.id, None)
        last = {"at": now(), "level": "error", "event": "failed", "data": {}, "error": payload}
        attach(error, self.id, self._write([*self._events, last]))
        self._events.clear()
        if is_ours:
            _forward(error)

    def flush(self) -> str | None:
        """Write the events gathered so far; the path of the log, or None if it could not be written."""
        path = self._write(self._events)
        self._events.clear()
        return path

    def _write(self, events: list[dict[str, Any]]) -> str | None:
        try:
            lines = "".join(self._line(event) + "\n" for event in events)
            return append(log_folder(), lines.encode()) if lines else None
        except Exception:
            return None

    def _line(self, event: dict[str, Any]) -> str:
        import json

        common: dict[str, Any] = {"format": LOG_FORMAT, "diagnostic_id": self.id, "scope": self.name}
        if self._parent is not None:
            common["parent"] = self._parent
        if self._dropped:
            common["dropped"] = self._dropped
        shown = {**common, **{key: value for key, value in event.items() if key != "error"}}
        shown["data"] = {**self._facts, **event["data"]}
        return json.dumps({**_redacted(shown), **_payload_part(event)}, ensure_ascii=False, allow_nan=False)


def _redacted(shown: dict[str, Any]) -> dict[str, Any]:
    found = to_json(shown)
    return found if isinstance(found, dict) else {"data": found}


def _payload_part(event: dict[str, Any]) -> dict[str, Any]:
    """A payload went through the total pass already, with more room for its causes."""
    return {"error": event["error"]} if "error" in event else {}


def attach(error: BaseException, diagnostic_id: str, log_path: str | None) -> bool:
    """Give an error the id and the path of its record; False if an inner scope did so already."""
    facts = {"diagnostic_id": diagnostic_id, "log_path": log_path}
    try:
        coded = error if is_a(error, CodedError) else None
        values = attributes_of(error) if coded is None else bare(coded)._facts
        if values.get("diagnostic_id") not in (None, diagnostic_id):
            return False
        if coded is None:
            attributes_of(error).update(facts)
        else:
            coded.note_facts(**facts)
    except Exception:
        # An error that takes no facts has its record all the same.
        return True
    return True


@contextmanager
def scope(name: str, *, parent: str | None = None, **facts: Any) -> Iterator[Scope]:
    """Gather events while the block runs; a failure writes them, and passes on with its id and path.

    Works around sync and async code. Cancellation passes unrecorded. Scopes nest: an error keeps the id of
    the innermost one.

    Parameters
    ----------
    name
        What the block does, as a short name.
    parent
        The id of the scope that this work belongs to, where that is open in another process; the scope that
        is open here if not given.
    facts
        Facts that go with each event, such as a request id.
    """
    outer = _CURRENT.get()
    opened = Scope(name, facts, parent or (None if outer is None else outer.id))
    token = _CURRENT.set(opened)
    try:
        yield opened
    except BaseException as error:
        if not is_cancellation(error):
            opened.fail(error)
        raise
    finally:
        _CURRENT.reset(token)


def current() -> Scope | None:
    """The innermost scope that is open here, or None."""
    return _CURRENT.get()


def emit(event: str, *, level: str = "info", **data: Any) -> None:
    """Keep an event in the innermost open scope; without one, nothing happens."""
    opened = _CURRENT.get()
    if opened is not None:
        opened.emit(event, level=level, **data)


# --- records to others ------------------------------------------------------------------------------

_RECEIVERS: Final[list[Callable[[ErrorRecord], object]]] = []


def forward(receiver: Callable[[ErrorRecord], object]) -> Callable[[], None]:
    """Let `receiver` have the record of each failure that a scope writes, such as the `write` of a sink.

    Of nested scopes the innermost one gives the record. What the receiver raises is dropped.

    Parameters
    ----------
    receiver
        Takes the record, which carries the diagnostic id and the path of the log.

    Returns
    -------
    Callable
        Takes the receiver back.
    """
    _RECEIVERS.append(receiver)
    return lambda: _RECEIVERS.remove(receiver) if receiver in _RECEIVERS else None


def _forward(error: BaseException) -> None:
    receivers = tuple(_RECEIVERS)
    if not receivers:
        return
    record = ErrorRecord.of(error)
    for receiver in receivers:
        _give(receiver, record)


def _give(receiver: Callable[[ErrorRecord], object], record: ErrorRecord) -> None:
    try:
        receiver(record)
    except Exception:
        return


# --- the file ---------------------------------------------------------------------------------------


def log_folder() -> str:
    """Where logs go: `ERRKIT_LOG_DIR`, else the folder that the platform keeps for the state of programs."""
    chosen = os.environ.get("ERRKIT_LOG_DIR")
    if chosen:
        return chosen
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Logs")
    else:
        # XDG Base Directory Specification 0.8: a relative path counts as none.
        state = os.environ.get("XDG_STATE_HOME", "")
        base = state if os.path.isabs(state) else os.path.join(home, ".local", "state")
    return os.path.join(base, "errkit")


_APPENDING: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


def append(folder: str, data: bytes) -> str:
    """Append whole lines to the log of the day in one write, so that processes do not mix; gives the path.

    Raises
    ------
    OSError
        The lines could not be written, or not all of them.
    """
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = _file_with_room(folder, now()[:10])
    descriptor = os.open(path, _APPENDING, 0o600)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(f"{path}: the disk took only a part of the lines")
    finally:
        os.close(descriptor)
    return path


def _file_with_room(folder: str, day: str) -> str:
    number = 0
    while True:
        path = os.path.join(folder, f"{day}.ndjson" if number == 0 else f"{day}.{number}.ndjson")
        try:
            if os.stat(path).st_size < MAX_FILE:
                return path
        except FileNotFoundError:
            return path
        number += 1


def read_log(path: str) -> Iterator[dict[str, Any]]:
    """Each event of a log file; lines that are none, such as one cut off by a full disk, are passed over."""
    import json

    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                event = json.loads(whole_part(line))
            except ValueError:
                continue
            if isinstance(event, dict) and text_of(event.get("format", "")).startswith("errkit.log/"):
                yield event


_BEGINNING: Final = '{"format": "errkit.'


def whole_part(line: str) -> str:
    """A line without one that a full disk cut off before it; no JSON text holds our beginning unescaped."""
    return line[max(line.rfind(_BEGINNING), 0) :]
