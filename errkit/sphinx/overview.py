"""The picture of what there is: a map of all domains with a mark for each code, and a table of counts.

Each domain is an island of marks as large as it has codes; colour and shape of a mark say its kind. The map
is inline SVG at the size of the text, so that it flows like words and needs no script; it takes its colours
from the style sheet and fits a light page as well as a dark one. Whoever can't see it has the table, which is
also what other formats get.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from docutils import nodes
from sphinx.util.nodes import NodeMatcher

from errkit.codes import KINDS
from errkit.sphinx.html import code_literal
from errkit.sphinx.labels import column, kind_meaning, label, size_of
from errkit.sphinx.nodes import linker_of
from errkit.sphinx.stock import ExpandNodes, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from errkit.sphinx.catalogue import Catalogue, DomainView
    from errkit.sphinx.html import Link

__all__ = ["Island", "error_overview", "island", "islands_of", "overview_html", "setup_overview"]

PITCH: Final = 13
"""From mark to mark, in pixels."""
MARK: Final = 10


class Island(NamedTuple):
    """A domain on the map."""

    registry: str
    domain: str
    codes: tuple[tuple[str, str], ...]
    """Code and kind of each, in the order of their declaration."""

    @property
    def counts(self) -> dict[str, int]:
        """Kind -> how many codes are of it."""
        kinds = [kind for _, kind in self.codes]
        return {kind: kinds.count(kind) for kind in KINDS}


class error_overview(nodes.General, nodes.Element):  # noqa: N801 (docutils writes nodes so)
    """The map and the table of counts: `islands`, and whether there is a `map`."""


def island(view: DomainView) -> Island:
    """What the map shows of a domain."""
    return Island(view.registry, view.name, tuple((code.code, code.spec.kind) for code in view.codes))


def islands_of(catalogue: Catalogue, registry: str = "") -> list[Island]:
    """The domains of one registry, or of all."""
    views = catalogue.domains.values()
    return [island(view) for view in views if registry in ("", view.registry)]


# --- HTML -----------------------------------------------------------------------------------------------


def overview_html(islands: Sequence[Island], link: Link, *, with_map: bool = True) -> str:
    """The map, its legend, and the table of counts."""
    shown = _legend(islands) + _map(islands, link) if with_map else ""
    return f'<div class="errkit-map">\n{shown}{_counts(islands, link)}</div>\n'


def _legend(islands: Sequence[Island]) -> str:
    totals = _totals(islands)
    items = [
        f'<li title="{escape(kind_meaning(kind))}"><svg aria-hidden="true" width="{PITCH}" height="{PITCH}">'
        f"{_mark(kind, 0, 0)}</rect></svg> {kind} <span>{totals[kind]}</span></li>\n"
        for kind in KINDS
        if totals[kind]
    ]
    return f'<ul class="errkit-legend">\n{"".join(items)}</ul>\n'


def _map(islands: Iterable[Island], link: Link) -> str:
    seas: dict[str, list[str]] = {}
    for each in islands:
        if each.codes:
            seas.setdefault(each.registry, []).append(f"<li>{_name(each, link)}\n{_picture(each)}</li>\n")
    return "".join(
        (f'<p class="errkit-caption">{escape(registry)}</p>\n' if len(seas) > 1 else "")
        + f'<ul class="errkit-islands">\n{"".join(items)}</ul>\n'
        for registry, items in seas.items()
    )


def _picture(island: Island) -> str:
    """One island: twice as wide as high, as far as that goes."""
    wide = max(4, math.ceil(math.sqrt(2 * len(island.codes))))
    high = math.ceil(len(island.codes) / wide)
    marks = "".join(
        f"{_mark(kind, at % wide, at // wide)}<title>{escape(code)}</title></rect>\n"
        for at, (code, kind) in enumerate(island.codes)
    )
    width, height = PITCH * min(wide, len(island.codes)), PITCH * high
    # A large one is made smaller on a narrow page.
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg role="img" {size}><title>{escape(_said(island))}</title>\n{marks}</svg>'


def _mark(kind: str, x: int, y: int) -> str:
    """The start of a mark; what kinds look like is said in the style sheet."""
    left, top = (1 + PITCH * each for each in (x, y))
    return f'<rect class="errkit-{escape(kind)}" x="{left}" y="{top}" width="{MARK}" height="{MARK}">'


def _said(island: Island) -> str:
    """What the picture of an island says, in words."""
    counts = ", ".join(f"{count} {kind}" for kind, count in island.counts.items() if count)
    return f"{island.domain}: {size_of(len(island.codes), None)}: {counts}"


def _name(island: Island, link: Link) -> str:
    address = link("domain", island.registry, island.domain)
    text = code_literal(island.domain)
    return text if address is None else f'<a href="{escape(address)}">{text}</a>'


def _counts(islands: Sequence[Island], link: Link) -> str:
    kinds, several = _kinds(islands), _several(islands)
    names = (*(("registry",) if several else ()), "domain", "codes")
    head = "".join(f'<th scope="col">{column(name)}</th>' for name in (*names, *kinds))
    rows = []
    for each in islands:
        cells = [escape(each.registry)] if several else []
        cells += [_name(each, link), str(len(each.codes)), *(str(each.counts[kind] or "") for kind in kinds)]
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n")
    totals = _totals(islands)
    sums = [sum(totals.values()), *(totals[kind] for kind in kinds)]
    foot = "".join(f"<td>{number}</td>" for number in sums)
    span = ' colspan="2"' if several else ""
    return (
        '<div class="errkit-scroll"><table class="errkit-table errkit-counts">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n"
        f'<tfoot><tr><th scope="row"{span}>{label("total")}</th>{foot}</tr></tfoot></table></div>\n'
    )


def _totals(islands: Iterable[Island]) -> dict[str, int]:
    totals: dict[str, int] = dict.fromkeys(KINDS, 0)
    for each in islands:
        for kind, count in each.counts.items():
            totals[kind] += count
    return totals


def _kinds(islands: Iterable[Island]) -> list[str]:
    """The kinds that occur."""
    return [kind for kind, count in _totals(islands).items() if count]


def _several(islands: Iterable[Island]) -> bool:
    return len({each.registry for each in islands}) > 1


# --- in its place ---------------------------------------------------------------------------------------


def setup_overview(app: Sphinx) -> None:
    """Register the node with its HTML, and the transform for all other formats."""
    app.add_node(error_overview, html=(visit_overview, None))
    app.add_post_transform(ExpandOverview)


def visit_overview(self: HTML5Translator, node: error_overview) -> NoReturn:
    """Write the map and the table."""
    self.body.append(overview_html(node["islands"], linker_of(self), with_map=node["map"]))
    raise nodes.SkipNode


class ExpandOverview(ExpandNodes):
    """Puts the table of counts in the place of the map, for every format but HTML."""

    def run(self, **kwargs: Any) -> None:
        """Replace them."""
        for node in [*NodeMatcher(error_overview).findall(self.document)]:
            islands: Sequence[Island] = node["islands"]
            kinds = _kinds(islands)
            columns = (*(("registry",) if _several(islands) else ()), "domain", "codes", *kinds)
            node.replace_self(table(columns, list(self._rows(islands, kinds))) if islands else [])

    def _rows(self, islands: Sequence[Island], kinds: Sequence[str]) -> Iterator[list[list[nodes.Node]]]:
        several = _several(islands)
        for each in islands:
            name = nodes.literal(each.domain, each.domain)
            cells: list[list[nodes.Node]] = [[nodes.Text(each.registry)]] if several else []
            cells.append([self._refer("domain", each.registry, each.domain, name)])
            numbers = [len(each.codes), *(each.counts[kind] for kind in kinds)]
            counts: list[list[nodes.Node]] = [[nodes.Text(str(one))] if one else [] for one in numbers]
            cells += counts
            yield cells
