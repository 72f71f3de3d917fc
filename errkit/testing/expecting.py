"""Expecting one error: `raises_code` around the code that must fail.

It raises a plain `AssertionError`, so it serves under any test runner, and it does not load pytest. What it
says is redacted: the output of a test run is read by many. `round_trips.py` is for what was raised.

PYTEST_DONT_REWRITE: the messages are made by hand.
"""

from __future__ import annotations

import re
import traceback
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

from errkit.codes import ErrorCode
from errkit.fields import MISSING, PLACEHOLDER, secret_names
from errkit.guards import code_and_details, iter_causes
from errkit.message import format_error
from errkit.redaction import redact_text
from errkit.safe import safe_repr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from errkit.codes import Details
    from errkit.errors import CodedError

__all__ = ["Raised", "raises_code"]

_KEYWORDS: Final = ("match", "message", "hint", "cause")

D = TypeVar("D", bound="Details", covariant=True)
E = TypeVar("E", bound="CodedError", covariant=True)


class Raised(Generic[D, E]):
    """The context of `raises_code`; afterwards `value` is the error and `details` are its typed details."""

    def __init__(self, code: str, wanted: _Wanted) -> None:
        self._code = code
        self._wanted = wanted
        self._value: E | None = None

    @property
    def value(self) -> E:
        """The error that was raised."""
        if self._value is None:
            raise AssertionError(f"{self._code} was not raised yet: leave the `with` block first")
        return self._value

    @property
    def details(self) -> D:
        """The details of the error as an instance of their class, as `match` of its code gives them."""
        if not isinstance(self._code, ErrorCode):
            raise TypeError(f"{self._code!r} is only text: use the code itself to get typed details")
        found: D | None = self._code.match(self.value)
        assert found is not None, "details that don't fit have failed before"
        return found

    def __enter__(self) -> Raised[D, E]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        __tracebackhide__ = True
        if error is not None and not isinstance(error, Exception):
            return False  # an interruption, or a test runner's own way to skip
        problem = _problem(self._code, self._wanted, error)
        if problem:
            raise AssertionError(problem) from error
        self._value = error  # type: ignore[assignment] # the code says which class it builds
        return True


@overload
def raises_code(
    code: ErrorCode[..., D, E],
    *,
    match: str | re.Pattern[str] | None = ...,
    message: str | None = ...,
    hint: str | None = ...,
    cause: type[BaseException] | str | None = ...,
    **details: object,
) -> Raised[D, E]: ...


@overload
def raises_code(
    code: str,
    *,
    match: str | re.Pattern[str] | None = ...,
    message: str | None = ...,
    hint: str | None = ...,
    cause: type[BaseException] | str | None = ...,
    **details: object,
) -> Raised[Details, CodedError]: ...


def raises_code(
    code: str,
    *,
    match: str | re.Pattern[str] | None = None,
    message: str | None = None,
    hint: str | None = None,
    cause: type[BaseException] | str | None = None,
    **details: object,
) -> Any:
    """Expect the block to raise an error with this code: `with raises_code(CODE, path="/x") as raised:`.

    The code decides, not the class, so a revived error counts too. Details that do not fit their declaration
    fail as well, whether they were asked for or not.

    Parameters
    ----------
    code
        A code, or its text.
    match
        A pattern that must be found in the message.
    message, hint
        The whole message or hint.
    cause
        The class of the direct cause, or its code.
    details
        Details that must be equal; others may be there. Anything with an `==` may be asked for, such as
        `pytest.approx`.

    Raises
    ------
    AssertionError
        At the end of the block, saying what was raised, where, and how it differs.
    """
    return Raised(code, _Wanted(match, message, hint, cause, details))


class _Wanted:
    """What is asked of the error beside its code."""

    def __init__(
        self,
        match: str | re.Pattern[str] | None,
        message: str | None,
        hint: str | None,
        cause: type[BaseException] | str | None,
        details: Mapping[str, object],
    ) -> None:
        self.match = match
        self.texts = {"message": message, "hint": hint}
        self.cause = cause
        self.details = details


# --- what is wrong with what was raised -------------------------------------------------------------


def _problem(code: str, wanted: _Wanted, error: Exception | None) -> str:
    """Why an error is not the expected one; empty if it is."""
    if error is None:
        return f"{code} was expected, and nothing was raised"
    found, details = code_and_details(error)
    if not _is_code(code, found):
        return "\n".join(_another(code, found, error))
    faults = [*_text_faults(wanted, error), *_cause_faults(wanted, error)]
    faults += _details_faults(code, wanted, details)
    faults += _unknown_faults(code, wanted, error, details)
    problem = getattr(error, "details_problem", None)
    if problem:
        faults.append(f"the details don't fit their declaration: {problem}")
    if not faults:
        return ""
    return "\n".join([f"{code} was raised, and not as expected", *map(_indented, (*faults, _place(error)))])


def _is_code(code: str, found: str | None) -> bool:
    aliases = code.spec.aliases if isinstance(code, ErrorCode) else ()
    return found is not None and (found == str.__str__(code) or found in aliases)


def _another(code: str, found: str | None, error: Exception) -> Iterator[str]:
    said = f"{found} was" if found is not None else f"{type(error).__name__}, which has no code, was"
    yield f"{code} was expected, and {said} raised"
    yield _indented(format_error(error))
    yield _indented(_place(error))
    if isinstance(error, ExceptionGroup) and error.subgroup(lambda one: _is_code(code, _code_of(one))):
        yield _indented("The group holds one with the expected code: expect it where it is raised.")
    elif any(_is_code(code, _code_of(cause)) for cause in iter_causes(error)):
        yield _indented("A cause has the expected code: a boundary in between gave it another one.")


def _code_of(error: BaseException) -> str | None:
    return code_and_details(error)[0]


def _text_faults(wanted: _Wanted, error: Exception) -> Iterator[str]:
    for name, expected in wanted.texts.items():
        found = _attribute(error, name)
        if expected is not None and found != expected:
            yield "\n".join([f"its {name} differs (- expected, + raised)", *_diff([expected], [found])])
    if wanted.match is not None and re.search(wanted.match, _attribute(error, "message")) is None:
        pattern = wanted.match if isinstance(wanted.match, str) else wanted.match.pattern
        yield "\n".join(
            [
                "the pattern is not found in its message",
                f"  pattern  {pattern}",
                f"  message  {redact_text(_attribute(error, 'message'))}",
            ]
        )


def _attribute(error: Exception, name: str) -> str:
    return str(getattr(error, name, ""))


def _cause_faults(wanted: _Wanted, error: Exception) -> Iterator[str]:
    if wanted.cause is None:
        return
    causes = list(iter_causes(error))[1:2]
    if isinstance(wanted.cause, str):
        is_one, expected = any(_is_code(wanted.cause, _code_of(cause)) for cause in causes), wanted.cause
    else:
        is_one, expected = (
            any(isinstance(cause, wanted.cause) for cause in causes),
            wanted.cause.__name__,
        )
    if not is_one:
        shown = f"it is {redact_text(safe_repr(causes[0]))}" if causes else "there is none"
        yield f"its cause is no {expected}: {shown}"


def _details_faults(code: str, wanted: _Wanted, details: Mapping[str, Any]) -> Iterator[str]:
    differing = [name for name, value in wanted.details.items() if not _same(value, details, name)]
    if not differing:
        return
    secret = secret_names(code.spec.details) if isinstance(code, ErrorCode) else frozenset[str]()
    names = list(dict.fromkeys([*details, *wanted.details]))
    expected, found = [], []
    for name in names:
        raised = _line(name, details.get(name, MISSING), secret)
        asked = _line(name, wanted.details[name], secret) if name in differing else raised
        # Secrets that differ look alike.
        asked += [" (another one)"] if asked == raised and name in differing else []
        expected += ["".join(asked)] if asked else []
        found += raised
    yield "\n".join(["its details differ (- expected, + raised)", *_diff(expected, found)])


def _unknown_faults(
    code: str, wanted: _Wanted, error: Exception, details: Mapping[str, Any]
) -> Iterator[str]:
    """What was asked for and can't be there, with what may be meant."""
    from errkit.config.meaning import instead

    spec = code.spec if isinstance(code, ErrorCode) else getattr(error, "_spec", None)
    if spec is None or spec.cls is None:
        return
    declared = set() if spec.details is None else {*spec.details.field_names()[0]}
    known = [*sorted(declared | ({"reason"} if spec.reasons else set())), *_KEYWORDS]
    for name in wanted.details:
        if name not in known and name not in details:
            yield f"{name} is no detail of this code; {instead(name, known)}"


def _same(expected: object, details: Mapping[str, Any], name: str) -> bool:
    return name in details and bool(details[name] == expected)


def _line(name: str, value: object, secret: frozenset[str]) -> list[str]:
    if value is MISSING:
        return []
    return [f"{name}: {PLACEHOLDER if name in secret else redact_text(safe_repr(value))}"]


# --- in words ---------------------------------------------------------------------------------------


def _diff(expected: list[str], found: list[str]) -> list[str]:
    import difflib

    return [f"  {line.rstrip()}" for line in difflib.ndiff(expected, found)]


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "raised at an unknown place"
    return f"raised at {frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name}"
