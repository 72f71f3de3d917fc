"""The interactive terminals that a client opens inside a session."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["TerminalError"]


class TerminalError(AgentCoreError, domain="terminal", title="Session terminals"):
    """A client addressed a terminal that the session does not have.

    Terminals live in the memory of the process that serves the session and are never written to disk.
    """

    TERMINAL_NOT_FOUND = code(
        "No such terminal in this session",
        code="terminal.not_found",
        public=True,
        hint="Fetch `GET /api/v1/sessions/<session_id>/terminals` and use an id from its answer.",
    )
    """The id (``term_`` and a UUID) belongs to no terminal of this session. A terminal whose shell has
    exited is still found, so the id comes from another session, or from before the server was restarted
    or the session closed, either of which discards all of them. Create a new terminal rather than retry:
    a discarded one, with the output it had buffered, does not return."""
