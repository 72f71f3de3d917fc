"""One row of a translator's table, and what it reads of a foreign error: errno, status, exit code.

Nothing here raises on a foreign error, whatever its attributes do. Whole tables stand in `table.py`.
"""

from __future__ import annotations

import errno as errnos
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from errkit.codes import text_of
from errkit.declaring import refuse
from errkit.errors import CodedError, bare
from errkit.fields import Record, is_a

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from errkit.codes import ErrorCode

__all__ = ["Rule", "attribute", "errno_name", "status_of"]

C = TypeVar("C", bound=CodedError, covariant=True)

_STATUS: Final = ("status_code", "status", "code")
_EXIT_CODE: Final = ("returncode", "exit_code", "exitcode")


class Rule(Record, Generic[C]):
    """One row of a translator's table: the code, and the conditions under which a foreign error gets it.

    All conditions that are given must hold; within one, any of several values will do.

    Parameters
    ----------
    code
        The code to give.
    catches
        Exception classes; or their full names, such as `"json.decoder.JSONDecodeError"`, so that no table
        has to import a library for the case that somebody uses it.
    errno
        Names or numbers of the platform's error, such as `"ENOENT"`.
    status
        HTTP statuses: a number, several, or a range; read from `status_code`, `status` or `code` of the
        error or of its `response`.
    exit_code
        Exit codes of a process; read from `returncode`, `exit_code` or `exitcode`.
    when
        A predicate on the error; one that fails says no.
    details
        Takes the error, and returns details beside those of the translator.
    retryable
        Overrides for these failures what the code says.

    Raises
    ------
    CodedError
        `errkit.bad_declaration` for a rule without a condition: it would hide every rule after it.
    """

    code: ErrorCode[..., Any, C]
    catches: tuple[type[BaseException] | str, ...] = ()
    errno: frozenset[int | str] = frozenset()
    status: Collection[int] = ()
    exit_code: Collection[int] = ()
    when: Callable[[BaseException], object] | None = None
    details: Callable[[BaseException], Mapping[str, Any]] | None = None
    retryable: bool | None = None

    def __init__(
        self,
        code: ErrorCode[..., Any, C],
        *,
        catches: type[BaseException] | str | tuple[type[BaseException] | str, ...] = (),
        errno: int | str | Iterable[int | str] = (),
        status: int | Collection[int] = (),
        exit_code: int | Collection[int] = (),
        when: Callable[[BaseException], object] | None = None,
        details: Callable[[BaseException], Mapping[str, Any]] | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(
            code=code,
            catches=catches if isinstance(catches, tuple) else (catches,),
            errno=_with_numbers((errno,) if isinstance(errno, (int, str)) else errno),
            status=(status,) if isinstance(status, int) else status,
            exit_code=(exit_code,) if isinstance(exit_code, int) else exit_code,
            when=when,
            details=details,
            retryable=retryable,
        )
        if not (self.catches or self.errno or self.status or self.exit_code or when):
            problem = f"a rule for {code} has no condition; that is what fallback= is for"
            refuse("Rule", code.spec.place, problem)

    def __repr__(self) -> str:
        return f"<Rule for {self.code}>"

    def matches(self, error: BaseException) -> bool:
        """Whether all conditions hold for `error`. Never raises."""
        try:
            return bool(
                (not self.catches or _is_one_of(error, self.catches))
                and (not self.errno or not self.errno.isdisjoint(_errno_of(error)))
                and (not self.status or _is_one(status_of(error), self.status))
                and (not self.exit_code or _is_one(number_of(error, _EXIT_CODE), self.exit_code))
                and (self.when is None or self.when(error))
            )
        except Exception:
            return False


def errno_name(error: BaseException) -> str | None:
    """The symbolic name of the platform's error that an exception carries, such as `ENOENT`, or None.

    A number that this platform has no name for is given as text. A coded error answers from its details.
    """
    found = _errno_of(error)
    return next((item for item in found if isinstance(item, str)), None) or next(map(str, found), None)


def _errno_of(error: BaseException) -> frozenset[int | str]:
    value = bare(error)._details.get("errno") if is_a(error, CodedError) else None
    if value is None:
        value = attribute(error, "errno")
    exact = text_of(value) if is_a(value, str) else exact_int(value)
    return frozenset() if exact is None else _with_numbers((exact,))


def status_of(error: object) -> int | None:
    """The HTTP status that an exception, its `response` or a response carries, or None.

    A coded error answers from its details.
    """
    value = bare(error)._details.get("status") if is_a(error, CodedError) else None
    number = exact_int(value)
    return number_of(error, _STATUS) if number is None else number


def _with_numbers(values: Iterable[int | str]) -> frozenset[int | str]:
    """Each errno by its name and by its number, as far as this platform has both."""
    found: set[int | str] = set()
    for value in values:
        number = getattr(errnos, value, None) if isinstance(value, str) else value
        found |= {value} if number is None else {number, errnos.errorcode.get(number, value)}
    return frozenset(found)


def _is_one_of(error: BaseException, wanted: tuple[type[BaseException] | str, ...]) -> bool:
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__}
    return any(item in names if isinstance(item, str) else is_a(error, item) for item in wanted)


def _is_one(number: int | None, wanted: Collection[int]) -> bool:
    return number is not None and number in wanted


def number_of(error: object, names: tuple[str, ...]) -> int | None:
    for holder in (error, attribute(error, "response")):
        for name in names:
            number = exact_int(attribute(holder, name))
            if number is not None:
                return number
    return None


def exact_int(value: object) -> int | None:
    """The number behind an integer of any class, which may hash and compare as it likes."""
    return int.__index__(value) if is_a(value, int) and not is_a(value, bool) else None


def attribute(holder: object, name: str) -> Any:
    """An attribute of a foreign object, or None where it has none or fails to tell."""
    try:
        return getattr(holder, name, None)
    except Exception:
        return None
