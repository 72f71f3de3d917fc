"""Patterns that are compiled when a text first needs them, so that importing errkit stays cheap.

In this package every repetition without a bound is possessive (`*+`, `++`), so that no search goes back over
what it has read. A test reads the patterns for it.
"""

from __future__ import annotations

import re
import sys
from functools import cache

__all__ = ["exact", "regex", "run_end"]


@cache
def regex(source: str) -> re.Pattern[str]:
    """A pattern in verbose form that ignores case."""
    return re.compile(source, re.VERBOSE | re.IGNORECASE)


@cache
def exact(source: str) -> re.Pattern[str]:
    """A pattern in verbose form in which case counts."""
    return re.compile(source, re.VERBOSE)


def run_end(source: str, text: str, start: int, stop: int = sys.maxsize) -> int:
    """Where the run of characters that begins at `start` ends; `start` if there is none."""
    found = regex(source).match(text, start, stop)
    return found.end() if found else start
