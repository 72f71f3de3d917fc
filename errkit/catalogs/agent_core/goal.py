"""Codes of goals, the objective that an agent keeps working towards from turn to turn until it is reached."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["GoalAgentDetails", "GoalDetails", "GoalError"]


class GoalDetails(Details):
    """Which goal was meant."""

    id: str | None = None
    """Goal that the caller named; absent where the call means whatever goal the agent has."""


class GoalAgentDetails(Details):
    """Which agent the call went to."""

    agentId: str
    """Identifier of an agent that is not the session's ``main`` agent."""


class GoalError(AgentCoreError, domain="goal", title="Goals"):
    """A session has at most one goal, it belongs to the main agent, and it is ``active``, ``paused`` or
    ``blocked``. A ``complete`` goal is cleared at once. ``/goal`` shows the current one, and the model has
    tools of its own.
    """

    GOAL_ALREADY_EXISTS = code(
        "A goal is already set",
        code="goal.already_exists",
        public=True,
        hint="Use `/goal replace <objective>`, or queue the new one with `/goal next <objective>`.",
    )
    """A goal was to be created while another one is in place. Paused and blocked goals count as well, which
    is easily forgotten after a session is resumed: an active goal comes back paused. See what is there with
    ``/goal status``. Programs replace it by passing ``replace: true``, and drop it with
    ``goal_control: "cancel"``.
    """

    GOAL_NOT_FOUND = code(
        "There is no current goal",
        GoalDetails,
        code="goal.not_found",
        public=True,
        hint="Start one with `/goal <objective>` before pausing, resuming or cancelling it.",
        example={"id": "6f1c2a90-3f7e-4f0e-8c55-0b8f4f3a9d21"},
    )
    """Something was to be done to the goal of an agent that has none. It may just have been completed, which
    clears it, or the session is a fork: forks never inherit a goal. Where a race is possible read
    ``GET /api/v1/sessions/{session_id}/goal`` first; it answers ``null`` instead of failing.
    """

    GOAL_OBJECTIVE_EMPTY = code(
        "Goal objective is blank",
        code="goal.objective_empty",
        public=True,
        hint="Say after `/goal` what must become true and which check proves it.",
    )
    """The text of the objective was empty once surrounding white space had been removed. From a script this
    tends to be a variable that was never filled, as in ``kimi -p "/goal $TASK"``. Print the variable, and
    write the finish line into it, for example that a named test suite passes.
    """

    GOAL_OBJECTIVE_TOO_LONG = code(
        "Goal objective exceeds 4,000 characters",
        code="goal.objective_too_long",
        public=True,
        hint="Move the long part into a file of the workspace and mention its path in the objective.",
    )
    """The objective is put before the model again and again, so its length is capped at 4,000 characters
    after trimming. Pasting a whole specification or an issue with its log reaches the cap. A sentence such as
    "Implement ``docs/plan.md`` and make its acceptance tests pass" does the same job, since the agent can
    read the file. A completion criterion of that length is not refused but silently cut.
    """

    GOAL_STATUS_INVALID = code(
        "Goal cannot change to that status",
        code="goal.status_invalid",
        public=True,
        hint="Look at `/goal status`, and pause only a goal that is active.",
    )
    """The goal is in a status from which the requested step does not lead on. Pausing a ``blocked`` goal is
    the case that occurs: it has already stopped, because a budget was used up or the agent reported an
    impasse. Read the ``terminalReason`` of its snapshot, remove the cause, and go on with ``/goal resume``.
    Pausing a goal that is paused already is no error.
    """

    GOAL_METADATA_RESERVED = code(
        "Session metadata key for goals is reserved",
        code="goal.metadata_reserved",
        kind="bug",
        public=True,
        hint="Leave `metadata.custom.goal` alone and control goals with `/goal` or `agent_config`.",
    )
    """A client tried to write the key ``custom.goal`` of a session's metadata, where the first engine stored
    its goal. A value put there by hand would bypass budgets and events. The second engine keeps the code for
    such clients but raises it nowhere; the supported fields are ``goal_objective`` and ``goal_control`` of
    ``POST /api/v1/sessions/{session_id}/profile``.
    """

    GOAL_NOT_RESUMABLE = code(
        "Goal cannot be resumed",
        code="goal.not_resumable",
        public=True,
        hint="Start a new goal with `/goal <objective>` when the previous one is complete.",
    )
    """Only a goal that waits, paused or blocked, can be taken up again. What is left is ``complete``, a
    status that lasts just until the goal is cleared, so the call came while its final report was being sent.
    Wait for the ``goal.updated`` event that announces the end; resuming an ``active`` goal is harmless and
    changes nothing.
    """

    GOAL_UNSUPPORTED_AGENT = code(
        "Only the main agent can have a goal",
        GoalAgentDetails,
        code="goal.unsupported_agent",
        public=True,
        hint="Send the call to the agent with the id `main` of the same session.",
        example={"agentId": "sub-1"},
    )
    """A goal call, even one that only reads, reached a subagent. Subagents work for a turn of their parent
    and end with it, so there is nothing that could continue on its own. A host that routes calls by
    ``agentId`` should not forward goal calls for any other id; give a subagent its objective in its prompt
    instead.
    """
