"""Requests over HTTP: the domain `http`, and the table that turns what a client meets into its codes.

A client puts `translating(to_http_error, method="GET", url=url)` around its calls; `response_error` makes the
error of an answer that nobody raised anything for. What an answer says (how long to wait, whether it is a
quota or a rate limit) is read in `response.py`.

This is the side of the client. The answers of one's own API are made in `errkit.dialects.problem`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from errkit.boundary import Rule, Translator, errno_name, status_of, through_groups
from errkit.codes import Details, Reason, code, text_of
from errkit.domains.response import (
    api_reason,
    header,
    is_overload,
    is_quota,
    is_rate_limit,
    is_spent,
    links,
    request_of,
    retry_after_of,
)
from errkit.errors import CodedError
from errkit.fields import class_name
from errkit.guards import unwrap_cause

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit.codes import ErrorCode, ErrorSpec

__all__ = [
    "STATUSES",
    "ConnectionDetails",
    "ConnectionLost",
    "FaultDetails",
    "HttpError",
    "RequestDetails",
    "RequestTimedOut",
    "ResponseDetails",
    "TimeoutDetails",
    "response_error",
    "to_http_error",
]


class RequestDetails(Details):
    """Which request it was."""

    method: str | None = None
    """Its method, such as ``GET``; absent where nobody knows it."""
    url: str | None = None
    """Its address; the message has the host alone."""


class ResponseDetails(RequestDetails):
    """Which request it was, and what the server answered."""

    status: int
    """The status of the answer."""
    reason: str | None = None
    """The API's own word for the failure, such as ``insufficient_quota``, where its answer gave one."""
    request_id: str | None = None
    """The id under which the server knows the request, where it told one."""


class ConnectionDetails(RequestDetails):
    """Which request found no connection, and why."""

    reason: str | None = None
    """Which of the declared reasons it was; absent if the client does not tell."""
    errno: str | None = None
    """The platform's error by name, such as ``ECONNREFUSED``."""


class TimeoutDetails(RequestDetails):
    """Which request took too long, and for what the client waited."""

    reason: str | None = None
    """Which of the declared reasons it was; absent if the client does not tell."""


class FaultDetails(RequestDetails):
    """Which request it was, and what was raised."""

    fault: str | None = None
    """The class of what was raised, such as ``JSONDecodeError``."""


_GET: Final = {"method": "GET", "url": "https://api.shop.example/v1/carts/c1"}
_POST: Final = {"method": "POST", "url": "https://api.shop.example/v1/carts"}


class HttpError(CodedError, domain="http", title="HTTP requests", numbers=range(12400, 12500)):
    """A request over HTTP did not get the answer that it was made for.

    =================================================================  =======================================
    what happened                                                      code
    =================================================================  =======================================
    status 400                                                         ``http.bad_request``
    status 401                                                         ``http.unauthorized``
    status 403                                                         ``http.forbidden``
    status 404, 410                                                    ``http.not_found``
    status 408                                                         ``http.request_timeout``
    status 409                                                         ``http.conflict``
    status 413                                                         ``http.too_large``
    status 422                                                         ``http.unprocessable``
    status 429; 403 that speaks of a rate limit                        ``http.rate_limited``
    status 402; 429, 403, 400 that speak of money or a quota           ``http.quota_exhausted``
    status 425                                                         ``http.rejected``, retryable
    any other status from 400 to 499                                   ``http.rejected``
    status 502, 520                                                    ``http.server_error``, retryable
    status 503, 521, 522, 523                                          ``http.unavailable``
    status 504, 524                                                    ``http.gateway_timeout``
    status 529; any from 500 up that speaks of overload                ``http.overloaded``
    any other status from 500 up                                       ``http.server_error``
    status 413, or from 500 up, with ``Retry-After``                   its code, retryable
    status 300 to 399; too many redirects                              ``http.redirect_failed``
    ``TimeoutError`` and the timeouts of clients                       ``http.timed_out``
    a certificate that does not verify                                 ``http.untrusted``
    ``ConnectionError``, ``URLError``, and the like of other clients   ``http.connection_failed``
    an answer that is no HTTP, that breaks off, or does not decode     ``http.bad_response``
    an address that can't be requested                                 ``http.bad_url``
    all others                                                         ``http.unknown``
    =================================================================  =======================================

    Statuses and words are read by their shape, so any client will do whose exceptions or responses have a
    ``status_code``, ``status`` or ``code``. The failures without a status are known of ``urllib``,
    ``http.client``, ``requests``, ``httpx`` and ``aiohttp``. The two failures without an answer that have a
    built-in class are that class too: ``except TimeoutError`` and ``except ConnectionError`` keep working.
    """

    BAD_REQUEST = code(
        "Request was refused as malformed",
        ResponseDetails,
        number=12401,
        http_status=400,
        hint="Compare the request with the API's documentation, beginning with what its answer names.",
        example={**_POST, "status": 400, "reason": "invalid_parameter"},
    )
    """The server could not make sense of the request (400): a parameter is missing, a value has the wrong
    form, or the body is not what its ``Content-Type`` says. Sending it again gives the same answer. The cause
    holds the server's own words; ``curl -v`` to the same address shows what really goes over the wire."""

    UNAUTHORIZED = code(
        "Credentials are missing or not valid",
        ResponseDetails,
        number=12402,
        http_status=401,
        hint="Renew the key or token, and check that it is sent to this server.",
        example={**_GET, "status": 401, "reason": "token_expired"},
    )
    """The server does not know who is asking (401). A token has expired or was revoked, a key belongs to
    another environment, or a redirect to another host dropped the ``Authorization`` header. The answer's
    ``WWW-Authenticate`` names the scheme that is expected; try the key alone in one ``curl`` call before you
    search elsewhere."""

    FORBIDDEN = code(
        "Access is not allowed",
        ResponseDetails,
        number=12403,
        http_status=403,
        hint="Ask the owner of the resource for the right that the request needs.",
        example={**_GET, "status": 403, "reason": "missing_scope"},
    )
    """The server knows who is asking and says no (403). The account lacks a role or the token a scope;
    firewalls before an API answer like this to unknown networks, and to a ``User-Agent`` such as
    ``Python-urllib``. Compare the scopes of the token with those that the call documents."""

    NOT_FOUND = code(
        "Resource does not exist",
        ResponseDetails,
        number=12404,
        http_status=404,
        hint="Check path and identifier of the address.",
        example={**_GET, "status": 404},
    )
    """Nothing is at that address (404), or no longer (410). A base URL with or without its version segment,
    such as ``/v1``, is the usual slip; many APIs also hide like this what the caller may not see. Compare
    ``details.url`` with an address that works."""

    REQUEST_TIMEOUT = code(
        "Server gave up waiting for the request",
        ResponseDetails,
        number=12405,
        kind="transient",
        http_status=408,
        hint="Send the request again, on a new connection.",
        example={**_POST, "status": 408},
    )
    """The server closed a connection on which the request did not arrive in time (408). A slow upload does
    it, or a connection that was kept alive, lay idle too long and was then used again. Where it comes back,
    send large bodies in parts, and let the client drop idle connections sooner than the server's
    ``keepalive_timeout``."""

    CONFLICT = code(
        "Request conflicts with the state of the resource",
        ResponseDetails,
        number=12406,
        http_status=409,
        hint="Read the resource again, then apply the change to what it is now.",
        example={**_POST, "status": 409, "reason": "cart_exists"},
    )
    """Someone else has changed, created or locked the resource in the meantime (409), so the change was not
    made. Names that must be unique lead here, and two writers that started from the same ``ETag``. Load the
    current state, merge, and send the result; the request as it was would fail once more."""

    TOO_LARGE = code(
        "Request is too large",
        ResponseDetails,
        number=12407,
        http_status=413,
        hint="Send less at once, or ask for a higher limit.",
        example={**_POST, "status": 413},
    )
    """The body is larger than the server takes, or a proxy before it (413); nginx stops at 1 MB unless
    ``client_max_body_size`` says more. An answer in HTML instead of the API's usual form is the proxy's. If
    the answer names a time to wait, the limit is a passing one and the error is marked as retryable."""

    UNPROCESSABLE = code(
        "Content was understood and refused",
        ResponseDetails,
        number=12408,
        http_status=422,
        hint="Correct the fields that the server's answer lists.",
        example={**_POST, "status": 422, "reason": "validation_error"},
    )
    """Form and syntax are right, but the values break a rule of the API (422): an end before its start, an
    identifier that points nowhere, a field that the plan does not include. Most servers list each field in
    the body; FastAPI calls the list ``detail``. It is left with the cause, since it may quote what was
    sent."""

    RATE_LIMITED = code(
        "Too many requests",
        ResponseDetails,
        number=12409,
        kind="transient",
        http_status=429,
        hint="Wait as long as `retry_after` says, then go on more slowly.",
        example={**_GET, "status": 429, "reason": "rate_limit_exceeded", "request_id": "req_7f3a"},
    )
    """Requests came faster than the server allows one caller (429; GitHub and others say 403). Workers that
    share a key add up, and so do retries without a pause. ``error.retry_after`` has the seconds that the
    server asked for, from ``Retry-After`` in either form or from the reset of its limit. Let all workers
    share one limiter if it keeps coming."""

    QUOTA_EXHAUSTED = code(
        "Quota is used up",
        ResponseDetails,
        number=12410,
        # Not 429, which clients without errkit would take as an invitation to try again.
        http_status=402,
        hint="Raise the quota or the balance of the account, or use another account.",
        example={**_POST, "status": 429, "reason": "insufficient_quota"},
    )
    """The account has used what it paid for or was granted (402, or 429, 403 and 400 with such words in the
    answer). No pause brings it back, so retry loops leave it alone, unlike ``http.rate_limited``.
    ``details.reason`` holds the API's own word, such as ``insufficient_quota``; usage and limits stand on the
    provider's billing page."""

    REJECTED = code(
        "Request was refused",
        ResponseDetails,
        number=12411,
        http_status=400,
        hint="Look the status up in the API's documentation.",
        example={"method": "PUT", "url": "https://api.shop.example/v1/carts/c1", "status": 412},
    )
    """The server answered with a status from 400 to 499 that has no code of its own, such as 405 for a wrong
    method, 412 for a failed ``If-Match``, or 415 for a wrong ``Content-Type``. The request has to change
    before it can work. Only 425 is marked as retryable, because it asks for the same request a moment
    later."""

    SERVER_ERROR = code(
        "Server error",
        ResponseDetails,
        number=12412,
        http_status=502,
        hint="Report the request to the operator of the server, with its id.",
        example={**_POST, "status": 500, "request_id": "req_7f3b"},
    )
    """Something broke behind the address (500, and statuses above it without a code of their own). The same
    request may break it every time, so it counts as terminal. Gateways that got nonsense from the machine
    behind them (502, and 520 at Cloudflare) and answers with ``Retry-After`` are marked as retryable one by
    one. The operator's log can be searched for ``details.request_id``."""

    UNAVAILABLE = code(
        "Service is not available",
        ResponseDetails,
        number=12413,
        kind="transient",
        http_status=503,
        hint="Try again after a pause that grows, and look at the status page of the service.",
        example={**_GET, "status": 503},
    )
    """The server is up but does not serve just now (503): it restarts, is being deployed, or sheds load.
    Behind Cloudflare, 521 to 523 mean that the machine itself could not be reached. For a service of your
    own, ``kubectl get endpoints`` tells whether any machine stands behind it."""

    GATEWAY_TIMEOUT = code(
        "Gateway got no answer in time",
        ResponseDetails,
        number=12414,
        kind="transient",
        http_status=504,
        hint="Try again, or split the work into requests that end sooner.",
        example={**_POST, "status": 504},
    )
    """A proxy before the service waited and gave up (504; 524 at Cloudflare). The service may still be at
    work, and may finish what it was asked for. Before you repeat a request that changes something, look
    whether it has happened, or send an ``Idempotency-Key`` from the start."""

    OVERLOADED = code(
        "Service is overloaded",
        ResponseDetails,
        number=12415,
        kind="transient",
        http_status=503,
        hint="Wait longer than for a restart, or use another model or region.",
        example={**_POST, "status": 529, "reason": "overloaded_error"},
    )
    """The service has more work than it can take, from all its users together (529, or a body that says so).
    APIs of language models answer like this at peak times, for instance with ``overloaded_error``, and
    nothing about your account is wrong. Lower the number of requests that run at once, and let the pause grow
    with each try."""

    REDIRECT_FAILED = code(
        "Redirects lead nowhere",
        RequestDetails,
        number=12416,
        http_status=502,
        hint="Use the final address in the first place.",
        example={**_GET},
    )
    """The server redirects in a circle, more often than the client follows, or to where it does not follow at
    all. A login page that sends the client back and forth because a cookie got lost is the usual reason.
    ``curl -IL`` with ``details.url`` prints each hop."""

    CONNECTION_FAILED = code(
        "Connection failed",
        ConnectionDetails,
        number=12417,
        kind="transient",
        http_status=502,
        hint="Check host, port and network, for instance with `curl -v`.",
        reasons={
            "unknown_host": Reason(
                title="Host name is unknown", hint="Check the spelling of the host name.", retryable=False
            ),
            "dns": Reason(title="Name server did not answer", hint="Check this machine's name servers."),
            "refused": Reason(
                title="Nobody listens at that address",
                hint="Check that the service runs, and on which port.",
            ),
            "unreachable": Reason(
                title="Host or network can't be reached", hint="Check routes, VPN and firewall."
            ),
            "closed": Reason(title="Connection was closed by the other side"),
            "proxy": Reason(title="Proxy failed", hint="Check the proxy that `HTTPS_PROXY` names."),
            "tls": Reason(
                title="TLS handshake failed", hint="Check that the port speaks TLS, and which versions."
            ),
        },
        example={**_GET, "reason": "refused", "errno": "ECONNREFUSED"},
    )
    """No answer came, because the connection could not be made or broke off. ``details.reason`` tells which
    it was, from a host name that nobody knows to a connection that the other side closed. After a break in
    the middle nobody knows what the server has done, so repeat only what may be done twice."""

    UNTRUSTED = code(
        "Certificate of the server is not trusted",
        RequestDetails,
        number=12418,
        http_status=502,
        hint="Install the certificate authority that signed it, or renew the certificate.",
        example={**_GET},
    )
    """The connection was given up because the server's certificate has expired, is for another name, or comes
    from an authority that this machine does not know. Company proxies that open TLS sign with an authority of
    their own. ``openssl s_client -connect HOST:443`` shows the chain; point ``SSL_CERT_FILE`` at a bundle
    with the missing authority, and leave verification on."""

    TIMED_OUT = code(
        "Request did not end in time",
        TimeoutDetails,
        number=12419,
        kind="transient",
        http_status=504,
        hint="Try again, or allow the request more time.",
        reasons={
            "connect": "Connection was not made in time",
            "response": "Answer did not come in time",
            "pool": Reason(
                title="No connection of the pool came free", hint="Let the client open more connections."
            ),
        },
        example={**_GET, "reason": "response"},
    )
    """The client's own patience ran out: while it connected, while it waited for the answer, or for a free
    connection of its pool (``details.reason``). A server that hangs and a firewall that drops packets look
    alike from here. Keep an outer limit on the whole call larger than the ``timeout`` of the request, or it
    hides which part was slow."""

    BAD_RESPONSE = code(
        "Response can't be understood",
        FaultDetails,
        number=12420,
        http_status=502,
        hint="Look at what the server really sent, for instance with `curl -i`.",
        example={**_GET, "fault": "JSONDecodeError"},
    )
    """What came back is no HTTP, broke off before its end, or has a body that does not decode as what it
    should be. The page of a proxy or of a login where JSON belongs is common, and so is a port that speaks
    another protocol. ``details.fault`` names what was raised, such as ``JSONDecodeError``; where a body only
    broke off, the error is marked as retryable."""

    BAD_URL = code(
        "Address can't be requested",
        FaultDetails,
        number=12421,
        http_status=500,
        hint="Write the address with scheme and host, and quote what stands in its path.",
        example={"method": "GET", "url": "/v1/carts/c1", "fault": "MissingSchema"},
    )
    """The request was never sent: its address has no scheme, one that the client does not speak, or
    characters that may not stand there. A base URL that is empty because its setting is missing leaves
    ``/v1/carts`` without a host. Print the address with ``repr``, and build paths with
    ``urllib.parse.quote``."""

    UNKNOWN = code(
        "Unexpected HTTP failure",
        FaultDetails,
        number=12422,
        http_status=502,
        hint="Read the cause, and give it a code of your own where your program translates.",
        example={**_GET, "fault": "KeyError"},
    )
    """The call failed in a way that has no status and is known of no client; ``details.fault`` is its class.
    A mistake inside the translated block ends here too, for instance a ``KeyError`` while the answer is taken
    apart. Keep such code outside the block."""


class RequestTimedOut(HttpError, TimeoutError, of=HttpError.TIMED_OUT, default=True):
    """`http.timed_out` as the `TimeoutError` that it always was."""


class ConnectionLost(HttpError, ConnectionError, of=HttpError.CONNECTION_FAILED, default=True):
    """`http.connection_failed` as the `ConnectionError` that it always was."""


# --- from what was raised to code -------------------------------------------------------------------

STATUSES: Final[tuple[tuple[tuple[int, ...], ErrorCode[..., ResponseDetails, HttpError]], ...]] = (
    ((400,), HttpError.BAD_REQUEST),
    ((401,), HttpError.UNAUTHORIZED),
    ((402,), HttpError.QUOTA_EXHAUSTED),
    ((403,), HttpError.FORBIDDEN),
    ((404, 410), HttpError.NOT_FOUND),
    ((408,), HttpError.REQUEST_TIMEOUT),
    ((409,), HttpError.CONFLICT),
    ((413,), HttpError.TOO_LARGE),
    ((422,), HttpError.UNPROCESSABLE),
    ((429,), HttpError.RATE_LIMITED),
    ((503, 521, 522, 523), HttpError.UNAVAILABLE),
    ((504, 524), HttpError.GATEWAY_TIMEOUT),
    ((529,), HttpError.OVERLOADED),
)
"""Each status that has a code, where the rest of the answer does not say otherwise."""

_GATEWAYS: Final = (502, 520)
"""A gateway got nonsense from the machine behind it, mostly while that is being replaced."""
_SERVER: Final = range(500, 600)

_TIMEOUTS: Final = (
    TimeoutError,
    "requests.exceptions.Timeout",
    "urllib3.exceptions.TimeoutError",
    "httpx.TimeoutException",
    "httpx2.TimeoutException",
)
_BAD_URLS: Final = (
    "http.client.InvalidURL",
    "requests.exceptions.InvalidSchema",
    "requests.exceptions.InvalidURL",
    "requests.exceptions.MissingSchema",
    "httpx.InvalidURL",
    "httpx.UnsupportedProtocol",
    "httpx2.InvalidURL",
    "httpx2.UnsupportedProtocol",
    "aiohttp.client_exceptions.InvalidURL",
    "aiohttp.client_exceptions.NonHttpUrlClientError",
)
_REDIRECTS: Final = (
    "requests.exceptions.TooManyRedirects",
    "httpx.TooManyRedirects",
    "httpx2.TooManyRedirects",
    "aiohttp.client_exceptions.TooManyRedirects",
)
_CUT_OFF: Final = (
    "http.client.IncompleteRead",
    "urllib.error.ContentTooShortError",
    "requests.exceptions.ChunkedEncodingError",
    "urllib3.exceptions.ProtocolError",
    "httpx.RemoteProtocolError",
    "httpx2.RemoteProtocolError",
    "aiohttp.client_exceptions.ClientPayloadError",
)
_BROKEN: Final = (ConnectionError, "socket.gaierror")
_LOST: Final = (
    "ssl.SSLError",
    "requests.exceptions.ConnectionError",
    "httpx.NetworkError",
    "httpx.ProxyError",
    "httpx2.NetworkError",
    "httpx2.ProxyError",
    "aiohttp.client_exceptions.ClientConnectionError",
    "aiohttp.client_exceptions.ClientHttpProxyError",
    "urllib.error.URLError",
)
_MISUSED: Final = ("http.client.ImproperConnectionState", "http.client.NotConnected")
_UNREADABLE: Final = (
    "http.client.HTTPException",
    "json.decoder.JSONDecodeError",
    UnicodeDecodeError,
    "zlib.error",
    "gzip.BadGzipFile",
    "requests.exceptions.ContentDecodingError",
    "requests.exceptions.InvalidJSONError",
    "httpx.DecodingError",
    "httpx2.DecodingError",
    "aiohttp.client_exceptions.ContentTypeError",
)

_UNREACHABLE: Final = frozenset({"ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL"})


def _holds(wanted: tuple[type[BaseException] | str, ...]) -> Callable[[BaseException], bool]:
    """Whether an exception, or one that it holds, is of one of these classes."""
    probe = Rule(HttpError.UNKNOWN, catches=wanted)
    return lambda error: any(probe.matches(link) for link in links(error))


def _is_no_address(error: BaseException) -> bool:
    """`urllib` has no class for an address that it can't request."""
    said = ("unknown url type", "no host given", "Invalid IPv6 URL")
    return isinstance(error, (ValueError, OSError)) and any(words in text_of(error) for words in said)


def _asks_to_wait(error: BaseException) -> bool:
    return header(error, "retry-after", "retry-after-ms") is not None and retry_after_of(error) is not None


def _facts_of(error: BaseException) -> Mapping[str, Any]:
    return {
        **request_of(error),
        "status": status_of(error),
        "reason": api_reason(error),
        "request_id": header(error, "x-request-id", "request-id", "x-amzn-requestid", "x-amz-request-id"),
        "fault": class_name(error),
    }


def _connection_details(error: BaseException) -> Mapping[str, Any]:
    found = links(error)
    names = (errno_name(link) for link in found if not _counts_otherwise(link))
    return {
        "reason": next((name for name, is_it in _REASONS if any(map(is_it, found))), None),
        "errno": next((name for name in names if name is not None), None),
    }


_is_resolver: Final = Rule(HttpError.UNKNOWN, catches="socket.gaierror").matches
_is_tls: Final = Rule(HttpError.UNKNOWN, catches="ssl.SSLError").matches


def _counts_otherwise(error: BaseException) -> bool:
    """Whether the `errno` of an error is no number of the platform."""
    return not isinstance(error, OSError) or _is_resolver(error) or _is_tls(error)


def _is_pause_of_resolver(error: BaseException) -> bool:
    import socket

    return _is_resolver(error) and getattr(error, "errno", None) == socket.EAI_AGAIN


_REASONS: Final[tuple[tuple[str, Callable[[BaseException], bool]], ...]] = (
    ("proxy", lambda error: "Proxy" in class_name(error)),
    ("dns", _is_pause_of_resolver),
    ("unknown_host", _is_resolver),
    ("tls", _is_tls),
    ("refused", lambda error: isinstance(error, ConnectionRefusedError)),
    ("unreachable", lambda error: isinstance(error, OSError) and errno_name(error) in _UNREACHABLE),
    (
        "closed",
        lambda error: (
            isinstance(error, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError))
            or class_name(error) == "ServerDisconnectedError"
        ),
    ),
)
"""Each declared reason of `http.connection_failed` and how it is told; the first that fits."""


def _timeout_details(error: BaseException) -> Mapping[str, Any]:
    names = [class_name(link) for link in links(error)]
    parts = (("Connect", "connect"), ("Pool", "pool"), ("Read", "response"))
    found = (reason for name in names for part, reason in parts if part in name)
    # `urllib` wraps what happens before the request is sent, and only that.
    return {"reason": next(found, "connect" if names[0] == "URLError" else None)}


def _message(spec: ErrorSpec, details: Mapping[str, Any]) -> str:
    what = " to ".join(filter(None, (details.get("method") or "request", _host(details.get("url")))))
    reason = spec.reasons.get(details.get("reason", ""))
    why = spec.title if reason is None else reason.title
    status = f" ({details['status']})" if "status" in details else ""
    # What begins with two capitals is an abbreviation.
    return f"{what} failed: {why if why[:2].isupper() else why[0].lower() + why[1:]}{status}"


def _host(url: object) -> str:
    from urllib.parse import urlsplit

    try:
        return urlsplit(text_of(url or "")).hostname or ""
    except ValueError:
        return ""


TRANSLATOR: Final = Translator(
    HttpError,
    [
        # What was answered.
        Rule(HttpError.QUOTA_EXHAUSTED, status=400, when=is_spent),
        Rule(HttpError.QUOTA_EXHAUSTED, status=(403, 429), when=is_quota),
        Rule(HttpError.RATE_LIMITED, status=403, when=is_rate_limit),
        Rule(HttpError.TOO_LARGE, status=413, when=_asks_to_wait, retryable=True),
        Rule(HttpError.OVERLOADED, status=_SERVER, when=is_overload),
        *(Rule(found, status=statuses) for statuses, found in STATUSES),
        Rule(HttpError.REJECTED, status=425, retryable=True),
        Rule(HttpError.REJECTED, status=range(400, 500)),
        Rule(HttpError.SERVER_ERROR, status=_GATEWAYS, retryable=True),
        Rule(HttpError.SERVER_ERROR, status=_SERVER, when=_asks_to_wait, retryable=True),
        Rule(HttpError.SERVER_ERROR, status=_SERVER),
        Rule(HttpError.REDIRECT_FAILED, status=range(300, 400)),
        # What came in the way of an answer.
        Rule(HttpError.REDIRECT_FAILED, when=_holds(_REDIRECTS)),
        Rule(HttpError.BAD_URL, when=_holds(_BAD_URLS)),
        Rule(HttpError.BAD_URL, when=_is_no_address),
        Rule(HttpError.UNTRUSTED, when=_holds(("ssl.SSLCertVerificationError",))),
        # Before the timeouts: old clients call a refused connection one.
        Rule(HttpError.CONNECTION_FAILED, when=_holds(_BROKEN), details=_connection_details),
        Rule(HttpError.TIMED_OUT, when=_holds(_TIMEOUTS), details=_timeout_details),
        Rule(HttpError.BAD_RESPONSE, when=_holds(_CUT_OFF), retryable=True),
        Rule(HttpError.CONNECTION_FAILED, when=_holds(_LOST), details=_connection_details),
        Rule(HttpError.UNKNOWN, catches=_MISUSED),
        Rule(HttpError.BAD_RESPONSE, when=_holds(_UNREADABLE)),
    ],
    fallback=HttpError.UNKNOWN,
    details=_facts_of,
    message=_message,
)


def to_http_error(error: object, /, *, method: str | None = None, url: object = None) -> HttpError:
    """The error to raise for what an HTTP client raised, without `from`: its cause is set. Never raises.

    Where the server asked to wait, `retry_after` has the seconds. For the statuses 403 and 429 of `urllib`,
    the beginning of the body is looked at, and stays there to be read; that may wait for its first bytes.

    Parameters
    ----------
    error
        What was caught. An error of `http` comes back as it is, and so does a cancellation.
    method
        The method of the request; where it is not given, the one that the error knows.
    url
        The address of the request, as text or as the object of the client; where it is not given, the one
        that the error knows.
    """
    address = None if url is None else text_of(url)

    def one(leaf: object) -> object:
        found = TRANSLATOR(leaf, method=method, url=address)
        if found is not leaf and found.retryable and "retry_after" not in found._facts:
            seconds = retry_after_of(unwrap_cause(leaf))
            if seconds is not None:
                found.note_facts(retry_after=seconds)
        return found

    return cast("HttpError", through_groups(error, one))


class _Answered(Exception):
    """An answer that nobody raised, in the shape of an exception."""

    def __init__(self, response: object, body: object) -> None:
        super().__init__()
        self.response = response
        self.body = body


def response_error(
    response: object, /, *, method: str | None = None, url: object = None, body: object = None
) -> HttpError:
    """The error of an answer whose status says that the request failed, to raise. Never raises itself.

    Parameters
    ----------
    response
        The response object of any client.
    method, url
        Method and address of the request, where the response does not know them.
    body
        The body, where the response does not hold it: text, bytes, or what was decoded from it.
    """
    found = to_http_error(_Answered(response, body), method=method, url=url)
    found.__cause__ = None
    return found
