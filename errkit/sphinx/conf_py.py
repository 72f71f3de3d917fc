"""What the text of `conf.py` says: where it sets a value, and which values nothing reads.

Sphinx keeps no places of settings, and says nothing of a name that it does not know. The file is parsed here
and never run. A project need not have one, and may set its values in ways that can't be seen: then there is
no place to name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from errkit.own import ErrkitError
from errkit.sphinx.reports import Report, meant, near_names, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sphinx.config import Config

    from errkit.errors import CodedError

__all__ = ["bad_setting", "report_unread"]

FILE: Final = "conf.py"
PREFIX: Final = "errkit_"
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def bad_setting(key: str, problem: str, root: Path) -> CodedError:
    """The failure of a setting that does not fit, with its line if the file shows it.

    Parameters
    ----------
    key
        The name of the setting.
    problem
        What was expected, and what was found.
    root
        The folder of `conf.py`.
    """
    line = _assigned(root).get(key)
    place = FILE if line is None else f"{FILE}:{line}"
    return ErrkitError.BAD_CONFIG(f"{place}: {key}: {problem}", path=FILE, key=key, problem=problem)


def report_unread(config: Config, root: Path) -> None:
    """Warn about each name that looks like a setting of errkit and is none, with those that may be meant."""
    known = [name for name in config.values if name.startswith(PREFIX)]
    for name, line in _assigned(root).items():
        if name in config:
            continue
        own = name.startswith(PREFIX)
        # Without the prefix, which makes all of them look alike; a misspelled prefix leaves nearly all of it.
        near = near_names(name, known, PREFIX) if own else near_names(name, known, cutoff=0.85)
        if own or near:
            problem = f"{FILE} sets {name}, which nothing reads{meant(near)}"
            report(Report.SETTING, problem, f"{root / FILE}:{line}")


def _assigned(root: Path) -> dict[str, int]:
    """Each name that the file sets -> the line of its last assignment."""
    try:
        tree = ast.parse((root / FILE).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    return dict(sorted(_targets(tree), key=lambda found: found[1]))


def _targets(tree: ast.AST) -> Iterator[tuple[str, int]]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        pending += [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SCOPES)]
