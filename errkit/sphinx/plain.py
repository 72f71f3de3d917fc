"""The reference as plain text, for terminals and programs: a file for each code, and `llms.txt`.

A code says what `errkit explain` says, without colours; where it is declared is named as on its page, since
the path of a file on the machine that builds is nobody's business. `llms.txt` (https://llmstxt.org) lists all
codes with links to those files. Pages are not looked at: everything comes from the catalogue of the build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from errkit.explaining import Explanation, clean, explain, tell
from errkit.sphinx.render import declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from errkit.codes import DomainSpec
    from errkit.registry import Registry
    from errkit.sphinx.catalogue import Catalogue, CodeView
    from errkit.sphinx.notes import Place

    Documented = Sequence[tuple[CodeView, Place]]

__all__ = ["LISTING", "TEXT", "by_code", "code_text", "listing", "text_link"]

LISTING: Final = "llms.txt"
TEXT: Final = "index.txt"
"""The file of a code beside its short link."""


class _Owner(NamedTuple):
    """What an explanation says of a registry, as far as the audience may know it."""

    name: str
    domains: list[DomainSpec]


def text_link(code: str) -> str:
    """Where the text of a code is, from the top of the site."""
    return f"e/{code}/{TEXT}"


def by_code(documented: Documented) -> dict[str, Documented]:
    """Code -> those of that name, in the order of the registries."""
    found: dict[str, list[tuple[CodeView, Place]]] = {}
    for view, place in documented:
        found.setdefault(view.code, []).append((view, place))
    return dict(found)


def code_text(views: Iterable[CodeView], catalogue: Catalogue) -> str:
    """What is known of a code; of each, where several registries have one of that name."""
    merged: dict[int, list[CodeView]] = {}
    for view in views:
        merged.setdefault(id(view.spec), []).append(view)
    return "\n".join(_told(same, catalogue) for same in merged.values())


def _told(views: Sequence[CodeView], catalogue: Catalogue) -> str:
    """One declaration, which several registries may share."""
    view, owners = views[0], [_owner(each.registry, catalogue) for each in views]
    found = explain(view.spec, cast("list[Registry]", owners))
    prose = view.prose
    view.release()
    shown = {"Declared": declared(view.spec), "Replaced by": view.replaced_by}
    facts = ((label, shown.get(label, value)) for label, value in found.facts)
    told = Explanation(
        code=found.code,
        number=found.number,
        title=found.title,
        prose="" if prose is None else prose.text,
        hint=found.hint,
        facts=tuple(fact for fact in facts if fact[1]),
        details=found.details,
        reasons=found.reasons,
    )
    return "".join(f"{text}\n" for text, _ in tell(told))


def _owner(name: str, catalogue: Catalogue) -> _Owner:
    view = catalogue.registry(name)
    return _Owner(name, [] if view is None else [domain.spec for domain in view.domains])


def listing(documented: Documented, catalogue: Catalogue, project: str) -> str:
    """The content of `llms.txt`."""
    several = len(catalogue.registries) > 1
    domains: dict[tuple[str, str], list[CodeView]] = {}
    for view, _ in documented:
        domains.setdefault((view.registry, view.domain), []).append(view)
    titles: Mapping[tuple[str, str], str] = {
        (domain.registry, domain.name): domain.spec.title for domain in catalogue.domains.values()
    }
    about = "Every error code, with what to do about it. Each link leads to plain text"
    parts = [f"# {clean(project)}", f"> {about}; `errors.json` holds all of them as data."]
    for (registry, name), views in domains.items():
        owner = f" ({clean(registry)})" if several else ""
        lines = "".join(_line(view, catalogue.settings.base_url) for view in views)
        parts.append(f"## {clean(name)}: {clean(titles[registry, name])}{owner}\n\n{lines.rstrip()}")
    return "\n\n".join(parts) + "\n"


def _line(view: CodeView, base_url: str) -> str:
    hint = f" {view.spec.hint}" if view.spec.hint else ""
    title = view.spec.title.rstrip(".")
    return f"- [{view.code}]({base_url}{text_link(view.code)}): {clean(f'{title}.{hint}')}\n"
