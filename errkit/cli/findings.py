"""What commands found, in the form that its reader wants: a person, a program, code scanning, a pull request.

A command turns what it found into `Finding` records, lets `take_format` give it the options, and prints with
`print_findings`. All texts are redacted here and steer nothing; what counts as a finding, and which exit code
follows, is the command's business.
"""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote

import click

from errkit.catalog_file import json_text
from errkit.cli.screen import clean, show, show_raw
from errkit.fields import Record
from errkit.safe import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["FORMATS", "Finding", "Format", "from_here", "print_findings", "split_place", "take_format"]

Format = Literal["text", "json", "sarif", "github"]

FORMATS: Final = ("text", "json", "sarif", "github")


class Finding(Record):
    """One thing that is wrong, where it stands, and what to do about it."""

    rule: str
    """What was asked, in a word, such as `lock` or `bare-raise`."""
    message: str
    """What was found, in one line."""
    file: str = ""
    """Where it stands; empty if that is nowhere."""
    line: int = 0
    """From 1; 0 if the whole file is meant."""
    column: int = 0
    """From 1; 0 if the whole line is meant."""
    hint: str = ""
    """What to do, as one imperative sentence."""
    level: Literal["error", "warning", "note"] = "error"
    facts: Mapping[str, Any] = {}
    """What programs may want to know besides, of exact builtins: the code, the registry."""


def take_format(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--format`, and `--json` for one of its values; it takes `form`."""
    as_json = click.option("--json", "form", flag_value="json", help="The same as --format json.")
    choice = click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="For people, for programs, for code scanning (SARIF 2.1.0), for annotations on GitHub.",
    )
    return choice(as_json(command))


def print_findings(
    findings: Iterable[Finding],
    form: Format = "text",
    *,
    rules: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Print findings on standard output.

    Parameters
    ----------
    findings
        What was found, in the order in which it is to be shown.
    form
        `text`, `json`, `sarif` or `github`.
    rules
        What each rule asks, in one sentence; stands in the SARIF form.
    more
        What stands beside the findings in the JSON form.
    """
    found = [_harmless(item) for item in findings]
    if form == "json":
        show_raw(json_text({"findings": [_data(item) for item in found], **_redacted(more or {})}))
    elif form == "sarif":
        show_raw(json_text(_sarif(found, rules or {})))
    else:
        for item in found:
            (_show if form == "text" else _annotate)(item)


def split_place(place: str) -> dict[str, Any]:
    """The file and the line of a place that is written as `file:line`, as keywords of a `Finding`."""
    file, _, line = place.rpartition(":")
    return {"file": file, "line": int(line)} if line.isdecimal() else {}


def _harmless(item: Finding) -> Finding:
    """The finding with redacted texts and a path that starts from the current folder, if it lies there."""
    told: Any = {name: redact(getattr(item, name)) for name in ("message", "hint")}
    return Finding(**{**vars(item), **told, "file": from_here(item.file), "facts": _redacted(item.facts)})


def _redacted(facts: Mapping[str, Any]) -> dict[str, Any]:
    # Name by name: `secret` or `token` may be the name of a fact, and its value is no secret for that.
    return {name: redact(value) for name, value in facts.items()}


def from_here(path: object) -> str:
    """A path as people write it: from the current folder, if it lies there."""
    return str(path).removeprefix(os.getcwd() + os.sep)


# --- for people -------------------------------------------------------------------------------------


def _show(item: Finding) -> None:
    place = ":".join(str(part) for part in (item.file, item.line, item.column) if part)
    said = f"{item.message} [{item.rule}]"
    show(f"{place}: {said}" if place else said, "bold", lines=False)
    if item.hint:
        show(f"  {item.hint}", lines=False)


# --- for programs -----------------------------------------------------------------------------------


def _data(item: Finding) -> dict[str, Any]:
    told = {name: getattr(item, name) for name in ("rule", "level", "message")}
    asked = {name: getattr(item, name) for name in ("hint", "file", "line", "column")}
    return {**told, **{name: value for name, value in asked.items() if value}, **item.facts}


def _sarif(found: Sequence[Finding], rules: Mapping[str, str]) -> dict[str, Any]:
    """A SARIF log of one run: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""
    names = list(dict.fromkeys([*rules, *(item.rule for item in found)]))
    driver = {"name": "errkit", "version": version("errkit"), "rules": [_rule(name, rules) for name in names]}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                # Columns count characters, as Python does.
                "columnKind": "unicodeCodePoints",
                "results": [_result(item, names.index(item.rule)) for item in found],
            }
        ],
    }


def _rule(name: str, rules: Mapping[str, str]) -> dict[str, Any]:
    return {"id": name, "shortDescription": {"text": rules[name]}} if name in rules else {"id": name}


def _result(item: Finding, rule: int) -> dict[str, Any]:
    text = f"{item.message}. {item.hint}" if item.hint else item.message
    result: dict[str, Any] = {
        "ruleId": item.rule,
        "ruleIndex": rule,
        "level": item.level,
        "message": {"text": text},
    }
    if item.file:
        place: dict[str, Any] = {"artifactLocation": {"uri": _address(item.file)}}
        if item.line:
            place["region"] = {
                "startLine": item.line,
                **({"startColumn": item.column} if item.column else {}),
            }
        result["locations"] = [{"physicalLocation": place}]
    if item.facts:
        result["properties"] = dict(item.facts)
    return result


def _address(file: str) -> str:
    path = quote(file.replace(os.sep, "/"))
    return f"file://{path}" if os.path.isabs(file) else path


# --- for pull requests ------------------------------------------------------------------------------


def _annotate(item: Finding) -> None:
    """A workflow command, which GitHub shows beside the line that it names."""
    # https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    level = "notice" if item.level == "note" else item.level
    facts = {"file": item.file, "line": item.line, "col": item.column, "title": f"errkit {item.rule}"}
    stated = [f"{name}={_escaped(value, ':,')}" for name, value in facts.items() if value]
    text = f"{item.message}\n{item.hint}" if item.hint else item.message
    show_raw(f"::{level} {','.join(stated)}::{_escaped(text)}\n")


def _escaped(value: object, more: str = "") -> str:
    """A value in which nothing ends the command, or the property; percent signs are part of the escape."""
    text = clean(value, lines=True)
    return re.sub(f"[%\r\n{more}]", lambda match: f"%{ord(match[0]):02X}", text)
