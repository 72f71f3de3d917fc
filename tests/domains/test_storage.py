"""The domain `storage`: real files, locks and databases, absence as a value, and the recorded cases."""

from __future__ import annotations

import configparser
import errno
import fcntl
import json
import os
import pickle
import sqlite3
import sys
import tomllib
from typing import TYPE_CHECKING, Any, NoReturn
from xml.etree import ElementTree as ET

import pytest

from errkit import from_payload, is_retryable, to_payload
from errkit.boundary import translating
from errkit.domains import os_fs
from errkit.domains.os_fs import HostFsError, to_host_fs_error
from errkit.domains.storage import (
    ERRNOS,
    SQLITE,
    TRANSIENT,
    AppendLogCorruptedError,
    StorageError,
    absent_as,
    to_storage_error,
)
from errkit.prose import domain_prose
from tests.domains import system
from tests.domains.system import failing_child, holding_child, raised

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="each errno is had in the way of Linux")

ROWS = {**{name: str(code) for name, code in ERRNOS.items()}, **dict.fromkeys(TRANSIENT, "storage.io_failed")}


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted({*ROWS, "EIO", "EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ELOOP"}))
def test_each_errno_gets_its_code(name: str, tmp_path: Path) -> None:
    """A real failure, where there is one, gets the code of its row; all others are `io_failed` for good."""
    original = raised(name, tmp_path)
    with pytest.raises(StorageError) as caught, translating(to_storage_error, path="/s/k", op="write"):
        raise original
    error = caught.value
    assert error.code == ROWS.get(name, "storage.io_failed")
    assert error.retryable == (name in TRANSIENT or name == "EAGAIN")
    assert dict(error.details) == {"path": "/s/k", "op": "write", "errno": name}
    assert error.details_problem is None
    assert error.__cause__ is original


def test_what_passes_in_os_fs_passes_here() -> None:
    """The set of errnos after which a retry helps is one and the same."""
    passing = {name for name, code in os_fs.ERRNOS.items() if code.spec.retryable} | os_fs.TRANSIENT
    assert passing == TRANSIENT | {name for name, code in ERRNOS.items() if code.spec.retryable}


def test_every_row_has_a_trigger_or_a_reason() -> None:
    """No errno of the table is without a real call, but those that are listed with their reasons."""
    assert set(ROWS) - set(system.TRIGGERS) <= set(system.UNTRIGGERED)


def test_the_prose_shows_the_whole_table() -> None:
    """The domain's page has each errno and each result code of SQLite in the row of its code."""
    assert StorageError.__domain__ is not None
    prose = domain_prose(StorageError.__domain__)
    assert prose is not None
    table, _, rest = prose.text.rpartition("====\n")
    listed = {**ROWS, **{name: str(code) for name, code in SQLITE.items()}}
    for name, code in listed.items():
        rows = [line for line in table.splitlines() if f"``{name}``" in line]
        assert all(f"``{code}``" in row for row in rows)
        assert rows or code == "storage.io_failed"
    assert {name for name in SQLITE if f"``{name}``" in rest} == set(UNTRIGGERED)


def test_a_store_that_another_process_has_locked(tmp_path: Path) -> None:
    """A file lock held elsewhere is `locked`, and passes when the holder goes."""
    path = tmp_path / "lock"
    path.write_text("")

    def take() -> None:
        with open(path) as file, translating(to_storage_error, path=path, op="lock"):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    with holding_child(f"import fcntl\nfile = open({str(path)!r})\nfcntl.flock(file, fcntl.LOCK_EX)"):
        with pytest.raises(StorageError) as caught:
            take()
    take()
    assert caught.value.code == StorageError.LOCKED
    assert caught.value.details == {"path": str(path), "op": "lock", "errno": "EAGAIN"}
    assert is_retryable(caught.value)


# --- databases --------------------------------------------------------------------------------------


def filled(path: Path) -> sqlite3.Connection:
    """A database with a table."""
    database: sqlite3.Connection = sqlite3.connect(path, timeout=0)
    try:
        database.executescript("CREATE TABLE IF NOT EXISTS carts (name TEXT)")
    except sqlite3.Error:
        database.close()
        raise
    return database


def sqlite_busy(folder: Path) -> None:
    path = folder / "db"
    filled(path).close()
    script = f"import sqlite3\ndatabase = sqlite3.connect({str(path)!r})\ndatabase.execute('BEGIN EXCLUSIVE')"
    with holding_child(script):
        filled(path).close()


def sqlite_locked(folder: Path) -> None:
    name = f"file:{folder.name}?mode=memory&cache=shared"
    one, two = (sqlite3.connect(name, uri=True, isolation_level=None) for _ in range(2))
    one.execute("CREATE TABLE carts (name TEXT)")
    one.execute("BEGIN IMMEDIATE")
    one.execute("INSERT INTO carts VALUES ('c1')")
    try:
        two.execute("SELECT * FROM carts")
    finally:
        one.close()
        two.close()


def sqlite_full(folder: Path) -> None:
    database = filled(folder / "db")
    database.execute("PRAGMA max_page_count = 2")
    run_and_close(database, "INSERT INTO carts VALUES (zeroblob(100000))")


def sqlite_readonly(folder: Path) -> None:
    filled(folder / "db").close()
    database = sqlite3.connect(f"file:{folder / 'db'}?mode=ro", uri=True)
    run_and_close(database, "INSERT INTO carts VALUES ('c2')")


def sqlite_corrupt(folder: Path) -> None:
    filled(folder / "db").close()
    with open(folder / "db", "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    run_and_close(sqlite3.connect(folder / "db"), "SELECT * FROM carts")


def sqlite_notadb(folder: Path) -> None:
    (folder / "db").write_text("no database at all" * 100)
    run_and_close(sqlite3.connect(folder / "db"), "SELECT 1 FROM carts")


def sqlite_auth(folder: Path) -> None:
    database = filled(folder / "db")
    database.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
    run_and_close(database, "SELECT 1 FROM carts")


def sqlite_cantopen(folder: Path) -> None:
    sqlite3.connect(folder / "missing" / "db")


def sqlite_ioerr(folder: Path) -> None:
    """A file that may not grow: writing fails with an errno that is not about space."""
    failing_child(
        f"""
import resource, sqlite3
database = sqlite3.connect({str(folder / "db")!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
database.executescript("CREATE TABLE carts (name TEXT); INSERT INTO carts VALUES (zeroblob(100000));")
"""
    )


def run_and_close(database: sqlite3.Connection, statement: str) -> None:
    """One statement."""
    try:
        database.execute(statement)
    finally:
        database.close()


DATABASES: dict[str, Callable[[Path], None]] = {
    found.__name__.upper(): found
    for found in (
        sqlite_busy,
        sqlite_locked,
        sqlite_full,
        sqlite_readonly,
        sqlite_corrupt,
        sqlite_notadb,
        sqlite_auth,
        sqlite_cantopen,
        sqlite_ioerr,
    )
}

UNTRIGGERED = {
    "SQLITE_PERM": "newer versions of SQLite answer SQLITE_CANTOPEN where a file's mode forbids to open it"
}
"""Result codes of SQLite without a real trigger."""


@pytest.mark.parametrize("name", DATABASES)
def test_each_result_of_sqlite_gets_its_code(name: str, tmp_path: Path) -> None:
    """A real database fails for real; extended result codes follow their primary one."""
    path = tmp_path / "db"
    with pytest.raises(StorageError) as caught, translating(to_storage_error, path=path, op="write"):
        DATABASES[name](tmp_path)
    error = caught.value
    assert isinstance(error.__cause__, sqlite3.Error)
    assert error.__cause__.sqlite_errorname.startswith(name)
    assert error.code == SQLITE[name]
    assert error.retryable == (name in ("SQLITE_BUSY", "SQLITE_LOCKED"))
    assert error.details_problem is None


def test_every_result_code_has_a_trigger_or_a_reason() -> None:
    """No row for SQLite is without a real database, but the one that is listed with its reason."""
    assert set(SQLITE) - set(DATABASES) == set(UNTRIGGERED)
    refused = sqlite3.OperationalError("access permission denied")
    refused.sqlite_errorname = "SQLITE_PERM"
    assert to_storage_error(refused, op="open").code == StorageError.PERMISSION_DENIED


def test_damage_names_scope_and_key(tmp_path: Path) -> None:
    """They are the folder and the name of the file where the store gives none."""
    with (
        pytest.raises(StorageError) as caught,
        translating(to_storage_error, path=tmp_path / "db", op="read"),
    ):
        sqlite_notadb(tmp_path)
    assert caught.value.details["scope"] == str(tmp_path)
    assert caught.value.details["key"] == "db"
    assert caught.value.details["context"] == {"path": str(tmp_path / "db"), "op": "read"}


def test_other_drivers_say_it_in_words() -> None:
    """A wrapper that keeps SQLite's words and not its code is understood."""

    class OperationalError(Exception):
        """As of a library for databases."""

    locked = OperationalError("(sqlite3.OperationalError) database is locked")
    assert to_storage_error(locked, op="read").code == StorageError.LOCKED
    assert to_storage_error(OperationalError("no such table"), op="read").code == StorageError.IO_FAILED
    assert to_storage_error(RuntimeError("it is locked"), op="read").code == StorageError.IO_FAILED


# --- documents --------------------------------------------------------------------------------------


def decode_json() -> object:
    return json.loads("{")


def decode_toml() -> object:
    return tomllib.loads("a = ")


def decode_ini() -> object:
    parser = configparser.ConfigParser()
    parser.read_string("no section")
    return parser


def decode_xml() -> object:
    return ET.fromstring("<a>")


def decode_pickle() -> object:
    return pickle.loads(b"garbage")


def decode_text() -> object:
    return b"\xff".decode("utf-8")


@pytest.mark.parametrize(
    ("decode", "found"),
    [
        (decode_json, "json"),
        (decode_toml, "toml"),
        (decode_ini, "ini"),
        (decode_xml, "xml"),
        (decode_pickle, "pickle"),
        (decode_text, "utf-8"),
    ],
)
def test_documents_that_can_not_be_decoded(decode: Callable[[], object], found: str) -> None:
    """Scope, key and format are told; what stands in the document is not."""
    with (
        pytest.raises(StorageError) as caught,
        translating(to_storage_error, op="read", scope="carts", key="c1"),
    ):
        decode()
    assert caught.value.code == StorageError.DECODE_FAILED
    assert caught.value.details == {"scope": "carts", "key": "c1", "format": found, "context": {"op": "read"}}
    assert caught.value.details_problem is None


def test_the_store_knows_its_format_better() -> None:
    """A format that the caller names wins over the one that the error tells."""
    with pytest.raises(StorageError) as caught, translating(to_storage_error, op="read", format="jsonl"):
        decode_json()
    assert caught.value.details["format"] == "jsonl"


def test_a_damaged_log_passes_unchanged() -> None:
    """`AppendLogCorruptedError` is `storage.corrupted`, comes back as it is, is revived as its own class."""
    error = AppendLogCorruptedError("line 3 is damaged", scope="scope", key="key", line_number=3)
    assert to_storage_error(error, op="read") is error
    payload = to_payload(error)
    assert (payload["code"], payload["name"]) == ("storage.corrupted", "AppendLogCorruptedError")
    assert (payload["details"], payload["retryable"]) == (
        {"scope": "scope", "key": "key", "line_number": 3},
        False,
    )
    assert type(from_payload(payload)) is AppendLogCorruptedError
    assert type(StorageError.CORRUPTED(scope="s", key="k")) is StorageError


# --- absence ----------------------------------------------------------------------------------------


def test_absence_is_a_value(tmp_path: Path) -> None:
    """Reading gives None, listing gives an empty list: documented answers, and no errors."""

    @absent_as(None)
    @translating(to_storage_error, op="read")
    def read(name: str) -> str | None:
        return (tmp_path / name).read_text()

    @absent_as([])
    def names(folder: str) -> list[str]:
        return os.listdir(tmp_path / folder)

    (tmp_path / "there").write_text("value")
    assert (read("there"), read("missing")) == ("value", None)
    assert (names(""), names("missing")) == (["there"], [])


def test_absence_is_known_however_it_was_wrapped() -> None:
    """Raw, translated by `os.fs`, by `storage`, or revived: all of it is absence."""
    raw = FileNotFoundError(errno.ENOENT, "x")
    below = to_host_fs_error(raw, op="read")
    for error in (raw, below, to_storage_error(below, op="read"), from_payload(to_payload(below))):
        with absent_as(0) as found:
            raise error
        assert found.value == 0


def test_all_other_failures_go_on() -> None:
    """A store that can't be read is not an empty one."""

    def fail(error: Exception) -> NoReturn:
        with absent_as(None):
            raise error
        raise AssertionError("swallowed")

    for error in (
        PermissionError(errno.EACCES, "x"),
        StorageError.LOCKED(path="/a", op="b"),
        ValueError("x"),
    ):
        with pytest.raises(type(error)) as caught:
            fail(error)
        assert caught.value is error


# --- recorded cases ---------------------------------------------------------------------------------

RECORDED: dict[str, tuple[str, bool]] = {
    "ENOENT": ("storage.not_found", False),
    "EACCES": ("storage.permission_denied", False),
    "EPERM": ("storage.permission_denied", False),
    "ENOSPC": ("storage.disk_full", False),
    **dict.fromkeys(
        "EIO EISDIR ENOTDIR EEXIST ENOTEMPTY EMFILE EDQUOT EROFS EBUSY EAGAIN".split(),
        ("storage.io_failed", True),
    ),
}
"""What agent-core's `toStorageIoError` was recorded to give, and whether that is retryable."""

DIFFERENT: dict[str, tuple[str, bool, str]] = {
    "EIO": ("storage.io_failed", False, "a device that fails does so again"),
    "EISDIR": ("storage.io_failed", False, "a folder in a file's place stays there"),
    "ENOTDIR": ("storage.io_failed", False, "a file in a folder's place stays there"),
    "EEXIST": ("storage.io_failed", False, "what exists stays there"),
    "ENOTEMPTY": ("storage.io_failed", False, "a folder does not empty itself"),
    "EDQUOT": ("storage.quota_exceeded", False, "somebody has to delete, or to grant more"),
    "EROFS": ("storage.read_only", False, "somebody has to mount it for writing"),
    "EAGAIN": (
        "storage.locked",
        True,
        "files answer EAGAIN for locks alone, and locked has its own handling",
    ),
}
"""Where errkit gives another code or verdict on purpose, and why."""


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_errnos(name: str) -> None:
    """Code, details and verdict are as recorded, but for the listed differences; so is the cause."""
    original = OSError(getattr(errno, name), "mock failure")
    error = to_storage_error(original, path="/s/k", op="write")
    code, retryable, reason = DIFFERENT.get(name, (*RECORDED[name], "as recorded"))
    assert (error.code, error.retryable) == (code, retryable), reason
    assert dict(error.details) == {"path": "/s/k", "op": "write", "errno": name}
    assert error.__cause__ is original


def test_recorded_errors_without_a_known_errno() -> None:
    """`io_failed`, and terminal: nothing says that a retry would help. Python knows errnos by number."""
    error = to_storage_error(RuntimeError("boom"), path="/s/k", op="write")
    assert (error.code, error.retryable) == ("storage.io_failed", False)
    assert dict(error.details) == {"path": "/s/k", "op": "write"}
    assert to_storage_error(OSError(9999, "mock failure"), op="write").details["errno"] == "9999"


def test_recorded_second_translation() -> None:
    """The same object comes back, also after the wire."""
    error = to_storage_error(OSError(errno.ENOSPC, "mock failure"), path="/s/k", op="write")
    assert to_storage_error(error, path="/other", op="read") is error
    revived = from_payload(to_payload(error))
    assert to_storage_error(revived, path="/other", op="read") is revived
    assert revived.details == {"path": "/s/k", "op": "write", "errno": "ENOSPC"}


def test_recorded_error_of_the_file_system() -> None:
    """It is judged by its raw cause; the original gave `io_failed`, retryable, with a code for an errno."""
    below = to_host_fs_error(OSError(errno.ENOENT, "mock failure"), path="/x/y.txt", op="read")
    for wrapped in (below, from_payload(to_payload(below)), HostFsError.NOT_FOUND(path="/x", op="read")):
        error = to_storage_error(wrapped, path="/s/k", op="write")
        assert (error.code, error.retryable) == ("storage.not_found", False)
        assert dict(error.details) == {"path": "/s/k", "op": "write", "errno": "ENOENT"}
        assert error.__cause__ is wrapped


@pytest.mark.parametrize(
    ("code", "retryable", "recorded"),
    [
        (StorageError.IO_FAILED, False, True),
        (StorageError.DISK_FULL, False, False),
        (StorageError.LOCKED, True, True),
    ],
)
def test_recorded_verdicts(code: Any, retryable: bool, recorded: bool) -> None:
    """As recorded, but for `io_failed`, which is terminal unless its errno passes."""
    payload = to_payload(code("m", path="/s/k", op="write"))
    assert payload["retryable"] == retryable
    assert retryable == recorded or code == "storage.io_failed"
