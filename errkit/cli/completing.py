"""What a shell offers when somebody presses Tab: codes, domains, kinds of the project at hand.

click writes the scripts for bash, zsh and fish, and asks these functions. Whatever fails offers nothing: an
error would be printed into the line that somebody types.
"""

# click hands over the context and the parameter, whoever needs them.
# ruff: noqa: ARG001

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from errkit.cli.items import resolve, search_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import click

    from errkit.registry import Registry

__all__ = ["complete_codes", "complete_domains", "complete_items", "complete_registries"]


def complete_codes(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Codes and aliases, with their titles where the shell shows those."""
    return [
        CompletionItem(name, help=spec.title)
        for registry in _registries(context)
        for spec in registry
        for name in (spec.code, *spec.aliases)
        if name.startswith(incomplete)
    ]


def complete_domains(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Domains, with their titles."""
    return [
        CompletionItem(domain.domain, help=domain.title)
        for registry in _registries(context)
        for domain in registry.domains
        if domain.domain.startswith(incomplete)
    ]


def complete_registries(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of registries."""
    return _starting(incomplete, (registry.name for registry in _registries(context)))


def complete_items(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The items that the project names, else files."""
    from errkit.config import read_config

    try:
        known = [item for item in read_config().registries if isinstance(item, str)]
    except Exception:
        known = []
    # bash forgets words beside files.
    return _starting(incomplete, known) or [CompletionItem(incomplete, type="file")]


def _starting(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _registries(context: click.Context) -> Sequence[Registry]:
    """Those that the line names so far, else those of the project."""
    search_here()
    try:
        sources, _ = resolve(context.params.get("items") or ())
    except Exception:
        return []
    return [source.registry for source in sources]
