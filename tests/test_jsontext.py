"""The JSON text of payloads: the same with orjson as without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from errkit import loads
from errkit.jsontext import read, read_slowly, write, write_slowly

WRITABLE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=15,
)


def outcome(reader: Any, text: object) -> object:
    """What a reader gives, with the types of numbers, or the class of what it raises."""
    try:
        return repr(reader(text))
    except Exception as error:
        return type(error)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), WRITABLE))
@example({"tiny": 1e-05, "tinier": 1e-07, "small": 0.0001, "large": 1e16, "largest": 1e300})
@example({"text": '1e5 \x7f\u2028\x00\x1f"\\/ \U0001f600', "zero": -0.0, "whole": 2.0})
def test_the_text_is_the_one_of_the_standard_library(payload: dict[str, Any]) -> None:
    """Whoever writes, the text is the same, to the last digit and escape."""
    assert write(payload) == write_slowly(payload)


def test_what_is_nested_too_deep_for_orjson_is_written() -> None:
    """A limit of the other writer is no limit here."""
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"cause": deep}
    assert json.loads(write(deep)) == deep


@given(
    WRITABLE.map(json.dumps)
    | st.text()
    | st.binary()
    | st.floats().map(repr)
    | st.integers(-(10**25), 10**25).map(lambda number: f'{{"n":{number}}}')
)
def test_any_text_is_read_as_by_the_standard_library(text: str | bytes) -> None:
    """Numbers keep their type and value, and what is no JSON is refused with the same words."""
    assert outcome(read, text) == outcome(json.loads, text) == outcome(read_slowly, text)


@pytest.mark.parametrize(
    "text",
    [
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901.5",
        "1e400",
        "-0",
        "-0.0",
        "1E5",
        "[NaN, Infinity, -Infinity]",
        '"\\ud800"',
        '"\ud800"',
        '{"a": 1, "a": 2}',
        ' {"a": 1} \n',
        '{"a": 1} x',
        '{"a": "a\tb"}',
        "\ufeff{}",
        b"\xef\xbb\xbf{}",
        '{"a": "ä"}'.encode("utf-16"),
        '{"a": "ä"}'.encode("utf-32-be"),
        b'{"a": "\xff"}',
        bytearray(b'{"a": 1}'),
    ],
    ids=range(21),
)
def test_texts_that_readers_disagree_on_are_read_as_by_the_standard_library(
    text: str | bytes | bytearray,
) -> None:
    """Long numbers stay exact, and constants, surrogates and other encodings are taken as ever."""
    assert outcome(read, text) == outcome(json.loads, text) == outcome(read_slowly, text)


def test_without_the_extra_the_standard_library_does_it() -> None:
    """An installation without orjson gives the same text and the same error."""
    script = """
import sys
sys.modules["orjson"] = None
from errkit import dumps, loads, make_payload
text = dumps(loads('{"code": "validation.failed", "message": "no", "details": {"n": 1e-05}}'))
assert "json" in sys.modules and sys.modules["orjson"] is None
print(text)
"""
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=True
    )
    found = json.loads(done.stdout)
    assert (found["code"], found["details"]) == ("validation.failed", {"n": 1e-05})
    assert "1e-05" in done.stdout


def test_a_whole_number_that_python_finds_too_long_is_read() -> None:
    """One of any length is JSON (RFC 8259 section 6); it costs itself, not the payload around it."""
    digits = "1" + "0" * 5_000
    text = f'{{"code":"a.b","message":"m","v":1.0,"details":{{"n":{digits},"m":7}}}}'
    for sent in (text, text.encode()):
        error = loads(sent)
        assert (error.code, error.details["m"]) == ("a.b", 7)
        assert error.details["n"].startswith("1000")
