"""What is hidden of each thing that a rule has found: from its anchor to the characters that are the secret.

Each function here belongs to rows of the table in `rules.py`. It gets a match and says what to hide, or None
where the anchor is no secret after all. What stands under a name is decided in `named.py`.
"""

from __future__ import annotations

import re
from typing import Final

from errkit.fields import PLACEHOLDER
from errkit.redaction.doubt import AFTER_SCHEME, NO_ARGUMENT, PARSED, is_label
from errkit.redaction.named import HEADER, label_of
from errkit.redaction.names import OPEN, SECRET, TOKENS, is_secret_key, kind_of, words_of
from errkit.redaction.patterns import regex, run_end
from errkit.redaction.values import (
    LOOK,
    QUOTE,
    Span,
    Value,
    is_generated,
    is_no_secret,
    is_option,
    is_stand_in,
    previous_word,
    quoted,
    trim,
    unquoted,
)

__all__ = [
    "basic",
    "bearer",
    "element",
    "generated_group",
    "group",
    "input_value",
    "is_pair",
    "json_web_token",
    "name_and_value",
    "option",
    "pair",
    "pem",
    "setter",
    "statement",
    "userinfo",
    "value_and_name",
]

# --- keys and tokens --------------------------------------------------------------------------------

_PUBLIC: Final = r"PUBLIC|CERTIFICATE|CRL|PARAMETERS|SIGNATURE|SIGNED|PKCS7|CMS"
_KEY_LINES: Final = r"""
    (?:
        (?:\s|\\++[nrt]|%0[ad]|%20|\+|["',>|])*+
        (?: [a-z0-9+/=]{16,}+                                                   # base64, in lines or not
          | (?:proc-type|dek-info|version|comment|hash|charset)[ ]?:[^\r\n\\]*+ )   # RFC 1421
    )*+
    (?: (?:\s|\\++[nr])*+[a-z0-9+/=]{1,76}+              # the last line
        (?=\.{3}|\u2026|\[|["']|\s*+-----|(?:\s|\\++[nr])*+\Z) )?
"""


def pem(match: re.Match[str]) -> Span | None:
    """A private key, also cut off without an END. Certificates and public keys are no secrets."""
    text, start = match.string, match.end()
    if re.search(_PUBLIC, match["label"], re.IGNORECASE):
        return None
    end = run_end(_KEY_LINES, text, start)
    stop = regex(r"-----(?P<kind>BEGIN|END)[ ][^-\r\n]{1,64}+-----").search(text, end, end + 16_384)
    if stop is None or stop["kind"].upper() == "BEGIN":
        return (match.start(), end, "") if end - start >= 16 else None
    body = text[start : stop.start()].strip()
    is_mention = len(body) < 16 and (" " in body or not any(char.isalnum() for char in body))
    return None if is_mention else (match.start(), stop.end(), "")


def json_web_token(match: re.Match[str]) -> Span | None:
    """Signed or encrypted, whole or cut off; `eyJ` is base64url for `{"`."""
    header, *parts = match[0].split(".", 2)
    if len(header) < 10 or not parts or len(parts[0]) < 2:
        return None
    return match.start(), trim(match.string, match.start(), match.end()), ""


def bearer(match: re.Match[str]) -> Span | None:
    """With any alphabet: the value is whatever stands there."""
    value = unquoted(match.string, match.end())
    is_challenge = regex(r"(?:realm|scope|error|charset|resource_metadata)=").match(value.shown) is not None
    if not value.shown or is_challenge or value.shown.lower() in AFTER_SCHEME or is_no_secret(value):
        return None
    return match.start(), value.end, ""


def basic(match: re.Match[str]) -> Span | None:
    """Base64 of `user:password`. What follows in `Basic authentication` decodes to no colon."""
    from binascii import Error, a2b_base64

    value = match["value"]
    if value.endswith("=") and len(value) % 4 == 0 and re.fullmatch(r"[a-z]+=", value) is None:
        return match.start(), match.end(), ""
    start = value[:LOOK]
    try:
        decoded = a2b_base64(start[: len(start) // 4 * 4].replace("-", "+").replace("_", "/"))
    except Error:
        decoded = b""
    is_pair = b":" in decoded and decoded.isascii() and decoded.decode("ascii").isprintable()
    is_mixed = len(start) >= 16 and is_generated(start) and start.lower() != start
    return (match.start(), match.end(), "") if is_pair or is_mixed else None


# --- addresses --------------------------------------------------------------------------------------


_NAMED_USER: Final = re.compile(
    r"(?i:.*(?:ssh|sftp|scp|rsync|git|svn|ftp)"
    r"|(?:postgres(?:ql)?|mysql|mariadb|mssql|oracle|mongodb|ldaps?|smb)(?:\+\w+)?)",
)
"""Schemes that ask for the name of a user, so that one without a password is none."""

_TEMPLATE: Final = re.compile(r"[A-Z_]*(?:PASSWORD|PASS|PWD|TOKEN|SECRET|KEY)")
"""What documentation writes in the place of a password: `USER:PASSWORD@HOST`."""


def userinfo(match: re.Match[str]) -> Span | None:
    """User and password, also where the password holds `/`, `?`, `#` or `@` unescaped."""
    text, start = match.string, match.start("authority")
    authority = match["authority"]
    at = authority.rfind("@")
    if at < 0 and regex(r"[^:\[\]]*+:(?!\d*+\Z)").match(authority):
        rest = run_end(r"""[^\s"'`<>\\]*+""", text, match.end(), match.end() + LOOK)
        at = text.rfind("@", match.end(), rest) - start
    if at <= 0:
        return _cut_userinfo(match)
    info = text[start : start + at]
    user, colon, password = info.partition(":")
    if info == PLACEHOLDER or is_stand_in(password if colon else user) or _TEMPLATE.fullmatch(password):
        return None
    if info[0] == "[" or (not match["scheme"] and (not colon or re.search(r"[\[\](){}]", info))):
        return None  # an optional part in documentation; XPath and comments have // too
    if not colon and _NAMED_USER.fullmatch(match["scheme"]) is not None:
        return None
    return start, start + at, ""


def _cut_userinfo(match: re.Match[str]) -> Span | None:
    """Where the text is cut off before the `@`: what stands in the place of a port is none."""
    authority = match["authority"].rstrip(".\u2026")
    password = regex(r"[^:;=\[\]]*+:(?P<rest>[^;=]++)").fullmatch(authority)
    if match.end() < len(match.string) or not match["scheme"] or password is None:
        return None
    start = match.start("authority")
    return (start, start + len(authority), "") if is_generated(password["rest"]) else None


def group(match: re.Match[str]) -> Span | None:
    """The group `secret`, if it is no stand-in."""
    start, end = match.span("secret")
    return None if is_stand_in(match["secret"]) else (start, end, "")


# --- command lines ----------------------------------------------------------------------------------


def option(match: re.Match[str]) -> Span | None:
    """`--password x`, `-token x`, `['--password', 'x']`."""
    text, start = match.string, match.end()
    if kind_of(match["name"]) in {OPEN, TOKENS}:
        return None
    if match["open"]:
        value = quoted(text, start, match["open"])
        return None if is_no_secret(value) or is_option(value.shown) else value.hidden()
    quote = regex(QUOTE).match(text, start)
    if quote and not quote["prefix"]:
        value = quoted(text, quote.end(), quote["quote"])
        return None if is_no_secret(value) else value.hidden()
    value = unquoted(text, start)
    return None if is_no_secret(value) or _is_no_argument(match["name"], value.shown) else value.hidden()


_KEY_FILE: Final = re.compile(r"[\w./~-]{1,200}\.(?:pem|key|crt|cer|der|p12|pfx|jks|json|pub)")


def _is_no_argument(name: str, value: str) -> bool:
    """Whether an option is followed by another one, by prose, or by its argument's name: `--token TOKEN`.

    Container tools name a secret, and do not give it: `--secret id=npm,src=.npmrc`.
    """
    if value.startswith(("id=", "source=", "src=", "type=")):
        return True
    if _KEY_FILE.fullmatch(value) is not None and name.lower().endswith(("key", "keys", "credentials")):
        return True
    if is_option(value) or value[:1] in {"<", "[", "(", ""} or value.lower() in NO_ARGUMENT:
        return True
    own = {"VALUE", "STRING", "TEXT", *(word.upper() for word in words_of(name))}
    return set(re.split(r"[_-]", value)) <= own


# --- markup, pairs, sentences -----------------------------------------------------------------------


def element(match: re.Match[str]) -> Span | None:
    """`<password>x</password>`."""
    name = match["tag"] or match["escaped"]
    start, end = match.span("inner" if match["escaped"] else "body" if match["data"] is None else "data")
    value = Value(match.string, start, min(end, start + LOOK), "", is_quoted=True)
    return (start, end, "") if is_secret_key(name.rpartition(":")[2]) and not is_no_secret(value) else None


def pair(match: re.Match[str]) -> Span | None:
    """`("x-api-key", "x")`."""
    value = quoted(match.string, match.end(), match["open"])
    if not is_pair(match["name"], value.shown):
        return None
    is_closed = regex(r"""\\{0,64}+["']\s*+(?:[\])]|,\s*+\d)|\Z""").match(match.string, value.end)
    return value.hidden() if is_closed else None


def _is_header_name(value: str) -> bool:
    """Whether a text is itself the name of a secret header: a list of headers is no pair."""
    return (
        len(value) < LOOK
        and is_secret_key(value)
        and regex(r"[a-z]++(?:-[a-z]++)*+").fullmatch(value) is not None
    )


def is_pair(name: str, value: str) -> bool:
    """Whether two texts side by side are a name and its secret, not two names or a name and a remark."""
    if not is_secret_key(name) or not value or is_stand_in(value) or _is_header_name(value):
        return False
    if "-" in name or regex(HEADER).search(name) is not None:
        return True
    return not is_secret_key(value) and regex(r"[a-z ,.'-]*+").fullmatch(value[:LOOK]) is None


def name_and_value(match: re.Match[str]) -> Span | None:
    """`{"name": "x-api-key", "value": "x"}`."""
    text = match.string
    value = quoted(text, match.end(), match["open"]) if match["open"] else unquoted(text, match.end())
    return value.hidden() if is_secret_key(match["name"]) and not is_no_secret(value) else None


def setter(match: re.Match[str]) -> Span | None:
    """`setPassword("x")`, but not `set_cookie("name", value)`."""
    value = quoted(match.string, match.end(), match["open"])
    is_alone = regex(r"""\\{0,64}+["']\s*+\)|\Z""").match(match.string, value.end) is not None
    return name_and_value(match) if is_alone and not is_label(match["name"], value.shown) else None


def input_value(match: re.Match[str]) -> Span | None:
    """`password` and, on the next line, `[type=string_too_short, input_value='x', input_type=str]`."""
    value = quoted(match.string, match.end(), match["open"])
    return value.hidden() if is_secret_key(match["name"]) and not is_no_secret(value) else None


def generated_group(match: re.Match[str]) -> Span | None:
    """The group `secret`, if it can be no word."""
    return group(match) if is_generated(match["secret"][:LOOK]) else None


def value_and_name(match: re.Match[str]) -> Span | None:
    """`{"value": "x", "msg": "Invalid value", "param": "password"}`."""
    return group(match) if is_secret_key(match["name"]) else None


def statement(match: re.Match[str]) -> Span | None:
    """`the password is x9y8z7`, `with password x9y8z7`: only what can be no English word."""
    text, name = match.string, label_of(match.string, match.start(), match["name"])
    value = match["value"].rstrip(".,;:!?)")
    if kind_of(name) != SECRET or not is_generated(value) or is_stand_in(value):
        return None
    if previous_word(text, match.start()) in PARSED or not (
        match["verb"] or match["words"] or _names_its_value(name, value)
    ):
        return None
    return match.start("value"), match.start("value") + len(value), ""


def _names_its_value(name: str, value: str) -> bool:
    """Whether a name is followed by its value, not by the name of a thing, as in `secret "db-v2"`."""
    if regex(r"(?:password|passwd|passphrase|token|key)\Z").search(name) is None or re.search(
        r"[/:()=]", value
    ):
        return False
    return name.lower().startswith("pass") or (len(value) >= 8 and sum(char.isdigit() for char in value) > 1)
