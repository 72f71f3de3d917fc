"""What type checkers make of a throw site: each keyword of the details is checked."""

from __future__ import annotations

from typing import Any, assert_type

from errkit import CodedError, Details, ErrorCode, ErrorSpec, Reason, Secret, code


class PathDetails(Details):
    """Where a file-system call failed."""

    path: str
    """The path."""
    op: str
    errno: str | None = None


class TokenDetails(PathDetails):
    token: Secret[str]
    known: list[str] = []


class HostFsError(CodedError, domain="os.fs", title="Host file system", numbers=range(100, 200)):
    """Every host file-system backend raises these."""

    NOT_FOUND = code("File or folder not found", PathDetails, number=101, public=True, hint="Check the path.")
    DENIED = code("Permission denied", TokenDetails, example={"path": "a", "op": "b", "token": "c"})
    UNAVAILABLE = code("File system did not answer", kind="transient", retry_after=2)
    DECLINED = code("Declined", reasons={"late": "Too late", "lock": Reason(title="Locked", retryable=True)})


# --- what is accepted ------------------------------------------------------------------------------------

error = HostFsError.NOT_FOUND("no such file", path="/a", op="read")
assert_type(error, HostFsError)
assert_type(error.code, str)
assert_type(error.spec, ErrorSpec)
assert_type(error.retry_after, float | None)
assert_type(error.override(hint="Look.", context={"try": 2}), HostFsError)
HostFsError.NOT_FOUND(path="/a", op="read")
HostFsError.NOT_FOUND(None, path="/a", op="read", errno="ENOENT")
HostFsError.DENIED("no", path="/a", op="read", token="t", known=["a"])
HostFsError.UNAVAILABLE()
HostFsError.UNAVAILABLE("no answer")
HostFsError.DECLINED("no", reason="late")
text: str = HostFsError.NOT_FOUND
by_code: dict[str, int] = {HostFsError.NOT_FOUND: 1}
assert_type(HostFsError.NOT_FOUND.upper(), str)
assert_type(HostFsError.NOT_FOUND.spec, ErrorSpec)
anything: ErrorCode[..., Any, CodedError] = HostFsError.NOT_FOUND


def throw(cause: OSError) -> None:
    """A throw site as it stands in a program."""
    raise HostFsError.NOT_FOUND("gone", path="/a", op="read") from cause


# --- what is not -----------------------------------------------------------------------------------------

# rejected: a required key is missing
HostFsError.NOT_FOUND("no such file", path="/a")
# rejected: all keys are missing
HostFsError.NOT_FOUND("no such file")
# rejected: a key has the wrong type
HostFsError.NOT_FOUND("no such file", path=3, op="read")
# rejected: None is no text
HostFsError.NOT_FOUND("no such file", path=None, op="read")
# rejected: a key is unknown
HostFsError.NOT_FOUND("no such file", path="/a", op="read", ernno="ENOENT")
# rejected: a secret has a type too
HostFsError.DENIED("no", path="/a", op="read", token=3)
# rejected: a key of the base class is missing
HostFsError.DENIED("no", op="read", token="t")
# rejected: a code without details takes none
HostFsError.UNAVAILABLE("no answer", host="a")
# rejected: the message is a text
HostFsError.UNAVAILABLE(3)
# rejected: details are keywords
HostFsError.NOT_FOUND("no such file", "/a", "read")
# rejected: there is no such code
HostFsError.NOT_FUOND("no such file", path="/a", op="read")
# rejected: a code is no error
raise HostFsError.UNAVAILABLE
