"""What an audience may see of a registry, as plain texts that are ready to be written.

Texts of a catalogue come from elsewhere: here they are redacted, brought to one line, and freed of all that
steers a terminal or turns the direction of writing. What a form gives a meaning to is its writer's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.explaining import clean
from errkit.exports.fields import FieldView, fields_of
from errkit.fields import Record
from errkit.safe import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from errkit.codes import DomainSpec, ErrorSpec, Kind
    from errkit.registry import Registry

__all__ = ["AUDIENCES", "Audience", "CodeView", "DomainView", "View", "one_line", "view_of"]

Audience = Literal["internal", "public"]

AUDIENCES: Final = ("internal", "public")


class CodeView(Record):
    """A code as an export shows it."""

    code: str
    const: str
    title: str
    number: int | None
    kind: Kind
    retryable: bool
    alert: bool
    public: bool
    hint: str
    http_status: int | None
    since: str
    deprecated: str
    replaced_by: str
    """Empty if the audience does not know the code that it names."""
    docs: str
    reasons: Mapping[str, str]
    """Values of `details.reason` -> what each means."""
    fields: tuple[FieldView, ...]
    spec: ErrorSpec

    @property
    def lines(self) -> list[str]:
        """What a comment says of the code: its title, its hint, what has become of it."""
        found = [self.title, self.hint]
        if self.docs:
            found.append(f"See {self.docs}")
        return [line for line in found if line]

    @property
    def farewell(self) -> str:
        """Since when the code is deprecated and what to use instead; empty if it is in use."""
        said = [f"since {self.deprecated}"] if self.deprecated else []
        said += [f"use {self.replaced_by}"] if self.replaced_by else []
        return "; ".join(said)


class DomainView(Record):
    """A domain as an export shows it."""

    domain: str
    title: str
    class_name: str
    codes: tuple[CodeView, ...]
    numbers: range | None


class View(Record):
    """What an export shows of a registry."""

    registry: Registry
    name: str
    form: str
    audience: Audience
    domains: tuple[DomainView, ...]

    @property
    def codes(self) -> list[CodeView]:
        """All codes in the order of declaration."""
        return [code for domain in self.domains for code in domain.codes]

    @property
    def origin(self) -> str:
        """Which command wrote the file, from what, for whom; the same wherever it is run."""
        return (
            f"Written by `errkit export {self.form}` from the registry {self.name}, for the {self.audience} "
            "audience. Do not edit: run the command again."
        )


def view_of(registry: Registry, form: str, audience: Audience) -> View:
    """What an audience may see of a registry.

    Parameters
    ----------
    registry
        The registry.
    form
        The name of the format that is written.
    audience
        `public` leaves out codes that are not public, and domains that have no others.
    """
    shown = {spec.code for spec in registry if audience == "internal" or spec.public}
    domains = (_domain(domain, shown) for domain in registry.domains)
    return View(
        registry=registry,
        name=one_line(registry.name),
        form=form,
        audience=audience,
        domains=tuple(domain for domain in domains if domain.codes or audience == "internal"),
    )


def _domain(domain: DomainSpec, shown: Collection[str]) -> DomainView:
    return DomainView(
        domain=domain.domain,
        title=one_line(domain.title),
        class_name=domain.cls.__name__,
        codes=tuple(_code(spec, shown) for spec in domain.codes if spec.code in shown),
        numbers=domain.numbers,
    )


def _code(spec: ErrorSpec, shown: Collection[str]) -> CodeView:
    texts: dict[str, Any] = {
        name: one_line(getattr(spec, name)) for name in ("title", "hint", "since", "deprecated", "docs")
    }
    return CodeView(
        **texts,
        code=spec.code,
        const=spec.const,
        number=spec.number,
        kind=spec.kind,
        retryable=spec.retryable,
        alert=spec.alert,
        public=spec.public,
        http_status=spec.http_status,
        replaced_by=spec.replaced_by if spec.replaced_by in shown else "",
        reasons={one_line(name): one_line(reason.title) for name, reason in spec.reasons.items()},
        fields=fields_of(spec),
        spec=spec,
    )


def one_line(text: str) -> str:
    """A text of a catalogue as one harmless line."""
    return clean(" ".join(str(redact(text)).split()))
