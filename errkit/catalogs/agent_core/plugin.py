"""Codes of the plugin service, which installs plugins, keeps copies of them and reads their manifests."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["PluginDetails", "PluginError", "PluginLoadDetails"]


class PluginDetails(Details):
    """Which plugin was meant."""

    id: str
    """Id as the caller wrote it; installed plugins go by the normalized ``name`` of their manifest."""


class PluginLoadDetails(Details):
    """Where loading failed: the installed set as a whole, or one source that was being installed."""

    kimiHomeDir: str | None = None
    """Home folder whose ``plugins/installed.json`` could not be loaded."""

    sourceType: str | None = None
    """Kind of source an installation came from: ``local-path``, ``zip-url`` or ``github``."""


class PluginError(AgentCoreError, domain="plugin", title="Plugins"):
    """Plugins are installed per user under ``$KIMI_CODE_HOME/plugins/`` and recorded in ``installed.json``
    there. Managing them raises these codes, while a running session simply goes without plugins that did not
    load.
    """

    PLUGIN_NOT_FOUND = code(
        "Plugin is not installed",
        PluginDetails,
        code="plugin.not_found",
        public=True,
        hint="Take the id from `/plugins list`, or run `/plugins install <path-or-url>`.",
        example={"id": "kimi-finance"},
    )
    """The installed set has no plugin of this id, so it can be neither shown, enabled, disabled nor removed.
    The id is the manifest's ``name``, which often differs from the repository that the plugin was installed
    from and from the display name in ``/plugins``. A plugin that another process removed is missing as well,
    from the moment ``/plugins reload`` has read ``installed.json`` again.
    """

    PLUGIN_LOAD_FAILED = code(
        "Plugins could not be loaded",
        PluginLoadDetails,
        code="plugin.load_failed",
        public=True,
        hint="Repair `plugins/installed.json` or the plugin's manifest, then run `/plugins reload`.",
        example={"kimiHomeDir": "/home/ada/.kimi-code"},
    )
    """Either the record of installed plugins is unreadable or a new plugin has no usable manifest. With
    ``details.kimiHomeDir`` the former is meant, for example after ``plugins/installed.json`` was edited by
    hand, and every management call fails until it is valid again. With ``details.sourceType`` one
    installation was refused: the source needs a ``kimi.plugin.json`` or ``.kimi-plugin/plugin.json`` whose
    ``name`` matches ``[a-z0-9][a-z0-9_-]{0,63}``.
    """
