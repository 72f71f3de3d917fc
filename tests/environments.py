"""Environments that widen the matrix: another Python, other versions of what errkit works with.

Each is made below `build/`, once, and again when what it is made of changes.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]


def environment(name: str, base: Path, packages: list[str]) -> Path:
    """The interpreter of an environment with these packages, made if it is not there yet."""
    wanted = hashlib.sha256("\n".join([str(base), *packages]).encode()).hexdigest()[:8]
    folder = ROOT / "build" / "matrix" / f"{name}-{wanted}"
    python = folder / "bin" / "python"
    stamp = folder / "complete"
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([base, "-m", "venv", folder], check=True)
        pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *packages], cwd=ROOT, check=True)
        stamp.touch()
    return python


def another_python(name: str) -> Path:
    """An interpreter by its name, such as `python3.13`; the test is skipped where there is none."""
    versions = Path.home() / ".pyenv" / "versions"
    candidates = [
        shutil.which(name),
        *sorted(versions.glob(f"{name.removeprefix('python')}.*/bin/{name}")),
    ]
    for candidate in candidates:
        # On the path may be a stand-in of pyenv that has nothing behind it.
        if (
            candidate
            and not subprocess.run(
                [candidate, "-c", "import ensurepip"], stderr=subprocess.DEVNULL, check=False
            ).returncode
        ):
            return Path(candidate)
    pytest.skip(f"there is no {name} on the path or among the versions of pyenv")
