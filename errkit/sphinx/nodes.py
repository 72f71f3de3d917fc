"""The nodes of the extension, and how an HTML page is written from them.

The number of nodes is what a build costs, so a code is one element with its title, its hint and its prose as
ordinary nodes, and one leaf, `error_facts`, that carries everything else as data. A code is deliberately no
docutils `section`: Sphinx copies every section of the site into its tables of contents, and furo all of those
into every page. `pages.py` fills the contents list of the page itself.

HTML is written from the nodes as they are. For every other builder, `stock.py` replaces them by real sections
and the nodes that every writer knows. The leaf has one child, a text that is never shown: it is what Sphinx's
search reads. What is shown comes from `html.py`; nothing is escaped here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from docutils import nodes
from sphinx import addnodes

from errkit.sphinx import html
from errkit.sphinx.labels import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

__all__ = [
    "error_code",
    "error_facts",
    "error_hint",
    "error_table",
    "error_title",
    "line_nodes",
    "linker_of",
    "setup_nodes",
]


class _Translated(addnodes.translatable, nodes.Element):
    """An element whose texts are data: a translation replaces a text by a text, and nothing is parsed.

    The subclass lists its texts in `originals`; `shown` gives the translation of one.
    """

    def originals(self) -> Iterable[str]:
        """The texts as the registry has them."""
        raise NotImplementedError

    def shown(self, text: str) -> str:
        """A text in the language of the page."""
        translations: dict[str, str] = self.get("translations", {})
        return translations.get(text, text)

    def preserve_original_messages(self) -> None:
        """Nothing to do: the originals stay."""

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Note the translation of one text."""
        # docutils shares attribute values between copies of a node, so the dictionary is replaced.
        self["translations"] = {**self.get("translations", {}), original_message: translated_message}

    def extract_original_messages(self) -> list[str]:
        """The texts to translate."""
        return [text for text in dict.fromkeys(self.originals()) if text.strip()]


class error_code(nodes.General, nodes.Element):  # noqa: N801 (docutils writes nodes so)
    """One code. `ids` are its anchors, the first of them the one that links use."""


class _DataText(_Translated, nodes.TextElement, addnodes.not_smartquotable):
    """A line of text that comes from a registry: no markup, no typographic quotes."""

    def originals(self) -> Iterable[str]:
        """The text itself, before any translation."""
        return (self.rawsource,)

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Show the translation in place of the text."""
        self.children = []
        self += nodes.Text(translated_message)


class error_title(_DataText):  # noqa: N801
    """The title of a code; `code` and `badges` hold what stands beside it."""


class error_hint(_DataText):  # noqa: N801
    """The hint of a code: what to do now. Literals are its one piece of markup."""

    @classmethod
    def of(cls, text: str) -> error_hint:
        """The hint with that text."""
        return cls(text, "", *line_nodes(text))

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Show the translation in place of the text."""
        self.children = []
        self += line_nodes(translated_message)


def line_nodes(text: str) -> list[nodes.Node]:
    """A text in which only literals are markup."""
    return [nodes.literal(part, part) if literal else nodes.Text(part) for literal, part in html.spans(text)]


class error_facts(_Translated, nodes.General):  # noqa: N801
    """All other facts of a code: `facts` is their JSON, the child is the text that search reads.

    As a text they take a third of the room, and thousands of them are in memory before the first is written.
    """

    def data(self) -> dict[str, Any]:
        """The facts."""
        found: dict[str, Any] = json.loads(self["facts"])
        return found

    def originals(self) -> Iterable[str]:
        """Titles and hints of reasons, descriptions of fields."""
        facts = self.data()
        for reason in facts["reasons"]:
            yield from (reason["title"], reason["hint"])
        yield from (field["description"] for field in facts["fields"])


class error_table(_Translated, nodes.General):  # noqa: N801
    """A table of codes or domains: `kind`, `rows`, and the `columns` of a table of codes.

    `anchors` holds those of each row, where the page once held the codes themselves, or would if there were
    fewer.
    """

    def originals(self) -> Iterable[str]:
        """The titles in the rows."""
        return (row.title for row in self["rows"])


# --- HTML -----------------------------------------------------------------------------------------------


def setup_nodes(app: Sphinx) -> None:
    """Register the nodes with their HTML; `stock.py` sees to it that no other writer meets one."""
    app.add_node(error_code, html=(visit_code, depart_code))
    app.add_node(error_title, html=(visit_title, depart_title))
    app.add_node(error_hint, html=(visit_hint, depart_hint))
    app.add_node(error_facts, html=(visit_facts, None))
    app.add_node(error_table, html=(visit_table, None))


def visit_code(self: HTML5Translator, node: error_code) -> None:
    """Open the section of a code, with an empty target for each further anchor."""
    self.section_level += 1
    first, *others = _anchors(self, node)
    gone = " errkit-deprecated" if node.get("deprecated") else ""
    self.body.append(f'<section class="errkit-code{gone}" id="{first}">\n')
    self.body += [f'<span id="{other}"></span>' for other in others]


def depart_code(self: HTML5Translator, node: error_code) -> None:
    """Close the section."""
    self.section_level -= 1
    self.body.append("</section>\n")


def visit_title(self: HTML5Translator, node: error_title) -> None:
    """Open the heading with the code."""
    level = min(self.section_level + self.initial_header_level - 1, 6)
    self.body.append(f"<h{level}>{html.code_literal(node['code'])} <span>")


def depart_title(self: HTML5Translator, node: error_title) -> None:
    """Close the heading with a permalink, and write the line of badges."""
    level = min(self.section_level + self.initial_header_level - 1, 6)
    self.body.append("</span>")
    if isinstance(node.parent, error_code):
        anchor = _anchors(self, node.parent)[0]
        if self.config.html_permalinks and self.builder.add_permalinks:
            icon = self.config.html_permalinks_icon
            self.body.append(
                f'<a class="headerlink" href="#{anchor}" title="{label("permalink")}">{icon}</a>'
            )
    badges = node["badges"]
    self.body.append(f"</h{level}>\n{html.badges(badges)}{html.deprecation(badges, linker_of(self))}")


def visit_hint(self: HTML5Translator, node: error_hint) -> None:
    """Open the hint."""
    self.body.append(f'<p class="errkit-hint"><strong>{label("hint")}</strong> ')


def depart_hint(self: HTML5Translator, node: error_hint) -> None:
    """Close the hint."""
    self.body.append("</p>\n")


def visit_facts(self: HTML5Translator, node: error_facts) -> NoReturn:
    """Write all facts; the text for search stays unwritten."""
    group = _anchors(self, node.parent)[0] if isinstance(node.parent, error_code) else "err"
    self.body.append(html.facts(node.data(), linker_of(self), node.shown, group))
    raise nodes.SkipNode


def visit_table(self: HTML5Translator, node: error_table) -> NoReturn:
    """Write the table."""
    link = linker_of(self)
    if node["kind"] == "domains":
        self.body.append(html.domains_table(node["rows"], link, node.shown))
        raise nodes.SkipNode
    hooks = html.filter_hooks
    if node.get("size") is not None:
        self.body.append(html.size_line(*node["size"]))
        hooks = html.no_hooks
    # When all pages become one, the codes themselves are there.
    anchors = () if self.builder.name == "singlehtml" else node.get("anchors", ())
    self.body.append(html.codes_table(node["rows"], node["columns"], link, node.shown, hooks, anchors))
    raise nodes.SkipNode


def _anchors(self: HTML5Translator, node: error_code) -> list[str]:
    """The anchors of a code on this page.

    When all pages become one, the anchor that a code shares with that of an earlier registry would stand
    there twice; its second anchor is its own.
    """
    ids: list[str] = node["ids"]
    return ids[1:] if node.get("shared") and self.builder.name == "singlehtml" and len(ids) > 1 else ids


def linker_of(self: HTML5Translator) -> Callable[[str, str, str], str | None]:
    """Where things are, seen from the page that is being written; see `ErrorDomain.linker`."""
    from errkit.sphinx.domain import ErrorDomain

    domain = ErrorDomain.of(self.builder.env)
    return domain.linker(self.builder, self.docnames[-1])
