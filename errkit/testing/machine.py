"""`RegistryMachine`: a registry and its model, side by side, through any sequence of changes.

    TestMyRegistry = RegistryMachine.TestCase

It proves that adding is atomic, that every look-up agrees with every other, and that `scoped` undoes.

PYTEST_DONT_REWRITE: the messages are made by hand.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from errkit.catalog_file import catalog
from errkit.declaring import fold
from errkit.errors import CodedError
from errkit.own import ErrkitError
from errkit.registry import Registry
from errkit.testing.strategies.made_up import add_domain, declarations

if TYPE_CHECKING:
    from collections.abc import Callable

    from errkit.codes import ErrorSpec

__all__ = ["RegistryMachine"]


class RegistryMachine(RuleBasedStateMachine):
    """Declares, shares, retires, scopes and looks up; override `make` to test a registry of your own."""

    def __init__(self) -> None:
        super().__init__()
        self.registry = self.make()
        self.wanted: list[ErrorSpec] = []
        """The codes in the order of declaration."""
        self.retired: set[str] = set()
        self.scopes: list[tuple[ExitStack, list[ErrorSpec], set[str]]] = []
        self.next_number = 100

    def make(self) -> Registry:
        """A new and empty registry."""
        return Registry("machine")

    # --- changes ------------------------------------------------------------------------------------

    @rule(declaration=declarations())
    def declare(self, declaration: dict[str, Any]) -> None:
        """A domain comes in whole, or is refused whole and leaves all as it was."""
        number = self._numbers()
        self._change(declaration, lambda: add_domain(self.registry, declaration, number))

    @rule(declaration=declarations())
    def include(self, declaration: dict[str, Any]) -> None:
        """A domain of another registry is shared, or refused whole."""
        other = Registry("machine_other")
        number = self._numbers()
        if _refusal(lambda: add_domain(other, declaration, number)) is None:
            self._change(declaration, lambda: self.registry.include(other))

    def _numbers(self) -> int:
        """The first number of a range that nobody has."""
        self.next_number += 100
        return self.next_number

    def _change(self, declaration: dict[str, Any], change: Callable[[], object]) -> None:
        before, taken = catalog(self.registry), self._is_taken(declaration)
        refusal = _refusal(change)
        domain = self.registry.domain(declaration["domain"])
        if taken:
            assert refusal is not None, f"{declaration['domain']}: something of it is taken, and it came in"
            assert catalog(self.registry) == before, "what was refused has changed the registry"
        else:
            assert refusal is None, f"{declaration['domain']}: nothing of it is taken, and: {refusal}"
            assert domain is not None, f"{declaration['domain']}: came in, and is not there"
            self.wanted += domain.codes

    def _is_taken(self, declaration: dict[str, Any]) -> bool:
        codes = [fold(f"{declaration['domain']}.{const}") for const in declaration["codes"]]
        domains = {fold(domain.domain) for domain in self.registry.domains}
        others = {fold(spec.code) for spec in self.wanted} | self.retired
        is_twice = len(set(codes)) < len(codes)
        return fold(declaration["domain"]) in domains or is_twice or not others.isdisjoint(codes)

    @precondition(lambda self: self.wanted)
    @rule(data=st.data())
    def retire_what_is_registered(self, data: st.DataObject) -> None:
        """A code that is there can't be retired."""
        spec = data.draw(st.sampled_from(self.wanted))
        refusal = _refusal(lambda: self.registry.retire(spec.code))
        assert refusal is not None, f"{spec.code} is registered, and was retired"

    @rule(declaration=declarations())
    def retire(self, declaration: dict[str, Any]) -> None:
        """The codes of a domain that was removed stay reserved."""
        codes = [f"{declaration['domain']}.{const.lower()}" for const in declaration["codes"]]
        codes = [code for code in codes if fold(code) not in {fold(spec.code) for spec in self.wanted}]
        self.registry.retire(*codes)
        self.retired |= {fold(code) for code in codes}

    @precondition(lambda self: len(self.scopes) < 3)
    @rule()
    def open_scope(self) -> None:
        """From here on, changes are for a while."""
        stack = ExitStack()
        stack.enter_context(self.registry.scoped())
        self.scopes.append((stack, list(self.wanted), set(self.retired)))

    @precondition(lambda self: self.scopes)
    @rule()
    def close_scope(self) -> None:
        """All is as it was when the scope was opened."""
        stack, self.wanted, self.retired = self.scopes.pop()
        stack.close()

    # --- what always holds --------------------------------------------------------------------------

    @invariant()
    def order_is_kept(self) -> None:
        """Iterating gives the codes in the order of declaration, and `len` counts them."""
        assert list(self.registry) == self.wanted, f"{list(self.registry)} and not {self.wanted}"
        assert len(self.registry) == len(self.wanted)

    @invariant()
    def look_ups_agree(self) -> None:
        """By code, by mapping, by number, by domain: each finds the one record of the code."""
        registry = self.registry
        for spec in self.wanted:
            assert registry.get(spec.code) is spec, f"get({spec.code!r}) finds another record"
            assert registry[spec.code] is spec
            assert registry.codes[spec.code] is spec
            assert spec.code in registry
            domain = registry.domain(spec.domain)
            assert domain is not None, f"{spec.code} stands in no domain"
            assert spec in domain.codes
            if spec.number is not None:
                assert registry.by_number(spec.number) is spec, f"{spec.number} is another code"
                assert registry.range_of(spec.number) is spec.cls
        assert "no.such.code" not in registry
        assert registry.get("no.such.code") is None

    @invariant()
    def anchors_are_unique(self) -> None:
        """No two codes share an anchor."""
        folded = [fold(spec.code) for spec in self.registry]
        assert len(set(folded)) == len(folded), f"two codes share an anchor: {sorted(folded)}"

    def teardown(self) -> None:
        """Leave all scopes."""
        while self.scopes:
            self.close_scope()


def _refusal(change: Callable[[], object]) -> CodedError | None:
    """The clash that a change ends in; None if it comes about."""
    try:
        change()
    except CodedError as error:
        if error.code != ErrkitError.CLASH:
            raise
        return error
    return None
