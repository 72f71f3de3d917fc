"""Manual pages from the commands themselves, in the language of man(7).

All that a page says is what `--help` says too: click's own description of a command is the source, so a page
can't be out of date. Nothing here prints.
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["page_name", "page_of", "pages"]

_EXIT: Final = (
    ("0", "All is well."),
    ("1", "There are findings, or a code is unknown."),
    ("2", "Wrong use, or a source that can't be loaded."),
)
_VARIABLES: Final = (
    ("NO_COLOR", "Show no colours."),
    ("FORCE_COLOR", "Show colours in a pipe too."),
    ("ERRKIT_TRACEBACK", "Show where a failure was raised."),
)


def pages(context: click.Context) -> Iterator[click.Context]:
    """The context of a command and of all below it, each with its own page.

    Parameters
    ----------
    context
        That of the first command.
    """
    yield context
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from pages(click.Context(below, info_name=name, parent=context))


def page_name(context: click.Context) -> str:
    """What `man` calls the page of a command: `errkit-export-json`."""
    return context.command_path.replace(" ", "-")


def page_of(context: click.Context, version: str) -> str:
    """The manual page of a command, in section 1.

    Parameters
    ----------
    context
        That of the command.
    version
        Of errkit.
    """
    command = context.command
    lines = [
        f'.TH "{_plain(page_name(context).upper())}" "1" "" "errkit {_plain(version)}" "errkit"',
        ".SH NAME",
        f"{_plain(page_name(context))} \\- {_plain(command.get_short_help_str(200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_plain(context.command_path)}",
        _plain(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
        *_listed("COMMANDS", _commands(context)),
        *_listed("OPTIONS", _options(context)),
        *_paragraphs_of_end(command.epilog or ""),
        *_listed("EXIT STATUS", _EXIT),
        *_listed("ENVIRONMENT", _VARIABLES),
        *_see_also(context),
    ]
    return "\n".join(lines) + "\n"


# --- parts --------------------------------------------------------------------------------------------------


def _commands(context: click.Context) -> Iterator[tuple[str, str]]:
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield name, below.get_short_help_str(200)


def _options(context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in context.command.get_params(context):
        # click 8.5 has records of arguments too, without a word about them.
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            yield record


def _listed(heading: str, items: tuple[tuple[str, str], ...] | Iterator[tuple[str, str]]) -> Iterator[str]:
    for place, (name, about) in enumerate(items):
        if not place:
            yield f".SH {heading}"
        yield from (".TP", f".B {_plain(name)}", _plain(" ".join(about.split())))


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs; one that starts with a backspace keeps its lines, as click wants it."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(text)) if text else []
    for place, part in enumerate(parts):
        if place:
            yield ".PP"
        if part.startswith("\b\n"):
            yield from (".nf", *map(_plain, part.split("\n")[1:]), ".fi")
        else:
            yield _plain(" ".join(part.split()))


def _paragraphs_of_end(epilog: str) -> Iterator[str]:
    """The examples under their own heading, and what follows them."""
    match = re.match(r"\x08\nExamples:\n((?:  .*(?:\n|$))*)", epilog)
    if match:
        examples = [line.strip() for line in match[1].splitlines()]
        yield from (".SH EXAMPLES", ".nf", *map(_plain, examples), ".fi")
        epilog = epilog[match.end() :].strip()
    if epilog:
        yield from (".SH NOTES", *_paragraphs(epilog))


def _see_also(context: click.Context) -> Iterator[str]:
    root = context.find_root()
    if isinstance(context.command, click.Group):
        others = [page_name(other) for other in pages(context)][1:]
    else:
        others = [page_name(context.parent or root)]
    if others:
        yield ".SH SEE ALSO"
        *rest, last = others
        yield from (f".BR {_plain(name)} (1)," for name in rest)
        yield f".BR {_plain(last)} (1)"


def _plain(text: str) -> str:
    """Text in which nothing is a request or an escape; signs beyond ASCII by their number."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("'", "\\(aq")
    text = re.sub(r"[^\x20-\x7e]", lambda match: f"\\[u{ord(match[0]):04X}]", text)
    return f"\\&{text}" if text[:1] in (".", "'") else text
