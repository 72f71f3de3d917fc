"""What the answer of an HTTP server says about a failure, whatever library brought it.

Answers are read by their shape: urllib, http.client, requests, httpx, aiohttp and the SDKs built on them keep
status, headers and body under a few names. No library is imported for it, and nothing is fetched: of a body,
only what is in memory already is looked at. Every function here is total.

Which code an answer gets is decided in `http.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from errkit.boundary import status_of
from errkit.codes import get_arguments, text_of
from errkit.fields import is_a, items_of
from errkit.guards import members_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "api_reason",
    "header",
    "is_overload",
    "is_quota",
    "is_rate_limit",
    "is_spent",
    "links",
    "parse_retry_after",
    "request_of",
    "retry_after_of",
]

MAX_BODY: Final = 65_536
"""Bytes of a body that are looked at."""
MAX_LINKS: Final = 32
MAX_WAIT: Final = 10 * 365 * 24 * 3600
"""Seconds; whoever says more says nothing."""

_NUMBER: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


# --- headers ----------------------------------------------------------------------------------------


def header(error: object, *names: str) -> str | None:
    """The first of these headers that the answer has, or None.

    Parameters
    ----------
    error
        An exception, or a response.
    names
        In lower case.
    """
    for holder in (_get(error, "response"), error):
        headers = _get(holder, "headers")
        for name in names if headers is not None else ():
            found = _look_up(headers, name)
            if found is not None:
                return found
    return None


def _look_up(headers: Any, name: str) -> str | None:
    try:
        value = headers.get(name)
        if value is None and is_a(headers, Mapping):
            # A plain dict tells upper case from lower case.
            pairs = list(zip(headers.items(), range(200), strict=False))
            value = next((value for (key, value), _ in pairs if text_of(key).lower() == name), None)
        if is_a(value, bytes):
            return value.decode("latin-1").strip()
        return None if value is None else text_of(value).strip()
    except Exception:
        return None


def parse_retry_after(value: str, *, date: str | None = None) -> float | None:
    """The seconds that a `Retry-After` header means; None for what is neither a number nor a date.

    A date that has passed means 0. RFC 9110 section 10.2.3 has whole seconds; fractions are taken as well.

    Parameters
    ----------
    value
        The header: seconds, or a date in one of the three forms of RFC 9110 section 5.6.7.
    date
        The `Date` header of the same answer: the clock that the server's date is told by, which may differ
        from the one of this machine.
    """
    text = value.strip()
    if _NUMBER.fullmatch(text):
        seconds = float(text)
        return seconds if seconds <= MAX_WAIT else None
    until = _timestamp(text)
    if until is None:
        return None
    now = None if date is None else _timestamp(date)
    seconds = until - (_now() if now is None else now)
    return max(seconds, 0.0) if seconds <= MAX_WAIT else None


def _timestamp(text: str) -> float | None:
    import datetime
    from email.utils import parsedate_to_datetime

    try:
        found = parsedate_to_datetime(text)
        # RFC 9110 section 5.6.7: a date without a zone is in UTC.
        return (found if found.tzinfo else found.replace(tzinfo=datetime.UTC)).timestamp()
    except Exception:
        return None


def _now() -> float:
    import time

    return time.time()


def retry_after_of(error: object) -> float | None:
    """The seconds that the answer asks to wait, or None.

    Read from `Retry-After-Ms`, `Retry-After`, and, where nothing is left of a rate limit, from its reset.

    Parameters
    ----------
    error
        An exception, or a response.
    """
    milliseconds = header(error, "retry-after-ms")
    if milliseconds and _NUMBER.fullmatch(milliseconds):
        return min(float(milliseconds) / 1000, float(MAX_WAIT))
    told = header(error, "retry-after")
    if told is not None:
        return parse_retry_after(told, date=header(error, "date"))
    return _until_reset(error) if _is_used_up(error) else None


def _is_used_up(error: object) -> bool:
    return header(error, "x-ratelimit-remaining", "ratelimit-remaining") == "0"


def _until_reset(error: object) -> float | None:
    """Some count the seconds until the reset, others give its time in seconds since 1970."""
    reset = header(error, "x-ratelimit-reset", "ratelimit-reset")
    if reset is None or not _NUMBER.fullmatch(reset):
        return None
    seconds = float(reset)
    seconds = seconds - _now() if seconds > 1e9 else seconds
    return max(seconds, 0.0) if seconds <= MAX_WAIT else None


# --- the request ------------------------------------------------------------------------------------


def request_of(error: object) -> dict[str, str | None]:
    """Method and address of the request, as far as the exception or its response knows them."""
    response = _get(error, "response")
    holders = [
        _get(error, "request"),
        _get(response, "request"),
        _get(error, "request_info"),
        response,
        error,
    ]
    method = next((found for found in (_get(holder, "method") for holder in holders) if found), None)
    urls = (_get(holder, name) for holder in holders for name in ("url", "full_url", "real_url"))
    url = next((found for found in urls if found), None)
    return {
        "method": text_of(method).upper() if is_a(method, str) else None,
        "url": None if url is None or callable(url) else text_of(url),
    }


# --- the body ---------------------------------------------------------------------------------------

_WORD: Final = re.compile(r"[A-Za-z][\w.-]{0,79}")
_ADDRESS: Final = re.compile(r"(?<!\w)\w+://\S*")
_NAMES: Final = ("code", "type", "status", "reason", "__type")
_SAYS_NOTHING: Final = frozenset({"error", "errors", "fail", "failed", "failure", "false"})


def api_reason(error: object) -> str | None:
    """The API's own word for the failure, such as `insufficient_quota`, where its answer gives one."""
    body = _body(error)
    inner = _item(body, "error")
    said = [_item(holder, name) for holder in (inner, body) for name in _NAMES]
    # SDKs that have read the body put its words on the exception.
    said += [inner, _get(error, "code"), _get(error, "type")]
    return next((word for word in map(_word, said) if word is not None), None)


def _word(value: object) -> str | None:
    if not is_a(value, str):
        return None
    last = value.rpartition("#")[2]  # AWS puts the name of the service before it
    return last if _WORD.fullmatch(last) and last.casefold() not in _SAYS_NOTHING else None


def _item(holder: object, name: str) -> Any:
    if is_a(holder, list) and holder:
        holder = holder[0]
    try:
        return holder.get(name) if is_a(holder, Mapping) else None
    except Exception:
        return None


def _body(error: object) -> Any:
    """The body as far as it is in memory: what its JSON holds, or its text."""
    for raw in _bodies(error):
        if is_a(raw, (bytes, bytearray)):
            return _parsed(bytes(raw[:MAX_BODY]).decode("utf-8", "replace"))
        if is_a(raw, str):
            return _parsed(raw[:MAX_BODY])
        if is_a(raw, (Mapping, list)):
            return raw
    return None


def _bodies(error: object) -> Iterator[Any]:
    response = _get(error, "response")
    yield _get(error, "body")
    # requests and httpx keep a body that was read here; their public names would read it from the network.
    yield _own(response, "_content")
    yield _own(error, "_content")
    # A small client's response has it as a plain attribute.
    for holder in (response, error):
        yield _own(holder, "content")
        yield _own(holder, "text")
    if status_of(error) in _ASKED_FOR_MORE:
        yield _peeked(error)


_ASKED_FOR_MORE: Final = (403, 429)
"""Statuses that mean different things, which only the body tells apart."""


def _peeked(error: object) -> Any:
    """The beginning of a body that `urllib` has not read yet. It stays there for whoever reads it.

    This may wait for the first bytes, for as long as the timeout of the request.
    """
    try:
        peek: Callable[[int], bytes] | None = getattr(_get(error, "fp"), "peek", None)
        return None if peek is None else peek(MAX_BODY)
    except Exception:
        return None


def _parsed(text: str) -> Any:
    import json

    try:
        return json.loads(text) if text.lstrip()[:1] in ("{", "[") else text
    except Exception:
        return text


# --- what it means ----------------------------------------------------------------------------------

_SPENT: Final = re.compile(
    r"insufficient ?(quota|balance|funds|credit)|credit ?balance|(out of|no|no more|used up) credits"
    r"|billing( hard)? ?limit|recharge|top up|payment required"
)
"""Words for what no waiting brings back."""

_QUOTA: Final = re.compile(
    r"quota\w{0,9}.{0,40}(exceed|exhaust|used up|reached|deplet)"
    r"|(exceed|exhaust|reach|deplet)\w{0,9}.{0,40}quota"
    r"|quota ?limit|(daily|monthly|weekly|usage|spend|spending) ?limit.{0,20}(exceed|reach)"
    r"|(exceed|reach)\w{0,9}.{0,30}(daily|monthly|weekly|usage|spend|spending) ?limit"
)
"""Words for a limit that may be of money or of time; where a wait is told, it is of time."""

_RATE: Final = re.compile(r"rate ?limit|too many requests|throttl|slow ?down|abuse detection")
_WAIT: Final = re.compile(r"(retry|again) (in|after)|per[ _]?(second|minute|hour)")
_OVERLOAD: Final = re.compile(r"overload|slow ?down")
_OVERLOADED: Final = re.compile(r"\boverloaded\b(?! (?:method|function|operator|constructor))")


def is_quota(error: object) -> bool:
    """Whether an answer says that what was paid for is used up, rather than that requests come too fast."""
    words = _words(error)
    is_of_time = retry_after_of(error) is not None or _WAIT.search(words)
    return is_spent(error) or bool(_QUOTA.search(words) and not is_of_time)


def is_spent(error: object) -> bool:
    """Whether an answer says that there is no money or credit left."""
    return bool(_SPENT.search(_words(error)))


def is_rate_limit(error: object) -> bool:
    """Whether an answer says that requests come too fast; some servers say it with the status 403."""
    return _is_used_up(error) or retry_after_of(error) is not None or bool(_RATE.search(_words(error)))


def is_overload(error: object) -> bool:
    """Whether an answer calls the server overloaded; some do not have the status 529 for it."""
    is_named = _OVERLOAD.search((api_reason(error) or "").casefold())
    return is_named is not None or _OVERLOADED.search(_words(error)) is not None


_SENTENCES: Final = ("message", "detail", "title", "error_description")


def _words(error: object) -> str:
    """All that an answer says in words, without addresses, in one case and with single spaces."""
    body = _body(error)
    said = [text_of(error)[:MAX_BODY], api_reason(error) or ""]
    for holder in (body, _item(body, "error")):
        said += [text_of(value) for name in _SENTENCES if (value := _item(holder, name))]
    said += [body] if is_a(body, str) else []
    plain = _ADDRESS.sub(" ", " ".join(said)[: 2 * MAX_BODY]).casefold()
    return re.sub(r"[\s_-]+", " ", plain)


# --- looking into foreign objects -------------------------------------------------------------------


def links(error: object) -> list[BaseException]:
    """An exception and those that it holds: its causes, the `reason` of urllib, arguments, members.

    What was merely being handled when it was raised is not among them.
    """
    found: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting and len(found) < MAX_LINKS:
        link = waiting.pop(0)
        if not is_a(link, BaseException) or any(link is known for known in found):
            continue
        found.append(link)
        members = members_of(link) if is_a(link, BaseExceptionGroup) else ()
        said = items_of(get_arguments(link), 3)
        waiting += [_read_cause(link), _get(link, "reason"), *said, *members[:3]]
    return found


_read_cause: Final = BaseException.__dict__["__cause__"].__get__
"""The interpreter's own look: what a subclass makes of the name is not asked."""


def _get(holder: object, name: str) -> Any:
    try:
        return getattr(holder, name, None)
    except Exception:
        return None


def _own(holder: object, name: str) -> Any:
    """What an object holds itself; a property is not asked."""
    try:
        return vars(holder).get(name)
    except Exception:
        return None
