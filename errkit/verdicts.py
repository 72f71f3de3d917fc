"""What to do about any error: one verdict, for retry loops and alarms.

A coded error says it itself. For foreign ones a host registers classifiers; what nobody claims is a bug, and
is not retried.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from errkit.codes import Kind, default_alert
from errkit.errors import CodedError, UserCancelled, is_coded_error
from errkit.fields import Record
from errkit.payload import to_payload

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Verdict", "classify", "is_cancellation", "is_retryable", "register_classifier"]


class Verdict(Record):
    """What a failure means for its caller."""

    code: str
    kind: Kind
    retryable: bool
    alert: bool
    retry_after: float | None = None
    """Seconds."""


_CLASSIFIERS: Final[list[Callable[[BaseException], Verdict | None]]] = []
_CANCELLATIONS: Final[tuple[tuple[str, str], ...]] = (
    ("asyncio.exceptions", "CancelledError"),
    ("concurrent.futures._base", "CancelledError"),
)


def is_cancellation(error: object) -> bool:
    """Whether an exception means that someone stopped the work; no boundary may touch it."""
    if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, UserCancelled)):
        return True
    for module, name in _CANCELLATIONS:
        cls = getattr(sys.modules.get(module), name, None)
        if isinstance(cls, type) and isinstance(error, cls):
            return True
    return False


def register_classifier(classifier: Callable[[BaseException], Verdict | None]) -> Callable[[], None]:
    """Let a host map foreign errors, such as its own 401 and 403; the last one registered is asked first.

    Parameters
    ----------
    classifier
        Takes a foreign exception; returns a verdict, or None for one that it does not know.

    Returns
    -------
    Callable
        Takes the classifier back.
    """
    _CLASSIFIERS.append(classifier)
    return lambda: _CLASSIFIERS.remove(classifier) if classifier in _CLASSIFIERS else None


def classify(error: object) -> Verdict:
    """The verdict on any error. Never raises: a classifier that fails has no opinion."""
    if isinstance(error, CodedError):
        return Verdict(
            code=error.code,
            kind=error.kind,
            retryable=error.retryable and not error.retries_spent,
            alert=error.alert,
            retry_after=error.retry_after,
        )
    if is_cancellation(error):
        return Verdict(code="internal", kind="cancelled", retryable=False, alert=False)
    if isinstance(error, BaseExceptionGroup):
        return _classify_group(error)
    if isinstance(error, BaseException):
        for classifier in reversed(_CLASSIFIERS):
            verdict = _ask(classifier, error)
            if verdict is not None:
                return verdict
    if is_coded_error(error):
        from errkit.payload import from_payload

        return classify(from_payload(to_payload(error)))
    return Verdict(code="internal", kind="bug", retryable=False, alert=default_alert("bug"))


def _ask(classifier: Callable[[BaseException], Verdict | None], error: BaseException) -> Verdict | None:
    try:
        verdict = classifier(error)
    except Exception:
        return None
    return verdict if isinstance(verdict, Verdict) else None


def _classify_group(group: BaseExceptionGroup[BaseException]) -> Verdict:
    """The worst of the members: a group is worth a retry only if each of them is."""
    leaves = _leaves(group)
    verdicts = [classify(leaf) for leaf in leaves if not is_cancellation(leaf)] or [
        classify(leaf) for leaf in leaves[:1]
    ]
    worst = next((verdict for verdict in verdicts if not verdict.retryable), verdicts[0])
    waits = [verdict.retry_after for verdict in verdicts if verdict.retry_after is not None]
    return Verdict(
        code=worst.code,
        kind=worst.kind,
        retryable=worst.retryable,
        alert=any(verdict.alert for verdict in verdicts),
        retry_after=max(waits, default=None),
    )


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The members that are no groups, however deep; each once."""
    found: list[BaseException] = []
    waiting: list[BaseException] = [group]
    while waiting:
        member = waiting.pop()
        if isinstance(member, BaseExceptionGroup):
            waiting.extend(reversed(member.exceptions))
        else:
            found.append(member)
    return found


def is_retryable(error: object) -> bool:
    """Whether the same call may succeed later; fits stamina's `on=` and tenacity's `retry_if_exception`."""
    return classify(error).retryable
