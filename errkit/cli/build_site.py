"""`errkit site`: a whole reference site for packages that have no Sphinx set-up.

This room holds the command. `building.py` makes a site and `remembering.py` keeps what the next build can
use, `publishing.py` puts it into its folder, `watching.py` builds it again, `serving.py` shows it.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from errkit.catalog_file import json_text
from errkit.cli.building import Plan, build
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.publishing import copy_out, put_in_place, refuse_foreign, workplace
from errkit.cli.remembering import Memory
from errkit.cli.screen import complain, note, progress, show, show_raw
from errkit.cli.serving import open_browser, serving
from errkit.cli.watching import keep_building, report_inputs
from errkit.errors import CodedError
from errkit.fields import Record
from errkit.guards import iter_causes
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.config import Config, Source

__all__ = ["build_site"]

PORT = 8000


@click.command(
    "site",
    epilog=epilog(
        "errkit site shop.errors -o site",
        "errkit site shop.errors --watch --serve --open",
        'errkit site shop.json --title "Errors of the shop" --theme furo',
        "errkit site",
    ),
    short_help="Build a reference site.",
)
@take_items
@click.option(
    "-o",
    "--output",
    default="site",
    show_default=True,
    type=click.Path(file_okay=False),
    help="The folder of the site.",
)
@click.option("--title", help="The title of the site.")
@click.option("--theme", help="A Sphinx HTML theme; furo if it is installed, else alabaster.")
@click.option("--allow-warnings", is_flag=True, help="Publish the site even if the builder warns.")
@click.option("--watch", is_flag=True, help="Build again after each change, until Ctrl-C.")
@click.option("--serve", is_flag=True, help="Serve the site to this machine, until Ctrl-C.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"The port to serve at: {PORT}, or 0 for any free one."
)
@click.option("--open", "browse", is_flag=True, help="Show the site in the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print an object for each build.")
def build_site(
    items: tuple[str, ...],
    output: str,
    title: str | None,
    theme: str | None,
    allow_warnings: bool,
    watch: bool,
    serve: bool,
    port: int | None,
    browse: bool,
    as_json: bool,
) -> int:
    """Build a browsable site of all codes, and print where its first page is.

    Only what has changed since the last time is built. A warning of the builder, such as one about broken
    markup in prose, is a failure: the last good site then stays in its folder, and the exit code is 1.
    """
    if port is not None and not serve:
        raise click.UsageError("--port says where to serve the site: add --serve.")
    _need_sphinx()
    order = _Order(
        items=items,
        output=output,
        title=title,
        theme=theme,
        allow_warnings=allow_warnings,
        as_json=as_json,
    )
    refuse_foreign(order.folder, output)
    with _ending_well():
        if watch or serve:
            return _stay(order, watch, (port if port is not None else PORT) if serve else None, browse)
        code = _build_once(order)
        if browse and code == 0:
            open_browser(order.first_page.as_uri())
        return code


class _Order(Record):
    """What the user asked for."""

    items: tuple[str, ...]
    output: str
    title: str | None
    theme: str | None
    allow_warnings: bool
    as_json: bool

    @property
    def folder(self) -> Path:
        """The folder of the site, absolute."""
        return Path(os.path.abspath(self.output)).resolve()

    @property
    def first_page(self) -> Path:
        """The file to open."""
        return self.folder / "index.html"

    @property
    def command(self) -> list[str]:
        """The command that builds this once, in another process."""
        options = ["-o", self.output]
        options += [] if self.title is None else ["--title", self.title]
        options += [] if self.theme is None else ["--theme", self.theme]
        options += ["--allow-warnings"] if self.allow_warnings else []
        options += ["--json"] if self.as_json else []
        return [sys.executable, "-m", "errkit", "site", *options, "--", *self.items]


def _need_sphinx() -> None:
    if importlib.util.find_spec("sphinx") is None:
        raise ErrkitError.MISSING_EXTRA(
            "errkit site needs Sphinx; install it with: pip install 'errkit[site]'",
            extra="site",
            module="sphinx",
        )


@contextmanager
def _ending_well() -> Iterator[None]:
    """End by way of the `finally` clauses: a command that is stopped leaves nothing behind."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    except _EndError:
        sys.exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


class _EndError(BaseException):
    """Not SystemExit, which is a failure of the module that is being imported."""


def _end(*_: object) -> NoReturn:
    raise _EndError


# --- staying ------------------------------------------------------------------------------------------------


def _stay(order: _Order, watch: bool, port: int | None, browse: bool) -> int:
    """Build, then watch or serve until the user has seen enough, which is no failure."""
    with ExitStack() as stack:
        address = order.first_page.as_uri()
        if port is not None:
            address = stack.enter_context(serving(order.folder, port))

        def present() -> None:
            if port is not None:
                note(f"serving {address} until Ctrl-C")
            if browse:
                open_browser(address)

        try:
            if watch:
                return keep_building(order.command, order.folder, present)
            code = _build_once(order)
            if code == 0:
                present()
                _wait()
            return code
        except KeyboardInterrupt:
            note("stopped")
            return 0


def _wait() -> NoReturn:
    while True:
        time.sleep(3600)


# --- one build ----------------------------------------------------------------------------------------------


def _build_once(order: _Order) -> int:
    """Build the site in this process, and put it in place if it is good."""
    try:
        return _publish(order, *resolve(order.items))
    finally:
        report_inputs(order.items)


def _publish(order: _Order, sources: Sequence[Source], config: Config) -> int:
    folder = order.folder
    plan = Plan(order.title or _title_of(sources), order.theme or _default_theme(), sources, config)
    with workplace(folder) as work:
        memory = Memory(folder, work)
        with progress(f"Building the site of {', '.join(source.registry.name for source in sources)}"):
            built = build(work, plan, memory)
        for warning in built.warnings:
            note(warning)
        if built.failure is not None:
            raise _why(built.failure, folder)
        if built.warnings and not order.allow_warnings:
            complain(
                _failed(folder, f"the builder warned {_times(len(built.warnings))}: {built.warnings[0]}"),
                as_json=order.as_json,
            )
            return 1
        put_in_place(copy_out(built.site, work), folder)
        if not built.warnings:
            memory.keep()
    page = os.path.join(order.output, "index.html")
    if order.as_json:
        show_raw(json_text({"page": page, "warnings": built.warnings}))
    else:
        show(page, lines=False)
    return 0


def _default_theme() -> str:
    return "furo" if importlib.util.find_spec("furo") is not None else "alabaster"


def _title_of(sources: Sequence[Source]) -> str:
    return f"Errors of {sources[0].registry.name}" if len(sources) == 1 else "Error reference"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _failed(folder: Path, problem: str, cause: BaseException | None = None) -> CodedError:
    error = ErrkitError.SITE_FAILED(f"{folder}: {problem}", folder=str(folder), problem=problem)
    error.__cause__ = cause
    return error


def _why(failure: Exception, folder: Path) -> CodedError:
    """The coded error behind a failed build, or a new one."""
    for cause in iter_causes(failure):
        if isinstance(cause, CodedError):
            return cause
    error = _failed(folder, f"Sphinx failed: {str(failure) or type(failure).__name__}", failure)
    return error.override(hint="Correct what Sphinx names, and run the command again.")
