"""Which registries a notebook asks: its own, its project's, errkit's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import errkit
from errkit import CodedError, Registry, code
from errkit.jupyter.known import Known
from errkit.jupyter.settings import SETTINGS, docs_address
from errkit.testing import raises_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CATALOG = """
{"format": "errkit.catalog/1", "registry": "till", "domains": [
  {"domain": "till", "title": "Till", "codes": [{"const": "BUSY", "code": "till.busy", "title": "Busy"}]}]}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a catalogue in it; what a session chose is forgotten afterwards."""
    (tmp_path / "till.json").write_text(CATALOG, "utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    SETTINGS.reset()


def configure(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.errkit]\n{text}\n", "utf-8")


def names(known: Known) -> list[str]:
    return [registry.name for registry in known.registries()]


def test_without_a_project_there_is_what_errkit_ships(project: Path) -> None:
    """Its own codes and the catalogues."""
    assert names(Known({})) == ["errkit", "agent_core", "agent_device", "harness"]


def test_registries_of_the_project_and_of_the_notebook_are_asked(project: Path) -> None:
    """Those in variables first, each once, as soon as they are there; hidden variables don't count."""
    configure(project, 'registries = ["till.json"]')
    variables: dict[str, Any] = {"number": 5, "_hidden": Registry("hidden")}
    known = Known(variables)
    assert names(known) == ["till", "errkit"]
    variables |= {"MINE": Registry("mine"), "again": errkit.REGISTRY, "MOCK": type("Mock", (), {})()}
    assert names(known) == ["mine", "errkit", "till"]


def test_a_bad_configuration_is_told_and_tried_again(project: Path) -> None:
    """Once it is corrected, the next look-up works."""
    configure(project, 'registries = ["none.json"]')
    known = Known({})
    with raises_code("errkit.bad_source"):
        known.registries()
    configure(project, 'registries = ["till.json"]')
    assert names(known) == ["till", "errkit"]


def test_links_lead_to_the_code_the_registry_or_the_project(project: Path) -> None:
    """The nearest address wins; a code of nobody has none."""
    home = Registry("home", base_url="https://home.example/")

    class HomeError(CodedError, domain="home", registry=home):
        ONE = code("One", docs="https://one.example")
        TWO = code("Two")

    class LostError(CodedError, domain="lost", registry=Registry("lost")):
        THREE = code("Three")

    assert docs_address(HomeError.ONE.spec) == "https://one.example"
    assert docs_address(HomeError.TWO.spec) == "https://home.example/e/home.two/"
    assert docs_address(LostError.THREE.spec) == ""
    configure(project, 'registries = ["till.json"]\nbase_url = "https://project.example"')
    Known({}).registries()
    assert docs_address(LostError.THREE.spec) == "https://project.example/e/lost.three/"
    assert docs_address(CodedError("no.such", "m").spec) == ""
