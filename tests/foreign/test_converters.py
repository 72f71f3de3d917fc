"""Lists that nobody here wrote, converted as docs/how-to/convert.md says, on one site."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from errkit import Registry
from errkit.declaring import fold
from tests.foreign.workshop import (
    SERVICES,
    Entry,
    addresses,
    aws_errors,
    build,
    convert,
    postgres_states,
    pylint_messages,
    ruff_rules,
    save_files,
    sections,
    squeezed,
    text_of,
)
from tests.sphinx.sites import Built, ids, warnings_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LISTS = ("ruff", "pylint", "aws", "postgres")


def entries(registry: str, *services: str) -> tuple[Entry, ...]:
    """A list as its owner has it."""
    if registry == "aws":
        return aws_errors(*(services or SERVICES))
    return {"ruff": ruff_rules, "pylint": pylint_messages, "postgres": postgres_states}[registry]()


def by_code(site: Built, registry: str) -> dict[str, dict[str, str]]:
    """What errors.json says of a list."""
    return {each["code"]: each for each in site.json()["codes"] if each["registry"] == registry}


@pytest.fixture(scope="session")
def shown(site: Built) -> Mapping[str, str]:
    """The HTML of each code of the site, by address."""
    return sections(site.folder)


@pytest.fixture(params=LISTS)
def registry(request: pytest.FixtureRequest) -> str:
    """Each list."""
    name: str = request.param
    return name


def on_page(site: Built, shown: Mapping[str, str], registry: str) -> Iterator[tuple[Entry, str]]:
    """Each entry of a list with its HTML."""
    listed = by_code(site, registry)
    for entry in entries(registry):
        yield entry, shown[listed[entry.code]["url"]]


# --- entries ----------------------------------------------------------------------------------------------


def test_a_site_of_foreign_lists_has_no_warnings(site: Built) -> None:
    """Four lists, two thousand entries, -W -n."""
    assert site.warnings == []
    assert len(site.json()["codes"]) == sum(len(entries(registry)) for registry in LISTS)


def test_every_entry_is_listed_and_its_address_leads_to_an_anchor(
    site: Built, shown: Mapping[str, str], registry: str
) -> None:
    """In objects.inv, in errors.json, on its page, on the index of all codes; its short link is there."""
    listed, inventory, index = by_code(site, registry), site.inventory(), site.text("errors/index.html")
    assert sorted(listed) == sorted(entry.code for entry in entries(registry))
    for code, entry in listed.items():
        assert inventory["err:code", f"{registry}:{code}"] == entry["url"]
        assert entry["url"] in shown
        assert f'#{entry["anchor"]}"' in index
        assert (site.folder / entry["link"] / "index.html").is_file()


def test_no_anchor_stands_twice_on_a_page(site: Built) -> None:
    """Nor does one whose code and other name are the same when folded."""
    for page in (site.folder / "errors").rglob("*.html"):
        found = ids(page.read_text("utf-8"))
        assert len(found) == len(set(found)), page.name


def test_an_entry_is_found_by_its_other_name(site: Built, registry: str) -> None:
    """`unused-import` leads to both linters that have it, `UniqueViolation` to its SQLSTATE."""
    listed = by_code(site, registry)
    for entry in entries(registry):
        if entry.name:
            page = site.text(f"e/{registry}/{entry.name}/index.html")
            assert listed[entry.code]["url"] in page


# --- texts ------------------------------------------------------------------------------------------------


def test_titles_and_facts_arrive_unchanged(site: Built, shown: Mapping[str, str], registry: str) -> None:
    """With `%s`, `{name}`, quotes of every kind, stars, angle brackets."""
    for entry, section in on_page(site, shown, registry):
        heading = re.findall(r"<h\d>(.*?)</h\d>", section, re.DOTALL)
        assert len(heading) == 1, entry.code
        title = text_of(heading[0])
        if registry in ("aws", "postgres"):
            assert squeezed(entry.title).rstrip("_") in squeezed(title)
        else:
            assert entry.title in title
        text = squeezed(text_of(section))
        assert [word for word in entry.words if squeezed(word) not in text] == [], entry.code


def test_prose_arrives_word_for_word(site: Built, shown: Mapping[str, str], registry: str) -> None:
    """Every character but whitespace, in order: code, quotes, arrows, right-to-left marks."""
    lost = [
        entry.code
        for entry, section in on_page(site, shown, registry)
        if squeezed(text_of(entry.prose)) not in squeezed(text_of(section))
    ]
    assert lost == []


@pytest.mark.parametrize("registry", ["ruff", "aws"])
def test_prose_is_rendered(site: Built, shown: Mapping[str, str], registry: str) -> None:
    """What is a link, a piece of code or an item of a list in the source is one on the page."""
    page = "https://docs.astral.sh/ruff/rules/"
    for entry, section in on_page(site, shown, registry):
        prose = re.sub(r'href="([\w-]+)\.md"', r'href="\1/"', entry.prose)
        assert addresses(prose, page) <= addresses(section, page), entry.code
        for tag in ("li", "pre"):
            wanted = len(re.findall(rf"<{tag}\b", entry.prose))
            assert len(re.findall(rf"<{tag}\b", section)) >= wanted, (entry.code, tag)
        literals = {squeezed(text_of(text)) for text in re.findall(r"<code>(.*?)</code>", entry.prose)}
        assert literals <= {
            squeezed(text_of(text)) for text in re.findall(r"<code\b[^>]*>(.*?)</code>", section, re.DOTALL)
        }, entry.code


def test_headings_of_foreign_prose_are_bold_lines(site: Built, shown: Mapping[str, str]) -> None:
    """`## What it does` stays visible, and makes no section."""
    for entry, section in on_page(site, shown, "ruff"):
        headings = re.findall(r"<h2>(.*?)</h2>", entry.prose)
        assert headings
        bold = {text_of(text) for text in re.findall(r"<strong>(.*?)</strong>", section)}
        assert {text_of(heading) for heading in headings} <= bold


def test_a_heading_that_stays_is_reported_with_file_and_line(workshop: Path, tmp_path: Path) -> None:
    """Without a word on headings in the catalogue, errkit warns of each one."""
    catalogue = json.loads((workshop / "ruff.json").read_text("utf-8"))
    del catalogue["headings"]
    first = catalogue["domains"][0]
    first["codes"] = first["codes"][:1]
    first["codes"][0]["description"] = (
        "## What it does\nChecks.\n\n## Example\n```python\n# no heading\n```\n"
    )
    path = tmp_path / "ruff.json"
    path.write_text(json.dumps({**catalogue, "domains": [first]}, indent=2), "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_text(
        'extensions = ["errkit.sphinx"]\nerrkit_registries = ["../ruff.json"]\n', "utf-8"
    )
    done = build(tmp_path, "basic")
    assert done.returncode != 0
    found = warnings_in(done.stderr)
    for warning, title in zip(found, ("What it does", "Example"), strict=True):
        assert re.search(rf"ruff\.json:\d+: WARNING: .*headings.*'{title}'", warning)


# --- the whole of it --------------------------------------------------------------------------------------


def test_catalogues_of_foreign_lists_come_back_from_an_export(workshop: Path, tmp_path: Path) -> None:
    """Reading and writing a foreign list changes nothing."""
    for path in workshop.glob("*.json"):
        loaded = Registry.load(path)
        again = tmp_path / path.name
        again.write_text(loaded.export(), "utf-8")
        assert Registry.load(again) == loaded
        assert len({fold(spec.code) for spec in loaded}) == len(loaded)


@pytest.mark.full
@pytest.mark.parametrize("theme", ["basic", "furo"])
def test_all_services_of_aws_make_a_site(tmp_path: Path, theme: str) -> None:
    """Some six thousand errors of more than four hundred services, each as its model has it."""
    save_files(tmp_path)
    convert(tmp_path)
    conf = tmp_path / "docs" / "conf.py"
    conf.write_text(
        re.sub(r"(?m)^errkit_registries.*", 'errkit_registries = ["../aws.json"]', conf.read_text())
    )
    done = build(tmp_path, theme)
    assert done.returncode == 0, done.stderr
    site = Built(tmp_path / theme, [], [], [])
    shown, listed, inventory = sections(site.folder), by_code(site, "aws"), site.inventory()
    known = aws_errors()
    assert len(known) == len(listed) > 5000
    for entry in known:
        address = listed[entry.code]["url"]
        assert inventory["err:code", f"aws:{entry.code}"] == address
        text = squeezed(text_of(shown[address]))
        assert squeezed(text_of(entry.prose)) in text, entry.code
        assert [word for word in entry.words if squeezed(word) not in text] == [], entry.code
