"""What the agent-core domains stand on: their registry and the exception they all inherit.

A domain module imports from here and declares one class. Nothing here knows the domains; the package's
``__init__`` gathers them. No code of this catalogue ever enters errkit's default registry.
"""

from __future__ import annotations

from errkit.errors import CodedError
from errkit.registry import Registry

__all__ = ["REGISTRY", "AgentCoreError"]

REGISTRY = Registry("agent_core")
"""The registry of the agent-core catalogue: 33 domains, 132 codes."""


class AgentCoreError(CodedError, registry=REGISTRY):
    """Any failure of the coding agent's core: ``except AgentCoreError`` catches all of its domains."""
