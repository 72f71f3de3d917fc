"""Options of well-known programs that take a secret, and secrets that a shell writes into a program.

`-p` means a port here and a password there, so only the program before it tells. The source of each row is
the manual of its program. `rules.py` reads texts with this room, `redact_argv` lists of arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from errkit.redaction.doubt import NO_ARGUMENT
from errkit.redaction.values import Span, is_no_secret, is_option, is_stand_in, quoted, unquoted

if TYPE_CHECKING:
    import re

__all__ = ["ARGUMENTS_OF", "GLUED", "PIPED", "TOOL", "TOOLS", "has_tool", "tool_option"]

TOOLS: Final = (
    "7z", "altool", "bcp", "config ", "cqlsh", "curl", "htpasswd", "keychain", "ldap", "lftp", "login",
    "mariadb", "mongo", "mysql", "net use", "openssl", "osql", "psexec", "rabbitmqctl", "rar ", "redis-cli",
    "rpcclient", "smbclient", "smbmap", "sqlcmd", "sshpass", "twine", "useradd", "usermod", "zip",
)  # fmt: skip
"""What occurs in the names of these programs."""

TOOL: Final = r"""\b(?:
    curl\b[^\r\n|;]{0,300}?[ \t"'](?:-u|-[a-z\#]{1,6}u(?=[ \t"'])|--user|-U|--proxy-user|(?P<jar>-b))
  | (?:login|twine|mongo(?:sh|dump|restore|import|export)?|cqlsh|useradd|usermod|psexec|altool|keychain)
    (?=[\s"',])[^\r\n|;]{0,200}?[ \t"']-p(?=["']?,?[ \t])
  | ldap(?:search|add|modify|delete|passwd|whoami|compare)\b[^\r\n|;]{0,300}?[ \t"'](?-i:-w)
  | (?:sqlcmd|bcp|osql|zip|unzip)\b[^\r\n|;]{0,200}?[ \t"'](?-i:-P)
  | (?:7za?|7zr|rar|unrar)[ ][^\r\n|;]{0,200}?[ \t"']-p(?=[^\s"',-])
  | (?:smbclient|rpcclient|smbmap)\b[^\r\n|;]{0,200}?[ \t"'](?-i:-U)[ \t]*+["']?[^\s"'%]{1,64}+%
  | lftp\b[^\r\n|;]{0,200}?[ \t]-u[ \t]*+[^\s"',]{1,64}+,
  | htpasswd[ ]++-[a-z]{0,6}b[a-z]{0,6}[ ]++\S{1,200}+[ ]++\S{1,64}+[ ]
  | rabbitmqctl[ ]++(?:add_user|change_password|authenticate_user)[ ]++\S{1,64}+[ ]
  | (?:cargo|vault|wandb)[ ]++login[ ]++(?=[^\s=-][^\s=]{0,200}(?:\s|\Z))
  | openssl[ ]++enc\b[^\r\n|;]{0,200}?[ ]-k
  | net[ ]++use\b[^\r\n|;]{0,200}?[ ]/user:\S{1,64}+[ ](?!/)
  | (?:poetry|composer)[ ]++config[ ](?:[^\s.]{1,40}+[ ]){0,4}+
    (?:pypi-token\.\S{1,64}+|http-basic\.\S{1,64}+[ ]++\S{1,64}+)[ ]
  | (?:npm|yarn|pnpm)[ ]++config[ ]++set[ ]++[^\s=]{0,200}?_(?:auth|password)[ ]
  | sshpass["',]{0,2}[ \t]{1,8}["']?-p
  | redis-cli\b[^\r\n|;]{0,200}?[ \t"'](?:-a|--pass)
  | (?:mysql|mysqldump|mysqladmin|mariadb)\b[^\r\n|;]{0,200}?[ \t"']-p(?=[^\s"',-])
)["']?,?[ \t]*+=?(?P<open>\\{0,64}+["'])?"""
"""The program and its option: what stands behind it is the secret. Each look is bounded, and ends with the
line, a pipe or the next command."""

ARGUMENTS_OF: Final = {
    "curl": frozenset({"-u", "--user", "-U", "--proxy-user"}),
    "ldapmodify": frozenset({"-w"}),
    "ldapsearch": frozenset({"-w"}),
    "mongodump": frozenset({"-p"}),
    "mongosh": frozenset({"-p"}),
    "redis-cli": frozenset({"-a"}),
    "sqlcmd": frozenset({"-P"}),
    "sshpass": frozenset({"-p"}),
    "twine": frozenset({"-p"}),
    "unzip": frozenset({"-P"}),
    "zip": frozenset({"-P"}),
}
"""Program -> its options whose next argument is the secret, for lists of arguments."""

GLUED: Final = frozenset(
    {"mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "7z", "7za", "rar", "unrar"}
)
"""Programs whose `-p` has the password right behind it."""

PIPED: Final = r"""\b(?:echo|printf)[ ]++(?:-\w{1,3}[ ]++)?(?:'[^'\s]{1,8}+'[ ]++)?(?P<quote>\\{0,64}+["'])?
    (?P<secret>(?(quote)[^"'\r\n\\]{1,400}+|[^\s|"'\\]{1,400}+))(?(quote)(?P=quote))[ ]*+\|[ ]*+
    (?: sudo[ ][^\r\n|]{0,40}?(?-i:-S)\b | (?:sudo[ ])?chpasswd\b
      | [^\r\n|]{0,200}?(?:-stdin|--with-token)\b )"""
"""`echo x | docker login --password-stdin`."""


def has_tool(low: str) -> bool:
    """Whether one of the programs may be named in a text in lower case."""
    for tool in TOOLS:  # noqa: SIM110 (a generator costs twice as much)
        if tool in low:
            return True
    return False


def tool_option(match: re.Match[str]) -> Span | None:
    """Options that only one tool gives this meaning."""
    text = match.string
    value = quoted(text, match.end(), match["open"]) if match["open"] else unquoted(text, match.end())
    if is_no_secret(value) or is_option(value.shown) or value.shown.lower() in NO_ARGUMENT:
        return None
    if match[0].lower().startswith("curl"):
        _, separator, secret = value.shown.partition("=" if match["jar"] else ":")
        return None if not separator or is_stand_in(secret) else value.hidden()
    return value.hidden()
