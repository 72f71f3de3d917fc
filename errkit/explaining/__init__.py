"""What a code or a number means, for every face that explains one: `errkit explain`, notebooks.

`answering.py` answers a question, which may be a code or a whole log; `looking.py` finds codes by their
names, `mentions.py` finds them in a text, `picking.py` picks those that have some property. What is found
comes as plain records, and `telling.py` puts it in words. How they are shown, and in which colours, is the
face's business. Texts of a catalogue come from elsewhere, so a face that writes to a terminal gives them to
`clean` first.
"""

from __future__ import annotations

from errkit.explaining.answering import Answer, answer, answer_text
from errkit.explaining.cleaning import clean
from errkit.explaining.looking import Match, find, find_retired, retired_of, unknown
from errkit.explaining.mentions import LIMIT, Input
from errkit.explaining.picking import Facets, pick
from errkit.explaining.telling import (
    KIND_MEANINGS,
    Emphasis,
    Explanation,
    FieldLine,
    ReasonLine,
    address_of,
    explain,
    retired_address,
    tell,
    tell_retired,
)

__all__ = [
    "KIND_MEANINGS",
    "LIMIT",
    "Answer",
    "Emphasis",
    "Explanation",
    "Facets",
    "FieldLine",
    "Input",
    "Match",
    "ReasonLine",
    "address_of",
    "answer",
    "answer_text",
    "clean",
    "explain",
    "find",
    "find_retired",
    "pick",
    "retired_address",
    "retired_of",
    "tell",
    "tell_retired",
    "unknown",
]
