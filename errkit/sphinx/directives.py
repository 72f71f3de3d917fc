"""The directives `err:registry`, `err:domain`, `err:code`, `err:table`, `err:overview` and `err:unraised`.

Each looks up what its argument names in the catalogue, lets `render.py` build the nodes, and notes in the
domain what the page now documents and shows. A page that appears by itself is nothing but one of these
directives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from errkit.codes import KINDS
from errkit.sphinx import finding, render
from errkit.sphinx.catalogue import Key, digest_of
from errkit.sphinx.domain import ErrorDomain
from errkit.sphinx.examples import forms_of
from errkit.sphinx.labels import COLUMNS, column, label
from errkit.sphinx.markup import ProseParser
from errkit.sphinx.notes import Note
from errkit.sphinx.overview import error_overview, islands_of
from errkit.sphinx.reports import Report, report
from errkit.sphinx.shown import SORTS, select, shown, sort

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from errkit.sphinx.catalogue import Catalogue, CodeView, DomainView, RegistryView
    from errkit.sphinx.examples import Form

__all__ = ["DIRECTIVES"]

TABLE_COLUMNS: Final = tuple(COLUMNS)[:10]


def _names(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").replace(",", " ").split())


def _columns(text: str | None) -> tuple[str, ...]:
    names = _names(text)
    unknown = [name for name in names if name not in TABLE_COLUMNS]
    if unknown or not names:
        raise ValueError(
            f"expected some of {', '.join(TABLE_COLUMNS)}; found {', '.join(unknown) or 'nothing'}"
        )
    return names


def _choice(*values: str) -> Callable[[str | None], str]:
    return lambda text: directives.choice(text or "", values)


class _ErrorDirective(SphinxDirective):
    """What all of them share: looking up, noting, reporting."""

    @property
    def domain(self) -> ErrorDomain:
        """The domain of this build."""
        return ErrorDomain.of(self.env)

    @property
    def catalogue(self) -> Catalogue:
        """What this build shows."""
        return self.domain.catalogue

    @property
    def docname(self) -> str:
        """The page that is being read."""
        return self.env.current_document.docname

    @property
    def explicit(self) -> bool:
        """Whether the project wrote this page."""
        return self.docname not in self.domain.virtual_pages

    def show(self, *key: Any) -> None:
        """Note that the page shows something, with the digest that it has now."""
        self.domain.page(self.docname)["shown"][key] = shown(self.catalogue, key)

    def note(self, kind: str, key: Key, anchor: str, *, exact: str = "", digest: str = "") -> None:
        """Note that the page documents something."""
        if "no-index" not in self.options:
            page = self.domain.page(self.docname)
            note = Note(key.registry, key.name, anchor, exact or anchor, self.lineno, self.explicit, digest)
            page[kind].append(note)  # type: ignore[literal-required]

    def unknown(self, kind: str, name: str) -> list[nodes.Node]:
        """Report a name that means nothing; the page shows nothing in its place."""
        report(*self.domain.unknown(kind, name), self.get_location())
        return []

    def claim(self, wanted: Iterable[str], taken: Container[str] | None = None) -> list[str]:
        """The anchors of `wanted` that are still free on the page; there is always one."""
        ids = self.state.document.ids if taken is None else taken
        wanted = list(wanted)
        free = [anchor for anchor in wanted if anchor not in ids]
        count = 2
        while not free:
            free = [anchor for anchor in (f"{wanted[0]}-{count}",) if anchor not in ids]
            count += 1
        return free

    # --- parts of a page --------------------------------------------------------------------------------

    def codes(self, views: Sequence[CodeView], parser: ProseParser) -> list[nodes.Node]:
        """Codes with their prose."""
        made: list[nodes.Node] = []
        for view in views:
            name = "" if view.prose is None else view.prose.name
            made.append(self.code(view, parser.parse(view.prose), name))
            view.release()
        return made

    def code(self, view: CodeView, prose: Sequence[nodes.Node], prose_file: str = "") -> nodes.Element:
        """One code, noted on the page; its prose may come from a file of the prose folder."""
        settings = self.catalogue.settings
        ids = self.claim(render.anchors(view))
        forms: list[Form] = []
        try:
            payload = render.example_payload(view.spec, settings.audience)
            forms = forms_of(view.spec, settings.examples, settings.audience)
        except Exception as error:
            payload = None
            report(Report.EXAMPLE, f"the example of {view.code} builds no error: {error}", view.spec.place)
        node = render.code_node(
            view,
            ids,
            prose,
            payload=payload,
            forms=forms,
            sites=render.Sites(settings.source_url, settings.edit_url, settings.prose_url),
            prose_file=prose_file,
        )
        if node.source is None:
            self.placed(node)
        self.state.document.note_explicit_target(node)
        exact = ids[1] if view.shared and len(ids) > 1 else ids[0]
        self.note("codes", view.key, ids[0], exact=exact, digest=digest_of(view.facts, view.words))
        if view.replaced_by:
            self.domain.note_reference(self.docname, "code", view.replaced_by)
        for at in (render.class_of(view.spec), *(raiser[:2] for raiser in view.raised)):
            if at:
                self.domain.note_reference(self.docname, "object", ":".join(at))
        return node

    def placed(self, node: nodes.Element, place: tuple[str, int] | None = None) -> nodes.Element:
        """A node that knows where its text was written.

        On a page without a file that is at least the name of the page, and not where this machine keeps it.
        """
        if place is not None and place[0]:
            node.source, node.line = place
        elif self.explicit:
            self.set_source_info(node)
        else:
            node.source, node.line = str(self.env.srcdir / self.env.doc2path(self.docname, base=False)), 1
        return node

    def toctree(self, pages: Iterable[str], caption: str | None = None) -> nodes.Element:
        """The pages as entries of the navigation, as far as they exist."""
        pages = [page for page in pages if page in self.env.found_docs]
        toctree = addnodes.toctree(
            entries=[(None, page) for page in pages],
            includefiles=pages,
            parent=self.docname,
            maxdepth=1,
            caption=caption,
            glob=False,
            hidden=True,
            includehidden=False,
            numbered=0,
            titlesonly=True,
        )
        self.set_source_info(toctree)
        return nodes.compound("", toctree, classes=["toctree-wrapper"])

    def section(
        self, title: str, anchor: str, content: Iterable[nodes.Node], place: tuple[str, int] | None = None
    ) -> nodes.section:
        """A section whose title is data."""
        heading = nodes.title(title, title, support_smartquotes=False)
        section = nodes.section("", heading, *content, ids=[anchor])
        for node in (section, heading):
            self.placed(node, place)
        self.state.document.note_explicit_target(section)
        return section


class RegistryDirective(_ErrorDirective):
    """The domains of one registry, or of all; `:page:` adds the page, and for all the list of codes."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "page": directives.flag,
        "toctree": directives.flag,
        "no-index": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The tables, and the page around them if it is asked for."""
        name = self.arguments[0] if self.arguments else ""
        views = self._views(name)
        self.show("registry", name)
        if not views and name:
            return self.unknown("registry", name)
        content = self._content(views)
        if "page" not in self.options:
            return content
        title = views[0].name if name else label("index_title")
        # Both pages stand on one where a builder makes one page of all.
        own = f"{render.registry_anchor(views[0])}-page" if name else "err-index"
        codes = [] if name else [code for view in views for code in view.codes]
        if codes:
            self.domain.note_reference(self.docname, "rows", "")
            several = ("registry",) if len(views) > 1 else ()
            table = finding.code_list(codes, (*render.INDEX, *several), self.catalogue.settings.audience)
            anchor = self.claim(["err-all-codes"])[0]
            content.append(self.section(label("all_codes"), anchor, [self.placed(table)]))
            content.insert(0, self.placed(finding.find_box(codes)))
        return [self.section(title, self.claim([own])[0], content)]

    def _views(self, name: str) -> list[RegistryView]:
        if not name:
            return list(self.catalogue.registries)
        view = self.catalogue.registry(name)
        return [] if view is None else [view]

    def _content(self, views: Sequence[RegistryView]) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for view in views:
            anchor = self.claim([f"{render.registry_anchor(view)}{'-domains' * self._elsewhere(view)}"])[0]
            table = self.placed(render.domains_table(view.domains))
            content = [*self._toctree(view, views), table]
            if not self._elsewhere(view):
                self.note("registries", Key(view.name, view.name), anchor)
            if "page" in self.options and len(views) > 1:
                found.append(self.section(view.name, anchor, content))
            else:
                target = nodes.target("", "", ids=[anchor])
                self.state.document.note_explicit_target(target)
                found += [target, *content]
        return found

    def _elsewhere(self, view: RegistryView) -> bool:
        """Whether a registry that is shown among all has a page of its own."""
        return not self.arguments and view.page in self.env.found_docs

    def _toctree(self, view: RegistryView, views: Sequence[RegistryView]) -> list[nodes.Node]:
        if "toctree" not in self.options:
            return []
        pages = [view.page] if self._elsewhere(view) else [domain.page for domain in view.domains]
        return [self.toctree(pages, view.name if len(views) > 1 else None)]


class DomainDirective(_ErrorDirective):
    """One domain: its prose, its size, a table of its codes, and the codes.

    On a page that appeared by itself, where the codes are too many, the rows of the table have their anchors,
    and the codes are on pages of their own; those ask for one `:part:`.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "page": directives.flag,
        "part": directives.positive_int,
        "include": _names,
        "exclude": _names,
        "sort": _choice(*SORTS),
        "no-table": directives.flag,
        "no-codes": directives.flag,
        "no-index": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The domain, and the page around it if it is asked for."""
        name = self.arguments[0]
        views = self.catalogue.find_domains(name)
        if "part" in self.options:
            self.show("part", self.options["part"], name)
            return self._part(views[0], self.options["part"]) if views else self.unknown("domain", name)
        self.show("domain", name)
        if not views:
            return self.unknown("domain", name)
        view = views[0]
        anchor = self.claim([render.domain_anchor(view)])[0]
        self.note("domains", Key(view.registry, view.name), anchor)
        self.domain.note_reference(self.docname, "rows", f"{view.registry}:{view.name}")
        content = self._content(view)
        if "page" in self.options:
            return [self.section(view.spec.title, anchor, content, (view.spec.file, view.spec.line))]
        target = nodes.target("", "", ids=[anchor])
        self.state.document.note_explicit_target(target)
        return [target, *content]

    def _content(self, view: DomainView) -> list[nodes.Node]:
        parser = ProseParser(self)
        codes = self._codes(view)
        found = parser.parse(view.prose)
        parts = () if self.explicit else view.parts
        pages = [part.page for part in parts if part.page in self.env.found_docs]
        if pages:
            found.append(self.toctree(pages))
        if "no-table" not in self.options:
            table = render.codes_table(codes, size=(len(codes), render.numbers_of(view)))
            if pages:
                table["anchors"] = self._anchors(codes)
            found.append(self.placed(table))
        if "no-codes" not in self.options and not pages:
            found += self.codes(codes, parser)
        return found

    def _anchors(self, codes: Iterable[CodeView]) -> list[list[str]]:
        """The anchors that the codes would have on this page."""
        taken = set(self.state.document.ids)
        found = []
        for view in codes:
            found.append(self.claim(render.anchors(view), taken))
            taken.update(found[-1])
        return found

    def _part(self, view: DomainView, number: int) -> list[nodes.Node]:
        """The codes of one part, and the page around them if it is asked for."""
        if number > len(view.parts):
            problem = f"domain {view.name} has {len(view.parts)} parts, and no part {number}"
            report(Report.OPTION, problem, self.get_location())
            return []
        part = view.parts[number - 1]
        content = [self._up(view), *self.codes(part.codes, ProseParser(self))]
        if "page" not in self.options:
            return content
        anchor = self.claim([f"{render.domain_anchor(view)}--{number}"])[0]
        return [self.section(part.title, anchor, content, (view.spec.file, view.spec.line))]

    def _up(self, view: DomainView) -> nodes.Element:
        """The link from a part to its domain."""
        name = nodes.literal(view.name, view.name)
        target = f"{view.registry}:{view.name}"
        link = addnodes.pending_xref(
            "", name, refdomain="err", reftype="domain", reftarget=target, refexplicit=True, refwarn=True
        )
        up = nodes.paragraph("", "", nodes.Text(f"{column('domain')}: "), link, classes=["errkit-up"])
        up["translatable"] = False
        return self.placed(up)

    def _codes(self, view: DomainView) -> list[CodeView]:
        include, exclude = self.options.get("include", ()), self.options.get("exclude", ())
        known = {code.code for code in view.codes}
        for name in (*include, *exclude):
            if name not in known:
                report(Report.OPTION, f"domain {view.name} has no code {name!r}", self.get_location())
        codes = [
            code for code in view.codes if (not include or code.code in include) and code.code not in exclude
        ]
        return sort(codes, self.options.get("sort"))


class CodeDirective(_ErrorDirective):
    """One code; the body of the directive replaces its prose."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {"no-index": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The code."""
        name = self.arguments[0]
        self.show("code", name)
        views = self.catalogue.find_codes(name)
        if not views:
            return self.unknown("code", name)
        view = views[0]
        if not self.content:
            return self.codes([view], ProseParser(self))
        return [self.code(view, self.parse_content_to_nodes())]


class TableDirective(_ErrorDirective):
    """A table of codes, of all registries or those that the options leave."""

    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "registry": directives.unchanged_required,
        "domain": _names,
        "kind": _names,
        "retry": _choice("yes", "no"),
        "audience": _choice("public", "internal"),
        "columns": _columns,
        "sort": _choice(*SORTS),
    }

    def run(self) -> list[nodes.Node]:
        """The table."""
        self._check()
        self.show("table", *sorted(self.options.items()))
        self.domain.note_reference(self.docname, "rows", "")
        codes = select(self.catalogue, self.options)
        return [self.placed(render.codes_table(codes, self.options.get("columns", render.SUMMARY)))]

    def _check(self) -> None:
        registry = self.options.get("registry")
        if registry is not None and self.catalogue.registry(registry) is None:
            self.unknown("registry", registry)
        for name in self.options.get("domain", ()):
            if not self.catalogue.find_domains(name):
                self.unknown("domain", name)
        for kind in self.options.get("kind", ()):
            if kind not in KINDS:
                report(Report.OPTION, f"kind {kind!r} is none of {', '.join(KINDS)}", self.get_location())


class OverviewDirective(_ErrorDirective):
    """A map of domains and codes, coloured by kind, and a table of counts; of all registries or one."""

    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "registry": directives.unchanged_required,
        "no-map": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The map and the table."""
        registry = self.options.get("registry")
        self.show("overview", registry or "")
        if registry is not None and self.catalogue.registry(registry) is None:
            return self.unknown("registry", registry)
        self.domain.note_reference(self.docname, "domains", "")
        islands = islands_of(self.catalogue, registry or "")
        return [self.placed(error_overview("", islands=islands, map="no-map" not in self.options))]


class UnraisedDirective(_ErrorDirective):
    """For maintainers: a table of the codes that the source declares and raises nowhere."""

    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {"columns": _columns}

    def run(self) -> list[nodes.Node]:
        """The table."""
        if not self.catalogue.settings.sources:
            problem = "err:unraised needs source to look into: set errkit_sources"
            report(Report.SOURCE, problem, self.get_location())
        self.show("unraised", *sorted(self.options.items()))
        self.domain.note_reference(self.docname, "rows", "")
        views = [view for view in self.catalogue.codes.values() if view.never_raised]
        return [self.placed(render.codes_table(views, self.options.get("columns", render.SUMMARY)))]


DIRECTIVES: Final[dict[str, type[SphinxDirective]]] = {
    "registry": RegistryDirective,
    "domain": DomainDirective,
    "code": CodeDirective,
    "table": TableDirective,
    "overview": OverviewDirective,
    "unraised": UnraisedDirective,
}
"""The directives of the domain, by name."""
