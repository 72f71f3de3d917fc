"""What pages of pylint's messages cost, made by pylint's own generator and by errkit from the same content.

    pip download --no-deps --no-binary :all: pylint && tar -xzf pylint-*.tar.gz
    python benchmarks/pylint_docs.py pylint-4.1.4 [--theme basic --theme furo]

The first argument is the unpacked source distribution. Pylint's generator writes one .rst page a message, and
one for each old and deleted name; nothing else of its documentation is built. Its messages as a registry are
one page a category, and each old name is an alias with its short link. The two sides are built in turn, in
processes of their own, with the same theme; a figure is CPU time (user + system) per message.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CATEGORIES = {
    "F": "fatal",
    "E": "error",
    "W": "warning",
    "C": "convention",
    "R": "refactor",
    "I": "information",
}
INDEX = "Messages\n========\n\n.. toctree::\n\n   {page}\n"


# --- pylint's side --------------------------------------------------------------------------------------


def write_theirs(source: Path, folder: Path) -> Path:
    """Pylint's sources with the documentation of its messages alone; its generator writes into them."""
    copy = folder / "theirs"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("tests"))
    docs = copy / "doc"
    (docs / "index.rst").write_text(INDEX.format(page="user_guide/messages/messages_overview"), "utf-8")
    (docs / "conf.py").write_text(
        "import sys\nfrom pathlib import Path\n"
        "here = Path(__file__).parent\nsys.path[:0] = [str(here / 'exts'), str(here.parent)]\n"
        "project = 'pylint'\nextensions = ['pylint_messages']\n"
        "include_patterns = ['index.rst', 'user_guide/messages/**']\n"
        "suppress_warnings = ['ref', 'toc', 'docutils']\n",
        "utf-8",
    )
    return docs


# --- errkit's side --------------------------------------------------------------------------------------


def write_ours(source: Path, folder: Path) -> Path:
    """The same messages as a catalogue file, and a site that shows it."""
    docs = folder / "ours"
    docs.mkdir()
    messages = list(read_messages(source))
    catalog = {
        "format": "errkit.catalog/1",
        "registry": "pylint",
        "markup": "rst",
        "domains": [
            {
                "domain": f"pylint.{category}",
                "title": category.capitalize(),
                "codes": [message for key, message in messages if key == letter],
            }
            for letter, category in CATEGORIES.items()
        ],
    }
    (docs / "pylint.json").write_text(json.dumps(catalog), "utf-8")
    (docs / "index.rst").write_text(INDEX.format(page="errors/index"), "utf-8")
    (docs / "conf.py").write_text(
        "project = 'pylint'\nextensions = ['errkit.sphinx']\nerrkit_registries = ['pylint.json']\n"
        "suppress_warnings = ['ref', 'docutils']\n",
        "utf-8",
    )
    print(f"{len(messages)} messages, {sum(len(message['aliases']) for _, message in messages)} old names")
    return docs


def read_messages(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each message of pylint as an entry of a catalogue, with the letter of its category."""
    sys.path.insert(0, str(source))
    generator = load_generator(source)
    from pylint.lint import PyLinter

    linter = PyLinter()
    generator._register_all_checkers_and_extensions(linter)
    taken: set[str] = set()
    for message in sorted(linter.msgs_store.messages, key=lambda message: message.msgid):
        data = source / "doc" / "data" / "messages" / message.symbol[0] / message.symbol
        names = [message.symbol, *(name for old in message.old_names for name in old)]
        aliases = [name for name in dict.fromkeys(names) if name.lower() not in taken]
        taken |= {name.lower() for name in (message.msgid, *aliases)}
        yield (
            message.msgid[0],
            {
                "const": message.msgid,
                "code": message.msgid,
                "title": message.msg.splitlines()[0].strip(),
                "description": "\n\n".join(prose_of(message.description, data)),
                "aliases": aliases,
                "public": True,
            },
        )


def load_generator(source: Path) -> Any:
    """Pylint's generator as a module: it knows which checkers there are."""
    path = source / "doc" / "exts" / "pylint_messages.py"
    spec = importlib.util.spec_from_file_location("pylint_messages", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def prose_of(description: str, data: Path) -> Iterator[str]:
    """What pylint's page of a message says: its description, code that is wrong and right, details, links."""
    yield description.replace("\\", "\\\\")
    for name, title in {"bad": "Problematic code", "good": "Correct code"}.items():
        files = [data / f"{name}.py"] if (data / f"{name}.py").exists() else sorted(data.glob(f"{name}/*.py"))
        if files:
            yield f"**{title}:**"
        for path in files:
            yield ".. code-block:: python\n\n" + textwrap.indent(path.read_text("utf-8"), "   ")
    for name, title in {"details": "Additional details", "related": "Related links"}.items():
        path = data / f"{name}.rst"
        if path.exists():
            yield f"**{title}:**\n\n{path.read_text('utf-8').strip()}"


# --- builds ---------------------------------------------------------------------------------------------


def build(docs: Path, theme: str) -> tuple[float, int, float]:
    """CPU seconds, pages (with those of short links) and megabytes of a site that is built from nothing."""
    target = docs.parent / f"{docs.name}-{theme}"
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-D", f"html_theme={theme}"]
    command += ["-d", str(target / "trees"), str(docs), str(target / "html")]
    child = os.posix_spawn(sys.executable, command, os.environ)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    files = [path for path in (target / "html").rglob("*") if path.is_file()]
    pages = [path for path in files if path.suffix == ".html"]
    return usage.ru_utime + usage.ru_stime, len(pages), sum(path.stat().st_size for path in files) / 1e6


def main() -> None:
    """Measure both sides with each theme."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, help="the unpacked source distribution of pylint")
    parser.add_argument("--theme", action="append", choices=("basic", "furo"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        theirs, ours = write_theirs(options.source, folder), write_ours(options.source.resolve(), folder)
        codes = (ours / "pylint.json").read_text("utf-8").count('"const"')
        for theme in options.theme or ["basic", "furo"]:
            costs = {name: build(docs, theme) for name, docs in {"pylint": theirs, "errkit": ours}.items()}
            for name, (seconds, pages, size) in costs.items():
                print(
                    f"{theme:6} {name:7} {seconds:7.2f} s {seconds / codes * 1000:7.1f} ms a message "
                    f"{pages:5} pages {size:6.1f} MB"
                )
            print(f"{theme:6} ratio   {costs['errkit'][0] / costs['pylint'][0]:7.3f}", flush=True)


if __name__ == "__main__":
    main()
