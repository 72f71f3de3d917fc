"""The boundaries themselves: failures that are translated, and failures that are answers.

Nothing here knows which code an error gets; that is `table.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, cast

from errkit.boundary.around import Around
from errkit.boundary.groups import passes_every_boundary, through_groups
from errkit.fields import is_a

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Answer", "Answering", "Boundary", "answering", "translating"]

P = ParamSpec("P")
T = TypeVar("T")


def translating(
    translator: Callable[Concatenate[Any, P], BaseException], /, *args: P.args, **context: P.kwargs
) -> Boundary:
    """A boundary: errors that leave the block or the function are translated.

    Use it as `with translating(to_host_fs_error, path=path, op="read"):`, with `async with`, or as a
    decorator on functions, coroutine functions, generators and async generators.

    Parameters
    ----------
    translator
        A `Translator`, or any function from an error to the error to raise. Groups are taken apart for it,
        and cancellations kept from it. If it fails, the original error goes on.
    context
        Details of the call, passed to the translator; type checkers know what it takes.
    """
    return Boundary(lambda error: translator(error, *args, **context))


class Boundary(Around):
    """What `translating` returns."""

    def __init__(self, translator: Callable[[Any], BaseException]) -> None:
        self._translator = translator

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        found = None if error is None else cast("BaseException", through_groups(error, self._one))
        if found is None or found is error:
            return False
        context = found.__context__
        try:
            raise found
        except BaseException:
            # `raise` has put the untranslated error there, which the cause tells already.
            found.__context__ = context
            raise
        finally:
            # An error whose traceback leads to the error itself would keep every frame alive.
            del found, error

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        return self.__exit__(kind, error, trace)

    def _one(self, error: object) -> object:
        if not is_a(error, BaseException) or passes_every_boundary(error):
            return error
        try:
            found: object = self._translator(error)
            if not is_a(found, BaseException):
                return error
            if found is not error and found.__cause__ is None:
                found.__cause__ = error
            return found
        except Exception:
            return error


def answering(value: T, when: Callable[[BaseException], object]) -> Answering[T]:
    """Failures for which `when` holds are answered with `value`; all others go on.

    As a decorator, the function returns `value` instead of raising. As `with answering(...) as answer:`, the
    block sets `answer.value`, which stays `value` if the failure came first.

    Parameters
    ----------
    value
        The answer that is documented for the failure.
    when
        Whether an error is that failure; a predicate that fails says no.
    """
    return Answering(value, when)


class Answer(Generic[T]):
    """What a block under `answering` has to say: the documented answer until the block sets another."""

    value: T | Any

    def __init__(self, value: T) -> None:
        self.value = value


class Answering(Around, Generic[T]):
    """What `answering` returns."""

    def __init__(self, value: T, when: Callable[[BaseException], object]) -> None:
        self._answer = value
        self._when = when

    def __enter__(self) -> Answer[T]:
        return Answer(self._answer)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or passes_every_boundary(error):
            return False
        try:
            return bool(self._when(error))
        except Exception:
            return False

    async def __aenter__(self) -> Answer[T]:
        return self.__enter__()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        return self.__exit__(kind, error, trace)
