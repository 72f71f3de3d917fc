"""Copies and pickles of coded errors: every field, the notes and the causes come along, whatever they hold.

A pickle holds plain data only. What can't be pickled, or does not come out again, travels as its JSON form,
and a cause as its payload; chains are flattened into a bounded list, root kept. Declared secrets do not
leave.

Nothing here may raise: a pool that can't read the failure of its worker waits for it for ever.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from io import BytesIO
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from errkit.codes import fallback_spec, native_new, text_of
from errkit.errors import CodedError, bare, home_registry, public_details
from errkit.guards import as_coded, cause_of
from errkit.registry import find_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit.codes import ErrorSpec

__all__ = ["duplicate", "freeze", "thaw"]

E = TypeVar("E", bound=CodedError)

STATE_VERSION: Final = 1
MAX_SECONDARY: Final = 20
MAX_PICKLE: Final = 1 << 26
"""Bytes of the pickle of one value: beyond them its JSON form travels alone."""

_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})
_OWN_ATTRIBUTES: Final = frozenset({"_spec", "_details", "_facts", "_arrived", "__notes__"})
_FAMILY: Final = frozenset({"cause", "cause_payload", "context", "secondary"})
"""Facts that are errors, and travel by themselves."""


# --- copies -----------------------------------------------------------------------------------------


def duplicate(error: E, memo: dict[int, Any] | None = None) -> E:
    """A new error like `error`, declared secrets included; its causes are shared.

    With the memo of a deep copy, details and attributes are copied too, but for values that can't be.
    """
    cls, view = type(error), bare(error)
    twin: E = native_new(cls)(cls)
    if memo is not None:
        memo[id(error)] = twin  # the details may hold the error
    twin.args = error.args
    twin._spec, twin._facts = view._spec, dict(view._facts)
    twin._details = {name: _copied(value, memo) for name, value in view._details.items()}
    _set_attributes(twin, {name: _copied(value, memo) for name, value in _attributes(error).items()})
    for note in _notes(error):
        twin.add_note(note)
    twin.__cause__, twin.__context__ = error.__cause__, error.__context__
    twin.__suppress_context__ = error.__suppress_context__
    return twin


def _copied(value: Any, memo: dict[int, Any] | None) -> Any:
    if memo is None:
        return value
    import copy

    try:
        # What has a class of its own is copied item by item, and it may have no end.
        is_endless = _counts_by_itself(value) or _has_items_of_its_own(value)
        return value if is_endless else copy.deepcopy(value, memo)
    except Exception:
        return value


def _attributes(error: CodedError) -> dict[str, Any]:
    """What others have set on the error: in its `__dict__`, in slots, in the fields of a built-in base."""
    found = {name: value for name, value in vars(error).items() if name not in _OWN_ATTRIBUTES}
    for name, member in _members(type(error)):
        try:
            found.setdefault(name, member.__get__(error))
        except AttributeError:
            continue  # a slot that nobody filled
    return found


def _members(cls: type) -> tuple[tuple[str, MemberDescriptorType], ...]:
    """Slots of a class and fields of its built-in base, looked for once: a class gets no more of them."""
    found: tuple[tuple[str, MemberDescriptorType], ...] | None = cls.__dict__.get("__members__")
    if found is None:
        found = tuple(
            (name, member)
            for base in cls.__mro__
            for name, member in vars(base).items()
            if isinstance(member, MemberDescriptorType) and not hasattr(CodedError, name)
        )
        type.__setattr__(cls, "__members__", found)
    return found


def _set_attributes(error: CodedError, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        try:
            object.__setattr__(error, name, value)
        except Exception:
            error.__dict__[name] = value


def _notes(error: BaseException) -> list[str]:
    notes = getattr(error, "__notes__", None)
    return [text_of(note) for note in notes] if isinstance(notes, (list, tuple)) else []


# --- to data ----------------------------------------------------------------------------------------


class _Open(threading.local):
    """The errors that this thread is freezing: one that its own details hold must not be frozen again."""

    def __init__(self) -> None:
        self.ids: set[int] = set()
        self.owners: set[int] = set()
        """Those whose failures of cleanup are being frozen: these may lead back to them."""


_OPEN: Final = _Open()


def freeze(error: CodedError) -> dict[str, Any]:
    """The state of an error and of its causes as plain data that always pickles.

    Raises
    ------
    RecursionError
        Where the error is being frozen already, for `_pickled` to catch.
    """
    return _freeze_chain(error)


def _freeze_chain(error: BaseException) -> dict[str, Any]:
    if id(error) in _OPEN.ids:
        raise RecursionError("an error among its own details or failures of cleanup")
    _OPEN.ids.add(id(error))
    try:
        return _state(error)
    finally:
        _OPEN.ids.discard(id(error))


def _state(error: BaseException) -> dict[str, Any]:
    from errkit.payload import to_payload

    links, left_out = _links(error)
    return {"v": STATE_VERSION, "links": links, "left_out": left_out, "payload": to_payload(error)}


def _links(error: BaseException) -> tuple[list[dict[str, Any]], int]:
    """The error and each cause that its payload shows, and how many are left out before the root."""
    from errkit.reading import chain_of, kept_of

    chain = chain_of(error)
    kept = kept_of(chain)
    links = [_freeze_one(link) if isinstance(link, CodedError) else _freeze_foreign(link) for link in kept]
    for effect, cause, link in zip(kept, kept[1:], links[1:], strict=False):
        link["implicit"] = cause_of(effect) is None and effect.__context__ is cause
    return links, len(chain) - len(kept)


def _freeze_one(error: CodedError) -> dict[str, Any]:
    view, cls = bare(error), type(error)
    spec, said = view._spec, view._facts
    facts = {name: value for name, value in said.items() if name not in _FAMILY}
    if spec.cls is not None:
        facts["declared"] = _declared(view)
    # A code that was not known when the error came in may be known by now, and may be so where it goes.
    registered = _class_for(find_spec(spec.registry, spec.code), cls.__name__) if spec.cls else CodedError
    return {
        "registry": spec.registry,
        "code": spec.code,
        "name": said.get("name", cls.__name__),
        "class": None if cls is registered else _pickled(cls),
        "message": view.message,
        "details": {name: _pack(value) for name, value in public_details(view).items()},
        "facts": {name: _pack(value) for name, value in facts.items()},
        "notes": _notes(error),
        "attributes": {name: _pack(value) for name, value in _attributes(error).items()},
        "suppress": error.__suppress_context__,
        "secondary": _freeze_failures(error, view.secondary),
    }


def _declared(error: CodedError) -> dict[str, Any]:
    """What the code says, for a reader that does not know it."""
    names = ("number", "kind", "alert", "hint", "retryable", "retry_after")
    return {"docs": error._spec.docs, **{name: getattr(error, name) for name in names}}


def _freeze_foreign(error: BaseException) -> dict[str, Any]:
    return {"pickle": _pickled(error), "suppress": error.__suppress_context__}


def _freeze_failures(error: CodedError, failures: tuple[BaseException, ...]) -> list[dict[str, Any]]:
    if id(error) in _OPEN.owners:
        return []
    _OPEN.owners.add(id(error))
    try:
        return [_freeze_failure(failure) for failure in failures[:MAX_SECONDARY]]
    finally:
        _OPEN.owners.discard(id(error))


def _freeze_failure(failure: BaseException) -> dict[str, Any]:
    from errkit.payload import to_payload

    try:
        return _freeze_chain(failure)
    except Exception:
        return {"links": [{}], "payload": to_payload(failure)}


def _pack(value: Any) -> Any:
    """A value that pickles: itself if it is plain, else its pickle beside its JSON form."""
    if type(value) in _PLAIN:
        return value
    from errkit.safe import to_json

    return {"pickle": _pickled(value), "json": to_json(value)}


class _Bounded(BytesIO):
    """Where a pickle is written that may have no end."""

    def write(self, data: Any) -> int:
        if self.tell() > MAX_PICKLE:
            raise OverflowError("too long")  # errkit: allow bare-raise -- caught by _pickled
        return super().write(data)


def _pickled(value: Any) -> bytes | None:
    """The pickle of a value on its own, or None if it has none, or one beyond all measure."""
    import pickle

    target = _Bounded()
    try:
        if not _counts_by_itself(value):
            pickle.Pickler(target).dump(value)
    except Exception:
        return None
    return target.getvalue() or None


def _counts_by_itself(value: Any) -> bool:
    """Whether a list or a set has a class that says anew what it holds: it may never end."""
    kind = type(value)
    return any(
        issubclass(kind, base) and kind.__iter__ is not base.__iter__ for base in (list, set, frozenset)
    )


def _has_items_of_its_own(value: Any) -> bool:
    kind = type(value)
    return issubclass(kind, dict) and kind.items not in (dict.items, OrderedDict.items)


# --- and back ---------------------------------------------------------------------------------------


def thaw(state: dict[str, Any]) -> CodedError:
    """The error that `freeze` froze; never raises, and ignores keys of newer versions."""
    error = _thaw_chain(state)
    return error if isinstance(error, CodedError) else as_coded(error)


def _thaw_chain(state: Mapping[str, Any]) -> BaseException:
    payload: Any = state.get("payload")
    chain: list[BaseException] = []
    for link in state.get("links", ({},)):
        chain.append(_thaw_one(link) if "code" in link else _thaw_foreign(link, payload))
        if len(chain) > 1:
            _connect(chain[-2], chain[-1], implicit=link.get("implicit", False))
        payload = payload.get("cause") if isinstance(payload, dict) else None
    if isinstance(chain[0], CodedError):
        _note_family(chain[0], state)
    return chain[0]


def _connect(effect: BaseException, cause: BaseException, *, implicit: bool) -> None:
    if implicit:
        effect.__context__ = cause
        return
    # Setting the cause also sets the flag, so the flag comes second.
    suppress = effect.__suppress_context__
    effect.__cause__ = cause
    effect.__suppress_context__ = suppress


def _note_family(error: CodedError, state: Mapping[str, Any]) -> None:
    """Keep the cause beside `__cause__`: a pool puts the traceback of its worker in the place of that."""
    if error.__cause__ is not None:
        error.note_facts(cause=error.__cause__, cause_payload=state.get("payload", {}).get("cause"))
    elif error.__context__ is not None:
        error.note_facts(context=error.__context__)
    if state.get("left_out"):
        error.note_facts(causes_left_out=error._facts.get("causes_left_out", 0) + state["left_out"])


def _thaw_foreign(link: Mapping[str, Any], payload: Any) -> BaseException:
    from errkit.payload import from_payload

    found = _unpickled(link.get("pickle"))
    if isinstance(found, BaseException):
        found.__suppress_context__ = bool(link.get("suppress"))
        return found
    alone = payload if isinstance(payload, dict) else {}
    return from_payload({key: value for key, value in alone.items() if key != "cause"})


def _thaw_one(state: dict[str, Any]) -> CodedError:
    code, facts = text_of(state.get("code", "internal")), _unpacked(state.get("facts", {}))
    spec = find_spec(state.get("registry", ""), code)
    cls = _unpickled(state.get("class"))
    if not (isinstance(cls, type) and issubclass(cls, CodedError)):
        cls = _class_for(spec, state.get("name"))
    spec = spec or _spec_of_class(cls, code) or fallback_spec(code, text_of(state.get("registry", "")))
    declared = facts.pop("declared", {})
    error: CodedError = native_new(cls)(cls)
    error.args = (text_of(state.get("message", spec.title)),)
    error._spec = spec
    error._details = _unpacked(state.get("details", {}))
    error._facts = _said(declared, state.get("name"), facts) if spec.cls is None else facts
    for note in state.get("notes", ()):
        error.add_note(note)
    _set_attributes(error, _unpacked(state.get("attributes", {})))
    error.__suppress_context__ = bool(state.get("suppress"))
    failures = tuple(_thaw_chain(failure) for failure in state.get("secondary", ()))
    if failures:
        error.note_facts(secondary=failures)
    return error


def _class_for(spec: ErrorSpec | None, name: str | None) -> type[CodedError]:
    if spec is None or spec.cls is None:
        return CodedError
    return home_registry(spec.cls).class_of(spec, name) or CodedError


def _spec_of_class(cls: type[CodedError], code: str) -> ErrorSpec | None:
    """The spec of a code whose domain is registered no longer."""
    domains = (base.__dict__.get("__domain__") for base in cls.__mro__)
    specs = (spec for domain in domains if domain is not None for spec in domain.codes)
    return next((spec for spec in specs if spec.code == code), None)


def _said(declared: dict[str, Any], name: str | None, facts: dict[str, Any]) -> dict[str, Any]:
    """Where the code is unknown, what its sender declared is kept as said of this failure."""
    known = {fact: value for fact, value in declared.items() if value not in (None, "")}
    return {**known, **({"name": name} if name != CodedError.__name__ else {}), **facts}


def _unpacked(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _unpack(value) for name, value in values.items()}


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
