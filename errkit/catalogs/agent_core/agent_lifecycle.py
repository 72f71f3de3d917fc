"""Creating, resuming and running the agents of a session: the main agent and its subagents."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["AgentDetails", "AgentLifecycleError", "AgentOwnerDetails", "AgentTypeDetails"]


class AgentDetails(Details):
    """Which agent the call was about."""

    agentId: str | None = None
    """Id within the session: ``main``, ``agent-0``, ...; absent when the main agent itself is missing."""


class AgentOwnerDetails(Details):
    """Whose subagent was asked for, and by whom."""

    agentId: str
    """The subagent that was named."""
    callerAgentId: str
    """The agent that named it without being its parent."""


class AgentTypeDetails(Details):
    """Which agent type was asked for, and which were on offer."""

    profileName: str
    """The requested type, that is, the name of an agent profile."""
    allowlist: list[str]
    """The types that the calling agent's profile lets it start."""


class AgentLifecycleError(AgentCoreError, domain="agent_lifecycle", title="Agents of a session"):
    """A session was asked for an agent that it cannot create, find or run as asked.

    Most of these are fed back to the model as the result of its ``Agent`` or ``AgentSwarm`` call, which
    is how a wrong ``resume`` id corrects itself in the next step.
    """

    AGENT_NOT_FOUND = code(
        "No such agent in the session",
        AgentDetails,
        code="agent.not_found",
        public=True,
        hint="Compare the id with the folders under `agents/` in the session's directory.",
        example={"agentId": "agent-7"},
    )
    """The id belongs to no agent of this session, running or stored. Ids count up within one session, so
    ``agent-3`` from another session or from before a fork means nothing here; without an id in the
    details the main agent is what was missed, and the session is still being set up. The HTTP server
    reports it under the number for an unknown session (40401), so read the text before you look for the
    session."""

    AGENT_ALREADY_EXISTS = code(
        "Agent id is taken",
        AgentDetails,
        code="agent.already_exists",
        public=True,
        hint="Leave `agentId` out so that the session assigns the next free one.",
        example={"agentId": "agent-2"},
    )
    """An agent was to be created or forked under an id that this session already uses. Only callers that
    choose ids themselves meet it, typically one that restores agents and does not look whether they are
    resident already. Ask for the existing agent by its id, or let the session choose."""

    AGENT_ALREADY_RUNNING = code(
        "Subagent is busy",
        AgentDetails,
        code="agent.already_running",
        public=True,
        hint="Wait until `/tasks` shows the subagent as finished before you resume it.",
        example={"agentId": "agent-1"},
    )
    """A subagent was resumed while its own turn is still going on, and one agent runs one turn at a
    time. It happens when the same id is handed out twice, for instance to a background call and to a
    swarm. The failure is not flagged retryable although the agent does become free later: repeating
    without waiting for its result would only race with it."""

    AGENT_NOT_A_SUBAGENT = code(
        "Agent is not a subagent",
        AgentDetails,
        code="agent.not_a_subagent",
        public=True,
        hint="Pass an id that an earlier `Agent` call returned, never `main`.",
        example={"agentId": "main"},
    )
    """Only agents that were started by another agent can be resumed through the tools, and this one was
    not. The main agent is the usual case; an agent whose entry in the session's ``state.json`` names no
    parent is the other. Start a fresh subagent if the work is to be delegated."""

    AGENT_NOT_OWNED = code(
        "Subagent belongs to another agent",
        AgentOwnerDetails,
        code="agent.not_owned",
        public=True,
        hint="Let the parent agent resume it, or start a subagent of your own.",
        example={"agentId": "agent-4", "callerAgentId": "agent-1"},
    )
    """The subagent exists, but a different agent is its parent, and only the parent may go on with it.
    Nested delegation leads here: a subagent learns a sibling's id from its prompt and tries to continue
    the sibling's work. ``callerAgentId`` in the details is who asked; have the result passed through the
    common parent instead."""

    AGENT_TYPE_NOT_ALLOWED = code(
        "Agent type is not on the caller's list",
        AgentTypeDetails,
        code="agent.type_not_allowed",
        public=True,
        hint="Choose one of `details.allowlist`, or delegate from an agent that may start the type.",
        example={"profileName": "coder", "allowlist": ["explore", "plan"]},
    )
    """The profile of the calling agent limits which kinds of subagent it may start, and
    ``subagent_type`` is not among them. A read-only agent is kept from starting one that writes in just
    this way. The check comes before the type is looked up, so even a misspelt name is answered with the
    list; an agent without such a limit gets the profile domain's unknown-profile error for it."""

    AGENT_MAX_TOKENS_EXCEEDED = code(
        "Subagent was cut off at its output limit",
        code="agent.max_tokens_exceeded",
        public=True,
        hint="Give the subagent a smaller task, or raise `max_output_size` of its model.",
    )
    """The subagent's last reply stopped at the model's output limit, so its final summary is incomplete
    and is not handed over. A request for a long verbatim report does that, and so does a low
    ``max_output_size`` in ``[models]`` or ``KIMI_MODEL_MAX_OUTPUT_SIZE``. What it did up to there, edits
    to files included, stands: resume it and ask for a short summary before starting over."""
