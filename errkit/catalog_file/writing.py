"""From a registry to the data of a catalogue file: in the order of declaration, without default values.

What people wrote as documentation (titles, hints, prose) goes out as it is; values (defaults, examples) go
out as they would on the wire, redacted. `reading.py` must read everything written here as the same contract.
"""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from errkit.catalog_file.parsing import MAX_DEPTH
from errkit.catalog_file.shapes import FORMAT
from errkit.catalog_file.vocabulary import split_type
from errkit.codes import ReasonDetails, default_alert
from errkit.fields import PLACEHOLDER, read_fields, secret_names
from errkit.prose import cleaned, code_prose, domain_prose, field_prose
from errkit.safe import Bounds, to_json, well_formed

if TYPE_CHECKING:
    from errkit.codes import DomainSpec, ErrorSpec, Reason
    from errkit.fields import Field
    from errkit.registry import Registry

__all__ = ["as_json", "catalog", "code_data", "export", "json_line", "json_text", "settled"]


def export(registry: Registry) -> str:
    """The registry as the text of a JSON catalogue: the same registry always gives the same text.

    Parameters
    ----------
    registry
        What to write, with the prose that `errkit.prose` finds.
    """
    return json_text(catalog(registry))


def json_text(data: object) -> str:
    """JSON for a file or a terminal: readable, and without characters that steer what shows it."""
    return _harmless(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def json_line(data: object) -> str:
    """JSON as a part of one line, with the same care."""
    return _harmless(json.dumps(data, ensure_ascii=False, allow_nan=False))


def _harmless(text: str) -> str:
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", well_formed(text))


_STEERING: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters that JSON leaves as they are: C1, marks of writing direction, line separators."""


def catalog(registry: Registry) -> dict[str, Any]:
    """The registry as the data of a catalogue, of exact builtins; what has its default value is left out.

    Defaults of details fields and examples are redacted as they would be on the wire.
    """
    found: dict[str, Any] = {"format": FORMAT, "registry": well_formed(registry.name)}
    if registry.markup != "rst":
        found["markup"] = well_formed(registry.markup)
    if registry.headings != "refuse":
        found["headings"] = well_formed(registry.headings)
    found["domains"] = [_domain_data(domain) for domain in registry.domains]
    return found


def _domain_data(domain: DomainSpec) -> dict[str, Any]:
    prose = domain_prose(domain)
    numbers = domain.numbers
    return {
        "domain": domain.domain,
        **_said(
            title=well_formed(domain.title) if domain.title != domain.domain else "",
            description=settled(prose.text) if prose else "",
            numbers=None if numbers is None else [numbers.start, numbers.stop - 1],
        ),
        "codes": [code_data(spec) for spec in domain.codes],
    }


def code_data(spec: ErrorSpec) -> dict[str, Any]:
    """One code as the data of a catalogue."""
    prose = code_prose(spec)
    wait = spec.retry_after
    return {
        "const": spec.const,
        "code": spec.code,
        "title": well_formed(spec.title),
        **_said(
            number=spec.number,
            kind=spec.kind if spec.kind != "terminal" else "",
            alert=spec.alert if spec.alert != default_alert(spec.kind) else None,
            public=spec.public or None,
            hint=well_formed(spec.hint),
            description=settled(prose.text) if prose else "",
            http_status=spec.http_status,
            retry_after=wait if wait is not None and wait < float("inf") else None,
            details=_details_data(spec),
            reasons={well_formed(name): _reason_data(reason) for name, reason in spec.reasons.items()}
            or None,
            example=_example_data(spec),
            aliases=list(spec.aliases) or None,
            since=well_formed(spec.since),
            deprecated=well_formed(spec.deprecated),
            replaced_by=well_formed(spec.replaced_by),
            docs=well_formed(spec.docs),
        ),
    }


def _said(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None and value != ""}


def _details_data(spec: ErrorSpec) -> list[dict[str, Any]] | None:
    cls = spec.details
    if cls is None or (cls is ReasonDetails and spec.reasons):
        return None
    texts = field_prose(cls)
    return [_field_data(field, texts.get(field.name, "")) for field in read_fields(cls)]


def _field_data(field: Field, text: str) -> dict[str, Any]:
    kind, _ = split_type(field.type_text)
    default = None if field.required else field.default
    if field.secret and default is not None:
        default = PLACEHOLDER
    found = {"name": field.name, **_said(type=kind if kind != "Any" else "")}
    if not field.required:
        found["required"] = False
    if default is not None:
        found["default"] = as_json(default)
    return {**found, **_said(secret=field.secret or None, description=settled(text))}


def _reason_data(reason: Reason) -> dict[str, Any]:
    return {
        "title": well_formed(reason.title),
        **_said(hint=well_formed(reason.hint), retryable=reason.retryable),
    }


def _example_data(spec: ErrorSpec) -> dict[str, Any] | None:
    if spec.example is None:
        return None
    hidden = secret_names(spec.details)
    shown = {
        name: PLACEHOLDER if name in hidden and value is not None else value
        for name, value in spec.example.items()
    }
    found: dict[str, Any] = as_json(shown)
    return found


_ALL: Final = sys.maxsize
_UNBOUNDED: Final = Bounds(text=_ALL, key=_ALL, depth=MAX_DEPTH, items=_ALL, nodes=_ALL, chars=_ALL)


def as_json(value: object) -> Any:
    """A value as redacted JSON that is not shortened: what is read back must be what was written."""
    return to_json(value, _UNBOUNDED)


def settled(text: str) -> str:
    """Prose as it is still the same after it was written to a file and read from there."""
    text = well_formed(text)
    while True:
        again = cleaned("\n" + text)
        if again == text:
            return text
        text = again
