"""What is written about codes: docstrings in source files, and files of the prose folder in their place.

Reading a docstring means parsing a source file, so nothing is read before somebody asks. Whether the texts
can have changed at all is told by `stamp`, a digest of the files that hold them.
"""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.fields import MISSING, PLACEHOLDER, read_fields
from errkit.prose import code_prose, domain_prose, field_prose
from errkit.registry import MARKUPS
from errkit.safe import redact, safe_repr
from errkit.sphinx.reports import Report, meant, near_names, report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from errkit.codes import Details, DomainSpec, ErrorSpec
    from errkit.prose import Prose
    from errkit.registry import Registry

__all__ = ["FieldView", "ProseFiles", "ProseView", "Texts"]


class ProseView(NamedTuple):
    """A text in its markup, and the place that warnings about it name."""

    text: str
    markup: str
    """`rst`, `md`, or `text`, in which nothing but literals is markup."""
    file: str
    line: int
    escaped: bool = False
    """The lines of the text are not those of the file: all of it is at `line`."""
    name: str = ""
    """The name of the file, from the prose folder; empty for what stands in the source."""
    headings: str = "refuse"
    """`refuse` reports each heading, `bold` makes bold lines of them without a word."""

    def line_of(self, at: int) -> int:
        """The line in the file of the line `at` of the text, from 0."""
        return self.line if self.escaped else self.line + at

    @property
    def content(self) -> tuple[str, str, str, str]:
        """What the page shows depends on; not on the line at which it stands."""
        return self.text, self.markup, self.headings, self.name


class FieldView(NamedTuple):
    """One field of a code's details."""

    name: str
    type_text: str
    required: bool
    default: str | None
    """The default as Python writes it, never that of a secret field; None if the field is required."""
    secret: bool
    description: str


_KEPT: Final = 100
"""So many Details classes are kept at a time: codes that share one stand together."""


class Texts:
    """The texts of one registry.

    Parameters
    ----------
    registry
        The registry.
    files
        The files of the prose folder.
    """

    def __init__(self, registry: Registry, files: ProseFiles) -> None:
        self.registry = registry.name
        self.markup = registry.markup
        self.headings = registry.headings
        self.files = files
        self._fields: dict[type[Details], tuple[FieldView, ...]] = {}
        self._stamps: dict[str, str] = {}

    def of_code(self, spec: ErrorSpec) -> ProseView | None:
        """The prose of a code: its file, else the string under its declaration."""
        return self.files.of_code(self.registry, spec) or self._from_source(code_prose(spec))

    def of_domain(self, spec: DomainSpec) -> ProseView | None:
        """The prose of a domain: its file, else the docstring of its class."""
        return self.files.of_domain(self.registry, spec) or self._from_source(domain_prose(spec))

    def _from_source(self, prose: Prose | None) -> ProseView | None:
        if prose is None:
            return None
        return ProseView(
            prose.text, self.markup, prose.file, prose.line, prose.escaped, headings=self.headings
        )

    def fields(self, spec: ErrorSpec) -> tuple[FieldView, ...]:
        """The fields of a code's details; many codes share a Details class."""
        details = spec.details
        if details is None:
            return ()
        known = self._fields.get(details)
        if known is None:
            if len(self._fields) >= _KEPT:
                self._fields.clear()
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

    def stamp(self, specs: Iterable[ErrorSpec | DomainSpec]) -> str:
        """A digest of the source files that hold the texts; empty if one of them is no file.

        The same stamp means the same texts. Another one means that they have to be read to be compared.
        """
        files = {file for spec in specs for file in _sources(spec)}
        stamps = [(file, self._stamp(file)) for file in sorted(files)]
        if not stamps or not all(stamp for _, stamp in stamps):
            return ""
        return hashlib.blake2b(repr(stamps).encode(), digest_size=12).hexdigest()

    def _stamp(self, file: str) -> str:
        known = self._stamps.get(file)
        if known is None:
            try:
                with open(file, "rb") as source:
                    known = hashlib.blake2b(source.read(), digest_size=12).hexdigest()
            except OSError:
                known = ""
            self._stamps[file] = known
        return known


def _shown_default(value: object, secret: bool) -> str:
    return PLACEHOLDER if secret else str(redact(safe_repr(value)))


def _sources(spec: ErrorSpec | DomainSpec) -> Iterator[str]:
    """The files in which the texts of a code or domain may stand."""
    yield spec.file
    details: type | None = getattr(spec, "details", None)
    for cls in (spec.cls, *(() if details is None else details.__mro__)):
        if cls is not None and cls.__module__ not in ("builtins", "errkit.codes", "errkit.fields"):
            yield getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


# --- prose files ----------------------------------------------------------------------------------------

_MARKUP_OF: Final = {suffix: markup for markup, suffix in MARKUPS.items()}
"""How a file ends -> what it is written in."""


class ProseFiles:
    """The files of the prose folder; each is used by one code or domain.

    `<domain>/<code>.rst`, `.md` or `.txt` belongs to a code, `<domain>/index.rst` to a domain, each also
    below a folder with the name of a registry, which then wins.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._files: dict[str, Path] = {}
        self._used: set[Path] = set()
        self._refused: set[Path] = set()
        if folder is not None:
            self._collect(folder)

    def _collect(self, folder: Path) -> None:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in _MARKUP_OF or not path.is_file():
                continue
            name = path.relative_to(folder).as_posix().removesuffix(path.suffix)
            other = self._files.setdefault(name, path)
            if other != path:
                self._used.add(path)
                problem = f"{path.name} stands beside {other.name}, which is used; remove one"
                report(Report.PROSE, problem, f"{path}:1")

    @property
    def markdown(self) -> bool:
        """Whether some of the files are in Markdown."""
        return any(path.suffix == ".md" for path in self._files.values())

    def of_code(self, registry: str, spec: ErrorSpec) -> ProseView | None:
        """The file of a code."""
        return self._read(self._find(registry, spec.domain, spec.code))

    def of_domain(self, registry: str, spec: DomainSpec) -> ProseView | None:
        """The file of a domain."""
        return self._read(self._find(registry, spec.domain, "index"))

    def leave_out(self, registry: str, domain: str, name: str) -> None:
        """Let nobody miss the owner of a file, whom the audience must not see."""
        self._find(registry, domain, name)

    def _find(self, registry: str, domain: str, name: str) -> Path | None:
        for path in (f"{registry}/{domain}/{name}", f"{domain}/{name}") if self._files else ():
            if path in self._files:
                self._used.add(self._files[path])
                return self._files[path]
        return None

    def _read(self, path: Path | None) -> ProseView | None:
        if path is None or path in self._refused:
            return None
        try:
            # Some editors start a file with a mark that is no part of the text.
            text = path.read_text("utf-8-sig")
        except (OSError, UnicodeError) as error:
            self._refused.add(path)
            report(Report.PROSE, f"can't be read: {getattr(error, 'strerror', None) or error}", f"{path}:1")
            return None
        if not text.strip():
            return None
        assert self.folder is not None
        name = path.relative_to(self.folder).as_posix()
        return ProseView(text=text, markup=_MARKUP_OF[path.suffix], file=str(path), line=1, name=name)

    def report_unused(self, codes: Iterable[str]) -> None:
        """Warn about files that no code wants, with the codes that look alike."""
        codes = list(codes)
        for path in self._files.values():
            if path not in self._used:
                near = meant(near_names(path.stem, codes))
                problem = f"no listed registry has a code or domain for this file{near}"
                report(Report.PROSE, problem, f"{path}:1")
