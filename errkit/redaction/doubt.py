"""What stands behind a name with a separator and is no value: prose about secrets, and program text.

`token: export it first` and `password = getpass()` hold no secret; error messages, hints and tracebacks are
full of both. The lists here are what is known to be harmless, so that whatever is not listed is hidden.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from errkit.redaction.names import COUNTABLE, FOLDER, TOKENS, is_folder, mentions_a_secret, words_of
from errkit.redaction.patterns import regex
from errkit.redaction.values import (
    HARMLESS,
    LOOK,
    PLAIN_NAME,
    PLAIN_WORD,
    Value,
    is_generated,
    is_technical,
    previous_word,
)

__all__ = [
    "AFTER_SCHEME",
    "NO_ARGUMENT",
    "PARSED",
    "Named",
    "is_complaint",
    "is_label",
    "is_meant_otherwise",
    "is_sentence",
]


class Named(NamedTuple):
    """A name with a separator behind it."""

    text: str
    start: int
    end: int
    """Behind the separator."""
    name: str
    kind: int
    quote: str
    """What closes the name, such as `"` in JSON; empty if it stands bare."""
    separator: str
    """`:`, `=`, `=>` or a percent-encoded one."""

    @property
    def before(self) -> str:
        """The character before the name."""
        return self.text[self.start - 1 : self.start]

    @property
    def is_parameter(self) -> bool:
        """Whether this is a parameter of an address."""
        return self.separator == "=" and self.before in {"?", "&"}


_OPENERS: Final = frozenset(
    """a an the this that it its is was are were be must should shall may might can cannot can't could
    couldn't would will do does doesn't don't not no only please see set use run export paste copy enter
    create generate get ask add pass provide put give check make try choose type write read store keep rotate
    reset renew refresh log sign open visit go if when while for from in on at to of with without by as or
    and but because since after before unless until either expected got found unable failed unexpected
    invalid illegal malformed missing required too has have had contains ensure wrong incorrect
    error""".split(),
)
"""Words that open a remark about a secret, not the secret: `token: export it first`."""

_COMPLAINTS: Final = frozenset(
    "this must should may cannot ensure please is was has field required invalid".split(),
)
"""The few of them that no pass phrase starts with, for texts in quotes under the name of a secret."""

_CHAINED: Final = frozenset(
    """invalid bad wrong expired missing unexpected unknown malformed incorrect empty revoked get fetch parse
    decode read create refresh load verify validate save store write decrypt encrypt find resolve exchange
    request obtain no of for the this""".split(),
)
"""Words before a name that make `name: some words` a chain of errors: `parse token: unexpected end`."""

_LABELLED: Final = frozenset("with using and password user".split())
"""Words before a name that make it a label: `with password: swordfish`."""

PARSED: Final = frozenset("unexpected expected illegal unrecognized unrecognised unknown stray next".split())
"""Words before the tokens of a parser."""

_DOCUMENTED: Final = frozenset("param type arg attr var keyword field ivar cvar parameter".split())
"""The fields of a docstring, as Sphinx reads them: `:param token: where it comes from`."""

AFTER_SCHEME: Final = (
    _OPENERS
    | HARMLESS
    | frozenset(
        """token tokens auth authentication authorization scheme schemes header headers credential credentials
        type method
    format prefix flow challenge realm bonds bond shares security key keys""".split(),
    )
)
"""Words that follow `Bearer` and `Basic` in prose."""

NO_ARGUMENT: Final = (
    _OPENERS
    | HARMLESS
    | frozenset(
        "flag option argument parameter switch value values and/or instead given together twice".split(),
    )
)
"""Words that follow an option in prose."""

_REFERENCE: Final = (
    r"(?-i:[a-z]{2,}+(?:_[a-z]{2,}+)++ | [a-z]{2,}+(?:[A-Z][a-z]++)++ | [A-Z]{2,}+(?:_[A-Z]{2,}+)++)"
)
"""The name of a variable of at least two words; what is generated has digits."""

_ABSTRACT: Final = r"(?:auth|credentials?|creds|cookies?|authorization|secrets|bearer|tokens)$"
"""Names that prose uses more often than configuration does."""

_GOES_ON: Final = r"""[,;]?[ \t]++["'(<]?(?![\w-]++[ \t]*+[:=])[^\W\d_]"""
_OF_FILES: Final = r"(?:credentials?|keys?|cookies?|secrets)$"
_SOURCE: Final = (
    r"\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|swift|rb|php|pl|lua|cs|cc?|cpp|hp?p?|sh|vue|ya?ml|json|toml)$"
)
"""Names of files, which a place follows: `token.py:12:5`."""
_FILE: Final = r"(?:[~.]{0,2}|[a-z]:)[\\/][\w.@\\/-]{0,200}\.[a-z]{1,5}"

_CODE: Final = r"""
    (?:await|new|yield|not|lambda|async|function|if)[ ]++[\w$(]
  | (?:self|this|cls|os|sys|process|env|environ|config|cfg|conf|settings|args|opts|options|request|req|secrets
      |getpass|ctx|context|app|data|body|params|kwargs|user|st|vars?|local|module|github|steps|inputs)
    (?:\.|\?\.|\[)[\w$"'(]
  | \$_[a-z]++\[ | [a-z_][a-z_.]*+\[:[a-z]                # PHP; Ruby
  | [a-z_][a-z_.]{2,60}+\([^()\s]{0,80}+\)?                # get_token(), hash(x
  | [a-z_][a-z_.]*+\[(?:[a-z_]++\]|["'][a-z])             # headers["x"], pages[token]
  | :[a-z_]{1,40}+(?![\w:.%-]) | \$?[a-z_]\w*+(?:->|::)\$?[a-z_]  # a bound parameter; PHP
"""
"""Right-hand sides that are program text: tracebacks quote source lines."""

_STATEMENT: Final = r"(?:return|yield|raise|print|await)(?:\b[ (]|\Z)"
"""What follows the colon of a loop or a condition: `for token in tokens: print(token)`."""

_CLASS: Final = r"""(?-i:(?:[a-z_]\w*+\.)*+(?:[A-Z](?=[a-z]{0,2}[aeiouy])[a-z]{2,}+){1,8}+)
    (?:[,)]|[ ](?:->|=[ ]|\|[ ]))"""
_SIGNATURE: Final = r"\b(?:def|fn|func|function|fun)[ ]\w++[(<]|\(self,"
"""What makes `token: AccessToken)` the parameter of a function."""

_PART: Final = r"[a-z_][\w.]*+\[-?\d{0,3}+:?-?\d{0,3}+\]"
"""`tokens[0]`, `token[1:]`."""

_LOOKED_UP: Final = r"""\$?[a-z_][a-z_.]*+\[[:"']?[a-z_]++["']?\]"""
"""`params[:password]`, `$_POST['token']`, but not what looks generated."""

_SPACED_CODE: Final = r"[a-z_]\w*+(?:\.\w++)*+\( | (?-i:[A-Z]\w++(?:\.[A-Z]\w++)++)(?!\.)"
"""More of them, only behind a ` = ` with spaces."""

_TYPE: Final = r"""[a-z_][a-z_.]*+\[[\w.,|\[ "'()=]{1,80}+\] | [a-z_]\w*+\.\w++\("""
_MORE_OF_A_TYPE: Final = r"[ ](?:=[ ]|\|[ ]\w)"


def is_complaint(value: Value) -> bool:
    """Whether a text in quotes is about the secret it stands for: `"password": "must have 8 characters"`."""
    words = value.shown.split()
    return value.is_whole and len(words) >= 3 and words[0].lower() in _COMPLAINTS


def is_label(name: str, shown: str) -> bool:
    """Whether a text in quotes only repeats its name, as constants and translations do, or explains it.

    `"api_key": "API key"`, `"newPassword": "New password"`, `"token": "The token to use"`.
    """
    if (
        len(shown) >= LOOK - 8
        or regex(r"[a-z][\w.-]*+(?:[ ][a-z]++['\u2019]?[a-z]*+)*+[.!?]?").fullmatch(shown) is None
    ):
        return False
    said, named = words_of(shown), words_of(name)
    is_explained = (
        shown[0].isupper() and shown.count(" ") >= 2 and named[-1:] != [] and mentions_a_secret(shown)
    )
    return (set(said) <= set(named) and not any(char.isdigit() for char in shown)) or is_explained


def is_sentence(value: Value) -> bool:
    """Whether the rest of a line is prose: `X-Api-Key: must be set`."""
    words = value.shown.split()
    return value.is_whole and len(words) >= 3 and words[0].lower() in _OPENERS


def is_meant_otherwise(named: Named, value: Value) -> bool:
    """Whether an unquoted value is no secret because of what stands around it."""
    shown = value.shown
    if named.kind == TOKENS and not any(char.isalpha() for char in shown):
        return True
    if named.kind == COUNTABLE and shown.isdigit() and len(shown) < 4:
        return True
    if named.kind == FOLDER and is_folder(shown):
        return True
    is_of_files = regex(_OF_FILES).search(named.name) is not None or mentions_a_secret(shown)
    if is_of_files and regex(_FILE).fullmatch(shown) is not None:
        return True
    if named.is_parameter:
        return False
    if named.separator == ":":
        return _is_prose(named, value)
    return _is_code(named, value) or _is_next_name(named, value)


def _is_next_name(named: Named, value: Value) -> bool:
    """Whether the value is missing and the next pair follows: `password= host=db`."""
    return value.start > named.end and regex(r"[a-z_][\w.-]*+=").match(value.shown) is not None


def _is_prose(named: Named, value: Value) -> bool:
    if value.start == named.end and not named.quote:
        return _is_part_of_a_name(named, value)
    if not named.quote and _is_annotation(named, value):
        return True
    shown = value.shown
    if regex(_STATEMENT).match(shown) is not None or regex(_LOOKED_UP).match(shown) is not None:
        return True
    same = shown.startswith(f"{named.name}.") or (value.is_whole and shown.endswith(f".{named.name}"))
    return ((named.quote or same) and _is_code(named, value)) or _is_remark(named, value)


def _is_part_of_a_name(named: Named, value: Value) -> bool:
    """Whether `name:value`, without a space, names one thing, such as `team/token:latest`."""
    text = named.text
    if re.search(r"\barn:\S*+\Z", text[max(0, named.start - 100) : named.start]) is not None:
        return True
    if named.kind == COUNTABLE and text[named.end - 2 : named.end - 1] == " ":
        return True
    if regex(_SOURCE).search(named.name) is not None and regex(r"\d++(?::\d++)?").fullmatch(value.shown):
        return True
    abstract = regex(_ABSTRACT).search(named.name)
    is_thing = named.before in {"/", "\\"} or (
        abstract is not None and abstract[0].lower() != "authorization"
    )
    return is_thing and not is_generated(value.shown)


def _is_annotation(named: Named, value: Value) -> bool:
    """Whether `name: X` declares a type or documents a parameter."""
    text, shown = named.text, value.shown
    if previous_word(text, named.start) in _DOCUMENTED or shown.endswith(("Error", "Exception")):
        return True
    if regex(_TYPE).match(text, value.start, value.start + LOOK) is not None:
        return True
    if regex(_CLASS).match(text, value.start, value.near + 4) is not None:
        line = text[max(0, named.start - LOOK) : named.start].rpartition("\n")[2]
        if regex(_SIGNATURE).search(line) is not None:
            return True
    if shown[:1].isupper() and words_of(shown) == words_of(named.name):
        return True
    is_name = value.is_whole and regex(PLAIN_NAME).fullmatch(shown) is not None
    return is_name and regex(_MORE_OF_A_TYPE).match(text, value.near) is not None


def _is_remark(named: Named, value: Value) -> bool:
    """Whether `name: some words` is prose about a secret. In doubt it is not."""
    text, shown = named.text, value.shown
    if named.kind == COUNTABLE and not named.quote:
        return named.name == "PASS" or not is_generated(shown)
    if not named.quote and previous_word(text, named.start) in PARSED:
        return not (is_generated(shown) and len(shown) >= 16)
    if not value.is_whole:
        return False
    goes_on = regex(_GOES_ON).match(text, value.near, value.near + LOOK) is not None
    if shown.isdigit():
        is_status = len(shown) == 3 and _is_chained(text, named.start)
        return goes_on and (len(shown) <= 2 or is_status)
    if regex(PLAIN_WORD).fullmatch(shown) is None and not is_technical(shown):
        return False
    if shown.lower() in _OPENERS and re.compile(r"[ \t]+\S").match(text, value.near) is not None:
        return True
    if goes_on and (named.before in {"/", "\\"} or mentions_a_secret(shown)):
        return True  # a path, or a program and what it says: `/etc/passwd: Permission denied`
    if goes_on and "phrase" not in named.name.lower() and _is_chained(text, named.start):
        return True
    abstract = regex(_ABSTRACT).search(named.name)
    return abstract is not None and (goes_on or abstract[0].lower() != "authorization")


def _is_chained(text: str, start: int) -> bool:
    """Whether a name is the end of a clause (`parse token: ...`), not a label (`password: ...`)."""
    before = text[max(0, start - 48) : start]
    clause = before.rstrip(" \t")
    if clause == before or not clause:
        return False
    tail = re.search(r"[A-Za-z]+\Z", clause)
    if tail is None or tail[0].lower() in _LABELLED:
        return clause[-1] == ":"
    return tail[0].lower() in _CHAINED or clause[: tail.start()].rstrip()[-1:] not in {":", "="}


def _is_code(named: Named, value: Value) -> bool:
    """Whether a name is followed by program text, not by a value."""
    text, shown = named.text, value.shown
    spaced = value.start > named.end and named.separator == "="
    near = text[value.start : value.start + LOOK]
    if regex(_CODE).match(near) is not None or (spaced and regex(_SPACED_CODE).match(near) is not None):
        return True
    if spaced and (text.startswith(" = ", value.near) or regex(_PART).match(shown) is not None):
        return True
    if spaced and regex(r"0x[0-9a-f]{1,8}|\d{1,2}").fullmatch(shown) is not None:
        return True  # a constant of a program
    if spaced and "." in named.name and not mentions_a_secret(named.name.rpartition(".")[2]):
        return not is_generated(shown)  # a part of a token of a program: token.content = text
    if not value.is_whole or regex(PLAIN_NAME).fullmatch(shown) is None:
        return False
    if "." in shown and (shown.startswith(f"{named.name}.") or mentions_a_secret(shown)):
        return True
    words, own = words_of(shown), words_of(named.name)
    is_own = own[-len(words) :] == words
    if named.quote:
        # JSON has no bare words, so this is a mapping in a program: {"token": next_token}.
        return is_own or not (any(char.isdigit() for char in shown) or (shown.islower() and "_" not in shown))
    if regex(_REFERENCE).fullmatch(shown) is not None and mentions_a_secret(shown):
        return True
    is_argument = text[value.near : value.near + 1] in {",", ")"}
    if (is_own and spaced) or (is_argument and set(words) <= set(own)):
        return True
    if "." in named.name and shown[0].isupper() and set(words) <= set(own):
        return True  # a file of translations: login.password=Password
    return spaced and named.name.startswith(("self.", "this.")) and shown.replace("_", "").isalpha()
