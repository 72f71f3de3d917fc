"""The files that a new domain starts with: texts from facts, without asking or writing anything.

What stands in them passes linters, type checkers, `errkit check` and its own test as it is, so a domain
starts green. Every list ends in a comma, which keeps it one item a line whatever length of lines a project
has. Which domain, where and with which numbers is decided in `new_domain.py`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from errkit.fields import Record
from errkit.registry import MARKUPS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Scaffold", "class_stem", "files_of", "free_range"]


class Scaffold(Record):
    """What a new domain is like."""

    domain: str
    package: str
    """The package of its module, such as `shop.errors`."""
    module: str
    """The last part of the name of its module."""
    stem: str
    """Its class without `Error`."""
    numbers: range | None
    details: bool
    registry: tuple[str, str] = ("", "")
    """The module and the name of the registry that it joins; empty for the default one."""
    source: str = ""
    """The folder that the package stands in, from the root of the project; empty for the root itself."""
    prose: str = ""
    """The folder of prose files, from the root; empty if there is none."""
    markup: str = "rst"

    @property
    def noun(self) -> str:
        """The thing that the domain is about, in lower case."""
        return " ".join(re.split(r"[._]+", self.domain.rpartition(".")[2].lower())).strip()

    @property
    def code(self) -> str:
        """The code that the domain starts with."""
        return f"{self.domain}.not_found"


def class_stem(domain: str) -> str:
    """The class of a domain without `Error`: of its last segment, or of all where Python has that class."""
    import builtins

    *parents, last = (_capital(segment) for segment in domain.split("."))
    if not hasattr(builtins, f"{last}Error"):
        return last
    whole = "".join([*parents, last])
    return f"{whole}Domain" if hasattr(builtins, f"{whole}Error") else whole


def _capital(segment: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in segment.split("_"))


def free_range(taken: list[range], retired: set[int], own: list[range]) -> range | None:
    """The numbers that a new domain may have: the first free ones behind those of a project.

    Parameters
    ----------
    taken
        Ranges that other domains have.
    retired
        Numbers that were taken back and stay reserved.
    own
        Those of `taken` that belong to the project; it has no numbers if this is empty.
    """
    if not own:
        return None
    highest = max(own, key=lambda numbers: numbers.stop)
    size = len(highest)
    start = -(-highest.stop // size) * size
    while True:
        found = range(start, start + size)
        if not any(overlap(found, other) for other in taken) and not any(one in found for one in retired):
            return found
        start += size


def overlap(one: range, other: range) -> bool:
    """Whether two ranges share a number."""
    return max(one.start, other.start) < min(one.stop, other.stop)


# --- files --------------------------------------------------------------------------------------------------


def files_of(plan: Scaffold) -> Iterator[tuple[str, str]]:
    """Each file from the root of the project with its text; the module comes first.

    Those called `__init__.py` belong to packages, which may be there already.
    """
    folder = PurePosixPath(plan.source, *plan.package.split("."))
    yield str(folder / f"{plan.module}.py"), _module(plan)
    yield f"tests/test_{plan.module}_errors.py", _test(plan)
    if plan.prose:
        text = _prose_file(plan)
        yield str(PurePosixPath(plan.prose, plan.domain, f"{plan.code}{MARKUPS[plan.markup]}")), text
    names = plan.package.split(".")
    for count in range(1, len(names) + 1):
        about = "The error codes, one module a domain." if count == len(names) else f"What is in {names[0]}."
        yield str(PurePosixPath(plan.source, *names[:count], "__init__.py")), f'"""{about}"""\n'


def _module(plan: Scaffold) -> str:
    return "".join([_head(plan), _details(plan) if plan.details else "", _domain(plan)])


def _head(plan: Scaffold) -> str:
    names = ["CodedError", "Details", "code"] if plan.details else ["CodedError", "code"]
    public = [f"{plan.stem}Error"]
    if plan.details:
        public = sorted([f"{plan.stem}Details", *public])
    home, registry = plan.registry
    # Foreign names come first, and those of the project have a block of their own.
    join = f"\nfrom {home} import {registry}\n" if registry else ""
    shown = ", ".join(f'"{name}"' for name in public)
    return (
        f'"""The errors of {plan.domain}."""\n\nfrom __future__ import annotations\n\n'
        f"from errkit import {', '.join(names)}\n{join}\n__all__ = [{shown}]\n\n\n"
    )


def _details(plan: Scaffold) -> str:
    return (
        f'class {plan.stem}Details(Details):\n    """Which {plan.noun} it was."""\n\n'
        '    name: str\n    """The name that was given."""\n\n\n'
    )


def _domain(plan: Scaffold) -> str:
    title = plan.noun.capitalize()
    facts = ["CodedError", f'domain="{plan.domain}"', f'title="{title}"']
    if plan.numbers is not None:
        facts.append(f"numbers=range({plan.numbers.start}, {plan.numbers.stop})")
    if plan.registry[1]:
        facts.append(f"registry={plan.registry[1]}")
    what = [f'"{title} not found"']
    what += [f"{plan.stem}Details"] if plan.details else []
    what += [f"number={plan.numbers.start}"] if plan.numbers is not None else []
    what += ['hint="Check the name, then try again."']
    what += ['example={"name": "example"}'] if plan.details else []
    return (
        f"class {plan.stem}Error(\n{_lines(facts, 4)}):\n"
        f'    """What goes wrong with {_article(plan.noun)} {plan.noun}."""\n\n'
        f"    NOT_FOUND = code(\n{_lines(what, 8)}    )\n"
        '    """Nothing has the name that was given. It was misspelt, or what it named was\n'
        '    removed. Check the name, and look it up where it was made."""\n'
    )


def _lines(items: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}{item},\n" for item in items)


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


def _test(plan: Scaffold) -> str:
    return (
        f'"""Each code of {plan.domain} keeps what it promises."""\n\n'
        "from __future__ import annotations\n\nfrom errkit.testing import RegistrySuite\n\n\n"
        f"class Test{plan.stem}(RegistrySuite):\n"
        '    """Codes survive every wire, and each of them is explained."""\n\n'
        f'    registry = "{plan.package}.{plan.module}"\n'
    )


def _prose_file(plan: Scaffold) -> str:
    noun = plan.noun
    return (
        f"Nothing has the name that was given, so there is no {noun} to work with.\n\n"
        f"The name was misspelt, or the {noun} that it named was removed in the meantime.\n\n"
        f"Check the name, and look it up where the {noun} was made.\n"
    )
