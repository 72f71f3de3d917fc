"""Codes of importing providers, either from the public models.dev directory or from a private registry.

``kimi provider catalog add``, ``kimi provider add`` and the server's ``POST /api/v1/providers:import_*`` end
here.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["ModelsDevImportError"]


class ModelsDevImportError(AgentCoreError, domain="models_dev_import", title="Provider import"):
    """An import turns entries of somebody else's directory into ``[providers.*]`` and ``[models.*]`` tables
    of ``config.toml``. Every check runs before the first write, so a refused import leaves the file as it
    was.
    """

    CATALOG_UNAVAILABLE = code(
        "models.dev directory cannot be read",
        code="modelsDev.catalog_unavailable",
        kind="transient",
        public=True,
        hint="Check that `curl -sI https://models.dev/api.json` gets an answer, then repeat the call.",
    )
    """The provider directory could be had from no source: neither live, nor from an earlier answer kept in
    memory, nor from the snapshot built into the program. The live fetch gives up after ten seconds, and a
    proxy that answers with an HTML page instead of a JSON object counts as a failed fetch too. Once the host
    is reachable the same call succeeds; until then write the provider into ``config.toml`` by hand.
    """

    CATALOG_ENTRY_NOT_FOUND = code(
        "No such entry in the models.dev directory",
        code="modelsDev.catalog_entry_not_found",
        public=True,
        hint="Look the id up with `kimi provider catalog list --filter NAME` and pass it unchanged.",
    )
    """The directory was read, but it has no entry under the id that was given. Ids are matched exactly, so a
    display name such as ``Anthropic`` in place of ``anthropic`` misses, and so does an id from a private
    registry. ``GET /api/v1/catalog/providers`` returns the same list to programs.
    """

    CATALOG_IMPORT_INVALID = code(
        "Directory entry cannot be imported",
        code="modelsDev.import_invalid",
        public=True,
        hint="Read the entry's `reject_reason` and `needs_base_url`, and supply a `base_url` if needed.",
    )
    """The entry exists, yet no working provider can be made of it. Its SDK speaks a proprietary protocol
    (Amazon Bedrock and Cohere do), the base URL that was supplied is blank or holds a ``${...}`` placeholder,
    none of its models is a usable chat model, or its id is not allowed as a provider id. Where only the
    endpoint is missing, repeat the import with ``base_url``; where the id is at fault, choose another with
    ``id``. For a protocol that is refused there is no way around: add an OpenAI-compatible gateway as a
    provider of type ``openai`` instead.
    """

    REGISTRY_IMPORT_INVALID = code(
        "Private registry cannot be imported",
        code="modelsDev.registry_import_invalid",
        public=True,
        hint="Fetch the registry's `api.json` with curl and your Bearer key, and see what it lists.",
    )
    """A registry of your own was unreachable, answered with something that is not a provider list, or listed
    nothing that can be used. An expired key is the usual reason: without a new one the import reuses the key
    that the previous import of that URL stored. Pass a fresh key to ``kimi provider add <url> --api-key KEY``
    or set ``KIMI_REGISTRY_API_KEY``. A registry that needs more than ten seconds to answer fails in this way
    as well.
    """

    PROVIDER_OAUTH_MANAGED = code(
        "Provider belongs to an OAuth login",
        code="provider.oauth_managed",
        public=True,
        hint="Run `/logout` first, or import the entry under another provider id.",
    )
    """The write would have replaced a provider whose credentials come from ``/login``. Such a table carries
    an ``oauth`` key in ``config.toml``; overwriting it by an import, or editing it through
    ``PUT /api/v1/providers/{provider_id}``, would leave a token without an owner. Programs log out with
    ``POST /api/v1/oauth/logout``, which removes the provider and its stored token together.
    """
