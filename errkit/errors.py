"""`CodedError` and its small family: what an error carries, the guards, and the walk along its causes.

An instance holds its spec, its details and, only where something was said about this one failure, a few facts
of its own. All else is read from the spec when asked, so building and raising stay cheap.

This room neither serializes nor redacts (`payload.py`, `safe.py`), and never decides whether a declaration is
sound (`declaring.py`, `registry.py`).
"""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, overload

from errkit.codes import Declaration, DomainSpec, ErrorCode, ErrorSpec, native_new, text_of
from errkit.declaring import check_code, declare_domain, refuse
from errkit.fields import MISSING, PLACEHOLDER, fits, read_fields, revive, secret_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from typing import Self

    from errkit.codes import Kind
    from errkit.registry import Registry

__all__ = [
    "BugIndicatingError",
    "CodedError",
    "ExpectedError",
    "NoTelemetryError",
    "UserCancelled",
    "as_coded",
    "error_info",
    "is_coded_error",
    "is_error_code",
    "iter_causes",
    "unwrap_cause",
]

MAX_WALK: Final = 1_000_000
"""Causes that a walk follows before it stops."""

_NO_FACTS: Final[Mapping[str, Any]] = MappingProxyType({})


class CodedError(Exception):
    """The base of every domain: an exception that knows its code.

    A subclass with `domain=` is a domain; its body declares the codes. Calling a code builds an instance:
    `raise HostFsError.NOT_FOUND("no such file", path=path) from error`. A code that only arrives at run time is
    built with `CodedError("some.code", "message", details={...})`, which gives the class of the domain that
    registered the code.

    Class keywords: `domain`, `title`, `numbers` (a range), `codes` (a pattern for code strings with `{domain}`,
    `{const}`, `{CONST}`), `registry`; `of` binds a subclass to one code, `default` makes it the one that the
    code builds; `facade` gathers the codes of all bases and builds none itself.

    Raises
    ------
    CodedError
        When a class is made: `errkit.bad_declaration`, `errkit.clash`. Building an instance never raises.
    """

    domain: ClassVar[str] = ""
    __domain__: ClassVar[DomainSpec | None] = None
    __registry__: ClassVar[Registry | None] = None
    __bound__: ClassVar[ErrorSpec | None] = None
    __generic__: ClassVar[bool] = True
    """Stands for no code and no domain: building it gives the class that the code belongs to."""

    _spec: ErrorSpec
    _details: dict[str, Any]
    _facts: Mapping[str, Any] = _NO_FACTS

    def __init_subclass__(
        cls,
        *,
        domain: str | None = None,
        title: str | None = None,
        numbers: range | None = None,
        codes: str | None = None,
        registry: Registry | None = None,
        of: ErrorCode[Any, Any, Any] | None = None,
        default: bool = False,
        facade: bool = False,
        description: str | None = None,
        **keywords: Any,
    ) -> None:
        super().__init_subclass__(**keywords)
        frame = sys._getframe(1)
        place = frame.f_code.co_filename, frame.f_lineno
        _refuse_late_base(cls, place)
        if registry is not None:
            cls.__registry__ = registry
        if domain is not None:
            home = home_registry(cls)
            found = declare_domain(
                cls,
                domain=domain,
                title=title,
                numbers=numbers,
                pattern=codes,
                registry=home.name,
                place=place,
                description=description,
            )
            home.add_domain(found)
            _become_domain(cls, found)
        elif facade:
            _become_facade(cls, place)
        elif of is not None:
            _bind(cls, of, default, place)
        else:
            _become_subclass(cls, place)

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Allocate; a class that stands for no code gives way to the class that the code belongs to."""
        target = _owning_class(cls, arguments[0]) if cls.__generic__ and arguments else cls
        error: Self = native_new(target)(target)
        error._spec = target.__bound__ or fallback_spec("internal")
        error._details = {}
        if not isinstance(error, cls):
            # The interpreter initializes instances of `cls` only; a facade builds those of other classes.
            CodedError.__init__(error, *arguments, **keywords)
        return error

    @overload
    def __init__(
        self, code: str, message: str | None = ..., /, *, details: Mapping[str, Any] | None = ...
    ) -> None: ...

    @overload
    def __init__(self, message: str | None = ..., /, **details: Any) -> None: ...

    def __init__(self, *arguments: Any, details: Any = None, **keywords: Any) -> None:
        if self.__bound__ is None:
            code, message, *extra = (*arguments, None, None)
            self._spec, message = _spec_and_message(self.__class__, code, message)
        else:
            message, *extra = (*arguments, None)
        self.args = (self._spec.title if message is None else text_of(message),)
        self._details = {**_as_dict(details), **keywords}
        if any(item is not None for item in extra):
            self._details["positional"] = tuple(extra)

    # --- what every error carries -------------------------------------------------------------------

    @property
    def spec(self) -> ErrorSpec:
        """The facts of the code as declared; for an unknown code, facts that fail closed."""
        return self._spec

    @property
    def code(self) -> str:
        """The code, as an exact `str`."""
        return self._spec.code

    @property
    def message(self) -> str:
        """The sentence given at the throw site, or the title of the code; not redacted."""
        return text_of(self.args[0]) if self.args else self._spec.title

    @property
    def details(self) -> Mapping[str, Any]:
        """The structured facts, read-only and not redacted."""
        return MappingProxyType(self._details)

    @property
    def number(self) -> int | None:
        """The number of the code, if it has one."""
        number: int | None = self._facts.get("number", self._spec.number)
        return number

    @property
    def kind(self) -> Kind:
        """What the failure means for the caller."""
        kind: Kind = self._facts.get("kind", self._spec.kind)
        return kind

    @property
    def hint(self) -> str:
        """What to do next: said of this failure, of its reason, or of its code."""
        hint: str = (
            self._facts["hint"] if "hint" in self._facts else self._by_reason("hint") or self._spec.hint
        )
        return hint

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later: said of this failure, of its reason, or of its code."""
        if "retryable" in self._facts:
            return bool(self._facts["retryable"])
        verdict = self._by_reason("retryable")
        return self._spec.retryable if verdict is None else bool(verdict)

    @property
    def alert(self) -> bool:
        """Whether the failure is worth an alarm."""
        return bool(self._facts.get("alert", self._spec.alert))

    @property
    def public(self) -> bool:
        """Whether message, hint and details may be shown outside the program; no payload can grant it."""
        return self._spec.public

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before another try, if known."""
        seconds: float | None = self._facts.get("retry_after", self._spec.retry_after)
        return seconds

    @property
    def retries_spent(self) -> bool:
        """Whether somebody below has retried already: `is_retryable` then says no."""
        return bool(self._facts.get("retries_spent", False))

    @property
    def supported_on(self) -> str | None:
        """Where the operation would work, if it does not work here."""
        place: str | None = self._facts.get("supported_on")
        return place

    @property
    def docs_url(self) -> str | None:
        """The address of the page that explains the code; None unless its owner published one."""
        address = self._facts.get("docs") or self._spec.docs
        return address or _published_address(self._spec)

    @property
    def diagnostic_id(self) -> str | None:
        """Names the diagnostic record of this failure."""
        found: str | None = self._facts.get("diagnostic_id")
        return found

    @property
    def log_path(self) -> str | None:
        """The file that holds the diagnostic record."""
        found: str | None = self._facts.get("log_path")
        return found

    @property
    def secondary(self) -> tuple[BaseException, ...]:
        """Failures of cleanup that happened beside this one."""
        found: tuple[BaseException, ...] = self._facts.get("secondary", ())
        return found

    @property
    def cause_payload(self) -> dict[str, Any] | None:
        """The cause as a payload, where the cause itself could not come along."""
        found: dict[str, Any] | None = self._facts.get("cause_payload")
        return found

    @property
    def details_problem(self) -> str | None:
        """What is wrong with the details against the declared ones, in one line; None if they fit."""
        return _details_problem(self)

    def override(
        self,
        *,
        hint: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
        retries_spent: bool | None = None,
        supported_on: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Self:
        """Say something of this one failure against what its code says, and return the error, to raise.

        Parameters
        ----------
        hint
            Another next step.
        retryable
            Another verdict.
        retry_after
            Seconds to wait before another try.
        retries_spent
            Whether somebody below has retried already.
        supported_on
            Where the operation would work.
        context
            More facts; they land in the details under `context`.
        """
        said = {
            "hint": hint,
            "retryable": retryable,
            "retry_after": None if retry_after is None else float(retry_after),
            "retries_spent": retries_spent,
            "supported_on": supported_on,
        }
        self.note_facts(**{name: value for name, value in said.items() if value is not None})
        if context is not None:
            self._details = {**self._details, "context": dict(context)}
        return self

    def note_facts(self, **facts: Any) -> None:
        """Record facts of this one failure; for the rooms of errkit that revive or complete errors."""
        if facts:
            self._facts = {**self._facts, **facts}

    def _by_reason(self, name: str) -> Any:
        if not self._spec.reasons:
            return None
        reason = self._details.get("reason")
        declared = self._spec.reasons.get(reason) if isinstance(reason, str) else None
        return None if declared is None else getattr(declared, name)

    # --- the exception protocol ---------------------------------------------------------------------

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        from errkit.message import describe

        return describe(self)

    def __copy__(self) -> Self:
        from errkit.pickling import duplicate

        return duplicate(self, lambda value: value)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        from errkit.pickling import deep_value, duplicate

        return duplicate(self, lambda value: deep_value(value, memo))

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], CodedError], tuple[dict[str, Any]]]:
        from errkit.pickling import freeze, thaw

        return thaw, (freeze(self),)


class ExpectedError(Exception):
    """A failure that is part of normal flow and deserves no code; `internal` on the wire."""


class NoTelemetryError(Exception):
    """A failure that must not be reported to telemetry; `internal` on the wire."""


class BugIndicatingError(Exception):
    """The caller broke a rule of the program, such as using a service before it is ready; `internal` on the wire."""

    def __init__(self, message: str = "a rule of the program was broken") -> None:
        super().__init__(message)


class UserCancelled(Exception):  # noqa: N818 (an outcome, not an error)
    """A person stopped the work. It has no code, and every boundary lets it pass as it is."""


# --- making classes ---------------------------------------------------------------------------------


def home_registry(cls: type[CodedError]) -> Registry:
    """The registry that a class belongs to."""
    if cls.__registry__ is not None:
        return cls.__registry__
    import errkit.own  # noqa: F401 (the default registry starts with errkit's own codes)
    from errkit.registry import REGISTRY

    return REGISTRY


def _refuse_late_base(cls: type[CodedError], place: tuple[str, int]) -> None:
    """A built-in exception listed before the domain would answer for text, pickles and building."""
    for base in cls.__mro__:
        if base is CodedError:
            return
        if base.__module__ == "builtins":
            refuse(
                cls.__qualname__,
                f"{place[0]}:{place[1]}",
                f"{base.__name__} stands before the domain; list it last",
            )


def _become_domain(cls: type[CodedError], found: DomainSpec) -> None:
    cls.domain, cls.__domain__, cls.__bound__, cls.__generic__ = found.domain, found, None, False
    for spec in found.codes:
        setattr(cls, spec.const, ErrorCode(spec, cls))


def _become_subclass(cls: type[CodedError], place: tuple[str, int]) -> None:
    _refuse_stray_codes(cls, place)
    if cls.__domain__ is None or cls.__bound__ is not None:
        return
    for spec in cls.__domain__.codes:
        setattr(cls, spec.const, ErrorCode(spec, cls))


def _bind(cls: type[CodedError], of: ErrorCode[Any, Any, Any], default: bool, place: tuple[str, int]) -> None:
    _refuse_stray_codes(cls, place)
    if not isinstance(of, ErrorCode) or cls.__domain__ is None or of.spec not in cls.__domain__.codes:
        refuse(
            cls.__qualname__,
            f"{place[0]}:{place[1]}",
            f"of={of!r} is no code of a domain that the class derives from",
        )
    home_registry(cls).bind(of.spec, cls, default=default)
    cls.__bound__ = of.spec
    setattr(cls, of.spec.const, ErrorCode(of.spec, cls))


def _become_facade(cls: type[CodedError], place: tuple[str, int]) -> None:
    _refuse_stray_codes(cls, place)
    seen: dict[str, ErrorSpec] = {}
    for base in cls.__mro__[1:]:
        domain = base.__dict__.get("__domain__")
        for spec in domain.codes if domain is not None else ():
            other = seen.setdefault(spec.const, spec)
            if other is not spec:
                refuse(
                    cls.__qualname__,
                    f"{place[0]}:{place[1]}",
                    f"two codes share the constant {spec.const}: {other.code} ({other.place}) and {spec.code} ({spec.place})",
                )
    cls.domain, cls.__domain__, cls.__bound__, cls.__generic__ = "", None, None, True


def _refuse_stray_codes(cls: type[CodedError], place: tuple[str, int]) -> None:
    for const, value in vars(cls).items():
        if isinstance(value, Declaration):
            refuse(
                f"{cls.__qualname__}.{const}",
                f"{value.file}:{value.line}",
                "the class has no domain=; codes stand in the class of their domain",
            )


# --- building instances -----------------------------------------------------------------------------


def fallback_spec(code: str) -> ErrorSpec:
    """Facts for a code that no registry knows: not public, not retryable."""
    return ErrorSpec(code=code, title=code, kind="bug" if code == "internal" else "terminal")


def _owning_class(cls: type[CodedError], code: object) -> type[CodedError]:
    """The class that stands for a code reached through a class that stands for none."""
    if not isinstance(code, str):
        return cls
    home = home_registry(cls)
    spec = code.spec if isinstance(code, ErrorCode) else home.get(code)
    return cls if spec is None else home.class_of(spec) or cls


def _spec_and_message(cls: type[CodedError], code: Any, message: Any) -> tuple[ErrorSpec, Any]:
    if isinstance(code, ErrorCode):
        return code.spec, message
    if message is None and check_code(code):
        # `HostFsError("something broke")`: a message without a code.
        code, message = "internal", code
    return error_info(text_of(code), registry=home_registry(cls)), message


def _as_dict(details: Any) -> dict[str, Any]:
    if details is None:
        return {}
    try:
        return {
            name if isinstance(name, str) else text_of(name): value for name, value in dict(details).items()
        }
    except Exception:
        return {"details": details}


def _published_address(spec: ErrorSpec) -> str | None:
    from errkit.registry import find_registry

    home = find_registry(spec.registry) if spec.registry else None
    return f"{home.base_url.rstrip('/')}/e/{spec.code}/" if home is not None and home.base_url else None


def _details_problem(error: CodedError) -> str | None:
    cls = error._spec.details
    if cls is None:
        unknown = sorted(error._details.keys() - {"context"} - ({"reason"} if error._spec.reasons else set()))
        return f"unknown: {', '.join(unknown)}" if unknown and error._spec.cls is not None else None
    accepts = revive if error._facts.get("revived") else _instance
    faults: list[str] = []
    names = set()
    for field in read_fields(cls):
        names.add(field.name)
        if field.name not in error._details:
            faults += [f"missing: {field.name}"] if field.required else []
            continue
        value = error._details[field.name]
        if not (field.secret and value == PLACEHOLDER) and accepts(field.type, value) is MISSING:
            faults.append(f"{field.name} is no {field.type_text}: {type(value).__name__}")
    known = names | {"context", "reason"} if error._spec.reasons else names | {"context"}
    faults += [f"unknown: {name}" for name in sorted(error._details.keys() - known)]
    return "; ".join(faults) or None


def _instance(declared: Any, value: Any) -> Any:
    return value if fits(declared, value) else MISSING


def public_details(error: CodedError) -> dict[str, Any]:
    """The details with every declared secret replaced; the values are the error's own otherwise."""
    secret = secret_names(error._spec.details)
    if not secret:
        return error._details
    return {name: PLACEHOLDER if name in secret else value for name, value in error._details.items()}


# --- guards and look-ups ----------------------------------------------------------------------------


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
    return isinstance(value, str) and value in home


def is_coded_error(value: object, *, registry: Registry | None = None) -> bool:
    """Whether `value` is a coded error: an instance, or an object or mapping with a registered code and a text message."""
    if isinstance(value, CodedError):
        return True
    found = _shape(value)
    return found is not None and is_error_code(found[0], registry=registry)


def _shape(value: object) -> tuple[str, str] | None:
    """Code and message of an object that looks like a coded error; total."""
    from collections.abc import Mapping

    try:
        if isinstance(value, Mapping):
            code, message = value.get("code"), value.get("message")
        elif isinstance(value, type):
            return None
        else:
            code, message = getattr(value, "code", None), getattr(value, "message", None)
        return (code, message) if isinstance(code, str) and isinstance(message, str) else None
    except Exception:
        return None


def code_and_details(value: object) -> tuple[str | None, Mapping[str, Any]]:
    """The code and details of a coded error or of an object that looks like one; total."""
    if isinstance(value, CodedError):
        return value._spec.code, value._details
    found = _shape(value)
    if found is None:
        return None, _NO_FACTS
    try:
        details = value["details"] if isinstance(value, dict) else getattr(value, "details", None)
    except Exception:
        details = None
    return found[0], details if isinstance(details, (dict, MappingProxyType)) else _NO_FACTS


def cause_of(error: BaseException) -> BaseException | None:
    """The explicit cause; where only its payload came along, the error revived from that."""
    try:
        cause = error.__cause__
        if (
            isinstance(error, CodedError)
            and error.cause_payload is not None
            and (cause is None or _is_pool_text(cause))
        ):
            from errkit.payload import from_payload

            return from_payload(error.cause_payload)
    except Exception:
        return None
    return cause


def _is_pool_text(cause: BaseException) -> bool:
    """A process pool replaces the cause by an exception that only holds the worker's traceback as text."""
    return type(cause).__name__ in ("RemoteTraceback", "_RemoteTraceback")


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
    """The first cause that is no coded error, or the last coded one; what is no exception comes back as it is.

    Predicates on raw shapes (an errno, a status) test the result, since a translated error carries the raw one.
    """
    if not isinstance(value, BaseException):
        return value
    found = value
    for found in iter_causes(value):
        if not isinstance(found, CodedError):
            break
    return found


def as_coded(value: object, *, fallback: str | None = None) -> CodedError:
    """`value` itself if it is a coded error, else a new one around it that keeps it as the cause.

    Parameters
    ----------
    value
        Anything that was caught.
    fallback
        The code of the new error; `internal` if not given.
    """
    if isinstance(value, CodedError):
        return value
    from errkit.payload import from_payload, to_payload

    if is_coded_error(value):
        return from_payload(to_payload(value))
    if isinstance(value, BaseException):
        error = CodedError(
            "internal" if fallback is None else fallback, text_of(value) or type(value).__name__
        )
        error.__cause__ = value
        return error
    error = CodedError("internal" if fallback is None else fallback, text_of(value))
    error._details["value"] = value
    return error
