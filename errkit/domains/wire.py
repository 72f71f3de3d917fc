"""Durable records and their journals: the domain `wire`, for programs that restore their state from a
journal.

Reading is lenient: a record of an unknown type is skipped, and its error is reported and not raised
(`errkit.unexpected`). A journal that no chain of migrations reaches is not read at all.
"""

from __future__ import annotations

from errkit.codes import Details, code
from errkit.errors import CodedError

__all__ = ["RecordDetails", "VersionDetails", "WireError"]


class RecordDetails(Details):
    """Which record was skipped."""

    type: str | None = None
    """The type that the record gives; absent if it gives none."""
    index: int
    """Its place among the records, counted from 0."""


class VersionDetails(Details):
    """From which version no way leads on."""

    version: str
    """The version that the journal was written in."""


class WireError(CodedError, domain="wire", title="Durable records", numbers=range(12300, 12400)):
    """A journal holds something that this version of the program can't read.

    ``wire.unknown_record`` is reported for each record that a restore skips, so that one strange record keeps
    nobody from their data; ``wire.migration_missing`` ends the restore.
    """

    UNKNOWN_RECORD = code(
        "Record of an unknown type",
        RecordDetails,
        number=12301,
        public=True,
        hint="Read the journal with the version of the program that wrote it.",
        example={"type": "cart.discount_applied", "index": 17},
    )
    """A record names a type that no part of this program has declared (``details.type``), so the restore
    passed over it. A newer version wrote it, or a plugin that is not loaded now. The journal itself is
    unchanged: load the plugin or update the program, and the next restore includes the record."""

    MIGRATION_MISSING = code(
        "Journal is from a version without a migration",
        VersionDetails,
        number=12302,
        public=True,
        hint="Update the journal step by step with older versions of the program, or start a new one.",
        example={"version": "0.9"},
    )
    """Journals of older versions are brought up to date by a chain of migrations, and none of them begins
    at the version of this one. It predates the first migration, or its header was edited. Keep a copy of
    the file, and compare ``details.version`` with the versions in the program's changelog."""
