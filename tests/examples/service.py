"""The example as its users run it: the service, its feeds and its client, each a real process or server."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "jobs"

FEED_KEY = "swordfish-4711"
FEED_TOKEN = "planted-token-0815"
OPERATOR_KEY = "open-sesame-2359"
SERVE = (sys.executable, "-m", "examples.jobs", "--port", "0")
SECRETS = (FEED_KEY, FEED_TOKEN, OPERATOR_KEY)
"""One in an address, one declared as secret and sent in a header, one registered by the program."""


def until(fact: Callable[[], Any], seconds: float = 30) -> Any:
    """What `fact` says as soon as it says something: what another process does is waited for."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while not (found := fact()):
        assert time.monotonic() < end, "it did not happen in time"
        pause.wait(0.02)
    return found


# --- feeds ------------------------------------------------------------------------------------------


class Feeds(ThreadingHTTPServer):
    """Feeds of every sort, by their path; and something that is not the service."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Feed)
        self.asked, self.may_answer = threading.Event(), threading.Event()
        """`/stuck` was asked for; it may be answered."""
        # Bound, and nobody listens: every connection is refused.
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def address(self, name: str) -> str:
        """The address of a feed, with a key in it."""
        port = self._closed.getsockname()[1] if name == "down" else self.server_port
        return f"http://127.0.0.1:{port}/{name}?api_key={FEED_KEY}"

    def stop(self) -> None:
        """End all of it."""
        self.may_answer.set()
        self.shutdown()
        self.server_close()
        self._closed.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that was killed takes no answer."""


class _Feed(BaseHTTPRequestHandler):
    server: Feeds  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        name = self.path.strip("/").partition("?")[0]
        if name == "stuck":
            self.server.asked.set()
            self.server.may_answer.wait(30)
        status, body = {
            "orders": (200, b"id,amount\n1,10.5\n2,31.5\n"),
            "broken": (200, b"id,amount\n1,10.5\n2,much\n"),
            "latin": (200, "id,amount\nä,1\n".encode("latin-1")),
            "locked": (401, b"no"),
        }.get(name, (404, b"no"))
        self._send(status, body)

    def do_POST(self) -> None:
        self._send(502, b"<html>Bad Gateway</html>")

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the name of the base)
        pass


# --- the service ------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """A response of the service."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Service:
    """The running service; its log and its records are in a folder of its own.

    Parameters
    ----------
    folder
        Where it writes.
    home
        The folder that holds `examples/jobs`: this repository, or another release of it.
    database
        The URL for records; SQLite in the folder if not given.
    command
        How it is started; on a free port if not given.
    """

    def __init__(
        self, folder: Path, *, home: Path = ROOT, database: str = "", command: Sequence[str] = SERVE
    ) -> None:
        self.folder = folder
        self.database = database or f"sqlite:///{folder / 'jobs.db'}"
        self.output = folder / "service.log"
        self._command, self._home = list(command), home
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""

    def start(self) -> Service:
        """Start it, and wait until it listens."""
        settings = {
            "ERRKIT_LOG_DIR": str(self.folder / "logs"),
            "JOBS_DATABASE": self.database,
            "JOBS_OPERATOR_KEY": OPERATOR_KEY,
            "PYTHONWARNINGS": "error",
        }
        self.folder.mkdir(exist_ok=True)
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._home,
                env={**os.environ, **settings},
                stdout=output,
                stderr=output,
                # Its workers are ended with it, also where it has no time to do so.
                start_new_session=True,
            )
        self.address = until(self._listening)
        return self

    def _listening(self) -> str:
        assert self._process is not None
        found = re.search(r"running on (http://\S+)", self.output.read_text())
        assert found or self._process.poll() is None, self.output.read_text()
        return found[1] if found else ""

    def stop(self) -> None:
        """End it as an operator does: with it end its workers."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(30)
        left = self._process.pid
        self._process = None
        until(lambda: not _has_processes(left))

    def kill(self) -> None:
        """End it and its workers without warning."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
            self._process = None

    def request(self, method: str, path: str, body: bytes = b"", *, key: str = "") -> Answer:
        """Send a request as any HTTP client does."""
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=60)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {key}"} if key else {})
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, headers, answer.read())
        finally:
            connection.close()

    def ask(self, feed: str, *, key: str = "") -> Answer:
        """Ask for the sum of a feed."""
        job = {"feed": feed, "column": "amount", "token": FEED_TOKEN}
        return self.request("POST", "/jobs", json.dumps(job).encode(), key=key)


def _has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# --- the client -------------------------------------------------------------------------------------


class Client:
    """The command line, alone in a folder: nothing else of the example is there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        shutil.copy(EXAMPLE / "client.py", folder)

    def start(self, server: str, *arguments: str, key: str = "") -> subprocess.Popen[str]:
        """Start a command."""
        settings = {"JOBS_SERVER": server, "JOBS_FEED_TOKEN": FEED_TOKEN, "PYTHONWARNINGS": "error"}
        return subprocess.Popen(
            [sys.executable, "client.py", *arguments],
            cwd=self._folder,
            env={**os.environ, **settings, **({"JOBS_OPERATOR_KEY": key} if key else {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, server: str, *arguments: str, key: str = "") -> Shown:
        """Run a command to its end."""
        return Shown.of(self.start(server, *arguments, key=key))


class Shown(NamedTuple):
    """What a command showed."""

    exit_code: int
    stdout: str
    stderr: str

    @classmethod
    def of(cls, process: subprocess.Popen[str]) -> Shown:
        """What a command shows until it ends."""
        stdout, stderr = process.communicate(timeout=60)
        return cls(process.returncode, stdout, stderr)


# --- releases ---------------------------------------------------------------------------------------


def release(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """The example as another release had it or will have it: a copy with some lines changed.

    Parameters
    ----------
    folder
        Where the copy goes.
    edits
        A file, a piece of it that stands there once, and what stands there in that release.
    """
    target = folder / "examples" / "jobs"
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in edits:
        text = (target / name).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        (target / name).write_text(text.replace(old, new), "utf-8")
    return folder


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Each file with all that it holds."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()
