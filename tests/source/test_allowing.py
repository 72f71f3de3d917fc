"""What a project allows: comments and entries, and what becomes of those that allow nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from errkit.config import Allowance

if TYPE_CHECKING:
    from tests.source.conftest import Granary

BARE = "raise ValueError('m')"


@pytest.mark.parametrize(
    "text",
    [
        f"{BARE}  # errkit: allow bare-raise -- a reason",
        f"{BARE}  #errkit: allow bare-raise -- a reason",
        f"# errkit: allow bare-raise -- a reason\n{BARE}",
        "raise ValueError(  # errkit: allow bare-raise -- a reason\n    'm'\n)",
        "raise ValueError(\n    'm'\n)  # errkit: allow bare-raise -- a reason",
        "raise ValueError(f'{password}')  # errkit: allow bare-raise, secret-in-message -- a reason",
    ],
)
def test_a_comment_allows_what_it_names(text: str, granary: Granary) -> None:
    """On a line of the statement, or alone on the line above; the finding counts as allowed."""
    outcome = granary.scan(text)
    assert outcome.findings == ()
    assert {one.rule for one in outcome.allowed} >= {"bare-raise"}


@pytest.mark.parametrize(
    ("comment", "rule", "said"),
    [
        ("# errkit: allow bare-raise", "bad-remark", "is not understood"),
        ("# errkit: allow bare-raise --", "bad-remark", "is not understood"),
        ("# errkit: allow -- a reason", "bad-remark", "names no rule"),
        ("# errkit: ignore bare-raise -- a reason", "bad-remark", "is not understood"),
        ("# errkit: allow bear-raise -- a reason", "bad-remark", "did you mean bare-raise?"),
        ("# errkit: allow foreign-text -- a reason", "unused-remark", "there is no foreign-text here"),
    ],
)
def test_a_comment_that_allows_nothing_is_found(comment: str, rule: str, said: str, granary: Granary) -> None:
    """One without a reason, with a wrong name, or not needed hides nothing, and is a finding itself."""
    found = granary.scan(f"{BARE}  {comment}").findings
    assert [one.rule for one in found] == ["bare-raise", rule] or [one.rule for one in found] == [
        rule,
        "bare-raise",
    ]
    [remark] = [one for one in found if one.rule == rule]
    assert said in remark.message


def test_texts_that_look_like_comments_are_none(granary: Granary) -> None:
    """Only a comment is one."""
    assert granary.scan("x = '# errkit: allow bare-raise -- a reason'").findings == ()


def entry(**said: str) -> Allowance:
    return Allowance(**{"rule": "bare-raise", "file": "mill.py", "reason": "a reason", **said})


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({}, []),
        ({"what": "ValueError"}, []),
        ({"what": "Value*"}, []),
        ({"file": "*.py"}, []),
        ({"what": "KeyError"}, ["stale-allowance", "bare-raise"]),
        ({"rule": "foreign-text"}, ["stale-allowance", "bare-raise"]),
        ({"file": "barn.py"}, ["bare-raise"]),
    ],
)
def test_an_entry_allows_what_it_names(said: dict[str, str], left: list[str], granary: Granary) -> None:
    """By rule, file and what it is about; stale if its file is scanned and has nothing of the kind."""
    assert [one.rule for one in granary.scan(BARE, allow=(entry(**said),)).findings] == left


def test_a_comment_goes_before_an_entry(granary: Granary) -> None:
    """What a comment allows needs no entry, so the entry is stale."""
    text = f"{BARE}  # errkit: allow bare-raise -- a reason"
    assert [one.rule for one in granary.scan(text, allow=(entry(),)).findings] == ["stale-allowance"]
