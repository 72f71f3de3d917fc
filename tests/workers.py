"""What runs in other processes: domains with classes of every kind, and workers that fail in every way.

A spawned process imports this module by its name, so nothing here may be local to a function.
"""

from __future__ import annotations

import threading
from typing import Any, NoReturn

from errkit import CodedError, Details, Registry, Secret, code

REG = Registry("workers")


class Credentials(Details):
    user: str
    password: Secret[str]


class CallDetails(Details):
    path: str
    op: str = "read"
    token: Secret[str] = ""
    login: Credentials | None = None


class WorkError(CodedError, domain="work", title="Work", numbers=range(100, 200), registry=REG):
    """A worker failed."""

    NOT_FOUND = code("File not found", CallDetails, number=101, hint="Check the path.", public=True)
    BUSY = code("Busy", kind="transient", retry_after=2)
    FAILED = code("Job failed")


class MissingFile(WorkError, FileNotFoundError, of=WorkError.NOT_FOUND):
    """Mixed with a built-in that has fields in C."""


class JobFailed(WorkError, of=WorkError.FAILED):
    """Has an `__init__` of its own that takes keywords only, and fields outside its `__dict__`."""

    __slots__ = ("job", "unset")

    def __init__(self, *, job: str) -> None:
        super().__init__(f"{job} failed", job=job)
        self.job = job
        self.seen: list[str] = [job]


class Unregistered(WorkError):
    """A subclass that is bound to no code, so only its module knows it."""


class KeywordOnly(Exception):
    """Pickles, and can't be unpickled: its `__init__` is called with what `args` holds."""

    def __init__(self, *, name: str) -> None:
        super().__init__(f"no {name}")


class Locked(Exception):
    """Can't be pickled at all."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lock = threading.Lock()


class Sticky:
    """Pickles, and raises when it comes out."""

    def __reduce__(self) -> Any:
        return explode, ("came out",)

    def __repr__(self) -> str:
        return "<Sticky>"


def explode(message: str) -> NoReturn:
    """Raise what no reader of pickles expects."""
    raise LookupError(message)


# --- workers --------------------------------------------------------------------------------------------


def fail(kind: str) -> NoReturn:
    """Fail in the way of that name."""
    error = FAILURES[kind]()
    raise error


def from_cause(error: CodedError, cause: BaseException) -> CodedError:
    """The error as `raise ... from` leaves it."""
    try:
        try:
            raise cause
        except type(cause) as caught:
            raise error from caught
    except CodedError as raised:
        return raised


def plain() -> CodedError:
    error = WorkError.NOT_FOUND("gone", path="/a", token="hunter2").override(
        hint="Look again.", retry_after=3, retries_spent=True, supported_on="linux", context={"try": 2}
    )
    error.add_note("seen by the worker")
    return error


def odd_details() -> CodedError:
    build: Any = WorkError.BUSY
    error: CodedError = build(
        "odd", lock=threading.Lock(), function=lambda: None, items=(n for n in range(3)), sticky=Sticky(), n=1
    )
    return error


def of_unknown_domain() -> CodedError:
    class LateError(CodedError, domain="late", registry=REG, numbers=range(200, 300)):
        GONE = code("Gone", number=201, kind="transient", hint="Wait.", public=True)

    return from_cause(LateError.GONE("gone", *()), KeyError("k"))


def in_group() -> BaseException:
    return ExceptionGroup("several", [plain(), from_cause(WorkError.BUSY("busy"), KeyError("k"))])


FAILURES = {
    "plain": plain,
    "from_key_error": lambda: from_cause(WorkError.BUSY("busy"), KeyError("k")),
    "from_coded": lambda: from_cause(
        WorkError.FAILED("f"), from_cause(plain(), FileNotFoundError(2, "no", "/a"))
    ),
    "from_keyword_only": lambda: from_cause(WorkError.BUSY("busy"), KeywordOnly(name="x")),
    "from_locked": lambda: from_cause(WorkError.BUSY("busy"), Locked("locked")),
    "odd_details": odd_details,
    "own_init": lambda: JobFailed(job="j1"),
    "mixed": lambda: MissingFile("gone", path="/a"),
    "unregistered": lambda: Unregistered.BUSY("busy"),
    "of_unknown_domain": of_unknown_domain,
    "in_group": in_group,
}
