"""The magics: `%explain`, `%errcodes`, `%errkit`, `%%expect`.

They show and raise no more than they must: a typing error in a magic is told in a line, not in a traceback.
"""

from __future__ import annotations

import fnmatch
import sys
from typing import TYPE_CHECKING, Any, Final

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from errkit.codes import KINDS
from errkit.errors import CodedError
from errkit.explaining import answer, find, tell_retired, unknown
from errkit.jupyter.displaying import Codes, Explained, show
from errkit.jupyter.expected import Expectation
from errkit.jupyter.known import Known
from errkit.jupyter.settings import MODES, SETTINGS
from errkit.jupyter.tracebacks import codes_inside

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["NAMES", "ErrkitMagics"]

NAMES: Final[dict[str, tuple[str, ...]]] = {"line": ("explain", "errcodes", "errkit"), "cell": ("expect",)}
"""What is registered, and taken back when the extension is unloaded."""
_HINT = "Check the spelling, or list the codes with: %errcodes"


@magics_class
class ErrkitMagics(Magics):
    """The magics of one shell, and what they remember."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.known = Known(shell.user_ns)
        self.last: BaseException | None = None
        """The last failure of a cell."""
        self.expectation = Expectation(shell, self.code_of, self.note)

    def note(self, error: BaseException) -> None:
        """Remember a failure for `%explain last`."""
        self.last = error

    def registries(self) -> list[Registry]:
        """What the magics ask.

        Raises
        ------
        UsageError
            The configuration, or a registry that it names, can't be used.
        """
        try:
            return self.known.registries()
        except CodedError as error:
            raise UsageError(_said(error)) from None

    @line_magic
    def explain(self, line: str) -> None:
        """Explain a code, an alias or a number, each code of a message, or the last failure.

        %explain os.fs.not_found
        %explain 12001
        %explain [os.fs.not_found] no such file
        %explain last
        """
        wanted = line.strip()
        if not wanted:
            raise UsageError("say what to explain: %explain CODE, %explain NUMBER or %explain last")
        if wanted == "last":
            self._explain_last()
            return
        registries = self.registries()
        for found in answer(wanted, registries, self.known.retired()):
            if found.matches:
                show(Explained(found.matches))
            for item in found.retired:
                print("\n".join(text for text, _ in tell_retired(item)))  # noqa: T201
            if not found.known:
                show(unknown(found.wanted, registries, hint=_HINT))

    def _explain_last(self) -> None:
        error = self.last or getattr(sys, "last_value", None)
        if error is None:
            raise UsageError("nothing has failed yet")
        show(error)
        if isinstance(error, CodedError):
            registries = self.registries()
            owners = [registry for registry in registries if registry.get(error.code) is error.spec]
            if error.spec.cls is not None:
                show(Explained([(error.spec, owners)]) if owners else error.spec)
        elif not codes_inside(error):
            print(f"{type(error).__name__} has no code, and none of its causes has one.")  # noqa: T201

    @magic_arguments()
    @argument(
        "pattern", nargs="?", default="", help="text in code, title, alias or number; * and ? stand for any"
    )
    @argument("--kind", choices=KINDS, help="codes of this kind")
    @argument("--domain", help="codes of this domain and those below it")  # pyright: ignore[reportUntypedFunctionDecorator]
    @line_magic
    def errcodes(self, line: str) -> None:
        """List the codes of all registries.

        %errcodes
        %errcodes not_found --kind terminal
        %errcodes --domain os
        """
        asked = parse_argstring(self.errcodes, line)
        specs = {id(spec): spec for registry in self.registries() for spec in registry}
        found = [spec for spec in specs.values() if _is_asked(spec, asked)]
        if found:
            show(Codes(found))
        else:
            print("No code is like that. Which there are says: %errcodes")  # noqa: T201

    @line_magic
    def errkit(self, line: str) -> None:
        """Choose how much errkit shows under failures: `%errkit on|off|cards|plain`; alone, it says which."""
        wanted = line.strip()
        for mode in MODES:
            if mode == wanted:
                SETTINGS.mode = mode
                return
        if wanted:
            raise UsageError(f"{wanted!r} is none of {', '.join(MODES)}")
        for mode, meaning in MODES.items():
            print(f"{'*' if mode == SETTINGS.mode else ' '} {mode:<6} {meaning}")  # noqa: T201

    @cell_magic
    def expect(self, line: str, cell: str) -> None:
        """Run a cell that must fail with a code, and show the failure as a card.

        %%expect os.fs.not_found
        """
        code = line.strip()
        if not code:
            raise UsageError("say which code the cell must raise: %%expect CODE")
        self.expectation.run(code, cell)

    def code_of(self, wanted: str) -> str:
        """The code that a name or number stands for; the text itself if it is not registered yet."""
        matches = find(wanted, self.registries())
        return matches[0][0].code if matches else wanted


def _said(error: CodedError) -> str:
    from errkit.message import format_error

    return format_error(error)


def _is_asked(spec: ErrorSpec, asked: Any) -> bool:
    if asked.kind and spec.kind != asked.kind:
        return False
    if asked.domain and not f"{spec.domain}.".startswith(f"{asked.domain.rstrip('.')}."):
        return False
    wanted = asked.pattern.lower()
    texts = (spec.code, spec.title, *spec.aliases, "" if spec.number is None else str(spec.number))
    return any(_is_like(text.lower(), wanted) for text in texts)


def _is_like(text: str, wanted: str) -> bool:
    if "*" in wanted or "?" in wanted:
        return fnmatch.fnmatchcase(text, wanted)
    return wanted in text
