"""The style sheet: copied beside those of the theme before a page is written, never by changing a setting.

An extension that adds its folder to `html_static_path` makes Sphinx report a changed configuration on every
build; this one copies its file itself.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

__all__ = ["setup_assets"]

CSS: Final = Path(__file__).parent / "static" / "errkit.css"


def setup_assets(app: Sphinx) -> None:
    """Link the style sheet on every page, and have it copied."""
    app.add_css_file(CSS.name)
    app.connect("write-started", copy_assets)


def copy_assets(app: Sphinx, builder: Builder) -> None:
    """Copy the style sheet: pages carry its checksum, so it must be there before they are written."""
    if builder.format == "html":
        target = Path(builder.outdir, "_static", CSS.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CSS, target)
