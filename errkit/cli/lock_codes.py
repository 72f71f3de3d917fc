"""`errkit lock`: write down what codes promise, and refuse to drop a promise in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from errkit.catalog_file import json_text
from errkit.cli.diff_codes import change_data, named_registries, show_changes
from errkit.cli.findings import Finding, from_here, print_findings, split_place
from errkit.cli.items import epilog, take_items
from errkit.cli.screen import note, show_raw
from errkit.lock import Lock, compare, lock_of, lock_text, read_lock, renewed
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from pathlib import Path

    from errkit.lock import Change

__all__ = ["lock_codes"]


@click.command(
    "lock",
    epilog=epilog(
        "errkit lock",
        "errkit lock --check",
        "errkit lock --major --release 2.0",
        "errkit lock shop.errors",
    ),
    short_help="Write down what codes promise.",
)
@take_items
@click.option(
    "--check", is_flag=True, help="Write nothing; 1 is the exit code if something is to be written."
)
@click.option("--major", is_flag=True, help="Declare a major change: write also what breaks a promise.")
@click.option(
    "--release", metavar="VERSION", default="", help="The version that no longer has what is removed."
)
@click.option("--json", "as_json", is_flag=True, help="Print an object.")
def lock_codes(items: tuple[str, ...], check: bool, major: bool, release: str, as_json: bool) -> int:
    """Write down what the codes promise, in the lock of the project.

    A change that breaks a promise is refused unless it is declared. What is removed then stays in the lock,
    so that its code, its number and its anchor are never given away again.
    """
    registries, names, config = named_registries(items)
    before = _text_of(config.lock)
    old = Lock({}) if before is None else read_lock(config.lock)
    now = lock_of(registries)
    changes = compare(old, now, names)
    broken = [change for change in changes if change.weight == "major" and (change.forbidden or not major)]
    text = lock_text(renewed(old, now, names, removed=release))
    is_old = text != before
    if not broken and is_old and not check:
        _write(config.lock, text)
    if as_json:
        told = {
            "lock": str(config.lock),
            "written": is_old and not broken and not check,
            "changes": [change_data(change) for change in changes],
        }
        show_raw(json_text(told))
    elif broken:
        print_findings(map(_finding, broken))
    elif before is not None:
        show_changes(changes)
    return _outcome(config.lock, is_old=is_old, broken=broken, check=check, size=_size(now))


def _outcome(lock: Path, *, is_old: bool, broken: list[Change], check: bool, size: str) -> int:
    """Say on standard error what became of the lock, and return the exit code."""
    shown = from_here(lock)
    if broken:
        count = "a change breaks" if len(broken) == 1 else f"{len(broken)} changes break"
        note(f"{shown} was not written: {count} what was promised")
    elif is_old and check:
        note(f"{shown} is not up to date; run: errkit lock")
    else:
        note(f"wrote {shown}: {size}" if is_old else f"{shown} is up to date: {size}")
    return int(bool(broken) or (is_old and check))


def _size(lock: Lock) -> str:
    count = sum(1 for _ in lock)
    return f"{count} code{'' if count == 1 else 's'} of {', '.join(lock.registries)}"


def _finding(change: Change) -> Finding:
    return Finding(rule="lock", message=str(change), hint=change.remedy, **split_place(change.place))


def _text_of(lock: Path) -> str | None:
    """What stands in the lock, None if there is none; whether it can be used is the reader's business."""
    try:
        return lock.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError:
        return ""


def _write(lock: Path, text: str) -> None:
    try:
        with click.open_file(str(lock), "wb", atomic=True) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        problem = f"can't be written: {error.strerror or error}"
        message = f"{lock}: {problem}"
        raise ErrkitError.BAD_LOCK(message, path=str(lock), place="the file", problem=problem).override(
            hint="Correct the setting `lock`, or the rights on its folder."
        ) from error
