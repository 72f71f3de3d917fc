"""`errkit explain`: what a code or a number means, and what to do about it; also each code of a log."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import click

from errkit.catalog_file import json_text
from errkit.cli.completing import complete_codes
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.list_codes import code_facts
from errkit.cli.screen import complain, is_terminal, note, progress, show, show_raw
from errkit.cli.serving import open_browser
from errkit.errors import CodedError
from errkit.explaining import (
    LIMIT,
    Input,
    address_of,
    answer,
    answer_text,
    explain,
    retired_address,
    retired_of,
    tell,
    tell_retired,
    unknown,
)
from errkit.fields import Record
from errkit.lock import read_lock
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errkit.config import Config
    from errkit.explaining import Answer, Emphasis
    from errkit.lock import Retired
    from errkit.registry import Registry

__all__ = ["explain_code"]

_STYLES: Final = {"code": "bold", "hint": "bold green", "": ""}
_HINT: Final = "Check the spelling, or list the codes with: errkit list"


@click.command(
    "explain",
    epilog=epilog(
        "errkit explain os.fs.not_found",
        "errkit explain 2001",
        "errkit explain E-CART shop.json --web",
        "tail -n 1000 app.log | errkit explain -",
        "errkit explain --log app.ndjson shop.errors",
    ),
    short_help="Explain a code, a number, or each code of a log.",
)
@click.argument("wanted", metavar="[CODE|NUMBER|-]", required=False, shell_complete=complete_codes)
@take_items
@click.option(
    "--log",
    type=click.File("rb"),
    metavar="PATH",
    help="Explain each code of this file once; every argument is an ITEM then.",
)
@click.option("--web", is_flag=True, help="Print the address of the page; at a terminal, open it.")
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def explain_code(
    wanted: str | None, items: tuple[str, ...], log: BinaryIO | None, web: bool, as_json: bool
) -> int:
    """Explain a code, an alias or a number: every match of every registry.

    Spelling is forgiven: os-fs-not-found and OS_FS_NOT_FOUND find os.fs.not_found, E2001 finds 2001. A dash
    reads a message, a traceback, a payload or a log from standard input and explains each code in it once.
    The exit code is 1 where there is a code that nobody knows, or none at all.
    """
    if log is not None:
        items, wanted = (*([wanted] if wanted is not None else []), *items), None
    elif wanted is None:
        raise click.UsageError("say what to explain: a code, a number, or - for what is pasted")
    desk = _desk(items)
    answers = desk.answer(wanted) if log is None and wanted != "-" else _read(log, desk)
    if not answers:
        problem = "no code stands in the input"
        error = ErrkitError.UNKNOWN_CODE(problem, wanted="", registry=desk.names)
        complain(error.override(hint="Name the registries whose codes it may hold."), as_json=as_json)
        return 1
    if web:
        _browse(answers, desk, as_json=as_json)
    elif as_json:
        show_raw(json_text([fact for found in answers for fact in _facts(found, desk)]))
    else:
        _tell(answers, desk)
    strangers = [found for found in answers if not found.known]
    for found in strangers:
        complain(unknown(found.wanted.strip(), desk.registries, hint=_HINT), as_json=as_json)
    return 1 if strangers else 0


# --- asking -------------------------------------------------------------------------------------------------


class _Desk(Record):
    """What there is to ask."""

    registries: tuple[Registry, ...]
    retired: tuple[Retired, ...]
    config: Config

    @property
    def names(self) -> str:
        """The names of the registries."""
        return ", ".join(registry.name for registry in self.registries)

    @property
    def base_url(self) -> str:
        """The address of the site of the project."""
        return self.config.base_url

    def answer(self, wanted: str | None) -> list[Answer]:
        """What a code means, or those of a message."""
        return answer(wanted or "", self.registries, self.retired)


def _desk(items: Sequence[str]) -> _Desk:
    sources, config = resolve(items)
    registries = tuple(source.registry for source in sources)
    return _Desk(registries=registries, retired=tuple(_retired(config, registries)), config=config)


def _retired(config: Config, registries: Sequence[Registry]) -> list[Retired]:
    """What was taken back; a lock that can't be used hides that, and nothing else."""
    if not config.lock.exists():
        return []
    try:
        return retired_of(read_lock(config.lock), registries)
    except CodedError as error:
        note(f"removed codes are not known: {error}")
        return []


def _read(log: BinaryIO | None, desk: _Desk) -> list[Answer]:
    stream = sys.stdin.buffer if log is None else log
    if log is None and sys.stdin.isatty():
        note("paste the text, then press Ctrl-D")
    given = Input(stream)
    with progress("Reading"):
        found = answer_text(given, desk.registries, desk.retired)
    if given.cut:
        note(f"only the first {LIMIT // 1024 // 1024} MiB were read")
    return found


# --- answering ----------------------------------------------------------------------------------------------


def _tell(answers: Iterable[Answer], desk: _Desk) -> None:
    several = False
    for found in answers:
        for pieces in _told(found, desk):
            if several:
                show()
            several = True
            for text, emphasis in pieces:
                show(text, _STYLES[emphasis])
            if found.lines:
                show(f"{'Found:':<14}{_place(found)}")


def _told(found: Answer, desk: _Desk) -> Iterator[Iterator[tuple[str, Emphasis]]]:
    for spec, owners in found.matches:
        yield tell(explain(spec, owners, address=address_of(spec, desk.base_url)))
    for item in found.retired:
        yield tell_retired(item)


def _place(found: Answer) -> str:
    if found.lines == 1:
        return f"once, on line {found.first}"
    return f"on {found.lines} lines, first on line {found.first}"


def _facts(found: Answer, desk: _Desk) -> Iterator[dict[str, Any]]:
    """What is known for machines."""
    counted = {"lines": found.lines, "first_line": found.first} if found.lines else {}
    for spec, owners in found.matches:
        address = address_of(spec, desk.base_url)
        for registry in owners:
            yield {
                **code_facts(registry, spec),
                **({"address": address} if address else {}),
                **counted,
            }
    for item in found.retired:
        told = {name: value for name, value in item.__iter_fields__() if value and name != "place"}
        yield {**told, "retired": True, **counted}


def _browse(answers: Iterable[Answer], desk: _Desk, *, as_json: bool) -> None:
    named = (address for each in answers for address in _addresses(each, desk))
    found = list(dict.fromkeys(filter(None, named)))
    if not found:
        key, path = "tool.errkit.base_url", desk.config.path or desk.config.root / "pyproject.toml"
        problem = "is not set, so nobody knows the address of the page"
        message = f"{path}: {key}: {problem}"
        raise ErrkitError.BAD_CONFIG(message, path=str(path), key=key, problem=problem).override(
            hint="Set base_url to the address of your published site, or leave --web out."
        )
    if as_json:
        show_raw(json_text(found))
        return
    for address in found:
        show(address, lines=False)
    if is_terminal():
        open_browser(found[0])


def _addresses(found: Answer, desk: _Desk) -> Iterator[str]:
    several = len(found.matches) > 1
    for spec, owners in found.matches:
        yield address_of(spec, desk.base_url, registry=owners[0].name if several else "")
    for item in found.retired:
        yield retired_address(item, desk.base_url)
