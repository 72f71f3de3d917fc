"""What is secret: a corpus of texts that leak and of texts that do not, and what holds for any text."""

from __future__ import annotations

import base64
import json
import re
import sys
import threading
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import example, given, strategies as st

from errkit import CodedError
from errkit.own import ErrkitError
from errkit.redaction import (
    PLACEHOLDER,
    add_literal,
    is_secret_item,
    is_secret_key,
    names,
    redact_argv,
    redact_text,
    remove_literal,
)
from errkit.redaction.patterns import compiled, regex
from errkit.redaction.rules import RULES, Rule, is_suspicious
from errkit.redaction.tokens import TOKENS, Token
from errkit.redaction.values import LOOK, unquoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from errkit.registry import Registry

CORPUS = Path(__file__).parent / "corpus"
CARET = "\u2038"
"""Stands in the files where a secret scanner would stop."""


# --- the corpus -------------------------------------------------------------------------------------


class Leak(NamedTuple):
    """A text, what must vanish from it, and what it must become."""

    secrets: tuple[str, ...]
    text: str
    expected: str


def blocks(name: str) -> Iterator[str]:
    """The samples of a corpus file, without its comments."""
    lines = iter((CORPUS / name).read_text("utf-8").split("\n"))
    for line in lines:
        if not line or line == "#" or line.startswith("# "):
            continue
        block = line
        if line.endswith("<<<"):
            block = line[:-3] + "\n".join(iter(lambda: next(lines), ">>>"))
        yield block.replace(CARET, "")


def leaking() -> Iterator[Leak]:
    """The samples with secrets; `=>` under a sample gives the whole result."""
    found: list[Leak] = []
    for block in blocks("leaking.txt"):
        if block.startswith("=> "):
            found[-1] = found[-1]._replace(expected=block[3:])
            continue
        named, _, text = block.partition(" | ")
        secrets = tuple(named.split(" ++ "))
        expected = text
        for secret in secrets:
            expected = expected.replace(secret, PLACEHOLDER)
        found.append(Leak(secrets, text, expected))
    yield from found


LEAKING = list(leaking())
INNOCENT = list(blocks("innocent.txt"))
WHOLE = ("WHOLE",)
"""Where the sample says in its result what must vanish."""


def numbered(texts: Iterable[str]) -> list[str]:
    """Names for tests: the number of the sample and how it begins."""
    return [f"{number} {text[:40]}" for number, text in enumerate(texts)]


def test_the_corpus_is_large_enough() -> None:
    """At least 200 samples leak and at least 200 do not, none of them twice."""
    assert len({leak.text for leak in LEAKING}) == len(LEAKING) >= 200
    assert len(set(INNOCENT)) == len(INNOCENT) >= 200


def test_each_leaking_sample_names_a_secret_that_is_in_it() -> None:
    """A sample whose secret is misspelt would prove nothing."""
    for leak in LEAKING:
        assert leak.secrets == WHOLE or all(secret in leak.text for secret in leak.secrets), leak
        assert leak.expected != leak.text, leak


@pytest.mark.parametrize("leak", LEAKING, ids=numbered(leak.text for leak in LEAKING))
def test_a_secret_vanishes_and_the_text_around_it_stays(leak: Leak) -> None:
    """Exactly the secret is replaced, and redacting again changes nothing."""
    assert redact_text(leak.text) == leak.expected
    assert redact_text(leak.expected) == leak.expected


@pytest.mark.parametrize("text", INNOCENT, ids=numbered(INNOCENT))
def test_an_innocent_text_comes_back_itself(text: str) -> None:
    """Not even a copy is made."""
    assert redact_text(text) is text


WRAPPED: dict[str, Callable[[str], str]] = {
    "lines": lambda text: f"before it\n{text}\nafter it",
    "indented": lambda text: f"  at x\n    {text}",
    "log line": lambda text: f"2024-01-02T03:04:05Z ERROR app.core: {text}",
    "logfmt": lambda text: f"level=error took=3ms {text}",
    "parentheses": lambda text: f"failed ({text})",
    "JSON": lambda text: json.dumps({"message": text, "page": 2}),
    "JSON as UTF-8": lambda text: json.dumps({"message": text, "page": 2}, ensure_ascii=False),
    "JSON in JSON": lambda text: json.dumps({"body": json.dumps({"message": text})}),
    "repr": lambda text: repr({"message": text}),
    "repr of a list": lambda text: repr([text, "x"]),
}


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_secrets_vanish_inside_of_other_texts_too(wrap: Callable[[str], str]) -> None:
    """A message is rarely alone: it stands in a log line, in JSON, in the repr of a mapping."""
    for leak in LEAKING:
        if leak.secrets != WHOLE:
            shown = redact_text(wrap(leak.text))
            # One or two characters also occur by chance.
            assert not [secret for secret in leak.secrets if len(secret) > 2 and secret in shown], shown


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_innocent_texts_stay_inside_of_other_texts_too(wrap: Callable[[str], str]) -> None:
    """What is harmless alone is harmless in a log line and in JSON."""
    for text in INNOCENT:
        assert redact_text(wrap(text)) == wrap(text)


def test_innocent_texts_stay_in_a_row() -> None:
    """All innocent samples in one text are innocent."""
    together = "\n".join(INNOCENT)
    assert redact_text(together) is together


def test_all_secrets_vanish_from_a_row() -> None:
    """All leaking samples in one text are redacted as each alone."""
    together = "\n".join(leak.text for leak in LEAKING)
    assert redact_text(together) == "\n".join(leak.expected for leak in LEAKING)


def registries() -> Iterator[Registry]:
    """The default registry, errkit's own, and the catalogues."""
    from importlib import import_module

    from errkit.registry import REGISTRY

    yield REGISTRY
    for name in ("agent_core", "agent_device", "harness"):
        yield import_module(f"errkit.catalogs.{name}").REGISTRY


def test_the_texts_of_all_codes_pass_unharmed() -> None:
    """Titles, hints and reasons of all codes that errkit ships hold no secret.

    The device tool's redaction ate words of its own hints and cut its own addresses.
    """
    for registry in registries():
        for spec in registry:
            reasons = [text for reason in spec.reasons.values() for text in (reason.title, reason.hint)]
            for text in (spec.code, spec.title, spec.hint, *reasons):
                assert redact_text(text) == text, spec.code


# --- reported pitfalls ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # github.com/MehdiZare/fmp-data/issues/94 and /350
        (
            "401 Client Error: Unauthorized for url: https://x.example/api/v3/quote/AAPL?apikey=0a1b2c&limit=5",
            "401 Client Error: Unauthorized for url: https://x.example/api/v3/quote/AAPL?apikey=[REDACTED]&limit=5",
        ),
        # github.com/maxtepkeev/python-redmine/issues/330
        (
            "403 Client Error: Forbidden for url: https://redmine.example/issues.json?key=0a1b2c3d4e5f&limit=1",
            "403 Client Error: Forbidden for url: https://redmine.example/issues.json?key=[REDACTED]&limit=1",
        ),
        # github.com/EnergieID/entsoe-py/issues/541
        (
            "Max retries exceeded with url: /api?securityToken=0a1b-2c3d&documentType=A44 (Caused by X)",
            "Max retries exceeded with url: /api?securityToken=[REDACTED]&documentType=A44 (Caused by X)",
        ),
    ],
)
def test_a_key_in_the_address_of_a_failed_request_vanishes(text: str, expected: str) -> None:
    """The text of an HTTPError holds the address with its key; other parameters are worth reading."""
    assert redact_text(text) == expected


def test_a_key_early_in_a_long_address_vanishes() -> None:
    """Cutting is no redaction: the key stands where every cut keeps it.

    github.com/DarriEy/Auramaur/pull/406.
    """
    text = f"GET https://x.example/q?api_key=0a1b2c3d&q={'x' * 5_000}&page=2"
    assert "0a1b2c3d" not in redact_text(text)[:100]
    assert redact_text(text).endswith("&page=2")


@pytest.mark.parametrize(
    "text",
    [
        # github.com/AndrewKeig/express-validation/issues/129
        '{"statusText":"Bad Request","errors":[{"field":"password","messages":["x"],"value":"hunter2"}]}',
        '{"errors":[{"value":"hunter2","msg":"Invalid value","param":"password","location":"body"}]}',
        "1 validation error for User\n  Input should be valid [input_value={'password': 'hunter2'}]",
    ],
)
def test_echoed_input_is_hidden_where_it_stands_under_its_name(text: str) -> None:
    """Validators quote the input they refuse. Where they also say which field it is, it is hidden.

    What stands alone, as in github.com/Keats/validator/issues/129, can't be known; so no foreign message is
    made public.
    """
    assert "hunter2" not in redact_text(text)


@pytest.mark.parametrize(
    "text", ["postgres://bob:hunter2", "could not connect to amqp://bob:hunter22...", "x://bob:hunter2\u2026"]
)
def test_an_address_that_is_cut_off_before_its_host_is_hidden(text: str) -> None:
    """What stands in the place of a port is a password if it can be no port."""
    assert "hunter2" not in redact_text(text)


@pytest.mark.parametrize(
    "text", ['{"password": "hunter2', "password='hunter2", '{"token":"hunter2\\', "Cookie: a=hunter2"]
)
def test_a_text_that_is_cut_off_in_the_secret_is_hidden(text: str) -> None:
    """A quote that is never closed hides the rest of its line."""
    assert "hunter2" not in redact_text(text)


# --- names ------------------------------------------------------------------------------------------

SECRET_NAMES = """
    password Password PASSWORD pass-word passWord db_password dbPassword DBPASSWORD PGPASSWORD mysql_pwd
    pwd passwd pass db_pass user-pass passphrase passPhrase passcode passkey password1 new_password
    password_confirmation passwordHash secret clientSecret client_secret CLIENT-SECRET secret_key
    secretKeyBase secrets secret_id token accessToken access_token access-token refreshToken id_token
    idToken api.token agentToken csrf_token X-CSRF-Token csrfmiddlewaretoken XSRF-TOKEN access_tokens
    apiTokens bearer bearer_token bot_token api_key apiKey apikey API_KEY API-KEY X-Api-Key x_api_keys
    APIKey access_key accessKey AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AccountKey SharedAccessKey
    private_key privateKey signing_key encryption-key masterKey subscription-key app_key authorization
    Authorization Proxy-Authorization HTTP_AUTHORIZATION authorization_code auth _auth basic_auth x-auth
    cookie Cookie cookies Set-Cookie set_cookie session_cookie cookie_secret credential credentials creds
    refreshCredential user_code userCode device-code deviceCode auth_code verification_code jwt otp totp
    psk code_verifier X-Amz-Signature oauth_signature jsessionid PHPSESSID sessionid github_pat
    client-key-data user[password] headers.authorization spring.datasource.password
""".split()

OPEN_NAMES = """
    token_count tokenCount max_tokens maxTokens prompt_tokens completion_tokens total_tokens tokens
    input_tokens tokens_used tokenizer tokenize tokenized token_type token_url token_limit
    token_expires_at tokenExpired next_page_token nextToken eos_token pad_token_id unexpected_token
    secretary secretariat secretion keyboard key keys monkey key_id primary_key public_key foreign_key
    sort_key cache_key ssh_key hotkey passed passes bypass compass first_pass num_pass passport passenger
    passive password_policy password_min_length password_required password_reset passwordless has_password
    hasToken is_secret use_token no_token with_token show_password secret_name secret_version secret_arn
    secrets_manager cookie_domain cookie_name cookie_policy cookiecutter author authority authenticated
    authentication auth_method auth_type authorization_url authorized_keys credential_type
    credentials_file session session_id sessionId signature code status_code error_code country_code
    exit_code zip_code user username email phone path op errno syscall id name value url host port page
    limit pässword
""".split()


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_names_of_secrets(name: str) -> None:
    """Case, hyphens, underscores, dots and camelCase are folded."""
    assert is_secret_key(name)
    assert is_secret_item(name, "x1")


@pytest.mark.parametrize("name", OPEN_NAMES)
def test_names_that_only_look_like_one(name: str) -> None:
    """Whole words count, and a fact about a secret is none."""
    assert not is_secret_key(name)
    assert not is_secret_item(name, 12)


@given(st.text(max_size=300))
def test_any_text_can_be_a_name(name: str) -> None:
    """The answer is a bool for any text, and the same each time."""
    assert is_secret_key(name) is is_secret_key(name)
    assert is_secret_item(name, None) is False


@given(st.sampled_from(SECRET_NAMES), st.sampled_from(["x-", "my_", "the.", "app "]))
def test_a_word_before_the_name_keeps_it_secret(name: str, before: str) -> None:
    """Whose secret it is makes no difference, except for what a pass is a pass of."""
    if name not in {"pass", "jsessionid", "PHPSESSID", "sessionid"}:
        assert is_secret_key(before + name)


def test_a_long_name_is_judged_by_its_end() -> None:
    """Keys of a megabyte cost no more than others."""
    assert is_secret_key("x" * 1_000_000 + "_password")
    assert not is_secret_key("password" * 100_000 + "_x" * 100)


def test_a_code_is_a_name_too() -> None:
    """Codes are texts of a class of their own, and may be keys."""
    code = ErrkitError.BAD_LITERAL
    assert not is_secret_key(code)
    assert redact_text(code) is code


class Lazy:
    """An object that refuses to be compared, to be true or false, and to say its class."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __bool__(self) -> bool:
        raise RuntimeError

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError


ITEMS: list[tuple[str, object, bool]] = [
    ("password", "x", True),
    ("password", 1234, True),
    ("password", ["x"], True),
    ("password", {"a": 1}, True),
    ("password", b"x", True),
    ("password", None, False),
    ("password", False, False),
    ("password", True, False),
    ("password", "", False),
    ("pass", "hunter2", True),
    ("pass", 12, False),
    ("auth", "x", True),
    ("auth", ("bob", "x"), True),
    ("auth", {"user": "bob"}, False),
    ("tokens", 12, False),
    ("tokens", "12", False),
    ("tokens", "abc", True),
    ("tokens", ["abc"], True),
    ("tokens", [1, 2], False),
    ("tokens", {"abc"}, True),
    ("max_tokens", "abc", False),
    ("PWD", "/home/bob", False),
    ("PWD", "hunter2", True),
    ("pwd", "/home/bob", True),
    ("path", "/home/bob", False),
]


@pytest.mark.parametrize(("name", "value", "hidden"), ITEMS, ids=numbered(str(item) for item in ITEMS))
def test_the_value_counts_too(name: str, value: object, hidden: bool) -> None:
    """Absence is no secret, counts are none, and a folder is none."""
    assert is_secret_item(name, value) is hidden


@pytest.mark.parametrize("name", ["password", "pass", "auth", "tokens", "PWD", "path"])
def test_the_value_may_be_anything(name: str) -> None:
    """An object that raises when it is compared or asked for its class is judged by its real type."""
    assert is_secret_item(name, Lazy()) is (name not in {"tokens", "path"})


# --- arguments --------------------------------------------------------------------------------------


ARGUMENTS: list[tuple[list[str], list[str]]] = [
    (["--password", "hunter2"], ["--password", "[REDACTED]"]),
    (["tool", "--token", "abc", "-v"], ["tool", "--token", "[REDACTED]", "-v"]),
    (["--password", "--verbose"], ["--password", "--verbose"]),
    (["--password=hunter 2"], ["--password=[REDACTED]"]),
    (["--password="], ["--password="]),
    (["PASSWORD=hunter 2", "run"], ["PASSWORD=[REDACTED]", "run"]),
    (["-e", "DB_PASSWORD=hunter2"], ["-e", "DB_PASSWORD=[REDACTED]"]),
    (["--env=DB_PASSWORD=hunter2"], ["--env=DB_PASSWORD=[REDACTED]"]),
    (["-H", "Authorization: Bearer x y"], ["-H", "Authorization: [REDACTED]"]),
    (["--header", "X-Api-Key:abc"], ["--header", "X-Api-Key: [REDACTED]"]),
    (["-H", "Accept: */*"], ["-H", "Accept: */*"]),
    (["-d", '{"password":"hunter2"}'], ["-d", '{"password":"[REDACTED]"}']),
    (
        ["/usr/bin/curl", "-u", "bob:hunter2", "https://x"],
        ["/usr/bin/curl", "-u", "[REDACTED]", "https://x"],
    ),
    (["docker", "run", "-u", "1000:1000"], ["docker", "run", "-u", "1000:1000"]),
    (["sshpass", "-p", "hunter2", "ssh"], ["sshpass", "-p", "[REDACTED]", "ssh"]),
    (["https://bob:x@host/?page=2"], ["https://[REDACTED]@host/?page=2"]),
    (["--max-tokens", "5", "--page=2"], ["--max-tokens", "5", "--page=2"]),
    (["--token", "<token>"], ["--token", "<token>"]),
    (["--password-stdin", "bob"], ["--password-stdin", "bob"]),
    (["PWD=/srv", "env"], ["PWD=/srv", "env"]),
    ([], []),
    ([""], [""]),
    (["password", "username"], ["password", "username"]),
    (["password", "Must not be empty."], ["password", "Must not be empty."]),
    (["password", "hunter2"], ["password", "[REDACTED]"]),
    (["x-api-key", "abc"], ["x-api-key", "[REDACTED]"]),
    (["Authorization", "Bearer abc"], ["Authorization", "[REDACTED]"]),
    (["cookie", "a=b"], ["cookie", "[REDACTED]"]),
    (["accept", "text/html"], ["accept", "text/html"]),
]


@pytest.mark.parametrize(("items", "expected"), ARGUMENTS, ids=numbered(str(items) for items, _ in ARGUMENTS))
def test_argument_lists(items: list[str], expected: list[str]) -> None:
    """Split and joined options, variables and headers; the device tool leaked `["--password", "x"]`."""
    assert redact_argv(items) == expected
    assert redact_argv(tuple(expected)) == expected


@given(st.lists(st.text(max_size=30), max_size=6))
def test_any_list_of_texts_can_be_arguments(items: list[str]) -> None:
    """As many come back, and redacting them again changes nothing."""
    shown = redact_argv(items)
    assert len(shown) == len(items)
    assert redact_argv(shown) == shown


# --- literals ---------------------------------------------------------------------------------------


@pytest.fixture
def literal() -> Iterator[Callable[[str], None]]:
    """Registers literals, and takes them back at the end."""
    added: list[str] = []

    def add(value: str) -> None:
        added.append(value)
        add_literal(value)

    yield add
    for value in added:
        remove_literal(value)


def test_a_registered_literal_vanishes_everywhere(literal: Callable[[str], None]) -> None:
    """Also from a text that was made, and even redacted, before it was registered."""
    text = redact_text("the horse is correct-horse, not correct")
    assert text == "the horse is correct-horse, not correct"
    literal("correct-horse")
    assert redact_text(text) == "the horse is [REDACTED], not correct"
    remove_literal("correct-horse")
    assert redact_text(text) == text


def test_the_longest_literal_wins(literal: Callable[[str], None]) -> None:
    """A literal inside of another one leaves nothing of it."""
    for value in ("swordfish", "swordfish-and-chips", "fish"):
        literal(value)
    assert redact_text("swordfish-and-chips, swordfish, fish") == "[REDACTED], [REDACTED], [REDACTED]"


AWKWARD = 'pä$$ "w\\o/rd"+ &=\n\t%é\U0001f600'


def encoded(value: str) -> str:
    """Standard base64 of a text."""
    return base64.b64encode(value.encode()).decode()


def lowered(value: str) -> str:
    """A percent-encoded text with lower-case hexadecimal digits."""
    return re.sub("%..", lambda found: found[0].lower(), urllib.parse.quote(value, safe=""))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "path": urllib.parse.quote,
    "query": urllib.parse.quote_plus,
    "strict": lambda value: urllib.parse.quote(value, safe=""),
    "strict in lower case": lowered,
    "form": lambda value: urllib.parse.urlencode({"q": value}),
    "JSON": json.dumps,
    "JSON as UTF-8": lambda value: json.dumps(value, ensure_ascii=False),
    "JSON in JSON": lambda value: json.dumps({"a": json.dumps({"b": value})}),
    "repr": repr,
    "ascii": ascii,
    "base64": encoded,
    "base64 for addresses": lambda value: encoded(value).replace("+", "-").replace("/", "_"),
    "base64 without padding": lambda value: encoded(value).rstrip("="),
}


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_literal_vanishes_in_every_spelling(
    spell: Callable[[str], str], literal: Callable[[str], None]
) -> None:
    """Percent-encoded, escaped for JSON or Python, in base64."""
    literal(AWKWARD)
    spelled = spell(AWKWARD)
    shown = redact_text(f"before {spelled} after")
    assert PLACEHOLDER in shown
    assert not [part for part in re.findall(r"\w{4,}", spelled) if part in shown.replace("before", "")]


@given(
    before=st.binary(max_size=9),
    after=st.binary(max_size=9),
    secret=st.text("abcXYZ019-_/+é", min_size=8, max_size=20),
)
def test_a_literal_vanishes_inside_of_base64(before: bytes, after: bytes, secret: str) -> None:
    """At each of the three alignments only what it shares with its neighbours stays: a character a side."""
    data = secret.encode()
    text = base64.b64encode(before + data + after).decode()
    own = text[-(-len(before) * 8 // 6) : (len(before) + len(data)) * 8 // 6]
    add_literal(secret)
    try:
        shown = redact_text(f"x {text} y")
    finally:
        remove_literal(secret)
    assert PLACEHOLDER in shown
    assert own not in shown


@pytest.mark.parametrize("value", ["", "a", "abc", "REDACTED", "[REDACTED]"])
def test_a_literal_that_would_tear_holes_is_refused(value: str) -> None:
    """The error is coded, says the length, and does not show the text."""
    with pytest.raises(CodedError) as caught:
        add_literal(value)
    assert caught.value.code == "errkit.bad_literal"
    assert dict(caught.value.details) == {"length": len(value)}
    assert len(value) < 3 or value in PLACEHOLDER or value not in caught.value.message


def test_removing_an_unknown_literal_does_nothing() -> None:
    """Cleaning up twice is no mistake."""
    remove_literal("never registered")


def test_literals_may_be_registered_while_others_redact(literal: Callable[[str], None]) -> None:
    """A reader sees the literals of before or of after, never half of them, and none gets lost."""
    values = [f"literal-number-{number}" for number in range(40)]
    wrong: list[str] = []

    def read() -> None:
        for _ in range(200):
            shown = redact_text("x literal-number-0 y")
            if shown not in {"x literal-number-0 y", "x [REDACTED] y"}:
                wrong.append(shown)

    def register(part: int) -> None:
        for value in values[part::4]:
            literal(value)

    threads = [threading.Thread(target=read)]
    threads += [threading.Thread(target=register, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert redact_text(" ".join(values)) == " ".join([PLACEHOLDER] * len(values))


# --- any text ---------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *re.split(r"(?<=[\s=:,;&'\"])", " ".join(leak.text for leak in LEAKING))[::3],
        *"\" ' \\ \\n = : , ; & | { } [ ] ( ) < > % %3D %22 :// @ ? # $ ` ".split(),
        *"token password key Bearer secret".split(),
        "\n",
        "\t",
        PLACEHOLDER,
        "Authorization: ",
        "Cookie: ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "eyJ",
        "sk-",
    ]
)
SURROGATES = st.text(st.characters(categories=["Cs", "L", "P", "S", "Z", "Cc"]), max_size=40)
TEXTS = st.one_of(
    st.text(),
    SURROGATES,
    st.lists(PIECES, max_size=20).map("".join),
    st.lists(PIECES | st.text(max_size=5), max_size=20).map(" ".join),
    st.tuples(st.sampled_from([leak.text for leak in LEAKING]), st.integers(0, 60), PIECES).map(
        lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] :]
    ),
)


@given(TEXTS)
def test_redaction_is_total_and_idempotent(text: str) -> None:
    """Any text gives a text, lone surrogates included, and redacting that again changes nothing."""
    once = redact_text(text)
    assert isinstance(once, str)
    assert redact_text(once) is once


QUOTED_PLACEHOLDER = r"""(?i:(\\*["'`]|\\+(?:u0022|x22|x27)|%2[27]|&quot;|&\#3[49];)?\[REDACTED\]\1?)"""


@given(TEXTS)
@example("PASSWORD\\X22:0")
@example("token&#34;: 8")
def test_redaction_only_takes_away(text: str) -> None:
    """What stays is the text in its order: nothing is invented but placeholders and quotes around them."""
    rest = iter(text)
    kept = re.sub(QUOTED_PLACEHOLDER, "", redact_text(text))
    missing = [char for char in kept if char not in "\"'\\" and char not in rest]
    assert missing == []


@given(TEXTS)
def test_a_text_without_secrets_is_not_copied(text: str) -> None:
    """If nothing is hidden the very object comes back, so innocent text never grows."""
    shown = redact_text(text)
    assert shown is text or PLACEHOLDER in shown


LETTERS = "abcdefghjkmnpqrstwyzABCDEFGHJKLM"


def secrets(marks: str) -> st.SearchStrategy[str]:
    """Texts that begin with two letters and end in two digits, as no word and no name of a standard does."""
    middle = st.text(LETTERS + "0123456789" + marks, min_size=6, max_size=30)
    return st.tuples(st.sampled_from(LETTERS), middle, st.integers(10, 99)).map(
        lambda parts: "q{}{}{}".format(*parts)
    )


PLACES = st.sampled_from(
    [
        "password={}",
        "PASSWORD = {}",
        "password: {}",
        "X-Api-Key: {}",
        "{{'password': '{}'}}",
        '{{"token": "{}", "page": 2}}',
        '{{\\"token\\": \\"{}\\"}}',
        "Authorization: Bearer {}",
        "authorization: Token {}",
        "sent Bearer {} to host",
        "Cookie: sid={}; other=1",
        "https://bob:{}@example.com/a?page=2",
        "redis://:{}@cache:6379/0",
        "Server=db;User Id=sa;Password={};Encrypt=true",
        "--password {} --verbose",
        "--token={}",
        "['tool', '--password', '{}']",
        "export API_TOKEN={}",
        "token%3D{}",
        "<password>{}</password>",
        "('x-api-key', '{}')",
        '{{"name": "x-api-key", "value": "{}"}}',
        "login failed, password={}, user=bob",
        "DB_PASSWORD='{}'",
    ]
)


@given(secrets("+/_.-!#~"), PLACES)
def test_a_planted_secret_never_shows(secret: str, place: str) -> None:
    """Any secret with a letter first and a digit last, in any of the usual places."""
    assert secret not in redact_text(place.format(secret))


@given(
    secrets("_.-~"),
    st.sampled_from(["token", "api_key", "access_token", "sig"]),
)
def test_only_the_secret_parameter_of_an_address_is_hidden(secret: str, name: str) -> None:
    """Parameters before and after it stay."""
    shown = redact_text(f"https://example.com/a?page=2&{name}={secret}&sort=asc#top")
    assert shown == f"https://example.com/a?page=2&{name}=[REDACTED]&sort=asc#top"


NOTATIONS: dict[str, Callable[[str, str], str]] = {
    "JSON": lambda key, secret: json.dumps({"a": 1, key: secret, "z": 2}),
    "JSON as UTF-8": lambda key, secret: json.dumps({key: secret, "z": 2}, ensure_ascii=False),
    "JSON in JSON": lambda key, secret: json.dumps({"body": json.dumps({key: secret, "z": 2})}),
    "JSON, three deep": lambda key, secret: json.dumps({"c": json.dumps({"b": json.dumps({key: secret})})}),
    "repr": lambda key, secret: repr({"a": 1, key: secret, "z": 2}),
    "keywords": lambda key, secret: f"connect({key}={secret!r}, z=2)",
    "query": lambda key, secret: f"https://h/a?page=2&{key}={urllib.parse.quote(secret, safe='')}&z=1",
    "form": lambda key, secret: urllib.parse.urlencode({"page": 2, key: secret, "z": 1}),
    "JSON in a query": lambda key, secret: urllib.parse.quote(json.dumps({key: secret, "z": 1}), safe=""),
    "arguments": lambda key, secret: repr(["tool", f"--{key}", secret, "-v"]),
    "header list": lambda key, secret: repr([("accept", "*/*"), ("x-api-key", secret)]),
}


@given(
    st.text("abcXYZ019 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~é\u4e2d", min_size=6, max_size=20),
    st.sampled_from(["password", "api_key", "accessToken", "client_secret", "DB_PASSWORD"]),
    st.sampled_from(sorted(NOTATIONS)),
)
def test_where_a_notation_says_where_a_value_ends_any_secret_vanishes(
    rest: str, key: str, notation: str
) -> None:
    """Quotes, brackets, separators and backslashes in the secret change nothing."""
    secret = f"q7{rest}7q"
    text = NOTATIONS[notation](key, secret)
    shown = redact_text(text)
    spellings = {secret, json.dumps(secret)[1:-1], urllib.parse.quote(secret, safe="")}
    assert not [form for form in spellings if form[2:] in shown or form[:6] in shown], shown


# --- the rules themselves ---------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_hides_something_in_the_corpus(rule: Rule) -> None:
    """A rule without a sample is unproven, or dead."""
    samples = (leak.text for leak in LEAKING)
    assert any(rule.decide(match) for text in samples for match in regex(rule.pattern).finditer(text))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_rule_is_kept_from_a_text_it_would_change(rule: Rule) -> None:
    """The quick look at a text lets through whatever has the words and the marks of a rule."""
    for leak in LEAKING:
        low = leak.text.lower()
        hidden = [match for match in regex(rule.pattern).finditer(leak.text) if rule.decide(match)]
        if hidden:
            assert any(word in low for word in rule.words), (rule.name, leak.text)
            assert not rule.marks or any(mark in low for mark in rule.marks), (rule.name, leak.text)
            assert is_suspicious(leak.text), (rule.name, leak.text)


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token.prefix)
def test_tokens_of_vendors(token: Token) -> None:
    """A prefix with enough behind it is a token; the prefix alone, or with crosses, is the mention of one."""
    rest = "9F" * 30 if regex(token.rest).match("F") and "a-f" not in token.rest else "9f" * 30
    for text in (
        f"{token.prefix}{rest}",
        f"refused: {token.prefix}{rest}.",
        f"x={token.prefix}{rest}&page=2",
    ):
        shown = redact_text(text)
        assert rest not in shown
        assert shown == text.replace(f"{token.prefix}{rest}", PLACEHOLDER)
    for text in (
        token.prefix,
        f"it starts with {token.prefix}",
        f"{token.prefix}...",
        f"{token.prefix}{'x' * 30}",
    ):
        assert redact_text(text) == text
    assert redact_text(f"a{token.prefix}{rest}") == f"a{token.prefix}{rest}" or token.prefix[0] == "g"


def test_prefixes_are_listed_once() -> None:
    """One row a prefix."""
    prefixes = [token.prefix for token in TOKENS]
    assert len(set(prefixes)) == len(prefixes)


# --- linear -----------------------------------------------------------------------------------------

UNITS = [
    "token:", "token=", "token: ", 'token="', "token='x ", '"token": ', '"token":[', "token%3D",
    "password is ", "//a", "//a:b/", "http://a@", "@//", "?key=a", "&sig=!", "sk-a-", "ghp_", "eyJ-",
    "eyJ.", "AKIA", "\\", "'", "-----BEGIN A PRIVATE KEY-----", "-----BEGIN A PRIVATE KEY----- x ",
    "Bearer ", "Basic aaaa", "--token ", "curl -u ", "mysql -p", "Authorization: ",
    "Authorization: Bearer x, ", "Cookie: a=b; ", "Cookie: ", '("token","x"', "create user ",
    "machine login password ", "<token>", "<token>x</", "api key ", "name: token value: ", "token=\\\\",
    "token=&amp;", "token\n:", "jdbc:oracle:a:b/", "token=a,", "token=${", "arn:aws:token:",
    "unexpected token: ", "passphrase: a ", "token=<a", "pwd={", '{"password": "x1", "b": 2}, ',
]  # fmt: skip


def steps(text: str) -> int:
    """How many functions are called, in Python and in C, to redact a text."""
    count = 0

    def tick(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tick)
    try:
        redact_text(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_text_takes_at_most_twice_the_steps(unit: str) -> None:
    """Counted, not timed: decisions grow with the text and no faster."""
    redact_text(unit * 3)
    half, whole = (steps(unit * (size // len(unit))) for size in (4_000, 8_000))
    assert whole <= 2.3 * half + 50


def test_no_pattern_goes_back_over_what_it_has_read() -> None:
    """Each repetition without a bound is possessive, so what one step reads is linear too.

    The patterns for names are exempt: a name is at most 128 characters long.
    """
    for leak in LEAKING:
        redact_text(leak.text)
    for source in compiled:
        if source not in {names._TERMS, names._WORDS}:
            bare = re.sub(r"#.*", "", re.sub(r"\\.", "_", source))
            bare = re.sub(r"\[\^?[^\]]+\]", "_", bare)
            assert re.search(r"(?<![*+?}])[*+](?!\+)|\{\d+,\}(?!\+)", bare) is None, source


def test_a_decision_looks_at_a_bounded_part() -> None:
    """A value of any length is decided on by its beginning, and read to its end only to be hidden."""
    value = unquoted("x" * 100_000, 0)
    assert len(value.shown) <= LOOK
    assert not value.is_whole
    assert value.end == 100_000


@pytest.mark.parametrize("unit", ["a", " ", "-", "\n", "é", "word ", "key ", "x = 1, ", '{"code": 1}, '])
def test_a_megabyte_of_innocent_text_comes_back_itself(unit: str) -> None:
    """In a few steps a rule, whatever its length."""
    text = unit * (1_000_000 // len(unit))
    assert redact_text(text) is text


def test_a_secret_of_a_megabyte_vanishes() -> None:
    """However long it is, it is hidden whole."""
    secret = "x9" * 500_000
    assert redact_text(f'{{"password": "{secret}", "page": 2}}') == '{"password": "[REDACTED]", "page": 2}'
    assert redact_text(f"Bearer {secret} y") == "[REDACTED] y"
    assert redact_text(f"password={secret}&page=2") == "password=[REDACTED]&page=2"
    assert redact_text(f"https://bob:{secret}@x/") == "https://[REDACTED]@x/"


@pytest.mark.parametrize(
    "text",
    [
        "password:\n  abc123def456",
        "db:\n  password:\n    abc123def456\n  user: x",
        "password: |\n  abc123def456\n",
        "- password: >-\n    abc123def456\n    abc123def456\n  user: x",
        "failed with password: |\n  abc123def456\nat x",
    ],
)
def test_values_on_the_next_lines_vanish(text: str) -> None:
    """YAML writes a value on the lines below its name, further in; what follows them stays."""
    for shown in (redact_text(text), redact_text(json.dumps({"message": text}))):
        assert "abc123def456" not in shown
        assert PLACEHOLDER in shown
        assert ("user: x" in shown) == ("user: x" in text)


def test_a_block_that_was_hidden_comes_back_itself() -> None:
    """Replacing a placeholder by itself would be a change in each pass, without an end."""
    text = f"password: |\n  {PLACEHOLDER}"
    assert redact_text(text) is text


@pytest.mark.parametrize(
    "text", ["token:\n  is missing", "password:\nabc123def456 is free", "token: |\nx1y2z3"]
)
def test_lines_that_do_not_stand_further_in_stay(text: str) -> None:
    """They are no value, and neither are words."""
    assert redact_text(text) == text


def test_a_pair_that_is_cut_off_loses_its_value() -> None:
    """The bracket behind it may be what was cut."""
    assert redact_text("[(b'x-api-key', b'abc123") == "[(b'x-api-key', b'[REDACTED]"


def test_arguments_that_only_some_programs_keep_secret() -> None:
    """`-p` is a port for one program and a password for another."""
    assert redact_argv(["docker", "login", "-u", "bob", "-p", "hunter2"])[-1] == PLACEHOLDER
    assert redact_argv(["docker", "run", "-p", "80:80"])[-1] == "80:80"
    assert redact_argv(["ldapsearch", "-w", "hunter2"])[-1] == PLACEHOLDER
    assert redact_argv(["/usr/bin/mysql", "-u", "root", "-phunter2"])[-1] == f"-p{PLACEHOLDER}"
    assert redact_argv(["mysql", "-p", "shop"]) == ["mysql", "-p", "shop"]
