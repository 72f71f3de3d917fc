"""The journal (``wire.jsonl``) from which an agent is restored: reading, migrating and writing its
records.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["JournalVersionDetails", "RecordWriteDetails", "SkippedRecordDetails", "WireError"]


class SkippedRecordDetails(Details):
    """Which record of the journal was passed over."""

    type: str | None = None
    """Type of the record; absent when it had none."""
    index: int
    """Position among the journal's records, counted from 0 and without the header."""


class JournalVersionDetails(Details):
    """Where the chain of migrations breaks off."""

    version: str
    """The protocol version for which no migration is known."""


class RecordWriteDetails(Details):
    """What could not be recorded."""

    recordType: str | None = None
    """Type of the record, if one in particular failed."""


class WireError(AgentCoreError, domain="wire", title="Agent journal"):
    """An agent's journal holds something that this version cannot read, or could not be written.

    Each agent has one, ``agents/<id>/wire.jsonl`` in the session's directory; its first line names the
    protocol version. Reading is lenient: a single strange record never keeps a session from opening.
    """

    WIRE_UNKNOWN_RECORD = code(
        "Unknown journal record",
        SkippedRecordDetails,
        code="wire.unknown_record",
        public=True,
        hint="Run `kimi upgrade` and resume the session with the newer version.",
        example={"type": "tower.inbox_sent", "index": 41},
    )
    """While restoring, a record was met whose type nobody declares, or whose shape is wrong; it was
    skipped and reported to the handler for unexpected errors, and the rest was restored. The session was
    last used by a newer version, or by one with a plugin or experiment that is off now. Nothing is
    removed from the file, so opening it again with the other version brings the record back; until then,
    what it recorded is missing from the agent's memory."""

    WIRE_MIGRATION_MISSING = code(
        "Journal is too old to migrate",
        JournalVersionDetails,
        code="wire.migration_missing",
        public=True,
        hint="Start a new session, and keep the old one readable with `kimi export <sessionId>`.",
        example={"version": "0.9"},
    )
    """The header of the journal names a protocol version from which no chain of migrations leads to the
    present one. Known steps begin at 1.0; a lower number comes from a pre-release or from a header that
    was changed by hand. The agent is not restored and the file is left as it is, so compare its first
    line (``head -1 wire.jsonl``) with that of a recent session."""

    RECORDS_WRITE_FAILED = code(
        "Journal record was not written",
        RecordWriteDetails,
        code="records.write_failed",
        public=True,
        hint="Read `logs/kimi-code.log` in the session's directory for the file error behind it.",
        example={"recordType": "context.append_message"},
    )
    """A step of the conversation happened but could not be appended to the journal, so it would be
    missing after a resume. The older engine reports it as an event, usually over a full or read-only
    disk; the present core does not use it, and its failed appends appear under ``storage.*`` through the
    handler for unexpected errors. Make the data root writable before going on, since every further step
    is at the same risk."""
