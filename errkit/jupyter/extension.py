"""`%load_ext errkit`: connects magics, completion, tracebacks and cards to a shell, and takes them back.

Loading twice is loading once; unloading leaves the shell as it was. This module only connects.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Final

from errkit.errors import CodedError
from errkit.jupyter import tracebacks
from errkit.jupyter.completing import make_matcher
from errkit.jupyter.displaying import show
from errkit.jupyter.expected import NotAsExpected
from errkit.jupyter.magics import NAMES, ErrkitMagics
from errkit.jupyter.settings import SETTINGS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

__all__ = ["load", "unload"]

_LOADED: Final[weakref.WeakKeyDictionary[InteractiveShell, _Extension]] = weakref.WeakKeyDictionary()


class _Extension:
    """What is connected to one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.magics = ErrkitMagics(shell)
        self.matcher = make_matcher(self.magics.known)
        self.transform = self.magics.expectation.transform
        self.after = self._after_cell

    def connect(self) -> None:
        self.shell.register_magics(self.magics)
        self.shell.Completer.custom_matchers.append(self.matcher)
        self.shell.input_transformers_cleanup.insert(0, self.transform)
        self.shell.events.register("post_run_cell", self.after)
        tracebacks.install(self.shell)

    def disconnect(self) -> None:
        for kind, names in NAMES.items():
            registered = self.shell.magics_manager.magics[kind]
            for name in names:
                # One that somebody registered since under the same name is theirs.
                if getattr(registered.get(name), "__self__", None) is self.magics:
                    del registered[name]
        _remove(self.shell.Completer.custom_matchers, self.matcher)
        _remove(self.shell.input_transformers_cleanup, self.transform)
        self.shell.events.unregister("post_run_cell", self.after)
        tracebacks.uninstall()
        SETTINGS.reset()

    def _after_cell(self, result: ExecutionResult) -> None:
        error = result.error_in_exec
        if error is None or isinstance(error, NotAsExpected):
            return
        self.magics.note(error)
        if SETTINGS.mode == "off":
            return
        in_traceback = isinstance(error, CodedError) and not isinstance(error, BaseExceptionGroup)
        if (in_traceback and SETTINGS.mode == "cards") or (
            not in_traceback and tracebacks.codes_inside(error)
        ):
            show(error)


def _remove(items: list[Any], item: object) -> None:
    if item in items:
        items.remove(item)


def load(shell: InteractiveShell) -> None:
    """Connect errkit to a shell."""
    unload(shell)
    extension = _Extension(shell)
    extension.connect()
    _LOADED[shell] = extension


def unload(shell: InteractiveShell) -> None:
    """Leave a shell as it was before `load`."""
    extension = _LOADED.pop(shell, None)
    if extension is not None:
        extension.disconnect()
