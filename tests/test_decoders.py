"""Each decoder under fire: forms that were right, spoilt in any place, and the script that does it for long.

Hypothesis spoils a form, or the text of one, and shrinks what breaks a decoder. The script
`benchmarks/hostile.py` throws far more; here it only proves that it works, and finds nothing at once.
"""

from __future__ import annotations

import copy
import importlib.util
import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from errkit import CodedError, dialects, dumps, from_payload, loads, to_payload
from errkit.safe import BOUNDS
from tests.dialects.samples import REG, every_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

SAMPLES: Final = every_error()
TEXTS: Final = (
    "",
    "shop.cart.busy",
    "internal",
    "\ud800",
    "password=hunter2hunter2",
    "\u2028",
    "x" * 600,
    "1.5s",
)
SCALARS: Final[tuple[Any, ...]] = (None, True, False, 0, -1, 404, 2**63, 10**400, 1.5, float("nan"), *TEXTS)
values = st.recursive(
    st.sampled_from(SCALARS) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)


def encode_natively(error: object) -> dict[str, Any]:
    return to_payload(error)


DECODERS: Final[dict[str, tuple[Callable[..., Any], Callable[..., CodedError]]]] = {
    "native": (encode_natively, from_payload),
    **{name: (dialects.get(name).encode, dialects.get(name).decode) for name in dialects.names()},
}


def places(form: Any) -> Iterator[tuple[Any, Any]]:
    """Each container of a form, with each key or index of it."""
    inside = form.items() if type(form) is dict else enumerate(form) if type(form) is list else ()
    for key, value in list(inside):
        yield form, key
        yield from places(value)


def spoil(data: st.DataObject, form: Any) -> Any:
    """Replace, remove, move, repeat or nest parts of a form."""
    for _ in range(data.draw(st.integers(1, 4))):
        # By number: Hypothesis would show every place, and all that stands there, for each draw.
        found = list(itertools.islice(places(form), 200))
        if not found:
            return form
        index = st.integers(0, len(found) - 1)
        owner, key = found[data.draw(index)]
        how = data.draw(st.sampled_from(["replace", "remove", "move", "nest", "deepen", "whole"]))
        if how == "replace":
            owner[key] = data.draw(values)
        elif how == "remove":
            del owner[key]
        elif how == "move":
            other, place = found[data.draw(index)]
            owner[key] = copy.deepcopy(other.get(place) if type(other) is dict else other[-1:])
        elif how == "nest":
            owner[key] = copy.deepcopy(form)
        elif how == "deepen":
            for _ in range(data.draw(st.sampled_from([3, 40]))):
                owner[key] = {"cause": owner[key], "code": "a.b", "message": "m"}
        else:
            form = {data.draw(st.sampled_from(["error", "cause", "value"])): form}
    return form


def holds(error: object) -> None:
    """That it is a coded error which every form can carry on."""
    assert isinstance(error, CodedError)
    assert type(error.code) is type(error.message) is str
    text = dumps(error)
    text.encode()
    assert len(text) <= 8 * BOUNDS.chars
    assert "hunter2hunter2" not in text


@pytest.mark.parametrize("name", DECODERS)
@settings(max_examples=settings().max_examples // 5)
@given(data=st.data())
def test_a_spoilt_form_is_decoded(name: str, data: st.DataObject) -> None:
    """Whatever happened to a form on its way, there is an error at the end, and it goes on safely."""
    encode, decode = DECODERS[name]
    form = copy.deepcopy(encode(data.draw(st.sampled_from(SAMPLES))))
    holds(decode(spoil(data, form), registry=REG))


@settings(max_examples=settings().max_examples // 5)
@given(data=st.data())
def test_a_spoilt_text_is_loaded(data: st.DataObject) -> None:
    """Text of JSON that was cut, repeated, overwritten or wrongly encoded."""
    text = dumps(data.draw(st.sampled_from(SAMPLES)))
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        junk = st.sampled_from(["", "[" * 3_000, '"', "NaN", "1e999", "\\ud800", "9" * 5_000, "{}", ",", ":"])
        text = text[:start] + data.draw(junk | st.text(max_size=4)) + text[end:]
    form: Any = text
    if data.draw(st.booleans()):
        form = text.encode("utf-8", "surrogatepass")[data.draw(st.integers(0, 3)) :]
    holds(loads(form, registry=REG))


@pytest.fixture(scope="module")
def hostile() -> ModuleType:
    """The script, as a module."""
    path = Path(__file__).parents[1] / "benchmarks" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile_script", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def test_the_script_finds_nothing(hostile: ModuleType) -> None:
    """Some hostile objects and payloads go through everything, and no call fails or says too much."""
    run = hostile.Run()
    stock = hostile.Stock(7, classes=60)
    for number in range(settings().max_examples // 4):
        for throw in (hostile.throw_object, hostile.throw_payload):
            throw(run, hostile.Random(f"7 {throw.__name__} {number}"), stock, number, turns=True)
    assert {problem: fault.seen_at for problem, fault in run.faults.items()} == {}
    assert set(run.figures) >= {"from_payload", "loads", *(f"{name} decode" for name in dialects.names())}
