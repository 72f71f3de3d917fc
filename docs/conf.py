"""errkit's documentation; `errkit.sphinx` adds the error pages from the registries."""

from __future__ import annotations

import sys
from pathlib import Path

import errkit

sys.path.insert(0, str(Path(__file__).parent))

project = "errkit"
author = "errkit contributors"
copyright = "2026, errkit contributors"
release = version = errkit.__version__

extensions = [
    "errkit.sphinx",
    "executed",
    "myst_nb",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

errkit_registries = [
    "errkit",
    "errkit.catalogs.agent_core",
    "errkit.catalogs.agent_device",
    "errkit.catalogs.harness",
]

# What raises each code, how it is caught, and how others get it.
errkit_sources = ["errkit"]
errkit_examples = ["python", "problem", "jsonrpc", "mcp"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# `executed` runs the notebooks, and keeps what they gave.
nb_custom_formats = {".notebook": ["executed.read", {}, False]}
nb_execution_mode = "off"
nb_merge_streams = True

html_theme = "furo"
html_title = "errkit"
html_static_path = ["_static"]
html_css_files = ["docs.css"]

# The docstrings of the public names are the reference. Their `single backquotes` are
# code, and links where they name one of errkit's codes.
default_role = "code_or_link"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
napoleon_google_docstring = False
napoleon_use_rtype = False

# Everything of errkit's own must resolve, except type variables and domain classes,
# which have pages of their own kind. Names of the standard library have no inventory
# here: building the documentation takes no network.
nitpick_ignore_regex = [
    ("py:.*", r"(?!errkit\.).*"),
    ("py:.*", r"errkit\.[\w.]+\.(_?[A-Z]|Facade)"),
    ("py:.*", r"errkit\.domains\.\w+\.\w+Error"),
]


def setup(app):
    app.add_role("code_or_link", code_or_link)
    app.connect("builder-inited", forget_overloads)


def forget_overloads(_app):
    """Show the signature that the page gives, not those that are for type checkers."""
    from sphinx.pycode import ModuleAnalyzer

    for module in ("errkit.codes", "errkit.errors"):
        analyzer = ModuleAnalyzer.for_module(module)
        analyzer.analyze()
        analyzer.overloads.clear()


def code_or_link(_name, rawtext, text, lineno, inliner, options=None, content=()):
    """A literal; a link to the page of the code if it names one of errkit's own."""
    from docutils import nodes
    from docutils.utils import unescape

    text = unescape(text)
    if text not in errkit.REGISTRY:
        return [nodes.literal(rawtext, text)], []
    link = inliner.document.settings.env.domains["err"].role("code")
    exact = f"errkit:{text}"
    written = f":err:code:`{exact}`"
    return link("err:code", written, exact, lineno, inliner, options or {}, content)
