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
    ],
)
def test_a_wrong_value_names_itself_and_what_belongs_there(
    tmp_path: Path, setting: str, value: Any, expected: str
) -> None:
    """The build ends with the code, the setting, what was found and what was expected."""
    values = {"errkit_registries": ["shop"], setting: value}
    site = Site(tmp_path, "".join(f"{name} = {given!r}\n" for name, given in values.items()))
    with pytest.raises(ExtensionError) as caught:
        site.build()
    assert "[errkit.bad_config]" in str(caught.value)
    assert setting in str(caught.value)
    assert expected in str(caught.value)


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
