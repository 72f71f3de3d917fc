"""Guards take anything, and walks along causes end."""

from __future__ import annotations

from typing import Any, cast

import pytest

from errkit import (
    CodedError,
    CoreError,
    Details,
    Registry,
    UserCancelled,
    as_coded,
    code,
    error_info,
    format_error,
    is_coded_error,
    is_error_code,
    make_payload,
    to_payload,
    unwrap_cause,
)
from errkit.guards import iter_causes
from tests.hostile import every_hostile_object

REG = Registry("test_guards")


class CallDetails(Details):
    host: str


class NetError(CodedError, domain="net", title="Network", registry=REG):
    """A call over the network failed."""

    TIMEOUT = code("Host did not answer", CallDetails, kind="transient")
    BUSY = code("Busy", kind="transient")


def link(error: BaseException, cause: BaseException | None) -> Any:
    """The error with that cause."""
    error.__cause__ = cause
    return error


def chain(length: int) -> CodedError:
    """An error with `length` causes, the last of which is a KeyError."""
    error: BaseException = KeyError("root")
    for number in range(length - 1):
        error = link(NetError.BUSY(f"level {number}"), error)
    return cast("CodedError", link(NetError.BUSY("top"), error))


# --- guards and look-ups --------------------------------------------------------------------------------


def test_error_info_has_an_answer_for_any_text() -> None:
    """A code or an alias gives its spec; anything else facts that fail closed."""
    assert error_info("net.timeout", registry=REG) is NetError.TIMEOUT.spec
    assert error_info("internal") is CoreError.INTERNAL.spec
    unknown = error_info("net.timeout")
    assert (unknown.code, unknown.public, unknown.retryable, unknown.cls) == (
        "net.timeout",
        False,
        False,
        None,
    )
    assert unknown.alert
    assert error_info(cast("Any", 3)).code == "3"
    assert error_info(cast("Any", ["a"])).retryable is False


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("net.timeout", True),
        (NetError.BUSY, True),
        ("net", False),
        ("", False),
        (None, False),
        (["net.busy"], False),
    ],
)
def test_is_error_code_knows_registered_codes_only(value: Any, found: bool) -> None:
    """The text of a registered code is one, in its registry."""
    assert is_error_code(value, registry=REG) is found
    assert is_error_code(value) is False


def test_is_coded_error_goes_by_shape() -> None:
    """An instance, or whatever has a registered code and a text message, is a coded error."""

    class Shape:
        def __init__(self, code: Any, message: Any) -> None:
            self.code, self.message = code, message

    assert is_coded_error(NetError.BUSY())
    assert is_coded_error(CodedError("who.knows", "m"))
    assert is_coded_error(Shape("net.busy", "m"), registry=REG)
    assert is_coded_error({"code": "net.busy", "message": "m"}, registry=REG)
    assert is_coded_error(make_payload("internal", "m"))
    for value in (
        Shape("net.busy", "m"),
        Shape("internal", 3),
        Shape(3, "m"),
        {"code": "who.knows", "message": "m"},
        {"code": "internal"},
        ValueError("net.busy"),
        NetError,
        UserCancelled("stop"),
        None,
    ):
        assert not is_coded_error(value)


@every_hostile_object
def test_guards_take_anything(value: Any) -> None:
    """No guard raises, whatever it is asked about."""
    assert is_coded_error(value) is False
    assert is_error_code(value) is False
    unwrap_cause(value)
    coded = as_coded(value)
    assert isinstance(coded, CodedError)
    assert type(coded.message) is str


def test_as_coded_gives_the_same_error_or_wraps() -> None:
    """A coded error comes back as it is; a foreign one is wrapped as `internal` and stays the cause."""
    error = NetError.BUSY()
    assert as_coded(error) is error
    foreign = ValueError("bad value")
    wrapped = as_coded(foreign)
    assert (wrapped.code, wrapped.message, wrapped.__cause__) == ("internal", "bad value", foreign)
    assert as_coded(ValueError()).message == "ValueError"
    assert as_coded(KeyError("k")).message == to_payload(KeyError("k"))["message"]
    assert as_coded("just text").message == "just text"
    assert as_coded({"a": 1}).details == {"value": {"a": 1}}
    assert as_coded(make_payload("not_implemented", "later")).code == "not_implemented"


def test_as_coded_takes_a_fallback() -> None:
    """The fallback is a code or the text of one; an error that has a code keeps it."""
    assert as_coded(ValueError("x"), fallback=CoreError.VALIDATION_FAILED).code == "validation.failed"
    assert type(as_coded(ValueError("x"), fallback=NetError.BUSY)) is NetError
    assert as_coded(ValueError("x"), fallback="who.knows").code == "who.knows"
    assert as_coded(NetError.BUSY(), fallback="who.knows").code == "net.busy"


def test_unwrap_cause_finds_the_first_foreign_error() -> None:
    """Predicates on errno or status look at what was translated, not at its translation."""
    foreign = OSError(2, "gone")
    error = link(
        NetError.BUSY("outer"), link(NetError.TIMEOUT("inner", host="a"), link(foreign, KeyError("k")))
    )
    assert unwrap_cause(error) is foreign
    assert unwrap_cause(foreign) is foreign
    alone = NetError.BUSY()
    assert unwrap_cause(alone) is alone
    deepest = NetError.BUSY("deepest")
    assert unwrap_cause(link(NetError.BUSY(), deepest)) is deepest
    assert unwrap_cause("text") == "text"


# --- chains ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 100])
def test_chains_that_bite_their_tail_end(length: int) -> None:
    """Every walk stops at a cycle, also at an error that is its own cause.
    https://github.com/jd/tenacity/issues/658, https://github.com/hynek/structlog/pull/729
    """
    errors = [NetError.BUSY(str(number)) for number in range(length)]
    for effect, cause in zip(errors, [*errors[1:], errors[0]], strict=True):
        effect.__cause__ = cause
    assert list(iter_causes(errors[0])) == errors
    assert unwrap_cause(errors[0]) is errors[-1]
    assert as_coded(errors[0]) is errors[0]
    assert to_payload(errors[0])["code"] == "net.busy"
    assert format_error(errors[0], verbose=True)


def test_chains_of_unhashable_errors_are_walked() -> None:
    """A walk remembers identities, so errors that can't be hashed are no trap.
    https://github.com/pallets/werkzeug/pull/1540
    """

    class Unhashable(Exception):
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("not comparable")

    root = Unhashable("root")
    assert unwrap_cause(link(NetError.BUSY(), root)) is root
    assert as_coded(root).__cause__ is root


@pytest.mark.parametrize("length", [5_000, 100_000])
def test_very_long_chains_are_walked_to_their_root(length: int) -> None:
    """Depth costs no stack: the root is found, shown and sent."""
    error = chain(length)
    found = unwrap_cause(error)
    assert isinstance(found, KeyError)
    assert sum(1 for _ in iter_causes(error)) == length + 1
    payload = to_payload(error)
    assert payload["elided"]["causes"] == length - 16
    while "cause" in payload:
        payload = payload["cause"]
    assert payload["name"] == "KeyError"
    assert "root" in payload["message"]
