"""A program that raises the codes of `shop` in several ways."""

from __future__ import annotations

from tests.sphinx.samples.shop import CartError, PayError


def checkout(cart: str) -> None:
    """Buy what lies in a cart."""
    if not cart:
        raise CartError.EMPTY(cart=cart)
    raise locked(cart)


def locked(cart: str) -> CartError:
    """The error, for whoever raises it."""
    return CartError.LOCKED(cart=cart)


class Cashier:
    """Takes money."""

    def charge(self, cart: str) -> None:
        """Ask the bank."""

        def ask() -> None:
            raise PayError.DECLINED("not today")

        ask()
        raise CartError.EMPTY(cart=cart)
