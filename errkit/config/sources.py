"""From the items of `registries` to registries: modules, attributes of modules, catalogue files.

An item that can't be used is refused with what was tried, why it failed and what may have been meant. A
module is imported as its user would import it; where it is searched (`sys.path`) is the caller's business.
"""

from __future__ import annotations

import difflib
import importlib
import os
import pkgutil
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from errkit.errors import CodedError, home_registry
from errkit.fields import Record
from errkit.own import ErrkitError
from errkit.registry import REGISTRY, Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType, TracebackType

__all__ = ["Source", "default_sources", "item_fault", "load_registries", "load_sources"]

CATALOGS: Final = ("errkit.catalogs.agent_core", "errkit.catalogs.agent_device", "errkit.catalogs.harness")
SUFFIXES: Final = (".json", ".toml")
_MODULE: Final = re.compile(r"(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)*)(?::(?P<attribute>\w+(?:\.\w+)*))?")
_PREFIX: Final = re.compile(r"(?:[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)?")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


class Source(Record):
    """A registry that a project names, and how it named it."""

    registry: Registry
    prefix: str | None = None
    """Stands between the site's prefix and the pages of its domains; None leaves that to the site."""
    item: str = ""
    """The item as written, for messages."""


def load_registries(items: Iterable[object], *, root: str | os.PathLike[str] | None = None) -> list[Registry]:
    """The registries that some items name, in their order; see `load_sources`."""
    return [source.registry for source in load_sources(items, root=root)]


def load_sources(
    items: Iterable[object], *, root: str | os.PathLike[str] | None = None, markup: str = "rst"
) -> list[Source]:
    """The registries that some items name, in their order.

    Parameters
    ----------
    items
        Each is a module (its one `Registry`, else all domains defined in it and its submodules),
        `module:attribute`, the path of a catalogue file, a `Registry`, or a mapping with `registry` and, if
        wanted, `prefix` and `name`.
    root
        The folder that paths of catalogue files start from; the current folder if not given.
    markup
        The markup of prose in modules that have no registry of their own.

    Raises
    ------
    CodedError
        `errkit.bad_source`, naming the item and the reason, with the failure itself as cause.
    """
    folder = Path(os.fspath(root) if root is not None else os.curdir)
    sources = [_load(item, folder, markup) for item in items]
    named: dict[str, Source] = {}
    for source in sources:
        other = named.setdefault(source.registry.name, source)
        if other is not source:
            _refuse(
                source.item,
                f"a registry called {source.registry.name!r} is there already, from {other.item}; "
                f"name one of them, as in {{ registry = {source.item!r}, name = 'another' }}",
            )
    return sources


def default_sources() -> list[Source]:
    """What there is without any project: errkit's own codes and ready-made domains, and the catalogues."""
    return load_sources(["errkit", *CATALOGS])


def item_fault(item: object) -> tuple[str, str] | None:
    """What is wrong with the form of an item: the key at fault, if it is one, and the problem."""
    if isinstance(item, (str, Registry)):
        return None if isinstance(item, Registry) or item.strip() else ("", "is empty")
    if not isinstance(item, Mapping):
        expected = (
            "expected a module, module:attribute, a catalogue path, or a table with registry and prefix"
        )
        return "", f"{expected}; found {type(item).__name__}"
    for key in item:
        if key not in ("registry", "prefix", "name"):
            return str(key), "is no key here; there are registry, prefix, name"
    if not isinstance(item.get("registry"), (str, Registry)):
        return "registry", "expected a module, module:attribute or a catalogue path"
    for key, grammar in (("prefix", _PREFIX), ("name", _NAME)):
        value = item.get(key)
        if value is not None and (not isinstance(value, str) or grammar.fullmatch(value) is None):
            return key, f"expected letters, digits, _ and -, found {value!r}"
    return None


def _load(item: Any, root: Path, markup: str) -> Source:
    fault = item_fault(item)
    if fault is not None:
        key, problem = fault
        _refuse(_shown(item), f"{key}: {problem}" if key else problem)
    if isinstance(item, Mapping):
        registry = _renamed(_find(item["registry"], root, markup), item.get("name"))
        return Source(registry=registry, prefix=item.get("prefix"), item=_shown(item["registry"]))
    return Source(registry=_find(item, root, markup), item=_shown(item))


def _shown(item: object) -> str:
    return item if isinstance(item, str) else item.name if isinstance(item, Registry) else repr(item)


def _renamed(registry: Registry, name: str | None) -> Registry:
    if name is None or name == registry.name:
        return registry
    return _like(registry, name, registry.markup).include(registry)


def _like(home: Registry, name: str, markup: str) -> Registry:
    return Registry(name, markup=markup, base_url=home.base_url, headings=home.headings)


def _find(item: str | Registry, root: Path, markup: str) -> Registry:
    if isinstance(item, Registry):
        return item
    if item.lower().endswith(SUFFIXES):
        return _from_file(item, root)
    match = _MODULE.fullmatch(item)
    if match is None:
        _refuse(item, f"is neither a module nor a catalogue file{_meant_instead(item)}")
    try:
        module = _import(item, match["module"])
        if match["attribute"] is None:
            return _from_module(item, module, markup)
        return _from_attribute(item, module, match["attribute"], markup)
    except CodedError as error:
        if error.code == ErrkitError.BAD_SOURCE:
            raise
        apart = "; list its modules one by one" if error.code == ErrkitError.CLASH else ""
        _refuse(item, f"{error}{apart}", error)


def _meant_instead(item: str) -> str:
    plain = re.sub(r"[\\/]+", ".", item.removesuffix(".py")).strip(".")
    if _MODULE.fullmatch(plain):
        return f"; did you mean the module {plain!r}?"
    return "; a catalogue ends in .json or .toml, a module is named with dots"


# --- catalogue files ----------------------------------------------------------------------------------------


def _from_file(item: str, root: Path) -> Registry:
    if "://" in item:
        _refuse(item, "is an address; download the catalogue and name the file")
    path = root / item
    if not path.exists():
        others = [found.name for found in _files(path.parent)]
        near = difflib.get_close_matches(path.name, others, n=1, cutoff=0.5)
        _refuse(item, f"there is no file {path}{_did_you_mean(near)}")
    try:
        return Registry.load(path)
    except CodedError as error:
        _refuse(item, str(error), error)


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES]
    except OSError:
        return []


# --- modules ------------------------------------------------------------------------------------------------


def _import(item: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            way_out = _in_src(missing) or _did_you_mean(_near_modules(missing))
            _refuse(item, f"there is no module {missing!r}{way_out}", error)
        _refuse(
            item,
            f"{name} needs the module {missing!r}, which is not installed{_place(error)}",
            error,
            hint=f"Install {missing.partition('.')[0]} where errkit runs.",
        )
    except (Exception, SystemExit) as error:
        said = (
            f"[{error.code}] {error}" if isinstance(error, CodedError) else f"{type(error).__name__}: {error}"
        )
        hint = f'Correct what fails there; python -c "import {name}" shows all of it.'
        _refuse(item, f"{name} can't be imported: {said}{_place(error)}", error, hint=hint)


def _in_src(name: str) -> str:
    """How to reach a module that the project keeps in `src`, which nothing puts on Python's path."""
    there = Path("src", name)
    if not (there.is_dir() or there.with_suffix(".py").is_file()):
        return ""
    return f"; {there} is not on Python's path: install the project (pip install -e .), or set PYTHONPATH=src"


def _near_modules(name: str) -> list[str]:
    parent, _, last = name.rpartition(".")
    home = sys.modules.get(parent)
    if last == "py" and parent:
        return [parent]
    path = getattr(home, "__path__", ()) if parent else None
    names = {found.name for found in pkgutil.iter_modules(path)}
    near = difflib.get_close_matches(last, sorted(names), n=2, cutoff=0.7)
    return [f"{parent}.{found}" if parent else found for found in near]


def _did_you_mean(near: list[str]) -> str:
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _place(error: BaseException) -> str:
    """The line of the user's own code at which an import failed."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" (at {error.filename}:{error.lineno})"
    found = ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(_NOT_THE_USERS):
            found = f" (at {file}:{trace.tb_lineno})"
        trace = trace.tb_next
    return found


_NOT_THE_USERS: Final = (
    "<",
    os.path.dirname(os.path.dirname(__file__)) + os.sep,
    os.path.dirname(importlib.__file__) + os.sep,
)


def _from_module(item: str, module: ModuleType, markup: str) -> Registry:
    if module.__name__ == "errkit":
        return _ready_made()
    own = _own_registries(module)
    if len(own) == 1:
        if not len(own[0]):
            list(_submodules(item, module))
        return own[0]
    list(_submodules(item, module))
    classes = _defined_in(module.__name__) or list(_gathered_in(module))
    if not classes:
        _refuse(item, f"{module.__name__} declares no code: it has no Registry and no class with domain=")
    return _gathered(module.__name__.rpartition(".")[2], classes, markup)


def _ready_made() -> Registry:
    """The default registry, once errkit's own codes and its ready-made domains are in it."""
    try:
        domains = importlib.import_module("errkit.domains")
    except ModuleNotFoundError:
        return REGISTRY
    list(_submodules("errkit", domains))
    return REGISTRY


def _own_registries(module: ModuleType) -> list[Registry]:
    """The registries among the attributes of a module; the default one belongs to nobody."""
    values = [*vars(module).values(), getattr(module, "REGISTRY", None)]
    found = {id(value): value for value in values if isinstance(value, Registry) and value is not REGISTRY}
    return list(found.values())


def _submodules(item: str, module: ModuleType) -> Iterator[ModuleType]:
    """Import all modules below a package, by name."""
    for found in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{module.__name__}."):
        if found.name.rpartition(".")[2] != "__main__":
            submodule = _import(item, found.name)
            yield submodule
            yield from _submodules(item, submodule)


def _defined_in(name: str) -> list[type[CodedError]]:
    """The domain classes that a module or one below it defines, in the order of their registration."""
    homes = {id(home): home for home in map(home_registry, _subclasses(CodedError))}
    return [
        domain.cls
        for home in homes.values()
        for domain in home.domains
        if f"{domain.cls.__module__}.".startswith(f"{name}.") and home_registry(domain.cls) is home
    ]


def _subclasses(cls: type[CodedError]) -> Iterator[type[CodedError]]:
    for found in cls.__subclasses__():
        yield found
        yield from _subclasses(found)


def _gathered_in(module: ModuleType) -> Iterator[type[CodedError]]:
    """The domain classes that a module gathers from elsewhere, as one with a facade does."""
    values = [value for value in vars(module).values() if isinstance(value, type)]
    bases = dict.fromkeys(base for value in values for base in value.__mro__ if _is_domain(base))
    yield from (base for base in bases if base.__module__ != "errkit.own")


def _gathered(name: str, classes: list[type[CodedError]], markup: str) -> Registry:
    home = home_registry(classes[0])
    own = home.markup if home is not REGISTRY else markup
    return _like(home, name, own).include(*classes)


def _from_attribute(item: str, module: ModuleType, path: str, markup: str) -> Registry:
    value = _attribute(item, module, path)
    if isinstance(value, Registry):
        return value
    classes = _domain_classes(value)
    if not classes:
        _refuse(item, f"{path} is {_label(value)}; expected a Registry or a class with domain=")
    return _gathered(module.__name__.rpartition(".")[2], classes, markup)


def _attribute(item: str, module: ModuleType, path: str) -> Any:
    value: Any = module
    for name in path.split("."):
        try:
            value = getattr(value, name)
        except AttributeError as error:
            near = difflib.get_close_matches(name, [found for found in dir(value) if found[:1] != "_"], n=2)
            _refuse(item, f"{_label(value)} has no attribute {name!r}{_did_you_mean(near)}", error)
    return value


def _domain_classes(value: object) -> list[type[CodedError]]:
    """A domain class itself, those that a facade inherits, or those that derive from a common base."""
    if not (isinstance(value, type) and issubclass(value, CodedError)):
        return []
    above: list[type[CodedError]] = [base for base in value.__mro__ if _is_domain(base)]
    return above or [cls for cls in _subclasses(value) if _is_domain(cls)]


def _is_domain(cls: type) -> bool:
    return vars(cls).get("__domain__") is not None


def _label(value: object) -> str:
    name = getattr(value, "__name__", "")
    return name if isinstance(name, str) and name else f"a {type(value).__name__}"


def _refuse(item: str, problem: str, cause: BaseException | None = None, hint: str | None = None) -> NoReturn:
    error = ErrkitError.BAD_SOURCE(f"{item}: {problem}", item=item, problem=problem)
    hint = (cause.hint if isinstance(cause, CodedError) else None) or hint
    raise (error.override(hint=hint) if hint else error) from cause
