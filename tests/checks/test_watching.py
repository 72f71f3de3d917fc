"""The watch beside foreign code: every answer comes, in order, and what hangs costs its own answer alone."""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref

import pytest

from errkit.checks.watching import Hung, each


def test_answers_come_in_the_order_of_the_items() -> None:
    """Without anything that hangs, `each` is `map`."""
    assert list(each(lambda number: number * 2, range(1000), 5)) == [number * 2 for number in range(1000)]


def test_what_hangs_costs_its_own_answer_alone() -> None:
    """The items after it are still asked, and the place where it hangs is named."""
    stop = threading.Event()

    def wait_for_ever(number: int) -> int:
        while number == 1 and not stop.is_set():
            time.sleep(0.01)
        return number

    first, second, third = each(wait_for_ever, range(3), 0.3)
    assert (first, third) == (0, 2)
    assert isinstance(second, Hung)
    assert f"{__file__}:" in second.place
    assert second.place.endswith(" in wait_for_ever")
    assert str(second).startswith("did not end within 0.3 seconds; it stands at ")
    stop.set()


def test_an_idle_thread_keeps_nothing_alive() -> None:
    """What was asked about can go as soon as it is answered."""

    class Item:
        pass

    item = Item()
    gone = weakref.ref(item)
    assert list(each(type, [item], 5)) == [Item]
    del item
    for _ in range(100):
        if gone() is None:
            break
        time.sleep(0.01)
    assert gone() is None


def test_threads_are_used_again() -> None:
    """Asking often starts one thread, not one for each question."""
    list(each(str, [0], 5))
    before = threading.active_count()
    for number in range(50):
        list(each(str, [number], 5))
    assert threading.active_count() <= before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks_with_a_thread_of_its_own() -> None:
    """Threads do not survive a fork; the child must not wait for one of the parent's."""
    assert list(each(str, [1], 5)) == ["1"]
    child = os.fork()
    if child == 0:
        os._exit(0 if list(each(str, [2], 5)) == ["2"] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_hangs_keeps_no_program_from_ending() -> None:
    """The thread that was given up is a daemon."""
    import subprocess

    script = "import time\nfrom errkit.checks.watching import each\nprint(*each(time.sleep, [600], 0.1))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert "did not end within 0.1 seconds" in done.stdout
