"""The errors of AWS services, from the models of botocore: shapes that are marked as exceptions.

https://github.com/boto/botocore keeps one `service-2.json.gz` for each version of a service's API.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from errkit.imports.draft import Entry
from errkit.imports.files import data_of, refuse
from errkit.imports.html import from_html, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errkit.imports.files import Source

__all__ = ["read"]

_TYPES: Final = {
    "blob": "bytes",
    "boolean": "bool",
    "double": "float",
    "float": "float",
    "integer": "int",
    "list": "list[Any]",
    "long": "int",
    "map": "dict[str, Any]",
    "string": "str",
    "structure": "dict[str, Any]",
    "timestamp": "datetime",
}


def read(source: Source) -> Iterator[Entry]:
    """Each error of a service; its name stands in front, since many services use the same ones."""
    model = data_of(source)
    metadata = model.get("metadata") if isinstance(model, dict) else None
    shapes = model.get("shapes") if isinstance(model, dict) else None
    if not isinstance(metadata, dict) or not isinstance(shapes, dict):
        refuse(source.path, "the file", "expected a model of botocore with metadata and shapes")
    title = str(metadata.get("serviceId") or metadata.get("endpointPrefix") or source.name)
    domain = _service(source.path) or re.sub(r"[^a-z0-9]+", "_", title.lower())
    for name, shape in shapes.items():
        if isinstance(shape, dict) and shape.get("exception"):
            yield _entry(str(name), shape, shapes, domain, title)


def _service(path: str) -> str:
    """The name of the service, which is that of the folder above the version."""
    parts = re.split(r"[/\\]", path)
    is_dated = len(parts) > 2 and re.fullmatch(r"\d{4}-\d\d-\d\d", parts[-2])
    return re.sub(r"[^a-z0-9]+", "_", parts[-3]) if is_dated else ""


def _entry(name: str, shape: Mapping[str, Any], shapes: Mapping[str, Any], domain: str, title: str) -> Entry:
    error = shape.get("error")
    status = error.get("httpStatusCode") if isinstance(error, dict) else None
    members = shape.get("members")
    required = shape.get("required")
    return Entry(
        code=f"{domain}.{name}",
        place=f"shapes.{name}",
        domain=domain,
        domain_title=title,
        title=re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name),
        facts={
            "kind": "transient" if "retryable" in shape else "terminal",
            "http_status": status if isinstance(status, int) else None,
            "description": from_html(str(shape.get("documentation") or "")),
        },
        details=[
            _field(
                str(field),
                _resolved(member, shapes),
                field in (required if isinstance(required, list) else ()),
            )
            for field, member in (members.items() if isinstance(members, dict) else ())
            if str(field).lower() != "message"
        ],
    )


def _resolved(member: Any, shapes: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(member, dict):
        return {}
    shape = shapes.get(str(member.get("shape")))
    return {**(shape if isinstance(shape, dict) else {}), **member}


def _field(name: str, member: Mapping[str, Any], required: bool) -> dict[str, Any]:
    return {
        "name": name,
        "type": _TYPES.get(str(member.get("type")), "Any"),
        "required": required,
        "description": words_of(str(member.get("documentation") or "")),
    }
