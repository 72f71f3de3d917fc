"""What is written about codes: files of the prose folder before docstrings, and what is wrong with either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.sphinx.texts import ProseFiles, Texts
from tests.sphinx.samples import depot, shop
from tests.sphinx.sites import Built, Site, links

if TYPE_CHECKING:
    from pathlib import Path

CONF = 'errkit_registries = ["shop", "depot"]\nerrkit_prose = "words"\n'


def build(tmp_path: Path, conf: str = CONF, **files: str) -> Built:
    """A site with some files in its prose folder."""
    site = Site(tmp_path, conf)
    (site.folder / "words").mkdir()
    for name, text in files.items():
        site.write(f"words/{name.replace('__', '/')}", text)
    return site.build(suppress_warnings=["errkit.no_prose"])


def test_a_file_replaces_the_docstring_in_its_own_markup(tmp_path: Path) -> None:
    """The suffix says which markup it is, whatever the registry is written in; it can be edited there."""
    conf = f'{CONF}errkit_edit_url = "https://edit.invalid/{{path}}"\n'
    built = build(
        tmp_path,
        conf + 'errkit_prose_url = "https://edit.invalid/words/{path}"\n',
        **{
            "shop.cart__shop.cart.empty.rst": "From a *file*.",
            "shop.cart__shop.cart.locked.md": "From **Markdown**.",
            "shop.pay__shop.pay.broken.txt": "From *plain* :text: and `code`.",
            "shop.pay__index.rst": "About *payments*.",
        },
    )
    assert built.warnings == []
    page = built.text("errors/shop.cart.html")
    assert "From a <em>file</em>." in page
    assert "From <strong>Markdown</strong>." in page
    assert "nothing to buy" not in page
    assert "Carts no longer vanish." in page
    other = built.text("errors/shop.pay.html")
    assert "About <em>payments</em>." in other
    assert "From *plain* :text: and <code" in other
    edited = [each for each in links(other) if each.startswith("https://edit.invalid/")]
    assert edited[:2] == ["https://edit.invalid/shop.py"] * 2
    assert edited[2:] == ["https://edit.invalid/words/shop.pay/shop.pay.broken.txt"]


def test_where_registries_share_a_code_a_folder_says_whose_it_is(tmp_path: Path) -> None:
    """The file below the name of a registry belongs to it alone, and wins over the one for all."""
    built = build(
        tmp_path,
        **{
            "shop.cart__shop.cart.empty.rst": "For all.",
            "depot__shop.cart__shop.cart.empty.rst": "For the depot.",
        },
    )
    assert built.warnings == []
    assert "For all." in built.text("errors/shop.cart.html")
    assert "For the depot." in built.text("errors/depot/shop.cart.html")
    assert "For all." not in built.text("errors/depot/shop.cart.html")


def test_a_file_without_a_code_is_named_with_what_may_be_meant(tmp_path: Path) -> None:
    """A misspelt file would otherwise be forgotten.

    https://github.com/nodejs/node/issues/21440
    """
    built = build(tmp_path, **{"shop.cart__shop.cart.emtpy.rst": "Lost."})
    [warning] = built.warnings
    assert "shop.cart.emtpy.rst:1: WARNING: no listed registry has a code or domain for this file" in warning
    assert "did you mean shop.cart.empty" in warning
    assert "[errkit.prose]" in warning


def test_two_files_for_one_code_are_named(tmp_path: Path) -> None:
    """One of them is used, and the warning says which."""
    built = build(
        tmp_path, **{"shop.cart__shop.cart.empty.rst": "One.", "shop.cart__shop.cart.empty.md": "Two."}
    )
    [warning] = built.warnings
    assert "shop.cart.empty.rst stands beside shop.cart.empty.md, which is used" in warning
    assert "Two." in built.text("errors/shop.cart.html")


def test_a_code_without_prose_is_named_where_prose_is_expected(tmp_path: Path) -> None:
    """A project that keeps a folder of prose wants it whole; one that keeps none is not told.

    https://github.com/nodejs/node/issues/15038
    """
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nerrkit_prose = "words"\n')
    (site.folder / "words").mkdir()
    [warning] = site.build().warnings
    assert "samples/shop.py:" in warning
    assert "shop.pay.broken has prose neither in" in warning
    assert "[errkit.no_prose]" in warning


def test_a_warning_about_a_prose_file_names_the_file(tmp_path: Path) -> None:
    """With the line in it."""
    built = build(tmp_path, **{"shop.pay__shop.pay.broken.rst": "Fine.\n\nBad :nothing:`role`.\n"})
    [warning] = built.warnings
    assert "words/shop.pay/shop.pay.broken.rst:3: ERROR: Unknown interpreted text role" in warning


def test_a_prose_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    """Once, and the code keeps the text of its source; a mark at the start of a file is no text."""
    site = Site(tmp_path, CONF)
    for name, data in (
        ("declined", "Gr\u00fc\u00dfe".encode("latin-1")),
        ("broken", b"\xef\xbb\xbfIt *broke*."),
    ):
        site.write(f"words/shop.pay/shop.pay.{name}.rst", "").write_bytes(data)
    built = site.build(suppress_warnings=["errkit.no_prose"])
    [warning] = built.warnings
    assert "words/shop.pay/shop.pay.declined.rst:1: WARNING: can't be read: 'utf-8'" in warning
    assert "[errkit.prose]" in warning
    assert "The bank said no." in built.text("errors/shop.pay.html")
    assert "<p>It <em>broke</em>.</p>" in built.text("errors/shop.pay.html")


def test_a_stamp_tells_whether_texts_can_have_changed(tmp_path: Path) -> None:
    """It is that of the files which hold them, and empty where there is no file."""
    texts = Texts(shop.REGISTRY, ProseFiles(None))
    one = texts.stamp([shop.CartError.EMPTY.spec])
    assert one
    assert one == Texts(shop.REGISTRY, ProseFiles(None)).stamp([shop.CartError.LOCKED.spec])
    assert one != texts.stamp([depot.DepotCartError.EMPTY.spec])
    assert texts.stamp([]) == ""


def test_codes_share_the_fields_of_a_details_class() -> None:
    """They are read once, with what is written under them; a secret's default is never shown."""
    texts = Texts(shop.REGISTRY, ProseFiles(None))
    fields = texts.fields(shop.CartError.EMPTY.spec)
    assert fields is texts.fields(shop.CartError.LOCKED.spec)
    assert [(field.name, field.required, field.default, field.secret) for field in fields] == [
        ("cart", True, None, False),
        ("items", False, "0", False),
        ("token", False, "[REDACTED]", True),
    ]
    assert fields[1].description == "How many things lie in it."
    assert texts.fields(shop.PayError.BROKEN.spec) == ()
