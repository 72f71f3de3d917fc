"""Codes of the workspace registry, the list of project folders that sessions live in."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["WorkspaceError"]


class WorkspaceError(AgentCoreError, domain="workspace", title="Workspace registry"):
    """Known project folders are kept in ``workspaces.json`` of the home folder, under ids of the form
    ``wd_<slug>_<hash>`` derived from the folder's path. A folder that is missing on disk is
    ``fs.path_not_found``.
    """

    WORKSPACE_NOT_FOUND = code(
        "Workspace is not registered",
        code="workspace.not_found",
        public=True,
        hint="Register the folder with `POST /api/v1/workspaces` and use the `id` of the answer.",
    )
    """The id names no entry of the registry. Ids follow from the path, so a project that was moved or renamed
    has a new one, and one that was unregistered with ``DELETE /api/v1/workspaces/{workspace_id}`` stays away
    until somebody opens its folder again. ``GET /api/v1/workspaces`` lists what is known; running ``kimi``
    once in the folder registers it too.
    """
