"""`RegistryMachine`: the registry passes it; a registry with a fault does not."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from errkit import Registry
from errkit.testing.machine import RegistryMachine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit import ErrorSpec

SOME = settings(max_examples=25, stateful_step_count=25, database=None)


def test_the_registry_passes() -> None:
    """Adding is atomic, look-ups agree, scopes undo."""
    run_state_machine_as_test(RegistryMachine, settings=SOME)


class Forgetful(Registry):
    """Its scopes undo nothing."""

    @contextmanager
    def scoped(self) -> Iterator[Registry]:
        yield self


class Blind(Registry):
    """Finds no number."""

    def by_number(self, number: int) -> ErrorSpec | None:
        return None


class Lenient(Registry):
    """Forgets what it is to keep reserved."""

    def retire(self, *codes: str, numbers: Any = ()) -> None:
        return


@pytest.mark.parametrize("faulty", [Forgetful, Blind, Lenient])
def test_a_registry_with_a_fault_does_not(faulty: type[Registry]) -> None:
    """Each fault is found within few steps."""

    class Machine(RegistryMachine):
        def make(self) -> Registry:
            return faulty("machine")

    found = settings(SOME, max_examples=200, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run_state_machine_as_test(Machine, settings=found)
