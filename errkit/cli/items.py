"""Which registries a command is about: those that it is given, else those of the project, else errkit's own.

Modules are looked for as `python -m` does: in the current folder first.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from errkit.config import Config, Source, default_sources, load_sources, read_config

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.shell_completion import CompletionItem

__all__ = ["epilog", "resolve", "search_here", "take_items"]

_ITEMS: Final = (
    "ITEM is a module (shop.errors), module:attribute, or a catalogue file (shop.json, shop.toml); NAME=ITEM "
    "calls the registry NAME. Without any ITEM, those of [tool.errkit] in pyproject.toml are meant, and "
    "without a project errkit's own codes and catalogues."
)


def epilog(*examples: str) -> str:
    """What stands under the help of a command: examples, and what an ITEM is."""
    # The backspace keeps click from joining the lines.
    return "\n".join(["\b", "Examples:", *(f"  {example}" for example in examples), "", _ITEMS])


def take_items(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument `items`."""
    return click.argument("items", nargs=-1, metavar="[ITEM]...", shell_complete=_complete)(command)


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from errkit.cli.completing import complete_items

    return complete_items(context, parameter, incomplete)


def search_here() -> None:
    """Put the current folder first on the path of modules, unless the interpreter was told not to."""
    here = os.getcwd()
    if not sys.flags.safe_path and here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)


def resolve(items: Sequence[str]) -> tuple[list[Source], Config]:
    """The registries that a command is about, and the settings of the project.

    Raises
    ------
    CodedError
        `errkit.bad_source`, `errkit.bad_config`.
    """
    config = read_config()
    if items:
        return load_sources(map(_item, items), markup=config.markup), config
    if not config.registries:
        return default_sources(), config
    if not sys.flags.safe_path and str(config.root) not in sys.path:
        sys.path.append(str(config.root))
    return load_sources(config.registries, root=config.root, markup=config.markup), config


def _item(text: str) -> object:
    if "://" in text:
        # It may hold a password, so it is not repeated.
        raise click.BadParameter("an address can't be read; download the catalogue.", param_hint="ITEM")
    named = re.fullmatch(r"([A-Za-z0-9_.-]+)=(.+)", text)
    return {"registry": named[2], "name": named[1]} if named and not os.path.exists(text) else text
