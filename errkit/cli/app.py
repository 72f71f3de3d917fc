"""The group of commands, and what becomes of their failures.

A command returns its exit code. Whatever it raises ends here: coded errors are shown with their hints, wrong
use with the usage, and a failure that nobody foresaw as the `internal` error that it is.
"""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import click

from errkit.cli.build_site import build_site
from errkit.cli.check_codes import check_codes
from errkit.cli.diff_codes import diff_codes
from errkit.cli.explain_code import explain_code
from errkit.cli.export_files import export_files
from errkit.cli.import_files import import_files
from errkit.cli.items import search_here
from errkit.cli.list_codes import list_codes
from errkit.cli.lock_codes import lock_codes
from errkit.cli.new_domain import new_domain
from errkit.cli.print_manual import print_manual
from errkit.cli.scan_sources import scan_sources
from errkit.cli.screen import complain, no_longer_read, note, tolerate
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["commands", "run"]

# click 8.2 and newer raise the help text of a group that was called without a command.
_HELP: Final = getattr(click.exceptions, "NoArgsIsHelpError", ())


@click.group("errkit", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="errkit", prog_name="errkit")
def commands() -> None:
    """Error codes: list, explain and check them, lock what they promise, build their site, export them."""


for command in (
    list_codes,
    explain_code,
    new_domain,
    build_site,
    export_files,
    import_files,
    check_codes,
    scan_sources,
    lock_codes,
    diff_codes,
    print_manual,
):
    commands.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run a command line, and return the exit code."""
    tolerate()
    search_here()
    as_json = _wants_json(arguments)
    try:
        code = commands.main(list(arguments), prog_name="errkit", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _wrong_use(error, as_json=as_json)
    except BrokenPipeError:
        no_longer_read()
        return 0
    except (click.Abort, KeyboardInterrupt):
        note("stopped")
        return 130
    except Exception as error:
        if os.environ.get("ERRKIT_TRACEBACK"):
            raise
        complain(error, as_json=as_json)
        return 2


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether a program reads the answer; asked before click, which may refuse what is written."""
    return any(
        given in ("--json", "--format=json") or pair == ("--format", "json")
        for given, pair in zip(arguments, pairwise([*arguments, ""]), strict=True)
        if given != "--"
    )


def _wrong_use(error: click.ClickException, *, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    if isinstance(error, _HELP):
        note(error.format_message())
        return 2
    command = "errkit" if context is None else context.command_path
    problem = error.format_message()
    shown = ErrkitError.WRONG_USE(problem, command=command, problem=problem)
    if not as_json and context is not None:
        note(context.get_usage())
    complain(shown.override(hint=f"See the options and examples: {command} --help"), as_json=as_json)
    return error.exit_code
