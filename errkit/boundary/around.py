"""Something to put around a block, or around a function of any kind.

What happens to a failure there is said in `edges.py`.
"""

from __future__ import annotations

from functools import partial, wraps
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

__all__ = ["Around"]

F = TypeVar("F", bound="Callable[..., Any]")

_GENERATOR: Final = 0x20
_COROUTINE: Final = 0x80 | 0x100
_ASYNC_GENERATOR: Final = 0x200
"""Flags of code objects, as `inspect.CO_*` names them; that module is too heavy to load for three numbers."""


class Around:
    """Something to put around a block, or as a decorator around a function of any kind.

    It holds no state of a call, so one object serves many calls and threads.
    """

    _answer: Any = None
    """What a decorated function returns when `__exit__` has swallowed its failure."""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        raise NotImplementedError

    def __call__(self, function: F) -> F:
        """Decorate a function, coroutine function, generator or async generator; the kind stays."""
        if isinstance(function, (staticmethod, classmethod)):
            return cast("F", type(function)(self(function.__func__)))
        flags = _code_flags(function)
        if flags & _ASYNC_GENERATOR:
            wrapper = self._async_generator(function)
        elif flags & _COROUTINE:
            wrapper = self._coroutine(function)
        elif flags & _GENERATOR:
            wrapper = self._generator(function)
        else:
            wrapper = self._function(function)
        return cast("F", wrapper)

    def _function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapper(*args: Any, **keywords: Any) -> Any:
            with self:
                return self._around_later(function(*args, **keywords))
            return self._answer

        return wrapper

    def _around_later(self, result: Any) -> Any:
        """What a plain function returned: a decorator that is one hides functions of the other kinds."""
        if isinstance(result, CoroutineType):
            return self._coroutine(lambda: result)()
        if isinstance(result, GeneratorType):
            return self._generator(lambda: result)()
        return self._async_generator(lambda: result)() if isinstance(result, AsyncGeneratorType) else result

    def _coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def wrapper(*args: Any, **keywords: Any) -> Any:
            with self:
                return await function(*args, **keywords)
            return self._answer

        return wrapper

    def _generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapper(*args: Any, **keywords: Any) -> Generator[Any, Any, Any]:
            with self:
                return (yield from function(*args, **keywords))
            return self._answer

        return wrapper

    def _async_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def wrapper(*args: Any, **keywords: Any) -> AsyncGenerator[Any, Any]:
            with self:
                inner = function(*args, **keywords)
                step = inner.__anext__()
                while True:
                    try:
                        value = await step
                    except StopAsyncIteration:
                        return
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as thrown:
                        step = inner.athrow(thrown)
                    else:
                        step = inner.asend(sent)

        return wrapper


def _code_flags(function: Any) -> int:
    while isinstance(function, partial):
        function = function.func
    found = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    flags: int = getattr(found, "co_flags", 0)
    return flags
