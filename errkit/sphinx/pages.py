"""The pages that appear by themselves: the index, one for each domain, one for each registry with a folder.

A domain of very many codes has pages for parts of them as well, as long as its own page is one of these.

None of them is in the source folder.

Sphinx reads pages from files that its `Project` finds. `ErrkitProject` finds a few more: for each page a file
of three lines below the doctrees, which holds one directive. A real file of the same name wins. Whoever asks
for the path of such a page inside the project gets one that fits its name, and themes are told that the page
has no source to show or to edit.

Putting our project in the place of Sphinx's own is the one thing here that is not documented; it happens in
`install_project`, which checks what it relies on.
"""

from __future__ import annotations

import re
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.parsers import RSTParser
from sphinx.project import Project
from sphinx.util.matching import Matcher

from errkit.sphinx.domain import ErrorDomain
from errkit.sphinx.nodes import error_code
from errkit.sphinx.reading import catalogue_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.util._pathlib import _StrPath

    from errkit.sphinx.catalogue import Catalogue

__all__ = ["ErrkitProject", "PageParser", "page_texts", "setup_pages"]

SUFFIX: Final = ".errkit"
FOLDER: Final = "_errkit"


class PageParser(RSTParser):
    """Reads a page that appeared by itself: reStructuredText, whatever the project is written in."""

    supported: ClassVar[tuple[str, ...]] = ("errkit",)


class ErrkitProject(Project):
    """A project with pages that have no file in its source folder."""

    def __init__(self, srcdir: str | os.PathLike[str], source_suffix: Iterable[str]) -> None:
        super().__init__(srcdir, source_suffix)
        self.offered: dict[str, Path] = {}
        """Every page that could appear -> the file that it is read from."""
        self.parts: dict[str, str] = {}
        """The pages of parts -> the page of their domain."""
        self.virtual: set[str] = set()
        """The pages that do appear: the project has no file of that name."""
        self.hidden: tuple[str, ...] = (f"**{SUFFIX}",)
        """What looks like source files and is none: our own files, since the doctrees may lie inside the
        source folder, and the prose of codes."""

    def discover(self, exclude_paths: Iterable[str] = (), include_paths: Iterable[str] = ("**",)) -> set[str]:
        """Find the files of the project, then add the pages that have none and are not excluded."""
        exclude_paths, include_paths = tuple(exclude_paths), tuple(include_paths)
        docnames = super().discover((*exclude_paths, *self.hidden), include_paths)
        excluded, included = Matcher(list(exclude_paths)), Matcher(list(include_paths))
        self.virtual = {
            docname
            for docname in self.offered
            if docname not in docnames and included(docname + SUFFIX) and not excluded(docname + SUFFIX)
        }
        # Whoever writes the page of a domain decides what is on it.
        self.virtual -= {part for part, domain in self.parts.items() if domain not in self.virtual}
        docnames |= self.virtual
        return docnames

    def doc2path(self, docname: str, absolute: bool) -> _StrPath:
        """The file of a page; relative, a path that fits the page's name, as if the file stood there."""
        found = super().doc2path(docname, absolute)
        if docname not in self.virtual:
            return found
        return type(found)(self.offered[docname] if absolute else f"{docname}{SUFFIX}")

    def path2doc(self, filename: str | os.PathLike[str]) -> str | None:
        """The page of a file."""
        path = Path(filename)
        if path.suffix == SUFFIX and path.is_absolute():
            for docname in self.virtual:
                if self.offered[docname] == path:
                    return docname
        return super().path2doc(filename)


def setup_pages(app: Sphinx) -> None:
    """Register the parser and the project, and what makes such pages look right."""
    app.add_source_suffix(SUFFIX, "errkit")
    app.add_source_parser(PageParser)
    # Sphinx adds suffixes at 800.
    app.connect("config-inited", own_suffixes, priority=700)
    app.connect("builder-inited", install_project, priority=110)
    app.connect("doctree-read", note_virtual)
    # Themes look at the context at 500.
    app.connect("html-page-context", complete_context, priority=400)
    app.connect("html-page-context", show_contents, priority=600)


def own_suffixes(app: Sphinx, config: Config) -> None:
    """Give this application suffixes of its own: Sphinx would add ours to the default of every later one.

    What is set in another form, one suffix or several, Sphinx itself turns into a mapping.
    """
    if isinstance(config.source_suffix, dict):
        config.source_suffix = dict(config.source_suffix)


# --- making them exist ----------------------------------------------------------------------------------


def install_project(app: Sphinx) -> None:
    """Write the files of the pages and let our project find them."""
    catalogue = catalogue_of(app)
    texts = page_texts(catalogue) if catalogue.settings.pages else {}
    folder = Path(app.doctreedir, FOLDER)
    offered = write_files(folder, texts)
    known: Any = getattr(app, "project", None)
    if type(known) not in (Project, ErrkitProject) or app.env.project is not known:
        raise ExtensionError(
            "pages can't appear by themselves: this version of Sphinx or an extension has a Project "
            "of its own; set errkit_pages = False and write pages with err:registry and err:domain",
            modname="errkit.sphinx",
        )
    project = ErrkitProject(known.srcdir, known.source_suffix)
    project.restore(known)
    project.offered = offered
    project.parts = {part.page: domain.page for domain in catalogue.domains.values() for part in domain.parts}
    project.hidden += hidden_prose(catalogue.settings.prose, Path(app.srcdir))
    project.virtual = {docname for docname in offered if docname in ErrorDomain.of(app.env).data["virtual"]}
    app.project = app.env.project = project


def hidden_prose(folder: Path | None, source: Path) -> tuple[str, ...]:
    """The pattern of a prose folder that lies inside the source folder."""
    if folder is None or not folder.resolve().is_relative_to(source.resolve()):
        return ()
    path = folder.resolve().relative_to(source.resolve()).as_posix()
    return (re.sub(r"([*?[])", r"[\1]", path) + "/**",)


def page_texts(catalogue: Catalogue) -> dict[str, str]:
    """Page -> its text, for every page that the registries have by rule."""
    texts = {catalogue.index_page: _text("err:registry", "", "page", "toctree")}
    for registry in catalogue.registries:
        if registry.page:
            texts[registry.page] = _text("err:registry", registry.name, "page", "toctree")
    for domain in catalogue.domains.values():
        name = f"{domain.registry}:{domain.name}"
        texts[domain.page] = _text("err:domain", name, "page")
        for at, part in enumerate(domain.parts, 1):
            texts[part.page] = _text("err:domain", name, "page", f"part: {at}")
    return texts


def _text(directive: str, argument: str, *options: str) -> str:
    head = f".. {directive}:: {argument}".rstrip()
    lines = (option if ":" in option else f"{option}:" for option in options)
    return "\n".join((head, *(f"   :{line}" for line in lines), ""))


def write_files(folder: Path, texts: Mapping[str, str]) -> dict[str, Path]:
    """Page -> its file; one is written only if its text is another, and removed if it has no page."""
    files = {docname: folder / f"{docname}{SUFFIX}" for docname in texts}
    for docname, path in files.items():
        if not path.is_file() or path.read_text("utf-8") != texts[docname]:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, texts[docname])
    wanted = set(files.values())
    for path in folder.rglob(f"*{SUFFIX}"):
        if path not in wanted:
            path.unlink(missing_ok=True)
    return files


def write_whole(path: Path, text: str) -> None:
    """Write a file so that another build never sees half of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    Path(name).replace(path)


def note_virtual(app: Sphinx, doctree: nodes.document) -> None:
    """Remember that a page was read without a file: when a file comes or goes, it must be read again."""
    domain = ErrorDomain.of(app.env)
    docname = app.env.current_document.docname
    if docname in domain.virtual_pages:
        domain.data["virtual"][docname] = True


# --- making them look right -----------------------------------------------------------------------------


def complete_context(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Take source and edit links off pages without a file, and list the codes in a page's contents."""
    if doctree is None:
        return
    if pagename in ErrorDomain.of(app.env).virtual_pages:
        context.update(sourcename="", has_source=False, page_source_suffix="")
    entries = list(contents(doctree))
    if entries and "toc" in context:
        context["toc"] = with_codes(context["toc"], entries)
        context["display_toc"] = True


def show_contents(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let furo show the contents list: it looks for sections, and codes are none."""
    if doctree is None or "furo_hide_toc" not in context or "hide-toc" in (context.get("meta") or {}):
        return
    if next(contents(doctree), None) is not None:
        context["furo_hide_toc"] = False


def contents(document: nodes.Element, parent: str = "") -> Iterator[tuple[str, list[error_code]]]:
    """(anchor of a section, the codes in it) in order; the section of the page itself has no anchor."""
    own: list[error_code] = []
    sections: list[tuple[str, nodes.section]] = []
    for child in document.children:
        if isinstance(child, error_code):
            own.append(child)
        elif isinstance(child, nodes.section):
            top = isinstance(document, nodes.document) and not sections
            sections.append(("" if top else child["ids"][0], child))
    if own:
        yield parent, own
    for anchor, section in sections:
        yield from contents(section, anchor)


def with_codes(toc: str, entries: Iterable[tuple[str, list[error_code]]]) -> str:
    """A contents list with the codes of each section before its subsections."""
    for anchor, codes in entries:
        items = "".join(
            f'<li><a class="reference internal" href="#{code["ids"][0]}">'
            f"<code>{escape(code['code'])}</code></a></li>\n"
            for code in codes
        )
        pattern = rf'(<a [^>]*href="#{re.escape(anchor)}"[^>]*>.*?</a>(?:</p>)?)(\s*<ul[^>]*>\n?)?'
        toc = re.sub(pattern, lambda found, items=items: _nested(found, items), toc, count=1, flags=re.DOTALL)  # type: ignore[misc]
    return toc


def _nested(found: re.Match[str], items: str) -> str:
    if found.group(2):
        return f"{found.group(1)}{found.group(2)}{items}"
    return f"{found.group(1)}<ul>\n{items}</ul>\n"
