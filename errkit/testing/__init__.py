"""The test kit: proof, in any project's own test suite, that each code survives the wire and is documented.

    from errkit.testing import raises_code

Three faces, for three tastes. `plugin.py` is the pytest plugin: with `--errkit` it collects the checks of all
registries that `[tool.errkit]` names, and no code is written. `suites.py` holds `RegistrySuite`, a class to
subclass, and `fixtures.py` the fixtures, for suites that want to see their tests. `strategies/` draws codes,
errors and broken payloads for Hypothesis. What is checked is said in `errkit.checks`, which the command line
shares.

An installed plugin is loaded by every run of pytest on the machine, so nothing here is loaded before it is
asked for: no pytest, no Hypothesis, and none of errkit's core.

PYTEST_DONT_REWRITE: there are no assertions to explain here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["RegistrySuite", "assert_round_trip", "raises_code", "record_raises"]

if TYPE_CHECKING:
    from errkit.testing.expecting import raises_code as raises_code
    from errkit.testing.recording import record_raises as record_raises
    from errkit.testing.round_trips import assert_round_trip as assert_round_trip
    from errkit.testing.suites import RegistrySuite as RegistrySuite

_HOMES = {
    "RegistrySuite": "suites",
    "assert_round_trip": "round_trips",
    "raises_code": "expecting",
    "record_raises": "recording",
}

if not TYPE_CHECKING:
    # A type checker must not see this: it would let every misspelt name pass.
    def __getattr__(name):
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
