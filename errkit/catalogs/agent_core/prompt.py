"""Codes of prompt submission: what a client sends, the queue it waits in, and undoing it again.

The prompt scheduler and the edges in front of it (server, SDK) raise them.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, Reason, code

__all__ = ["PromptError", "SessionBusyDetails"]


class SessionBusyDetails(Details):
    """What the session is busy with."""

    reason: str | None = None
    """``loop`` for a turn, ``compaction`` for a running compaction."""


class PromptError(AgentCoreError, domain="prompt", title="Prompts"):
    """A request about prompts was refused: its arguments, its id, or the moment it came.

    Three of the codes are raised by clients alone, before the core is asked; their pages say so.
    """

    REQUEST_INVALID = code(
        "Arguments contradict each other",
        code="request.invalid",
        public=True,
        hint="Compare the request with `GET /openapi.json` of the running server.",
    )
    """Every argument is well typed, but together, or in the agent's present state, they mean nothing.
    Examples are ``prompts:steer`` with an empty ``prompt_ids``, a ``prompt_id`` next to ``skills``, and an
    MCP server without a name. Errors of profile selection arrive under this code too when they come through
    the prompt route, so read the message before you change the request.
    """

    REQUEST_WORK_DIR_REQUIRED = code(
        "Working directory missing",
        code="request.work_dir_required",
        public=True,
        hint="Pass a non-blank `workDir` when you create or list sessions.",
    )
    """The SDK was to create or list sessions and got a blank ``workDir``. Sessions lie in
    ``sessions/<workDirKey>/`` and the key is computed from that directory, so without it there is no place to
    look. Inside the core nothing raises the code: check what your script hands to the SDK, often a variable
    that is unset.
    """

    REQUEST_PROMPT_INPUT_EMPTY = code(
        "Empty prompt",
        code="request.prompt_input_empty",
        public=True,
        hint="Send at least one text part with visible characters.",
    )
    """The input was a blank string, a list without parts, or a text part of spaces alone. It is the SDK that
    says no, on the client's side and before a session is touched. Trim the text in the caller and skip the
    submission when nothing is left; over HTTP the same mistake shows as number 40001, since ``content`` may
    not be empty.
    """

    PROMPT_ID_CONFLICT = code(
        "Prompt id already taken",
        code="prompt.id_conflict",
        public=True,
        hint="Submit with a new `prompt_id`, or leave it out and let the server choose.",
    )
    """Clients may choose the ``prompt_id`` so that a repeated submission is noticed, and this one has been
    accepted before. After a lost response that is good news: the first attempt went through. Look for the id
    in ``GET /api/v1/sessions/{session_id}/prompts`` and in the messages before the same text is sent twice.
    """

    PROMPT_NOT_FOUND = code(
        "Prompt not in the queue",
        code="prompt.not_found",
        public=True,
        hint="Take the id from `GET /api/v1/sessions/{session_id}/prompts` and try again.",
    )
    """Steering and aborting act on prompts that run or wait, and the given id does neither. Steering also
    ends here when no turn is active that the text could be steered into. Between listing the queue and acting
    on it a prompt may have started or finished, so read the queue anew rather than repeat the old id.
    """

    PROMPT_ALREADY_COMPLETED = code(
        "Prompt already finished",
        code="prompt.already_completed",
        kind="outcome",
        public=True,
        hint="Treat the abort as done and read the answer from the session's messages.",
    )
    """The turn ended before the abort arrived, so nothing was left to stop. The server answers with number
    40903 and ``aborted: false`` in ``data``; the core declares the code for it and does not raise it. What
    the model had written is in ``GET /api/v1/sessions/{session_id}/messages``.
    """

    SESSION_BUSY = code(
        "Session is busy",
        SessionBusyDetails,
        code="session.busy",
        public=True,
        hint="Wait until `busy` is false in the session's status, then undo again.",
        reasons={
            "loop": Reason(title="A turn is active or queued", hint="Press Esc, or wait for `turn.ended`."),
            "compaction": Reason(title="A compaction is running", hint="Wait for the compaction to end."),
        },
        example={"reason": "loop"},
    )
    """Undo rewrites the history, which is safe only while nobody else writes it. A turn was active or queued,
    or the conversation was being compacted; ``reason`` tells which. The system does not count this code as
    retryable, although it passes by itself: ``GET /api/v1/sessions/{session_id}/status`` shows when.
    """
