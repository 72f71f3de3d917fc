"""Codes of full compaction, which replaces a long conversation by a summary that the model writes.

The compaction service of one agent raises them, on ``/compact`` and when the context window runs full.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["FullCompactionError"]


class FullCompactionError(AgentCoreError, domain="full_compaction", title="Full compaction"):
    """A conversation could not be replaced by its summary.

    The history is left as it was in either case. Cancelling a compaction is not an error and has no code.
    """

    COMPACTION_FAILED = code(
        "Compaction failed",
        code="compaction.failed",
        public=True,
        hint="Clear up the provider failure in the cause, then run `/compact` again.",
    )
    """The model was asked for a summary and never returned a usable one. Answers that come back empty or cut
    off, and requests that are too long themselves, are first repeated with the oldest messages left out; the
    failure that remained in the end is the cause. When single attempts are merely unlucky, raise
    ``compaction_max_attempts`` under ``[loop_control]`` in ``config.toml``; ``/new`` starts with an empty
    context.
    """

    COMPACTION_UNABLE = code(
        "Nothing can be compacted now",
        code="compaction.unable",
        public=True,
        hint="Press Esc to interrupt the running turn, then run `/compact`.",
    )
    """The request was refused before any model was asked. Either the context holds no messages yet, or a turn
    or another change of the context is under way while somebody compacts by hand. Clients of the server can
    poll ``GET /api/v1/sessions/{session_id}/status`` and wait for ``busy`` to become false.
    """
