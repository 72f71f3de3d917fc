"""What the explorer is asked and what it answers: codes by text and facets, as HTML that was built here.

The browser sends what a reader types and chooses, and shows the answer; it decides nothing. A question means
what it means to `errkit list` (`errkit.explaining.pick`), and a code is shown as everywhere else. `widget.py`
carries questions and answers; nothing else here knows of widgets.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from errkit.explaining import Facets, pick
from errkit.explaining.looking import merged
from errkit.jupyter.code_views import code_html
from errkit.jupyter.markup import Html, element, more, table
from errkit.jupyter.tables import MAX_ROWS, code_columns, code_row, count, flag
from errkit.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from errkit.codes import ErrorSpec
    from errkit.explaining import Match
    from errkit.jupyter.widget import Explorer

__all__ = ["FACETS", "Answer", "Exploration", "explorer"]

FACETS: Final = {
    "registry": "Registry",
    "domain": "Domain",
    "kind": "Kind",
    "retry": "Retry",
    "alert": "Alert",
    "audience": "Audience",
}
"""What can be chosen beside the text, each with its label."""
_ANSWERS: Final = {"retry": ("yes", "no"), "alert": ("yes", "no"), "audience": ("public", "internal")}
_YES: Final = {"yes": True, "no": False, "public": True, "internal": False}
_MAX_TEXT: Final = 200


def explorer(*registries: Registry, text: str = "", **chosen: str) -> Explorer:
    """A widget to look through codes: type, choose, and open a code to read about it.

    Parameters
    ----------
    registries
        Where to look; without any, in all that the magics know: those of the notebook, of its project, and
        those that errkit ships.
    text
        What the box for text starts with: words that all stand in code, title, hint, alias or number.
    chosen
        What the facets start with: `registry`, `domain`, `kind`, `retry` (`yes`, `no`), `alert` (`yes`, `no`)
        and `audience` (`public`, `internal`).

    Returns
    -------
    Explorer
        It shows itself at the end of a cell. Where no widget can run, it is the table that it starts with.

    Raises
    ------
    ErrkitError
        `errkit.missing_extra` without anywidget, which the extra `explorer` brings.
    TypeError
        Something else than a registry, or a facet that there is not.
    """
    for found in registries:
        if not isinstance(found, Registry):
            raise TypeError(f"the explorer looks through registries; found {type(found).__name__}")
    for name in chosen:
        if name not in FACETS:
            raise TypeError(f"there is no facet {name!r}, only {', '.join(FACETS)}")
    from errkit.jupyter.widget import Explorer

    return Explorer(Exploration(registries or _known()), asked={"text": text, **chosen})


def _known() -> Sequence[Registry]:
    import sys

    from errkit.jupyter.known import Known

    shell = None
    if "IPython" in sys.modules:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
    return Known({} if shell is None else shell.user_ns).registries()


class Answer(NamedTuple):
    """What the explorer shows for a question."""

    said: str
    """In a line."""
    rows: Html
    """The codes, each with a button that asks for its card."""
    choices: list[dict[str, Any]]
    """The facets: `name`, `label`, what is `chosen`, and `options` with the number of codes of each."""


class Exploration:
    """Registries that somebody looks through.

    Parameters
    ----------
    registries
        They are live: each answer is about the codes that are there then.
    """

    def __init__(self, registries: Sequence[Registry]) -> None:
        self.registries = tuple(registries)

    def specs(self, asked: Mapping[str, Any]) -> list[ErrorSpec]:
        """The codes that a question means, each once."""
        return [spec for spec, _ in self._found(asked)]

    def answer(self, asked: Mapping[str, Any]) -> Answer:
        """What the explorer shows for a question."""
        everything, found = self._found({}), self._found(asked)
        return Answer(
            _in_a_line(len(found), len(everything)), self._rows(found), self._choices(asked, everything)
        )

    def card(self, place: object, code: object) -> Html:
        """The card of a code that a row names by the place of its registry; empty if it is gone."""
        if not isinstance(place, int) or not isinstance(code, str):
            return Html()
        spec = self.registries[place].get(code) if 0 <= place < len(self.registries) else None
        if spec is None:
            return Html()
        return code_html(spec, [each for each in self.registries if each.get(code) is spec])

    def _found(self, asked: Mapping[str, Any]) -> list[Match]:
        return merged((spec, registry) for registry, spec in pick(self.registries, _facets(asked)))

    def _choices(self, asked: Mapping[str, Any], everything: list[Match]) -> list[dict[str, Any]]:
        """The facets, except those that all codes have alike, unless something was chosen in one."""
        return [
            {"name": name, "label": label, "chosen": chosen, "options": self._options(name, asked, chosen)}
            for name, label in FACETS.items()
            if (chosen := _said(asked, name)) or len(_counted(name, everything)) > 1
        ]

    def _options(self, name: str, asked: Mapping[str, Any], chosen: str) -> list[list[Any]]:
        """What a facet can be set to, each with the number of codes that it would leave."""
        counted = _counted(name, self._found({**asked, name: ""}))
        values = {*counted, chosen} - {""}
        return [[value, counted[value]] for value in sorted(values)]

    def _rows(self, found: Sequence[Match]) -> Html:
        """Codes as a table, in which each is a button; at most so many rows as an output has."""
        shown = found[:MAX_ROWS]
        columns = code_columns([spec for spec, _ in shown])
        places = [self.registries.index(owners[0]) for _, owners in shown]
        rows = [_row(spec, place, columns) for (spec, _), place in zip(shown, places, strict=True)]
        return element("div", *([table(columns, rows)] if rows else []), *more(len(found) - MAX_ROWS, "code"))


def _row(spec: ErrorSpec, place: int, columns: Sequence[str]) -> list[object]:
    code, *rest = code_row(spec, columns)
    known = {"type": "button", "aria_expanded": "false", "data_place": str(place), "data_code": code}
    return [element("button", element("code", code), **known), *rest]


def _counted(name: str, found: Sequence[Match]) -> Counter[str]:
    return Counter(value for spec, owners in found for value in _values(name, spec, owners))


def _values(name: str, spec: ErrorSpec, owners: Sequence[Registry]) -> Iterable[str]:
    """What a code has in a facet: of domains also those that it is below of."""
    if name == "registry":
        return {owner.name for owner in owners}
    if name == "domain":
        parts = spec.domain.split(".")
        return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]
    if name == "kind":
        return [spec.kind]
    if name == "audience":
        return ["public" if spec.public else "internal"]
    return [flag(spec.retryable if name == "retry" else spec.alert)]


def _in_a_line(found: int, everything: int) -> str:
    if not found:
        return "No code is like that"
    return count(found, "code") if found == everything else f"{found} of {count(everything, 'code')}"


def _said(asked: Mapping[str, Any], name: str) -> str:
    """What a reader chose; anything may come from a browser."""
    found = asked.get(name, "")
    if not isinstance(found, str) or found not in _ANSWERS.get(name, (found,)):
        return ""
    return found[:_MAX_TEXT]


def _facets(asked: Mapping[str, Any]) -> Facets:
    said = {name: _said(asked, name) for name in ("text", *FACETS)}
    return Facets(
        text=said["text"],
        domains=_one(said["domain"]),
        kinds=_one(said["kind"]),
        registries=_one(said["registry"]),
        retryable=_YES.get(said["retry"]),
        alert=_YES.get(said["alert"]),
        public=_YES.get(said["audience"]),
    )


def _one(name: str) -> tuple[str, ...]:
    return (name,) if name else ()
