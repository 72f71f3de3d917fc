"""Whether an error of each code comes through: JSON, pickle, copies, another process, every dialect."""

from __future__ import annotations

import base64
import copy
import json
import pickle
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from errkit import dialects
from errkit.checks.examples import build, build_alone, foreign_codes
from errkit.checks.model import Finding, finding
from errkit.checks.other_process import OtherProcess
from errkit.checks.watching import Hung, each
from errkit.errors import CodedError
from errkit.fields import secret_names
from errkit.payload import dumps, loads, to_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from errkit.checks.model import Context
    from errkit.codes import ErrorSpec
    from errkit.dialects import Dialect
    from errkit.registry import Registry

__all__ = ["find_copy", "find_dialects", "find_json", "find_pickle", "find_process", "prepare_process"]

T = TypeVar("T")
R = TypeVar("R")

_STRICT: Final = json.JSONEncoder(allow_nan=False)


def find_json(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The payload is strict JSON, comes back as the same code, and its details match their declaration."""
    text = dumps(build(spec, context))
    sent, found = json.loads(text), loads(text, registry=registry)
    lost = different(sent, to_payload(found))
    if lost:
        problem = f"a trip over JSON changes {lost}"
        yield finding("json", registry, spec, problem, "Keep details to values that JSON can carry.")
    elif getattr(spec.cls, spec.const).match(found) is None:
        problem = "the revived error does not match its own code"
        remedy = "Declare each field with a type that its JSON form can be turned back into."
        yield finding("json", registry, spec, problem, remedy)


def find_pickle(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The error comes out of a pickle of each protocol as the same class with the same payload."""
    error = build(spec, context)
    sent = to_payload(error)
    data = _as_data(error)
    for protocol in range(pickle.HIGHEST_PROTOCOL, 1, -1):
        try:
            found = _out_of_pickle(error, data, protocol)
            if found is None:
                continue
        except Exception as failure:
            yield _broken("pickle", registry, spec, f"pickling with protocol {protocol}", failure)
            return
        lost = different(sent, to_payload(found)) or ("class" if type(found) is not type(error) else "")
        if lost:
            problem = f"pickling with protocol {protocol} changes {lost}"
            remedy = "Remove the class's own __reduce__ or __getstate__, or let it keep what the base keeps."
            yield finding("pickle", registry, spec, problem, remedy)
            return
        changed = next(_changed_types(error, found), "")
        if changed:
            remedy = "Keep details to values that pickle can carry."
            yield finding("pickle", registry, spec, f"out of a pickle, {changed}", remedy)
            return


def _as_data(error: CodedError) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
    """What errkit makes of an error for a pickle, plain data; None if its class pickles itself."""
    cls = type(error)
    is_own = cls.__reduce__ is not CodedError.__reduce__ or cls.__reduce_ex__ is not Exception.__reduce_ex__
    return None if is_own else error.__reduce__()


def _out_of_pickle(error: CodedError, data: tuple[Callable[..., Any], Any] | None, protocol: int) -> Any:
    """The error after a pickle; None if that holds the same data as one of the highest protocol.

    Once an error is data, protocols only differ in how they write that. To make the error again for each of
    them would show nothing more, and take ten times as long.
    """
    if data is None:
        return pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 (made on this line)
    revive, state = data
    found = pickle.loads(pickle.dumps(state, protocol))  # noqa: S301 (made on this line)
    return None if protocol < pickle.HIGHEST_PROTOCOL and found == state else revive(*found)


def _changed_types(error: CodedError, found: CodedError) -> Iterator[str]:
    """The details whose values come out as another type; declared secrets do not travel."""
    for name in sorted(error.details.keys() - secret_names(error.spec.details)):
        before, after = type(error.details[name]), type(found.details.get(name))
        if before is not after:
            yield f"details.{name} is a {after.__name__} and no {before.__name__}"


def find_copy(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Both kinds of copy are the same class with the same payload."""
    error = build(spec, context)
    sent = to_payload(error)
    for name, duplicate in (("copy", copy.copy), ("deepcopy", copy.deepcopy)):
        try:
            found = duplicate(error)
        except Exception as failure:
            yield _broken("copy", registry, spec, name, failure)
            continue
        lost = different(sent, to_payload(found)) or ("class" if type(found) is not type(error) else "")
        if lost:
            problem = f"{name} changes {lost}"
            remedy = "Remove the class's own __copy__ or __deepcopy__, or let it keep what the base keeps."
            yield finding("copy", registry, spec, problem, remedy)


def find_dialects(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """Each dialect encodes the error as strict JSON and brings back all that it does not declare as lost."""
    error = build_alone(spec, context)
    sent = _said_by(to_payload(error))
    for name, dialect in _dialects():
        form = json.loads(_STRICT.encode(dialect.encode(error, audience="internal")))
        found = dialect.decode(form, registry=registry)
        said = {"code": found.code, "message": found.message, "retryable": found.retryable}
        said["details"] = found.details
        may_add = "message" in getattr(dialect, "EXTENDED", ())
        if may_add and found.message.startswith(f"{sent['message']}: "):
            said["message"] = sent["message"]
        lost = [key for key, value in sent.items() if key not in dialect.LOST and value != said[key]]
        if lost:
            problem = f"the dialect {name} changes {', '.join(lost)}"
            yield finding("dialects", registry, spec, problem, "Keep details to plain JSON values and texts.")


@cache
def _dialects() -> tuple[tuple[str, Dialect], ...]:
    return tuple((name, dialects.get(name)) for name in dialects.names())


def _said_by(payload: dict[str, Any]) -> dict[str, Any]:
    return {key: payload.get(key, {}) for key in ("code", "message", "details", "retryable")}


def different(sent: dict[str, Any], found: dict[str, Any]) -> str:
    """The first key whose value is not the same, or the empty string.

    The cause of an example is foreign, so it is `internal` on the wire; what the reader's registry declares
    for that code is its own business.
    """
    sent, found = _with_plain_cause(sent), _with_plain_cause(found)
    return next((key for key in {**sent, **found} if sent.get(key) != found.get(key)), "")


def _with_plain_cause(payload: dict[str, Any]) -> dict[str, Any]:
    cause = payload.get("cause", {})
    return {**payload, "cause": [cause.get(key) for key in ("code", "name", "message")]}


def _broken(check: str, registry: Registry, spec: ErrorSpec, what: str, failure: BaseException) -> Finding:
    problem = f"{what} raises {type(failure).__name__}: {failure}"
    return finding(
        check, registry, spec, problem, "Remove whatever the class overrides of the base's behaviour."
    )


# --- another process --------------------------------------------------------------------------------


def find_process(spec: ErrorSpec, registry: Registry, context: Context) -> Iterator[Finding]:
    """The error says the same in a process that never heard of the code, and comes back from there."""
    problem = context.once(_ask_another_process, registry)[spec.code]
    if problem:
        remedy = "See what the check `pickle` says, and that importing the codes has no side effects."
        yield finding("process", registry, spec, problem, remedy)


def prepare_process(registry: Registry, context: Context) -> None:
    """Send an error of each code to another process, all to the same one."""
    context.once(_ask_another_process, registry)


def _ask_another_process(registry: Registry, context: Context) -> dict[str, str]:
    """What is wrong with an error of each code after a trip to another process; empty if nothing is."""
    problems: dict[str, str] = {}
    foreign = context.once(foreign_codes, registry)

    def watch(function: Callable[[T], R], item: T, code: str) -> R | Hung:
        if code not in foreign:
            return function(item)
        [answer] = each(function, [item], context.patience)
        return answer

    def errors() -> Iterator[tuple[tuple[str, _Sent], bytes]]:
        for spec in registry:
            sent = watch(lambda spec: _sent(spec, context), spec, spec.code)
            if isinstance(sent, _Sent):
                yield (spec.code, sent), sent.pickle
            else:
                problems[spec.code] = f"pickling it {sent}" if isinstance(sent, Hung) else sent

    with OtherProcess(context.patience) as other:
        for (code, sent), answer in other.ask_each(errors()):
            found = watch(lambda trip: _problem(*trip), (sent, answer), code)
            problems[code] = f"what comes back {found}" if isinstance(found, Hung) else found
    return problems


class _Sent(NamedTuple):
    """An error on its way."""

    cls: type
    payload: dict[str, Any]
    pickle: bytes


def _sent(spec: ErrorSpec, context: Context) -> _Sent | str:
    try:
        error = build(spec, context)
        return _Sent(type(error), to_payload(error), pickle.dumps(error))
    except (Exception, SystemExit) as failure:
        return f"the error can't be pickled: {type(failure).__name__}: {failure}"


def _problem(sent: _Sent, answer: dict[str, Any]) -> str:
    """What an answer of the other process shows to be wrong."""
    if "problem" in answer:
        return str(answer["problem"])
    there = answer["payload"]
    kept = ("code", "message", "retryable", "number", "kind", "alert", "hint", "details", "notes")
    lost = next((key for key in kept if sent.payload.get(key) != there.get(key)), "")
    try:
        back = pickle.loads(base64.b64decode(answer["pickle"]))  # noqa: S301 (made by our own child)
    except (Exception, SystemExit) as failure:
        return f"what comes back can't be unpickled: {type(failure).__name__}: {failure}"
    lost = (
        lost or different(sent.payload, to_payload(back)) or ("class" if type(back) is not sent.cls else "")
    )
    return f"a trip to another process changes {lost}" if lost else ""
