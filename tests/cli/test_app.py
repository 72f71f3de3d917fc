"""The command as a whole: exit codes, failures, pipes, terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import errkit as package
from errkit import loads
from tests.cli.conftest import variables

if TYPE_CHECKING:
    from tests.cli.conftest import Command

ROOT = Path(package.__file__).parent.parent


def test_the_console_script_is_installed(folder: Path) -> None:
    """`errkit` stands beside the interpreter, and says its version."""
    script = Path(sys.executable).with_name("errkit")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"errkit, version {package.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("list",),
        ("explain",),
        ("site",),
        ("export",),
        ("export", "json"),
        ("check",),
        ("lock",),
        ("diff",),
        ("scan",),
        ("new",),
        ("man",),
    ],
    ids=" ".join,
)
def test_help_shows_examples(arguments: tuple[str, ...], errkit_here: Command) -> None:
    """Each command has a help text; those that do something show how they are called."""
    done = errkit_here(*arguments, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: errkit")
    if arguments not in ((), ("export",)):
        assert f"Examples:\n    errkit {' '.join(arguments)}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lst",), "No such command"),
        (("list", "--nope"), "--nope"),
        (("explain",), "CODE|NUMBER"),
        (("list", "no_such_module"), "[errkit.bad_source] no_such_module: there is no module"),
        (("list", "shop_erors"), "did you mean 'shop_errors'?"),
        (("list", "gone.json"), "there is no file"),
        (("explain", "internal", "bad.json"), "line 1, column 2"),
    ],
)
def test_wrong_use_and_bad_sources_end_with_2(
    arguments: tuple[str, ...], said: str, errkit_here: Command, folder: Path
) -> None:
    """What can't be understood or loaded is said on standard error, with what to do."""
    (folder / "bad.json").write_text("{")
    done = errkit_here(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "Hint: " in done.stderr or "--help" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("list", "--nope", "--json"), "errkit.wrong_use"),
        (("nope", "--json"), "errkit.wrong_use"),
        (("list", "no_such_module", "--json"), "errkit.bad_source"),
        (("explain", "no.such_code", "--json"), "errkit.unknown_code"),
        (("check", "no_such_module", "--format", "json"), "errkit.bad_source"),
        (("check", "no_such_module", "--format=json"), "errkit.bad_source"),
    ],
)
def test_a_program_gets_its_failures_as_payloads(
    arguments: tuple[str, ...], code: str, errkit_here: Command
) -> None:
    """One line on standard error, with code and hint; the answer stays empty."""
    done = errkit_here(*arguments)
    assert done.returncode in (1, 2)
    assert done.stdout in ("", "[]\n")
    [line] = done.stderr.splitlines()
    payload = loads(line)
    assert (payload.code, bool(payload.hint)) == (code, True)


def test_wrong_use_is_coded(errkit_here: Command) -> None:
    """People see how the command is called, what is wrong, and where to read more."""
    done = errkit_here("list", "--knd", "x")
    assert done.stderr.startswith("Usage: errkit list [OPTIONS] [ITEM]...\n[errkit.wrong_use] No such option")
    assert done.stderr.endswith("Hint: See the options and examples: errkit list --help\n")
    assert errkit_here().stderr.startswith("Usage: errkit [OPTIONS] COMMAND")


SECRET = "hunter2"

LEAKY = """
from errkit import CodedError, Details, Secret, code

class LoginDetails(Details):
    user: str
    password: Secret[str] = "hunter2"
    token: str = "Bearer hunter2hunter2"

class LoginError(CodedError, domain="shop.login", title="Login", numbers=range(1, 9)):
    BAD = code("Login failed", LoginDetails, number=1, public=True, hint="Try again.",
               example={"user": "u", "password": "hunter2", "token": "Bearer hunter2hunter2"})

def log_in(user, password="hunter2"):
    raise LoginError.BAD(user=user, password="hunter2")
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "shop_leaky"),
        ("list", "--json", "shop_leaky"),
        ("list", "shop_leaky", "--search", "password=hunter2"),
        ("list", "postgresql://u:hunter2@db/x.json"),
        ("list", "shop_raising"),
        ("list", "shop_raising", "--json"),
        ("explain", "1", "shop_leaky"),
        ("explain", "1", "shop_leaky", "--json"),
        ("explain", "--log", "leaky.log", "shop_leaky"),
        ("explain", "--log", "leaky.log", "shop_leaky", "--json"),
        ("explain", "password=hunter2", "shop_leaky"),
        ("explain", "[shop.login.bad] password=hunter2", "shop_leaky"),
        ("explain", "1", "shop_raising"),
        ("check", "shop_leaky"),
        ("check", "shop_leaky", "--format", "sarif"),
        ("check", "shop_leaky", "--json"),
        ("scan", "shop_leaky.py", "--codes", "shop_leaky"),
        ("scan", "shop_leaky.py", "--codes", "shop_leaky", "--json"),
        ("lock", "shop_leaky"),
        ("lock", "shop_leaky", "--json"),
        ("diff", "shop_leaky", "--against", "https://u:hunter2@git/x"),
        ("export", "json", "shop_leaky"),
        ("export", "json", "shop_raising"),
        ("new", "shop.cart", "--numbers", "password=hunter2"),
        ("new", "shop.cart", "--json"),
        ("man", "--json"),
        ("man", "password=hunter2"),
        ("site", "shop_raising"),
        ("site", "shop_raising", "--json"),
        ("password=hunter2",),
    ],
    ids=" ".join,
)
def test_a_planted_secret_is_in_no_output(
    arguments: tuple[str, ...], errkit_here: Command, folder: Path
) -> None:
    """Not from defaults, examples, logs, failing imports or arguments, whatever the command."""
    (folder / "shop_leaky.py").write_text(LEAKY)
    (folder / "shop_raising.py").write_text(
        "raise RuntimeError('no postgresql://u:hunter2@db, password=hunter2')\n"
    )
    (folder / "leaky.log").write_text(
        '{"code": "shop.login.bad", "details": {"password": "hunter2"}}\n'
        '{"code": "shop.login.nope", "token": "hunter2"}\npassword=hunter2 [shop.login.bad] hunter2\n'
    )
    done = errkit_here(*arguments)
    assert done.stdout or done.stderr
    assert SECRET not in done.stdout + done.stderr
    written = [path for path in folder.rglob("*") if path.suffix in (".json", ".html", ".1")]
    assert not any(SECRET in path.read_text("utf-8") for path in written)


def test_a_bad_configuration_ends_with_2(errkit_here: Command, folder: Path) -> None:
    """A wrong setting is named with its key."""
    (folder / "pyproject.toml").write_text("[tool.errkit]\nregistries = 'shop_errors'")
    done = errkit_here("list")
    assert done.returncode == 2
    assert "[errkit.bad_config]" in done.stderr
    assert "tool.errkit.registries: expected a list" in done.stderr


def test_the_project_says_which_registries(errkit_here: Command, folder: Path) -> None:
    """Without items those of pyproject.toml count, from any folder of the project, and as they are named."""
    (folder / "pyproject.toml").write_text(
        "[tool.errkit]\nregistries = ['shop_errors', { registry = 'shop_errors', name = 'twin' }]"
    )
    (folder / "deep").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "errkit", "list"],
        cwd=folder / "deep",
        env=variables(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()] == [
        ["shop_errors", "shop.cart.empty"],
        ["shop_errors", "shop.cart.slow"],
        ["twin", "shop.cart.empty"],
        ["twin", "shop.cart.slow"],
    ]


def test_items_may_be_named(errkit_here: Command) -> None:
    """NAME=ITEM calls a registry so, which tells two of one name apart."""
    done = errkit_here("list", "shop_errors", "other=shop_errors")
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == {"shop_errors", "other"}
    assert "taken" not in errkit_here("list", "shop_errors", "shop_errors").stdout


def test_without_a_project_there_is_something_to_see(errkit_here: Command) -> None:
    """In any folder, the codes of errkit and of its catalogues are listed."""
    named = {line.split("\t")[0] for line in errkit_here("list").stdout.splitlines()}
    assert named == {"errkit", "agent_core", "agent_device", "harness"}


def test_a_safe_path_is_respected(folder: Path) -> None:
    """With `python -P` the current folder is not searched for modules."""
    command = [sys.executable, "-P", "-m", "errkit", "list", "shop_errors"]
    done = subprocess.run(command, cwd=folder, env=variables(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no module 'shop_errors'" in done.stderr


def test_a_reader_that_leaves_is_no_failure(folder: Path) -> None:
    """`errkit list | head -1` ends without a word about the pipe."""
    command = f"{sys.executable} -m errkit list --json | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=variables(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[\n", "")


def test_what_the_encoding_lacks_is_written_out(errkit: Command, folder: Path) -> None:
    """Output in ASCII fails at no character."""
    (folder / "shop_errors.py").write_text(
        "from errkit import *\nclass E(CodedError, domain='e'):\n    ONE = code('Für \U0001f6d2')\n", "utf-8"
    )
    done = errkit("list", "shop_errors", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "F\\xfcr \\U0001f6d2" in done.stdout


@pytest.mark.parametrize("module", ["click", "rich"])
def test_a_missing_extra_is_named(module: str, folder: Path) -> None:
    """Without click or rich the command says which extra to install, as a coded error, and ends with 2."""
    script = (
        f"import sys; sys.modules[{module!r}] = None; from errkit.cli import main; sys.exit(main(['list']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=variables(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"[errkit.missing_extra] the command line needs {module}")
    assert "pip install 'errkit[cli]'" in done.stderr
    assert "Hint: " in done.stderr


def test_the_script_needs_the_standard_library_only() -> None:
    """Importing the entry point works in a bare interpreter."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from errkit.cli import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "[errkit.missing_extra]" in done.stderr


def test_an_interrupt_is_no_traceback(folder: Path) -> None:
    """Ctrl+C while a module is imported ends with 130 and one word."""
    # A process that was started in the background ignores the signal, and so do its children.
    (folder / "slow.py").write_text(
        "import signal as s\ns.signal(s.SIGINT, s.default_int_handler)\ns.raise_signal(s.SIGINT)\n"
    )
    command = [sys.executable, "-m", "errkit", "list", "slow"]
    done = subprocess.run(command, cwd=folder, env=variables(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "stopped")


EVIL = "\x1b]0;owned\x07\x9b31mred\u202egnihton\r\n\x00"


@pytest.fixture
def evil(folder: Path) -> Path:
    """A catalogue that tries to steer the terminal in every text that it has."""
    import json

    code = {
        "const": "ONE",
        "title": f"One {EVIL}",
        "hint": EVIL,
        "description": f"Prose\n\n{EVIL}",
        "details": [{"name": "a", "type": EVIL, "description": EVIL}],
        "reasons": {EVIL: {"title": EVIL, "hint": EVIL}},
        "example": {"a": EVIL},
        "since": EVIL,
        "docs": EVIL,
    }
    data = {
        "format": "errkit.catalog/1",
        "registry": "evil",
        "domains": [{"domain": "evil", "title": EVIL, "codes": [code]}],
    }
    path = folder / "evil.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "evil.json"),
        ("list", "--json", "evil.json"),
        ("explain", "evil.one", "evil.json"),
        ("explain", "--json", "evil.one", "evil.json"),
        ("explain", EVIL.replace("\x00", ""), "evil.json"),
        ("export", "json", "evil.json"),
        ("diff", "--changelog", "--against", "evil.json", "twin=evil.json"),
        ("list", EVIL.replace("\x00", "")),
        (EVIL.replace("\x00", ""),),
    ],
)
@pytest.mark.parametrize("terminal", [False, True])
def test_no_control_character_reaches_the_screen(
    arguments: tuple[str, ...],
    terminal: bool,
    errkit: Command,
    errkit_at_terminal: Command,
    evil: Path,
) -> None:
    """Texts of catalogues and of arguments are shown without anything that steers a terminal."""
    done = (errkit_at_terminal if terminal else errkit)(*arguments, NO_COLOR="1")
    shown = (done.stdout + done.stderr).replace("\r\n", "\n")
    for ours in ("\x1b[1m", "\x1b[0m"):
        # NO_COLOR speaks of colours; bold is not one.
        shown = shown.replace(ours, "")
    steering = {char for char in shown if (not char.isprintable() and char not in "\n\t") or char == "\u202e"}
    assert steering == set()
    assert "owned" in shown


def test_colours_are_for_terminals(errkit: Command, errkit_at_terminal: Command) -> None:
    """There are colours at a terminal, none with NO_COLOR, none in a pipe."""
    arguments = ("explain", "shop.cart.empty", "shop_errors")
    assert "\x1b[1;32mHint" in errkit_at_terminal(*arguments).stdout
    assert "\x1b[1mHint" in errkit_at_terminal(*arguments, NO_COLOR="1").stdout
    assert "\x1b" not in errkit(*arguments).stdout
    assert "\x1b" not in errkit_at_terminal(*arguments, TERM="dumb").stdout


def test_a_failure_that_nobody_foresaw_is_coded(folder: Path) -> None:
    """A bug of a command ends with 2 as `internal`, and with its traceback only when that is asked for."""
    script = (
        "import sys, errkit.cli.app as app\n"
        "@app.commands.command()\n"
        "def boom(): raise RuntimeError('boom password=hunter2')\n"
        "from errkit.cli import main\n"
        "sys.exit(main(['boom']))\n"
    )
    for environment in ({}, {"ERRKIT_TRACEBACK": "1"}):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=variables(**environment),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ("Traceback" in done.stderr) == bool(environment)
        if not environment:
            assert done.returncode == 2
            assert done.stderr.startswith("[internal] boom")
            assert "hunter2" not in done.stderr


def test_nothing_is_left_in_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Called from Python, `main` returns the exit code."""
    from errkit.cli import main

    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["explain", "errkit.bad_source", "errkit"]) == 0
    assert main(["explain", "no.such.code", "errkit"]) == 1
    assert main(["explain"]) == 2
    assert os.getcwd() == str(folder)
