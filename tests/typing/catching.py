"""What type checkers make of catching and matching: typed by domain, typed by code."""

from __future__ import annotations

from typing import assert_type

from errkit import CodedError, Details, Registry, as_coded, code


class PathDetails(Details):
    path: str
    size: int = 0


class HostFsError(CodedError, domain="os.fs"):
    NOT_FOUND = code("Not found", PathDetails)
    BUSY = code("Busy")


class StorageError(CodedError, domain="storage", registry=Registry("typing")):
    LOCKED = code("Locked", PathDetails)


class Sub(HostFsError):
    """Narrows the domain."""


class MissingFile(HostFsError, FileNotFoundError, of=HostFsError.NOT_FOUND):
    """Keeps an old clause alive."""


class ErrorCodes(HostFsError, StorageError, facade=True):
    """Every code in one namespace."""


def caught() -> str:
    """`except` gives the domain's class."""
    try:
        raise HostFsError.NOT_FOUND("gone", path="/a")
    except HostFsError as error:
        assert_type(error, HostFsError)
        if found := HostFsError.NOT_FOUND.match(error):
            assert_type(found, PathDetails)
            return found.path
        # rejected: details have no such field
        return HostFsError.NOT_FOUND.match(error).paths


def matched(error: Exception) -> None:
    """`match` gives the typed details or None."""
    found = HostFsError.NOT_FOUND.match(error)
    assert_type(found, PathDetails | None)
    # rejected: it may be None
    found.path
    if found is not None:
        assert_type(found.size, int)
        # rejected: details are frozen
        found.size = 3


def told_apart(error: CodedError) -> str:
    """A code stands in a `match` statement like a constant."""
    match error.code:
        case HostFsError.NOT_FOUND:
            return "missing"
        case _:
            return "other"


def old_clause() -> None:
    """A class that is mixed with a built-in is both."""
    try:
        raise MissingFile("gone", path="/a")
    except FileNotFoundError as error:
        assert_type(error.errno, int | None)
    both: FileNotFoundError = MissingFile("gone")
    coded: HostFsError = MissingFile("gone")
    print(both, coded)


assert_type(Sub.NOT_FOUND("gone", path="/a"), Sub)
assert_type(MissingFile.NOT_FOUND("gone", path="/a"), MissingFile)
assert_type(as_coded(ValueError("x")), CodedError)
assert_type(CodedError("some.code", "message", details={"a": 1}), CodedError)
storage: StorageError = ErrorCodes.LOCKED("locked", path="/a")
fs: HostFsError = ErrorCodes.NOT_FOUND("gone", path="/a")
with_details: HostFsError = HostFsError("os.fs.not_found", "gone", details={"path": "/a"})

# rejected: a constant of the facade is misspelt
ErrorCodes.LOKCED
# rejected: the facade checks keys as well
ErrorCodes.LOCKED("locked", pth="/a")
# rejected: a code of a subclass is checked like that of its base
Sub.NOT_FOUND("gone")
# rejected: one domain is no other
wrong: StorageError = HostFsError.BUSY()
