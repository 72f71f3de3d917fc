"""Reading a value out of a text, and telling values that are no secrets.

A `Value` is read in two steps. The first stops after a bounded look, and is enough to decide; only what is
going to be hidden is then read to its end. This keeps every rule linear: what is left alone may be read
again for the next name, but never more than `LOOK` characters of it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from errkit.fields import PLACEHOLDER
from errkit.redaction.patterns import regex, run_end

__all__ = [
    "ANSI",
    "BEHIND_COLON",
    "IN_PERCENT",
    "IN_QUERY",
    "LINE",
    "LOOK",
    "PLAIN_NAME",
    "PLAIN_WORD",
    "QUOTE",
    "SEPARATE",
    "Span",
    "Value",
    "bracket_end",
    "is_generated",
    "is_no_secret",
    "is_option",
    "is_stand_in",
    "previous_word",
    "quoted",
    "trim",
    "unquoted",
]

LOOK: Final = 200
"""How many characters a decision may look at."""

Span = tuple[int, int, str]
"""From where to where to hide, and the quote to put around the placeholder."""

QUOTE: Final = r"""
    (?P<prefix>[bruf@$]{0,2})
    (?P<quote>
        (?P<one>\\{0,64}+["'])(?P=one){2} | \\{0,64}+["'`] | \\{1,8}+(?:u0022|x22|x27)
      | %22 | %27 | &quot; | &\#34; | &\#39;
    )
"""
"""What opens a quoted value: three quotes, one behind backslashes, or one in another encoding."""

ANSI: Final = r"(?:(?:\x1b|\\{1,8}+(?:u001b|x1b|033|e))\[[\d;]{0,16}+m)*+"
"""What colours a text at a terminal, as it is or escaped: loggers colour names and values each."""

_ESCAPED_END: Final = (
    r"""\\{0,8}(?:["'`] | (?-i:[nrt] | u00(?:[01][0-9a-f]|2[0267]|3[ce]) | x(?:1b|2[0267]) | 033))"""
)
"""An escaped character that ends a value, such as a quote; `\\u00e4` belongs to it."""

_SEPARATE: Final = r"""(?:
    [^\s"'`<>\\&;,|%%\x1b]
  | %%(?!0[ad])
  | [&;,|](?!\s|$|["'`)\]}>\\]|amp;|[\w.\[\]-]{1,64}+=|[a-z_][\w-]{0,64}+:%s)
  | \\(?!%s)
  | ["'`](?=[^\W_])
  | <(?![/a-z!]) | >
)*+"""

SEPARATE: Final = _SEPARATE % (r"\s", _ESCAPED_END)
"""The rest of an unquoted value. A separator belongs to it unless something separate follows: the next
`name=`, a space, the end. A quote belongs to it if it goes on behind it (`it's`)."""

BEHIND_COLON: Final = _SEPARATE % (r"(?!//)", _ESCAPED_END)
"""The same where names and values are joined by a colon: `user:bob,password:x,host:y`."""

LINE: Final = r"(?:[^\r\n\\] | \\(?!\\{0,8}(?-i:[rn])))*+"
"""The rest of the line, also if its end is escaped."""

IN_QUERY: Final = rf"""(?:[^\s"'`<>&\#\\\x1b] | \\(?!{_ESCAPED_END}))*+"""
"""The rest of a parameter in the query or the fragment of an address."""

IN_PERCENT: Final = r"""(?:[^\s"'`<>&%\\] | %(?!20|22|26|27|0[ad]|2c|3b|7d|23))*+"""
"""The rest of a value whose name and separator are percent-encoded."""

PLAIN_NAME: Final = r"[a-z_]\w*+(?:\.[a-z_]\w*+)*+"
PLAIN_WORD: Final = r"[^\W\d_]++(?:['\u2019/-][^\W\d_]++)*+"

_STAND_IN: Final = r"""(?:
    <[a-z][\w :./|-]*+>                                                     # <your token>
  | [$\#]\{[^{}]*+\} | \$\([^()]*+\) | \{\{[^{}]*+\}\} | \$\{\{[^{}]*+\}\}       # ${TOKEN}, {{ vault.token }}
  | (?-i:\$[A-Z_][A-Z0-9_]*+) | \$\d{1,3} | %[a-z_]++% | ![a-z]++           # $TOKEN, $1, %TOKEN%, !secret
  | %\(\w++\)s | \{?(?:%[sdr]|\{\d?\}|[:;,=/@ -])++\}? | \?                          # %s:%s, {0}
  | \{[a-z_][\w.]*+(?:\(\))?(?:![rsa])?(?::[^{}]*+)?\}                        # {token!r}
  | \[[a-z][a-z _-]*+\] | \((?:redacted|hidden|unset|none|required)\)         # [FILTERED]
  | [*x.\u2022\u2026_-]{3,}+ | your[-_ ]\w[\w-]*+
  | (?:sk|pk|ghp|adc|xox[a-z])[\w-]{0,40}?[-_](?:x{3,}+|\.{3}|\u2026)           # sk-xxxx, adc_agent_...
  | SecretStr\('\*++'\) | VALUE_SPECIFIED_IN_NO_LOG_PARAMETER                # pydantic, Ansible
  | (?:required|nullable|optional|sometimes|string)(?:\|[a-z_]++(?::[\w,.-]++)?)++  # rules of a validator
)"""
"""What people and programs write in place of a secret."""

HARMLESS: Final = frozenset(
    """none null nil undefined true false yes no on off n/a empty unset missing required optional invalid
    expired revoked unknown redacted hidden masked filtered removed omitted changed present absent set ok
    valid failed denied refused unauthorized forbidden rejected timeout error disabled enabled unavailable
    unsupported unchanged include same-origin omit inherit prompt stdin eof todo tbd str string bytes int
    integer number bool boolean object any text secretstr secretbytes async await new function lambda bearer
    basic digest""".split(),
)
"""Values that say whether there is a secret, of which type or by which scheme; never worth hiding."""

_TECHNICAL: Final = (
    r"(?:base|utf|sha|md|aes|rsa|es|hs|rs|http|oauth|ipv|x|v|python|py)-?\d{1,4}(?:url)?(?:[.-]\w++)*+"
)
_ADDRESS: Final = r"(?:[a-z][a-z+.-]{1,20}+|s3):// | arn:[\w*-]++:"


class Value(NamedTuple):
    """A value in a text, read as far as a decision needs."""

    text: str
    start: int
    near: int
    """Where the value ends, or where the look ended."""
    rest: str
    """The quote that ends it, or the pattern of the characters that belong to it."""
    is_quoted: bool

    @property
    def shown(self) -> str:
        """The value, or its first characters."""
        return self.text[self.start : self.near]

    @property
    def is_whole(self) -> bool:
        """Whether `shown` is all of it."""
        return self.near - self.start < LOOK - 8

    @property
    def end(self) -> int:
        """Where it really ends, however far away."""
        if self.is_whole:
            return self.near
        if self.is_quoted:
            return _closing(self.text, self.start, self.rest)
        return trim(self.text, self.start, run_end(self.rest, self.text, self.start))

    def hidden(self, quote: str = "") -> Span:
        """What to replace."""
        return self.start, self.end, quote


def unquoted(text: str, start: int, rest: str = SEPARATE) -> Value:
    """The value that starts here and ends where `rest` does, without the punctuation around it."""
    return Value(
        text, start, trim(text, start, run_end(rest, text, start, start + LOOK)), rest, is_quoted=False
    )


def quoted(text: str, start: int, quote: str) -> Value:
    """The value that was opened by `quote` just before `start`."""
    return Value(text, start, _closing(text, start, quote, start + LOOK), quote, is_quoted=True)


def trim(text: str, start: int, end: int) -> int:
    """The end without the punctuation and the brackets of the sentence around the value."""
    for _ in range(8):
        last = text[end - 1 : end]
        if end <= start or last not in {".", ",", ";", ":", ")", "]", "}", ">"}:
            break
        opener = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last, "")
        since = max(start, end - LOOK)
        if opener and text.count(opener, since, end) >= text.count(last, since, end):
            break
        end -= 1
    return end


_SHELL_QUOTE: Final = r"""(?P<shell>'"'"'|'\\'')"""
"""How a shell writes a single quote inside of single quotes."""


def _closing(text: str, start: int, quote: str, stop: int | None = None) -> int:
    """Where the text that was opened by `quote` ends; the end of the line if it is never closed."""
    stop = len(text) if stop is None else min(stop, len(text))
    if quote[-1] not in "\"'`":
        return _first_of(text, start, stop, quote)
    third = len(quote) // 3
    if quote == quote[:third] * 3:
        found = text.find(quote, start, stop)
        return found if found >= 0 else stop
    level = len(quote) - 1
    for run in regex(rf"{_SHELL_QUOTE} | \\*+{quote[-1]} | [\r\n]").finditer(text, start, stop):
        if run["shell"] and quote == "'":
            continue
        if run[0] in {"\r", "\n"}:
            return run.start()
        count = len(run[0]) - 1
        # JSON inside JSON: each level doubles the backslashes and adds one before a quote.
        if count < level or count % (2 * level + 2) == level:
            return run.end() - 1 - min(count, level)
    return stop


def _first_of(text: str, start: int, stop: int, mark: str) -> int:
    """The place of an encoded quote that is not escaped, or of the end of the line."""
    for found in regex(rf"%5c(?:%5c|{re.escape(mark)}) | {re.escape(mark)} | [\r\n]").finditer(
        text, start, stop
    ):
        if not found[0].lower().startswith("%5c"):
            return found.start()
    return stop


def bracket_end(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`; the end of the text if none does."""
    depth = 0
    inside = ""
    for token in regex(r"""\\*+["'] | [\[\](){}]""").finditer(text, start):
        found = token[0]
        if inside:
            inside = "" if found == inside else inside
        elif found[-1] in "\"'":
            inside = found
        else:
            depth += 1 if found in "[({" else -1
            if depth == 0:
                return token.end()
    return len(text)


def is_generated(value: str) -> bool:
    """Whether a value looks made by a machine: letters and digits, and no name of a standard."""
    return (
        len(value) >= 6
        and any(char.isdigit() for char in value)
        and any(char.isalpha() for char in value)
        and regex(_TECHNICAL).fullmatch(value) is None
    )


def is_technical(value: str) -> bool:
    """Whether a value names a standard or a version: `base64-encoded`, `v2`."""
    return regex(_TECHNICAL).fullmatch(value) is not None


def is_stand_in(value: str) -> bool:
    """Whether a value only holds the place of a secret: `<token>`, `${TOKEN}`, `***`, the placeholder."""
    return value == PLACEHOLDER or (len(value) < LOOK and regex(_STAND_IN).fullmatch(value) is not None)


def is_option(value: str) -> bool:
    """Whether an argument is an option; a value that begins with a hyphen has digits or other marks."""
    return regex(r"--?[a-z][a-z_-]*+(?:=|\Z)").match(value) is not None


def starts_stand_in(text: str, start: int) -> bool:
    """Whether a stand-in starts here, whatever follows it."""
    return (
        text.startswith(PLACEHOLDER, start) or regex(_STAND_IN).match(text, start, start + LOOK) is not None
    )


def is_no_secret(value: Value) -> bool:
    """Whether a value is a stand-in, a word like `none`, an address, or punctuation. In doubt it is not."""
    shown = value.shown
    if regex(_ADDRESS).match(shown) is not None:
        return True
    if not value.is_whole:
        return False
    bare = shown.strip()
    return (
        bare.lower() in HARMLESS
        or is_stand_in(shown)
        or not any(char.isalnum() for char in bare)
        or _is_template(bare)
        or (not value.is_quoted and is_stand_in(value.text[value.start : value.near + 3]))
    )


def _is_template(value: str) -> bool:
    """Whether a scheme stands before a stand-in: `Bearer {token}`."""
    scheme = regex(r"(?:bearer|basic|digest|token)[ ]++").match(value)
    return scheme is not None and is_stand_in(value[scheme.end() :])


def previous_word(text: str, start: int) -> str:
    """The word before this place, in lower case, if only spaces stand between."""
    before = text[max(0, start - 32) : start]
    tail = re.search(r"([A-Za-z]+)[ \t]+\Z", before)
    return tail[1].lower() if tail else ""
