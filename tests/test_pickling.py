"""Errors in copies, pickles and other processes: every field, the notes and the causes come along."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, strategies as st

from errkit import CodedError, Registry, code, format_error, from_payload, to_payload, unwrap_cause
from errkit.guards import iter_causes
from errkit.pickling import STATE_VERSION, freeze, thaw
from errkit.safe import BOUNDS
from tests.hostile import every_hostile_object
from tests.workers import (
    FAILURES,
    REG,
    CallDetails,
    Credentials,
    JobFailed,
    KeywordOnly,
    Locked,
    MissingFile,
    Sticky,
    Unregistered,
    WorkError,
    fail,
    from_cause,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.pool import Pool

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
PATIENCE = 120
"""Seconds after which a pool counts as hanging."""

FIELDS = (
    "code",
    "number",
    "message",
    "hint",
    "kind",
    "retryable",
    "alert",
    "retry_after",
    "retries_spent",
    "public",
    "docs_url",
    "supported_on",
    "diagnostic_id",
    "log_path",
)


def again(error: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    """The error after a trip through a pickle."""
    return pickle.loads(pickle.dumps(error, protocol))


def fields(error: CodedError) -> dict[str, Any]:
    """Every plain field of an error."""
    return {name: getattr(error, name) for name in FIELDS}


def full() -> CodedError:
    """An error of which everything is known."""
    error = from_cause(plain(), from_cause(WorkError.BUSY("inner"), OSError(2, "no such file", "/a")))
    error.note_facts(
        diagnostic_id="d1", log_path="/var/log/d1", secondary=(WorkError.BUSY("cleanup"), KeyError("k"))
    )
    return error


WAYS: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(lambda e, p=p: again(e, p) for p in PROTOCOLS),
]
every_way = pytest.mark.parametrize("way", WAYS, ids=["copy", "deepcopy", *map(str, PROTOCOLS)])


# --- every field ----------------------------------------------------------------------------------------


@every_way
def test_every_field_survives(way: Callable[[Any], Any]) -> None:
    """Copy, deep copy and pickles of every protocol keep all fields, the notes, the cause and the flag."""
    error = full()
    twin = way(error)
    assert twin is not error
    assert type(twin) is WorkError
    assert fields(twin) == fields(error)
    assert twin.spec is error.spec
    assert twin.args == error.args
    assert {**twin.details, "token": ""} == {**error.details, "token": ""}
    assert twin.__notes__ == ["seen by the worker"]
    assert [type(cause) for cause in iter_causes(twin)] == [type(cause) for cause in iter_causes(error)]
    assert twin.__suppress_context__
    assert [type(failure) for failure in twin.secondary] == [WorkError, KeyError]
    assert cast("OSError", unwrap_cause(twin)).filename == "/a"


@every_way
@pytest.mark.parametrize("kind", sorted(set(FAILURES) - {"of_unknown_domain"}))
def test_payload_and_text_are_the_same_after_the_trip(way: Callable[[Any], Any], kind: str) -> None:
    """Whatever an error holds, what is sent and shown of it is the same before and after."""
    error = FAILURES[kind]()
    if kind == "in_group" and way is copy.deepcopy:
        pytest.skip("a deep copy of a group is the standard library's business")
    twin = way(error)
    assert to_payload(twin) == to_payload(error)
    assert format_error(twin, verbose=True) == format_error(error, verbose=True)
    assert to_payload(twin, audience="public") == to_payload(error, audience="public")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9) | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(), st.dictionaries(st.text(max_size=9), JSON, max_size=4), st.lists(st.text(), max_size=3))
def test_any_message_details_and_notes_survive(
    message: str, details: dict[str, Any], notes: list[str]
) -> None:
    """Text with lone surrogates, nested values, keys of any kind: what goes in comes out."""
    error = CodedError(WorkError.BUSY, message, details=details)
    for note in notes:
        error.add_note(note)
    twin = again(error)
    assert (twin.message, twin.details) == (message, details)
    assert getattr(twin, "__notes__", []) == notes


def test_an_error_that_nobody_looked_at_survives() -> None:
    """An error may be pickled or copied before anything of it was read."""
    for way in WAYS:
        twin = way(WorkError.NOT_FOUND("gone", path="/a"))
        assert (twin.code, twin.message, twin.details) == ("work.not_found", "gone", {"path": "/a"})


def test_notes_that_are_no_text_do_no_harm() -> None:
    """Others may set `__notes__` to anything.
    https://github.com/ionelmc/python-tblib/pull/72
    """
    error = WorkError.BUSY()
    for notes, kept in (([1, "a"], ["1", "a"]), (5, []), (None, [])):
        error.__notes__ = cast("Any", notes)
        for way in WAYS:
            assert getattr(way(error), "__notes__", []) == kept


def test_an_implicit_context_stays_one() -> None:
    """What was being handled is no cause before the trip and none after it, and is shown in both places."""
    error = WorkError.BUSY("while handling")
    error.__context__ = KeyError("handled")
    for way in WAYS:
        twin = way(error)
        assert twin.__cause__ is None
        assert isinstance(twin.__context__, KeyError)
        assert unwrap_cause(twin) is twin
        assert to_payload(twin) == to_payload(error)
    assert again(again(error)).__cause__ is None


@pytest.mark.parametrize("suppress", [True, False])
def test_the_flag_that_hides_the_context_survives(suppress: bool) -> None:
    """Setting a cause sets the flag, so the flag is restored after the cause, for each error of a chain.
    https://github.com/python-trio/exceptiongroup/issues/14
    """
    inner = from_cause(WorkError.BUSY("inner"), KeyError("k"))
    error = from_cause(WorkError.BUSY("outer"), inner)
    inner.__suppress_context__ = error.__suppress_context__ = suppress
    twin = again(error)
    assert [cause.__suppress_context__ for cause in (twin, twin.__cause__)] == [suppress, suppress]


# --- secrets --------------------------------------------------------------------------------------------


def test_declared_secrets_leave_in_no_pickle_and_stay_in_copies() -> None:
    """A pickle goes to other processes and to disk; a copy stays here. That holds for nested details too."""
    login = Credentials(user="u", password="swordfish")
    error = from_cause(WorkError.NOT_FOUND("x", path="a", token="hunter2", login=login), KeyError("k"))
    outer = from_cause(WorkError.BUSY("outer"), error)
    for protocol in PROTOCOLS:
        data = pickle.dumps(outer, protocol)
        assert b"hunter2" not in data
        assert b"swordfish" not in data
    twin = again(outer).__cause__
    assert (twin.details["token"], twin.details["login"].password) == ("[REDACTED]", "[REDACTED]")
    assert twin.details["login"].user == "u"
    assert twin.details_problem is None
    found = WorkError.NOT_FOUND.match(twin)
    assert found is not None
    assert found.path == "a"
    for way in (copy.copy, copy.deepcopy):
        kept = WorkError.NOT_FOUND.match(way(error))
        assert kept == CallDetails(path="a", token="hunter2", login=login)


# --- what does not pickle -------------------------------------------------------------------------------


@every_hostile_object
def test_details_of_any_kind_travel(value: Any) -> None:
    """What does not pickle, or does not come out again, arrives as its JSON form; nothing is raised.
    https://github.com/celery/celery/issues/6990
    """
    build: Any = WorkError.BUSY
    error = build("m", value=value, n=1)
    error.attached = value
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        twin = again(error, protocol)
        assert twin.details["n"] == 1
        assert "value" in twin.details
        shown, arrived = to_payload(error)["details"], to_payload(twin)["details"]
        assert arrived.keys() == shown.keys()
        assert arrived == shown or " at 0x" in str(shown)
    assert copy.copy(error).details["value"] is value
    assert copy.deepcopy(error).details["n"] == 1


def test_locks_functions_and_generators_stay_themselves_in_copies() -> None:
    """A deep copy copies what it can and shares the rest."""
    lock, items = threading.Lock(), [1, 2]
    build: Any = WorkError.BUSY
    error = build("m", lock=lock, items=items)
    twin = copy.deepcopy(error)
    assert twin.details["lock"] is lock
    assert twin.details["items"] == items
    assert twin.details["items"] is not items
    assert copy.copy(error).details["items"] is items
    shared = build("m", one=items, two=items)
    both = copy.deepcopy(shared).details
    assert both["one"] is both["two"]


def test_what_explodes_on_the_way_out_is_shown_instead() -> None:
    """An object that pickles and can't be unpickled must not take the error with it.
    https://github.com/python/cpython/issues/103061, https://github.com/dask/distributed/issues/3558
    """
    build: Any = WorkError.BUSY
    assert again(build("m", sticky=Sticky())).details == {"sticky": "<Sticky>"}


def test_an_error_among_its_own_details_ends() -> None:
    """Neither a pickle nor a deep copy follows a circle of errors for ever."""
    build: Any = WorkError.BUSY
    error, other = build("one"), build("two")
    error._details["both"] = [error, other]
    other._details["back"] = error
    error.note_facts(secondary=(other, error))
    other.note_facts(secondary=(error,))
    twin = again(error)
    assert (twin.code, twin.message) == ("work.busy", "one")
    assert [failure.code for failure in twin.secondary] == ["work.busy", "work.busy"]
    deep = copy.deepcopy(error)
    assert deep.details["both"][0] is deep
    assert deep.details["both"][1].details["back"] is deep
    assert again(again(error)).message == "one"


# --- causes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", [Locked("locked"), KeywordOnly(name="x")], ids=["in", "out"])
def test_a_cause_that_does_not_pickle_lives_on_as_a_payload(cause: Exception) -> None:
    """A bad cause does not spoil its error; what was known of it, and the causes behind it, stay.
    https://github.com/ray-project/ray/issues/20830, https://github.com/python/cpython/issues/120810
    """
    root = OSError(2, "root")
    cause.__cause__ = root
    error = WorkError.BUSY("busy")
    error.__cause__ = cause
    twin = again(error)
    assert twin.cause_payload == to_payload(error)["cause"]
    assert twin.cause_payload["name"] == type(cause).__name__
    assert to_payload(twin) == to_payload(error)
    assert str(cause) in format_error(twin, verbose=True)
    chain = list(iter_causes(twin))
    assert [getattr(link, "code", "") for link in chain[:2]] == ["work.busy", "internal"]
    assert isinstance(chain[-1], OSError)
    assert chain[-1].errno == 2
    assert to_payload(again(twin)) == to_payload(error)
    cause.__cause__ = None


def test_a_bad_cause_deeper_down_keeps_its_place() -> None:
    """Causes before and after one that does not pickle are themselves again."""
    error = from_cause(WorkError.BUSY("top"), from_cause(WorkError.FAILED("middle"), Locked("locked")))
    unwrapped = unwrap_cause(error)
    assert isinstance(unwrapped, Locked)
    unwrapped.__cause__ = KeyError("root")
    chain = list(iter_causes(again(error)))
    assert [type(link).__name__ for link in chain] == ["WorkError", "WorkError", "CoreError", "KeyError"]
    assert to_payload(again(error)) == to_payload(error)


@pytest.mark.parametrize("length", [17, 5_000, 100_000])
def test_long_chains_are_flattened_and_bounded_with_their_root(length: int) -> None:
    """A pickle of any depth of causes is small, needs no stack, counts what is missing, and has the root."""
    error: BaseException = KeyError("root")
    for number in range(length):
        cause, error = error, WorkError.BUSY(str(number))
        error.__cause__ = cause
    data = pickle.dumps(error)
    assert len(data) < 100_000
    twin = pickle.loads(data)
    chain = list(iter_causes(twin))
    assert len(chain) == BOUNDS.causes + 1
    assert isinstance(chain[-1], KeyError)
    assert to_payload(twin) == to_payload(error)
    assert to_payload(again(twin)) == to_payload(error)
    if length == 17:
        assert "elided" in to_payload(twin)
    for way in (copy.copy, copy.deepcopy):
        assert way(error).__cause__ is error.__cause__
    del error, twin, chain
    gc.collect()


def test_a_circle_of_causes_is_pickled() -> None:
    """A cycle ends where it began."""
    one, two = WorkError.BUSY("one"), WorkError.BUSY("two")
    one.__cause__, two.__cause__ = two, one
    twin = again(one)
    assert [str(link) for link in iter_causes(twin)] == ["one", "two"]
    one.__cause__ = one
    assert again(one).__cause__ is None


# --- classes --------------------------------------------------------------------------------------------


@every_way
def test_an_init_of_its_own_is_not_asked(way: Callable[[Any], Any]) -> None:
    """A subclass may take keywords only, have slots and attributes: all of it comes, without `__init__`.
    https://github.com/python/cpython/issues/80041, https://github.com/owid/etl/pull/6862
    """
    error = JobFailed(job="j1")
    cast("Any", error).seen.append("later")
    twin = way(error)
    assert type(twin) is JobFailed
    assert (twin.job, twin.seen, twin.message, twin.code) == (
        "j1",
        ["j1", "later"],
        "j1 failed",
        "work.failed",
    )
    assert not hasattr(twin, "unset")


@every_way
def test_the_fields_of_a_builtin_base_survive(way: Callable[[Any], Any]) -> None:
    """What a built-in keeps outside `__dict__` comes along.
    https://github.com/python/cpython/issues/125782
    """
    error = MissingFile("gone", path="/a")
    error.errno, error.filename = 2, "/a"
    twin = way(error)
    assert type(twin) is MissingFile
    assert (twin.errno, twin.filename, twin.strerror) == (2, "/a", None)
    assert (twin.message, twin.details, twin.args) == ("gone", {"path": "/a"}, ("gone",))


def test_the_class_is_found_by_name_by_import_or_as_the_domain() -> None:
    """The registry knows registered classes, a module its own; else the domain's class serves."""

    class Local(WorkError):
        pass

    assert type(again(MissingFile("m", path="a"))) is MissingFile
    assert type(again(Unregistered.BUSY("m"))) is Unregistered
    assert type(again(Local.BUSY("m"))) is WorkError
    assert again(Local.BUSY("m")).code == "work.busy"


def test_an_error_without_a_registered_code_survives() -> None:
    """An unknown code, and an error without any, keep what was said of them."""
    for error in (
        CodedError("who.knows", "m", details={"a": 1}),
        CodedError("It broke."),
        WorkError("It broke."),
    ):
        for way in WAYS:
            twin = way(error.override(retryable=True, hint="Look."))
            assert type(twin) is type(error)
            assert (twin.code, twin.details, twin.hint) == (error.code, error.details, "Look.")
            assert twin.retryable


def test_a_revived_error_survives() -> None:
    """What came over the wire and is pickled is still what came, unknown fields included."""
    payload = {
        **to_payload(FAILURES["from_coded"]()),
        "retryable": True,
        "region": "eu",
        "group": [to_payload(plain())],
    }
    error = from_payload(payload, registry=REG)
    assert to_payload(again(error)) == to_payload(error)
    assert to_payload(again(error))["region"] == "eu"


# --- other readers --------------------------------------------------------------------------------------


def test_an_unknown_code_revives_as_the_base_with_its_facts() -> None:
    """Where a code is not registered, the error is a `CodedError` that keeps code, verdict, hint and number.
    https://github.com/celery/celery/issues/4835
    """
    registry = Registry("elsewhere")
    with registry.scoped():

        class AwayError(CodedError, domain="away", registry=registry, numbers=range(9)):
            GONE = code("Gone", number=1, kind="transient", hint="Wait.", public=True, retry_after=2)

        error = AwayError.GONE("gone").override(supported_on="mars")
        facts, data = fields(error), pickle.dumps(error)
    del AwayError
    error = pickle.loads(data)
    assert type(error) is CodedError
    assert fields(error) == {**facts, "public": False}
    assert to_payload(error)["name"] == "AwayError"
    assert to_payload(again(error)) == to_payload(error)


def test_a_process_that_knows_nothing_reads_the_pickle() -> None:
    """Another process needs errkit, and no module of the sender: no name in a pickle is imported."""
    script = (
        "import pickle, sys\n"
        "error = pickle.loads(sys.stdin.buffer.read())\n"
        "import errkit\n"
        "cause = errkit.unwrap_cause(error)\n"
        "print(type(error).__name__, error.code, error.number, error.retryable, type(cause).__name__)\n"
        "print('tests.workers' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=pickle.dumps(FAILURES["from_key_error"]()),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parent.parent,
        timeout=PATIENCE,
    )
    assert done.stdout.decode().splitlines() == ["CodedError work.busy None True KeyError", "False"]


def test_an_error_comes_home_through_a_process_that_knows_nothing() -> None:
    """A broker may read and write pickles of codes it has never heard of; at home they are what they were."""
    script = (
        "import pickle, sys; sys.stdout.buffer.write(pickle.dumps(pickle.loads(sys.stdin.buffer.read())))"
    )
    for kind in ("plain", "from_coded", "mixed", "own_init", "odd_details"):
        error = cast("CodedError", FAILURES[kind]())
        done = subprocess.run(
            [sys.executable, "-c", script],
            input=pickle.dumps(error),
            capture_output=True,
            check=True,
            cwd=Path(__file__).parent.parent,
            timeout=PATIENCE,
        )
        home = pickle.loads(done.stdout)
        assert isinstance(home, WorkError)
        assert fields(home) == fields(error)
        assert home.spec is error.spec
        assert to_payload(home).keys() == to_payload(error).keys()


def test_states_of_other_versions_are_read() -> None:
    """Keys that are new are passed over, and keys that are missing have a meaning.
    https://github.com/dask/distributed/pull/8882
    """
    state = freeze(full())
    assert state["v"] == STATE_VERSION
    newer = {**state, "v": 99, "new": object(), "links": [{**link, "new": 1} for link in state["links"]]}
    assert to_payload(thaw(newer)) == to_payload(full())
    assert thaw({"links": [{"code": "who.knows"}]}).code == "who.knows"
    broken: list[dict[str, Any]] = [{}, {"links": [{}]}, {"links": [{"pickle": b"junk"}], "payload": 3}]
    for junk in broken:
        assert isinstance(thaw(junk), CodedError)


# --- pools ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def executor() -> Iterator[ProcessPoolExecutor]:
    """One worker process of the standard library's executor, spawned."""
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    yield pool
    pool.shutdown(wait=False, cancel_futures=True)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """One worker process of the older pool, spawned."""
    with multiprocessing.get_context("spawn").Pool(1) as found:
        yield found


@pytest.fixture(scope="module", params=["executor", "pool"])
def run(request: pytest.FixtureRequest) -> Callable[[str], BaseException]:
    """Fails in another process in the given way, and returns what arrives; a pool that hangs is a failure."""
    if request.param == "executor":
        executor: ProcessPoolExecutor = request.getfixturevalue("executor")
        return lambda kind: cast("BaseException", executor.submit(fail, kind).exception(PATIENCE))
    pool: Pool = request.getfixturevalue("pool")

    def apply(kind: str) -> BaseException:
        try:
            pool.apply_async(fail, (kind,)).get(PATIENCE)
        except multiprocessing.TimeoutError:
            raise
        except BaseException as error:
            return error
        raise AssertionError("did not fail")

    return apply


@pytest.mark.parametrize("kind", sorted(set(FAILURES) - {"of_unknown_domain", "in_group"}))
def test_every_failure_comes_out_of_a_pool_whole(run: Callable[[str], BaseException], kind: str) -> None:
    """What arrives from a worker process is what failed there, whatever it held, and the pool goes on.
    https://github.com/python/cpython/issues/79492
    """
    expected, error = FAILURES[kind](), run(kind)
    assert isinstance(expected, CodedError)
    assert isinstance(error, CodedError)
    assert type(error) is type(expected)
    assert fields(error) == fields(expected)
    found, wanted = to_payload(error), to_payload(expected)
    if kind == "odd_details":
        assert found["details"].keys() == wanted["details"].keys()
    else:
        assert found == wanted


def test_the_cause_is_preferred_to_the_text_that_a_pool_puts_in_its_place(
    run: Callable[[str], BaseException],
) -> None:
    """A pool replaces `__cause__` by its worker's traceback as text; the cause itself is still found.
    https://github.com/dask/distributed/issues/3158
    """
    error = run("from_coded")
    assert isinstance(error, CodedError)
    assert "RemoteTraceback" in type(error.__cause__).__name__
    assert error.cause_payload is not None
    assert error.cause_payload["code"] == "work.not_found"
    assert "Caused by: [work.not_found]" in format_error(error, verbose=True)
    assert "RemoteTraceback" not in str(to_payload(error))
    root = unwrap_cause(error)
    assert isinstance(root, FileNotFoundError)
    assert root.errno == 2
    assert to_payload(again(error)) == to_payload(error)


def test_an_error_without_a_cause_has_none_after_a_pool(run: Callable[[str], BaseException]) -> None:
    """The traceback text of the worker does not pass for a cause."""
    error = run("plain")
    assert isinstance(error, CodedError)
    assert "cause" not in to_payload(error)
    assert unwrap_cause(error) is error
    assert error.cause_payload is None


def test_a_code_that_only_the_worker_knows_arrives(run: Callable[[str], BaseException]) -> None:
    """A domain that is declared in the worker alone arrives as `CodedError` with its facts and its cause."""
    error = run("of_unknown_domain")
    assert type(error) is CodedError
    assert (error.code, error.number, error.retryable, error.hint) == ("late.gone", 201, True, "Wait.")
    assert not error.public
    assert isinstance(unwrap_cause(error), KeyError)


def test_groups_come_out_of_a_pool_with_their_members(run: Callable[[str], BaseException]) -> None:
    """The members of a group are coded errors still, with their causes."""
    group = run("in_group")
    assert isinstance(group, ExceptionGroup)
    assert [type(member) for member in group.exceptions] == [WorkError, WorkError]
    assert isinstance(unwrap_cause(group.exceptions[1]), KeyError)
    assert group.exceptions[0].__notes__ == ["seen by the worker"]
