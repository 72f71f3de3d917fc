"""A real HTTP server on this machine that answers as a test tells it, and real clients that ask it."""

from __future__ import annotations

import contextlib
import http.client
import http.server
import importlib.util
import socket
import threading
import urllib.request
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import requests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TIMEOUT: Final = 20.0
"""Seconds that a client waits where nothing is expected to take long."""


class Answer(NamedTuple):
    """What the server sends for each request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    raw: bytes | None = None
    """These bytes instead, and the connection is closed."""
    length: int | None = None
    """Another `Content-Length` than that of the body."""
    silent: bool = False
    """Nothing at all, until the test is over."""


class Server:
    """The server; `answer` may be changed while it runs."""

    def __init__(self) -> None:
        self.answer = Answer()
        self.over = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1/carts"

    def reset(self) -> None:
        """Let go whoever still waits, and answer as at the beginning."""
        self.over.set()
        self.over, self.answer = threading.Event(), Answer()


class _Handler(http.server.BaseHTTPRequestHandler):
    owner: Server

    def do_GET(self) -> None:
        answer = self.owner.answer
        self.close_connection = True
        if answer.silent:
            self.owner.over.wait(60)
        elif answer.raw is not None:
            self.wfile.write(answer.raw)
        else:
            self._answer(answer)

    def _answer(self, answer: Answer) -> None:
        self.send_response_only(answer.status)
        length = len(answer.body) if answer.length is None else answer.length
        for name, value in {"Content-Length": str(length), "Connection": "close", **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name of the base)
        pass


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """A server on a free port, for as long as the block runs."""
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.http.shutdown()
        server.http.server_close()
        thread.join()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


# --- clients ----------------------------------------------------------------------------------------

Client = Any
"""Takes an address and a timeout; returns the body, or raises what the library raises."""


def with_urllib(url: str, timeout: float = TIMEOUT) -> bytes:
    with urllib.request.urlopen(url, timeout=timeout) as response:
        body: bytes = response.read()
        return body


def with_requests(url: str, timeout: float = TIMEOUT) -> bytes:
    response = requests.get(url, timeout=timeout)
    response.raise_for_status()
    return response.content


def _with_httpx(name: str) -> Callable[..., bytes]:
    library: Any = importlib.import_module(name)

    def ask(url: str, timeout: float = TIMEOUT) -> bytes:
        with library.Client(timeout=timeout, follow_redirects=True) as client:
            response = client.get(url)
            response.raise_for_status()
            body: bytes = response.content
            return body

    return ask


CLIENTS: Final[dict[str, Client]] = {
    "urllib": with_urllib,
    "requests": with_requests,
    **{name: _with_httpx(name) for name in ("httpx", "httpx2") if importlib.util.find_spec(name)},
}


def low_level(url: str) -> http.client.HTTPResponse:
    """The response of `http.client`, which raises nothing for a status."""
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT)
    connection.request("GET", f"/{path}")
    return connection.getresponse()
