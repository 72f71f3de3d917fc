"""The total pass: one stated form for each kind of object, within bounds, without secrets, never failing."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import sys
import types
import uuid
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, strategies as st

from errkit.codes import Details, Secret
from errkit.errors import CodedError
from errkit.payload import to_payload
from errkit.redaction import add_literal, redact_text, remove_literal
from errkit.safe import BOUNDS, CIRCULAR, Bounds, Pass, redact, to_json
from tests.hostile import every_hostile_object


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, 2)


class Point(NamedTuple):
    x: int
    y: int


class Account(NamedTuple):
    user: str
    password: str


@dataclasses.dataclass
class Login:
    user: str
    password: str
    session: str = dataclasses.field(default="s", repr=False)


class KeyDetails(Details):
    name: str
    value: Secret[str]


FORMS: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (7, 7),
    (2**64, "18446744073709551616"),
    (10**5000, "<integer of 16610 bits>"),
    (1.5, 1.5),
    (float("nan"), "NaN"),
    (float("inf"), "Infinity"),
    (float("-inf"), "-Infinity"),
    ("text", "text"),
    ("\udcff.txt", "\\udcff.txt"),
    (b"\x00\x01", "base64:AAE="),
    (bytearray(b"\x00"), "base64:AA=="),
    (memoryview(b"\x00"), "base64:AA=="),
    (datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC), "2026-01-02T03:04:00+00:00"),
    (datetime.date(2026, 1, 2), "2026-01-02"),
    (datetime.time(3, 4), "03:04:00"),
    (datetime.timedelta(minutes=1.5), 90.0),
    (decimal.Decimal("1.10"), "1.10"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (pathlib.PurePosixPath("/srv/a"), "/srv/a"),
    (Colour.RED, "red"),
    (Colour.PAIR, "PAIR"),
    ((1, "a"), [1, "a"]),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    (Point(1, 2), {"x": 1, "y": 2}),
    (Login("ann", "hunter2"), {"user": "ann", "password": "[REDACTED]", "session": "[REDACTED]"}),
    (KeyDetails(name="n", value="v"), {"name": "n", "value": "[REDACTED]"}),
    (types.MappingProxyType({"a": 1}), {"a": 1}),
    (collections.OrderedDict(a=1), {"a": 1}),
    (collections.Counter("aa"), {"a": 2}),
    ({"a": 1}.keys(), ["a"]),
    ({"a": 1}.values(), [1]),
    ({1: "a", "1": "b"}, {"1": "a", "1#2": "b"}),
    ({None: 0, True: 1}, {"None": 0, "True": 1}),
    (ValueError("boom"), {"type": "ValueError", "message": "boom"}),
    (range(3), "range(0, 3)"),
]


@pytest.mark.parametrize(
    ("value", "form"), FORMS, ids=[f"{type(value).__name__}{i}" for i, (value, _) in enumerate(FORMS)]
)
def test_each_kind_has_one_stated_form(value: object, form: object) -> None:
    """Each kind of object becomes the JSON that the reference states for it."""
    assert to_json(value) == form
    assert type(to_json(value)) is type(form)


@every_hostile_object
def test_hostile_objects_become_strict_json(value: object) -> None:
    """Nothing an object does keeps it from becoming strict JSON (getsentry/sentry-python/issues/1118)."""
    for shape in (value, [value, value], {"details": value}):
        text = json.dumps(to_json(shape), allow_nan=False)
        text.encode()
        assert len(text) < 2 * BOUNDS.chars


LONG = "word " * 2_000
FILLING = {
    "texts": lambda number: f"{number}{LONG}",
    "keys": lambda number: {f"{number}-{other} {LONG}": 1 for other in range(20)},
    "numbers": lambda number: [10**1_200 + number] * 20,
    "bytes": lambda number: b"\xff\x00" * 5_000,
    "bytes and errors": lambda number: [b"\xff\x00", ValueError(LONG)],
    "names of classes": type("Some" * 5_000, (Exception,), {}),
}


@pytest.mark.parametrize("make", FILLING.values(), ids=FILLING)
def test_the_budget_counts_whatever_fills_it(make: Any) -> None:
    """Keys, numbers, bytes and names as well as texts; nothing gives back what was spent."""
    assert len(json.dumps(to_json([make(number) for number in range(200)]))) < 3 * BOUNDS.chars


@pytest.mark.parametrize("make", [lambda text: {text: 1}, lambda text: [text]], ids=["keys", "values"])
def test_a_long_text_of_which_nothing_is_kept_is_not_read(make: Any) -> None:
    """Redaction reads beyond the cut, which thousands of texts behind a spent budget need not pay for."""
    texts = [make(f"{number} {LONG}") for number in range(3_800)]
    read = 0

    def count(frame: types.FrameType, event: str, _: object) -> None:
        nonlocal read
        if event == "call" and frame.f_code is redact_text.__code__:
            read += len(frame.f_locals["text"])

    sys.setprofile(count)
    try:
        to_json([texts[start : start + 190] for start in range(0, 3_800, 190)])
    finally:
        sys.setprofile(None)
    assert 0 < read < 10_000_000


def test_a_spent_budget_shows_no_declared_secret() -> None:
    """Where not even its long name has room, the value is hidden by that name all the same."""
    name = "some_number_of_somebody_" * 4
    kind = type("LongDetails", (Details,), {"__annotations__": {name: Secret[int]}})
    assert "424242" not in json.dumps(to_json(["x" * 8_000] * 20 + [kind(**{name: 424242})]))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.datetimes()
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.tuples(inner, inner)
        | st.sets(st.integers())
    ),
    max_leaves=30,
)


@given(TREES)
def test_any_tree_becomes_strict_json_of_exact_types(tree: object) -> None:
    """The result holds exact built-in types only and is valid without NaN or lone surrogates.
    https://github.com/bravemaster3/GeoDeploy/pull/33
    """
    found = to_json(tree)
    json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
    waiting = [found]
    while waiting:
        item = waiting.pop()
        assert type(item) in (dict, list, str, int, float, bool, type(None))
        waiting += list(item.values()) if type(item) is dict else item if type(item) is list else []


@given(TREES)
@example((b"\0\0\0?", 0))  # base64 ends in Pw==, which is no word for a password
@example((b"\0" * 200 + b"?", 0))
def test_the_pass_is_idempotent(tree: object) -> None:
    """A second hop changes nothing."""
    once = to_json(tree)
    assert to_json(once) == once


FLAT_KEYS = st.sampled_from(
    [
        "path",
        "op",
        "name",
        "key",
        "value",
        "data",
        "password",
        "tokens",
        "auth",
        "pass",
        "PWD",
        "a b",
        "",
        "1",
        1,
    ]
) | st.text(max_size=80)
FLAT_VALUES = SCALARS | st.sampled_from(
    [
        "Authorization",
        "pw=hunter2",
        "Bearer abcdefgh12345678",
        "/srv",
        "x" * 1_025,
        "pw=abcde " * 110,
        2**64,
        -(2**63),
        [],
    ]
)


@given(st.dictionaries(FLAT_KEYS, FLAT_VALUES, max_size=20))
def test_the_short_way_through_a_mapping_gives_what_the_long_way_gives(value: dict[Any, Any]) -> None:
    """What is flat gets the same items in the same order, and leaves the same of the budget."""
    quick, slow = Pass(), Pass()
    found = quick.flat(value)
    if found is None:
        assert vars(quick) == vars(Pass())
    else:
        assert list(found.items()) == list(slow.mapping(value.items(), len(value), value).items())
        assert vars(quick) == vars(slow)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text(max_size=50) | st.integers(0, 9), max_size=16
    )
)
def test_plain_details_go_the_short_way(value: dict[str, Any]) -> None:
    """Else the two would agree on nothing."""
    assert Pass().flat({f"x{key}": item for key, item in value.items()}) is not None


def test_only_real_cycles_are_marked() -> None:
    """A shared reference is copied; only a container inside itself is circular."""
    shared = {"a": 1}
    assert to_json([shared, shared]) == [{"a": 1}, {"a": 1}]
    loop: dict[str, Any] = {"a": 1}
    loop["self"] = loop
    assert to_json(loop) == {"a": 1, "self": CIRCULAR}


def test_what_is_left_out_is_said_where_it_was_and_counted() -> None:
    """A cut text, list, mapping and depth each say how much is missing (irothschild/stefuna/pull/8)."""
    walk = Pass()
    assert walk.value(list(range(1_000_000)))[-1] == f"[{1_000_000 - BOUNDS.items} more left out]"
    assert walk.left_items == 1_000_000 - BOUNDS.items
    cut = walk.text("a" * 10_000 + "z")
    assert f"...[{10_001 - BOUNDS.text} characters left out]..." in cut
    assert cut.startswith("aaa")
    assert cut.endswith("z")
    assert walk.left_chars == 10_001 - BOUNDS.text
    many = walk.value({str(number): number for number in range(500)})
    assert many["..."] == f"[{500 - BOUNDS.items} more left out]"


def test_a_text_is_redacted_before_it_is_cut() -> None:
    """A secret that crosses the cut does not show its first half (DarriEy/Auramaur/pull/406)."""
    head = Bounds().text - Bounds().text // 4
    for shift in (5, 25, 40):
        text = "x" * (head - shift) + " password=hunter2hunter2hunter2 " + "y" * 20_000
        assert "hunter2" not in Pass().text(text)


def test_the_walk_costs_what_it_keeps() -> None:
    """Of a very long list only the kept items are looked at."""

    class Counting(list[int]):
        seen = 0

        def __iter__(self) -> Any:
            for item in super().__iter__():
                Counting.seen += 1
                yield item

    to_json(Counting(range(1_000_000)))
    assert Counting.seen <= 2 * BOUNDS.items


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ({"password": "hunter2", "user": "ann"}, {"password": "[REDACTED]", "user": "ann"}),
        (
            {"api-key": 12345, "token": None, "secret": False},
            {"api-key": "[REDACTED]", "token": None, "secret": False},
        ),
        ({"token_count": 5, "max_tokens": 7}, {"token_count": 5, "max_tokens": 7}),
        (
            [("Authorization", "Basic dXNlcjpwYXNz"), ("Accept", "*/*")],
            [["Authorization", "[REDACTED]"], ["Accept", "*/*"]],
        ),
        ({"name": "Cookie", "value": "sid=abc"}, {"name": "Cookie", "value": "[REDACTED]"}),
        ({"Key": "password", "Value": "x1"}, {"Key": "password", "Value": "[REDACTED]"}),
        ({"name": b"token", "value": b"x1"}, {"name": "base64:dG9rZW4=", "value": "[REDACTED]"}),
        (
            {"ParameterKey": "DbPassword", "ParameterValue": "x1", "value": "y"},
            {"ParameterKey": "DbPassword", "ParameterValue": "[REDACTED]", "value": "y"},
        ),
        ({"sort_key": "password", "value": "y"}, {"sort_key": "password", "value": "y"}),
        (
            collections.OrderedDict(env_name="API_KEY", env_value="x1"),
            {"env_name": "API_KEY", "env_value": "[REDACTED]"},
        ),
        (["curl", "--password", "hunter2", "-v"], ["curl", "--password", "[REDACTED]", "-v"]),
        ({"env": {"AWS_SECRET_ACCESS_KEY": "abcd"}}, {"env": {"AWS_SECRET_ACCESS_KEY": "[REDACTED]"}}),
        (b"password=hunter2", "[REDACTED]"),
    ],
)
def test_secrets_go_by_key_position_and_value(value: object, clean: object) -> None:
    """What stands under a secret key, behind a secret option or in a header pair is replaced."""
    assert to_json(value) == clean


Setting = enum.Enum("Setting", ["PASSWORD", "MAX_TOKENS"])


@pytest.mark.parametrize("key", [Setting.PASSWORD, b"password", ("db", "password")])
def test_a_key_that_is_no_text_is_taken_for_what_is_shown_of_it(key: Any) -> None:
    """A mapping may be keyed by anything."""
    pairs = [(key, "x1x2x3"), (Setting.MAX_TOKENS, "9"), (7, "y")]
    for shown in (to_json(dict(pairs)), redact(dict(pairs))):
        assert list(shown.values()) == ["[REDACTED]", "9", "y"]


@pytest.mark.parametrize(
    "pair",
    [
        (b"x-api-key", b"x1x2x3"),
        (bytearray(b"password"), "x1x2x3"),
        ("token", b"x1x2x3"),
        (Setting.PASSWORD, 7),
        [b"--token", b"x1x2x3"],
        [b"mysql", b"-px1x2x3"],
    ],
)
def test_names_and_values_of_a_list_may_be_bytes(pair: Any) -> None:
    """As the headers of ASGI are, and arguments of processes may be; a name may be a member, too."""
    for shown in (to_json([pair]), redact([pair])):
        assert shown[0][1] == "[REDACTED]"


@pytest.mark.parametrize("first", [{"kind": "token"}, ["a", "token"], ValueError("bad token"), None, 7])
def test_what_is_no_name_hides_nothing_behind_it(first: Any) -> None:
    """A mapping in front of a number is no name, whatever it speaks of."""
    assert [to_json([first, 5])[1], redact([first, 5])[1]] == [5, 5]


def test_redact_keeps_types_and_leaves_the_input_alone() -> None:
    """A text gives text, a dict a dict, a list a list, a tuple a tuple; anything else comes back as it is."""
    marker = object()
    given_value = {
        "password": "hunter2",
        "list": ["password=hunter2"],
        "pair": (1, marker),
        "at": datetime.date(2026, 1, 1),
    }
    assert redact(given_value) == {
        "password": "[REDACTED]",
        "list": ["password=[REDACTED]"],
        "pair": (1, marker),
        "at": datetime.date(2026, 1, 1),
    }
    assert given_value["password"] == "hunter2"
    assert redact(Point(1, 2)) == Point(1, 2)
    assert redact(Account("ann", "hunter2")) == Account("ann", "[REDACTED]")
    assert redact(marker) is marker
    assert redact(ValueError("password=hunter2"))["message"] == "password=[REDACTED]"


@every_hostile_object
def test_redact_is_total(value: object) -> None:
    """`redact` comes back from anything, circular and deep values included."""
    redact(value)
    redact([value])


def test_a_code_among_the_details_is_redacted_and_cut_like_any_text() -> None:
    """An error among the details may carry a code that came from outside."""
    inner = CodedError("password=hunter2 " * 10_000 + "\ud800", "m")
    shown = json.dumps(to_json({"error": inner}), ensure_ascii=False)
    shown.encode()
    assert "hunter2" not in shown
    assert len(shown) < 1_000


def test_a_key_that_is_a_secret_is_hidden() -> None:
    """A token or a registered literal may be an identifier, and a name that was seen before."""
    token, literal = "ghp_" + "9fK2" * 8, "plantedLiteral7"
    assert to_json({literal: 1, "page": 2}) == {literal: 1, "page": 2}
    add_literal(literal)
    try:
        for value in ({literal: 1, token: 2}, {"deep": {literal: 1, token: 2}}, [{token: [1], literal: 2}]):
            shown = repr(
                (to_json(value), redact(value), to_payload(CodedError("a.b", "m", details={"x": value})))
            )
            assert literal not in shown
            assert token not in shown
        assert literal not in repr(to_payload(CodedError("a.b", "m", details={literal: 1})))
    finally:
        remove_literal(literal)


def test_a_very_long_argument_is_hidden_like_a_short_one() -> None:
    """The start of it is enough to tell."""
    long = "x" * 100_000
    found = to_json(["--password", long, f"--token={long}", f"see {long}"])
    assert found[:3] == ["--password", "[REDACTED]", "--token=[REDACTED]"]
    assert (found[3][:5], len(found[3]) < 10_000) == ("see x", True)
