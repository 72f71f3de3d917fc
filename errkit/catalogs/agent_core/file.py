"""Codes of the upload store, which keeps files that a client sent ahead of a prompt.

It has nothing to do with files of the workspace; those are the business of ``fs.*`` and ``os.fs.*``.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["FileError", "UploadDetails"]


class UploadDetails(Details):
    """Which upload was asked for."""

    fileId: str
    """Identifier as the caller sent it; identifiers that the store hands out look like ``f_<uuid>``."""


class FileError(AgentCoreError, domain="file", title="Uploaded files"):
    """Uploads are addressed by identifier, never by path, and may carry an expiry time. Downloads and
    deletions of ``/api/v1/files/{file_id}`` raise here, and so does a prompt or skill that attaches an
    upload.
    """

    FILE_NOT_FOUND = code(
        "Upload does not exist",
        UploadDetails,
        code="file.not_found",
        public=True,
        hint="Send the file again with `POST /api/v1/files` and use the `id` from its answer.",
        example={"fileId": "f_3f0c9a52-7d1e-4c55-9a0b-6a1b2c3d4e5f"},
    )
    """No upload answers to this identifier. An upload made with ``expires_in_sec`` is pruned once its time is
    over, one whose stored bytes have vanished is dropped from the index, and an identifier that does not
    begin with ``f_`` is refused before any look-up. Compare ``details.fileId`` with the upload's answer,
    where ``expires_at`` tells how long it was meant to live; over HTTP this is a real 404 with envelope code
    40407.
    """
