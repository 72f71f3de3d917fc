"""Where Sphinx documents Python objects, and where `sphinx.ext.viewcode` shows their source.

viewcode keeps its pages in an attribute of the environment that is not documented. It is read here alone; if
it changes, links to the source are missing and a test fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

__all__ = ["documented_at", "source_at"]


def documented_at(env: BuildEnvironment, module: str, qualname: str) -> tuple[str, str] | None:
    """Page and anchor of an object that a page documents; None if no page does."""
    domain = env.domains.python_domain
    if qualname:
        found = domain.objects.get(f"{module}.{qualname}")
        return None if found is None else (found.docname, found.node_id)
    known = domain.modules.get(module)
    return None if known is None else (known.docname, known.node_id)


def source_at(env: BuildEnvironment, builder: Builder, module: str, qualname: str) -> tuple[str, str] | None:
    """Page and anchor of an object's source; None if viewcode shows none of it here."""
    entry = getattr(env, "_viewcode_modules", {}).get(module)
    if not entry or builder.format != "html" or builder.name in ("epub", "singlehtml"):
        return None
    tags = entry[1]
    return (f"_modules/{module.replace('.', '/')}", qualname) if qualname in tags else None
