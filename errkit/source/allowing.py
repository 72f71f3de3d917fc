"""What a project allows, with reasons: comments beside the code, and entries of the configuration.

    raise KeyError(name)  # errkit: allow bare-raise -- the mapping protocol asks for it

Both are found out when they allow nothing any more.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, NamedTuple

from errkit.source.known import near
from errkit.source.reading import matches
from errkit.source.rules import RULES, Found

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from errkit.config import Allowance
    from errkit.source.facts import Outline

__all__ = ["by_configuration", "by_remarks"]

_FORM: Final = re.compile(r"#\s*errkit:\s*allow\s+(?P<rules>[\w, -]*?)\s*--\s*(?P<reason>\S.*)")


class _Remark(NamedTuple):
    file: str
    line: int
    above: bool
    """It has the line for itself, so it speaks of the next one."""
    rules: tuple[str, ...]


def by_remarks(found: Iterable[Found], outlines: Iterable[Outline]) -> tuple[list[Found], list[Found]]:
    """The findings that no comment allows, with those about comments; and the allowed ones."""
    remarks: dict[str, list[_Remark]] = {}
    faults: list[Found] = []
    for outline in outlines:
        for line, text, alone in outline.remarks:
            rules, fault = _read(text)
            if fault:
                faults.append(_about("bad-remark", outline.file, line, fault))
            else:
                remarks.setdefault(outline.file, []).append(_Remark(outline.file, line, alone, rules))
    used: set[tuple[_Remark, str]] = set()
    left: list[Found] = []
    allowed: list[Found] = []
    for one in found:
        covering = [remark for remark in remarks.get(one.file, ()) if _covers(remark, one)]
        used.update((remark, one.rule) for remark in covering)
        (allowed if covering else left).append(one)
    for remark in (remark for several in remarks.values() for remark in several):
        faults.extend(
            _about("unused-remark", remark.file, remark.line, f"there is no {rule} here")
            for rule in remark.rules
            if (remark, rule) not in used
        )
    return left + faults, allowed


def _covers(remark: _Remark, one: Found) -> bool:
    first = one.line - 1 if remark.above else one.line
    return one.rule in remark.rules and first <= remark.line <= one.last


def _read(text: str) -> tuple[tuple[str, ...], str]:
    """The rules that a comment allows; and what is wrong with it."""
    match = _FORM.match(text)
    if match is None:
        return (), f"the comment {text[:80]!r} is not understood"
    rules = tuple(match["rules"].replace(",", " ").split())
    for rule in rules:
        if rule not in RULES:
            alike = near(rule, RULES)
            return (), f"there is no rule {rule!r}{f'; did you mean {alike[0]}?' if alike else ''}"
    return rules, "" if rules else "the comment names no rule"


def _about(rule: str, file: str, line: int, message: str) -> Found:
    return Found(rule=rule, message=message, file=file, line=line, last=line, hint=RULES[rule].remedy)


def by_configuration(
    found: Iterable[Found], allowances: Sequence[Allowance], files: Collection[str], configuration: str
) -> tuple[list[Found], list[Found]]:
    """The findings that no entry allows, with those about entries; and the allowed ones.

    An entry is stale if it allows nothing although one of the files that it names was scanned, or if there
    is no such file.

    Parameters
    ----------
    found
        The findings.
    allowances
        The entries.
    files
        The files that were scanned.
    configuration
        The file that holds the entries.
    """
    used: set[int] = set()
    left: list[Found] = []
    allowed: list[Found] = []
    for one in found:
        covering = [place for place, entry in enumerate(allowances) if _allows(entry, one)]
        used.update(covering)
        (allowed if covering else left).append(one)
    for place, entry in enumerate(allowances):
        if place not in used and any(matches(file, entry.file) for file in files):
            said = f" of {entry.what}" if entry.what else ""
            message = f"tool.errkit.scan.allow[{place}]: there is no {entry.rule}{said} in {entry.file}"
            left.append(_about("stale-allowance", configuration, 0, message))
    return left, allowed


def _allows(entry: Allowance, one: Found) -> bool:
    is_meant = not entry.what or fnmatchcase(one.what, entry.what)
    return entry.rule == one.rule and is_meant and matches(one.file, entry.file)
