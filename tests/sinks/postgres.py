"""A PostgreSQL server of the test run's own, from Debian's package: real, private, and gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

HINT = "no PostgreSQL server is installed (Debian, Ubuntu: apt-get install postgresql)"


def find_programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`; Debian keeps them off the path, by version."""
    found = shutil.which("pg_ctl")
    if found and Path(found).resolve().with_name("initdb").exists():
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    return versions[-1].parent if versions else None


def unprivileged() -> dict[str, Any]:
    """The server refuses to run as root: who runs it then."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


class Server:
    """One server behind a socket of its own, with its data in a temporary folder."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        # Not below pytest's folder, which only its owner may enter; and short, since a socket has to fit.
        self.folder = Path(tempfile.mkdtemp(prefix="errkit-pg-"))
        if unprivileged():
            shutil.chown(self.folder, "nobody", "nogroup")
        self.port = 5432
        self._run("initdb", "--no-sync", "--auth=trust", "--username=errkit", "--encoding=UTF8", "--locale=C")
        self._databases = 0

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), "-D", str(self.folder / "data"), *arguments],
            cwd=self.folder,
            # The server keeps its output open, so a pipe would never end.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
            **unprivileged(),
        )
        if done.returncode != 0:
            log = self.folder / "log"
            raise RuntimeError(f"{program} failed: {log.read_text() if log.exists() else 'no log'}")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses= -c fsync=off"
        options += " -c autovacuum=off"
        self._run(
            "pg_ctl", "start", "--wait", "--silent", "--log", str(self.folder / "log"), "--options", options
        )

    def kill(self) -> None:
        """Stop as after a crash: no goodbye to clients, open transactions are gone."""
        self._run("pg_ctl", "stop", "--wait", "--silent", "--mode", "immediate")

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder)

    def new_database(self) -> str:
        """The URL of an empty database."""
        import psycopg

        self._databases += 1
        name = f"errors_{self._databases}"
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql+psycopg://errkit:planted-pw@/{name}?host={self.folder}&port={self.port}"

    def _dsn(self, name: str) -> str:
        return f"host={self.folder} port={self.port} user=errkit dbname={name}"
