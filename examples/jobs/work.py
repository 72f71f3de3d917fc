"""What a worker does, in a process of its own: fetch a feed, add up a column."""

from __future__ import annotations

import csv
import signal
from typing import NamedTuple
from urllib.request import Request, urlopen

from errkit import diagnostics, translating

from . import settings
from .errors import JobError, to_job_error

__all__ = ["Job", "run", "start"]


class Job(NamedTuple):
    """One job, as it goes to the worker."""

    id: str
    feed: str
    column: str
    token: str | None


def start() -> None:
    """Prepare the process: it hides what the server hides, and leaves Ctrl-C to it."""
    settings.operator_key()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(job: Job) -> float:
    """The sum of a column.

    Raises
    ------
    JobError
        Whatever failed. It carries the id of the log entry that tells the story.
    """
    with (
        diagnostics.scope("job", job=job.id),
        translating(to_job_error, job=job.id, feed=job.feed, token=job.token),
    ):
        return add_up(fetch(job), job)


def fetch(job: Job) -> list[str]:
    """The lines of the feed."""
    headers = {"Authorization": f"Bearer {job.token}"} if job.token else {}
    diagnostics.emit("fetching", feed=job.feed, headers=headers)
    request = Request(job.feed, headers=headers)  # noqa: S310 (the API has checked it)
    with urlopen(request, timeout=60) as answer:  # noqa: S310
        text: str = answer.read().decode("utf-8")
    lines = text.splitlines()
    diagnostics.emit("fetched", lines=len(lines))
    return lines


def add_up(lines: list[str], job: Job) -> float:
    """The sum of the column over all rows."""
    total = 0.0
    for line, row in enumerate(csv.DictReader(lines), start=2):
        try:
            total += float(row[job.column])
        except (KeyError, TypeError, ValueError) as error:
            raise JobError.ROW_BROKEN(
                f"line {line} has no number in {job.column!r}",
                job=job.id,
                feed=job.feed,
                line=line,
                column=job.column,
            ) from error
    return total
