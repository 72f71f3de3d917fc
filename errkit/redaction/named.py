"""The rule for names: `password=x`, `"password": "x"`, `X-Api-Key: x`, `?token=x`, `password%3Dx`."""

from __future__ import annotations

import re
from typing import Final

from errkit.fields import PLACEHOLDER
from errkit.redaction.doubt import (
    AFTER_SCHEME,
    PARSED,
    Named,
    is_complaint,
    is_label,
    is_meant_otherwise,
    is_sentence,
)
from errkit.redaction.names import AUTH, FOLDER, OPEN, TOKENS, is_folder, kind_of
from errkit.redaction.patterns import regex, run_end
from errkit.redaction.values import (
    ANSI,
    BEHIND_COLON,
    IN_PERCENT,
    IN_QUERY,
    LINE,
    LOOK,
    QUOTE,
    SEPARATE,
    Span,
    bracket_end,
    is_generated,
    is_no_secret,
    previous_word,
    quoted,
    starts_stand_in,
    trim,
    unquoted,
)

__all__ = ["HEADER", "NAMED", "decide", "label_of"]

NAMED: Final = r"""
    (?<![\w.-])(?P<name>[\w.-]++)
    (?P<close>(?:\\{0,64}+["'`]|%22|%27|&quot;|&\#34;|&\#39;|\\{1,8}+(?:u0022|x22|x27)|\]|%5d
                |\*\*|(?:\x1b|\\{1,8}+(?:u001b|x1b|033|e))\[[\d;]{0,16}+m){0,3}+)
    [ \t]*+(?:is[ \t]*+|string[ \t]++(?==))?+
    (?P<separator>
        =>
      | (?::[ \t]*+(?:Optional\[)?(?:&(?:\\{0,64}+'static[ ])?str|string|str|bytes)\]?
          (?:[ \t]*+\|[ \t]*+None)?[ \t]*+)?+
        [:?]?=(?![=>]|~[ /])
      | :(?![:=]|//)
      | ::(?=[ ][a-z0-9+/=]{4,512}+(?:[\s\\"')]|\Z))
      | %(?:25){0,8}+3[ad]
    )
"""
"""A name, what closes it, and a separator: no comparison, no `::` but that of LDIF (RFC 2849), no `://`, but
`: str =` and the `string =` of Go."""

HEADER: Final = r"(?:^|[-_.])(?:authorization|(?:set-?)?cookies?2?)$"


def decide(match: re.Match[str]) -> Span | None:
    """What to hide behind a name."""
    text = match.string
    name = _without_escape(text, match.start(), match["name"])
    kind = kind_of(name)
    if kind == OPEN:
        name = label_of(text, match.start(), name)
        kind = kind_of(name)
        if kind == OPEN:
            return _weak_parameter(match)
    close = re.sub(r"\]|%5[Dd]|\*\*|(?:\x1b|\\+(?:u001b|x1b|033|e))\[[\d;]*m", "", match["close"])
    separator = match["separator"]
    if separator == ":" and text.endswith("::", 0, match.start()):
        return None  # the name of a type: AWS::IAM::AccessKey
    if match["close"].endswith("]") and not close and text[match.end() - 2] == " ":
        return None  # a variable as an index: pages[token] = x
    if separator[-1] in "=:":
        separator = separator[-1]
    return _behind(Named(text, match.start(), match.end(), name, kind, close, separator))


def _without_escape(text: str, start: int, name: str) -> str:
    r"""The name without what runs into it: `\npassword`, `\u0022token`, `%3Ftoken`, `-Dapi.key`, a colour."""
    before = text[start - 1 : start]
    if before == "\\" and name[0] in "nrt":
        return name[1:]
    if before == "\\" and name.startswith("u00"):
        return name[5:]
    if before == "\\" and name.startswith(("x22", "x27")):
        return name[3:]
    if before in {"[", ";"} and (colour := re.match(r"\d{1,3}m", name)):
        return name[colour.end() :]
    if before == "%" or name.startswith("-D"):
        return name[2:]
    return name


def label_of(text: str, start: int, name: str) -> str:
    """A name of several words, such as `API key` or `Secret Access Key`, of which `name` is the last."""
    if name.lower() not in {"key", "keys", "code", "codes", "id"}:
        return name
    words = re.search(r"(?<![\w-])(?:[A-Za-z]+[ \t]){1,2}\Z", text[max(0, start - 40) : start])
    if words is None:
        return name
    short = f"{words[0].split()[-1]} {name}"
    return short if kind_of(short) != OPEN else f"{words[0]}{name}"


_WEAK_PARAMETERS: Final = frozenset(
    {"sig", "signature", "key", "code", "k", "access", "sid", "hash", "ticket"}
)


def _weak_parameter(match: re.Match[str]) -> Span | None:
    """Parameters that are secret if they look like it: the `sig` of SAS, the `code` of OAuth, a `key`."""
    text, name = match.string, match["name"].lower()
    is_parameter = match["separator"] == "=" and text[match.start() - 1 : match.start()] in {"?", "&"}
    if not is_parameter or name not in _WEAK_PARAMETERS:
        return None
    value = unquoted(text, match.end(), IN_QUERY)
    looks_secret = name.startswith("sig") or (is_generated(value.shown) and len(value.shown) >= 12)
    return value.hidden() if looks_secret and not is_no_secret(value) else None


def _gap(named: Named) -> str:
    """What may stand between a separator and its value: also what ends bold text in Markdown."""
    if named.separator[0] == "%":
        return r"(?:%20|\+)*+"
    return r"\s*+" if named.quote else r"[ \t]*+(?:\*\*[ \t]*+)?"


def _behind(named: Named) -> Span | None:
    text = named.text
    gap = _gap(named)
    start = run_end(gap, text, run_end(ANSI, text, run_end(gap, text, named.end)))
    if named.separator == ":" and not named.quote and (block := _block(named, start)):
        return block
    quote = regex(QUOTE).match(text, start)
    if quote and (quote["quote"][0] != "%" or "%" in named.separator + named.quote):
        return None if not named.quote and _ends_here(named, quote) else _quoted(named, quote)
    is_extension = named.separator == ":" and named.name[:2].lower() == "x-" and named.kind != TOKENS
    if is_extension and _starts_line(text, named.start):
        return _header_line(named)
    if text.startswith("{", start) and named.name.lower() == "pwd" and named.separator == "=":
        return start, text.find("}", start) + 1 or len(text), ""  # ODBC puts braces around values
    if text[start : start + 1] in {"[", "{", "("}:
        return _bracketed(named, start)
    if regex(HEADER).search(named.name) and not named.quote:
        is_cookie = "cookie" in named.name.lower()
        if is_cookie and regex(_COOKIES).match(text, start, start + LOOK):
            return _cookies(named, start)
        if not is_cookie and named.separator != "=>":
            return _credentials(named, start)
    return _unquoted(named, start)


# --- values on other lines --------------------------------------------------------------------------


def _block(named: Named, start: int) -> Span | None:
    """A value on the next lines, as YAML writes it: `password: |` and lines that stand further in."""
    text = named.text
    opened = regex(r"(?P<mark>[|>][+-]?\d?[+-]?[ \t]*+)?(?P<end>\r?\n|\\{1,8}+(?-i:n))").match(text, start)
    if opened is None:
        return None
    end = re.escape(opened["end"])
    line = text[max(0, named.start - LOOK) : named.start].rpartition(opened["end"])[2].rpartition('"')[2]
    further = rf"[ ]{{{run_end('[ -]*+', line, 0) + 1},{LOOK}}}+"
    first = run_end(further, text, opened.end())
    if first == opened.end():
        return None
    if opened["mark"]:
        rest = LINE if opened["end"][0] != "\\" else _IN_QUOTES
        return first, run_end(rf"{rest}(?:{end}{further}{rest})*+", text, first), ""
    value = unquoted(text, first)
    is_line = (
        regex(rf"""[ \t]*+[)}}\]]*+(?:{end}|\\{{0,64}}+["']|[\r\n]|\Z)""").match(text, value.near) is not None
    )
    is_secret = is_generated(value.shown) and regex(r"[\w+/=-]{8,}+").fullmatch(value.shown) is not None
    return (
        value.hidden() if is_line and is_secret and previous_word(text, named.start) not in PARSED else None
    )


_IN_QUOTES: Final = r"""(?:[^\r\n\\"] | \\(?!\\{0,8}(?-i:[rn"])))*+"""


# --- values in quotes and in brackets ---------------------------------------------------------------


def _ends_here(named: Named, quote: re.Match[str]) -> bool:
    """Whether a quote ends the text around the name: `header="Set-Cookie:", x`, `print("token=" + x)`."""
    if regex(r"[ \t]*+(?:[+,;)\]}]|\.[ ]|\.\w++\()").match(named.text, quote.end()) is None:
        return False
    line = named.text[max(0, named.start - LOOK) : named.start].rpartition("\n")[2]
    mark = re.escape(quote["quote"])
    opened = re.findall(rf"(?<![A-Za-z\\]){mark}|(?<!\\){mark}(?![A-Za-z])", line)
    return len(opened) % 2 == 1


def _quoted(named: Named, quote: re.Match[str]) -> Span | None:
    value = quoted(named.text, quote.end(), quote["quote"])
    shown = value.shown
    if not shown.strip() or is_no_secret(value) or is_complaint(value):
        return None
    if named.name.lower() == "accesskey" and len(shown) == 1:
        return None  # HTML: the key of a short cut
    if is_label(named.name, shown):
        return None
    if named.kind == TOKENS and shown.replace(",", "").replace(".", "").isdigit():
        return None
    if named.kind == FOLDER and is_folder(shown):
        return None
    if not named.quote and previous_word(named.text, named.start) in PARSED:
        return None
    return value.hidden()


def _bracketed(named: Named, start: int) -> Span | None:
    """A list or a mapping, in JSON or in the notation of a language."""
    text = named.text
    if starts_stand_in(text, start) or (text[start] == "{" and named.kind in {AUTH, TOKENS}):
        return None
    first = regex(r"""[\[{(]\s*+(?:[\[{(]\s*+)*+(?:(?P<quote>\\{0,64}+["'])|(?P<bare>[^\W_]))""").match(
        text, start
    )
    if first is None:
        return None
    if first["quote"]:
        if is_complaint(quoted(text, first.end(), first["quote"])):
            return None
    elif not named.quote or (named.kind == TOKENS and first["bare"].isdigit()):
        item = text[
            first.start("bare") : run_end(SEPARATE, text, first.start("bare"), first.start("bare") + LOOK)
        ]
        if not is_generated(item.rstrip(")]},")):
            return None
    return start, bracket_end(text, start), named.quote


# --- values without quotes --------------------------------------------------------------------------


def _unquoted(named: Named, start: int) -> Span | None:
    text = named.text
    value = unquoted(text, start, _rest(named))
    if named.separator == "=>" or is_no_secret(value) or is_meant_otherwise(named, value):
        return None
    if named.quote and named.separator == ":" and value.shown.replace(".", "", 1).isdigit():
        return value.hidden(named.quote)
    end = value.end
    if "sess" in named.name.lower():
        end = _before_query(text, start, end)
    return start, max(end, _phrase_end(named, start)), ""


def _rest(named: Named) -> str:
    """The characters that belong to the value."""
    if named.separator[0] == "%":
        return IN_PERCENT
    if named.separator == ":":
        return BEHIND_COLON
    return IN_QUERY if named.is_parameter else SEPARATE


def _before_query(text: str, start: int, end: int) -> int:
    """The end of a parameter in a path, such as `;jsessionid=x?page=2`."""
    query = text.find("?", start, end)
    return end if query < 0 else query


def _phrase_end(named: Named, start: int) -> int:
    """Where a value of several words ends: a pass phrase, and a header line in quotes."""
    if named.separator != ":":
        return start
    if "phrase" in named.name.lower():
        return run_end(r"(?:[^\W\d_]++[ \t]++)*+[^\W\d_]*+", named.text, start)
    if named.before in {'"', "'"} and "-" in named.name:
        return quoted(named.text, start, named.before).end
    return start


# --- header lines -----------------------------------------------------------------------------------

_SCHEMES: Final = r"""(?:
    basic | bearer | digest | negotiate | ntlm | token | apikey | api-key | key | oauth | hawk | hoba | mutual
  | dpop | gnap | vapid | jwt | mac | bot | ssws | aws | aws4-hmac-sha256 | sharedkey | sharedkeylite
  | sharedaccesssignature | privatetoken | googlelogin | client-id | scram-sha-1 | scram-sha-256 | splunk
  | zoho-oauthtoken
)(?:[ \t]|%20)++"""
"""IANA's HTTP authentication schemes, and those of well-known services."""

_PARAMETER: Final = r"""[\w-]++=(?:\\{0,64}+"[^"\r\n\\]*+\\{0,64}+"|[^\s,"'\\]++)"""

_CREDENTIALS: Final = rf"""(?:{_SCHEMES})?+(?:{_PARAMETER}|[^\s"'`,;<>\\]++)(?:,[ \t]*+{_PARAMETER})*+"""
"""One token, or parameters as in RFC 7616 section 3.4 and in AWS Signature Version 4."""

_COOKIES: Final = r"""
    [^\s=;,"'\\]++=(?:"[^"\s]*+"|[^\s;,"'\\]*+)
    (?:;[ \t]*+(?:
        expires=[a-z]{3},[ ][\w: -]{1,24}?gmt
      | httponly | secure | partitioned
      | [^\s=;,"'\\]++=(?:"[^"\s]*+"|[^\s;,"'\\]*+)
    ))*+
"""
"""RFC 6265 section 4.1.1; only these attributes have no value."""


def _header_line(named: Named) -> Span | None:
    """`X-Api-Key: x`: the whole line, whatever is in it."""
    value = unquoted(named.text, run_end(r"[ \t]*+", named.text, named.end), LINE)
    return None if not value.shown or is_no_secret(value) or is_sentence(value) else value.hidden()


def _cookies(named: Named, start: int) -> Span | None:
    if named.text.startswith(PLACEHOLDER, start):
        return None
    return start, _header_end(named, start, _COOKIES), ""


def _credentials(named: Named, start: int) -> Span | None:
    """RFC 9110 section 11.6.2: a scheme and what belongs to it."""
    text = named.text
    scheme = regex(_SCHEMES).match(text, start, start + LOOK)
    if scheme is None and named.separator == "=":
        return _unquoted(named, start)
    rest = IN_PERCENT if named.separator[0] == "%" else r"""[^\s"'`,;\\]*+"""
    value = unquoted(text, scheme.end() if scheme else start, rest)
    if not value.shown or is_no_secret(value) or text.startswith(PLACEHOLDER, start):
        return None
    if value.shown.lower() in AFTER_SCHEME if scheme else is_meant_otherwise(named, value):
        return None
    return start, value.end if rest == IN_PERCENT else _header_end(named, start, _CREDENTIALS), ""


def _header_end(named: Named, start: int, form: str) -> int:
    """The end of its line if the header has one of its own, the closing quote, or the end of `form`."""
    text = named.text
    if named.separator == ":" and named.before in {'"', "'"}:
        mark = regex(r"\\*+.\Z").search(text[max(0, named.start - 64) : named.start])
        quote = mark[0] if mark else named.before
        return min(quoted(text, start, quote).end, run_end(LINE, text, start))
    if named.separator == ":" and _starts_line(text, named.start):
        return run_end(LINE, text, start)
    return trim(text, start, run_end(form, text, start))


def _starts_line(text: str, start: int) -> bool:
    """Whether only marks stand before a name on its line, such as the `> ` of `curl -v`."""
    if text[start - 1 : start] == "\\":
        return True
    before = text[max(0, start - 24) : start].rstrip(" \t<>*|")
    return (not before and start <= 24) or before[-1:] in {"\r", "\n"} or before.endswith(("\\n", "\\r"))
