"""`[tool.errkit.scan]`: what `errkit scan` reads, who owns what, and what a project allows, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from errkit.config.settings import Value

__all__ = ["Allowance", "Scan", "read_scan"]


class Allowance(Record):
    """A finding that a project lives with, and why."""

    rule: str
    file: str
    """The path, or its end, with `*` and `?`; a folder means all files below it."""
    what: str = ""
    """The class, the code or the key that it is about, with `*` and `?`; empty allows all of the rule."""
    reason: str


class Scan(Record):
    """The settings of `errkit scan`."""

    paths: tuple[Path, ...] = ()
    """What is scanned if the command names nothing."""
    exclude: tuple[str, ...] = ()
    """Files and folders to leave out, with `*` and `?`."""
    owners: Mapping[str, str] = {}
    """Module or package -> the domain that should own its failures."""
    fallback_share: int = 50
    """Percent of the raises of a domain that its fallback code may stand for."""
    allow: tuple[Allowance, ...] = ()


def read_scan(value: Value) -> Scan:
    """The settings in the table."""
    return Scan(**{name: _READERS[name](inner) for name, inner in value.named(*_READERS).items()})


def _paths(value: Value) -> tuple[Path, ...]:
    return tuple(item.file() for item in value.items())


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(item.text() for item in value.items())


def _owners(value: Value) -> Mapping[str, str]:
    return {name: inner.text() for name, inner in value.named().items()}


def _share(value: Value) -> int:
    share = value.value
    if not isinstance(share, int) or isinstance(share, bool) or not 0 <= share <= 100:
        value.refuse(f"expected a whole number from 0 to 100 (percent), found {share!r}")
    return share


def _allow(value: Value) -> tuple[Allowance, ...]:
    return tuple(
        Allowance(**item.table("rule", "file", "reason", optional=("what",))) for item in value.items()
    )


_READERS: Final[Mapping[str, Any]] = {
    "paths": _paths,
    "exclude": _texts,
    "owners": _owners,
    "fallback_share": _share,
    "allow": _allow,
}
