"""The plugin of a run that asks for checks: it lets pytest collect the file that names the registries.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from errkit.config import read_config
from errkit.errors import CodedError
from errkit.testing.asking import names_file
from errkit.testing.collecting import RegistryFile
from errkit.testing.project import said_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Generator"]


class Generator:
    """Collects the checks below the configuration file.

    Parameters
    ----------
    config
        The configuration of the run; the file is added to its arguments, unless those ask for something else.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._file = _anchor(config)
        if _runs_everything(config) and not names_file(config, self._file.name):
            config.args.append(str(self._file))

    def pytest_report_header(self, config: pytest.Config) -> str:
        """Say that checks are on, and what asks for them."""
        return f"errkit: checks of the registries in {self._file.name}"

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.File | None:
        """The configuration file, as a collector."""
        if file_path == self._file:
            found: pytest.File = RegistryFile.from_parent(parent, path=file_path)
            return found
        return None


def _anchor(config: pytest.Config) -> Path:
    """The configuration file of pytest, else the one with `[tool.errkit]`."""
    if config.inipath is not None:
        return config.inipath
    try:
        found = read_config(config.rootpath).path
    except CodedError as error:
        raise pytest.UsageError(said_of(error, config)) from error
    if found is None:
        raise pytest.UsageError(
            f"--errkit: neither pytest nor errkit has a configuration in {config.rootpath}; write a "
            "pyproject.toml with a table [tool.errkit] that lists `registries`"
        )
    return found


def _runs_everything(config: pytest.Config) -> bool:
    """Whether the user asks for the whole suite, or by hand for the checks beside a part of it."""
    return config.args_source is not config.ArgsSource.ARGS or "--errkit" in config.invocation_params.args
