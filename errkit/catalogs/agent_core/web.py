"""Codes of fetching a page for the model: the ``FetchURL`` tool and the fetcher behind it."""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = ["FetchDetails", "HostDetails", "UrlDetails", "WebError"]


class UrlDetails(Details):
    """The address that was refused."""

    url: str
    """Address as it was given."""

    protocol: str | None = None
    """Scheme with its colon, such as ``ftp:``, where the scheme is what is not allowed."""


class HostDetails(Details):
    """The host that was refused."""

    host: str
    """Host name or literal IP address, in lower case and without brackets."""

    address: str | None = None
    """Private address that the name resolved to, where it did."""


class FetchDetails(Details):
    """What the fetch ran into; each way to fail fills in its own fields."""

    status: int | None = None
    """HTTP status of the answer, from 400 upwards."""

    url: str | None = None
    """Address that was asked for first, where redirects ran out."""

    limit: int | None = None
    """Number of redirects that are followed at most."""

    bytes: int | None = None
    """Size of the body, announced or measured, where it is too large."""

    maxBytes: int | None = None
    """Largest body that is accepted, in bytes."""


class WebError(AgentCoreError, domain="web", title="Web fetching"):
    """Page fetches are guarded against reaching into private networks, and every redirect is checked like the
    first address. The model sees the message as the tool's result, so it may well try another page by itself.
    """

    WEB_INVALID_URL = code(
        "Address is not an http or https URL",
        UrlDetails,
        code="web.invalid_url",
        public=True,
        hint="Write the complete address, beginning with `https://` or `http://`.",
        example={"url": "ftp://example.org/notes.txt", "protocol": "ftp:"},
    )
    """The address does not parse, or its scheme is one that the fetcher never opens. Models tend to drop the
    scheme (``example.org/docs``) or to reach for ``file:``; a redirect that points to such a scheme ends here
    too. Files on this machine are read with the ``Read`` tool, not fetched.
    """

    WEB_PRIVATE_ADDRESS = code(
        "Host is private or cannot be vetted",
        HostDetails,
        code="web.private_address",
        public=True,
        hint="Use `curl` in the Bash tool for a local service, and check the DNS of a public host.",
        example={"host": "wiki.corp.example", "address": "10.20.0.7"},
    )
    """The host is, or resolves to, a loopback, link-local, carrier-grade NAT or private network address,
    which the local fetcher refuses so that a page cannot steer the agent into your network. Intranet names
    and ``localhost`` development servers are the everyday cases. A name that does not resolve at all is
    refused with this code as well, since nothing can be said about it: compare ``nslookup`` with
    ``details.host``. The tool's fetcher has no setting that lifts the guard.
    """

    WEB_FETCH_FAILED = code(
        "Page could not be fetched",
        FetchDetails,
        code="web.fetch_failed",
        kind="transient",
        public=True,
        hint="Repeat the fetch if `details.status` is 429 or 5xx, and try another address otherwise.",
        example={"status": 503},
    )
    """The request went out, but no usable text came back: an HTTP status of 400 or more, an eleventh
    redirect, a body above 10 MiB, or a page without readable text. The whole code counts as retryable because
    of overloaded servers, although a 404 or a page that is drawn by JavaScript will not improve. For the
    latter ask for a raw or plain-text version of the document, which is passed through unchanged.
    """
