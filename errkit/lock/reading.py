"""From a file to a lock: what a merge or a hand has broken is refused with its line and the way out.

Rows may stand in any order and may stand twice, as a merge leaves them; two that contradict each other are
refused. Kinds of facts that are not known are passed over, so that a newer errkit may add some.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file.parsing import Fault, parse, read_text
from errkit.declaring import ALIAS_GRAMMAR, check_code, fold
from errkit.lock.model import FORMAT, Lock, LockedCode, LockedField, Retired, usual
from errkit.lock.rows import FACT_COLUMNS, RETIRED_COLUMNS, SCALARS
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["parse_lock", "read_lock"]

_MARKER: Final = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)
_CONFLICT: Final = (
    "Delete the lines of git's conflict markers, keep the rows of both sides, and run: errkit lock"
)
_ABSENT: Final = "Restore the lock from git, or write the first one with: errkit lock"
_NAMED: Final[dict[str, tuple[type, ...]]] = {
    "alias": (bool,),
    "field": (str,),
    "optional": (bool,),
    "secret": (bool,),
    "reason": (bool, type(None)),
}
"""Fact with a name -> the types of its value."""


class _Row:
    """A row, and how messages call its place."""

    __slots__ = ("line", "place", "values")

    def __init__(self, values: Any, line: int, place: str) -> None:
        self.values = values
        self.line = line
        self.place = place


def read_lock(path: str | os.PathLike[str]) -> Lock:
    """The lock in a file.

    Raises
    ------
    CodedError
        `errkit.bad_lock`, naming the file, the place in it and the reason; also where there is no such file.
    """
    file = os.fsdecode(path)
    try:
        text = read_text(file)
    except Fault as fault:
        raise _refusal(file, fault) from fault.__cause__
    return parse_lock(text, file)


def parse_lock(text: str, file: str) -> Lock:
    """The lock in a text.

    Parameters
    ----------
    text
        What stands in the file.
    file
        How messages call the file.

    Raises
    ------
    CodedError
        As `read_lock`.
    """
    try:
        return _lock(text, file)
    except Fault as fault:
        raise _refusal(file, fault) from fault.__cause__


def _refusal(file: str, fault: Fault) -> Exception:
    problem = fault.problem if len(fault.problem) <= 500 else f"{fault.problem[:500]}..."
    error = ErrkitError.BAD_LOCK(
        f"{file}: {fault.place}: {problem}", path=file, place=fault.place, problem=problem
    )
    if isinstance(fault.__cause__, FileNotFoundError):
        error.override(hint=_ABSENT)
    return error.override(hint=_CONFLICT) if isinstance(fault, _Conflict) else error


class _Conflict(Fault):
    """git left it to people to merge the file."""


def _lock(text: str, file: str) -> Lock:
    marker = _MARKER.search(text)
    if marker is not None:
        line = text.count("\n", 0, marker.start()) + 1
        raise _Conflict(f"line {line}", "holds a conflict marker: git could not merge two branches")
    data = parse(text, "a.json")
    _check_format(data)
    assert isinstance(data, dict)
    facts, retired = _rows(data, text)
    # A merge may leave a row twice; records have no hash that tells them apart.
    once = {tuple(map(str, row.values)): row for row in reversed(retired)}
    taken_back = tuple(_retired(row, file) for row in reversed(once.values()))
    codes = _codes(facts, file)
    for registry, found in codes.items():
        _check_numbers(found)
        _check_retired(registry, found, taken_back)
    return Lock(codes, taken_back)


def _check_format(data: object) -> None:
    found = data.get("format") if isinstance(data, dict) else None
    match = re.fullmatch(r"errkit\.lock/([1-9]\d{0,8})", found) if isinstance(found, str) else None
    if match is None:
        shown = repr(found[:80]) if isinstance(found, str) else "nothing of the kind"
        raise Fault("format", f"expected {FORMAT!r}, found {shown}")
    if match[1] != FORMAT.rpartition("/")[2]:
        raise Fault("format", f"version {match[1]} is newer than this errkit reads; update errkit")


# --- rows -------------------------------------------------------------------------------------------


def _rows(data: dict[str, Any], text: str) -> tuple[list[_Row], list[_Row]]:
    parts = {key: _list(data, key) for key in ("facts", "retired")}
    # In a file that errkit wrote, a row is a line; in one that was formatted anew, it has a number.
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip(" \t,").startswith("[")]
    known = len(lines) == sum(map(len, parts.values()))
    numbers = iter(lines)
    found: list[list[_Row]] = []
    for key, columns in (("facts", FACT_COLUMNS), ("retired", RETIRED_COLUMNS)):
        numbered = [
            _Row(item, line, f"line {line}" if line else f"{key}[{index}]")
            for index, item in enumerate(parts[key])
            for line in [next(numbers) if known else 0]
        ]
        for row in numbered:
            if not isinstance(row.values, list) or len(row.values) < len(columns):
                raise Fault(row.place, f"expected an array of {', '.join(columns)}")
        found.append([row for row in numbered if row.values[:2] != list(columns[:2])])
    return found[0], found[1]


def _list(data: dict[str, Any], key: str) -> list[Any]:
    if key not in data:
        raise Fault(key, "is missing")
    if not isinstance(data[key], list):
        raise Fault(key, "expected an array")
    found: list[Any] = data[key]
    return found


def _expect(row: _Row, column: str, value: object, *kinds: type) -> Any:
    fits = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
    if not fits:
        named = {str: "text", int: "a whole number", bool: "true or false", type(None): "null"}
        expected = " or ".join(named[kind] for kind in kinds)
        raise Fault(row.place, f"{column}: expected {expected}, found {str(value)[:80]!r}")
    return value


# --- facts ------------------------------------------------------------------------------------------


def _codes(rows: Iterable[_Row], file: str) -> dict[str, dict[str, LockedCode]]:
    grouped: dict[tuple[str, str], dict[tuple[str, str], _Row]] = {}
    for row in rows:
        registry, code, fact, name, value = row.values[:5]
        for column, text in zip(FACT_COLUMNS, (registry, code, fact, name), strict=False):
            _expect(row, column, text, str)
        problem = check_code(code)
        if problem:
            raise Fault(row.place, problem)
        if fact not in SCALARS and fact not in _NAMED:
            continue
        _expect(row, fact, value, *_NAMED.get(fact, SCALARS.get(fact, (str,))[:1]))
        other = grouped.setdefault((registry, code), {}).setdefault((fact, name), row)
        if other.values[4] != value:
            what = f"{fact} {name}".strip()
            problem = f"says that {what} of {code} is {value!r}, and {other.place} says {other.values[4]!r}"
            raise Fault(row.place, f"{problem}; delete the row that is wrong")
    found: dict[str, dict[str, LockedCode]] = {}
    for (registry, code), facts in grouped.items():
        found.setdefault(registry, {})[code] = _code(code, facts, file)
    return found


def _code(code: str, rows: dict[tuple[str, str], _Row], file: str) -> LockedCode:
    first = next(iter(rows.values()))
    told: dict[str, Any] = {
        fact: row.values[4] for (fact, name), row in rows.items() if fact in SCALARS and not name
    }
    for fact in ("anchor", "kind", "title"):
        if fact not in told:
            raise Fault(
                first.place, f"{code} has no row {fact!r}; bring that back, or delete all of its rows"
            )
    named = {
        kind: {name: row.values[4] for (fact, name), row in sorted(rows.items()) if fact == kind}
        for kind in _NAMED
    }
    for kind in ("optional", "secret"):
        for name in named[kind].keys() - named["field"].keys():
            place = rows[kind, name].place
            raise Fault(place, f"{code} has no field {name!r}; bring back its row, or delete this one")
    return LockedCode(
        **{"code": code, **usual(code, told["kind"]), **told},
        aliases=tuple(named["alias"]),
        fields={
            name: LockedField(
                type=text, required=name not in named["optional"], secret=name in named["secret"]
            )
            for name, text in named["field"].items()
        },
        reasons=named["reason"],
        place=_place(file, first.line),
    )


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if line else file


def _check_numbers(codes: dict[str, LockedCode]) -> None:
    owners: dict[int, LockedCode] = {}
    for code in codes.values():
        if code.number is None:
            continue
        other = owners.setdefault(code.number, code)
        if other is not code:
            line = code.place.rpartition(":")[2]
            raise Fault(
                f"line {line}" if line.isdecimal() else code.code,
                f"{code.code} and {other.code} both have the number {code.number}: two branches took it; "
                "give one of the codes another number, and delete its row `number`",
            )


# --- retired ----------------------------------------------------------------------------------------


def _retired(row: _Row, file: str) -> Retired:
    values: Sequence[Any] = row.values[: len(RETIRED_COLUMNS)]
    for column, value in zip(RETIRED_COLUMNS, values, strict=True):
        _expect(row, column, value, *((int, type(None)) if column == "number" else (str,)))
    told = dict(zip(RETIRED_COLUMNS, values, strict=True))
    problem = check_code(told["code"], ALIAS_GRAMMAR) if told["code"] else ""
    if problem or (not told["code"] and told["number"] is None):
        raise Fault(row.place, problem or "a retired row has a code or a number")
    return Retired(**told, place=_place(file, row.line))


def _check_retired(registry: str, codes: dict[str, LockedCode], retired: Sequence[Retired]) -> None:
    names = {fold(name): code for code in codes.values() for name in code.names}
    numbers = {code.number: code for code in codes.values() if code.number is not None}
    for item in retired:
        if item.registry != registry:
            continue
        owner = names.get(fold(item.code)) if item.code else None
        owner = owner or numbers.get(item.number or -1)
        if owner is not None:
            what = item.code or item.number
            raise Fault(
                _line_of(item.place),
                f"{what} is retired here, and {_line_of(owner.place)} has rows of {owner.code} that use it; "
                "delete those rows, or this one if it was never released",
            )


def _line_of(place: str) -> str:
    line = place.rpartition(":")[2]
    return f"line {line}" if line.isdecimal() else "the file"
