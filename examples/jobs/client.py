"""The command line of the service, for another process and another machine.

It has none of the service's code and none of its codes: what it shows and how it
decides comes from the wire. The exit code is 0 for success, 75 (EX_TEMPFAIL of
sysexits.h) if the same command may succeed later, and 1 if not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from http.client import HTTPConnection, HTTPException, HTTPMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from errkit import (
    CodedError,
    Details,
    Registry,
    Rule,
    Translator,
    code,
    dumps,
    format_error,
    is_retryable,
    translating,
)
from errkit.dialects import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TRY_AGAIN = 75


class ServerDetails(Details):
    """Which service was asked."""

    server: str
    """Its address."""


class ClientError(CodedError, domain="jobs.client", title="Client of the job service"):
    """The request did not reach the service, which has codes of its own."""

    UNREACHABLE = code(
        "Service can't be reached",
        ServerDetails,
        kind="transient",
        hint="Start the service, or name another one with --server.",
        example={"server": "http://127.0.0.1:8000"},
    )
    """There is no connection to the service, or it broke before the answer was
    complete. Look whether the service runs and whether its address is right."""


to_client_error = Translator(
    ClientError, [Rule(ClientError.UNREACHABLE, catches=(OSError, HTTPException))]
)


def call(
    options: argparse.Namespace,
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
) -> Any:
    """What the service answers.

    Raises
    ------
    CodedError
        What the service says that went wrong, or `jobs.client.unreachable`.
    """
    with translating(to_client_error, server=options.server):
        answer = exchange(options.server, method, path, body)
    registry = Registry.load(options.codes) if options.codes else None
    error = problem.from_response(*answer, registry=registry)
    if error is not None:
        raise error
    return json.loads(answer[2])


def exchange(
    server: str, method: str, path: str, body: Mapping[str, Any] | None
) -> tuple[int, HTTPMessage, bytes]:
    """Send a request; the status, the header fields and the body of the answer."""
    key = os.environ.get("JOBS_OPERATOR_KEY")
    connection = HTTPConnection(urlsplit(server).netloc, timeout=120)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    connection.request(method, path, json.dumps(body), headers)
    answer = connection.getresponse()
    try:
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def patiently(ask: Callable[[], Any], patience: float) -> Any:
    """What `ask` returns, asked again while the verdict and patience allow it."""
    end = time.monotonic() + patience
    while True:
        try:
            return ask()
        except CodedError as error:
            pause = error.retry_after or 0.1
            if not is_retryable(error) or time.monotonic() + pause > end:
                raise
            time.sleep(pause)


def total(options: argparse.Namespace) -> str:
    """The sum of a column of a feed."""
    job = {
        "feed": options.feed,
        "column": options.column,
        "token": os.environ.get("JOBS_FEED_TOKEN"),
    }
    return str(call(options, "POST", "/jobs", job)["total"])


def failures(options: argparse.Namespace) -> str:
    """How often each code failed on each day."""
    found = call(options, "GET", "/failures")["failures"]
    rows = [f"{row['day']}  {row['count']:>5}  {row['code']}" for row in found]
    return "\n".join(rows) or "no failures"


def show(error: CodedError, *, as_json: bool) -> int:
    """Show a failure as it arrived; the exit code."""
    if as_json:
        print(dumps(error))
    else:
        print(format_error(error, verbose=True), file=sys.stderr)
    return TRY_AGAIN if is_retryable(error) else 1


def main() -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(prog="client", description="Ask the job service.")
    server = os.environ.get("JOBS_SERVER", "http://127.0.0.1:8000")
    parser.add_argument("--server", default=server)
    parser.add_argument(
        "--patience", type=float, default=0, help="seconds to try again"
    )
    parser.add_argument("--codes", help="a catalogue file with codes of the service")
    parser.add_argument("--json", action="store_true", help="show a failure as JSON")
    commands = parser.add_subparsers(required=True)
    add_up = commands.add_parser("total", help=total.__doc__)
    add_up.add_argument("feed", help="a CSV file; its token is JOBS_FEED_TOKEN")
    add_up.add_argument("column", nargs="?", default="amount")
    add_up.set_defaults(command=total)
    count = commands.add_parser("failures", help=failures.__doc__)
    count.set_defaults(command=failures)
    options = parser.parse_args()
    try:
        print(patiently(lambda: options.command(options), options.patience))
    except CodedError as error:
        return show(error, as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
