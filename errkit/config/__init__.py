"""What a project says about its codes: the table `[tool.errkit]`, and the registries that it names.

Every face reads the same table through this room, so the command line, the site, the test kit and notebooks
agree on which codes there are. `settings.py` reads and checks the table (`scan.py` a part of it),
`sources.py` turns its items into registries, `discovery.py` finds the registries of installed packages,
`meaning.py` says what a name that does not exist may have meant. Nothing is imported or loaded before
somebody asks, and only the standard library is needed.
"""

from __future__ import annotations

from errkit.config.discovery import GROUP, discover
from errkit.config.scan import Allowance, Scan
from errkit.config.settings import Config, Exemption, read_config
from errkit.config.sources import Source, default_sources, load_registries, load_sources

__all__ = [
    "GROUP",
    "Allowance",
    "Config",
    "Exemption",
    "Scan",
    "Source",
    "default_sources",
    "discover",
    "load_registries",
    "load_sources",
    "read_config",
]
