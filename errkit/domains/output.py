"""The line of a program's output that says why it failed.

A failed program tells its reason somewhere among warnings, progress bars, colours and stack frames. This
room picks one line out of all that, and shortens it only after it was chosen. It declares no codes;
`os_process.py` quotes the line in the message of a failed process.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_QUOTE", "telling_line"]

MAX_QUOTE: Final = 200
"""Characters of a line that are quoted."""
_MAX_LINE: Final = 4096
"""Characters of a line that are looked at; a longer one is data."""
_HEAD: Final = 300
"""Characters that decide what kind of line it is."""

_LINE: Final = re.compile(r"[^\r\n]+")
"""A progress bar overwrites its line after a carriage return, so that ends a line as well."""
_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and cursor moves (ECMA-48 section 5.4)
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles and links
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
_BORDER: Final = re.compile(r"\s*\| |\s+\+ ")
"""What Python draws at the left of a group's traceback."""
_METER: Final = re.compile(r"[\s\d.:kMGT-]{40,200}(?=curl: )")
"""curl writes its message right behind its progress meter."""

_PROGRESS: Final = re.compile(
    r"\W*$"
    r"|(?:[\w.-]+:?\s+)?(?:error|fatal|err!)\W*$"
    r"|.*, done\.$"
    r"|[\d\s.:,%kKMGTB/s|-]*$"
    r"|\s*\d{1,3}(?:\.\d+)?\s?%"
    r"|.*\d\s?%\s*[(|\[#=━█▏▎▍▌▋▊▉]"
    r"|(?:remote: )?(?:(?:down|up)?load|progress|receiv|resolv|count|compress|unpack|fetch)\w*\b.*\d\s?%"
    r"|\s*% Total\s|\s*Dload\s+Upload|\s*\d+K[ .]{5}"
    r"|[\u2800-\u28ff]",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"(?:[\w./@+-]+:?\s+)?warn(?:ing)?s?\b"
    r"|(?:(?!error|fatal|fail).){0,200}?\b\w*warning:"
    r"|npm\s+(?:notice|info|http|verb|sill|timing)\b"
    r"|(?:[WN]|debconf|dpkg-preconfigure): "
    r"|\+{1,4} "  # a shell under `set -x`
    r"|\* daemon |adb server (?:version|is out of date)"
    r"|(?:note|hint|info|debug|notice|trace|deprecat\w+)\s*:"
    r"|\[(?:note|hint|info|debug|notice|trace|warn\w*)\]"
    r"|\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z\s\]-]*\W*(?:trace|debug|info|notice|warn)"
    r"|Picked up \w*JAVA\w*:"
    r"|bash: (?:cannot set terminal process group|no job control)",
    re.IGNORECASE,
)
_TRACE: Final = re.compile(
    r"(?:Exception Group )?Traceback \(most recent call last\):"
    r"|During handling of the above exception|The above exception was the direct cause"
    r'|\s*File ".*", line \d+'
    r"|\s+at\s+\S"
)
_SOURCE: Final = re.compile(r"(?:node:|file:/|/|[A-Za-z]:\\)\S*:\d+$")
"""Node names file and line, then prints that line of the source."""
_FAILURE: Final = re.compile(
    r"\b(?:errors?|fail(?:ed|ure|s)?|fatal|exception|cannot|can't|could not|unable|denied|refused|not found"
    r"|no such|invalid|missing|panic|abort(?:ed)?|unknown|unrecogni[sz]ed)\b",
    re.IGNORECASE,
)


def telling_line(stderr: str, stdout: str = "", *, program: str = "") -> str:
    """The first line that says something about a failure, without escapes and prefixes; empty if none does.

    Warnings, progress, log lines below error level and stack frames are passed over; a traceback speaks
    with its exception. Where `stderr` has nothing else, a line of `stdout` that speaks of a failure is
    taken, then a warning, then whatever `stdout` begins with.

    Parameters
    ----------
    stderr, stdout
        The whole output.
    program
        The name of the program; a line often repeats it at its start.
    """
    line = _without_prefix(" ".join(_chosen(stderr, stdout).split()), program)
    return line if len(line) <= MAX_QUOTE else f"{line[: MAX_QUOTE - 1].rstrip()}…"


def _chosen(stderr: str, stdout: str) -> str:
    warning = beginning = ""
    for tells, line in _judged(stderr):
        if tells:
            return line
        warning = warning or line
    for tells, line in _judged(stdout):
        if tells and _FAILURE.search(line):
            return line
        beginning = beginning or (line if tells else "")
    return warning or beginning


def _lines(text: str) -> Iterator[str]:
    for found in _LINE.finditer(text):
        start, end = found.span()
        line = _ESCAPES.sub("", text[start : min(end, start + _MAX_LINE)])
        drawn = _BORDER.match(line) or _METER.match(line)
        yield line[drawn.end() :] if drawn else line


def _judged(text: str) -> Iterator[tuple[bool, str]]:
    """Each line that tells something, or is a warning; whether it tells, and the line."""
    passed_over = quotes_source = False
    for line in _lines(text):
        head = line[:_HEAD].rstrip()
        if quotes_source:
            quotes_source = False
        elif _SOURCE.match(head):
            quotes_source = True
        elif _TRACE.match(head):
            passed_over = True
        elif passed_over and head[:1].isspace():
            # An indented line goes on with the one above it.
            continue
        elif _PROGRESS.match(head) or (head.endswith("...") and not _FAILURE.search(head)):
            continue
        else:
            passed_over = _ASIDE.match(head) is not None
            yield not passed_over, line


def _without_prefix(line: str, program: str) -> str:
    rest = line
    if program and rest[: len(program)].casefold() == program.casefold():
        rest = re.sub(rf"{re.escape(program)}(?::\s*|\s+(?=err))", "", rest, count=1, flags=re.IGNORECASE)
    if rest[:3].lower() == "err":
        rest = re.sub(r"(?:error:|err!|error(?= code ))\s*", "", rest, count=1, flags=re.IGNORECASE)
    return rest or line
