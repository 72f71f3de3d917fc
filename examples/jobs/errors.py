"""The codes of the service, and the one table that turns foreign errors into them."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError

from errkit import (
    CodedError,
    CoreError,
    Details,
    Registry,
    Rule,
    Secret,
    Translator,
    code,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errkit import ErrorSpec

__all__ = ["JOBS", "JobError", "to_job_error"]

JOBS: Final = Registry("jobs").include(CoreError)


class RequestDetails(Details):
    """What is wrong with a request."""

    field: str
    """The key of the JSON body; `$` is the body itself."""


class OperationDetails(Details):
    """What was asked for."""

    operation: str
    """The method and the path."""


class JobDetails(Details):
    """Which job it was."""

    job: str
    """The id of the job; the events of its log carry it as well."""
    feed: str | None = None
    """The address of the feed."""
    token: Secret[str] | None = None
    """Sent to the feed; a debugger in the worker sees it, and nobody else does."""


class RowDetails(JobDetails):
    """Which row could not be added."""

    line: int
    """The line of the feed, counted from 1."""
    column: str
    """The column that was to be added up."""


class JobError(
    CodedError, domain="jobs", title="Jobs", numbers=range(5000, 5100), registry=JOBS
):
    """A job was not done, and whoever asked for it gets one of these codes.

    First come faults of the request, then those of the feed, then our own.
    """

    REQUEST_INVALID = code(
        "Request can't be understood",
        RequestDetails,
        number=5001,
        public=True,
        alert=False,
        http_status=400,
        hint="Correct the field that the details name, and send the request again.",
        example={"field": "feed"},
    )
    """The body of the request is no JSON object, or a field of it is missing or of
    another type. A job needs ``feed``, the http or https address of a CSV file, and
    ``column``; ``token`` may be given. Nothing was started, so send the corrected
    request again."""

    NO_SUCH_OPERATION = code(
        "No such operation",
        OperationDetails,
        number=5002,
        public=True,
        alert=False,
        http_status=404,
        hint="Ask for POST /jobs, GET /failures or GET /health.",
        example={"operation": "GET /job"},
    )
    """The service has nothing under this method and path. The path is misspelt, or the
    client was made for another version. Compare it with the operations that the hint
    lists."""

    FEED_DOWN = code(
        "Feed did not answer",
        JobDetails,
        number=5003,
        kind="transient",
        public=True,
        retry_after=5,
        hint="Try again later, or ask the owner of the feed whether it is up.",
        aliases=("jobs.source_down",),
        example={"job": "019a-1", "feed": "https://feeds.example/orders.csv"},
    )
    """The worker could not connect to the feed, the connection broke, or the feed
    answered with a status from 500 up. Mostly the feed is being restarted. The same job
    may succeed a moment later; the cause, in the log, tells what the connection said.
    Until version 2 of the service this was ``jobs.source_down``."""

    FEED_REFUSED = code(
        "Feed refused the request",
        JobDetails,
        number=5004,
        public=True,
        http_status=422,
        hint="Check the address of the feed and the token for it.",
        example={"job": "019a-1", "feed": "https://feeds.example/orders.csv"},
    )
    """The feed answered with a status from 400 to 499: there is no such file, or the
    token was not accepted. Open the address with the same token in another program;
    what is refused there is refused here too."""

    ROW_BROKEN = code(
        "Feed has a broken row",
        RowDetails,
        number=5005,
        public=True,
        http_status=422,
        hint="Correct the line that the details name, or choose another column.",
        example={
            "job": "019a-1",
            "feed": "https://feeds.example/orders.csv",
            "line": 7,
            "column": "amount",
        },
    )
    """A row has no number in the column that was to be added up: the column is
    misspelt, or the cell holds text. The sum would be wrong without that row, so there
    is none. ``details.line`` is the first such line; there may be more behind it."""

    WORKER_LOST = code(
        "Worker was lost",
        JobDetails,
        number=5006,
        kind="transient",
        public=True,
        retry_after=1,
        hint="Send the job again; if it is lost every time, make its feed smaller.",
        example={"job": "019a-1"},
    )
    """The process that worked on the job ended in the middle of it. It was killed by
    hand or by the kernel, mostly because memory ran out, and took the jobs of its
    neighbours along. New workers have been started, so the job can be sent again;
    ``dmesg`` tells whether the kernel was it."""

    FAILED = code(
        "Job failed",
        JobDetails,
        number=5007,
        kind="bug",
        hint="Look the diagnostic id up in the log, and give the cause a code.",
        example={"job": "019a-1"},
    )
    """Something went wrong that nobody foresaw. The cause, in the log and in the
    record, is an exception that the table in ``errors.py`` does not have. Add a rule
    for it."""


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    return f"{spec.title}: {details['feed']}" if "feed" in details else spec.title


to_job_error: Final = Translator(
    JobError,
    [
        Rule(JobError.WORKER_LOST, catches=BrokenProcessPool),
        Rule(JobError.FEED_REFUSED, catches=HTTPError, status=range(400, 500)),
        Rule(JobError.FEED_DOWN, catches=(OSError, HTTPException)),
    ],
    fallback=JobError.FAILED,
    message=_message,
)
