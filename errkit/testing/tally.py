"""Counting which codes were raised by which tests, and saying it: lines for a terminal, JSON, Markdown.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["FORMAT", "Standing", "Summary", "Tally", "make_summary", "write_report"]

FORMAT: Final = "errkit.coverage/1"


class Tally:
    """The tests that raised each code."""

    def __init__(self) -> None:
        self._tests: dict[str, dict[str, None]] = {}

    def add(self, code: str, test: str) -> None:
        """Count a code, as `registry:code`, for a test; an empty one stands for none in particular."""
        tests = self._tests.setdefault(code, {})
        if test:
            tests[test] = None

    def tests(self, spec: ErrorSpec) -> tuple[str, ...] | None:
        """The tests that raised a code, sorted; None if it was never raised."""
        found = self._tests.get(f"{spec.registry}:{spec.code}")
        return None if found is None else tuple(sorted(found))


class Standing(Record):
    """How a registry stands."""

    registry: str
    raised: Mapping[ErrorSpec, tuple[str, ...]]
    """The codes that were raised, each with the tests that raised it."""
    never: tuple[ErrorSpec, ...]
    """The codes that were not, and should be."""
    exempt: Mapping[ErrorSpec, str]
    """The codes that were not and need not be, each with the reason."""
    stale: Mapping[ErrorSpec, str]
    """The codes that need not be raised and were."""


class Summary(Record):
    """How all registries stand."""

    standings: tuple[Standing, ...]

    @property
    def counts(self) -> tuple[int, int]:
        """How many codes were raised, and how many should be: the exempt ones don't count."""
        raised = sum(len(one.raised) - len(one.stale) for one in self.standings)
        return raised, raised + sum(len(one.never) for one in self.standings)

    @property
    def percent(self) -> float:
        """The share of codes that were raised."""
        return _percent(*self.counts)

    def problem(self, limit: float) -> str:
        """Why the share, or an exemption, does not pass; empty if all is well."""
        raised, wanted = self.counts
        if self.percent < limit:
            return (
                f"FAIL: {raised} of {wanted} codes raised are {_shown(self.percent)} %, "
                f"less than the {limit:g} % of --errkit-fail-under"
            )
        stale = [spec.code for one in self.standings for spec in one.stale]
        return f"FAIL: raised, and exempt from it: {', '.join(stale)}" if stale else ""

    def lines(self, shown: Callable[[str], str]) -> Iterator[str]:
        """The table: a line for each registry, and one for each code that needs attention."""
        for one in self.standings:
            raised = len(one.raised) - len(one.stale)
            wanted = raised + len(one.never)
            percent = _shown(_percent(raised, wanted))
            exempt = f", {len(one.exempt)} exempt" if one.exempt else ""
            yield f"{one.registry}: {raised} of {wanted} codes raised, {percent} %{exempt}"
            specs = [*one.never, *one.stale]
            width = max((len(spec.code) for spec in specs), default=0)
            for spec in one.never:
                yield f"  never    {spec.code:<{width}}  {shown(spec.place)}"
            for spec, reason in one.stale.items():
                yield f"  raised   {spec.code:<{width}}  and exempt ({reason}): take the exemption out"


def make_summary(registries: Iterable[Registry], tally: Tally, exempt: Mapping[str, str]) -> Summary:
    """How registries stand.

    Parameters
    ----------
    registries
        The registries whose codes should be raised.
    tally
        What was raised.
    exempt
        Code -> why it need not be.
    """
    return Summary(standings=tuple(_standing(registry, tally, exempt) for registry in registries))


def _standing(registry: Registry, tally: Tally, exempt: Mapping[str, str]) -> Standing:
    found = {spec: tally.tests(spec) for spec in registry}
    raised = {spec: tests for spec, tests in found.items() if tests is not None}
    silent = [spec for spec in found if spec not in raised]
    return Standing(
        registry=registry.name,
        raised=raised,
        never=tuple(spec for spec in silent if spec.code not in exempt),
        exempt={spec: exempt[spec.code] for spec in silent if spec.code in exempt},
        stale={spec: exempt[spec.code] for spec in raised if spec.code in exempt},
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def _shown(percent: float) -> str:
    # 99.96 % is not all.
    return f"{int(percent * 10) / 10:g}"


# --- files ------------------------------------------------------------------------------------------


def write_report(summary: Summary, form: str, path: Path, *, method: str, lost: Sequence[str]) -> None:
    """Write a summary as `json` or `md`.

    Parameters
    ----------
    summary
        How all registries stand.
    form
        `json` (the format `errkit.coverage/1`) or `md`.
    path
        The file; its folder is made where it is missing.
    method
        How raises were seen.
    lost
        The workers that died.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if form == "json":
        text = json.dumps(_data(summary, method, lost), indent=2, ensure_ascii=False) + "\n"
    else:
        text = "\n".join(_markdown(summary)) + "\n"
    path.write_text(text, "utf-8")


def _data(summary: Summary, method: str, lost: Sequence[str]) -> dict[str, Any]:
    raised, wanted = summary.counts
    return {
        "format": FORMAT,
        "method": method,
        "raised": raised,
        "codes": wanted,
        "percent": summary.percent,
        "lost_workers": list(lost),
        "registries": [
            {
                "registry": one.registry,
                "raised": {spec.code: list(tests) for spec, tests in one.raised.items()},
                "never": [spec.code for spec in one.never],
                "exempt": {spec.code: reason for spec, reason in one.exempt.items()},
                "stale": {spec.code: reason for spec, reason in one.stale.items()},
            }
            for one in summary.standings
        ],
    }


def _markdown(summary: Summary) -> Iterator[str]:
    raised, wanted = summary.counts
    yield f"# Error codes raised: {raised} of {wanted}, {_shown(summary.percent)} %"
    for one in summary.standings:
        yield from ("", f"## {one.registry}", "", "| Code | Tests | First |", "| --- | ---: | --- |")
        for spec, tests in one.raised.items():
            first = f"`{tests[0].replace('|', chr(92) + '|')}`" if tests else ""
            yield f"| `{spec.code}` | {len(tests)} | {first} |"
        for spec in one.never:
            yield f"| `{spec.code}` | never | |"
        for spec, reason in one.exempt.items():
            yield f"| `{spec.code}` | exempt | {reason} |"
