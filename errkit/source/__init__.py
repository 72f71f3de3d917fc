"""What the source says of codes: who raises which, and what is wrong with how. Nothing is imported.

`raisers` answers the reference site, `scan` the command of that name. `reading.py` finds and parses files,
`walking.py` keeps of each what `facts.py` names, `resolving.py` follows names, `known.py` ties them to the
codes of registries, `raising.py` says what is raised where. The questions of a scan stand in `rules.py`, and
what a project allows is weighed in `allowing.py`.
"""

from __future__ import annotations

from errkit.source.raising import Place, raisers
from errkit.source.rules import RULES, Found, ScanRule
from errkit.source.scanning import Scanned, scan

__all__ = ["RULES", "Found", "Place", "ScanRule", "Scanned", "raisers", "scan"]
