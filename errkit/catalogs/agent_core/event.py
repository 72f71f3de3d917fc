"""Codes of the typed event registry, raised while an event class registers itself as its module is imported.

Nothing that happens at run time, and no input of a user, can cause one of them.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["EventError", "EventTypeDetails"]


class EventTypeDetails(Details):
    """Which event class could not be registered."""

    type: str
    """Type string of the event class, as its static ``type`` declares it."""


class EventError(AgentCoreError, domain="event", title="Event registry"):
    """Durable events are journalled and replayed, so each needs a type of its own and a payload schema.
    ``registerEvent2Class`` checks both at import time and ignores classes that are not durable.
    """

    EVENT_DUPLICATE_EVENT = code(
        "Event type declared twice",
        EventTypeDetails,
        code="event.duplicate_event",
        kind="bug",
        public=True,
        hint="Search the sources for the type in `details.type` and rename one of the two classes.",
        example={"type": "goal.update"},
    )
    """Two different durable classes claim one type string, and the second registration was refused. It
    usually comes from an event class that was copied to start a new one and kept its static ``type``; a
    bundle that holds the same module twice has the same effect, because registration compares classes by
    identity. Give the new class a type that no entry of ``EVENT2_REGISTRY`` has yet. Keep the old spelling on
    the class that existing journals were written with, or their records can no longer be replayed.
    """

    EVENT_SCHEMA_MISSING = code(
        "Durable event has no payload schema",
        EventTypeDetails,
        code="event.schema_missing",
        kind="bug",
        public=True,
        hint="Add a static zod `schema` to the event class, or leave its `durable` flag off.",
        example={"type": "task.progress"},
    )
    """An event class says ``durable = true`` but declares no ``schema``. Records on disk are validated
    against that zod schema before they become events again, so without it a restored session would have to
    trust whatever the file holds. Describe every payload field except ``type`` and ``time``, which the base
    class supplies; an event that is only ever observed live should not be durable at all.
    """
