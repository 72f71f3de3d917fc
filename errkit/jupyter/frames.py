"""Registries and records as frames of pandas or polars, for questions that nobody foresaw.

The columns are facts, one value a cell. What holds several values (details of a code, aliases) is a list of
names; a payload stays the dict that it is. Neither library is loaded before a frame is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from errkit.codes import KINDS
from errkit.fields import read_fields
from errkit.guards import error_info
from errkit.jupyter.settings import docs_address
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from errkit.codes import ErrorSpec
    from errkit.diagnostics import ErrorRecord
    from errkit.registry import Registry

__all__ = ["Library", "records_frame", "registry_frame"]

Library = Literal["pandas", "polars"]


def registry_frame(registry: Registry, library: Library = "pandas") -> Any:
    """A row for each code of a registry, in the order of declaration; see `Registry.to_frame`."""
    return _frame([_code_row(spec) for spec in registry], _CODE_COLUMNS, library, category=("domain",))


def records_frame(records: Iterable[ErrorRecord], library: Library = "pandas") -> Any:
    """A row for each record; see `Records.to_frame`."""
    rows = [_record_row(record) for record in records]
    return _frame(rows, _RECORD_COLUMNS, library, category=("code", "domain"), times=("at",))


_CODE_COLUMNS: Final = (
    "code", "domain", "const", "number", "title", "kind", "retryable", "alert", "public", "retry_after",
    "http_status", "hint", "details", "reasons", "aliases", "since", "deprecated", "replaced_by", "docs",
    "file", "line",
)  # fmt: skip


def _code_row(spec: ErrorSpec) -> dict[str, Any]:
    row = {name: getattr(spec, name, None) for name in _CODE_COLUMNS}
    fields = read_fields(spec.details) if spec.details is not None else ()
    return row | {
        "details": [field.name for field in fields],
        "reasons": list(spec.reasons),
        "aliases": list(spec.aliases),
        "docs": docs_address(spec),
    }


_RECORD_COLUMNS: Final = (
    "at", "code", "domain", "kind", "retryable", "alert", "message", "hint", "number", "cause", "root",
    "fingerprint", "diagnostic_id", "log_path", "payload", "id",
)  # fmt: skip


def _record_row(record: ErrorRecord) -> dict[str, Any]:
    row = {name: getattr(record, name, None) for name in _RECORD_COLUMNS}
    chain = causes_of(record)
    return row | {
        "domain": error_info(record.code).domain or record.code.rpartition(".")[0],
        "cause": chain[0] if chain else None,
        "root": chain[-1] if chain else record.code,
    }


def causes_of(record: ErrorRecord) -> list[str]:
    """What stands along the causes of a recorded failure: codes, and classes of what has no code."""
    found: list[str] = []
    link = record.payload.get("cause")
    while isinstance(link, dict) and len(found) < 100:
        code, name = str(link.get("code", "")), link.get("name")
        found.append(str(name) if code == "internal" and name else code)
        link = link.get("cause")
    return found


# --- libraries ----------------------------------------------------------------------------------------------


def _frame(
    rows: list[dict[str, Any]],
    columns: Sequence[str],
    library: Library,
    *,
    category: tuple[str, ...],
    times: tuple[str, ...] = (),
) -> Any:
    if library not in get_args(Library):
        raise ValueError(f"library={library!r} is none of {', '.join(get_args(Library))}")
    found = {name: [row[name] for row in rows] for name in columns}
    module = _load(library)
    build = _pandas if library == "pandas" else _polars
    return build(module, found, category, times)


def _pandas(pandas: ModuleType, found: dict[str, list[Any]], category: Any, times: Any) -> Any:
    frame = pandas.DataFrame(found)
    for name in times:
        frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    for name in category:
        frame[name] = frame[name].astype("category")
    frame["kind"] = pandas.Categorical(frame["kind"], categories=list(KINDS))
    for name in ("number", "http_status", "line"):
        if name in found:
            frame[name] = frame[name].astype("Int64")
    if "retry_after" in found:
        frame["retry_after"] = frame["retry_after"].astype("float64")
    return frame


def _polars(polars: ModuleType, found: dict[str, list[Any]], category: Any, times: Any) -> Any:
    import json

    texts = polars.List(polars.String)
    kinds = {
        **dict.fromkeys(("number", "http_status", "line"), polars.Int64),
        **dict.fromkeys(("details", "reasons", "aliases"), texts),
        **dict.fromkeys(("retryable", "alert", "public"), polars.Boolean),
        "retry_after": polars.Float64,
        "kind": polars.Enum(list(KINDS)),
        **dict.fromkeys(category, polars.Categorical),
    }
    if "payload" in found:
        # A column of polars has one shape; a payload has as many as there are codes.
        found["payload"] = [json.dumps(payload, ensure_ascii=False) for payload in found["payload"]]
    frame = polars.DataFrame(found, schema={name: kinds.get(name, polars.String) for name in found})
    return frame.with_columns(
        polars.col(name).str.to_datetime(time_zone="UTC", format="%+") for name in times
    )


def _load(name: str) -> ModuleType:
    """A library of the `jupyter` extra; polars comes by itself."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as missing:
        install = "pip install 'errkit[jupyter]'" if name == "pandas" else f"pip install {name}"
        raise ErrkitError.MISSING_EXTRA(
            f"frames need {name}: {install} ({missing})", extra="jupyter", module=name
        ) from missing
