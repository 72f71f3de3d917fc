"""The domain `os.fs`: each errno by a real call, the built-in classes of old, and the recorded cases."""

from __future__ import annotations

import asyncio
import copy
import errno
import os
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from errkit import UserCancelled, from_payload, to_payload
from errkit.boundary import translating
from errkit.domains import os_fs
from errkit.domains.os_fs import ERRNOS, TRANSIENT, HostFsError, MissingFile, exists_as, to_host_fs_error
from errkit.domains.storage import StorageError, to_storage_error
from errkit.prose import domain_prose
from tests.domains.system import TRIGGERS, UNTRIGGERED, raised

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="each errno is had in the way of Linux")

ROWS = {**{name: str(code) for name, code in ERRNOS.items()}, **dict.fromkeys(TRANSIENT, "os.fs.unknown")}
"""The whole table: every errno that it names, with its code."""

BUILT_IN: dict[str, type[OSError]] = {
    "os.fs.not_found": FileNotFoundError,
    "os.fs.is_directory": IsADirectoryError,
    "os.fs.not_directory": NotADirectoryError,
    "os.fs.already_exists": FileExistsError,
    "os.fs.permission_denied": PermissionError,
}


# --- the table of errnos ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(ROWS))
def test_each_errno_gets_its_code(name: str, tmp_path: Path) -> None:
    """A real failure of the system, where there is one, gets the code of its row, and stays the cause."""
    original = raised(name, tmp_path)
    with pytest.raises(HostFsError) as caught, translating(to_host_fs_error, path="/given", op="try"):
        raise original
    error = caught.value
    assert error.code == ROWS[name]
    assert error.__cause__ is original
    assert dict(error.details) == {"path": "/given", "op": "try", "errno": name}
    assert error.details_problem is None
    assert isinstance(error, BUILT_IN.get(error.code, OSError))
    assert (error.errno, error.filename) == (original.errno, "/given")


@pytest.mark.parametrize("name", ["EIO", "EINVAL"])
def test_an_errno_without_a_row_is_unknown_and_terminal(name: str, tmp_path: Path) -> None:
    """What the table does not name is `os.fs.unknown`, and is not worth a retry."""
    error = to_host_fs_error(raised(name, tmp_path), path=tmp_path, op="read")
    assert (error.code, error.retryable, error.details["errno"]) == ("os.fs.unknown", False, name)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_only_stated_errnos_are_retryable(name: str) -> None:
    """A full or read-only disk is no reason to try again (the original called all unknown ones retryable)."""
    error = to_host_fs_error(OSError(getattr(errno, name), "made"), op="write")
    passing = {"EMFILE", "ENFILE", "ETIMEDOUT", "ESTALE", "EHOSTDOWN", "EHOSTUNREACH", *TRANSIENT}
    assert error.retryable == (name in passing)


def test_every_row_has_a_trigger_or_a_reason() -> None:
    """No row of the table is without a real call, but those that are listed with their reasons."""
    assert set(ROWS) - set(TRIGGERS) == set(UNTRIGGERED)
    assert all(len(reason.split()) > 4 for reason in UNTRIGGERED.values())


def test_the_prose_shows_the_whole_table() -> None:
    """The domain's page has each row, and names the rows that are not proved by a real call."""
    assert HostFsError.__domain__ is not None
    prose = domain_prose(HostFsError.__domain__)
    assert prose is not None
    table, _, rest = prose.text.rpartition("====\n")
    for name, code in ROWS.items():
        row = next(line for line in table.splitlines() if f"``{name}``" in line)
        assert f"``{code}``" in row
    assert {name for name in ROWS if f"``{name}``" in rest} == set(UNTRIGGERED)


# --- built-in classes -------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "built_in"), BUILT_IN.items())
def test_old_except_clauses_stay_alive(code: str, built_in: type[OSError]) -> None:
    """A code that had a built-in class builds an instance of it, also after a pickle, a copy and the wire."""
    constant = code.rpartition(".")[2].upper()
    error = getattr(HostFsError, constant)("gone", path="/a", op="read")
    for twin in (
        error,
        copy.copy(error),
        pickle.loads(pickle.dumps(error)),
        from_payload(to_payload(error)),
        to_host_fs_error(built_in("raised without an errno"), op="read"),
    ):
        assert isinstance(twin, built_in)
        assert isinstance(twin, HostFsError)
        assert twin.code == code
        assert errno.errorcode[twin.errno or 0] in {name for name, found in ERRNOS.items() if found == code}


def test_every_error_is_an_os_error() -> None:
    """`except OSError` catches all codes of the domain: callers of a backend need not change."""
    assert HostFsError.__domain__ is not None
    codes = [getattr(HostFsError, spec.const) for spec in HostFsError.__domain__.codes]
    assert all(isinstance(code("x", path="/a", op="b"), OSError) for code in codes)


def test_attributes_of_os_error_come_from_the_details() -> None:
    """`errno`, `filename` and `strerror` are there as on a raw `OSError`, and may be set like those."""
    error = HostFsError.PERMISSION_DENIED("no", path="/etc/shadow", op="read", errno="EPERM")
    assert (error.errno, error.filename, error.strerror) == (errno.EPERM, "/etc/shadow", "No permission")
    assert HostFsError.UNKNOWN("x", path="/a", op="b", errno="ENOTHING").errno is None
    assert HostFsError.UNKNOWN("x", path="/a", op="b").errno is None
    error.filename = "/other"
    assert (error.filename, error.details["path"]) == ("/other", "/etc/shadow")
    assert pickle.loads(pickle.dumps(error)).filename == "/other"


# --- the function -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/a", "/a"), (b"/b\xff", "/b\udcff"), (7, "7"), (None, "/named"), (object, "<class 'object'>")],
)
def test_a_path_may_be_of_any_kind(path: Any, shown: str) -> None:
    """Text, bytes, a descriptor; where none is given, the one that the error names."""
    error = to_host_fs_error(OSError(errno.EIO, "x", "/named"), path=path, op="read")
    assert error.details["path"] == shown
    assert isinstance(to_payload(error)["details"]["path"], str)


def test_the_message_is_readable_and_tells_no_path() -> None:
    """It says what was tried and why it failed; paths are in the details, foreign words in the cause."""
    error = to_host_fs_error(OSError(errno.EACCES, "secret words", "/secret/path"), op="read", syscall="open")
    assert str(error) == "read failed: no permission"
    assert error.details["syscall"] == "open"


def test_type_checkers_know_the_context() -> None:
    """A call without `op` does not type-check; at run time the original error goes on."""
    boundary = translating(to_host_fs_error, path="/a")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    with pytest.raises(OSError, match="raw") as caught, boundary:
        raise OSError("raw")
    assert type(caught.value) is OSError


def test_exclusive_creation_answers_instead_of_raising(tmp_path: Path) -> None:
    """Of many threads that create the same file at once one gets True, the others False, nobody an error."""
    ready = threading.Barrier(8)

    @exists_as(False)
    def create() -> bool:
        ready.wait()
        os.close(os.open(tmp_path / "lock", os.O_CREAT | os.O_EXCL))
        return True

    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(create())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 7 + [True]


def test_exists_as_knows_translated_errors_and_no_others(tmp_path: Path) -> None:
    """It answers `EEXIST` however it was wrapped since; every other failure goes on."""
    for order in (1, 2):
        with exists_as(order) as answer, translating(to_host_fs_error, op="mkdir"):
            os.mkdir(tmp_path)
            answer.value = "made"
        assert answer.value == order
    with exists_as(0) as answer:
        raise HostFsError.ALREADY_EXISTS("by hand", path="/a", op="b")
    assert answer.value == 0
    with pytest.raises(FileNotFoundError), exists_as(False):
        os.mkdir(tmp_path / "missing" / "sub")


# --- recorded cases ---------------------------------------------------------------------------------

CONTEXT: dict[str, Any] = {"path": "/x/y.txt", "op": "read", "syscall": "open"}

RECORDED: dict[str, str] = {
    "ENOENT": "os.fs.not_found",
    "EISDIR": "os.fs.is_directory",
    "ENOTDIR": "os.fs.not_directory",
    "EACCES": "os.fs.permission_denied",
    "ENOTEMPTY": "os.fs.not_empty",
    "EIO": "os.fs.unknown",
    "ENOSPC": "os.fs.unknown",
    "EMFILE": "os.fs.unknown",
    "ELOOP": "os.fs.unknown",
    "EROFS": "os.fs.unknown",
    "ENAMETOOLONG": "os.fs.unknown",
    "EXDEV": "os.fs.unknown",
}
"""What agent-core's `toHostFsError` was recorded to give."""

DIFFERENT: dict[str, tuple[str, str]] = {
    "ENOSPC": ("os.fs.disk_full", "a full disk is a failure mode of its own, and no retry helps"),
    "EMFILE": ("os.fs.too_many_open_files", "what to do about it differs from every other failure"),
    "ELOOP": ("os.fs.symlink_loop", "it never passes by itself, and one knows what to correct"),
    "EROFS": ("os.fs.read_only", "calling a read-only disk retryable makes loops that never end"),
    "ENAMETOOLONG": ("os.fs.name_too_long", "the caller can shorten the name"),
}
"""Where errkit gives another code on purpose, and why."""


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_errnos(name: str) -> None:
    """Code and details are as recorded, but for the listed differences; the cause is the original error."""
    original = OSError(getattr(errno, name), "mock failure")
    error = to_host_fs_error(original, **CONTEXT)
    expected, reason = DIFFERENT.get(name, (RECORDED[name], "as recorded"))
    assert error.code == expected, reason
    assert dict(error.details) == {"path": "/x/y.txt", "op": "read", "errno": name, "syscall": "open"}
    assert error.__cause__ is original


@pytest.mark.parametrize("original", [OSError("boom"), RuntimeError("boom"), "not an error", None])
def test_recorded_errors_without_an_errno(original: object) -> None:
    """They are unknown, without an errno. What is no exception can't be the cause in Python."""
    error = to_host_fs_error(original, path="/x/y.txt", op="read")
    assert (error.code, dict(error.details)) == ("os.fs.unknown", {"path": "/x/y.txt", "op": "read"})
    assert error.__cause__ is (original if isinstance(original, Exception) else None)


def test_recorded_errno_that_nobody_knows() -> None:
    """An errno that the platform has no name for is kept as its number, since `OSError` has numbers only."""
    error = to_host_fs_error(OSError(9999, "mock failure"), **CONTEXT)
    assert (error.code, error.details["errno"]) == ("os.fs.unknown", "9999")


def test_recorded_second_translation() -> None:
    """The same object comes back, with the first context."""
    first = to_host_fs_error(OSError(errno.ENOENT, "mock failure"), path="/x/y.txt", op="read")
    assert to_host_fs_error(first, path="/other", op="write") is first
    assert dict(first.details) == {"path": "/x/y.txt", "op": "read", "errno": "ENOENT"}


def test_recorded_revived_error() -> None:
    """An error that came over the wire comes back as it is; the original wrapped it again as unknown."""
    revived = from_payload(to_payload(to_host_fs_error(OSError(errno.ENOENT, "mock failure"), **CONTEXT)))
    assert to_host_fs_error(revived, path="/other", op="write") is revived
    assert isinstance(revived, MissingFile)


def test_recorded_error_of_another_domain() -> None:
    """It is classified by its raw cause; the original gave unknown, with the other code as the errno."""
    stored = to_storage_error(OSError(errno.ENOSPC, "mock failure"), path="/x/y.txt", op="read")
    assert stored.code == StorageError.DISK_FULL
    error = to_host_fs_error(stored, path="/x/y.txt", op="read")
    assert (error.code, error.details["errno"], error.__cause__) == ("os.fs.disk_full", "ENOSPC", stored)


@pytest.mark.parametrize("stop", [UserCancelled("Aborted by the user"), asyncio.CancelledError()])
def test_recorded_cancellation(stop: BaseException) -> None:
    """It passes by identity; the original translated it, as it expected to see none."""
    found: object = to_host_fs_error(stop, path="/x/y.txt", op="read")
    assert found is stop


def test_recorded_payloads() -> None:
    """As recorded, but for the name, which is the class that mixes the built-in, and the verdict on EIO."""
    payload = to_payload(to_host_fs_error(OSError(errno.ENOENT, "mock failure"), **CONTEXT))
    assert payload["details"] == {"path": "/x/y.txt", "op": "read", "errno": "ENOENT", "syscall": "open"}
    assert (payload["code"], payload["name"], payload["retryable"]) == (
        "os.fs.not_found",
        "MissingFile",
        False,
    )
    cause = payload["cause"]
    assert (cause["code"], cause["name"], cause["retryable"]) == ("internal", "FileNotFoundError", False)
    payload = to_payload(to_host_fs_error(OSError(errno.EIO, "mock failure"), **CONTEXT))
    assert (payload["code"], payload["name"], payload["retryable"]) == ("os.fs.unknown", "HostFsError", False)


def test_everything_public_is_listed() -> None:
    """`__all__` names the domain's classes, so a star import brings them."""
    found = {
        name
        for name, value in vars(os_fs).items()
        if isinstance(value, type) and value.__module__ == os_fs.__name__
    }
    assert {name for name in found if not name.startswith("_")} <= set(os_fs.__all__)
