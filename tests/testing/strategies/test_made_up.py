"""Registries made up from nothing: sound, of their own, and the same after a trip through a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, find, given, settings

from errkit import REGISTRY, Registry
from errkit.checks import CHECKS, Context, check_registry
from errkit.config import Config
from errkit.testing.strategies import catalogs, registries

if TYPE_CHECKING:
    from pathlib import Path

few = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


@few
@given(registry=registries())
def test_registries_are_sound(registry: Registry, tmp_path: Path) -> None:
    """Each code survives what errors have to survive."""
    context = Context(Config(root=tmp_path, lock=tmp_path / "lock"))
    for check in CHECKS:
        if check.name in ("json", "pickle", "copy", "dialects"):
            assert check_registry(check, registry, context) == []


@few
@given(registry=registries())
def test_registries_are_the_same_after_a_file(registry: Registry, tmp_path: Path) -> None:
    """Whatever is drawn can be written down and read back."""
    path = tmp_path / "made_up.json"
    path.write_text(registry.export(), "utf-8")
    assert Registry.load(path) == registry


@few
@given(catalogs())
def test_catalogues_are_plain_data(found: dict[str, Any]) -> None:
    """In the format that files have."""
    assert json.loads(json.dumps(found)) == found
    assert found["format"] == "errkit.catalog/1"


@few
@given(registries())
def test_the_default_registry_stays_as_it_is(registry: Registry) -> None:
    """What is drawn registers nowhere else."""
    assert not any(spec in list(REGISTRY) for spec in registry)


def test_the_simplest_registry_is_empty() -> None:
    """A failing example holds nothing that does not matter."""
    first = settings(few, phases=[Phase.generate])
    assert find(registries(), lambda _registry: True, settings=first).domains == ()
