"""File requests of clients within a workspace: listing, reading, searching, and the state of its Git
repository.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, Reason, code

__all__ = [
    "EscapeDetails",
    "FsError",
    "GitDetails",
    "HostFolderNotFoundError",
    "HostFolderPermissionError",
    "SizeDetails",
    "WorkspacePathDetails",
]


class WorkspacePathDetails(Details):
    """Which path of the request was at fault."""

    path: str
    """The path as the client sent it, relative to the workspace, or absolute from the folder picker."""


class EscapeDetails(Details):
    """Which path was refused, and by which rule."""

    path: str
    """The refused path."""
    op: str | None = None
    """What was to be done there (``read``, ``write``, ``execute``), when a tool or terminal asked."""
    reason: str | None = None
    """The rule it broke, when a file request asked; see the reasons of the code."""


class SizeDetails(Details):
    """Which file was too large, and how large it is."""

    path: str
    """The file, relative to the workspace."""
    size: int
    """Its size in bytes."""


class GitDetails(Details):
    """What Git had to say about the folder."""

    cwd: str
    """The workspace folder in which ``git`` was run."""
    detail: str
    """First-hand reason: Git's stderr, or its exit status when it wrote none."""


class FsError(AgentCoreError, domain="fs", title="Workspace files"):
    """A client's request for files of a workspace was refused or could not be answered.

    These guard the file routes of the server (``/api/v1/sessions/<id>/fs:...``), the folder picker and
    the working directory of terminals. Other failures of the disk pass through as ``os.fs.*``.
    """

    FS_PATH_NOT_FOUND = code(
        "Path not found in the workspace",
        WorkspacePathDetails,
        code="fs.path_not_found",
        public=True,
        hint="List the parent with `fs:list` and correct the path.",
        example={"path": "src/main.ts"},
    )
    """The path, or for a new folder its parent, does not exist in the workspace. Listing a plain file is
    answered the same way, and so is a path that runs through one, because the client gains nothing from
    the difference. If the file was there a moment ago, a checkout or build has moved it: refresh the
    listing before asking again."""

    FS_PERMISSION_DENIED = code(
        "Folder may not be opened",
        WorkspacePathDetails,
        code="fs.permission_denied",
        public=True,
        hint="Pick a folder that the user running `kimi` can read, or change its mode.",
        example={"path": "/root"},
    )
    """The folder picker was sent into a folder that the operating system keeps closed to the server's
    user. Home folders of other users are the typical find, and a server started by a service manager
    often runs as somebody with fewer rights than you have. Compare ``ls -ld`` on the folder with the
    user that ``ps`` shows for the server."""

    FS_PATH_ESCAPES = code(
        "Path leaves the workspace",
        EscapeDetails,
        code="fs.path_escapes",
        public=True,
        hint="Give a path relative to the workspace, or add the folder with `/add-dir` first.",
        reasons={
            "empty": Reason(title="Path is empty or the root", hint="Use `.` for the workspace itself."),
            "absolute": Reason(title="Path is absolute", hint="Send it relative to the workspace."),
            "dotdot_segment": Reason(
                title="Path contains a .. segment", hint="Resolve the path before you send it."
            ),
            "resolved_outside": Reason(
                title="Path resolves to a place outside", hint="Add that place as a workspace directory."
            ),
        },
        example={"path": "../secrets/.env", "reason": "dotdot_segment"},
    )
    """The path does not stay within the workspace and its additional directories. File requests are
    strict: an absolute path and any ``..`` are refused even where they would lead back inside. A
    terminal's working directory is judged only by where it ends up, and then ``details.op`` says what
    was to be done. Folders the session really needs can be added with ``/add-dir`` or ``kimi --add-dir
    <dir>``."""

    FS_IS_DIRECTORY = code(
        "Workspace path is a folder",
        WorkspacePathDetails,
        code="fs.is_directory",
        public=True,
        hint="Use `fs:list` for a folder, and `fs:read` only for a file.",
        example={"path": "src"},
    )
    """A folder was to be read or downloaded as if it were a file. In a file tree this follows a stale
    entry: the file was replaced by a folder of the same name since the tree was drawn. ``fs:stat`` tells
    the kind of an entry without reading it."""

    FS_IS_BINARY = code(
        "File is not text",
        WorkspacePathDetails,
        code="fs.is_binary",
        public=True,
        hint="Request the file with encoding `auto` or `base64`, or download it.",
        example={"path": "assets/logo.png"},
    )
    """The request insisted on ``utf-8``, and the first bytes of the file do not look like text. Images
    and archives are meant, but a log with one stray NUL byte is judged the same. ``auto`` sends such
    files as base64 and marks them with ``is_binary``; ``file <path>`` on the host shows what the content
    is taken for."""

    FS_TOO_LARGE = code(
        "File exceeds the read limit",
        SizeDetails,
        code="fs.too_large",
        public=True,
        hint="Download the file instead of reading it, or search it with `fs:grep`.",
        example={"path": "data/events.ndjson", "size": 48210331},
    )
    """The file is larger than the 10 MiB that a read request serves. The whole file is measured, not the
    part that was asked for, so a small ``length`` at some ``offset`` does not help. Generated bundles
    and data dumps are the usual finds; ``size`` in the details is in bytes."""

    FS_ALREADY_EXISTS = code(
        "Workspace path already exists",
        WorkspacePathDetails,
        code="fs.already_exists",
        public=True,
        hint="Pass `recursive` to `fs:mkdir` if an existing folder is fine, or choose another name.",
        example={"path": "docs"},
    )
    """A new folder was to be made where a file or folder of that name stands. On a file system that
    ignores case, as macOS and Windows have by default, ``Docs`` is taken when ``docs`` exists.
    ``fs:stat`` on the path shows what is there."""

    FS_TOO_MANY_RESULTS = code(
        "Too many results",
        code="fs.too_many_results",
        public=True,
        hint="Narrow the request with `include_globs` or a deeper `path`.",
    )
    """The answer would hold more entries than a request may return. Listing, searching and grepping do
    not raise it at present: they cut the answer at their limit (500 hits for a search) and set
    ``truncated``, which is what a client should look at. The code stays reserved and keeps its number
    41303 on the HTTP interface."""

    FS_GREP_TIMEOUT = code(
        "Workspace search took too long",
        code="fs.grep_timeout",
        public=True,
        hint="Limit the search with `include_globs`, and check that `rg` is found on `PATH`.",
    )
    """Thirty seconds passed and the search had not got through a single file. Partial results are never
    thrown away: with even one file searched they are returned as ``truncated``. So an error means that
    nothing could be read in time, as on a network mount, or in a huge tree walked without ripgrep, for
    which the agent falls back to a slower search of its own when neither ``PATH`` nor ``bin/rg`` in the
    data root has it."""

    FS_GIT_UNAVAILABLE = code(
        "No Git repository to ask",
        GitDetails,
        code="fs.git_unavailable",
        public=True,
        hint="Run `git status` in `details.cwd` and clear up what it reports.",
        example={"cwd": "/srv/app", "detail": "fatal: not a git repository"},
    )
    """The Git state of the workspace was asked for, and ``git rev-parse`` or ``git status`` did not
    succeed there. Most folders this happens in are no repository at all, which is no fault; otherwise
    Git is not installed, or refuses a repository of another owner (``safe.directory``). ``detail``
    repeats Git's own words."""


class HostFolderNotFoundError(FsError, of=FsError.FS_PATH_NOT_FOUND):
    """The folder picker was pointed at a folder that does not exist."""


class HostFolderPermissionError(FsError, of=FsError.FS_PERMISSION_DENIED):
    """The folder picker was pointed at a folder that may not be read."""
