"""From any object of errkit to what a notebook shows of it: text and HTML, never anything else.

`mimebundle` is what the reprs of registries, domains, codes and errors call. It is total: a repr that fails
would hide the object that a reader wants to see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from errkit.codes import DomainSpec, ErrorCode, ErrorSpec, text_of
from errkit.errors import CodedError, home_registry
from errkit.explaining import clean
from errkit.jupyter.code_views import (
    code_html,
    code_text,
    codes_html,
    codes_text,
    domains_html,
    domains_text,
    registry_title,
)
from errkit.jupyter.failure_views import (
    failure_html,
    failure_text,
    payload_from,
    records_html,
    records_text,
)
from errkit.jupyter.markup import Html, element, page
from errkit.jupyter.settings import SETTINGS
from errkit.jupyter.style import STYLE
from errkit.jupyter.tables import count
from errkit.payload import to_payload
from errkit.redaction import redact_text
from errkit.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from errkit.explaining import Match

__all__ = ["Codes", "Explained", "mimebundle", "show", "to_html", "to_text"]


class View(NamedTuple):
    """What is shown of one object."""

    label: str
    """For screen readers."""
    text: Callable[[], str]
    html: Callable[[], Html]


class Codes(NamedTuple):
    """Codes that were picked from registries; shows itself as a table."""

    specs: Sequence[ErrorSpec]

    def __repr__(self) -> str:
        return "\n".join([count(len(self.specs), "code"), *codes_text(self.specs)])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return mimebundle(self)


class Explained(NamedTuple):
    """Codes with the registries that have them; shows itself as a card for each."""

    matches: Sequence[Match]

    def __repr__(self) -> str:
        return "\n\n".join(code_text(spec, owners) for spec, owners in self.matches)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return mimebundle(self)


def mimebundle(
    value: object, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, str]:
    """What IPython shows of an object: `text/plain`, and `text/html` unless this session wants text alone.

    Parameters
    ----------
    value
        A registry, a domain class, a code, its spec, an exception, a payload, or `Records`.
    include, exclude
        As IPython passes them; it picks by itself.

    Returns
    -------
    dict
        Empty for an object that errkit shows nothing of, which then has its plain repr. Never raises.
    """
    try:
        view = _view_of(value)
        if view is None:
            return {}
        bundle = {"text/plain": view.text()}
        if SETTINGS.mode != "plain":
            bundle["text/html"] = _page(view)
    except Exception:
        return {}
    return bundle


def _page(view: View) -> str:
    return str.__str__(page(view.html(), label=view.label, style=STYLE))


def to_html(value: object) -> str:
    """What a notebook shows of an object, as HTML with its own style sheet; for pages made elsewhere.

    Parameters
    ----------
    value
        As for `mimebundle`.

    Raises
    ------
    TypeError
        The object is none of those.
    """
    return _page(_known_view(value))


def to_text(value: object) -> str:
    """What a terminal shows of an object.

    Parameters
    ----------
    value
        As for `mimebundle`.

    Raises
    ------
    TypeError
        The object is none of those.
    """
    return _known_view(value).text()


def show(value: object) -> None:
    """Show an object now, in the middle of a cell; also a payload, which is a plain dict to IPython.

    Parameters
    ----------
    value
        As for `mimebundle`. Without IPython, its text is printed.

    Raises
    ------
    TypeError
        The object is none of those.
    """
    bundle = mimebundle(value) or {"text/plain": _at_least(value)}
    display = _display()
    if display is None:
        print(bundle["text/plain"])  # noqa: T201 (there is no other place to show it)
    else:
        display(bundle, raw=True)


def _at_least(value: object) -> str:
    """What is left to show of an object whose view fails."""
    try:
        view = _view_of(value)
        if view is not None:
            return view.text()
    except Exception:
        return clean(redact_text(text_of(value)), lines=True)
    raise _foreign(value)


def _display() -> Callable[..., Any] | None:
    import sys

    if "IPython" not in sys.modules:
        return None
    from IPython.core.getipython import get_ipython
    from IPython.display import display

    return display if get_ipython() is not None else None


def _known_view(value: object) -> View:
    view = _view_of(value)
    if view is None:
        raise _foreign(value)
    return view


def _foreign(value: object) -> TypeError:
    return TypeError(
        f"errkit shows registries, domains, codes, errors, payloads and records; found {type(value).__name__}"
    )


# --- which view ---------------------------------------------------------------------------------------------


def _view_of(value: object) -> View | None:
    from errkit.jupyter.recorded import Records

    match value:
        case Registry():
            return _domains(registry_title(value), value.domains)
        case DomainSpec():
            return _domains("", (value,))
        case ErrorCode():
            return _code(value.spec)
        case ErrorSpec():
            return _code(value)
        case Codes(specs):
            return View("Codes", lambda: repr(value), lambda: _codes(specs))
        case Explained(matches):
            return View("Explanation", lambda: repr(value), lambda: _cards(matches))
        case Records():
            return View("Records", lambda: records_text(value), lambda: records_html(value))
        case BaseException():
            return _failure(to_payload(value))
        case Mapping():
            payload = payload_from(value)
            return None if payload is None else _failure(payload)
        case type() if issubclass(value, CodedError):
            return _class(value)
        case _:
            return None


def _domains(title: str, domains: Sequence[DomainSpec]) -> View:
    return View(title or "Domain", lambda: domains_text(title, domains), lambda: domains_html(title, domains))


def _code(spec: ErrorSpec) -> View:
    owners = [home_registry(spec.cls)] if spec.cls is not None else []
    return View(f"Code {spec.code}", lambda: code_text(spec, owners), lambda: _cards([(spec, owners)]))


def _class(cls: type[CodedError]) -> View | None:
    """The code that a class is bound to, else the domains that it stands for."""
    if cls.__bound__ is not None:
        return _code(cls.__bound__)
    found = [base.__dict__.get("__domain__") for base in cls.__mro__]
    domains = [domain for domain in found if isinstance(domain, DomainSpec)]
    return _domains("", domains) if domains else None


def _failure(payload: dict[str, Any]) -> View:
    return View(f"Failure {payload['code']}", lambda: failure_text(payload), lambda: failure_html(payload))


def _codes(specs: Sequence[ErrorSpec]) -> Html:
    title = element("p", element("strong", count(len(specs), "code")))
    return element("div", title, *codes_html(specs))


def _cards(matches: Sequence[Match]) -> Html:
    return element("div", *(code_html(spec, owners) for spec, owners in matches))
