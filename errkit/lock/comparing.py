"""What has changed between two locks, and how much each change weighs.

`major` breaks who relies on the code, `minor` adds to what is promised, `patch` is text. The table of weights
is docs/reference/lock.md; a change of a rule belongs there as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.catalog_file.vocabulary import type_of
from errkit.declaring import fold
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from errkit.lock.model import Lock, LockedCode, LockedField, Retired

__all__ = ["WEIGHTS", "Change", "Weight", "compare", "heirs", "needed"]

Weight = Literal["major", "minor", "patch"]

WEIGHTS: Final[tuple[Weight, ...]] = ("major", "minor", "patch")
"""The heaviest first."""

_CHOOSE: Final = "Choose another one: what was given once is never given again."
_DECLARE: Final = "or declare a major change: errkit lock --major"


class Change(Record):
    """One difference between what was promised and what is there."""

    registry: str
    code: str
    weight: Weight
    what: str
    """What has changed, in one line that begins behind the code."""
    remedy: str = ""
    """What to do if it was not meant so."""
    place: str = ""
    """Where the code is declared, or where the lock promises what is gone, as `file:line`."""
    forbidden: bool = False
    """Takes what stays reserved for ever, so no declaration allows it."""
    new: bool = False
    """The code was not there before."""
    title: str = ""
    number: int | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.what}"


def compare(old: Lock, new: Lock, registries: Collection[str] | None = None) -> list[Change]:
    """What has changed from one lock to another: by registry, then by weight, then by code.

    Parameters
    ----------
    old, new
        What was promised, and what is there now.
    registries
        The names of those that count; all of both if not given.
    """
    names = sorted({*old.registries, *new.registries} if registries is None else registries)
    found = [change for name in names for change in _changes(name, old, new)]
    return sorted(found, key=lambda change: (change.registry, WEIGHTS.index(change.weight), change.code))


def needed(changes: Iterable[Change]) -> Weight | None:
    """The part of the version number that has to rise; None if nothing has changed."""
    weights = {change.weight for change in changes}
    return next((weight for weight in WEIGHTS if weight in weights), None)


def heirs(before: Mapping[str, LockedCode], now: Mapping[str, LockedCode]) -> dict[str, LockedCode | None]:
    """What each code of before is now: itself, or what keeps its name as an alias; None if it is gone."""
    renamed = {alias: code for code in now.values() for alias in code.aliases}
    return {code: now.get(code) or renamed.get(code) for code in before}


def _changes(registry: str, old: Lock, new: Lock) -> Iterator[Change]:
    before, now = old.codes(registry), new.codes(registry)
    became = heirs(before, now)
    for code, heir in became.items():
        if heir is None:
            yield _gone(registry, before[code])
        else:
            told = _renamed(before[code]) if heir.code != code else _moved(before[code], heir)
            yield from _told(registry, heir, [*told, *_differences(before[code], heir)])
    known = {heir.code for heir in became.values() if heir is not None}
    reserved = _Reserved(before, became, old.retired(registry))
    for new_code in now.values():
        if new_code.code not in known:
            yield _change(registry, new_code, ("minor", "it is new", ""), new=True)
        for problem in reserved.taken_by(new_code):
            yield _change(registry, new_code, ("major", problem, _CHOOSE), forbidden=True)


_Told = tuple[Weight, str, str]
"""Weight, what has changed, what to do."""


def _told(registry: str, code: LockedCode, told: Iterable[_Told]) -> Iterator[Change]:
    for item in told:
        yield _change(registry, code, item)


def _change(registry: str, code: LockedCode, told: _Told, **more: Any) -> Change:
    weight, what, remedy = told
    return Change(
        registry=registry,
        code=code.code,
        weight=weight,
        what=what,
        remedy=remedy,
        place=code.place,
        title=code.title,
        number=code.number,
        **more,
    )


def _gone(registry: str, code: LockedCode) -> Change:
    instead = f"; use {code.replaced_by}" if code.replaced_by else ""
    remedy = f"Bring it back, give its name as an alias to the code that takes its place, {_DECLARE}"
    return _change(registry, code, ("major", f"it is gone{instead}", remedy))


def _renamed(old: LockedCode) -> Iterator[_Told]:
    yield "minor", f"it was called {old.code}, which stays as an alias", ""


def _moved(old: LockedCode, new: LockedCode) -> Iterator[_Told]:
    """What only counts where the name stayed: with an alias, old links and old payloads still arrive."""
    for fact, remedy in (
        ("anchor", "Give the code its spelling back"),
        ("domain", "Move it back to its domain"),
        ("const", "Give the constant its name back"),
    ):
        yield from _major(fact, getattr(old, fact), getattr(new, fact), remedy)


def _major(fact: str, old: object, new: object, remedy: str) -> Iterator[_Told]:
    if old != new:
        yield "major", f"its {fact} was {_shown(old)} and is {_shown(new)}", f"{remedy}, {_DECLARE}"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _differences(old: LockedCode, new: LockedCode) -> Iterator[_Told]:
    if old.number is None and new.number is not None:
        yield "minor", f"it has the number {new.number} now", ""
    else:
        yield from _major("number", old.number, new.number, "Give it its number back")
    yield from _major("kind", old.kind, new.kind, "Give it its kind back, or add a code for the other case")
    if old.public and not new.public:
        remedy = f"Make it public again, {_DECLARE}"
        yield "major", "it was public: its message, hint and details are no longer shown", remedy
    elif new.public and not old.public:
        yield "minor", "it is public now", ""
    if old.http_status is None and new.http_status is not None:
        yield "minor", f"it has the HTTP status {new.http_status} now", ""
    else:
        yield from _major("HTTP status", old.http_status, new.http_status, "Give it its status back")
    if old.alert != new.alert and old.kind == new.kind:
        yield "minor", f"it {'raises an' if new.alert else 'no longer raises an'} alert", ""
    yield from _fields(old.fields, new.fields)
    yield from _reasons(old.reasons, new.reasons)
    yield from _aliases(old, new)
    yield from _texts(old, new)


def _fields(old: Mapping[str, LockedField], new: Mapping[str, LockedField]) -> Iterator[_Told]:
    for name in old:
        if name not in new:
            yield "major", f"its field {name} is gone", f"Bring the field back, {_DECLARE}"
        else:
            yield from _field(name, old[name], new[name])
    for name in new.keys() - old.keys():
        if new[name].required:
            remedy = f"Give the field a default, {_DECLARE}"
            yield (
                "major",
                f"its field {name} is new and required: what was sent before lacks it",
                remedy,
            )
        else:
            yield "minor", f"its field {name} is new", ""


def _field(name: str, old: LockedField, new: LockedField) -> Iterator[_Told]:
    if not _same_type(old.type, new.type):
        remedy = f"Give the field its type back, or add another field, {_DECLARE}"
        yield "major", f"its field {name} was {old.type} and is {new.type}", remedy
    if old.required and not new.required:
        remedy = f"Let the field be required again, {_DECLARE}"
        yield "major", f"its field {name} may be missing now", remedy
    if new.required and not old.required:
        remedy = f"Give the field its default back, {_DECLARE}"
        yield "major", f"its field {name} is required now: what was sent before may lack it", remedy
    if new.secret and not old.secret:
        remedy = f"Add another field for the secret, {_DECLARE}"
        yield "major", f"its field {name} is a secret now, and no longer sent", remedy
    if old.secret and not new.secret:
        yield "minor", f"its field {name} is no longer a secret", ""


def _same_type(old: str, new: str) -> bool:
    """Whether two texts mean the same type, as `Optional[str]` and `str | None` do."""
    if old == new:
        return True
    known = type_of(old)
    return known is not Any and known == type_of(new)


def _reasons(old: Mapping[str, bool | None], new: Mapping[str, bool | None]) -> Iterator[_Told]:
    for name in old:
        if name not in new:
            yield "major", f"its reason {name} is gone", f"Bring the reason back, {_DECLARE}"
        elif old[name] != new[name]:
            said = {True: "retryable", False: "not retryable", None: "as retryable as the code"}
            remedy = f"Let it be as it was, or add another reason, {_DECLARE}"
            yield "major", f"its reason {name} was {said[old[name]]} and is {said[new[name]]}", remedy
    for name in new.keys() - old.keys():
        yield "minor", f"its reason {name} is new", ""


def _aliases(old: LockedCode, new: LockedCode) -> Iterator[_Told]:
    for alias in old.aliases:
        if alias not in new.names:
            yield "major", f"its alias {alias} is gone", f"Bring the alias back, {_DECLARE}"
    for alias in new.aliases:
        if alias not in old.names:
            yield "minor", f"its alias {alias} is new", ""


def _texts(old: LockedCode, new: LockedCode) -> Iterator[_Told]:
    if new.deprecated and not old.deprecated:
        instead = f"; use {new.replaced_by}" if new.replaced_by else ""
        yield "minor", f"it is deprecated since {new.deprecated}{instead}", ""
    for fact in ("title", "hint", "since", "deprecated", "replaced_by"):
        before, now = getattr(old, fact), getattr(new, fact)
        if before != now and not (fact in ("deprecated", "replaced_by") and not before):
            yield "patch", f"its {fact.replace('_', ' ')} reads otherwise", ""


class _Reserved:
    """What no code may take: what was retired before, and the numbers that are being taken away now."""

    def __init__(
        self,
        before: Mapping[str, LockedCode],
        became: Mapping[str, LockedCode | None],
        retired: Iterable[Retired],
    ) -> None:
        self._became = became
        self._owners = {code.number: code.code for code in before.values() if code.number is not None}
        self._names: dict[str, Retired] = {}
        self._numbers: dict[int, Retired] = {}
        for item in retired:
            if item.code:
                self._names[fold(item.code)] = item
            if item.number is not None:
                self._numbers[item.number] = item

    def taken_by(self, code: LockedCode) -> Iterator[str]:
        """What of it a code takes, in words."""
        for name in dict.fromkeys(map(fold, code.names)):
            if name in self._names:
                yield f"it takes the name {self._names[name].code}, which was removed and stays reserved"
        if code.number is None:
            return
        if code.number in self._numbers:
            owner = self._numbers[code.number].code or "another code"
            yield f"it takes the number {code.number}, which was that of {owner}"
        other = self._owners.get(code.number)
        if other is not None and self._became[other] is not code:
            yield f"it takes the number {code.number} of {other}"
