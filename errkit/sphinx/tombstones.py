"""The pages of what was removed: addresses outlive the codes that they were made for.

A link in an old log leads to a page that says since when the code is gone and what to use instead. Everything
here is a function of the entries of `errors.json`; what was removed is read in `gone.py`, and the files are
written by `publish.py`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from errkit.sphinx.catalogue import slug
from errkit.sphinx.labels import label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from errkit.sphinx.gone import Gone

    Entry = dict[str, Any]

__all__ = ["bare_page", "removed_entry", "removed_names", "removed_page"]


def removed_entry(gone: Gone) -> Entry:
    """What `errors.json` says of a code or number that was removed."""
    found = {
        "code": gone.code or None,
        "registry": gone.registry,
        "number": gone.number,
        "title": gone.title or None,
        "since": gone.since or None,
        "removed": gone.removed or None,
        "replaced_by": gone.replaced_by or None,
        "link": f"e/{slug(gone.registry)}/{gone.name}/",
    }
    return {name: value for name, value in found.items() if value is not None}


def removed_names(entries: Iterable[Entry], living: Collection[str]) -> dict[str, list[Entry]]:
    """Folder below `e/` -> what was removed under that name; one that leads to a living code is left out."""
    taken = {name.lower() for name in living}
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        names = [entry["link"].split("/", 1)[1].rstrip("/")]
        names += [entry["code"]] if "code" in entry else []
        names += [f"n/{entry['number']}", str(entry["number"])] if "number" in entry else []
        for spelling in dict.fromkeys((*names, *map(str.lower, names))):
            if spelling.lower() not in taken:
                found.setdefault(spelling, []).append(entry)
    return found


def removed_page(up: str, entries: Sequence[Entry], living: Iterable[Entry], language: str) -> str:
    """The page of what was removed: since when, and what to use instead."""
    found = []
    for entry in entries:
        name = escape(str(entry.get("code") or entry.get("number")))
        text = f"<p><code>{name}</code> {escape(entry.get('title', ''))}</p>\n<p>"
        text += label("removed_in") % escape(entry["removed"]) if "removed" in entry else label("removed")
        if "replaced_by" in entry:
            text += f". {label('replaced_by')}: {_replacement(up, entry, living)}"
        found.append(f"{text}</p>")
    first = str(entries[0].get("code") or entries[0].get("number"))
    return bare_page(f"{escape(first)}: {label('removed')}", "", "\n".join(found), language)


def _replacement(up: str, entry: Entry, living: Iterable[Entry]) -> str:
    """What took the place of a removed code, as a link if it is documented; the same registry comes first."""
    name = entry["replaced_by"]
    text = f"<code>{escape(name)}</code>"
    owners = [each for each in living if name in (each["code"], *each.get("aliases", ()))]
    owners.sort(key=lambda each: each["registry"] != entry["registry"])
    return f'<a href="{escape(up + owners[0]["url"])}">{text}</a>' if owners else text


def bare_page(title: str, head: str, body: str, language: str) -> str:
    """A page without a theme; `head` and `body` are HTML, and so is the title."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language.replace("_", "-"))}">\n'
        '<head>\n<meta charset="utf-8">\n<meta name="robots" content="noindex">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n{head}</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
