"""A store of documents and logs on files or SQLite: the domain `storage`, and what its translator knows.

A backend puts `translating(to_storage_error, path=path, op="write")` around its calls. Where absence is an
answer (reading gives None, listing gives nothing), `absent_as` gives it. Errors of the file system as such
are in `os_fs.py`; a store says what became of the data.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from errkit.boundary import Rule, Translator, answering, errno_name, through_groups
from errkit.codes import Details, code, text_of
from errkit.domains import os_fs
from errkit.domains.os_fs import named_path, path_text
from errkit.errors import CodedError
from errkit.fields import class_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.boundary import Answering
    from errkit.codes import ErrorCode, ErrorSpec

__all__ = [
    "ERRNOS",
    "SQLITE",
    "TRANSIENT",
    "AppendLogCorruptedError",
    "CorruptedDetails",
    "DecodeDetails",
    "IoDetails",
    "StorageError",
    "absent_as",
    "to_storage_error",
]

T = TypeVar("T")


class IoDetails(Details):
    """Which operation of the store failed, and on which file."""

    path: str
    """The file or folder behind the stored value; the message leaves it out."""
    op: str
    """The operation in the words of the store: ``read``, ``append``, ``list``."""
    errno: str | None = None
    """The platform's error by name, such as ``EIO``; absent if there was none."""


class DecodeDetails(Details):
    """Which document could not be decoded, and as what."""

    scope: str
    """The group that the document belongs to; the folder of its file where the store gave none."""
    key: str
    """Its name in that group; the name of its file where the store gave none."""
    format: str
    """The format that it was read as, such as ``json``."""


class CorruptedDetails(Details):
    """Where the damage is."""

    scope: str
    """The group that the log or database belongs to; the folder of its file where the store gave none."""
    key: str
    """Its name in that group; the name of its file where the store gave none."""
    line_number: int | None = None
    """The first damaged line, counted from 1; absent if the damage is not in one line."""


class StorageError(CodedError, domain="storage", title="Storage", numbers=range(12200, 12300)):
    """Reading or writing stored data failed. A value that is not there is an answer, and no error.

    ==========================================================  ================================
    what was raised                                             code
    ==========================================================  ================================
    ``ENOENT`` where absence makes no sense                     ``storage.not_found``
    ``EACCES``, ``EPERM``; ``SQLITE_PERM``, ``SQLITE_AUTH``     ``storage.permission_denied``
    ``ENOSPC``; ``SQLITE_FULL``                                 ``storage.disk_full``
    ``EROFS``; ``SQLITE_READONLY``                              ``storage.read_only``
    ``EDQUOT``                                                  ``storage.quota_exceeded``
    ``EAGAIN``; ``SQLITE_BUSY``, ``SQLITE_LOCKED``              ``storage.locked``
    ``SQLITE_CORRUPT``, ``SQLITE_NOTADB``                       ``storage.corrupted``
    text that is no JSON, TOML, INI, XML, pickle, UTF-8         ``storage.decode_failed``
    ``EBUSY``, ``EINTR``, ``ETXTBSY``, ``EMFILE``, ``ENFILE``   ``storage.io_failed``, retryable
    ``ETIMEDOUT``, ``ESTALE``, ``EHOSTDOWN``, ``EHOSTUNREACH``  ``storage.io_failed``, retryable
    all others                                                  ``storage.io_failed``
    ==========================================================  ================================

    Proved by real calls and real databases, except the rows that ``os.fs`` can't prove either, and
    ``SQLITE_PERM``, which no ordinary file brings about.
    """

    NOT_FOUND = code(
        "Stored data vanished",
        IoDetails,
        number=12201,
        hint="Restore or remount the folder of the store, then repeat the operation.",
        example={"path": "/srv/app/store/carts/c1.json", "op": "write", "errno": "ENOENT"},
    )
    """The store met a missing file or folder where absence makes no sense: a write into a folder that it
    had made, or a file that was listed a moment before. Something else cleans up in its place, or the
    volume was unmounted. A plain read of a missing value does not end here; it is answered by
    ``storage.absent_as``."""

    DECODE_FAILED = code(
        "Stored document can't be decoded",
        DecodeDetails,
        number=12202,
        hint="Look at the document that scope and key name, and repair it or restore it from a copy.",
        example={"scope": "carts", "key": "c1.json", "format": "json"},
    )
    """The file was read, but what stands in it is not valid in its format. It was edited by hand, written
    in another encoding, or cut off when a program wrote in place and was stopped. Check a JSON file with
    ``python -m json.tool``; write documents to a temporary file and rename it, so that a crash leaves the
    old one."""

    CORRUPTED = code(
        "Stored log or database is damaged",
        CorruptedDetails,
        number=12203,
        hint="Keep a copy of the file, then recover what stands before the damage.",
        example={"scope": "journal", "key": "2026-03.jsonl", "line_number": 4127},
    )
    """The damage is inside the data and not at its torn end, so it can't be skipped in silence. Disks that
    fail and two writers on one log are the main reasons; for a database also a file that was copied while
    it was open. For SQLite run ``PRAGMA integrity_check`` and ``.recover``; for a log look at
    ``details.line_number`` and the line before it."""

    IO_FAILED = code(
        "Unexpected storage failure",
        IoDetails,
        number=12204,
        hint="Look the errno up, and repeat the operation only if the error says that it is retryable.",
        example={"path": "/srv/app/store/log.jsonl", "op": "append", "errno": "EIO"},
    )
    """The operation failed for a reason without a code of its own, for instance a device error (``EIO``)
    or a folder where a file should be (``EISDIR``). Most of these come back at every try, so a loop must
    not hide them. Those that pass, such as ``EBUSY`` or ``EMFILE``, are marked as retryable one by one."""

    LOCKED = code(
        "Store is in use by another process",
        IoDetails,
        number=12205,
        kind="transient",
        hint="Wait for the other process, or stop it.",
        example={"path": "/srv/app/store/index.db", "op": "write"},
    )
    """Another process holds the store, and the operation did not want to wait any longer: SQLite reports
    ``database is locked``, a file lock ``EAGAIN``. It ends when the other one commits or exits. ``fuser
    -v`` on the file names the holder; for SQLite a larger ``timeout`` in ``connect`` and shorter
    transactions help for good."""

    PERMISSION_DENIED = code(
        "No permission for the store",
        IoDetails,
        number=12206,
        hint="Give the files of the store to the user that runs the program.",
        example={"path": "/srv/app/store/secrets.json", "op": "read", "errno": "EACCES"},
    )
    """The store's files belong to another user or can't be changed by this one (``EACCES``, ``EPERM``). A
    single run as root leaves such files behind, and the next ordinary run stumbles over them. Set the
    owner of the whole folder with ``chown -R``, and check that a new file gets the same one."""

    DISK_FULL = code(
        "No space left for the store",
        IoDetails,
        number=12207,
        hint="Free space on the volume of the store, then repeat the operation.",
        example={"path": "/srv/app/store/log.jsonl", "op": "append", "errno": "ENOSPC"},
    )
    """The volume of the store is full (``ENOSPC``, ``SQLITE_FULL``), so what was to be stored is not, or
    not whole. Logs and old sessions are mostly what grows. Reading still works, which leaves time to
    delete or move data; check the last record after that, since it may be cut off."""

    READ_ONLY = code(
        "Store is read-only",
        IoDetails,
        number=12208,
        hint="Move the store to a volume that can be written, or open it for reading.",
        example={"path": "/srv/app/store/index.db", "op": "write", "errno": "EROFS"},
    )
    """Nothing can be written to the store, because its volume is mounted read-only (``EROFS``) or the
    database was opened so (``SQLITE_READONLY``). A container image with the store inside it, or a
    snapshot, is the usual place. Point the program's data folder at a writable volume."""

    QUOTA_EXCEEDED = code(
        "Quota of the store is used up",
        IoDetails,
        number=12209,
        hint="Delete stored data of this user, or ask for a larger quota.",
        example={"path": "/home/ada/.app/log.jsonl", "op": "append", "errno": "EDQUOT"},
    )
    """The user that owns the store has no quota left on its volume (``EDQUOT``), even if others still have
    room. Nothing was lost but the last write. ``quota -s`` shows the limit; a store that is meant to grow
    belongs on a volume of its own."""


class AppendLogCorruptedError(StorageError, of=StorageError.CORRUPTED):
    """A line of an append-only log, other than a torn last one, is damaged; `line_number` says which."""


# --- from what was raised to code -------------------------------------------------------------------

ERRNOS: Final[Mapping[str, ErrorCode[..., IoDetails, StorageError]]] = MappingProxyType(
    {
        "ENOENT": StorageError.NOT_FOUND,
        "EACCES": StorageError.PERMISSION_DENIED,
        "EPERM": StorageError.PERMISSION_DENIED,
        "ENOSPC": StorageError.DISK_FULL,
        "EROFS": StorageError.READ_ONLY,
        "EDQUOT": StorageError.QUOTA_EXCEEDED,
        "EAGAIN": StorageError.LOCKED,
    }
)
"""Each errno that has a code; all others are `storage.io_failed`. Files answer `EAGAIN` for locks alone."""

TRANSIENT: Final = frozenset(
    {*os_fs.TRANSIENT, *(name for name, found in os_fs.ERRNOS.items() if found.spec.retryable)}
    - ERRNOS.keys()
)
"""Errnos for which `storage.io_failed` is retryable: those that `os.fs` calls transient."""

SQLITE: Final[Mapping[str, ErrorCode[..., Any, StorageError]]] = MappingProxyType(
    {
        "SQLITE_BUSY": StorageError.LOCKED,
        "SQLITE_LOCKED": StorageError.LOCKED,
        "SQLITE_FULL": StorageError.DISK_FULL,
        "SQLITE_READONLY": StorageError.READ_ONLY,
        "SQLITE_CORRUPT": StorageError.CORRUPTED,
        "SQLITE_NOTADB": StorageError.CORRUPTED,
        "SQLITE_PERM": StorageError.PERMISSION_DENIED,
        "SQLITE_AUTH": StorageError.PERMISSION_DENIED,
        "SQLITE_CANTOPEN": StorageError.IO_FAILED,
        "SQLITE_IOERR": StorageError.IO_FAILED,
    }
)
"""Primary result codes of SQLite; its extended ones, such as `SQLITE_BUSY_SNAPSHOT`, follow the primary
one."""

_FORMATS: Final = (
    ("json.decoder.JSONDecodeError", "json"),
    ("tomllib.TOMLDecodeError", "toml"),
    ("configparser.ParsingError", "ini"),
    ("xml.etree.ElementTree.ParseError", "xml"),
    ("_pickle.UnpicklingError", "pickle"),
)


def _sqlite(primary: str) -> Callable[[BaseException], bool]:
    """Whether an error of `sqlite3` has that primary result code (sqlite.org/rescode.html, section 2)."""

    def has_it(error: BaseException) -> bool:
        name = str(getattr(error, "sqlite_errorname", ""))
        return name == primary or name.startswith(f"{primary}_")

    return has_it


def _says_locked(error: BaseException) -> bool:
    """Other drivers for SQLite give its words without its code."""
    return class_name(error) == "OperationalError" and "is locked" in text_of(error)


def _facts_of(error: BaseException) -> Mapping[str, Any]:
    return {"path": named_path(error), "errno": errno_name(error)}


def _decoded_as(name: str) -> Callable[[BaseException], Mapping[str, Any]]:
    return lambda _: {"format": name}


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    op = details.get("op") or details.get("context", {}).get("op") or "operation"
    return f"storage {op} failed: {spec.title[0].lower()}{spec.title[1:]}"


TRANSLATOR: Final = Translator(
    StorageError,
    [
        *(Rule(StorageError.DECODE_FAILED, catches=cls, details=_decoded_as(name)) for cls, name in _FORMATS),
        Rule(
            StorageError.DECODE_FAILED,
            catches=UnicodeDecodeError,
            details=lambda error: {"format": getattr(error, "encoding", "text")},
        ),
        *(Rule(found, when=_sqlite(primary)) for primary, found in SQLITE.items()),
        Rule(StorageError.LOCKED, when=_says_locked),
        *(Rule(found, errno=name) for name, found in ERRNOS.items()),
        Rule(StorageError.IO_FAILED, errno=TRANSIENT, retryable=True),
        Rule(StorageError.NOT_FOUND, catches=FileNotFoundError),
        Rule(StorageError.PERMISSION_DENIED, catches=PermissionError),
        Rule(StorageError.IO_FAILED, catches=TimeoutError, retryable=True),
    ],
    fallback=StorageError.IO_FAILED,
    details=_facts_of,
    message=_message,
)


def to_storage_error(
    error: object,
    /,
    *,
    op: str,
    path: str | bytes | int | os.PathLike[Any] | None = None,
    scope: str | None = None,
    key: str | None = None,
    format: str | None = None,  # noqa: A002 (the name of the field)
) -> StorageError:
    """The error to raise for a failed storage operation, without `from`: its cause is set. Never raises.

    Parameters
    ----------
    error
        What was caught. An error of `storage` comes back as it is, and so does a cancellation.
    op
        The operation, such as `append`.
    path
        The file behind the value; where it is not given, the one that the error names.
    scope, key
        The group and the name of the value; where they are not given, folder and name of the file.
    format
        The format that was expected; where it is not given, the one that the error tells.
    """
    given = path_text(path)

    def one(leaf: object) -> object:
        code = TRANSLATOR.code_of(leaf)
        if code is None or code.spec.details is IoDetails:
            return TRANSLATOR(leaf, path=given, op=op, scope=scope, key=key)
        folder, name = os.path.split(given or named_path(leaf))
        document = {"scope": folder if scope is None else scope, "key": name if key is None else key}
        return TRANSLATOR(leaf, **document, format=format, path=given, op=op)

    return cast("StorageError", through_groups(error, one))


def absent_as(answer: T) -> Answering[T]:
    """Answers a failure because something is not there with `answer`; all other failures go on.

    For reading and listing, where a store documents absence as a value: decorate the function, or set
    `.value` inside `with absent_as(None) as found:`.

    Parameters
    ----------
    answer
        What is documented for absence, such as None or an empty list.
    """
    return answering(answer, lambda error: TRANSLATOR.code_of(error) == StorageError.NOT_FOUND)
