"""Runs one page of the documentation the way its reader would: from top to bottom, in an empty folder.

    python -P tests/story.py docs/tutorial.md

- A block with a caption (in README: a comment `<!-- file: NAME -->` above it) is saved as that file.
- A `python` block is run; those of a page share one namespace. With `>>>` in it, it is a doctest. What it
  prints is the `text` block that follows.
- In a `console` block each line after `$ ` is run by bash; the lines below it are what it prints. Where
  nothing is shown, nothing is compared, but the command has to succeed. `...` stands for any text.
- Installing a package and make are not run; that the extra and the target exist is checked instead.
- `json` and `toml` blocks must parse.

The interpreter is a fresh one for each page, so no page leans on what another one declared.
"""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import types
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FLAGS = doctest.ELLIPSIS
_FILE = re.compile(r"<!--\s*file:\s*(\S+)\s*-->")
_OPTION = re.compile(r":(\w+):[ \t]*(.*)\n?")
_EXTRAS = re.compile(r"\[([\w,-]+)\]")


class Block(NamedTuple):
    """One fenced block of a page."""

    language: str
    text: str
    file: str
    line: int


def read_blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in order; directives that hold prose are opened."""
    return _blocks(page.read_text(encoding="utf-8"), 0)


def _blocks(source: str, offset: int) -> Iterator[Block]:
    file = ""
    for token in MarkdownIt("commonmark").parse(source):
        if token.type == "html_block":
            named = _FILE.search(token.content)
            file = named[1] if named else ""
        if token.type != "fence":
            continue
        assert token.map is not None
        line = offset + token.map[0] + 1
        directive, _, language = token.info.strip().rpartition("} ")
        text, options, skipped = (
            _without_options(token.content) if token.info.startswith("{") else (token.content, {}, 0)
        )
        if token.info.startswith("{") and directive != "{code-block":
            yield from _blocks(text, line + skipped)
            continue
        yield Block((language or "text").split()[0], text, options.get("caption", file), line + skipped)
        file = ""


def _without_options(content: str) -> tuple[str, dict[str, str], int]:
    options: dict[str, str] = {}
    count = 0
    while match := _OPTION.match(content):
        options[match[1]] = match[2].strip()
        content = content[match.end() :]
        count += 1
    while options and content.startswith("\n"):
        content = content[1:]
        count += 1
    return content, options, count


class Failure(AssertionError):
    """A page says what is not so."""


class Story:
    """One page, block by block."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.module = types.ModuleType("__main__")
        self.printed: tuple[str, int] | None = None
        """What the last block printed, until a `text` block claims it."""

    def run(self) -> None:
        sys.modules["__main__"] = self.module
        sys.path.insert(0, os.getcwd())
        for block in read_blocks(self.page):
            try:
                self.step(block)
            except Failure as failure:
                raise Failure(f"{self.page.name}:{block.line}: {failure}") from None
            except Exception as error:
                error.add_note(f"in the block at {self.page}:{block.line}")
                raise
        self.nothing_unclaimed()

    def step(self, block: Block) -> None:
        if block.language != "text":
            self.nothing_unclaimed()
        if block.file:
            self.save(block)
        elif block.language in ("python", "pycon"):
            self.python(block)
        elif block.language == "console":
            console(block.text)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "text" and self.printed is not None:
            printed, _ = self.printed
            self.printed = None
            compare(block.text, printed)

    def nothing_unclaimed(self) -> None:
        if self.printed is not None:
            printed, line = self.printed
            raise Failure(f"the block at line {line} prints what the page does not show:\n{printed}")

    def save(self, block: Block) -> None:
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        path = Path(block.file)
        assert not path.is_absolute(), path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def python(self, block: Block) -> None:
        scope = self.module.__dict__
        if ">>>" in block.text:
            report = io.StringIO()
            test = doctest.DocTestParser().get_doctest(
                block.text, scope, self.page.name, str(self.page), block.line
            )
            runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
            if runner.run(test, out=report.write, clear_globs=False).failed:
                raise Failure(report.getvalue())
            scope.update(test.globs)
            return
        code = compile("\n" * block.line + block.text, str(self.page), "exec", dont_inherit=True)
        output = io.StringIO()
        with redirect_stdout(output):
            exec(code, scope)
        if output.getvalue():
            self.printed = output.getvalue(), block.line


def console(text: str) -> None:
    """Run each command of a session and compare what it prints."""
    for command, expected in commands(text):
        if checked_only(command):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        if done.returncode:
            raise Failure(f"`{command}` ends with {done.returncode}:\n{done.stdout}")
        if expected:
            compare(expected, done.stdout)


def commands(text: str) -> Iterator[tuple[str, str]]:
    command, output = "", ""
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:].rstrip("\n"), ""
        elif command.endswith("\\"):
            command += "\n" + line.rstrip("\n")
        else:
            output += line
    if command:
        yield command, output


def checked_only(command: str) -> bool:
    """Whether a command is not run, because it installs or builds: then what it names must exist."""
    words = shlex.split(command, comments=True)
    if words[:1] == ["make"]:
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        missing = [word for word in words[1:] if "=" not in word and word not in targets]
        if missing:
            raise Failure(f"the Makefile has no target {missing[0]}")
        return True
    if words[:2] == ["git", "clone"] or words[:3] == ["python3", "-m", "venv"]:
        return True
    if "install" in words and any(word.endswith(("pip", "uv")) for word in words):
        project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
            "project"
        ]
        for word in words:
            for extra in ",".join(_EXTRAS.findall(word)).split(","):
                if extra and extra not in project["optional-dependencies"]:
                    raise Failure(f"errkit has no extra {extra}")
        return True
    return False


def compare(expected: str, found: str) -> None:
    checker = doctest.OutputChecker()
    expected, found = (
        re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip("\n") + "\n" for text in (expected, found)
    )
    if not checker.check_output(expected, found, FLAGS):
        raise Failure(f"expected:\n{expected}\nfound:\n{found}")


def main() -> None:
    page = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(sys.prefix, ".venv")
        os.environ["PATH"] = os.pathsep.join([os.path.join(sys.prefix, "bin"), os.environ.get("PATH", "")])
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, ".cache")
        # A reader sits at a terminal: pytest shortens its summary there, and not where CI runs.
        for name in ("CI", "BUILD_NUMBER"):
            os.environ.pop(name, None)
        # The plugins that a reader has from errkit[test]; with all that are here, pytest would start slowly.
        os.environ |= {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p errkit -p hypothesispytest",
        }
        # Whoever commits has a name, which a machine that tests need not have.
        for who in ("AUTHOR", "COMMITTER"):
            os.environ |= {f"GIT_{who}_NAME": "Reader", f"GIT_{who}_EMAIL": "reader@example.com"}
        try:
            Story(page).run()
        except Failure as failure:
            sys.exit(f"FAILED {failure}")
        finally:
            os.chdir(ROOT)


if __name__ == "__main__":
    main()
