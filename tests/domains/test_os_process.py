"""The domain `os.process`: starts, ends and signals, by real processes."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import errkit
from errkit import to_payload
from errkit.boundary import translating
from errkit.domains.os_process import HostProcessError, kill, process_error, to_process_error
from tests.domains.system import NOBODY, STRANGER, as_nobody, failing_child
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="each errno is had in the way of Linux")


# --- starting ---------------------------------------------------------------------------------------


def no_program(folder: Path) -> None:
    subprocess.run([folder / "missing"], check=False)


def no_folder(folder: Path) -> None:
    subprocess.run(["true"], cwd=folder / "missing", check=False)


def not_executable(folder: Path) -> None:
    (folder / "file").write_text("#!/bin/sh\n")
    subprocess.run([folder / "file"], check=False)


def no_format(folder: Path) -> None:
    (folder / "file").write_text("neither a program nor a script")
    (folder / "file").chmod(0o700)
    subprocess.run([folder / "file"], check=False)


def too_long(folder: Path) -> None:
    subprocess.run([sys.executable, "x" * 10_000_000], check=False)


def through_a_file(folder: Path) -> None:
    (folder / "file").write_text("")
    subprocess.run([folder / "file" / "program"], check=False)


def being_written(folder: Path) -> None:
    with open(folder / "file", "w") as file:
        file.write("#!/bin/sh\n")
        file.flush()
        os.chmod(folder / "file", 0o700)
        subprocess.run([folder / "file"], check=False)


def no_more_files(folder: Path) -> None:
    failing_child(
        """
import resource, subprocess
resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
subprocess.run(["true"], capture_output=True)
"""
    )


def no_more_processes(folder: Path) -> None:
    failing_child(
        f"""
import resource, subprocess
if os.geteuid() == 0:
    os.setuid({NOBODY})
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
subprocess.run(["true"])
"""
    )


STARTS: dict[Callable[[Path], None], tuple[str, bool]] = {
    no_program: ("ENOENT", False),
    no_folder: ("ENOENT", False),
    not_executable: ("EACCES", False),
    no_format: ("ENOEXEC", False),
    too_long: ("E2BIG", False),
    through_a_file: ("ENOTDIR", False),
    being_written: ("ETXTBSY", True),
    no_more_files: ("EMFILE", True),
    no_more_processes: ("EAGAIN", True),
}

UNTRIGGERED = {
    "ENFILE": "the whole machine would have to run out of open files, which no test may bring about",
    "ENOMEM": "the kernel gives memory it does not have, and ends a process before it refuses to start one",
}
"""Errnos of a start without a real trigger."""


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.__name__)
def test_a_program_that_does_not_start(start: Callable[[Path], None], tmp_path: Path) -> None:
    """Each errno of a real start gives `spawn_failed`; retryable where a moment later it may work."""
    name, retryable = STARTS[start]
    with pytest.raises(HostProcessError) as caught, translating(to_process_error, command=["prog", "-v"]):
        start(tmp_path)
    error = caught.value
    assert (error.code, error.retryable) == ("os.process.spawn_failed", retryable)
    assert dict(error.details) == {"command": "prog", "args": ["-v"], "errno": name}
    assert isinstance(error.__cause__, OSError)
    assert str(error).startswith("prog did not start: ")
    assert str(tmp_path) not in str(error)


@pytest.mark.parametrize("name", UNTRIGGERED)
def test_starts_without_a_trigger(name: str) -> None:
    """The rows that no test can bring about, with an error made by hand."""
    error = to_process_error(OSError(getattr(errno, name), "made"), command="prog")
    assert (error.code, error.retryable, error.details["errno"]) == ("os.process.spawn_failed", True, name)


def test_what_is_no_error_of_the_system_did_not_start_either() -> None:
    """An argument that no system could take, for instance."""
    with pytest.raises(HostProcessError) as caught, translating(to_process_error, command=["a\0b"]):
        subprocess.run(["a\0b"], check=False)
    assert caught.value.code == HostProcessError.SPAWN_FAILED
    assert caught.value.details_problem is None


def test_the_working_directory_is_told(tmp_path: Path) -> None:
    """It may be what is missing; where no command is given, the error names the program."""
    program = str(tmp_path / "no-such-program")
    with pytest.raises(HostProcessError) as caught, translating(to_process_error, cwd=tmp_path):
        subprocess.run([program], cwd=tmp_path, check=False)
    assert caught.value.details == {"command": program, "cwd": str(tmp_path), "errno": "ENOENT"}
    assert str(caught.value) == "no-such-program did not start: there is no such program or folder"


# --- ending -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (
            "echo out; echo warning: x >&2; echo no such cart >&2; exit 3",
            3,
            "sh exited with code 3: no such cart",
        ),
        ("exit 1", 1, "sh exited with code 1"),
        ("kill -KILL $$", -9, "sh was ended by SIGKILL"),
    ],
)
def test_a_program_that_fails(script: str, code: int, said: str) -> None:
    """`subprocess.CalledProcessError` becomes `exit_failed`: all output kept, the reason in the message."""
    with pytest.raises(HostProcessError) as caught, translating(to_process_error):
        subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    error = caught.value
    assert (error.code, str(error)) == ("os.process.exit_failed", said)
    assert error.details["exit_code"] == code
    assert error.details["args"] == ["-c", script]
    assert error.details_problem is None
    assert isinstance(error.__cause__, subprocess.CalledProcessError)


def test_a_program_that_takes_too_long() -> None:
    """`subprocess.TimeoutExpired` and a bare TimeoutError become `timed_out`, which is worth a retry."""
    reader, writer = os.pipe()
    try:
        with pytest.raises(HostProcessError) as caught, translating(to_process_error):
            subprocess.run(["cat"], stdin=reader, capture_output=True, timeout=0.01, check=False)
    finally:
        os.close(reader)
        os.close(writer)
    error = caught.value
    assert (error.code, error.retryable) == ("os.process.timed_out", True)
    assert error.details["command"] == "cat"
    assert str(error).startswith("cat did not finish within 0.0")
    assert error.details_problem is None
    waited = to_process_error(TimeoutError(), command="pg_dump shop")
    assert (waited.code, str(waited)) == ("os.process.timed_out", "pg_dump did not finish in time")


def test_process_error_keeps_everything() -> None:
    """Command, arguments, folder, exit code and both outputs; undecodable bytes are replaced."""
    error = process_error(["/usr/bin/git", "fetch"], 128, stdout=b"\xffout", stderr="fatal: no\n", cwd="/srv")
    assert str(error) == "git exited with code 128: fatal: no"
    assert dict(error.details) == {
        "command": "/usr/bin/git",
        "args": ["fetch"],
        "cwd": "/srv",
        "exit_code": 128,
        "stdout": "\ufffdout",
        "stderr": "fatal: no\n",
    }
    assert error.details_problem is None
    assert not error.public
    assert errkit.process_error is process_error


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("TOKEN=abc mysql -psecret", 1, "mysql exited with code 1"),
        ("", 1, "the process exited with code 1"),
        ([], None, "the process failed"),
        ([b"/bin/cat"], -15, "cat was ended by SIGTERM"),
        (["x"], -9999, "x was ended by 9999"),
    ],
)
def test_the_message_tells_no_arguments(command: Any, code: int | None, said: str) -> None:
    """The program's name is all that the message takes from a command line: the rest may hold secrets."""
    assert str(process_error(command, code)) == said


@every_hostile_object
def test_hostile_objects(value: Any) -> None:
    """Whatever stands where a command, an exit code or output belongs, there is an error to raise."""
    made = process_error(value, value, stdout=value, stderr=value, cwd=value)
    late = subprocess.TimeoutExpired(value, value, output=value, stderr=value)
    ended = subprocess.CalledProcessError(1, value, output=value, stderr=value)
    for error in (
        made,
        to_process_error(late),
        to_process_error(ended, command=value),
        to_process_error(value),
    ):
        assert isinstance(error, HostProcessError)
        json.dumps(to_payload(error), allow_nan=False)


def test_secrets_in_the_command_are_redacted_on_the_wire() -> None:
    """The details keep the arguments, the payload hides what looks like a password."""
    payload = to_payload(process_error(["mysql", "--password", "hunter2"], 1))
    assert payload["details"]["args"] == ["--password", "[REDACTED]"]


def test_recorded_spawn_failure() -> None:
    """agent-core's `HostProcessError`: code, details and verdict as recorded; wording is our own."""
    error = to_process_error(FileNotFoundError(errno.ENOENT, "spawn x ENOENT"), command=["x", "a"])
    payload = to_payload(error)
    assert payload["details"] == {"command": "x", "args": ["a"], "errno": "ENOENT"}
    assert (payload["code"], payload["name"]) == ("os.process.spawn_failed", "HostProcessError")
    assert (payload["retryable"], payload["cause"]["code"]) == (False, "internal")


def test_idempotent_and_open_for_cancellation() -> None:
    """As every translator."""
    error = process_error(["x"], 1)
    assert to_process_error(error) is error
    stop = KeyboardInterrupt()
    found: object = to_process_error(stop)
    assert found is stop


# --- signals ----------------------------------------------------------------------------------------


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process, and leader of its group, that lives until it is ended."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process
        process.kill()


def test_kill_ends_a_process(child: subprocess.Popen[bytes]) -> None:
    """SIGTERM unless told otherwise; the answer is that there was something to signal."""
    assert kill(child.pid) is True
    assert child.wait() == -signal.SIGTERM


def test_kill_ends_a_group(child: subprocess.Popen[bytes]) -> None:
    """A negative number is the whole group, as in kill(2)."""
    assert kill(-child.pid, signal.SIGKILL) is True
    assert child.wait() == -signal.SIGKILL


def test_a_process_that_is_gone_is_no_error(child: subprocess.Popen[bytes]) -> None:
    """`ESRCH` of a reaped child says False, and no fallback is tried."""
    child.kill()
    child.wait()
    assert kill(child.pid, fallback=lambda: 1 / 0) is False
    assert kill(-child.pid) is False


@pytest.fixture
def stranger() -> Iterator[int]:
    """The id of a process that this one may not signal."""
    if os.geteuid() != 0:
        yield 1
        return
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, user=STRANGER) as process:
        with as_nobody():
            yield process.pid
        process.kill()


def test_without_permission_the_fallback_is_used(stranger: int) -> None:
    """`EPERM` degrades to what the caller gives, mostly the `kill` of its own child."""
    called: list[str] = []
    assert kill(stranger, fallback=lambda: called.append("child.kill")) is True
    assert called == ["child.kill"]


def test_without_permission_and_fallback_it_fails(stranger: int) -> None:
    """`kill_failed` with the raw error as its cause."""
    with pytest.raises(HostProcessError) as caught:
        kill(stranger)
    error = caught.value
    assert (error.code, error.retryable) == ("os.process.kill_failed", False)
    assert dict(error.details) == {"pid": stranger, "signal": "SIGTERM", "errno": "EPERM"}
    assert isinstance(error.__cause__, PermissionError)


def test_a_fallback_may_fail_as_well(stranger: int) -> None:
    """A process that is gone by then is no error; any other failure is `kill_failed`."""

    def gone() -> None:
        raise ProcessLookupError(errno.ESRCH, "gone")

    assert kill(stranger, fallback=gone) is False
    with pytest.raises(HostProcessError, match="fallback failed") as caught:
        kill(stranger, fallback=lambda: os.kill(stranger, signal.SIGTERM))
    assert caught.value.details["errno"] == "EPERM"


@pytest.mark.parametrize(
    ("pid", "sig", "name"),
    [(os.getpid(), 9999, "EINVAL"), (10**30, signal.SIGTERM, None)],
    ids=["no such signal", "no such number"],
)
def test_what_the_system_refuses(pid: int, sig: int, name: str | None) -> None:
    """A signal or a process that can't exist."""
    with pytest.raises(HostProcessError) as caught:
        kill(pid, sig)
    assert caught.value.code == HostProcessError.KILL_FAILED
    assert caught.value.details.get("errno") == name
    assert caught.value.details_problem is None


@pytest.mark.parametrize("pid", [0, -1])
def test_no_mistake_ends_everything(pid: int) -> None:
    """0 and -1 mean the caller's own group and all processes; they never reach the system."""
    with pytest.raises(HostProcessError, match="no single process"):
        kill(pid, signal.SIGKILL)
