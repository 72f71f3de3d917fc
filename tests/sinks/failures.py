"""Records of failures for the tests of sinks."""

from __future__ import annotations

from typing import Any

from errkit import CodedError, Registry, code
from errkit.diagnostics import ErrorRecord

REG = Registry("sink tests")


class ShopError(CodedError, domain="shop", title="Shop", numbers=range(1000, 1100), registry=REG):
    """The codes of a program that has sinks."""

    EMPTY = code("Cart is empty", number=1001, hint="Add an item first.")
    BUSY = code("Till is busy", number=1002, kind="transient", alert=False, hint="Wait.")
    STOPPED = code("Customer left", kind="cancelled")


def failed(message: str, /, **details: Any) -> ShopError:
    """A failure with any details at all."""
    return ShopError(ShopError.EMPTY, message, details=details)


def record(
    message: str = "no item", *, at: str | None = None, error: BaseException | None = None
) -> ErrorRecord:
    """The record of a failure, at a stated time if one is given."""
    found = ErrorRecord.of(error if error is not None else ShopError.EMPTY(message))
    return found if at is None else remade(found, at=at)


def remade(found: ErrorRecord, **changes: Any) -> ErrorRecord:
    """A record with other values in some of its fields."""
    return ErrorRecord(**{**vars(found), **changes})
