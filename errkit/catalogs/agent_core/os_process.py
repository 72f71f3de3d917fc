"""Starting and stopping child processes on the host, and the search for a shell on Windows."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["HostProcessError", "KillDetails", "OsProcessError", "ShellProbeDetails", "SpawnDetails"]


class SpawnDetails(Details):
    """The command line that could not be started."""

    command: str
    """The program that was asked for."""
    args: list[str] | None = None
    """Its arguments."""
    cwd: str | None = None
    """The working directory it should have started in; absent when inherited."""
    errno: str | None = None
    """The platform's symbolic error, such as ``ENOENT`` or ``EACCES``."""


class KillDetails(Details):
    """The process that could not be signalled."""

    pid: int
    """Id of the process; the signal was sent to its whole group."""
    signal: str
    """Name of the signal, ``SIGTERM`` unless the caller chose another."""
    errno: str | None = None
    """The platform's symbolic error."""


class ShellProbeDetails(Details):
    """Where a shell was looked for."""

    checkedPaths: list[str]
    """Every ``bash.exe`` location that was tried, in order."""


class OsProcessError(AgentCoreError, domain="os_process", title="Host processes"):
    """A child process did not start or could not be stopped; the original error is always the cause.

    A command that runs and exits with a non-zero status is a result and raises nothing here.
    """

    OS_PROCESS_SPAWN_FAILED = code(
        "Process could not be started",
        SpawnDetails,
        code="os.process.spawn_failed",
        public=True,
        hint="Run `command -v` on `details.command` and check that `details.cwd` exists.",
        example={"command": "rg", "args": ["--files"], "cwd": "/srv/app", "errno": "ENOENT"},
    )
    """The operating system did not create the process. ``ENOENT`` means that the program is not on
    ``PATH`` or, less obviously, that the working directory is gone; ``EACCES`` that the file is not
    executable. Programs installed after ``kimi`` was started may need a restart of it, because a child
    inherits the ``PATH`` of that moment. Note that message and details quote the command line, secrets
    in its arguments included."""

    OS_PROCESS_KILL_FAILED = code(
        "Process could not be stopped",
        KillDetails,
        code="os.process.kill_failed",
        public=True,
        hint="Look it up with `ps -o pid,pgid,user,stat -p <pid>` and end it as its owner.",
        example={"pid": 48213, "signal": "SIGTERM", "errno": "EINVAL"},
    )
    """Signalling the process group failed for a reason that is not tolerated. A process that is gone
    already (``ESRCH``) counts as stopped, and a group that may not be signalled (``EPERM``) is narrowed
    to the child itself, so what remains is rare: a signal name that the platform does not have, for
    example. Windows never raises it, since ``taskkill`` runs there for at most five seconds and its
    outcome is not examined."""

    SHELL_GIT_BASH_NOT_FOUND = code(
        "No Git Bash on this Windows machine",
        ShellProbeDetails,
        code="shell.git_bash_not_found",
        public=True,
        hint="Install Git for Windows, or point `KIMI_SHELL_PATH` at a `bash.exe`.",
        example={"checkedPaths": ["C:\\Program Files\\Git\\bin\\bash.exe"]},
    )
    """On Windows the agent runs commands in the bash that comes with Git, and found none. It looks at
    ``KIMI_SHELL_PATH``, beside each ``git.exe`` on ``PATH``, and in the standard installation folders,
    all of which ``checkedPaths`` lists. A Git installed for one user only, or a relocated MSYS2, escapes
    that search and needs the variable. Other systems fall back to ``/bin/sh`` and never report this."""


class HostProcessError(OsProcessError):
    """The name the seed gives this domain's exception; it stands for no code, so reach one through it, as in
    ``HostProcessError.OS_PROCESS_SPAWN_FAILED(...)``.
    """
