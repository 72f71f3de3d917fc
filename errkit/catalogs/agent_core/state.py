"""The event-sourced state of an agent: declaring which state folds which event, and dispatching events."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["CycleDetails", "CycleError", "FoldDetails", "StateError"]


class FoldDetails(Details):
    """Which state was declared to react to which event."""

    state: str
    """Name of the state."""
    type: str
    """Type of the event."""


class CycleDetails(Details):
    """What was waiting when dispatching was given up."""

    depth: int
    """How many queued events had been dispatched in one go."""
    eventTypes: list[str]
    """Types of the events still queued, at most the first 20."""


class StateError(AgentCoreError, domain="state", title="Agent state"):
    """The program's own wiring of events and states is wrong; no user input leads here.

    The two declaration faults appear as soon as the module that makes them is loaded, the cycle only
    when its events occur.
    """

    STATE_DUPLICATE_FOLD = code(
        "State folds one event twice",
        FoldDetails,
        code="state.duplicate_fold",
        kind="bug",
        public=True,
        hint="Merge the two `.on()` calls for this event in the state's definition into one.",
        example={"state": "plan", "type": "plan_mode.enter"},
    )
    """A state was given two folds for the same event type, and which of them should decide cannot be
    known. Two ``.on()`` calls naming the same event class, often after a merge, are the cause. Search
    the definition of ``details.state`` for ``details.type``; the program does not start until one of
    them is gone."""

    STATE_DURABILITY_MISMATCH = code(
        "Transient state folds a durable event",
        FoldDetails,
        code="state.durability_mismatch",
        kind="bug",
        public=True,
        hint="Declare the state durable, or let it fold an event that is not written to the journal.",
        example={"state": "activity", "type": "context.append_message"},
    )
    """A state that is not restored listens to an event that is. After a restart the event would be
    replayed and the state would still be empty, so the pair is refused when it is declared. Making the
    state durable is right when it has to survive a resume; otherwise derive it from an observable event
    of its own."""

    STATE_CYCLE = code(
        "Events set off each other without end",
        CycleDetails,
        code="state.cycle",
        kind="bug",
        public=True,
        hint="Find the subscriber that dispatches a type in `details.eventTypes` again and stop it.",
        example={"depth": 101, "eventTypes": ["goal.updated", "goal.updated"]},
    )
    """One dispatch caused more than a hundred further ones before the queue ran empty. A fold or
    subscriber that answers an event by emitting it again, directly or through a partner that answers
    back, looks like this. All events still queued were rejected with the same error; the sample in the
    details usually shows the pair that keeps the ball rolling."""


class CycleError(StateError, of=StateError.STATE_CYCLE):
    """Dispatching was stopped after a hundred queued events; carries a bounded sample of the rest."""
