"""The explorer as a widget of anywidget: carries questions from the browser, and answers to it.

`explorer.js` is the other half. What goes there is text, and HTML that `markup.py` built; what comes from
there is data, which `exploring.py` judges. Script and style sheet travel with the widget, so nothing is asked
of the network.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from errkit.jupyter.displaying import Codes, mimebundle
from errkit.jupyter.settings import SETTINGS
from errkit.jupyter.style import EXPLORER_STYLE, STYLE
from errkit.own import ErrkitError

try:
    import anywidget
    import traitlets
except ImportError as missing:
    raise ErrkitError.MISSING_EXTRA(
        f"the explorer needs anywidget: pip install 'errkit[explorer]' ({missing})",
        extra="explorer",
        module="anywidget",
    ) from missing

if TYPE_CHECKING:
    from errkit.jupyter.exploring import Exploration

__all__ = ["Explorer"]

SCRIPT: Final = Path(__file__).with_name("explorer.js")


class Explorer(anywidget.AnyWidget):
    """A box for text, facets, and the codes that they leave; a code opens to its card.

    Parameters
    ----------
    exploration
        Who answers.
    asked
        The question to start with: `text`, and names of facets.
    """

    _esm = SCRIPT.read_text("utf-8")
    _css = STYLE + EXPLORER_STYLE

    asked = traitlets.Dict().tag(sync=True)
    """What the reader asks; the browser sets it."""
    said = traitlets.Unicode().tag(sync=True)
    rows = traitlets.Unicode().tag(sync=True)
    choices: Any = traitlets.List().tag(sync=True)
    """The answer; see `exploring.Answer`."""

    def __init__(self, exploration: Exploration, asked: dict[str, str]) -> None:
        self._exploration = exploration
        super().__init__(asked=asked)
        self._answer()
        self.observe(self._answer, names="asked")
        self.on_msg(self._open)

    def _answer(self, change: object = None) -> None:
        answer = self._exploration.answer(self.asked)
        with self.hold_sync():
            self.said, self.rows, self.choices = answer.said, str.__str__(answer.rows), answer.choices

    def _open(self, widget: object, content: Any, buffers: object) -> None:
        """Answer the browser that asks for the card of a code."""
        if isinstance(content, dict):
            place, code = content.get("place"), content.get("code")
            card = self._exploration.card(place, code)
            self.send({"place": place, "code": code, "card": str.__str__(card)})

    def __repr__(self) -> str:
        return repr(self._table())

    def _table(self) -> Codes:
        return Codes(self._exploration.specs(self.asked))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and the table that stands for it where no widget can run."""
        table = mimebundle(self._table())
        if SETTINGS.mode == "plain":
            return table
        shown = super()._repr_mimebundle_(**kwargs)
        if shown is None:
            return table
        bundle, metadata = shown
        return {**bundle, **table}, metadata
