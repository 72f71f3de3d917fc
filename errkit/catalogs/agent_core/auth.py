"""Codes of authentication and readiness: whether a prompt could reach a provider at all.

The readiness check in front of a prompt raises most of them, the token source of a provider the rest.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["AuthError", "ModelResolutionDetails", "ProviderCredentialDetails"]


class ProviderCredentialDetails(Details):
    """Whose credential is meant."""

    provider_id: str
    """The provider's name in the ``providers`` table."""


class ModelResolutionDetails(Details):
    """How far resolution came; a field that is absent was not known."""

    model_id: str | None = None
    """The model alias that leads nowhere."""
    provider_id: str | None = None
    """The provider that the alias names and that is not configured."""


class AuthError(AgentCoreError, domain="auth", title="Authentication"):
    """No prompt can be sent, because the way to a provider is not complete: none set up, none chosen, no
    credential.

    A credential that the provider's own interface turns down in the middle of a request is coded by the
    protocol domain instead.
    """

    AUTH_LOGIN_REQUIRED = code(
        "Login required",
        code="auth.login_required",
        public=True,
        hint="Run `kimi login`, or `/login` inside the terminal UI.",
    )
    """The model belongs to a provider with OAuth, and there is no usable token for it. Nobody has logged in
    yet, ``/logout`` has removed the token, or the service turned it down even after a refresh. Tokens lie in
    ``credentials/`` below ``KIMI_CODE_HOME``: if a login seems to have no effect, compare that variable in
    both shells.
    """

    AUTH_PROVISIONING_REQUIRED = code(
        "No provider set up",
        code="auth.provisioning_required",
        public=True,
        hint="Finish onboarding with `/login`, or add a provider with `kimi provider catalog add`.",
    )
    """The ``providers`` table is empty, so a prompt has nowhere to go. Exporting ``OPENAI_API_KEY`` in the
    shell does not create a provider; it takes an entry in ``config.toml``. ``GET /api/v1/auth`` shows the
    state as a ``providers_count`` of 0, and ``POST /api/v1/providers`` ends it.
    """

    AUTH_TOKEN_MISSING = code(
        "Provider has no credential",
        ProviderCredentialDetails,
        code="auth.token_missing",
        public=True,
        hint="Give the provider an `api_key` in `config.toml`, or log in when it uses OAuth.",
        example={"provider_id": "openai"},
    )
    """The provider exists, but nothing yields a key for it: no ``api_key``, no entry in its
    ``[providers.<name>.env]`` table, no stored OAuth token. Keys in the shell are ignored under their usual
    names, which surprises people who come from other tools. ``kimi provider list`` names the configured
    providers; add the key to the one that ``provider_id`` gives.
    """

    AUTH_TOKEN_UNAUTHORIZED = code(
        "Credential was revoked",
        ProviderCredentialDetails,
        code="auth.token_unauthorized",
        public=True,
        hint="Log out with `/logout` and log in again.",
        example={"provider_id": "managed:kimi-code"},
    )
    """Refreshing the token was answered with 401, most often because the user withdrew the authorization on
    the provider's own pages. The server reserves number 40112 for it; the core declares the code without
    raising it, and asks for a login instead. ``managed_provider.status`` in ``GET /api/v1/auth`` reads
    ``revoked`` or ``expired`` then.
    """

    AUTH_MODEL_NOT_RESOLVED = code(
        "Model leads to no provider",
        ModelResolutionDetails,
        code="auth.model_not_resolved",
        public=True,
        hint="Set `default_model` to an alias whose provider exists in `config.toml`.",
        example={"model_id": "turbo", "provider_id": "kohub"},
    )
    """No default model is set, or its alias names a provider that is not configured. Deleting a provider over
    HTTP leaves ``default_model`` alone, so the pointer can outlive what it points to. ``GET /api/v1/models``
    lists the aliases; choose one with ``POST /api/v1/models/{model_id}:set_default``.
    """
