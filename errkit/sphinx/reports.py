"""What the extension reports, and the one way to report it.

Each kind of warning is a member of `Report`; its value is the subtype that `suppress_warnings` takes, as in
`suppress_warnings = ["errkit.ambiguous"]`, and the text under it is its documentation. What makes a build
impossible is a coded error instead, raised through `refuse`.
"""

from __future__ import annotations

import difflib
from enum import Enum
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from sphinx.errors import ExtensionError
from sphinx.util import logging

from errkit.message import format_error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils.nodes import Node

    from errkit.errors import CodedError

    Location: TypeAlias = Node | str | tuple[str, int | None] | None

__all__ = ["Report", "meant", "near_names", "refuse", "report"]

TYPE: Final = "errkit"
_LOGGER: Final = logging.getLogger(__name__)


class Report(Enum):
    """The kinds of warnings, by subtype."""

    UNKNOWN = "unknown"
    """A directive or role names a code, number, domain or registry that no listed registry has."""
    AMBIGUOUS = "ambiguous"
    """A role names a code or number that several registries have; write `registry:code`."""
    DUPLICATE = "duplicate"
    """Two places document the same code or domain, or want the same page."""
    HEADING = "heading"
    """Prose holds a heading, which would break the outline of the page that shows it."""
    PROSE = "prose"
    """A prose file can't be used: it belongs to no code, stands beside another for the same code, or can't be
    read."""
    NO_PROSE = "no_prose"
    """A prose folder is configured, and a code has prose neither there nor in its source."""
    EXAMPLE = "example"
    """The example of a code could not be built into an error."""
    OPTION = "option"
    """An option of a directive has a value that does not fit."""
    REMOVED = "removed"
    """A directive or role names a code or number that was removed; the lock says what to use instead."""
    LOCK = "lock"
    """A code is in the lock, and no registry declares it any more."""
    SOURCE = "source"
    """`err:unraised` asks for codes that nothing raises, and no source is named in which to look."""
    SETTING = "setting"
    """`conf.py` sets a name that looks like a setting of errkit and is none."""
    PUBLISH = "publish"
    """A short link or `errors.json` could not be written, because something else is in its place."""


def report(kind: Report, message: str, location: Location = None) -> None:
    """Log a warning with its type, at the place that caused it."""
    _LOGGER.warning(message, type=TYPE, subtype=kind.value, location=location)


def refuse(error: CodedError) -> NoReturn:
    """End the build with a coded error, whose text Sphinx prints.

    Nothing has been written at this point, so the last good site stays as it is.
    """
    raise ExtensionError(format_error(error), orig_exc=None, modname="errkit.sphinx") from error


def near_names(name: str, known: Iterable[str], prefix: str = "", *, cutoff: float = 0.6) -> list[str]:
    """Up to three of the known names that look like `name`; a prefix of all of them is not compared."""
    bare = {each.removeprefix(prefix): each for each in known}
    return [bare[near] for near in difflib.get_close_matches(name.removeprefix(prefix), bare, cutoff=cutoff)]


def meant(near: Iterable[str]) -> str:
    """The end of a message about an unknown name: what may have been meant; empty if nothing looks alike."""
    names = " or ".join(near)
    return f"; did you mean {names}?" if names else ""
