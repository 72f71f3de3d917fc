"""The box that finds a code on the index of all codes: what it is made of, and what each row is found by.

The box is HTML that `static/errkit.js` brings to life; it is hidden where no script runs, and the table below
it is whole. Everything that a script compares stands in attributes of the rows: there is no second copy of
the codes, and nothing to ask for.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from docutils import nodes

from errkit.payload import to_payload
from errkit.sphinx import html, render
from errkit.sphinx.labels import column, label
from errkit.sphinx.nodes import error_table, linker_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from errkit.payload import Audience
    from errkit.sphinx.catalogue import CodeView
    from errkit.sphinx.rows import CodeRow

__all__ = ["Find", "code_list", "error_find", "error_list", "find_box", "find_of", "setup_finding"]

_SYMBOL: Final = re.compile(r"[A-Z][A-Z0-9_]{2,31}")


class Find(NamedTuple):
    """What a row is found by besides what it shows."""

    names: tuple[str, ...]
    """The code, its number and its aliases."""
    status: int | None
    hint: str
    words: tuple[str, ...]
    """Of the reasons all words; of the example the symbols, such as `ENOENT`."""


def find_of(view: CodeView, audience: Audience) -> Find:
    """What a code is found by."""
    spec = view.spec
    number = () if spec.number is None else (str(spec.number),)
    reasons = (text for name, each in spec.reasons.items() for text in (name, each.title, each.hint))
    return Find(
        names=(spec.code, *number, *spec.aliases),
        status=spec.http_status,
        hint=spec.hint,
        words=(*(text for text in reasons if text), *_symbols(view, audience)),
    )


def _symbols(view: CodeView, audience: Audience) -> Iterator[str]:
    """The symbols in the example, as its payload shows them: a secret one is not among them."""
    spec = view.spec
    if spec.cls is None or not any(map(_is_symbol, (spec.example or {}).values())):
        return
    try:
        payload = to_payload(getattr(spec.cls, spec.const)(**(spec.example or {})), audience=audience)
    except Exception:
        # The page of the code reports it.
        return
    yield from (value for value in payload.get("details", {}).values() if _is_symbol(value))


def _is_symbol(value: object) -> bool:
    return isinstance(value, str) and _SYMBOL.fullmatch(value) is not None


def hooks(row: CodeRow, find: Find, translate: Callable[[str], str]) -> str:
    """What the row of a code is found by, as attributes."""
    data = {
        "deprecated": "yes" if row.deprecated else "no",
        "names": " ".join(find.names),
        "status": "" if find.status is None else str(find.status),
        "hint": translate(find.hint),
        "find": " ".join(find.words),
    }
    return "".join(f' data-{name}="{escape(value)}"' for name, value in data.items() if value)


class error_list(error_table):  # noqa: N801 (docutils writes nodes so)
    """The table of all codes; `finds` holds what each of its rows is found by."""

    def originals(self) -> Iterable[str]:
        """The titles and the hints."""
        yield from super().originals()
        yield from (find.hint for find in self["finds"])


def code_list(views: Sequence[CodeView], columns: Sequence[str], audience: Audience) -> error_list:
    """The table of all codes."""
    table = render.codes_table(views, columns)
    return error_list("", **table.non_default_attributes(), finds=[find_of(view, audience) for view in views])


# --- the box --------------------------------------------------------------------------------------------


class error_find(nodes.General, nodes.Element):  # noqa: N801 (docutils writes nodes so)
    """The box; `facets` maps the name of each choice to its values."""


def find_box(views: Sequence[CodeView]) -> error_find:
    """The box for a table of these codes; a choice that has but one value is left out."""
    specs = [view.spec for view in views]
    facets: dict[str, Sequence[str]] = {
        "registry": [view.registry for view in views],
        "domain": [spec.domain for spec in specs],
        "kind": [spec.kind for spec in specs],
        "retry": ["yes" if spec.retryable else "no" for spec in specs],
        "audience": ["public" if spec.public else "internal" for spec in specs],
        "deprecated": ["yes" if spec.deprecated else "no" for spec in specs],
    }
    choices = {name: list(dict.fromkeys(values)) for name, values in facets.items()}
    several = {name: values for name, values in choices.items() if len(values) > 1}
    return error_find("", facets=several, count=len(views))


def box_html(facets: Mapping[str, Sequence[str]], count: int) -> str:
    """The HTML of the box."""
    said = {
        "one": label("one_code"),
        "many": label("codes"),
        "near": label("find_near"),
        "none": label("find_none"),
        "more": label("find_more"),
    }
    data = "".join(f' data-{name}="{escape(text)}"' for name, text in said.items())
    choices = "".join(_choice(name, values) for name, values in facets.items())
    return (
        f'<form class="errkit-find" role="search" data-errkit="find"{data} hidden>\n'
        f'<label for="errkit-q">{label("find")}</label>\n'
        '<input id="errkit-q" name="q" type="search" autocomplete="off" autocapitalize="off" '
        'spellcheck="false" enterkeyhint="go" aria-describedby="errkit-help">\n'
        f'<p id="errkit-help">{label("find_help")}</p>\n'
        f'<div class="errkit-facets">\n{choices}</div>\n'
        f'<p class="errkit-count" role="status">{label("codes") % count}</p>\n</form>\n'
    )


def _choice(name: str, values: Sequence[str]) -> str:
    shown: dict[str, Any] = {value: value for value in values}
    if name in ("retry", "audience", "deprecated"):
        shown = {value: label(value) for value in values}
    options = "".join(
        f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in shown.items()
    )
    title = label(name) if name == "deprecated" else column(name)
    return (
        f'<label>{title} <select name="{name}"><option value="">{label("any")}</option>{options}'
        "</select></label>\n"
    )


# --- writing it -----------------------------------------------------------------------------------------


def setup_finding(app: Sphinx) -> None:
    """Register the box and the table with their HTML; `stock.py` takes both out of all other formats."""
    app.add_node(error_find, html=(visit_box, None))
    app.add_node(error_list, html=(visit_list, None))


def visit_box(self: HTML5Translator, node: error_find) -> NoReturn:
    """Write the box; a book in the shape of pages has no use for it."""
    if not getattr(self.builder, "embedded", False):
        self.body.append(box_html(node["facets"], node["count"]))
    raise nodes.SkipNode


def visit_list(self: HTML5Translator, node: error_list) -> NoReturn:
    """Write the table."""
    finds = iter(node["finds"])

    def found_by(row: CodeRow) -> str:
        return html.filter_hooks(row) + hooks(row, next(finds), node.shown)

    self.body.append(html.codes_table(node["rows"], node["columns"], linker_of(self), node.shown, found_by))
    raise nodes.SkipNode
