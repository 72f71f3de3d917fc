"""`scan`: all questions of `rules.py`, asked of some files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from errkit.fields import Record
from errkit.source.allowing import by_configuration, by_remarks
from errkit.source.bare import Owners, find_bare_raises
from errkit.source.codes import (
    find_details,
    find_facade_imports,
    find_never_raised,
    find_overused_fallbacks,
    find_unknown_codes,
)
from errkit.source.handlers import find_swallowed_cancellations
from errkit.source.raising import Reading
from errkit.source.reading import find_files, without_pauses
from errkit.source.rules import RULES, Found
from errkit.source.texts import find_foreign_texts, find_processes, find_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errkit.config import Config
    from errkit.registry import Registry

__all__ = ["Scanned", "scan"]


class Scanned(Record):
    """The outcome of a scan."""

    findings: tuple[Found, ...]
    """In order of files and lines."""
    allowed: tuple[Found, ...]
    """What a comment or an entry of the configuration allows."""
    files: int
    """How many files were read."""


def scan(paths: Iterable[str | os.PathLike[str]], registries: Sequence[Registry], config: Config) -> Scanned:
    """Look for everything that `RULES` names, without importing what is scanned.

    Whether a code is raised at all is asked of the domains that are declared in one of the folders that are
    scanned, not in single files.

    Parameters
    ----------
    paths
        Python files, and folders of them.
    registries
        The registries whose codes count.
    config
        The settings of the project, with what it allows.
    """
    given = [os.path.abspath(os.fspath(path)) for path in paths]
    settings = config.scan
    files = list(find_files(given, settings.exclude))
    folders = tuple(os.path.join(path, "") for path in given if os.path.isdir(path))
    whole = {file for file in files if file.startswith(folders)}
    with without_pauses():
        reading = Reading(files, registries, [str(config.root)])
        found = list(_findings(reading, registries, whole, config))
    left, by_comment = by_remarks(found, reading.program.outlines)
    left, by_entry = by_configuration(left, settings.allow, files, str(config.path or ""))
    return Scanned(
        findings=tuple(sorted(left, key=_order)), allowed=(*by_comment, *by_entry), files=len(files)
    )


def _findings(
    reading: Reading, registries: Sequence[Registry], whole: set[str], config: Config
) -> Iterator[Found]:
    yield from _unreadable(reading)
    yield from find_bare_raises(reading, Owners(config.scan.owners, reading))
    yield from find_unknown_codes(reading)
    yield from find_details(reading)
    yield from find_never_raised(reading, registries, whole)
    yield from find_overused_fallbacks(reading, registries, whole, config.scan.fallback_share)
    yield from find_facade_imports(reading)
    yield from find_swallowed_cancellations(reading)
    yield from find_secrets(reading)
    yield from find_foreign_texts(reading)
    yield from find_processes(reading)


def _unreadable(reading: Reading) -> Iterator[Found]:
    for outline in reading.program.outlines:
        if outline.problem is not None:
            line, problem = outline.problem
            yield Found(
                rule="unreadable-file",
                message=f"the file {problem}",
                file=outline.file,
                line=line,
                last=line,
                hint=RULES["unreadable-file"].remedy,
            )


def _order(one: Found) -> tuple[str, int, int, str]:
    return one.file, one.line, one.column, one.rule
