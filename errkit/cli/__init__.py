"""The `errkit` command: the same codes as everywhere else, at a terminal.

`main` is the console script. It needs the standard library only, so that it can say what is missing where the
extra `cli` is not installed; all else is behind `app.py`. One module holds one command; `items.py` says which
registries a command is about, and everything that is shown goes through `screen.py`.

Exit codes: 0 clean, 1 findings or an unknown code, 2 wrong use or a source that can't be loaded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code.

    Parameters
    ----------
    arguments
        What stands behind the command's name; that of the process if not given.
    """
    try:
        from errkit.cli.app import run
    except ModuleNotFoundError as error:
        if error.name not in ("click", "rich"):
            raise
        return _say_what_is_missing(error.name)
    return run(sys.argv[1:] if arguments is None else list(arguments))


def _say_what_is_missing(module: str) -> int:
    from errkit.message import format_error
    from errkit.own import ErrkitError

    problem = f"the command line needs {module}; install it with: pip install 'errkit[cli]'"
    print(format_error(ErrkitError.MISSING_EXTRA(problem, extra="cli", module=module)), file=sys.stderr)  # noqa: T201
    return 2
