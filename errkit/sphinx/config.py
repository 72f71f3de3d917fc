"""The settings of a site: the values of `conf.py`, filled up from `[tool.errkit]` and checked, as one record.

Reading them is a function of the values alone. What the settings name (registries, prose files) is loaded in
`catalogue.py`. No setting has a `rebuild` of Sphinx's own: what a page shows is in its digest (`digest.py`),
so a changed setting re-reads the pages that it changes and no others.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from errkit.config import read_config
from errkit.config.sources import item_fault
from errkit.fields import Record
from errkit.sphinx.conf_py import bad_setting
from errkit.sphinx.examples import NAMES
from errkit.sphinx.reports import meant, near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from errkit.config import Allowance

__all__ = ["Settings", "read_settings", "setup_config"]

PLACEHOLDERS: Final = ("{path}", "{line}", "{module}")


class Settings(Record):
    """The checked settings of one build."""

    items: tuple[object, ...] = ()
    """What to show, in order, as `load_sources` takes it; empty for what errkit brings itself."""
    root: Path
    """The folder that paths of catalogue files start from."""
    markup: str = "rst"
    """The markup of prose in modules that have no registry of their own."""
    docs_prefix: str = "errors"
    """The folder of the pages inside the site; may be empty."""
    prose: Path | None = None
    """The folder of prose files that replace docstrings."""
    base_url: str = ""
    """Where the site is published, with a slash at its end; empty if it is not known."""
    source_url: str = ""
    """The address of a source file, with the placeholders `{path}`, `{line}` and `{module}`."""
    edit_url: str = ""
    """The address at which a source file can be edited, with the same placeholders."""
    prose_url: str = ""
    """The address at which a prose file can be edited; `{path}` starts at the prose folder."""
    sources: tuple[Path, ...] = ()
    """Files and folders in which to look for what raises each code; empty to look for nothing."""
    allowed: tuple[Allowance, ...] = ()
    """What the project allows a scan of its source to find."""
    lock: Path | None = None
    """The lock, which knows what was removed; None if there is none."""
    examples: tuple[str, ...] = ()
    """What stands beside the payload of a code: some of `examples.NAMES`."""
    audience: Literal["internal", "public"] = "internal"
    """`public` leaves out every code that is not public, everywhere."""
    pages: bool = True
    """Whether pages exist for the index and each domain without a file in the source folder."""
    language: str = "en"


def setup_config(app: Sphinx) -> None:
    """Declare the configuration values."""
    for name, default, kinds, description in (
        ("errkit_registries", None, {list, tuple}, "The registries to show; else those of [tool.errkit]."),
        ("errkit_docs_prefix", "errors", {str}, "The folder of the pages inside the site."),
        ("errkit_prose", None, {str, Path}, "A folder of prose files, <domain>/<code>.rst, .md or .txt."),
        ("errkit_base_url", None, {str}, "The address at which the site is published."),
        ("errkit_source_url", "", {str}, "The address of a source file: {path}, {line}, {module}."),
        ("errkit_edit_url", "", {str}, "The address to edit a source file: {path}, {line}, {module}."),
        ("errkit_prose_url", "", {str}, "The address to edit a prose file: {path}, from the prose folder."),
        ("errkit_sources", None, {list, tuple}, "Packages or paths in which codes are raised."),
        ("errkit_lock", None, {str, Path}, "The lock file, which knows what was removed."),
        ("errkit_examples", [], {list, tuple}, "What stands beside each payload: 'python', dialects."),
        ("errkit_audience", "internal", {str}, "'internal' or 'public'."),
        ("errkit_pages", True, {bool}, "Whether pages appear by themselves."),
    ):
        app.add_config_value(name, default, "", types=frozenset(kinds), description=description)


def read_settings(config: Config, root: Path) -> Settings:
    """The settings that `conf.py` and `[tool.errkit]` give.

    Parameters
    ----------
    config
        The configuration of the Sphinx project.
    root
        The folder of `conf.py`.

    Raises
    ------
    CodedError
        `errkit.bad_config`, naming the value, what was found and what belongs there.
    """
    try:
        return _settings(config, root)
    except _MisfitError as misfit:
        raise bad_setting(misfit.key, misfit.problem, root) from None


def _settings(config: Config, root: Path) -> Settings:
    project = read_config(root)
    listed = config.errkit_registries
    prose = config.errkit_prose
    sources = config.errkit_sources
    base_url = _first(config.errkit_base_url, project.base_url, config.html_baseurl)
    _expect(isinstance(base_url, str), "errkit_base_url", base_url, "an address")
    _expect(isinstance(config.errkit_pages, bool), "errkit_pages", config.errkit_pages, "True or False")
    return Settings(
        items=project.registries if listed is None else _items(listed),
        root=project.root if listed is None else root,
        markup=project.markup,
        docs_prefix=_folder("errkit_docs_prefix", config.errkit_docs_prefix),
        prose=project.prose_folder() if prose is None else _prose_folder(prose, root),
        base_url=base_url if not base_url or base_url.endswith("/") else f"{base_url}/",
        source_url=_pattern("errkit_source_url", config.errkit_source_url),
        edit_url=_pattern("errkit_edit_url", config.errkit_edit_url),
        prose_url=_pattern("errkit_prose_url", config.errkit_prose_url, PLACEHOLDERS[:1]),
        sources=project.scan.paths if sources is None else _sources(sources, root),
        allowed=project.scan.allow,
        lock=_lock(config.errkit_lock, project.lock, root),
        examples=_examples(config.errkit_examples),
        audience=_audience(config.errkit_audience),
        pages=config.errkit_pages,
        language=config.language,
    )


def _first(*values: Any) -> Any:
    return next((value for value in values if value), "")


def _items(listed: object) -> tuple[object, ...]:
    expected = "a list of module names, `module:attr`, catalogue paths or {registry, prefix}"
    _expect(isinstance(listed, (list, tuple)), "errkit_registries", listed, expected)
    assert isinstance(listed, (list, tuple))
    for item in listed:
        fault = item_fault(item)
        if fault is not None:
            _expect(False, "errkit_registries", item, " ".join(fault).strip())
    return tuple(listed)


def _folder(key: str, value: object) -> str:
    fits = isinstance(value, str) and not re.search(r"(^|/)\.\.?(/|$)|[\\\0?#%*]", value)
    _expect(fits, key, value, "a relative folder such as 'errors'")
    return str(value).strip("/")


def _prose_folder(value: object, root: Path) -> Path | None:
    if not value:
        return None
    _expect(isinstance(value, (str, Path)), "errkit_prose", value, "a folder")
    folder = root / str(value)
    _expect(folder.is_dir(), "errkit_prose", str(value), f"a folder below {root}", _beside(folder))
    return folder


def _pattern(key: str, value: object, known: tuple[str, ...] = PLACEHOLDERS) -> str:
    _expect(isinstance(value, str), key, value, "an address")
    unknown = set(re.findall(r"\{[^}]*\}", str(value))) - set(known)
    _expect(not unknown, key, value, f"no placeholders but {', '.join(known)}")
    return str(value)


def _sources(listed: object, root: Path) -> tuple[Path, ...]:
    expected = "a list of packages, or of paths"
    _expect(isinstance(listed, (list, tuple)), "errkit_sources", listed, expected)
    assert isinstance(listed, (list, tuple))
    found = []
    for item in listed:
        _expect(isinstance(item, (str, Path)) and bool(item), "errkit_sources", item, expected)
        path = _package(str(item)) or root / item
        wanted = f"a package that is installed, or a path below {root}"
        _expect(path.exists(), "errkit_sources", item, wanted, _beside(path))
        found.append(path)
    return tuple(found)


def _package(name: str) -> Path | None:
    """Where a package or module stands; nothing of it is imported."""
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    top, *rest = name.split(".")
    try:
        spec = find_spec(top)
    except ValueError:
        # A module that came from nowhere, such as `__main__`.
        return None
    if spec is None:
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin) if spec.origin and not rest else None
    for folder in spec.submodule_search_locations:
        path = Path(folder, *rest)
        for found in (path, path.with_suffix(".py")):
            if found.exists():
                return found
    return None


def _lock(value: object, usual: Path, root: Path) -> Path | None:
    if value is None:
        return usual if usual.is_file() else None
    _expect(isinstance(value, (str, Path)), "errkit_lock", value, "a file")
    if not value:
        return None
    path = root / str(value)
    _expect(path.is_file(), "errkit_lock", str(value), f"a file below {root}", _beside(path))
    return path


def _examples(listed: object) -> tuple[str, ...]:
    expected = f"a list of some of {', '.join(NAMES)}"
    _expect(isinstance(listed, (list, tuple)), "errkit_examples", listed, expected)
    assert isinstance(listed, (list, tuple))
    for name in listed:
        _expect(name in NAMES, "errkit_examples", name, expected, _alike(name, NAMES))
    return tuple(dict.fromkeys(listed))


def _audience(value: object) -> Literal["internal", "public"]:
    audiences: tuple[Literal["internal", "public"], ...] = ("internal", "public")
    _expect(value in audiences, "errkit_audience", value, "'internal' or 'public'", _alike(value, audiences))
    return audiences[value == "public"]


class _MisfitError(Exception):
    """A value does not fit."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(key, problem)
        self.key = key
        self.problem = problem


def _expect(fits: bool, key: str, found: object, expected: str, near: Iterable[str] = ()) -> None:
    if not fits:
        raise _MisfitError(key, f"expected {expected}, found {found!r}{meant(near)}")


def _alike(name: object, known: Iterable[str]) -> list[str]:
    return near_names(name, known) if isinstance(name, str) else []


def _beside(path: Path) -> Iterator[str]:
    """What looks like a path in the folder that it should be in; looked for when it is asked for."""
    with suppress(OSError, ValueError):
        yield from near_names(path.name, (found.name for found in path.parent.iterdir()))
