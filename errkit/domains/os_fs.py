"""The host's file system: the domain `os.fs`, and the table that turns a platform's errno into its codes.

A file-system backend puts `translating(to_host_fs_error, path=path, op="read")` around its calls, and
raises nothing else. `exists_as` is for calls that document a plain answer where something exists already.
What a store makes of the same errors is in `storage.py`.
"""

from __future__ import annotations

import errno as errnos
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from errkit.boundary import Rule, Translator, answering, errno_name
from errkit.codes import Details, code, text_of
from errkit.errors import CodedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.boundary import Answering
    from errkit.codes import ErrorCode, ErrorSpec

__all__ = [
    "ERRNOS",
    "TRANSIENT",
    "AccessDenied",
    "HostFsError",
    "MissingFile",
    "PathDetails",
    "PathExists",
    "PathIsDirectory",
    "PathNotDirectory",
    "exists_as",
    "to_host_fs_error",
]

T = TypeVar("T")


class PathDetails(Details):
    """Where a file-system call failed."""

    path: str
    """The path as it was given; the message leaves it out."""
    op: str
    """What was tried, in the words of the caller: ``read``, ``rename``, ``remove``."""
    errno: str | None = None
    """The platform's error by name, such as ``ENOENT``; a number where it has no name."""
    syscall: str | None = None
    """The system call that failed, where the caller knows it."""


class _Attribute:
    """An attribute of `OSError`: what was set on the error, else what the details say."""

    def __init__(self, name: str, read: Callable[[HostFsError], Any]) -> None:
        self._native: Any = vars(OSError)[name]
        self._read = read

    def __get__(self, error: HostFsError | None, owner: type[HostFsError]) -> Any:
        if error is None:
            return self
        value = self._native.__get__(error)
        return self._read(error) if value is None else value

    def __set__(self, error: HostFsError, value: object) -> None:
        self._native.__set__(error, value)


class HostFsError(CodedError, OSError, domain="os.fs", title="Host file system", numbers=range(12000, 12100)):
    """A call to the host's file system failed; every backend raises these, and nothing else.

    Each is an ``OSError`` too, with ``errno``, ``filename`` and ``strerror``, and five of the codes are
    also the built-in class of old: ``except FileNotFoundError`` keeps catching what it always caught.

    ==========================================================  =============================
    errno                                                       code
    ==========================================================  =============================
    ``ENOENT``                                                  ``os.fs.not_found``
    ``EISDIR``                                                  ``os.fs.is_directory``
    ``ENOTDIR``                                                 ``os.fs.not_directory``
    ``EEXIST``                                                  ``os.fs.already_exists``
    ``EACCES``, ``EPERM``                                       ``os.fs.permission_denied``
    ``ENOTEMPTY``                                               ``os.fs.not_empty``
    ``ENOSPC``                                                  ``os.fs.disk_full``
    ``EROFS``                                                   ``os.fs.read_only``
    ``EMFILE``, ``ENFILE``                                      ``os.fs.too_many_open_files``
    ``EDQUOT``                                                  ``os.fs.quota_exceeded``
    ``ELOOP``                                                   ``os.fs.symlink_loop``
    ``ENAMETOOLONG``                                            ``os.fs.name_too_long``
    ``ETIMEDOUT``, ``ESTALE``, ``EHOSTDOWN``, ``EHOSTUNREACH``  ``os.fs.unavailable``
    ``EAGAIN``, ``EBUSY``, ``EINTR``, ``ETXTBSY``               ``os.fs.unknown``, retryable
    all others                                                  ``os.fs.unknown``
    ==========================================================  =============================

    Each row is proved by a real call, except these, which no test can make the system return at will:
    ``ENFILE`` (the whole machine would have to run out of open files), ``EDQUOT`` (needs a volume with
    quotas), ``EINTR`` (Python repeats interrupted calls itself), ``ETIMEDOUT``, ``EHOSTDOWN`` and
    ``EHOSTUNREACH`` (need a file server that goes away).
    """

    NOT_FOUND = code(
        "File or folder not found",
        PathDetails,
        number=12001,
        public=True,
        hint="Check the path, or create the file first.",
        example={"path": "/srv/app/settings.toml", "op": "read", "errno": "ENOENT", "syscall": "open"},
    )
    """Nothing has that name (``ENOENT``), or a folder on the way to it is missing. A relative path that
    starts from another working directory than you think is the usual reason; a dangling symbolic link
    gives the same answer. Print ``os.getcwd()``, then walk up ``details.path`` until a folder exists."""

    IS_DIRECTORY = code(
        "Path is a folder",
        PathDetails,
        number=12002,
        public=True,
        hint="Name a file inside the folder, or use a call that takes folders.",
        example={"path": "/srv/app/logs", "op": "write", "errno": "EISDIR", "syscall": "open"},
    )
    """The call works on files, and the path leads to a folder (``EISDIR``). Often the file name was lost
    when the path was joined, for instance because a variable was empty. Compare ``details.path`` with the
    path you meant to build."""

    NOT_DIRECTORY = code(
        "A part of the path is not a folder",
        PathDetails,
        number=12003,
        public=True,
        hint="Take the file out of the middle of the path.",
        example={"path": "/srv/app/app.log/archive", "op": "list", "errno": "ENOTDIR", "syscall": "scandir"},
    )
    """A component before the last one, or the last one of a listing, is a file (``ENOTDIR``). It happens
    when a tool was given a file where it asks for a folder and then appends names to it. ``namei -m`` on
    ``details.path`` shows which component it is."""

    ALREADY_EXISTS = code(
        "Path exists already",
        PathDetails,
        number=12004,
        public=True,
        hint="Choose another name, or decide to replace what is there.",
        example={"path": "/srv/app/releases/42", "op": "mkdir", "errno": "EEXIST", "syscall": "mkdir"},
    )
    """The call creates something new, and the name is taken (``EEXIST``). Two processes that create the
    same lock or folder at once end up here, one of them at least. Where that is expected, wrap the call in
    ``os_fs.exists_as(False)`` and treat it as an answer."""

    PERMISSION_DENIED = code(
        "No permission",
        PathDetails,
        number=12005,
        hint="Compare owner and mode of the path, and of the folders above it, with the user of the program.",
        example={"path": "/etc/shadow", "op": "read", "errno": "EACCES", "syscall": "open"},
    )
    """The system refuses the call to this user (``EACCES``), or to anybody but the owner or the superuser
    (``EPERM``). A folder without the execute bit somewhere above the file is easily missed, and so are an
    immutable flag (``lsattr``) and a security module's profile. ``sudo -u USER test -r PATH`` tries it as
    the other user."""

    NOT_EMPTY = code(
        "Folder is not empty",
        PathDetails,
        number=12006,
        public=True,
        hint="Remove what is in the folder first, hidden files included.",
        example={"path": "/srv/app/cache", "op": "remove", "errno": "ENOTEMPTY", "syscall": "rmdir"},
    )
    """A folder that still has entries can't be removed or replaced by a rename (``ENOTEMPTY``). Another
    process may have written into it after it was emptied, or a hidden file such as ``.nfs0001`` keeps it.
    List it with ``ls -A``, stop the writer, and remove it again; ``shutil.rmtree`` does both steps for a
    folder at rest."""

    UNAVAILABLE = code(
        "File system did not answer",
        PathDetails,
        number=12007,
        kind="transient",
        hint="Check that the volume is mounted and its server is reachable, then try again.",
        example={"path": "/mnt/share/report.csv", "op": "read", "errno": "ETIMEDOUT"},
    )
    """The volume behind the path is on another machine or device, and it did not serve the call: it timed
    out, its host is down, or its handle went stale after a restart of the server. A retry after some
    seconds usually works. If it goes on, ``mount`` shows which server it is, and ``dmesg`` what the kernel
    has seen of it."""

    UNKNOWN = code(
        "Unexpected file system failure",
        PathDetails,
        number=12008,
        hint="Look the errno up, and repeat the call only if the error says that it is retryable.",
        example={"path": "/srv/app/data.bin", "op": "write", "errno": "EIO", "syscall": "write"},
    )
    """The call failed with an errno that has no code of its own, or with an exception that carries none. A
    failing disk (``EIO``) and a rename across volumes (``EXDEV``) are examples, and repeating those is
    useless. For a few that pass by themselves, such as ``EBUSY``, the single error is marked as retryable;
    the raw error is its cause."""

    DISK_FULL = code(
        "No space left on the volume",
        PathDetails,
        number=12009,
        hint="Free space or inodes on the volume of the path, then repeat the call.",
        example={"path": "/var/log/app.log", "op": "write", "errno": "ENOSPC", "syscall": "write"},
    )
    """The volume has neither a free block nor, sometimes, a free inode (``ENOSPC``). Deleted files that a
    process still holds open count too, so ``df`` and ``du`` may disagree. Look at ``df -h`` and ``df -i``
    for the volume, and at ``lsof +L1`` for files that are deleted but open; what was written so far may be
    incomplete."""

    READ_ONLY = code(
        "Volume is read-only",
        PathDetails,
        number=12010,
        hint="Write to another volume, or have this one mounted for writing.",
        example={"path": "/usr/share/app/cache", "op": "mkdir", "errno": "EROFS", "syscall": "mkdir"},
    )
    """Nothing can be changed on the volume (``EROFS``), whoever asks. Images of containers are mounted
    like that on purpose; a local disk that becomes read-only at run time was switched by the kernel after
    an error. Read the options in ``findmnt -T PATH``, and ``dmesg`` if you did not expect them."""

    TOO_MANY_OPEN_FILES = code(
        "Too many open files",
        PathDetails,
        number=12011,
        kind="transient",
        hint="Close files and sockets that are no longer needed, or raise the limit shown by ``ulimit -n``.",
        example={"path": "/srv/app/data/0001.json", "op": "open", "errno": "EMFILE", "syscall": "open"},
    )
    """The process (``EMFILE``) or the machine (``ENFILE``) has used up its file descriptors; sockets and
    pipes count as well. Under a burst of work it passes as soon as others are closed. If it stays,
    something leaks: ``ls /proc/PID/fd | wc -l`` over time tells, and ``python -X dev`` warns of files that
    were never closed."""

    QUOTA_EXCEEDED = code(
        "Disk quota is used up",
        PathDetails,
        number=12012,
        hint="Delete files of this user on the volume, or ask for a larger quota.",
        example={"path": "/home/ada/build/out.o", "op": "write", "errno": "EDQUOT", "syscall": "write"},
    )
    """The volume may have room, but this user, group or project has none left in its quota (``EDQUOT``).
    Shared home folders and network storage set such limits. ``quota -s`` shows what is used and what is
    allowed; ``df`` shows nothing unusual."""

    SYMLINK_LOOP = code(
        "Symbolic links lead in a circle",
        PathDetails,
        number=12013,
        hint="Remove or correct one of the symbolic links on the path.",
        example={"path": "/srv/app/current", "op": "read", "errno": "ELOOP", "syscall": "open"},
    )
    """The path was followed through so many symbolic links that the system gave up (``ELOOP``). Nearly
    always two links point at each other, or one at itself, after a deployment replaced its target.
    ``namei`` on ``details.path`` prints each step until it repeats."""

    NAME_TOO_LONG = code(
        "Name is too long",
        PathDetails,
        number=12014,
        public=True,
        hint="Shorten the file name or the path.",
        example={
            "path": "/srv/app/uploads/a-title-of-three-hundred-letters.txt",
            "op": "write",
            "errno": "ENAMETOOLONG",
        },
    )
    """A single name has more bytes than the file system stores, mostly 255, or the whole path more than
    the system accepts (``ENAMETOOLONG``). Names made from titles, addresses or other input cause it,
    sooner in scripts where a letter takes several bytes. Cut names by their length in UTF-8, or store a
    digest."""

    if not TYPE_CHECKING:
        # To type checkers these are what `OSError` says they are.
        errno = _Attribute("errno", lambda error: _errno_number(error))  # noqa: PLW0108 (defined below)
        filename = _Attribute("filename", lambda error: error.details.get("path"))
        strerror = _Attribute("strerror", lambda error: error.spec.title)


class MissingFile(HostFsError, FileNotFoundError, of=HostFsError.NOT_FOUND, default=True):
    """`os.fs.not_found` as the `FileNotFoundError` that it always was."""


class PathIsDirectory(HostFsError, IsADirectoryError, of=HostFsError.IS_DIRECTORY, default=True):
    """`os.fs.is_directory` as the `IsADirectoryError` that it always was."""


class PathNotDirectory(HostFsError, NotADirectoryError, of=HostFsError.NOT_DIRECTORY, default=True):
    """`os.fs.not_directory` as the `NotADirectoryError` that it always was."""


class PathExists(HostFsError, FileExistsError, of=HostFsError.ALREADY_EXISTS, default=True):
    """`os.fs.already_exists` as the `FileExistsError` that it always was."""


class AccessDenied(HostFsError, PermissionError, of=HostFsError.PERMISSION_DENIED, default=True):
    """`os.fs.permission_denied` as the `PermissionError` that it always was."""


# --- from errno to code -----------------------------------------------------------------------------

ERRNOS: Final[Mapping[str, ErrorCode[..., PathDetails, HostFsError]]] = MappingProxyType(
    {
        "ENOENT": HostFsError.NOT_FOUND,
        "EISDIR": HostFsError.IS_DIRECTORY,
        "ENOTDIR": HostFsError.NOT_DIRECTORY,
        "EEXIST": HostFsError.ALREADY_EXISTS,
        "EACCES": HostFsError.PERMISSION_DENIED,
        "EPERM": HostFsError.PERMISSION_DENIED,
        "ENOTEMPTY": HostFsError.NOT_EMPTY,
        "ENOSPC": HostFsError.DISK_FULL,
        "EROFS": HostFsError.READ_ONLY,
        "EMFILE": HostFsError.TOO_MANY_OPEN_FILES,
        "ENFILE": HostFsError.TOO_MANY_OPEN_FILES,
        "EDQUOT": HostFsError.QUOTA_EXCEEDED,
        "ELOOP": HostFsError.SYMLINK_LOOP,
        "ENAMETOOLONG": HostFsError.NAME_TOO_LONG,
        "ETIMEDOUT": HostFsError.UNAVAILABLE,
        "ESTALE": HostFsError.UNAVAILABLE,
        "EHOSTDOWN": HostFsError.UNAVAILABLE,
        "EHOSTUNREACH": HostFsError.UNAVAILABLE,
    }
)
"""Each errno that has a code; all others are `os.fs.unknown`."""

TRANSIENT: Final = frozenset({"EAGAIN", "EBUSY", "EINTR", "ETXTBSY"})
"""Errnos without a code after which the same call may succeed: somebody else is using the thing just now,
or a signal came in between. `os.fs.unknown` is retryable for these alone."""

_BUILT_IN: Final[tuple[tuple[type[OSError], ErrorCode[..., PathDetails, HostFsError]], ...]] = (
    (FileNotFoundError, HostFsError.NOT_FOUND),
    (IsADirectoryError, HostFsError.IS_DIRECTORY),
    (NotADirectoryError, HostFsError.NOT_DIRECTORY),
    (FileExistsError, HostFsError.ALREADY_EXISTS),
    (PermissionError, HostFsError.PERMISSION_DENIED),
    (TimeoutError, HostFsError.UNAVAILABLE),
)
"""Built-in classes that a library may raise itself, without an errno."""


def _errno_number(error: HostFsError) -> int | None:
    """The errno in the details; where a throw site gave none, the one that the code stands for."""
    name = error.details.get("errno") or next(
        (name for name, found in ERRNOS.items() if found == error.code), ""
    )
    number: int | None = getattr(errnos, name, None) if isinstance(name, str) else None
    return number


def _facts_of(error: BaseException) -> Mapping[str, Any]:
    return {"path": named_path(error), "errno": errno_name(error)}


def named_path(error: object) -> str:
    """The path that an error of the system names, or the empty text."""
    return path_text(error.filename) or "" if isinstance(error, OSError) else ""


def path_text(path: object) -> str | None:
    """A path as text, of whatever kind it is; a file descriptor by its number."""
    if path is None:
        return None
    try:
        return text_of(os.fsdecode(path))  # type: ignore[arg-type]
    except Exception:
        return text_of(path)


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    return f"{details['op']} failed: {spec.title[0].lower()}{spec.title[1:]}"


TRANSLATOR: Final = Translator(
    HostFsError,
    [
        *(Rule(found, errno=name) for name, found in ERRNOS.items()),
        Rule(HostFsError.UNKNOWN, errno=TRANSIENT, retryable=True),
        *(Rule(found, catches=cls) for cls, found in _BUILT_IN),
    ],
    fallback=HostFsError.UNKNOWN,
    details=_facts_of,
    message=_message,
)


def to_host_fs_error(
    error: object,
    /,
    *,
    op: str,
    path: str | bytes | int | os.PathLike[Any] | None = None,
    syscall: str | None = None,
) -> HostFsError:
    """The error to raise for a failed file-system call, without `from`: its cause is set. Never raises.

    Parameters
    ----------
    error
        What was caught. An error of `os.fs` comes back as it is, and so does a cancellation.
    op
        What was tried, such as `read`.
    path
        What it was tried on; where it is not given, the path that the error names.
    syscall
        The system call, if known.
    """
    return TRANSLATOR(error, path=path_text(path), op=op, syscall=syscall)


def exists_as(answer: T) -> Answering[T]:
    """Answers a failure because something exists already with `answer`; all other failures go on.

    For exclusive creation, where losing the race is no error: decorate the function, or set `.value` inside
    `with exists_as(False) as created:`.

    Parameters
    ----------
    answer
        What is documented for that case, mostly False.
    """
    return answering(answer, lambda error: TRANSLATOR.code_of(error) == HostFsError.ALREADY_EXISTS)
