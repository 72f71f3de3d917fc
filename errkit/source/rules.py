"""What a scan asks: the rules by name, each with what it asks, why, and what to do.

The questions themselves stand in `bare.py`, `codes.py`, `texts.py` and `handlers.py`. This list is what the
command explains, what SARIF carries, and what the reference lists; a test holds them together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RULES", "Found", "ScanRule"]


class ScanRule(Record):
    """One question that a scan asks of the source."""

    name: str
    level: Literal["error", "warning"]
    asks: str
    """What it finds, in one sentence."""
    why: str
    """What goes wrong otherwise."""
    remedy: str
    """What to do, as one imperative sentence."""


class Found(Record):
    """One thing that a scan found."""

    rule: str
    message: str
    file: str
    line: int
    last: int
    """The last line of what is meant; a remark on any of its lines counts."""
    column: int = 0
    what: str = ""
    """What it is about, such as the class that is raised; an allowance can name it."""
    hint: str = ""
    facts: Mapping[str, Any] = {}


def _rule(name: str, level: Literal["error", "warning"], asks: str, why: str, remedy: str) -> ScanRule:
    return ScanRule(name=name, level=level, asks=asks, why=why, remedy=remedy)


_ALL: Final = (
    _rule(
        "bare-raise",
        "warning",
        "An exception without a code is raised.",
        "Whoever catches it has a class and a text, but no code, no hint and no verdict; at the next "
        "boundary it becomes an internal error.",
        "Raise a code of the domain, or put the call under `translating`.",
    ),
    _rule(
        "unknown-code",
        "error",
        "A constant or a text names a code that does not exist.",
        "The constant fails when the line runs, which is when something else has failed already; the text "
        "gives an error that is neither public nor retryable.",
        "Correct the spelling, or declare the code.",
    ),
    _rule(
        "unknown-detail",
        "error",
        "A details key that the code does not declare is given where it is raised.",
        "A throw site never fails, so the value is kept where no reader looks for it, and nobody has said "
        "whether it is secret.",
        "Correct the key, or declare the field in the Details class of the code.",
    ),
    _rule(
        "missing-detail",
        "error",
        "A required details key is not given where a code is raised.",
        "Readers that rely on the field find nothing, and `match` gives None for the error.",
        "Give the key, or give the field a default.",
    ),
    _rule(
        "never-raised",
        "warning",
        "A code is declared that nothing raises.",
        "Its page, its hint and the clients that handle it describe a failure that can't happen.",
        "Raise the code, or remove it and retire its number.",
    ),
    _rule(
        "overused-fallback",
        "warning",
        "The fallback code of a translator is raised by hand for most failures of its domain.",
        "A fallback says that nobody knew better; one code for everything tells a caller nothing.",
        "Give the failures that have become known codes of their own.",
    ),
    _rule(
        "facade-import",
        "error",
        "A module that declares a domain imports a facade.",
        "The facade imports every domain, so the module imports itself by a detour, and which of them is "
        "ready first depends on who is imported first.",
        "Import the domain class that is meant.",
    ),
    _rule(
        "swallowed-cancellation",
        "error",
        "A handler in a function that raises codes catches cancellations and does not raise them again.",
        "A task that was told to stop goes on, or its end is reported as a failure.",
        "Catch `Exception`, or raise cancellations again in a handler above.",
    ),
    _rule(
        "secret-in-message",
        "error",
        "The message of an error is built with a value whose name says that it is secret.",
        "A message goes to logs, terminals and other machines; there is no telling what of it to hide.",
        "Leave the value out, or put it into a details field marked `Secret`.",
    ),
    _rule(
        "foreign-text",
        "warning",
        "The text of a foreign exception stands in the message of a public code.",
        "It was written for somebody else: it may hold paths, addresses and queries, and changes with each "
        "version of the library.",
        "Say what happened in words of your own; the cause keeps the text.",
    ),
    _rule(
        "process-by-hand",
        "warning",
        "The output or exit code of a process is put into an error by hand.",
        "`process_error` keeps command, exit code and all of the output, and quotes the line that tells why.",
        "Raise `process_error(...)`, and your own code from it if you need one.",
    ),
    _rule(
        "unreadable-file",
        "warning",
        "A file can't be read as Python.",
        "Nothing is known of what it raises.",
        "Correct the file, or leave it out with `exclude`.",
    ),
    _rule(
        "bad-remark",
        "error",
        "A comment `# errkit:` is not understood, or gives no reason.",
        "A finding is only hidden on purpose and with a reason that the next reader can judge.",
        "Write it as `# errkit: allow RULE -- REASON`.",
    ),
    _rule(
        "unused-remark",
        "error",
        "A comment allows something that is not found there any more.",
        "It would hide the next one that somebody adds.",
        "Delete the comment.",
    ),
    _rule(
        "stale-allowance",
        "error",
        "An entry of `[tool.errkit.scan]` allows something that is not found any more.",
        "It would hide the next one that somebody adds.",
        "Delete the entry.",
    ),
)

RULES: Final[Mapping[str, ScanRule]] = {rule.name: rule for rule in _ALL}
"""All rules by name, in the order in which they are explained."""
