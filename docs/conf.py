"""errkit's own documentation; `errkit.sphinx` adds the error pages from the live registries."""

from __future__ import annotations

import errkit

project = "errkit"
author = "errkit contributors"
copyright = "2026, errkit contributors"
release = version = errkit.__version__

extensions = [
    "errkit.sphinx",
    "myst_parser",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

errkit_registries = [
    "errkit.own",
    "errkit.domains",
    "errkit.catalogs.agent_core",
    "errkit.catalogs.agent_device",
    "errkit.catalogs.harness",
]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "errkit"
