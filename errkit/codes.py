"""How a code is declared: `Details`, `Secret`, `code()`, and the records that a declaration becomes.

A declaration stands in the body of a `CodedError` subclass. When that class is made, each declaration becomes
an `ErrorCode`: a `str` that is the code, carries its facts on `.spec`, and builds the exception when called.

This room holds facts and builds instances. Which class, which registry and which checks belong to a
declaration is decided in `errors.py` and `registry.py`.
"""

from __future__ import annotations

import sys
from types import MappingProxyType, MethodType

from errkit.asking import asked_for_text
from errkit.fields import MISSING, PLACEHOLDER, Record, Secret, class_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from types import FrameType
    from typing import Any, Final, Generic, Literal, ParamSpec, TypeVar, dataclass_transform, overload

    from errkit.errors import CodedError

    Kind = Literal["terminal", "transient", "outcome", "cancelled", "bug"]
    """What a failure means for the caller; whether to retry and whether to alert follow from it."""
else:
    from errkit.fields import Generic, ParamSpec, TypeVar, dataclass_transform, overload

    def __getattr__(name):
        if name != "Kind":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from typing import Literal

        return Literal[KINDS]


__all__ = ["KINDS", "Details", "DomainSpec", "ErrorCode", "ErrorSpec", "Kind", "Reason", "Secret", "code"]

P = ParamSpec("P")
D = TypeVar("D", bound="Details", covariant=True)
E = TypeVar("E", covariant=True)
_Owner = TypeVar("_Owner")

KINDS: Final[tuple[Kind, ...]] = ("terminal", "transient", "outcome", "cancelled", "bug")
_ALERTS: Final = frozenset({"terminal", "transient", "bug"})

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Details(Record):
    """The structured facts that come with a code: a class of annotations, one field a line.

    A docstring under a field documents it. Type checkers check each keyword at the throw site; at run time
    nothing is generated and nothing is refused (see `CodedError.details_problem`).
    """

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: all but the declared secrets. Copies keep those."""
        from errkit.typed import secret_names

        secret = secret_names(self.__class__)
        return {name: PLACEHOLDER if name in secret else value for name, value in vars(self).items()}


class NoDetails(Details):
    """The details of a code that declares none."""


class ReasonDetails(Details):
    """The details of a code that declares reasons and nothing else."""

    reason: str | None = None
    """Which of the declared reasons it was."""


class Reason(Record):
    """One value of `details.reason`: a sub-case of a code that programs may tell apart."""

    title: str
    hint: str = ""
    """Replaces the hint of the code; empty keeps it."""
    retryable: bool | None = None
    """Replaces the verdict of the code; None keeps it."""


def show_rich(
    self: object, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, str]:
    """What IPython shows in place of a `repr`; becomes the method `_repr_mimebundle_` of several classes."""
    from errkit.jupyter import mimebundle

    return mimebundle(self, include, exclude)


class ErrorSpec(Record):
    """All facts of one declared code; two registries that share a code share this record."""

    code: str
    title: str
    const: str = ""
    domain: str = ""
    number: int | None = None
    kind: Kind = "terminal"
    alert: bool = True
    public: bool = False
    hint: str = ""
    details: type[Details] | None = None
    reasons: Mapping[str, Reason] = _NOTHING
    example: Mapping[str, Any] | None = None
    since: str = ""
    deprecated: str = ""
    replaced_by: str = ""
    aliases: tuple[str, ...] = ()
    docs: str = ""
    retry_after: float | None = None
    """Seconds."""
    http_status: int | None = None
    registry: str = ""
    """The name of the registry that the owning class belongs to; empty if the code is registered nowhere."""
    cls: type[CodedError] | None = None
    """The domain's exception class."""
    file: str = ""
    line: int = 0
    description: str | None = None
    """Prose that was given with the declaration; other prose is in the source, where `prose.py` reads it."""

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later: true for the kind `transient` alone."""
        return self.kind == "transient"

    @property
    def place(self) -> str:
        """Where the code is declared, as `file:line`."""
        return f"{self.file}:{self.line}" if self.file else "an unknown place"

    def facts(self) -> dict[str, Any]:
        """The fields that make the contract of the code, without where and in which class it stands."""
        left_out = ("details", "cls", "file", "line", "registry")
        return {name: value for name, value in self.__iter_fields__() if name not in left_out}

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash(self.code)

    def __deepcopy__(self, memo: object) -> ErrorSpec:
        return self

    def __reduce__(self) -> tuple[Callable[[str, str], ErrorSpec], tuple[str, str]]:
        return revive_spec, (self.registry, self.code)

    def __repr__(self) -> str:
        number = "" if self.number is None else f" {self.number}"
        return f"<ErrorSpec {self.code}{number} {self.kind}: {self.title}>"

    _repr_mimebundle_ = show_rich


class DomainSpec(Record):
    """A domain as declared: its name, its range of numbers, its class and its codes in order."""

    domain: str
    title: str
    codes: tuple[ErrorSpec, ...]
    cls: type[CodedError]
    numbers: range | None = None
    description: str | None = None
    registry: str = ""
    file: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """Where the domain is declared, as `file:line`."""
        return f"{self.file}:{self.line}" if self.file else "an unknown place"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash(self.domain)

    def __deepcopy__(self, memo: object) -> DomainSpec:
        return self

    def __repr__(self) -> str:
        return f"<DomainSpec {self.domain}: {len(self.codes)} codes>"

    _repr_mimebundle_ = show_rich


class ErrorCode(str, Generic[P, D, E]):
    """A code: equal to its string, with its facts on `spec`; calling it builds the error to raise.

    An `__init__` of the class that it builds is not called: nobody but the code knows what it would take.
    """

    __slots__ = ("_make", "spec")

    spec: ErrorSpec
    _make: Callable[..., CodedError]

    def __new__(cls, spec: ErrorSpec, builds: type[CodedError]) -> ErrorCode[P, D, E]:
        """The code of `spec`, building instances of the class `builds`."""
        self = str.__new__(cls, spec.code)
        self.spec = spec
        self._make = _maker(builds)
        return self

    if TYPE_CHECKING:

        def __call__(self, message: str | None = None, /, *args: P.args, **details: P.kwargs) -> E:
            """Build an error with this code. The message defaults to the title of the code."""
            raise NotImplementedError

    else:
        # A throw site never fails: what does not fit is kept and noted on `details_problem`. It is also as
        # cheap as can be: most errors are caught by type and never looked into, so what was given is left
        # among the raw arguments of the exception, and `settle` puts it in its place at the first look.
        def __call__(self, message=None, /, *extra, **details):
            """Build an error with this code."""
            make = self._make
            return make(message, self, details, extra)

    def match(self, error: object) -> D | None:
        """The typed details of `error` if it has this code, else None.

        The code string decides, so a revived error matches too; its values are turned back into the declared
        types. None as well if a required field is missing or does not fit; an optional one that does not fit
        has its default. Never raises.
        """
        from errkit.guards import code_and_details

        found, details = code_and_details(error)
        if found != self and found not in self.spec.aliases:
            return None
        try:
            return _typed_details(self.spec.details or NoDetails, details)  # type: ignore[return-value]
        except Exception:
            return None

    _repr_mimebundle_ = show_rich

    def __reduce__(self) -> tuple[Callable[[str, str], str], tuple[str, str]]:
        return revive_code, (self.spec.registry, str.__str__(self))

    def __copy__(self) -> ErrorCode[P, D, E]:
        return self

    def __deepcopy__(self, memo: object) -> ErrorCode[P, D, E]:
        return self


def _maker(cls: type[CodedError]) -> Callable[..., CodedError]:
    """What builds an error of a class from the message, its code, its details and what else was given."""
    made: Callable[..., CodedError] | None = cls.__dict__.get("__make__")
    if made is None:
        native = native_new(cls)
        made = MethodType(native if native is Exception.__new__ else _make_at_once, cls)
        cls.__make__ = made
    return made


get_arguments: Final[Callable[[BaseException], tuple[Any, ...]]] = BaseException.__dict__["args"].__get__
set_arguments: Final[Callable[[BaseException, tuple[Any, ...]], None]] = BaseException.__dict__[
    "args"
].__set__


def settle(
    error: CodedError,
    attributes: dict[str, Any],
    message: object,
    spec: ErrorSpec,
    details: dict[str, Any],
    extra: tuple[Any, ...],
) -> None:
    """Put what was given when an error was built in its place; for `errors.py`."""
    if extra:
        details["positional"] = extra
    if type(message) is not str:
        message = spec.title if message is None else text_of(message)
    attributes["_details"] = details
    attributes["_spec"] = spec
    if "_facts" not in attributes:
        attributes["_facts"] = {}
    # The arguments come last: another thread that finds them settled finds the rest as well.
    set_arguments(error, (message,))


def _make_at_once(
    cls: type[CodedError],
    message: object,
    code: ErrorCode[..., Any, Any],
    details: dict[str, Any],
    extra: Any,
) -> CodedError:
    """Build an error with a built-in base that reads its own arguments, such as `OSError`."""
    error: CodedError = native_new(cls)(cls)
    settle(error, error.__dict__, message, code.spec, details, extra)
    return error


def native_new(cls: type) -> Callable[..., Any]:
    """The built-in `__new__` that allocates `cls`, beneath any written in Python."""
    base: type = cls
    while hasattr(base.__new__, "__code__"):
        assert base.__base__ is not None
        base = base.__base__
    return base.__new__


def revive_spec(registry: str, code: str) -> ErrorSpec:
    """The spec behind a pickled one, or one that fails closed where the code is not known."""
    from errkit.registry import find_spec

    return find_spec(registry, code) or fallback_spec(code)


def revive_code(registry: str, text: str) -> str:
    """The `ErrorCode` behind a pickled one, or its plain text where the code is not known."""
    from errkit.registry import find_spec

    spec = find_spec(registry, text)
    if spec is None or spec.cls is None:
        return text
    found: str = getattr(spec.cls, spec.const)
    return found


def fallback_spec(code: str, registry: str = "") -> ErrorSpec:
    """Facts for a code that is not known here: not public, not retryable.

    Parameters
    ----------
    code
        The code.
    registry
        The registry that it is said to belong to, so that it finds home from a process without that.
    """
    kind: Kind = "bug" if code == "internal" else "terminal"
    return ErrorSpec(code=code, title=code, kind=kind, registry=registry)


def text_of(value: object) -> str:
    """Any value as an exact `str`; never raises."""
    try:
        return str.__str__(value) if isinstance(value, str) else str.__str__(str(asked_for_text(value)))
    except Exception:
        return f"<unprintable {class_name(value)}>"


def _typed_details(cls: type[Details], values: Mapping[str, Any]) -> Details | None:
    from errkit.typed import is_redacted, read_fields, revive

    found: dict[str, Any] = {}
    for field in read_fields(cls):
        value = values.get(field.name, MISSING)
        if not (value is MISSING or is_redacted(value)):
            value = revive(field.type, value)
        if value is not MISSING:
            found[field.name] = value
        elif field.required:
            return None
    return cls(**found)


# --- declaring --------------------------------------------------------------------------------------


class Declaration(Generic[P, D]):
    """A code as written in a class body, until the class is made and an `ErrorCode` takes its place."""

    def __init__(self, facts: dict[str, Any], file: str, line: int) -> None:
        self.facts = facts
        self.file = file
        self.line = line

    def __get__(self, instance: object, owner: type[_Owner]) -> ErrorCode[P, D, _Owner]:
        from errkit.own import ErrkitError

        raise ErrkitError.BAD_DECLARATION(
            f"code() at {self.file}:{self.line} stands in {owner.__qualname__}, which is no CodedError class",
            place=f"{self.file}:{self.line}",
            problem="a code outside a domain",
        )


@overload
def code(
    title: str,
    details: Callable[P, D],
    *,
    number: int | None = ...,
    kind: Kind = ...,
    public: bool = ...,
    hint: str = ...,
    alert: bool | None = ...,
    retry_after: float | None = ...,
    http_status: int | None = ...,
    reasons: Mapping[str, str | Reason] | None = ...,
    example: Mapping[str, Any] | None = ...,
    since: str = ...,
    deprecated: str = ...,
    replaced_by: str = ...,
    aliases: Sequence[str] = ...,
    docs: str = ...,
    description: str = ...,
    code: str | None = ...,
) -> Declaration[P, D]: ...


@overload
def code(
    title: str,
    details: None = ...,
    *,
    reasons: Mapping[str, str | Reason],
    number: int | None = ...,
    kind: Kind = ...,
    public: bool = ...,
    hint: str = ...,
    alert: bool | None = ...,
    retry_after: float | None = ...,
    http_status: int | None = ...,
    example: Mapping[str, Any] | None = ...,
    since: str = ...,
    deprecated: str = ...,
    replaced_by: str = ...,
    aliases: Sequence[str] = ...,
    docs: str = ...,
    description: str = ...,
    code: str | None = ...,
) -> Declaration[..., ReasonDetails]: ...


@overload
def code(
    title: str,
    details: None = ...,
    *,
    number: int | None = ...,
    kind: Kind = ...,
    public: bool = ...,
    hint: str = ...,
    alert: bool | None = ...,
    retry_after: float | None = ...,
    http_status: int | None = ...,
    reasons: None = ...,
    example: Mapping[str, Any] | None = ...,
    since: str = ...,
    deprecated: str = ...,
    replaced_by: str = ...,
    aliases: Sequence[str] = ...,
    docs: str = ...,
    description: str = ...,
    code: str | None = ...,
) -> Declaration[[], NoDetails]: ...


def code(
    title: str,
    details: Any = None,
    *,
    number: int | None = None,
    kind: Kind = "terminal",
    public: bool = False,
    hint: str = "",
    alert: bool | None = None,
    retry_after: float | None = None,
    http_status: int | None = None,
    reasons: Mapping[str, str | Reason] | None = None,
    example: Mapping[str, Any] | None = None,
    since: str = "",
    deprecated: str = "",
    replaced_by: str = "",
    aliases: Sequence[str] = (),
    docs: str = "",
    description: str = "",
    code: str | None = None,
) -> Any:
    """Declare a code in the body of a domain class; the string literal under it is its prose.

    Parameters
    ----------
    title
        What happened, as a short phrase; also the message where a throw site gives none.
    details
        A `Details` class: the keywords that the throw site takes.
    number
        A number inside the domain's range.
    kind
        `terminal`, `transient`, `outcome`, `cancelled` or `bug`: whether to retry and to alert follow.
    public
        Whether message, hint and details may be shown outside the program.
    hint
        One imperative sentence: what to do next.
    alert
        Overrides what `kind` says about alerting.
    retry_after
        Seconds to wait before another try.
    http_status
        The HTTP status for the dialects that have one.
    reasons
        Values of `details.reason`, each with a title or a `Reason`; the code then accepts `reason=`.
    example
        Details of a realistic instance, for the reference site and the tests.
    since, deprecated
        The version that added or deprecated the code.
    replaced_by
        The code to use instead.
    aliases
        Former spellings, found by every look-up.
    docs
        The address of a page elsewhere that explains the code.
    description
        The prose, for a code that is made by a program, which has no string literal under it.
    code
        The whole code string, where it is not the domain, a dot and the constant in lower case.

    Raises
    ------
    CodedError
        When the class is made: `errkit.bad_declaration` or `errkit.clash`.
    """
    return _declaration(locals(), sys._getframe(1))


def _declaration(facts: dict[str, Any], frame: FrameType) -> Declaration[..., Any]:
    return Declaration(facts, frame.f_code.co_filename, frame.f_lineno)


def default_alert(kind: str) -> bool:
    """Whether failures of this kind are worth an alarm."""
    return kind in _ALERTS
