"""The code of scheduled prompts: a schedule that cannot be read.

The parser of cron expressions raises it, on behalf of the ``CronCreate`` tool.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["CronDetails", "CronError"]


class CronDetails(Details):
    """What the parser stumbled over; only the fields that apply are present."""

    received: str | None = None
    """The JavaScript type that came instead of a string."""
    fieldCount: int | None = None
    """How many fields there were instead of five."""
    field: str | None = None
    """The offending field: ``minute``, ``hour``, ``day-of-month``, ``month`` or ``day-of-week``."""
    role: str | None = None
    """What the offending number was meant as, such as ``value`` or ``step``."""
    value: str | int | None = None
    """The offending value: a number out of bounds, or text that is no number."""
    term: str | None = None
    """The term of a list in which the step is wrong."""
    step: str | None = None
    """The step that is not a positive integer."""
    lo: int | None = None
    """The start of the offending range."""
    hi: int | None = None
    """The end of the offending range."""
    min: int | None = None
    """The smallest value the field takes."""
    max: int | None = None
    """The largest value the field takes."""


class CronError(AgentCoreError, domain="cron", title="Scheduled prompts"):
    """A schedule could not be read.

    Other refusals of the tool (more than 50 schedules, a date that never comes) reach the model as plain tool
    output and have no code.
    """

    CRON_EXPRESSION_INVALID = code(
        "Invalid cron expression",
        CronDetails,
        code="cron.expression_invalid",
        public=True,
        hint="Write five fields: minute, hour, day of month, month and day of week.",
        example={"field": "hour", "value": 24, "min": 0, "max": 23},
    )
    """``CronCreate`` reads the classic five fields in local time, made of numbers, ``*``, lists, ranges and
    steps. Names like ``MON``, a sixth field for seconds, a range that runs backwards and numbers out of
    bounds are refused, and ``field`` tells which part it was. Start from ``*/5 * * * *``, which fires every
    five minutes, and change one field at a time; Sunday is 0 or 7.
    """
