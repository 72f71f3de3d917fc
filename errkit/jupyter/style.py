"""How outputs look: one short style sheet, which each output carries.

Text and ground come from the platform's own variables (JupyterLab, VS Code, the Sphinx themes pydata and
furo), so an output is dark where its surroundings are. They are set as a pair, or not at all: text on the
ground of another theme can't be read. Where none is known, both are those of the page. The colours of marks
are mid-tones, which can be read on both.
"""

from __future__ import annotations

from typing import Final

__all__ = ["COLOURS", "EXPLORER_STYLE", "STYLE"]

COLOURS: Final = {
    "terminal": "#c9504a",
    "transient": "#2b80c9",
    "outcome": "#3c8f58",
    "cancelled": "#808080",
    "bug": "#a45fb8",
}
"""The colour of each kind: at least 3:1 on white and on near-black (WCAG 2.2, 1.4.11)."""


def _first(*names: str, otherwise: str) -> str:
    found = otherwise
    for name in reversed(names):
        found = f"var(--{name},{found})"
    return found


_TEXT: Final = _first(
    "jp-content-font-color1",
    "vscode-editor-foreground",
    "pst-color-text-base",
    "color-foreground-primary",
    otherwise="inherit",
)
_GROUND: Final = _first(
    "jp-layout-color0",
    "vscode-editor-background",
    "pst-color-background",
    "color-background-primary",
    otherwise="transparent",
)
_LINK: Final = _first(
    "jp-content-link-color",
    "vscode-textLink-foreground",
    "pst-color-link",
    "color-link",
    otherwise="currentColor",
)
_KINDS: Final = "".join(
    f".errkit .errkit-kind-{kind}{{border-left-color:{colour}}}" for kind, colour in COLOURS.items()
)

STYLE: Final = (
    f".errkit{{color:{_TEXT};background:{_GROUND};line-height:1.45;max-width:62em;padding:.2em .4em}}"
    f".errkit a{{color:{_LINK}}}"
    ".errkit p{margin:.35em 0}"
    ".errkit code,.errkit pre{font-family:var(--jp-code-font-family,ui-monospace,monospace);"
    "color:inherit;background:none;border:0;padding:0}"
    ".errkit pre{white-space:pre-wrap;margin:.35em 0}"
    ".errkit .errkit-card{border-left:.3em solid #808080;padding:.1em 0 .1em .9em;margin:.4em 0}"
    f"{_KINDS}"
    ".errkit .errkit-code{font-weight:600}"
    ".errkit .errkit-title{font-size:1.1em}"
    ".errkit .errkit-hint{border:1px solid #80808080;border-radius:.3em;padding:.35em .6em}"
    ".errkit .errkit-facts{list-style:none;display:flex;flex-wrap:wrap;gap:.2em 1.1em;"
    "margin:.35em 0;padding:0}"
    ".errkit .errkit-facts li{margin:0}"
    ".errkit .errkit-more{font-style:italic}"
    ".errkit details{margin:.35em 0}"
    ".errkit details>:not(summary){margin-left:1em}"
    ".errkit summary{cursor:pointer}"
    ".errkit table{border-collapse:collapse;margin:.35em 0;color:inherit;font-size:1em;table-layout:auto}"
    ".errkit caption{text-align:left;font-weight:600}"
    ".errkit th,.errkit td{text-align:left;vertical-align:top;padding:.15em .8em .15em 0;white-space:normal;"
    "border-bottom:1px solid #80808050;background:none;color:inherit}"
    ".errkit tbody th{font-weight:normal}"
)

EXPLORER_STYLE: Final = (
    ".errkit-explorer form{display:flex;flex-wrap:wrap;gap:.4em .8em;align-items:end;margin:.35em 0}"
    ".errkit-explorer label{display:flex;flex-direction:column;font-size:.9em}"
    ".errkit-explorer :is(input,select,form button){font:inherit;color:inherit;background:transparent;"
    "border:1px solid #808080;border-radius:.3em;padding:.2em .4em;max-width:16em}"
    f".errkit-explorer option{{color:{_TEXT};background:{_GROUND}}}"
    ".errkit-explorer :focus-visible{outline:2px solid currentColor;outline-offset:1px}"
    ".errkit-explorer th button{font:inherit;color:inherit;background:none;border:0;padding:0;"
    "text-align:left;cursor:pointer;text-decoration:underline dotted;text-underline-offset:.2em}"
    ".errkit-explorer .errkit-found{overflow-x:auto}"
    # A card is as wide as the table, and not the other way round.
    ".errkit-explorer .errkit-found>div>table{width:100%}"
    ".errkit-explorer td[colspan]>*{contain:inline-size}"
)
"""What is added where the explorer stands."""
