"""The error catalogue of a terminal coding agent's core: 33 domains, 132 codes.

The seed is Kimi Code CLI's ``agent-core-v2`` package, where each domain owns a small table of codes and one
facade gathers them all. Here a domain is an exception class in a module of its own, in the seed's order, and
what the seed keeps in several hand-made lists (retryability, audience, details, explanation) stands at the
code's declaration. Codes carry no numbers. A code's first segment is not always its domain: ``session.busy``
belongs to `PromptError`, ``context.overflow`` to `ProtocolError`.

Raise through the facade or the domain, branch on the code::

    from errkit.catalogs.agent_core import ErrorCodes, OsFsError

    raise ErrorCodes.OS_FS_NOT_FOUND(path="/srv/a.txt", op="read") from exc

    try:
        ...
    except OsFsError as exc:
        if exc.code == ErrorCodes.OS_FS_NOT_FOUND: ...

`REGISTRY` is the catalogue's own registry; pass it as ``registry=`` where payloads are decoded. A program
that wants some of these domains in a registry of its own includes them; importing this package never does so.
"""

from __future__ import annotations

# The order is the seed's, and with it the order of the registry, the site's index and exported lists.
# isort: off
from errkit.catalogs.agent_core.base import REGISTRY, AgentCoreError
from errkit.catalogs.agent_core.core import CoreError
from errkit.catalogs.agent_core.full_compaction import FullCompactionError
from errkit.catalogs.agent_core.loop import LoopError
from errkit.catalogs.agent_core.profile import ProfileError
from errkit.catalogs.agent_core.prompt import PromptError
from errkit.catalogs.agent_core.task import TaskError
from errkit.catalogs.agent_core.usage import UsageError
from errkit.catalogs.agent_core.auth import AuthError
from errkit.catalogs.agent_core.capability import CapabilityError
from errkit.catalogs.agent_core.config import ConfigError
from errkit.catalogs.agent_core.cron import CronError
from errkit.catalogs.agent_core.event import EventError
from errkit.catalogs.agent_core.file import FileError
from errkit.catalogs.agent_core.models_dev_import import ModelsDevImportError
from errkit.catalogs.agent_core.plugin import PluginError
from errkit.catalogs.agent_core.session_export import SessionExportError
from errkit.catalogs.agent_core.skill import SkillError
from errkit.catalogs.agent_core.web import WebError
from errkit.catalogs.agent_core.workspace import WorkspaceError
from errkit.catalogs.agent_core.debug import DebugError
from errkit.catalogs.agent_core.goal import GoalError
from errkit.catalogs.agent_core.model_catalog import ModelCatalogError
from errkit.catalogs.agent_core.protocol import ProtocolError
from errkit.catalogs.agent_core.mcp import McpError
from errkit.catalogs.agent_core.os_fs import OsFsError
from errkit.catalogs.agent_core.os_process import OsProcessError
from errkit.catalogs.agent_core.terminal import TerminalError
from errkit.catalogs.agent_core.storage import StorageError
from errkit.catalogs.agent_core.agent_lifecycle import AgentLifecycleError
from errkit.catalogs.agent_core.session import SessionError
from errkit.catalogs.agent_core.state import StateError
from errkit.catalogs.agent_core.wire import WireError
from errkit.catalogs.agent_core.fs import FsError
# isort: on

__all__ = [
    "REGISTRY",
    "AgentCoreError",
    "AgentLifecycleError",
    "AuthError",
    "CapabilityError",
    "ConfigError",
    "CoreError",
    "CronError",
    "DebugError",
    "ErrorCodes",
    "EventError",
    "FileError",
    "FsError",
    "FullCompactionError",
    "GoalError",
    "LoopError",
    "McpError",
    "ModelCatalogError",
    "ModelsDevImportError",
    "OsFsError",
    "OsProcessError",
    "PluginError",
    "ProfileError",
    "PromptError",
    "ProtocolError",
    "SessionError",
    "SessionExportError",
    "SkillError",
    "StateError",
    "StorageError",
    "TaskError",
    "TerminalError",
    "UsageError",
    "WebError",
    "WireError",
    "WorkspaceError",
]


class ErrorCodes(
    CoreError,
    FullCompactionError,
    LoopError,
    ProfileError,
    PromptError,
    TaskError,
    UsageError,
    AuthError,
    CapabilityError,
    ConfigError,
    CronError,
    EventError,
    FileError,
    ModelsDevImportError,
    PluginError,
    SessionExportError,
    SkillError,
    WebError,
    WorkspaceError,
    DebugError,
    GoalError,
    ModelCatalogError,
    ProtocolError,
    McpError,
    OsFsError,
    OsProcessError,
    TerminalError,
    StorageError,
    AgentLifecycleError,
    SessionError,
    StateError,
    WireError,
    FsError,
    facade=True,
):
    """Every code of the catalogue under its constant; calling one builds the owning domain's exception."""
