"""Patterns that are compiled when a text first needs them, so that importing errkit stays cheap.

In this package every repetition without a bound is possessive (`*+`, `++`), so that no search goes back over
what it has read. A test reads `compiled` for it. Short slices of a text may be searched with `re` itself.
"""

from __future__ import annotations

import re
import sys
from typing import Final

__all__ = ["compiled", "exact", "regex", "run_end"]

compiled: Final[dict[str, re.Pattern[str]]] = {}
"""Source -> pattern in which case does not count."""

_exact: Final[dict[str, re.Pattern[str]]] = {}


def regex(source: str) -> re.Pattern[str]:
    """A pattern in verbose form that ignores case."""
    found = compiled.get(source)
    if found is None:
        found = compiled[source] = re.compile(source, re.VERBOSE | re.IGNORECASE)
    return found


def exact(source: str) -> re.Pattern[str]:
    """A pattern in verbose form in which case counts."""
    found = _exact.get(source)
    if found is None:
        found = _exact[source] = re.compile(source, re.VERBOSE)
    return found


def run_end(source: str, text: str, start: int, stop: int = sys.maxsize) -> int:
    """Where the run of characters that begins at `start` ends; `start` if there is none."""
    found = regex(source).match(text, start, stop)
    return found.end() if found else start
