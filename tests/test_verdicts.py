"""Verdicts: what to do about any error."""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import stamina
import tenacity

from errkit import (
    CodedError,
    Registry,
    Translator,
    UserCancelled,
    Verdict,
    classify,
    code,
    diagnostics,
    is_retryable,
    load_classifiers,
    register_cancellation,
    register_classifier,
    safely_call,
    to_payload,
    translating,
)
from errkit.boundary import answering
from errkit.verdicts import _CLASSIFIERS, CLASSIFIERS_GROUP, is_cancellation
from tests.hostile import every_hostile_object

REG = Registry("test_verdicts")


class JobError(CodedError, domain="job", registry=REG):
    LOST = code("Job was lost", kind="transient", retry_after=3)
    BROKEN = code("Job is broken")
    REJECTED = code("Rejected", kind="outcome")
    STOPPED = code("Stopped", kind="cancelled", alert=True)
    MISUSED = code("Misused", kind="bug")


@pytest.mark.parametrize(
    ("error", "retry", "alert"),
    [
        (JobError.LOST(), True, True),
        (JobError.BROKEN(), False, True),
        (JobError.REJECTED(), False, False),
        (JobError.STOPPED(), False, True),
        (JobError.MISUSED(), False, True),
        (JobError.BROKEN().override(retryable=True), True, True),
        (JobError.LOST().override(retryable=False), False, True),
        (JobError.LOST().override(retries_spent=True), False, True),
        (ValueError("boom"), False, True),
        ("text", False, True),
    ],
)
def test_the_kind_and_the_error_itself_decide(error: object, retry: bool, alert: bool) -> None:
    """Retry and alarm follow from the kind, unless something was said of this one failure."""
    verdict = classify(error)
    assert (verdict.retryable, verdict.alert) == (retry, alert)
    assert is_retryable(error) is retry


def test_spent_retries_leave_the_fact_of_the_code() -> None:
    """`retryable` says what the failure is, `is_retryable` what to do."""
    error = JobError.LOST().override(retries_spent=True)
    assert error.retryable
    assert not is_retryable(error)


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        SystemExit(),
        GeneratorExit(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
        UserCancelled(),
    ],
)
def test_cancellation_is_neither_retried_nor_alarmed(error: BaseException) -> None:
    """Someone stopped the work; that is no failure."""
    verdict = classify(error)
    assert (verdict.kind, verdict.retryable, verdict.alert) == ("cancelled", False, False)


def test_a_group_is_worth_a_retry_only_if_each_member_is() -> None:
    """The worst member decides; cancelled siblings do not (modelcontextprotocol/python-sdk/issues/2114)."""
    lost = JobError.LOST()
    assert is_retryable(ExceptionGroup("g", [lost, ExceptionGroup("h", [JobError.LOST()])]))
    assert not is_retryable(ExceptionGroup("g", [lost, ValueError()]))
    assert is_retryable(BaseExceptionGroup("g", [asyncio.CancelledError(), lost]))
    assert classify(ExceptionGroup("g", [lost])).retry_after == 3.0


def test_groups_that_share_their_members_are_read_once() -> None:
    """Forty groups, each twice in the next one, hold a million million leaves, of which two are different."""
    group: Any = ExceptionGroup("g", [JobError.LOST(), KeyError("k")])
    for _ in range(40):
        group = ExceptionGroup("g", [group, group])
    assert classify(group).kind == "bug"
    assert to_payload({group: {group}})["message"].count("ExceptionGroup") == 2


def test_a_host_maps_its_own_failures() -> None:
    """The last classifier is asked first, a failing one has no opinion, and one can be taken back."""

    class Unauthorized(Exception):
        pass

    def broken(error: BaseException) -> Verdict | None:
        raise RuntimeError("classifier failed")

    def known(error: BaseException) -> Verdict | None:
        return (
            Verdict(code="auth", kind="terminal", retryable=False, alert=False)
            if isinstance(error, Unauthorized)
            else None
        )

    undo = [register_classifier(known), register_classifier(broken)]
    try:
        assert classify(Unauthorized()).code == "auth"
        assert classify(ValueError()).code == "internal"
    finally:
        for take_back in undo:
            take_back()
    assert classify(Unauthorized()).code == "internal"


@every_hostile_object
def test_any_object_has_a_verdict(value: object) -> None:
    """Whatever is asked about fails closed."""
    assert not is_retryable(value)


@every_hostile_object
def test_what_is_said_of_a_failure_may_be_anything(value: Any) -> None:
    """An override that can't be read says nothing."""
    error = JobError.LOST().override(retryable=value, retries_spent=value, retry_after=value)
    assert isinstance(classify(error).retryable, bool)


def test_a_code_from_outside_is_safe_to_show() -> None:
    """A verdict on an unknown code holds it redacted, cut and free of lone surrogates."""
    code = classify(CodedError("password=hunter2\ud800" * 100, "m")).code
    code.encode()
    assert "hunter2" not in code


def test_a_payload_has_the_verdict_of_its_error() -> None:
    """A revived shape is judged like the error itself."""
    assert not is_retryable({"code": "validation.failed", "message": "no"})
    assert to_payload({"code": "validation.failed", "message": "no", "retryable": True})["retryable"]


# --- registered cancellations -----------------------------------------------------------------------


class JobAborted(Exception):
    """How some framework stops a job."""


class StageAborted(JobAborted):
    pass


@pytest.fixture
def aborting() -> Iterator[None]:
    """`JobAborted` counts as a cancellation for one test."""
    undo = register_cancellation(JobAborted)
    yield
    undo()


@pytest.mark.parametrize("error", [JobAborted("stop"), StageAborted("stop")])
@pytest.mark.usefixtures("aborting")
def test_a_registered_class_passes_every_boundary(error: JobAborted) -> None:
    """By identity and untouched: translators, blocks, answers, the last resort, diagnostics, groups."""
    to_job_error = Translator(JobError, fallback=JobError.BROKEN)
    around: list[Any] = [translating(to_job_error), answering("fine", lambda _: True), diagnostics.scope("x")]
    same: object = to_job_error(error)
    assert same is error
    for boundary in around:
        with pytest.raises(JobAborted) as caught, boundary:
            raise error
        assert caught.value is error
        assert not vars(error)
    with pytest.raises(JobAborted) as caught:
        safely_call(_raise, error)
    assert caught.value is error
    group: Any = to_job_error(ExceptionGroup("g", [error, ValueError("x")]))
    assert group.exceptions[0] is error
    assert group.exceptions[1].code == "job.broken"


def _raise(error: BaseException) -> None:
    raise error


@pytest.mark.usefixtures("aborting")
def test_a_registered_class_has_the_verdict_of_a_cancellation() -> None:
    """It is neither retried nor alarmed, and does not count among the members of a group."""
    assert classify(StageAborted()) == classify(UserCancelled())
    assert is_retryable(ExceptionGroup("g", [JobAborted(), JobError.LOST()]))


def test_a_registration_can_be_taken_back_once() -> None:
    """Each registration has its own undo; one that is called twice takes nothing of another's."""
    first, second = register_cancellation(JobAborted), register_cancellation(JobAborted)
    first()
    first()
    assert is_cancellation(JobAborted())
    second()
    assert not is_cancellation(JobAborted())
    assert classify(JobAborted()).kind == "bug"


@pytest.mark.parametrize("cls", [Exception, BaseException, OSError, RuntimeError, CodedError, int, "x", None])
def test_what_is_no_cancellation_can_t_be_registered(cls: Any) -> None:
    """Neither the classes of ordinary failures nor what is no exception class; the caller is named."""
    with pytest.raises(CodedError) as caught:
        register_cancellation(cls)
    assert caught.value.code == "errkit.bad_declaration"
    assert Path(__file__).name in caught.value.details["place"]
    assert not is_cancellation(ValueError())


def test_a_timeout_is_no_cancellation() -> None:
    """Nobody stopped the work: asyncio cancels inside, and what comes out of its timeout is a failure."""

    async def slow() -> None:
        async with asyncio.timeout(0):
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError) as caught:
        asyncio.run(slow())
    assert not is_cancellation(caught.value)
    assert not is_cancellation(concurrent.futures.TimeoutError())
    assert to_payload(Translator(JobError, fallback=JobError.LOST)(caught.value))["code"] == "job.lost"


# --- classifiers of installed packages --------------------------------------------------------------

PLUGIN = """
from errkit import Verdict

class Throttled(Exception):
    pass

def classify(error):
    if isinstance(error, Throttled):
        return Verdict(code="plugin.throttled", kind="transient", retryable=True, alert=False, retry_after=7)
    return None
"""

Announce = Callable[..., None]


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Lays down an installed package that announces classifiers; takes all of them back afterwards."""

    def lay_down(distribution: str, *lines: str, **modules: str) -> None:
        home = tmp_path / f"{distribution}-1.0.dist-info"
        home.mkdir()
        (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (home / "entry_points.txt").write_text("\n".join([f"[{CLASSIFIERS_GROUP}]", *lines]))
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)

    known, loaded = list(_CLASSIFIERS), set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    yield lay_down
    _CLASSIFIERS[:] = known
    for name in set(sys.modules) - loaded:
        del sys.modules[name]


def test_installed_classifiers_are_loaded_on_demand(announce: Announce) -> None:
    """Not before they are asked for; sorted, each once, and a fault spoils none of the others."""
    announce(
        "zeta",
        "throttled = plugin_module:classify",
        "broken = not_there:classify",
        "stopped = exits:classify",
        "wrong = plugin_module:__name__",
        plugin_module=PLUGIN,
        exits="import sys\nsys.exit('no')",
    )
    assert "plugin_module" not in sys.modules
    found = dict(load_classifiers())
    assert list(found) == ["broken", "stopped", "throttled", "wrong"]
    plugin: Any = sys.modules["plugin_module"]
    assert found["throttled"] is plugin.classify
    assert classify(plugin.Throttled()).retry_after == 7
    for name in ("broken", "stopped", "wrong"):
        error = found[name]
        assert isinstance(error, CodedError)
        assert error.code == "errkit.bad_source"
        assert name in error.message
        assert CLASSIFIERS_GROUP in error.hint
    assert load_classifiers()
    assert [name.__module__ for name in _CLASSIFIERS].count("plugin_module") == 1


def test_the_program_is_asked_before_the_installed_packages(announce: Announce) -> None:
    """What the host registered itself wins, whenever the packages were loaded."""
    announce("eta", "throttled = plugin_module:classify", plugin_module=PLUGIN)
    own = Verdict(code="own", kind="terminal", retryable=False, alert=False)
    undo = register_classifier(lambda error: own if type(error).__name__ == "Throttled" else None)
    load_classifiers()
    throttled = sys.modules["plugin_module"].Throttled()
    assert classify(throttled).code == "own"
    undo()
    assert classify(throttled).code == "plugin.throttled"


# --- under real retry loops -------------------------------------------------------------------------


class Flaky:
    """Fails with each of the given errors in turn, then answers."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def with_stamina(call: Callable[[], str]) -> str:
    """At most three calls, without a pause."""
    retry = stamina.retry(on=is_retryable, attempts=3, wait_initial=0, wait_jitter=0, wait_max=0)
    return retry(call)()


def with_stamina_async(call: Callable[[], str]) -> str:
    """The same around a coroutine function."""

    @stamina.retry(on=is_retryable, attempts=3, wait_initial=0, wait_jitter=0, wait_max=0)
    async def later() -> str:
        return call()

    return asyncio.run(later())


def with_tenacity(call: Callable[[], str]) -> str:
    """At most three calls, without a pause."""
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(is_retryable), stop=tenacity.stop_after_attempt(3), reraise=True
    )
    return retrying(call)


every_loop = pytest.mark.parametrize("loop", [with_stamina, with_stamina_async, with_tenacity])


@every_loop
def test_a_retry_loop_repeats_what_passes(loop: Callable[..., str]) -> None:
    """Transient failures, groups of them, and what a classifier says are tried again."""
    undo = register_classifier(
        lambda error: (
            Verdict(code="x", kind="transient", retryable=True, alert=False)
            if isinstance(error, ConnectionResetError)
            else None
        )
    )
    try:
        for error in (JobError.LOST(), ExceptionGroup("g", [JobError.LOST()]), ConnectionResetError()):
            flaky = Flaky(error, error)
            assert loop(flaky) == "done"
            assert flaky.calls == 3
    finally:
        undo()


@every_loop
@pytest.mark.parametrize(
    "error",
    [
        JobError.BROKEN(),
        JobError.REJECTED(),
        JobError.LOST().override(retries_spent=True),
        ValueError("a bug"),
        UserCancelled(),
        ExceptionGroup("g", [JobError.LOST(), ValueError()]),
    ],
)
def test_a_retry_loop_gives_up_at_once(loop: Callable[..., str], error: Exception) -> None:
    """What does not pass, what was retried below, a bug and a cancellation come out as they are."""
    flaky = Flaky(error)
    with pytest.raises(type(error)) as caught:
        loop(flaky)
    assert caught.value is error
    assert flaky.calls == 1


@every_loop
def test_a_retry_loop_ends(loop: Callable[..., str]) -> None:
    """After the last attempt the failure itself comes out, with its code."""
    flaky = Flaky(*(JobError.LOST() for _ in range(9)))
    with pytest.raises(JobError) as caught:
        loop(flaky)
    assert (flaky.calls, caught.value.code) == (3, "job.lost")


@pytest.mark.parametrize("loop", [with_stamina, with_tenacity])
def test_a_retry_loop_never_holds_up_a_stop(loop: Callable[..., str]) -> None:
    """`KeyboardInterrupt` and its like pass at once."""
    flaky = Flaky(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        loop(flaky)
    assert flaky.calls == 1


def test_stamina_waits_as_long_as_it_is_told() -> None:
    """A hook that gives the seconds of the verdict makes the pause that the failure asks for."""
    waits: list[float] = []

    def wait_as_told(error: Exception) -> float | bool:
        verdict = classify(error)
        return verdict.retry_after or 0.0 if verdict.retryable else False

    def note(details: Any) -> None:
        waits.append(details.wait_for)

    previous = stamina.instrumentation.get_on_retry_hooks()
    stamina.instrumentation.set_on_retry_hooks([note])
    try:
        flaky = Flaky(JobError.LOST().override(retry_after=0.001), JobError.BROKEN())
        with pytest.raises(JobError) as caught:
            stamina.retry(on=wait_as_told, attempts=3)(flaky)()
    finally:
        stamina.instrumentation.set_on_retry_hooks(previous)
    assert (waits, caught.value.code) == ([0.001], "job.broken")
