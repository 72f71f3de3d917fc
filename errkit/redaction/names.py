"""Which names stand for secrets: keys, headers, variables, options.

A name is folded into words, and words are compared whole. Nothing here looks at text; `rules.py` does.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from errkit.redaction.patterns import exact, regex

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "AUTH",
    "BYTES",
    "COUNTABLE",
    "FOLDER",
    "OPEN",
    "SECRET",
    "TOKENS",
    "is_folder",
    "is_secret_item",
    "is_secret_key",
    "kind_of",
    "mentions_a_secret",
    "words_of",
]

OPEN, SECRET, COUNTABLE, AUTH, TOKENS, FOLDER = range(6)
"""What stands under a name: nothing secret; a secret; or one of four kinds that depend on the value.

COUNTABLE: `pass`, a password or a number. AUTH: `auth`, a secret or a mapping with names of its own.
TOKENS: a number, or texts that are secrets. FOLDER: `PWD`, a path (POSIX) or a password (ODBC).
"""

BYTES: Final = "base64:"
"""What bytes begin with that were made text; the letters behind it say nothing."""

_MAX_NAME: Final = 128
_MAX_ITEMS: Final = 200

_WORDS: Final = r"[A-Z]+(?=[A-Z][^\W\d_A-Z]) | [A-Z]?[^\W\d_A-Z]+ | [A-Z]+"
"""camelCase, PascalCase, ACRONYMCase and everything between separators; digits belong to no word."""

_OWNERS: Final = """
    db|user|my|mysql|sql|pg|postgres|mongo|redis|ldap|ftp|smtp|imap|mail|email|http|https|proxy|root|admin|sudo
    |login|basic|auth|api|docker|registry|jenkins|nexus|key|keystore|store|cert|ssl|ssh|gpg|pgp|vpn|wifi|mqtt
    |service|svc|host|remote|client|server|become|bind|vault
"""
"""Whose `pass` is a password; `first_pass` and `num_pass` are runs of something."""

_TERMS: Final = rf"""(?<=_)(?:
    access_key_id | client_key_data                                     # AWS; kubeconfig
  | pass_?(?:word|wd|phrase|code|key)s? | p(?:ass)?wd | psk | pw         # of people and of Wi-Fi
  | secret(?:s|_id)?                                                    # secret_id: HashiCorp Vault AppRole
  | token                                                               # the plural counts
  | (?:access|refresh|auth|oauth|api|bearer|session|csrf|xsrf|personal|push|device|bot|deploy)_?tokens
  | (?:api|app|application|access|private|secret|shared|account|auth|admin|master|session|license
      |subscription|deploy|sign|signing|encrypt|encryption|decryption|hmac|jwt|service_role
      |azure_storage)_?keys?
  | authorization | bearer | cookies? | creds? | credentials? | jwt | otp | totp | [cx]srf
  | (?:user|device|auth|authorization|verification|recovery|backup|mfa|pairing|pin)_?codes?  # RFC 8628
  | code_verifier                                                       # RFC 7636
  | (?:amz|goog|oauth|hub|webhook|hmac|access|sas)_signature            # a bare signature is a function's
  | jsessionid | phpsessid | sessionid                                  # of frameworks; session_id is open
  | auth(?=_$) | (?:{_OWNERS})_?pass(?=_$) | (?<=^_)pass(?=_$)
  | (?:github|gitlab|gh|gl|azure|devops|ado|jira|databricks|snowflake|airtable|packages|registry|personal)
    _pat(?=_$)                                                          # elsewhere a pattern
  | [^_]*(?:(?:password|passwd|passphrase|secret|apikey|accesskey|privatekey|cookie|credential)s?|token)
)(?=_)"""
"""Terms that are secret, as words joined by `_`. The last row is for words run together: DBPASSWORD."""

_FACTS: Final = frozenset(
    """count counts limit limits length len size type types name names url urls uri uris endpoint host path
    file files filename dir directory folder policy policies rule rules expires expired expiry expiration at
    ttl age lifetime duration seconds usage budget window total totals cost price index idx pos position
    offset id ids kind format pattern regex schema field fields column label placeholder hint help message
    error errors exception required missing invalid valid validity status state enabled disabled exists
    present source provider mgr manager vault arn version versions rotation reset date timestamp issuer
    audience scope scopes algorithm alg encoding env variable ref reference min max minimum maximum number
    num range strength score stdin method mode mismatch not unauthorized denied revoked refused failed
    failure attempts retries domain jar consent banner policy remaining left rate handler callback class
    factory middleware generator validator parser reader loader client service configuration config settings
    page link helper store storage cache form screen dialog input box selector xpath button prompt start end
    begin used collection spec embedding embeddings logits encryption info profile identifier identity
    strategy prefix suffix""".split(),
)
"""What a name says about a secret without being it: `token_count`, `auth_token_expired`."""

_ASKS: Final = frozenset(
    """has is no not need needs require requires required use uses with without show hide allow allows enable
    disable skip should can support supports ask save remember missing forgot max min num count""".split(),
)
"""First words that make a name a question or an amount: `has_token`, `maxTokens`."""

_NO_CREDENTIALS: Final = frozenset(
    """unexpected eos bos pad unk sep cls mask stop start end special first last per page next continuation
    pagination cursor resume max min num image audio prompt completion reasoning input output draft lookahead
    keyword syntax idempotency sequence change""".split(),
)
"""What stands before the tokens of parsers, of language models and of paged lists."""


def words_of(name: str) -> list[str]:
    """The words of a name in lower case, without its digits."""
    return [word.lower() for word in exact(_WORDS).findall(name)]


def mentions_a_secret(name: str) -> bool:
    """Whether a secret is among the words of a name, whatever the name says about it."""
    return regex(_TERMS).search(f"_{'_'.join(words_of(name[:_MAX_NAME]))}_") is not None


def kind_of(name: str) -> int:
    """What stands under a name: OPEN, SECRET, COUNTABLE, AUTH, TOKENS or FOLDER."""
    if type(name) is not str:
        name = str.__str__(name)
    if len(name) > _MAX_NAME:
        return OPEN if name.startswith(BYTES) else _kind(name[-_MAX_NAME:])
    return _kind(name)


@lru_cache(maxsize=2_048)
def _kind(name: str) -> int:
    if name in {"PWD", "OLDPWD"}:
        return FOLDER
    if name.startswith(BYTES):
        return OPEN
    words = words_of(name)
    folded = f"_{'_'.join(words)}_"
    terms = list(regex(_TERMS).finditer(folded))
    if not terms and not name.islower() and not name.isupper() and "session" not in words:
        folded = f"_{'_'.join(words_of(name.lower()))}_"  # written as it came: tOkEn
        terms = list(regex(_TERMS).finditer(folded))
    if not terms:
        plural = words[-1:] == ["tokens"] and not _NO_CREDENTIALS & set(words) and words[0] not in _ASKS
        return TOKENS if plural else OPEN
    term = terms[-1]
    after = folded[term.end() :].strip("_").split("_")
    if after[0] in _FACTS or after[-1] in _FACTS or words[0] in _ASKS:
        return OPEN
    if term[0] == "token" and folded[: term.start()].strip("_").rpartition("_")[2] in _NO_CREDENTIALS:
        return OPEN
    if term[0].endswith("pass"):
        return COUNTABLE
    return AUTH if term[0] == "auth" else SECRET


def is_secret_key(name: str) -> bool:
    """Whether what stands under this name is secret: a key of details, a header, a variable, an option.

    Case, `-`, `_`, `.`, spaces and camelCase are folded, then whole words are compared, so `apiKey`,
    `X-Api-Key` and `API KEY` are one name, and `tokenizer`, `secretary` and `keyboard` are no secrets. Names
    that only say something about a secret are open (`token_count`, `password_policy`, `hasToken`), and so
    are `tokens` (a number), `session_id` (which names a session in all three seeds), a bare `signature` (a
    function's) and `key`. `auth` is secret as the whole name or its last word, `pass` as the whole name or
    behind a word like `db`.

    Parameters
    ----------
    name
        The name as it was written.

    Returns
    -------
    bool
        Whether to hide the value. `is_secret_item` also looks at the value, and is right more often.
    """
    return kind_of(name) not in {OPEN, TOKENS}


def is_secret_item(name: str, value: object) -> bool:
    """Whether this value, standing under this name, is secret: the answer for an item of a container.

    None, a bool and an empty text are never secret: they say that there is none. `pass: 12` counts, and
    `auth: {...}` holds names of its own. `tokens` is secret if it holds text that is no number, `PWD` unless
    it holds a path.

    Parameters
    ----------
    name
        The name as it was written.
    value
        What stands under it. Its type is looked at; only exact texts and lists are looked into.

    Returns
    -------
    bool
        Whether to hide the value.
    """
    kind = kind_of(name)
    held = type(value)
    if kind == OPEN or value is None or held is bool or (held is str and not value):
        return False
    if kind == COUNTABLE:
        return not issubclass(held, (int, float))
    if kind == AUTH:
        return not issubclass(held, dict)
    if kind == TOKENS:
        return _is_text(value) or _holds_text(value)
    return not (kind == FOLDER and held is str and is_folder(str(value)))


def _is_text(value: object) -> bool:
    held = type(value)
    return issubclass(held, (str, bytes)) and not (held is str and str(value).isdigit())


def _holds_text(value: object) -> bool:
    held = type(value)
    if held is list or held is tuple or held is set or held is frozenset:
        return any(_is_text(item) for item in islice(cast("Iterable[object]", value), _MAX_ITEMS))
    return False


def is_folder(value: str) -> bool:
    """Whether a text is an absolute path or one of the home folder, on POSIX or Windows."""
    return regex(r"[/~] | [a-z]:[\\/]").match(value) is not None
