"""What Hypothesis calls when it is imported: from then on `from_type` knows errkit's classes.

Hypothesis looks a class up by itself, not by its bases, so each class has to be registered there: those that
exist, and each later one when it is made. The strategies themselves are made when somebody draws.

Whoever asks for a base, such as `from_type(Exception)`, gets what they got before: an installed errkit must
not change the tests of others.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_origin

from hypothesis import strategies as st

from errkit.codes import Details, ErrorCode
from errkit.errors import CodedError, home_registry
from errkit.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["arrive"]

_NAMELESS: Final = ("errkit.testing.strategies.made_up", "errkit.catalog_file.reading")
"""The modules that make classes from data: nobody can ask for those by name."""


def arrive() -> None:
    """Teach Hypothesis each class that there is and that will be."""
    st.register_type_strategy(ErrorCode, _only(ErrorCode, "codes"))
    st.register_type_strategy(Registry, _only(Registry, "registries"))
    for base in (CodedError, Details):
        for cls in (base, *_subclasses(base)):
            _teach(cls)
        _watch(base)


def _subclasses(cls: type) -> Iterator[type]:
    found: type
    for found in cls.__subclasses__():
        yield found
        yield from _subclasses(found)


def _watch(base: type) -> None:
    """Teach each subclass of `base` when it is made."""
    own: Any = base.__dict__.get("__init_subclass__")

    def __init_subclass__(cls: Any, /, **keywords: Any) -> None:  # noqa: N807 (it takes the place of one)
        from_data = "__place__" in cls.__dict__
        if own is None:
            super(base, cls).__init_subclass__(**keywords)  # type: ignore[arg-type]
        else:
            own.__get__(None, cls)(**keywords)
        if not from_data:
            _teach(cls)

    setattr(base, "__init_subclass__", classmethod(__init_subclass__))  # noqa: B010 (checkers refuse the plain form)


def _teach(cls: type) -> None:
    # Hypothesis keeps what it is taught for ever, and with a class its whole registry.
    if cls.__module__ not in _NAMELESS:
        st.register_type_strategy(cls, _Resolver(cls))


# --- when somebody asks -----------------------------------------------------------------------------


def _only(kind: type, name: str) -> Callable[[Any], Any]:
    """The strategy of that name, for who asks for the class itself."""

    def resolve(asked: Any) -> Any:
        if kind not in (asked, get_origin(asked)):
            return NotImplemented
        from errkit.testing import strategies

        return getattr(strategies, name)()

    return resolve


class _Resolver:
    """The strategy of one class; `NotImplemented` leaves it to Hypothesis.

    Parameters
    ----------
    cls
        A domain, a class derived from one, or a `Details` class.
    """

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __call__(self, asked: Any) -> Any:
        cls: Any = self._cls
        if asked is not cls or cls is Details or (issubclass(cls, CodedError) and not _has_codes(cls)):
            return NotImplemented
        from errkit.testing import strategies

        return strategies.details(cls) if issubclass(cls, Details) else strategies.errors(cls)


def _has_codes(cls: type[CodedError]) -> bool:
    """Whether a class stands for codes that are registered, and no longer after a `scoped` block."""
    home = home_registry(cls)
    if cls.__domain__ is not None:
        return home.domain(cls.__domain__.domain) is cls.__domain__ and len(cls.__domain__.codes) > 0
    return any(
        issubclass(spec.cls, cls) or issubclass(cls, spec.cls) for spec in home if spec.cls is not None
    )
