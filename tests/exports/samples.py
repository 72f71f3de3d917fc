"""Registries that the exports are tried with: one with a field of every type, one whose texts are traps."""

# Types of fields are read while the tests run.
# ruff: noqa: TC003

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from errkit import CodedError, Details, Reason, Registry, Secret, code
from errkit.checks.examples import build
from errkit.checks.model import Context
from errkit.config import read_config

if TYPE_CHECKING:
    from errkit import ErrorSpec

OUTLET = Registry("outlet")


def instance(spec: ErrorSpec) -> CodedError:
    """A real error with a code, its details filled in, a note and a foreign cause."""
    return build(spec, Context(read_config()))


class Size(enum.Enum):
    """Sizes."""

    SMALL = "s"
    LARGE = "l"


class Place(Details):
    """A place."""

    row: int
    name: str | None = None


class PlainDetails(Details):
    """One field of each type."""

    cart: str
    """The cart, as */ `ls` shows it."""
    count: int
    share: float = 0.5
    open: bool = False
    token: Secret[str] = "planted-secret-1"
    password: str | None = None
    size: Size = Size.SMALL
    mode: Literal["fast", "slow", 3] = "fast"
    at: datetime.datetime | None = None
    wait: datetime.timedelta = datetime.timedelta(seconds=2)
    path: Path | None = None
    id: uuid.UUID | None = None
    price: decimal.Decimal | None = None
    raw: bytes = b"\x00"
    tags: list[str] = []
    sizes: tuple[int, str] = (1, "a")
    more: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()
    by_name: dict[str, int] = {}
    places: Sequence[Place] = ()
    extra: Mapping[str, Any] | None = None
    whatever: Any = None


class CartError(CodedError, domain="outlet.cart", title="Cart", numbers=range(61000, 61100), registry=OUTLET):
    """Failures of carts."""

    EMPTY = code(
        "Cart is empty",
        PlainDetails,
        number=61001,
        public=True,
        hint="Add an item first.",
        http_status=409,
        example={"cart": "c-1", "count": 2, "token": "planted-secret-2"},
        deprecated="2.0",
        replaced_by="outlet.cart.locked",
        docs="https://example.com/carts",
    )
    LOCKED = code(
        "Cart is locked",
        kind="transient",
        public=True,
        retry_after=0.5,
        reasons={
            "audit": Reason(title="An audit holds it", retryable=False),
            "checkout": "A checkout holds it",
        },
        since="1.1",
    )
    LOST = code("Cart is lost", replaced_by="outlet.cart.empty", kind="bug")


class VaultError(CodedError, domain="outlet.vault", title="Vault", registry=OUTLET):
    """Failures of the vault, which is nobody's business."""

    EMPTY = code("Vault is empty", Place)


TRAPS: Final = (
    "*/ <script>alert(1)</script> --> \"\"\" ''' `tick` | a || b \\ ${x} #{y} %s {z} $m$ **b** _u_ [l](x) "
    "http://a.example @deprecated @ann :r:`x` \u202egnirts\u202c caf\u00e9 \u4e2d \U0001f600 \u2028 end\\"
)
"""What comments, strings, tables and terminals give a meaning to."""

HOSTILE = Registry("traps */ --> `\n import os")


class TrapDetails(Details):
    """Traps."""

    text: str
    constructor: str = TRAPS


class TrapError(CodedError, domain="trap", title=TRAPS, registry=HOSTILE):
    WORST = code(
        TRAPS,
        TrapDetails,
        hint=f"@hint\n{TRAPS}\n*/ second line",
        reasons={TRAPS: Reason(title=TRAPS, hint=TRAPS)},
        example={"text": TRAPS},
        since=TRAPS,
        deprecated=TRAPS,
        docs=TRAPS,
        public=True,
    )
    PROTO = code(
        "Own prototype", code="__proto__", public=True, hint="Never ask the prototype password=planted-3"
    )
    NUMBER = code("Begins with a digit", code="42.x", public=True)
    MESSAGE = code("message Reason enum", code="enum", public=True)
    UNSPECIFIED = code("Collides", code="trap.reason_unspecified", public=True)
