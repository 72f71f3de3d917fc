"""The interpreters, hosts, builders and themes that the extension is proved with.

An environment is a Python with a Sphinx: the one that runs the tests, which has the newest; one with the
oldest that pyproject.toml allows; and one of Python 3.13. The last two are made below `build/`, once.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from tests.environments import ROOT, another_python, environment
from tests.sphinx.sites import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

THEMES: Final = ("furo", "pydata_sphinx_theme", "alabaster")
BUILDERS: Final = (
    "html",
    "dirhtml",
    "singlehtml",
    "latex",
    "text",
    "man",
    "epub",
    "gettext",
    "linkcheck",
    "texinfo",
    "xml",
    "json",
)
ENVIRONMENTS: Final = ("newest", "oldest", "python3.13")

# --- environments ---------------------------------------------------------------------------------------


def interpreter(name: str) -> Path:
    """The interpreter of an environment, which is made if it is not there yet."""
    if name == "newest":
        return Path(sys.executable)
    if name == "oldest":
        return environment(name, Path(sys.executable), [*_floors(), "pydata-sphinx-theme"])
    return environment(name, another_python(name), ["sphinx", "myst-parser", "furo", "pydata-sphinx-theme"])


def _floors() -> list[str]:
    """The oldest version of each library that a site needs, exactly."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    lines = [*extras["sphinx"], *extras["site"]]
    found = [re.match(r"(sphinx|myst-parser|furo)>=([\d.]+)", line) for line in lines]
    floors = [f"{match[1]}=={match[2]}" for match in found if match]
    assert len(floors) == 3, lines
    return floors


# --- hosts ----------------------------------------------------------------------------------------------

CONF: Final = """
project = "Theirs"
version = "1"
copyright = "them"
extensions = {extensions}
errkit_registries = ["shop", "depot", "notes", "hostile", "linked"]
errkit_source_url = "{address}/source/{{path}}#L{{line}}"
man_pages = [("index", "theirs", "Theirs", "them", 1)]
linkcheck_ignore = [r"https?://(?!127\\.0\\.0\\.1)"]
linkcheck_anchors_ignore = [r"L\\d+"]
"""
RST: Final = """
Theirs
======

See :err:code:`shop:shop.cart.empty`, :err:number:`shop:1002`, :any:`shop:shop.cart.gone` and `the guide
<{address}/>`_.

.. err:table::
   :domain: shop:shop.cart

.. toctree::

   errors/index
"""
MD: Final = """
# Theirs

See {{err:code}}`shop:shop.cart.empty`, {{err:number}}`shop:1002`, {{any}}`shop:shop.cart.gone`,
[](#shop.pay.declined) and [the guide]({address}/).

```{{err:table}}
:domain: shop:shop.cart
```

```{{toctree}}

errors/index
```
"""
LINKED: Final = '''
from errkit import CodedError, Registry, code

REGISTRY = Registry("linked")


class LinkedError(CodedError, domain="linked", registry=REGISTRY):
    """Failures that are described elsewhere, see `the guide <{address}/in-prose>`_."""

    FAR = code("Far away", docs="{address}/in-facts")
'''


def write_host(folder: Path, markup: str, address: str) -> Path:
    """A project in that markup, with a link of each kind to the server; the folder of its sources."""
    extensions = ["errkit.sphinx"] if markup == "rst" else ["myst_parser", "errkit.sphinx"]
    texts = {"rst": ("index.rst", RST), "md": ("index.md", MD)}
    name, text = texts[markup]
    folder.mkdir(parents=True)
    (folder / "conf.py").write_text(CONF.format(extensions=extensions, address=address), "utf-8")
    (folder / name).write_text(text.format(address=address), "utf-8")
    (folder / "linked.py").write_text(LINKED.format(address=address), "utf-8")
    return folder


def build(source: Path, target: Path, builder: str, *options: str, environment: str = "newest") -> Path:
    """Build with `-W -n` in a process of its own, which must succeed in silence; where the result is."""
    command: list[str | Path] = [interpreter(environment), "-m", "sphinx", "-q", "-W", "--keep-going", "-n"]
    command += [*options, "-b", builder, "-d", target / "doctrees", source, target / builder]
    done = _run(command, source)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
    return target / builder


def build_each(source: Path, target: Path, builders: Sequence[str]) -> dict[str, str]:
    """Build with each in turn, `-W -n`, in one process that reads the pages once.

    Builder -> what it said and how it ended, which is nothing if all went well.
    """
    done = _run([sys.executable, "-c", EACH, source, target, *builders], source)
    assert done.returncode == 0, done.stdout
    parts = re.split(r"^== (\w+) (\d+)\n", done.stdout, flags=re.MULTILINE)
    said = zip(parts[1::3], parts[2::3], parts[0::3], strict=False)
    return {
        name: "" if code == "0" and not text.strip() else f"{text}exit code {code}"
        for name, code, text in said
    }


EACH: Final = """
import sys
from sphinx.cmd.build import main

source, target, *builders = sys.argv[1:]
for builder in builders:
    # Sphinx wants doctrees of its own for the builder of message catalogues.
    trees = f"{target}/doctrees{builder * (builder == 'gettext')}"
    options = ["-q", "-W", "--keep-going", "-n", "-b", builder, "-d", trees]
    code = main([*options, source, f"{target}/{builder}"])
    sys.stderr.flush()
    print(f"== {builder} {code}", flush=True)
"""


def _run(command: Sequence[str | Path], source: Path) -> subprocess.CompletedProcess[str]:
    # Nothing of this interpreter's own packages: another one may have other versions.
    path = os.pathsep.join(map(str, (source, SAMPLES, ROOT)))
    return subprocess.run(
        command,
        cwd=source,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


# --- a web server for the links ------------------------------------------------------------------------


@contextmanager
def web_server() -> Iterator[tuple[str, list[str]]]:
    """A server that has every page but `/missing`: its address, and the paths that were asked for."""
    asked: list[str] = []

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404 if self.path == "/missing" else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()
