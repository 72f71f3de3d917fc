"""What type checkers accept and refuse: mypy --strict and pyright run over `tests/typing/`.

A line there that must not type-check carries the comment `# rejected: why`; one that a single checker
refuses carries `# rejected by mypy: why` or `# rejected by pyright: why`. Each checker must refuse those
statements and no others, so both a promise that is broken and a strictness that is lost show up here. pyright
reads `tests/typing/pyrightconfig.json`: strict, but for the rules on names that are defined and never used.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "typing"
FILES = sorted(FOLDER.glob("*.py"))
CHECKERS = ("mypy", "pyright")
MARK = re.compile(r"#\s*rejected(?: by (?P<checker>\w+))?:\s*\S")


def run(*command: str) -> str:
    """The standard output of a checker, which exits 1 when it finds something."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def mypy_findings() -> list[tuple[str, int, str]]:
    """File, line and message of each error that mypy reports."""
    lines = run("mypy", "--strict", "--output=json", *map(str, FILES)).splitlines()
    findings = [json.loads(line) for line in lines if line.startswith("{")]
    return [
        (str(ROOT / found["file"]), found["line"], found["message"])
        for found in findings
        if found["severity"] == "error"
    ]


def pyright_findings() -> list[tuple[str, int, str]]:
    """File, line and message of each error that pyright reports."""
    report = json.loads(
        run("pyright", "--outputjson", "--project", str(FOLDER), "--pythonpath", sys.executable)
    )
    assert report["summary"]["filesAnalyzed"] == len(FILES)
    return [
        (found["file"], found["range"]["start"]["line"] + 1, found["message"])
        for found in report["generalDiagnostics"]
        if found["severity"] == "error"
    ]


@cache
def findings(checker: str) -> list[tuple[str, int, str]]:
    """What a checker says about all files: one run, for it starts slowly."""
    return mypy_findings() if checker == "mypy" else pyright_findings()


def simple_statements(source: str) -> list[tuple[int, int]]:
    """First and last line of each statement that holds no others; of a block, its head alone."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else (node.end_lineno or node.lineno)
            spans.append((node.lineno, max(node.lineno, last)))
    return spans


def statement_at(line: int, spans: list[tuple[int, int]]) -> int:
    """The first line of the smallest statement around a line; the line itself where there is none."""
    around = [span for span in spans if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0])[0] if around else line


def marked(source: str, checker: str) -> set[int]:
    """The first lines of the statements that a checker must refuse."""
    spans = simple_statements(source)
    found = set()
    for number, text in enumerate(source.splitlines(), 1):
        mark = MARK.search(text)
        if mark and mark["checker"] in (None, checker):
            # A comment on a line of its own speaks of the statement below it.
            found.add(statement_at(number + text.lstrip().startswith("#"), spans))
    return found


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_checkers_refuse_what_is_marked_and_nothing_else(path: Path, checker: str) -> None:
    """Both checkers refuse every marked statement, and accept all the rest."""
    source = path.read_text("utf-8")
    spans = simple_statements(source)
    said = {
        statement_at(line, spans): f"{path.name}:{line}: {message}"
        for file, line, message in findings(checker)
        if Path(file) == path
    }
    expected = marked(source, checker)
    assert [text for line, text in sorted(said.items()) if line not in expected] == []
    assert [f"{path.name}:{line} is accepted" for line in sorted(expected - set(said))] == []


@pytest.mark.full
def test_all_public_types_are_known(tmp_path: Path) -> None:
    """Nothing in the public interface is unknown to the type checker of a program that uses errkit.

    Except for what derives from a widget: ipywidgets, below anywidget, is not typed.
    """
    binaries = Path(sys.executable).parent
    env = {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": str(binaries.parent),
    }
    # From elsewhere: inside the project pyright would find the sources and not the installed package.
    done = subprocess.run(
        ["pyright", "--verifytypes", "errkit", "--ignoreexternal", "--outputjson"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    assert report["exportedSymbolCounts"]["withKnownType"] > 0
    unknown = {
        symbol["name"]
        for symbol in report["symbols"]
        if symbol["isExported"] and not symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]
    }
    assert unknown == {
        "errkit.jupyter.explorer",
        "errkit.jupyter.exploring.explorer",
        "errkit.jupyter.widget.Explorer",
    }


def test_every_promise_has_a_rejected_line() -> None:
    """The files hold lines to refuse at all: for details keys, for codes, and for a misspelt import."""
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    assert len(MARK.findall(text)) >= 5
    assert all(mark["checker"] in (None, *CHECKERS) for mark in MARK.finditer(text))
