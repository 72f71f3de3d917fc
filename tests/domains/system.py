"""Real failures of the operating system, one for each errno that can be had at will.

Each trigger takes an empty folder and fails with a genuine `OSError`. `UNTRIGGERED` lists the errnos of the
tables that no test can bring about, each with its reason; the prose of the domains names them too.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import pickle
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

NOBODY: Final = 65534
STRANGER: Final = 65533


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """The block has the rights of a user that owns nothing. For tests that run as root."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def shut_out(folder: Path) -> Iterator[None]:
    """The block may not touch the folder, whoever runs it."""
    folder.chmod(0)
    try:
        with as_nobody() if os.geteuid() == 0 else contextlib.nullcontext():
            yield
    finally:
        folder.chmod(0o700)


@contextlib.contextmanager
def read_only_volume(folder: Path) -> Iterator[Path]:
    """A volume that is mounted read-only: a new one where that is permitted, else one that is there."""
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "none", str(folder)]
    if os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)
        return
    with open("/proc/mounts") as mounts:
        places = [line.split()[1] for line in mounts]
    for place in places:
        with contextlib.suppress(OSError):
            if os.path.isdir(place) and os.statvfs(place).f_flag & os.ST_RDONLY:
                break
    else:
        pytest.skip("no volume is read-only here, and none may be mounted")
    yield folder.__class__(place)


def failing_child(script: str) -> NoReturn:
    """Raise what a script raises in a process of its own."""
    body = "\n".join(f"    {line}" for line in script.strip().splitlines())
    code = f"import os, pickle, sys\ntry:\n{body}\nexcept Exception as error:\n    found = error\n"
    code += "sys.stdout.buffer.write(pickle.dumps(found))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True)
    raise pickle.loads(done.stdout)


@contextlib.contextmanager
def holding_child(script: str) -> Iterator[None]:
    """Another process has run the script, and keeps what it holds until the block ends."""
    code = f"import sys\n{script.strip()}\nprint('ready', flush=True)\nsys.stdin.read()"
    command = [sys.executable, "-I", "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == b"ready\n"
            yield
        finally:
            child.stdin.close()


# --- one trigger for each errno ---------------------------------------------------------------------


def enoent(folder: Path) -> None:
    os.stat(folder / "missing")


def eisdir(folder: Path) -> None:
    os.open(folder, os.O_WRONLY)


def enotdir(folder: Path) -> None:
    (folder / "file").write_text("")
    os.listdir(folder / "file")


def eexist(folder: Path) -> None:
    (folder / "sub").mkdir()
    os.mkdir(folder / "sub")


def eacces(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    with shut_out(closed):
        os.stat(closed / "file")


def eperm(folder: Path) -> None:
    # Folders have one name only, whoever asks (link(2)).
    os.link(folder, folder.with_name("second"))


def enotempty(folder: Path) -> None:
    (folder / "sub").mkdir()
    os.rmdir(folder)


def enospc(folder: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        os.write(full, b"x")
    finally:
        os.close(full)


def erofs(folder: Path) -> None:
    with read_only_volume(folder) as volume:
        os.mkdir(volume / "new")


def emfile(folder: Path) -> None:
    failing_child(
        f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
while True:
    os.open({str(folder)!r}, os.O_RDONLY)
"""
    )


def eloop(folder: Path) -> None:
    (folder / "one").symlink_to(folder / "two")
    (folder / "two").symlink_to(folder / "one")
    os.stat(folder / "one")


def enametoolong(folder: Path) -> None:
    os.stat(folder / ("x" * 300))


def estale(folder: Path) -> None:
    """A file handle, as a file server keeps it, whose file is gone (open_by_handle_at(2))."""
    if os.geteuid() != 0:
        pytest.skip("only root may open files by handle")

    class Handle(ctypes.Structure):
        _fields_ = [("size", ctypes.c_uint), ("kind", ctypes.c_int), ("bytes", ctypes.c_ubyte * 128)]

    libc = ctypes.CDLL(None, use_errno=True)
    file, handle, mount = folder / "file", Handle(128), ctypes.c_int()
    file.write_text("")
    made = libc.name_to_handle_at(-100, bytes(file), ctypes.byref(handle), ctypes.byref(mount), 0)
    file.unlink()
    place = os.open(folder, os.O_RDONLY)
    try:
        opened = libc.open_by_handle_at(place, ctypes.byref(handle), os.O_RDONLY)
        number = ctypes.get_errno()
    finally:
        os.close(place)
    if made != 0 or (opened == -1 and number != errno.ESTALE):
        pytest.skip(f"this system has no file handles: {os.strerror(number)}")
    raise OSError(number, os.strerror(number), str(file))


def eagain(folder: Path) -> None:
    holder, other = (os.open(folder / "lock", os.O_CREAT | os.O_RDWR) for _ in range(2))
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(holder)
        os.close(other)


def ebusy(folder: Path) -> None:
    # The root of the tree is in use by definition: the kernel answers before it looks at anything (rmdir(2)).
    os.rmdir("/")


def etxtbsy(folder: Path) -> None:
    program = shutil.copy(shutil.which("cat") or "cat", folder / "cat")
    with subprocess.Popen([program], stdin=subprocess.PIPE):
        os.open(program, os.O_WRONLY)


def eio(folder: Path) -> None:
    # Nothing is mapped at address 0.
    memory = os.open("/proc/self/mem", os.O_RDONLY)
    try:
        os.pread(memory, 1, 0)
    finally:
        os.close(memory)


def einval(folder: Path) -> None:
    (folder / "file").write_text("")
    os.readlink(folder / "file")


TRIGGERS: Final[Mapping[str, Callable[[Path], None]]] = {
    found.__name__.upper(): found
    for found in (
        enoent,
        eisdir,
        enotdir,
        eexist,
        eacces,
        eperm,
        enotempty,
        enospc,
        erofs,
        emfile,
        eloop,
        enametoolong,
        estale,
        eagain,
        ebusy,
        etxtbsy,
        eio,
        einval,
    )
}

UNTRIGGERED: Final[Mapping[str, str]] = {
    "ENFILE": "the whole machine would have to run out of open files, which no test may bring about",
    "EDQUOT": "needs a volume with quotas, which few kernels and no ordinary test machine have",
    "EINTR": "Python repeats interrupted calls itself (PEP 475), so no call of the os module raises it",
    "ETIMEDOUT": "needs a file server that stops to answer, and the minutes until the kernel gives up",
    "EHOSTDOWN": "needs a file server whose machine goes down",
    "EHOSTUNREACH": "needs a file server that a router no longer reaches",
}
"""Errnos of the tables without a real trigger. Their rows are proved with an `OSError` made by hand."""


def raised(name: str, folder: Path) -> OSError:
    """The `OSError` for an errno: by a real call, or by hand where there is none."""
    trigger = TRIGGERS.get(name)
    if trigger is None:
        return OSError(getattr(errno, name), os.strerror(getattr(errno, name)), str(folder))
    with pytest.raises(OSError) as caught:  # noqa: PT011 (which errno it is, is checked below)
        trigger(folder)
    assert errno.errorcode[caught.value.errno or 0] == name
    return caught.value
