"""Connections to MCP servers: their configuration, start-up, tool names and sign-in."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["AlreadyAuthorizedError", "McpError", "OAuthResultDetails", "ToolNameCollisionDetails"]


class ToolNameCollisionDetails(Details):
    """Which tools of a server were left out because their qualified name was taken."""

    serverName: str
    """The server whose tools lost."""
    collisions: list[dict[str, object]]
    """One entry a lost tool: ``toolName``, the ``qualified`` name, and ``collidesWith`` (the winner)."""


class OAuthResultDetails(Details):
    """What the authorization server made of the code exchange."""

    result: str | None = None
    """The outcome that came back where ``AUTHORIZED`` was expected; absent for every other failure."""


class McpError(AgentCoreError, domain="mcp", title="MCP servers"):
    """A Model Context Protocol server is missing, switched off, does not start, or does not let the user
    in.

    Servers come from ``mcp.json`` under ``KIMI_CODE_HOME``, from the project's ``.kimi-code/mcp.json``
    and from plugins; ``/mcp`` shows each one's state and last error.
    """

    MCP_SERVER_NOT_FOUND = code(
        "Unknown MCP server",
        code="mcp.server_not_found",
        public=True,
        hint="List the servers of this session with `/mcp` and use a name from that list.",
    )
    """No MCP server of that name is known to the session, or it was removed from the configuration after
    the session began. A server added to ``mcp.json`` in the meantime does not count either: open
    sessions keep the set they were created with. Check the spelling against ``/mcp``, and open a new
    session if the entry is younger than this one."""

    MCP_SERVER_DISABLED = code(
        "MCP server is switched off",
        code="mcp.server_disabled",
        public=True,
        hint="Set `enabled` to true for this server in `mcp.json`, or enable it under `/plugins`.",
    )
    """A reconnect was asked for a server whose entry says ``"enabled": false``. Connecting anyway would
    override a deliberate setting, so the request is refused and the server keeps its state. Remember
    that an entry in the project's ``.kimi-code/mcp.json`` replaces the user-level entry of the same
    name, including this switch."""

    MCP_STARTUP_FAILED = code(
        "MCP server did not start",
        code="mcp.startup_failed",
        public=True,
        hint="Open `/mcp` for the server's error and the end of its stderr, then run its command by hand.",
    )
    """Connecting to the server and listing its tools did not finish. The limit is 30 seconds unless
    ``startupTimeoutMs`` in ``mcp.json`` or ``KIMI_MCP_STARTUP_TIMEOUT_MS`` says otherwise, and a first
    ``npx -y`` run that downloads its package easily takes longer. The same code ends a tool call whose
    connection was lost and could not be made again. It carries no details: the reason is in the message,
    and for a stdio server the last lines it wrote to stderr stand beside it in ``/mcp``."""

    MCP_TOOL_NAME_COLLISION = code(
        "MCP tool names collide",
        ToolNameCollisionDetails,
        code="mcp.tool_name_collision",
        public=True,
        hint="Rename one of the servers in `mcp.json`, or put the tool under its `disabledTools`.",
        example={
            "serverName": "docs.site",
            "collisions": [
                {
                    "toolName": "search",
                    "qualified": "mcp__docs_site__search",
                    "collidesWith": {"kind": "other_server", "serverName": "docs_site"},
                }
            ],
        },
    )
    """Two MCP tools ended up with one qualified name, and the later one was dropped. Names have the form
    ``mcp__<server>__<tool>``; every character outside letters, digits, ``_`` and ``-`` becomes ``_`` and
    runs of it are folded, so ``docs.site`` and ``docs_site`` meet. Nothing is thrown: the session
    reports it as an error event and goes on without the losing tools, which ``collisions`` names one by
    one."""

    MCP_OAUTH_FAILED = code(
        "MCP sign-in failed",
        OAuthResultDetails,
        code="mcp.oauth_failed",
        public=True,
        hint="Start the browser sign-in again with `/mcp-config login <server>`.",
        example={"result": "REDIRECT"},
    )
    """The OAuth sign-in to a remote server broke off, or a stored grant could not be renewed. Typical
    reasons are a callback listener that could not open its port, an answer whose ``state`` does not
    match (refused as a possible forgery), and a grant without a refresh token. Sign in once more; if the
    old grant keeps getting in the way, delete the server's files under ``credentials/mcp/`` in the data
    folder, which ``/logout`` leaves alone."""


class AlreadyAuthorizedError(McpError, of=McpError.MCP_OAUTH_FAILED):
    """Sign-in was asked for although the stored grant still works; a signal to go on, not a failure."""
