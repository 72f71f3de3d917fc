"""Codes that belong to no single domain of the agent: defects, stubs and malformed input.

Any service may raise them. An error that nobody coded reaches the wire as ``internal``.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import code

__all__ = ["CoreError"]


class CoreError(AgentCoreError, domain="core", title="Core"):
    """Failures that no single domain owns: a defect, a feature that is only a stub, input that a schema
    refused.

    They say little by themselves; the message and the chain of causes carry the rest.
    """

    INTERNAL = code(
        "Internal error",
        code="internal",
        kind="bug",
        public=True,
        hint="Pack the session with `kimi export` and attach the archive to a bug report.",
    )
    """Something failed that no domain has coded: an ordinary ``Error`` from a service, a rejected promise,
    even a thrown string. The serializer gives all of these the same code, keeps message and class name, and
    never calls them retryable. The stack stays on the machine: look into ``~/.kimi-code/logs/kimi-code.log``,
    or into the log of the session itself, which ``kimi export`` packs.
    """

    NOT_IMPLEMENTED = code(
        "Feature not implemented",
        code="not_implemented",
        public=True,
        hint="Run `kimi upgrade`, since a later release may carry the feature that the message names.",
    )
    """The call reached a branch that exists only as a stub. An MCP server entry whose ``executor`` is
    anything but ``local`` ends here, because only local processes are started so far. Compare
    ``kimi --version`` with the changelog, and remove the option from the configuration until the feature has
    arrived.
    """

    VALIDATION_FAILED = code(
        "Input failed validation",
        code="validation.failed",
        public=True,
        hint="Correct the field that the message names and send the call again.",
    )
    """A schema in front of the service turned a value away before anything happened. Installing a plugin from
    a relative path does it: the source has to be an absolute path, a zip URL or a GitHub repository. Over
    HTTP the failure is number 40001, and the envelope's ``details`` list each bad field by its path.
    """
