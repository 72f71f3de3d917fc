"""The reference site of a registry: `extensions = ["errkit.sphinx"]`.

Pages appear from the registries that the project uses, with nothing written into the source folder. `setup`
only connects; each part of the extension is a room of its own with a `setup_<part>`:

`config` and `conf_py` (settings), `reading`, `texts` and `catalogue` (what this build shows), `markup`
(prose), `render` (nodes from records), `nodes` and `html` (HTML from nodes), `stock` (all other formats),
`directives`, `domain` and `notes` (roles, index, inventory), `pages` (pages without files), `search`, `shown`
and `digest` (what is out of date), `finding` (the box on the index), `examples` and `tabs` (how a code
looks), `raised` and `python_links` (who raises it), `overview` (the map), `publish` (short links,
`errors.json`), `gone` and `tombstones` (what was removed), `memory` (what is let go of meanwhile).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__all__ = ["setup"]

ENV_VERSION = 1
"""The version of what the environment keeps for the extension."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension to a Sphinx application."""
    from errkit.sphinx import (
        assets,
        catalogue,
        config,
        digest,
        domain,
        finding,
        labels,
        markup,
        memory,
        nodes,
        overview,
        pages,
        publish,
        reading,
        search,
        stock,
    )

    config.setup_config(app)
    labels.setup_labels(app)
    reading.setup_reading(app)
    memory.setup_memory(app)
    markup.setup_markup(app)
    nodes.setup_nodes(app)
    stock.setup_stock(app)
    overview.setup_overview(app)
    finding.setup_finding(app)
    domain.setup_domain(app)
    pages.setup_pages(app)
    digest.setup_digest(app)
    search.setup_search(app)
    assets.setup_assets(app)
    publish.setup_publish(app)
    return {
        "version": catalogue.VERSION,
        "env_version": ENV_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
