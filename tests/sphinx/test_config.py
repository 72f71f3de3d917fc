"""What a project may set, and what it is told when a setting does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sphinx.errors import ExtensionError

from tests.sphinx.sites import Site

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("errkit_registries", "shop", "expected a list"),
        ("errkit_registries", [3], "expected a module"),
        ("errkit_registries", [{"registry": "shop", "prefix": "a b"}], "prefix"),
        ("errkit_registries", [{"module": "shop"}], "module"),
        ("errkit_docs_prefix", "../up", "a relative folder"),
        ("errkit_docs_prefix", 3, "a relative folder"),
        ("errkit_prose", "nowhere", "a folder"),
        ("errkit_base_url", 3, "an address"),
        ("errkit_source_url", "https://x/{file}", "{path}, {line}, {module}"),
        ("errkit_source_url", 3, "an address"),
        ("errkit_edit_url", "https://x/{file}", "{path}, {line}, {module}"),
        ("errkit_sources", "shop", "a list of packages"),
        ("errkit_sources", ["no_such_package_here"], "a package that is installed, or a path"),
        ("errkit_sources", [""], "a list of packages"),
        ("errkit_lock", "nowhere.json", "a file"),
        ("errkit_examples", ["soap"], "a list of some of python, problem"),
        ("errkit_examples", "problem", "a list of some of python, problem"),
        ("errkit_audience", "everybody", "'internal' or 'public'"),
        ("errkit_pages", "yes", "True or False"),
        ("errkit_docs_prefix", None, "a relative folder"),
        ("errkit_edit_url", None, "an address"),
        ("errkit_prose_url", "https://x/{line}", "no placeholders but {path}, found"),
        ("errkit_prose", 3, "a folder, found 3"),
        ("errkit_prose", "conf.pi", "found 'conf.pi'; did you mean conf.py?"),
        ("errkit_sources", ["indx.rst"], "found 'indx.rst'; did you mean index.rst?"),
        ("errkit_sources", ["__main__"], "a package that is installed"),
        ("errkit_sources", [3], "a list of packages, or of paths, found 3"),
        ("errkit_lock", True, "a file, found True"),
        ("errkit_lock", "conf.pi", "found 'conf.pi'; did you mean conf.py?"),
        ("errkit_examples", ["pyhton"], "found 'pyhton'; did you mean python?"),
        ("errkit_examples", [[]], "a list of some of python"),
        ("errkit_audience", "publik", "found 'publik'; did you mean public?"),
        ("errkit_audience", ["public"], "'internal' or 'public', found ['public']"),
    ],
)
def test_a_wrong_value_names_itself_and_what_belongs_there(
    tmp_path: Path, setting: str, value: Any, expected: str
) -> None:
    """The build ends with the code, line and setting, what was found and expected, and what may be meant."""
    site = Site(tmp_path, f'if "tags":\n    errkit_registries = ["shop"]\n    {setting} = {value!r}\n')
    line = len((site.folder / "conf.py").read_text("utf-8").splitlines())
    with pytest.raises(ExtensionError) as caught:
        site.build()
    assert str(caught.value).startswith(f"[errkit.bad_config] conf.py:{line}: {setting}: ")
    assert expected in str(caught.value)


def test_a_name_that_nothing_reads_is_named_with_what_may_be_meant(tmp_path: Path) -> None:
    """Sphinx says nothing of it, and it would be without effect; other names are the project's own."""
    names = ("errkit_registry", "errkit_helper", "erkit_audience", "registries", "error_url")
    site = Site(tmp_path, "errkit_pages = False\n" + "".join(f"{name} = []\n" for name in names))
    site.write("index.rst", "Site\n====\n")
    start = f"{site.folder / 'conf.py'}:%d: WARNING: conf.py sets %s, which nothing reads%s [errkit.setting]"
    assert site.build().warnings == [
        start % (7, "errkit_registry", "; did you mean errkit_registries?"),
        start % (8, "errkit_helper", ""),
        start % (9, "erkit_audience", "; did you mean errkit_audience?"),
    ]


def test_settings_come_from_pyproject_where_conf_py_is_silent(tmp_path: Path) -> None:
    """One table configures every face of errkit; two lines in conf.py are not needed twice."""
    site = Site(tmp_path)
    site.write(
        "pyproject.toml",
        '[tool.errkit]\nregistries = ["shop"]\nbase_url = "https://docs.invalid/shop"\nprose = "words"\n',
    )
    site.write("words/shop.pay/shop.pay.broken.rst", "From a file.")
    built = site.build()
    assert built.warnings == []
    assert built.json()["base_url"] == "https://docs.invalid/shop/"
    assert "From a file." in built.text("errors/shop.pay.html")


def test_a_prose_folder_of_pyproject_has_to_be_there(tmp_path: Path) -> None:
    """A misspelt folder is refused with the file that names it: without its texts the site looks complete."""
    site = Site(tmp_path)
    site.write("pyproject.toml", '[tool.errkit]\nregistries = ["shop"]\nprose = "words"\n')
    site.write("word/shop.pay/shop.pay.broken.rst", "From a file.")
    with pytest.raises(ExtensionError) as caught:
        site.build()
    path = site.folder / "pyproject.toml"
    fault = f"{path}: tool.errkit.prose: there is no folder {path.parent / 'words'}; did you mean word?"
    assert f"[errkit.bad_config] {fault}" in str(caught.value)


def test_conf_py_wins_over_pyproject(tmp_path: Path) -> None:
    """What conf.py says about a site counts for that site."""
    site = Site(tmp_path, 'errkit_registries = ["depot"]\nerrkit_base_url = "https://here.invalid/"\n')
    site.write(
        "pyproject.toml", '[tool.errkit]\nregistries = ["shop"]\nbase_url = "https://there.invalid/"\n'
    )
    index = site.build().json()
    assert index["registries"] == ["depot"]
    assert index["base_url"] == "https://here.invalid/"


def test_a_catalogue_file_is_found_beside_conf_py(tmp_path: Path) -> None:
    """Paths of catalogue files start at the folder of conf.py, wherever the build is started."""
    site = Site(tmp_path, 'errkit_registries = ["lists/shop.json"]\n')
    site.write(
        "lists/shop.json",
        '{"format": "errkit.catalog/1", "registry": "filed", "markup": "rst", "domains": ['
        '{"domain": "filed", "title": "Filed", "codes": ['
        '{"const": "LOST", "title": "File is lost", "description": "It is *gone*."}]}]}',
    )
    built = site.build()
    assert built.warnings == []
    assert "It is <em>gone</em>." in built.text("errors/filed.html")
    assert ">shop.json<" in built.text("errors/filed.html")


def test_the_prefix_of_the_pages_may_be_another_or_none(tmp_path: Path) -> None:
    """The pages can stand anywhere in a site, also at its top."""
    for prefix, page in (("reference/failures", "reference/failures/shop.cart.html"), ("", "shop.cart.html")):
        site = Site(
            tmp_path / (prefix or "top"), f'errkit_registries = ["shop"]\nerrkit_docs_prefix = {prefix!r}\n'
        )
        if prefix:
            site.write("index.rst", f"Site\n====\n\n.. toctree::\n\n   {prefix}/index\n")
        else:
            site.remove("index.rst")
        built = site.build()
        assert built.warnings == []
        assert built.json()["codes"][0]["url"] == f"{page}#err-shop-cart-empty"
