"""The spool: what waits leaves in order, once, and survives crashes, full disks and many processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from errkit.sinks.spool import BATCH, Spool, SpoolFullError

ROOT = Path(__file__).parent.parent.parent


def row(number: int) -> dict[str, Any]:
    """Something that can wait."""
    return {"id": str(number), "text": "ä" * (number % 50)}


class Target:
    """Takes batches; fails when it is told to."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.works = True

    def take(self, batch: list[dict[str, Any]]) -> None:
        if not self.works:
            raise ConnectionError("away")
        assert 0 < len(batch) <= BATCH
        self.taken += [one["id"] for one in batch]


def spool_in(folder: str | Path, max_bytes: int = 10_000_000) -> Spool:
    return Spool(os.path.join(folder, "deep", "spool.ndjson"), max_bytes)


@given(steps=st.lists(st.sampled_from(["append", "many", "drain", "fail", "reopen"]), max_size=30))
def test_each_record_leaves_once_and_in_order(steps: list[str]) -> None:
    """Whatever the order of appending, draining and failing."""
    with tempfile.TemporaryDirectory() as folder:
        spool, target, count = spool_in(folder), Target(), 0
        for step in [*steps, "drain"]:
            if step in ("append", "many"):
                for _ in range(1 if step == "append" else BATCH + 7):
                    spool.append(row(count))
                    count += 1
            elif step == "reopen":
                spool = spool_in(folder)
            else:
                target.works = step == "drain"
                waits = not spool.is_empty()
                if target.works:
                    assert spool.drain(target.take)
                    assert spool.is_empty()
                elif waits:
                    with pytest.raises(ConnectionError):
                        spool.drain(target.take)
                    assert not spool.is_empty()
        assert target.taken == [str(number) for number in range(count)]


def test_a_failure_in_the_middle_goes_on_there(tmp_path: Path) -> None:
    """Batches that were sent are not sent again, also not by another process."""
    spool, target = spool_in(tmp_path), Target()
    for number in range(3 * BATCH):
        spool.append(row(number))

    def take(batch: list[dict[str, Any]]) -> None:
        target.works = len(target.taken) < BATCH
        target.take(batch)

    with pytest.raises(ConnectionError):
        spool.drain(take)
    target.works = True
    assert spool_in(tmp_path).drain(target.take)
    assert target.taken == [str(number) for number in range(3 * BATCH)]


def test_a_crash_sends_again_and_loses_nothing(tmp_path: Path) -> None:
    """Between sending and noting it, a batch is sent twice at most; its records keep their ids."""
    spool, target = spool_in(tmp_path), Target()
    for number in range(2 * BATCH):
        spool.append(row(number))
    script = """
        import os
        from errkit.sinks.spool import Spool
        taken = []
        def take(batch):
            taken.append(batch)
            if len(taken) == 2:
                os._exit(7)
        Spool(PATH, 10_000_000).drain(take)
    """
    assert run(script, PATH=spool.path) == 7
    assert spool.drain(target.take)
    assert target.taken == [str(number) for number in range(BATCH, 2 * BATCH)]


def run(script: str, **names: object) -> int:
    """The exit status of a script in another process."""
    head = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    done = subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(script)], cwd=ROOT, timeout=60, check=False
    )
    return done.returncode


def test_many_processes_append_and_drain(tmp_path: Path) -> None:
    """Each record is taken once, by whichever process drains, and those of one process stay in order."""
    script = """
        import json, os, sys
        from errkit.sinks.spool import Spool
        spool = Spool(PATH, 10_000_000)
        def take(batch):
            with open(TAKEN, "a") as file:
                file.write("".join(one["id"] + "\\n" for one in batch))
        for number in range(60):
            spool.append({"id": f"{sys.argv[1]}-{number}"})
            if number % 3 == 0:
                spool.drain(take)
    """
    path, taken = str(tmp_path / "spool.ndjson"), tmp_path / "taken"
    head = f"PATH = {path!r}\nTAKEN = {str(taken)!r}\n"
    running = [
        subprocess.Popen([sys.executable, "-c", head + textwrap.dedent(script), name], cwd=ROOT)
        for name in "abc"
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    rest = Target()
    assert Spool(path, 10_000_000).drain(rest.take)
    found = taken.read_text("utf-8").split() + rest.taken
    assert len(found) == 180
    for name in "abc":
        assert [one for one in found if one.startswith(name)] == [f"{name}-{number}" for number in range(60)]


def test_one_process_drains_at_a_time(tmp_path: Path) -> None:
    """Meanwhile another one is told that it is not done, and may append."""
    spool, seen = spool_in(tmp_path), []
    spool.append(row(1))

    def take(batch: list[dict[str, Any]]) -> None:
        other = spool_in(tmp_path)
        seen.append(other.drain(Target().take))
        if len(seen) == 1:
            other.append(row(2))

    assert spool.drain(take)
    assert seen == [False, False]
    assert spool.is_empty()


def test_the_spool_is_bounded(tmp_path: Path) -> None:
    """A full spool refuses, and takes again once it is drained."""
    spool, target = spool_in(tmp_path, max_bytes=200), Target()
    spool.append(row(0))
    spool.append(row(1))
    with pytest.raises(SpoolFullError, match="200 bytes"):
        spool.append(row(49))
    assert os.stat(spool.path).st_size <= 200
    assert spool.drain(target.take)
    spool.append(row(200))
    assert spool.drain(target.take)
    assert target.taken[-1] == "200"


def test_a_full_disk_takes_all_of_a_record_or_nothing(tmp_path: Path) -> None:
    """A partial write is taken back; what stood there is unharmed."""
    script = """
        import resource, signal
        from errkit.sinks.spool import Spool
        spool = Spool(PATH, 10_000_000)
        spool.append({"id": "before"})
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        for _ in range(2):
            try:
                spool.append({"id": "x" * 500})
            except OSError:
                continue
            raise SystemExit("it fits")
    """
    spool, target = spool_in(tmp_path), Target()
    assert run(script, PATH=spool.path) == 0
    spool.append({"id": "after"})
    assert spool.drain(target.take)
    assert target.taken == ["before", "after"]


def test_a_line_that_was_cut_off_costs_no_other(tmp_path: Path) -> None:
    """Neither in the middle nor at the end of the file, where it would wait for ever."""
    spool, target = spool_in(tmp_path), Target()
    for number in (1, 2):
        spool.append(row(number))
        with open(spool.path, "ab") as file:
            file.write(b'{"format": "errkit.rec')
    assert spool.drain(target.take)
    assert target.taken == ["1", "2"]
    assert spool.is_empty()


def test_a_file_that_was_deleted_by_hand_starts_anew(tmp_path: Path) -> None:
    """What is known of the old file does not hide lines of the new one."""
    spool, target = spool_in(tmp_path), Target()
    for number in range(BATCH + 5):
        spool.append(row(number))

    def take(batch: list[dict[str, Any]]) -> None:
        target.works = len(target.taken) == 0
        target.take(batch)

    with pytest.raises(ConnectionError):
        spool.drain(take)
    os.unlink(spool.path)
    target = Target()
    for number in range(2 * BATCH):
        spool.append(row(number))
    assert spool.drain(target.take)
    assert target.taken == [str(number) for number in range(2 * BATCH)]


def test_the_spool_is_ndjson_for_its_user_alone(tmp_path: Path) -> None:
    """Any tool can read it, and no other user."""
    spool = spool_in(tmp_path)
    spool.append(row(1))
    assert json.loads(Path(spool.path).read_text("utf-8")) == {"format": "errkit.record/1", **row(1)}
    assert os.stat(spool.path).st_mode & 0o077 == 0
    assert os.stat(os.path.dirname(spool.path)).st_mode & 0o077 == 0
