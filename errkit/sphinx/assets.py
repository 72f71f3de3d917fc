"""The style sheet and the scripts: copied beside those of the theme before a page is written.

An extension that adds its folder to `html_static_path` makes Sphinx report a changed configuration on every
build; this one copies its files itself. A page has the scripts that it needs: for the box that finds codes,
for examples, for a domain in parts.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from errkit.sphinx.domain import ErrorDomain
from errkit.sphinx.finding import error_find
from errkit.sphinx.labels import label

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

__all__ = ["setup_assets"]

STATIC: Final = Path(__file__).parent / "static"
CSS: Final = STATIC / "errkit.css"
SCRIPT: Final = STATIC / "errkit.js"
EXAMPLES: Final = STATIC / "errkit-examples.js"
PARTS: Final = STATIC / "errkit-parts.js"


def setup_assets(app: Sphinx) -> None:
    """Link the style sheet on every page and the script where it is wanted, and have both copied."""
    app.add_css_file(CSS.name)
    app.connect("write-started", copy_assets)
    app.connect("html-page-context", link_script)


def copy_assets(app: Sphinx, builder: Builder) -> None:
    """Copy the files: pages carry their checksums, so they must be there before those are written."""
    if builder.format == "html":
        target = Path(builder.outdir, "_static")
        target.mkdir(parents=True, exist_ok=True)
        for path in (CSS, SCRIPT, EXAMPLES, PARTS):
            shutil.copyfile(path, target / path.name)


def link_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Link the scripts on the pages that have a box, codes with their examples, or parts of a domain."""
    if doctree is None:
        return
    parts: dict[str, str] = getattr(app.env.project, "parts", {})
    if pagename in parts or pagename in parts.values():
        app.add_js_file(PARTS.name, loading_method="defer")
    if next(iter(doctree.findall(error_find)), None) is not None:
        app.add_js_file(SCRIPT.name, loading_method="defer")
    notes = ErrorDomain.of(app.env).pages.get(pagename)
    if notes is not None and notes["codes"]:
        # Two kinds of buttons on one block would be one too many.
        copies = "sphinx_copybutton" not in app.extensions
        words: dict[str, Any] = {"data-copy": label("copy"), "data-copied": label("copied")} if copies else {}
        app.add_js_file(EXAMPLES.name, loading_method="defer", **words)
