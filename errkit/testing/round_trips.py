"""There and back: `assert_round_trip` sends one error through JSON, pickles and copies, and compares.

For an error that was really raised, with the details, notes and causes that it has; the check of each code
with its example is in `errkit.checks.survival`.

PYTEST_DONT_REWRITE: the messages are made by hand.
"""

from __future__ import annotations

import copy
import difflib
import json
import pickle
from typing import TYPE_CHECKING, Any

from errkit.checks.survival import different
from errkit.errors import home_registry
from errkit.payload import dumps, loads, to_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from errkit.errors import CodedError
    from errkit.registry import Registry

__all__ = ["assert_round_trip"]


def assert_round_trip(error: CodedError, *, registry: Registry | None = None) -> None:
    """Assert that an error comes unchanged through JSON, a pickle of each protocol, and both kinds of copy.

    Its class must be the same after pickles and copies, its payload after all. The cause may come back as
    another class that says the same.

    Parameters
    ----------
    error
        The error, with whatever details, notes and causes it has.
    registry
        Where the code is looked up when JSON is read; the registry of the error's class if not given.

    Raises
    ------
    AssertionError
        Naming the trip and the key of the payload that it changes, with both values.
    """
    __tracebackhide__ = True
    home = home_registry(type(error)) if registry is None else registry
    sent = to_payload(error)
    for trip, travel in _trips(home):
        try:
            found = travel(error)
        except Exception as failure:
            problem = f"{error.code} does not come through {trip}: {type(failure).__name__}: {failure}"
            raise AssertionError(problem) from failure
        received = to_payload(found)
        key = different(sent, received)
        if key:
            raise AssertionError(_changed(error, f"{trip} changed: {key}", sent.get(key), received.get(key)))
        if trip != "JSON" and type(found) is not type(error):
            names = type(error).__qualname__, type(found).__qualname__
            raise AssertionError(_changed(error, f"{trip} as another class", *names))


def _trips(registry: Registry) -> Iterator[tuple[str, Callable[[CodedError], CodedError]]]:
    yield "JSON", lambda error: loads(dumps(error), registry=registry)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield f"a pickle of protocol {protocol}", _pickling(protocol)
    yield "copy.copy", copy.copy
    yield "copy.deepcopy", copy.deepcopy


def _pickling(protocol: int) -> Callable[[CodedError], Any]:
    return lambda error: pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 (made on this line)


def _changed(error: CodedError, what: str, before: object, after: object) -> str:
    diff = difflib.ndiff(_lines(before), _lines(after))
    lines = [f"    {line.rstrip()}" for line in diff]
    return "\n".join([f"{error.code} comes out of {what} (- sent, + came back)", *lines])


def _lines(value: object) -> list[str]:
    if value is None:
        return []
    shown = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return shown.splitlines()
