"""Registries made up from nothing, and the catalogues that they are as files.

Each draw makes a registry and classes of its own, which nothing else refers to; the default registry stays as
it is.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import datetime
import types
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from errkit.catalog_file import catalog
from errkit.codes import KINDS, Details, Reason, code
from errkit.declaring import fold
from errkit.errors import CodedError
from errkit.registry import Registry

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["add_domain", "catalogs", "declarations", "registries"]

_SEGMENTS: Final = st.text("abcxyz0", min_size=1, max_size=3)
_CONSTANTS: Final = st.text("AB1_", max_size=2).map(lambda rest: f"C{rest}")
_TITLES: Final = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12)
_FIELDS: Final = st.dictionaries(
    st.sampled_from(["path", "size", "when", "labels", "ratio", "retried"]),
    st.sampled_from([str, int, float, bool, datetime.datetime, list[str], str | None]),
    max_size=3,
)
_REASONS: Final = st.dictionaries(
    st.sampled_from(["expired", "missing", "taken"]),
    _TITLES.map(lambda title: Reason(title=title)),
    max_size=2,
)
_SIZE: Final = 20
"""Numbers of a domain that has any."""


_CODES: Final = st.fixed_dictionaries(
    {"title": _TITLES, "kind": st.sampled_from(KINDS)},
    optional={
        "details": _FIELDS,
        "hint": _TITLES.map(lambda text: f"Do {text}."),
        "public": st.booleans(),
        "retry_after": st.floats(0, 3600),
        "http_status": st.integers(400, 599),
        "reasons": _REASONS,
        "since": st.sampled_from(["1.0", "2.1"]),
    },
)
_DECLARATIONS: Final[SearchStrategy[dict[str, Any]]] = st.fixed_dictionaries(
    {
        "domain": st.lists(_SEGMENTS, min_size=1, max_size=2).map(".".join),
        "numbered": st.booleans(),
        "codes": st.dictionaries(_CONSTANTS, _CODES, max_size=4),
    }
)


@st.composite
def declarations(draw: DrawFn) -> dict[str, Any]:
    """A domain as data: its name, whether its codes are numbered, and the facts of each code by constant."""
    return draw(_DECLARATIONS)


def add_domain(registry: Registry, declaration: dict[str, Any], first_number: int) -> type[CodedError]:
    """Make the class of a drawn declaration, in a registry.

    Parameters
    ----------
    registry
        Where it registers.
    declaration
        What `declarations` drew.
    first_number
        The first number of its range, if it has one.

    Raises
    ------
    CodedError
        As any declaration: `errkit.clash` if something of it is taken.
    """
    numbered: bool = declaration["numbered"]
    body: dict[str, Any] = {"__module__": __name__}
    declare: Any = code
    for index, (const, facts) in enumerate(declaration["codes"].items()):
        given = dict(facts)
        if "details" in given:
            given["details"] = _details_class(given["details"])
        if numbered:
            given["number"] = first_number + index
        body[const] = declare(**given)
    facts = {"domain": declaration["domain"], "registry": registry}
    if numbered:
        facts["numbers"] = range(first_number, first_number + _SIZE)
    # A name of its own: a class of the same name would count as the same one, reloaded.
    name = f"MadeUp{fold(declaration['domain']).title().replace('-', '')}{first_number}Error"
    found: type[CodedError] = types.new_class(name, (CodedError,), facts, lambda inside: inside.update(body))
    return found


def _details_class(annotations: dict[str, Any]) -> type[Details]:
    body = {"__module__": __name__, "__annotations__": annotations}
    return types.new_class("MadeUpDetails", (Details,), {}, lambda inside: inside.update(body))


@st.composite
def registries(draw: DrawFn) -> Registry:
    """Registries of their own with up to three domains."""
    registry = Registry("made_up")
    found = draw(_SEVERAL)
    for index, declaration in enumerate(found):
        with_codes = {
            const: facts
            for const, facts in declaration["codes"].items()
            if registry.get(f"{declaration['domain']}.{const.lower()}") is None
        }
        add_domain(registry, {**declaration, "codes": with_codes}, 100 * (index + 1))
    return registry


_SEVERAL: Final = st.lists(_DECLARATIONS, max_size=3, unique_by=lambda one: fold(one["domain"]))


@st.composite
def catalogs(draw: DrawFn) -> dict[str, Any]:
    """Catalogues in the format `errkit.catalog/1`, as plain data."""
    return catalog(draw(_REGISTRIES))


_REGISTRIES: Final = registries()
