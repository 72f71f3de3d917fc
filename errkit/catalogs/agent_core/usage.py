"""The code of token accounting: a usage record in the journal that contradicts itself.

It dates from the replay of recorded sessions.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["TurnIdDetails", "UsageError"]


class TurnIdDetails(Details):
    """The two turns that one usage record names."""

    type: str
    """The kind of record that was read, ``usage.record``."""
    turnId: int
    """The turn in the record itself."""
    legacyTurnId: int
    """The turn in the record's older ``context`` object."""


class UsageError(AgentCoreError, domain="usage", title="Token usage"):
    """Tokens could not be booked, because their record is ambiguous.

    Usage is otherwise only counted, never refused; ``/usage`` shows the sums.
    """

    TURN_ID_CONFLICT = code(
        "Usage record names two turns",
        TurnIdDetails,
        code="usage.turn_id_conflict",
        public=True,
        hint="Compare the two turn ids of the `usage.record` in `wire.jsonl` with the lines around it.",
        example={"type": "usage.record", "turnId": 4, "legacyTurnId": 3},
    )
    """A ``usage.record`` states its turn in ``turnId`` and once more inside ``context``, and the numbers
    differ. Booking the tokens to either turn might be wrong, so neither is done. Present builds write one of
    the two only and no longer raise the code; a journal from an early build, or one edited by hand, can still
    hold such a line.
    """
