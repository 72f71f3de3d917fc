"""`errkit explain`: what a code or a number means, and what to do about it."""

from __future__ import annotations

from typing import Final

import click

from errkit.catalog_file import json_text
from errkit.cli.items import epilog, resolve, take_items
from errkit.cli.list_codes import code_facts
from errkit.cli.screen import complain, show, show_raw
from errkit.explaining import explain, find, tell, unknown

__all__ = ["explain_code"]

_STYLES: Final = {"code": "bold", "hint": "bold green", "": ""}


@click.command(
    "explain",
    epilog=epilog("errkit explain os.fs.not_found", "errkit explain 2001", "errkit explain E-CART shop.json"),
    short_help="Explain a code or a number.",
)
@click.argument("wanted", metavar="CODE|NUMBER")
@take_items
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def explain_code(wanted: str, items: tuple[str, ...], as_json: bool) -> int:
    """Explain a code, an alias or a number: every match of every registry.

    Spelling is forgiven: os-fs-not-found and OS_FS_NOT_FOUND find os.fs.not_found. Where nothing matches,
    what looks alike is named and the exit code is 1.
    """
    sources, _ = resolve(items)
    registries = [source.registry for source in sources]
    matches = find(wanted.strip(), registries)
    if not matches:
        hint = "Check the spelling, or list the codes with: errkit list"
        complain(unknown(wanted.strip(), registries, hint=hint))
        return 1
    if as_json:
        facts = [code_facts(registry, spec) for spec, owners in matches for registry in owners]
        show_raw(json_text(facts))
        return 0
    for place, (spec, owners) in enumerate(matches):
        if place:
            show()
        for text, emphasis in tell(explain(spec, owners)):
            show(text, _STYLES[emphasis])
    return 0
