"""What the recorded cases of the seeds have in common: a case, and the list of intended differences.

A seed is a real system whose behaviour was recorded by running it. Each case here says what the seed does,
and errkit either does the same or differs on purpose. Every difference has a key in the one list of that
seed, `docs/explanation/differences/<seed>.csv`, where its reason stands; the documentation shows the same
file.

Only facts were taken from the seeds. Their messages and hints are theirs, so those are not compared.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

FOLDER: Final = Path(__file__).parents[2] / "docs" / "explanation" / "differences"
COLUMNS: Final = ["difference", "there", "here", "why"]


class Same:
    """Stands for: errkit does what the seed does."""


SAME: Final = Same()


class Case(NamedTuple):
    """One recorded case."""

    title: str
    given: Any
    there: Any
    """What the seed does."""
    here: Any = SAME
    """What errkit does instead."""
    difference: str = ""
    """The key of the intended difference."""


def differences(seed: str) -> dict[str, dict[str, str]]:
    """The list of intended differences from a seed, by key."""
    with (FOLDER / f"{seed}.csv").open(encoding="utf-8", newline="") as file:
        return {row["difference"]: row for row in csv.DictReader(file)}


def cases(*rows: Case) -> pytest.MarkDecorator:
    """Runs a test once with each case, as `case`."""
    return pytest.mark.parametrize("case", rows, ids=[row.title for row in rows])


def check(case: Case, found: Any, seed: str) -> None:
    """Compare what errkit does with what the seed does, or with what the list of differences promises."""
    if case.here is SAME:
        assert found == case.there
    else:
        assert found == case.here
        assert case.here != case.there, "no difference"
        assert case.difference in differences(seed), "an intended difference stands in the list"


def check_list(seed: str, *tables: tuple[Case, ...], told_elsewhere: frozenset[str] = frozenset()) -> None:
    """The list is complete: each entry has its reason and its cases, and each case has its entry."""
    rows = differences(seed)
    used = {case.difference for table in tables for case in table if case.here is not SAME}
    assert used | told_elsewhere == set(rows)
    for row in rows.values():
        assert list(row) == COLUMNS
        assert all(row[column].strip() for column in COLUMNS)
