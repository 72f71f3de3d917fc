"""From a foreign error to a coded one: tables of rules, and the boundaries at which they work.

A `Translator` is a table: which foreign errors become which code of one domain. `translating` puts one around
a block or a function of any kind. `answering` is for failures that are documented as answers.

Nothing here knows a particular library or domain: the tables stand in `domains/`. A translator never raises,
never swallows an error, and never touches a cancellation.
"""

from __future__ import annotations

import errno as errnos
from functools import partial, wraps
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeVar, cast

from errkit.codes import text_of
from errkit.declaring import refuse
from errkit.errors import CodedError, bare, home_registry
from errkit.fields import Record, is_a
from errkit.guards import code_and_details, is_coded_error, iter_causes, members_of, unwrap_cause
from errkit.payload import from_payload, to_payload
from errkit.verdicts import is_cancellation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Generator, Iterable, Mapping

    from errkit.codes import ErrorCode, ErrorSpec

__all__ = [
    "Answer",
    "Answering",
    "Boundary",
    "Rule",
    "Translator",
    "answering",
    "errno_name",
    "status_of",
    "through_groups",
    "translating",
]

P = ParamSpec("P")
T = TypeVar("T")
C = TypeVar("C", bound=CodedError, covariant=True)
F = TypeVar("F", bound="Callable[..., Any]")

_STATUS: Final = ("status_code", "status", "code")
_EXIT_CODE: Final = ("returncode", "exit_code", "exitcode")
_CONTROL_FLOW: Final = (StopIteration, StopAsyncIteration)
"""These end an iteration; an iterator at a boundary must still be able to end."""

_CARRIED: Final = ("retry_after", "retries_spent", "supported_on", "diagnostic_id", "log_path")
"""What was said of one failure stays true under its new code."""
_LEFT_TO_THE_CAUSE: Final = frozenset({"cause_payload", "causes_left_out", "secondary"})


# --- one row ----------------------------------------------------------------------------------------


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
                and (not self.exit_code or _is_one(_number(error, _EXIT_CODE), self.exit_code))
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
        value = _attribute(error, "errno")
    exact = text_of(value) if is_a(value, str) else _exact_int(value)
    return frozenset() if exact is None else _with_numbers((exact,))


def status_of(error: object) -> int | None:
    """The HTTP status that an exception, its `response` or a response carries, or None.

    A coded error answers from its details.
    """
    value = bare(error)._details.get("status") if is_a(error, CodedError) else None
    number = _exact_int(value)
    return _number(error, _STATUS) if number is None else number


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


def _number(error: object, names: tuple[str, ...]) -> int | None:
    for holder in (error, _attribute(error, "response")):
        for name in names:
            number = _exact_int(_attribute(holder, name))
            if number is not None:
                return number
    return None


def _exact_int(value: object) -> int | None:
    """The number behind an integer of any class, which may hash and compare as it likes."""
    return int.__index__(value) if is_a(value, int) and not is_a(value, bool) else None


def _attribute(holder: object, name: str) -> Any:
    try:
        return getattr(holder, name, None)
    except Exception:
        return None


# --- the table --------------------------------------------------------------------------------------


class Translator(Generic[C]):
    """A table of rules that turns foreign errors into coded ones of one domain. Calling it never raises.

    - An error that is this domain's already, by class or by code, comes back as it is: its first context
      wins. So does one that came over the wire. One that was wrapped since gives its code and details again.
    - Cancellations, exceptions that are no `Exception`, the ends of iterations, and classes named in `passes`
      come back as they are.
    - The original error is the `__cause__` of the new one, so raise the result without `from`.
    - Rules are asked about `unwrap_cause(error)` first, then about the coded errors above it, from within.
    - What was said of one failure (a hint, a time to wait, a diagnostic id) is kept.
    - A group comes back as a group of the same structure and notes, its leaves translated.
    - The text of a foreign error is never copied; it stays with the cause.

    Parameters
    ----------
    domain
        The domain whose errors are built.
    rules
        The table; the first rule that matches wins.
    fallback
        The code for all other errors; without one they come back as they are.
    details
        Takes the error that is classified and returns details; each code gets those that it declares.
    message
        Takes the facts of the code and the details and returns the message; the title if not given.
    passes
        More exception classes that come back as they are.
    """

    def __init__(
        self,
        domain: type[C],
        rules: Iterable[Rule[C]] = (),
        *,
        fallback: ErrorCode[..., Any, C] | None = None,
        details: Callable[[BaseException], Mapping[str, Any]] | None = None,
        message: Callable[[ErrorSpec, Mapping[str, Any]], str] | None = None,
        passes: type[BaseException] | tuple[type[BaseException], ...] = (),
    ) -> None:
        self.domain = domain
        self.rules = tuple(rules)
        self.fallback = fallback
        self.passes = passes
        self._details = details
        self._message = message
        own = domain.__domain__.codes if domain.__domain__ is not None else ()
        self._codes = frozenset([spec.code for spec in own] + [rule.code.spec.code for rule in self.rules])

    def __call__(self, error: object, /, **context: Any) -> C:
        """The error to raise for `error`: `raise to_host_fs(error, path=path, op="read")`.

        Parameters
        ----------
        error
            What was caught.
        context
            Details of the call. Those that the code does not declare land under `context`; None says nothing.
        """
        found = through_groups(error, lambda leaf: self._translate(leaf, context))
        return cast("C", found if issubclass(type(found), BaseException) else CodedError("internal"))

    def code_of(self, error: object) -> ErrorCode[..., Any, C] | None:
        """The code that `error` has in this domain or would get; None if it passes, and for a group.

        Never raises.
        """
        try:
            return self._code_of(error) if is_a(error, BaseException) else None
        except Exception:
            return None

    def _code_of(self, error: BaseException) -> ErrorCode[..., Any, C] | None:
        if is_a(error, BaseExceptionGroup) or self._lets_pass(error):
            return None
        ours = self._ours_in(error)
        if ours is not None:
            known = home_registry(self.domain).get(bare(ours)._spec.code)
            return None if known is None or known.cls is None else getattr(known.cls, known.const)
        rule, _ = self._rule_for(error)
        return self.fallback if rule is None else rule.code

    def _lets_pass(self, error: BaseException) -> bool:
        return passes_every_boundary(error) or is_a(error, self.passes)

    def _translate(self, error: object, context: Mapping[str, Any]) -> object:
        # Where an object can't even be looked at, `through_groups` lets it go on as it is.
        if not is_a(error, BaseException):
            return self._from_value(error, context)
        if self._lets_pass(error) or self._is_ours(error):
            return error
        found = self._ours_in(error)
        if found is not None:
            return _again(found, error)
        rule, subject = self._rule_for(error)
        code = self.fallback if rule is None else rule.code
        return error if code is None else self._build(code, rule, subject, error, context)

    def _from_value(self, value: object, context: Mapping[str, Any]) -> object:
        """What is no exception can't be a cause: a payload is revived, anything else has nothing to say."""
        revived = self._revived(value)
        if revived is not None:
            return self._translate(revived, context)
        if self.fallback is None:
            return value
        details = _arrange(self.fallback.spec, context)
        return self.fallback(self._text(self.fallback.spec, details), **details)

    # --- whose error is it -------------------------------------------------------------------------

    def _is_ours(self, error: BaseException) -> bool:
        if is_a(error, self.domain):
            return True
        if not is_a(error, CodedError):
            return False
        spec = bare(error)._spec
        # A peer that is newer may send codes of the domain that this process does not know.
        unknown_code_of_ours = spec.cls is None and spec.code.rpartition(".")[0] == self.domain.domain
        return spec.code in self._codes or (unknown_code_of_ours and self.domain.domain != "")

    def _ours_in(self, error: BaseException) -> CodedError | None:
        """The nearest error of this domain in the chain; one that only has its shape is revived."""
        for link in iter_causes(error):
            if self._is_ours(link):
                return cast("CodedError", link)
            if not is_a(link, CodedError):
                revived = self._revived(link)
                if revived is not None and self._is_ours(revived):
                    return revived
        return None

    def _revived(self, value: object) -> CodedError | None:
        """The coded error behind a payload, or behind an exception that only has the shape of one."""
        registry = home_registry(self.domain)
        if not is_coded_error(value, registry=registry):
            return None
        if not is_a(value, BaseException):
            return from_payload(to_payload(value), registry=registry)
        code, details = code_and_details(value)
        spec = registry[cast("str", code)]
        error: CodedError = getattr(spec.cls, spec.const)(_attribute(value, "message"), **details)
        return error

    def _rule_for(self, error: BaseException) -> tuple[Rule[C] | None, BaseException]:
        """The first rule that matches, and the error of the chain that it matches."""
        subject = cast("BaseException", unwrap_cause(error))
        coded = [link for link in iter_causes(error) if is_a(link, CodedError)]
        for candidate in (subject, *reversed(coded)):
            for rule in self.rules:
                if rule.matches(candidate):
                    return rule, candidate
        return None, subject

    # --- the new error -----------------------------------------------------------------------------

    def _build(
        self,
        code: ErrorCode[..., Any, C],
        rule: Rule[C] | None,
        subject: BaseException,
        error: BaseException,
        context: Mapping[str, Any],
    ) -> C:
        declared = _declared(code.spec)
        found = {name: value for name, value in _extract(self._details, subject).items() if name in declared}
        found |= _extract(None if rule is None else rule.details, subject)
        details = _arrange(
            code.spec, {**_said(context), **{k: v for k, v in found.items() if context.get(k) is None}}
        )
        new = code(self._text(code.spec, details), **details)
        new.__cause__ = error
        coded = next((link for link in iter_causes(error) if is_a(link, CodedError)), None)
        if coded is not None:
            new.note_facts(**_carried_facts(bare(coded), new, known=rule is not None))
        if rule is not None and rule.retryable is not None:
            new.note_facts(retryable=rule.retryable)
        return new

    def _text(self, spec: ErrorSpec, details: Mapping[str, Any]) -> str:
        if self._message is None:
            return spec.title
        try:
            return self._message(spec, details)
        except Exception:
            return spec.title


def passes_every_boundary(error: BaseException) -> bool:
    """Whether no boundary may touch `error`: a cancellation, the end of an iteration, or no `Exception`."""
    if not is_a(error, Exception) or is_a(error, _CONTROL_FLOW) or is_cancellation(error):
        return True
    return is_a(error, CodedError) and bare(error).kind == "cancelled"


def _again(found: CodedError, error: BaseException) -> CodedError:
    """An error like `found`, over the error that wraps it; what belongs to its own causes stays with it."""
    twin = found.__copy__()
    twin.__dict__.pop("__notes__", None)
    twin._facts = {
        name: value for name, value in bare(found)._facts.items() if name not in _LEFT_TO_THE_CAUSE
    }
    twin.__cause__ = error
    return twin


def _extract(
    extractor: Callable[[BaseException], Mapping[str, Any]] | None, error: BaseException
) -> dict[str, Any]:
    if extractor is None:
        return {}
    try:
        return _said(extractor(error))
    except Exception:
        return {}


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _declared(spec: ErrorSpec) -> frozenset[str]:
    return frozenset() if spec.details is None else spec.details.field_names()[0]


def _arrange(spec: ErrorSpec, values: Mapping[str, Any]) -> dict[str, Any]:
    """The details that the code declares, the others under `context`."""
    said, declared = _said(values), _declared(spec)
    details = {name: value for name, value in said.items() if name in declared}
    others = {name: value for name, value in said.items() if name not in declared}
    if isinstance(others.get("context"), dict):
        others |= others.pop("context")
    return {**details, "context": others} if others else details


def _carried_facts(coded: CodedError, new: CodedError, *, known: bool) -> dict[str, Any]:
    """What was said of the failure under its former code and is true under the new one."""
    facts = {name: coded._facts[name] for name in _CARRIED if name in coded._facts}
    if "retryable" in coded._facts or (not known and coded.retryable != new.retryable):
        # No rule knows this coded error, so its own verdict is the best there is.
        facts["retryable"] = coded.retryable
    if not known and coded.retry_after is not None:
        facts["retry_after"] = coded.retry_after
    said = coded._facts.get("hint") or coded._by_reason("hint")
    hint = said or ("" if new.hint else coded.hint)
    if hint and (coded.public or not new.public):
        facts["hint"] = hint
    return facts


# --- groups -----------------------------------------------------------------------------------------


def through_groups(error: object, one: Callable[[object], object]) -> object:
    """`one(error)`; for a group, a group of the same structure and notes, each leaf passed through `one`.

    A group whose leaves all come back as they are comes back as it is. Nested groups may be of any depth.
    Never raises: if `one` does, the error comes back as it is.
    """
    try:
        return _rebuilt_tree(error, one) if is_a(error, BaseExceptionGroup) else one(error)
    except Exception:
        return error


def _rebuilt_tree(root: BaseExceptionGroup[BaseException], one: Callable[[object], object]) -> object:
    # By hand and not by recursion: groups may be nested deeper than the interpreter recurses.
    done: dict[int, BaseException] = {}
    entered: set[int] = set()
    waiting: list[BaseException] = [root]
    while waiting:
        node = waiting[-1]
        if id(node) in done:
            waiting.pop()
        elif not is_a(node, BaseExceptionGroup):
            done[id(waiting.pop())] = cast("BaseException", one(node))
        elif id(node) in entered:
            members = [done.get(id(member), member) for member in members_of(node)]
            done[id(waiting.pop())] = _with_members(node, members)
        else:
            entered.add(id(node))
            waiting.extend(member for member in reversed(members_of(node)) if id(member) not in entered)
    return done[id(root)]


def _with_members(
    group: BaseExceptionGroup[BaseException], members: list[BaseException]
) -> BaseExceptionGroup[BaseException]:
    if all(new is old for new, old in zip(members, members_of(group), strict=True)):
        return group
    try:
        twin = group.derive(members)
    except Exception:
        twin = BaseExceptionGroup(group.message, members)
    # The same that `split` copies to its parts.
    twin.__cause__, twin.__context__ = group.__cause__, group.__context__
    twin.__suppress_context__ = group.__suppress_context__
    twin.__traceback__ = group.__traceback__
    if hasattr(group, "__notes__"):
        twin.__notes__ = list(group.__notes__)
    # And what else was said of the failure: a diagnostic id, failures of cleanup.
    for name, value in vars(group).items():
        vars(twin).setdefault(name, value)
    return twin


# --- around a block or a function -------------------------------------------------------------------

_GENERATOR: Final = 0x20
_COROUTINE: Final = 0x80 | 0x100
_ASYNC_GENERATOR: Final = 0x200
"""Flags of code objects, as `inspect.CO_*` names them; that module is too heavy to load for three numbers."""


class _Around:
    """Something to put around a block, or as a decorator around a function of any kind.

    It holds no state of a call, so one object serves many calls and threads.
    """

    _answer: Any = None
    """What a decorated function returns when `__exit__` has swallowed its failure."""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        raise NotImplementedError

    def __call__(self, function: F) -> F:
        """Decorate a function, coroutine function, generator or async generator; the kind stays."""
        flags = _code_flags(function)
        if flags & _ASYNC_GENERATOR:
            wrapper = self._async_generator(function)
        elif flags & _COROUTINE:
            wrapper = self._coroutine(function)
        elif flags & _GENERATOR:
            wrapper = self._generator(function)
        else:
            wrapper = self._function(function)
        return cast("F", wrapper)

    def _function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapper(*args: Any, **keywords: Any) -> Any:
            with self:
                result = function(*args, **keywords)
                # A decorator below that is a plain function hides a coroutine function.
                return self._awaited(result) if isinstance(result, CoroutineType) else result
            return self._answer

        return wrapper

    async def _awaited(self, coroutine: CoroutineType[Any, Any, Any]) -> Any:
        with self:
            return await coroutine
        return self._answer

    def _coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def wrapper(*args: Any, **keywords: Any) -> Any:
            with self:
                return await function(*args, **keywords)
            return self._answer

        return wrapper

    def _generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapper(*args: Any, **keywords: Any) -> Generator[Any, Any, Any]:
            with self:
                return (yield from function(*args, **keywords))
            return self._answer

        return wrapper

    def _async_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def wrapper(*args: Any, **keywords: Any) -> AsyncGenerator[Any, Any]:
            with self:
                inner = function(*args, **keywords)
                step = inner.__anext__()
                while True:
                    try:
                        value = await step
                    except StopAsyncIteration:
                        return
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as thrown:
                        step = inner.athrow(thrown)
                    else:
                        step = inner.asend(sent)

        return wrapper


def _code_flags(function: Any) -> int:
    while isinstance(function, partial):
        function = function.func
    found = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    flags: int = getattr(found, "co_flags", 0)
    return flags


def translating(
    translator: Callable[Concatenate[Any, P], BaseException], /, *args: P.args, **context: P.kwargs
) -> Boundary:
    """A boundary: errors that leave the block or the function are translated.

    Use it as `with translating(to_host_fs_error, path=path, op="read"):`, with `async with`, or as a
    decorator on functions, coroutine functions, generators and async generators.

    Parameters
    ----------
    translator
        A `Translator`, or any function from an error to the error to raise. Groups are taken apart for it,
        and cancellations kept from it. If it fails, the original error goes on.
    context
        Details of the call, passed to the translator; type checkers know what it takes.
    """
    return Boundary(lambda error: translator(error, *args, **context))


class Boundary(_Around):
    """What `translating` returns."""

    def __init__(self, translator: Callable[[Any], BaseException]) -> None:
        self._translator = translator

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        found = None if error is None else cast("BaseException", through_groups(error, self._one))
        if found is None or found is error:
            return False
        context = found.__context__
        try:
            raise found
        except BaseException:
            # `raise` has put the untranslated error there, which the cause tells already.
            found.__context__ = context
            raise
        finally:
            # An error whose traceback leads to the error itself would keep every frame alive.
            del found, error

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        return self.__exit__(kind, error, trace)

    def _one(self, error: object) -> object:
        if not is_a(error, BaseException) or passes_every_boundary(error):
            return error
        try:
            found: object = self._translator(error)
            if not is_a(found, BaseException):
                return error
            if found is not error and found.__cause__ is None:
                found.__cause__ = error
            return found
        except Exception:
            return error


# --- failures that are answers ----------------------------------------------------------------------


def answering(value: T, when: Callable[[BaseException], object]) -> Answering[T]:
    """Failures for which `when` holds are answered with `value`; all others go on.

    As a decorator, the function returns `value` instead of raising. As `with answering(...) as answer:`, the
    block sets `answer.value`, which stays `value` if the failure came first.

    Parameters
    ----------
    value
        The answer that is documented for the failure.
    when
        Whether an error is that failure; a predicate that fails says no.
    """
    return Answering(value, when)


class Answer(Generic[T]):
    """What a block under `answering` has to say: the documented answer until the block sets another."""

    value: T | Any

    def __init__(self, value: T) -> None:
        self.value = value


class Answering(_Around, Generic[T]):
    """What `answering` returns."""

    def __init__(self, value: T, when: Callable[[BaseException], object]) -> None:
        self._answer = value
        self._when = when

    def __enter__(self) -> Answer[T]:
        return Answer(self._answer)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or passes_every_boundary(error):
            return False
        try:
            return bool(self._when(error))
        except Exception:
            return False

    async def __aenter__(self) -> Answer[T]:
        return self.__enter__()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        return self.__exit__(kind, error, trace)
