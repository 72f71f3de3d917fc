"""Real Sphinx projects in a folder of their own, built in this process or in one of their own.

A project is files; a build says what was read and written, what was warned of, and where the result is.
Nothing of Sphinx is replaced: what a test sees is what a project's author sees.
"""

from __future__ import annotations

import html.parser
import json
import os
import re
import subprocess
import sys
import warnings
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sphinx.testing.util import SphinxTestApp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SAMPLES = Path(__file__).parent / "samples"

THEMES = [
    pytest.param(
        name, marks=[] if find_spec(module) else pytest.mark.skip(reason=f"{module} is not installed")
    )
    for name, module in (
        ("basic", "sphinx"),
        ("alabaster", "alabaster"),
        ("furo", "furo"),
        ("pydata_sphinx_theme", "pydata_sphinx_theme"),
    )
]
"""The themes that pages are proved in, as parameters."""
INDEX = "Site\n====\n\n.. toctree::\n\n   errors/index\n"
# Suffixes of its own: MyST adds `.md` to the default of every later project in a process.
CONF = """\
project = "Site"
extensions = ["errkit.sphinx"]
source_suffix = {".rst": "restructuredtext"}
# Said here, since pydata_sphinx_theme adds to Sphinx's default, and so to all later sites of the process.
templates_path = []
"""


class Built(NamedTuple):
    """What one build did."""

    folder: Path
    """Where the result is."""
    read: list[str]
    """The pages that were read, in order."""
    written: list[str]
    """The pages that were written, sorted."""
    warnings: list[str]
    """One entry a warning, without colours."""
    app: SphinxTestApp | None = None

    def text(self, name: str) -> str:
        """A file of the result."""
        return (self.folder / name).read_text("utf-8")

    def json(self, name: str = "errors.json") -> Any:
        """A JSON file of the result."""
        return json.loads(self.text(name))

    def inventory(self) -> dict[tuple[str, str], str]:
        """(type, name) -> address, from objects.inv."""
        lines = (
            zlib.decompress((self.folder / "objects.inv").read_bytes().split(b"\n", 4)[4])
            .decode()
            .splitlines()
        )
        found = {}
        for line in lines:
            name, kind, _, address, _ = re.fullmatch(r"(.+?) (\S+:\S+) (-?\d+) (\S*) (.*)", line).groups()  # type: ignore[union-attr]
            found[kind, name] = address.removesuffix("$") + name if address.endswith("$") else address
        return found

    def search_index(self) -> Any:
        """What the browser's search reads."""
        return json.loads(self.text("searchindex.js").removeprefix("Search.setIndex(").removesuffix(")"))


class Site:
    """A Sphinx project that can be changed and built again."""

    def __init__(self, folder: Path, conf: str = "", **files: str) -> None:
        self.folder = folder / "source"
        self.target = folder / "built"
        self.folder.mkdir(parents=True)
        self.write("conf.py", CONF + conf)
        self.write("index.rst", INDEX)
        for name, text in files.items():
            self.write(f"{name}.py", text)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project; one that was imported before is imported anew by the next build."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a piece of a file that stands there once."""
        path = self.folder / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), "utf-8")

    def remove(self, name: str) -> None:
        """Remove a file of the project."""
        (self.folder / name).unlink()

    def build(self, builder: str = "html", *, clean: bool = False, **settings: Any) -> Built:
        """Build in this process, which afterwards forgets what the project imported."""
        before, known, cached = list(sys.path), set(sys.modules), sys.dont_write_bytecode
        # Two versions of a module in the same second would share their bytecode.
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(self.folder), str(SAMPLES)]
        try:
            with warnings.catch_warnings():
                # Themes and MyST still use what Sphinx will remove; in errkit itself that stays an error.
                for kind in (DeprecationWarning, PendingDeprecationWarning):
                    warnings.filterwarnings("ignore", category=kind, module=r"(?!errkit\.)")
                return self._build(builder, clean=clean, **settings)
        finally:
            sys.path[:], sys.dont_write_bytecode = before, cached
            forget(set(sys.modules) - known, self.folder, SAMPLES)

    def _build(self, builder: str, *, clean: bool, **settings: Any) -> Built:
        read: list[str] = []
        written: set[str] = set()
        app = SphinxTestApp(
            builder,
            srcdir=self.folder,
            builddir=self.target,
            freshenv=clean,
            confoverrides={"html_theme": "basic", **settings},
        )
        try:
            app.connect("env-before-read-docs", lambda _app, _env, names: read.extend(names))
            app.connect("doctree-resolved", lambda _app, _tree, name: written.add(name))
            app.build()
            found = warnings_in(app.warning.getvalue())
        finally:
            app.cleanup()
        return Built(Path(app.outdir), read, sorted(written), found, app)

    def run(self, builder: str = "html", *options: str, target: Path | None = None) -> Built:
        """Build as the command line does, with `-W -n`, in a process of its own."""
        done = self.command(builder, "-W", "--keep-going", "-n", *options, target=target)
        assert done.returncode == 0, done.stderr
        return Built(self._target(target) / builder, [], [], warnings_in(done.stderr))

    def command(
        self, builder: str, *options: str, target: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """The finished command, whatever came of it."""
        out = self._target(target)
        theme = () if any("html_theme" in option for option in options) else ("-D", "html_theme=basic")
        command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, *theme, *options]
        command += ["-d", str(out / f"doctrees-{builder}"), str(self.folder), str(out / builder)]
        path = os.pathsep.join((str(self.folder), str(SAMPLES), *sys.path))
        env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def _target(self, target: Path | None) -> Path:
        return self.target if target is None else target


def forget(names: set[str], *folders: Path) -> None:
    """Forget the modules of a project, so that the next import runs them again."""
    for name in names:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(tuple(map(str, folders))):
            del sys.modules[name]


def warnings_in(text: str) -> list[str]:
    """The warnings and errors in what a build printed."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return [line for line in plain.splitlines() if re.search(r"(WARNING|ERROR|CRITICAL|SEVERE)", line)]


# --- what a browser makes of a page ---------------------------------------------------------------------


class Element(NamedTuple):
    """An element of a page as a browser sees it."""

    tag: str
    attributes: dict[str, str]
    text: str


class _Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str], list[str]]] = []
        self.found: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in ("meta", "link", "img", "input", "br", "hr"):
            self.found.append(Element(tag, attributes, ""))
            return
        self.open.append((tag, attributes, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(Element(tag, {name: value or "" for name, value in attrs}, ""))

    def handle_data(self, data: str) -> None:
        for _, _, text in self.open:
            text.append(data)

    def handle_endtag(self, tag: str) -> None:
        last = self.open[-1][0] if self.open else "nothing"
        assert last == tag, f"</{tag}> closes {last}"
        name, attributes, text = self.open.pop()
        self.found.append(Element(name, attributes, "".join(text)))


def elements(page: str) -> list[Element]:
    """The elements of a page or a piece of one, as they end; tags that do not match fail."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [], f"never closed: {[tag for tag, _, _ in reader.open]}"
    return reader.found


def section(page: str, anchor: str) -> str:
    """The HTML of one code."""
    start = page.index('<section class="errkit-code', page.index(f'id="{anchor}"') - 60)
    depth = 0
    for tag in re.finditer(r"<(/?)section\b", page[start:]):
        depth += -1 if tag.group(1) else 1
        if depth == 0:
            return page[start : start + tag.end() + 1]
    raise AssertionError(f"{anchor} is never closed")


def ids(page: str) -> list[str]:
    """Every id of a page."""
    return re.findall(r'\bid="([^"]*)"', page)


def links(page: str) -> Iterator[str]:
    """Every address that a page links to."""
    for element in elements(page):
        if element.tag == "a" and "href" in element.attributes:
            yield element.attributes["href"]


# --- JSON Schema, as far as ours goes -------------------------------------------------------------------


def problems(value: Any, schema: Mapping[str, Any], place: str = "$") -> Iterator[str]:
    """Where a value breaks a schema made of types, properties, items, enums and patterns."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if "type" in schema and (
        not isinstance(value, kinds[schema["type"]])
        or (schema["type"] == "integer" and isinstance(value, bool))
    ):
        yield f"{place}: {value!r} is no {schema['type']}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place}: {value!r} does not match {schema['pattern']}"
    if len(value) < schema.get("minLength", 0) if isinstance(value, str) else False:
        yield place + ": is empty"
    if isinstance(value, dict):
        yield from (f"{place}: {name} is missing" for name in schema.get("required", ()) if name not in value)
        known = schema.get("properties", {})
        yield from (f"{place}: {name} is not described" for name in value if known and name not in known)
        for name in value.keys() & known.keys():
            yield from problems(value[name], known[name], f"{place}.{name}")
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), f"{place}[{at}]")
