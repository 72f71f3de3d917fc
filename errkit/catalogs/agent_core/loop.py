"""Codes of the agent loop, which runs a turn as a chain of model calls and tool calls.

The loop service raises them when a turn may not start or may not go on.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["LoopError", "StepLimitDetails", "TurnBusyDetails"]


class StepLimitDetails(Details):
    """The limit at which a turn was stopped."""

    maxSteps: int
    """How many steps a turn may take: the value of ``max_steps_per_turn`` when the turn ran into it."""


class TurnBusyDetails(Details):
    """What is keeping the agent busy; both fields are absent when the caller does not know."""

    turnId: int | None = None
    """The turn that is running."""
    sessionId: str | None = None
    """The session that could not be reloaded."""


class LoopError(AgentCoreError, domain="loop", title="Agent loop"):
    """A turn could not start, or was stopped between two steps.

    What goes wrong inside a step (the provider, a tool) is coded by the domain that failed.
    """

    LOOP_MAX_STEPS_EXCEEDED = code(
        "Turn reached its step limit",
        StepLimitDetails,
        code="loop.max_steps_exceeded",
        public=True,
        hint="Raise `max_steps_per_turn` under `[loop_control]` in `config.toml`, then run `/reload`.",
        example={"maxSteps": 100},
    )
    """One turn took as many steps as ``max_steps_per_turn`` allows and still wanted another model call. Long
    tasks of many small tool calls get there honestly; a model that repeats a failing call gets there too, so
    read the last steps first. Without the setting, or with ``0``, there is no limit, and the environment
    variable ``KIMI_LOOP_MAX_STEPS_PER_TURN`` has the last word.
    """

    TURN_AGENT_BUSY = code(
        "Agent already runs a turn",
        TurnBusyDetails,
        code="turn.agent_busy",
        kind="transient",
        public=True,
        hint="Wait for the `turn.ended` event, then send the call again.",
        example={"sessionId": "session_01jzx4a6e7m8"},
    )
    """An agent works on one turn at a time, and this call needed it idle: a skill was to be activated, or the
    session to be reloaded, while the model was still answering. Subscribe to ``/api/v1/ws`` and repeat the
    call after ``turn.ended``. Plain text need not wait: submitted as a prompt it joins the queue.
    """
