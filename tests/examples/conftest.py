"""What the tests of the example share: feeds of every sort, one client, services in folders of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from tests.examples.service import ROOT, SERVE, Client, Feeds, Service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Serve(Protocol):
    """Starts a service."""

    def __call__(self, *, home: Path = ..., database: str = ..., command: Sequence[str] = ...) -> Service: ...


@pytest.fixture(scope="module")
def feeds() -> Iterator[Feeds]:
    """Feeds of every sort."""
    found = Feeds()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """The command line, alone in a folder."""
    return Client(tmp_path_factory.mktemp("client") / "alone")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One running service, for tests that leave it as it is."""
    found = Service(tmp_path_factory.mktemp("service")).start()
    yield found
    found.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts services of the test's own, which end with it."""
    started: list[Service] = []

    def start(*, home: Path = ROOT, database: str = "", command: Sequence[str] = SERVE) -> Service:
        folder = tmp_path / f"service-{len(started)}"
        started.append(Service(folder, home=home, database=database, command=command))
        return started[-1].start()

    yield start
    for found in started:
        found.kill()
