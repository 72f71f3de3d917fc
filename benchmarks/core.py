"""What raising, look-up, declaring, importing and the wire cost, as ratios to what Python itself costs.

    python benchmarks/core.py [--processes 5] [--rounds 15]

A figure is the median of several processes. In each of them the things to compare run in turn, and of several
rounds the smallest CPU time counts. A case is a function that is called in a loop: it raises and catches,
looks one code up, writes or reads one error. Exit status 1 if a figure is over what it must stay under.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import repeat
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from errkit import CodedError, Registry

ROOT = Path(__file__).parent.parent
CALLS = 20_000
FIRST_USE = "import errkit; errkit.CodedError, errkit.code, errkit.Details, errkit.REGISTRY"


class Goal(NamedTuple):
    """A figure, what it must stay under, what it aims at, and what it is measured in."""

    must: float
    aim: float
    unit: str


GOALS = {
    "raise and catch / bare Exception": Goal(3.5, 3.0, "x"),
    "raise from and catch / bare Exception": Goal(2.5, 2.0, "x"),
    "registry.codes[code] / dict[code]": Goal(2.0, 1.6, "x"),
    "declaring a code": Goal(10.0, 10.0, "us"),
    "import and first use / bare interpreter": Goal(1.9, 1.9, "x"),
    "dumps(error) / json.dumps of the ready dict": Goal(4.0, 3.0, "x"),
    "loads(text) / json.loads": Goal(2.4, 2.0, "x"),
    "loads with orjson / orjson.loads": Goal(6.0, 2.8, "x"),
    "dumps of a message of 1 MB / its copy": Goal(30.0, 30.0, "x"),
    "dumps of a message of 2 MB / of 1 MB": Goal(2.2, 2.0, "x"),
}
EXTRAS = {
    "raise, catch and read code and details / bare Exception": "x",
    "registry[code] / dict[code]": "x",
    "code.match(error)": "us",
    "to_payload(error)": "us",
    "dumps of texts never seen before / json.dumps": "x",
    "dumps with orjson / json.dumps of the ready dict": "x",
    "loads and a look at details and hint / json.loads": "x",
    "redaction alone / json.dumps of the ready dict": "x",
    "redaction alone, texts never seen before / json.dumps": "x",
}


# --- one process ----------------------------------------------------------------------------------------


def best(cases: Mapping[str, Callable[[], object]], rounds: int, calls: int = CALLS) -> dict[str, float]:
    """Seconds of CPU time per call of each case; the cases take turns, and the best round counts."""
    found = dict.fromkeys(cases, float("inf"))
    for _ in range(rounds):
        for name, case in cases.items():
            start = time.process_time()
            for _ in repeat(None, calls):
                case()
            found[name] = min(found[name], (time.process_time() - start) / calls)
    return found


def raising(rounds: int) -> dict[str, float]:
    """An error of a code with three details, raised and caught, against a bare Exception."""
    from errkit import CodedError, Details, Registry, code

    class PathDetails(Details):
        path: str
        op: str
        errno: str | None = None

    class HostFsError(CodedError, domain="os.fs", registry=Registry("bench")):
        NOT_FOUND = code("File or folder not found", PathDetails, hint="Check the path.")

    def bare() -> None:
        try:
            raise Exception("no such file")  # noqa: TRY002 (the yardstick)
        except Exception:
            pass

    def coded() -> None:
        try:
            raise HostFsError.NOT_FOUND("no such file", path="/srv/a.txt", op="read", errno="ENOENT")
        except HostFsError:
            pass

    def read() -> object:
        try:
            raise HostFsError.NOT_FOUND("no such file", path="/srv/a.txt", op="read", errno="ENOENT")
        except HostFsError as error:
            return error.code, error.details["path"]

    def bare_from() -> None:
        try:
            try:
                raise KeyError("k")
            except KeyError as cause:
                raise Exception("gone") from cause  # noqa: TRY002 (the yardstick)
        except Exception:
            pass

    def coded_from() -> None:
        try:
            try:
                raise KeyError("k")
            except KeyError as cause:
                raise HostFsError.NOT_FOUND("gone", path="/srv/a.txt", op="read", errno="ENOENT") from cause
        except HostFsError:
            pass

    cases = {"bare": bare, "coded": coded, "read": read, "bare_from": bare_from, "coded_from": coded_from}
    found = best(cases, rounds)
    error = HostFsError.NOT_FOUND("no such file", path="/srv/a.txt", op="read")
    later = best({"match": lambda: HostFsError.NOT_FOUND.match(error)}, rounds, 2_000)
    return {
        "raise and catch / bare Exception": found["coded"] / found["bare"],
        "raise from and catch / bare Exception": found["coded_from"] / found["bare_from"],
        "raise, catch and read code and details / bare Exception": found["read"] / found["bare"],
        "code.match(error)": later["match"] * 1e6,
    }


def on_the_wire(rounds: int) -> dict[str, float]:
    """An error with five details and a cause with as many, written and read, against JSON alone.

    Redaction remembers short innocent texts, so it is also measured with texts that are new in each error.
    """
    from errkit import dumps, loads, to_payload
    from errkit.redaction import redact_text

    failed, registry = failing()
    error, count = failed("report"), 500
    text = dumps(error)
    ready, same = json.loads(text), texts_of(to_payload(error))
    errors = (failed(f"report-{number}") for number in range(10**9))
    payloads = (to_payload(failed(f"file-{number}")) for number in range(10**9))
    new = [texts_of(next(payloads)) for _ in range(rounds * count)]
    unseen = iter(new)

    def looked_at() -> object:
        found = loads(text, registry=registry)
        return found.details, found.hint

    plain = best(
        {
            "json.dumps": lambda: json.dumps(ready),
            "json.loads": lambda: json.loads(text),
            "payload": lambda: to_payload(error),
            "dumps": lambda: dumps(error),
            "loads": lambda: loads(text, registry=registry),
            "look": looked_at,
            "new": lambda: dumps(next(errors)),
            "making": lambda: failed("report"),
            "redaction": lambda: [redact_text(one) for one in same],
        },
        rounds,
        count,
    )
    fresh = best({"redaction": lambda: [redact_text(one) for one in next(unseen)]}, rounds, count)
    written = plain["json.dumps"]
    return {
        "to_payload(error)": plain["payload"] * 1e6,
        "dumps(error) / json.dumps of the ready dict": plain["dumps"] / written,
        "dumps of texts never seen before / json.dumps": (plain["new"] - plain["making"]) / written,
        "redaction alone / json.dumps of the ready dict": plain["redaction"] / written,
        "redaction alone, texts never seen before / json.dumps": fresh["redaction"] / written,
        "loads(text) / json.loads": plain["loads"] / plain["json.loads"],
        "loads and a look at details and hint / json.loads": plain["look"] / plain["json.loads"],
    }


def failing() -> tuple[Callable[[str], CodedError], Registry]:
    """What makes a typical error about a file of the given name, and the registry of its codes."""
    from errkit import CodedError, Details, Registry, code

    class FileDetails(Details):
        path: str
        op: str
        errno: str | None = None
        size: int = 0
        cached: bool = False

    registry = Registry("bench")

    class HostFsError(CodedError, domain="os.fs", registry=registry, numbers=range(12_000, 12_100)):
        NOT_FOUND = code("File or folder not found", FileDetails, number=12_001, hint="Check the path.")
        UNAVAILABLE = code("No answer", FileDetails, number=12_007, kind="transient", hint="Try again.")

    def failed(name: str) -> CodedError:
        path = f"/srv/data/{name}.txt"
        error = HostFsError.NOT_FOUND(
            f"no such file: {path}", path=path, op="read", errno="ENOENT", size=4_096, cached=False
        )
        error.__cause__ = HostFsError.UNAVAILABLE(
            f"no answer for {name}", path=f"/mnt/{name}", op="stat", errno="EIO", size=0, cached=True
        )
        return error

    return failed, registry


def texts_of(payload: dict[str, Any]) -> list[str]:
    """All texts of a payload but its keys."""
    found: list[str] = []
    for value in payload.values():
        found += [value] if isinstance(value, str) else texts_of(value) if isinstance(value, dict) else []
    return found


def with_orjson(rounds: int) -> dict[str, float]:
    """The same error with the extra `fast`."""
    import orjson

    from errkit import dumps, loads

    failed, registry = failing()
    error = failed("report")
    text = dumps(error)
    ready, data = json.loads(text), text.encode()
    found = best(
        {
            "json.dumps": lambda: json.dumps(ready),
            "orjson.loads": lambda: orjson.loads(data),
            "dumps": lambda: dumps(error),
            "loads": lambda: loads(data, registry=registry),
        },
        rounds,
        500,
    )
    return {
        "dumps with orjson / json.dumps of the ready dict": found["dumps"] / found["json.dumps"],
        "loads with orjson / orjson.loads": found["loads"] / found["orjson.loads"],
    }


def in_bulk(rounds: int) -> dict[str, float]:
    """A message of a million characters, whose redaction is linear; its copy is the yardstick."""
    from errkit import CodedError, dumps

    line = (
        "2026-01-02 03:04:05 worker-7 read 4096 bytes of /srv/data/report.txt, then the connection closed\n"
    )
    one, two = ((line * (size // len(line) + 1))[:size] for size in (10**6, 2 * 10**6))
    first, second = CodedError("ghost.code", one), CodedError("ghost.code", two)
    data = bytearray(one.encode())
    cases = {"copy": lambda: bytes(data), "one": lambda: dumps(first), "two": lambda: dumps(second)}
    found = best(cases, rounds, 3)
    return {
        "dumps of a message of 1 MB / its copy": found["one"] / found["copy"],
        "dumps of a message of 2 MB / of 1 MB": found["two"] / found["one"],
    }


def looking_up(rounds: int) -> dict[str, float]:
    """A code among 1,000, found in the registry and in a dict, less what an empty function costs."""
    registry = declared(20, 50)
    plain = dict(registry.codes)
    codes, key = registry.codes, list(plain)[500]

    def nothing() -> None:
        key  # noqa: B018

    def in_dict() -> None:
        plain[key]

    def in_codes() -> None:
        codes[key]

    def in_registry() -> None:
        registry[key]

    cases: dict[str, Callable[[], object]] = {
        "nothing": nothing,
        "dict": in_dict,
        "codes": in_codes,
        "registry": in_registry,
    }
    found = best(cases, rounds)
    base = found["dict"] - found["nothing"]
    return {
        "registry.codes[code] / dict[code]": (found["codes"] - found["nothing"]) / base,
        "registry[code] / dict[code]": (found["registry"] - found["nothing"]) / base,
    }


def declared(domains: int, codes: int) -> Registry:
    """A registry with so many domains of so many codes."""
    from types import new_class

    from errkit import CodedError, Details, Registry, code

    class PathDetails(Details):
        path: str
        op: str
        errno: str | None = None

    registry = Registry("bench")
    for number in range(domains):
        first = number * 1_000

        def body(scope: dict[str, object], first: int = first) -> None:
            scope["__module__"] = __name__
            for index in range(codes):
                scope[f"CODE_{index}"] = code(
                    "Something went wrong",
                    PathDetails,
                    number=first + index,
                    kind="transient",
                    public=True,
                    hint="Try again.",
                )

        numbers = range(first, first + 1_000)
        keywords = {"domain": f"domain_{number}", "numbers": numbers, "registry": registry}
        new_class(f"Domain{number}", (CodedError,), keywords, body)
    return registry


def declaring(rounds: int) -> dict[str, float]:
    """Microseconds for each of 1,000 codes in 20 domains: classes, checks and registration together."""
    found = best({"declared": lambda: declared(20, 50)}, rounds, 1)
    return {"declaring a code": found["declared"] / 1_000 * 1e6}


def importing(rounds: int) -> dict[str, float]:
    """CPU time of an interpreter that uses errkit for the first time, against one that does nothing."""
    found = {"pass": float("inf"), FIRST_USE: float("inf")}
    # Bytecode is written in the first round, as everywhere, and read from then on.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds * 2):
        for script, least in found.items():
            process = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0
            found[script] = min(least, usage.ru_utime + usage.ru_stime)
    return {"import and first use / bare interpreter": found[FIRST_USE] / found["pass"]}


def measure(rounds: int) -> dict[str, float]:
    """All figures of one process."""
    from errkit import jsontext

    sys.modules["orjson"] = None  # type: ignore[assignment] # as where the extra is not installed
    found = {**raising(rounds), **looking_up(rounds), **declaring(rounds), **on_the_wire(rounds)}
    found |= in_bulk(rounds)
    del sys.modules["orjson"]
    jsontext._orjson.cache_clear()
    return {**found, **with_orjson(rounds), **importing(rounds)}


# --- several --------------------------------------------------------------------------------------------


def several(processes: int, rounds: int) -> dict[str, float]:
    """The median of each figure over several processes."""
    command = [sys.executable, __file__, "--measure", "--rounds", str(rounds)]
    runs = [
        json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(processes)
    ]
    return {name: median(run[name] for run in runs) for name in runs[0]}


def report(found: dict[str, float]) -> bool:
    """Print the figures; whether all are within what they must stay under."""
    print(f"Python {sys.version.split()[0]}, {sys.executable}")
    for name, goal in GOALS.items():
        verdict = "over" if found[name] > goal.must else "good" if found[name] <= goal.aim else "within"
        print(f"{found[name]:7.2f} {goal.unit:2}  {name}  (must {goal.must:g}, aim {goal.aim:g}: {verdict})")
    for name, unit in EXTRAS.items():
        print(f"{found[name]:7.2f} {unit:2}  {name}")
    return all(found[name] <= goal.must for name, goal in GOALS.items())


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--measure", action="store_true", help="print the figures of this process as JSON")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if options.measure:
        print(json.dumps(measure(options.rounds)))
        return 0
    return 0 if report(several(options.processes, options.rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
