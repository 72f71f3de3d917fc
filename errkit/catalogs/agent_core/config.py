"""Codes of the configuration: ``config.toml``, the environment on top of it, and writing it back.

The configuration service raises them, and so do services that find their own section unusable.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["ConfigDetails", "ConfigError"]


class ConfigDetails(Details):
    """Where the trouble is; each service fills in what it knows."""

    section: str | None = None
    """The section, such as ``secondaryModel``."""
    field: str | None = None
    """The field of that section."""
    model: str | None = None
    """The model alias that is not configured, or not usable."""
    provider_id: str | None = None
    """The provider whose key variable is unset."""
    domains: list[str] | None = None
    """The sections that somebody else changed in the meantime."""


class ConfigError(AgentCoreError, domain="config", title="Configuration"):
    """The configuration cannot be used, or must not be written.

    A section that merely fails its schema while the file is loaded is ignored with a warning; an error is
    raised when somebody needs what is broken.
    """

    CONFIG_INVALID = code(
        "Configuration is invalid",
        ConfigDetails,
        code="config.invalid",
        public=True,
        hint="Run `kimi doctor config`, and correct the entry that the message names.",
        example={"section": "secondaryModel", "field": "defaultModel"},
    )
    """An entry parses and still cannot be used: a model without ``max_context_size``, a provider with both
    ``api_key`` and ``oauth``, a ``[secondary_model]`` pool whose default is none of its keys. Half of a
    ``KIMI_MODEL_*`` set in the environment counts as well. If ``domains`` is filled, nothing is wrong with
    the file: two writers met, and the later one has to repeat its change.
    """

    CONFIG_PERSIST_BLOCKED = code(
        "Refusing to overwrite config.toml",
        code="config.persist_blocked",
        public=True,
        hint="Repair `config.toml`, run `/reload`, and save the setting again.",
    )
    """The file on disk cannot be read or parsed at the moment, and saving would replace it by what is left in
    memory. An edit by hand with a stray quote, made while the program runs, is the usual way to get here.
    ``kimi doctor`` shows the place; until the file loads again, no setting can be saved, but the running
    session keeps the values it has.
    """
