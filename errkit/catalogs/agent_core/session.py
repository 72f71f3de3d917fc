"""A session as a whole: finding, naming, forking, undoing, and the modes it can be in."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, Reason, code

__all__ = ["SessionDetails", "SessionError", "UndoDetails"]


class SessionDetails(Details):
    """Which session the call was about."""

    sessionId: str
    """Id of the session."""


class UndoDetails(Details):
    """How far the conversation could have been taken back."""

    reason: str | None = None
    """Why the request cannot be met in full; see the reasons of the code."""
    requestedCount: int | None = None
    """How many prompts were to be taken back."""
    undoableCount: int | None = None
    """How many could have been."""


class SessionError(AgentCoreError, domain="session", title="Sessions"):
    """A session cannot be found, created, forked, taken back or switched to a mode.

    More codes begin with ``session.`` than this domain has: prompts and session export own some. Three
    of these are never raised by the core itself and exist for the clients and servers around it; each
    says so.
    """

    SESSION_NOT_FOUND = code(
        "Unknown session",
        code="session.not_found",
        public=True,
        hint="Pick the session from the list that `kimi --session` shows in its working directory.",
    )
    """No session of that id is loaded or indexed, or it belongs to another workspace than the one that
    was asked. Sessions are kept per working directory, so an id copied from a different project is
    unknown here even though its folder is there on disk. Look the id up in ``session_index.jsonl`` in
    the data root, which records the directory of each, and run ``kimi --session <id>`` from there."""

    SESSION_ALREADY_EXISTS = code(
        "Session id is taken",
        code="session.already_exists",
        public=True,
        hint="Leave the new session's id out and let one be generated.",
    )
    """A session was to be created or forked under an id that is loaded or indexed already, and nothing
    was overwritten. Clients that derive ids from their own names meet it on the second run; generated
    ids (``session_`` and a UUID) practically never clash. If the old session is what you meant, resume
    it instead of creating it."""

    SESSION_ID_INVALID = code(
        "Malformed session id",
        code="session.id_invalid",
        public=True,
        hint="Use only letters, digits, `.`, `_` and `-` in a session id.",
    )
    """The id cannot be the name of a folder, which is what a session id becomes under ``sessions/``. The
    present core does not raise it; the engine before it does, for separators, spaces and the names ``.``
    and ``..``, and clients still handle it. An id with a slash often is a path that was pasted where an
    id was asked for: take its last component."""

    SESSION_CLOSED = code(
        "Session is closed",
        code="session.closed",
        public=True,
        hint="Resume the session by its id and repeat the call on the object you get back.",
    )
    """A call came in on a session object after it had been closed, often from a handler that outlived
    it. The core never raises this: the SDK's session does, before anything is sent. The conversation
    itself is stored, and ``kimi --session <id>`` opens it again."""

    SESSION_FORK_ACTIVE_TURN = code(
        "Session is busy and cannot be forked",
        SessionDetails,
        code="session.fork_active_turn",
        kind="transient",
        public=True,
        hint="Wait for the turn to end, or interrupt it with `Esc`, and fork again.",
        example={"sessionId": "session_2f1c9d4e-70aa-4c35-9a0b-6a0d5b1e7c11"},
    )
    """One of the session's agents is in the middle of a turn. A fork copies the recorded history, which
    is not consistent before the turn is over, and a subagent at work in the background counts as much as
    the main agent. The same call succeeds once ``/tasks`` is empty and the prompt is back."""

    SESSION_UNDO_UNAVAILABLE = code(
        "Nothing left to undo",
        UndoDetails,
        code="session.undo_unavailable",
        kind="outcome",
        public=True,
        hint="Undo at most `undoableCount` prompts, or go on in a new session made with `/new`.",
        reasons={
            "empty": Reason(title="No prompt to take back", hint="Send a prompt first."),
            "insufficient": Reason(
                title="Fewer prompts than asked for", hint="Ask for `undoableCount` or fewer prompts."
            ),
            "compaction_boundary": Reason(
                title="History was compacted", hint="Undo only what was said since the compaction."
            ),
            "checkpoint_lost": Reason(
                title="State is not kept that far back", hint="Undo fewer prompts, one at a time."
            ),
        },
        example={"reason": "insufficient", "requestedCount": 3, "undoableCount": 1},
    )
    """Fewer prompts can be taken back than were asked for, and then none is: the history stays as it
    was. Undoing never reaches behind a compaction, because the messages before it no longer exist apart
    from their summary, and it needs a checkpoint of the state for every prompt. ``details.reason`` tells
    which limit was met. It is an ordinary answer to ``/undo`` and no cause for alarm."""

    SESSION_INIT_FAILED = code(
        "Writing AGENTS.md failed",
        code="session.init_failed",
        public=True,
        hint="Choose a model with `/model` and run `/init` again.",
    )
    """``/init`` has a subagent of type ``coder`` explore the project and write ``AGENTS.md``, then
    reloads that file; any failure on the way ends here, with the original in the cause. A main agent
    without a model is refused at once, and otherwise the message is that of the provider or tool that
    failed. Whatever the subagent had written by then is on disk, so read ``AGENTS.md`` before the second
    attempt."""

    SESSION_PLAN_MODE_INVALID = code(
        "Plan mode request does not fit",
        code="session.plan_mode_invalid",
        public=True,
        hint="Turn plan mode off with `/plan off` before entering it anew.",
    )
    """Plan mode was entered while it is on already, or a client sent something other than true or false
    for it. The first comes easily with ``default_plan_mode = true`` in ``config.toml``, which puts a new
    session into plan mode before a client asks for it. Over ACP it is not told apart from an internal
    error (-32603), so editors should look at their own mode switch first."""

    SESSION_TOWER_MODE_INVALID = code(
        "Tower mode could not be entered",
        code="session.tower_mode_invalid",
        public=True,
        hint="Leave tower mode in the session that owns it, or enable `tower` under `[experimental]`.",
    )
    """The session was to become the workspace's tower and did not. Another live session may own the
    tower, of which a workspace has one; the experiment may be off (``[experimental] tower`` or
    ``KIMI_CODE_EXPERIMENTAL_TOWER=1``); or the request came from a subagent. The core only reports that
    it was not entered, and the server or the SDK around it turns that into this code with the reason as
    the message."""
