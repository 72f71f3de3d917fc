"""The guards and look-ups, and the walk along the causes of an error.

Everything here takes whatever was caught: a stranger among exceptions is never asked for what the interpreter
itself knows of it, a chain that bites its tail ends, and one of any length costs no stack.
"""

from __future__ import annotations

from types import MappingProxyType

from errkit.codes import ErrorSpec, fallback_spec, text_of
from errkit.errors import CodedError, attributes_of, bare, home_registry
from errkit.fields import class_name, is_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

    from errkit.registry import Registry

__all__ = [
    "MAX_WALK",
    "as_coded",
    "cause_of",
    "code_and_details",
    "context_of",
    "error_info",
    "is_coded_error",
    "is_error_code",
    "iter_causes",
    "members_of",
    "unwrap_cause",
]

MAX_WALK: Final = 1_000_000
"""Causes that a walk follows before it stops."""

_NO_FACTS: Final[Mapping[str, Any]] = MappingProxyType({})

_read_cause: Final[Callable[[BaseException], Any]] = BaseException.__dict__["__cause__"].__get__
_read_context: Final[Callable[[BaseException], Any]] = BaseException.__dict__["__context__"].__get__
_read_suppressed: Final[Callable[[BaseException], Any]] = BaseException.__dict__[
    "__suppress_context__"
].__get__
_read_members: Final[Callable[[BaseException], Any]] = BaseExceptionGroup.__dict__["exceptions"].__get__
"""The interpreter's own look at an exception: what a subclass makes of these names is not asked."""


def _default_registry() -> Registry:
    return home_registry(CodedError)


def error_info(code: str, *, registry: Registry | None = None) -> ErrorSpec:
    """The facts of any code string; an unknown one fails closed: not public, not retryable.

    Parameters
    ----------
    code
        A code or an alias.
    registry
        Where to look; the default registry if not given.
    """
    home = _default_registry() if registry is None else registry
    return home.get(code) or fallback_spec(text_of(code))


def is_error_code(value: object, *, registry: Registry | None = None) -> bool:
    """Whether `value` is the text of a registered code (an alias is none)."""
    home = _default_registry() if registry is None else registry
    return is_a(value, str) and text_of(value) in home


def is_coded_error(value: object, *, registry: Registry | None = None) -> bool:
    """Whether `value` is a coded error: an instance, or whatever has a registered code and a text message."""
    if is_a(value, CodedError):
        return True
    found = _shape(value)
    return found is not None and is_error_code(found[0], registry=registry)


def _shape(value: object) -> tuple[str, str] | None:
    """Code and message of an object that looks like a coded error; total."""
    from collections.abc import Mapping

    try:
        if is_a(value, Mapping):
            code, message = value.get("code"), value.get("message")
        elif is_a(value, type):
            return None
        else:
            code, message = getattr(value, "code", None), getattr(value, "message", None)
        return (text_of(code), text_of(message)) if is_a(code, str) and is_a(message, str) else None
    except Exception:
        return None


def code_and_details(value: object) -> tuple[str | None, Mapping[str, Any]]:
    """The code and details of a coded error or of an object that looks like one; total."""
    if is_a(value, CodedError):
        view = bare(value)
        return view._spec.code, view._details
    found = _shape(value)
    if found is None:
        return None, _NO_FACTS
    try:
        details = value.get("details") if is_a(value, dict) else getattr(value, "details", None)
    except Exception:
        details = None
    return found[0], details if is_a(details, dict) or is_a(details, MappingProxyType) else _NO_FACTS


def cause_of(error: BaseException) -> BaseException | None:
    """The explicit cause; where that could not stay in place, what came along in its stead."""
    cause: BaseException | None = _read_cause(error)
    if not is_a(error, CodedError) or not (cause is None or _is_pool_text(cause)):
        return cause
    facts = attributes_of(error).get("_facts")
    if type(facts) is not dict:
        return cause
    for name in ("cause",) if cause is None else ("cause", "context"):
        if is_a(facts.get(name), BaseException):
            found: BaseException = facts[name]
            return found
    if facts.get("cause_payload") is not None:
        from errkit.payload import from_payload

        return from_payload(facts["cause_payload"])
    return None


def context_of(error: BaseException) -> BaseException | None:
    """What was being handled when `error` was raised, unless that was suppressed."""
    found: BaseException | None = None if _read_suppressed(error) else _read_context(error)
    return found


def members_of(group: BaseExceptionGroup[BaseException]) -> tuple[BaseException, ...]:
    """The members of a group, whatever its class says of them."""
    found: tuple[BaseException, ...] = _read_members(group)
    return found


def _is_pool_text(cause: BaseException) -> bool:
    """A process pool replaces the cause by an exception that only holds the worker's traceback as text."""
    return class_name(cause) in ("RemoteTraceback", "_RemoteTraceback")


def iter_causes(error: BaseException) -> Iterator[BaseException]:
    """`error`, then each explicit cause, each once; stops at a cycle, or after a million."""
    seen: set[int] = set()
    kept: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < MAX_WALK:
        seen.add(id(current))
        kept.append(current)  # an object revived on the way must outlive the comparison of ids
        yield current
        current = cause_of(current)


def unwrap_cause(value: object) -> object:
    """The first cause that is no coded error, or the last coded one; what is no exception comes back.

    Predicates on raw shapes (an errno, a status) test the result, since a translated error carries the raw
    one as its cause.
    """
    if not is_a(value, BaseException):
        return value
    found = value
    for found in iter_causes(value):
        if not is_a(found, CodedError):
            break
    return found


def as_coded(value: object, *, fallback: str | None = None) -> CodedError:
    """`value` itself if it is a coded error, else a new one around it that keeps it as the cause.

    The new one has the code, message and details of an exception that only has the shape of a coded one.

    Parameters
    ----------
    value
        Anything that was caught.
    fallback
        The code of the new error; `internal` if not given.
    """
    if is_a(value, CodedError):
        return value
    from errkit.payload import from_payload, to_payload
    from errkit.reading import coded_by_shape, message_of

    code = "internal" if fallback is None else fallback
    if not is_a(value, BaseException):
        if is_coded_error(value):
            return from_payload(to_payload(value))
        return CodedError(code, text_of(value), details={"value": value})
    error = coded_by_shape(value) or CodedError(code, message_of(value))
    error.__cause__ = value
    return error
