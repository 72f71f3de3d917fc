"""Reading and writing the agent's own data: session logs, documents and other files under its data root."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = [
    "AppendLogCorruptedError",
    "CorruptedEntryDetails",
    "DecodeDetails",
    "StorageError",
    "StorageIoDetails",
]


class StorageIoDetails(Details):
    """Which file of the store an operation failed on."""

    path: str
    """The file or folder behind the stored value."""
    op: str
    """The storage operation: ``read``, ``write``, ``append``, ``list`` or ``delete``."""
    errno: str | None = None
    """The platform's symbolic error, such as ``ENOSPC``; absent when there was none."""


class DecodeDetails(Details):
    """Which document could not be parsed, and as what."""

    scope: str
    """Folder of the document, relative to the data root."""
    key: str
    """File name of the document."""
    format: str
    """The format it was expected in, such as ``json`` or ``toml``."""


class CorruptedEntryDetails(Details):
    """Where in the store the damage was met."""

    scope: str
    """Folder of the log, relative to the data root."""
    key: str
    """File name of the log."""
    lineNumber: int | None = None
    """First line that is not valid, counted from 1; absent when the log's header is at fault."""


class StorageError(AgentCoreError, domain="storage", title="Agent data store"):
    """The agent's data root (``KIMI_CODE_HOME``, by default ``~/.kimi-code``) could not be read or written.

    A value that is simply not there is an answer and not an error: reading gives nothing, listing gives
    an empty list. What is left is translated from the errno, with the raw error as the cause.
    """

    STORAGE_NOT_FOUND = code(
        "Storage folder vanished",
        StorageIoDetails,
        code="storage.not_found",
        public=True,
        hint="Check that `KIMI_CODE_HOME` still exists and is not being cleaned while `kimi` runs.",
        example={
            "path": "/home/ada/.kimi-code/sessions/wd_app_0a1b/session_7d0c/state.json",
            "op": "write",
            "errno": "ENOENT",
        },
    )
    """A write or append got ``ENOENT`` where absence makes no sense, because the folder had just been
    made. Something else removed it in between: a clean-up of ``sessions/``, a synchronising tool, an
    unmounted home directory. Restore or remount the data root and resume the session; what was already
    written elsewhere is untouched."""

    STORAGE_DECODE_FAILED = code(
        "Stored document does not parse",
        DecodeDetails,
        code="storage.decode_failed",
        public=True,
        hint="Open the file named by `scope` and `key` under the data root and repair or move it.",
        example={"scope": "sessions/wd_app_0a1b2c3d4e5f/session_7d0c", "key": "state.json", "format": "json"},
    )
    """A stored document was read in full but is not valid in its format. Documents are replaced
    atomically, so a crash seldom leaves half of one; an edit by hand, or a merge conflict in a
    synchronised home folder, is the likelier origin. The file is ``<data root>/<scope>/<key>``: check a
    ``json`` one with ``python3 -m json.tool`` and move it aside if it is past repair."""

    STORAGE_CORRUPTED = code(
        "Stored log is damaged",
        CorruptedEntryDetails,
        code="storage.corrupted",
        public=True,
        hint="Copy the log, then inspect the line that `lineNumber` names.",
        example={"scope": "sessions/wd_app/session_7d0c/agents/main", "key": "wire.jsonl", "lineNumber": 318},
    )
    """A line inside an append-only log, or the header record of an agent's ``wire.jsonl``, is not what
    it must be. A torn last line is the normal trace of a crash and is dropped in silence; damage further
    up means that the file was edited, truncated and continued, or hit by a failing disk. The session
    cannot be restored past that point, so keep a copy, remove the broken line if what it held is
    expendable, and resume."""

    STORAGE_IO_FAILED = code(
        "Storage operation failed",
        StorageIoDetails,
        code="storage.io_failed",
        kind="transient",
        public=True,
        hint="Read `details.errno`, and repeat only for errors that pass, such as `EBUSY`.",
        example={"path": "/home/ada/.kimi-code/session_index.jsonl", "op": "append", "errno": "EIO"},
    )
    """The data root answered with an errno that has no code of its own. All of them count as retryable
    here, the hopeless ones too: a read-only mount (``EROFS``), a used-up quota (``EDQUOT``) and a folder
    in a file's place (``EISDIR``) fail until somebody acts. A translated host error passed in as well
    ends here whatever it was, with its code in place of the errno. Look at ``mount`` and ``quota``
    before letting a loop repeat the write."""

    STORAGE_LOCKED = code(
        "Storage is held by another process",
        code="storage.locked",
        kind="transient",
        public=True,
        hint="Close the other `kimi` that uses the same `KIMI_CODE_HOME`, or wait for it to finish.",
    )
    """Reserved for a store that one process holds exclusively. Nothing in the core raises it today: the
    session index is a database that several processes share, and waiting too long for one of its shards
    is a passing lock error of that database instead. A client that does receive it should go on without
    the index and warn once; ``ps`` shows whether a second agent is running on the same data root."""

    STORAGE_PERMISSION_DENIED = code(
        "No permission on the storage folder",
        StorageIoDetails,
        code="storage.permission_denied",
        public=True,
        hint="Give the data root back to its user, as with `chown -R $(id -u) ~/.kimi-code`.",
        example={"path": "/home/ada/.kimi-code/credentials/kimi.json", "op": "write", "errno": "EACCES"},
    )
    """The agent may not read or write its own data (``EACCES`` or ``EPERM``). One run under ``sudo`` is
    enough to leave files owned by root behind, and the ``credentials`` folder is closed to all but its
    owner by design. ``ls -ld`` on ``details.path`` shows the owner; correct it there rather than widen
    the mode."""

    STORAGE_DISK_FULL = code(
        "No space left for agent data",
        StorageIoDetails,
        code="storage.disk_full",
        public=True,
        hint="Free space on the volume of the data root (`df -h ~/.kimi-code`), then repeat what was lost.",
        example={"path": "/home/ada/.kimi-code/logs/kimi-code.log", "op": "append", "errno": "ENOSPC"},
    )
    """The volume is out of space or inodes (``ENOSPC``), so the last record was not stored. ``sessions``
    and ``logs`` are what grows under the data root; old sessions can be deleted, or everything moved to
    a larger volume by setting ``KIMI_CODE_HOME``. An exceeded user quota looks the same to you but
    reports ``EDQUOT`` and appears as ``storage.io_failed``."""


class AppendLogCorruptedError(StorageError, of=StorageError.STORAGE_CORRUPTED):
    """A line of an append-only log, not the last one, does not parse; ``lineNumber`` says which."""
