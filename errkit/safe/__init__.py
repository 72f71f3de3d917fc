"""Any object as redacted, bounded JSON, whatever it is and whatever it does when it is asked.

`to_json` takes an object through the one total pass (`walk.py`); `redact` only hides what is secret and keeps
types and sizes (`redacting.py`). What a secret is, is decided in `redaction`; how an error becomes a payload,
in `encoding.py`.
"""

from __future__ import annotations

from errkit.safe.bounds import BOUNDS, Bounds
from errkit.safe.names import hides
from errkit.safe.redacting import redact
from errkit.safe.texts import CIRCULAR, safe_repr, well_formed
from errkit.safe.walk import Pass, to_json

__all__ = ["BOUNDS", "CIRCULAR", "Bounds", "Pass", "hides", "redact", "safe_repr", "to_json", "well_formed"]
