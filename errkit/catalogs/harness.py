"""The error catalogue of an agent runtime: 33 numbered codes in eleven ranges, one range a subsystem.

The seed is the error page of the Pleach agent harness (``@pleach/core``). Its range tables are lost, so this
catalogue holds exactly the 33 numbers that its text still mentions. Two have a name there, SESSION_NOT_FOUND
and VALIDATION_MISSING_REQUIRED; the rest are named after what the text says of them. Where it says nothing,
the name is the number (TOOL_TRANSIENT_1003) and the prose says so. Numbers that merely fall into a gap are
not invented. Every code is ``public``: the page promises whoever calls the runtime a code and a recovery hint
for each error, and tells consumers to show them.

One fact, ``kind``, carries the classes that the seed keeps in three lists and in prose. The lists follow::

    >>> from errkit.catalogs.harness import REGISTRY, do_not_alert, transient
    >>> sorted(spec.number for spec in REGISTRY if spec.retryable)
    [1003, 1004, 3001, 4001, 4002, 5003, 5006, 5007, 9002, 11001, 11002]
    >>> sorted(transient()) == sorted(spec.number for spec in REGISTRY if spec.retryable)
    True
    >>> sorted(do_not_alert())
    [8002, 9004, 11004]

The page contradicts itself in sixteen places. Each is decided once, in the prose of the code or domain that
it concerns. The rule behind the decisions: words about one code outweigh a list of numbers, and a range
never decides how a code is handled. 4001, 5003, 5006 and 5007 reach a caller only after the runtime's own
attempts; whoever raises them adds ``.override(retries_spent=True)``.
"""

from __future__ import annotations

from errkit.codes import Details, code
from errkit.errors import CodedError
from errkit.registry import Registry

__all__ = [
    "REGISTRY",
    "CallerAuthError",
    "CheckpointError",
    "ErrorCodes",
    "HarnessCodedError",
    "HarnessDetails",
    "HarnessRuntimeError",
    "InterruptError",
    "JobError",
    "ProviderError",
    "ProviderFamilyExhaustedError",
    "RetryFamilyExhaustedError",
    "SessionError",
    "StorageError",
    "SyncError",
    "ToolError",
    "ValidationError",
    "do_not_alert",
    "terminal",
    "transient",
]

REGISTRY = Registry("harness")
"""The registry of the harness catalogue: 11 domains, 33 codes, numbers 1000 to 11999."""


class HarnessDetails(Details):
    """What the runtime knew when it failed."""

    context: dict[str, object] | None = None
    """Diagnostic facts of the place that failed, under names of its choosing."""


class HarnessCodedError(CodedError, registry=REGISTRY):
    """Any error that the harness throws or streams: code, number, hint and context, the same in both forms.

    The seed's ``HarnessError``, whose name is so close, is the stored row of error tracking and never raised.
    """


class ToolError(HarnessCodedError, domain="tool", title="Tools", codes="{CONST}", numbers=range(1000, 2000)):
    """A tool failed in a way that escaped its boundary; an ordinary failure ends in a ``tool.failed`` event.

    The original document calls the whole range retryable and lists two numbers of it. Retry follows the code,
    so any other 1xxx number is unknown here and is not repeated.
    """

    TOOL_TRANSIENT_1003 = code(
        "Transient tool failure 1003",
        HarnessDetails,
        number=1003,
        kind="transient",
        public=True,
        hint="Repeat the call after half a second, and look at the last `tool.failed` event if it recurs.",
        retry_after=0.5,
        example={"context": {"tool": "web_search", "attempt": 1}},
    )
    """Number 1003 stands in the original document's set of transient codes and nowhere else: what it means is
    not stated there. Being a tool code on the ``error`` event, it has left the tool boundary, for instance
    because the tool registry itself failed. The ``tool.failed`` event before it names the tool; try once more
    after 500 ms, the delay of the document's own dispatcher."""

    TOOL_TRANSIENT_1004 = code(
        "Transient tool failure 1004",
        HarnessDetails,
        number=1004,
        kind="transient",
        public=True,
        hint="Try the tool call once more, and report 1004 with its context if a second try fails.",
        retry_after=0.5,
        example={"context": {"tool": "run_query", "attempt": 2}},
    )
    """Like its neighbour, this number is known to be worth another try and nothing more: the text that told
    1003 and 1004 apart has not survived, so no meaning is guessed. A host sees it where
    ``runtime.executeMessage`` yields ``type: "error"``. Log ``context`` along with the number, since it is
    the only clue to the tool concerned."""


class SessionError(
    HarnessCodedError, domain="session", title="Sessions", codes="{CONST}", numbers=range(2000, 3000)
):
    """The session could not be found, trusted, shared or read; repeating helps with none of these.

    The original document calls the range terminal and lists 2001 and 2003 only, so here 2004 and 2006 are
    terminal too. Reloading, its one answer to the whole range, suits 2001 and 2003 and no other.
    """

    SESSION_NOT_FOUND = code(
        "Session not found",
        HarnessDetails,
        number=2001,
        public=True,
        hint="Create a session with `runtime.createSession` and continue under the id that it returns.",
        example={"context": {"sessionId": "ses_41"}},
    )
    """No session has the id that the call gave, mostly since it was deleted or belongs to another store.
    Check which storage the runtime was built with before a new session hides the old one. The original
    document's stream sample puts this text beside ``PROVIDER_ERROR`` and 5006; that is a slip, for code,
    number and text belong together and are one and the same in the thrown and the streamed form."""

    SESSION_INVALID = code(
        "Session not valid",
        HarnessDetails,
        number=2003,
        public=True,
        hint="Reload the session, or open a new one for this user.",
        example={"context": {"sessionId": "ses_41"}},
    )
    """The harness session itself is at fault, as opposed to the caller (10xxx) or the provider key (5002).
    The original document says no more than that contrast and that the code is terminal; an expired or
    otherwise invalid session is inferred from it. Compare the session id in ``context`` with the one that the
    host stored for the user, then reload."""

    SESSION_OPEN_ELSEWHERE = code(
        "Session open somewhere else",
        HarnessDetails,
        number=2004,
        public=True,
        hint="Ask the user to close the other tab, or to go on in it.",
        example={"context": {"sessionId": "ses_41", "holder": "tab-2"}},
    )
    """Usually the same session is open in a second browser tab and the two would overwrite each other. The
    user knows about the other tab and the runtime does not, so let the user decide instead of reloading
    unasked. The original document leaves this code out of both of its sets; it is terminal, because only that
    decision ends the conflict."""

    SESSION_SCHEMA_MISMATCH = code(
        "Session schema older than the package",
        HarnessDetails,
        number=2006,
        public=True,
        hint="Run `npx pleach init --apply` and apply the new migrations.",
        example={"context": {"expected": 14, "applied": 12}},
    )
    """The package expects a newer database schema than the one that is applied, which happens after an
    upgrade of ``@pleach/core`` without its migrations. Only ``npx pleach init --apply`` and the migrations it
    brings help; a reload, the original document's answer for all of 2xxx, shows the same error again.
    Although neither of the document's sets holds it, it is terminal; and it is this code, no 7xxx, that
    reports schema drift."""


class SyncError(
    HarnessCodedError, domain="sync", title="Synchronisation", codes="{CONST}", numbers=range(3000, 4000)
):
    """Two copies of a session could not be brought together.

    The original document sends the whole range to a conflict dialog, yet only 3002 is a conflict: 3001 is a
    broken connection.
    """

    SYNC_TRANSPORT_FAILED = code(
        "Sync transport failed",
        HarnessDetails,
        number=3001,
        kind="transient",
        public=True,
        hint="Wait until the host is online again, then start the synchronisation anew.",
        example={"context": {"endpoint": "wss://sync.example.com", "pending": 3}},
    )
    """The connection to the sync peer broke off; no data are in conflict, so no dialog is due. A laptop that
    went to sleep or a lost network is enough. The original document tells you to retry once connectivity
    returns while its set of transient codes omits 3001: the advice holds, and a browser's ``online`` event is
    a good moment."""

    SYNC_CONFLICT_UNRESOLVED = code(
        "Conflicting writes not merged",
        HarnessDetails,
        number=3002,
        public=True,
        hint="Show both versions to the user and write the one that is chosen.",
        example={"context": {"sessionId": "ses_41", "devices": ["phone", "laptop"]}},
    )
    """Two devices wrote to the same session, and the merger declined to choose between them. Where it does
    choose, no error follows: the ``sync.conflict`` event carries the resolution. So 3002 needs a decision
    from the user or the host; listen to ``sync.conflict`` to have both versions at hand when it arrives."""


class StorageError(
    HarnessCodedError, domain="storage", title="Storage", codes="{CONST}", numbers=range(4000, 5000)
):
    """A write did not reach durable storage.

    As with tools, the original document calls the range retryable and lists two of its numbers. The list is
    right: a 4xxx number that is not declared here is not repeated.
    """

    STORAGE_WRITE_FAILED = code(
        "Durable write failed",
        HarnessDetails,
        number=4001,
        kind="transient",
        public=True,
        hint="Check that the storage backend answers and has room, then trigger the flush again.",
        example={"context": {"backend": "postgres", "flushAttempts": 5}},
    )
    """A write failed for a passing cause, such as a dropped database connection, and all retries of the
    durable-flush pipeline failed as well before the stream showed it. The error therefore carries
    ``retries_spent``: it stays transient, yet an immediate repetition, which the original document's
    dispatcher would do after 500 ms, only adds load. Look at the backend's own log, and flush again when it
    is healthy."""

    STORAGE_TRANSIENT_4002 = code(
        "Transient storage failure 4002",
        HarnessDetails,
        number=4002,
        kind="transient",
        public=True,
        hint="Repeat the storage call after half a second, and inspect the backend if 4002 keeps coming.",
        retry_after=0.5,
        example={"context": {"backend": "indexeddb"}},
    )
    """All that the original document tells of 4002 is its place among the transient codes; no cause is
    stated. Unlike for 4001, no pipeline is said to have retried it beforehand, so a first repetition is yours
    to make. ``context`` may name the backend that was handed to the runtime; check that it accepts writes at
    all."""


class ProviderError(
    HarnessCodedError, domain="provider", title="Model providers", codes="{CONST}", numbers=range(5000, 6000)
):
    """The model provider failed; fallback walks every rung of the chosen model family before anything
    surfaces.

    The event ``family-exhausted`` lets a user interface offer another family, which fits 5008 alone and not
    the whole range as the original document has it: 5002 wants a key, 5004 a model. There is no code for a
    safety refusal, which arrives as 5006 or as a ``finishReason`` that is not clean.
    """

    PROVIDER_NOT_CONFIGURED = code(
        "Provider not configured",
        HarnessDetails,
        number=5001,
        public=True,
        hint="Add the provider with its key and model to the runtime's configuration.",
        example={"context": {"family": "anthropic"}},
    )
    """The runtime was asked to use a provider for which it has no configuration, so no rung of its family can
    be tried. A deployment that lacks the provider's environment variables looks like this. Print which
    providers the runtime was constructed with; nothing improves before that configuration does."""

    PROVIDER_AUTH_FAILED = code(
        "Provider refused the key",
        HarnessDetails,
        number=5002,
        public=True,
        hint="Replace the provider's API key in the runtime's configuration.",
        example={"context": {"family": "openai", "status": 401}},
    )
    """The language model's provider turned down the API key that the host configured: it was revoked,
    mistyped, or belongs to another account. The key of the runtime's caller is a different matter and has
    10002. A call to the provider's model list with that key shows at once whether it is alive."""

    PROVIDER_RUNG_FAILED = code(
        "Provider rung failed",
        HarnessDetails,
        number=5003,
        kind="transient",
        public=True,
        hint="Offer another model family, or send the message again in a few minutes.",
        example={"context": {"family": "anthropic", "rung": "claude-sonnet", "status": 529}},
    )
    """One rung of the cascade failed; the original document does not say how, a rate limit or an outage is
    inferred. It rarely escapes: the family-strict fallback tries every other rung before a caller sees 5003,
    which is why the error comes with ``retries_spent`` and an immediate repetition is pointless. The
    provider's status page tells whether waiting is worth it."""

    PROVIDER_MODEL_NOT_FOUND = code(
        "Model id no longer resolves",
        HarnessDetails,
        number=5004,
        public=True,
        hint="Let the user pick another model, and update the pinned model id.",
        example={"context": {"model": "gpt-4-0314"}},
    )
    """The requested model id is unknown to the provider. A pinned configuration outlives its model like this,
    when the provider deprecates or rotates it. Both of the original document's sets leave 5004 out, although
    it describes its own way out: it is terminal for that id, and a model picker, not a family dialog, is the
    next step."""

    PROVIDER_STREAM_ERROR = code(
        "Provider stream broke off",
        HarnessDetails,
        number=5006,
        kind="transient",
        public=True,
        hint="Keep what has arrived and send the message again, once the provider is stable.",
        example={"context": {"family": "google", "received": 812, "finishReason": "other"}},
    )
    """The answer stopped in the middle: the connection to the provider died, or the provider refused to go
    on. A refusal on safety grounds takes this way too, so read ``finishReason`` before you blame the network.
    The retry loop has tried before you see it, and ``retries_spent`` records that; after a refusal change the
    prompt, after an outage send it later."""

    PROVIDER_TIMEOUT = code(
        "Provider did not answer in time",
        HarnessDetails,
        number=5007,
        kind="transient",
        public=True,
        hint="Shorten the request or raise the provider timeout, then send it again.",
        example={"context": {"family": "openai", "timeoutMs": 60000}},
    )
    """No answer, or no further piece of it, came within the limit. A very long prompt and an overloaded
    provider are the two common causes. As with 5006 the loop's attempts lie behind it (``retries_spent``), so
    repeat it on a user's wish rather than in code; the elapsed time in ``context`` shows which of the two it
    was."""

    PROVIDER_CASCADE_EXHAUSTED = code(
        "Every rung of the cascade failed",
        HarnessDetails,
        number=5008,
        public=True,
        hint="Ask the user to choose another model family.",
        example={"context": {"family": "anthropic", "rungs": ["claude-opus", "claude-sonnet"]}},
    )
    """All rungs of the family were tried and none gave an answer, for example during an outage of the whole
    provider. This is the signal that ends the cascade and thus terminal, even though the original document's
    terminal set forgets it. It is thrown as ``ProviderFamilyExhaustedError`` or
    ``RetryFamilyExhaustedError``; on the event ``family-exhausted`` show the families that are left."""


class ProviderFamilyExhaustedError(ProviderError, of=ProviderError.PROVIDER_CASCADE_EXHAUSTED):
    """5008 for a family of providers; the seed names the class and does not say how the two differ."""


class RetryFamilyExhaustedError(ProviderError, of=ProviderError.PROVIDER_CASCADE_EXHAUSTED):
    """5008 at the end of the retry loop, as the name suggests; the seed gives the class no definition."""


class CheckpointError(
    HarnessCodedError, domain="checkpoint", title="Checkpoints", codes="{CONST}", numbers=range(6000, 7000)
):
    """A checkpoint operation failed. The turn goes on without it."""

    CHECKPOINT_OPERATION_FAILED = code(
        "Checkpoint operation failed",
        HarnessDetails,
        number=6001,
        public=True,
        hint="Tell the user that the rollback did not happen, and choose another checkpoint.",
        example={"context": {"operation": "rollback", "checkpointId": "cp_7"}},
    )
    """A checkpoint could not be written, read or restored, say because its data had been pruned. The original
    document calls 6001 terminal and also says that checkpoints never block a turn; both hold, since it ends
    that one operation, which the runtime skips. Surface it after a manual ``runtime.checkpoints.rollback``,
    and leave it to the log otherwise."""


class ValidationError(
    HarnessCodedError, domain="validation", title="Validation", codes="{CONST}", numbers=range(7000, 8000)
):
    """The runtime was called incorrectly; once an integration works, these are gone.

    The original document points to a recovery column in tables that are no longer there, so the ``kind`` of a
    code takes that place. All of 7xxx is terminal.
    """

    VALIDATION_TERMINAL_7001 = code(
        "Terminal validation failure 7001",
        HarnessDetails,
        number=7001,
        public=True,
        hint="Compare the failing call with the documentation of the runtime method it calls.",
        example={"context": {"method": "createSession"}},
    )
    """What 7001 objects to is not stated: the original document lists it as terminal and describes it
    nowhere. From its range it follows that the calling code is wrong, as when an option of ``createSession``
    has the wrong shape. Take the stack of the thrown error to the call and correct it there."""

    VALIDATION_MISSING_REQUIRED = code(
        "Required field missing",
        HarnessDetails,
        number=7002,
        public=True,
        hint="Supply the field that the message names in the call to the runtime.",
        example={"context": {"method": "createSession", "field": "storage"}},
    )
    """A call left out a field that the runtime can't do without, typically in the object given to
    ``runtime.createSession``. The original document catches 7002 in its own example and calls the range
    terminal, but the set it prints lacks the number; it is terminal here. Type-checking the configuration
    object against the package's types finds such gaps before run time."""

    VALIDATION_TERMINAL_7003 = code(
        "Terminal validation failure 7003",
        HarnessDetails,
        number=7003,
        public=True,
        hint="Read the context of the error for the rejected input, and fix the code that produced it.",
        example={"context": {"method": "executeMessage"}},
    )
    """This number appears in the set of terminal codes without a word of explanation, so its meaning remains
    open. One can only say that an input to the runtime was rejected, perhaps one of ``executeMessage``. Log
    the arguments of the call while you reproduce it; repeating it unchanged gives the same answer."""


class InterruptError(
    HarnessCodedError,
    domain="interrupt",
    title="Interrupts and approvals",
    codes="{CONST}",
    numbers=range(8000, 9000),
):
    """How an approval gate ended when it did not end in approval. These are outcomes, not defects.

    A timeout and a cancellation are operational signals and alert; a user's no is feedback on the product.
    """

    INTERRUPT_APPROVAL_TIMEOUT = code(
        "Approval not given in time",
        HarnessDetails,
        number=8001,
        kind="outcome",
        alert=True,
        public=True,
        hint="Remind the approver, or lengthen the time limit of the approval gate.",
        example={"context": {"tool": "send_email", "waitedMs": 300000}},
    )
    """The gate waited for a person and nobody answered. Approvers who get no notification are the usual
    story, so a rise of 8001 on a dashboard is worth an alarm although no code is wrong. Neither of the
    original document's sets has it; as an outcome it is not repeated by itself. Check how the request reaches
    the approver, then ask again."""

    INTERRUPT_USER_REJECTED = code(
        "User said no",
        HarnessDetails,
        number=8002,
        kind="outcome",
        public=True,
        hint="Go on without the action, and count the rejection as feedback.",
        example={"context": {"tool": "delete_branch"}},
    )
    """The person asked refused the action, which is an answer and not a failure. The original document files
    it under terminal and tells you in the same breath not to alert; as an outcome it is neither repeated nor
    shown as an error. Many rejections of one tool say that the agent proposes it too eagerly: look at the
    share per tool."""

    INTERRUPT_APPROVAL_CANCELLED = code(
        "Approval cancelled",
        HarnessDetails,
        number=8003,
        kind="cancelled",
        alert=True,
        public=True,
        hint="Find out from the host's log who withdrew the request, and ask again only if it still matters.",
        example={"context": {"tool": "deploy", "by": "operator"}},
    )
    """The request for approval was withdrawn before anybody decided, for instance because the session closed
    or an operator emptied the queue. Cancellations stay quiet as a rule; this one alerts, since the original
    document counts it, with 8001, among the operational signals. Compare its rate with deployments and
    restarts of the host."""


class JobError(
    HarnessCodedError, domain="job", title="Async jobs", codes="{CONST}", numbers=range(9000, 10000)
):
    """The substrate for long-running jobs failed, or a job on it did."""

    JOB_DISPATCHER_UNREACHABLE = code(
        "Job dispatcher unreachable",
        HarnessDetails,
        number=9002,
        kind="transient",
        public=True,
        hint="Retry with growing delays, and check that the dispatcher's endpoint answers.",
        retry_after=0.5,
        example={"context": {"dispatcher": "modal", "endpoint": "https://jobs.example.com"}},
    )
    """The backend that starts jobs, such as Modal or a queue worker, could not be reached. An endpoint that
    moved or a worker that was scaled to zero does this. Retry with backoff, as the text asks; the dispatcher
    in its example waits a constant 500 ms, which is only the first step of that. A ping of the configured
    endpoint from the same host separates a network fault from a dead worker."""

    JOB_FAILED = code(
        "Job failed",
        HarnessDetails,
        number=9003,
        public=True,
        hint="Read the job's own log, then decide whether to submit it again or to report it.",
        example={"context": {"jobId": "job_88", "exit": 1}},
    )
    """The job ran and ended in an error of its own. The runtime can't repair that and does not know whether a
    second run would do harm, so it leaves the choice to the caller; unless you know better, treat it as
    terminal. The job id in ``context`` leads to the backend's log of that run."""

    JOB_CANCELLED = code(
        "Job cancelled",
        HarnessDetails,
        number=9004,
        kind="cancelled",
        public=True,
        hint="Mark the job as cancelled where you show it, and leave it at that.",
        example={"context": {"jobId": "job_88", "by": "user"}},
    )
    """A user or an operator stopped the job on purpose, with the cancel button of a dashboard for example.
    Nothing failed, nobody need be woken, and no retry is wanted. If nobody admits to it, the audit trail of
    the job backend says who pressed it."""


class CallerAuthError(
    HarnessCodedError,
    domain="caller_auth",
    title="Caller authentication",
    codes="{CONST}",
    numbers=range(10000, 11000),
):
    """The runtime does not accept who is calling it; a host maps the 401 and 403 reasons of its transport to
    these codes with a ``contributeErrorClassifiers`` plugin.

    Like 1xxx, 4xxx, 6xxx, 7xxx and 11xxx the range has no case in the original document's switch. Match on
    the code, and no range is forgotten.
    """

    CALLER_AUTH_API_KEY_REJECTED = code(
        "API key of the caller rejected",
        HarnessDetails,
        number=10002,
        public=True,
        hint="Fix the API key with which this client calls the runtime.",
        example={"context": {"status": 401, "keyId": "key_3f"}},
    )
    """The key that the caller presented is not, or no longer, valid: revoked, expired at its issuer, or
    copied with a blank. It is no session that ran out, so say "fix your key" and never "sign in again".
    Unclassified in the original document, it is terminal here, because the same key is refused every time.
    The provider's key (5002) and the harness session (2003) are other matters."""


class HarnessRuntimeError(
    HarnessCodedError, domain="runtime", title="Runtime", codes="{CONST}", numbers=range(11000, 12000)
):
    """Infrastructure that no single subsystem owns.

    An event without ``codeNum`` has no catalogue code, whatever its string ``code`` says, and is shown with
    the text it came with; each code that there is brings its hint, on the stream too. What is thrown is
    ``HarnessCodedError``, while ``HarnessError`` names the stored row of central error tracking.
    """

    RUNTIME_TRANSIENT_11001 = code(
        "Transient runtime failure 11001",
        HarnessDetails,
        number=11001,
        kind="transient",
        public=True,
        hint="Repeat the turn, and compare the host's infrastructure log at that second if 11001 returns.",
        example={"context": {"sessionId": "ses_41", "turn": 6}},
    )
    """The original document calls 11001 and 11002 transient while the set it prints omits both; its words
    hold. What happened is not stated, merely that the trouble lies in shared infrastructure, where a
    restarting host would be an example. Repeat the turn with ``runtime.executeMessage``; the number tells you
    nothing beyond that."""

    RUNTIME_TRANSIENT_11002 = code(
        "Transient runtime failure 11002",
        HarnessDetails,
        number=11002,
        kind="transient",
        public=True,
        hint="Send the message again, and keep the context of both attempts for a report.",
        example={"context": {"sessionId": "ses_41", "turn": 7}},
    )
    """Of 11002 the original document says "retry" and no more, so neither cause nor difference to 11001 is
    known. It is transient by that word, against the set that leaves it out. Let the host make one more
    attempt; should that fail as well, look for a common cause in the health of the process, such as memory or
    event-loop delay."""

    RUNTIME_BUDGET_STOP = code(
        "Stopped by the budget policy",
        HarnessDetails,
        number=11003,
        public=True,
        hint="Raise the budget, or wait for its next period, before you send the turn again.",
        example={"context": {"budget": "daily_tokens", "limit": 2000000, "used": 2000113}},
    )
    """A policy stopped the turn because its budget is used up. That is intended, but somebody has to act
    before anything works again, and the original document does not name 11003 among the codes that must not
    alert; so it is terminal and alerts, rather than an outcome. See the spend in the host's budget settings,
    where a runaway loop shows as a steep rise."""

    RUNTIME_USER_ABORT = code(
        "Turn aborted by the user",
        HarnessDetails,
        number=11004,
        kind="cancelled",
        public=True,
        hint="Keep the partial answer and wait for the next message.",
        example={"context": {"sessionId": "ses_41", "turn": 8}},
    )
    """Somebody pressed stop, or the host aborted the turn's signal on their behalf, and mostly they meant to.
    It does not alert. Where users report aborts they did not make, check the host for an ``AbortController``
    that is shared between turns."""

    RUNTIME_NO_PROGRESS = code(
        "Turn made no progress",
        HarnessDetails,
        number=11005,
        public=True,
        hint="Show this message with its recovery, and start a new turn with a smaller task.",
        example={"context": {"sessionId": "ses_41", "turn": 9, "steps": 25}},
    )
    """The turn could not move on and no other code fits: this is the catch-all of a turn, reached for example
    by an agent that repeats the same tool call. Unclassified in the original document, it is terminal. The
    document's dispatcher shows the words "Unexpected error" for such codes and drops the recovery text;
    message and hint are shown for every code here, without a ``[11005]`` in front, since the number has a
    field of its own."""


class ErrorCodes(
    ToolError,
    SessionError,
    SyncError,
    StorageError,
    ProviderError,
    CheckpointError,
    ValidationError,
    InterruptError,
    JobError,
    CallerAuthError,
    HarnessRuntimeError,
    facade=True,
):
    """Every code of the catalogue under its constant; calling one builds the exception of its range."""


def transient() -> frozenset[int]:
    """The numbers worth another attempt, at once or later; see ``retries_spent`` before you make one."""
    return frozenset(spec.number for spec in REGISTRY if spec.number is not None and spec.retryable)


def terminal() -> frozenset[int]:
    """The numbers at which this call ends for good: those of the kind ``terminal``."""
    return frozenset(spec.number for spec in REGISTRY if spec.number is not None and spec.kind == "terminal")


def do_not_alert() -> frozenset[int]:
    """The numbers that wake nobody: a user's no and what someone stopped on purpose."""
    return frozenset(spec.number for spec in REGISTRY if spec.number is not None and not spec.alert)
