"""`CodedError` and its small family: what an error carries, how a class becomes a domain, how one is built.

An instance holds its spec, its details and, only where something was said about this one failure, a few facts
of its own. All else is read from the spec when asked, so building and raising stay cheap.

This room neither serializes nor redacts (`payload.py`, `safe`), never decides whether a declaration is
sound (`declaring.py`, `registry.py`), and asks no stranger: guards and walks are in `guards.py`.
"""

from __future__ import annotations

import sys
from itertools import takewhile
from types import MappingProxyType, MethodType

from errkit.codes import (
    Declaration,
    DomainSpec,
    ErrorCode,
    ErrorSpec,
    fallback_spec,
    get_arguments,
    native_new,
    set_arguments,
    settle,
    show_rich,
    text_of,
)
from errkit.declaring import check_code, clash, declare_domain, refuse
from errkit.fields import MISSING, PLACEHOLDER, class_name, dict_of, is_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType
    from typing import Any, ClassVar, Final, NoReturn, Self, overload

    from errkit.codes import Kind
    from errkit.registry import Registry
else:
    from errkit.fields import overload

__all__ = [
    "BugIndicatingError",
    "CodedError",
    "ExpectedError",
    "NoTelemetryError",
    "UserCancelled",
]


_NO_FACTS: Final[Mapping[str, Any]] = MappingProxyType({})
_INTERNAL: Final = fallback_spec("internal")

attributes_of: Final[Callable[[BaseException], dict[str, Any]]] = BaseException.__dict__["__dict__"].__get__
"""The interpreter's own look at an exception: what a subclass makes of the name is not asked."""


class _Settled:
    """`_spec`, `_details` or `_facts` of an error, until the first look has put them in their place.

    An instance keeps them under the same name, and an instance attribute wins over this descriptor.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, error: CodedError | None, owner: type) -> Any:
        if error is None:
            return self
        raw, values = get_arguments(error), attributes_of(error)
        if len(raw) == 4 and type(raw[1]) is ErrorCode:
            message, code, details, extra = raw
            settle(error, values, message, code.spec, details, extra)
        elif "_arrived" in values:
            from errkit.decoding import read_arrived

            read_arrived(error)
        elif "_spec" not in values:  # allocated by hand, as by a subclass that calls no `__init__`
            values.update(_spec=error.__bound__ or _INTERNAL, _details={})
        return values.get(self._name, _NO_FACTS)


class _ShowsRich:
    """`_repr_mimebundle_` of a domain class and of its instances: IPython skips a plain method on a class."""

    def __get__(self, error: CodedError | None, owner: type) -> Callable[..., dict[str, str]]:
        return MethodType(show_rich, owner if error is None else error)


class CodedError(Exception):
    """The base of every domain: an exception that knows its code.

    A subclass with `domain=` is a domain; its body declares the codes. Calling a code builds an instance:
    `raise HostFsError.NOT_FOUND("no such file", path=path) from error`. A code that only arrives at run time
    is built with `CodedError("some.code", "message", details={...})`, which gives the class of the domain
    that registered the code.

    Class keywords: `domain`, `title`, `numbers` (a range), `codes` (a pattern for code strings with
    `{domain}`, `{const}`, `{CONST}`), `registry`; `of` binds a subclass to one code, `default` makes it the
    one that the code builds; `facade` gathers the codes of all bases and builds none itself. `description` is
    prose that does not stand in the source.

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

    __plain__: ClassVar[bool | None] = None
    """Whether the class leaves all fields as they are; found out at the first look."""

    __place__: ClassVar[tuple[str, int]] = ("", 0)
    """File and line of the class statement."""
    __make__: ClassVar[Any] = None
    """Builds an instance; belongs to `ErrorCode`."""

    if TYPE_CHECKING:
        _spec: ErrorSpec
        _details: dict[str, Any]
        _facts: Mapping[str, Any]
    else:
        _spec = _Settled()
        _details = _Settled()
        _facts = _Settled()

        @property
        def args(self):
            """The message alone, as of any exception."""
            _ = self._spec  # before the first look the raw arguments hold more
            return get_arguments(self)

        @args.setter
        def args(self, arguments):
            _ = self._spec
            set_arguments(self, arguments)

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
        if "__place__" not in cls.__dict__:
            cls.__place__ = _class_statement(cls)
        if registry is not None:
            cls.__registry__ = registry
        facts = {"title": title, "numbers": numbers, "codes": codes, "description": description}
        _refuse_misuse(cls, {"domain": domain, "of": of, "facade": facade}, facts, default=default)
        if domain is not None:
            home = home_registry(cls)
            found = declare_domain(
                cls,
                domain=domain,
                title=title,
                numbers=numbers,
                pattern=codes,
                registry=home.name,
                place=cls.__place__,
                description=description,
            )
            _become_domain(cls, found)
            home.add_domain(found)
        elif facade:
            _become_facade(cls)
        elif of is not None:
            _become_bound(cls, of, default=default)
        else:
            _point_codes(cls)

    def __new__(cls, /, *arguments: Any, **keywords: Any) -> Self:
        """Allocate; a class that stands for no code gives way to the class that the code belongs to."""
        target = _owning_class(cls, arguments, keywords) if cls.__generic__ and arguments else cls
        error: Self = native_new(target)(target)
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

    def __init__(self, /, *arguments: Any, **keywords: Any) -> None:
        details, bound = keywords.pop("details", None), self.__bound__
        if bound is None:
            spec, said = _read_code(self.__class__, arguments)
        else:
            spec, said = bound, _after_code(bound, arguments)
        message, extra = (said[0], said[1:]) if said else (None, ())
        settle(self, self.__dict__, message, spec, {**_as_dict(details), **keywords}, extra)

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
        if address or self._spec.cls is None:
            return address or None
        base = home_registry(self._spec.cls).base_url
        return f"{base.rstrip('/')}/e/{self._spec.code}/" if base else None

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
            "hint": None if hint is None else text_of(hint),
            "retryable": _flag(retryable),
            "retry_after": _seconds(retry_after),
            "retries_spent": _flag(retries_spent),
            "supported_on": None if supported_on is None else text_of(supported_on),
        }
        self.note_facts(**{name: value for name, value in said.items() if value is not None})
        if context is not None:
            self._details = {**self._details, "context": _as_dict(context)}
        return self

    def note_facts(self, **facts: Any) -> None:
        """Record facts of this one failure; for the rooms of errkit that revive or complete errors."""
        if facts:
            self._facts = {**self._facts, **facts}

    def _by_reason(self, name: str) -> Any:
        if not self._spec.reasons:
            return None
        reason = self._details.get("reason")
        declared = self._spec.reasons.get(reason) if is_a(reason, str) else None
        return None if declared is None else getattr(declared, name)

    # --- the exception protocol ---------------------------------------------------------------------

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        from errkit.message import describe

        return describe(self)

    _repr_mimebundle_ = _ShowsRich()

    def __copy__(self) -> Self:
        from errkit.pickling import duplicate

        return duplicate(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        from errkit.pickling import duplicate

        return duplicate(self, memo)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], CodedError], tuple[dict[str, Any]]]:
        from errkit.pickling import freeze, thaw

        return thaw, (freeze(self),)


class ExpectedError(Exception):
    """A failure that is part of normal flow and deserves no code; `internal` on the wire."""


class NoTelemetryError(Exception):
    """A failure that must not be reported to telemetry; `internal` on the wire."""


class BugIndicatingError(Exception):
    """The caller broke a rule of the program, such as using a service too early; `internal` on the wire."""

    def __init__(self, message: str = "a rule of the program was broken") -> None:
        super().__init__(message)


class UserCancelled(Exception):
    """A person stopped the work. It has no code, and every boundary lets it pass as it is."""


# --- making classes ---------------------------------------------------------------------------------


def home_registry(cls: type[CodedError]) -> Registry:
    """The registry that a class belongs to."""
    if cls.__registry__ is not None:
        return cls.__registry__
    import errkit.own  # noqa: F401 (the default registry starts with errkit's own codes)
    from errkit.registry import REGISTRY

    return REGISTRY


def _class_statement(cls: type[CodedError]) -> tuple[str, int]:
    """File and line of a class statement; a metaclass or a hook of a subclass may stand in between."""
    frame: FrameType | None = sys._getframe(2)
    first, hooks = sys._getframe(2), ("__init_subclass__", "__new__")
    while frame and (frame.f_globals.get("__name__") != cls.__module__ or frame.f_code.co_name in hooks):
        frame = frame.f_back
    frame = frame or first
    return frame.f_code.co_filename, frame.f_lineno


def _refuse_class(cls: type[CodedError], problem: str) -> NoReturn:
    refuse(cls.__qualname__, place_of(cls), problem)


def place_of(cls: type[CodedError]) -> str:
    """Where a class is declared, as `file:line`."""
    return f"{cls.__place__[0]}:{cls.__place__[1]}"


def _refuse_misuse(
    cls: type[CodedError], roles: Mapping[str, object], facts: Mapping[str, object], *, default: bool
) -> None:
    """Refuse keywords that would be ignored, codes outside a domain, and bases that can't be mixed in."""
    given = [role for role, value in roles.items() if value not in (None, False)]
    if len(given) > 1:
        _refuse_class(cls, f"{'= and '.join(given)}= can't stand together; a class is one of them")
    if roles["domain"] is None:
        for name, value in facts.items():
            if value is not None:
                _refuse_class(cls, f"{name}= belongs to a domain; add domain=")
        for const, value in vars(cls).items():
            if isinstance(value, Declaration):
                owner, place = f"{cls.__qualname__}.{const}", f"{value.file}:{value.line}"
                refuse(owner, place, "the class has no domain=; codes stand in the class of their domain")
    if default and roles["of"] is None:
        _refuse_class(cls, "default= belongs to of=; say which code the class is the default of")
    for base in cls.__mro__[: cls.__mro__.index(CodedError)]:
        if base.__module__ == "builtins":
            # It would answer for text, pickles and building.
            _refuse_class(cls, f"{base.__name__} stands before the domain; list it last")
    try:
        native_new(cls)(cls)
    except TypeError as error:
        _refuse_class(
            cls, f"its built-in base needs arguments of its own ({error}); wrap such an error instead"
        )


def _become_domain(cls: type[CodedError], found: DomainSpec) -> None:
    cls.domain, cls.__domain__, cls.__bound__, cls.__generic__ = found.domain, found, None, False
    for spec in found.codes:
        setattr(cls, spec.const, ErrorCode(spec, cls))
    _point_codes(cls)


def _point_codes(cls: type[CodedError]) -> None:
    """Let each inherited code build instances of `cls` where it is reached through `cls`."""
    for base in cls.__mro__[1:]:
        domain: DomainSpec | None = base.__dict__.get("__domain__")
        for spec in () if domain is None else domain.codes:
            if spec.const not in cls.__dict__:
                setattr(cls, spec.const, ErrorCode(spec, cls))


def _become_bound(cls: type[CodedError], of: object, *, default: bool) -> None:
    spec = of.spec if isinstance(of, ErrorCode) else None
    if spec is None or spec.cls is None or spec.cls not in cls.__mro__:
        _refuse_class(cls, f"of={of!r} is no code of a domain that the class derives from")
    cls.__bound__ = spec
    _point_codes(cls)
    home_registry(spec.cls).bind(spec, cls, default=default)


def _become_facade(cls: type[CodedError]) -> None:
    seen: dict[str, ErrorSpec] = {}
    for base in cls.__mro__[1:]:
        domain: DomainSpec | None = base.__dict__.get("__domain__")
        for spec in () if domain is None else domain.codes:
            other = seen.setdefault(spec.const, spec)
            if other is not spec:
                clash(f"the constant {spec.const} ({other.code} and {spec.code})", other.place, spec.place)
    cls.domain, cls.__domain__, cls.__bound__, cls.__generic__ = "", None, None, True


# --- building instances -----------------------------------------------------------------------------


def _owning_class(
    cls: type[CodedError], arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> type[CodedError]:
    """The class that stands for a code reached through a class that stands for none."""
    code = arguments[0]
    if not is_a(code, str):
        return cls
    home = home_registry(cls)
    spec = code.spec if is_a(code, ErrorCode) else home.get(text_of(code))
    found = None if spec is None else home.class_of(spec)
    for base in () if found is None else found.__mro__:
        # One with an `__init__` of its own may not take these arguments, and building must not fail.
        if issubclass(base, CodedError) and _takes(base.__init__, arguments, keywords):
            return base
    return cls


def _takes(function: Callable[..., None], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
    if function is CodedError.__init__:
        return True
    import inspect

    try:
        inspect.signature(function).bind(None, *arguments, **keywords)
    except (TypeError, ValueError):
        return False
    return True


def _read_code(cls: type[CodedError], arguments: tuple[Any, ...]) -> tuple[ErrorSpec, tuple[Any, ...]]:
    """The code that the first argument names, and the other arguments.

    `CodedError("some.code")` names a code; `CodedError("It broke.")` and `HostFsError("broken")` say
    something about a failure without one.
    """
    if not arguments:
        return _INTERNAL, ()
    code, *rest = arguments
    if is_a(code, ErrorCode):
        return code.spec, tuple(rest)
    home = home_registry(cls)
    spec = home.get(text_of(code)) if is_a(code, str) else None
    if spec is None and not rest and (not cls.__generic__ or check_code(text_of(code))):
        return home.get("internal") or _INTERNAL, arguments
    return spec or fallback_spec(text_of(code) or "internal"), tuple(rest)


def _after_code(bound: ErrorSpec, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is said beside the code: `CodedError("some.code", "message")` may build a class bound to it."""
    names = (bound.code, *bound.aliases)
    named = arguments and is_a(arguments[0], str) and text_of(arguments[0]) in names
    return arguments[1:] if named else arguments


def _as_dict(details: Any) -> dict[str, Any]:
    if details is None:
        return {}
    try:
        items = details if type(details) is dict else dict_of(details)
        return {name if type(name) is str else text_of(name): value for name, value in items.items()}
    except Exception:
        return {"details": details}


def _flag(value: Any) -> bool | None:
    """Whether a value counts as true; None for one that says nothing, or can't say."""
    try:
        return None if value is None else bool(value)
    except Exception:
        return None


def _seconds(value: Any) -> float | None:
    try:
        seconds = float(value)
    except Exception:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _details_problem(error: CodedError) -> str | None:
    from errkit.typed import is_redacted, read_fields

    spec, details = error._spec, error._details
    if spec.cls is None:
        return None
    fields = () if spec.details is None else read_fields(spec.details)
    # What came over the wire may stand in its JSON form.
    is_wrong = _never_revives if error._facts.get("revived") else _does_not_fit
    faults = []
    for field in fields:
        value = details.get(field.name, MISSING)
        if value is MISSING:
            faults += [f"missing: {field.name}"] if field.required else []
        elif not is_redacted(value) and is_wrong(field.type, value):
            faults.append(f"{field.name} is no {field.type_text}: {class_name(value)}")
    known = {field.name for field in fields} | {"context"} | ({"reason"} if spec.reasons else set())
    faults += [f"unknown: {name}" for name in sorted(details.keys() - known)]
    return "; ".join(faults) or None


def _does_not_fit(declared: Any, value: object) -> bool:
    from errkit.typed import fits

    return not fits(declared, value)


def _never_revives(declared: Any, value: object) -> bool:
    from errkit.typed import revive

    return revive(declared, value) is MISSING


_FIELDS: Final = frozenset(
    [name for name, value in vars(CodedError).items() if isinstance(value, (property, _Settled))]
    + ["_facts", "_by_reason", "__dict__"]
)
"""What a subclass may have taken into its own hands."""
_UNSAID: Final[dict[str, Any]] = {}


def bare(error: CodedError) -> CodedError:
    """The error as `CodedError` reads it, for functions that must never fail.

    That is the error itself, unless its class overrides a field or somebody has put something else in the
    place of its facts; then it is a `CodedError` with the same facts, named like the original.
    """
    cls, values = type(error), attributes_of(error)
    plain = cls.__dict__.get("__plain__")
    if plain is None:
        plain = _overrides_nothing(cls)
        type.__setattr__(cls, "__plain__", plain)
    facts = values.get("_facts", _UNSAID)
    as_built = (
        type(values.get("_spec", _INTERNAL)) is ErrorSpec
        and type(values.get("_details", _UNSAID)) is dict
        and type(facts) is dict
        and (not facts or _are_facts(facts))
    )
    return error if plain and as_built else _twin(error, values)


_COUNTS: Final = ("causes_left_out", "items_left_out", "chars_left_out")


_PLAIN: Final = (str, bool, int, float)


def _are_facts(facts: dict[Any, Any]) -> bool:
    """Whether each is what its readers rely on; a class derived from a built-in one answers as it likes."""
    from errkit.reading import READERS, whole_number

    for name, value in facts.items():
        if type(name) is not str:
            return False
        if name in ("secondary", "group"):
            right = is_a(value, tuple)
        elif name == "unknown":
            right = type(value) is dict
        else:
            read = whole_number if name in _COUNTS else READERS.get(name)
            right = (
                read is None
                or value is None
                or (type(value) in _PLAIN and (read(value) is not MISSING or value == ""))
            )
        if not right:
            return False
    return True


def _overrides_nothing(cls: type[CodedError]) -> bool:
    above = takewhile(lambda base: base is not CodedError, cls.__mro__)
    return all(base.__dict__.keys().isdisjoint(_FIELDS) for base in above)


def _twin(error: CodedError, values: dict[str, Any]) -> CodedError:
    found: CodedError = native_new(CodedError)(CodedError)
    own = vars(CodedError)
    spec, details, facts = (
        own[name].__get__(error, CodedError) if values.get(name) is None else values[name]
        for name in ("_spec", "_details", "_facts")
    )
    arguments = get_arguments(error)
    settle(
        found,
        found.__dict__,
        arguments[0] if arguments else None,
        spec if type(spec) is ErrorSpec else _INTERNAL,
        details if type(details) is dict else {},
        (),
    )
    said = facts.items() if type(facts) is dict else ()
    found.note_facts(name=class_name(error))
    found.note_facts(**{name: value for name, value in said if _are_facts({name: value})})
    return found


def public_details(error: CodedError) -> dict[str, Any]:
    """The details with every declared secret replaced; the values are the error's own otherwise."""
    if error._spec.details is None:
        return error._details
    from errkit.typed import secret_names

    secret = secret_names(error._spec.details)
    if not secret:
        return error._details
    return {name: PLACEHOLDER if name in secret else value for name, value in error._details.items()}
