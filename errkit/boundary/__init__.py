"""From a foreign error to a coded one: tables of rules, and the boundaries at which they work.

A `Translator` is a table: which foreign errors become which code of one domain. `translating` puts one around
a block or a function of any kind. `answering` is for failures that are documented as answers.

Nothing here knows a particular library or domain: the tables stand in `domains/`. A translator never raises,
never swallows an error, and never touches a cancellation.
"""

from __future__ import annotations

from errkit.boundary.edges import Answer, Answering, Boundary, answering, translating
from errkit.boundary.groups import passes_every_boundary, through_groups
from errkit.boundary.rule import Rule, errno_name, status_of
from errkit.boundary.table import Translator

__all__ = [
    "Answer",
    "Answering",
    "Boundary",
    "Rule",
    "Translator",
    "answering",
    "errno_name",
    "passes_every_boundary",
    "status_of",
    "through_groups",
    "translating",
]
