"""Pictures: drawn of anything, transparent, in colours that are seen on dark and light grounds."""

from __future__ import annotations

import io
from typing import Any

import matplotlib.image
import pytest

from errkit import CodedError, Registry, code
from errkit.catalogs.agent_core import REGISTRY as CORE
from errkit.diagnostics import ErrorRecord
from errkit.jupyter import Records, plots
from errkit.jupyter.style import COLOURS

SHOP = Registry("plotted")


class CartError(CodedError, domain="cart", registry=SHOP):
    EMPTY = code("Empty")
    SLOW = code("Slow", kind="transient")
    NO = code("No", kind="outcome")


def record(error: BaseException, at: str) -> ErrorRecord:
    return ErrorRecord(**{**vars(ErrorRecord.of(error)), "at": at})


def records(*times: str) -> Records:
    found = []
    for place, at in enumerate(times):
        error = CartError.EMPTY() if place % 3 else CartError.SLOW()
        error.__cause__ = OSError("disk") if place % 2 else CartError.NO()
        found.append(record(error, at))
    return Records(found)


DAYS = records(*(f"2026-11-{day:02}T10:00:00.000+00:00" for day in range(1, 21)))


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("colour", sorted({*COLOURS.values(), *plots.PALETTE, plots.INK}))
def test_colours_are_seen_on_every_ground(colour: str) -> None:
    """Marks 3:1, text 4:1, on white and on near-black (WCAG 2.2, 1.4.11)."""
    least = 4 if colour == plots.INK else 3
    assert 1.05 / (luminance(colour) + 0.05) >= least
    assert (luminance(colour) + 0.05) / (luminance("#111111") + 0.05) >= least


def shown_texts(plot: plots.Plot) -> list[str]:
    axes = plot.axes[0]
    return [one.get_text() for one in (*axes.get_yticklabels(), *axes.get_xticklabels(), *axes.texts)]


@pytest.mark.parametrize(
    "plot",
    [
        plots.domain_map(CORE),
        plots.kinds(CORE),
        plots.by_code(DAYS),
        plots.over_time(DAYS),
        plots.causes(DAYS),
        plots.over_time([]),
        plots.causes([]),
        plots.kinds(Registry("none")),
    ],
    ids=["map", "kinds", "by_code", "over_time", "causes", "no_time", "no_causes", "no_domain"],
)
def test_a_picture_is_transparent_and_says_what_it_shows(plot: plots.Plot) -> None:
    """Its ground is that of the page; a notebook gets it with a line of text."""
    pixels = matplotlib.image.imread(io.BytesIO(plot.png()))
    assert pixels.shape[2] == 4
    assert (pixels[:, :, 3] == 0).mean() > 0.2
    assert (pixels[:, :, 3] > 0).any()
    shown, size = plot._repr_mimebundle_()
    assert set(shown) == {"text/plain", "image/png"}
    assert shown["text/plain"] == plot.about != ""
    assert size["image/png"]["width"] * 2 == pytest.approx(pixels.shape[1], abs=2)


def test_domains_are_rows_and_codes_are_squares() -> None:
    """In the order of declaration, hollow where no alarm is raised."""
    plot = plots.domain_map(SHOP)
    squares = plot.axes[0].lines
    assert [line.get_color() for line in squares] == [
        COLOURS[kind] for kind in ("terminal", "transient", "outcome")
    ]
    assert [line.get_markerfacecolor() != "none" for line in squares] == [True, True, False]
    assert [one.get_text() for one in plot.axes[0].get_yticklabels()] == ["cart"]


def test_bars_count_what_there_is() -> None:
    """Codes by kind, failures by code, the most frequent first."""
    assert "3" in shown_texts(plots.kinds(SHOP))
    texts = shown_texts(plots.by_code(DAYS))
    assert texts[:2] == ["cart.empty", "cart.slow"]
    assert {"13", "7"} <= set(texts)
    assert {"cart.no", "OSError"} <= set(shown_texts(plots.causes(DAYS)))


@pytest.mark.parametrize(
    ("times", "bars"),
    [
        (("2026-11-30T10:00:00.000+00:00", "2026-11-30T10:07:30.000+00:00"), 8),
        (("2026-11-30T10:00:00.000+00:00", "2026-11-30T12:20:00.000+00:00"), 29),
        (("2026-11-28T10:00:00.000+00:00", "2026-11-30T10:00:00.000+00:00"), 49),
        (("2026-11-01T23:00:00.000+00:00", "2026-11-30T01:00:00.000+00:00"), 30),
        (("1999-01-01T00:00:00.000+00:00", "2026-11-30T00:00:00.000+00:00"), 400),
    ],
    ids=["minutes", "five", "hours", "days", "years"],
)
def test_bars_are_as_wide_as_the_records_need(times: tuple[str, ...], bars: int) -> None:
    """Minutes, hours, days; spans without a failure are there, and never more bars than can be drawn."""
    patches: list[Any] = list(plots.over_time(records(*times)).axes[0].patches)
    drawn = len(patches) // 2
    assert drawn == bars if bars < 400 else 300 < drawn <= 401
    assert sum(patch.get_height() for patch in patches) == 2


def test_no_text_is_a_formula_and_no_catalogue_is_too_large() -> None:
    """Names from elsewhere are drawn as they are; what does not fit is counted."""
    error = CodedError("no.such", "m")
    payload = {"v": 1, "code": "x", "message": "m", "retryable": False}
    payload["cause"] = {**payload, "code": "internal", "name": r"$\frac{$ \x1b[31m 漢字" + "x" * 500}
    made: Any = {**vars(record(error, "2026-11-30T10:00:00.000+00:00")), "payload": payload}
    plot = plots.causes([ErrorRecord(**made)])
    assert plot.png()
    many = [CodedError(f"many.n{number}", "m") for number in range(100)]
    found = plots.by_code([record(one, "2026-11-30T10:00:00.000+00:00") for one in many])
    assert found.about.endswith("60 more are left out")
    assert found.get_size_inches()[1] < 13
