"""A site in the browser: a small server for this machine alone, and the browser itself.

The server gives what lies in the folder at that moment, so a site that is exchanged is seen at once; pages
reload by themselves then. It is made for looking at a site while it is written, not for publishing one.
"""

from __future__ import annotations

import io
import re
import webbrowser
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, BinaryIO, Final

from errkit.cli.publishing import MARKER
from errkit.cli.screen import note
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["open_browser", "serving"]

HOST: Final = "127.0.0.1"

# Which build a page is of is when the folder was marked.
_RELOAD: Final = f"""<script>
(async () => {{
  const build = async () => (await fetch("/{MARKER}")).text();
  const first = await build();
  setInterval(async () => {{ if (await build() !== first) location.reload(); }}, 1000);
}})();
</script>
"""
_NO_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%(code)d</title></head>
<body style="color-scheme: light dark; font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 4rem auto">
<h1>%(code)d %(message)s</h1>
<p>The site has no such page now. <a href="/">Go to its first page.</a></p>
</body>
</html>
"""


class _Handler(SimpleHTTPRequestHandler):
    error_message_format = _NO_PAGE + _RELOAD

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer as for any folder, but let pages reload."""
        address = self.path.partition("?")[0].partition("#")[0]
        folder = Path(self.directory)
        if address == f"/{MARKER}":
            return self._text("text/plain", str(_built_at(folder)).encode())
        file = Path(self.translate_path(address + "index.html" if address.endswith("/") else address))
        if file.suffix == ".html" and file.is_file():
            return self._text("text/html; charset=utf-8", file.read_bytes() + _RELOAD.encode())
        return super().send_head()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Show the site's own page for an address that leads nowhere."""
        page = _missing_page(Path(self.directory)) if code == HTTPStatus.NOT_FOUND else None
        if page is None:
            super().send_error(code, message, explain)
            return
        answer = self._text("text/html; charset=utf-8", page + _RELOAD.encode(), HTTPStatus.NOT_FOUND)
        if self.command != "HEAD":
            self.wfile.write(answer.getvalue())

    def _text(self, kind: str, data: bytes, status: HTTPStatus = HTTPStatus.OK) -> io.BytesIO:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return io.BytesIO(data)

    def list_directory(self, path: object) -> None:
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """A page that was built anew is never taken from the browser's cache."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The terminal belongs to what the builder says."""


def _missing_page(folder: Path) -> bytes | None:
    """The page that the site has for it, with addresses that fit this server: here the site is at the top."""
    try:
        text = (folder / "404.html").read_text("utf-8")
    except OSError:
        return None
    root = re.search(r'data-root="([^"]*)"', text)
    return (text if root is None else text.replace(f'="{root[1]}', '="/')).encode()


def _built_at(folder: Path) -> int:
    try:
        return (folder / MARKER).stat().st_mtime_ns
    except OSError:
        return 0


@contextmanager
def serving(folder: Path, port: int) -> Iterator[str]:
    """Serve a folder, which need not exist yet, and give the address.

    Parameters
    ----------
    folder
        The folder of the site.
    port
        The port to listen at; 0 for any free one.

    Raises
    ------
    CodedError
        `errkit.site_not_served`, if nobody can listen there.
    """
    try:
        server = ThreadingHTTPServer((HOST, port), partial(_Handler, directory=str(folder)))
    except OSError as error:
        address, problem = f"{HOST}:{port}", error.strerror or str(error)
        raise ErrkitError.SITE_NOT_SERVED(
            f"{address}: {problem}", address=address, problem=problem
        ) from error
    with server:
        thread = Thread(target=server.serve_forever, name="errkit-site", daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def open_browser(address: str) -> None:
    """Show the site in the user's browser, and say where it is if there is none."""
    if not webbrowser.open(address):
        note(f"no browser was found; open {address}")
