"""What is asked for its text, so that the answer comes to an end."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from errkit import CodedError, as_coded, format_error, from_payload, redact, to_payload
from errkit.asking import asked_for_text, count_in_writing, sharing
from errkit.codes import text_of
from errkit.domains.http import to_http_error
from errkit.domains.storage import to_storage_error
from errkit.safe import safe_repr, to_json
from tests.hostile import EndlessList, every_hostile_object


def shared(depth: int) -> list[Any]:
    """Lists in lists, each twice in the next."""
    found: list[Any] = ["x"]
    for _ in range(depth):
        found = [found, found]
    return found


def nested(depth: int) -> ValueError:
    """Errors in the arguments of errors, several in each."""
    found = ValueError("x")
    for _ in range(depth):
        found = ValueError([found, [found] * 3, (found, found)])
    return found


class EndlessSet(set[str]):
    """A set that never ends where it is asked itself."""

    def __iter__(self) -> Any:
        while True:
            yield "again"


class EndlessQueue(deque[str]):
    """The same for a queue."""

    def __iter__(self) -> Any:
        while True:
            yield "again"


class EndlessOrder(OrderedDict[str, str]):
    """The same for a mapping that keeps an order."""

    def items(self) -> Any:
        while True:
            yield ("a", "again")


class Speaking(ValueError):
    """Has words of its own."""

    def __str__(self) -> str:
        return "words"


FAST = (
    lambda value: to_payload(ValueError(value)),
    lambda value: to_payload(CodedError("a.b", value, details={"x": value})),
    lambda value: repr(CodedError("a.b", "m", details={"x": ValueError(value)})),
    lambda value: format_error(OSError(value, [value])),
    as_coded,
    lambda value: to_http_error(KeyError(value)),
    lambda value: to_storage_error(ValueError(value), path="x", op="read"),
    lambda value: safe_repr(ValueError(value)),
    lambda value: text_of({"a": (value, value)}),
    lambda value: redact({"a": value, "b": [value, ValueError(value)]}),
)


@pytest.mark.parametrize("ask", FAST, ids=range(len(FAST)))
def test_what_is_told_many_times_over_is_told_in_short(ask: Any) -> None:
    """A few hundred bytes that are a thousand million characters in writing cost no more than they take."""
    took = -time.process_time()
    ask(shared(30))
    ask(nested(12))
    assert took + time.process_time() < 5


def test_whatever_ends_by_itself_is_asked_itself() -> None:
    """Texts stay as they were."""
    circle: list[Any] = [1]
    circle.append(circle)
    for value in (
        [1, 2],
        (),
        {"a": [1]},
        {1},
        circle,
        shared(8),
        EndlessList([1]),
        KeyError("k"),
        object(),
        7,
    ):
        assert asked_for_text(value) is value
        assert text_of(value) == str(value)
    assert text_of(Speaking(shared(30))) == "words"
    assert text_of(EndlessSet({"x"})) == "frozenset({'x'})"
    assert safe_repr(EndlessSet({"x"})) == "frozenset({'x'})"


def told_of(value: Any) -> list[BaseException]:
    """Errors whose own texts would show the value."""
    unopened, wrapped, noted = OSError(2, "no", "x"), ValueError("above"), ValueError("n")
    unopened.filename = value
    wrapped.__cause__ = ValueError(value)
    noted.__notes__ = [value]
    return [
        ValueError(value),
        ValueError("a", [{"k": (value,)}]),
        ValueError(ValueError(value)),
        KeyError(value),
        OSError(2, "no", value),
        OSError(2, value),
        unopened,
        SyntaxError(value),
        ImportError(value),
        ValueError(deque([value])),
        ValueError(MappingProxyType({"a": value})),
        ValueError({"a": value}.values()),
        ValueError(SimpleNamespace(a=value)),
        ExceptionGroup("g", [KeyError(value)]),
        wrapped,
        noted,
    ]


ENDLESS = (EndlessSet({"x"}), EndlessQueue("x"), EndlessOrder(a="x"))


@pytest.mark.parametrize("number", range(16))
def test_a_container_without_end_in_an_error_is_never_asked(number: int) -> None:
    """Wherever an error holds one, its text comes to an end."""
    for value in ENDLESS:
        error = told_of(value)[number]
        for ask in (to_payload, format_error, redact, as_coded, safe_repr, text_of):
            assert ask(error) is not None


@pytest.mark.parametrize("value", ENDLESS, ids=lambda value: type(value).__name__)
def test_a_container_without_end_is_shown(value: Any) -> None:
    """By itself, and as a detail."""
    for ask in (to_payload, format_error, as_coded, safe_repr, text_of):
        assert ask(value) is not None
    assert to_payload(CodedError("a.b", "m", details={"x": value}))["details"]["x"]


def test_counting() -> None:
    """Each value counts where it stands."""
    assert count_in_writing(list(range(100)), 101) == 101
    assert count_in_writing(list(range(100)), 100) == 101
    assert count_in_writing([shared(9)], 1_000) == 1_001
    assert count_in_writing([shared(5)], 1_000) == 96


@every_hostile_object
def test_counting_is_total(value: Any) -> None:
    """Nobody is asked."""
    assert count_in_writing(value, 20_000) in range(20_002)


def vast(number: int) -> ValueError:
    """An error that holds more than is ever told of it, all of it its own."""
    return ValueError(number, [bytes(300) for _ in range(100)], shared(30))


MANY = {
    "details": lambda errors: to_payload(CodedError("a.b", "m", details={"x": errors})),
    "arguments": lambda errors: to_payload(ValueError(errors)),
    "members": lambda errors: to_payload(ExceptionGroup("g", errors)),
    "payloads": lambda errors: from_payload(
        {"v": 1, "code": "a.b", "message": "m", "group": [payload_with(error) for error in errors[:20]]}
    ),
    "junk": lambda errors: from_payload({"code": errors}),
    "keys": lambda errors: redact({"x": ValueError(dict.fromkeys(errors, 1))}),
}


def payload_with(error: BaseException) -> dict[str, Any]:
    """A payload as a program may hand it over, with what is no JSON."""
    return {"v": 1, "code": "a.b", "message": "m", "details": {"x": [error] * 100}}


@pytest.mark.parametrize("ask", MANY.values(), ids=MANY)
def test_many_such_values_share_what_one_may_cost(ask: Any) -> None:
    """A few are shown in their bounded form, the others named; how many there are makes no difference."""
    took = -time.process_time()
    ask([vast(number) for number in range(190)])
    assert took + time.process_time() < 3


def test_small_values_are_told_beside_vast_ones() -> None:
    """What costs next to nothing is shown whatever came before it."""
    shown = to_json([*(vast(number) for number in range(40)), ValueError([1, 2])])
    assert shown[0]["message"].startswith("[0, [")
    assert shown[39]["message"] == "<ValueError>"
    assert shown[40]["message"] == "[1, 2]"
    with sharing():
        assert text_of(vast(1)) == text_of(vast(1))
