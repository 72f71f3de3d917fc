"""`errkit site`: a whole reference site for packages that have no Sphinx set-up.

The site is built beside its folder, by Sphinx with `errkit.sphinx` and one landing page, and takes the place
of the old one only when it is good. Nothing is written into the package, and a folder that holds anything but
a site of this command is never touched.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shutil
import signal
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import click

from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.screen import complain, note, progress, show
from errkit.errors import CodedError, iter_causes
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.config import Config, Source

__all__ = ["build_site"]

MARKER: Final = ".errkit-site"
"""The file that says that a folder was made by this command, and may be replaced by it."""


@click.command(
    "site",
    epilog=epilog(
        "errkit site shop.errors -o site",
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
def build_site(
    items: tuple[str, ...], output: str, title: str | None, theme: str | None, allow_warnings: bool
) -> int:
    """Build a browsable site of all codes, and print where its first page is.

    A warning of the builder, such as one about broken markup in prose, is a failure: the last good site then
    stays in its folder, and the exit code is 1.
    """
    _need_sphinx()
    sources, config = resolve(items)
    folder = Path(os.path.abspath(output)).resolve()
    _refuse_foreign(folder, output)
    plan = _Plan(title or _title_of(sources), theme or _default_theme())
    with _workplace(folder) as work:
        with progress(f"Building the site of {', '.join(source.registry.name for source in sources)}"):
            warnings, failure = _build(work, plan, sources, config)
        for warning in warnings:
            note(warning)
        if failure is not None:
            raise _why(failure, folder)
        if warnings and not allow_warnings:
            complain(_failed(folder, f"the builder warned {_times(len(warnings))}: {warnings[0]}"))
            return 1
        _put_in_place(work / "site", folder)
    show(os.path.join(output, "index.html"), lines=False)
    return 0


class _Plan(NamedTuple):
    title: str
    theme: str


def _need_sphinx() -> None:
    if importlib.util.find_spec("sphinx") is None:
        raise ErrkitError.MISSING_EXTRA(
            "errkit site needs Sphinx; install it with: pip install 'errkit[site]'",
            extra="site",
            module="sphinx",
        )


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


# --- the folder of the site ---------------------------------------------------------------------------------


def _refuse_foreign(folder: Path, output: str) -> None:
    """Only what this command made is replaced: `-o .` must not cost anybody a project."""
    if folder == Path.cwd().resolve() or folder == folder.parent:
        raise click.BadParameter(
            f"{output!r} is the current folder; name a folder of its own", param_hint="-o"
        )
    try:
        foreign = folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists()
    except OSError as error:
        raise click.BadParameter(f"{output!r} can't be read: {error.strerror}", param_hint="-o") from error
    if foreign:
        raise click.BadParameter(
            f"{output!r} holds files that errkit site did not make; name an empty folder, or remove them",
            param_hint="-o",
        )


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """A folder to build in, on the disk of the site if that can be written to; gone in the end."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent)
    except OSError:
        work = tempfile.mkdtemp(prefix="errkit-site.")
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield Path(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _: object) -> NoReturn:
    """End by way of the `finally` clauses: a build that is stopped leaves nothing behind."""
    sys.exit(128 + number)


def _put_in_place(built: Path, folder: Path) -> None:
    """Let the new site take the place of the old one, which comes back if that fails."""
    (built / MARKER).write_text("made by errkit site, and replaced by it\n", "utf-8")
    old = built.with_name("old")
    try:
        if folder.exists():
            folder.rename(old)
        built.rename(folder)
    except OSError:
        if old.exists() and not folder.exists():
            old.rename(folder)
        _put_inside(built, folder)


def _put_inside(built: Path, folder: Path) -> None:
    """Exchange what is in a folder that can't be exchanged itself, such as a mounted one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        shutil.copytree(built, folder, dirs_exist_ok=True)
    except OSError as error:
        raise _failed(folder, f"the folder can't be written: {error}", error) from error


# --- the build ----------------------------------------------------------------------------------------------


def _build(
    work: Path, plan: _Plan, sources: Sequence[Source], config: Config
) -> tuple[list[str], Exception | None]:
    """Build into `site` below the workplace: what the builder warned of, and what ended it."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    folder = work / "source"
    folder.mkdir()
    count = sum(len(source.registry) for source in sources)
    (folder / "index.rst").write_text(_landing_page(plan.title, count), "utf-8")
    warnings, failure = io.StringIO(), None
    try:
        with patch_docutils(folder), docutils_namespace():
            app = Sphinx(
                folder,
                None,
                work / "site",
                work / "doctrees",
                "html",
                _settings(plan, sources, config),
                status=None,
                warning=warnings,
                freshenv=True,
            )
            app.build(force_all=True)
    except Exception as error:
        failure = error
    return _lines(warnings.getvalue(), work), failure


def _why(failure: Exception, folder: Path) -> CodedError:
    """The coded error behind a failed build, or a new one."""
    for cause in iter_causes(failure):
        if isinstance(cause, CodedError):
            return cause
    error = _failed(folder, f"Sphinx failed: {str(failure) or type(failure).__name__}", failure)
    return error.override(hint="Correct what Sphinx names, and run the command again.")


def _settings(plan: _Plan, sources: Sequence[Source], config: Config) -> dict[str, Any]:
    """What `conf.py` would hold."""
    return {
        "extensions": ["errkit.sphinx"],
        "project": plan.title,
        "html_title": plan.title,
        "html_theme": plan.theme,
        "html_copy_source": False,
        "html_show_copyright": False,
        "html_show_sourcelink": False,
        "errkit_registries": [{"registry": source.registry, "prefix": source.prefix} for source in sources],
        "errkit_prose": None if config.prose is None else str(config.prose),
        "errkit_base_url": config.base_url,
    }


_SHORT: Final = 200
"""So many codes are listed on the landing page itself."""


def _landing_page(title: str, count: int) -> str:
    """The one page that has a file: the title, and the codes or, of a large site, the domains."""
    words = " ".join(title.split())
    literal = "".join(letter if letter.isalnum() or letter == " " else f"\\{letter}" for letter in words)
    line = "=" * (4 * len(literal))
    listed = ".. err:table::" if count <= _SHORT else ".. err:registry::"
    return f"{line}\n{literal}\n{line}\n\n.. toctree::\n   :hidden:\n\n   errors/index\n\n{listed}\n"


def _lines(text: str, work: Path) -> list[str]:
    """The warnings, one line each, without colours and without folders that are gone when they are read."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for gone in (work / "source", work):
        plain = plain.replace(f"{gone}{os.sep}", "")
    return [line for line in plain.splitlines() if line.strip()]
