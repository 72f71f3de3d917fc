"""From live registries to the lock of what they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errkit.catalog_file.vocabulary import split_type
from errkit.codes import ReasonDetails
from errkit.fields import read_fields
from errkit.lock.model import Lock, LockedCode, LockedField, anchor_of
from errkit.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errkit.codes import ErrorSpec
    from errkit.registry import Registry

__all__ = ["lock_of"]


def lock_of(registries: Iterable[Registry]) -> Lock:
    """What some registries promise now, with nothing retired.

    Examples, prose, defaults, seconds to wait and addresses of pages elsewhere are no promises, so they are
    not in it. What others have put into the default registry is theirs to promise, under the module that
    declares it: here it would depend on what happens to be imported.
    """
    return Lock(
        {
            registry.name: {
                spec.code: _locked(spec)
                for spec in registry
                if registry is not REGISTRY or _is_of_errkit(spec)
            }
            for registry in registries
        }
    )


def _is_of_errkit(spec: ErrorSpec) -> bool:
    return spec.cls is not None and spec.cls.__module__.startswith("errkit.")


def _locked(spec: ErrorSpec) -> LockedCode:
    return LockedCode(
        code=spec.code,
        anchor=anchor_of(spec.code),
        title=spec.title,
        kind=spec.kind,
        domain=spec.domain,
        const=spec.const,
        number=spec.number,
        alert=spec.alert,
        public=spec.public,
        http_status=spec.http_status,
        hint=spec.hint,
        since=spec.since,
        deprecated=spec.deprecated,
        replaced_by=spec.replaced_by,
        aliases=tuple(sorted(spec.aliases)),
        fields=_fields(spec),
        reasons={name: reason.retryable for name, reason in spec.reasons.items()},
        place=spec.place if spec.file else "",
    )


def _fields(spec: ErrorSpec) -> dict[str, LockedField]:
    # A code with reasons and nothing else has a class of details that nobody declared.
    if spec.details is None or (spec.details is ReasonDetails and spec.reasons):
        return {}
    return {
        field.name: LockedField(
            type=split_type(field.type_text)[0], required=field.required, secret=field.secret
        )
        for field in read_fields(spec.details)
    }
