"""What the tests of sinks share: a log folder of their own, and databases of both kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from errkit.sinks import SqlSink
from tests.sinks.postgres import HINT, Server, find_programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


OpenSink: TypeAlias = Callable[..., SqlSink]


@pytest.fixture(autouse=True)
def log_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log folder of the test's own; spools live there too."""
    chosen = tmp_path / "logs"
    monkeypatch.setenv("ERRKIT_LOG_DIR", str(chosen))
    return chosen


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A running PostgreSQL server; a test that stops it starts it again."""
    programs = find_programs()
    if programs is None:
        pytest.skip(HINT)
    found = Server(programs)
    try:
        found.start()
        yield found
    finally:
        found.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'errors.db'}"
    server: Server = request.getfixturevalue("server")
    return server.new_database()


@pytest.fixture
def open_sink() -> Iterator[OpenSink]:
    """Makes sinks in SQL; their connections are closed after the test."""
    opened: list[SqlSink] = []

    def make(*arguments: Any, **options: Any) -> SqlSink:
        opened.append(SqlSink(*arguments, **options))
        return opened[-1]

    yield make
    for sink in opened:
        sink.close()
