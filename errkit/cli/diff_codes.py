"""`errkit diff`: what has changed since codes were promised, and which version number that asks for."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any, Final

import click

from errkit.catalog_file import json_text
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.screen import clean, is_terminal, note, show_raw, show_table
from errkit.lock import WEIGHTS, compare, lock_of, needed, parse_lock, read_lock
from errkit.own import ErrkitError
from errkit.registry import Registry
from errkit.safe import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from errkit.config import Config
    from errkit.errors import CodedError
    from errkit.lock import Change, Lock

__all__ = ["change_data", "diff_codes", "named_registries", "show_changes"]

ALLOWED: Final = ("none", *reversed(WEIGHTS))


@click.command(
    "diff",
    epilog=epilog(
        "errkit diff",
        "errkit diff --against v1.2.0",
        "errkit diff --against v1.2.0 --changelog >> CHANGELOG.md",
        "errkit diff shop.errors --against old.lock.json --allow patch",
    ),
    short_help="Show what has changed, and how much it weighs.",
)
@take_items
@click.option(
    "--against",
    metavar="REV|FILE",
    help="A revision of git, a lock, or a catalogue file; the lock of the project if not given.",
)
@click.option(
    "--allow",
    type=click.Choice(ALLOWED),
    default="minor",
    show_default=True,
    help="The heaviest change that is no finding.",
)
@click.option("--changelog", is_flag=True, help="Print an entry for a changelog, in Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print an object.")
def diff_codes(
    items: tuple[str, ...], against: str | None, allow: str, changelog: bool, as_json: bool
) -> int:
    """Show what has changed since the codes were promised, and the version number that this asks for.

    In a pipe each change is one line: weight, registry, code and what has changed, with tabs between them.
    The exit code is 1 where a change weighs more than what is allowed.
    """
    registries, names, config = named_registries(items)
    changes = compare(_base(against, config), lock_of(registries), names)
    weight = needed(changes)
    if as_json:
        show_raw(json_text({"needed": weight, "changes": [change_data(change) for change in changes]}))
    elif changelog:
        show_raw(_changelog(changes, several=len({change.registry for change in changes}) > 1))
    else:
        show_changes(changes)
        note(f"these changes need a {weight} version" if weight else "nothing has changed")
    return int(weight is not None and ALLOWED.index(weight) > ALLOWED.index(allow))


def named_registries(items: Sequence[str]) -> tuple[list[Registry], list[str] | None, Config]:
    """The registries that promise something, their names where only some of the project are meant, and the
    settings.

    Raises
    ------
    click.UsageError
        Nobody says which registries.
    """
    sources, config = resolve(items)
    if not items and not config.registries:
        raise click.UsageError(
            "say which registries promise something: name a module or a catalogue file, or list them under "
            "`registries` of [tool.errkit] in pyproject.toml"
        )
    registries = [source.registry for source in sources]
    return registries, [registry.name for registry in registries] if items else None, config


# --- what was promised before -----------------------------------------------------------------------


def _base(against: str | None, config: Config) -> Lock:
    if against is None:
        return read_lock(config.lock)
    if not os.path.exists(against):
        return _lock_at(against, config.lock)
    if _is_catalogue(against):
        return lock_of([Registry.load(against)])
    return read_lock(against)


def _is_catalogue(path: str) -> bool:
    if path.lower().endswith(".toml"):
        return True
    with click.open_file(path, "rb") as file:
        return b'"errkit.catalog/' in file.read(4096)


def _lock_at(revision: str, lock: Path) -> Lock:
    """The lock as it was in a revision of git."""
    found = _git(lock, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        raise _no_base(revision, revision, "is neither a file nor a revision of git here")
    shown = f"{revision}:{lock.name}"
    text = _git(lock, "cat-file", "blob", f"{found.stdout.decode('ascii').strip()}:./{lock.name}")
    if text.returncode:
        raise _no_base(revision, shown, f"the revision has no {lock.name}")
    try:
        return parse_lock(text.stdout.decode("utf-8-sig"), shown)
    except UnicodeDecodeError as error:
        raise _no_base(revision, shown, "expected UTF-8") from error


def _git(lock: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603 (no shell; the revision stands behind --end-of-options)
            ["git", *arguments],  # noqa: S607 (the git of whoever calls)
            cwd=lock.parent,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise _no_base(arguments[-1], "git", f"can't be asked: {error}") from error


def _no_base(revision: str, path: str, problem: str) -> CodedError:
    error = ErrkitError.BAD_LOCK(f"{path}: {problem}", path=path, place=revision, problem=problem)
    return error.override(hint="Name a lock, a catalogue file, or a revision that holds the lock.")


# --- showing ----------------------------------------------------------------------------------------


def change_data(change: Change) -> dict[str, Any]:
    """A change for machines."""
    told = {name: redact(getattr(change, name)) for name in ("what", "remedy", "place")}
    return {
        "weight": change.weight,
        "registry": change.registry,
        "code": change.code,
        **{name: text for name, text in told.items() if text},
    }


def show_changes(changes: Iterable[Change]) -> None:
    """Changes as a table at a terminal, as lines in a pipe."""
    rows = [(change.weight, change.registry, change.code, redact(change.what)) for change in changes]
    if rows or not is_terminal():
        show_table(("Weight", "Registry", "Code", "Change"), rows)


def _changelog(changes: Sequence[Change], *, several: bool) -> str:
    parts: dict[str, list[str]] = {}
    for change in changes:
        heading = "Breaking" if change.weight == "major" else "Added" if change.new else "Changed"
        parts.setdefault(heading, []).append(_entry(change, several=several))
    return "\n".join(
        "\n".join([f"### {heading}", "", *parts[heading]]) + "\n"
        for heading in ("Breaking", "Added", "Changed")
        if heading in parts
    )


def _entry(change: Change, *, several: bool) -> str:
    name = f"{change.registry}:{change.code}" if several else change.code
    number = "" if change.number is None else f" ({change.number})"
    if change.new:
        return f"- `{name}`{number}: {_as_markdown(clean(redact(change.title)))}"
    return f"- `{name}`: {_as_markdown(clean(redact(change.what)))}"


def _as_markdown(text: str) -> str:
    """Text that says in Markdown what it says: what marks something up there is escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|&" else letter for letter in text)
