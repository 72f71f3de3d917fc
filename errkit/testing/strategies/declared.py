"""What is declared: codes, details, errors and their classes.

A source is a registry, a domain class (or one derived from it, or a facade), or a single code; without any,
the default registry is meant.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from errkit.codes import Details, ErrorCode, NoDetails
from errkit.errors import CodedError, home_registry
from errkit.registry import REGISTRY, Registry
from errkit.testing.recording import disown
from errkit.testing.strategies.values import field_values, messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["codes", "details", "error_classes", "error_groups", "errors"]

D = TypeVar("D", bound=Details)

Source = Registry | type[CodedError] | str


# --- from sources to codes --------------------------------------------------------------------------


def _codes_of(source: Source) -> Iterator[ErrorCode[..., Any, CodedError]]:
    """The codes of a source; those of a class build instances of that class."""
    if isinstance(source, ErrorCode):
        yield source
    elif isinstance(source, Registry):
        for spec in source:
            yield getattr(spec.cls, spec.const)
    elif isinstance(source, type) and issubclass(source, CodedError):
        yield from _codes_of_class(source)
    else:
        raise InvalidArgument(f"{source!r} is no registry, no domain class and no code")


def _codes_of_class(cls: type[CodedError]) -> Iterator[ErrorCode[..., Any, CodedError]]:
    if cls.__bound__ is not None:
        yield getattr(cls, cls.__bound__.const)
        return
    domains = [base.__dict__.get("__domain__") for base in cls.__mro__]
    specs = [spec for domain in domains if domain is not None for spec in domain.codes]
    for spec in specs:
        yield getattr(cls, spec.const)
    if not specs:
        # A common base of domains.
        for spec in home_registry(cls):
            if spec.cls is not None and issubclass(spec.cls, cls):
                yield getattr(spec.cls, spec.const)


class _Live:
    """What is made of sources, made again when a registry among them has changed since."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self._known: dict[tuple[int, ...], tuple[tuple[object, ...], list[object], Any]] = {}

    def __call__(self, sources: tuple[object, ...]) -> Any:
        # By identity: codes are equal whatever class they build, registries whatever classes they hold.
        key = tuple(map(id, sources))
        known = self._known.get(key)
        state = [_state(source) for source in sources]
        if known is None or not all(one is another for one, another in zip(known[1], state, strict=True)):
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[key] = sources, state, self._make(sources)
        return known[2]


_MOST_REMEMBERED: Final = 64


def _state(source: object) -> object:
    """An object that another one takes the place of when the codes of a source change."""
    if isinstance(source, Registry):
        return source.codes
    if isinstance(source, type) and issubclass(source, CodedError):
        return home_registry(source).codes
    return None


def _all_codes(sources: tuple[Source, ...]) -> list[ErrorCode[..., Any, CodedError]]:
    found = [code for source in sources for code in _codes_of(source)]
    if not found:
        raise InvalidArgument(
            f"no code is registered in {', '.join(map(repr, sources))}: nothing to draw from"
        )
    return found


# --- codes and classes ------------------------------------------------------------------------------


@_Live
def _some_code(sources: tuple[Source, ...]) -> SearchStrategy[ErrorCode[..., Any, CodedError]]:
    return st.sampled_from(_all_codes(sources))


@st.composite
def codes(draw: DrawFn, *sources: Source) -> ErrorCode[..., Any, CodedError]:
    """Codes, as they stand on their domain.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given.
    """
    found: ErrorCode[..., Any, CodedError] = draw(_some_code(sources or (REGISTRY,)))
    return found


@_Live
def _some_class(sources: tuple[Source, ...]) -> SearchStrategy[type[CodedError]]:
    classes = dict.fromkeys(type(code()) for code in _all_codes(sources))
    return st.sampled_from(list(classes))


@st.composite
def error_classes(draw: DrawFn, *sources: Source) -> type[CodedError]:
    """Domain classes, and the classes that codes build in their stead.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given.
    """
    found: type[CodedError] = draw(_some_class(sources or (REGISTRY,)))
    return found


# --- details ----------------------------------------------------------------------------------------


@st.composite
def details(draw: DrawFn, source: type[D] | ErrorCode[..., D, Any]) -> D:
    """Details of a class, or of a code, as instances of their class.

    Parameters
    ----------
    source
        A `Details` class, or a code; where the code declares reasons, `reason` is one of them.
    """
    cls, fields = _details_of((source,))
    found: D = cls(**draw(fields))
    return found


@_Live
def _details_of(sources: tuple[Any]) -> tuple[Any, SearchStrategy[dict[str, Any]]]:
    [source] = sources
    if isinstance(source, ErrorCode):
        cls = source.spec.details or NoDetails
        names, _ = cls.field_names()
        return cls, _keywords(source).map(
            lambda found: {name: found[name] for name in found if name in names}
        )
    if isinstance(source, type) and issubclass(source, Details):
        return source, field_values(source)
    raise InvalidArgument(f"{source!r} is no Details class and no code")


def _keywords(code: ErrorCode[..., Any, Any]) -> SearchStrategy[dict[str, Any]]:
    """What a throw site gives beside the message."""
    spec = code.spec
    found = st.just({}) if spec.details is None else field_values(spec.details)
    if not spec.reasons:
        return found
    reasons = st.sampled_from(list(spec.reasons))
    return st.tuples(found, reasons).map(lambda pair: {**pair[0], "reason": pair[1]})


# --- errors -----------------------------------------------------------------------------------------


@_Live
def _ingredients(sources: tuple[Source, ...]) -> SearchStrategy[Any]:
    # Strategies are built here, once: building one inside a draw costs four times as much.
    return st.sampled_from([(code, _keywords(code)) for code in _all_codes(sources)])


_NOTES: Final = st.lists(st.text(max_size=20), min_size=1, max_size=2)
_FOREIGN: Final = st.builds(
    lambda cls, text: cls(text), st.sampled_from([ValueError, KeyError, OSError]), st.text(max_size=12)
)
_FAMILY: Final = st.sampled_from(["", "", "", "", "notes", "foreign", "coded", "group"])


@st.composite
def errors(draw: DrawFn, *sources: Source, family: bool = True) -> CodedError:
    """Errors as a program raises them: a code, a message, details that fit, and now and then a family.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given. From a class derived from
        a domain come instances of that class.
    family
        Whether some have notes or a cause: a foreign one, a coded one, or a group of both.
    """
    known = _ingredients(sources or (REGISTRY,))
    error = _error(draw, known)
    member = draw(_FAMILY) if family else ""
    if member == "notes":
        for note in draw(_NOTES):
            error.add_note(note)
    elif member == "foreign":
        error.__cause__ = draw(_FOREIGN)
    elif member == "coded":
        error.__cause__ = _error(draw, known)
        error.__cause__.__cause__ = draw(_FOREIGN)
    elif member == "group":
        error.__cause__ = ExceptionGroup("several", [_error(draw, known), draw(_FOREIGN)])
    return error


def _error(draw: DrawFn, known: SearchStrategy[Any]) -> CodedError:
    code, keywords = draw(known)
    error: CodedError = code(draw(messages), **draw(keywords))
    disown(error)
    return error


@st.composite
def error_groups(draw: DrawFn, *sources: Source) -> ExceptionGroup[Exception]:
    """Groups that hold coded errors, foreign ones and other groups.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given.
    """
    known = _ingredients(sources or (REGISTRY,))
    members: list[Exception] = [_error(draw, known) for _ in range(draw(_COUNTS))]
    shape = draw(_SHAPES)
    if shape != "coded":
        members.append(draw(_FOREIGN))
    return ExceptionGroup("several", [ExceptionGroup("inner", members)] if shape == "nested" else members)


_COUNTS: Final = st.integers(1, 3)
_SHAPES: Final = st.sampled_from(["coded", "mixed", "nested"])
