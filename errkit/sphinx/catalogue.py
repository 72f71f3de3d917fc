"""The frozen view of the registries that one build shows: plain records, each with a digest of what it holds.

A build reads its registries once, before it reads any page. Directives, roles, pages and links then ask this
view and never a registry, so that nothing changes under a build. Codes that the audience must not see are
left out here and exist nowhere further on.

The view belongs to one application: the domain carries it (`domain.py`), and it is never pickled.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import sys
import weakref
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from errkit import __version__
from errkit.codes import text_of
from errkit.config import default_sources, load_sources
from errkit.declaring import fold
from errkit.errors import CodedError
from errkit.fields import MISSING, PLACEHOLDER, Record, read_fields
from errkit.own import ErrkitError
from errkit.prose import code_prose, domain_prose, field_prose
from errkit.safe import redact, safe_repr, to_json
from errkit.sphinx.config import read_settings
from errkit.sphinx.reports import Report, refuse, report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from errkit.codes import Details, DomainSpec, ErrorSpec
    from errkit.config import Source
    from errkit.prose import Prose
    from errkit.registry import Registry
    from errkit.sphinx.config import Settings

__all__ = [
    "Catalogue",
    "CodeView",
    "DomainView",
    "FieldView",
    "ProseView",
    "RegistryView",
    "build_catalogue",
    "catalogue_of",
    "setup_catalogue",
]

RENDERER: Final = 1
"""The version of what pages are made of: a higher one re-reads every page."""

Markup = str
"""`rst` or `md`."""


class ProseView(Record):
    """A text in its markup, and the place that warnings about it name."""

    text: str
    markup: Markup
    file: str
    line: int


class FieldView(Record):
    """One field of a code's details."""

    name: str
    type_text: str
    required: bool
    default: str | None
    """The default as Python writes it; None for a required or a secret field."""
    secret: bool
    description: str


class CodeView(Record):
    """One code as a registry of this build shows it."""

    registry: str
    spec: ErrorSpec
    domain: str
    fields: tuple[FieldView, ...]
    prose: ProseView | None
    shared: bool
    """A registry listed earlier has a code of this name, and owns its bare name."""
    digest: str

    @property
    def code(self) -> str:
        """The code string."""
        return self.spec.code

    @property
    def key(self) -> Key:
        """What identifies the code among all registries of the build."""
        return Key(self.registry, self.spec.code)


class DomainView(Record):
    """One domain as a registry of this build shows it."""

    registry: str
    spec: DomainSpec
    codes: tuple[CodeView, ...]
    prose: ProseView | None
    page: str
    """The page that the domain has by rule, whether it exists or not."""
    digest: str

    @property
    def name(self) -> str:
        """The name of the domain, such as `os.fs`."""
        return self.spec.domain


class RegistryView(Record):
    """One registry of this build."""

    name: str
    slug: str
    """The name as it may stand in an address."""
    domains: tuple[DomainView, ...]
    markup: Markup

    @property
    def codes(self) -> Iterator[CodeView]:
        """All codes in order."""
        return (code for domain in self.domains for code in domain.codes)


class Key(NamedTuple):
    """A name in a registry."""

    registry: str
    name: str

    def __str__(self) -> str:
        return f"{self.registry}:{self.name}"


class Catalogue:
    """All registries of one build, and how names are looked up in them.

    A name may be bare or `registry:name`. A bare name belongs to the first listed registry that has it.
    """

    def __init__(self, settings: Settings, registries: tuple[RegistryView, ...]) -> None:
        self.settings = settings
        self.registries = registries
        self.codes: Mapping[Key, CodeView] = {code.key: code for each in registries for code in each.codes}
        self.domains: Mapping[Key, DomainView] = {
            Key(each.name, domain.name): domain for each in registries for domain in each.domains
        }
        self._by_name: dict[str, list[CodeView]] = {}
        self._by_number: dict[str, list[CodeView]] = {}
        self._by_domain: dict[str, list[DomainView]] = {}
        self._fill()
        self.salt = digest_of(
            RENDERER,
            __version__,
            settings.language,
            settings.source_url,
            settings.audience,
            settings.docs_prefix,
        )
        """A digest of what all pages depend on."""

    def _fill(self) -> None:
        for view in self.codes.values():
            self._by_name.setdefault(view.code, []).append(view)
            if view.spec.number is not None:
                self._by_number.setdefault(str(view.spec.number), []).append(view)
        for view in self.codes.values():
            for alias in view.spec.aliases:
                self._by_name.setdefault(alias, []).append(view)
        for domain in self.domains.values():
            self._by_domain.setdefault(domain.name, []).append(domain)

    @property
    def index_page(self) -> str:
        """The page that lists everything, by rule."""
        return join(self.settings.docs_prefix, "index")

    def registry(self, name: str) -> RegistryView | None:
        """The registry of that name."""
        return next((each for each in self.registries if each.name == name), None)

    def find_codes(self, name: str) -> list[CodeView]:
        """The codes that a name means, the owner of the bare name first; exact names come before aliases."""
        return self._find(self._by_name, name)

    def find_numbers(self, name: str) -> list[CodeView]:
        """The codes with that number, the owner of the bare number first."""
        return self._find(self._by_number, name)

    def find_domains(self, name: str) -> list[DomainView]:
        """The domains of that name, the owner of the bare name first."""
        return self._find(self._by_domain, name)

    def _find(self, table: dict[str, list[Any]], name: str) -> list[Any]:
        registry, colon, rest = name.rpartition(":")
        if not colon:
            return table.get(name, [])
        return [view for view in table.get(rest, ()) if view.registry == registry]

    def near(self, name: str, kind: str = "code") -> list[str]:
        """Up to three names of that kind that look like `name`."""
        tables: dict[str, Iterable[str]] = {
            "code": self._by_name,
            "number": self._by_number,
            "domain": self._by_domain,
            "registry": [each.name for each in self.registries],
        }
        bare = name[:200].rpartition(":")[2]
        by_fold = {fold(known): known for known in tables[kind]}
        return [by_fold[match] for match in difflib.get_close_matches(fold(bare), by_fold, n=3, cutoff=0.6)]


def join(*parts: str) -> str:
    """Parts of a page name, empty ones left out."""
    return "/".join(part for part in parts if part)


def slug(name: str) -> str:
    """A name as it may stand in an address and a file name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip(".") or "registry"


# --- one catalogue for each application -----------------------------------------------------------------

_CATALOGUES: Final[weakref.WeakKeyDictionary[Sphinx, Catalogue]] = weakref.WeakKeyDictionary()


def setup_catalogue(app: Sphinx) -> None:
    """Read the registries once the configuration is known."""
    app.connect("config-inited", load_catalogue)


def load_catalogue(app: Sphinx, config: Config) -> None:
    """Read the settings and the registries that they name, or end the build before anything is written."""
    try:
        settings = read_settings(config, Path(app.confdir))
        catalogue = build_catalogue(settings)
    except CodedError as error:
        refuse(error)
    _CATALOGUES[app] = catalogue


def catalogue_of(app: Sphinx) -> Catalogue:
    """The catalogue of a running application."""
    return _CATALOGUES[app]


# --- from settings to records ---------------------------------------------------------------------------


def build_catalogue(settings: Settings) -> Catalogue:
    """The catalogue that the settings describe.

    Raises
    ------
    CodedError
        `errkit.bad_source` if a registry can't be loaded, `errkit.bad_config` if two domains would share a
        page.
    """
    files = _ProseFiles(settings.prose)
    views: list[RegistryView] = []
    taken: set[str] = set()
    for source in _sources(settings):
        prefix = _own_prefix(source, first=not views)
        view = _Builder(settings, source.registry, prefix, files, frozenset(taken)).registry_view()
        taken.update(code.code for code in view.codes)
        views.append(view)
    _check_pages(views, settings)
    files.report_unused(views)
    return Catalogue(settings, tuple(views))


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
    for domain in (domain for view in views for domain in view.domains):
        owner = f"domain {domain.name!r} of registry {domain.registry!r}"
        other = owners.setdefault(domain.page, owner)
        if other != owner and settings.pages:
            problem = f"{other} and {owner} would both be page {domain.page!r}; give one registry a prefix"
            key = "errkit_registries"
            raise ErrkitError.BAD_CONFIG(
                f"conf.py: {key}: {problem}", path="conf.py", key=key, problem=problem
            )


class _Builder:
    """The views of one registry."""

    def __init__(
        self, settings: Settings, registry: Registry, prefix: str, files: _ProseFiles, taken: frozenset[str]
    ) -> None:
        self.settings = settings
        self.registry = registry
        self.prefix = prefix
        self.files = files
        self.taken = taken
        self._fields: dict[type[Details], tuple[FieldView, ...]] = {}

    def registry_view(self) -> RegistryView:
        """The whole registry."""
        domains = [view for spec in self.registry.domains if (view := self.domain_view(spec)) is not None]
        name = self.registry.name
        return RegistryView(name=name, slug=slug(name), domains=tuple(domains), markup=self.registry.markup)

    def domain_view(self, spec: DomainSpec) -> DomainView | None:
        """A domain, or None if the audience may see none of its codes."""
        codes = tuple(self.code_view(code) for code in spec.codes if self._may_see(code))
        if spec.codes and not codes:
            return None
        prose = self.files.of_domain(self.registry.name, spec) or self._from_source(domain_prose(spec))
        numbers = None if spec.numbers is None else (spec.numbers.start, spec.numbers.stop)
        digest = digest_of(spec.domain, spec.title, numbers, _words(prose), [code.digest for code in codes])
        return DomainView(
            registry=self.registry.name,
            spec=spec,
            codes=codes,
            prose=prose,
            page=join(self.settings.docs_prefix, self.prefix, spec.domain),
            digest=digest,
        )

    def code_view(self, spec: ErrorSpec) -> CodeView:
        """A code with its prose and the fields of its details."""
        prose = self.files.of_code(self.registry.name, spec) or self._from_source(code_prose(spec))
        if prose is None and self.settings.prose is not None:
            report(
                Report.NO_PROSE,
                f"{spec.code} has no prose, neither in {self.settings.prose} nor in the source",
                spec.place,
            )
        fields = () if spec.details is None else self.fields_of(spec.details)
        return CodeView(
            registry=self.registry.name,
            spec=spec,
            domain=spec.domain,
            fields=fields,
            prose=prose,
            shared=spec.code in self.taken,
            digest=_code_digest(spec, fields, prose),
        )

    def _may_see(self, spec: ErrorSpec) -> bool:
        return spec.public or self.settings.audience != "public"

    def _from_source(self, prose: Prose | None) -> ProseView | None:
        if prose is None:
            return None
        return ProseView(text=prose.text, markup=self.registry.markup, file=prose.file, line=prose.line)

    def fields_of(self, details: type[Details]) -> tuple[FieldView, ...]:
        """The fields of a Details class; many codes share one."""
        known = self._fields.get(details)
        if known is None:
            texts = field_prose(details)
            known = self._fields[details] = tuple(
                FieldView(
                    name=field.name,
                    type_text=field.type_text,
                    required=field.required,
                    default=None if field.default is MISSING else _shown_default(field.default, field.secret),
                    secret=field.secret,
                    description=texts.get(field.name, ""),
                )
                for field in read_fields(details)
            )
        return known


def _shown_default(value: object, secret: bool) -> str:
    return PLACEHOLDER if secret else str(redact(safe_repr(value)))


# --- prose files ----------------------------------------------------------------------------------------


class _ProseFiles:
    """The files of the prose folder; each is used by at most one code or domain.

    `<domain>/<code>.rst` or `.md` belongs to a code, `<domain>/index.rst` to a domain, each also below a
    folder with the name of a registry, which then wins.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}
        self._used: set[Path] = set()
        if folder is not None:
            self._collect(folder)

    def _collect(self, folder: Path) -> None:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in (".rst", ".md") or not path.is_file():
                continue
            name = path.relative_to(folder).as_posix().removesuffix(path.suffix)
            other = self._files.setdefault(name, path)
            if other != path:
                self._used.add(path)
                report(
                    Report.PROSE,
                    f"{path.name} stands beside {other.name}, which is used; remove one",
                    str(path),
                )

    def of_code(self, registry: str, spec: ErrorSpec) -> ProseView | None:
        """The file of a code."""
        return self._read(f"{registry}/{spec.domain}/{spec.code}", f"{spec.domain}/{spec.code}")

    def of_domain(self, registry: str, spec: DomainSpec) -> ProseView | None:
        """The file of a domain."""
        return self._read(f"{registry}/{spec.domain}/index", f"{spec.domain}/index")

    def _read(self, *names: str) -> ProseView | None:
        for name in names if self._files else ():
            path = self._files.get(name)
            if path is not None:
                self._used.add(path)
                text = path.read_text("utf-8")
                return (
                    ProseView(text=text, markup=path.suffix[1:], file=str(path), line=1)
                    if text.strip()
                    else None
                )
        return None

    def report_unused(self, views: list[RegistryView]) -> None:
        """Warn about files that no code wants, with the codes that look alike."""
        codes = [code.code for view in views for code in view.codes]
        for path in self._files.values():
            if path in self._used:
                continue
            near = difflib.get_close_matches(path.stem, codes, n=3)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            report(Report.PROSE, f"no listed registry has a code or domain for this file{meant}", str(path))


# --- digests --------------------------------------------------------------------------------------------

_FACTS: Final = attrgetter(
    "code", "const", "domain", "number", "kind", "alert", "public", "title", "hint", "since", "deprecated",
    "replaced_by", "aliases", "docs", "retry_after", "http_status",
)  # fmt: skip


def digest_of(*values: object) -> str:
    """A short digest of JSON-like values, the same in every process."""
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"), default=text_of)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _code_digest(spec: ErrorSpec, fields: tuple[FieldView, ...], prose: ProseView | None) -> str:
    """A digest of what the page of a code shows. The line is left out: a comment above it changes nothing."""
    reasons = [(name, each.title, each.hint, each.retryable) for name, each in spec.reasons.items()]
    shown = [(f.name, f.type_text, f.required, f.default, f.secret, f.description) for f in fields]
    owner = None if spec.cls is None else (spec.cls.__module__, spec.cls.__qualname__)
    return digest_of(_FACTS(spec), reasons, shown, owner, _example(spec.example), _words(prose))


def _words(prose: ProseView | None) -> object:
    return None if prose is None else (prose.text, prose.markup)


def _example(example: Mapping[str, Any] | None) -> object:
    return None if example is None else to_json(dict(example))


def module_path(spec: ErrorSpec | DomainSpec) -> str:
    """Where the module stands inside its distribution, such as `shop/errors.py`; never an absolute path."""
    file = Path(spec.file)
    module = "" if spec.cls is None else spec.cls.__module__
    if file.suffix != ".py" or not module or module == "__main__":
        return file.name
    stem = module.replace(".", "/")
    package = file.name == "__init__.py" or hasattr(sys.modules.get(module), "__path__")
    return f"{stem}/__init__.py" if package else f"{stem}.py"
