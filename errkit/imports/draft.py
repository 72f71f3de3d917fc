"""From what somebody else's list says to a catalogue that `Registry.load` accepts, and a report.

Names are bent until they fit the rules, ranges of numbers are made where they can be, and what clashes is
left out or renamed. Each such choice, and each gap that a person should fill, is a `Note`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from errkit.codes import KINDS
from errkit.declaring import ALIAS_GRAMMAR, RESERVED_FIELDS, check_code, fold
from errkit.fields import Record
from errkit.imports.files import refuse
from errkit.safe import redact, well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Draft", "Entry", "Note", "draft"]

_LONGEST: Final = 128
_LARGEST: Final = 2**53 - 1
_HEADING: Final = re.compile(r"^#{1,6} ", re.MULTILINE)


class Entry(Record):
    """One code as a foreign list has it, in whatever spelling."""

    code: str
    place: str
    """Where it stands in the file."""
    domain: str = ""
    """The group that it belongs to; empty if the list has none."""
    domain_title: str = ""
    title: str = ""
    facts: Mapping[str, Any] = {}
    """Keys of a code in a catalogue, each of the right kind."""
    aliases: Sequence[str] = ()
    details: Sequence[Mapping[str, Any]] = ()


class Note(Record):
    """Something that a person should look at."""

    rule: str
    code: str
    place: str
    message: str


class Draft(Record):
    """A catalogue, and what is left to do."""

    catalogue: dict[str, Any]
    notes: tuple[Note, ...]

    @property
    def size(self) -> int:
        """The number of codes."""
        return sum(len(domain["codes"]) for domain in self.catalogue["domains"])


def draft(
    registry: str,
    entries: Iterable[Entry],
    path: str,
    markup: str = "text",
    headings: str = "refuse",
    kind: str = "",
) -> Draft:
    """A catalogue made of entries.

    Parameters
    ----------
    registry
        The name of the registry.
    entries
        What the list says.
    path
        The file, for the message where it lists nothing.
    markup, headings
        What descriptions are written in, and what becomes of headings.
    kind
        The kind of every code; empty if each says its own.

    Raises
    ------
    CodedError
        `errkit.bad_import` if there is no code at all.
    """
    drafting = _Drafting(kind)
    for entry in entries:
        drafting.add(entry)
    if not drafting.domains:
        refuse(
            path, "the file", "holds no code; choose another format, or say with --map how fields are called"
        )
    name = registry if not check_code(registry, ALIAS_GRAMMAR) else _bent(registry) or "imported"
    catalogue: dict[str, Any] = {"format": "errkit.catalog/1", "registry": name}
    if markup != "rst":
        catalogue["markup"] = markup
    if headings != "refuse":
        catalogue["headings"] = headings
    catalogue["domains"] = drafting.finished()
    return Draft(catalogue=catalogue, notes=tuple(drafting.notes))


class _Drafting:
    """The catalogue while it grows."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.domains: dict[str, dict[str, Any]] = {}
        self.notes: list[Note] = []
        self._folded: dict[str, str] = {}
        """Everything that has an anchor -> the code that has it."""
        self._numbers: dict[int, str] = {}
        self._constants: set[tuple[str, str]] = set()
        self._wishes: list[tuple[dict[str, Any], Entry]] = []

    def note(self, rule: str, entry: Entry, message: str, code: str = "") -> None:
        self.notes.append(Note(rule=rule, code=code or entry.code, place=entry.place, message=message))

    def add(self, entry: Entry) -> None:
        domain = self._domain(entry)
        code = self._code(entry, domain["domain"])
        if not code:
            return
        found: dict[str, Any] = {"const": self._constant(code, domain["domain"]), "code": code}
        found["title"] = self._title(entry, code)
        facts = {key: value for key, value in entry.facts.items() if value not in (None, "", [], {})}
        if self.kind:
            facts.setdefault("kind", self.kind)
        if facts.get("kind", "terminal") not in KINDS:
            self.note(
                "kind", entry, f"the kind {facts.pop('kind')!r} is none of errkit's; terminal was taken", code
            )
        if not facts.get("hint"):
            self.note("hint", entry, "has no hint: say in one sentence what to do", code)
        if not facts.get("description"):
            self.note("description", entry, "has no prose: say what happened, why, and what to do", code)
        elif self._has_headings(facts["description"]):
            self.note("headings", entry, "has headings in its prose, which become bold lines", code)
        if "number" in facts and not self._has_number(facts["number"], entry, code):
            facts.pop("number")
        status = facts.get("http_status")
        if status is not None and not 100 <= status <= 599:
            self.note("http_status", entry, f"{status} is no HTTP status; it was left out", code)
            facts.pop("http_status")
        details = self._details(entry, code)
        found |= {key: _text(value) if isinstance(value, str) else value for key, value in facts.items()}
        found |= {"details": details} if details else {}
        domain["codes"].append(found)
        self._wishes.append((found, entry))

    def _has_headings(self, text: str) -> bool:
        return _HEADING.search(text) is not None

    def _domain(self, entry: Entry) -> dict[str, Any]:
        wanted = entry.domain or entry.code.rpartition(".")[0] or "imported"
        name = _bent(wanted) or "imported"
        if name.rpartition(".")[2].lower() in ("md", "rst"):
            name += "_"
        known = next((each for each in self.domains if fold(each) == fold(name)), name)
        title = {"title": _line(entry.domain_title)} if entry.domain_title else {}
        return self.domains.setdefault(known, {"domain": known, **title, "codes": []})

    def _code(self, entry: Entry, domain: str) -> str:
        """The code in a spelling that fits and is free; empty if the entry can't be kept."""
        code = _bent(entry.code)
        if not code:
            self.note("code", entry, "has no code that letters, digits and dots can spell; it was left out")
            return ""
        other = self._folded.get(fold(code))
        if other is not None:
            inside = f"{domain}.{code}"[:_LONGEST]
            if fold(inside) in self._folded:
                number = 2
                while fold(f"{inside}_{number}") in self._folded:
                    number += 1
                inside = f"{inside}_{number}"
            self.note(
                "collision", entry, f"would share an anchor with {other}; it is called {inside}", inside
            )
            code = inside
        elif code != entry.code:
            self.note(
                "spelling", entry, f"{entry.code[:80]!r} is no code of errkit; it is called {code}", code
            )
        self._folded[fold(code)] = code
        return code

    def _constant(self, code: str, domain: str) -> str:
        import keyword

        short = code.removeprefix(f"{domain}.") if code.startswith(f"{domain}.") else code.rpartition(".")[2]
        short = short.replace(".", "_")
        short = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", short).upper()
        short = short if short[:1].isalpha() and not keyword.iskeyword(short) else f"E_{short.strip('_')}"
        wanted, number = short, 2
        while (domain, wanted) in self._constants:
            wanted, number = f"{short}_{number}", number + 1
        self._constants.add((domain, wanted))
        return wanted

    def _title(self, entry: Entry, code: str) -> str:
        title = _line(entry.title)
        if title:
            return title
        words = _line(re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[._-]+", " ", entry.code.rpartition(".")[2]))
        self.note("title", entry, "has no title: say in a few words what happened", code)
        return words.capitalize() or code

    def _has_number(self, number: int, entry: Entry, code: str) -> bool:
        if abs(number) > _LARGEST:
            self.note("number", entry, f"the number {number} is too large; it was left out", code)
            return False
        other = self._numbers.setdefault(number, code)
        if other != code:
            self.note(
                "number", entry, f"the number {number} belongs to {other} already; it was left out", code
            )
        return other == code

    def _details(self, entry: Entry, code: str) -> list[dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for field in entry.details:
            name = re.sub(r"\W", "_", str(field["name"]))
            name = name if name.isidentifier() and not name.startswith("_") else f"f_{name.strip('_')}"
            name = name if name.isidentifier() else "f_"
            if name in RESERVED_FIELDS or name in _UNUSABLE:
                name = f"{name}_"
            if name != field["name"]:
                self.note("field", entry, f"the field {field['name']!r} is called {name}", code)
            found.setdefault(name, {**field, "name": name})
        return list(found.values())

    def finished(self) -> list[dict[str, Any]]:
        """The domains, after what needs to know all codes: other names, and ranges of numbers."""
        for found, entry in self._wishes:
            aliases = []
            for alias in dict.fromkeys((entry.code, *entry.aliases)):
                if alias == found["code"]:
                    continue
                owner = self._folded.get(fold(alias), found["code"])
                if check_code(alias, ALIAS_GRAMMAR) or owner != found["code"]:
                    self.note("alias", entry, f"the other name {alias[:80]!r} was left out", found["code"])
                    continue
                self._folded[fold(alias)] = found["code"]
                aliases.append(alias)
            if aliases:
                found["aliases"] = aliases
        self._give_ranges()
        return [domain for domain in self.domains.values() if domain["codes"]]

    def _give_ranges(self) -> None:
        """A range for each domain with numbers; where those overlap, the later domain loses its numbers."""
        taken: list[tuple[int, int]] = []
        for name, domain in self.domains.items():
            numbers = [each["number"] for each in domain["codes"] if "number" in each]
            if not numbers:
                continue
            first, last = min(numbers), max(numbers)
            if any(first <= high and low <= last for low, high in taken):
                for each in domain["codes"]:
                    each.pop("number", None)
                problem = (
                    f"its numbers {first} to {last} are in the range of another domain, and were left out"
                )
                self.notes.append(Note(rule="number", code=name, place="", message=problem))
                continue
            taken.append((first, last))
            domain["numbers"] = [first, last]
            # The codes come last, as in a file that a person writes.
            domain["codes"] = domain.pop("codes")


def _unusable() -> frozenset[str]:
    from errkit.codes import Details

    return frozenset(name for name in dir(Details) if not name.startswith("_"))


_UNUSABLE: Final = _unusable()


def _bent(text: str) -> str:
    """The nearest text that is a code: letters, digits, `_`, and dots between."""
    parts = (re.sub(r"[^A-Za-z0-9_]+", "_", part).strip("_") for part in re.split(r"[./:]+", text))
    return ".".join(part for part in parts if part)[:_LONGEST].rstrip(".")


def _line(text: object) -> str:
    return " ".join(_text(text).split())


def _text(text: object) -> str:
    return well_formed(cast("str", redact(str(text))))
