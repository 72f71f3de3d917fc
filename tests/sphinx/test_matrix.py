"""Every builder, theme, markup, Sphinx and Python that the extension promises to work with.

`make test` has HTML from either markup, and each other builder once; the rest is for
`make test-all`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.sphinx.matrix import BUILDERS, ENVIRONMENTS, THEMES, build, build_each, web_server, write_host
from tests.sphinx.sites import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FURO = ("-D", "html_theme=furo")


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[str, list[str]]]:
    """The server that the links of the hosts lead to, and what was asked of it."""
    with web_server() as served:
        yield served


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory, web: tuple[str, list[str]]) -> dict[str, Path]:
    """The same project in each markup."""
    folder = tmp_path_factory.mktemp("hosts")
    return {markup: write_host(folder / markup, markup, web[0]) for markup in ("rst", "md")}


@pytest.mark.parametrize(("markup", "theme"), [("rst", "pydata_sphinx_theme"), ("md", "furo")])
def test_html_from_either_markup(hosts: dict[str, Path], tmp_path: Path, markup: str, theme: str) -> None:
    """`-W -n`: the codes are there, and the page of the host refers to them."""
    built = build(hosts[markup], tmp_path, "html", "-D", f"html_theme={theme}")
    assert 'id="err-shop-cart-empty"' in (built / "errors/shop.cart.html").read_text("utf-8")
    index = (built / "index.html").read_text("utf-8")
    for anchor in ("err-shop-cart-empty", "err-shop-cart-locked", "err-shop-cart-gone"):
        assert f"#{anchor}" in index


def test_each_other_builder(hosts: dict[str, Path], tmp_path: Path) -> None:
    """`-W -n`, from Markdown; https://github.com/useblocks/sphinx-needs/issues/796"""
    assert build_each(hosts["md"], tmp_path, BUILDERS[1:]) == dict.fromkeys(BUILDERS[1:], "")


def test_links_are_checked_where_they_lead(
    hosts: dict[str, Path], tmp_path: Path, web: tuple[str, list[str]]
) -> None:
    """`linkcheck` asks the server for links in facts, in prose, to sources, and of the host."""
    address, asked = web
    asked.clear()
    built = build(hosts["rst"], tmp_path, "linkcheck")
    lines = (built / "output.json").read_text("utf-8").splitlines()
    said = {line["uri"]: line["status"] for line in map(json.loads, lines)}
    ours = {uri: status for uri, status in said.items() if uri.startswith(address)}
    assert set(ours.values()) == {"working"}
    assert {"/", "/in-facts", "/in-prose", "/source/linked.py"} <= set(asked)


def test_a_broken_link_in_facts_is_found(tmp_path: Path, web: tuple[str, list[str]]) -> None:
    """A code whose `docs` lead nowhere fails `linkcheck -W`, and the page is named."""
    source = write_host(tmp_path / "source", "rst", web[0])
    text = (source / "linked.py").read_text("utf-8")
    (source / "linked.py").write_text(text.replace("/in-facts", "/missing"), "utf-8")
    with pytest.raises(AssertionError, match=r"errors/linked/linked\.errkit.*/missing.*404"):
        build(source, tmp_path, "linkcheck")


@pytest.mark.full
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("markup", ["rst", "md"])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_full_matrix_of_themes(
    hosts: dict[str, Path], tmp_path: Path, environment: str, markup: str, theme: str, jobs: str
) -> None:
    """HTML on the oldest and the newest Sphinx and on Python 3.13, serial and parallel."""
    options = ("-D", f"html_theme={theme}", "-j", jobs)
    built = build(hosts[markup], tmp_path, "html", *options, environment=environment)
    assert 'id="err-shop-cart-empty"' in (built / "errors/shop.cart.html").read_text("utf-8")


@pytest.mark.full
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("builder", BUILDERS[1:])
@pytest.mark.parametrize("markup", ["rst", "md"])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_full_matrix_of_builders(
    hosts: dict[str, Path], tmp_path: Path, environment: str, markup: str, builder: str, jobs: str
) -> None:
    """Every other builder on the oldest and the newest Sphinx and on Python 3.13, serial and parallel."""
    build(hosts[markup], tmp_path, builder, *FURO, "-j", jobs, environment=environment)


@pytest.mark.full
@pytest.mark.parametrize("markup", ["rst", "md"])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_pdf(hosts: dict[str, Path], tmp_path: Path, environment: str, markup: str) -> None:
    """xelatex makes a PDF without an error, and every reference in it leads somewhere."""
    missing = [tool for tool in ("latexmk", "xelatex") if shutil.which(tool) is None]
    if missing:
        pytest.fail(f"{' and '.join(missing)} missing: install what `make test-all` names", pytrace=False)
    built = build(hosts[markup], tmp_path, "latex", "-D", "latex_engine=xelatex", environment=environment)
    latexmk = ["latexmk", "-pdfxe", "-interaction=nonstopmode", "-halt-on-error", "-silent", "theirs.tex"]
    done = subprocess.run(latexmk, cwd=built, capture_output=True, text=True, check=False)
    log = (built / "theirs.log").read_text("utf-8", "replace")
    assert done.returncode == 0, log[-4000:]
    assert (built / "theirs.pdf").read_bytes().startswith(b"%PDF-")
    assert "undefined references" not in log


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("index.rst", "Theirs\n======\n\n.. toctree::\n\n   guide\n", "   errors/index\n"),
        ("index.md", "# Theirs\n\n```{toctree}\nguide\n", "errors/index\n"),
    ],
    ids=["rst", "md"],
)
def test_an_existing_site_needs_two_lines_and_an_entry(
    tmp_path: Path, page: str, before: str, after: str
) -> None:
    """Two lines in conf.py, one line in a toctree, and the site has its reference."""
    markdown = page.endswith(".md")
    end = "```\n" if markdown else ""
    site = Site(tmp_path)
    site.remove("index.rst")
    site.write("guide.rst", "Guide\n=====\n")
    conf = f'project = "Theirs"\nextensions = {["myst_parser"] if markdown else []}\n'
    site.write("conf.py", conf)
    site.write(page, before + end)
    assert site.build(nitpicky=True).warnings == []
    lines = 'extensions += ["errkit.sphinx"]\nerrkit_registries = ["shop"]\n'
    site.write("conf.py", conf + lines)
    site.write(page, before + after + end)
    built = site.build(nitpicky=True)
    assert built.warnings == []
    assert 'href="errors/index.html"' in built.text("index.html")
    assert "Cart is empty" in built.text("errors/shop.cart.html")
