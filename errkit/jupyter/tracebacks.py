"""A hint under a traceback, before its last line, which tools take for the summary.

IPython asks an exception for `_render_traceback_`. `CodedError` has that method while the extension is
loaded, and no longer. What is rendered is IPython's own traceback in the mode of `%xmode`, redacted: the
message of an error may hold a secret, and so may the line of source that raised it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from errkit.errors import CodedError
from errkit.explaining import clean
from errkit.guards import iter_causes
from errkit.jupyter.settings import SETTINGS, docs_address
from errkit.redaction import redact_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["codes_inside", "install", "is_installed", "uninstall"]

_NAME: Final = "_render_traceback_"
_COLOURS: Final = re.compile(r"\x1b\[[0-9;:]*m")
_MAX_MEMBERS: Final = 1_000


def install(shell: InteractiveShell) -> None:
    """Let coded errors render their tracebacks in this shell."""

    def render(error: CodedError) -> list[str]:
        return _render(shell, error)

    setattr(CodedError, _NAME, render)


def uninstall() -> None:
    """Leave tracebacks to IPython."""
    if is_installed():
        delattr(CodedError, _NAME)


def is_installed() -> bool:
    """Whether coded errors render their tracebacks."""
    return _NAME in vars(CodedError)


def _render(shell: InteractiveShell, error: CodedError) -> list[str]:
    lines: list[str] = shell.InteractiveTB.structured_traceback(type(error), error, error.__traceback__)
    if SETTINGS.mode == "off":
        return lines
    coloured = _is_coloured(shell)
    try:
        lines = [_shown(line, coloured=coloured) for line in lines]
        hint = "\n".join(_hint_lines(error, coloured=coloured))
    except Exception:
        # A hint is no reason to lose a traceback.
        return lines
    return [*lines[:-1], hint, *lines[-1:]]


def _is_coloured(shell: InteractiveShell) -> bool:
    # https://no-color.org: present and not empty.
    return not os.environ.get("NO_COLOR") and shell.colors.lower() != "nocolor"


def _shown(text: str, *, coloured: bool) -> str:
    """A part of a traceback; one that holds a secret loses its colours, which may stand amid it."""
    plain = _COLOURS.sub("", text)
    redacted = redact_text(plain)
    if redacted != plain:
        return redacted
    return text if coloured else plain


def _hint_lines(error: CodedError, *, coloured: bool) -> Iterator[str]:
    number = "" if error.number is None else f" {error.number}"
    yield _line("Code", f"{error.code}{number}", coloured=coloured)
    if error.hint:
        yield _line("Hint", redact_text(error.hint), coloured=coloured)
    address = error.docs_url or docs_address(error.spec)
    if address:
        yield _line("See", redact_text(address), coloured=coloured)


def _line(label: str, text: str, *, coloured: bool) -> str:
    shown = f"{label}:"
    return f"\x1b[1m{shown}\x1b[0m {clean(text)}" if coloured else f"{shown} {clean(text)}"


# --- codes in causes and groups -----------------------------------------------------------------------------


def codes_inside(error: BaseException) -> bool:
    """Whether an error without a code of its own has one among its causes or the members of its group."""
    pending: list[BaseException] = [error]
    seen: set[int] = set()
    while pending and len(seen) < _MAX_MEMBERS:
        for one in iter_causes(pending.pop()):
            if id(one) in seen:
                break
            seen.add(id(one))
            if isinstance(one, CodedError):
                return True
            pending += _members(one)
    return False


def _members(error: BaseException) -> list[Any]:
    return list(error.exceptions) if isinstance(error, BaseExceptionGroup) else []
