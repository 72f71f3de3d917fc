"""Which line of a program's output is quoted."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from errkit.domains.output import MAX_QUOTE, telling_line

TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    f()\n    ^^^\n'
NODE = "/srv/x.js:1\nthrow new Error('boom');\n^\n\nError: boom\n    at Object.<anonymous> (/srv/x.js:1:7)\n"
CURL = (
    "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
    "                                 Dload  Upload   Total   Spent    Left  Speed\n\r"
    "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0"
    "curl: (6) Could not resolve host: nowhere\n"
)
GIT = "Cloning into 'x'...\nremote: Counting objects: 100% (5/5), done.\nReceiving objects:  50% (1/2)\r"
ADB = "* daemon not running; starting now at tcp:5037\n* daemon started successfully\n"
GROUP = (
    "  + Exception Group Traceback (most recent call last):\n"
    '  |   File "x.py", line 1, in <module>\n'
    "  |     f()\n"
    "  | ExceptionGroup: many (1 sub-exception)\n"
)

CASES = {
    "plain": ("", "fatal: not a git repository\n", "fatal: not a git repository"),
    "blank lines": ("", "\r\n\r\nboom here\r\nnext\r\n", "boom here"),
    "error prefix": ("", "error: device is locked\n", "device is locked"),
    "upper case prefix": ("", "ERROR: Bad thing\n", "Bad thing"),
    "a shell that traces": ("sh", "+ set -e\n++ foo --bar\nfoo: not found\n", "foo: not found"),
    "program in capitals": ("adb", "ADB: Error: device offline\n", "device offline"),
    "one prefix only": ("", "Error: error: x\n", "error: x"),
    "program and prefix": ("adb", "adb: error: device offline\n", "device offline"),
    "program without space": ("adb", "adb:deviceOffline still not ready\n", "deviceOffline still not ready"),
    "no prefix": ("cat", "cats: not found\n", "cats: not found"),
    "word error": ("", "errors: 3\n", "errors: 3"),
    "traceback": ("python", f"{TRACEBACK}ValueError: bad\n", "ValueError: bad"),
    "chained traceback": (
        "python",
        f"{TRACEBACK}KeyError: 'x'\n\nDuring handling of the above exception, another one occurred:\n\n",
        "KeyError: 'x'",
    ),
    "group traceback": ("python", GROUP, "ExceptionGroup: many (1 sub-exception)"),
    "syntax error": (
        "python",
        '  File "x.py", line 1\n    x =\n       ^\nSyntaxError: invalid syntax\n',
        "SyntaxError: invalid syntax",
    ),
    "node": ("node", NODE, "boom"),
    "java": ("java", "\tat x.Main.main(Main.java:3)\nCaused by: x.Gone: no\n", "Caused by: x.Gone: no"),
    "npm": ("npm", "npm warn deprecated foo\nnpm notice new\nnpm error code ENOENT\n", "code ENOENT"),
    "old npm": ("npm", "npm WARN deprecated foo\nnpm ERR! code E404\n", "code E404"),
    "apt": (
        "apt",
        "\nWARNING: apt does not have a stable CLI interface.\n\nE: Unable to locate package foo\n",
        "E: Unable to locate package foo",
    ),
    "apt lists": (
        "apt-get",
        "W: Some index files failed\nE: Held broken packages\n",
        "E: Held broken packages",
    ),
    "adb": ("adb", f"{ADB}adb: failed to stat x\n", "failed to stat x"),
    "python warning": (
        "python",
        "/x/y.py:3: DeprecationWarning: old\n  warnings.warn('old')\nImportError: gone\n",
        "ImportError: gone",
    ),
    "compiler": (
        "cc",
        "x.c:3:5: warning: unused\nx.c:9:1: error: expected ';'\n",
        "x.c:9:1: error: expected ';'",
    ),
    "java options": ("java", "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nError: no class\n", "no class"),
    "git hint": ("git", "hint: use -f\nerror: failed to push\n", "failed to push"),
    "git": ("git", f"{GIT}fatal: early EOF\n", "fatal: early EOF"),
    "curl": ("curl", CURL, "(6) Could not resolve host: nowhere"),
    "pip": ("pip", "[notice] A new release\nERROR: No matching distribution\n", "No matching distribution"),
    "rust": ("x", "note: run with `RUST_BACKTRACE=1`\nthread 'main' panicked\n", "thread 'main' panicked"),
    "colours": ("", "\x1b[31merror: boom\x1b[0m\n", "boom"),
    "terminal title": ("", "\x1b]0;building\x07\x1b[1m\x1b[Kld: symbol missing\n", "ld: symbol missing"),
    "progress bar": ("", "10%\r50%\r100%\rfailed\n", "failed"),
    "drawn bar": (
        "",
        "[=====>    ]\n  45% |████      | 1.2M\nDownloading foo 45%\n⠋ working\nno space\n",
        "no space",
    ),
    "status lines": ("", "Waiting for device...\nBuilding...\nlink failed\n", "link failed"),
    "log": (
        "",
        "2024-01-02 10:11:12,123 INFO starting\n2024-01-02T10:11:13Z [WARN] slow\nDEBUG: x\ndisk on fire\n",
        "disk on fire",
    ),
    "a percentage that tells": ("", "disk is 100% full\n", "disk is 100% full"),
    "an error that warns": ("", "error: treat warning: as error\n", "treat warning: as error"),
    "nothing but a warning": ("", "warning: only this\n", "warning: only this"),
    "nothing": ("", "\n---\n", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_the_line_that_says_something(name: str) -> None:
    """Headers, warnings, colours, bars and frames are passed over, and prefixes are taken off."""
    program, stderr, expected = CASES[name]
    assert telling_line(stderr, program=program) == expected


def test_a_warning_is_better_than_nothing() -> None:
    """Where nothing else was said it is quoted whole."""
    assert telling_line("warning: low disk\n10%\n") == "warning: low disk"


def test_standard_output_is_considered() -> None:
    """Where the error output says nothing: what speaks of a failure, then a warning, then the beginning."""
    assert telling_line("", "compiling a\ncompiling b\nBUILD FAILED: reason\n") == "BUILD FAILED: reason"
    assert telling_line("npm warn x\n", "3 tests failed\n") == "3 tests failed"
    assert telling_line("npm warn x\n", "hello\n") == "npm warn x"
    assert telling_line("", "hello\nworld\n") == "hello"
    assert telling_line("told\n", "fatal\n") == "told"


def test_a_line_is_chosen_before_anything_is_cut() -> None:
    """The reason may stand far down; only the quote itself is shortened."""
    noise = "npm warn deprecated something\n" * 50_000
    assert telling_line(f"{noise}the reason\n") == "the reason"
    assert telling_line("x" * MAX_QUOTE) == "x" * MAX_QUOTE
    assert telling_line("y" * 5_000_000) == f"{'y' * (MAX_QUOTE - 1)}…"


def test_a_real_interpreter() -> None:
    """What this Python prints for an uncaught error."""
    script = "import warnings; warnings.warn('old'); raise LookupError('no such cart')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert telling_line(done.stderr, program="python") == "LookupError: no such cart"


@given(stderr=st.text(), stdout=st.text(), program=st.text(max_size=5))
def test_any_output(stderr: str, stdout: str, program: str) -> None:
    """One line without control characters and of bounded length comes out of anything."""
    line = telling_line(stderr, stdout, program=program)
    assert len(line) <= MAX_QUOTE
    assert all(character.isprintable() or ord(character) > 159 for character in line)
