"""For those who change a label or translate one: `python -m errkit.sphinx.translations`.

Writes the template `errkit.pot` from the labels, adds to each `.po` file the messages that it lacks, and
compiles it to the `.mo` file that Sphinx reads. Nothing else uses this room. Babel comes with Sphinx.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from errkit.sphinx.labels import LOCALE_DIR, messages

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compiled", "main", "template"]

_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""The same in every run, so that files change only when their messages do."""

_HEADER: Final = "# The words that errkit.sphinx puts on pages."


def template() -> Catalog:
    """The messages to translate."""
    catalog = Catalog(
        project="errkit", copyright_holder="errkit contributors", creation_date=_DAY, header_comment=_HEADER
    )
    for message in messages():
        catalog.add(message)
    return catalog


def compiled(path: Path) -> bytes:
    """The .mo file of a .po file."""
    target = BytesIO()
    with open(path, "rb") as file:
        write_mo(target, read_po(file))
    return target.getvalue()


def main() -> None:
    """Bring all files up to date."""
    _write(LOCALE_DIR / "errkit.pot", template())
    for path in sorted(LOCALE_DIR.rglob("*.po")):
        with open(path, "rb") as file:
            known = read_po(file, locale=path.parent.parent.name)
        known.update(template(), no_fuzzy_matching=True)
        _write(path, known)
        path.with_suffix(".mo").write_bytes(compiled(path))


def _write(path: Path, catalog: Catalog) -> None:
    with open(path, "wb") as file:
        write_po(file, catalog, width=100, ignore_obsolete=True, sort_output=False)


if __name__ == "__main__":
    main()
