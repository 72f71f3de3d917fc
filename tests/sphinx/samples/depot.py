"""A second registry, with a code, a number and a domain that the first one has too."""

from __future__ import annotations

from errkit.codes import code
from errkit.errors import CodedError
from errkit.registry import Registry

REGISTRY = Registry("depot")


class DepotCartError(
    CodedError, domain="shop.cart", title="Carts in the depot", numbers=range(1000, 1100), registry=REGISTRY
):
    """Carts that are pushed."""

    EMPTY = code("Cart carries nothing", number=1001, public=True, hint="Load it.")
    """Nothing was loaded."""

    BROKEN = code("Cart has no wheels", number=1050)
    """It does not roll."""
