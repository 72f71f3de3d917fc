"""The Sphinx domain `err`: where codes, numbers, domains and registries are documented, and links to them.

What the pages document is noted by page, so that forgetting a page and merging the pages of another process
cost what the page costs and not what the site costs. Look-ups go through tables that are made from those
notes when they are first needed. Facts come from the catalogue, places from the notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from sphinx.domains import Domain, Index, IndexEntry, ObjType
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from errkit.sphinx.catalogue import Key, digest_of
from errkit.sphinx.labels import label, translate as _
from errkit.sphinx.notes import Place, new_page
from errkit.sphinx.python_links import documented_at, source_at
from errkit.sphinx.reports import Report, meant, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Set as AbstractSet

    from docutils import nodes
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from errkit.sphinx.catalogue import Catalogue, CodeView, DomainView
    from errkit.sphinx.notes import Note, Page

__all__ = ["ErrorDomain", "ErrorIndex", "setup_domain"]

MESSAGES: Final = ("error code", "error number", "error domain", "error registry", "Error codes", "codes")
"""What the domain itself has to translate."""
ANY: Final = ("code", "domain", "number")
"""What `any` may mean, best first."""


# --- roles ----------------------------------------------------------------------------------------------


class ErrorRole(XRefRole):
    """A reference: `name`, `registry:name`, or `~name` to show its last segment only."""

    def __init__(self) -> None:
        super().__init__(warn_dangling=True)

    def process_link(
        self, env: BuildEnvironment, refnode: Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """What the reference shows, and what it points at."""
        short = target.startswith("~")
        target = target.lstrip("~").strip()
        if not has_explicit_title:
            title = target.rpartition(":")[2]
            title = title.rpartition(".")[2] if short else title
        return title, target


# --- the index ------------------------------------------------------------------------------------------


class ErrorIndex(Index):
    """All documented codes, by domain."""

    name = "codes"
    localname = "Error codes"
    shortname: ClassVar[str | None] = "codes"

    def generate(
        self, docnames: Iterable[str] | None = None
    ) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        """The entries of the index."""
        domain = cast("ErrorDomain", self.domain)
        wanted = None if docnames is None else frozenset(docnames)
        found: dict[str, list[IndexEntry]] = {}
        several = len(domain.catalogue.registries) > 1
        for view, place in domain.documented():
            if wanted is None or place.docname in wanted:
                gone = label("deprecated") if view.spec.deprecated else ""
                anchor, title = place.note.anchor, view.spec.title
                entry = IndexEntry(
                    view.code, 0, place.docname, anchor, view.registry if several else "", gone, title
                )
                found.setdefault(view.domain, []).append(entry)
        return sorted(found.items()), True

    @classmethod
    def translated(cls) -> type[Index]:
        """The index under its name in the language of the build, as text: the JSON builder takes no other."""
        names = {"localname": str(_(cls.localname)), "shortname": str(_(cls.shortname or ""))}
        return type(cls.__name__, (cls,), names)


# --- the domain -----------------------------------------------------------------------------------------


class ErrorDomain(Domain):
    """Error codes, their domains and registries."""

    name = "err"
    label = "Error"
    data_version = 1
    object_types: ClassVar[dict[str, ObjType]] = {
        "code": ObjType(_("error code"), "code", searchprio=0),
        "number": ObjType(_("error number"), "number", searchprio=1),
        "domain": ObjType(_("error domain"), "domain"),
        "registry": ObjType(_("error registry"), "registry"),
    }
    roles: ClassVar[dict[str, Any]] = {
        "code": ErrorRole(),
        "number": ErrorRole(),
        "domain": ErrorRole(),
        "registry": ErrorRole(),
    }
    indices: ClassVar[list[type[Index]]] = [ErrorIndex]
    initial_data: ClassVar[dict[str, Any]] = {"pages": {}, "virtual": {}}
    dangling_warnings: ClassVar[dict[str, str]] = {
        role: f"unknown error {role}: %(target)s" for role in ("code", "number", "domain", "registry")
    }

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self.indices = [ErrorIndex.translated()]  # type: ignore[misc]
        self._catalogue: Catalogue | None = None
        self._builder: Builder | None = None
        self._places: dict[str, dict[Key, Place]] = {}
        self._rows: dict[Key, str] = {}
        self._documented: list[tuple[CodeView, Place]] = []
        self._objects: list[tuple[str, str, str, str, str, int]] = []

    @staticmethod
    def of(env: BuildEnvironment) -> ErrorDomain:
        """The domain of an environment."""
        return cast("ErrorDomain", env.get_domain(ErrorDomain.name))

    @property
    def catalogue(self) -> Catalogue:
        """What this build shows."""
        assert self._catalogue is not None, "the catalogue is set before anything is read"
        return self._catalogue

    @property
    def builder(self) -> Builder:
        """What this build writes with."""
        assert self._builder is not None, "the builder is set before anything is read"
        return self._builder

    def attach(self, catalogue: Catalogue, builder: Builder) -> None:
        """Take what belongs to the running application; nothing of it is pickled with the environment."""
        self._catalogue = catalogue
        self._builder = builder

    @property
    def pages(self) -> dict[str, Page]:
        """The notes, by page."""
        pages: dict[str, Page] = self.data["pages"]
        return pages

    @property
    def virtual_pages(self) -> AbstractSet[str]:
        """The pages of this build that exist without a file in the source folder."""
        virtual: AbstractSet[str] = getattr(self.env.project, "virtual", frozenset())
        return virtual

    # --- noting, while a page is read -------------------------------------------------------------------

    def _changed(self) -> None:
        """Forget the tables that are made from the notes."""
        if self._places:
            self._places, self._rows, self._documented, self._objects = {}, {}, [], []

    def page(self, docname: str) -> Page:
        """The notes of one page, to add to."""
        self._changed()
        return self.pages.setdefault(docname, new_page())

    def note_reference(self, docname: str, role: str, target: str) -> None:
        """A page refers to something, so it is written again when that changes."""
        self.page(docname)["refs"].setdefault((role, target), "")

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self._changed()
        self.pages.pop(docname, None)
        self.data["virtual"].pop(docname, None)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        """Take over the pages that another process has read."""
        self._changed()
        for name in ("pages", "virtual"):
            theirs = otherdata[name]
            self.data[name].update({docname: theirs[docname] for docname in docnames if docname in theirs})

    def process_doc(self, env: BuildEnvironment, docname: str, document: nodes.document) -> None:
        """Note what a page refers to, also by `any` and by the `:raises:` fields of the Python domain."""
        from sphinx.addnodes import pending_xref

        for node in document.findall(pending_xref):
            role = self._role_of(node)
            if role is not None:
                self.note_reference(docname, role, node["reftarget"])

    def _role_of(self, node: pending_xref) -> str | None:
        kind, domain = node.get("reftype"), node.get("refdomain")
        if domain == self.name and kind in self.roles:
            return str(kind)
        if is_raises(node):
            return "code"
        # `any`, and a Markdown link to `#name`; most of them mean something else.
        if kind in ("any", "myst"):
            return next((role for role in ANY if self.find(role, node.get("reftarget", ""))), None)
        return None

    # --- finding ----------------------------------------------------------------------------------------

    def place(self, kind: str, key: Key) -> Place | None:
        """Where a code, domain or registry is documented, by its exact key."""
        if not self._places:
            self._places = {kind: self._collect(kind) for kind in ("codes", "domains", "registries")}
        return self._places[kind].get(key)

    def _collect(self, kind: str) -> dict[Key, Place]:
        found: dict[Key, Place] = {}
        for docname in sorted(self.pages):
            for note in self.pages[docname][kind]:  # type: ignore[literal-required]
                key = Key(note.registry, note.name)
                known = found.get(key)
                if known is None or (note.explicit and not known.note.explicit):
                    found[key] = Place(docname, note)
        return found

    def documented(self) -> list[tuple[CodeView, Place]]:
        """Every code that a page documents, in the order of the registries."""
        if not self._documented:
            places = ((view, self.place("codes", key)) for key, view in self.catalogue.codes.items())
            self._documented = [(view, place) for view, place in places if place is not None]
        return self._documented

    def find(self, role: str, target: str) -> list[tuple[Key, Place | None]]:
        """What a name means for a role, the owner of the bare name first, each with its place."""
        catalogue = self.catalogue
        if role in ("code", "number"):
            views = catalogue.find_codes(target) if role == "code" else catalogue.find_numbers(target)
            return [(view.key, self.place("codes", view.key)) for view in views]
        if role == "domain":
            keys = [Key(view.registry, view.name) for view in catalogue.find_domains(target)]
            return [(key, self.place("domains", key)) for key in keys]
        if catalogue.registry(target) is None:
            return []
        key = Key(target, target)
        return [(key, self.place("registries", key))]

    def unknown(self, role: str, target: str) -> tuple[Report, str]:
        """What to say of a name that means nothing: what became of it, or what may have been meant."""
        gone = self.catalogue.find_gone(target) if role in ("code", "number") else None
        if gone is not None:
            return Report.REMOVED, f"{role} {target!r} {gone.story}"
        near = meant(self.catalogue.near(target, role))
        return Report.UNKNOWN, f"no listed registry has the {role} {target!r}{near}"

    def fingerprint(self, role: str, target: str) -> str:
        """What a reference depends on: where its target is, and what the target's page says.

        The role `rows` stands for the links of a table: to the codes of one domain, or to all; `domains` for
        those to all domains; `object` for those to a Python object, `module:name`.
        """
        if role == "rows":
            domains = self.catalogue.find_domains(target) if target else self.catalogue.domains.values()
            return digest_of([self._rows_of(domain) for domain in domains])
        if role == "domains":
            return self._addresses("domains", self.catalogue.domains)
        if role == "object":
            module, _, name = target.partition(":")
            found_at = (
                documented_at(self.env, module, name),
                source_at(self.env, self.builder, module, name),
            )
            return digest_of(found_at)
        found = self.find(role, target)
        if not found:
            return "unknown"
        place = found[0][1]
        if place is None:
            return digest_of(None, len(found))
        return digest_of(place.docname, place.note.anchor, place.note.exact, place.note.digest, len(found))

    def _rows_of(self, view: DomainView) -> str:
        """A digest of where the codes of a domain are; asked for by its own page and by the index."""
        key = Key(view.registry, view.name)
        if key not in self._rows:
            self._rows[key] = self._addresses("codes", (code.key for code in view.codes))
        return self._rows[key]

    def _addresses(self, kind: str, keys: Iterable[Key]) -> str:
        places = (self.place(kind, key) for key in keys)
        return digest_of([place and (place.docname, place.note.anchor) for place in places])

    def linker(self, builder: Builder, docname: str) -> Callable[[str, str, str], str | None]:
        """From (kind, registry, name) to an address relative to a page, for data that names codes."""
        folders: dict[str, str] = {}

        def link(kind: str, registry: str, name: str) -> str | None:
            found = self._address(builder, kind, registry, name)
            if found is None:
                return None
            target, anchor = found
            if target not in folders:
                same = target == docname and builder.name != "singlehtml"
                folders[target] = "" if same else builder.get_relative_uri(docname, target)
            page = folders[target]
            # In one single page an address is `#document-<page>`, and the anchor replaces it.
            return f"{'' if page.startswith('#') else page}#{anchor}"

        return link

    def _address(self, builder: Builder, kind: str, registry: str, name: str) -> tuple[str, str] | None:
        """Page and anchor of what data points to; of a Python object `registry` is the module."""
        if kind == "py":
            return documented_at(self.env, registry, name)
        if kind == "source":
            return source_at(self.env, builder, registry, name)
        place = self._named(kind, registry, name)
        return None if place is None else (place.docname, place.anchor(builder))

    def reference(
        self, builder: Builder, docname: str, kind: str, registry: str, name: str, content: Element
    ) -> nodes.reference | None:
        """What `linker` gives, as a node."""
        found = self._address(builder, kind, registry, name)
        return None if found is None else make_refnode(builder, docname, *found, content)

    def _named(self, kind: str, registry: str, name: str) -> Place | None:
        """Where data of one registry points to: its own code of that name, else anybody's."""
        if kind != "code":
            return self.place("domains", Key(registry, name))
        key = Key(registry, name)
        if key not in self.catalogue.codes:
            found = self.catalogue.find_codes(str(key)) or self.catalogue.find_codes(name)
            key = found[0].key if found else key
        return self.place("codes", key)

    # --- what Sphinx asks of a domain -------------------------------------------------------------------

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        """The reference for one of the domain's roles."""
        found = self.find(typ, target)
        if len(found) > 1 and ":" not in target and len({key.registry for key, _ in found}) > 1:
            names = ", ".join(f"{key.registry}:{target}" for key, _ in found)
            report(Report.AMBIGUOUS, f"{typ} {target!r} is in several registries; write one of {names}", node)
        return self._reference(found, fromdocname, builder, contnode)

    def _reference(
        self, found: list[tuple[Key, Place | None]], fromdocname: str, builder: Builder, contnode: Element
    ) -> nodes.reference | None:
        for key, place in found:
            if place is not None:
                view = self.catalogue.codes.get(key)
                title = None if view is None else _tooltip(view)
                return make_refnode(
                    builder, fromdocname, place.docname, place.anchor(builder), contnode, title
                )
        return None

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """References for `any`; a bare name means that of the first registry that has it."""
        found = []
        for role in ANY:
            reference = self._reference(self.find(role, target), fromdocname, builder, contnode)
            if reference is not None:
                found.append((f"{self.name}:{role}", reference))
        return found[:1]

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """Every documented thing, under its bare name where it owns that, and as `registry:name`."""
        # Asked for the inventory and for the search index, also when nothing has changed.
        self._objects = self._objects or list(self._all_objects())
        return self._objects

    def _all_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        bare: set[tuple[str, str]] = set()

        def objects(
            kind: str, key: Key, place: Place, priority: int
        ) -> Iterator[tuple[str, str, str, str, str, int]]:
            anchor = place.note.anchor
            if (kind, key.name) not in bare:
                bare.add((kind, key.name))
                yield key.name, key.name, kind, place.docname, anchor, priority
            yield str(key), key.name, kind, place.docname, anchor, -1

        documented = self.documented()
        for view, place in documented:
            yield from objects("code", view.key, place, 1 if view.spec.deprecated else 0)
        for view, place in documented:
            for alias in view.spec.aliases:
                yield from objects("code", Key(view.registry, alias), place, 2)
            if view.spec.number is not None:
                number = str(view.spec.number)
                name = number if ("number", number) not in bare else f"{view.registry}:{number}"
                bare.add(("number", number))
                yield name, number, "number", place.docname, place.note.anchor, 0
        for key in self.catalogue.domains:
            found = self.place("domains", key)
            if found is not None:
                yield from objects("domain", key, found, 1)
        for registry in self.catalogue.registries:
            found = self.place("registries", Key(registry.name, registry.name))
            if found is not None:
                yield registry.name, registry.name, "registry", found.docname, found.note.anchor, 1

    def get_full_qualified_name(self, node: Element) -> str | None:
        """The name of a reference in an inventory."""
        target = node.get("reftarget")
        return None if target is None else str(target)

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:  # noqa: A002
        """What search calls a thing: "error code", and not "Error error code"."""
        return str(type.lname)

    def check_consistency(self) -> None:
        """Warn about what two pages of the project document by hand, naming both places."""
        for kind, what in (("codes", "code"), ("domains", "domain")):
            first: dict[Key, tuple[str, Note]] = {}
            for docname in sorted(self.pages):
                for note in self.pages[docname][kind]:  # type: ignore[literal-required]
                    if not note.explicit:
                        continue
                    other, known = first.setdefault(Key(note.registry, note.name), (docname, note))
                    if known is not note:
                        place = f"{self.env.doc2path(other)}:{known.line}"
                        report(
                            Report.DUPLICATE,
                            f"{what} {known.registry}:{known.name} is documented here and at {place}; "
                            "give one of them :no-index:",
                            (docname, note.line),
                        )


def _tooltip(view: CodeView) -> str:
    return f"{view.spec.title}. {view.spec.hint}" if view.spec.hint else view.spec.title


# --- references from elsewhere --------------------------------------------------------------------------


def is_raises(node: pending_xref) -> bool:
    """Whether a reference comes from a `:raises ...:` field, or could: an exception to the Python domain."""
    return bool(node.get("refdomain") == "py" and node.get("reftype") == "exc")


def resolve_raises(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: Element
) -> nodes.reference | None:
    """The reference for `:raises os.fs.not_found:`, a code where Python would name an exception."""
    if not is_raises(node):
        return None
    domain = ErrorDomain.of(env)
    found = domain.find("code", node["reftarget"])
    return domain._reference(found, node.get("refdoc", ""), app.builder, contnode)


def warn_missing(app: Sphinx, domain: Domain | None, node: pending_xref) -> bool | None:
    """Report a reference to something unknown, with the names that look alike."""
    if not isinstance(domain, ErrorDomain):
        return None
    role, target = node["reftype"], node["reftarget"]
    if domain.find(role, target):
        report(Report.UNKNOWN, f"{role} {target!r} is on no page of this site", node)
        return True
    report(*domain.unknown(role, target), node)
    return True


def attach_catalogue(app: Sphinx) -> None:
    """Give the domain of this application its catalogue."""
    from errkit.sphinx.reading import catalogue_of

    ErrorDomain.of(app.env).attach(catalogue_of(app), app.builder)


def setup_domain(app: Sphinx) -> None:
    """Register the domain, with its directives, and what it answers outside of its own roles."""
    from errkit.sphinx import directives

    app.add_domain(ErrorDomain)
    for name, directive in directives.DIRECTIVES.items():
        app.add_directive_to_domain(ErrorDomain.name, name, directive)
    app.connect("builder-inited", attach_catalogue, priority=100)
    app.connect("missing-reference", resolve_raises)
    app.connect("warn-missing-reference", warn_missing)
