"""Findings in each form: what a person, a program, code scanning and a pull request are told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, strategies as st

pytest.importorskip("rich")

from errkit.cli.findings import FORMATS, Finding, print_findings

if TYPE_CHECKING:
    from pathlib import Path

PLANTED = "hunter2-planted"
EVIL = "\x1b]0;owned\x07\x9b31m\u202e::error::forged\r\n::error::forged"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *found: Finding, form: Any = "text", **more: Any) -> str:
    """What is printed for some findings."""
    print_findings(found, form, **more)
    return capsys.readouterr().out


def test_text_says_place_problem_rule_and_remedy(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding is a line that editors can jump from, and what to do stands below; paths start here."""
    where = str(here / "shop" / "errors.py")
    assert shown(
        capsys,
        Finding(rule="lock", message="it is gone", file=where, line=3, hint="Bring it back."),
        Finding(rule="scan", message="raises ValueError", file="/elsewhere.py", line=4, column=5),
        Finding(rule="ranges", message="no number"),
    ).splitlines() == [
        "shop/errors.py:3: it is gone [lock]",
        "  Bring it back.",
        "/elsewhere.py:4:5: raises ValueError [scan]",
        "no number [ranges]",
    ]


def test_json_holds_facts_and_what_stands_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """An object with the findings, each with its facts; what is not known is not there."""
    item = Finding(rule="lock", message="gone", line=2, file="a.py", facts={"code": "shop.gone"})
    assert json.loads(shown(capsys, item, form="json", more={"not_run": []})) == {
        "findings": [
            {
                "rule": "lock",
                "level": "error",
                "message": "gone",
                "file": "a.py",
                "line": 2,
                "code": "shop.gone",
            }
        ],
        "not_run": [],
    }


def test_sarif_is_what_code_scanning_reads(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each result names its rule, by id and by place, and its file as an address below the current folder.
    https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html sections 3.27, 3.29
    """
    text = shown(
        capsys,
        Finding(rule="scan", message="bare", file=str(here / "a b#.py"), line=3, column=5, hint="Do."),
        Finding(rule="lock", message="gone", level="warning"),
        form="sarif",
        rules={"lock": "The lock is kept."},
    )
    log = json.loads(text)
    [run] = log["runs"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"] == [
        {"id": "lock", "shortDescription": {"text": "The lock is kept."}},
        {"id": "scan"},
    ]
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("scan", 1, "error")
    assert first["message"] == {"text": "bare. Do."}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20b%23.py"},
                "region": {"startLine": 3, "startColumn": 5},
            }
        }
    ]
    assert "locations" not in second


def test_github_shows_annotations(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A workflow command for each finding; commas, colons and line breaks end nothing."""
    found = [
        Finding(rule="lock", message="50% gone: a, b", file=str(here / "a,b:c.py"), line=3, hint="Do."),
        Finding(rule="lock", message="odd", level="note"),
    ]
    assert shown(capsys, *found, form="github").splitlines() == [
        "::error file=a%2Cb%3Ac.py,line=3,title=errkit lock::50%25 gone: a, b%0ADo.",
        "::notice title=errkit lock::odd",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_steers_and_nothing_leaks(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a text holds, it forges no annotation, moves no cursor, and shows no secret."""
    secret = f"password={PLANTED}"
    item = Finding(
        rule="lock",
        message=f"{EVIL} {secret}",
        file=f"a{EVIL}.py",
        hint=f"{EVIL} {secret}",
        facts={"x": secret},
    )
    text = shown(capsys, item, form=form, more={"y": [secret]})
    assert "owned" in text
    assert PLANTED not in text
    assert not set(text) & set("\x1b\x07\x9b\u202e\r")
    assert sum(line.startswith("::error") for line in text.splitlines()) == (form == "github")


@given(text=st.text(st.characters(exclude_categories=())), form=st.sampled_from(("json", "sarif")))
@example(text="\ud800", form="json")
@example(text="\ud800", form="sarif")
def test_machines_can_read_any_text(text: str, form: Any) -> None:
    """JSON and SARIF are JSON, and hold the message itself, except for halves of surrogate pairs."""
    import io
    from contextlib import redirect_stdout

    stream = io.StringIO()
    with redirect_stdout(stream):
        print_findings([Finding(rule="lock", message=text)], form)
    found = json.loads(stream.getvalue())
    message = found["findings"][0]["message"] if form == "json" else found["runs"][0]["results"][0]["message"]
    stream.getvalue().encode()
    assert isinstance(message, str if form == "json" else dict)
