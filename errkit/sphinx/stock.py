"""What a registry says in nodes that every writer knows: sections, field lists, tables, literal blocks.

HTML is written from the nodes of `nodes.py` directly; for all other formats `ExpandNodes` puts the nodes made
here in their place, once references are resolved and before anything is written. The builder of message
catalogues is left alone: it asks the nodes for their texts.

The functions that make the nodes are pure, like those of `html.py`, and take the same data.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import NodeMatcher

from errkit.sphinx.examples import PYTHON, caption, plain_text
from errkit.sphinx.finding import error_find
from errkit.sphinx.html import MANY, safe_address
from errkit.sphinx.labels import column, kind_meaning, label, size_of
from errkit.sphinx.nodes import (
    error_code,
    error_facts,
    error_hint,
    error_table,
    error_title,
    line_nodes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.builders import Builder

    from errkit.sphinx.rows import Badges, CodeRow, DomainRow

    Refer = Callable[[str, str, str, nodes.Element], nodes.Node]
    """(kind, registry, name, content) -> the content, as a reference if there is something to refer to."""
    Translate = Callable[[str], str]
    Cell = Sequence[nodes.Node]

__all__ = ["ExpandNodes", "facts", "setup_stock", "table"]


def facts(badges: Badges, code: Mapping[str, Any], refer: Refer, translate: Translate) -> list[nodes.Node]:
    """All that a code shows besides its heading, its hint and its prose."""
    found: list[nodes.Node] = [_field_list([*_badge_rows(badges), *_rows(code, refer)])]
    if code["fields"]:
        rows = [_field_row(field, translate) for field in code["fields"]]
        found += [_caption(label("details")), table(("field", "type", "default", "meaning"), rows)]
    if code["reasons"]:
        rows = [_reason_row(reason, translate) for reason in code["reasons"]]
        found += [_caption(label("reasons")), table(("reason", "title", "hint", "retry"), rows)]
    if code["example"] is not None:
        text = json.dumps(code["example"], ensure_ascii=False, indent=2)
        found += [_caption(label("example")), _block(text, "json")]
    for form in code["forms"]:
        language = PYTHON if form[0] == PYTHON else "json"
        found += [_caption(caption(form[0])), _block(plain_text(form), language)]
    return found


def _block(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language, translatable=False)


def _badge_rows(code: Badges) -> list[tuple[str, Cell]]:
    number = [] if code.number is None else [("number", _text(str(code.number)))]
    return [
        *number,
        ("kind", _text(f"{code.kind} ({kind_meaning(code.kind)})")),
        ("retry", _text(label("yes" if code.retryable else "no"))),
        ("alert", _text(label("yes" if code.alert else "no"))),
        ("audience", _text(label("public" if code.public else "internal"))),
    ]


def _rows(code: Mapping[str, Any], refer: Refer) -> list[tuple[str, Cell]]:
    found: list[tuple[str, Cell]] = []
    if code["http_status"] is not None:
        found.append(("http_status", _text(str(code["http_status"]))))
    if code["retry_after"] is not None:
        found.append(("retry_after", _text(label("seconds") % f"{code['retry_after']:g}")))
    if code["since"]:
        found.append(("since", _text(code["since"])))
    if code["deprecated"]:
        found.append(("deprecated", _text(label("deprecated_since") % code["deprecated"])))
    if code["replaced_by"]:
        found.append(
            (
                "replaced_by",
                [refer("code", code["registry"], code["replaced_by"], _literal(code["replaced_by"]))],
            )
        )
    if code["aliases"]:
        found.append(("aliases", _text(", ".join(code["aliases"]))))
    if code["docs"]:
        found.append(("docs", [_external(code["docs"], code["docs"])]))
    found.append(("declared", _object(code["declared"], code["class"], code["source_url"], refer)))
    if code["raised"]:
        found.append(("raised", _raised(code["raised"], refer)))
    return found


def _object(name: str, at: Sequence[str], source_url: str, refer: Refer) -> Cell:
    text = refer("py", at[0], at[1], _literal(name)) if at else _literal(name)
    if not source_url:
        return [text]
    return [text, nodes.Text(" "), _external(f"[{label('source')}]", source_url)]


def _raised(places: Sequence[Mapping[str, Any]], refer: Refer) -> Cell:
    cells = [_object(each["name"], each["at"], each["source_url"], refer) for each in places[:MANY]]
    if len(places) > MANY:
        cells.append(_text(label("more_places") % (len(places) - MANY)))
    return [node for at, cell in enumerate(cells) for node in ((nodes.Text(", "), *cell) if at else cell)]


def _field_row(field: Mapping[str, Any], translate: Translate) -> list[Cell]:
    need: list[nodes.Node] = (
        _text(label("required")) if field["required"] else [_literal(field["default"] or "")]
    )
    if field["secret"]:
        need = [*need, nodes.Text(f" ({label('secret')})")]
    return [
        [_literal(field["name"])],
        [_literal(field["type"])],
        need,
        line_nodes(translate(field["description"])),
    ]


def _reason_row(reason: Mapping[str, Any], translate: Translate) -> list[Cell]:
    retry = "" if reason["retryable"] is None else label("yes" if reason["retryable"] else "no")
    return [
        [_literal(reason["name"])],
        _text(translate(reason["title"])),
        line_nodes(translate(reason["hint"])),
        _text(retry),
    ]


def code_rows(
    rows: Iterable[CodeRow], columns: Sequence[str], refer: Refer, translate: Translate
) -> list[list[Cell]]:
    """The cells of a table of codes."""

    def cell(row: CodeRow, name: str) -> Cell:
        if name in ("code", "domain"):
            return [refer(name, row.registry, getattr(row, name), _literal(getattr(row, name)))]
        texts = {
            "number": "" if row.number is None else str(row.number),
            "title": translate(row.title),
            "kind": row.kind,
            "retry": label("yes" if row.retryable else "no"),
            "alert": label("yes" if row.alert else "no"),
            "audience": label("public" if row.public else "internal"),
            "status": "" if row.http_status is None else str(row.http_status),
            "registry": row.registry,
        }
        return _text(texts[name])

    return [[cell(row, name) for name in columns] for row in rows]


def domain_rows(rows: Iterable[DomainRow], refer: Refer, translate: Translate) -> list[list[Cell]]:
    """The cells of a table of domains."""
    found: list[list[Cell]] = []
    for row in rows:
        numbers = "" if row.numbers is None else f"{row.numbers[0]}\N{EN DASH}{row.numbers[1] - 1}"
        name = refer("domain", row.registry, row.domain, _literal(row.domain))
        found.append([[name], _text(translate(row.title)), _text(str(row.codes)), _text(numbers)])
    return found


# --- small nodes ----------------------------------------------------------------------------------------


def table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> nodes.table:
    """A table from cells."""
    group = nodes.tgroup("", cols=len(columns))
    group += [nodes.colspec("", colwidth=_WIDTHS.get(name, 10)) for name in columns]
    group += nodes.thead("", _row([_text(column(name)) for name in columns]))
    group += nodes.tbody("", *(_row(cells) for cells in rows))
    return nodes.table("", group)


_WIDTHS = {
    "code": 30,
    "title": 30,
    "meaning": 40,
    "hint": 40,
    "type": 15,
    "domain": 20,
    "kind": 12,
    "field": 15,
}


def _row(cells: Iterable[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def _field_list(rows: Iterable[tuple[str, Cell]]) -> nodes.field_list:
    return nodes.field_list(
        "",
        *(
            nodes.field(
                "", nodes.field_name("", label(name)), nodes.field_body("", nodes.paragraph("", "", *cell))
            )
            for name, cell in rows
        ),
    )


def _caption(text: str) -> nodes.paragraph:
    return nodes.paragraph("", "", nodes.strong("", text))


def _text(text: str) -> list[nodes.Node]:
    return [nodes.Text(text)] if text else []


def _literal(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def _external(text: str, address: str) -> nodes.Node:
    return (
        nodes.reference("", text, refuri=address, internal=False)
        if safe_address(address)
        else nodes.Text(text)
    )


# --- putting them in place ------------------------------------------------------------------------------


class ExpandNodes(SphinxPostTransform):
    """Replaces the extension's nodes for every format but HTML."""

    # After references are resolved (10) and before Sphinx collects links to check (800) or marks languages.
    default_priority = 100

    def is_supported(self) -> bool:
        """Whether this builder writes from stock nodes."""
        builder = self._builder
        return builder.format != "html" and builder.name != "gettext"

    @property
    def _builder(self) -> Builder:
        from errkit.sphinx.domain import ErrorDomain

        return ErrorDomain.of(self.env).builder

    def run(self, **kwargs: Any) -> None:
        """Replace all of them, the leaves first."""
        for box in [*NodeMatcher(error_find).findall(self.document)]:
            box.parent.remove(box)
        for table_node in [*NodeMatcher(error_table).findall(self.document)]:
            table_node.replace_self(self._table(table_node))
        for code in [*NodeMatcher(error_code).findall(self.document)]:
            code.replace_self(self._code(code))

    def _refer(self, kind: str, registry: str, name: str, content: nodes.Element) -> nodes.Node:
        from errkit.sphinx.domain import ErrorDomain

        domain = ErrorDomain.of(self.env)
        reference = domain.reference(
            self._builder, self.env.current_document.docname, kind, registry, name, content
        )
        return content if reference is None else reference

    def _table(self, node: error_table) -> list[nodes.Node]:
        if node["kind"] == "domains":
            return [
                table(
                    ("domain", "title", "codes", "numbers"),
                    domain_rows(node["rows"], self._refer, node.shown),
                )
            ]
        made: list[nodes.Node] = []
        if node.get("size") is not None:
            made.append(nodes.paragraph("", size_of(*node["size"])))
        if node["rows"]:
            made.append(
                table(node["columns"], code_rows(node["rows"], node["columns"], self._refer, node.shown))
            )
        return made

    def _code(self, node: error_code) -> list[nodes.Node]:
        title = next(iter(NodeMatcher(error_title).findall(node)))
        content: list[nodes.Node] = []
        for child in node.children:
            if isinstance(child, error_hint):
                hint = nodes.paragraph(
                    "", "", nodes.strong("", f"{label('hint')}:"), nodes.Text(" "), *child.children
                )
                content.append(hint)
            elif isinstance(child, error_facts):
                content += facts(title["badges"], child.data(), self._refer, child.shown)
            elif not isinstance(child, error_title):
                content.append(child)
        heading = [_literal(node["code"]), nodes.Text(" "), *title.children]
        if isinstance(node.parent, (nodes.section, nodes.document)):
            section = nodes.section("", nodes.title("", "", *heading), *content, ids=node["ids"])
            section.source, section.line = node.source, node.line
            return [section]
        # A section inside a list or a note is no document; there a code has a bold line instead of a heading.
        return [
            nodes.target("", "", ids=node["ids"]),
            nodes.paragraph("", "", nodes.strong("", "", *heading)),
            *content,
        ]


def setup_stock(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(ExpandNodes)
