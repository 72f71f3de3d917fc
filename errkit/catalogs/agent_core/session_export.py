"""Codes of the session export, which packs a session's folder and its diagnostic logs into one ZIP file."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = [
    "ExportArchiveDetails",
    "ExportFolderDetails",
    "ExportOutputDetails",
    "ExportSessionDetails",
    "SessionExportError",
]


class ExportSessionDetails(Details):
    """Which session was to be exported."""

    sessionId: str
    """Identifier of the session."""


class ExportFolderDetails(Details):
    """Which session was to be exported, and where its files were looked for."""

    sessionId: str
    """Identifier of the session."""

    sessionDir: str
    """Session folder that holds no file, or does not exist."""


class ExportOutputDetails(Details):
    """The output path, and the input that lies at the same place."""

    outputPath: str
    """Absolute path the archive was to be written to."""

    source: str
    """Input that is the same file: a path in the session folder, or the archive name of a log."""


class ExportArchiveDetails(Details):
    """How far the archive had grown, and how far it may."""

    archiveBytes: int
    """Bytes of the archive at the moment it crossed the limit; its full size was never measured."""

    maxArchiveBytes: int
    """Limit in bytes that the caller of the export had set."""


class SessionExportError(AgentCoreError, domain="session_export", title="Session export"):
    """``kimi export``, ``/export-debug-zip`` and the web download build the same archive. It grows in a
    temporary folder beside its target and is renamed at the very end, so a failed export leaves no partial
    ZIP behind.
    """

    SESSION_EXPORT_NOT_FOUND = code(
        "Session has no files to export",
        ExportFolderDetails,
        code="session.export_not_found",
        public=True,
        hint="List the folder in `details.sessionDir`, and export another session if it is empty.",
        example={
            "sessionId": "session_01JZX4A6E7",
            "sessionDir": "/home/ada/.kimi-code/sessions/wd_app_5d41c0ffee12/session_01JZX4A6E7",
        },
    )
    """The index knows the session, but its folder is empty or gone. Clearing ``$KIMI_CODE_HOME/sessions/`` by
    hand does this, and so does a clean-up job that spares ``session_index.jsonl`` beside it. Restore the
    folder from a backup, or pick a session that still has its ``state.json`` and ``agents/*/wire.jsonl``.
    """

    SESSION_EXPORT_MISSING_VERSION = code(
        "Export was asked for without a host version",
        ExportSessionDetails,
        code="session.export_missing_version",
        kind="bug",
        public=True,
        hint="Pass the host program's own version string as `version` in the export request.",
        example={"sessionId": "session_01JZX4A6E7"},
    )
    """The program that embeds the core asked for an archive and sent an empty or blank ``version``. The
    archive's ``manifest.json`` names the version that wrote it, since a bug report is worth little without
    one, and the check comes before anything is read. ``kimi export`` fills the field in by itself: only a
    host of your own can run into this, for instance one that reads its version from a build variable that was
    never set.
    """

    SESSION_EXPORT_OUTPUT_CONFLICT = code(
        "Archive would overwrite one of its own inputs",
        ExportOutputDetails,
        code="session.export_output_conflict",
        public=True,
        hint="Choose another target, as in `kimi export <sessionId> -o ~/session.zip`.",
        example={
            "outputPath": "/home/ada/.kimi-code/logs/kimi-code.log",
            "source": "logs/global/kimi-code.log",
        },
    )
    """The output path and a file that belongs into the archive are one and the same. Device and inode are
    compared as well as the spelling, so a symbolic or hard link to a session file is caught too. Writing
    would have destroyed the input in the middle of reading it; nothing was touched, and an ordinary new file
    name will do.
    """

    SESSION_EXPORT_TOO_LARGE = code(
        "Session archive exceeds the size limit",
        ExportArchiveDetails,
        code="session.export_too_large",
        public=True,
        hint="Run `kimi export <sessionId>` in a terminal instead of downloading from the web UI.",
        example={"archiveBytes": 67174400, "maxArchiveBytes": 67108864},
    )
    """Packing stopped because the compressed archive had outgrown ``details.maxArchiveBytes``. The limit is
    the caller's choice: the web route sets 64 MiB, and an export that names no limit has none. Long sessions
    get there through their ``wire.jsonl`` journals and the logs, of which ``--no-include-global-log`` leaves
    the largest shared one out.
    """
