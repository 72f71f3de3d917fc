"""Codes of looking up configured providers and model aliases by their exact keys in ``config.toml``."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["ModelCatalogError"]


class ModelCatalogError(AgentCoreError, domain="model_catalog", title="Model catalogue"):
    """The catalogue is what ``config.toml`` and its overlays declare, not what a vendor offers. Managing it
    raises these; a turn that stumbles over a broken model table raises ``config.invalid`` instead.
    """

    PROVIDER_NOT_FOUND = code(
        "Provider is not configured",
        code="provider.not_found",
        public=True,
        hint="Compare the id with `kimi provider list`, or import it with `kimi provider catalog add`.",
    )
    """No ``[providers.<id>]`` table has this key. The id that was asked for is often the provider's type or
    display name rather than the key it was imported under, or the table went away when a private registry
    stopped listing it. ``kimi provider list --json`` prints the keys as they are; in a URL an id with a colon
    or a space has to be encoded.
    """

    MODEL_NOT_FOUND = code(
        "Model alias is not configured",
        code="model.not_found",
        public=True,
        hint="Pass an alias from `GET /api/v1/models` exactly, with `/` written as `%2F` in a URL.",
    )
    """The default model was to be set to an alias that no ``[models.*]`` table declares. Aliases of imported
    providers contain their provider, as in ``anthropic/claude-opus-4-7``, and a bare vendor name is not
    looked up. Open ``/model`` to choose among those that exist, or declare the alias with ``provider``,
    ``model`` and ``max_context_size`` in ``config.toml``.
    """
