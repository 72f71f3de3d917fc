"""Completion of codes after `%explain` and `%%expect`, and of what options of `%errcodes` take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from IPython.core.completer import SimpleCompletion, context_matcher

from errkit.codes import KINDS
from errkit.errors import CodedError
from errkit.jupyter.settings import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from IPython.core.completer import CompletionContext, SimpleMatcherResult

    from errkit.jupyter.known import Known

__all__ = ["make_matcher"]

_ASKED: Final = re.compile(
    r"\s*(?:%(?P<magic>explain|errkit)\s+|%%(?P<cell>expect)\s+"
    r"|%(?P<list>errcodes)\b.*?--(?P<option>kind|domain|registry)[ =])(?P<typed>\S*)$"
)


def make_matcher(known: Known) -> Callable[[CompletionContext], SimpleMatcherResult]:
    """A matcher for `Completer.custom_matchers`.

    Parameters
    ----------
    known
        Whose codes are offered.
    """

    @context_matcher(identifier="errkit")  # pyright: ignore[reportUntypedFunctionDecorator]
    def match_codes(context: CompletionContext) -> SimpleMatcherResult:
        asked = _ASKED.match(context.text_until_cursor)
        if asked is None:
            return {"completions": [], "suppress": False}
        typed = asked["typed"]
        # IPython replaces the last token, which may start after a dot.
        skip = len(typed) - len(context.token) if typed.endswith(context.token) else 0
        found = [text for text in _offers(asked, known) if text.startswith(typed)]
        completions = [SimpleCompletion(text[skip:], type="code") for text in found]
        return {"completions": completions, "suppress": bool(completions)}

    matcher: Any = match_codes
    return matcher  # type: ignore[no-any-return]


def _offers(asked: re.Match[str], known: Known) -> Iterable[str]:
    if asked["magic"] == "errkit":
        return list(MODES)
    if asked["option"] == "kind":
        return list(KINDS)
    try:
        registries = known.registries()
    except CodedError:
        return []
    if asked["option"] == "domain":
        return sorted({domain.domain for registry in registries for domain in registry.domains})
    if asked["option"] == "registry":
        return sorted({registry.name for registry in registries})
    codes = sorted({spec.code for registry in registries for spec in registry})
    return ["last", *codes] if asked["magic"] == "explain" else codes
