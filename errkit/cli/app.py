"""The group of commands, and what becomes of their failures.

A command returns its exit code. Whatever it raises ends here: coded errors are shown with their hints, wrong
use with the usage, and a failure that nobody foresaw as the `internal` error that it is.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import click

from errkit.cli.build_site import build_site
from errkit.cli.check_codes import check_codes
from errkit.cli.diff_codes import diff_codes
from errkit.cli.explain_code import explain_code
from errkit.cli.export_files import export_files
from errkit.cli.items import search_here
from errkit.cli.list_codes import list_codes
from errkit.cli.lock_codes import lock_codes
from errkit.cli.scan_sources import scan_sources
from errkit.cli.screen import complain, no_longer_read, note, tolerate

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["commands", "run"]


@click.group("errkit", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="errkit", prog_name="errkit")
def commands() -> None:
    """Error codes: list, explain and check them, lock what they promise, build their site, export them."""


for command in (
    list_codes,
    explain_code,
    build_site,
    export_files,
    check_codes,
    scan_sources,
    lock_codes,
    diff_codes,
):
    commands.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run a command line, and return the exit code."""
    tolerate()
    search_here()
    try:
        code = commands.main(list(arguments), prog_name="errkit", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _wrong_use(error)
    except BrokenPipeError:
        no_longer_read()
        return 0
    except (click.Abort, KeyboardInterrupt):
        note("stopped")
        return 130
    except Exception as error:
        if os.environ.get("ERRKIT_TRACEBACK"):
            raise
        complain(error)
        return 2


def _wrong_use(error: click.ClickException) -> int:
    shown = io.StringIO()
    error.show(shown)
    note(shown.getvalue().rstrip())
    return error.exit_code
