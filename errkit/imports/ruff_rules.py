"""The rules of Ruff, as `ruff rule --all --output-format json` prints them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.imports.draft import Entry
from errkit.imports.files import data_of, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.imports.files import Source

__all__ = ["read"]

_PAGES: Final = "https://docs.astral.sh/ruff/rules/"


def read(source: Source) -> Iterator[Entry]:
    """Each rule; those of one linter are a domain."""
    rules = data_of(source)
    if not isinstance(rules, list):
        refuse(source.path, "the file", "expected a list of rules")
    for index, rule in enumerate(rules):
        if not (isinstance(rule, dict) and isinstance(rule.get("name"), str)):
            refuse(source.path, f"[{index}]", "expected a rule with a name")
        yield _entry(rule, f"[{index}]")


def _entry(rule: Mapping[str, Any], place: str) -> Entry:
    name, linter = rule["name"], rule.get("linter")
    title = linter if isinstance(linter, str) else "Rules without a code"
    # Links to other rules get the address of the page that the text comes from.
    text = re.sub(r"\]\(([\w-]+)\.md\)", rf"]({_PAGES}\1/)", str(rule.get("explanation") or ""))
    is_fixed = rule.get("fix_availability", "None") not in ("None", None)
    code = rule.get("code")
    facts = {
        "public": True,
        "hint": "Run `ruff check --fix`." if is_fixed else "",
        "description": text,
        **_status(rule),
        "docs": f"{_PAGES}{name}/",
    }
    return Entry(
        code=code if isinstance(code, str) and code else name.replace("-", "_"),
        place=place,
        domain=re.sub(r"\W", "_", title.lower()),
        domain_title=title,
        title=str(rule.get("summary") or ""),
        facts=facts,
        aliases=(name,),
    )


def _status(rule: Mapping[str, Any]) -> dict[str, str]:
    """Since when a rule is there, or was removed."""
    status = rule.get("status")
    if not isinstance(status, dict):
        return {}
    found: dict[str, str] = {}
    for name, facts in status.items():
        since = facts.get("since") if isinstance(facts, dict) else None
        if isinstance(since, str):
            found["deprecated" if name in ("Removed", "Deprecated") else "since"] = since.removeprefix("v")
    return found
