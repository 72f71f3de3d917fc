"""What holds for every dialect: total in both directions, exact, closed, and honest about what it loses."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from errkit import CodedError, ErrkitError, dialects, from_payload, to_payload
from errkit.dialects import Dialect, get, names
from errkit.dialects.shared import NATIVE
from errkit.dialects.statuses import BY_KIND, canonical_of
from errkit.safe import BOUNDS
from tests.dialects.samples import REG, AnyError, ShopError, chained, every_error, strip
from tests.hostile import every_hostile_object

every_dialect = pytest.mark.parametrize("name", names())
PUBLIC = ("problem", "jsonrpc", "grpc")
FEW = settings().max_examples // 5
"""Examples of a property that each dialect is tried with."""


def exact(value: Any) -> bool:
    """Whether a value is made of exact built-in types."""
    if type(value) is dict:
        return all(type(key) is str and exact(item) for key, item in value.items())
    if type(value) is list:
        return all(exact(item) for item in value)
    return value is None or type(value) in (str, int, float, bool)


def doubles(value: Any) -> Any:
    """A value as JSON, where a whole number is the same as its double."""
    return json.loads(json.dumps(value), parse_int=float)


# --- the registry of dialects -----------------------------------------------------------------------


def test_the_names_lead_to_the_dialects() -> None:
    """Each name gives an object that encodes and decodes."""
    for name in names():
        dialect = get(name)
        assert isinstance(dialect.LOST, frozenset)
        assert dialect.decode(dialect.encode(ShopError.EMPTY()), registry=REG).message == "Cart is empty"


def test_a_wrong_name_is_a_coded_error_that_lists_the_right_ones() -> None:
    """Whoever misspells a dialect is told what there is."""
    with pytest.raises(CodedError) as caught:
        get("rfc9457")
    details = ErrkitError.UNKNOWN_DIALECT.match(caught.value)
    assert details is not None
    assert details.known == list(names())


def test_a_dialect_is_imported_when_it_is_asked_for() -> None:
    """Importing the package loads none of them, and asking for one loads no foreign library."""
    script = """
import sys, errkit.dialects
loaded = [name for name in sys.modules if name.startswith("errkit.dialects.")]
assert loaded == [], loaded
for name in errkit.dialects.names():
    errkit.dialects.get(name)
foreign = {"google", "grpc", "mcp", "starlette", "pydantic", "errkit.catalogs"} & set(sys.modules)
assert foreign == set(), foreign
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@every_dialect
def test_the_module_says_what_is_lost(name: str) -> None:
    """The table in the docstring names the keys that the data names, and no other."""
    doc = get(name).__doc__ or ""
    _, _, table = doc.partition("what becomes of it\n")
    rows = frozenset(re.findall(r"^``(\w+)`` ", table, re.MULTILINE))
    if name == "harness_stream":
        rows = get(name).LOST
    assert rows == get(name).LOST
    assert get(name).LOST <= NATIVE


# --- encoding ---------------------------------------------------------------------------------------


@every_dialect
@every_hostile_object
def test_any_object_is_encoded(name: str, value: Any) -> None:
    """Whatever was raised or passed, the form is strict JSON of exact types and of bounded size."""
    for error in (value, ShopError.BROKEN(value, path=value)):
        form = get(name).encode(error, audience="internal")
        assert exact(form)
        text = json.dumps(form, allow_nan=False, ensure_ascii=False)
        text.encode()
        assert len(text) < 8 * BOUNDS.chars
    assert exact(get(name).encode(value, audience="public"))


def grouped(error: BaseException) -> BaseException:
    """A group of two."""
    return BaseExceptionGroup("g", [error, ValueError("y")])


@pytest.fixture(scope="module")
def deep() -> BaseException:
    """A chain of 100,000 causes."""
    links: list[BaseException] = [OSError("the root of it")]
    for number in range(100_000):
        links.append(ValueError(number))
        links[-1].__cause__ = links[-2]
    return links[-1]


@every_dialect
def test_depth_and_breadth_have_an_end(name: str, deep: BaseException) -> None:
    """A chain of 100,000 causes and groups nested 1,000 deep are encoded like any error."""
    text = json.dumps(get(name).encode(deep, audience="internal"))
    assert ("the root of it" in text) == (name != "agent_device" and "cause" not in get(name).LOST)
    group: BaseException = ValueError("x")
    for _ in range(1_000):
        group = grouped(group)
    assert len(json.dumps(get(name).encode(group, audience="internal"))) < BOUNDS.chars


@every_dialect
def test_an_error_that_hides_its_facts_is_encoded(name: str) -> None:
    """A subclass that raises from whatever it is asked is an error like any other."""

    class Sulking(ShopError):
        @property
        def spec(self) -> Any:
            raise RuntimeError("no spec")

        def _by_reason(self, name: str) -> Any:
            raise RuntimeError("no reason")

    assert exact(get(name).encode(Sulking(ShopError.BUSY, "m"), audience="internal"))


@every_dialect
def test_what_is_not_public_stays_home(name: str) -> None:
    """The public form of a code that is not public holds neither message nor details nor causes."""
    error = ShopError.BROKEN("brace missing in hall 7", path="/srv/hall7")
    error.__cause__ = ValueError("hall 7 again")
    shown = json.dumps(get(name).encode(error, audience="public"))
    assert "hall" not in shown
    assert "Cart file is broken" in shown


@every_dialect
def test_the_audience_is_public_where_the_form_goes_outside(name: str) -> None:
    """HTTP, JSON-RPC and gRPC answer strangers, so they hide by default; the others don't."""
    shown = json.dumps(get(name).encode(ShopError.BROKEN("brace missing", path="/srv/7")))
    assert ("brace missing" in shown) == (name not in PUBLIC)


@every_dialect
@pytest.mark.parametrize("audience", ["internal", "public"])
def test_no_secret_passes(name: str, audience: Any) -> None:
    """A secret that stands in message, details, cause, note or an unknown field is in no form."""
    secret = "hunter2hunter2"
    error = ShopError.BUSY(f"login failed: password={secret}", path=f"https://u:{secret}@h/", token=secret)
    error.override(hint=f"Run `login --password {secret}`.", context={"argv": ["--token", secret]})
    error.add_note(f"Authorization: Bearer {secret}")
    error.__cause__ = OSError(f"password={secret}")
    sent = {
        **to_payload(error),
        "password": secret,
        "cookies": {"sid": secret},
        "message": f"password={secret}",
    }
    for found in (error, from_payload(sent, registry=REG), sent):
        assert secret not in json.dumps(get(name).encode(found, audience=audience))


# --- there and back ---------------------------------------------------------------------------------


@every_dialect
@pytest.mark.parametrize("number", range(len(every_error())))
def test_an_error_comes_back(name: str, number: int) -> None:
    """All that the form carries is there again after the trip, through JSON text."""
    dialect, error = get(name), every_error()[number]
    form = json.loads(json.dumps(dialect.encode(error, audience="internal")))
    again = dialect.decode(form, registry=REG)
    kept = strip(to_payload(error), dialect.LOST)
    found = strip(to_payload(again), dialect.LOST)
    assert {key: found.get(key) for key in kept} == kept
    assert again.spec is error.spec or "code" in dialect.LOST or not error.spec.cls


@every_dialect
def test_a_second_hop_changes_nothing(name: str) -> None:
    """Decoded and encoded again, the form is the same."""
    dialect = get(name)
    for error in every_error():
        once = dialect.encode(error, audience="internal")
        again = dialect.encode(dialect.decode(once, registry=REG), audience="internal")
        assert strip(again, frozenset({"name"})) == strip(once, frozenset({"name"}))


CARRIES_VERDICT = [name for name in names() if "retryable" not in get(name).LOST]


@pytest.mark.parametrize("name", CARRIES_VERDICT)
@pytest.mark.parametrize("verdict", [True, False])
def test_the_senders_verdict_wins(name: str, verdict: bool) -> None:
    """What the sender says about retrying stands against the registry of the reader, on every later hop."""
    dialect = get(name)
    for error in (ShopError.BUSY("m", path="p"), ShopError.EMPTY(), CodedError("un.known", "m")):
        found = error.override(retryable=verdict)
        for _ in range(3):
            found = dialect.decode(dialect.encode(found, audience="internal"), registry=REG)
            assert found.retryable is verdict


@every_dialect
def test_unknown_fields_are_sent_on(name: str) -> None:
    """What a newer sender adds beside the known keys survives the hop through an older reader."""
    dialect = get(name)
    sent = {**to_payload(ShopError.EMPTY()), "severity": "high"}
    form = dialect.encode(from_payload(sent, registry=REG), audience="internal")
    assert "severity" in json.dumps(form) or name == "agent_core_http"
    again = dialect.encode(dialect.decode(form, registry=REG), audience="internal")
    assert again == form


@every_dialect
def test_a_payload_opens_nothing(name: str) -> None:
    """A form can't import by name, and can't make a code public."""
    sent = {**to_payload(ShopError.BROKEN("m", path="p")), "name": "os.system", "public": True}
    form = get(name).encode(from_payload(sent, registry=REG), audience="internal")
    found = get(name).decode(form, registry=REG)
    assert not found.public
    assert type(found) in (ShopError, CodedError) or name == "agent_core_http"


# --- decoding ---------------------------------------------------------------------------------------


@every_dialect
@every_hostile_object
def test_any_object_is_decoded(name: str, value: Any) -> None:
    """Junk of any type gives an error that stands in for it, and so does junk in any place of a form."""
    dialect = get(name)
    assert dialect.decode(value).code == "errkit.malformed_payload"
    form = dialect.encode(chained(), audience="internal")
    for key in form:
        found = dialect.decode({**form, key: value}, registry=REG)
        assert isinstance(found, CodedError)
        json.dumps(to_payload(found), allow_nan=False)


@every_dialect
def test_a_circle_ends(name: str) -> None:
    """A form that holds itself is read to an end."""
    dialect = get(name)
    form: dict[str, Any] = dialect.encode(chained(), audience="internal")
    for key in ("cause", "data", "structuredContent", "details", "error", "value"):
        circle = {**form}
        circle[key] = circle
        assert isinstance(dialect.decode(circle, registry=REG), CodedError)
    payload: dict[str, Any] = {"code": "a.b", "message": "m", "retryable": False}
    payload["cause"] = payload
    for circle in ({**form, "data": payload}, {**form, "structuredContent": payload}, payload):
        assert isinstance(dialect.decode(circle, registry=REG), CodedError)


BROKEN: dict[str, list[tuple[dict[str, Any], str]]] = {
    "problem": [({}, "$.detail"), ({"code": 5, "retryable": True, "detail": "m"}, "$.code")],
    "jsonrpc": [
        ({}, "$.code"),
        ({"code": 1.5, "message": "m"}, "$.code"),
        ({"code": 1}, "$.message"),
        ({"error": 3}, "$.error"),
        ({"error": {"code": 1, "message": 2}}, "$.error.message"),
    ],
    "grpc": [
        ({}, "$.code"),
        ({"code": 17}, "$.code"),
        ({"code": 5, "message": 5}, "$.message"),
        ({"error": {"code": 404, "details": {}}}, "$.error.details"),
    ],
    "mcp": [({}, "$.isError"), ({"isError": False}, "$.isError"), ({"isError": True}, "$.content")],
    "agent_core": [({}, "$.code"), ({"code": "a", "message": 5}, "$.message")],
    "agent_core_http": [({"code": 0, "msg": "success"}, "$.code"), ({"code": 40401}, "$.msg")],
    "agent_device": [({}, "$.message"), ({"ok": False, "error": []}, "$.error")],
    "harness": [
        ({}, "$.errorCode"),
        ({"type": "error"}, "$.error"),
        ({"code": 1, "message": 1}, "$.message"),
    ],
    "harness_stream": [({"type": "error", "error": None}, "$.error")],
}


@every_dialect
def test_the_place_of_the_fault_is_named(name: str) -> None:
    """What stands in for junk says where the junk is, in the form's own keys."""
    for form, place in BROKEN[name]:
        details = ErrkitError.MALFORMED_PAYLOAD.match(get(name).decode(form))
        assert details is not None, form
        assert details.place == place


def test_the_place_of_a_fault_inside_is_named_too() -> None:
    """A broken cause is reported under the path that leads to it in the form."""
    found = get("jsonrpc").decode(
        {"code": 1, "message": "m", "data": {"code": "a.b", "cause": {"code": 5, "message": ""}}}
    )
    assert found.code == "a.b"
    details = ErrkitError.MALFORMED_PAYLOAD.match(found.__cause__)
    assert details is not None
    assert details.place == "$.data.cause.code"


# --- generated --------------------------------------------------------------------------------------

TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(
    sorted(
        NATIVE
        | {"error", "data", "type", "title", "status", "detail", "instance", "isError", "structuredContent"}
        | {"content", "text", "@type", "reason", "domain", "metadata", "retryDelay", "links", "url", "value"}
        | {"msg", "request_id", "codeNum", "errorCode", "recovery", "context", "retriable", "supportedOn"}
        | {"diagnosticId", "logPath", "diagnosticsRecord", "logPathUnavailable"}
    )
)
WORDS = st.sampled_from(
    [
        "error",
        "internal",
        "shop.cart.busy",
        "type.googleapis.com/google.rpc.ErrorInfo",
        "1.5s",
        "true",
        "UNAVAILABLE",
    ]
)
FORMS = st.recursive(
    JSON | WORDS | st.sampled_from([5, 404, -32601, 4003]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=6) | st.lists(inner, max_size=3),
    max_leaves=30,
)


@every_dialect
@settings(max_examples=FEW)
@given(form=FORMS)
def test_no_json_breaks_a_decoder(name: str, form: Any) -> None:
    """Any JSON, also such that nearly fits, becomes an error that can be sent on in every form."""
    found = get(name).decode(form, registry=REG)
    assert isinstance(found, CodedError)
    for dialect in (get(name), get("problem")):
        assert exact(dialect.encode(found, audience="internal"))


EXACT = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
"""JSON without whole numbers that gRPC can't carry."""
ERRORS = st.builds(
    lambda code, message, details, verdict, hint, wait: AnyError(code, message, details=details).override(
        retryable=verdict, hint=hint or None, retry_after=wait
    ),
    st.sampled_from(
        ["shop.cart.busy", "nobody.knows", "internal", "UPPER_SNAKE", "camelCase.deepEnd", "x", "ключ.дом"]
    ),
    TEXT,
    st.dictionaries(st.sampled_from(["path", "reason", "n", "nested", "context"]), EXACT, max_size=3),
    st.booleans(),
    TEXT,
    st.none() | st.floats(0, 1e6),
)


@every_dialect
@settings(max_examples=FEW)
@given(error=ERRORS)
def test_code_message_details_verdict_and_hint_survive(name: str, error: CodedError) -> None:
    """Whatever is in an error, the five facts that matter come back where the form carries them."""
    dialect = get(name)
    sent = to_payload(error)
    found = to_payload(
        dialect.decode(json.loads(json.dumps(dialect.encode(error, audience="internal"))), registry=REG)
    )
    for key in {"code", "message", "details", "retryable", "hint"} - dialect.LOST:
        if name == "agent_device" and key == "hint" and not sent.get("hint"):
            continue
        assert doubles(found.get(key)) == doubles(sent.get(key)), key


def test_a_dialect_is_an_object_of_the_protocol() -> None:
    """Type checkers take every module for a `Dialect`."""
    from errkit.dialects import grpc, harness, problem

    dialects: list[Dialect] = [get("mcp"), problem, grpc, harness]
    assert all(isinstance(dialect.LOST, frozenset) for dialect in dialects)


# --- the documentation ------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "dialects.md"


def rows_of(head: str) -> list[list[str]]:
    """The rows of the table on the page whose first head is `head`, without the head."""
    _, _, rest = PAGE.read_text("utf-8").partition(f"| {head} |")
    table = list(itertools.takewhile(lambda line: line.startswith("|"), rest.splitlines()[1:]))
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table[1:]]


def test_the_page_tells_what_survives() -> None:
    """The table is the data of the modules, key by key."""
    rows = rows_of("Key")
    assert {row[0] for row in rows} == NATIVE - {"v"}
    for key, *marks in rows:
        assert marks == ["no" if key in get(name).LOST else "yes" for name in names()], key


def test_the_page_tells_the_status_of_each_kind() -> None:
    """Kind, HTTP status and gRPC code are those of the table in the code."""
    assert rows_of("Kind") == [
        [kind, str(status), canonical_of(status).name] for kind, status in BY_KIND.items()
    ]


def test_the_page_and_the_package_tell_when_each_applies() -> None:
    """Both list every dialect, with its audience."""
    told = [(row[0], row[2]) for row in rows_of("Dialect")]
    assert told == [(name, "public" if name in PUBLIC else "internal") for name in names()]
    in_code = re.findall(r"^``(\w+)`` .* (public|internal)$", dialects.__doc__ or "", re.MULTILINE)
    assert in_code == told


def test_facts_that_somebody_replaced_are_not_searched() -> None:
    """A text is looked for in a range number by number; in one of a million million that takes a day."""
    error = ShopError.IMPOSSIBLE("m")
    vars(error).update(_facts=range(10**12), _details=range(10**12))
    for name in names():
        assert get(name).decode(get(name).encode(error, audience="internal"), registry=REG).message
