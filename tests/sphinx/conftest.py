"""Sites that many tests look at, each built once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import serving
from tests.sphinx.sites import Built, Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A project that shows the sample registry `shop`."""
    return Site(tmp_path, 'errkit_registries = ["shop"]\n')


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sample registry `shop` as HTML."""
    built = Site(tmp_path_factory.mktemp("shop"), 'errkit_registries = ["shop"]\n').build()
    assert built.warnings == []
    return built


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Two registries that share names, as HTML."""
    built = Site(tmp_path_factory.mktemp("both"), 'errkit_registries = ["shop", "depot"]\n').build()
    assert built.warnings == []
    return built


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The hostile registry as HTML."""
    built = Site(tmp_path_factory.mktemp("hostile"), 'errkit_registries = ["hostile"]\n').build()
    assert built.warnings == []
    return built


# --- in a browser ---------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """What errkit ships, two shops and the hostile registry, as furo shows them."""
    conf = 'errkit_registries = ["errkit", "shop", "depot", "hostile"]\n'
    built = Site(tmp_path_factory.mktemp("library"), conf).build(html_theme="furo")
    assert built.warnings == []
    return built


@pytest.fixture(scope="session")
def address(library: Built) -> Iterator[str]:
    """Where that site is served, under a policy that lets nothing run that is no file of the site."""
    with serving(library.folder) as found:
        yield found
