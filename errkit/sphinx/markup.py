"""From prose to nodes, in reStructuredText or in Markdown, on a page that is written in either.

Most prose is plain paragraphs with a literal here and there. Those are built directly, since running a parser
over thousands of them is what a build would spend its time on; `plain_paragraphs` gives exactly the nodes
that docutils would, or gives up. Anything else goes through docutils or MyST with the prose's own file and
line, so warnings point at the text and not at the page.

Prose has no headings: it may stand at any depth of any page.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from docutils.parsers.rst import states
from docutils.parsers.rst.states import Inliner, RSTState, RSTStateMachine
from docutils.statemachine import StringList, string2lines
from sphinx import addnodes
from sphinx.util.docutils import switch_source_input
from sphinx.util.nodes import NodeMatcher
from sphinx.util.parsing import nested_parse_to_nodes

from errkit.own import ErrkitError
from errkit.sphinx.nodes import line_nodes
from errkit.sphinx.reading import catalogue_of
from errkit.sphinx.reports import Report, refuse, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.util.docutils import SphinxDirective

    from errkit.sphinx.texts import ProseView

__all__ = ["ProseParser", "plain_paragraphs", "prepare_markdown", "setup_markup", "text_paragraphs"]


# --- prose that needs no parser -------------------------------------------------------------------------

# A first word that could start an enumerated list ("2.", "iv)", "(a)") leaves the decision to docutils.
_ENUMERATOR: Final = re.compile(r"\(?[^\W_]+[.)](?: |$)")
_LINE_START: Final = re.compile(r"[^\W_]|``|[(\"'](?=[^\W_])")
# Characters that docutils would change, wherever they stand.
_CHANGED: Final = r"\x00-\x09\x0b-\x1f\x7f\x85\u2028\u2029"
_LITERAL: Final = re.compile(rf"(?:(?<=^)|(?<=[\s(]))``(?!\s)([^`\\\n{_CHANGED}]+)(?<!\s)``(?=$|[\s.,:;!?)])")
# Those, characters that mean something, and an underscore or a colon that may.
_MARKUP: Final = re.compile(rf"[*`|\\@{_CHANGED}]|_(?!\w)|(?<!\w)_|:(?![ \n]|$)")


def plain_paragraphs(text: str) -> list[tuple[int, nodes.paragraph]] | None:
    """The paragraphs of a text that has no markup but literals, each with its first line from 0; else None.

    The nodes equal those of docutils for the same text.
    """
    found: list[tuple[int, nodes.paragraph]] = []
    for start, lines in _blocks([line.rstrip(" ") for line in text.split("\n")]):
        paragraph = _plain_paragraph(lines)
        if paragraph is None:
            return None
        found.append((start, paragraph))
    return found


def text_paragraphs(text: str) -> list[tuple[int, nodes.paragraph]]:
    """The paragraphs of a text in which nothing but literals is markup, each with its first line from 0."""
    readable = text.replace("\0", "\ufffd")  # to docutils it would escape what follows
    return [
        (start, nodes.paragraph("", "", *line_nodes("\n".join(lines)), support_smartquotes=False))
        for start, lines in _blocks([line.strip() for line in readable.split("\n")])
    ]


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines between empty ones, each block with the number of its first line."""
    start = 0
    for at, line in enumerate([*lines, ""]):
        if line:
            continue
        if start < at:
            yield start, lines[start:at]
        start = at + 1


def _plain_paragraph(lines: list[str]) -> nodes.paragraph | None:
    if _ENUMERATOR.match(lines[0]) or not all(_LINE_START.match(line) for line in lines):
        return None
    text = "\n".join(lines)
    paragraph = nodes.paragraph(text, "")
    end = 0
    for literal in _LITERAL.finditer(text):
        if not _add_text(paragraph, text[end : literal.start()]):
            return None
        paragraph += nodes.literal(literal.group(), literal.group(1))
        end = literal.end()
    return paragraph if _add_text(paragraph, text[end:]) else None


def _add_text(paragraph: nodes.paragraph, text: str) -> bool:
    if _MARKUP.search(text):
        return False
    if text:
        paragraph += nodes.Text(text)
    return True


# --- prose that needs one -------------------------------------------------------------------------------


def setup_markup(app: Sphinx) -> None:
    """Prepare MyST once it is known whether a registry needs it."""
    app.connect("config-inited", prepare_markdown, priority=600)


def prepare_markdown(app: Sphinx, _config: object) -> None:
    """Let the build read Markdown prose, without making `.md` files of the project into pages.

    Raises
    ------
    ExtensionError
        `errkit.missing_extra` if there is Markdown prose and MyST-Parser is not installed.
    """
    if not any(registry.markdown for registry in catalogue_of(app).registries):
        return
    try:
        from myst_parser.sphinx_ext.main import setup_sphinx
    except ImportError as missing:
        refuse(
            ErrkitError.MISSING_EXTRA(
                f"prose in Markdown needs MyST-Parser: pip install 'errkit[sphinx]' ({missing})",
                extra="sphinx",
                module="myst_parser",
            )
        )
    # MyST-Parser 4 can't be set up twice; with any version, the project's own set-up is the one that counts.
    if "myst_enable_extensions" not in app.config:
        setup_sphinx(app)


class ProseParser:
    """Parses prose for one directive; what is costly to make is made once."""

    def __init__(self, directive: SphinxDirective) -> None:
        self._directive = directive
        self._document: nodes.document = directive.state.document
        self._inliner: Inliner | None = None
        self._markdown: Any = None

    def parse(self, prose: ProseView | None) -> list[nodes.Node]:
        """The nodes of a text; empty for None."""
        if prose is None:
            return []
        if prose.markup == "md":
            return without_headings(self._parse_markdown(prose), prose)
        plain = text_paragraphs(prose.text) if prose.markup == "text" else plain_paragraphs(prose.text)
        if plain is None:
            return without_headings(self._parse_rst(prose), prose)
        for line, paragraph in plain:
            paragraph.source, paragraph.line = prose.file, prose.line_of(line)
            paragraph.document = self._document
        return [paragraph for _, paragraph in plain]

    def _parse_rst(self, prose: ProseView) -> list[nodes.Node]:
        lines = string2lines(prose.text, tab_width=self._document.settings.tab_width, convert_whitespace=True)
        content = StringList(lines, items=[(prose.file, prose.line_of(at) - 1) for at in range(len(lines))])
        state = self._directive.state
        if isinstance(state, RSTState):
            with switch_source_input(state, content):
                return nested_parse_to_nodes(state, content, allow_section_headings=True)
        return self._parse_rst_alone(content)

    def _parse_rst_alone(self, content: StringList) -> list[nodes.Node]:
        """Parse for a page that is not written in reStructuredText itself."""
        document = self._document
        if self._inliner is None:
            self._inliner = Inliner()
            self._inliner.init_customizations(document.settings)
        before = len(document.children)
        machine = RSTStateMachine(state_classes=states.state_classes, initial_state="Body")
        known = document.reporter.get_source_and_line
        try:
            machine.run(content, document, inliner=self._inliner)
        finally:
            document.reporter.get_source_and_line = known
        parsed = document.children[before:]
        del document.children[before:]
        return parsed

    def _parse_markdown(self, prose: ProseView) -> list[nodes.Node]:
        if self._markdown is None:
            self._markdown = _markdown_parser(self._document)
        container = nodes.Element()
        with _source(self._document, prose):
            renderer = self._markdown.renderer
            renderer.prose = prose
            # Each text has link definitions and footnotes of its own.
            renderer.md_env, renderer.current_node = {}, container
            renderer.nested_render_text(prose.text, 0)
        for node in NodeMatcher(nodes.Element).findall(container):
            if node.line is not None:
                node.line = prose.line_of(node.line - 1)
        for link in [*NodeMatcher(nodes.reference, id_link=True).findall(container)]:
            link.replace_self(_pending(link, self._directive.env.current_document.docname))
        return container.children


def _markdown_parser(document: nodes.document) -> Any:
    """A MyST parser that adds to a document and reports the file of the prose."""
    from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
    from myst_parser.parsers.mdit import create_md_parser
    from sphinx.util import logging

    logger = logging.getLogger(__name__)

    class ProseRenderer(SphinxRenderer):
        """MyST's renderer, but for the place of warnings: MyST would name the page."""

        prose: ProseView

        def create_warning(
            self,
            message: str,
            subtype: Any,
            *,
            wtype: str | None = None,
            line: int | None = None,
            append_to: nodes.Element | None = None,
        ) -> None:
            name = subtype if isinstance(subtype, str) else subtype.value
            place = f"{self.prose.file}:{self.prose.line_of((line or 1) - 1)}"
            logger.warning(message, type=wtype or "myst", subtype=name, location=place)

    parser: Any = create_md_parser(document.settings.env.myst_config, ProseRenderer)
    parser.options["document"] = document
    # Once for all texts: MyST makes a document of its own here each time, to use it or not.
    parser.renderer.setup_render(parser.options, {})
    return parser


def _pending(link: nodes.reference, docname: str) -> addnodes.pending_xref:
    """What MyST makes of a link to `#name` at the end of a page in Markdown, which this page may not be."""
    content = nodes.inline("", "", *link.children, classes=["xref", "myst"])
    pending = addnodes.pending_xref(
        "",
        content,
        refdoc=docname,
        refdomain=None,
        reftype="myst",
        reftarget=link["refuri"][1:],
        refexplicit=bool(link.children),
    )
    pending.source, pending.line = link.source, link.line
    return pending


@contextmanager
def _source(document: nodes.document, prose: ProseView) -> Iterator[None]:
    """Let everything that is made or reported meanwhile come from the file of a text."""
    reporter = document.reporter
    before, where = document["source"], reporter.get_source_and_line
    document["source"] = prose.file

    def here(line: int | None = None) -> tuple[str, int | None]:
        return prose.file, None if line is None else prose.line_of(line - 1)

    reporter.get_source_and_line = here
    try:
        yield
    finally:
        document["source"] = before
        reporter.get_source_and_line = where


def without_headings(parsed: list[nodes.Node], prose: ProseView) -> list[nodes.Node]:
    """The nodes with each section replaced by what it holds, and its heading by a bold line.

    A warning names the file and line of the heading, unless the registry says that headings are no fault.
    """
    found: list[nodes.Node] = []
    for node in parsed:
        # MyST makes a rubric with a level of a heading that may not be there.
        if isinstance(node, nodes.section):
            heading, rest = node.children[0], node.children[1:]
        elif isinstance(node, nodes.rubric) and "level" in node:
            heading, rest = node, []
        else:
            found.append(node)
            continue
        if prose.headings == "refuse":
            title = heading.astext()
            place = f"{prose.file}:{_line_of(title, prose)}"
            report(Report.HEADING, f"prose has no headings, found {title!r}; use bold text or a list", place)
        found.append(nodes.paragraph("", "", nodes.strong("", "", *heading.children)))
        found += without_headings(rest, prose)
    return found


def _line_of(title: str, prose: ProseView) -> int:
    """The line of a heading; docutils and MyST count it in different ways."""
    lines = prose.text.split("\n")
    return prose.line_of(next((at for at, line in enumerate(lines) if title in line), 0))
