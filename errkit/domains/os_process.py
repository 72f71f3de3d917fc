"""Processes of the host: the domain `os.process`, what a failed one says, and a kill that knows its
tolerances.

`process_error` makes the error of a program that ran and failed; `to_process_error` translates what
`subprocess` and the system raise; `kill` sends a signal. What a line of output must look like to be quoted
is decided in `output.py`.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any, Final

from errkit.boundary import Rule, Translator, errno_name
from errkit.codes import Details, code, text_of
from errkit.domains.os_fs import named_path, path_text
from errkit.domains.output import telling_line
from errkit.errors import CodedError
from errkit.fields import is_a, items_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errkit.codes import ErrorSpec

    Word = str | bytes | os.PathLike[str] | os.PathLike[bytes]
    Command = Word | Sequence[Word]

__all__ = [
    "CommandDetails",
    "ExitDetails",
    "HostProcessError",
    "KillDetails",
    "SpawnDetails",
    "TimeoutDetails",
    "kill",
    "process_error",
    "to_process_error",
]


class CommandDetails(Details):
    """Which command it was."""

    command: str
    """The program; or the whole line, where a shell was to run it."""
    args: list[str] | None = None
    """The arguments, without the program; absent for a line that a shell was to run."""
    cwd: str | None = None
    """The folder that it ran in; absent where it was inherited."""


class SpawnDetails(CommandDetails):
    """Which command did not start."""

    errno: str | None = None
    """The platform's error by name, such as ``ENOENT``."""


class ExitDetails(CommandDetails):
    """Which command failed, and all that it said."""

    exit_code: int | None
    """The exit code; minus the number of the signal where one ended it; absent if it is not known."""
    signal: str | None = None
    """The signal that ended it, such as ``SIGKILL``."""
    stdout: str = ""
    """The whole standard output, undecodable bytes replaced."""
    stderr: str = ""
    """The whole error output, undecodable bytes replaced."""


class TimeoutDetails(CommandDetails):
    """Which command took too long, and what it said until then."""

    timeout: float | None = None
    """Seconds that it was given."""
    stdout: str = ""
    """The standard output so far."""
    stderr: str = ""
    """The error output so far."""


class KillDetails(Details):
    """Which process could not be signalled."""

    pid: int
    """The process; a negative number is a whole process group."""
    signal: str
    """The signal, such as ``SIGTERM``."""
    errno: str | None = None
    """The platform's error by name; absent if the call was refused before it reached the system."""


class HostProcessError(CodedError, domain="os.process", title="Host processes", numbers=range(12100, 12200)):
    """A process of the host did not start, failed, took too long, or could not be signalled.

    ==================================================================  ======================================
    what went wrong                                                     code
    ==================================================================  ======================================
    ``subprocess.CalledProcessError``                                   ``os.process.exit_failed``
    ``subprocess.TimeoutExpired``, ``TimeoutError``                     ``os.process.timed_out``
    start: ``EAGAIN``, ``EMFILE``, ``ENFILE``, ``ENOMEM``, ``ETXTBSY``  ``os.process.spawn_failed``, retryable
    start: any other errno                                              ``os.process.spawn_failed``
    signal: ``ESRCH``                                                   no error, the process is gone
    signal: ``EPERM`` without a fallback                                ``os.process.kill_failed``
    signal: any other errno                                             ``os.process.kill_failed``
    ==================================================================  ======================================

    Proved by real calls, except ``ENFILE`` and ``ENOMEM`` at the start: those need a machine that runs out of
    files or memory.
    """

    SPAWN_FAILED = code(
        "Process did not start",
        SpawnDetails,
        number=12101,
        hint="Check that the program is installed and executable, and that its working directory exists.",
        example={"command": "ffmpeg", "args": ["-version"], "cwd": "/srv/app", "errno": "ENOENT"},
    )
    """The system refused to start the program. With ``ENOENT`` it is not on the ``PATH`` of this process,
    or its interpreter or the working directory does not exist; with ``EACCES`` it lacks the execute bit;
    with ``ENOEXEC`` it is no program for this machine. Run ``command -v`` on it in the same environment,
    as a service often has a shorter ``PATH`` than a login shell."""

    KILL_FAILED = code(
        "Process could not be signalled",
        KillDetails,
        number=12102,
        hint="Look the process up with ``ps`` and signal it as its owner.",
        example={"pid": 48213, "signal": "SIGTERM", "errno": "EPERM"},
    )
    """A signal did not reach the process. It belongs to another user (``EPERM``), the signal does not
    exist on this platform (``EINVAL``), or the number stood for more than one process and was refused.
    That it has ended already is no failure and raises nothing, so look at the owner first: ``ps -o
    pid,user,stat,args -p PID``."""

    EXIT_FAILED = code(
        "Process failed",
        ExitDetails,
        number=12103,
        hint="Read the error output in the details, then run the command by hand in the same folder.",
        example={
            "command": "git",
            "args": ["fetch", "origin"],
            "cwd": "/srv/app",
            "exit_code": 128,
            "stdout": "",
            "stderr": "fatal: not a git repository\n",
        },
    )
    """The program ran and ended with a code that is not zero, or a signal ended it. The message quotes the
    first line of its output that tells a reason; warnings and progress are passed over, and the details
    keep everything. ``SIGKILL`` that nobody sent comes mostly from the kernel when memory runs out:
    ``dmesg`` names the victim."""

    TIMED_OUT = code(
        "Process did not finish in time",
        TimeoutDetails,
        number=12104,
        kind="transient",
        hint="Try again, or allow the command more time.",
        example={"command": "pg_dump", "args": ["shop"], "timeout": 30.0, "stdout": "", "stderr": ""},
    )
    """The program was still running when its time was up, and was ended. It may wait for a lock, a network
    peer or an answer on its terminal; give programs that ask questions ``stdin=subprocess.DEVNULL``.
    Before you repeat it, make sure that it can be repeated, since it may have done half of its work."""


# --- what failed, in details and words --------------------------------------------------------------

_BUSY: Final = ("EAGAIN", "EMFILE", "ENFILE", "ENOMEM", "ETXTBSY")
"""Errnos of a start that may succeed a moment later: a limit is reached, or the program is being written."""

_REASONS: Final = {
    "ENOENT": "there is no such program or folder",
    "EACCES": "it may not be executed",
    "EPERM": "it may not be executed",
    "ENOEXEC": "it is no program for this machine",
    "E2BIG": "its arguments are too long",
    "ENOTDIR": "its path leads through a file",
}


def _command_details(command: object) -> dict[str, Any]:
    if is_a(command, (list, tuple)):
        words = [path_text(word) or "" for word in items_of(command)]
        return {"command": words[0] if words else "", "args": words[1:]}
    return {} if command is None else {"command": path_text(command)}


def _program(details: Mapping[str, Any]) -> str:
    """The program's name for a message: no path, no arguments, no variables set before it."""
    command = text_of(details.get("command") or "")
    words = [command] if details.get("args") is not None else command.split()
    name = next((word for word in words if "=" not in word), "")
    return os.path.basename(name) or "the process"


def _text(output: object) -> str:
    if is_a(output, (bytes, bytearray, memoryview)):
        return bytes(output).decode("utf-8", "replace")
    return "" if output is None else text_of(output)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    program = _program(details)
    if spec is HostProcessError.SPAWN_FAILED.spec:
        return f"{program} did not start: {_REASONS.get(details.get('errno', ''), 'the system refused it')}"
    quote = telling_line(details.get("stderr", ""), details.get("stdout", ""), program=program)
    return f"{program} {_end(spec, details)}{': ' if quote else ''}{quote}"


def _end(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    if spec is HostProcessError.TIMED_OUT.spec:
        timeout = details.get("timeout")
        return "did not finish in time" if timeout is None else f"did not finish within {timeout:.3g} s"
    if details.get("signal"):
        return f"was ended by {details['signal']}"
    exit_code = details.get("exit_code")
    return "failed" if exit_code is None else f"exited with code {text_of(exit_code)}"


def _exit_details(error: BaseException) -> Mapping[str, Any]:
    found: Any = error
    return {
        **_command_details(found.cmd),
        **_outcome(found.returncode),
        "stdout": _text(found.stdout),
        "stderr": _text(found.stderr),
    }


def _outcome(exit_code: object) -> dict[str, Any]:
    number = int.__index__(exit_code) if is_a(exit_code, int) else None
    ended_by = _signal_name(-number) if number is not None and number < 0 else None
    return {"exit_code": exit_code if number is None else number, "signal": ended_by}


def _timeout_details(error: BaseException) -> Mapping[str, Any]:
    found: Any = error
    return {
        **_command_details(found.cmd),
        "timeout": found.timeout,
        "stdout": _text(found.stdout),
        "stderr": _text(found.stderr),
    }


def _spawn_details(error: BaseException) -> Mapping[str, Any]:
    return {"command": named_path(error), "errno": errno_name(error)}


# --- making and translating -------------------------------------------------------------------------


def process_error(
    command: Command,
    exit_code: int | None,
    *,
    stdout: str | bytes | None = None,
    stderr: str | bytes | None = None,
    cwd: str | os.PathLike[str] | None = None,
) -> HostProcessError:
    """The error of a program that ran and failed, to raise. Never raises itself.

    The message says how it ended and quotes the first line of its output that tells why. The details keep the
    command and all of its output.

    Parameters
    ----------
    command
        The program and its arguments as a sequence; or one line, where a shell ran it.
    exit_code
        How it ended: minus the number of a signal where one ended it, None if that is not known.
    stdout, stderr
        Its whole output.
    cwd
        The folder that it ran in, if that was not inherited.
    """
    details: dict[str, Any] = {
        **_command_details(command),
        "cwd": path_text(cwd),
        **_outcome(exit_code),
        "stdout": _text(stdout),
        "stderr": _text(stderr),
    }
    said: dict[str, Any] = {
        name: value for name, value in details.items() if value is not None or name == "exit_code"
    }
    return HostProcessError.EXIT_FAILED(_message(HostProcessError.EXIT_FAILED.spec, said), **said)


TRANSLATOR: Final = Translator(
    HostProcessError,
    [
        Rule(HostProcessError.EXIT_FAILED, catches="subprocess.CalledProcessError", details=_exit_details),
        Rule(HostProcessError.TIMED_OUT, catches="subprocess.TimeoutExpired", details=_timeout_details),
        Rule(HostProcessError.TIMED_OUT, catches=TimeoutError),
        Rule(HostProcessError.SPAWN_FAILED, errno=_BUSY, details=_spawn_details, retryable=True),
        Rule(HostProcessError.SPAWN_FAILED, catches=OSError, details=_spawn_details),
    ],
    fallback=HostProcessError.SPAWN_FAILED,
    message=_message,
)


def to_process_error(
    error: object, /, *, command: Command | None = None, cwd: str | os.PathLike[str] | None = None
) -> HostProcessError:
    """The error to raise for what `subprocess` or the system raised, without `from`: its cause is set.

    Never raises itself.

    Parameters
    ----------
    error
        What was caught. An error of `os.process` comes back as it is, and so does a cancellation.
    command
        The command, where the error does not name it.
    cwd
        The folder that it was to run in, if that was not inherited.
    """
    return TRANSLATOR(error, **_command_details(command), cwd=path_text(cwd))


def kill(pid: int, sig: int = signal.SIGTERM, *, fallback: Callable[[], object] | None = None) -> bool:
    """Send a signal; a process that has ended already is no error.

    Parameters
    ----------
    pid
        The process; minus the id of a process group for the whole group.
    sig
        The signal.
    fallback
        What to do instead where the system does not permit it (`EPERM`): mostly the `kill` of the `Popen`
        object, when a whole group could not be signalled.

    Returns
    -------
    bool
        Whether there was something to signal.

    Raises
    ------
    HostProcessError
        `os.process.kill_failed`: not permitted, no such signal, or a `pid` of 0 or -1. Those two mean the
        caller's own group and every process there is, and reach this function by mistake only.
    """
    try:
        if pid in (0, -1):
            raise _kill_failed(f"{pid} names no single process or group", pid, sig, None)
        os.kill(pid, sig)
    except ProcessLookupError:
        return False
    except PermissionError as error:
        if fallback is None:
            raise _kill_failed("not permitted", pid, sig, error) from error
        return _fall_back(fallback, pid, sig)
    except (OSError, OverflowError) as error:
        raise _kill_failed("the system refused it", pid, sig, error) from error
    return True


def _fall_back(fallback: Callable[[], object], pid: int, sig: int) -> bool:
    try:
        fallback()
    except ProcessLookupError:
        return False
    except OSError as error:
        raise _kill_failed("not permitted, and the fallback failed as well", pid, sig, error) from error
    return True


def _kill_failed(reason: str, pid: int, sig: int, error: Exception | None) -> HostProcessError:
    name = None if error is None else errno_name(error)
    return HostProcessError.KILL_FAILED(
        f"no signal was sent: {reason}",
        pid=pid,
        signal=_signal_name(sig),
        **({} if name is None else {"errno": name}),
    )
