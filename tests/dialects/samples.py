"""Errors of every sort that the tests of the dialects send around."""

from __future__ import annotations

from typing import Any, Final

from errkit import CodedError, CoreError, Details, Reason, Registry, Secret, code

REG: Final = Registry("test_dialects").include(CoreError)


class PathDetails(Details):
    """Where it happened."""

    path: str
    line: int | None = None
    token: Secret[str] = ""


class ShopError(CodedError, domain="shop.cart", title="Cart", registry=REG, numbers=range(4000, 4100)):
    """Failures of a shop, one of each kind."""

    EMPTY = code("Cart is empty", number=4001, public=True, hint="Add an item first.", http_status=409)
    BROKEN = code("Cart file is broken", PathDetails, number=4002, hint="Restore `cart.json`.")
    BUSY = code(
        "Cart is in use",
        PathDetails,
        number=4003,
        kind="transient",
        public=True,
        retry_after=1.5,
        hint="Try again.",
        docs="https://shop.example/e/busy",
        reasons={"lock": "Locked", "gone": Reason(title="Gone", retryable=False, hint="Start anew.")},
    )
    REFUSED = code("Customer said no", kind="outcome", public=True)
    STOPPED = code("Stopped", kind="cancelled", public=True)
    IMPOSSIBLE = code("Can't be", kind="bug")


def gone() -> CodedError:
    """An error whose reason changes hint and verdict of its code."""
    return AnyError("shop.cart.busy", "in use", details={"path": "/a", "reason": "gone"})


class AnyError(CodedError, registry=REG):
    """An error of any code, looked up in the registry of these tests."""


def chained() -> CodedError:
    """An error over a coded and a foreign cause, with all that an error can carry."""
    error = ShopError.BUSY("cart 7 is in use", path="/carts/7", line=3)
    error.override(
        hint="Wait a second.", retry_after=2.5, supported_on="weekdays", context={"deep": {"er": [1, None]}}
    )
    error.note_facts(diagnostic_id="d-1", log_path="/var/log/d-1.ndjson")
    error.add_note("seen twice")
    error.__cause__ = ShopError.BROKEN("cart.json ends early", path="/carts/7/cart.json")
    error.__cause__.__cause__ = OSError(5, "Input/output error")
    return error


def every_error() -> list[CodedError]:
    """One error of each kind and make."""
    return [
        ShopError.EMPTY(),
        ShopError.EMPTY(""),
        ShopError.BROKEN("no brace", path="/a", token="t0ken"),
        gone(),
        ShopError.BUSY("in use", path="/a").override(retryable=False),
        ShopError.BROKEN("in use", path="/a").override(retryable=True, retry_after=0.25),
        ShopError.BUSY("in use", path="/a").override(retries_spent=True),
        ShopError.REFUSED(),
        ShopError.STOPPED(),
        ShopError.IMPOSSIBLE("two lines\nof text"),
        AnyError("nobody.knows_this", "a stranger", details={"n": 1, "nested": {"a": [1, {"b": 2}]}}),
        chained(),
    ]


def strip(payload: dict[str, Any], lost: frozenset[str]) -> dict[str, Any]:
    """The payload without the keys that a form does not carry."""
    kept = {key: value for key, value in payload.items() if key not in lost}
    if isinstance(kept.get("cause"), dict):
        kept["cause"] = strip(kept["cause"], lost)
    return kept
