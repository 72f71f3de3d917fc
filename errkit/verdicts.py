"""What to do about any error: one verdict, for retry loops and alarms.

A coded error says it itself. For foreign ones a host registers classifiers, and installed packages announce
theirs; what nobody claims is a bug, and is not retried. What counts as a cancellation is decided here too:
every boundary asks `is_cancellation`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from errkit.codes import Kind, default_alert, text_of
from errkit.declaring import MAX_CODE_LENGTH, refuse
from errkit.errors import CodedError, UserCancelled, bare
from errkit.fields import Record, class_name, is_a
from errkit.guards import is_coded_error, members_of
from errkit.own import ErrkitError
from errkit.payload import to_payload
from errkit.safe import Pass

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

__all__ = [
    "CLASSIFIERS_GROUP",
    "Classifier",
    "Verdict",
    "classify",
    "is_cancellation",
    "is_retryable",
    "load_classifiers",
    "register_cancellation",
    "register_classifier",
]


class Verdict(Record):
    """What a failure means for its caller."""

    code: str
    kind: Kind
    retryable: bool
    alert: bool
    retry_after: float | None = None
    """Seconds."""


# --- cancellation -----------------------------------------------------------------------------------

_CANCELLATIONS: Final[tuple[tuple[str, str], ...]] = (
    ("asyncio.exceptions", "CancelledError"),
    ("concurrent.futures._base", "CancelledError"),
)
_TOO_WIDE: Final = (BaseException, Exception, OSError, RuntimeError, CodedError)
"""Classes that hold ordinary failures; as a cancellation, one of them would let those past every boundary."""

_REGISTERED: Final[list[type[BaseException]]] = []


def is_cancellation(error: object) -> bool:
    """Whether an exception means that someone stopped the work; no boundary may touch it.

    Those are `KeyboardInterrupt`, `SystemExit`, `GeneratorExit`, `UserCancelled`, both `CancelledError` of
    the standard library, and the registered classes. A `TimeoutError` is none: nobody stopped the work, it
    took too long.
    """
    wanted: tuple[type[BaseException], ...] = (KeyboardInterrupt, SystemExit, GeneratorExit, UserCancelled)
    if is_a(error, (*wanted, *_REGISTERED)):
        return True
    for module, name in _CANCELLATIONS:
        cls = getattr(sys.modules.get(module), name, None)
        if isinstance(cls, type) and is_a(error, cls):
            return True
    return False


def register_cancellation(cls: type[BaseException]) -> Callable[[], None]:
    """Let an exception class count as a cancellation: every boundary passes it on as it is.

    For classes with which a framework or a host stops work, such as the abort of a job.

    Parameters
    ----------
    cls
        The class; its subclasses count as well.

    Returns
    -------
    Callable
        Takes the class back.

    Raises
    ------
    CodedError
        `errkit.bad_declaration` for what is no exception class, and for one that ordinary failures derive
        from, such as `Exception`.
    """
    _refuse_unfit(cls)
    _REGISTERED.append(cls)
    mine = [cls]

    def undo() -> None:
        # Once: the class may have been registered by others as well.
        if mine:
            _REGISTERED.remove(mine.pop())

    return undo


def _refuse_unfit(cls: object) -> None:
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        problem = f"{text_of(cls)} is no exception class"
    elif cls in _TOO_WIDE:
        problem = f"ordinary failures are {cls.__name__} too; name the class that means a cancellation"
    else:
        return
    caller = sys._getframe(2)
    refuse("register_cancellation()", f"{caller.f_code.co_filename}:{caller.f_lineno}", problem)


# --- classifiers ------------------------------------------------------------------------------------

Classifier: TypeAlias = "Callable[[BaseException], Verdict | None]"
"""Takes a foreign exception; returns a verdict, or None for one that it does not know."""

CLASSIFIERS_GROUP: Final = "errkit.classifiers"
"""The entry-point group in which packages announce classifiers."""

_CLASSIFIERS: Final[list[Classifier]] = []


def register_classifier(classifier: Classifier) -> Callable[[], None]:
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


def load_classifiers() -> list[tuple[str, Classifier | CodedError]]:
    """Register the classifiers that installed packages announce; those of the program are asked first.

    A package announces one in the entry-point group `errkit.classifiers`. Nothing is loaded before this is
    called, nothing is registered twice, and a package that fails spoils none of the others. Never raises.

    Returns
    -------
    list
        Name and classifier, sorted; for one that can't be loaded, the error in its place.
    """
    from importlib.metadata import entry_points

    once = {(point.name, point.value): point for point in entry_points(group=CLASSIFIERS_GROUP)}
    found = [(name, _load(once[name, value])) for name, value in sorted(once)]
    loaded = [classifier for _, classifier in found if not isinstance(classifier, CodedError)]
    _CLASSIFIERS[:0] = [found for found in dict.fromkeys(loaded) if found not in _CLASSIFIERS]
    return found


def _load(point: EntryPoint) -> Classifier | CodedError:
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        return _unusable(point, f"{class_name(error)}: {text_of(error)}", error)
    if not callable(found):
        return _unusable(point, f"expected a function, found {class_name(found)}", None)
    return cast("Classifier", found)


def _unusable(point: EntryPoint, problem: str, cause: BaseException | None) -> CodedError:
    error = ErrkitError.BAD_SOURCE(
        f"the classifier {point.name} ({point.value}) can't be used: {problem}",
        item=point.value,
        problem=problem,
    )
    error.__cause__ = cause
    return error.override(hint=f"Correct the entry point in {CLASSIFIERS_GROUP}, or remove its package.")


# --- verdicts ---------------------------------------------------------------------------------------


def classify(error: object) -> Verdict:
    """The verdict on any error. Never raises: a classifier that fails has no opinion."""
    if is_a(error, CodedError):
        return _said(bare(error))
    if is_cancellation(error):
        return Verdict(code="internal", kind="cancelled", retryable=False, alert=False)
    if is_a(error, BaseExceptionGroup):
        return _classify_group(error)
    if is_a(error, BaseException):
        for classifier in reversed(_CLASSIFIERS):
            verdict = _ask(classifier, error)
            if verdict is not None:
                return verdict
    if is_coded_error(error):
        from errkit.payload import from_payload

        return classify(from_payload(to_payload(error)))
    return Verdict(code="internal", kind="bug", retryable=False, alert=default_alert("bug"))


def _said(error: CodedError) -> Verdict:
    return Verdict(
        code=_shown_code(error),
        kind=error.kind,
        retryable=error.retryable and not error.retries_spent,
        alert=error.alert,
        retry_after=error.retry_after,
    )


def _shown_code(error: CodedError) -> str:
    """The code; one that came from outside and is registered nowhere goes through the total pass."""
    return error.code if error._spec.cls is not None else Pass().text(error.code, MAX_CODE_LENGTH)


def _ask(classifier: Classifier, error: BaseException) -> Verdict | None:
    try:
        verdict = classifier(error)
    except Exception:
        return None
    return verdict if is_a(verdict, Verdict) else None


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
    """The members that are no groups, however deep; each once, since groups may share their members."""
    found: list[BaseException] = []
    waiting: list[BaseException] = [group]
    seen: set[int] = set()
    while waiting:
        member = waiting.pop()
        if id(member) in seen:
            continue
        seen.add(id(member))
        if is_a(member, BaseExceptionGroup):
            waiting.extend(reversed(members_of(member)))
        else:
            found.append(member)
    return found


def is_retryable(error: object) -> bool:
    """Whether the same call may succeed later; fits stamina's `on=` and tenacity's `retry_if_exception`."""
    return classify(error).retryable
