"""Whether a run of pytest asks for anything of errkit's; read at every start, so it must stay cheap.

PYTEST_DONT_REWRITE: nothing is asserted here.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

__all__ = ["asks_for_checks", "asks_for_coverage", "names_file", "read_percent", "read_seconds"]


def asks_for_checks(config: pytest.Config) -> bool:
    """Whether checks are to be collected: `--errkit`, or a node id in the configuration file."""
    wanted: bool | None = config.getoption("errkit")
    if wanted is None:
        return config.inipath is not None and names_file(config, config.inipath.name)
    return wanted


def names_file(config: pytest.Config, name: str) -> bool:
    """Whether one of the run's arguments is a file of that name, or something in it."""
    return any(arg.partition("::")[0].replace("\\", "/").rpartition("/")[2] == name for arg in config.args)


def asks_for_coverage(config: pytest.Config) -> bool:
    """Whether the raised codes are to be counted."""
    limit: float | None = config.getoption("errkit_fail_under")
    asking = ("errkit_coverage", "errkit_cover", "errkit_report")
    return any(map(config.getoption, asking)) or limit is not None


def read_seconds(text: str) -> float:
    """The value of `--errkit-timeout`."""
    return _between(text, 0.001, 86_400, "seconds, more than 0 and at most a day (86400)")


def read_percent(text: str) -> float:
    """The value of `--errkit-fail-under`."""
    return _between(text, 0, 100, "a percentage from 0 to 100")


def _between(text: str, least: float, most: float, expected: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = least - 1
    # What is not a number compares with none.
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}")
    return value
