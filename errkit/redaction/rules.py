"""The table of rules: what a secret in a text looks like, where that is written down, what is hidden of it.

A rule is a pattern that finds an anchor, and a function that looks at the anchor and says which characters
to hide. Two lists of words keep a rule away from texts in which it cannot find anything. To add a rule, add
a row, samples of both kinds in `tests/corpus/`, and, where its words are new, a condition in
`is_suspicious`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.fields import PLACEHOLDER
from errkit.redaction.doubt import AFTER_SCHEME, NO_ARGUMENT, PARSED, is_label
from errkit.redaction.named import HEADER, NAMED, decide, label_of
from errkit.redaction.names import OPEN, SECRET, TOKENS, is_secret_key, kind_of, words_of
from errkit.redaction.patterns import regex, run_end
from errkit.redaction.tokens import find_token, shaped, token_pattern
from errkit.redaction.tools import PIPED, TOOL, TOOLS, has_tool, tool_option
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

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RULES", "Rule", "is_pair", "is_suspicious", "one_pass"]


class Rule(NamedTuple):
    """One way to find secrets."""

    name: str
    words: tuple[str, ...]
    """Lower-case texts, of which one must occur,"""
    marks: tuple[str, ...]
    """and others, of which one must occur too (none: no such condition)."""
    pattern: str
    decide: Callable[[re.Match[str]], Span | None]


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


def _pem(match: re.Match[str]) -> Span | None:
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


def _json_web_token(match: re.Match[str]) -> Span | None:
    """Signed or encrypted, whole or cut off; `eyJ` is base64url for `{"`."""
    header, *parts = match[0].split(".", 2)
    if len(header) < 10 or not parts or len(parts[0]) < 2:
        return None
    return match.start(), trim(match.string, match.start(), match.end()), ""


def _bearer(match: re.Match[str]) -> Span | None:
    """With any alphabet: the value is whatever stands there."""
    value = unquoted(match.string, match.end())
    is_challenge = regex(r"(?:realm|scope|error|charset|resource_metadata)=").match(value.shown) is not None
    if not value.shown or is_challenge or value.shown.lower() in AFTER_SCHEME or is_no_secret(value):
        return None
    return match.start(), value.end, ""


def _basic(match: re.Match[str]) -> Span | None:
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


def _userinfo(match: re.Match[str]) -> Span | None:
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


def _group(match: re.Match[str]) -> Span | None:
    """The group `secret`, if it is no stand-in."""
    start, end = match.span("secret")
    return None if is_stand_in(match["secret"]) else (start, end, "")


# --- command lines ----------------------------------------------------------------------------------


def _option(match: re.Match[str]) -> Span | None:
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


def _element(match: re.Match[str]) -> Span | None:
    """`<password>x</password>`."""
    name = match["tag"] or match["escaped"]
    start, end = match.span("inner" if match["escaped"] else "body" if match["data"] is None else "data")
    value = Value(match.string, start, min(end, start + LOOK), "", is_quoted=True)
    return (start, end, "") if is_secret_key(name.rpartition(":")[2]) and not is_no_secret(value) else None


def _pair(match: re.Match[str]) -> Span | None:
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


def _name_and_value(match: re.Match[str]) -> Span | None:
    """`{"name": "x-api-key", "value": "x"}`."""
    text = match.string
    value = quoted(text, match.end(), match["open"]) if match["open"] else unquoted(text, match.end())
    return value.hidden() if is_secret_key(match["name"]) and not is_no_secret(value) else None


def _setter(match: re.Match[str]) -> Span | None:
    """`setPassword("x")`, but not `set_cookie("name", value)`."""
    value = quoted(match.string, match.end(), match["open"])
    is_alone = regex(r"""\\{0,64}+["']\s*+\)|\Z""").match(match.string, value.end) is not None
    return _name_and_value(match) if is_alone and not is_label(match["name"], value.shown) else None


def _input_value(match: re.Match[str]) -> Span | None:
    """`password` and, on the next line, `[type=string_too_short, input_value='x', input_type=str]`."""
    value = quoted(match.string, match.end(), match["open"])
    return value.hidden() if is_secret_key(match["name"]) and not is_no_secret(value) else None


def _generated_group(match: re.Match[str]) -> Span | None:
    """The group `secret`, if it can be no word."""
    return _group(match) if is_generated(match["secret"][:LOOK]) else None


def _value_and_name(match: re.Match[str]) -> Span | None:
    """`{"value": "x", "msg": "Invalid value", "param": "password"}`."""
    return _group(match) if is_secret_key(match["name"]) else None


def _statement(match: re.Match[str]) -> Span | None:
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


_NAMES: Final = (
    "pass", "pw", "secret", "token", "key", "auth", "cookie", "cred", "otp", "jwt", "srf", "psk", "code",
    "sess", "bearer", "signature", "sig=", "_pat",
)  # fmt: skip
"""Parts of the names that `names.py` knows."""

RULES: Final = (
    # RFC 7468, and what OpenSSL, OpenSSH and GnuPG write.
    Rule("pem", ("-----begin",), (), r"-----BEGIN[ ](?P<label>[^-\r\n]{1,64}+)-----", _pem),
    # RFC 3986 section 3.2.1, for any scheme; the scheme may be missing (section 4.2).
    Rule(
        "userinfo", ("//",), ("@", ":"),
        r"""(?:(?<![\w+.-])(?P<scheme>[a-z][\w+.-]*+):)?//
            (?P<authority>(?:[^\s/?\#"'`<>\\]|<[\w -]{1,40}+>)++)""",
        _userinfo,
    ),
    # An address that was taken for a path has lost a slash.
    Rule(
        "userinfo-path", (":/",), ("@",),
        r"""(?<![\w+.-])(?:https?|wss?|ftps?|sftp|ssh|git|svn|s3|smb|ldaps?|rediss?|amqps?|postgres(?:ql)?|mysql
             |mariadb|mongodb|smtps?|imaps?)(?:\+[a-z]{2,8}+)?:/(?!/)
            (?P<secret>[^\s/?\#"'`<>\\:@]*+:[^\s/?\#"'`<>\\@]++)(?=@)""",
        _group,
    ),
    # The same, percent-encoded as a parameter of another address.
    Rule(
        "userinfo-percent", ("%2f%2f",), ("%40",),
        r"""%3a%2f%2f(?P<secret>(?:[^\s%@"'&]|%(?!2f|40|3f|26))++)(?=%40)""", _group,
    ),
    # `name=value` and `name: value` in all their notations; headers as in RFC 9110 and RFC 6265.
    Rule("named", _NAMES, ("=", ":", "%3", "%253"), NAMED, decide),
    # POSIX utility conventions and the long options of GNU; also the printed form of an argument list.
    Rule(
        "option", _NAMES, ("-",),
        r"""(?<![\w.-])--?(?P<name>[a-z][\w.-]*+)
            (?:(?:(?:\\{0,64}+["'])?,[ \t]*+|(?:\\{0,64}+["'])?[ \t]++)(?P<open>\\{0,64}+["'])|[ \t]++)""",
        _option,
    ),
    # curl(1), docker-login(1), sshpass(1), redis-cli(1), mysql(1), and the manuals of the others.
    Rule("tool", TOOLS, ("-", "/user:", "rabbitmqctl", "config ", " login "), TOOL, tool_option),
    # A secret that a shell writes into a program: `echo x | docker login --password-stdin`.
    Rule(
        "piped", ("-stdin", "--with-token", "sudo", "chpasswd"), ("|",), PIPED, _group,
    ),
    # Directives of Redis, OpenLDAP and wpa_supplicant.
    Rule(
        "directive", ("requirepass", "masterauth", "bindpw", "rootpw", "wpa_passphrase"), (),
        r"""(?<![\w.-])(?:requirepass|masterauth|bindpw|rootpw|wpa_passphrase[ ]\S{1,64}+)
            [ \t]++(?P<secret>[^\s"'\\]{5,}+)""",
        _generated_group,
    ),
    # pgpass: host:port:database:user:password (PostgreSQL, "The Password File").
    Rule(
        "pgpass", (":5432:", ":*:"), (),
        r"""(?<![\w.*:-])[\w.*-]{1,253}+:(?:5432|\*):[\w*.-]{1,64}+:[\w*.-]{1,64}+:
            (?P<secret>[^\s"'\\]++)""",
        _group,
    ),
    # What pydantic quotes of the input of a field.
    Rule(
        "input-value", _NAMES, ("input_value=",),
        r"""(?<![\w.-])(?P<name>[\w.-]++)(?:\r?\n|\\{1,8}+n)[ ]{2,40}+
            (?:[^\r\n\[\\]|\\(?!n)){0,300}+\[type=\w++,[ ]input_value=(?P<open>\\{0,64}+["'])""",
        _input_value,
    ),
    # RFC 6750 section 2.1 and RFC 7617 section 2, outside of a header too.
    Rule("bearer", ("bearer",), (), r"(?<![\w-])bearer(?:[ \t]++|(?:%20|\+)++)", _bearer),
    Rule(
        "basic", ("basic",), (),
        r"(?<![\w-])basic(?:[ \t]++|(?:%20|\+)++)(?P<value>[a-z0-9+/_-]{4,}+={0,2}+)", _basic,
    ),
    # RFC 7519; RFC 7515 and RFC 7516 for the parts.
    Rule("jwt", ("eyj",), (), r"(?<![a-z0-9])(?-i:eyJ)[\w-]*+(?:\.[\w-]*+)*+", _json_web_token),
    # XML 1.0 and HTML, also with the tags escaped.
    Rule(
        "element", _NAMES, ("</", "&lt;/"),
        r"""<(?P<tag>[a-z_][\w:.-]*+)[^<>]{0,300}+>
            (?:<!\[CDATA\[(?P<data>[^<\]]*+(?:\](?!\]>)[^<\]]*+)*+)\]\]>|(?P<body>[^<]*+))(?=</(?P=tag))
          | &lt;(?P<escaped>[a-z_][\w:.-]*+)&gt;(?P<inner>[^&<]*+)(?=&lt;/(?P=escaped))""",
        _element,
    ),
    # The way Python and JSON print the pairs of a header list.
    Rule(
        "pair", _NAMES, ("(", "["),
        r"""[\[(]\s*+b?(?P<q>\\{0,64}+["'])(?P<name>[\w.-]{2,64}+)(?P=q)
            \s*+,\s*+b?(?P<open>\\{0,64}+["'])""",
        _pair,
    ),
    # How programs give a secret to an object.
    Rule(
        "setter", _NAMES, ("(",),
        r"""(?<![a-z0-9])(?:set|with)_?(?P<name>[a-z]\w{2,40}+)\([ ]*+(?P<open>\\{0,64}+["'])""",
        _setter,
    ),
    # Name and value as two members: HAR headers, Kubernetes `env`, XML attributes, what validators report.
    Rule(
        "name-and-value", _NAMES, ("value", "content"),
        r"""(?<![\w.-])(?:parameter)?(?:name|key|header|field|param|path)(?:\\{0,64}+["'])?[ \t]*+[:=][ \t]*+
            (?P<q>\\{0,64}+["'])?(?P<name>[\w.-]{2,64}+)(?(q)(?P=q)(?:,[^{}]{0,200}?(?=,))?)
            (?:[\s,;]|\\{1,64}+[nrt])*+
            (?:\\{0,64}+["'])?(?:(?:parameter)?value|content)(?:\\{0,64}+["'])?[ \t]*+[:=][ \t]*+
            (?P<open>\\{0,64}+["'])?""",
        _name_and_value,
    ),
    Rule(
        "value-and-name", _NAMES, ("value",),
        r"""(?P<q>\\{0,64}+["'])value(?P=q)[ \t]*+:[ \t]*+(?P=q)(?P<secret>[^"'\\]++)(?P=q)
            ,[^{}]{0,200}?
            (?P=q)(?:name|key|header|field|param|path)(?P=q)[ \t]*+:[ \t]*+
            (?P=q)(?P<name>[\w.-]{2,64}+)(?P=q)""",
        _value_and_name,
    ),
    # SQL leaves accounts to the products: PostgreSQL, Oracle, MySQL, SQL Server.
    Rule(
        "sql", ("identified", "password"),
        ("create ", "alter ", "grant ", "set ", "identified by", "identified with"),
        r"""(?:\b(?:create|alter|grant|set)[ ][^;\r\n]{0,300}?
                \b(?:identified[ ](?:with[ ]\S{1,40}+[ ])?(?:by|as)|password(?=[ \t=(])[ \t]*+=?[ \t]*+\(?)
              |\b(?-i:IDENTIFIED[ ](?:WITH[ ]\S{1,40}+[ ])?(?:BY|AS)))
            [ \t]*+[NE]?(?P<quote>['"])(?P<secret>[^'"\r\n]++)""",
        _group,
    ),
    # netrc(5).
    Rule(
        "netrc", ("login",), ("password",),
        r"""\b(?:machine\s++\S++|default)\s++login\s++\S++\s++password\s++
            (?P<secret>"[^"\r\n]*+"|\S++)""",
        _group,
    ),
    # The repr of a cookie of http.cookiejar, as requests prints it.
    Rule("cookie-repr", ("<cookie ",), (), r"<Cookie[ ][^=\s>]++=(?P<secret>[^\s>]++)", _group),
    # Oracle's thin driver takes user/password before the @.
    Rule(
        "oracle", ("jdbc:oracle", "sqlplus"), ("@",),
        r"""(?:jdbc:oracle:\w{1,8}+:|\bsqlplus(?:[ ]-\w{1,8}+)*+[ ]["']?)
            (?P<secret>[^\s/@]{1,128}+/[^\s@"']{1,128}+)(?=@)""",
        _group,
    ),
    # Addresses that are secrets as a whole: webhooks of Slack, Discord and Teams; the Bot API of Telegram.
    Rule(
        "webhook", ("hook", "/services/t"), (),
        r"""(?:hooks\.slack\.com/(?:services|workflows)|/services(?=/T\w{2,}+/B\w{2,}+/)|/api/webhooks/\d{6,}+
             |webhook\.office\.com/webhookb2)/(?P<secret>[\w/@-]{8,}+)""",
        _group,
    ),
    Rule(
        "telegram", ("/bot", ":aa"), (":",),
        r"(?:(?<=/bot)(?=\d{6,12}+:)|(?<![\w-])(?:bot)?(?=\d{8,10}+:(?-i:AA)))(?P<secret>\d{6,12}+:[\w-]{30,}+)",
        _group,
    ),
    # The address of a database as Go's MySQL driver takes it: user:password@tcp(host)/name.
    Rule(
        "dsn", ("@tcp(", "@unix("), (":",),
        r"""(?<![\w.-])[\w.-]{1,64}+:(?P<secret>[^\s"'`\\]{1,200}?)(?=@(?:tcp|unix)\()""",
        _group,
    ),
    # RFC 4954: what answers a mail server.
    Rule(
        "sasl", ("auth plain", "auth login", "auth xoauth2"), (),
        r"\bauth[ ](?:plain|login|xoauth2)[ ](?P<secret>[a-z0-9+/]{8,}+={0,2}+)", _generated_group,
    ),
    # crypt(5): the hash of a password is one to guess.
    Rule(
        "crypt", ("$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$argon2"), (),
        r"""(?P<secret>\$(?:2[aby]\$\d\d\$[a-z0-9./]{20,}+
            |[56]\$(?:rounds=\d{1,9}+\$)?[^\s$:"']{1,16}+\$[a-z0-9./]{20,}+|y\$[a-z0-9./$]{20,}+|argon2(?:id?|d)\$[\w=,+/$.-]{20,}+))""",
        _group,
    ),
    Rule(
        "secure-string", ("convertto-securestring",), (),
        r"""convertto-securestring[ ](?:-string[ ])?\\{0,64}+["'](?P<secret>[^"'\r\n\\]++)""", _group,
    ),
    # Plain sentences.
    Rule(
        "statement", ("password", "passwd", "phrase", "token", "secret", "key"), (),
        r"""(?<![\w.-])(?P<name>[\w.-]++)(?:(?<=word)|(?<=wd)|(?<=phrase)|(?<=token)|(?<=secret)|(?<=key))
            (?=(?:[ \t]*+(?P<verb>\||->|\u2192|\uff1a|\uff1d|\\{1,8}+u(?:2192|ff1a|ff1d))[ \t]*+
                 |[ \t]++(?P<words>(?:is|was|equals|set[ ]to|changed[ ]to)[ \t]++)?)(?:\\{0,64}+["'`])?
               (?P<value>[^\s"'`<>\\]{6,200}+))""",
        _statement,
    ),
)  # fmt: skip


def is_suspicious(text: str) -> bool:
    """Whether any rule could find anything in a text: all that innocent text has to pay for.

    `in` with a constant is several times as fast as a pattern with alternatives, hence the form. A test
    compares the conditions with the words and marks of the rules.
    """
    if find_token(text) is not None:
        return True
    if not (
        " " in text
        or "\t" in text
        or ":" in text
        or "=" in text
        or "%" in text
        or "," in text
        or "<" in text
        or "//" in text
        or "$" in text
        or "(" in text
    ):
        return "eyJ" in text or "&lt;" in text
    low = text.lower()
    return (
        "pass" in low or "pw" in low or "secret" in low or "token" in low or "key" in low or "auth" in low
        or "cookie" in low or "cred" in low or "otp" in low or "jwt" in low or "srf" in low or "psk" in low
        or "code" in low or "sess" in low or "bearer" in low or "basic" in low or "sig" in low or "eyj" in low
        or "phrase" in low or "identified" in low or "-----begin" in low or "jdbc" in low
        or ("@" in low and (":/" in low or "//" in low)) or ("//" in low and _ends_in_authority(low))
        or "hook" in low or "/bot" in low or "/services/t" in low
        or ("%" in low and "%2f%2f" in low)
        or ":aa" in low or "securestring" in low or "@tcp(" in low or "@unix(" in low
        or ("$" in low and (
            "$2" in low or "$5$" in low or "$6$" in low or "$y$" in low or "$argon2" in low
        ))
        or " login " in low or "masterauth" in low or "stdin" in low or "sudo" in low
        or ":*:" in low or ":5432:" in low
        or "_pat" in low or "sqlplus" in low or "net use" in low or "rabbitmqctl" in low
        or ((" -" in low or "'-" in low or '"-' in low) and has_tool(low))
    )  # fmt: skip


def _ends_in_authority(text: str) -> bool:
    """Whether a text ends within the part of an address that may hold a password."""
    end = text.rpartition("//")[2]
    return ":" in end and "/" not in end


def one_pass(text: str) -> str:
    """The text after each rule was applied once; the same object if none found anything."""
    low = text.lower()
    for rule in RULES:
        if _has_one_of(rule.words, low) and (not rule.marks or _has_one_of(rule.marks, low)):
            text = _hide(text, regex(rule.pattern), rule.decide)
    if find_token(text) is not None:
        text = _hide(text, token_pattern(), shaped)
    return text


def _has_one_of(needles: tuple[str, ...], low: str) -> bool:
    for needle in needles:  # noqa: SIM110 (a generator costs twice as much)
        if needle in low:
            return True
    return False


def _is_hidden(text: str, span: Span) -> bool:
    """Whether a placeholder is there already: to replace it by itself would never come to an end."""
    return span[1] - span[0] == len(PLACEHOLDER) and text.startswith(PLACEHOLDER, span[0])


def _hide(text: str, pattern: re.Pattern[str], decide: Callable[[re.Match[str]], Span | None]) -> str:
    kept: list[str] = []
    done = 0
    for match in pattern.finditer(text):
        if match.start() < done:
            continue
        span = decide(match)
        if span is not None and not _is_hidden(text, span):
            start, end, quote = span
            kept += (text[done:start], quote, PLACEHOLDER, quote)
            done = end
    if not kept:
        return text
    kept.append(text[done:])
    return "".join(kept)
