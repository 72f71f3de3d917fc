"""A site in the browser: what the server gives, what it refuses, and that a browser is opened."""

from __future__ import annotations

import socket
import sys
from http.client import HTTPConnection
from typing import TYPE_CHECKING, NamedTuple

import pytest

from errkit import CodedError, ErrkitError
from errkit.cli.publishing import MARKER
from errkit.cli.serving import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Command


class Answer(NamedTuple):
    status: int
    kind: str
    text: str
    cache: str


def ask(address: str, path: str) -> Answer:
    """What the server says; the path is sent as it is written."""
    connection = HTTPConnection(address.removeprefix("http://").rstrip("/"), timeout=60)
    connection.request("GET", path)
    found = connection.getresponse()
    text = found.read().decode("utf-8")
    connection.close()
    return Answer(
        found.status, found.getheader("Content-Type", ""), text, found.getheader("Cache-Control", "")
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("not in the site")
    site = tmp_path / "site"
    (site / "e" / "1001").mkdir(parents=True)
    (site / "_static").mkdir()
    (site / MARKER).touch()
    (site / "index.html").write_text("<p>The site</p>")
    (site / "e" / "1001" / "index.html").write_text("<p>A code</p>")
    (site / "errors.json").write_text("{}")
    return site


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    with serving(site, 0) as address:
        assert address.startswith("http://127.0.0.1:")
        yield address


def test_pages_and_files_are_given(address: str) -> None:
    """Pages with what makes them reload, all else as it is; nothing is taken from a cache."""
    for path, text in (("/", "The site"), ("/index.html?x=1", "The site"), ("/e/1001/", "A code")):
        page = ask(address, path)
        assert (page.status, page.kind, page.cache) == (200, "text/html; charset=utf-8", "no-store")
        assert page.text.startswith(f"<p>{text}</p><script>")
    assert ask(address, "/errors.json")[:3] == (200, "application/json", "{}")
    assert ask(address, "/e/1001").status == 301


@pytest.mark.parametrize(
    "path", ["/nothing.html", "/_static/", "/../secret.txt", "/%2e%2e/secret.txt", "//x"]
)
def test_what_is_not_in_the_site_is_not_found(address: str, path: str) -> None:
    """There is a page that leads back; no folder is listed, and nothing outside is given."""
    answer = ask(address, path)
    assert answer.status == 404
    assert '<a href="/">' in answer.text
    assert "not in the site" not in answer.text


def test_a_page_learns_that_the_site_was_exchanged(site: Path, address: str) -> None:
    """Each build has a mark of its own, and so has a site that is not there."""
    first = ask(address, f"/{MARKER}").text
    site.rename(site.with_name("old"))
    assert ask(address, "/").status == 404
    gone = ask(address, f"/{MARKER}").text
    site.mkdir()
    (site / MARKER).touch()
    assert len({first, gone, ask(address, f"/{MARKER}").text}) == 3


def test_a_port_that_is_taken_is_named(errkit: Command, folder: Path) -> None:
    """Before anything is built, as a coded error with the way out."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CodedError) as caught, serving(folder, port):
            pass
        assert caught.value.code == ErrkitError.SITE_NOT_SERVED
        done = errkit("site", "shop_errors", "--serve", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"[errkit.site_not_served] 127.0.0.1:{port}: Address already in use")
    assert "--port 0" in done.stderr
    assert not (folder / "site").exists()


def test_a_port_without_a_server_is_wrong_use(errkit: Command) -> None:
    """`--port` alone would be passed over in silence."""
    done = errkit("site", "shop_errors", "--port", "8000")
    assert done.returncode == 2
    assert "add --serve" in done.stderr


def test_the_site_is_opened_in_the_users_browser(errkit: Command, folder: Path) -> None:
    """The one of $BROWSER gets the address of the first page; without any, the address is printed."""
    browser = folder / "browser"
    browser.write_text(f"#!{sys.executable}\nimport sys\nopen('opened', 'w').write(sys.argv[1])\n")
    browser.chmod(0o755)
    done = errkit("site", "shop_errors", "--open", BROWSER=f"{browser} %s")
    page = (folder / "site/index.html").as_uri()
    assert (done.returncode, done.stdout, done.stderr) == (0, "site/index.html\n", "")
    assert (folder / "opened").read_text() == page
    done = errkit("site", "shop_errors", "--open", BROWSER="false", PATH="", DISPLAY="", WAYLAND_DISPLAY="")
    assert (done.returncode, done.stderr) == (0, f"no browser was found; open {page}\n")
