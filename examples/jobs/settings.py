"""What the environment says."""

from __future__ import annotations

import os

from errkit import redaction

__all__ = ["database", "operator_key"]


def database() -> str | None:
    """The URL of the database for records; SQLite in the log folder if not given."""
    return os.environ.get("JOBS_DATABASE")


def operator_key() -> str:
    """The token of those who may see what is not public.

    From now on no error and no log line of this process shows it, so each process has
    to ask.
    """
    key = os.environ.get("JOBS_OPERATOR_KEY", "")
    if key:
        redaction.add_literal(key)
    return key
