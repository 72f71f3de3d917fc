"""What goes from one error to the one that replaces it: details, and what was said of one failure.

Nothing here decides which code an error gets; that is `table.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.errors import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError

__all__ = ["again", "arrange", "carried_facts", "declared_by", "extract", "said_of"]

_CARRIED: Final = ("retry_after", "retries_spent", "supported_on", "diagnostic_id", "log_path")
"""What was said of one failure stays true under its new code."""
_LEFT_TO_THE_CAUSE: Final = frozenset({"cause_payload", "causes_left_out", "secondary"})


def again(found: CodedError, error: BaseException) -> CodedError:
    """An error like `found`, over the error that wraps it; what belongs to its own causes stays with it."""
    twin = found.__copy__()
    twin.__dict__.pop("__notes__", None)
    twin._facts = {
        name: value for name, value in bare(found)._facts.items() if name not in _LEFT_TO_THE_CAUSE
    }
    twin.__cause__ = error
    return twin


def extract(
    extractor: Callable[[BaseException], Mapping[str, Any]] | None, error: BaseException
) -> dict[str, Any]:
    """The details that an extractor finds; none where it fails."""
    if extractor is None:
        return {}
    try:
        return said_of(extractor(error))
    except Exception:
        return {}


def said_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that say something: all but None."""
    return {name: value for name, value in values.items() if value is not None}


def declared_by(spec: ErrorSpec) -> frozenset[str]:
    """The names of the details that a code declares."""
    return frozenset() if spec.details is None else spec.details.field_names()[0]


def arrange(spec: ErrorSpec, values: Mapping[str, Any]) -> dict[str, Any]:
    """The details that the code declares, the others under `context`."""
    said, declared = said_of(values), declared_by(spec)
    details = {name: value for name, value in said.items() if name in declared}
    others = {name: value for name, value in said.items() if name not in declared}
    if isinstance(others.get("context"), dict):
        others |= others.pop("context")
    return {**details, "context": others} if others else details


def carried_facts(coded: CodedError, new: CodedError, *, known: bool) -> dict[str, Any]:
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
