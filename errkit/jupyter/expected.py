"""`%%expect CODE`: a cell that must fail with a code, for tutorials and for notebooks that are tests.

The cell is run like any other, `await` included, but the failure becomes a card. Whatever else happens fails
the cell, and says what was expected.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any, Final

from errkit.jupyter.displaying import show
from errkit.testing.expecting import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["Expectation", "NotAsExpected"]

_MAGIC: Final = "%%expect "


class NotAsExpected(AssertionError):
    """The cell did not fail with the code that `%%expect` names."""

    def _render_traceback_(self) -> list[str]:
        # Where the magic found out is of no use to the reader.
        return [f"{type(self).__name__}: {self}"]


class Expectation:
    """Runs cells that must fail.

    Parameters
    ----------
    shell
        Whose cells they are.
    code_of
        The code that a name or number stands for.
    note
        Takes the failure that was expected, for `%explain last`.
    """

    def __init__(
        self,
        shell: InteractiveShell,
        code_of: Callable[[str], str],
        note: Callable[[BaseException], None],
    ) -> None:
        self._shell = shell
        self._code_of = code_of
        self._note = note

    def run(self, wanted: str, body: str) -> None:
        """Run a cell without `await`.

        Raises
        ------
        NotAsExpected
            It did not fail with the code.
        """
        compiled = self._compile(body)
        caught: BaseException | None = None
        try:
            eval(compiled, self._shell.user_global_ns, self._shell.user_ns)  # noqa: S307 (it is the user's cell)
        except Exception as error:
            caught = error
        self._judge(wanted, caught)

    async def run_async(self, wanted: str, body: str) -> None:
        """Run a cell with `await` in it; raises as `run` does."""
        compiled = self._compile(body)
        caught: BaseException | None = None
        try:
            found = eval(compiled, self._shell.user_global_ns, self._shell.user_ns)  # noqa: S307
            if inspect.iscoroutine(found):
                await found
        except Exception as error:
            caught = error
        self._judge(wanted, caught)

    def _compile(self, body: str) -> Any:
        cell = self._shell.transform_cell(body)
        # Known by this name, its lines are found when a traceback shows them.
        name = self._shell.compile.cache(cell, self._shell.execution_count, raw_code=body)
        tree = self._shell.transform_ast(ast.parse(cell, name))
        return compile(tree, name, "exec", self._shell.compile.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    def _judge(self, wanted: str, caught: BaseException | None) -> None:
        try:
            # Looked up now: the cell may have declared the code.
            with raises_code(self._code_of(wanted)):
                if caught is not None:
                    raise caught
        except AssertionError as problem:
            raise NotAsExpected(str(problem)) from caught
        assert caught is not None
        self._note(caught)
        show(caught)

    # --- cells with await ---------------------------------------------------------------------------

    def transform(self, lines: list[str]) -> list[str]:
        """An input transformer: a magic can't be awaited, so a cell with `await` becomes an awaited call."""
        if not lines or not lines[0].startswith(_MAGIC):
            return lines
        wanted, body = lines[0][len(_MAGIC) :].strip(), "".join(lines[1:])
        if not self._awaits(body):
            return lines
        call = f"get_ipython().find_line_magic('errkit').__self__.expectation.run_async({wanted!r}, {body!r})"
        return [f"await {call}\n"]

    def _awaits(self, body: str) -> bool:
        cell = self._shell.transform_cell(body)
        return self._shell.should_run_async(body, transformed_cell=cell)
