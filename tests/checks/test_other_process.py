"""The other process: errors go there and come back; what it can't read, or hangs on, is said in time."""

from __future__ import annotations

import pickle
import time
from typing import TYPE_CHECKING, Any

import pytest

from errkit.checks.other_process import OtherProcess
from errkit.domains.os_fs import HostFsError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Hanging:
    """Waits for ever when it is unpickled."""

    def __reduce__(self) -> Any:
        return time.sleep, (600,)


class Ending:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> Any:
        return exec, ("import os; print('printed', flush=True); os._exit(9)",)


@pytest.fixture
def other() -> Iterator[OtherProcess]:
    """A process that is ended after the test."""
    with OtherProcess(1) as process:
        yield process


def test_an_error_comes_back_as_it_went(other: OtherProcess) -> None:
    """Class, code, details and cause are the same after both ways; one child answers many questions."""
    error = HostFsError.NOT_FOUND("no such file", path="/x", op="read")
    error.__cause__ = ValueError("root")
    for _ in range(3):
        found = other.revive(error)
        assert type(found) is type(error)
        assert (found.code, dict(found.details)) == (error.code, dict(error.details))
        assert repr(found.__cause__) == "ValueError('root')"


def test_a_pickle_that_can_not_be_read_is_a_problem(other: OtherProcess) -> None:
    """The child says why, and goes on."""
    assert "can't read the error" in other.ask(b"no pickle")["problem"]
    assert (
        other.ask(pickle.dumps(HostFsError.NOT_FOUND(path="/x", op="read")))["payload"]["code"]
        == "os.fs.not_found"
    )


def test_a_pickle_that_hangs_is_given_up(other: OtherProcess) -> None:
    """The question is answered in time, and the next one gets a new child."""
    other.ask(b"no pickle")
    assert other.ask(pickle.dumps(Hanging())) == {
        "problem": "the other process did not answer within 1 seconds"
    }
    assert (
        other.ask(pickle.dumps(HostFsError.NOT_FOUND(path="/x", op="read")))["payload"]["code"]
        == "os.fs.not_found"
    )


def test_one_of_many_that_ends_the_child_spoils_no_other(other: OtherProcess) -> None:
    """Errors are sent in parts; one that ends the child, or hangs it, is told apart from those beside it."""
    fine = pickle.dumps(HostFsError.NOT_FOUND(path="/x", op="read"))
    blobs = [fine, pickle.dumps(Ending()), fine, pickle.dumps(Hanging()), *[fine] * 60]
    answers = dict(other.ask_each(enumerate(blobs)))
    assert list(answers) == list(range(64))
    problems = {index: answer["problem"] for index, answer in answers.items() if "problem" in answer}
    assert problems == {
        1: "the other process ended with code 9: printed",
        3: "the other process did not answer within 1 seconds",
    }


def test_answers_that_nobody_took_are_no_answers_to_the_next_question(other: OtherProcess) -> None:
    """Who stops half-way and asks again is answered what was asked."""
    fine = pickle.dumps(HostFsError.NOT_FOUND(path="/x", op="read"))
    half = other.ask_each([(number, fine) for number in range(60)])
    next(half)
    half.close()
    assert "can't read the error" in other.ask(b"no pickle")["problem"]


def test_a_child_that_ends_is_told_with_its_last_words(other: OtherProcess) -> None:
    """Whatever is printed there stands in no answer."""
    problem = other.ask(pickle.dumps(Ending()))["problem"]
    assert problem == "the other process ended with code 9: printed"


def test_revive_raises_what_the_child_says(other: OtherProcess) -> None:
    """A test that uses it fails with the reason."""

    class OddError(RuntimeError):
        def __reduce__(self) -> Any:
            return exec, ("raise LookupError('odd')",)

    with pytest.raises(RuntimeError, match="LookupError: odd"):
        other.revive(OddError())  # type: ignore[arg-type]
