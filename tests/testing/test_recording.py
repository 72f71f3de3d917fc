"""Which codes were raised: raised and not built, by the program and not by the kit, in any thread."""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from errkit import CodedError, Details, Registry, code, from_payload, to_payload
from errkit.testing.recording import FOLDER, Recorder, disown, record_raises
from errkit.testing.seeing import Tracebacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HAS_MONITORING = sys.version_info >= (3, 12)


class SeatDetails(Details):
    """A seat."""

    seat: str


class SeatError(CodedError, domain="rec.seat", registry=Registry("rec")):
    """Seats."""

    TAKEN = code("Seat is taken", SeatDetails)
    GONE = code("Seat is gone")


class GoneError(SeatError, of=SeatError.GONE):
    """Raised by its class."""


def throw(error: BaseException) -> None:
    """Raise an error and forget it."""
    try:
        raise error
    except type(error):
        return


def old(recorder: Recorder) -> Recorder:
    """The same recorder, as it works before Python 3.12."""
    recorder._watch = Tracebacks(recorder.note, recorder._done)
    return recorder


@pytest.fixture(params=["of this Python", "tracebacks"])
def recorder(request: pytest.FixtureRequest) -> Iterator[Recorder]:
    """A recorder that is recording, in both ways."""
    found = Recorder() if request.param == "of this Python" else old(Recorder())
    found.start()
    yield found
    found.stop()


def test_the_interpreter_is_asked_where_it_can_tell() -> None:
    """From Python 3.12 on."""
    assert Recorder().method == ("sys.monitoring" if HAS_MONITORING else "tracebacks")


def test_what_was_raised_is_noted_and_what_was_built_is_not(recorder: Recorder) -> None:
    """Each code once, until it is taken."""
    SeatError.GONE()
    assert recorder.take() == []
    for _ in range(3):
        throw(SeatError.TAKEN(seat="7F"))
    assert recorder.take() == ["rec:rec.seat.taken"]
    assert recorder.take() == []


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(lambda: GoneError("gone"), id="by its class"),
        pytest.param(lambda: SeatError("rec.seat.gone", "gone"), id="by text"),
        pytest.param(lambda: SeatError("rec.seat.gone", "gone").override(hint="Look."), id="overridden"),
    ],
)
def test_however_it_was_built(recorder: Recorder, error: Any) -> None:
    """A class bound to a code, and a code that arrived as text, count as well."""
    throw(error())
    assert recorder.take() == ["rec:rec.seat.gone"]


def test_an_error_that_is_raised_later_counts_then(recorder: Recorder) -> None:
    """Built in one test, raised in another."""
    error = SeatError.GONE()
    assert recorder.take() == []
    throw(error)
    assert recorder.take() == ["rec:rec.seat.gone"]


def test_many_errors_are_no_burden(recorder: Recorder) -> None:
    """One that is raised after many that are not is noted all the same."""
    for _ in range(500):
        SeatError.GONE()
    throw(SeatError.GONE())
    assert recorder.take() == ["rec:rec.seat.gone"]


@pytest.mark.skipif(not HAS_MONITORING, reason="needs sys.monitoring")
def test_an_error_from_elsewhere_counts_where_the_interpreter_tells() -> None:
    """One that came over the wire, or out of a pickle, and is raised here."""
    recorder = Recorder()
    recorder.start()
    throw(pickle.loads(pickle.dumps(SeatError.TAKEN(seat="7F"))))
    throw(from_payload(to_payload(SeatError.GONE()), registry=SeatError.__registry__))
    recorder.stop()
    assert recorder.take() == ["rec:rec.seat.gone", "rec:rec.seat.taken"]


def test_unknown_codes_and_foreign_errors_do_not_count(recorder: Recorder) -> None:
    """Only what is registered can be covered."""
    throw(CodedError("rec.unknown", "odd"))
    throw(ValueError("odd"))
    assert recorder.take() == []


def test_what_the_kit_made_does_not_count(recorder: Recorder) -> None:
    """Raising a drawn error proves nothing about the program."""
    error = SeatError.GONE()
    disown(error)
    throw(error)
    assert recorder.take() == []
    error = SeatError.GONE()
    disown(error)
    throw(error)
    del error
    gc.collect()
    assert recorder.take() == []


def sulk(*_: object) -> Any:
    """Fail whoever asks."""
    raise RuntimeError("asked")


@pytest.mark.parametrize(
    "name", ["__traceback__", "__class__", "__dict__", "_spec", "args", "code", "__hash__", "__eq__"]
)
@pytest.mark.parametrize("base", [SeatError, Exception])
def test_an_error_is_asked_for_nothing(recorder: Recorder, base: type[Exception], name: str) -> None:
    """Noting must not break a run whose errors answer with another error, as tests of boundaries raise."""
    kind = type("SulkingError", (base,), {name: sulk if name in ("__hash__", "__eq__") else property(sulk)})
    if base is SeatError:
        disown(vars(kind)["GONE"]())
    error = vars(kind)["TAKEN"](seat="7F") if base is SeatError else kind()
    with pytest.raises(kind) as caught:
        raise error
    assert caught.value is error
    assert recorder.take() == (["rec:rec.seat.taken"] if base is SeatError else [])


def test_nothing_is_noted_while_a_check_runs(recorder: Recorder) -> None:
    """What was raised before and after is."""
    throw(SeatError.TAKEN(seat="7F"))
    recorder.pause(paused=True)
    throw(SeatError.GONE())
    recorder.pause(paused=False)
    assert recorder.take() == ["rec:rec.seat.taken"]


def test_raises_in_other_threads_count(recorder: Recorder) -> None:
    """Also in threads that started before the recorder did."""
    threads = [threading.Thread(target=throw, args=(SeatError.GONE(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.take() == ["rec:rec.seat.gone"]


def test_noting_leaves_an_error_as_it_was(recorder: Recorder) -> None:
    """What its throw site left lying is still there for the first who looks."""
    error = SeatError.TAKEN(seat="7F")
    throw(error)
    recorder.take()
    assert error.details == {"seat": "7F"}
    assert error.args == ("Seat is taken",)


class Load:
    """Something that a test watches."""


def test_no_error_is_kept_alive(recorder: Recorder) -> None:
    """A test that looks for leaks finds none of the recorder's; what was raised counts, how ever it ended."""
    load: Any = Load()
    found = weakref.ref(load)
    with contextlib.suppress(SeatError):
        raise SeatError.TAKEN("taken", seat=load)
    SeatError.TAKEN("taken", seat=load)
    held = SeatError.GONE()
    del load
    assert found() is None
    throw(held)
    del held
    gc.collect()
    assert recorder.take() == ["rec:rec.seat.gone", "rec:rec.seat.taken"]


def test_an_error_counts_for_the_test_that_raised_it(recorder: Recorder) -> None:
    """One that dies later does not count again."""
    held = SeatError.GONE()
    throw(held)
    assert recorder.take() == ["rec:rec.seat.gone"]
    del held
    gc.collect()
    assert recorder.take() == []


def test_after_the_end_all_is_as_before() -> None:
    """Two recorders in each other end in turn, and nothing is left in place."""
    before = SeatError.TAKEN.__class__.__call__, dict(vars(CodedError))
    outer, inner = old(Recorder()), old(Recorder())
    outer.start()
    inner.start()
    throw(SeatError.GONE())
    inner.stop()
    outer.stop()
    outer.stop()
    assert (inner.take(), outer.take()) == (["rec:rec.seat.gone"],) * 2
    assert (SeatError.TAKEN.__class__.__call__, dict(vars(CodedError))) == before


# --- other processes --------------------------------------------------------------------------------


def lines(folder: Path) -> list[dict[str, str]]:
    """What processes have left in a folder."""
    return [
        json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()
    ]


CHILD = """
import os
from errkit.testing import record_raises

print(record_raises())
from errkit.domains.os_fs import HostFsError

for _ in range(70):
    try:
        raise HostFsError.NOT_FOUND(path="/x", op="read")
    except HostFsError:
        pass
{end}
"""


@pytest.mark.parametrize("end", ["", "os._exit(3)", "os.abort()"])
def test_a_child_takes_part_if_it_says_so(tmp_path: Path, end: str) -> None:
    """What it raised is known with the test that started it, even if it dies."""
    env = {**os.environ, FOLDER: str(tmp_path), "PYTEST_CURRENT_TEST": "tests/test_x.py::test_y[a b] (call)"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(end=end)], env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout in ("True\n", "")
    assert lines(tmp_path) == [{"code": "errkit:os.fs.not_found", "test": "tests/test_x.py::test_y[a b]"}]


def test_a_child_of_nobody_takes_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The call may stay in a program."""
    monkeypatch.delenv(FOLDER, raising=False)
    assert record_raises() is False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_takes_part_by_itself(
    recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the parent had raised is not the child's; what the child raises is its own."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    throw(SeatError.GONE())
    child = multiprocessing.get_context("fork").Process(target=throw, args=(SeatError.TAKEN(seat="7F"),))
    child.start()
    child.join()
    # A run around this one that counts has its recorder in the child too.
    assert {line["code"] for line in lines(tmp_path)} == {"rec:rec.seat.taken"}
    assert recorder.take() == ["rec:rec.seat.gone"]


def test_a_folder_that_is_gone_breaks_nothing(tmp_path: Path) -> None:
    """Measuring must not break what is measured."""
    recorder = Recorder(str(tmp_path / "gone"))
    recorder.start()
    throw(SeatError.GONE())
    recorder.stop()
    assert recorder.take() == ["rec:rec.seat.gone"]
