"""Frames of pandas and polars: one value a cell, in types that can be asked."""

from __future__ import annotations

import sys
from typing import Any

import pandas as pd
import polars as pl
import pytest

from errkit import CodedError, Details, Reason, Registry, Secret, code
from errkit.catalogs.agent_core import REGISTRY as CORE
from errkit.diagnostics import ErrorRecord
from errkit.jupyter import Records
from errkit.testing import raises_code

SHOP = Registry("framed", base_url="https://shop.example")


class CartDetails(Details):
    cart: str
    token: Secret[str] = "PLANTED"


class CartError(CodedError, domain="cart", numbers=range(1, 9), registry=SHOP):
    EMPTY = code("Empty", CartDetails, number=1, kind="transient", retry_after=2,
                 aliases=("E-CART",), reasons={"gone": Reason(title="Gone")},
                 example={"cart": "c", "token": "PLANTED"})  # fmt: skip
    TORN = code("Torn", http_status=409, alert=False)


def records() -> Records:
    error = CartError.EMPTY("password=PLANTED", cart="c")
    error.__cause__ = CartError.TORN()
    error.__cause__.__cause__ = OSError("disk")
    found = [ErrorRecord.of(error), ErrorRecord.of(CartError.TORN()), ErrorRecord.of(ValueError("v"))]
    times = [f"2026-11-{30 - day}T10:00:00.000+00:00" for day in range(3)]
    return Records(ErrorRecord(**{**vars(one), "at": at}) for one, at in zip(found, times, strict=True))


def both(owner: Any) -> list[dict[str, list[Any]]]:
    """The columns of both libraries' frames."""
    return [
        owner.to_frame().astype(object).to_dict("list"),
        owner.to_frame("polars").to_dict(as_series=False),
    ]


def test_a_registry_is_a_frame_of_facts() -> None:
    """A row a code, in the order of declaration, the same in both libraries."""
    for columns in both(SHOP):
        assert columns["code"] == ["cart.empty", "cart.torn"]
        assert columns["kind"] == ["transient", "terminal"]
        assert (columns["retryable"], columns["alert"]) == ([True, False], [True, False])
        assert (columns["number"][0], columns["retry_after"][0], columns["http_status"][1]) == (1, 2.0, 409)
        assert (columns["details"], columns["reasons"]) == ([["cart", "token"], []], [["gone"], []])
        assert columns["aliases"] == [["E-CART"], []]
        assert columns["docs"][0] == "https://shop.example/e/cart.empty/"
        assert "PLANTED" not in str(columns)


def test_frames_can_be_asked() -> None:
    """Kinds are ordered as declared, numbers are whole, flags are flags."""
    frame = CORE.to_frame()
    assert frame["number"].dtype == "Int64"
    assert frame["retryable"].dtype == bool
    retry = frame.groupby("kind", observed=True)["retryable"].any()
    assert retry["transient"]
    assert not retry.drop("transient").any()
    lazy = CORE.to_frame("polars").filter(pl.col("retryable") & (pl.col("kind") == "transient"))
    assert lazy.height == int(frame["retryable"].sum()) > 5


def test_records_are_a_frame_of_failures() -> None:
    """Times are times in UTC; the direct cause and the root are columns; no secret is in any cell."""
    frame = records().to_frame()
    assert str(frame["at"].dtype).startswith("datetime64[") and str(frame["at"].dt.tz) == "UTC"  # noqa: PT018
    for columns in both(records()):
        assert columns["code"] == ["cart.empty", "cart.torn", "internal"]
        assert columns["cause"][0] == "cart.torn"
        assert pd.isna(columns["cause"][1])
        assert columns["root"] == ["OSError", "cart.torn", "internal"]
        assert columns["domain"][0] == "cart"
        assert "PLANTED" not in str(columns)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_nothing_is_a_frame_too(library: Any) -> None:
    """With all its columns."""
    empty = Records([]).to_frame(library)
    assert (len(empty), set(empty.columns)) == (0, set(records().to_frame(library).columns))
    assert len(Registry("none").to_frame(library)) == 0
    assert isinstance(empty, pd.DataFrame if library == "pandas" else pl.DataFrame)


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install; one that does not exist is refused by name."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with raises_code("errkit.missing_extra", match=r"pip install 'errkit\[jupyter\]'"):
        SHOP.to_frame()
    with raises_code("errkit.missing_extra", match="pip install polars"):
        SHOP.to_frame("polars")
    wrong: Any = "excel"
    with pytest.raises(ValueError, match="is none of pandas, polars"):
        SHOP.to_frame(wrong)
