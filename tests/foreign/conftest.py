"""The folder of the how-to, with its converters run, and the sites that are built there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.foreign.workshop import SERVICES, build, convert, save_files
from tests.sphinx.sites import Built, warnings_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the how-to and the catalogues that its converters wrote."""
    folder = tmp_path_factory.mktemp("workshop")
    save_files(folder)
    convert(folder, *SERVICES)
    return folder


@pytest.fixture(scope="session", params=["basic", pytest.param("furo", marks=pytest.mark.full)])
def site(workshop: Path, request: pytest.FixtureRequest) -> Built:
    """The four lists as one site."""
    theme: str = request.param
    done = build(workshop, theme)
    assert done.returncode == 0, done.stderr
    return Built(workshop / theme, [], [], warnings_in(done.stderr))
