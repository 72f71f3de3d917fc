"""A list of anybody's making: objects with a code and a title, under whatever names they have.

The list may be the file, stand under one of its keys, be an object whose keys are the codes, or be grouped by
domain. Which field is which is guessed from common names; `--map` says it where the guess is wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.imports.draft import Entry
from errkit.imports.files import data_of, refuse, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.imports.files import Source

__all__ = ["GUESSES", "read"]

GUESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "code": ("code", "error_code", "errorcode", "id", "key", "name", "symbol", "slug", "identifier", "const"),
    "title": ("title", "message", "summary", "msg", "text", "short", "label", "reason", "description"),
    "number": ("number", "numeric", "num", "errno", "value", "no"),
    "http_status": ("http_status", "httpstatus", "status", "status_code", "statuscode", "http", "http_code"),
    "hint": ("hint", "fix", "remediation", "remedy", "resolution", "action", "advice", "solution", "help"),
    "description": (
        "description",
        "details",
        "detail",
        "explanation",
        "doc",
        "documentation",
        "long",
        "cause",
    ),
    "domain": ("domain", "category", "group", "module", "namespace", "component", "area", "class", "type"),
    "kind": ("kind", "severity"),
    "public": ("public",),
    "retryable": ("retryable", "retriable", "transient", "retry"),
    "retry_after": ("retry_after", "retryafter"),
    "since": ("since", "added", "introduced", "version"),
    "deprecated": ("deprecated", "deprecated_since"),
    "replaced_by": ("replaced_by", "replacement"),
    "docs": ("docs", "url", "link", "href", "doc_url", "documentation_url"),
    "aliases": ("aliases", "alias", "old_names", "other_names"),
}
"""Key of the catalogue -> names of fields that may hold it, folded; the first that is there and free."""
_LISTS: Final = ("errors", "codes", "error_codes", "items", "data", "list", "entries", "messages", "rules")


def read(source: Source) -> Iterator[Entry]:
    """Each object of the list."""
    if source.suffix == ".csv":
        items = [(row, f"line {number}", "") for number, row in enumerate(rows_of(source), 2)]
    else:
        items = list(_items(data_of(source), source.path))
    names = source.names
    unknown = set(names) - set(GUESSES)
    if unknown:
        refuse(source.path, "--map", f"{min(unknown)!r} is none of {', '.join(GUESSES)}")
    fields = dict.fromkeys(name for item, _, _ in items for name in item)
    chosen = _choose(list(fields), names, source.path)
    for item, place, group in items:
        facts = {key: item.get(name) for key, name in chosen.items()}
        facts["domain"] = facts.get("domain") or group
        yield _entry(facts, place)


def _items(data: object, path: str) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Each object that is a code, its place, and the group that it stands in."""
    place, data = _inside(data)
    if isinstance(data, list):
        for index, item in enumerate(data):
            if not isinstance(item, dict):
                refuse(path, f"{place}[{index}]", "expected an object")
            yield _named(item), f"{place}[{index}]", ""
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from _under(str(name), value, f"{place}.{name}" if place else str(name), path)
    else:
        refuse(path, "the file", "expected a list of objects, or an object of them")


def _inside(data: object) -> tuple[str, object]:
    """What is under the only key that sounds like a list; the data itself if there is none."""
    if isinstance(data, dict):
        for name in data:
            if str(name).lower() in _LISTS and isinstance(data[name], (list, dict)):
                return str(name), data[name]
    return "", data


def _under(name: str, value: object, place: str, path: str) -> Iterator[tuple[dict[str, Any], str, str]]:
    """A code whose name is a key, or a group of codes."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                refuse(path, f"{place}[{index}]", "expected an object")
            yield _named(item), f"{place}[{index}]", name
    elif isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
        for inner, each in value.items():
            yield {"code": str(inner), **_named(each)}, f"{place}.{inner}", name
    elif isinstance(value, dict):
        yield {"code": name, **_named(value)}, place, ""
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        yield {"code": name, "title" if isinstance(value, str) else "number": value}, place, ""
    else:
        refuse(path, place, "expected an object or a text")


def _named(item: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in item.items()}


def _choose(fields: list[str], names: Mapping[str, str], path: str) -> dict[str, str]:
    """Which field holds which key."""
    for key, name in names.items():
        if name not in fields:
            refuse(path, "--map", f"no object has the field {name!r} that {key} should come from")
    chosen = dict(names)
    folded = {
        re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", each).lower()): each for each in fields
    }
    for key, guesses in GUESSES.items():
        if key in chosen:
            continue
        free = (
            folded[guess] for guess in guesses if guess in folded and folded[guess] not in chosen.values()
        )
        found = next(free, None)
        if found is not None:
            chosen[key] = found
    return chosen


def _entry(facts: dict[str, Any], place: str) -> Entry:
    code, number = facts.get("code"), facts.get("number")
    if isinstance(code, int) and not isinstance(code, bool):
        number = code if number is None else number
        code = f"E{code}"
    told: dict[str, Any] = {
        key: str(facts[key])
        for key in ("hint", "description", "since", "replaced_by", "docs")
        if isinstance(facts.get(key), (str, int, float)) and not isinstance(facts.get(key), bool)
    }
    if isinstance(facts.get("deprecated"), str):
        told["deprecated"] = facts["deprecated"]
    told |= {"number": _whole(number), "http_status": _whole(facts.get("http_status"))}
    told["public"] = True if _truth(facts.get("public")) else None
    kind = facts.get("kind")
    told["kind"] = "transient" if _truth(facts.get("retryable")) else str(kind).lower() if kind else None
    wait = facts.get("retry_after")
    if isinstance(wait, (int, float)) and not isinstance(wait, bool) and 0 <= wait < 1e9:
        told["retry_after"] = wait
    aliases = facts.get("aliases")
    aliases = [aliases] if isinstance(aliases, str) else aliases if isinstance(aliases, list) else []
    title = facts.get("title")
    return Entry(
        code=str(code or ""),
        place=place,
        domain=str(facts.get("domain") or ""),
        domain_title=str(facts.get("domain") or ""),
        title=title if isinstance(title, str) else "",
        facts=told,
        aliases=[str(alias) for alias in aliases],
    )


def _whole(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,15}", value.strip()):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _truth(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in ("true", "yes", "1"))
