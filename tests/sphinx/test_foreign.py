"""Catalogues that nobody here wrote become registries, and registries become sites, without a warning."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from errkit.catalog_file import load
from tests.sphinx.sites import Site, elements, section


def ruff_rules() -> list[dict[str, Any]]:
    """What `ruff rule --all` prints: about a thousand rules, with explanations in Markdown."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "rule", "--all", "--output-format", "json"]
    found: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def ruff_catalogue(rules: list[dict[str, Any]]) -> dict[str, Any]:
    """The rules as `errkit.catalog/1`: a domain for each linter, the rule's name as an alias of its code."""
    domains: dict[str, dict[str, Any]] = {}
    for rule in rules:
        title = rule["linter"] or "Ruff"
        name = re.sub(r"\W+", "_", title).strip("_").lower()
        domain = domains.setdefault(name, {"domain": name, "title": title, "codes": []})
        domain["codes"].append(
            {
                "const": re.sub(r"\W", "_", rule["name"]).upper(),
                # A rule without a code yet gets one of its own.
                **({"code": rule["code"]} if rule["code"] else {}),
                "title": rule["summary"],
                "hint": rule["fix"],
                "description": without_headings(rule["explanation"]),
                "public": True,
                "aliases": [rule["name"]],
                "docs": f"https://docs.astral.sh/ruff/rules/{rule['name']}/",
            }
        )
    return {
        "format": "errkit.catalog/1",
        "registry": "ruff",
        "markup": "md",
        "domains": list(domains.values()),
    }


def without_headings(text: str) -> str:
    """The Markdown with bold lines for headings, outside of code; links between rules lead to codes."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(r"^#+ +(.*)$", r"**\1**\n", part, flags=re.MULTILINE) for part in parts[::2]]
    return re.sub(r"\]\(([a-z][a-z-]*)\.md\)", r"](#\1)", "".join(parts))


def check_site(site: Site, rules: list[dict[str, Any]]) -> None:
    """Every rule has an entry with its title, its hint and its explanation as they were."""
    site.write("ruff.json", json.dumps(ruff_catalogue(rules)))
    built = site.run()
    entries = {entry["aliases"][0]: entry for entry in built.json()["codes"]}
    assert entries.keys() == {rule["name"] for rule in rules}
    pages: dict[str, str] = {}
    for rule in rules:
        entry = entries[rule["name"]]
        page, _, anchor = entry["url"].partition("#")
        text = pages.setdefault(page, built.text(page))
        shown = section(text, anchor)
        found = elements(shown)
        [heading] = [element for element in found if element.tag == "h2"]
        assert heading.text == f"{entry['code']} {rule['summary']}\N{PILCROW SIGN}"
        hint = [element.text for element in found if element.attributes.get("class") == "errkit-hint"]
        assert hint == ([f"What to do {rule['fix']}"] if rule["fix"] else [])
        assert rule["name"] in html.unescape(shown)


@pytest.mark.full
def test_every_rule_of_ruff_is_on_a_site(tmp_path: Path) -> None:
    """All of them, with `-W -n`."""
    check_site(Site(tmp_path, 'errkit_registries = ["ruff.json"]\n'), ruff_rules())


def test_the_rules_of_one_linter_are_on_a_site(tmp_path: Path) -> None:
    """The Airflow rules: links between them, code in several languages, titles full of backquotes."""
    rules = [rule for rule in ruff_rules() if rule["linter"] == "Airflow"]
    assert len(rules) >= 5
    check_site(Site(tmp_path, 'errkit_registries = ["ruff.json"]\n'), rules)


def test_a_foreign_catalogue_is_a_registry_like_any_other(tmp_path: Path) -> None:
    """Its codes are found by code and by name, and it exports what it was made from."""
    rules = [rule for rule in ruff_rules() if rule["linter"] == "Airflow"]
    path = tmp_path / "ruff.json"
    path.write_text(json.dumps(ruff_catalogue(rules)), "utf-8")
    registry = load(path)
    assert len(registry) == len(rules)
    assert registry[rules[0]["name"]] is registry[rules[0]["code"]]
    path.write_text(registry.export(), "utf-8")
    assert load(path) == registry
