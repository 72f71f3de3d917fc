"""Names for what a generated file declares: each one once, and none that the language has taken."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Names", "ascii_name", "pascal"]

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_]+")


class Names:
    """Hands out names; one that is taken gets a number."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def free(self, wanted: str) -> str:
        """The name, or the first numbered one that is free."""
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def pascal(dotted: str) -> str:
    """`ShopCart` for `shop.cart`, and `ShopCartSoldOut` for `shop.cart.sold_out`."""
    words = (word for word in re.split(r"[._-]+", ascii_name(dotted)) if word)
    name = "".join(word[0].upper() + (word[1:].lower() if word.isupper() else word[1:]) for word in words)
    return name if name[:1].isalpha() else f"N{name}"


def ascii_name(text: str) -> str:
    """A text with `_` for all that names can't hold; dots stay."""
    return ".".join(_NOT_IN_NAMES.sub("_", part) for part in text.split("."))
