"""Hostile objects: each does what it says, and errkit's total functions survive it."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given, settings

from errkit import CodedError, classify, format_error, is_coded_error, to_payload
from errkit.safe import to_json
from errkit.testing.strategies import Hostile, hostile_objects
from errkit.testing.strategies.hostile import _TRICKS


@settings(max_examples=60)
@given(hostile_objects())
def test_the_total_functions_survive(hostile: Hostile) -> None:
    """As an error, and among the details of one."""
    json.dumps(to_payload(hostile.value), allow_nan=False)
    json.dumps(to_json(hostile.value), allow_nan=False)
    error = CodedError("internal", "odd", details={"value": hostile.value})
    assert isinstance(format_error(error, verbose=True), str)
    assert classify(error).code == "internal"
    assert is_coded_error(hostile.value) in (True, False)
    for found in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert found.code == "internal"


@pytest.mark.parametrize("trick", _TRICKS)
def test_each_trick_is_named_and_new_each_time(trick: str) -> None:
    """The wrapper can be shown where the object can't."""
    hostile = Hostile(trick, _TRICKS[trick]())
    assert repr(hostile) == f"Hostile({trick!r})"


def test_the_tricks_are_real() -> None:
    """A few of them, to see that they bite."""
    with pytest.raises(RuntimeError):
        repr(_TRICKS["its repr raises"]())
    with pytest.raises(TypeError):
        repr(_TRICKS["its repr is no text"]())
    with pytest.raises(RuntimeError):
        bool(_TRICKS["its truth raises"]())
    assert isinstance(_TRICKS["it claims to be a dict"](), dict)
    circle = _TRICKS["causes in a circle"]()
    assert circle.__cause__.__cause__ is circle
