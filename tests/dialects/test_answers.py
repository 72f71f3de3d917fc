"""Answers of a real HTTP server, as a client reads them with the dialects that travel over HTTP."""

from __future__ import annotations

import contextlib
import datetime
import email.utils
import json
import threading
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from errkit import is_retryable
from errkit.catalogs.agent_core import REGISTRY, ErrorCodes
from errkit.dialects import agent_core_http, problem
from tests.dialects.samples import REG, ShopError
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.requests import Request

PAGE = "<html><head><title>502 Bad Gateway</title></head><body>nginx token=hunter2hunter2</body></html>"


def in_a_minute() -> str:
    """A date as `Retry-After` may give it; the `Date` that it is read against may be a second old."""
    return email.utils.format_datetime(
        datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=59), usegmt=True
    )


def as_problem(error: Any) -> Response:
    body = problem.encode(error, audience="internal")
    return JSONResponse(body, status_code=body["status"], headers=problem.headers(body))


def short(error: Any) -> Response:
    """As a server that says the wait in the header alone."""
    body = problem.encode(error, audience="internal")
    return JSONResponse({**body, "retry_after": None}, status_code=503, headers={"Retry-After": "7"})


ANSWERS: dict[str, Any] = {
    "fine": lambda: JSONResponse({"total": 3}),
    "empty": lambda: Response(status_code=204),
    "busy": lambda: as_problem(ShopError.BUSY("full", path="p")),
    "short": lambda: short(ShopError.BUSY("full", path="p")),
    "gateway": lambda: PlainTextResponse(PAGE, 502, headers={"Retry-After": in_a_minute()}),
    "overloaded": lambda: Response(b"\xff\xfe", 529, headers={"retry-after": "3"}),
    "nothing": lambda: Response(status_code=404),
    "fastapi": lambda: JSONResponse({"detail": "No such cart"}, 404),
    "list": lambda: JSONResponse(["no", "object"], 500),
    "success": lambda: JSONResponse({"code": 0, "msg": "success", "data": 1, "request_id": "r"}),
    "failed": lambda: JSONResponse(
        agent_core_http.encode(ErrorCodes.SESSION_BUSY("one turn at a time"), request_id="r")
    ),
}


async def answer(request: Request) -> Response:
    found: Response = ANSWERS[request.path_params["name"]]()
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server that runs while the tests of this file do."""
    app = Starlette(routes=[Route("/{name}", answer)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", ws="none", lifespan="off"))
    server.config.load()
    socket = server.config.bind_socket()
    thread = threading.Thread(target=server.run, args=([socket],))
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    socket.close()


def ask(address: str, name: str) -> tuple[int, Mapping[str, str], bytes]:
    """What a real client holds after a request."""
    found: Any
    try:
        found = urllib.request.urlopen(f"{address}/{name}", timeout=20)
    except urllib.error.HTTPError as error:
        found = error
    with contextlib.closing(found):
        return found.status, found.headers, found.read()


def test_a_success_is_no_error(address: str) -> None:
    """There is nothing to raise, whatever the body holds."""
    assert problem.from_response(*ask(address, "fine")) is None
    assert problem.from_response(*ask(address, "empty")) is None
    assert agent_core_http.from_response(*ask(address, "success")) is None


def test_a_problem_is_the_error_of_the_server(address: str) -> None:
    """Code, message, details and verdict arrive; the wait of the body is the exact one."""
    error = problem.from_response(*ask(address, "busy"), registry=REG)
    assert error is not None
    assert (error.code, error.message, error.details["path"]) == ("shop.cart.busy", "full", "p")
    assert error.retry_after == ShopError.BUSY.spec.retry_after
    assert is_retryable(error)


def test_the_header_says_how_long_to_wait_where_the_body_does_not(address: str) -> None:
    """`Retry-After` counts in both of its forms (RFC 9110 section 10.2.3)."""
    error = problem.from_response(*ask(address, "gateway"))
    assert error is not None
    assert 30 < (error.retry_after or 0) <= 60
    for dialect in (problem, agent_core_http):
        overloaded = dialect.from_response(*ask(address, "overloaded"))
        assert overloaded is not None
        assert (overloaded.code, overloaded.retry_after) == ("http.529", 3.0)
    unknown = problem.from_response(*ask(address, "short"))
    assert unknown is not None
    assert unknown.retry_after == 7.0


def test_a_page_of_a_gateway_is_told_by_its_status(address: str) -> None:
    """HTML is no message for anybody; the status says what there is to know."""
    for dialect in (problem, agent_core_http):
        error = dialect.from_response(*ask(address, "gateway"))
        assert error is not None
        assert (error.code, error.message, error.retryable) == ("http.502", "Bad Gateway", True)
        assert error.details == {"status": 502}


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("nothing", "http.404", "Not Found"),
        ("fastapi", "http.404", "No such cart"),
        ("list", "http.500", "Internal Server Error"),
    ],
)
def test_other_answers_are_read_as_far_as_they_go(address: str, name: str, code: str, message: str) -> None:
    """An empty body, a framework's own and one that is no object: the status stands for the code."""
    error = problem.from_response(*ask(address, name))
    assert error is not None
    assert (error.code, error.message, error.retryable) == (code, message, False)


def test_an_envelope_of_failure_under_a_status_of_success(address: str) -> None:
    """The numbered envelope says itself that the request failed."""
    error = agent_core_http.from_response(*ask(address, "failed"), registry=REGISTRY)
    assert error is not None
    assert (error.code, error.message) == ("session.busy", "one turn at a time")


def test_what_is_neither_failure_nor_envelope_is_malformed(address: str) -> None:
    """A client must not take an answer for a success that says nothing of the kind."""
    error = agent_core_http.from_response(*ask(address, "fine"))
    assert error is not None
    assert error.code == "errkit.malformed_payload"


def test_headers_come_in_any_form() -> None:
    """A mapping of any case, pairs, and the raw pairs of ASGI."""
    for headers in (
        {"Retry-After": "4"},
        [("retry-after", "4")],
        [(b"retry-after", b"4")],
        (("Retry-After", "4"),),
    ):
        error = problem.from_response(503, headers, b"")
        assert error is not None
        assert error.retry_after == 4.0


@every_hostile_object
def test_anything_may_come(value: Any) -> None:
    """Status, headers and body of any type give an error that can be sent on, or none."""
    answers: list[tuple[Any, Any, Any]] = [
        (value, {}, b""),
        (500, value, b"{}"),
        (500, {}, value),
        (200, value, value),
    ]
    for dialect in (problem, agent_core_http):
        for given in answers:
            found = dialect.from_response(*given)
            if found is not None:
                json.dumps(dialect.encode(found, audience="internal"), allow_nan=False)
