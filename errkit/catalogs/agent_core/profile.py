"""Codes of the agent profile: which agent file, which model and which thinking effort an agent runs with.

The profile service raises them when a profile is bound, and when a session is replayed from its journal.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = [
    "ModelNotConfiguredDetails",
    "ProfileBoundDetails",
    "ProfileError",
    "ProfileUnknownDetails",
    "ThinkingAliasDetails",
]


class ModelNotConfiguredDetails(Details):
    """Who was to run without a model."""

    agentId: str | None = None
    """The agent that has no model to hand down to the subagent it wants to start."""


class ThinkingAliasDetails(Details):
    """The two values that contradict each other."""

    type: str
    """The kind of record that was read, ``config.update``."""
    thinkingEffort: str
    """The effort under its current name."""
    thinkingLevel: str
    """The effort under its older name."""


class ProfileUnknownDetails(Details):
    """Which profile was wanted; the binding names it ``profile``, a subagent's start names it
    ``profileName``.
    """

    profile: str | None = None
    """The profile that was to be bound."""
    available: str | None = None
    """The names that exist, separated by commas."""
    profileName: str | None = None
    """The agent type that a subagent was to have."""


class ProfileBoundDetails(Details):
    """The profile an agent has, and the one it was to get."""

    current: str
    """The bound profile."""
    requested: str
    """The profile that was refused."""


class ProfileError(AgentCoreError, domain="profile", title="Agent profile"):
    """An agent could not get the profile, the model or the thinking effort it was to run with.

    Raised before the first model call, so a turn never starts half configured.
    """

    MODEL_NOT_CONFIGURED = code(
        "No model selected",
        ModelNotConfiguredDetails,
        code="model.not_configured",
        public=True,
        hint="Set `default_model` in `config.toml`, or start kimi with `-m` and a configured alias.",
        example={"agentId": "main"},
    )
    """A profile is bound together with a model, and neither the call nor ``default_model`` named one. A fresh
    installation is in this state until ``/login`` or ``kimi provider catalog add`` has written providers and
    aliases; a subagent meets it when its parent has no model either. See what exists with
    ``kimi provider list``, then choose with ``/model``.
    """

    MODEL_CONFIG_INVALID = code(
        "Model does not support the thinking effort",
        code="model.config_invalid",
        public=True,
        hint="Choose `off` or an effort from the model's `support_efforts`.",
    )
    """The effort that was asked for is not one that the model's entry declares. ``[models.<alias>]`` lists
    the levels in ``support_efforts``, and a managed refresh may rewrite that list, so an effort can disappear
    overnight. To keep a level that you know the backend accepts, pin the list under
    ``[models."<alias>".overrides]``.
    """

    THINKING_ALIAS_CONFLICT = code(
        "Record states two thinking efforts",
        ThinkingAliasDetails,
        code="profile.thinking_alias_conflict",
        public=True,
        hint="Make the client that wrote the record send `thinkingEffort` and nothing else.",
        example={"type": "config.update", "thinkingEffort": "high", "thinkingLevel": "low"},
    )
    """A ``config.update`` record has both ``thinkingEffort`` and its older name ``thinkingLevel``, with
    different values. No rule tells which one was meant, so replay stops rather than guess. The line stands in
    the agent's ``wire.jsonl`` below the session folder, for example ``agents/main/wire.jsonl``; what has to
    change is the tool that produced it.
    """

    PROFILE_UNKNOWN = code(
        "Unknown agent profile",
        ProfileUnknownDetails,
        code="profile.unknown",
        public=True,
        hint="Choose one of the `available` names, or load the agent file with `--agent-file`.",
        example={"profile": "reviewr", "available": "agent, coder, explore, plan, reviewer"},
    )
    """Neither a built-in agent nor an agent file has the requested name. Discovery skips a file whose
    frontmatter lacks a valid ``name`` and only prints a warning, so one slip there hides a whole profile.
    Check ``.kimi-code/agents/`` in the project and ``~/.kimi-code/agents/``, and compare with ``available``.
    """

    PROFILE_ALREADY_BOUND = code(
        "Session already has another profile",
        ProfileBoundDetails,
        code="profile.already_bound",
        public=True,
        hint="Open a new session with `--agent` and the other profile.",
        example={"current": "agent", "requested": "reviewer"},
    )
    """The first profile that an agent gets is its identity for as long as the session lives. Resuming with a
    different ``--agent``, or a prompt submission whose ``profile`` differs, asks to change that afterwards.
    Repeating the bound name is harmless; to go back to it, drop the option.
    """

    PROFILE_NOT_BOUND = code(
        "Agent has no profile yet",
        code="profile.not_bound",
        public=True,
        hint="Send `profile` together with `disabled_tools` in the prompt submission.",
    )
    """A session's list of disabled tools narrows what the profile allows, and this agent has none to narrow.
    It was created while no default model was configured, so nothing could be bound to it. The server applies
    ``profile`` before ``disabled_tools``, hence one submission can carry both; otherwise select a model
    first.
    """
