"""What a site publishes besides pages, links and `errors.json`: texts of codes, `llms.txt`, and `404.html`.

The ledger of the short links remembers what was written: a text is written again when its code has changed,
and a file of these names that somebody else has put there is left alone.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from errkit.sphinx.catalogue import digest_of
from errkit.sphinx.missing import PAGE, missing_page
from errkit.sphinx.plain import LISTING, by_code, code_text, listing, text_link
from errkit.sphinx.reports import Report, report

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sphinx.builders.html import StandaloneHTMLBuilder

    from errkit.sphinx.domain import ErrorDomain
    from errkit.sphinx.plain import Documented

__all__ = ["write_extras"]


def write_extras(
    folder: Path,
    domain: ErrorDomain,
    builder: StandaloneHTMLBuilder,
    language: str,
    ledger: Mapping[str, Any],
) -> dict[str, Any]:
    """Write all of them, and give what the ledger has to remember."""
    documented = domain.documented()
    wanted = {PAGE: missing_page(domain, builder, language)}
    if documented:
        wanted[LISTING] = listing(documented, domain.catalogue, builder.config.project)
    before = _known(ledger, "files")
    files = {
        name: digest_of(text)
        for name, text in wanted.items()
        if _is_free(folder / name, before.get(name)) and _put(folder / name, text)
    }
    for name in before.keys() - wanted.keys():
        if _is_free(folder / name, before[name]):
            (folder / name).unlink(missing_ok=True)
    return {"files": files, "texts": _write_texts(folder, domain, documented, _known(ledger, "texts"))}


def _known(ledger: Mapping[str, Any], name: str) -> dict[str, str]:
    found = ledger.get(name)
    return found if isinstance(found, dict) else {}


def _is_free(path: Path, digest: str | None) -> bool:
    """Whether nobody else has written a file."""
    try:
        return digest_of(path.read_text("utf-8")) == digest
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False


def _put(path: Path, text: str) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        report(Report.PUBLISH, f"can't write {path}: {error.strerror}")
        return False
    return True


def _write_texts(
    folder: Path, domain: ErrorDomain, documented: Documented, before: Mapping[str, str]
) -> dict[str, str]:
    """Write the text of each code that is another than before; remove those of codes that are gone."""
    texts = by_code(documented)
    salt = domain.catalogue.salt
    digests = {
        code: digest_of(salt, [(view.registry, place.note.digest) for view, place in owners])
        for code, owners in texts.items()
    }
    for code in before.keys() - texts.keys():
        path = folder / text_link(code)
        path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()
    for code, digest in digests.items():
        if before.get(code) != digest or not (folder / text_link(code)).is_file():
            _put(folder / text_link(code), code_text((view for view, _ in texts[code]), domain.catalogue))
    return digests
