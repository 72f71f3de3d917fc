"""An error on its way: whatever is done to it, in any order, it stays the error that it was.

Hypothesis raises an error and then wraps, translates, notes, groups, cleans up, copies, pickles and sends it.
Beside it, a model in plain data says what must still be there: code, message, details, verdict, notes,
members, failures of cleanup, and every cause down to the root. Where a dialect says that it loses something,
the model learns that anew from what arrived.
"""

from __future__ import annotations

import copy
import json
import pickle
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from errkit import (
    CodedError,
    CoreError,
    Details,
    Registry,
    Translator,
    as_coded,
    classify,
    cleanup,
    code,
    dialects,
    dumps,
    format_error,
    from_payload,
    loads,
    to_payload,
    translating,
)
from errkit.guards import iter_causes
from errkit.safe import BOUNDS

REG = Registry("test_journey").include(CoreError)


class TripDetails(Details):
    place: str = ""
    stop: int = 0
    more: Any = None


class TripError(CodedError, domain="trip.train", registry=REG, numbers=range(100, 200)):
    LATE = code("Train is late", TripDetails, number=101, kind="transient", hint="Wait.", public=True)
    GONE = code("Train is gone", TripDetails, number=102, hint="Take the next one.")
    FULL = code("Train is full", TripDetails, kind="outcome", reasons={"bikes": "No room for bikes"})


class HotelError(CodedError, domain="trip.hotel", registry=REG):
    CLOSED = code("Hotel is closed", TripDetails)
    FAILED = code("Booking failed", TripDetails, kind="transient")


class AnyError(CodedError, registry=REG):
    """An error of any code, looked up in the registry of this test."""


to_hotel_error = Translator(HotelError, fallback=HotelError.FAILED)


# --- the model --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Link:
    """What must be known of one error."""

    code: str
    message: str
    retryable: bool = False
    details: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    secondary: tuple[Chain, ...] = ()
    group: tuple[Chain, ...] = ()
    is_foreign: bool = False
    """It is no `CodedError`, as long as it stays in this process."""
    has_context: bool = False
    """Its cause is what was being handled, and nothing that it names."""


Chain = tuple[Link, ...]
"""An error and its causes, the root last."""

VISIBLE = ("code", "message", "retryable", "details", "notes", "secondary", "group", "cause")


def bounded(chain: Chain) -> Chain:
    """What leaves of a chain: the first causes, and the root."""
    return chain if len(chain) <= BOUNDS.causes + 1 else (*chain[: BOUNDS.causes], chain[-1])


def expected(chain: Chain) -> dict[str, Any]:
    """The payload that the model asks for, as far as it looks at it."""
    found: dict[str, Any] = {}
    for link in reversed(bounded(chain)):
        seen: dict[str, Any] = {
            "code": link.code,
            "message": link.message,
            "retryable": link.retryable,
            "details": link.details,
            "notes": list(link.notes),
            "secondary": [expected(member) for member in link.secondary],
            "group": [expected(member) for member in link.group],
        }
        found = {**seen, "cause": found} if found else seen
        found = {key: value for key, value in found.items() if value not in ({}, [])}
    return found


def visible(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload as far as the model looks at it."""
    found: dict[str, Any] = {}
    for key in VISIBLE:
        value = payload.get(key)
        if key == "cause" and value is not None:
            found[key] = visible(value)
        elif key in ("secondary", "group") and value:
            found[key] = [visible(member) for member in value]
        elif value not in (None, {}, []):
            found[key] = value
    return found


def after_the_wire(chain: Chain) -> Chain:
    """The model of what arrives: coded errors with causes that they name."""
    return tuple(
        replace(
            link,
            is_foreign=False,
            has_context=False,
            secondary=tuple(map(after_the_wire, link.secondary)),
            group=tuple(map(after_the_wire, link.group)),
        )
        for link in bounded(chain)
    )


def after_a_pickle(chain: Chain) -> Chain:
    """The model of what a pickle of a coded error holds: members without a code lose their causes there."""
    return tuple(
        replace(link, group=tuple(map(natively, link.group))) if link.is_foreign else link
        for link in bounded(chain)
    )


def natively(chain: Chain) -> Chain:
    """The model of a member of a foreign group, which Python pickles: only coded ones keep causes."""
    first, *_ = chain
    return after_a_pickle(chain[:1] if first.is_foreign else chain)


def learned(payload: dict[str, Any]) -> Chain:
    """A model of what has arrived, where nothing more can be asked for."""
    link = Link(
        code=payload["code"],
        message=payload["message"],
        retryable=payload["retryable"],
        details=payload.get("details", {}),
        notes=tuple(payload.get("notes", ())),
        secondary=tuple(map(learned, payload.get("secondary", ()))),
        group=tuple(map(learned, payload.get("group", ()))),
    )
    return (link, *(learned(payload["cause"]) if "cause" in payload else ()))


def without(payload: dict[str, Any], lost: frozenset[str]) -> dict[str, Any]:
    """The payload, and each in it, without the keys that a dialect loses."""
    found: dict[str, Any] = {}
    for key, value in payload.items():
        if key == "cause" and key not in lost:
            found[key] = without(value, lost)
        elif key in ("secondary", "group") and key not in lost:
            found[key] = [without(member, lost) for member in value]
        elif key not in lost:
            found[key] = value
    return found


def in_short(payload: dict[str, Any]) -> dict[str, Any]:
    """The error and its root, without all else."""
    root = payload
    while "cause" in root:
        root = root["cause"]
    first, last = ({key: link[key] for key in ("code", "message", "retryable")} for link in (payload, root))
    return first if root is payload else {**first, "cause": last}


def doubles(value: Any) -> Any:
    """A value as JSON, where a whole number is the same as its double."""
    return json.loads(json.dumps(value), parse_int=float)


# --- the journey ------------------------------------------------------------------------------------

words = st.text("abcdefgh äß", min_size=1, max_size=12).map(lambda text: f"w{text}w")
numbers = st.integers(-(2**50), 2**50) | st.floats(-1e9, 1e9).map(lambda number: round(number, 3))
values = st.recursive(
    st.none() | st.booleans() | numbers | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
details = st.fixed_dictionaries({}, optional={"place": words, "stop": st.integers(0, 99), "more": values})
codes = st.sampled_from([TripError.LATE, TripError.GONE, TripError.FULL, "trip.unknown_here"])
verdicts = st.none() | st.booleans()


def said(details: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if key != "more" or value not in ({}, [], None)}


def fail(error: BaseException) -> None:
    raise error


class Journey(RuleBasedStateMachine):
    """One error, `self.error`, and what must be known of it, `self.chain`."""

    error: Any
    chain: Chain

    @property
    def head(self) -> Link:
        """The model of the error without its causes."""
        return self.chain[0]

    def groups(self, chain: Chain) -> int:
        """How deep groups hold groups."""
        inner = [self.groups(member) for link in chain for member in link.group]
        return max(inner, default=-1) + 1

    def raised(self, error: Any, link: Link, *, handled: bool = False) -> None:
        """Raise a new error over the current one, and catch it."""
        try:
            try:
                raise self.error
            except BaseException as current:
                if handled:
                    raise error  # noqa: B904 (that is the point)
                raise error from current
        except BaseException as found:
            self.error = found
        self.chain = (replace(link, has_context=handled), *self.chain)

    @initialize(message=words, given=details, chosen=codes, foreign=st.booleans())
    def start(self, message: str, given: dict[str, Any], chosen: str, foreign: bool) -> None:
        """The root of all that follows."""
        root = f"root {message}"
        given = said(given)
        if foreign:
            self.error, self.chain = OSError(root), (Link("internal", root, is_foreign=True),)
        else:
            self.error = AnyError(chosen, root, details=given)
            self.chain = (Link(str(chosen), root, self.error.spec.retryable, given),)

    @rule(message=words, given=details, chosen=codes, verdict=verdicts, handled=st.booleans())
    def wrap(
        self, message: str, given: dict[str, Any], chosen: str, verdict: bool | None, handled: bool
    ) -> None:
        """A layer above raises its own error over it."""
        given = said(given)
        error = AnyError(chosen, message, details=given).override(retryable=verdict)
        self.raised(error, Link(str(chosen), message, error.retryable, given), handled=handled)

    @rule(message=words, handled=st.booleans(), times=st.sampled_from([1, 1, 1, 9]))
    def wrap_without_a_code(self, message: str, handled: bool, times: int) -> None:
        """A library in between raises something of its own."""
        for _ in range(times):
            self.raised(RuntimeError(message), Link("internal", message, is_foreign=True), handled=handled)

    @rule(place=words)
    def translate(self, place: str) -> None:
        """A boundary gives it a code of another domain, unless it has one already."""
        try:
            with translating(to_hotel_error, place=place):
                raise self.error
        except BaseException as found:
            self.error = found
        self.chain = self.translated(self.chain, place)

    def translated(self, chain: Chain, place: str) -> Chain:
        """What the boundary makes of it: leaves of a group alone, else a code over what there is."""
        first, *rest = chain
        if first.is_foreign and first.group:
            members = tuple(self.translated(member, place) for member in first.group)
            return (replace(first, group=members), *rest)
        named = self.named(chain)
        ours = next((link for link in named if link.code.startswith("trip.hotel.")), None)
        if ours is first:
            return chain
        if ours is not None:
            return (replace(ours, notes=(), secondary=(), has_context=False), *chain)
        coded = next((link for link in named if not link.is_foreign), None)
        verdict = True if coded is None else coded.retryable
        return (Link("trip.hotel.failed", "Booking failed", verdict, {"place": place}), *chain)

    def named(self, chain: Chain) -> Chain:
        """The error and those causes that are named, and not merely being handled."""
        end = next((place for place, link in enumerate(chain) if link.has_context), len(chain))
        return chain[: end + 1]

    @precondition(lambda self: len(self.head.notes) < BOUNDS.group)
    @rule(note=words)
    def note(self, note: str) -> None:
        """Somebody adds a remark."""
        self.error.add_note(note)
        self.chain = (replace(self.head, notes=(*self.head.notes, note)), *self.chain[1:])

    @precondition(lambda self: self.groups(self.chain) < 4)
    @rule(message=words)
    def group(self, message: str) -> None:
        """It fails together with another one."""
        self.error = ExceptionGroup(message, [self.error, ValueError("beside")])
        beside = (Link("internal", "beside", is_foreign=True),)
        shown = f"{message} (2 sub-exceptions)"
        self.chain = (Link("internal", shown, group=(self.chain, beside), is_foreign=True),)

    @precondition(lambda self: self.head.group)
    @rule()
    def ungroup(self) -> None:
        """Somebody handles the first member alone."""
        members = self.error.exceptions if self.head.is_foreign else self.error._facts["group"]
        self.error, self.chain = members[0], self.head.group[0]

    @precondition(lambda self: max(len(self.head.notes), len(self.head.secondary)) < BOUNDS.group)
    @rule(step=words)
    def clean_up(self, step: str) -> None:
        """A step of the cleanup fails beside it."""
        with suppress(Exception), cleanup((step, partial(fail, TripError.GONE("stuck", stop=1)))):
            raise self.error
        failure = Link("trip.train.gone", "stuck", details={"stop": 1}, notes=(f"cleanup step: {step}",))
        note = f"cleanup step {step!r} failed: [trip.train.gone] stuck"
        head = replace(
            self.head, secondary=(*self.head.secondary, (failure,)), notes=(*self.head.notes, note)
        )
        self.chain = (head, *self.chain[1:])

    @rule()
    def code_it(self) -> None:
        """A last boundary takes whatever comes."""
        self.error = as_coded(self.error)
        if self.head.is_foreign:
            self.chain = (Link("internal", self.head.message), *self.chain)

    @precondition(lambda self: not self.head.is_foreign)
    @rule(how=st.sampled_from([copy.copy, copy.deepcopy]))
    def copy(self, how: Any) -> None:
        """It is copied."""
        self.error = how(self.error)

    @precondition(lambda self: not self.head.is_foreign)
    @rule(protocol=st.integers(2, pickle.HIGHEST_PROTOCOL))
    def pickle(self, protocol: int) -> None:
        """It goes to another process of the same program."""
        self.error = pickle.loads(pickle.dumps(self.error, protocol))
        self.chain = after_a_pickle(self.chain)

    @rule(as_text=st.booleans())
    def send(self, as_text: bool) -> None:
        """It goes to another program that uses errkit."""
        self.error = (
            loads(dumps(self.error), registry=REG)
            if as_text
            else from_payload(to_payload(self.error), registry=REG)
        )
        self.chain = after_the_wire(self.chain)

    @rule(name=st.sampled_from(dialects.names()))
    def hop(self, name: str) -> None:
        """It goes through somebody else's format, and what that carries arrives."""
        dialect = dialects.get(name)
        text = json.dumps(dialect.encode(self.error, audience="internal"))
        self.error = dialect.decode(json.loads(text), registry=REG)
        payload = visible(to_payload(self.error))
        arrived, asked = payload, expected(self.chain)
        if name == "grpc" and '"elided"' in text:
            # It did not fit into the trailers of HTTP/2: what counts is there all the same.
            arrived, asked = in_short(arrived), in_short(asked)
        assert doubles(without(arrived, dialect.LOST)) == doubles(without(asked, dialect.LOST))
        self.chain = learned(payload)

    # --- what must hold after every step ----------------------------------------------------------------

    @invariant()
    def nothing_is_lost(self) -> None:
        """Everything that the model knows is in the payload, and nothing else of that kind."""
        assert doubles(visible(to_payload(self.error))) == doubles(expected(self.chain))

    @invariant()
    def the_root_is_there(self) -> None:
        """The last cause on the wire is the first thing that went wrong, however long the way was."""
        link = to_payload(self.error)
        while "cause" in link:
            link = link["cause"]
        assert (link["code"], link["message"]) == (self.chain[-1].code, self.chain[-1].message)

    @invariant()
    def the_verdict_stands(self) -> None:
        """A retry loop decides as at the place where it was raised."""
        if not self.head.group:
            assert classify(self.error).retryable == self.head.retryable

    @invariant()
    def it_can_be_told(self) -> None:
        """Code and message stand in the text for people."""
        assert format_error(self.error, verbose=True).startswith(f"[{self.head.code}] {self.head.message}")

    @invariant()
    def it_can_be_walked(self) -> None:
        """Each cause that is named is met once."""
        assert len(list(iter_causes(self.error))) == len(self.named(self.chain))


Journey.TestCase.settings = settings(max_examples=settings().max_examples * 2 // 5, stateful_step_count=25)
TestJourney = Journey.TestCase
