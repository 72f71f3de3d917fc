"""Tabs that need no script: a group of radio buttons, each with its panel, as plain HTML.

The panel follows its label in the page, so that a reader who can't see the tabs meets one after the other,
and the style sheet alone shows the panel of the chosen button. Arrow keys move between them, as between all
radio buttons. In a browser without style sheets every panel is there, under its name.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["source_block", "tabs"]


def tabs(legend: str, panels: Iterable[tuple[str, str]], group: str) -> str:
    """Tabs around panels of HTML.

    Parameters
    ----------
    legend
        What stands above the tabs.
    panels
        Caption and HTML of each; the first one is shown.
    group
        A name that no other group of the page has.
    """
    parts = [f'<fieldset class="errkit-tabs"><legend class="errkit-caption">{escape(legend)}</legend>\n']
    for at, (caption, panel) in enumerate(panels):
        name, text = escape(f"{group}--{at}"), escape(caption)
        checked = "" if at else " checked"
        parts.append(
            f'<input type="radio" name="{escape(group)}--tabs" id="{name}" value="{text}"{checked}>'
            f'<label for="{name}">{text}</label>\n<div class="errkit-tab">{panel}</div>\n'
        )
    return "".join((*parts, "</fieldset>\n"))


def source_block(pieces: Iterable[Sequence[str]], language: str) -> str:
    """Source as a highlighted block, from pieces with the classes that Pygments gives them."""
    text = "".join(
        f'<span class="{escape(kind)}">{escape(piece, quote=False)}</span>' if kind else escape(piece)
        for kind, piece in pieces
    )
    return (
        f'<div class="highlight-{escape(language)} notranslate"><div class="highlight"><pre>{text}\n'
        "</pre></div></div>\n"
    )
