"""One build of a site, by Sphinx with `errkit.sphinx` and a landing page, in this process.

What was built last is the start, and only what has changed since is built; `remembering.py` keeps it. The
result lies in the workplace until `publishing.py` puts it in place.
"""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sphinx.application import Sphinx

    from errkit.cli.remembering import Memory
    from errkit.config import Config, Source

__all__ = ["Built", "Plan", "build"]


class Plan(NamedTuple):
    """What the site is to show, and how."""

    title: str
    theme: str
    sources: Sequence[Source]
    config: Config


class Built(NamedTuple):
    """What a build has made."""

    site: Path
    warnings: list[str]
    """What the builder warned of, one line each."""
    failure: Exception | None
    """What ended the build before its time."""


def build(work: Path, plan: Plan, memory: Memory) -> Built:
    """Build below the workplace."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    memory.recall()
    source, site = memory.source, memory.state / "site"
    count = sum(len(each.registry) for each in plan.sources)
    _write(source / "index.rst", _landing_page(plan.title, count))
    warnings, failure = io.StringIO(), None
    try:
        with patch_docutils(source), docutils_namespace():
            app = Sphinx(
                source,
                None,
                site,
                memory.state / "doctrees",
                "html",
                settings(plan),
                status=None,
                warning=warnings,
            )
            _stay_clean(app, site)
            app.build()
    except Exception as error:
        failure = error
    return Built(site, _lines(warnings.getvalue(), (source, work)), failure)


def _stay_clean(app: Sphinx, site: Path) -> None:
    """Let a site whose pages or their titles change be as if it were built at once.

    Sphinx leaves the files of pages that are gone, and lists of pages on those that have not changed.
    """
    before = _titles(app)

    def rewrite(_: object, __: object) -> list[str]:
        after = _titles(app)
        if before == after:
            return []
        (site / "searchindex.js").unlink(missing_ok=True)
        for page in before.keys() - after.keys():
            (site / f"{page}.html").unlink(missing_ok=True)
        return sorted(after)

    app.connect("env-get-updated", rewrite)


def _titles(app: Sphinx) -> dict[str, str]:
    return {page: title.astext() for page, title in app.env.titles.items()}


def _write(path: Path, text: str) -> None:
    """Write a page, unless it says so already: then it is not read again."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def settings(plan: Plan) -> dict[str, Any]:
    """What `conf.py` would hold."""
    prose = plan.config.prose_folder()
    return {
        "extensions": ["errkit.sphinx"],
        "project": plan.title,
        "html_title": plan.title,
        "html_theme": plan.theme,
        "html_copy_source": False,
        "html_show_copyright": False,
        "html_show_sourcelink": False,
        "errkit_registries": [{"registry": each.registry, "prefix": each.prefix} for each in plan.sources],
        "errkit_prose": None if prose is None else str(prose),
        "errkit_base_url": plan.config.base_url,
    }


_SHORT: Final = 200
"""So many codes are listed on the landing page itself."""


def _landing_page(title: str, count: int) -> str:
    """The one page that has a file: the title, and the codes or, of a large site, the domains."""
    words = " ".join(title.split())
    literal = "".join(letter if letter.isalnum() or letter == " " else f"\\{letter}" for letter in words)
    line = "=" * (4 * len(literal))
    listed = ".. err:table::" if count <= _SHORT else ".. err:registry::"
    return f"{line}\n{literal}\n{line}\n\n.. toctree::\n   :hidden:\n\n   errors/index\n\n{listed}\n"


def _lines(text: str, gone: tuple[Path, ...]) -> list[str]:
    """The warnings, one line each, without colours and without folders that mean nothing to a reader."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for folder in gone:
        plain = plain.replace(f"{folder}{os.sep}", "")
    return [line for line in plain.splitlines() if line.strip()]
