"""The table of rules: what a secret in a text looks like, where that is written down, what is hidden of it.

A rule is a pattern that finds an anchor, and a function that looks at the anchor and says which characters
to hide. Two lists of words keep a rule away from texts in which it cannot find anything. To add a rule, add
a row, samples of both kinds in `tests/corpus/`, and, where its words are new, a condition in
`is_suspicious`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.fields import PLACEHOLDER
from errkit.redaction import deciding
from errkit.redaction.named import NAMED, decide
from errkit.redaction.patterns import regex
from errkit.redaction.tokens import find_token, shaped, token_pattern
from errkit.redaction.tools import PIPED, TOOL, TOOLS, has_tool, tool_option

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from errkit.redaction.values import Span

__all__ = ["RULES", "Rule", "is_suspicious", "one_pass"]


class Rule(NamedTuple):
    """One way to find secrets."""

    name: str
    words: tuple[str, ...]
    """Lower-case texts, of which one must occur,"""
    marks: tuple[str, ...]
    """and others, of which one must occur too (none: no such condition)."""
    pattern: str
    decide: Callable[[re.Match[str]], Span | None]


_NAMES: Final = (
    "pass", "pw", "secret", "token", "key", "auth", "cookie", "cred", "otp", "jwt", "srf", "psk", "code",
    "sess", "bearer", "signature", "sig=", "_pat",
)  # fmt: skip
"""Parts of the names that `names.py` knows."""

RULES: Final = (
    # RFC 7468, and what OpenSSL, OpenSSH and GnuPG write.
    Rule("pem", ("-----begin",), (), r"-----BEGIN[ ](?P<label>[^-\r\n]{1,64}+)-----", deciding.pem),
    # RFC 3986 section 3.2.1, for any scheme; the scheme may be missing (section 4.2).
    Rule(
        "userinfo", ("//",), ("@", ":"),
        r"""(?:(?<![\w+.-])(?P<scheme>[a-z][\w+.-]*+):)?//
            (?P<authority>(?:[^\s/?\#"'`<>\\]|<[\w -]{1,40}+>)++)""",
        deciding.userinfo,
    ),
    # An address that was taken for a path has lost a slash.
    Rule(
        "userinfo-path", (":/",), ("@",),
        r"""(?<![\w+.-])(?:https?|wss?|ftps?|sftp|ssh|git|svn|s3|smb|ldaps?|rediss?|amqps?|postgres(?:ql)?|mysql
             |mariadb|mongodb|smtps?|imaps?)(?:\+[a-z]{2,8}+)?:/(?!/)
            (?P<secret>[^\s/?\#"'`<>\\:@]*+:[^\s/?\#"'`<>\\@]++)(?=@)""",
        deciding.group,
    ),
    # The same, percent-encoded as a parameter of another address.
    Rule(
        "userinfo-percent", ("%2f%2f",), ("%40",),
        r"""%3a%2f%2f(?P<secret>(?:[^\s%@"'&]|%(?!2f|40|3f|26))++)(?=%40)""", deciding.group,
    ),
    # `name=value` and `name: value` in all their notations; headers as in RFC 9110 and RFC 6265.
    Rule("named", _NAMES, ("=", ":", "%3", "%253"), NAMED, decide),
    # POSIX utility conventions and the long options of GNU; also the printed form of an argument list.
    Rule(
        "option", _NAMES, ("-",),
        r"""(?<![\w.-])--?(?P<name>[a-z][\w.-]*+)
            (?:(?:(?:\\{0,64}+["'])?,[ \t]*+|(?:\\{0,64}+["'])?[ \t]++)(?P<open>\\{0,64}+["'])|[ \t]++)""",
        deciding.option,
    ),
    # curl(1), docker-login(1), sshpass(1), redis-cli(1), mysql(1), and the manuals of the others.
    Rule("tool", TOOLS, ("-", "/user:", "rabbitmqctl", "config ", " login "), TOOL, tool_option),
    # A secret that a shell writes into a program: `echo x | docker login --password-stdin`.
    Rule(
        "piped", ("-stdin", "--with-token", "sudo", "chpasswd"), ("|",), PIPED, deciding.group,
    ),
    # Directives of Redis, OpenLDAP and wpa_supplicant.
    Rule(
        "directive", ("requirepass", "masterauth", "bindpw", "rootpw", "wpa_passphrase"), (),
        r"""(?<![\w.-])(?:requirepass|masterauth|bindpw|rootpw|wpa_passphrase[ ]\S{1,64}+)
            [ \t]++(?P<secret>[^\s"'\\]{5,}+)""",
        deciding.generated_group,
    ),
    # pgpass: host:port:database:user:password (PostgreSQL, "The Password File").
    Rule(
        "pgpass", (":5432:", ":*:"), (),
        r"""(?<![\w.*:-])[\w.*-]{1,253}+:(?:5432|\*):[\w*.-]{1,64}+:[\w*.-]{1,64}+:
            (?P<secret>[^\s"'\\]++)""",
        deciding.group,
    ),
    # What pydantic quotes of the input of a field.
    Rule(
        "input-value", _NAMES, ("input_value=",),
        r"""(?<![\w.-])(?P<name>[\w.-]++)(?:\r?\n|\\{1,8}+n)[ ]{2,40}+
            (?:[^\r\n\[\\]|\\(?!n)){0,300}+\[type=\w++,[ ]input_value=(?P<open>\\{0,64}+["'])""",
        deciding.input_value,
    ),
    # RFC 6750 section 2.1 and RFC 7617 section 2, outside of a header too.
    Rule("bearer", ("bearer",), (), r"(?<![\w-])bearer(?:[ \t]++|(?:%20|\+)++)", deciding.bearer),
    Rule(
        "basic", ("basic",), (),
        r"(?<![\w-])basic(?:[ \t]++|(?:%20|\+)++)(?P<value>[a-z0-9+/_-]{4,}+={0,2}+)", deciding.basic,
    ),
    # RFC 7519; RFC 7515 and RFC 7516 for the parts.
    Rule("jwt", ("eyj",), (), r"(?<![a-z0-9])(?-i:eyJ)[\w-]*+(?:\.[\w-]*+)*+", deciding.json_web_token),
    # XML 1.0 and HTML, also with the tags escaped.
    Rule(
        "element", _NAMES, ("</", "&lt;/"),
        r"""<(?P<tag>[a-z_][\w:.-]*+)[^<>]{0,300}+>
            (?:<!\[CDATA\[(?P<data>[^<\]]*+(?:\](?!\]>)[^<\]]*+)*+)\]\]>|(?P<body>[^<]*+))(?=</(?P=tag))
          | &lt;(?P<escaped>[a-z_][\w:.-]*+)&gt;(?P<inner>[^&<]*+)(?=&lt;/(?P=escaped))""",
        deciding.element,
    ),
    # The way Python and JSON print the pairs of a header list.
    Rule(
        "pair", _NAMES, ("(", "["),
        r"""[\[(]\s*+b?(?P<q>\\{0,64}+["'])(?P<name>[\w.-]{2,64}+)(?P=q)
            \s*+,\s*+b?(?P<open>\\{0,64}+["'])""",
        deciding.pair,
    ),
    # How programs give a secret to an object.
    Rule(
        "setter", _NAMES, ("(",),
        r"""(?<![a-z0-9])(?:set|with)_?(?P<name>[a-z]\w{2,40}+)\([ ]*+(?P<open>\\{0,64}+["'])""",
        deciding.setter,
    ),
    # Name and value as two members: HAR headers, Kubernetes `env`, XML attributes, what validators report.
    Rule(
        "name-and-value", _NAMES, ("value", "content"),
        r"""(?<![\w.-])(?:parameter)?(?:name|key|header|field|param|path)(?:\\{0,64}+["'])?[ \t]*+[:=][ \t]*+
            (?P<q>\\{0,64}+["'])?(?P<name>[\w.-]{2,64}+)(?(q)(?P=q)(?:,[^{}]{0,200}?(?=,))?)
            (?:[\s,;]|\\{1,64}+[nrt])*+
            (?:\\{0,64}+["'])?(?:(?:parameter)?value|content)(?:\\{0,64}+["'])?[ \t]*+[:=][ \t]*+
            (?P<open>\\{0,64}+["'])?""",
        deciding.name_and_value,
    ),
    Rule(
        "value-and-name", _NAMES, ("value",),
        r"""(?P<q>\\{0,64}+["'])value(?P=q)[ \t]*+:[ \t]*+(?P=q)(?P<secret>[^"'\\]++)(?P=q)
            ,[^{}]{0,200}?
            (?P=q)(?:name|key|header|field|param|path)(?P=q)[ \t]*+:[ \t]*+
            (?P=q)(?P<name>[\w.-]{2,64}+)(?P=q)""",
        deciding.value_and_name,
    ),
    # SQL leaves accounts to the products: PostgreSQL, Oracle, MySQL, SQL Server.
    Rule(
        "sql", ("identified", "password"),
        ("create ", "alter ", "grant ", "set ", "identified by", "identified with"),
        r"""(?:\b(?:create|alter|grant|set)[ ][^;\r\n]{0,300}?
                \b(?:identified[ ](?:with[ ]\S{1,40}+[ ])?(?:by|as)|password(?=[ \t=(])[ \t]*+=?[ \t]*+\(?)
              |\b(?-i:IDENTIFIED[ ](?:WITH[ ]\S{1,40}+[ ])?(?:BY|AS)))
            [ \t]*+[NE]?(?P<quote>['"])(?P<secret>[^'"\r\n]++)""",
        deciding.group,
    ),
    # netrc(5).
    Rule(
        "netrc", ("login",), ("password",),
        r"""\b(?:machine\s++\S++|default)\s++login\s++\S++\s++password\s++
            (?P<secret>"[^"\r\n]*+"|\S++)""",
        deciding.group,
    ),
    # The repr of a cookie of http.cookiejar, as requests prints it.
    Rule("cookie-repr", ("<cookie ",), (), r"<Cookie[ ][^=\s>]++=(?P<secret>[^\s>]++)", deciding.group),
    # Oracle's thin driver takes user/password before the @.
    Rule(
        "oracle", ("jdbc:oracle", "sqlplus"), ("@",),
        r"""(?:jdbc:oracle:\w{1,8}+:|\bsqlplus(?:[ ]-\w{1,8}+)*+[ ]["']?)
            (?P<secret>[^\s/@]{1,128}+/[^\s@"']{1,128}+)(?=@)""",
        deciding.group,
    ),
    # Addresses that are secrets as a whole: webhooks of Slack, Discord and Teams; the Bot API of Telegram.
    Rule(
        "webhook", ("hook", "/services/t"), (),
        r"""(?:hooks\.slack\.com/(?:services|workflows)|/services(?=/T\w{2,}+/B\w{2,}+/)|/api/webhooks/\d{6,}+
             |webhook\.office\.com/webhookb2)/(?P<secret>[\w/@-]{8,}+)""",
        deciding.group,
    ),
    Rule(
        "telegram", ("/bot", ":aa"), (":",),
        r"(?:(?<=/bot)(?=\d{6,12}+:)|(?<![\w-])(?:bot)?(?=\d{8,10}+:(?-i:AA)))(?P<secret>\d{6,12}+:[\w-]{30,}+)",
        deciding.group,
    ),
    # The address of a database as Go's MySQL driver takes it: user:password@tcp(host)/name.
    Rule(
        "dsn", ("@tcp(", "@unix("), (":",),
        r"""(?<![\w.-])[\w.-]{1,64}+:(?P<secret>[^\s"'`\\]{1,200}?)(?=@(?:tcp|unix)\()""",
        deciding.group,
    ),
    # RFC 4954: what answers a mail server.
    Rule(
        "sasl", ("auth plain", "auth login", "auth xoauth2"), (),
        r"\bauth[ ](?:plain|login|xoauth2)[ ](?P<secret>[a-z0-9+/]{8,}+={0,2}+)", deciding.generated_group,
    ),
    # crypt(5): the hash of a password is one to guess.
    Rule(
        "crypt", ("$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$argon2"), (),
        r"""(?P<secret>\$(?:2[aby]\$\d\d\$[a-z0-9./]{20,}+
            |[56]\$(?:rounds=\d{1,9}+\$)?[^\s$:"']{1,16}+\$[a-z0-9./]{20,}+|y\$[a-z0-9./$]{20,}+
            |argon2(?:id?|d)\$[\w=,+/$.-]{20,}+))""",
        deciding.group,
    ),
    Rule(
        "secure-string", ("convertto-securestring",), (),
        r"""convertto-securestring[ ](?:-string[ ])?\\{0,64}+["'](?P<secret>[^"'\r\n\\]++)""", deciding.group,
    ),
    # Plain sentences.
    Rule(
        "statement", ("password", "passwd", "phrase", "token", "secret", "key"), (),
        r"""(?<![\w.-])(?P<name>[\w.-]++)(?:(?<=word)|(?<=wd)|(?<=phrase)|(?<=token)|(?<=secret)|(?<=key))
            (?=(?:[ \t]*+(?P<verb>\||->|\u2192|\uff1a|\uff1d|\\{1,8}+u(?:2192|ff1a|ff1d))[ \t]*+
                 |[ \t]++(?P<words>(?:is|was|equals|set[ ]to|changed[ ]to)[ \t]++)?)(?:\\{0,64}+["'`])?
               (?P<value>[^\s"'`<>\\]{6,200}+))""",
        deciding.statement,
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
        or "phrase" in low or "identified" in low or "-----begin" in low
        or ("@" in low and (
            ":/" in low or "//" in low or "@tcp(" in low or "@unix(" in low
            or "jdbc:oracle" in low or "sqlplus" in low
        ))
        or ("//" in low and _ends_in_authority(low))
        or "hook" in low or "/bot" in low or "/services/t" in low
        or ("%" in low and "%2f%2f" in low)
        or ":aa" in low or "securestring" in low
        or ("$" in low and (
            "$2" in low or "$5$" in low or "$6$" in low or "$y$" in low or "$argon2" in low
        ))
        or " login " in low or ("|" in low and ("stdin" in low or "sudo" in low))
        or ":*:" in low or ":5432:" in low
        or "_pat" in low or "net use" in low or "rabbitmqctl" in low
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
