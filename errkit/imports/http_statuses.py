"""HTTP statuses, from the CSV file of IANA's registry.

https://www.iana.org/assignments/http-status-codes/http-status-codes-1.csv has the columns Value, Description
and Reference. Only statuses from 400 on report a failure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from errkit.imports.draft import Entry
from errkit.imports.files import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.imports.files import Source

__all__ = ["read"]

_TRANSIENT: Final = frozenset({408, 425, 429, 502, 503, 504})
"""Statuses that invite another try: RFC 9110, RFC 8470, RFC 6585."""


def read(source: Source) -> Iterator[Entry]:
    """Each status of a client or a server error that is assigned."""
    for number, row in enumerate(rows_of(source), 2):
        value, about = row.get("Value", "").strip(), row.get("Description", "").strip()
        if re.fullmatch(r"[45]\d\d", value) and about.lower() not in ("", "unassigned", "(unused)"):
            yield _entry(int(value), about, row.get("Reference", ""), f"line {number}")


def _entry(status: int, about: str, reference: str, place: str) -> Entry:
    is_client = status < 500
    rfc = re.search(r"RFC(\d+)", reference)
    return Entry(
        code=f"http.{re.sub(r'[^a-z0-9]+', '_', about.lower()).strip('_')}",
        place=place,
        domain="http.client" if is_client else "http.server",
        domain_title="Client errors" if is_client else "Server errors",
        title=about,
        facts={
            "number": status,
            "kind": "transient" if status in _TRANSIENT else "terminal",
            "public": True,
            "http_status": status,
            "docs": f"https://www.rfc-editor.org/rfc/rfc{rfc[1]}" if rfc else "",
        },
    )
