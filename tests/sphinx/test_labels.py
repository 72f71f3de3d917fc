"""Pages in other languages: the words of the extension, and those of the registry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from babel.messages.pofile import read_po

from errkit.sphinx import labels
from errkit.sphinx.translations import compiled, template
from tests.sphinx.sites import Site

if TYPE_CHECKING:
    from pathlib import Path

TRANSLATION = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Cart is empty"
msgstr "Der Wagen ist leer & *nichts* ist darin"

msgid "Add an item first."
msgstr "Lege zuerst etwas hinein."

msgid "Carts no longer vanish."
msgstr "Wagen verschwinden nicht mehr."

msgid "A checkout is under way"
msgstr "Es wird gerade bezahlt"

msgid "How many things lie in it."
msgstr "Wie viele Dinge darin liegen."

msgid "Payment & more"
msgstr "Zahlung und mehr"
"""


def messages(path: Path) -> dict[str, str]:
    """Message -> translation, of a .po or .pot file."""
    with open(path, "rb") as file:
        return {str(entry.id): str(entry.string) for entry in read_po(file) if entry.id}


def test_the_catalogue_of_labels_is_complete() -> None:
    """Every label is in the template, and every translation has all of them.

    `python -m errkit.sphinx.translations` brings the files up to date.
    """
    wanted = {str(entry.id) for entry in template() if entry.id}
    assert set(messages(labels.LOCALE_DIR / "errkit.pot")) == wanted
    found = list(labels.LOCALE_DIR.rglob("*.po"))
    assert found
    for path in found:
        assert {text for text, translated in messages(path).items() if translated} == wanted, path


def test_compiled_translations_are_those_of_the_sources() -> None:
    """The .mo file is what Sphinx reads; it is made from the .po file beside it."""
    for path in labels.LOCALE_DIR.rglob("*.po"):
        assert path.with_suffix(".mo").read_bytes() == compiled(path)


def test_the_texts_of_a_registry_are_messages_with_useful_places(site: Site) -> None:
    """Titles, hints, prose, reasons and descriptions of fields, each at the line of its declaration."""
    built = site.build("gettext")
    assert built.warnings == []
    text = built.text("errors.pot")
    for message in (
        "Cart is empty", "Add an item first.", "Carts no longer vanish.", "A checkout is under way",
        "Ask the auditor.", "How many things lie in it.", "The cart, as ``/carts`` lists it.",
        "Payment & more",
    ):  # fmt: skip
        assert f'msgid "{message}"' in text, message
    [place] = re.findall(r'((?:#: .*\n)+)msgid "Add an item first\."', text)
    assert re.search(r"samples/shop\.py:\d+", place)
    assert "_errkit" not in text
    assert re.search(r'samples/shop\.py:\d+\n(#: .*\n)*msgid "Payment & more"', text)
    assert "shop.cart.empty" not in re.findall(r'msgid "(.*)"', text)


def test_a_translation_shows(tmp_path: Path) -> None:
    """In the words of the registry and of the extension, on pages and in other formats; data stays data."""
    site = Site(tmp_path, 'errkit_registries = ["shop"]\nlocale_dirs = ["locale"]\n')
    site.write("locale/de/LC_MESSAGES/errors.po", TRANSLATION)
    built = site.build(language="de")
    assert built.warnings == []
    page = built.text("errors/shop.cart.html")
    assert "<span>Der Wagen ist leer &amp; *nichts* ist darin" in page
    assert "<td>Der Wagen ist leer &amp; *nichts* ist darin</td>" in page
    assert "Lege zuerst etwas hinein." in page
    assert "Wagen verschwinden nicht mehr." in page
    assert "<td>Es wird gerade bezahlt</td>" in page
    assert "<td>Wie viele Dinge darin liegen.</td>" in page
    assert '<p class="errkit-hint"><strong>Was zu tun ist</strong>' in page
    assert "<dt>Deklariert in</dt>" in page
    assert "<h1>Zahlung und mehr" in built.text("errors/shop.pay.html")
    assert "<h1>Fehlercodes" in built.text("err-codes.html")
    text = site.build("text", language="de").text("errors/shop.cart.txt")
    assert "Der Wagen ist leer & *nichts* ist darin" in text
    assert "Es wird gerade bezahlt" in text
