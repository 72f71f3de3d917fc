"""What a session of a notebook has chosen, in one place: how much errkit shows, and where the site is.

A process has one shell, and reprs don't know it, so there is one of these. Without the extension nothing here
is ever changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from errkit.explaining import address_of

if TYPE_CHECKING:
    from errkit.codes import ErrorSpec

__all__ = ["MODES", "SETTINGS", "Mode", "docs_address"]

Mode = Literal["on", "off", "cards", "plain"]

MODES: Final[dict[Mode, str]] = {
    "on": "hints under tracebacks, and a card where the code stands in a cause or a group",
    "off": "tracebacks as IPython shows them",
    "cards": "hints under tracebacks, and a card under each failure with a code",
    "plain": "as on, and everything as text",
}


class Settings:
    """The choices of this session."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Choose nothing."""
        self.mode: Mode = "on"
        self.base_url = ""
        """The site of the project; for registries that name none of their own."""


SETTINGS: Final = Settings()


def docs_address(spec: ErrorSpec) -> str:
    """The address of the page that explains a code; empty if nobody published one."""
    return address_of(spec, SETTINGS.base_url)
