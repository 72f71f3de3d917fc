"""Pages without files: they appear, give way to real ones, and never touch the source folder."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.config import Config
from sphinx.project import Project

from errkit.sphinx.nodes import error_code
from errkit.sphinx.pages import ErrkitProject, contents, with_codes
from tests.sphinx.sites import SAMPLES, THEMES, Built, Site, elements


def files(folder: Path) -> dict[str, int]:
    """Every file below a folder, with the time of its last change."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()
    }


def test_nothing_is_written_into_the_source_folder(site: Site) -> None:
    """Generated sources get committed, go stale and rebuild for ever.

    https://github.com/sphinx-doc/sphinx/issues/1139, https://github.com/sphinx-doc/sphinx-autobuild/issues/154,
    https://github.com/probabilistic-numerics/probnum/issues/88
    """
    before = files(site.folder)
    site.build()
    assert files(site.folder) == before


def test_a_read_only_source_folder_is_enough(site: Site) -> None:
    """A site can be built from a checkout that nobody may write to."""
    paths = [site.folder, *site.folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert site.build().warnings == []
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_real_page_wins_and_gives_way_again(site: Site) -> None:
    """It appears and vanishes cleanly, whatever its time of change says."""
    site.build()
    real = site.write("errors/shop.pay.rst", "Paying\n======\n\nOurs.\n\n.. err:domain:: shop.pay\n")
    os.utime(real, (1_000_000_000, 1_000_000_000))
    built = site.build()
    assert built.warnings == []
    assert built.read == ["errors/shop.pay"]
    page = built.text("errors/shop.pay.html")
    assert "Ours." in page
    assert 'id="err-shop-pay-declined"' in page
    real.unlink()
    again = site.build()
    assert again.warnings == []
    assert again.read == ["errors/shop.pay"]
    assert "Ours." not in again.text("errors/shop.pay.html")
    assert 'id="err-shop-pay-declined"' in again.text("errors/shop.pay.html")


def test_a_real_page_in_markdown_wins_too(tmp_path: Path) -> None:
    """Whatever the project is written in."""
    site = Site(tmp_path, 'extensions.append("myst_parser")\nerrkit_registries = ["shop"]\n')
    site.write("errors/shop.pay.md", "# Paying\n\nOurs.\n\n```{err:domain} shop.pay\n```\n")
    built = site.build()
    assert built.warnings == []
    assert "Ours." in built.text("errors/shop.pay.html")


def test_a_project_of_markdown_alone_has_the_pages(tmp_path: Path) -> None:
    """It need not know reStructuredText at all."""
    site = Site(tmp_path, 'extensions.append("myst_parser")\nerrkit_registries = ["shop", "notes"]\n')
    site.edit("conf.py", '{".rst": "restructuredtext"}', '{".md": "markdown"}')
    site.remove("index.rst")
    site.write("index.md", "# Site\n\n```{toctree}\nerrors/index\n```\n")
    built = site.build()
    assert built.warnings == []
    assert "<em>shared</em>" in built.text("errors/shop.cart.html")
    assert "<em>where</em>" in built.text("errors/notes/notes.html")


def test_a_further_registry_gathers_its_domains_on_a_page_of_its_own(tmp_path: Path) -> None:
    """So the navigation tells domains of the same title apart, and no page moves when one is added."""
    alone = Site(tmp_path / "alone", 'errkit_registries = ["shop"]\n').build()
    both = Site(tmp_path / "both", 'errkit_registries = ["shop", "depot"]\n').build()
    assert both.warnings == []
    assert not (alone.folder / "errors" / "shop").exists()
    assert both.app is not None
    entries = both.app.env.toctree_includes
    assert "errors/shop.cart" in entries["errors/index"]
    assert "errors/depot/index" in entries["errors/index"]
    assert not any(page.startswith("errors/depot/shop") for page in entries["errors/index"])
    assert "errors/depot/shop.cart" in entries["errors/depot/index"]
    assert both.inventory()["err:registry", "depot"] == "errors/depot/index.html#err-registry-depot"
    assert both.inventory()["err:registry", "shop"] == "errors/index.html#err-registry-shop"


def test_pages_that_the_project_excludes_do_not_appear(tmp_path: Path) -> None:
    """`exclude_patterns` counts for them as for files."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nexclude_patterns = ["errors/shop.pay*"]\n')
    built = site.build()
    assert not (built.folder / "errors" / "shop.pay.html").exists()
    assert (built.folder / "errors" / "shop.cart.html").exists()


def test_without_pages_only_directives_show_codes(tmp_path: Path) -> None:
    """`errkit_pages = False` leaves every page to the project."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nerrkit_pages = False\n')
    site.write("index.rst", "Site\n====\n\n.. err:code:: shop.pay.broken\n")
    built = site.build()
    assert built.warnings == []
    assert not (built.folder / "errors").exists()
    assert [entry["code"] for entry in built.json()["codes"]] == ["shop.pay.broken"]


def test_a_page_without_a_file_has_no_source_and_no_edit_link(tmp_path: Path) -> None:
    """A link to a file that is not there is worse than none; the other pages keep theirs."""
    options = (
        'html_theme_options = {"source_repository": "https://github.com/x/y/", "source_branch": "main"}\n'
    )
    site = Site(tmp_path, f'errkit_registries = ["shop"]\n{options}')
    built = site.build(html_theme="furo")
    assert "/edit/main/" in built.text("index.html")
    assert "/edit/main/" not in built.text("errors/shop.cart.html")
    assert "_sources" not in built.text("errors/shop.cart.html")
    assert sorted(path.name for path in (built.folder / "_sources").rglob("*.txt")) == ["index.rst.txt"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_contents_list_of_a_page_lists_its_codes(tmp_path: Path, theme: str) -> None:
    """Although a code is no section: sections would slow every page of some themes.

    https://github.com/pradyunsg/furo/issues/674
    """
    sidebars = 'html_sidebars = {"**": ["localtoc.html"]}\n' if theme in ("basic", "alabaster") else ""
    site = Site(tmp_path, f'errkit_registries = ["shop"]\n{sidebars}')
    page = site.build(html_theme=theme).text("errors/shop.cart.html")
    found = [e for e in elements(page[page.index("<body") : page.rindex("</body>") + 7]) if e.tag == "li"]
    assert any(e.text.strip() == "shop.cart.empty" for e in found)
    if theme == "furo":
        assert 'class="toc-drawer"' in page
        assert "toc-drawer no-toc" not in page


def test_the_navigation_of_a_site_holds_domains_and_no_codes(shop: Built) -> None:
    """Thousands of codes in the tree of all pages would cost each page.

    https://github.com/Qiskit/qiskit_sphinx_theme/issues/328
    """
    assert shop.app is not None
    for toc in shop.app.env.tocs.values():
        assert "shop.cart.empty" not in toc.astext()


def test_contents_stand_under_the_section_that_holds_them() -> None:
    """Before its subsections, as on the page."""
    document = nodes.document(None, None)  # type: ignore[arg-type]
    code = {name: error_code("", code=name, ids=[f"err-{name}"]) for name in "abc"}
    sub = nodes.section("", nodes.title("", "Sub"), code["c"], ids=["sub"])
    top = nodes.section("", nodes.title("", "Top"), code["a"], nodes.paragraph(), code["b"], sub, ids=["top"])
    document += top
    found = list(contents(document))
    assert found == [("", [code["a"], code["b"]]), ("sub", [code["c"]])]
    toc = (
        '<ul>\n<li><a class="reference internal" href="#">Top</a><ul>\n'
        '<li><a class="x" href="#sub">Sub</a></li>\n</ul>\n</li>\n</ul>'
    )
    links = [e.attributes["href"] for e in elements(with_codes(toc, found)) if e.tag == "a"]
    assert links == ["#", "#err-a", "#err-b", "#sub", "#err-c"]


def test_the_project_survives_pickling_and_restoring(tmp_path: Path) -> None:
    """It is kept with the environment between builds."""
    project = ErrkitProject(tmp_path, [".rst"])
    project.offered = {"a/b": tmp_path / "x.errkit"}
    project.discover()
    again = pickle.loads(pickle.dumps(project))
    assert again.virtual == {"a/b"}
    assert str(again.doc2path("a/b", absolute=False)) == str(Path("a/b.errkit"))
    assert Path(again.doc2path("a/b", absolute=True)) == tmp_path / "x.errkit"
    assert again.path2doc(tmp_path / "x.errkit") == "a/b"
    plain = Project(tmp_path, [".rst"])
    plain.restore(again)
    assert plain.docnames == {"a/b"}


def test_other_projects_in_the_process_do_not_learn_our_suffix(site: Site) -> None:
    """Sphinx keeps the default of `source_suffix` in one dictionary for all."""
    site.edit("conf.py", 'source_suffix = {".rst": "restructuredtext"}\n', "")
    assert site.build().warnings == []
    assert ".errkit" not in Config.config_values["source_suffix"].default


@pytest.mark.parametrize("said", ['".rst"', '[".rst"]', '(".rst", ".txt")'], ids=["one", "list", "tuple"])
def test_the_suffixes_may_be_said_in_the_old_ways(site: Site, said: str) -> None:
    """As `sphinx-quickstart` wrote it for years, and as most projects still have it."""
    site.edit("conf.py", '{".rst": "restructuredtext"}', said)
    built = site.build()
    assert built.warnings == []
    assert "errors/shop.pay" in built.read


def test_an_extension_that_replaces_the_project_is_named(site: Site) -> None:
    """What we rely on is checked, and the message says how to do without."""
    site.write(
        "theirs.py",
        "from sphinx.project import Project\nclass Theirs(Project):\n    pass\n"
        "def swap(app):\n    app.project = app.env.project = Theirs(app.srcdir, app.config.source_suffix)\n"
        'def setup(app):\n    app.connect("builder-inited", swap, priority=1)\n',
    )
    site.edit("conf.py", '["errkit.sphinx"]', '["errkit.sphinx", "theirs"]')
    done = site.command("html")
    assert done.returncode == 2
    assert "set errkit_pages = False" in done.stderr


def test_no_path_of_this_machine_is_published(both: Built) -> None:
    """A site built elsewhere is the same site."""
    here = [str(SAMPLES), str(both.folder.parent.parent), str(Path(__file__).parent.parent.parent)]
    for path in both.folder.rglob("*"):
        if path.is_file():
            assert not any(each.encode() in path.read_bytes() for each in here), path


def test_paths_with_spaces_and_other_letters(tmp_path: Path) -> None:
    """Folders may be called anything."""
    site = Site(
        tmp_path / "ein Ordner \u00e9\u4e2d [x] #1",
        'errkit_registries = ["shop"]\nerrkit_prose = "die Texte [1]"\n',
    )
    site.write("die Texte [1]/shop.pay/shop.pay.broken.rst", "Out of order.")
    built = site.run()
    assert "Out of order." in built.text("errors/shop.pay.html")


def test_two_builders_at_once_do_not_disturb_each_other(site: Site) -> None:
    """Also when they share the folder of doctrees from the start."""
    done = []
    for builder in ("html", "text"):
        command = [
            "-m",
            "sphinx",
            "-q",
            "-W",
            "-b",
            builder,
            "-d",
            str(site.target / "shared"),
            str(site.folder),
        ]
        done.append(start(site, [*command, str(site.target / builder)]))
    for process in done:
        _, said = process.communicate()
        assert process.returncode == 0, said
    assert "shop.cart.empty" in (site.target / "text" / "errors" / "shop.cart.txt").read_text("utf-8")


def start(site: Site, arguments: list[str]) -> subprocess.Popen[str]:
    """A Python process that finds what a site imports."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site.folder), str(SAMPLES), *sys.path))}
    return subprocess.Popen(
        [sys.executable, *arguments], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_the_doctrees_may_lie_in_the_source_folder(tmp_path: Path) -> None:
    """`sphinx-build . out` with nothing excluded: our own files are no pages of the project."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\n')
    site.target = site.folder / "out"
    first, second = site.build(), site.build()
    assert first.warnings == second.warnings == []
    assert set(first.read) == {"index", "errors/index", "errors/shop.cart", "errors/shop.pay"}
    shutil.rmtree(site.target)
