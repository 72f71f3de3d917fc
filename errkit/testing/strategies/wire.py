"""What arrives over the wire: payloads as they should be, payloads as they are, bytes of any kind.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from errkit.fields import Record
from errkit.payload import to_payload
from errkit.testing.strategies.declared import errors
from errkit.testing.strategies.values import json_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

    from errkit.payload import Audience
    from errkit.testing.strategies.declared import Source

__all__ = ["Malformed", "malformed_payloads", "payloads", "wire_bytes"]


class Malformed(Record):
    """Something in the place of a payload."""

    mutation: str
    """What was done to a payload, in words."""
    payload: Any
    """What came of it."""
    refused: bool
    """Whether a reader must refuse it; one that need not must keep what it does not know."""

    def __repr__(self) -> str:
        # Hypothesis refuses to show what is very long.
        shown = repr(self.payload)
        cut = shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}..."
        return f"Malformed({self.mutation!r}, {cut})"


_MOST_SHOWN: Final = 1_000


@st.composite
def payloads(draw: DrawFn, *sources: Source, audience: Audience = "internal") -> dict[str, Any]:
    """Payloads as `to_payload` makes them.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given.
    audience
        Whom they are for.
    """
    return to_payload(draw(errors(*sources)), audience=audience)


# --- broken ones ------------------------------------------------------------------------------------


def _without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda payload: {name: value for name, value in payload.items() if name != key}


def _with(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda payload: {**payload, **changes}


def _renamed(payload: dict[str, Any]) -> Any:
    return {"error_code" if name == "code" else name: value for name, value in payload.items()}


def _deep(payload: dict[str, Any]) -> Any:
    value: Any = "bottom"
    for _ in range(500):
        value = [value]
    return {**payload, "details": {"deep": value}}


def _long_chain(payload: dict[str, Any]) -> Any:
    alone = _without("cause")(payload)
    link: Any = None
    for _ in range(300):
        link = alone if link is None else {**alone, "cause": link}
    return link


_REFUSED: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "no code": _without("code"),
    "no message": _without("message"),
    "the code under another key": _renamed,
    "the code is a number": _with(code=404),
    "the code is null": _with(code=None),
    "the code is empty": _with(code=""),
    "the code is too long": _with(code="x" * 600),
    "the message is an object": _with(message={"text": "broken"}),
    "the message is null": _with(message=None),
    "the version is text": _with(v="1"),
    "the version is 0": _with(v=0),
    "a list in the place of the object": lambda payload: [payload],
    "a text in the place of the object": json.dumps,
    "null in the place of the object": lambda _payload: None,
    "a number in the place of the object": lambda _payload: 500,
    "an empty object": lambda _payload: {},
}
_KEPT: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "an unknown code": _with(code="nobody.knows.this"),
    "a code with blanks": _with(code="not a code"),
    "an unknown key": _with(colour="blue"),
    "a newer version": _with(v=7),
    "no version": _without("v"),
    "the details are a list": _with(details=[1, 2]),
    "the details are text": _with(details="path=/x"),
    "details nested deeply": _deep,
    "a whole number beyond 2**53": _with(number=10**30),
    "NaN in the details": _with(details={"value": float("nan")}),
    "infinity to wait": _with(retry_after=float("inf")),
    "a negative time to wait": _with(retry_after=-1),
    "retryable is text": _with(retryable="yes"),
    "an unknown kind": _with(kind="hopeless"),
    "the name of a class that must not be imported": _with(name="os.system"),
    "notes are text": _with(notes="noted"),
    "the cause is text": _with(cause="because"),
    "the cause is an empty object": _with(cause={}),
    "a chain of 300 causes": _long_chain,
    "a group in a group in a group": lambda payload: {**payload, "group": [{**payload, "group": [payload]}]},
    "the group is an object": _with(group={"0": {}}),
    "a lone surrogate": _with(message="\ud800"),
    "a very long message": _with(message="x" * 20_000),
}


@st.composite
def malformed_payloads(draw: DrawFn, *sources: Source) -> Malformed:
    """Payloads with one thing wrong, which each names: those to refuse, and those to read all the same.

    `from_payload` must answer each with an error, and never raise.

    Parameters
    ----------
    sources
        Registries, domain classes or codes whose payloads are broken; the default registry if none is given.
    """
    mutation, change, refused = draw(_MUTATIONS)
    return Malformed(mutation=mutation, payload=change(draw(payloads(*sources))), refused=refused)


_MUTATIONS: Final = st.sampled_from(
    [(name, change, True) for name, change in _REFUSED.items()]
    + [(name, change, False) for name, change in _KEPT.items()]
)


# --- bytes ------------------------------------------------------------------------------------------


@st.composite
def wire_bytes(draw: DrawFn, *sources: Source) -> bytes:
    """Bytes as they come from a socket: payloads whole, broken or cut off, other JSON, no JSON at all.

    `loads` must answer each with an error, and never raise.

    Parameters
    ----------
    sources
        Registries, domain classes or codes; the default registry if none is given.
    """
    kind = draw(_KINDS)
    if kind == "noise":
        return draw(_NOISE)
    if kind == "other":
        return json.dumps(draw(json_values)).encode()
    if kind == "malformed":
        return json.dumps(draw(malformed_payloads(*sources)).payload).encode()
    data = json.dumps(draw(payloads(*sources)), ensure_ascii=draw(_FLAGS)).encode()
    if kind == "whole":
        return data
    at = draw(st.integers(0, len(data) - 1))
    return _DAMAGES[kind](data, at)


_NOISE: Final = st.binary(max_size=60) | st.sampled_from(
    [
        b"",
        b"null",
        b"<html>502 Bad Gateway</html>",
        b"[" * 5_000,
        b"1" * 5_000,
        b'{"code":"a"} {"code":"b"}',
    ]
)
_FLAGS: Final = st.booleans()
_DAMAGES: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "cut off": lambda data, at: data[:at],
    "bad UTF-8": lambda data, at: data[:at] + b"\xff\xfe" + data[at:],
    "a byte changed": lambda data, at: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
    "a key twice": lambda data, _at: data[:1] + b'"code": 5, "code": "twice", ' + data[1:],
    "a byte order mark": lambda data, _at: b"\xef\xbb\xbf" + data,
}
_KINDS: Final = st.sampled_from(["whole", *_DAMAGES, "malformed", "other", "noise"])
