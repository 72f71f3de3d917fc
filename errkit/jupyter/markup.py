"""HTML that can't be broken by what it shows: elements are built, texts are escaped, addresses are checked.

The reader may see it without styles (an untrusted notebook, GitHub, nbviewer), so meaning stands in elements:
tables have headings, what is secondary is folded into `<details>`. There is no script, no address of anything
that a browser would load, no heading (JupyterLab lists those as chapters of the notebook).
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from errkit.explaining import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Html", "element", "fold_away", "link", "more", "page", "phrase", "prose", "table"]

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`\\]+")
_EMPTY_ELEMENTS: Final = frozenset({"br"})


class Html(str):
    """Markup that was built here; all other text is escaped."""

    __slots__ = ()


def element(name: str, *children: object, kind: str = "", **attributes: str) -> Html:
    """An element.

    Parameters
    ----------
    name
        Its name.
    children
        What stands in it: `Html` as it is, anything else as text.
    kind
        What it is called in the style sheet, without the prefix `errkit-`.
    attributes
        Its attributes: a trailing underscore is left out, others are hyphens.
    """
    named = {"class": f"errkit-{kind}"} if kind else {}
    named |= {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    shown = "".join(f' {key}="{_escaped(value)}"' for key, value in named.items())
    inside = "".join(map(_child, children))
    return Html(f"<{name}{shown}>" if name in _EMPTY_ELEMENTS else f"<{name}{shown}>{inside}</{name}>")


def _escaped(text: object) -> str:
    return html.escape(clean(text), quote=True)


def _child(child: object) -> str:
    if isinstance(child, Html):
        return str.__str__(child)
    lines = re.split("\r\n|\n", str(child))
    return "<br>".join(map(_escaped, lines))


def link(address: str, text: object) -> Html:
    """A link, if the address is one of the web; else the text alone."""
    if not _ADDRESS.fullmatch(address):
        return text if isinstance(text, Html) else Html(_child(text))
    return element("a", text, href=address, rel="noopener noreferrer")


def fold_away(summary: object, *children: object, is_open: bool = False) -> Html:
    """Something secondary, which the reader opens."""
    return element("details", element("summary", summary), *children, **({"open": "open"} if is_open else {}))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "") -> Html:
    """A table; the first cell of each row is its heading."""
    head = element("tr", *(element("th", column, scope="col") for column in columns))
    body = [
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    ]
    said = [element("caption", caption)] if caption else []
    return element("table", *said, element("thead", head), element("tbody", *body))


def more(left: int, noun: str) -> Iterator[Html]:
    """How many of something were left out, if any."""
    if left > 0:
        yield element("p", f"{left} more {noun}{'' if left == 1 else 's'}", kind="more")


def page(*children: object, label: str, style: str) -> Html:
    """One output: a region with a name for screen readers, and the style sheet for itself alone."""
    sheet = Html(f"<style>{style}</style>")
    return element("div", sheet, *children, class_="errkit", role="region", aria_label=label)


# --- prose --------------------------------------------------------------------------------------------------

_CODE: Final = re.compile(
    r"(?::[\w:+-]+:|\{[\w:+-]+\})?(?P<ticks>``?)(?P<code>[^`\n]+)(?P=ticks)_{0,2}|\*\*(?P<strong>[^*\n]+)\*\*"
)
_ITEM: Final = re.compile(r"[-*] ")


def prose(text: str) -> Iterator[Html]:
    """Documentation in its markup, roughly: paragraphs, lists, blocks of code, words of code.

    What goes beyond that (directives, tables) stays as text, so nothing is lost and nothing is run.
    """
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = block.split("\n")
        if lines[0].startswith(("    ", "\t", "```", ".. ")):
            yield element("pre", block)
        elif all(_ITEM.match(line) or line.startswith("  ") for line in lines):
            items = re.split(r"\n(?=[-*] )", block)
            yield element("ul", *(element("li", *_inline(item[2:])) for item in items))
        else:
            yield element("p", *_inline(block))


def phrase(text: str) -> Html:
    """A sentence, with its words of code."""
    return element("span", *_inline(text))


def _inline(text: str) -> Iterator[object]:
    text, end = " ".join(text.split()), 0
    for match in _CODE.finditer(text):
        yield text[end : match.start()]
        word = match["strong"]
        yield element("strong", word) if word else element("code", match["code"])
        end = match.end()
    yield text[end:]
