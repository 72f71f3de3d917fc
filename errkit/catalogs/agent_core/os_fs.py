"""Calls to the host's file system, translated from the platform's errno at the backend's edge."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["HostFsError", "HostPathDetails", "OsFsError"]


class HostPathDetails(Details):
    """Which file-system call failed, and on what."""

    path: str
    """The path the agent asked for; the message leaves it out on purpose."""
    op: str
    """The operation, such as ``read``, ``readdir`` or ``mkdir``."""
    errno: str | None = None
    """The platform's symbolic error, such as ``ENOENT``; absent when the backend gave none."""
    syscall: str | None = None
    """The system call that returned it, such as ``open``."""


class OsFsError(AgentCoreError, domain="os_fs", title="Host file system"):
    """Every host file-system backend raises these and nothing else, with the original error as the cause.

    Six errno groups have a code; the rest share ``os.fs.unknown``. Where a method documents a plain
    answer for a failure, as exclusive creation does for an existing file, that answer is given and no
    error is raised.
    """

    OS_FS_NOT_FOUND = code(
        "Host path does not exist",
        HostPathDetails,
        code="os.fs.not_found",
        public=True,
        hint="Look at `details.path`, and create its missing parent folder or correct the spelling.",
        example={"path": "/srv/app/notes.txt", "op": "read", "errno": "ENOENT", "syscall": "open"},
    )
    """The operating system answered ``ENOENT``: the file, or a folder on the way to it, is not there. In
    an agent's work this is mostly a relative path resolved against another working directory than the
    one in mind, or a symbolic link whose target is gone. List the parent with ``ls -la`` to see how far
    the path does exist."""

    OS_FS_IS_DIRECTORY = code(
        "Host path is a folder",
        HostPathDetails,
        code="os.fs.is_directory",
        public=True,
        hint="Name a file inside the folder, or use a listing operation on the folder itself.",
        example={"path": "/srv/app/src", "op": "read", "errno": "EISDIR", "syscall": "read"},
    )
    """A file operation met a folder, and the system answered ``EISDIR``. Reading ``src`` instead of
    ``src/index.ts`` does it, and so does writing to a path where a folder of that name was created
    earlier. Decide from ``details.op`` whether the path or the operation is the mistake."""

    OS_FS_NOT_DIRECTORY = code(
        "Part of the host path is not a folder",
        HostPathDetails,
        code="os.fs.not_directory",
        public=True,
        hint="Find the component of `details.path` that is a plain file and take it out of the path.",
        example={"path": "/srv/app/main.ts/lib", "op": "readdir", "errno": "ENOTDIR", "syscall": "scandir"},
    )
    """Somewhere along the path stands a file where a folder was needed, which the system reports as
    ``ENOTDIR``. Usual ways to get there are listing a file, or joining a file name onto another file's
    path. Check the components from left to right with ``file`` or ``ls -ld``; workspace calls fold this
    case into ``fs.path_not_found``."""

    OS_FS_ALREADY_EXISTS = code(
        "Host path already exists",
        HostPathDetails,
        code="os.fs.already_exists",
        public=True,
        hint="Choose another name, or remove what already stands at `details.path`.",
        example={"path": "/srv/app/build", "op": "mkdir", "errno": "EEXIST", "syscall": "mkdir"},
    )
    """Something of that name is already there (``EEXIST``), for instance a folder made by an earlier run
    when ``mkdir`` is called without ``recursive``. Exclusive creation does not raise it: it reports
    false, so that two processes can compete for a file without exceptions. See with ``ls -ld`` what
    holds the name before removing it."""

    OS_FS_PERMISSION_DENIED = code(
        "Host file system denied access",
        HostPathDetails,
        code="os.fs.permission_denied",
        public=True,
        hint="Compare owner and mode of `details.path` (`ls -ld`) with the user that runs `kimi`.",
        example={"path": "/etc/shadow", "op": "read", "errno": "EACCES", "syscall": "open"},
    )
    """The system refused the call with ``EACCES`` or ``EPERM``. A file owned by another user, a folder
    without the search bit anywhere above it, and on macOS a folder the terminal has no privacy
    permission for all end here. Raising the agent's own permission mode changes nothing, since the
    refusal comes from outside; the mode of the file, or the user that runs ``kimi``, has to change."""

    OS_FS_NOT_EMPTY = code(
        "Host folder is not empty",
        HostPathDetails,
        code="os.fs.not_empty",
        public=True,
        hint="Empty the folder first, or ask for its recursive removal.",
        example={"path": "/srv/app/dist", "op": "remove", "errno": "ENOTEMPTY", "syscall": "rmdir"},
    )
    """A folder was to be removed or replaced while it still had entries, and the system said
    ``ENOTEMPTY``. Hidden files are easily overlooked, and a watcher or build that is still running may
    put new ones in faster than they are deleted. ``ls -A`` on ``details.path`` shows what is left."""

    OS_FS_UNAVAILABLE = code(
        "Host file system is unavailable",
        HostPathDetails,
        code="os.fs.unavailable",
        kind="transient",
        public=True,
        hint="Check `ulimit -n` and that the volume is mounted, then repeat the operation.",
        example={"path": "/mnt/share/project", "op": "readdir"},
    )
    """The file system as a whole could not serve the call: descriptors are used up, a watch is not
    supported, a volume does not answer. No errno is translated to it; a backend has to say it itself,
    which makes it the one trustworthy sign of an outage. Agent files show what it is for: while it
    lasts, their discovery keeps the set it found before rather than replace it by half a scan."""

    OS_FS_UNKNOWN = code(
        "Unclassified host file system failure",
        HostPathDetails,
        code="os.fs.unknown",
        kind="transient",
        public=True,
        hint="Decide by `details.errno` whether repeating makes sense, for the code alone does not say.",
        example={"path": "/srv/app/out.bin", "op": "write", "errno": "EIO", "syscall": "write"},
    )
    """The errno has no code of its own, or the backend gave none. It is flagged retryable for all of
    them, so treat the flag with care: a full disk (``ENOSPC``), a read-only volume (``EROFS``), a
    symlink loop (``ELOOP``) or a name that is too long (``ENAMETOOLONG``) will fail the same way next
    time, while ``EBUSY`` or ``EMFILE`` may pass. ``df -h`` and ``mount`` settle the first two."""


class HostFsError(OsFsError):
    """The name the seed gives this domain's exception; it stands for no code, so reach one through it, as in
    ``HostFsError.OS_FS_NOT_FOUND(...)``.
    """
