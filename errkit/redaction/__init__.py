"""What is secret in a name and in a text, and its replacement by a placeholder.

A secret is known in three ways: by the name it stands under (`names.py`), by its own form (`rules.py`,
`tokens.py`), and because the program registered it (`literals.py`). A fourth, the declaration `Secret[T]`,
belongs to the fields of an error. What is done with containers is in `safe`, which calls this room.

Doubt is settled so: a structure is believed (`password=x`, `"token": "x"`, `--api-key x`), prose is not
(`token: export it first`); `doubt.py` lists what counts as prose. Nothing here may raise for any text, look
at a clock or read the environment, and everything takes time linear in the text.

What is not found, on purpose: a secret without a name, a known form or a registration; a secret under a name
that is not English; a password that is an English word in the middle of a sentence; text in another encoding
than percent, JSON, the quotes of XML, or (for registered literals) base64.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from errkit.fields import PLACEHOLDER
from errkit.redaction import literals
from errkit.redaction.deciding import is_pair
from errkit.redaction.literals import add_literal, remove_literal
from errkit.redaction.names import is_secret_item, is_secret_key
from errkit.redaction.rules import is_suspicious, one_pass
from errkit.redaction.tools import ARGUMENTS_OF, GLUED
from errkit.redaction.values import is_option, is_stand_in

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "PLACEHOLDER",
    "add_literal",
    "is_secret_item",
    "is_secret_key",
    "redact_argv",
    "redact_text",
    "remove_literal",
]

_SHORTEST: Final = 5
"""`pw=x1`: nothing shorter holds a secret."""

_PASSES: Final = 8
"""What was hidden may have excused what stood beside it, so a text is read until nothing changes; two are
the rule."""

_LONGEST_REMEMBERED: Final = 128
_MOST_REMEMBERED: Final = 512
_innocent: Final[set[str]] = set()
"""Short texts that were found innocent: hints, titles and names of operations come back with every error."""


def redact_text(text: str) -> str:
    """The text without the secrets in it.

    Parameters
    ----------
    text
        Any text: a message, a log line, JSON, a header, a command line, a traceback. It may be cut off.

    Returns
    -------
    str
        The same text with `PLACEHOLDER` in place of each secret, and the very object that was given if there
        is none. Redacting it again changes nothing. Quotes around a value stay; a number, list or mapping
        under a secret name in JSON becomes a text there.
    """
    plain = text if type(text) is str else str.__str__(text)
    found = literals.without_literals(plain) if literals.forms else plain
    if len(found) >= _SHORTEST and found not in _innocent:
        if is_suspicious(found) and (redacted := _until_stable(found)) is not found:
            return redacted
        _remember(found)
    return text if found is plain else found


def _remember(text: str) -> None:
    if len(text) <= _LONGEST_REMEMBERED:
        if len(_innocent) >= _MOST_REMEMBERED:
            _innocent.clear()
        _innocent.add(text)


def _until_stable(text: str) -> str:
    for _ in range(_PASSES):
        found = one_pass(text)
        if found is text:
            break
        text = found
    return text


_HEADER_OPTIONS: Final = frozenset({"-H", "--header", "--proxy-header"})


def redact_argv(items: Sequence[str]) -> list[str]:
    """An argument list, a header pair, or any list of texts, without its secrets.

    The argument behind a secret option is hidden (`["--password", "x"]`), what stands behind the `=` of a
    secret name (`--token=x`, `PASSWORD=a b`), and a secret header behind `-H`. An argument that is itself an
    option is no value. Of two texts the second is hidden if the first is the name of a secret header, or of
    another secret and the second is neither a name nor a remark. Everything else is redacted as text.

    Parameters
    ----------
    items
        The arguments, the program first if it is there.
    """
    if len(items) == 2 and not items[0].startswith("-") and is_pair(items[0], items[1]):
        return [redact_text(items[0]), PLACEHOLDER]
    program = items[0].rpartition("/")[2] if items else ""
    special = ARGUMENTS_OF.get(program, frozenset())
    if "login" in items[1:3]:
        special = special | {"-p"}  # docker, podman, oc, az and others
    shown: list[str] = []
    before = ""
    for item in items:
        is_glued = program in GLUED and item[:2] == "-p" and len(item) > 2 and not is_stand_in(item[2:])
        shown.append(f"-p{PLACEHOLDER}" if is_glued else _argument(item, before, special))
        before = item
    return shown


def _argument(item: str, before: str, special: frozenset[str]) -> str:
    is_value = before.startswith("-") and "=" not in before and not is_option(item)
    if is_value and item and (before in special or is_secret_item(before, item)):
        return item if is_stand_in(item) else PLACEHOLDER
    name, _, value = item.partition("=")
    if is_secret_item(name, value) and re.fullmatch(r"[\w.-]+", name):
        return item if is_stand_in(value) else f"{name}={PLACEHOLDER}"
    if before in _HEADER_OPTIONS:
        name, _, value = item.partition(":")
        if is_secret_item(name, value.strip()):
            return item if is_stand_in(value.strip()) else f"{name}: {PLACEHOLDER}"
    return redact_text(item)
