"""What the model provider answers, or fails to answer, while a turn is being generated.

The provider classes of the seed compute their code when they are built, from the HTTP status and the
wording of the reply; the subclasses below the domain are those classes.
"""

from __future__ import annotations

from errkit.catalogs.agent_core.base import AgentCoreError
from errkit.codes import Details, code

__all__ = [
    "APIConnectionError",
    "APIContextOverflowError",
    "APIEmptyResponseError",
    "APIProviderOverloadedError",
    "APIProviderQuotaExhaustedError",
    "APIProviderRateLimitError",
    "APIRequestTooLargeError",
    "APIStatusError",
    "APITimeoutError",
    "ChatProviderError",
    "EmptyResponseDetails",
    "ProtocolError",
    "ProviderReplyDetails",
    "ProviderStatusDetails",
    "VideoUploadUnsupportedError",
]


class ProviderStatusDetails(Details):
    """The HTTP reply by which the provider refused the request."""

    statusCode: int
    """HTTP status of the reply."""
    requestId: str | None = None
    """The provider's id for this request, for its support desk."""
    traceId: str | None = None
    """Value of the ``x-trace-id`` response header, which Kimi endpoints send."""


class EmptyResponseDetails(Details):
    """How the provider ended a reply that holds no usable content."""

    finishReason: str | None = None
    """Why generation stopped, in the agent's own vocabulary: ``filtered``, ``completed``, ..."""
    rawFinishReason: str | None = None
    """The same reason as the provider spelt it, such as ``content_filter``."""


class ProviderReplyDetails(Details):
    """Either the HTTP reply that refused the request, or how an empty reply ended; never both."""

    statusCode: int | None = None
    """HTTP status of the reply; absent when the reply was empty rather than refused."""
    requestId: str | None = None
    """The provider's id for this request."""
    traceId: str | None = None
    """Value of the ``x-trace-id`` response header, which Kimi endpoints send."""
    finishReason: str | None = None
    """Why an empty reply stopped, in the agent's own vocabulary."""
    rawFinishReason: str | None = None
    """Why an empty reply stopped, as the provider spelt it."""


class ProtocolError(AgentCoreError, domain="protocol", title="Model provider replies"):
    """A request to the model provider came back as an error, or did not come back.

    The flag on the wire is decided by the code alone, while the agent loop decides its own retries by
    HTTP status; the two disagree for 408, 409 and most 5xx replies and for a context that is too long,
    and the codes concerned say so. Cancelling a turn never becomes one of these codes.
    """

    PROVIDER_API_ERROR = code(
        "Provider rejected the request",
        ProviderReplyDetails,
        code="provider.api_error",
        public=True,
        hint="Check the model's entry in `config.toml` against `statusCode` and the message.",
        example={"statusCode": 404, "requestId": "req_8f21", "traceId": "4bf92f3577b34da6"},
    )
    """The provider answered with a status that has no code of its own, or with a reply that held neither
    text nor a tool call. A model id that the endpoint does not serve, a body over its size limit (413),
    an image format it does not know, an account without balance (a 429 with billing wording) and an
    ordinary 500 all arrive here, so the status in the details is what tells them apart. On the wire it
    counts as not retryable, yet the loop does repeat 408, 409, 500, 502, 503 and 504 and unfiltered
    empty replies up to ``[loop_control] max_attempts_per_step``; a spent balance it never repeats.
    Compare ``model`` and ``base_url`` in ``config.toml`` with the message, and quote ``traceId`` or
    ``requestId`` to the provider if they agree."""

    PROVIDER_FILTERED = code(
        "Provider filtered the reply",
        EmptyResponseDetails,
        code="provider.filtered",
        public=True,
        hint="Take the offending text back with `/undo` and ask again in other words.",
        example={"finishReason": "filtered", "rawFinishReason": "content_filter"},
    )
    """The provider's safety filter withheld the whole answer, leaving an empty reply whose finish reason
    is ``filtered``. Text that a tool brought in, such as a fetched page or a log, triggers it as easily
    as the prompt does, and it stays in the history that is sent with each turn. Remove that turn with
    ``/undo``, or choose another model with ``/model`` if the subject itself is what the filter objects
    to."""

    PROVIDER_RATE_LIMIT = code(
        "Provider rate limit reached",
        ProviderStatusDetails,
        code="provider.rate_limit",
        kind="transient",
        public=True,
        hint="Wait for the limit to reset, and look at `/usage` to see how much quota is left.",
        example={"statusCode": 429, "requestId": "req_51ac", "traceId": None},
    )
    """A 429 whose wording speaks of no billing: too many requests or tokens in the provider's window.
    The status is judged first, so a 429 lands here even when its text mentions the context length.
    Subagents of a swarm that meet it are put back in the queue, and lowering
    ``KIMI_CODE_AGENT_SWARM_MAX_CONCURRENCY`` keeps them from meeting it again. The ``Retry-After`` that
    came with the reply is kept on the original exception but is not among the details, so a process that
    only sees the payload has to choose its own delay."""

    PROVIDER_AUTH_ERROR = code(
        "Provider refused the credentials",
        ProviderStatusDetails,
        code="provider.auth_error",
        public=True,
        hint="Run `/login`, or correct `api_key` of this provider in `config.toml`.",
        example={"statusCode": 401, "requestId": "req_0b77", "traceId": None},
    )
    """The provider answered 401 or 403. Most often the key is wrong or was only exported in the shell:
    keys are read from ``[providers.<name>]`` in ``config.toml``, and an exported ``KIMI_API_KEY``
    reaches no provider. Some plans also answer 403 when their quota is spent, which this code cannot
    tell from a bad key; the message can. Sign in again with ``/login``, check the key, and look at
    ``/usage`` before replacing a key that is sound."""

    PROVIDER_CONNECTION_ERROR = code(
        "Provider could not be reached",
        code="provider.connection_error",
        kind="transient",
        public=True,
        hint="Call the provider's `base_url` with `curl` to see where the connection stops.",
    )
    """The connection broke or timed out before a status arrived, so there is no HTTP reply to show. The
    class of the failure was guessed from words like ``terminated`` or ``timed out`` in the client
    library's message, which is often no longer than ``Connection error.``; the cause chain holds what
    there is to know. A proxy, a VPN or a mistyped ``base_url`` under ``[providers.<name>]`` is the usual
    culprit when it happens at every turn rather than now and then."""

    PROVIDER_OVERLOADED = code(
        "Provider is overloaded",
        ProviderStatusDetails,
        code="provider.overloaded",
        kind="transient",
        public=True,
        hint="Let the turn repeat, or change to another model with `/model` until the provider recovers.",
        example={"statusCode": 529, "requestId": "req_e2d0", "traceId": None},
    )
    """The provider is up but takes no more work: a 529, or a 500 or 503 whose text says overload. The
    request was fine and nothing was generated. The loop repeats the step with growing pauses until
    ``[loop_control] max_attempts_per_step`` is used up, and ``KIMI_CODE_INFINITE_RETRY=1`` lets an
    unattended run wait as long as it takes."""

    CONTEXT_OVERFLOW = code(
        "Conversation exceeds the context window",
        ProviderStatusDetails,
        code="context.overflow",
        kind="transient",
        public=True,
        hint="Run `/compact` to shorten the conversation before asking again.",
        example={"statusCode": 400, "requestId": "req_77f3", "traceId": None},
    )
    """The provider refused the request (400, 413 or 422) because prompt and history together are longer
    than the model accepts. Automatic compaction should have run earlier; it comes too late when
    ``max_context_size`` of the model in ``config.toml`` promises more than the endpoint has, or when one
    tool result is enormous. It is marked retryable because a shorter conversation does succeed: the same
    request sent again fails again, and the loop's own retry rule indeed leaves it out and compacts
    instead. Correct ``max_context_size``, or raise ``[loop_control] reserved_context_size`` so that
    compaction starts sooner."""


class ChatProviderError(ProtocolError):
    """Root of the seed's provider classes. It stands for no code; for a failure that fits no narrower class
    the seed builds ``ChatProviderError.PROVIDER_API_ERROR(...)``.
    """


class APIConnectionError(ChatProviderError, of=ProtocolError.PROVIDER_CONNECTION_ERROR):
    """The connection to the provider failed or was cut."""


class APITimeoutError(ChatProviderError, of=ProtocolError.PROVIDER_CONNECTION_ERROR):
    """The provider did not answer in time."""


class VideoUploadUnsupportedError(ChatProviderError, of=ProtocolError.PROVIDER_API_ERROR):
    """The model's protocol has no way to upload a video; a limit of the provider, not a failed upload."""


class APIStatusError(ChatProviderError):
    """The provider answered with an error status. The status gives the code, to be reached through this
    class: ``APIStatusError.PROVIDER_AUTH_ERROR(...)`` for 401 and 403.
    """


class APIContextOverflowError(APIStatusError, of=ProtocolError.CONTEXT_OVERFLOW):
    """A 400, 413 or 422 whose wording says that the context is too long."""


class APIRequestTooLargeError(APIStatusError, of=ProtocolError.PROVIDER_API_ERROR):
    """A 413 whose wording says that the request body is too large, in bytes rather than tokens."""


class APIProviderRateLimitError(APIStatusError, of=ProtocolError.PROVIDER_RATE_LIMIT):
    """A 429 that waiting will cure."""


class APIProviderQuotaExhaustedError(APIStatusError, of=ProtocolError.PROVIDER_API_ERROR):
    """A 429 that only a recharge will cure: quota spent, balance insufficient, account in arrears."""


class APIProviderOverloadedError(APIStatusError, of=ProtocolError.PROVIDER_OVERLOADED):
    """A 529, or a 500 or 503 that says overload."""


class APIEmptyResponseError(ChatProviderError):
    """A reply without text and tool calls: ``APIEmptyResponseError.PROVIDER_FILTERED(...)`` if its finish
    reason says so, else ``APIEmptyResponseError.PROVIDER_API_ERROR(...)``.
    """
