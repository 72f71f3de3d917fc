"""What exceptions of any kind say: causes in order, the part that travels, notes and failures of cleanup."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from errkit import CodedError, CoreError, Verdict, as_coded, classify, format_error, to_payload
from errkit.dialects import get, names
from errkit.fields import MISSING, is_a
from errkit.reading import READERS, chain_of, coded_view, kept_of, message_of, notes_of, secondary_of
from errkit.safe import BOUNDS
from tests.hostile import every_hostile_object


def linked(length: int) -> list[BaseException]:
    """Errors of which each is the cause of the one before."""
    links: list[BaseException] = [ValueError(str(number)) for number in range(length)]
    for effect, cause in pairwise(links):
        effect.__cause__ = cause
    return links


def test_a_chain_is_followed_along_causes_and_contexts_and_ends_at_a_ring() -> None:
    """Causes come first, contexts where there is no cause and nothing was suppressed; each link once."""
    links = linked(5)
    links[-1].__context__ = context = KeyError("k")
    context.__cause__ = links[0]
    assert chain_of(links[0]) == [*links, context]
    links[-1].__suppress_context__ = True
    assert chain_of(links[0]) == links


@pytest.mark.parametrize("length", [1, BOUNDS.causes, BOUNDS.causes + 1, BOUNDS.causes + 2, 1_000])
def test_of_a_chain_the_first_links_and_the_root_travel(length: int) -> None:
    """A chain within bounds is kept whole; of a longer one the links before the root are left out."""
    links = linked(length)
    kept = kept_of(chain_of(links[0]))
    assert kept == (links if length <= BOUNDS.causes + 1 else [*links[: BOUNDS.causes], links[-1]])


def test_a_silent_exception_is_called_by_its_class() -> None:
    """A message is never empty."""
    assert (message_of(ValueError()), message_of(ValueError(" x "))) == ("ValueError", "x")


def test_notes_and_failures_are_read_where_they_are_lists() -> None:
    """Anything else under their names is no note and no failure."""
    error = ValueError()
    assert (notes_of(error), secondary_of(error)) == ([], ())
    vars(error).update(__notes__=["a", 5], secondary=[KeyError("k"), "none"])
    assert notes_of(error) == ["a", 5]
    assert [repr(failure) for failure in secondary_of(error)] == ["KeyError('k')"]
    vars(error).update(__notes__="text", secondary=5)
    assert (notes_of(error), secondary_of(error)) == ([], ())


def test_a_coded_error_is_its_own_view() -> None:
    """Only what is foreign, or takes its fields into its own hands, is read through another object."""
    error = CoreError.INTERNAL("m")
    assert coded_view(error) is error
    assert coded_view(ValueError()) is None
    assert isinstance(coded_view(CodedError("ghost.code", "m")), CodedError)


@pytest.mark.parametrize(
    ("fact", "right", "wrong"),
    [
        ("retryable", True, 1),
        ("number", -5, 2**53),
        ("number", 5, True),
        ("kind", "transient", "sudden"),
        ("retry_after", 2, -1),
        ("retry_after", 0.5, float("nan")),
        ("retry_after", 1, True),
        ("hint", "h", ""),
        ("docs", "d", 5),
    ],
)
def test_a_fact_counts_only_in_its_own_type(fact: str, right: object, wrong: object) -> None:
    """A value of another type, or out of range, says nothing."""
    assert READERS[fact](right) == right
    assert READERS[fact](wrong) is MISSING


class Named(CodedError):
    """Has a field of its own, so that its facts are copied before they are read."""

    hint: Any = "h"  # pyright: ignore[reportIncompatibleMethodOverride]


def speaking(name: str, value: Any) -> list[BaseException]:
    """Errors of all kinds that say something: with the shape of a coded one, foreign, coded, oddly coded."""
    errors: list[BaseException] = [ValueError("x"), ValueError("x"), CoreError.INTERNAL("x"), Named("x")]
    vars(errors[0]).update({"code": "internal", "message": "m", name: value})
    vars(errors[1])[name] = value
    for error in errors[2:]:
        vars(error)["_facts"] = {name: value, 5: value}
    return errors


@every_hostile_object
def test_whatever_an_error_says_it_is_read(value: Any) -> None:
    """Each of its facts may be any object: what is none of its kind was not said, or is told as text."""
    for name in (*READERS, "code", "message", "details", "__notes__", "secondary", "group", "unknown"):
        for error in speaking(name, value):
            assert is_a(as_coded(error), CodedError)
            assert type(classify(error)) is Verdict
            assert type(format_error(error, verbose=True)) is str
            json.dumps(only_exact(to_payload(error)), allow_nan=False)
            only_exact(get(names()[len(name) % len(names())]).encode(error))


def only_exact(form: Any) -> Any:
    """The form; nothing in it is of a class of its own."""
    assert type(form) in (dict, list, str, int, float, bool, type(None))
    for inner in [*form, *form.values()] if type(form) is dict else form if type(form) is list else ():
        only_exact(inner)
    return form
