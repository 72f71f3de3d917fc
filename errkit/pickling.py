"""Copies and pickles of coded errors: every field, the notes and the causes come along, whatever they hold.

A pickle holds plain data only. What can't be pickled, or would not come out again, travels as its JSON form or
as the payload of the cause; chains are flattened into a bounded list, root kept. Declared secrets do not leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.errors import CodedError, error_info, fallback_spec, home_registry, iter_causes, public_details

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.registry import Registry

__all__ = ["deep_value", "duplicate", "freeze", "thaw"]

STATE_VERSION: Final = 1
MAX_LINKS: Final = 32
"""Causes that a pickle carries: the nearest ones and the root."""

_PLAIN: Final = (str, int, float, bool, bytes, type(None))
_OWN_ATTRIBUTES: Final = frozenset({"_spec", "_details", "_facts", "__notes__"})


def duplicate(error: CodedError, copied: Callable[[Any], Any]) -> Any:
    """A new error like `error`, its details and attributes passed through `copied`; causes are shared."""
    from errkit.codes import native_new

    cls = error.__class__
    twin = native_new(cls)(cls)
    twin.args = error.args
    twin.__dict__.update(
        {name: copied(value) for name, value in vars(error).items() if name not in _OWN_ATTRIBUTES}
    )
    twin._spec = error._spec
    twin._details = {name: copied(value) for name, value in error._details.items()}
    if error._facts:
        twin._facts = dict(error._facts)
    if getattr(error, "__notes__", None):
        twin.__notes__ = list(error.__notes__)
    twin.__cause__, twin.__context__ = error.__cause__, error.__context__
    twin.__suppress_context__ = error.__suppress_context__
    return twin


def deep_value(value: Any, memo: dict[int, Any]) -> Any:
    """A deep copy of one value, or the value itself where it can't be copied."""
    import copy

    try:
        return copy.deepcopy(value, memo)
    except Exception:
        return value


# --- to data ----------------------------------------------------------------------------------------


def freeze(error: CodedError) -> dict[str, Any]:
    """The state of an error and of its causes as plain data that always pickles."""
    causes = list(iter_causes(error))[1:]
    kept = causes if len(causes) <= MAX_LINKS else [*causes[: MAX_LINKS - 1], causes[-1]]
    state = _freeze_one(error)
    state["causes"] = [_freeze_link(cause) for cause in kept]
    if kept:
        state["cause_payload"] = _payload(kept[0])
    state["left_out"] = len(causes) - len(kept)
    return state


def _freeze_one(error: CodedError) -> dict[str, Any]:
    spec, cls = error._spec, error.__class__
    home = None if spec.cls is None else home_registry(spec.cls)
    extra = {name: value for name, value in vars(error).items() if name not in _OWN_ATTRIBUTES}
    return {
        "v": STATE_VERSION,
        "registry": spec.registry if spec.cls is not None else "",
        "code": spec.code,
        "name": error.__class__.__name__,
        "class": None if _class_for(home, spec.code, error.__class__.__name__) is cls else _pickled(cls),
        "message": error.message,
        "details": {name: _pack(value) for name, value in public_details(error).items()},
        "facts": {name: _pack(value) for name, value in _facts_to_keep(error).items() if name != "secondary"},
        "secondary": [_freeze_link(failure) for failure in error.secondary[:MAX_LINKS]],
        "notes": [note for note in getattr(error, "__notes__", ()) if isinstance(note, str)],
        "extra": {name: _pack(value) for name, value in extra.items()},
        "suppress": error.__suppress_context__,
    }


def _facts_to_keep(error: CodedError) -> Mapping[str, Any]:
    """The facts of this failure, and of its code those that a reader without the code's registry needs."""
    spec = error._spec
    declared = {
        "number": spec.number,
        "kind": spec.kind,
        "alert": spec.alert,
        "hint": error.hint,
        "docs": spec.docs,
    }
    declared |= {"retryable": error.retryable, "retry_after": spec.retry_after, "title": spec.title}
    known = (
        {name: value for name, value in declared.items() if value not in (None, "")}
        if spec.cls is not None
        else {}
    )
    return {"declared": known, **error._facts}


def _freeze_link(cause: BaseException) -> dict[str, Any]:
    if isinstance(cause, CodedError):
        return _freeze_one(cause)
    return {"pickle": _pickled(cause), "payload": _payload(cause), "suppress": cause.__suppress_context__}


def _payload(error: BaseException) -> dict[str, Any]:
    from errkit.payload import to_payload

    return to_payload(error)


def _pack(value: Any) -> Any:
    """A value that pickles: itself if it is plain, else its pickle beside its JSON form."""
    if type(value) in _PLAIN:
        return value
    from errkit.safe import to_json

    return {"pickle": _pickled(value), "json": to_json(value)}


def _pickled(value: Any) -> bytes | None:
    """The pickle of a value on its own, or None if it has none that comes out again."""
    import pickle

    try:
        data = pickle.dumps(value)
        pickle.loads(data)  # noqa: S301 (made the line before)
    except Exception:
        return None
    return data


# --- and back ---------------------------------------------------------------------------------------


def thaw(state: dict[str, Any]) -> CodedError:
    """The error that `freeze` froze; never raises, and ignores keys of newer versions."""
    error = _thaw_one(state)
    links = [_thaw_link(link) for link in state.get("causes", ())]
    effect: BaseException = error
    for link in links:
        if link is None:
            break
        _connect(effect, link, suppress=effect.__suppress_context__)
        effect = link
    if state.get("cause_payload"):
        error.note_facts(cause_payload=state["cause_payload"])
    if state.get("left_out"):
        error.note_facts(causes_left_out=state["left_out"])
    return error


def _connect(effect: BaseException, cause: BaseException, *, suppress: bool) -> None:
    # Setting the cause also sets the flag, so the flag comes second.
    effect.__cause__ = cause
    effect.__suppress_context__ = suppress


def _thaw_link(link: dict[str, Any]) -> BaseException | None:
    if "code" in link:
        return _thaw_one(link)
    found = _unpickled(link.get("pickle"))
    if not isinstance(found, BaseException):
        return None
    found.__suppress_context__ = bool(link.get("suppress"))
    return found


def _thaw_failure(link: dict[str, Any]) -> BaseException:
    from errkit.payload import from_payload

    return _thaw_link(link) or from_payload(link.get("payload"))


def _thaw_one(state: dict[str, Any]) -> CodedError:
    from errkit.codes import native_new
    from errkit.registry import find_registry

    home = find_registry(state["registry"]) if state.get("registry") else None
    facts = {name: _unpack(value) for name, value in state.get("facts", {}).items()}
    declared = facts.pop("declared", {})
    spec = fallback_spec(state["code"]) if home is None else error_info(state["code"], registry=home)
    cls = _unpickled(state.get("class"))
    if not (isinstance(cls, type) and issubclass(cls, CodedError)):
        cls = _class_for(home, spec.code, state.get("name"))
    error: CodedError = native_new(cls)(cls)
    error.args = (state["message"],)
    error._spec = spec
    error._details = {name: _unpack(value) for name, value in state.get("details", {}).items()}
    error._facts = _no_registry_facts(declared, state, facts) if spec.cls is None else facts
    secondary = tuple(map(_thaw_failure, state.get("secondary", ())))
    if secondary:
        error.note_facts(secondary=secondary)
    for note in state.get("notes", ()):
        error.add_note(note)
    error.__dict__.update({name: _unpack(value) for name, value in state.get("extra", {}).items()})
    error.__suppress_context__ = bool(state.get("suppress"))
    return error


def _class_for(home: Registry | None, code: str, name: str | None) -> type[CodedError]:
    spec = None if home is None else home.get(code)
    if home is None or spec is None:
        return CodedError
    return home.class_of(spec, name) or CodedError


def _no_registry_facts(
    declared: dict[str, Any], state: dict[str, Any], facts: dict[str, Any]
) -> dict[str, Any]:
    """Where the code is unknown, what its sender declared is kept as said of this failure."""
    said = {name: value for name, value in declared.items() if name != "title"}
    return {**said, "name": state.get("name"), **facts}


def _unpack(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    found = _unpickled(value.get("pickle"))
    return value.get("json") if found is _BROKEN else found


_BROKEN: Final = object()


def _unpickled(data: bytes | None) -> Any:
    import pickle

    if data is None:
        return _BROKEN
    try:
        return pickle.loads(data)  # noqa: S301 (part of a pickle that is being loaded)
    except Exception:
        return _BROKEN
