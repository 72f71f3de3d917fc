"""What a registry has to prove: the checks that the test kit and the command line share.

A check is a function from a code, or from a whole registry, to findings; it changes nothing and prints
nothing. `survival.py` asks whether errors come through wires and processes, `declaration.py` whether
declarations are complete, `published.py` whether the built site documents them, `lock.py` whether they keep
what they promised. `run_checks` runs them over registries, applies the exemptions of the configuration, and
says what was not run and why.
"""

from __future__ import annotations

from errkit.checks.model import Check, Context, Finding, NotRun, Report
from errkit.checks.running import CHECKS, check_code, check_registry, run_checks

__all__ = [
    "CHECKS",
    "Check",
    "Context",
    "Finding",
    "NotRun",
    "Report",
    "check_code",
    "check_registry",
    "run_checks",
]
