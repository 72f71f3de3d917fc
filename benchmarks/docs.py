"""What a reference site costs, as ratios against hand-written reStructuredText of the same content.

    python benchmarks/docs.py [N ...] [--theme basic --theme furo] [--rounds 1] [--alone] [--keep FOLDER]

N codes stand in N / 50 domains; each has a title, a paragraph, a hint, a number, three details fields and an
example. The same words are written out by hand as one .rst page a domain. Everything is built in this run,
each build in a process of its own, the two sides in turn; a figure is CPU time (user + system) of that
process, and of several rounds the smallest counts. Short links and errors.json, which the hand-written site
lacks, are included.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import sys
import tempfile
import textwrap
import zlib
from pathlib import Path
from typing import Any, NamedTuple

PER_DOMAIN = 50
GOALS = {
    "clean basic": 0.20,
    "clean furo": 0.25,
    "no-op": 1.35,
    "one changed": 1.0,
    "memory": 0.25,
    "search index": 0.9,
}


# --- one content, written twice -------------------------------------------------------------------------


class Code(NamedTuple):
    """One code, as words."""

    domain: int
    number: int
    const: str
    title: str
    hint: str
    prose: str
    fields: list[tuple[str, str, str]]
    example: dict[str, Any]


def vocabulary(chance: random.Random) -> list[str]:
    """Some thousand words that look like words to a stemmer."""
    starts = ["", *"re un de in ex co pre sub dis con out".split()]
    middles = (
        "tract form port spect struct mit vert scrib ced duct fer pos gress act cap clud cogn corp cred cycl "
        "dict fact flect fract fus gen grad graph ject junct lect loc log migr miss mov nom pend plic press "
        "quir rupt sect sert solv spir tain tend"
    ).split()
    ends = ["", *"s ed er or al ing ion ive ous ity able".split()]
    words = [start + middle + end for start in starts for middle in middles for end in ends]
    chance.shuffle(words)
    return words


def content(count: int) -> list[Code]:
    """The codes, the same in every run; words are as unevenly frequent as those of a language (Zipf)."""
    chance = random.Random(count)
    words = vocabulary(chance)
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))

    def say(length: int) -> str:
        return " ".join(chance.choices(words, cum_weights=weights, k=length)).capitalize()

    found = []
    for at in range(count):
        names = chance.sample(words, 3)
        kinds = ("str", "int", "float")
        fields = [(name, kind, say(5) + ".") for name, kind in zip(names, kinds, strict=True)]
        found.append(
            Code(
                domain=at // PER_DOMAIN,
                number=1000 + at,
                const=f"{say(2).replace(' ', '_')}_{at}".upper(),
                title=say(4),
                hint=say(12) + ".",
                prose=textwrap.fill(f"{say(37)} {at}.", 96),
                fields=fields,
                example={names[0]: say(1), names[1]: at, names[2]: 0.5},
            )
        )
    return found


def domain_name(number: int) -> str:
    """The name of a domain."""
    return f"bench.d{number}"


def write_registry(codes: list[Code], folder: Path) -> None:
    """The registry as a Python package with one module a domain."""
    package = folder / "bench_errors"
    package.mkdir()
    numbers = range(codes[-1].domain + 1)
    imports = ["from bench_errors.base import REGISTRY", *(f"from bench_errors import d{n}" for n in numbers)]
    (package / "__init__.py").write_text("\n".join(imports) + "\n", "utf-8")
    (package / "base.py").write_text(
        'from errkit.registry import Registry\nREGISTRY = Registry("bench")\n', "utf-8"
    )
    for number in numbers:
        write_domain([code for code in codes if code.domain == number], package / f"d{number}.py")


def write_domain(codes: list[Code], path: Path) -> None:
    """One module with one domain."""
    lines = [
        "from errkit.codes import Details, code",
        "from errkit.errors import CodedError",
        "from bench_errors.base import REGISTRY",
    ]
    for code in codes:
        lines.append(f"class Details{code.number}(Details):")
        for name, kind, meaning in code.fields:
            lines += [f"    {name}: {kind}", f'    """{meaning}"""']
    number, first = codes[0].domain, codes[0].number
    lines.append(
        f'class D{number}(CodedError, domain="{domain_name(number)}", title="Domain {number}", '
        f"numbers=range({first}, {first + PER_DOMAIN}), registry=REGISTRY):"
    )
    for code in codes:
        lines.append(
            f"    {code.const} = code({code.title!r}, Details{code.number}, number={code.number}, "
            f"public=True, hint={code.hint!r}, example={code.example!r})"
        )
        prose = textwrap.indent(code.prose, "    ").strip()
        lines.append(f'    """{prose}"""')
    path.write_text("\n".join(lines) + "\n", "utf-8")


def write_site(codes: list[Code], folder: Path) -> None:
    """A project that shows the registry."""
    folder.mkdir(parents=True)
    write_registry(codes, folder)
    (folder / "conf.py").write_text(
        "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n"
        'project = "bench"\nextensions = ["errkit.sphinx"]\nerrkit_registries = ["bench_errors"]\n',
        "utf-8",
    )
    (folder / "index.rst").write_text("Bench\n=====\n\n.. toctree::\n\n   errors/index\n", "utf-8")


def write_by_hand(codes: list[Code], folder: Path) -> None:
    """A project with the same content as pages, one a domain."""
    (folder / "errors").mkdir(parents=True)
    (folder / "conf.py").write_text('project = "bench"\n', "utf-8")
    (folder / "index.rst").write_text("Bench\n=====\n\n.. toctree::\n\n   errors/index\n", "utf-8")
    pages = []
    for number in range(codes[-1].domain + 1):
        name = domain_name(number)
        pages.append(name)
        parts = [heading(f"Domain {number}", "=")]
        parts += [by_hand(code) for code in codes if code.domain == number]
        (folder / "errors" / f"{name}.rst").write_text("\n".join(parts), "utf-8")
    listed = "\n".join(f"   {page}" for page in pages)
    (folder / "errors" / "index.rst").write_text(
        f"{heading('Error reference', '=')}\n.. toctree::\n   :maxdepth: 1\n\n{listed}\n", "utf-8"
    )


def heading(text: str, line: str) -> str:
    """A heading in reStructuredText."""
    return f"{text}\n{line * len(text)}\n"


def by_hand(code: Code) -> str:
    """One code in reStructuredText."""
    full = f"{domain_name(code.domain)}.{code.const.lower()}"
    payload = {
        "v": 1,
        "code": full,
        "message": code.title,
        "retryable": False,
        "number": code.number,
        "name": f"D{code.domain}",
        "kind": "terminal",
        "alert": True,
        "hint": code.hint,
        "details": code.example,
    }
    rows = "".join(
        f"   * - ``{name}``\n     - ``{kind}``\n     - required\n     - {meaning}\n"
        for name, kind, meaning in code.fields
    )
    return "\n".join(
        (
            heading(f"``{full}`` {code.title}", "-"),
            f"**What to do** {code.hint}\n",
            code.prose,
            "",
            f":Number: {code.number}\n:Kind: terminal\n:Retry: no\n:Alert: yes\n:Audience: public",
            f":Declared in: ``bench_errors.d{code.domain}.D{code.domain}.{code.const}``\n",
            ".. list-table:: Details\n   :header-rows: 1\n",
            "   * - Field\n     - Type\n     - Default\n     - Meaning",
            rows,
            ".. code-block:: json\n",
            textwrap.indent(json.dumps(payload, indent=2), "   "),
            "",
        )
    )


# --- builds ---------------------------------------------------------------------------------------------


class Cost(NamedTuple):
    """What one build took."""

    cpu: float
    """Seconds."""
    memory: float
    """Megabytes at the peak."""


def build(source: Path, theme: str, *, jobs: int = 1) -> Cost:
    """Build a project in a process of its own."""
    target = source.parent / f"{source.name}-{theme}"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-j", str(jobs)]
    command += [
        "-D",
        f"html_theme={theme}",
        "-d",
        str(target / ".doctrees"),
        str(source),
        str(target / "html"),
    ]
    # Where bytecode is not kept, a second build would mostly measure Python's compiler.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = os.posix_spawn(sys.executable, command, env)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def change(source: Path, code: Code) -> None:
    """Change the paragraph of one code."""
    hand = source / "errors" / f"{domain_name(code.domain)}.rst"
    path = hand if hand.exists() else source / "bench_errors" / f"d{code.domain}.py"
    first = code.prose.split("\n", 1)[0]
    text = path.read_text("utf-8")
    assert text.count(first) == 1, "the paragraph is not unique"
    path.write_text(text.replace(first, f"Changed {first}"), "utf-8")


# --- the report -----------------------------------------------------------------------------------------


STEPS = ("clean", "no-op", "one changed")


def measure(count: int, theme: str, rounds: int, folder: Path, sides: tuple[str, ...]) -> dict[str, float]:
    """All figures for one size and one theme: `<step> <side>` -> the smallest of the rounds."""
    codes = content(count)
    found: dict[str, float] = {}
    for at in range(rounds):
        place = folder / f"{count}-{theme}-{at}"
        for side in sides:
            WRITERS[side](codes, place / side)
        for step in STEPS:
            for side in sides:
                if step == "one changed":
                    change(place / side, codes[count // 2])
                cost = build(place / side, theme)
                keep(found, f"{step} {side}", cost.cpu)
                if step == "clean":
                    keep(found, f"memory {side}", cost.memory)
        found.update(sizes(place, theme, count, sides))
    return found


WRITERS = {"errkit": write_site, "hand": write_by_hand}


def keep(found: dict[str, float], name: str, value: float) -> None:
    """Keep the smallest value."""
    found[name] = min(value, found.get(name, value))


def sizes(folder: Path, theme: str, count: int, sides: tuple[str, ...]) -> dict[str, float]:
    """Bytes of the search index and of pages, and the words that are not found."""
    found: dict[str, float] = {}
    for side in sides:
        index = (folder / f"{side}-{theme}" / "html" / "searchindex.js").read_bytes()
        found[f"search index {side}"] = len(index)
        found[f"gzipped index {side}"] = len(zlib.compress(index))
    mine = folder / f"errkit-{theme}" / "html"
    bare = len((mine / "search.html").read_bytes())
    pages = (mine / "errors").rglob("bench*.html")
    found["page bytes a code"] = sum(path.stat().st_size - bare for path in pages) / count
    if len(sides) > 1:
        found["missing words"] = len(missing_words(mine, folder / f"hand-{theme}" / "html"))
    return found


def missing_words(mine: Path, other: Path) -> set[str]:
    """The terms that search finds on the hand-written site and not on ours."""

    def terms(site: Path) -> set[str]:
        text = (site / "searchindex.js").read_text("utf-8")
        index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
        return {*index["terms"], *index["titleterms"]}

    return terms(other) - terms(mine)


def show(count: int, theme: str, found: dict[str, float]) -> None:
    """Print the figures of one size and one theme."""
    print(f"\n{count} codes, {theme}")
    for name in (*STEPS, "memory", "search index", "gzipped index"):
        mine, other = found[f"{name} errkit"], found.get(f"{name} hand")
        goal = GOALS.get(f"{name} {theme}", GOALS.get(name))
        aim = f"   aim {goal}" if goal is not None else ""
        ratio = "" if other is None else f" / {other:12.2f} = {mine / other:6.3f}{aim}"
        print(f"  {name:14} {mine:12.2f}{ratio}")
    words = f"   words not found {found['missing words']:.0f}" if "missing words" in found else ""
    print(f"  page bytes a code {found['page bytes a code']:.0f}{words}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=[200, 1000])
    parser.add_argument("--theme", action="append", choices=["basic", "furo", "alabaster"])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="build nothing by hand: only sizes and growth")
    parser.add_argument("--keep", type=Path, help="leave the projects and sites in this folder")
    options = parser.parse_args()
    sides = ("errkit",) if options.alone else ("errkit", "hand")
    folder = options.keep or Path(tempfile.mkdtemp(prefix="errkit-bench-"))
    try:
        for theme in options.theme or ["basic"]:
            clean = {}
            for count in options.sizes:
                found = measure(count, theme, options.rounds, folder, sides)
                show(count, theme, found)
                clean[count] = found["clean errkit"]
            small, large = min(clean), max(clean)
            if large > small:
                growth = clean[large] / clean[small]
                print(f"\n{theme}: from {small} to {large} codes the clean build grows {growth:.1f} times")
    finally:
        if options.keep is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
