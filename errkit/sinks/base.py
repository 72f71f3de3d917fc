"""What a sink is, and how it says that it is in trouble.

A sink is where `ErrorRecord`s go. It never raises, since who records a failure has one already. Its own
trouble goes to standard error and not to the unexpected-error handler, which may well end in that same sink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from errkit.own import ErrkitError
from errkit.unexpected import report_on_stderr

if TYPE_CHECKING:
    from errkit.diagnostics import ErrorRecord

__all__ = ["Sink", "Trouble"]


@runtime_checkable
class Sink(Protocol):
    """Where records of failures go. Neither method raises."""

    def write(self, record: ErrorRecord) -> None:
        """Take one record."""
        ...

    def close(self) -> None:
        """Send what is still waiting, and give back files, connections and threads."""
        ...


class Trouble:
    """Says once that a sink fails, and again only after it worked in between."""

    def __init__(self, sink: str) -> None:
        self._sink = sink
        self._told = False

    def begins(self, cause: BaseException, consequence: str) -> None:
        """Report a failure of the sink on standard error, unless that was done already.

        Parameters
        ----------
        cause
            What the sink met.
        consequence
            What becomes of the records meanwhile.
        """
        if self._told:
            return
        self._told = True
        problem = f"{first_line(cause)}; {consequence}"
        error = ErrkitError.SINK_UNAVAILABLE(f"{self._sink}: {problem}", sink=self._sink, problem=problem)
        error.__cause__ = cause
        report_on_stderr(error)

    def ends(self) -> None:
        """The sink works again."""
        self._told = False


def first_line(error: BaseException) -> str:
    """What an exception says, without the lines that a driver adds."""
    from errkit.reading import message_of

    return message_of(error).splitlines()[0]
