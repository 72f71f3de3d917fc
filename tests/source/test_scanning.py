"""`scan`: each rule finds what it is there for, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import errkit
from errkit.source import RULES

if TYPE_CHECKING:
    from tests.source.conftest import Granary

START = "from granary.errors import *\nfrom errkit import CodedError, Translator, translating\n"


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rule_explains_itself(rule: object) -> None:
    """A rule says what it finds, why, and what to do, in sentences."""
    for text in (rule.asks, rule.why, rule.remedy):  # type: ignore[attr-defined]
        assert not text[0].islower(), text
        assert text.endswith("."), text


def test_the_reference_lists_the_rules() -> None:
    """The page has each rule, in order, with its level and what it finds."""
    page = (Path(errkit.__path__[0]).parent / "docs" / "reference" / "scan.md").read_text("utf-8")
    rows = [f"| `{rule.name}` | {rule.level} | {rule.asks} |\n" for rule in RULES.values()]
    assert "".join(rows) in page


# --- bare-raise -------------------------------------------------------------------------------------

BARE = {
    "def f(): raise ValueError('m')": "ValueError",
    "def f(): raise ValueError": "ValueError",
    "import json\ndef f(): raise json.JSONDecodeError('m', 'd', 0)": "json.JSONDecodeError",
    "from requests import HTTPError as E\ndef f(): raise E('m')": "requests.HTTPError",
    "class Own(Exception): pass\ndef f(): raise Own()": "Own",
    "def f():\n    error = ValueError('m')\n    raise error": "ValueError",
    "def g(): return KeyError('m')\ndef f(): raise g()": "KeyError",
    "def f(x): raise KeyError('m') if x else StockError.GONE('m', grain='rye')": "KeyError",
    "def f():\n    try:\n        raise ValueError('m')\n    except KeyError: pass": "ValueError",
    "def f():\n    try:\n        raise ValueError('m')\n    except ValueError:\n        raise": "ValueError",
    "def f():\n    try: g()\n    except KeyError as e: raise ValueError('m') from e": "ValueError",
    "def f(): raise NotImplementedError('later')": "NotImplementedError",
    "class C:\n    def get(self): raise AttributeError('m')": "AttributeError",
    "raise RuntimeError('m')": "RuntimeError",
}


@pytest.mark.parametrize(("text", "name"), BARE.items())
def test_an_exception_without_a_code_is_found(text: str, name: str, granary: Granary) -> None:
    """Whatever leaves a function without a code is named, whatever it is called there."""
    [message] = granary.found("bare-raise", START + text)
    assert message.startswith(f"{name} is raised without a code")


@pytest.mark.parametrize(
    "text",
    [
        "def f(): raise StockError.GONE('m', grain='rye')",
        "def f(): raise GrainGone('m', grain='rye')",
        "def f(): raise StockError('m')",
        "def f(error): raise error",
        "def f(): raise unknown()",
        "def f():\n    try: g()\n    except KeyError as e: raise e",
        "def f():\n    try: g()\n    except KeyError as e: raise to_stock_error(e)",
        "def f():\n    try: raise ValueError('m')\n    except ValueError: pass",
        "def f():\n    try: raise KeyError('m')\n    except LookupError: pass",
        "def f():\n    with translating(to_stock_error): raise ValueError('m')",
        "@translating(to_stock_error)\ndef f(): raise ValueError('m')",
        "around = translating(to_stock_error)\n@around\ndef f(): raise ValueError('m')",
        "class C:\n    def __getattr__(self, name): raise AttributeError(name)",
        "class C:\n    def __getitem__(self, name): raise KeyError(name)",
        "class C:\n    def f(self): raise NotImplementedError('write it')",
        "def f(): raise NotImplementedError",
        "def f(): raise SystemExit(1)",
        "def f(): raise StopIteration",
        "import asyncio\ndef f(): raise asyncio.CancelledError",
        "from errkit import UserCancelled\nclass No(UserCancelled): pass\ndef f(): raise No()",
        "class S(Exception): pass\ndef f(): raise S\ndef g():\n    try: f()\n    except S: pass",
        "class S(Exception): pass\nclass T(S): pass\ndef f(): raise T\ntry: f()\nexcept S: pass",
    ],
)
def test_what_is_coded_translated_or_kept_inside_is_not_bare(text: str, granary: Granary) -> None:
    """Codes, translators, protocols of Python, the flow of programs, and signals within a package."""
    assert granary.found("bare-raise", START + text) == []


def test_the_domain_of_the_package_should_own_it(granary: Granary) -> None:
    """The nearest package that declares a domain is named; the configuration goes first."""
    text = "def f(): raise ValueError('m')"
    declared = "from errkit import CodedError\nclass E(CodedError, domain='wheat'): pass"
    for name in ("farm/__init__.py", "farm/field/__init__.py"):
        granary.file("", name)
    granary.file(declared, "farm/field/errors.py")
    granary.file(text, "farm/field/plough.py")
    granary.file(text, "farm/barn.py")
    assert sorted(granary.found("bare-raise")) == [
        "ValueError is raised without a code, and no domain is declared near it",
        "ValueError is raised without a code; wheat should own it",
    ]
    owned = granary.found("bare-raise", owners={"farm": "granary.cash", "farm.field": "granary.stock"})
    assert [message.rpartition("; ")[2] for message in owned] == [
        "granary.cash should own it",
        "granary.stock should own it",
    ]


# --- codes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise StockError.GON('m')", "StockError has no code GON; did you mean GONE?"),
        ("x = e.code == StockError.LOKED", "StockError has no code LOKED; did you mean LOCKED?"),
        ("Rule(CashError.GONE)", "CashError has no code GONE"),
        (
            "from granary.codes import ErrorCodes\nErrorCodes.SHRT",
            "ErrorCodes has no code SHRT; did you mean SHORT?",
        ),
        (
            "CodedError('granary.stock.gon', 'm')",
            (
                "no registry has the code 'granary.stock.gon'; did you mean granary.stock.gone or "
                "granary.stock.locked or granary.stock.failed?"
            ),
        ),
        ("CodedError('gone', 'm')", "no registry has the code 'gone'"),
    ],
)
def test_a_code_that_does_not_exist_is_found(text: str, message: str, granary: Granary) -> None:
    """A misspelt constant or text is named, with what may have been meant."""
    assert granary.found("unknown-code", START + text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "StockError.GONE",
        "CodedError('granary.stock.gone', 'm')",
        "CodedError('It broke.')",
        "CodedError('broken')",
        "CodedError(code, 'm')",
        "class More(StockError):\n    LIMIT = 3\nMore.LIMIT",
        "from elsewhere import Mixin\nclass More(StockError, Mixin): pass\nMore.LIMIT",
        "StockError.domain",
        "import http\nhttp.HTTPStatus.GON",
    ],
)
def test_what_may_exist_is_not_found(text: str, granary: Granary) -> None:
    """Messages, attributes and names from elsewhere are no codes."""
    assert granary.found("unknown-code", START + text) == []


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("StockError.GONE('m')", "missing-detail", "granary.stock.gone is raised without 'grain'"),
        ("GrainGone('m')", "missing-detail", "granary.stock.gone is raised without 'grain'"),
        (
            "CodedError('granary.stock.gone', 'm', details={'amount': 2})",
            "missing-detail",
            "granary.stock.gone is raised without 'grain'",
        ),
        (
            "StockError.GONE('m', grian='rye', grain='rye')",
            "unknown-detail",
            "granary.stock.gone has no details key 'grian'; did you mean grain?",
        ),
        ("CashError.SHORT('m', by=3)", "unknown-detail", "granary.cash.short has no details key 'by'"),
        (
            "GrainGone('m', details={'grain': 'rye', 'weight': 3})",
            "unknown-detail",
            "granary.stock.gone has no details key 'weight'",
        ),
    ],
)
def test_details_that_do_not_fit_are_found(text: str, rule: str, message: str, granary: Granary) -> None:
    """A key that is unknown or missing at a throw site is named, however the details are given."""
    assert [one.message for one in granary.scan(START + text).findings if "detail" in one.rule] == [message]
    assert granary.found(rule) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "StockError.GONE('m', grain='rye', context={'a': 1})",
        "StockError.GONE('m', **details)",
        "StockError.LOCKED('m', reason='mice')",
        "CodedError('granary.stock.gone', 'm', details=found)",
        "CodedError('granary.stock.gone', 'm', details={**found})",
        "from errkit import as_coded\nas_coded(e, fallback='granary.stock.gone')",
        "Rule(StockError.GONE, catches=OSError)",
    ],
)
def test_details_that_may_fit_are_not_found(text: str, granary: Granary) -> None:
    """What can't be seen is not judged."""
    assert [one for one in granary.scan(START + text).findings if "detail" in one.rule] == []


def test_codes_that_nobody_raises_are_found_where_all_is_scanned(granary: Granary) -> None:
    """Each is named at its declaration; a scan of other files asks nothing of the kind."""
    text = START + "raise GrainGone('m', grain='rye')"
    whole = granary.scan(text, all_of_it=True).findings
    assert [(one.rule, one.message, one.line) for one in whole] == [
        ("never-raised", "granary.cash.short is declared, and nothing raises it", 20)
    ]
    assert granary.scan(text).findings == ()


def test_a_fallback_for_everything_is_found(granary: Granary) -> None:
    """More than the share of a domain's raises by hand that is allowed; the translator does not count."""
    text = START + "raise StockError.FAILED('m')\n" * 3 + "raise StockError.LOCKED('m')\n"

    def found(share: int) -> list[str]:
        outcome = granary.scan(text, all_of_it=True, fallback_share=share)
        return [one.message for one in outcome.findings if one.rule == "overused-fallback"]

    assert found(50) == [
        "granary.stock.failed is the fallback of granary.stock, and stands at 3 of its 4 raises"
    ]
    assert found(75) == []


def test_a_domain_that_imports_the_facade_is_found(granary: Granary) -> None:
    """A module of errors imports domains, never the facade; others may."""
    declares = "from errkit import CodedError\nclass E(CodedError, domain='wheat'): pass\n"
    facade = "from granary.codes import ErrorCodes\n"
    assert granary.lines("facade-import", declares + facade) == [3]
    assert granary.lines("facade-import", facade) == []
    assert granary.lines("facade-import", declares + "from granary.errors import StockError\n") == []


# --- handlers ---------------------------------------------------------------------------------------

HANDLER = (
    START
    + "import asyncio\nasync def f(t):\n    try: await g()\n    {handler}\n    raise CashError.SHORT('m')\n"
)


@pytest.mark.parametrize(
    "handler",
    [
        "except: pass",
        "except BaseException: log()",
        "except (ValueError, BaseException) as e: log(e)",
        "except asyncio.CancelledError: pass",
        "except BaseException as e: raise CashError.SHORT('m') from e",
    ],
)
def test_a_handler_that_ends_cancellations_is_found(handler: str, granary: Granary) -> None:
    """In a function that raises codes, the handler is named."""
    assert granary.lines("swallowed-cancellation", HANDLER.format(handler=handler)) == [6]


@pytest.mark.parametrize(
    "handler",
    [
        "except Exception: pass",
        "except BaseException: raise",
        "except BaseException as e:\n        log(e)\n        raise e",
        "except BaseException as e: raise to_stock_error(e)",
        "except asyncio.CancelledError: raise\n    except BaseException: pass",
        "except asyncio.CancelledError:\n        if t: raise",
        "except BaseException: os._exit(1)",
        "except asyncio.CancelledError: t.cancel()",
    ],
)
def test_a_handler_that_lets_cancellations_go_is_not(handler: str, granary: Granary) -> None:
    """Raised again, translated, handled above, the end of the process, or the function's own doing."""
    assert granary.lines("swallowed-cancellation", HANDLER.format(handler=handler)) == []


def test_handlers_elsewhere_are_no_business_of_codes(granary: Granary) -> None:
    """A function that raises no code may catch what it wants."""
    assert granary.lines("swallowed-cancellation", "def f():\n    try: g()\n    except: pass\n") == []


# --- messages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("f'no entry with {password}'", "password"),
        ("f'no entry with {self.api_key!r}'", "api_key"),
        ("f'no entry with {str(user_password)}'", "user_password"),
        ("'no entry with %s' % password", "password"),
        ("'no entry with {}'.format(password)", "password"),
        ("'no entry with ' + password", "password"),
        ("f\"no entry with {config['password']}\"", "password"),
        ("f\"no entry with {os.environ.get('API_TOKEN')}\"", "API_TOKEN"),
    ],
)
def test_a_secret_in_a_message_is_found(message: str, name: str, granary: Granary) -> None:
    """However it gets into the text, of coded errors and of others."""
    for raised in (f"CashError.SHORT({message})", f"ValueError({message})"):
        found = granary.found("secret-in-message", START + f"raise {raised}")
        assert found == [f"the message holds {name!r}"]


def test_a_declared_secret_in_a_message_is_found(granary: Granary) -> None:
    """A value that goes into a field marked `Secret` has no place in the message, whatever its name."""
    text = START + "raise StockError.GONE(f'no {opener}', grain='rye', key=opener)"
    assert granary.found("secret-in-message", text) == [
        "the message holds 'opener', which goes into the secret field key"
    ]


@pytest.mark.parametrize(
    "message",
    [
        "f'{len(password)} characters'",
        "f'{token_count} tokens'",
        "f'unexpected token {token}'",
        "f'{self.next_token} stands behind {cur_token_}'",
        "'the password is wrong'",
        "f'{name} needs a password'",
    ],
)
def test_talk_about_secrets_is_not_found(message: str, granary: Granary) -> None:
    """Names that say something about a secret hold none."""
    assert granary.found("secret-in-message", START + f"raise CashError.SHORT({message})") == []


CAUGHT = START + "def f():\n    try: g()\n    except {caught} as e: raise {code}({message}) from e\n"


@pytest.mark.parametrize("message", ["str(e)", "f'failed: {e}'", "e.args[0]", "'failed: %s' % e", "f'{e!r}'"])
def test_foreign_words_in_a_public_message_are_found(message: str, granary: Granary) -> None:
    """The text of what was caught is quoted by a code that strangers see."""
    text = CAUGHT.format(caught="OSError", code="CashError.SHORT", message=message)
    assert granary.found("foreign-text", text) == [
        "the message of granary.cash.short quotes e, which came from elsewhere"
    ]


@pytest.mark.parametrize(
    ("caught", "code", "message"),
    [
        ("OSError", "StockError.LOCKED", "f'failed: {e}'"),
        ("StockError", "CashError.SHORT", "f'failed: {e}'"),
        ("OSError", "CashError.SHORT", "f'failed: {e.errno}'"),
        ("OSError", "CashError.SHORT", "f'failed: {type(e).__name__}'"),
        ("OSError", "CashError.SHORT", "'failed'"),
    ],
)
def test_our_own_words_are_not_found(caught: str, code: str, message: str, granary: Granary) -> None:
    """Internal codes, texts of coded errors, and facts about an exception are no foreign text."""
    assert granary.found("foreign-text", CAUGHT.format(caught=caught, code=code, message=message)) == []


@pytest.mark.parametrize(
    "text",
    [
        "raise StockError.LOCKED('m', exit_code=done.returncode)",
        "raise StockError.LOCKED(f'mill: {done.stderr}')",
        "try: g()\nexcept subprocess.CalledProcessError as e: raise StockError.LOCKED('m') from e",
    ],
)
def test_the_output_of_a_process_by_hand_is_found(text: str, granary: Granary) -> None:
    """Output, exit code, and the failure of `subprocess.run(check=True)`."""
    assert len(granary.found("process-by-hand", START + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from errkit import process_error\nraise process_error(c, done.returncode, stderr=done.stderr)",
        "try: g()\nexcept OSError as e: raise StockError.LOCKED('m') from e",
        "raise StockError.LOCKED(f'{sys.stderr}')",
    ],
)
def test_process_error_is_the_way(text: str, granary: Granary) -> None:
    """Nothing is said of `process_error`, nor of other failures."""
    assert granary.found("process-by-hand", START + text) == []
