"""Patterns that are compiled when a text first needs them, so that importing errkit stays cheap.

In this package every repetition without a bound is possessive (`*+`, `++`), so that no search goes back over
what it has read. A test reads `compiled` for it. Short slices of a text may be searched with `re` itself.
"""

from __future__ import annotations

import re
import sys
from typing import Final

__all__ = ["compiled", "exact", "regex", "run_end"]

compiled: Final[dict[tuple[str, int], re.Pattern[str]]] = {}
"""Source and flags -> pattern."""

_EXACT: Final = int(re.VERBOSE)
_FOLDED: Final = int(re.VERBOSE | re.IGNORECASE)


def regex(source: str) -> re.Pattern[str]:
    """A pattern in verbose form that ignores case."""
    return compiled.get((source, _FOLDED)) or _compile(source, _FOLDED)


def exact(source: str) -> re.Pattern[str]:
    """A pattern in verbose form in which case counts."""
    return compiled.get((source, _EXACT)) or _compile(source, _EXACT)


def _compile(source: str, flags: int) -> re.Pattern[str]:
    pattern = re.compile(source, flags)
    compiled[source, flags] = pattern
    return pattern


def run_end(source: str, text: str, start: int, stop: int = sys.maxsize) -> int:
    """Where the run of characters that begins at `start` ends; `start` if there is none."""
    found = regex(source).match(text, start, stop)
    return found.end() if found else start
