"""The magics: `%explain`, `%errcodes`, `%errkit`, `%%expect`.

They show and raise no more than they must: a typing error in a magic is told in a line, not in a traceback.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from errkit.codes import KINDS
from errkit.errors import CodedError
from errkit.explaining import Facets, answer, find, pick, tell_retired, unknown
from errkit.jupyter.displaying import Codes, Explained, show
from errkit.jupyter.expected import Expectation
from errkit.jupyter.known import Known
from errkit.jupyter.settings import MODES, SETTINGS
from errkit.jupyter.tracebacks import codes_inside

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

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
    @argument("text", nargs="*", help="words in code, title, hint, alias or number; * and ? stand for any")
    @argument("--kind", action="append", choices=KINDS, help="codes of this kind; repeatable")
    @argument("--domain", action="append", help="codes of this domain and those below it; repeatable")
    @argument("--registry", action="append", help="codes of this registry; repeatable")
    @argument("--retryable", action="store_true", default=None, help="codes after which to try again")
    @argument("--not-retryable", dest="retryable", action="store_false", help="codes after which not to")
    @argument("--public", action="store_true", default=None, help="codes for everybody")
    @argument("--internal", dest="public", action="store_false", help="codes for yourselves")  # pyright: ignore[reportUntypedFunctionDecorator]
    @line_magic
    def errcodes(self, line: str) -> None:
        """List the codes of all registries; what is asked means what it means to `errkit list`.

        %errcodes
        %errcodes not_found --kind terminal
        %errcodes --domain os --retryable
        """
        asked = parse_argstring(self.errcodes, line)
        facets = Facets(
            text=" ".join(asked.text),
            kinds=tuple(asked.kind or ()),
            domains=tuple(asked.domain or ()),
            registries=tuple(asked.registry or ()),
            retryable=asked.retryable,
            public=asked.public,
        )
        found = {id(spec): spec for _, spec in pick(self.registries(), facets)}
        if found:
            show(Codes(list(found.values())))
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
