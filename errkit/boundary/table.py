"""A table of rules that turns foreign errors into coded ones of one domain.

It never raises, never swallows an error, and never touches a cancellation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from errkit.boundary.groups import passes_every_boundary, through_groups
from errkit.boundary.keeping import again, arrange, carried_facts, declared_by, extract, said_of
from errkit.boundary.rule import attribute
from errkit.errors import CodedError, bare, home_registry
from errkit.fields import is_a
from errkit.guards import code_and_details, is_coded_error, iter_causes, unwrap_cause
from errkit.payload import from_payload, to_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from errkit.boundary.rule import Rule
    from errkit.codes import ErrorCode, ErrorSpec

__all__ = ["Translator"]

C = TypeVar("C", bound=CodedError, covariant=True)


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
            return again(found, error)
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
        details = arrange(self.fallback.spec, context)
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
        error: CodedError = getattr(spec.cls, spec.const)(attribute(value, "message"), **details)
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
        declared = declared_by(code.spec)
        found = {name: value for name, value in extract(self._details, subject).items() if name in declared}
        found |= extract(None if rule is None else rule.details, subject)
        details = arrange(
            code.spec, {**said_of(context), **{k: v for k, v in found.items() if context.get(k) is None}}
        )
        new = code(self._text(code.spec, details), **details)
        new.__cause__ = error
        coded = next((link for link in iter_causes(error) if is_a(link, CodedError)), None)
        if coded is not None:
            new.note_facts(**carried_facts(bare(coded), new, known=rule is not None))
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
