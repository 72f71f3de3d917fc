"""Codes and failures in notebooks: rich reprs, magics, an explorer, frames and plots.

    %load_ext errkit

Registries, domains, codes and errors show themselves when a cell ends in one; `show` does the same for a
payload. The extension adds magics, completion and hints under tracebacks. `explorer` looks through codes,
`Records` holds recorded failures, and `plots` draws registries and records.

Nothing here runs a script in the reader's browser, except the explorer, and nothing foreign is loaded before
it is used: the reprs need no library at all, not even IPython.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["Records", "explorer", "mimebundle", "show", "to_html", "to_text"]

if TYPE_CHECKING:
    from errkit.jupyter.displaying import (
        mimebundle as mimebundle,
        show as show,
        to_html as to_html,
        to_text as to_text,
    )
    from errkit.jupyter.exploring import explorer as explorer
    from errkit.jupyter.recorded import Records as Records

_HOMES = {
    "Records": "recorded",
    "explorer": "exploring",
    "mimebundle": "displaying",
    "show": "displaying",
    "to_html": "displaying",
    "to_text": "displaying",
}

if not TYPE_CHECKING:
    # A type checker must not see this: it would let every misspelt name pass.
    def __getattr__(name):
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
