"""Codes of the inspection services that look into, and reload, the units of the dependency-injection tree."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["DebugError"]


class DebugError(AgentCoreError, domain="debug", title="Container inspection"):
    """Developers of the core meet these, users do not: the routes under ``/api/v1/debug/`` exist only on a
    loopback server that was started with ``--debug-endpoints``. A unit is addressed by a scope path and a
    token.
    """

    DEBUG_SCOPE_NOT_FOUND = code(
        "No container at that scope path",
        code="debug.scope_not_found",
        public=True,
        hint="Copy the path from `IDebugLedgerService.tree()` and send it unchanged.",
    )
    """The path leads to no live container. Paths join the labels of nested scopes with slashes, as in
    ``app/workspace:<id>``, and are compared whole; a container without a label appears as ``#`` and a number.
    Closing a session or a workspace takes its containers away, so a path noted a minute ago can be stale:
    read the tree again before unloading anything.
    """

    DEBUG_TOKEN_NOT_FOUND = code(
        "Token is not registered in that container",
        code="debug.token_not_found",
        public=True,
        hint="Take the token from the same node of the ledger tree that the path was taken from.",
    )
    """The container exists and holds no service under this token. Tokens are the strings given to
    ``createDecorator``, such as ``debugCascadeService``, not the names of the interfaces; a service that
    lives in an outer scope has to be asked for there. ``dispose`` answers with the same code if one of its
    two arguments is left out, because with none at all it would tear down the inspector itself. After a
    successful ``unprovide`` a second one fails like this, which ``history()`` makes visible.
    """
