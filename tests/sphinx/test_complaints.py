"""What users of other reference sites complained of, and the tests that keep errkit's out of it.

Each row names public reports, as paths under https://github.com/, and the tests that cite one of them. Those
of no single module are here.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from errkit import CodedError, Registry, code
from errkit.sphinx import setup

if TYPE_CHECKING:
    from tests.sphinx.sites import Built

HERE = Path(__file__).parent
SOURCES = Path(setup.__code__.co_filename).parent


class Complaint(NamedTuple):
    """A complaint, the reports of it, and the tests that cite one of them."""

    complaint: str
    reports: tuple[str, ...]
    tests: tuple[str, ...]


def _row(complaint: str, reports: str, *tests: str) -> Complaint:
    return Complaint(complaint, tuple(reports.split()), tests)


COMPLAINTS = {
    1: _row(
        "pages are written into the source folder",
        "sphinx-doc/sphinx/issues/1139 sphinx-doc/sphinx/issues/10641",
        "test_pages.py::test_nothing_is_written_into_the_source_folder",
    ),
    2: _row(
        "hundreds of pages are read again with nothing changed",
        "readthedocs/sphinx-autoapi/issues/380 readthedocs/sphinx-autoapi/issues/191",
        "test_digest.py::test_a_build_without_changes_reads_and_writes_nothing",
    ),
    3: _row(
        "what has not changed is written again; what comes from a data file is stale",
        "boschglobal/doxysphinx/issues/99 pylint-dev/pylint/pull/11260",
        "test_publish.py::test_nothing_is_written_twice",
        "test_digest.py::test_prose_files_come_change_and_go",
    ),
    4: _row(
        "a generated file starts the next live build, for ever",
        "sphinx-doc/sphinx-autobuild/issues/154 sphinx-doc/sphinx-autobuild/issues/187",
        "test_pages.py::test_nothing_is_written_into_the_source_folder",
    ),
    5: _row(
        "generated pages are committed by mistake",
        "probabilistic-numerics/probnum/issues/88 SeldonIO/alibi/issues/507",
        "test_pages.py::test_nothing_is_written_into_the_source_folder",
    ),
    6: _row(
        "pages of what is gone linger",
        "sphinx-doc/sphinx/issues/10458 sandialabs/pyttb/issues/410",
        "test_digest.py::test_a_domain_that_comes_and_goes_takes_its_page_along",
    ),
    7: _row(
        "the source has changed, and its page has not",
        "sphinx-contrib/typer/issues/35 mantidproject/mantidimaging/issues/1527",
        "test_digest.py::test_a_changed_code_reads_its_page_and_writes_what_refers_to_it",
    ),
    8: _row(
        "a file that is not there yet is no dependency",
        "sphinx-contrib/sphinxcontrib-towncrier/issues/1",
        "test_digest.py::test_prose_files_come_change_and_go",
    ),
    9: _row(
        "everything is read in each build, to be sure",
        "pyodide/sphinx-js/issues/194",
        "test_digest.py::test_a_touched_file_and_a_comment_change_nothing",
    ),
    10: _row(
        "a changed setting or an object in one means a whole build each time",
        "numpy/numpydoc/issues/226 jdillard/sphinx-sitemap/issues/62 sphinx-doc/sphinx/issues/12300",
        "test_digest.py::test_registry_objects_in_conf_py_cost_nothing",
    ),
    11: _row(
        "a setting of the extension writes all pages again",
        "useblocks/sphinx-needs/issues/343",
        "test_digest.py::test_a_build_without_changes_reads_and_writes_nothing",
    ),
    12: _row(
        "an extension says that it is safe in parallel, and -j fails",
        "kdeldycke/click-extra/issues/1482 pallets/pallets-sphinx-themes/issues/88",
        "test_digest.py::test_parallel_builds_leave_what_serial_ones_leave",
    ),
    13: _row(
        "the inventory of a parallel build is empty",
        "VACUUM/sphinx-fortran/issues/56",
        "test_digest.py::test_an_incremental_build_leaves_what_a_clean_one_leaves",
    ),
    14: _row(
        "MyST or the role `any` trips over the domain",
        "executablebooks/sphinx-proof/issues/97 sphinx-doc/sphinx/issues/1601",
        "test_domain.py::test_markdown_pages_have_the_roles_and_plain_links",
    ),
    15: _row(
        "a role works here, and never from another project",
        "sphinx-doc/sphinx/issues/14564",
        "test_domain.py::test_every_role_has_an_object_type",
    ),
    16: _row(
        "search does not find a code by its parts",
        "sphinx-doc/sphinx/issues/11253 sphinx-doc/sphinx/issues/2856 pylint-dev/pylint/issues/9320",
        "test_search.py::test_a_code_and_its_aliases_are_main_entries",
    ),
    17: _row(
        "links break when a page moves",
        "astral-sh/ruff/issues/4710 python/mypy/issues/7186 useblocks/sphinx-needs/issues/390",
        "test_publish.py::test_every_name_of_a_code_is_a_short_link",
        "test_domain.py::test_the_inventory_has_every_name_of_a_code",
    ),
    18: _row(
        "the link of somebody else's code leads nowhere",
        "python/mypy/issues/16375",
        "test_complaints.py::test_an_error_has_no_address_where_none_is_published",
    ),
    19: _row(
        "one page holds everything and is too large",
        "rust-lang/rust/issues/100736 rust-lang/rust/issues/101166",
        "test_complaints.py::test_a_code_is_on_the_page_of_its_domain_alone",
    ),
    20: _row(
        "many pages, each with all of them in its sidebar",
        "Qiskit/qiskit_sphinx_theme/issues/328 pradyunsg/furo/issues/674",
        "test_pages.py::test_the_contents_list_of_a_page_lists_its_codes",
    ),
    21: _row(
        "another rule for anchors breaks every permalink",
        "sphinx-doc/sphinx/issues/7301 sphinx-doc/sphinx/issues/7765",
        "test_render.py::test_anchors_outlive_layout_and_renaming",
    ),
    22: _row(
        "texts with backquotes and stars are read as markup",
        "click-contrib/sphinx-click/issues/57 vslavik/bakefile/issues/8",
        "test_html.py::test_the_hostile_registry_shows_every_text_as_it_is",
    ),
    23: _row(
        "nested prose and headings differ between markups",
        "executablebooks/MyST-Parser/issues/967 executablebooks/MyST-Parser/issues/150 "
        "useblocks/sphinx-needs/issues/1336",
        "test_markup.py::test_a_warning_about_markdown_prose_names_its_file_and_line",
        "test_markup.py::test_both_markups_work_on_a_page_in_markdown",
        "test_markup.py::test_a_heading_in_prose_is_refused_with_its_place",
    ),
    24: _row(
        "other builders fail on a node that they don't know",
        "useblocks/sphinx-needs/issues/796 executablebooks/sphinx-proof/issues/55",
        "test_stock.py::test_a_code_is_in_every_format",
    ),
    25: _row(
        "a change of autodoc breaks whoever built on it",
        "sphinx-doc/sphinxcontrib-django/issues/77 mansenfranzen/autodoc_pydantic/issues/62",
        "test_complaints.py::test_nothing_is_built_on_autodoc",
    ),
    26: _row(
        "generated headings become labels twice",
        "sphinx-doc/sphinx/issues/14206 mhostetter/galois/issues/276",
        "test_complaints.py::test_codes_are_no_labels",
    ),
    27: _row(
        "an example that fails no more goes unnoticed",
        "pydantic/pydantic/issues/13802",
        "test_directives.py::test_an_example_that_builds_no_error_is_reported",
    ),
    28: _row(
        "the address in the message is noise",
        "pydantic/pydantic/issues/6441 pydantic/pydantic/issues/11679",
        "test_complaints.py::test_an_error_has_no_address_where_none_is_published",
    ),
    29: _row(
        "documented and gone, used and undocumented",
        "nodejs/node/issues/15038 nodejs/node/issues/21440 nodejs/node/pull/21470",
        "test_texts.py::test_a_code_without_prose_is_named_where_prose_is_expected",
        "test_texts.py::test_a_file_without_a_code_is_named_with_what_may_be_meant",
    ),
    30: _row(
        "a duplicate is reported without its places",
        "useblocks/sphinx-needs/issues/1398",
        "test_domain.py::test_two_places_that_document_one_code_are_both_named",
    ),
    31: _row(
        "search engines show the pages of old versions",
        "pylint-dev/pylint/issues/4958",
        "test_publish.py::test_the_canonical_address_is_absolute_where_it_is_known",
    ),
}
"""All of them can happen to errkit."""


@cache
def docstrings(file: str) -> dict[str, str]:
    """Name -> docstring of each test function of a file."""
    tree = ast.parse((HERE / file).read_text("utf-8"))
    return {
        node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("number", COMPLAINTS)
def test_each_complaint_is_a_test_that_cites_it(number: int) -> None:
    """Every test in the table exists, and cites a report of its own row."""
    row = COMPLAINTS[number]
    assert row.tests
    for test in row.tests:
        file, _, name = test.partition("::")
        cited = docstrings(file)[name]
        assert any(re.search(rf"github\.com/{re.escape(each)}(?!\w)", cited) for each in row.reports), test


def test_the_table_is_whole() -> None:
    """Each row has addresses that lead somewhere, and none stands twice."""
    reports = [report for row in COMPLAINTS.values() for report in row.reports]
    assert len(reports) == len(set(reports))
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+/(issues|pull)/\d+", report) for report in reports)


# --- complaints of no single module ---------------------------------------------------------------------


def test_an_error_has_no_address_where_none_is_published() -> None:
    """A code links to its page only if its own registry says where that is, and never in the message.

    https://github.com/python/mypy/issues/16375
    https://github.com/pydantic/pydantic/issues/6441
    """
    for base_url in ("", "https://errors.example/"):
        registry = Registry("complaints", base_url=base_url)
        cls = type("PlainError", (CodedError,), {"ONE": code("One")}, domain="plain", registry=registry)
        error: CodedError = cls.ONE("it failed")  # type: ignore[attr-defined]
        assert bool(error.docs_url) is bool(base_url)
        assert str(error) == "it failed"


def test_a_code_is_on_the_page_of_its_domain_alone(shop: Built) -> None:
    """No page holds the codes of all.

    https://github.com/rust-lang/rust/issues/100736
    """
    for entry in shop.json()["codes"]:
        holding = [
            page
            for page in (shop.folder / "errors").glob("*.html")
            if f'id="{entry["anchor"]}"' in page.read_text("utf-8")
        ]
        assert [page.stem for page in holding] == [entry["domain"]]


def test_codes_are_no_labels(shop: Built) -> None:
    """Headings of generated pages are no targets of `:ref:`, where they would clash with those of others.

    https://github.com/sphinx-doc/sphinx/issues/14206
    """
    labels = {name for kind, name in shop.inventory() if kind == "std:label"}
    assert labels <= {"genindex", "modindex", "py-modindex", "search", "err-codes"}


def test_nothing_is_built_on_autodoc() -> None:
    """https://github.com/sphinx-doc/sphinxcontrib-django/issues/77"""
    for path in SOURCES.rglob("*.py"):
        assert "autodoc" not in path.read_text("utf-8"), path.name
