"""Reading the registries of a build into its catalogue, once, as soon as the configuration is known.

Whatever makes this impossible ends the build before anything is written: a registry that can't be imported, a
setting that does not fit, two domains that want one page.
"""

from __future__ import annotations

import json
import weakref
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from errkit.config import default_sources, load_sources
from errkit.errors import CodedError
from errkit.fields import own_annotations
from errkit.safe import safe_repr, to_json
from errkit.sphinx.catalogue import Catalogue, CodeView, DomainView, RegistryView, digest_of, join, slug
from errkit.sphinx.conf_py import bad_setting, report_unread
from errkit.sphinx.config import read_settings
from errkit.sphinx.gone import read_gone
from errkit.sphinx.memory import keep, without_collecting
from errkit.sphinx.raised import read_sources
from errkit.sphinx.reports import Report, refuse, report
from errkit.sphinx.texts import ProseFiles, Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from errkit.codes import Details, DomainSpec, ErrorSpec
    from errkit.config import Source
    from errkit.registry import Registry
    from errkit.sphinx.config import Settings
    from errkit.sphinx.raised import Raised
    from errkit.sphinx.texts import ProseView

__all__ = ["build_catalogue", "catalogue_of", "setup_reading"]

_CATALOGUES: Final[weakref.WeakKeyDictionary[Sphinx, Catalogue]] = weakref.WeakKeyDictionary()


def setup_reading(app: Sphinx) -> None:
    """Read the registries once the configuration is known."""
    app.connect("config-inited", load_catalogue)


def load_catalogue(app: Sphinx, config: Config) -> None:
    """Read the settings and the registries that they name, or end the build."""
    root = Path(app.confdir)
    report_unread(config, root)
    try:
        settings = read_settings(config, root)
        with without_collecting():
            catalogue = build_catalogue(settings)
    except CodedError as error:
        refuse(error)
    _CATALOGUES[app] = catalogue
    keep()


def catalogue_of(app: Sphinx) -> Catalogue:
    """The catalogue of a running application."""
    return _CATALOGUES[app]


def build_catalogue(settings: Settings) -> Catalogue:
    """The catalogue that the settings describe.

    Raises
    ------
    CodedError
        `errkit.bad_source` if a registry can't be loaded, `errkit.bad_config` if two domains would share a
        page.
    """
    files = ProseFiles(settings.prose)
    views: list[RegistryView] = []
    taken: set[tuple[str, str]] = set()
    sources = _sources(settings)
    hidden = frozenset(
        name
        for source in sources
        for spec in source.registry
        if not may_see(spec, settings)
        for name in (spec.code, *spec.aliases)
    )
    registries = [source.registry for source in sources]
    raised = read_sources(settings.sources, registries, settings.allowed)
    for source in sources:
        prefix = _own_prefix(source, first=not views)
        own_page = join(settings.docs_prefix, prefix, "index") if prefix and len(sources) > 1 else ""
        if any(view.page == own_page for view in views):
            own_page = ""
        reader = _Reader(settings, source.registry, prefix, files, frozenset(taken), hidden, raised)
        view = reader.registry(own_page)
        taken.update(("code", code.code) for code in view.codes)
        taken.update(("domain", domain.name) for domain in view.domains)
        views.append(view)
    _check_pages(views, settings)
    for source in sources:
        _leave_out(source.registry, settings, files)
    _check_prose(views, files)
    return Catalogue(settings, tuple(views), read_gone(settings, registries, hidden))


def may_see(spec: ErrorSpec, settings: Settings) -> bool:
    """Whether the audience of the site may know of a code."""
    return spec.public or settings.audience != "public"


def _sources(settings: Settings) -> list[Source]:
    if not settings.items:
        return default_sources()
    return load_sources(settings.items, root=settings.root, markup=settings.markup)


def _own_prefix(source: Source, *, first: bool) -> str:
    """The part of page names between the site's prefix and the domain.

    The first listed registry has none and every further one has its name, so a registry that is added at the
    end moves no page of the others. A prefix of its own makes a registry independent of its place in the
    list.
    """
    return source.prefix or ("" if first else slug(source.registry.name))


def _check_pages(views: list[RegistryView], settings: Settings) -> None:
    owners = {join(settings.docs_prefix, "index"): "the index of all codes"}
    owners.update((view.page, f"registry {view.name!r}") for view in views if view.page)
    wanted = [
        (page, f"domain {domain.name!r} of registry {domain.registry!r}")
        for view in views
        for domain in view.domains
        for page in (domain.page, *(part.page for part in domain.parts))
    ]
    for page, owner in wanted:
        other = owners.setdefault(page, owner)
        if other != owner and settings.pages:
            problem = f"{other} and {owner} would both be page {page!r}; give one registry a prefix"
            raise bad_setting("errkit_registries", problem, settings.root)


def _leave_out(registry: Registry, settings: Settings, files: ProseFiles) -> None:
    """The prose of what the audience must not see has an owner all the same."""
    for domain in registry.domains:
        hidden = [spec for spec in domain.codes if not may_see(spec, settings)]
        names = [spec.code for spec in hidden] + ["index"] * (len(hidden) == len(domain.codes))
        for name in names:
            files.leave_out(registry.name, domain.domain, name)


def _check_prose(views: list[RegistryView], files: ProseFiles) -> None:
    """With a prose folder, every code is expected to have prose, and every file a code."""
    if files.folder is None:
        return
    for view in views:
        for domain in view.domains:
            _ = domain.prose
            for code in domain.codes:
                if code.prose is None:
                    problem = f"{code.code} has prose neither in {files.folder} nor in its source"
                    report(Report.NO_PROSE, problem, code.spec.place)
    files.report_unused(code.code for view in views for code in view.codes)


class _Reader:
    """Makes the records of one registry."""

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        prefix: str,
        files: ProseFiles,
        taken: frozenset[tuple[str, str]],
        hidden: frozenset[str],
        raised: Raised,
    ) -> None:
        self.settings = settings
        self.source = registry
        self.prefix = prefix
        self.taken = taken
        self.hidden = hidden
        self.raised = raised
        self.texts = Texts(registry, files)
        self._fields: dict[type[Details] | None, object] = {None: None}

    def registry(self, page: str) -> RegistryView:
        """The whole registry; `page` gathers its domains."""
        domains = [view for spec in self.source.domains if (view := self.domain(spec)) is not None]
        return RegistryView(
            name=self.source.name,
            slug=slug(self.source.name),
            page=page,
            domains=tuple(domains),
            markdown=self.source.markup == "md" or self.texts.files.markdown,
        )

    def domain(self, spec: DomainSpec) -> DomainView | None:
        """A domain, or None if the audience may see none of its codes."""
        codes = tuple(self.code(code) for code in spec.codes if may_see(code, self.settings))
        if spec.codes and not codes:
            return None
        numbers = None if spec.numbers is None else (spec.numbers.start, spec.numbers.stop)
        prose = self.texts.files.of_domain(self.source.name, spec)
        return DomainView(
            registry=self.source.name,
            spec=spec,
            codes=codes,
            page=join(self.settings.docs_prefix, self.prefix, spec.domain),
            shared=("domain", spec.domain) in self.taken,
            facts=digest_of(
                spec.domain,
                spec.title,
                numbers,
                spec.description,
                self._written(prose),
                [code.facts for code in codes],
            ),
            texts=self.texts,
        )

    def code(self, spec: ErrorSpec) -> CodeView:
        """A code."""
        return CodeView(
            registry=self.source.name,
            spec=spec,
            shared=("code", spec.code) in self.taken,
            facts=self._facts(spec),
            replaced_by="" if spec.replaced_by in self.hidden else spec.replaced_by,
            texts=self.texts,
            raised=self.raised.by(spec),
            never_raised=self.raised.is_never(spec),
        )

    def _facts(self, spec: ErrorSpec) -> str:
        reasons = [(name, each.title, each.hint, each.retryable) for name, each in spec.reasons.items()]
        owner = None if spec.cls is None else (spec.cls.__module__, spec.cls.__qualname__)
        prose = self.texts.files.of_code(self.source.name, spec)
        return digest_of(
            _FACTS(spec),
            reasons,
            owner,
            _example(spec.example),
            self._fields_of(spec.details),
            self._written(prose),
            spec.replaced_by in self.hidden,
            [raiser[:3] for raiser in self.raised.by(spec)],
        )

    def _written(self, prose: ProseView | None) -> tuple[object, ...]:
        """What is written in a file, or how what is written in the source will be read."""
        return (self.source.markup, self.source.headings) if prose is None else prose.content

    def _fields_of(self, details: type[Details] | None) -> object:
        if details not in self._fields:
            assert details is not None
            self._fields[details] = [
                (name, str(annotation), safe_repr(base.__dict__[name]) if name in base.__dict__ else None)
                for base in details.__mro__
                for name, annotation in own_annotations(base).items()
            ]
        return self._fields[details]


_FACTS: Final = attrgetter(
    "code", "const", "domain", "number", "kind", "alert", "public", "title", "hint", "since", "deprecated",
    "replaced_by", "aliases", "docs", "retry_after", "http_status", "description",
)  # fmt: skip


def _example(example: Mapping[str, Any] | None) -> object:
    if example is None:
        return None
    # Most examples are JSON as they are; only what is not takes the long way.
    return _ENCODE(dict(example))


# Made once: `json.dumps` would make an encoder for each example.
_ENCODE: Final = json.JSONEncoder(default=to_json).encode
