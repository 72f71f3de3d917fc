"""What Hypothesis draws for errkit: codes, errors, payloads good and broken, whole registries.

    from hypothesis import given
    from errkit.testing.strategies import errors

    @given(errors(HostFsError))
    def test_my_encoder(error): ...

`from_type` works too, for each Details class and each domain (`arriving.py` sees to it). Everything shrinks
to the simplest: the first code, the least details, no cause. What is drawn comes from what is registered when
it is drawn, so a code that a test declares is there.

`values.py` is about fields of details, `declared.py` about codes and errors, `wire.py` about payloads,
`hostile.py` about objects that fight back, `made_up.py` about whole registries. `errkit.testing.machine` has
a state machine.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from errkit.testing.strategies.declared import codes, details, error_classes, error_groups, errors
from errkit.testing.strategies.hostile import Hostile, hostile_objects
from errkit.testing.strategies.made_up import catalogs, registries
from errkit.testing.strategies.wire import Malformed, malformed_payloads, payloads, wire_bytes

__all__ = [
    "Hostile",
    "Malformed",
    "catalogs",
    "codes",
    "details",
    "error_classes",
    "error_groups",
    "errors",
    "hostile_objects",
    "malformed_payloads",
    "payloads",
    "registries",
    "wire_bytes",
]
