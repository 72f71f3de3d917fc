"""What the documentation says, done: its examples run, and its lists are those of the code."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import errkit
from errkit import CodedError, Details, code, to_payload
from errkit.codes import KINDS, default_alert
from errkit.decoding import MAX_ERRORS, MAX_GROUP_DEPTH
from errkit.safe import BOUNDS
from tests.sphinx.sites import Built
from tests.story import read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"])
DOCTESTS = sorted(
    path
    for path in (ROOT / "errkit").rglob("*.py")
    if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE)
)


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# --- examples -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in PAGES if any(read_blocks(page))], ids=page_name)
def test_every_example_of_a_page_runs_as_its_reader_would_run_it(page: Path) -> None:
    """From top to bottom in an empty folder: python, files, commands, and what each of them prints."""
    done = subprocess.run(
        # -P: the folder of the runner must not stand on sys.path, where `tests/sphinx` would hide Sphinx.
        [sys.executable, "-P", str(ROOT / "tests" / "story.py"), str(page)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", DOCTESTS, ids=page_name)
def test_every_example_in_a_docstring_runs(path: Path) -> None:
    """The reference is made from docstrings, so their examples are examples of the documentation."""
    module = importlib.import_module(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    )
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


def test_readme_shows_at_most_some_twenty_lines() -> None:
    """The first example of README fits on a screen."""
    example = next(iter(read_blocks(ROOT / "README.md")))
    assert len([line for line in example.text.splitlines() if line.strip()]) <= 20


# --- lists ----------------------------------------------------------------------------------------------


def tables(page: str) -> list[list[list[str]]]:
    """The tables of a page, each as rows of cells; the first row is the head."""
    found: list[list[list[str]]] = []
    inside = False
    for line in (DOCS / page).read_text("utf-8").splitlines():
        if line.startswith("|"):
            if not inside:
                found.append([])
            if not re.fullmatch(r"[|\s:-]+", line):
                found[-1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        inside = line.startswith("|")
    return found


def column(page: str, head: str) -> list[str]:
    """The literals in the first column of each table whose first head is `head`."""
    rows = [row for table in tables(page) if table[0][0] == head for row in table[1:]]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]


def headed(text: str) -> Iterator[tuple[str, str]]:
    """The sections of a page: heading and what follows it."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def test_the_table_of_kinds_is_the_one_in_the_code() -> None:
    """Each kind is there, with its verdicts."""
    rows = tables("reference/kinds.md")[0][1:]
    said = [(row[0].split("`")[1], row[2], row[3]) for row in rows]
    assert said == [(kind, yes(kind == "transient"), yes(default_alert(kind))) for kind in KINDS]


def yes(fact: bool) -> str:
    return "yes" if fact else "no"


class _Everything(Details):
    seat: str


def test_every_key_of_a_payload_is_explained() -> None:
    """An error that carries all that an error can carry has exactly the keys of the table."""
    registry = errkit.Registry("docs_test")
    registry.base_url = "https://errors.example"

    class EverythingError(CodedError, domain="docs.everything", numbers=range(1, 9), registry=registry):
        ALL = code("All at once", _Everything, number=1, hint="Read on.", public=True, retry_after=1)

    error = EverythingError.ALL(seat="7F").override(retries_spent=True, supported_on="Linux")
    error.add_note("noted")
    error.note_facts(
        diagnostic_id="d-1",
        log_path="/log",
        secondary=(ValueError("cleanup"),),
        group=(ValueError("member"),),
    )
    for _ in range(40):
        error.__cause__, last = ValueError("cause"), error.__cause__
        error.__cause__.__cause__ = last
    payload = to_payload(error)
    assert column("reference/payload.md", "Key") == list(payload_keys(payload))


def payload_keys(payload: dict[str, Any]) -> Iterator[str]:
    order = column("reference/payload.md", "Key")
    yield from sorted(payload, key=lambda key: order.index(key) if key in order else len(order))


def test_the_bounds_are_those_of_the_code() -> None:
    """Every bound of the total pass is stated with its number."""
    said = [
        int(re.findall(r"[\d,]+", row[1])[0].replace(",", "")) for row in tables("reference/forms.md")[1][1:]
    ]
    assert said == [*(bound for _, bound in BOUNDS.__iter_fields__()), MAX_GROUP_DEPTH, MAX_ERRORS]


def test_every_key_of_a_catalogue_file_is_explained() -> None:
    """The tables are the keys that the reader knows, in its order or not, and no others."""
    from errkit.catalog_file import shapes

    sections = dict(headed((DOCS / "reference/catalog-format.md").read_text("utf-8")))
    known = {
        "The file": shapes.REGISTRY_KEYS,
        "A domain": shapes.DOMAIN_KEYS,
        "A code": shapes.CODE_KEYS,
        "A field of the details": shapes.FIELD_KEYS,
        "A reason": shapes.REASON_KEYS,
    }
    for title, keys in known.items():
        said = re.findall(r"^\| `(\w+)` \|", sections[title], re.MULTILINE)
        assert sorted(said) == sorted(keys), title


def test_every_public_name_is_in_the_reference() -> None:
    """Whatever `from errkit import ...` gives has an entry, errkit's own two domains in prose."""
    text = (DOCS / "reference/api.md").read_text("utf-8")
    entries = set(re.findall(r"^\.\. (?:auto)?(?:function|class|exception|data):: (\w+)", text, re.MULTILINE))
    entries |= set(re.findall(r"`errkit\.(\w+)` (?:is )?the domain", text))
    assert set(vars(errkit)["__all__"]) <= entries


def test_links_to_files_lead_somewhere() -> None:
    """Relative links of README, CONTRIBUTING and CHANGELOG name files; Sphinx checks those of docs/."""
    for page in PAGES:
        if DOCS not in page.parents:
            for target in re.findall(r"\]\(((?!\w+:)[^)#]+)\)", page.read_text("utf-8")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_directive_role_and_option_is_explained() -> None:
    """The sections of the page are the directives, their tables the options, the first table the roles."""
    from errkit.sphinx.directives import DIRECTIVES
    from errkit.sphinx.domain import ErrorDomain

    assert column("reference/directives.md", "Role") == [
        f"err:{role}" for role in sorted(ErrorDomain.roles, key=_role_order)
    ]
    text = (DOCS / "reference/directives.md").read_text("utf-8")
    parts = re.split(r"^### err:(\w+)$", text, flags=re.MULTILINE)
    said = {
        name: re.findall(r"^\| `([\w-]+)` \|", part, re.MULTILINE)
        for name, part in zip(parts[1::2], parts[2::2], strict=True)
    }
    assert {name: sorted(options) for name, options in said.items()} == {
        name: sorted(directive.option_spec or ()) for name, directive in DIRECTIVES.items()
    }


def _role_order(role: str) -> int:
    return ["code", "number", "domain", "registry"].index(role)


def test_every_room_of_the_house_exists() -> None:
    """The rooms on the page of the house are modules of errkit, in the order of the floors."""
    rows = tables("explanation/house.md")[0][1:]
    rooms = [room for row in rows for text in re.findall(r"`([^`]+)`", row[1]) for room in text.split()]
    order = re.findall(
        r"[a-z_]+", (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("```text")[1].split("```")[0]
    )
    assert rooms == [room for room in order if room in rooms]
    for room in rooms:
        assert importlib.util.find_spec(f"errkit.{room}") is not None


def test_every_command_and_option_is_explained() -> None:
    """The sections of the page are the commands, their tables the options."""
    import click

    from errkit.cli.app import commands

    text = (DOCS / "reference/command-line.md").read_text("utf-8")
    said = {
        name.removeprefix("errkit "): set(re.findall(r"`(--[\w-]+)[` ]", part))
        for name, part in headed(text)
        if name.startswith("errkit ")
    }
    # The forms of a group have their options in common.
    found = {
        name: {
            option
            for each in (command.commands.values() if isinstance(command, click.Group) else [command])
            for parameter in each.params
            for option in (*parameter.opts, *parameter.secondary_opts)
            if isinstance(parameter, click.Option) and option.startswith("--")
        }
        for name, command in commands.commands.items()
    }
    assert said == found


def test_every_setting_is_explained() -> None:
    """The tables are the keys of `[tool.errkit]` and the values of conf.py."""
    from errkit.config import settings
    from errkit.sphinx.config import setup_config

    class App:
        def __init__(self) -> None:
            self.names: list[str] = []

        def add_config_value(self, name: str, *_: Any, **__: Any) -> None:
            self.names.append(name)

    app = App()
    setup_config(app)  # type: ignore[arg-type]
    assert sorted(column("reference/configuration.md", "Setting")) == sorted(app.names)
    assert sorted(column("reference/configuration.md", "Key")) == sorted(settings._READERS)


# --- the site -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site() -> Path:
    """The documentation, built as `make site` builds it, and where: what it has built is not built again."""
    options = ["-q", "-W", "-n", "-b", "html", "-d", "build/doctrees"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, "docs", "build/site"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode:
        # Sphinx does not repeat the warnings of pages that it has read.
        shutil.rmtree(ROOT / "build/doctrees", ignore_errors=True)
    assert done.returncode == 0, done.stdout
    return ROOT / "build/site"


def test_every_page_is_reached_by_links_from_the_landing_page(site: Path) -> None:
    """Whoever only follows links sees all: guides, reference, and the page of each domain."""
    seen: set[Path] = set()
    waiting = [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        links = re.findall(r'href="([^"#:?]+\.html)(?:#[^"]*)?"', page.read_text("utf-8"))
        waiting += [(page.parent / link).resolve() for link in links]
    # What the inventory lists, and not what an earlier build may have left.
    inventory = Built(site, [], [], []).inventory()
    pages = {site / address for (kind, _), address in inventory.items() if kind == "std:doc"}
    assert len(pages) > 50
    assert pages <= seen | {site / "404.html"}


@pytest.mark.parametrize("link", ["os.fs.permission_denied", "2001", "DEVICE_IN_USE"])
def test_a_code_is_found_by_what_somebody_was_told(site: Path, link: str) -> None:
    """A code or number leads, without a script, to an anchor that is really on its page."""
    text = (site / "e" / link / "index.html").read_text("utf-8")
    address = re.findall(r'href="([^"]+#[^"]+)"', text)[0]
    page, _, anchor = address.partition("#")
    assert f'id="{anchor}"' in (site / "e" / link / page).read_text("utf-8")
