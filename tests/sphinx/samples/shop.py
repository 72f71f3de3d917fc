"""A registry with one of everything that a code can say."""

from __future__ import annotations

from errkit.codes import Details, Reason, Secret, code
from errkit.errors import CodedError
from errkit.registry import Registry

REGISTRY = Registry("shop")


class CartDetails(Details):
    """Which cart."""

    cart: str
    """The cart, as ``/carts`` lists it."""
    items: int = 0
    """How many things lie in it."""
    token: Secret[str] = "planted-secret-value"
    """What the client showed."""


class CartError(CodedError, domain="shop.cart", title="Cart", numbers=range(1000, 1100), registry=REGISTRY):
    """Failures of carts.

    Carts live for an hour. See :err:code:`shop.pay.declined`.
    """

    EMPTY = code(
        "Cart is empty",
        CartDetails,
        number=1001,
        public=True,
        hint="Add an item first.",
        http_status=409,
        example={"cart": "c-17", "token": "planted-secret-value"},
        since="1.2",
        docs="https://example.invalid/carts",
        aliases=("E-CART", "shop.cart.void"),
    )
    """Nothing lies in the cart, so there is nothing to buy. It happens when a cart is *shared* and
    somebody else has bought it. Call ``GET /carts`` to see which one still holds something."""

    LOCKED = code(
        "Cart is locked",
        CartDetails,
        number=1002,
        kind="transient",
        hint="Try again in a moment.",
        retry_after=0.5,
        reasons={
            "checkout": "A checkout is under way",
            "audit": Reason(title="An audit holds the cart", hint="Ask the auditor.", retryable=False),
        },
        example={"cart": "c-17"},
    )
    """Another call holds the cart.

    - It may be a checkout.
    - It may be an audit.
    """

    GONE = code(
        "Cart is gone",
        number=1003,
        kind="outcome",
        public=True,
        deprecated="2.0",
        replaced_by="shop.cart.empty",
    )
    """Carts no longer vanish."""


class PayError(CodedError, domain="shop.pay", title="Payment & more", registry=REGISTRY):
    """Failures of payments."""

    DECLINED = code("Card declined", public=True, kind="outcome", hint="Use another card.")
    """The bank said no."""

    BROKEN = code("Bank does not answer", kind="bug", alert=False)
