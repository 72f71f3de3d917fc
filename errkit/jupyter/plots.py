"""Registries and records as pictures: which domains there are, what fails, when, and why.

Each function gives a `Plot`, a figure of matplotlib that shows itself in a notebook; change it through
`plot.axes` as you would any other. The ground is transparent and every colour a mid-tone, so a picture can be
read in dark and light themes alike. Pictures are drawn without pyplot, which keeps figures until told not to.
"""

from __future__ import annotations

import base64
import datetime
import io
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from errkit.codes import KINDS
from errkit.explaining import clean
from errkit.jupyter.frames import causes_of
from errkit.jupyter.style import COLOURS
from errkit.jupyter.tables import count
from errkit.own import ErrkitError

try:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator
except ImportError as missing:
    raise ErrkitError.MISSING_EXTRA(
        f"plots need matplotlib: pip install 'errkit[jupyter]' ({missing})",
        extra="jupyter",
        module="matplotlib",
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from errkit.diagnostics import ErrorRecord
    from errkit.registry import Registry

__all__ = ["INK", "PALETTE", "Plot", "by_code", "causes", "domain_map", "kinds", "over_time"]

INK: Final = "#777777"
"""Text and axes: over 4:1 on white and on near-black, about the most that one colour can have on both."""
PALETTE: Final = (
    *(COLOURS[kind] for kind in ("transient", "terminal", "outcome", "bug")),
    "#b0741a",
    "#2d8c97",
)
"""For codes; what they leave is `INK`."""
_WIDTH: Final = 8.0
_ROW: Final = 0.27
"""Inches."""
_DPI: Final = 144
_MAX_ROWS: Final = 40
_MAX_CAUSES: Final = 12
_MAX_BUCKETS: Final = 400


class Plot(Figure):
    """A figure that shows itself in a notebook, and says in a line what it shows."""

    def __init__(self, about: str, rows: float, width: float = _WIDTH) -> None:
        super().__init__(figsize=(width, 1.1 + rows * _ROW), layout="constrained", facecolor="none")
        self.about = about
        """What is seen, for those who don't see it."""

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        width, height = (int(inches * _DPI / 2) for inches in self.get_size_inches())
        shown = {"text/plain": self.about, "image/png": base64.b64encode(self.png()).decode("ascii")}
        return shown, {"image/png": {"width": width, "height": height}}

    def __repr__(self) -> str:
        return f"<Plot: {self.about}>"

    def png(self) -> bytes:
        """The picture, twice as large as it is shown."""
        buffer = io.BytesIO()
        with warnings.catch_warnings():
            # A letter that the font lacks is no reason to complain.
            warnings.simplefilter("ignore", UserWarning)
            self.savefig(buffer, format="png", dpi=_DPI, facecolor="none")
        return buffer.getvalue()


# --- registries ---------------------------------------------------------------------------------------------


def domain_map(registry: Registry) -> Plot:
    """Every code as a square in the row of its domain, in its kind's colour; hollow if it raises no alert.

    Parameters
    ----------
    registry
        What to draw.
    """
    domains = registry.domains
    about = f"Map of {registry.name}: {count(len(domains), 'domain')}, {count(len(registry), 'code')}"
    plot, axes = _start(about, [domain.domain for domain in domains])
    for row, domain in enumerate(domains[:_MAX_ROWS]):
        for place, spec in enumerate(domain.codes):
            colour = COLOURS[spec.kind]
            axes.plot(
                place,
                row,
                marker="s",
                markersize=9,
                color=colour,
                markerfacecolor=colour if spec.alert else "none",
                markeredgewidth=1.6,
            )
    widest = max((len(domain.codes) for domain in domains[:_MAX_ROWS]), default=1)
    axes.set_xlim(-0.7, max(widest, 20) - 0.3)
    axes.set_xticks([])
    hollow = Line2D([], [], marker="s", linestyle="", color=INK, markerfacecolor="none", label="no alert")
    _key(plot, [*_kind_keys({spec.kind for spec in registry}), hollow])
    return plot


def kinds(registry: Registry) -> Plot:
    """How many codes of each kind each domain has.

    Parameters
    ----------
    registry
        What to draw.
    """
    domains = registry.domains
    plot, axes = _start(f"Kinds of {registry.name} by domain", [domain.domain for domain in domains])
    for row, domain in enumerate(domains[:_MAX_ROWS]):
        numbers = Counter(spec.kind for spec in domain.codes)
        _stack(axes, row, {kind: numbers[kind] for kind in KINDS}, COLOURS)
    _count_along(axes, "codes")
    _key(plot, _kind_keys({spec.kind for spec in registry}))
    return plot


def _kind_keys(found: set[Any]) -> list[Patch]:
    return [Patch(color=COLOURS[kind], label=kind) for kind in KINDS if kind in found]


# --- records ------------------------------------------------------------------------------------------------


def by_code(records: Iterable[ErrorRecord]) -> Plot:
    """How often each code failed, the most frequent first, in its kind's colour.

    Parameters
    ----------
    records
        Such as `Records`.
    """
    found = list(records)
    kind_of = {record.code: record.kind or "" for record in found}
    ranked = Counter(record.code for record in found).most_common()
    plot, axes = _start(f"{count(len(found), 'failure')} by code", [code for code, _ in ranked])
    for row, (code, number) in enumerate(ranked[:_MAX_ROWS]):
        _stack(axes, row, {kind_of[code]: number}, COLOURS)
    _count_along(axes, "failures")
    _key(plot, _kind_keys(set(kind_of.values())))
    return plot


def over_time(records: Iterable[ErrorRecord]) -> Plot:
    """When which code failed, in bars of days, hours or minutes as the records need it, UTC.

    Parameters
    ----------
    records
        Such as `Records`. The six most frequent codes have colours of their own.
    """
    found = [(datetime.datetime.fromisoformat(record.at), record.code) for record in records]
    plot = Plot(f"{count(len(found), 'failure')} over time", 9)
    axes = _axes(plot)
    if not found:
        return _empty(plot, axes)
    step, form = _step(min(found)[0], max(found)[0])
    ranked = [code for code, _ in Counter(code for _, code in found).most_common(len(PALETTE))]
    colours = dict(zip([*ranked, _OTHERS], [*PALETTE[: len(ranked)], INK], strict=True))
    tally = Counter((_floor(at, step), code if code in colours else _OTHERS) for at, code in found)
    starts = _starts([start for start, _ in tally], step)
    below = [0] * len(starts)
    seen = {code for _, code in tally}
    for code, colour in colours.items():
        if code not in seen:
            continue
        heights = [tally[start, code] for start in starts]
        axes.bar(range(len(starts)), heights, bottom=below, color=colour, width=0.85)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    every = max(len(starts) // 8, 1)
    axes.set_xticks(
        range(0, len(starts), every), [start.strftime(form) for start in starts[::every]], color=INK
    )
    axes.set_ylabel("failures", color=INK)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(0, max(below) * 1.08)
    _key(plot, [Patch(color=colours[code], label=_label(code)) for code in colours if code in seen])
    return plot


_OTHERS: Final = "others"


def _step(first: datetime.datetime, last: datetime.datetime) -> tuple[datetime.timedelta, str]:
    """How wide a bar is, and how its time is written."""
    span = last - first
    if span < datetime.timedelta(hours=3):
        return datetime.timedelta(minutes=1 if span < datetime.timedelta(hours=1) else 5), "%H:%M"
    if span < datetime.timedelta(days=3):
        return datetime.timedelta(hours=1), "%d %b %H:%M"
    days = max(span.days // _MAX_BUCKETS + 1, 1)
    return datetime.timedelta(days=days), "%d %b" if span.days < 300 else "%Y-%m-%d"


_EPOCH: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)


def _floor(at: datetime.datetime, step: datetime.timedelta) -> datetime.datetime:
    return _EPOCH + (at - _EPOCH) // step * step


def _starts(found: Sequence[datetime.datetime], step: datetime.timedelta) -> list[datetime.datetime]:
    """Every bar from the first to the last, those without a failure too."""
    first = min(found)
    return [first + step * number for number in range((max(found) - first) // step + 1)]


def causes(records: Iterable[ErrorRecord]) -> Plot:
    """Which codes come with which causes, along the whole chain: a dot, as large as it is frequent.

    Parameters
    ----------
    records
        Such as `Records`. A cause without a code goes by its class.
    """
    pairs = Counter((record.code, cause) for record in records for cause in dict.fromkeys(causes_of(record)))
    tally: Counter[str] = Counter()
    owners: Counter[str] = Counter()
    for (code, cause), number in pairs.items():
        owners[code] += number
        tally[cause] += number
    columns = [cause for cause, _ in tally.most_common(_MAX_CAUSES)]
    rows = [code for code, _ in owners.most_common()]
    plot, axes = _start("Codes and their causes", rows, extra=3)
    largest = max(pairs.values(), default=1)
    for row, code in enumerate(rows[:_MAX_ROWS]):
        for place, cause in enumerate(columns):
            number = pairs[code, cause]
            if number:
                axes.scatter(place, row, s=30 + 170 * number / largest, color=PALETTE[0], linewidths=0)
                axes.annotate(
                    str(number), (place, row), (11, 0), textcoords="offset points", va="center", color=INK
                )
    axes.set_xlim(-0.6, max(len(columns), 3) - 0.2)
    axes.set_xticks(range(len(columns)), list(map(_label, columns)), rotation=30, ha="right", color=INK)
    return plot


# --- drawing ------------------------------------------------------------------------------------------------


def _start(about: str, names: Sequence[str], extra: float = 0) -> tuple[Plot, Axes]:
    """A plot with a row for each name, from top to bottom, as many as can be read."""
    shown = names[:_MAX_ROWS]
    left = len(names) - len(shown)
    plot = Plot(f"{about}; {left} more are left out" if left else about, len(shown) + extra)
    axes = _axes(plot)
    axes.set_yticks(range(len(shown)), list(map(_label, shown)), color=INK)
    axes.set_ylim(max(len(shown), 1) - 0.4, -0.6)
    if not names:
        _empty(plot, axes)
    return plot, axes


def _axes(plot: Plot) -> Axes:
    axes = plot.add_subplot(facecolor="none")
    axes.set_title(_label(plot.about, 200), loc="left", color=INK, fontsize=11)
    axes.tick_params(colors=INK, length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
    return axes


def _empty(plot: Plot, axes: Axes) -> Plot:
    axes.text(0.5, 0.5, "nothing to show", transform=axes.transAxes, ha="center", color=INK)
    axes.set_xticks([])
    axes.set_yticks([])
    return plot


def _stack(axes: Axes, row: int, parts: Mapping[Any, int], colours: Mapping[str, str]) -> None:
    """A bar of parts beside each other, and their sum."""
    start = 0
    for name, number in parts.items():
        axes.barh(row, number, left=start, color=colours.get(name, INK), height=0.7)
        start += number
    axes.annotate(str(start), (start, row), (4, 0), textcoords="offset points", va="center", color=INK)


def _count_along(axes: Axes, noun: str) -> None:
    axes.set_xlabel(noun, color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _key(plot: Plot, handles: Sequence[Any]) -> None:
    if handles:
        plot.legend(
            handles=list(handles),
            frameon=False,
            labelcolor=INK,
            ncols=min(len(handles), 4),
            loc="outside lower left",
        )


def _label(text: str, limit: int = 60) -> str:
    """A text that is no formula to matplotlib."""
    shown = clean(text)
    return (shown if len(shown) <= limit else f"{shown[: limit - 3]}...").replace("$", r"\$")
