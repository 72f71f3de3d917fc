"""Text that steers no terminal, whoever wrote it."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["clean"]

# C0 and C1 controls, marks of writing direction, line separators, halves of surrogate pairs.
_STEERING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: object, *, lines: bool = False) -> str:
    """Text that steers no terminal: each control character is written out, as in a Python text.

    Parameters
    ----------
    text
        What to show.
    lines
        Keep line breaks, for text that has several lines.
    """
    if lines:
        return "\n".join(clean(line) for line in re.split("\r\n|\n", str(text)))
    return _STEERING.sub(_written_out, str(text))


def _written_out(match: re.Match[str]) -> str:
    if match[0] == "\t":
        return " "
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")
