"""The documentation of the bikes; it is built where pyproject.toml is."""

project = "bikes"
extensions = ["errkit.sphinx", "myst_parser"]
html_theme = "basic"
