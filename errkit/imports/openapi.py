"""The responses of an OpenAPI document that report a failure: shared ones, and those of its operations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.imports.draft import Entry
from errkit.imports.files import data_of, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.imports.files import Source

__all__ = ["read"]

_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_TRANSIENT: Final = frozenset({408, 425, 429, 502, 503, 504})


def read(source: Source) -> Iterator[Entry]:
    """Each response with a status from 400 on; what several operations share is one code."""
    document = data_of(source)
    if not isinstance(document, dict) or not isinstance(document.get("paths", {}), dict):
        refuse(source.path, "the file", "expected an OpenAPI document")
    seen: set[tuple[str, int, str]] = set()
    shared = _mapping(_mapping(document.get("components")).get("responses"))
    shared = shared or _mapping(document.get("responses"))
    for path, item in _mapping(document.get("paths")).items():
        for method in _METHODS:
            operation = _mapping(_mapping(item).get(method))
            for status, response in _mapping(operation.get("responses")).items():
                if re.fullmatch(r"[45]\d\d", str(status)):
                    place = f"{method} {path} {status}"
                    entry = _entry(int(str(status)), _mapping(response), shared, operation, place)
                    key = (entry.code, int(str(status)), entry.title)
                    if key not in seen:
                        seen.add(key)
                        yield entry


def _entry(
    status: int,
    response: Mapping[str, Any],
    shared: Mapping[str, Any],
    operation: Mapping[str, Any],
    place: str,
) -> Entry:
    reference = response.get("$ref")
    tag = next((str(tag) for tag in _sequence(operation.get("tags"))), "")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        response, domain, code = _mapping(shared.get(name)), "shared", f"shared.{_snake(name)}"
    else:
        owner = operation.get("operationId")
        name = _snake(str(owner) if owner else place.rpartition(" ")[0])
        domain = _snake(tag) or "api"
        code = f"{domain}.{name}_{status}"
    about = str(response.get("description") or "").strip()
    [first, *_] = about.splitlines() or [""]
    return Entry(
        code=code,
        place=place,
        domain=domain,
        domain_title=tag if domain != "shared" else "Shared responses",
        title=first,
        facts={
            "description": about if about != first else "",
            "public": True,
            "http_status": status,
            "kind": "transient" if status in _TRANSIENT else "terminal",
        },
    )


def _snake(text: str) -> str:
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _sequence(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
