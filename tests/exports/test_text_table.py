"""The table in plain text."""

from __future__ import annotations

from errkit.exports import export
from tests.exports.samples import HOSTILE, OUTLET


def test_a_table_in_sections() -> None:
    """Columns stand under each other; the title comes last."""
    assert export(OUTLET, "text").splitlines()[1:] == [
        "# code             number kind      audience constant title",
        "",
        "Section: outlet.cart - Cart",
        "",
        "outlet.cart.empty  61001  terminal  public   EMPTY    Cart is empty",
        "outlet.cart.locked -      transient public   LOCKED   Cart is locked",
        "outlet.cart.lost   -      bug       internal LOST     Cart is lost",
        "",
        "Section: outlet.vault - Vault",
        "",
        "outlet.vault.empty -      terminal  internal EMPTY    Vault is empty",
    ]


def test_a_line_is_read_by_splitting_it() -> None:
    """Whatever the title holds, a code is one line with six parts."""
    lines = [line for line in export(HOSTILE, "text").splitlines() if line]
    rows = [line.split(maxsplit=5) for line in lines if not line.startswith(("#", "Section:"))]
    assert [row[0] for row in rows] == [spec.code for spec in HOSTILE]
    assert all(len(row) == 6 for row in rows)
