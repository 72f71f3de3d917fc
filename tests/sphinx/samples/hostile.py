"""A registry that tries to break whoever shows it: every text is full of what some format gives a meaning."""

from __future__ import annotations

from errkit.codes import Details, Reason, code
from errkit.errors import CodedError
from errkit.registry import Registry

NASTY = (
    "<script>alert(1)</script> & \"quoted\" 'single' `tick` ``two`` *star* **bold** |sub| under_ \\back "
    ":role:`x` %s %(x)s {brace} $math$ ~ ^ # -- ... \u00e9\u4e2d\U0001f600 </section>"
)

REGISTRY = Registry("hostile <b>*|`")


class NastyDetails(Details):
    """What was nasty."""

    text: str
    """<script>alert(2)</script> *star* |sub| `tick` :role:`x` \\back %s"""
    more: str = "<img src=x onerror=alert(3)> & ``|"


class NastyError(CodedError, domain="nasty", title=NASTY, registry=REGISTRY):
    WORST = code(
        NASTY,
        NastyDetails,
        hint=NASTY,
        example={"text": NASTY, "more": "</pre></div>"},
        reasons={"<i>": Reason(title=NASTY, hint=NASTY)},
        since=NASTY,
        deprecated=NASTY,
        replaced_by="<b>nowhere</b>",
        docs="javascript:alert(4)",
    )
