"""The converters of docs/how-to/convert.md at work, and what they are measured against.

The page holds the only copy of them: they are saved and run as its reader would. What an entry must show is
read here from the lists themselves, by other means than theirs.
"""

from __future__ import annotations

import gzip
import html
import importlib.util
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from markdown_it import MarkdownIt

from tests.story import ROOT, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PAGE = ROOT / "docs" / "how-to" / "convert.md"
SERVICES = ("s3", "dynamodb", "lambda", "sqs", "kms", "organizations", "sagemaker-runtime")
"""Services whose errors have lists in lists, links, code with entities, and names that differ from codes."""


class Entry(NamedTuple):
    """What an entry of a foreign list says."""

    code: str
    title: str
    name: str = ""
    """Another name that it goes by."""
    prose: str = ""
    """Its prose as HTML, or as text that holds no tags."""
    words: tuple[str, ...] = ()
    """What else has to stand on the page."""


# --- the converters ---------------------------------------------------------------------------------------


def save_files(folder: Path) -> None:
    """Save the files of the how-to."""
    for block in read_blocks(PAGE):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")


def convert(folder: Path, *services: str) -> None:
    """Run the converters that write a file."""
    for script, *options in (["pylint_messages.py"], ["ruff_rules.py"], ["aws_errors.py", *services]):
        done = run(folder, script, *options)
        assert done.returncode == 0, done.stderr


def build(folder: Path, theme: str, *settings: str) -> subprocess.CompletedProcess[str]:
    """Build the site of the how-to into `folder/<theme>`, as a reader would in a project with -W -n."""
    docs = folder / "docs"
    (docs / "index.rst").write_text("Foreign\n=======\n\n.. toctree::\n\n   errors/index\n", "utf-8")
    chosen = (option for setting in (f"html_theme={theme}", *settings) for option in ("-D", setting))
    flags = ("-q", "-W", "--keep-going", "-n", "-b", "html", "-d", str(folder / "trees"))
    return run(folder, "-m", "sphinx", *flags, *chosen, str(docs), str(folder / theme))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder; it finds the converters and errkit."""
    env = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
        "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))),
        "NO_COLOR": "1",
    }
    return subprocess.run(
        [sys.executable, "-P", *command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


# --- the lists --------------------------------------------------------------------------------------------


@cache
def ruff_rules() -> tuple[Entry, ...]:
    """The rules of Ruff; their Markdown is rendered without errkit and without MyST."""
    command = [str(Path(sys.executable).with_name("ruff")), "rule", "--all", "--output-format", "json"]
    markdown = MarkdownIt("commonmark").enable("table")
    return tuple(
        Entry(
            code=rule["code"] or rule["name"].replace("-", "_"),
            title=rule["summary"],
            name=rule["name"],
            prose=markdown.render(rule["explanation"]),
            words=(next(iter(rule["status"].values()))["since"].removeprefix("v"),),
        )
        for rule in json.loads(subprocess.check_output(command))
    )


@cache
def pylint_messages() -> tuple[Entry, ...]:
    """The live message store of pylint, with that of its extensions."""
    import pylint.extensions
    from pylint.lint import PyLinter

    folder = Path(pylint.extensions.__path__[0])
    linter = PyLinter()
    linter.load_default_plugins()
    linter.load_plugin_modules([f"pylint.extensions.{path.stem}" for path in folder.glob("[!_]*.py")])
    return tuple(
        Entry(
            code=message.msgid,
            title=" ".join(message.msg.split()),
            name=message.symbol,
            prose=html.escape(message.description),
        )
        for message in linter.msgs_store.messages
    )


@cache
def aws_errors(*services: str) -> tuple[Entry, ...]:
    """The errors in the models that botocore ships, for services; for all without any."""
    return tuple(
        Entry(
            code=f"{service.replace('-', '_')}.{name}",
            title=name,
            prose=shape.get("documentation", ""),
            words=tuple(
                text
                for member, reference in shape.get("members", {}).items()
                if member.lower() != "message"
                for text in (
                    member,
                    text_of(({**shapes[reference["shape"]], **reference}).get("documentation", "")),
                )
            ),
        )
        for service in services or sorted(path.name for path in models().iterdir() if path.is_dir())
        for shapes in [shapes_of(service)]
        for name, shape in shapes.items()
        if shape.get("exception")
    )


def models() -> Path:
    """The folder of the models."""
    package = importlib.util.find_spec("botocore")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "data"


def shapes_of(service: str) -> dict[str, dict[str, Any]]:
    """The shapes in the newest model of a service."""
    found = sorted((models() / service).glob("*/service-2.json*"))
    if not found:
        return {}
    data = found[-1].read_bytes()
    model: dict[str, dict[str, dict[str, Any]]] = json.loads(
        gzip.decompress(data) if found[-1].suffix == ".gz" else data
    )
    return model["shapes"]


@cache
def postgres_states() -> tuple[Entry, ...]:
    """The SQLSTATEs for which psycopg has a class."""
    from psycopg import errors

    classes = [
        cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.Error)
    ]
    return tuple(Entry(cls.sqlstate, cls.__name__, cls.__name__) for cls in classes if cls.sqlstate)


# --- pages ------------------------------------------------------------------------------------------------


def text_of(markup: str) -> str:
    """HTML as text."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def squeezed(text: str) -> str:
    """Text without whitespace and backquotes, which markup may add and take away."""
    return re.sub(r"[\s`]+", "", text)


def addresses(markup: str, page: str = "") -> set[str]:
    """Every address that HTML links to."""
    return {
        urljoin(page, html.unescape(address)) for address in re.findall(r'<a\b[^>]*?href="([^"]*)"', markup)
    }


def sections(folder: Path) -> Mapping[str, str]:
    """Every code of a built site by anchor and page, with its HTML."""
    return {
        f"{page.relative_to(folder).as_posix()}#{anchor}": section
        for page in (folder / "errors").rglob("*.html")
        for anchor, section in _sections(page.read_text("utf-8"))
    }


def _sections(page: str) -> Iterator[tuple[str, str]]:
    for part in page.split('<section class="errkit-code')[1:]:
        anchor = re.match(r'[^>]*\bid="([^"]*)"', part)
        assert anchor is not None, part[:200]
        yield anchor[1], part.partition("</section>")[0]
