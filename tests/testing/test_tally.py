"""Counting: shares, exemptions, and the three ways in which they are told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from errkit import CodedError, Registry, code
from errkit.testing.tally import Summary, Tally, make_summary, write_report

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = Registry("tally")


class SeatError(CodedError, domain="tally.seat", registry=REGISTRY):
    """Seats."""

    TAKEN = code("Seat is taken")
    GONE = code("Seat is gone")
    LATE = code("Seat is late")


def summary(*raised: str, **exempt: str) -> Summary:
    """How the registry stands after some codes were raised."""
    tally = Tally()
    for const in raised:
        tally.add(f"tally:{getattr(SeatError, const)}", f"test_{const.lower()}")
    return make_summary(
        [REGISTRY], tally, {getattr(SeatError, const): reason for const, reason in exempt.items()}
    )


def test_exempt_codes_do_not_count() -> None:
    """Neither as raised nor as wanted."""
    assert summary("TAKEN").counts == (1, 3)
    assert summary("TAKEN", GONE="later").counts == (1, 2)
    assert summary("TAKEN", "GONE", GONE="later").counts == (1, 2)
    assert summary("TAKEN", GONE="later", LATE="never").percent == 100


def test_an_empty_registry_is_covered() -> None:
    """Nothing is missing where nothing is wanted."""
    assert make_summary([Registry("empty")], Tally(), {}).percent == 100


def test_a_share_is_never_rounded_up() -> None:
    """Two of three is less than 66.7 percent, and says so."""
    found = summary("TAKEN", "GONE")
    assert found.problem(66.6) == ""
    assert found.problem(66.7) == (
        "FAIL: 2 of 3 codes raised are 66.6 %, less than the 66.7 % of --errkit-fail-under"
    )


def test_an_exemption_no_longer_needed_fails() -> None:
    """A code that is raised need not be exempt from it."""
    assert summary("TAKEN", "GONE", "LATE", LATE="never").problem(50) == (
        "FAIL: raised, and exempt from it: tally.seat.late"
    )


def test_the_table_names_what_needs_attention() -> None:
    """A line for the registry, then each code that was never raised, and each exemption that is stale."""
    lines = list(summary("TAKEN", "LATE", LATE="never").lines(lambda place: place.rpartition("/")[2]))
    line = SeatError.GONE.spec.line
    assert lines == [
        "tally: 1 of 2 codes raised, 50 %",
        f"  never    tally.seat.gone  test_tally.py:{line}",
        "  raised   tally.seat.late  and exempt (never): take the exemption out",
    ]
    assert list(summary("TAKEN", "GONE", LATE="never").lines(str)) == [
        "tally: 2 of 2 codes raised, 100 %, 1 exempt"
    ]


@pytest.mark.parametrize("form", ["json", "md"])
def test_reports_hold_the_tests_of_each_code(tmp_path: Path, form: str) -> None:
    """For a program and for a reader; the folder is made where it is missing."""
    path = tmp_path / "new" / f"report.{form}"
    write_report(summary("TAKEN", LATE="never"), form, path, method="tracebacks", lost=["gw1"])
    text = path.read_text("utf-8")
    if form == "json":
        assert json.loads(text) == {
            "format": "errkit.coverage/1",
            "method": "tracebacks",
            "raised": 1,
            "codes": 2,
            "percent": 50.0,
            "lost_workers": ["gw1"],
            "registries": [
                {
                    "registry": "tally",
                    "raised": {"tally.seat.taken": ["test_taken"]},
                    "never": ["tally.seat.gone"],
                    "exempt": {"tally.seat.late": "never"},
                    "stale": {},
                }
            ],
        }
    else:
        assert text.splitlines() == [
            "# Error codes raised: 1 of 2, 50 %",
            "",
            "## tally",
            "",
            "| Code | Tests | First |",
            "| --- | ---: | --- |",
            "| `tally.seat.taken` | 1 | `test_taken` |",
            "| `tally.seat.gone` | never | |",
            "| `tally.seat.late` | exempt | never |",
        ]
