"""The domain `http`: each status and each failure without one, by a real server and real clients."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import errno
import gzip
import http.client
import json
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
import requests
from hypothesis import given, strategies as st
from requests.structures import CaseInsensitiveDict

from errkit import (
    CodedError,
    Registry,
    UserCancelled,
    as_coded,
    classify,
    code,
    from_payload,
    is_retryable,
    to_payload,
    translating,
)
from errkit.boundary import status_of
from errkit.domains.http import (
    STATUSES,
    ConnectionLost,
    HttpError,
    RequestTimedOut,
    response_error,
    to_http_error,
)
from errkit.domains.response import MAX_WAIT, header, links, parse_retry_after, retry_after_of
from errkit.prose import domain_prose
from tests.domains.web import (
    CLIENTS,
    Answer,
    Server,
    free_port,
    low_level,
    serving,
    with_requests,
    with_urllib,
)
from tests.hostile import every_hostile_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

every_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)


@pytest.fixture(scope="module")
def one_server() -> Iterator[Server]:
    """The server of all tests."""
    with serving() as found:
        yield found


@pytest.fixture
def server(one_server: Server) -> Iterator[Server]:
    """A server that answers as the test tells it."""
    yield one_server
    one_server.reset()


def caught(ask: Callable[..., object], *arguments: Any, **context: Any) -> HttpError:
    """The error that leaves a boundary around a request."""
    with pytest.raises(HttpError) as found, translating(to_http_error, **context):
        ask(*arguments)
    error = found.value
    assert error.details_problem is None
    assert error.__cause__ is not None
    with contextlib.suppress(Exception):
        error.__cause__.close()  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]
    return error


# --- statuses ---------------------------------------------------------------------------------------

CODES: dict[int, str] = {
    **{status: str(found) for statuses, found in STATUSES for status in statuses},
    **dict.fromkeys((405, 406, 411, 412, 415, 418, 425, 426, 428, 431, 451, 499), "http.rejected"),
    **dict.fromkeys((500, 501, 502, 505, 507, 508, 511, 520, 525, 599), "http.server_error"),
}

RETRYABLE = {408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529}
"""Statuses after which the same request may succeed."""


@pytest.mark.parametrize("status", sorted(CODES))
def test_each_status_has_its_code(status: int, server: Server) -> None:
    """By the exception that `urllib` raises, with what is known of the request."""
    server.answer = Answer(status, b"no")
    error = caught(with_urllib, server.url, method="GET", url=server.url)
    assert error.code == CODES[status]
    assert error.retryable == (status in RETRYABLE)
    assert dict(error.details) == {"method": "GET", "url": server.url, "status": status}
    assert f"({status})" in str(error)


@every_client
@pytest.mark.parametrize("status", [401, 404, 409, 429, 500, 503])
def test_clients_are_read_by_their_shape(client: Any, status: int, server: Server) -> None:
    """None of them is imported for it; what they know of the request is in the details."""
    server.answer = Answer(status, b"no", {"X-Request-Id": "req_1"})
    error = caught(client, server.url)
    assert error.code == CODES[status]
    details = dict(error.details)
    assert (details["url"], details["status"], details["request_id"]) == (server.url, status, "req_1")
    assert details.get("method", "GET") == "GET"
    assert status_of(error.__cause__) == status_of(error) == status


def test_nothing_foreign_is_loaded() -> None:
    """A program that has no HTTP client pays for none."""
    script = """
import sys, errkit.domains.http
foreign = {"urllib.request", "http.client", "socket", "ssl", "email", "json", "requests", "httpx"}
loaded = foreign & set(sys.modules)
assert not loaded, loaded
"""
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {root!r})\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_answer_of_a_client_that_raises_nothing(server: Server) -> None:
    """`response_error` makes the error of a response of any library; there is no exception behind it."""
    server.answer = Answer(429, b'{"error": {"code": "insufficient_quota"}}', {"Retry-After": "3"})
    low = low_level(server.url)
    answers: list[Any] = [low, requests.get(server.url, timeout=20), httpx2.get(server.url)]
    bodies = [low.read(), None, None]
    for response, body in zip(answers, bodies, strict=True):
        error = response_error(response, method="get", url=server.url, body=body)
        assert error.code == "http.quota_exhausted"
        assert error.details["reason"] == "insufficient_quota"
        assert error.__cause__ is None
        assert error.details_problem is None
    server.answer = Answer(503, b"", {"Retry-After": "3"})
    error = response_error(low_level(server.url), method="GET", url=server.url)
    assert (error.code, error.retry_after) == ("http.unavailable", 3.0)
    assert str(error) == "GET to 127.0.0.1 failed: service is not available (503)"


# --- how long to wait -------------------------------------------------------------------------------

NOON = "Wed, 21 Oct 2026 12:00:00 GMT"

WAITS: dict[str, float | None] = {
    "0": 0.0,
    "5": 5.0,
    " 120 ": 120.0,
    "2.9": 2.9,
    "007": 7.0,
    "-1": None,
    "-5.5": None,
    "+5": None,
    "": None,
    "soon": None,
    "5 seconds": None,
    "5, 10": None,
    "1e3": None,
    "inf": None,
    "nan": None,
    "0x10": None,
    "\u0665": None,
    "99999999999999999999": None,
    str(MAX_WAIT): float(MAX_WAIT),
    str(MAX_WAIT + 1): None,
    "Wed, 21 Oct 2026 12:00:30 GMT": 30.0,
    "Wednesday, 21-Oct-26 12:01:00 GMT": 60.0,
    "Wed Oct 21 12:00:10 2026": 10.0,
    "Wed, 21 Oct 2026 14:00:30 +0200": 30.0,
    "Wed, 21 Oct 2026 11:00:00 GMT": 0.0,
    "Mon, 01 Jan 1900 00:00:00 GMT": 0.0,
    "Wed, 21 Oct 2099 12:00:00 GMT": None,
    "Wed, 99 Oct 2026 12:00:00 GMT": None,
    "2026-10-21T12:00:30Z": None,
}
"""What a `Retry-After` means at noon; RFC 9110 sections 5.6.7 and 10.2.3."""


@pytest.mark.parametrize("value", WAITS)
def test_both_forms_of_retry_after(value: str) -> None:
    """Seconds and dates in all three forms; a date that has passed is now; anything else says nothing."""
    assert parse_retry_after(value, date=NOON) == WAITS[value]


@given(st.text(max_size=40) | st.from_regex(r"[-+0-9., eE:GMT]{0,30}"), st.none() | st.text(max_size=20))
def test_any_text_as_retry_after(value: str, date: str | None) -> None:
    """Nothing raises, and nothing waits for ever or goes back in time."""
    seconds = parse_retry_after(value, date=date)
    assert seconds is None or 0 <= seconds <= MAX_WAIT


@given(st.integers(0, 86_400), st.integers(0, 4_000_000_000))
def test_a_date_is_told_by_the_clock_of_the_server(seconds: int, now: int) -> None:
    """The `Date` of the same answer counts, so a client whose clock is wrong waits as long as any other."""
    until, date = (email.utils.formatdate(time, usegmt=True) for time in (now + seconds, now))
    assert parse_retry_after(until, date=date) == seconds


def test_without_a_clock_of_the_server_that_of_the_machine_counts() -> None:
    """A date a minute ahead is about a minute away; one that has passed is now."""
    ahead = parse_retry_after(email.utils.formatdate(time.time() + 3600, usegmt=True))
    assert ahead is not None
    assert 0 < ahead <= 3600
    assert parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT", date="no date") == 0.0


HEADERS: list[tuple[Mapping[str, str], float | None]] = [
    ({"Retry-After": "7"}, 7.0),
    ({"retry-after": "0"}, 0.0),
    ({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5),
    ({"Retry-After": "Wed, 21 Oct 2026 12:00:30 GMT", "Date": NOON}, 30.0),
    ({"Retry-After": "-3"}, None),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "90"}, 90.0),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1500000000"}, 0.0),
    ({"X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "90"}, None),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, None),
    ({}, None),
]


@every_client
@pytest.mark.parametrize(("headers", "seconds"), HEADERS)
def test_the_error_says_how_long_to_wait(
    client: Any, headers: Mapping[str, str], seconds: float | None, server: Server
) -> None:
    """In seconds, for retry loops and on the wire, whatever client brought the answer."""
    server.answer = Answer(429, b"slow down", headers)
    error = caught(client, server.url)
    assert (error.code, error.retry_after) == ("http.rate_limited", seconds)
    assert classify(error).retry_after == seconds
    assert to_payload(error).get("retry_after") == seconds
    assert from_payload(to_payload(error)).retry_after == seconds


@pytest.mark.parametrize("status", [413, 500, 501, 507])
def test_who_asks_to_wait_wants_the_request_again(status: int, server: Server) -> None:
    """A time to wait turns a terminal answer into one worth a retry (RFC 9110 section 15.5.14)."""
    server.answer = Answer(status, b"", {"Retry-After": "4"})
    error = caught(with_urllib, server.url)
    assert (error.spec.retryable, error.retryable, error.retry_after) == (False, True, 4.0)
    server.answer = Answer(status, b"", {"Retry-After": "never"})
    error = caught(with_urllib, server.url)
    assert (error.retryable, error.retry_after) == (False, None)


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422])
def test_no_time_to_wait_where_waiting_is_useless(status: int, server: Server) -> None:
    """The header alone does not make a wrong request right."""
    server.answer = Answer(status, b"", {"Retry-After": "4"})
    error = caught(with_urllib, server.url)
    assert (error.retryable, error.retry_after) == (False, None)


# --- quota, rate limit, permission ------------------------------------------------------------------


def answer(status: int, body: object, **headers: str) -> Answer:
    text = body if isinstance(body, str) else json.dumps(body)
    return Answer(status, text.encode(), {name.replace("_", "-"): value for name, value in headers.items()})


OPENAI = {
    "message": "You exceeded your current quota, please check your plan and billing details.",
    "type": "insufficient_quota",
    "code": "insufficient_quota",
}
GEMINI = {
    "code": 429,
    "message": "You exceeded your current quota. Please retry in 27.3s.",
    "status": "RESOURCE_EXHAUSTED",
}
GITHUB = {"message": "API rate limit exceeded for user ID 1.", "documentation_url": "https://docs.example/"}
BALANCE = {
    "type": "error",
    "error": {"type": "invalid_request_error", "message": "Credit balance is too low"},
}

LIMITS: dict[str, tuple[Answer, str, str | None]] = {
    "no words": (answer(429, ""), "rate_limited", None),
    "html": (answer(429, "<h1>Too Many Requests</h1>"), "rate_limited", None),
    "rate": (answer(429, {"error": {"code": "rate_limit_exceeded"}}), "rate_limited", "rate_limit_exceeded"),
    "quota": (answer(429, {"error": OPENAI}), "quota_exhausted", "insufficient_quota"),
    "quota with a wait": (
        answer(429, {"error": OPENAI}, retry_after="20"),
        "quota_exhausted",
        "insufficient_quota",
    ),
    "quota of a minute": (answer(429, {"error": GEMINI}), "rate_limited", "RESOURCE_EXHAUSTED"),
    "quota per second": (answer(429, "Quota exceeded for metric 'reads per second'"), "rate_limited", None),
    "structured type": (
        answer(429, {"error": {"type": "exceeded_current_quota_error", "message": "Too many requests"}}),
        "quota_exhausted",
        "exceeded_current_quota_error",
    ),
    "wording": (answer(429, {"message": "insufficient balance, please recharge"}), "quota_exhausted", None),
    "google": (
        answer(403, {"error": {"errors": [], "status": "dailyLimitExceeded"}}),
        "quota_exhausted",
        "dailyLimitExceeded",
    ),
    "aws": (answer(429, {"__type": "com.x#ThrottlingException"}), "rate_limited", "ThrottlingException"),
    "oauth": (
        answer(403, {"error": "access_denied", "error_description": "no"}),
        "forbidden",
        "access_denied",
    ),
    "payment": (answer(402, ""), "quota_exhausted", None),
    "403": (answer(403, {"message": "Forbidden"}), "forbidden", None),
    "403 quota": (
        answer(403, {"error": {"message": "Monthly usage limit reached"}}),
        "quota_exhausted",
        None,
    ),
    "403 rate": (answer(403, GITHUB), "rate_limited", None),
    "403 used up": (
        answer(403, "{}", x_ratelimit_remaining="0", x_ratelimit_reset="60"),
        "rate_limited",
        None,
    ),
    "403 with a wait": (answer(403, "{}", retry_after="60"), "rate_limited", None),
    "401 quota": (answer(401, {"error": OPENAI}), "unauthorized", "insufficient_quota"),
    "500 overload": (answer(500, {"error": {"type": "overloaded_error"}}), "overloaded", "overloaded_error"),
    "503 overload in words": (answer(503, "Overloaded"), "overloaded", None),
    "500 no overload": (answer(500, "no matching overloaded method"), "server_error", None),
    "400 balance": (answer(400, BALANCE), "quota_exhausted", "invalid_request_error"),
    "400 quota": (answer(400, {"message": "quota must not exceed 5"}), "bad_request", None),
    "broken json": (answer(429, '{"error": '), "rate_limited", None),
    "list": (answer(403, [{"error": {"code": "no_scope"}}]), "forbidden", "no_scope"),
}
"""Answers of real APIs in short: code and the API's own word for it."""

ASKS_FOR_THE_BODY = {
    "401 quota",
    "500 overload",
    "503 overload in words",
    "500 no overload",
    "400 balance",
    "400 quota",
}
"""Where `urllib` has not read the body, and the status is one that is not asked for more."""


@every_client
@pytest.mark.parametrize("name", LIMITS)
def test_quota_rate_limit_and_permission_are_told_apart(client: Any, name: str, server: Server) -> None:
    """Whatever status the API has for them (MoonshotAI/kimi-code/issues/3014, openclaw/issues/142524)."""
    server.answer, expected, reason = LIMITS[name]
    error = caught(client, server.url)
    if client is with_urllib and name in ASKS_FOR_THE_BODY:
        assert error.details["status"] == int(name[:3])
        return
    assert error.code == f"http.{expected}"
    assert is_retryable(error) == (expected in ("rate_limited", "overloaded"))
    assert error.details.get("reason") == reason


def test_a_body_that_was_looked_at_can_still_be_read(server: Server) -> None:
    """`urllib` gives all of it to whoever reads the cause."""
    body = json.dumps({"error": OPENAI, "padding": "x" * 100_000}).encode()
    server.answer = Answer(429, body)
    with pytest.raises(HttpError) as found, translating(to_http_error):
        urllib.request.urlopen(server.url, timeout=20)
    cause: Any = found.value.__cause__
    assert found.value.code == "http.quota_exhausted"
    assert cause.read() == body
    cause.close()


def test_a_streamed_body_is_not_read(server: Server) -> None:
    """What the client has not fetched stays on the wire."""
    server.answer = Answer(429, json.dumps({"error": OPENAI}).encode())
    with requests.get(server.url, stream=True, timeout=20) as response:
        error = caught(response.raise_for_status)
        assert error.code == "http.rate_limited"
        assert b"insufficient_quota" in response.content
    with httpx2.stream("GET", server.url) as later:
        assert caught(later.raise_for_status).code == "http.rate_limited"
        assert b"insufficient_quota" in later.read()


class SdkError(Exception):
    """As the SDKs of model providers raise: the parsed body and its words on the exception."""

    def __init__(self, status: int, message: str, body: Any = None, **more: Any) -> None:
        super().__init__(message)
        self.status_code, self.body = status, body
        vars(self).update(more)


def test_sdks_that_have_read_the_body_are_read_too() -> None:
    """By `body`, by `code` and `type`, or by what they say."""
    for error in (
        SdkError(429, "Error code: 429", OPENAI),
        SdkError(429, "Error code: 429", {"error": OPENAI}),
        SdkError(429, "Error code: 429", code="insufficient_quota"),
        SdkError(429, "Error code: 429 - {'error': {'code': 'insufficient_quota'}}"),
        SdkError(400, "Your credit balance is too low"),
    ):
        assert to_http_error(error).code == "http.quota_exhausted"
    assert to_http_error(SdkError(529, "x")).code == "http.overloaded"
    assert (
        to_http_error(SdkError(503, "x", {"error": {"type": "overloaded_error"}})).code == "http.overloaded"
    )


def test_responses_of_small_clients_are_read() -> None:
    """A body that is a plain attribute is in memory, so reading it costs nothing."""

    class Response:
        def __init__(self, status: int, **body: object) -> None:
            self.status_code, self.headers = status, {"Retry-After": "5"}
            vars(self).update(body)

    assert response_error(Response(429, text="insufficient balance")).code == "http.quota_exhausted"
    assert response_error(Response(500, content=b"server overloaded")).code == "http.overloaded"
    error = response_error(Response(429, text="Too many requests"))
    assert (error.code, error.retry_after) == ("http.rate_limited", 5.0)


def test_an_address_is_no_evidence(server: Server) -> None:
    """Words in the path of the request say nothing about the answer."""
    server.answer = Answer(403, b"no")
    assert caught(with_requests, f"{server.url}/quota-exceeded/rate-limit").code == "http.forbidden"


# --- no answer at all -------------------------------------------------------------------------------


@every_client
def test_nobody_listens(client: Any) -> None:
    """The reason is told, has its own hint and message, and old `except` clauses keep working."""
    url = f"http://127.0.0.1:{free_port()}/"
    error = caught(client, url, method="GET", url=url)
    assert error.code == "http.connection_failed"
    assert error.retryable
    assert dict(error.details) == {"method": "GET", "url": url, "reason": "refused", "errno": "ECONNREFUSED"}
    assert str(error) == "GET to 127.0.0.1 failed: nobody listens at that address"
    assert "port" in error.hint
    assert isinstance(error, ConnectionError)
    assert isinstance(from_payload(to_payload(error)), ConnectionLost)


@every_client
def test_the_other_side_hangs_up(client: Any, server: Server) -> None:
    """A connection that is closed without a word may work the next time."""
    server.answer = Answer(raw=b"")
    error = caught(client, server.url)
    assert error.retryable
    assert error.code in ("http.connection_failed", "http.bad_response")
    if error.code == "http.connection_failed":
        assert error.details["reason"] == "closed"


@every_client
def test_no_answer_in_time(client: Any, server: Server) -> None:
    """The client's limit; old `except` clauses keep working."""
    server.answer = Answer(silent=True)
    error = caught(client, server.url, 0.05)
    assert (error.code, error.retryable) == ("http.timed_out", True)
    assert error.details.get("reason") in (None, "response")
    assert isinstance(error, TimeoutError)
    assert isinstance(from_payload(to_payload(error)), RequestTimedOut)


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (httpx2.ConnectTimeout("x"), "connect"),
        (httpx2.PoolTimeout("x"), "pool"),
        (requests.ConnectTimeout("x"), "connect"),
        (requests.ReadTimeout("x"), "response"),
        (urllib.error.URLError(TimeoutError("timed out")), "connect"),
        (TimeoutError("timed out"), None),
    ],
)
def test_what_was_waited_for_is_told(raised: Exception, reason: str | None) -> None:
    """Where the client tells it; a timeout at the connection is safe to repeat for any request."""
    error = to_http_error(raised)
    assert (error.code, error.details.get("reason")) == ("http.timed_out", reason)


def resolver_error(name: str, flags: int = 0) -> socket.gaierror:
    """The real failure of a look-up that asks no name server."""
    try:
        socket.getaddrinfo(name, 80, flags=socket.AI_NUMERICHOST | flags)
    except socket.gaierror as error:
        return error
    raise AssertionError(name)


def test_a_host_name_that_nobody_knows() -> None:
    """It is not worth a retry, unless the name server itself did not answer."""
    unknown = resolver_error("no-such-host")
    for raised in (urllib.error.URLError(unknown), unknown):
        error = to_http_error(raised, url="http://no-such-host/")
        assert (error.code, error.details["reason"]) == ("http.connection_failed", "unknown_host")
        assert not error.retryable
        assert "errno" not in error.details
    away = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    error = to_http_error(urllib.error.URLError(away))
    assert (error.details["reason"], error.retryable) == ("dns", True)


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "unreachable"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "closed"),
        (http.client.RemoteDisconnected("x"), "closed"),
        (httpx2.ProxyError("x"), "proxy"),
        (requests.exceptions.ProxyError("x"), "proxy"),
        (requests.ConnectionError("x"), None),
        (urllib.error.URLError("no idea"), None),
    ],
)
def test_why_there_is_no_connection(raised: Exception, reason: str | None) -> None:
    """As far as the client tells; a bare `OSError` comes by way of `urllib`."""
    error = to_http_error(urllib.error.URLError(raised) if type(raised) is OSError else raised)
    assert (error.code, error.details.get("reason")) == ("http.connection_failed", reason)


def encrypted(folder: Path) -> ssl.SSLContext:
    """The server side of TLS with a certificate that nobody has signed."""
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
@every_client
def test_a_certificate_that_nobody_has_signed(client: Any, tmp_path: Path) -> None:
    """It is told from other failures of the connection, and no retry helps."""
    context = encrypted(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError), listener.accept()[0] as raw:
                context.wrap_socket(raw, server_side=True).close()

        thread = threading.Thread(target=accept)
        thread.start()
        error = caught(client, f"https://127.0.0.1:{listener.getsockname()[1]}/")
        thread.join()
    assert (error.code, error.retryable) == ("http.untrusted", False)


@every_client
def test_a_port_without_tls(client: Any, server: Server) -> None:
    """The handshake fails; a number of OpenSSL is not taken for one of the platform."""
    error = caught(client, server.url.replace("http:", "https:"))
    assert (error.code, error.details["reason"]) == ("http.connection_failed", "tls")
    assert "errno" not in error.details
    assert "TLS handshake failed" in str(error)


# --- an answer that is none -------------------------------------------------------------------------


@every_client
def test_an_answer_that_is_no_http(client: Any, server: Server) -> None:
    """What another protocol says can't be read."""
    server.answer = Answer(raw=b"SSH-2.0-OpenSSH_9.2\r\n")
    error = caught(client, server.url)
    assert error.code in ("http.bad_response", "http.connection_failed")


@every_client
def test_a_body_that_breaks_off(client: Any, server: Server) -> None:
    """The rest may come the next time."""
    server.answer = Answer(200, b"half", length=1000)
    error = caught(client, server.url)
    assert (error.code, error.retryable) == ("http.bad_response", True)


@pytest.mark.parametrize("name", ["requests", "httpx2"])
def test_a_body_that_does_not_decode(name: str, server: Server) -> None:
    """Neither as what its encoding says, nor as the JSON that it should be."""
    server.answer = Answer(200, gzip.compress(b"x" * 99)[:20] + b"junk", {"Content-Encoding": "gzip"})
    error = caught(CLIENTS[name], server.url)
    assert error.code == "http.bad_response"
    server.answer = Answer(200, b"<html>")
    library: Any = requests if name == "requests" else httpx2
    error = caught(library.get(server.url).json, url=server.url)
    assert (error.code, error.retryable) == ("http.bad_response", False)
    assert error.details["fault"] == "JSONDecodeError"


@every_client
def test_redirects_in_a_circle(client: Any, server: Server) -> None:
    """The client gives up, and so does whoever would retry."""
    server.answer = Answer(302, b"", {"Location": "/again"})
    error = caught(client, server.url)
    assert (error.code, error.retryable) == ("http.redirect_failed", False)


@every_client
@pytest.mark.parametrize("url", ["/v1/carts", "foo://x/", "http://", "http://[::1/"])
def test_an_address_that_can_t_be_requested(client: Any, url: str) -> None:
    """The mistake is on this side."""
    error = caught(client, url, url=url)
    assert (error.code, error.retryable) == ("http.bad_url", False)
    assert error.details["url"] == url


def test_all_else_is_unknown_and_terminal() -> None:
    """A mistake beside the request is no failure of the server, and nothing for a retry."""
    error = to_http_error(KeyError("items"), method="GET", url="http://h/")
    assert (error.code, error.retryable, error.details["fault"]) == ("http.unknown", False, "KeyError")
    assert to_http_error(http.client.ResponseNotReady()).code == "http.unknown"
    with pytest.raises(HttpError) as found, translating(to_http_error):
        fail_while_handling()
    assert found.value.code == "http.unknown"


def fail_while_handling() -> None:
    try:
        raise TimeoutError
    except TimeoutError:
        _ = dict[str, str]()["items"]


# --- async ------------------------------------------------------------------------------------------


def test_async_clients_are_the_same(server: Server) -> None:
    """Statuses, timeouts and refused connections of a coroutine."""

    async def ask(url: str, seconds: float) -> None:
        async with httpx2.AsyncClient(timeout=seconds) as client:
            with translating(to_http_error, method="GET", url=url):
                (await client.get(url)).raise_for_status()

    def code_of(url: str, seconds: float = 20) -> str:
        with pytest.raises(HttpError) as found:
            asyncio.run(ask(url, seconds))
        return found.value.code

    server.answer = Answer(503)
    assert code_of(server.url) == "http.unavailable"
    server.answer = Answer(silent=True)
    assert code_of(server.url, 0.05) == "http.timed_out"
    assert code_of(f"http://localhost:{free_port()}/") == "http.connection_failed"


# --- as every translator ----------------------------------------------------------------------------


class OtherError(CodedError, domain="other", registry=Registry("test_http")):
    WRAPPED = code("Wrapped")


def http_error(status: int, **headers: str) -> urllib.error.HTTPError:
    """What `urllib` raises, without a server."""
    message = http.client.HTTPMessage()
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    return urllib.error.HTTPError("http://h/p?q=1", status, "words of the server", message, None)


def test_it_is_idempotent_and_classifies_the_root() -> None:
    """The first context wins, also for a revived error; what another domain wrapped is looked through."""
    error = to_http_error(http_error(429, retry_after="9"), url="http://first/")
    assert to_http_error(error, url="http://second/") is error
    revived = from_payload(to_payload(error))
    assert to_http_error(revived) is revived
    wrapped = as_coded(http_error(429, retry_after="9"), fallback="other.wrapped")
    outer = to_http_error(wrapped)
    assert (outer.code, outer.retry_after, outer.__cause__) == ("http.rate_limited", 9.0, wrapped)


def test_what_was_said_of_the_failure_wins_over_the_header() -> None:
    """A layer below that knows better keeps the last word."""
    wrapped = OtherError.WRAPPED().override(retry_after=1)
    wrapped.__cause__ = http_error(429, retry_after="9")
    assert to_http_error(wrapped).retry_after == 1.0


def test_cancellation_and_groups() -> None:
    """Cancellations pass by identity; a group keeps its shape, each leaf with its own time to wait."""
    for stop in (UserCancelled(), asyncio.CancelledError(), KeyboardInterrupt()):
        found: object = to_http_error(stop)
        assert found is stop
    group: Any = to_http_error(ExceptionGroup("g", [http_error(429, retry_after="1"), http_error(404)]))
    assert [leaf.code for leaf in group.exceptions] == ["http.rate_limited", "http.not_found"]
    assert [leaf.retry_after for leaf in group.exceptions] == [1.0, None]


def test_the_words_of_the_server_stay_with_the_cause() -> None:
    """The message is made of method, host and title; no path, no query, no user."""
    error = to_http_error(http_error(500), method="GET", url="http://u:p@h.example:80/secret?token=x")
    assert str(error) == "GET to h.example failed: server error (500)"
    assert "words of the server" in str(to_payload(error)["cause"])
    assert "token=x" not in str(to_payload(error))
    assert str(to_http_error(http_error(500), url="http://[broken")) == "request failed: server error (500)"


def test_no_code_is_public() -> None:
    """Addresses and answers of services behind a program are nobody's business outside."""
    assert HttpError.__domain__ is not None
    assert not any(spec.public for spec in HttpError.__domain__.codes)


def test_reading_a_body_takes_time_in_proportion() -> None:
    """A long word, and a word that begins a phrase again and again, are read once."""
    for body in ("x" * 65_536, "quota" * 13_000, "exceed" * 10_000):
        took = -time.process_time()
        assert response_error(SdkError(429, "x"), body=body).code == "http.rate_limited"
        assert took + time.process_time() < 2


@every_hostile_object
def test_hostile_objects(value: Any) -> None:
    """Whatever stands where status, headers, body or words are looked for, the boundary holds."""
    error = SdkError(429, "x")
    vars(error).update(body=value, headers=value, response=value, request=value, code=value, fp=value)
    for hostile in (error, value):
        found: object = to_http_error(hostile)
        assert isinstance(found, CodedError)
        to_payload(found)
    assert retry_after_of(value) is None
    assert header(value, "x") is None
    assert all(isinstance(link, BaseException) for link in links(value))
    assert response_error(value, url=value, body=value).code.startswith("http.")


def test_links_end() -> None:
    """Errors that hold one another in a circle, or in thousands, are looked at once and not for ever."""
    first, second = urllib.error.URLError("x"), ValueError("y")
    first.reason, second.args = second, (first,)
    assert links(first) == [first, second]
    deep: BaseException = ValueError()
    for _ in range(1000):
        deep = ValueError(deep)
    assert len(links(deep)) < 100


def test_headers_in_every_shape() -> None:
    """A plain dict, bytes, and the mappings of libraries; upper case or lower."""
    for headers in (
        {"Retry-After": "5"},
        {"RETRY-AFTER": b"5"},
        CaseInsensitiveDict({"Retry-After": "5"}),
        httpx2.Headers({"retry-after": "5"}),
        http_error(429, retry_after="5").headers,
    ):
        error = SdkError(429, "x")
        vars(error)["headers"] = headers
        assert to_http_error(error).retry_after == 5.0


def test_the_prose_shows_the_whole_table() -> None:
    """The domain's page has each code, and each status that has one."""
    assert HttpError.__domain__ is not None
    prose = domain_prose(HttpError.__domain__)
    assert prose is not None
    assert all(f"``{spec.code}``" in prose.text for spec in HttpError.__domain__.codes)
    table = prose.text.rpartition("====\n")[0]
    for statuses, found in STATUSES:
        for status in statuses:
            assert any(f"``{found}``" in line for line in table.splitlines() if str(status) in line)
