"""The codes that belong to no domain: `internal`, `not_implemented`, `validation.failed`.

They are declared in `errkit/own.py`, because errkit itself needs them first; this room gives them their place
beside the other ready-made domains.
"""

from __future__ import annotations

from errkit.own import CoreError, not_implemented

__all__ = ["CoreError", "not_implemented"]
