"""The frozen view of the registries that one build shows, and how names are looked up in it.

A build reads its registries once, before it reads any page (`reading.py`). Directives, roles, pages and links
then ask this view and never a registry, so that nothing changes under a build. Codes that the audience must
not see were left out and exist nowhere further on.

Each record knows two digests: of its facts, which are there once the registry is imported, and of its words,
for which source files must be parsed. What is written in source files is therefore read when it is asked for,
and not at all where the files are the same as before.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import sys
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from errkit.codes import text_of
from errkit.declaring import fold
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from errkit.codes import DomainSpec, ErrorSpec
    from errkit.sphinx.config import Settings
    from errkit.sphinx.gone import Gone
    from errkit.sphinx.raised import Raiser
    from errkit.sphinx.texts import FieldView, ProseView, Texts

__all__ = [
    "Catalogue",
    "CodeView",
    "DomainView",
    "Key",
    "Part",
    "RegistryView",
    "digest_of",
    "join",
    "module_path",
    "slug",
]


def _version() -> str:
    try:
        return metadata.version("errkit")
    except metadata.PackageNotFoundError:
        # Used from its source folder, without being installed.
        return "0"


VERSION: Final = _version()
"""The version of errkit: payloads on pages are those of this version."""
RENDERER: Final = 2
"""The version of what pages are made of: a higher one re-reads every page."""
PER_PAGE: Final = 150
"""A domain of more codes has them on pages of their own, each with so many.

A page of all would be slow to open and hard to search (https://github.com/rust-lang/rust/issues/100736).
"""


class Key(NamedTuple):
    """A name in a registry."""

    registry: str
    name: str

    def __str__(self) -> str:
        return f"{self.registry}:{self.name}"


class CodeView(Record):
    """One code as a registry of this build shows it."""

    registry: str
    spec: ErrorSpec
    shared: bool
    """A registry listed earlier has a code of this name, and owns its bare name."""
    facts: str
    """A digest of what the declaration says, but not of its line: a comment above it changes nothing."""
    replaced_by: str
    """The code to use instead; empty if there is none, or none that the audience may see."""
    texts: Texts
    raised: tuple[Raiser, ...] = ()
    """The functions that raise the code, as far as the source was read."""
    never_raised: bool = False
    """The source that was read declares the code, and raises it nowhere."""

    @property
    def code(self) -> str:
        """The code string."""
        return self.spec.code

    @property
    def domain(self) -> str:
        """The name of the domain."""
        return self.spec.domain

    @property
    def key(self) -> Key:
        """What identifies the code among all registries of the build."""
        return Key(self.registry, self.spec.code)

    @cached_property
    def prose(self) -> ProseView | None:
        """What is written about the code."""
        return self.texts.of_code(self.spec)

    def release(self) -> None:
        """Let go of the prose once its page has been made; it can be read again."""
        vars(self).pop("prose", None)

    @property
    def fields(self) -> tuple[FieldView, ...]:
        """The fields of the code's details, with what is written about them."""
        return self.texts.fields(self.spec)

    @cached_property
    def words(self) -> str:
        """A digest of what is written about the code and its fields."""
        prose = self.prose
        return digest_of(
            None if prose is None else prose.content,
            [field.description for field in self.fields],
        )


class DomainView(Record):
    """One domain as a registry of this build shows it."""

    registry: str
    spec: DomainSpec
    codes: tuple[CodeView, ...]
    page: str
    """The page that the domain has by rule, whether it exists or not."""
    shared: bool
    """A registry listed earlier has a domain of this name, and owns its bare name."""
    facts: str
    """A digest of what the declarations of the domain and its codes say."""
    texts: Texts

    @property
    def name(self) -> str:
        """The name of the domain, such as `os.fs`."""
        return self.spec.domain

    @cached_property
    def prose(self) -> ProseView | None:
        """What is written about the domain."""
        return self.texts.of_domain(self.spec)

    @cached_property
    def words(self) -> str:
        """A digest of what is written about the domain and its codes."""
        prose = self.prose
        return digest_of(None if prose is None else prose.content, [code.words for code in self.codes])

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The pages that hold the codes; none where the page of the domain holds them itself.

        A code that is declared after all others moves none of them to another page.
        """
        if len(self.codes) <= PER_PAGE:
            return ()
        groups = [self.codes[at : at + PER_PAGE] for at in range(0, len(self.codes), PER_PAGE)]
        return tuple(
            Part(
                title=f"{self.spec.title} ({at}/{len(groups)})",
                page=f"{self.page}/{at}",
                registry=self.registry,
                spec=self.spec,
                codes=codes,
                texts=self.texts,
            )
            for at, codes in enumerate(groups, 1)
        )


class Part(Record):
    """Some codes of a domain that has too many for one page."""

    title: str
    page: str
    """The page that the part has by rule."""
    registry: str
    spec: DomainSpec
    codes: tuple[CodeView, ...]
    texts: Texts

    @cached_property
    def words(self) -> str:
        """A digest of what is written about the codes."""
        return digest_of([code.words for code in self.codes])


class RegistryView(Record):
    """One registry of this build."""

    name: str
    slug: str
    """The name as it may stand in an address."""
    page: str
    """The page that gathers its domains; empty where they stand on the index itself."""
    domains: tuple[DomainView, ...]
    markdown: bool
    """Whether some of its prose is in Markdown."""

    @property
    def codes(self) -> Iterator[CodeView]:
        """All codes in order."""
        return (code for domain in self.domains for code in domain.codes)


class Catalogue:
    """All registries of one build, and how names are looked up in them.

    A name may be bare or `registry:name`. A bare name belongs to the first listed registry that has it.
    """

    def __init__(
        self, settings: Settings, registries: tuple[RegistryView, ...], gone: tuple[Gone, ...] = ()
    ) -> None:
        self.settings = settings
        self.registries = registries
        self.gone = gone
        """What was removed."""
        self.codes: Mapping[Key, CodeView] = {code.key: code for each in registries for code in each.codes}
        self.domains: Mapping[Key, DomainView] = {
            Key(each.name, domain.name): domain for each in registries for domain in each.domains
        }
        self._by_name: dict[str, list[CodeView]] = {}
        self._by_number: dict[str, list[CodeView]] = {}
        self._by_domain: dict[str, list[DomainView]] = {}
        self._fill()
        self.salt: str = digest_of(
            RENDERER,
            VERSION,
            settings.language,
            settings.source_url,
            settings.edit_url,
            settings.prose_url,
            settings.examples,
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

    def find_parts(self, name: str, number: int) -> list[Part]:
        """That part of the domain of that name, counted from 1; nothing where it has none."""
        found = self.find_domains(name)
        return [*found[0].parts[number - 1 : number]] if found else []

    def find_gone(self, name: str) -> Gone | None:
        """What was removed under that name or number; what lives is found first by whoever asks."""
        registry, colon, rest = name.rpartition(":")
        found = (each for each in self.gone if rest in each.names)
        return next((each for each in found if not colon or each.registry == registry), None)

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


# --- names and digests ----------------------------------------------------------------------------------


def join(*parts: str) -> str:
    """Parts of a page name, empty ones left out."""
    return "/".join(part for part in parts if part)


def slug(name: str) -> str:
    """A name as it may stand in an address and a file name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip(".") or "registry"


def digest_of(*values: object) -> str:
    """A short digest of JSON-like values, the same in every process."""
    return hashlib.blake2b(_ENCODE(values).encode(), digest_size=12).hexdigest()


# Made once: `json.dumps` would make an encoder for each of thousands of digests.
_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), default=text_of).encode


def module_path(spec: ErrorSpec | DomainSpec) -> str:
    """Where the module stands inside its distribution, such as `shop/errors.py`; never an absolute path."""
    file = Path(spec.file)
    module = "" if spec.cls is None else spec.cls.__module__
    if file.suffix != ".py" or not module or module == "__main__":
        return file.name
    stem = module.replace(".", "/")
    # Not by `hasattr`, which would run a `__getattr__` of the module.
    package = file.name == "__init__.py" or "__path__" in getattr(sys.modules.get(module), "__dict__", ())
    return f"{stem}/__init__.py" if package else f"{stem}.py"
