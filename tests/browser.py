"""A browser and a web server: what a built site is looked at with.

The browser is Debian's chromium, driven by Playwright; starting it takes seconds, so a file of tests has one.
The server gives what a strict host gives: pages, `404.html` for what is not there, and a policy that lets
nothing run or load but what the site itself brings as files.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog, Page

STRICT = "default-src 'self'"


@contextmanager
def running_browser(*options: str) -> Iterator[Browser]:
    """A browser of one's own."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", f"--crash-dumps-dir={profile}", *options],
            timeout=120_000,
        )
        try:
            yield found
        finally:
            found.close()


class _Handler(SimpleHTTPRequestHandler):
    policy = STRICT

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, "404.html")
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that went away before it had everything."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(folder: Path, policy: str = STRICT) -> Iterator[str]:
    """Serve a folder with a policy, and give the address, with a slash at its end."""
    handler = type("_PolicyHandler", (_Handler,), {"policy": policy})
    with _Server(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class Watched(NamedTuple):
    """A tab, with what went wrong in it and what it asked for."""

    page: Page
    faults: list[str]
    """Errors of scripts, and dialogs: no page of ours has any."""
    requests: list[str]


@contextmanager
def tab(browser: Browser, **options: Any) -> Iterator[Watched]:
    """A tab in a context of its own."""
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    page = context.new_page()
    watched = Watched(page, [], [])
    page.on("pageerror", lambda error: watched.faults.append(str(error)))
    page.on("dialog", lambda dialog: _note(watched, dialog))
    page.on("request", lambda request: watched.requests.append(request.url))
    page.add_init_script(
        "window.refused = [];"
        "document.addEventListener('securitypolicyviolation', event =>"
        " window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`))"
    )
    try:
        yield watched
    finally:
        context.close()


def _note(watched: Watched, dialog: Dialog) -> None:
    watched.faults.append(dialog.message)
    dialog.dismiss()


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps people out: `rule: element`, for serious and critical findings."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found: list[str] = page.evaluate(
        "async () => (await axe.run()).violations"
        ".filter(rule => ['serious', 'critical'].includes(rule.impact))"
        ".flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 200)}`))"
    )
    return found
