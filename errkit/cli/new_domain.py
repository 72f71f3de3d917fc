"""`errkit new`: a domain to start from, with its module, its test and its prose.

Only new files are written. Settings are printed, for a file that people have formatted is theirs to edit.
What stands in the files is in `scaffolding.py`.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from errkit.catalog_file import json_text
from errkit.cli.items import resolve
from errkit.cli.scaffolding import Scaffold, class_stem, files_of, free_range, overlap
from errkit.cli.screen import note, show, show_raw
from errkit.config import load_registries
from errkit.declaring import check_code, fold
from errkit.lock import read_lock
from errkit.own import ErrkitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from errkit.codes import DomainSpec
    from errkit.config import Config, Source
    from errkit.registry import Registry

__all__ = ["new_domain"]

_FIRST: Final = range(1000, 1100)
"""The numbers of the first domain of a project."""


@click.command(
    "new",
    epilog="\b\nExamples:\n  errkit new shop.cart\n  errkit new shop.cart --numbers 1000-1099 --details\n"
    "  errkit new shop.cart --package shop.domains --prose docs/errors",
    short_help="Start a domain: its module, its test, its prose.",
)
@click.argument("domain")
@click.option("--package", help="The package of its module; for shop.cart it is shop.errors if not given.")
@click.option(
    "--numbers",
    metavar="FIRST-LAST",
    help="The numbers of its codes, or 'none'; the next that the project has free if not given.",
)
@click.option("--details", is_flag=True, help="Give the first code details.")
@click.option("--prose", metavar="FOLDER", help="Write a prose file below this folder, instead of `prose`.")
@click.option("--json", "as_json", is_flag=True, help="Print an object.")
def new_domain(
    domain: str, package: str | None, numbers: str | None, details: bool, prose: str | None, as_json: bool
) -> int:
    """Start the domain DOMAIN, such as shop.cart: a module with a first code, its test, and a prose file
    where the project has a folder of those.

    Nothing is overwritten. The settings to add to pyproject.toml are printed.
    """
    sources, config = _project()
    _check_name(domain, sources)
    package = package or f"{domain.partition('.')[0].lower()}.errors"
    _check_package(package)
    plan = Scaffold(
        domain=domain,
        package=package,
        module=_module_name(domain, package),
        stem=class_stem(domain),
        numbers=_numbers(numbers, sources, config),
        details=details,
        registry=_registry_of(package, sources),
        source=_source_folder(config.root, package),
        prose=prose or _from(config.root, config.prose),
        markup=config.markup,
    )
    written = _write(config.root, dict(files_of(plan)))
    settings = _settings(plan, config, asked=prose)
    if as_json:
        show_raw(json_text(_data(plan, written, settings)))
    else:
        _tell(plan, written, settings, config)
    return 0


def _project() -> tuple[list[Source], Config]:
    """The registries of the project, none where it names none, and its settings."""
    sources, config = resolve([])
    return (sources if config.registries else []), config


# --- what is asked for --------------------------------------------------------------------------------------


def _check_name(domain: str, sources: Sequence[Source]) -> None:
    fault = check_code(domain)
    if not fault and not all(re.match("[A-Za-z]", segment) for segment in domain.split(".")):
        fault = f"{domain!r} starts a segment with no letter, so no module can have its name"
    if not fault and domain.rpartition(".")[2].lower() in ("md", "rst"):
        fault = f"{domain!r} ends in the suffix of a source file"
    if fault:
        raise click.BadParameter(f"{fault}.", param_hint="DOMAIN")
    for taken in [*(source.registry for source in sources), *_ready_made()]:
        known = taken.domain(domain)
        if known is not None:
            raise click.BadParameter(
                f"{domain!r} is a domain of {taken.name} already{_place(known)}.", param_hint="DOMAIN"
            )
        for spec in taken:
            if fold(spec.code) == fold(f"{domain}.not_found"):
                raise click.BadParameter(
                    f"its first code would share its anchor with {spec.code} of {taken.name}.",
                    param_hint="DOMAIN",
                )


def _place(known: DomainSpec) -> str:
    return f", declared in {known.cls.__module__}" if known.cls.__module__ else ""


def _ready_made() -> list[Registry]:
    """What stands in the default registry as soon as errkit's domains are used."""
    return load_registries(["errkit"])


def _check_package(package: str) -> None:
    for name in package.split("."):
        if not name.isidentifier() or keyword.iskeyword(name):
            raise click.BadParameter(
                f"{package!r} can't be imported: {name!r} is no name of a module.", param_hint="--package"
            )


def _module_name(domain: str, package: str) -> str:
    first, *others = domain.lower().split(".")
    return "_".join(others if others and package.partition(".")[0] == first else [first, *others])


def _numbers(asked: str | None, sources: Sequence[Source], config: Config) -> range | None:
    if asked == "none":
        return None
    domains = [domain for source in sources for domain in source.registry.domains]
    foreign = [domain for registry in _ready_made() for domain in registry.domains]
    owners = {domain.numbers: domain for domain in [*domains, *foreign] if domain.numbers is not None}
    own = [domain.numbers for domain in domains if domain.numbers is not None]
    free = free_range(list(owners), _retired(config, sources), own)
    if asked is None:
        return free if domains else _FIRST
    wanted = _range(asked)
    for numbers, owner in owners.items():
        if overlap(wanted, numbers):
            instead = f"; free are {_shown(free)}" if free else ""
            raise click.BadParameter(
                f"{asked} overlaps {_shown(numbers)} of {owner.domain}{instead}.", param_hint="--numbers"
            )
    return wanted


def _range(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise click.BadParameter(f"expected FIRST-LAST, found {text!r}.", param_hint="--numbers")
    return range(int(match[1]), int(match[2]) + 1)


def _shown(numbers: range) -> str:
    return f"{numbers.start}-{numbers.stop - 1}"


def _retired(config: Config, sources: Sequence[Source]) -> set[int]:
    if not config.lock.exists():
        return set()
    lock = read_lock(config.lock)
    gone = (item.number for source in sources for item in lock.retired(source.registry.name))
    return {number for number in gone if number is not None}


# --- where it goes ------------------------------------------------------------------------------------------


def _source_folder(root: Path, package: str) -> str:
    top = package.partition(".")[0]
    source = "src" if (root / "src").is_dir() and not (root / top).is_dir() else ""
    folder = root / source
    for name in package.split("."):
        folder /= name
        plain = folder.with_suffix(".py")
        if plain.exists():
            _refuse(plain, "is a plain module, and no package can stand beside it")
    return source


def _registry_of(package: str, sources: Sequence[Source]) -> tuple[str, str]:
    """The module and the name of the registry that the project keeps for this package, if it has one."""
    for source in sources:
        home = source.item.partition(":")[0]
        if not f"{package}.".startswith(f"{home}."):
            continue
        for name, value in vars(sys.modules.get(home, object)).items():
            if value is source.registry and name.isidentifier():
                return home, name
    return "", ""


def _from(root: Path, path: Path | None) -> str:
    return "" if path is None else Path(os.path.relpath(path, root)).as_posix()


def _write(root: Path, files: Mapping[str, str]) -> list[str]:
    """Write those files that are new; none at all if one is in the way."""
    # A folder that is there without an __init__.py is so for a reason.
    missing = {
        file: text for file, text in files.items() if not _is_init(file) or not (root / file).parent.exists()
    }
    for file in missing:
        if os.path.lexists(root / file):
            _refuse(root / file, "is there already")
    written: list[str] = []
    try:
        for file, text in missing.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            with open(root / file, "x", encoding="utf-8") as stream:
                written.append(file)
                stream.write(text)
    except OSError as error:
        for name in written:
            (root / name).unlink(missing_ok=True)
        _refuse(Path(error.filename or root), f"can't be written: {error.strerror or error}", error)
    return written


def _is_init(file: str) -> bool:
    return file.endswith("__init__.py")


def _refuse(path: Path, problem: str, cause: OSError | None = None) -> NoReturn:
    raise ErrkitError.NOT_STARTED(f"{path}: {problem}", path=str(path), problem=problem) from cause


# --- what is left to do -------------------------------------------------------------------------------------


def _settings(plan: Scaffold, config: Config, *, asked: str | None) -> str:
    """The lines for pyproject.toml that make the domain count; empty if it counts already."""
    lines: list[str] = []
    if not any(_covers(item, plan) for item in config.registries):
        items = [*map(_toml, config.registries), _toml(plan.package)]
        lines.append(f"registries = [{', '.join(items)}]")
    if asked and _from(config.root, config.prose) != asked:
        lines.append(f"prose = {_toml(asked)}")
    tables = ["\n".join(["[tool.errkit]", *lines])] if lines else []
    if _needs_path(config.root):
        tables.append(f"[tool.pytest.ini_options]\npythonpath = [{_toml(plan.source or '.')}]")
    return "\n\n".join(tables) + "\n" if tables else ""


def _covers(item: Any, plan: Scaffold) -> bool:
    text = item if isinstance(item, str) else item["registry"]
    return isinstance(text, str) and f"{plan.package}.{plan.module}.".startswith(f"{text.partition(':')[0]}.")


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json_text(value).strip()
    return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in value.items())} }}"


def _needs_path(root: Path) -> bool:
    """Whether pytest would not find the package: it is not installed, and nobody said where it is."""
    try:
        found = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return True
    options = found.get("tool", {}).get("pytest", {})
    return "build-system" not in found and "pythonpath" not in {**options, **options.get("ini_options", {})}


def _next(plan: Scaffold) -> Iterable[str]:
    home, registry = plan.registry
    module = f"{plan.package}.{plan.module}"
    if registry:
        yield f"import {module} in {home}, below the line that makes {registry}"
    yield f"write your codes, then: errkit check {module}"


def _data(plan: Scaffold, written: list[str], settings: str) -> dict[str, Any]:
    return {
        "domain": plan.domain,
        "module": f"{plan.package}.{plan.module}",
        "class": f"{plan.stem}Error",
        "numbers": None if plan.numbers is None else [plan.numbers.start, plan.numbers.stop - 1],
        "written": written,
        "settings": settings,
        "next": list(_next(plan)),
    }


def _tell(plan: Scaffold, written: list[str], settings: str, config: Config) -> None:
    for file in written:
        show(os.path.relpath(config.root / file), lines=False)
    if settings:
        note("add to pyproject.toml:")
        show()
        show(settings.rstrip("\n"))
    if plan.numbers is not None:
        note(f"its codes have the numbers {_shown(plan.numbers)}")
    for line in _next(plan):
        note(line)
