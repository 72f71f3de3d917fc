"""What the index of all codes costs in a browser, against a plain table of the same rows in the same run.

    python -m benchmarks.browser [N ...] [--rounds 3]

Both pages are served from this machine and opened in turn, each in a fresh tab; of several rounds the
smallest figure counts. First paint is in milliseconds, work in those that the page's thread computed until
the page is idle; memory is the heap of scripts and the number of nodes that live then. A keystroke is an
input event with the rows laid out again, the first of all before anything was prepared; a scan is
`textContent.toLowerCase().includes(...)` over the rows of the plain table.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import running_browser, serving, tab
from tests.sphinx.test_finding import KEYSTROKES, large_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
UNPREPARED = "window.requestIdleCallback = () => {}"
FIRST_OF_ALL = """
() => {
  const box = document.querySelector("#errkit-q");
  box.value = "f";
  const start = performance.now();
  box.dispatchEvent(new Event("input", { bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}
"""


def plain(folder: Path) -> Path:
    """The same page without the box, the script, and what rows are found by."""
    text = (folder / "index.html").read_text("utf-8")
    text = re.sub(r"<form .*?</form>", "", text, flags=re.DOTALL)
    text = re.sub(r"<script .*?</script>", "", text)
    text = re.sub(r"<tr data-[^>]*>", "<tr>", text)
    target = folder / "plain"
    target.mkdir()
    (target / "errkit.css").write_bytes((folder / "errkit.css").read_bytes())
    (target / "index.html").write_text(text, "utf-8")
    return target


def opened(browser: Browser, address: str) -> dict[str, float]:
    """What opening a page costs."""
    with tab(browser) as (page, _, _):
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(address)
        page.evaluate("new Promise(done => requestIdleCallback(() => requestIdleCallback(done)))")
        painted: float = page.evaluate(PAINTED)
        work = metrics(session)["TaskDuration"]
        session.send("HeapProfiler.collectGarbage")
        found = metrics(session)
    return {
        "first paint": painted,
        "work": 1000 * work,
        "heap MB": found["JSHeapUsedSize"] / 2**20,
        "nodes": found["Nodes"],
    }


def metrics(session: CDPSession) -> dict[str, float]:
    """What the browser counts of a page."""
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def typed(browser: Browser, address: str) -> dict[str, float]:
    """What keystrokes cost, in milliseconds."""
    with tab(browser) as (page, _, _):
        page.goto(address)
        found: dict[str, float] = page.evaluate(KEYSTROKES)
    with tab(browser) as (page, _, _):
        page.add_init_script(UNPREPARED)
        page.goto(address)
        return {**found, "of all": page.evaluate(FIRST_OF_ALL)}


def least(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The smallest of each figure."""
    return {name: min(one[name] for one in rounds) for name in rounds[0]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[5_000, 10_000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with running_browser() as browser:
        for size in options.sizes:
            with tempfile.TemporaryDirectory() as name:
                folder = large_page(Path(name), size)
                bytes_of = {"index": (folder / "index.html").stat().st_size}
                bytes_of["plain"] = (plain(folder) / "index.html").stat().st_size
                with serving(folder) as address:
                    mine, other, keys = [], [], []
                    for _ in range(options.rounds):
                        mine.append(opened(browser, address))
                        other.append(opened(browser, f"{address}plain/"))
                        keys.append(typed(browser, address))
            show(size, {**least(mine), "page MB": bytes_of["index"] / 2**20},
                 {**least(other), "page MB": bytes_of["plain"] / 2**20}, least(keys))  # fmt: skip


def show(size: int, mine: dict[str, float], other: dict[str, float], keys: dict[str, float]) -> None:
    """Print the figures of one size."""
    print(f"\n{size:,} codes{'':17}index      plain   ratio")
    for name, value in mine.items():
        ratio = f"{value / other[name]:8.2f}" if other[name] else ""
        print(f"  {name:20}{value:10.1f} {other[name]:10.1f}{ratio}")
    print(f"  {'a scan':20}{keys['scan']:10.1f}")
    for name in ("of all", "first", "rare", "nothing"):
        print(f"  keystroke, {name:9}{keys[name]:10.1f} {'':10}{keys[name] / keys['scan']:8.2f} scans")


if __name__ == "__main__":
    main()
