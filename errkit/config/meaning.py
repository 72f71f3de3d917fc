"""What is meant by a name that does not exist: the second half of a message about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from errkit.config.settings import Exemption
    from errkit.registry import Registry

__all__ = ["groundless", "instead"]


def instead(name: str, known: Iterable[str]) -> str:
    """The names that look like `name`, or all that there are."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"


def groundless(exemption: Exemption, checks: Mapping[str, str], registries: Sequence[Registry]) -> str:
    """What an exemption names and there is none of; empty if all is there.

    Parameters
    ----------
    exemption
        The code, and the check that it need not pass.
    checks
        What each check is put to, by its name: a `code` or a whole `registry`.
    registries
        Those that should have the code.
    """
    if exemption.check not in checks:
        return f"no check is called {exemption.check}; {instead(exemption.check, checks)}"
    # A check of a registry may find something about a code that is gone, as `orphans` does.
    if checks[exemption.check] == "registry" or any(exemption.code in one.codes for one in registries):
        return ""
    near = list(dict.fromkeys(code for one in registries for code in one.near(exemption.code)))[:3]
    names = ", ".join(one.name for one in registries)
    return f"{names} has no such code" + (f"; did you mean {' or '.join(near)}?" if near else "")
