"""The lock, `errors.lock.json`: what a project has promised about its codes, and what it took back.

A lock holds one fact a line, in an order of its own, so that git merges it (`rows.py`). `read_lock` reads it
and refuses what a merge or a hand has broken (`reading.py`), `lock_of` makes one of live registries,
`compare` says what has changed and how much it weighs (`comparing.py`), and `renewed` is the next lock, in
which all that was removed stays reserved (`retiring.py`). Nothing here prints, and nothing is written.
"""

from __future__ import annotations

from errkit.lock.comparing import WEIGHTS, Change, compare, needed
from errkit.lock.model import FORMAT, Lock, LockedCode, LockedField, Retired
from errkit.lock.reading import parse_lock, read_lock
from errkit.lock.retiring import renewed
from errkit.lock.rows import lock_text
from errkit.lock.taking import lock_of

__all__ = [
    "FORMAT",
    "WEIGHTS",
    "Change",
    "Lock",
    "LockedCode",
    "LockedField",
    "Retired",
    "compare",
    "lock_of",
    "lock_text",
    "needed",
    "parse_lock",
    "read_lock",
    "renewed",
]
