"""The HTTP API: one place answers each failure as a problem, and keeps a record."""

from __future__ import annotations

import hmac
import json
import multiprocessing
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from errkit import CodedError, diagnostics, translating
from errkit.dialects import problem
from errkit.sinks import LogSink, reporter

from .errors import JobError, to_job_error
from .work import Job
from .workers import Workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from errkit.payload import Audience
    from errkit.sinks import SqlSink

__all__ = ["make_app"]


def make_app(sink: SqlSink, *, operator_key: str = "") -> Starlette:
    """The application.

    Parameters
    ----------
    sink
        Where the records of failures go.
    operator_key
        Who sends it as a bearer token sees what is not public: causes, notes, paths.
    """
    workers = Workers()
    report = reporter(sink, LogSink("uvicorn.error"))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        sink.drain()  # what an earlier process could not send
        yield
        workers.close()
        sink.close()

    async def run(request: Request) -> JSONResponse:
        with (
            diagnostics.scope("request") as scope,
            translating(to_job_error, job=scope.id),
        ):
            job = read_job(scope.id, await request.body())
            return JSONResponse({"job": job.id, "total": await workers.run(job)})

    def failures(_: Request) -> JSONResponse:
        return JSONResponse({"failures": [vars(count) for count in sink.counts()]})

    def health(_: Request) -> JSONResponse:
        processes = multiprocessing.active_children()
        return JSONResponse({"workers": [process.pid for process in processes]})

    def answer(request: Request, error: Exception) -> JSONResponse:
        report(error)
        body = problem.encode(error, audience=audience_of(request))
        return JSONResponse(body, body["status"], problem.headers(body))

    def refuse(request: Request, _: Exception) -> JSONResponse:
        asked = f"{request.method} {request.url.path}"
        error = JobError.NO_SUCH_OPERATION(f"there is no {asked}", operation=asked)
        return answer(request, error)

    def audience_of(request: Request) -> Audience:
        given = request.headers.get("Authorization", "").encode()
        expected = f"Bearer {operator_key}".encode()
        is_operator = operator_key and hmac.compare_digest(given, expected)
        return "internal" if is_operator else "public"

    return Starlette(
        routes=[
            Route("/jobs", run, methods=["POST"]),
            Route("/failures", failures),
            Route("/health", health),
        ],
        exception_handlers={
            CodedError: answer,
            HTTPException: refuse,
            Exception: answer,
        },
        lifespan=lifespan,
    )


def read_job(job_id: str, body: bytes) -> Job:
    """The job that a request asks for.

    Raises
    ------
    JobError
        `jobs.request_invalid`, with the field that is wrong.
    """
    try:
        fields: Any = json.loads(body)
    except ValueError as error:
        raise JobError.REQUEST_INVALID("the body is no JSON", field="$") from error
    if not isinstance(fields, dict):
        raise JobError.REQUEST_INVALID("the body is no JSON object", field="$")
    feed, column, token = (fields.get(name) for name in ("feed", "column", "token"))
    if not (isinstance(feed, str) and feed.startswith(("http://", "https://"))):
        raise JobError.REQUEST_INVALID("feed is no http or https address", field="feed")
    if not isinstance(column, str):
        raise JobError.REQUEST_INVALID("column is no text", field="column")
    if not isinstance(token, str | None):
        raise JobError.REQUEST_INVALID("token is no text", field="token")
    return Job(job_id, feed, column, token)
