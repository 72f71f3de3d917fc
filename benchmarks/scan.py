"""What a scan costs, measured in times of `ast.parse` alone over the same files.

    python benchmarks/scan.py [PATH]...

Without a path, some large packages that stand beside errkit are scanned. CPU time of this process counts, and
parsing and scanning take turns, so that a busy machine slows both. The exit code is 1 above the limit.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import sys
import time
import warnings
from pathlib import Path

from errkit.config import Config, default_sources
from errkit.source import scan
from errkit.source.reading import find_files

LIMIT = 3.0
PACKAGES = ("sqlalchemy", "botocore", "mcp", "starlette", "httpx2", "mypy", "hypothesis", "pandas")


def main() -> int:
    paths = sys.argv[1:] or [*map(folder_of, PACKAGES)]
    registries = [source.registry for source in default_sources()]
    worst = 0.0
    print(f"{'':<24}{'lines':>10}{'parse':>9}{'scan':>9}{'ratio':>8}{'findings':>10}")
    for path in paths:
        files = list(find_files([path]))
        gc.collect()
        started = time.process_time()
        lines = parse(files)
        parsed = time.process_time()
        outcome = scan([path], registries, Config(root=Path.cwd(), lock=Path("errors.lock.json")))
        scanned = time.process_time()
        spent, taken = scanned - parsed, parsed - started
        ratio = spent / max(taken, 1e-9)
        worst = max(worst, ratio)
        found = len(outcome.findings)
        name = Path(path).name
        print(f"{name:<24}{lines:>10}{taken:>8.2f}s{spent:>8.2f}s{ratio:>8.2f}{found:>10}")
    return int(worst > LIMIT)


def folder_of(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        sys.exit(f"{package} is not installed; name a folder")
    return str(Path(spec.origin).parent)


def parse(files: list[str]) -> int:
    lines = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in files:
            data = Path(file).read_bytes()
            lines += data.count(b"\n")
            try:
                ast.parse(data)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return lines


if __name__ == "__main__":
    sys.exit(main())
