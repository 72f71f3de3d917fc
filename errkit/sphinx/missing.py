"""The page for addresses that lead nowhere: `404.html`, which most web servers show by themselves.

A short link in another letter case finds its way from here, and what looks alike is offered; both is done by
`static/errkit.js` with `errors.json`. Without a script the page has a box that leads to the index, and links.
It is shown at any depth, so its addresses start at the top of the host: at the path of `errkit_base_url`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from errkit.sphinx.labels import label

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

    from errkit.sphinx.domain import ErrorDomain

__all__ = ["PAGE", "missing_page"]

PAGE: Final = "404.html"


def missing_page(domain: ErrorDomain, builder: StandaloneHTMLBuilder, language: str) -> str:
    """The text of the page."""
    catalogue, config = domain.catalogue, builder.config
    root = top_of(catalogue.settings.base_url)
    index = catalogue.index_page if catalogue.index_page in builder.env.found_docs else config.root_doc
    reference = "" if builder.name == "singlehtml" else builder.get_target_uri(index)
    title = label("missing")
    named = f"{title}: {config.project}" if config.project else title
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language.replace("_", "-"))}">\n'
        '<head>\n<meta charset="utf-8">\n<meta name="robots" content="noindex">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(named)}</title>\n"
        f'<link rel="stylesheet" href="{escape(root)}_static/errkit.css">\n'
        f'<script defer src="{escape(root)}_static/errkit.js"></script>\n</head>\n'
        '<body class="errkit-bare">\n'
        f'<main class="errkit-missing" data-errkit="missing" data-root="{escape(root)}">\n'
        f"<h1>{title}</h1>\n<p>{label('missing_why')}</p>\n"
        f'<section role="status" hidden>\n<h2>{label("missing_near")}</h2>\n<ul></ul></section>\n'
        f'<form class="errkit-find" role="search" action="{escape(root + reference)}">\n'
        f'<label for="errkit-q">{label("find")}</label>\n'
        '<input id="errkit-q" name="q" type="search" autocomplete="off" spellcheck="false">\n</form>\n'
        f'<p><a href="{escape(root + reference)}">{label("index_title")}</a> · '
        f'<a href="{escape(root)}">{label("first_page")}</a></p>\n'
        "</main>\n</body>\n</html>\n"
    )


def top_of(base_url: str) -> str:
    """The path of a site on its host, with a slash at both ends."""
    path = urlsplit(base_url).path
    return f"/{path.strip('/')}/" if path.strip("/") else "/"
