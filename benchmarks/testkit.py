"""What the test kit costs, as ratios against plain pytest and Hypothesis doing the same.

    python benchmarks/testkit.py [start] [items] [checks] [coverage] [strategies] [--rounds 5]

Each run of pytest is a process of its own, without other plugins, the two sides in turn; a figure is CPU time
(user + system) of that process, and of several rounds the smallest counts. Strategies are drawn from in this
process, the two sides in turn, and the medians are compared.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
GOALS = {
    "start, ms": 5,
    "run per item": 0.75,
    "collect per item": 0.6,
    "checks, s": 12,
    "checks, MB": 400,
    "coverage": 1.02,
    "errors": 2.0,
}


class Cost(NamedTuple):
    """What a process has cost."""

    seconds: float
    megabytes: float


def run_pytest(folder: Path, *arguments: str, plugin: bool = True) -> Cost:
    """A run of pytest in a folder, with errkit's plugin alone or with none."""
    path = os.pathsep.join([str(ROOT), "."])
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": path}
    # As users run it: what was compiled once is compiled.
    env |= {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder.parent / "errkit-benchmark-cache"),
    }
    flags = ["-p", "errkit.testing.plugin"] if plugin else []
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *flags, *arguments],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert child.stdout is not None
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    if child.returncode not in (0, 5):
        sys.exit(said.decode())
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def least(rounds: int, *runs: Callable[[], Cost]) -> list[Cost]:
    """The smallest cost of each run, all in turn."""
    found: list[list[Cost]] = [[] for _ in runs]
    for _ in range(rounds):
        for costs, run in zip(found, runs, strict=True):
            costs.append(run())
    return [min(costs) for costs in found]


def tell(name: str, value: float, unit: str = "x") -> None:
    """One line of the result."""
    verdict = (
        "" if name not in GOALS else f"  (goal {GOALS[name]:g}{' missed' if value > GOALS[name] else ''})"
    )
    print(f"{name:32} {value:8.2f} {unit}{verdict}", flush=True)


# --- projects ---------------------------------------------------------------------------------------


def write_codes(folder: Path, codes: int) -> None:
    """A project with so many codes, 50 to a domain."""
    lines = [
        "from errkit import CodedError, Details, Registry, code",
        'REGISTRY = Registry("big")',
        "class PathDetails(Details):",
        '    """A path."""',
        "    path: str",
        '    """The path."""',
        "    size: int = 0",
        '    """Its size."""',
    ]
    for domain in range((codes + 49) // 50):
        lines.append(f"class D{domain}Error(CodedError, domain='big.d{domain}', registry=REGISTRY):")
        lines.append(f'    """Domain {domain}."""')
        for number in range(min(50, codes - domain * 50)):
            lines.append(
                f"    C{number} = code('Failure {domain} {number}', PathDetails, hint='Look at it.', "
                f"example={{'path': '/srv/{number}.txt', 'size': 5}})"
            )
            lines.append('    """It happened. It does. Look at it."""')
    (folder / "big.py").write_text("\n".join(lines), "utf-8")
    (folder / "pyproject.toml").write_text(
        '[tool.errkit]\nregistries = ["big"]\n[tool.pytest.ini_options]\n', "utf-8"
    )


# The start of every run bears what both sides need.
NO_CHECKS = """
import big, errkit.testing.collecting
from errkit.checks import Check

def pytest_errkit_checks():
    return [Check(name=f"nothing{n}", about="-", per="code", find=lambda *_: ()) for n in range(8)]
"""

PARAMETRIZED = """
import pytest

@pytest.mark.parametrize("number", range({items}))
def test_nothing(number):
    pass
"""

RAISING = """
import pytest
from big import D0Error

@pytest.mark.parametrize("number", range(1000))
def test_raising(number):
    for _ in range(100):
        try:
            raise D0Error.C1("gone", path="/x")
        except D0Error:
            pass
"""


# --- measurements -----------------------------------------------------------------------------------


def measure_start(folder: Path, rounds: int) -> None:
    """What an installed plugin costs a run that does not use it."""
    (folder / "test_it.py").write_text("def test(): pass\n", "utf-8")
    run_pytest(folder)  # compiles what it loads
    bare, loaded = least(
        rounds * 4, lambda: run_pytest(folder, plugin=False), lambda: run_pytest(folder, plugin=True)
    )
    tell("start, ms", (loaded.seconds - bare.seconds) * 1000, "ms")


def measure_items(folder: Path, rounds: int, items: int = 10_000) -> None:
    """What an item costs beside a parametrized test, both doing nothing."""
    write_codes(folder, items // 8)
    (folder / "conftest.py").write_text(NO_CHECKS, "utf-8")
    (folder / "empty").mkdir()
    (folder / "test_it.py").write_text(PARAMETRIZED.format(items=items), "utf-8")
    checks = [f"--errkit-check=nothing{number}" for number in range(8)]
    ours = ["pyproject.toml", "--errkit", "--errkit-granularity=check", *checks]
    start, our_collect, their_collect, our_run, their_run = least(
        rounds,
        lambda: run_pytest(folder, "empty"),
        lambda: run_pytest(folder, *ours, "--collect-only", "-qq"),
        lambda: run_pytest(folder, "test_it.py", "--collect-only", "-qq"),
        lambda: run_pytest(folder, *ours),
        lambda: run_pytest(folder, "test_it.py"),
    )
    both = {
        "collect": (our_collect.seconds - start.seconds, their_collect.seconds - start.seconds),
        "run": (our_run.seconds - our_collect.seconds, their_run.seconds - their_collect.seconds),
    }
    for name, (item, test) in both.items():
        tell(f"{name} an item", item / items * 1e6, "us")
        tell(f"{name} a parametrized test", test / items * 1e6, "us")
        tell(f"{name} per item", item / test)


def measure_checks(folder: Path, rounds: int, codes: int = 10_000) -> None:
    """All checks of very many codes, a check of the registry an item."""
    write_codes(folder, codes)
    (folder / "empty").mkdir()
    start, all_of_them = least(
        max(rounds // 2, 1),
        lambda: run_pytest(folder, "empty"),
        lambda: run_pytest(folder, "pyproject.toml", "--errkit"),
    )
    tell("checks, s", all_of_them.seconds - start.seconds, "s")
    tell("checks, MB", all_of_them.megabytes, "MB")


def measure_coverage(folder: Path, rounds: int) -> None:
    """A suite of 1000 tests that raises 100,000 errors, with and without coverage of codes."""
    write_codes(folder, 50)
    (folder / "test_it.py").write_text(RAISING, "utf-8")
    (folder / "test_one.py").write_text("import big\ndef test(): pass\n", "utf-8")
    plain, counted, start, counted_start = least(
        rounds * 2,
        lambda: run_pytest(folder, "test_it.py"),
        lambda: run_pytest(folder, "test_it.py", "--errkit-coverage"),
        lambda: run_pytest(folder, "test_one.py"),
        lambda: run_pytest(folder, "test_one.py", "--errkit-coverage"),
    )
    tell("coverage", counted.seconds / plain.seconds)
    began = counted_start.seconds - start.seconds
    tell("coverage, its start, ms", began * 1000, "ms")
    tell("coverage per raise, ns", (counted.seconds - plain.seconds - began) / 100_000 * 1e9, "ns")


def measure_strategies(rounds: int) -> None:
    """What drawing an error costs beside drawing its details as a plain dictionary."""
    from hypothesis import HealthCheck, given, settings, strategies as st

    from errkit import CodedError, Details, Registry, code
    from errkit.testing import strategies

    class SeatDetails(Details):
        path: str
        size: int
        done: bool

    class SeatError(CodedError, domain="bench.seat", registry=Registry("bench")):
        TAKEN = code("Taken", SeatDetails)
        GONE = code("Gone", SeatDetails)

    plain = st.fixed_dictionaries(
        {"path": st.text(max_size=24), "size": st.integers(-(2**53), 2**53), "done": st.booleans()}
    )
    drawn: dict[str, Any] = {
        "plain": plain,
        "errors": strategies.errors(SeatError),
        "errors without family": strategies.errors(SeatError, family=False),
        "details": strategies.details(SeatDetails),
        "payloads": strategies.payloads(SeatError),
    }
    costs: dict[str, list[float]] = {name: [] for name in drawn}
    for _ in range(rounds):
        for name, strategy in drawn.items():

            @settings(max_examples=300, database=None, deadline=None, suppress_health_check=list(HealthCheck))
            @given(strategy)
            def draw(_value: object) -> None:
                pass

            before = time.process_time()
            draw()
            costs[name].append((time.process_time() - before) / 300)
    base = statistics.median(costs.pop("plain"))
    for name, found in costs.items():
        tell(name, statistics.median(found) / base)


def main() -> None:
    """Measure what is asked for, or all."""
    parts: dict[str, Callable[..., None]] = {
        "start": measure_start,
        "items": measure_items,
        "checks": measure_checks,
        "coverage": measure_coverage,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*parts, "strategies", []], metavar="PART")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    for name, measure in parts.items():
        if not asked.parts or name in asked.parts:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), asked.rounds)
    if not asked.parts or "strategies" in asked.parts:
        measure_strategies(asked.rounds)


if __name__ == "__main__":
    main()
