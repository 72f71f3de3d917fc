"""What type checkers make of the public names: a misspelt one is found before the program runs."""

from __future__ import annotations

import errkit
from errkit import REGISTRY, CodedError, Details, ErrorSpec, Registry, code, facade, is_coded_error


def misspelt() -> None:
    """A name that errkit does not have."""
    # rejected: there is no such name
    from errkit import CodedErorr

    # rejected: nor is there this one
    errkit.is_codedd_error


codes = facade(REGISTRY)
codes["INTERNAL"]("broken")
is_coded_error(ValueError("x"), registry=REGISTRY)

# rejected: what a facade holds at run time is not known before
codes.INTERNAL


class CartDetails(Details):
    cart: str


class CartError(CodedError, domain="shop.cart", registry=Registry("shop")):
    EMPTY = code("Cart is empty", CartDetails)
    # rejected: there is no such kind
    FULL = code("Cart is full", kind="fatal")
    # rejected: a code has a title
    LOST = code()
    # rejected: there is no such fact
    STALE = code("Cart is stale", titel="x")
    # rejected: details are a class
    OLD = code("Cart is old", 3)


def look_up(registry: Registry) -> ErrorSpec | None:
    """Look-ups give specs."""
    for spec in registry:
        print(spec.title, spec.retryable)
    # rejected: a look-up may find nothing
    registry.get("a").title
    return registry.by_number(3)


# rejected: facts can't be changed
CartError.EMPTY.spec.title = "Void"
# rejected: the registry is one
CodedError("a", "b", registry="shop")
