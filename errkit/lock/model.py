"""The records of a lock: each code as it was promised, and what was retired."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from errkit.codes import default_alert
from errkit.declaring import fold
from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FORMAT", "Lock", "LockedCode", "LockedField", "Retired", "anchor_of", "usual"]

FORMAT: Final = "errkit.lock/1"


def anchor_of(name: str) -> str:
    """The anchor of a code or an alias on the reference site."""
    return f"err-{fold(name)}"


class LockedField(Record):
    """A field of the details of a code."""

    type: str
    """Its type as text, without `typing.` and `Secret[...]`."""
    required: bool = True
    secret: bool = False


class LockedCode(Record):
    """What is promised about one code."""

    code: str
    anchor: str
    title: str
    kind: str
    domain: str
    const: str
    number: int | None = None
    alert: bool
    public: bool = False
    http_status: int | None = None
    hint: str = ""
    since: str = ""
    deprecated: str = ""
    replaced_by: str = ""
    aliases: tuple[str, ...] = ()
    """Sorted."""
    fields: Mapping[str, LockedField] = MappingProxyType({})
    reasons: Mapping[str, bool | None] = MappingProxyType({})
    """Value of `details.reason` -> what it says on retrying; None leaves that to the kind."""
    place: str = ""
    """Where the code is declared, or where it stands in the lock, as `file:line`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The code and its aliases."""
        return self.code, *self.aliases


def usual(code: str, kind: str) -> dict[str, object]:
    """What a lock leaves out, because it follows from the code and its kind."""
    domain, _, last = code.rpartition(".")
    return {"domain": domain, "const": last.upper(), "alert": default_alert(kind)}


class Retired(Record):
    """A code, an alias or a number that was taken back, and stays reserved for ever."""

    registry: str
    code: str = ""
    """The code or alias; empty where a code that lives has changed its number."""
    number: int | None = None
    anchor: str = ""
    title: str = ""
    since: str = ""
    removed: str = ""
    """The version that no longer has it; empty if nobody said."""
    replaced_by: str = ""
    place: str = ""
    """Where it stands in the lock, as `file:line`."""


class Lock:
    """The promises of some registries.

    Parameters
    ----------
    codes
        Name of a registry -> code -> what is promised about it.
    retired
        What was taken back, of all registries.
    """

    def __init__(
        self, codes: Mapping[str, Mapping[str, LockedCode]], retired: tuple[Retired, ...] = ()
    ) -> None:
        self._codes = codes
        self._retired = retired

    @property
    def registries(self) -> tuple[str, ...]:
        """The names of the registries that the lock knows, sorted."""
        return tuple(sorted({*self._codes, *(item.registry for item in self._retired)}))

    def codes(self, registry: str) -> Mapping[str, LockedCode]:
        """The codes of a registry that live."""
        return self._codes.get(registry, {})

    def retired(self, registry: str) -> tuple[Retired, ...]:
        """What a registry has taken back, in the order of the lock."""
        return tuple(item for item in self._retired if item.registry == registry)

    def __iter__(self) -> Iterator[tuple[str, LockedCode]]:
        """Each living code with the name of its registry, sorted."""
        for registry in self.registries:
            for code in sorted(self.codes(registry)):
                yield registry, self.codes(registry)[code]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lock):
            return NotImplemented
        from errkit.lock.rows import lock_text

        return lock_text(self) == lock_text(other)

    def __hash__(self) -> int:
        return hash(self.registries)
