"""The order of the house: who may import whom, and when; what each file must open with."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "errkit"

FIRST_FLOOR = (
    "fields",
    "asking",
    "typed",
    "codes",
    "declaring",
    "errors",
    "guards",
    "tables",
    "registry",
    "own",
    "redaction",
    "safe",
    "reading",
    "decoding",
    "jsontext",
    "frames",
    "encoding",
    "payload",
    "pickling",
    "message",
    "verdicts",
    "boundary",
    "unexpected",
    "diagnostics",
    "disposal",
)
MIDDLE_FLOORS = (
    "domains",
    "catalogs",
    "dialects",
    "config",
    "prose",
    "source",
    "catalog_file",
    "lock",
    "explaining",
    "exports",
    "imports",
    "checks",
)
FACES = ("sinks", "sphinx", "testing", "jupyter", "cli")
# `errkit/__init__.py` gathers all of them, so a room that imports from it reaches for the roof.
ORDER = (*FIRST_FLOOR, *MIDDLE_FLOORS, *FACES, "", "__main__")

HEAVY = frozenset({"dataclasses", "inspect", "json", "logging", "traceback", "importlib.metadata"})

# (module, room it reaches up to) -> why. Only imports inside a function can be listed here.
OWN_FAILURE = "reports its own failure with a coded error"
UPWARD: dict[tuple[str, str], str] = {
    ("fields", "own"): OWN_FAILURE,
    ("fields", "typed"): "what annotations mean is read when somebody asks",
    ("codes", "own"): OWN_FAILURE,
    ("declaring", "own"): OWN_FAILURE,
    ("registry", "own"): OWN_FAILURE,
    ("codes", "guards"): "a code matches any object that carries a code and details",
    ("codes", "registry"): "a pickled code finds its registry by name",
    ("errors", "own"): "the default registry starts with errkit's own codes",
    ("errors", "registry"): "a class looks for the registry that it belongs to",
    ("errors", "message"): "repr shows an error as text, redacted",
    ("errors", "reading"): "facts that somebody has replaced are told from those that count",
    ("guards", "payload"): "a guard reads errors that arrive as payloads",
    ("guards", "reading"): "a guard reads exceptions that have the shape of a coded error",
    ("errors", "decoding"): "what came by the wire is read at the first look",
    ("errors", "pickling"): "pickle and copy ask the error itself how it travels",
    ("codes", "jupyter"): "a notebook asks each object how it wants to be shown",
    ("registry", "jupyter"): "a registry turns into a frame where notebooks are",
    ("registry", "catalog_file"): "a registry is loaded from a file and exported to one",
    ("asking", "safe"): "a value that is too large to be told is shown in its bounded form",
    ("safe.redacting", "payload"): "an exception is redacted by way of its payload",
}


class Import(NamedTuple):
    """One import statement's target: `module` as written, whether it runs when the file is imported."""

    importer: str
    module: str
    line: int
    lazy: bool

    @property
    def room(self) -> str | None:
        """The room of errkit that is imported; None for a module from elsewhere."""
        head, _, rest = self.module.partition(".")
        return rest.partition(".")[0] if head == "errkit" else None

    @property
    def place(self) -> str:
        """Where the statement stands, for messages."""
        return f"errkit.{self.importer} line {self.line}: {self.module}"


def module_name(path: Path) -> str:
    """The dotted name below errkit: `sphinx.pages` for errkit/sphinx/pages.py, empty for errkit itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> Iterator[Import]:
    """Every import in a file that runs, sooner or later; those for type checkers alone never do."""
    name = module_name(path)
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text("utf-8")), False)]
    while pending:
        node, lazy = pending.pop()
        for module in targets(node):
            yield Import(name, module, getattr(node, "lineno", 0), lazy)
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            pending += [(child, lazy) for child in node.orelse]
            continue
        lazy = lazy or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        pending += [(child, lazy) for child in ast.iter_child_nodes(node)]


def targets(node: ast.AST) -> list[str]:
    """The modules that an import statement names; `from errkit import codes` names errkit.codes."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    assert node.level == 0, f"line {node.lineno}: relative import"
    if node.module != "errkit":
        return [node.module or ""]
    return [f"errkit.{alias.name}" if is_room(alias.name) else "errkit" for alias in node.names]


def is_room(name: str) -> bool:
    """Whether a name is a module or package directly below errkit."""
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()


FILES = sorted(PACKAGE.rglob("*.py"))
IMPORTS = [found for path in FILES for found in imports_of(path)]


def reaches_up(found: Import) -> bool:
    """Whether an import goes to a room above or right of its own."""
    own = found.importer.partition(".")[0]
    return found.room is not None and own != "" and ORDER.index(found.room) > ORDER.index(own)


def test_every_room_has_its_place() -> None:
    """Each module and package below errkit stands in the order; a new one is given its place there first."""
    rooms = {module_name(path).partition(".")[0] for path in FILES}
    assert rooms <= set(ORDER), f"give {sorted(rooms - set(ORDER))} a place in ORDER"
    assert {found.room for found in IMPORTS} - {None} <= set(ORDER)


def test_import_time_imports_go_down_or_left() -> None:
    """A module that is being imported loads only rooms below it, or left of it on its floor."""
    assert [found.place for found in IMPORTS if reaches_up(found) and not found.lazy] == []


def test_lazy_imports_that_reach_up_are_listed() -> None:
    """An import inside a function may reach up only where the list says why."""
    unlisted = [
        found.place
        for found in IMPORTS
        if reaches_up(found) and found.lazy and (found.importer, found.room) not in UPWARD
    ]
    assert unlisted == []


def test_the_list_of_exceptions_holds_no_old_entries() -> None:
    """An entry that no import needs any longer fails, and each entry gives a reason."""
    needed = {(found.importer, found.room) for found in IMPORTS if reaches_up(found) and found.lazy}
    assert sorted(set(UPWARD) - needed) == []
    assert [pair for pair, reason in UPWARD.items() if len(reason.split()) < 3] == []


def test_below_the_faces_nothing_foreign_is_loaded() -> None:
    """All but the faces import the standard library only, so they work in a bare installation."""
    foreign = [
        found.place
        for found in IMPORTS
        if found.importer.partition(".")[0] not in FACES
        and not found.lazy
        and found.room is None
        and found.module.partition(".")[0] not in {"errkit", *sys.stdlib_module_names}
    ]
    assert foreign == []


def test_the_first_floor_names_no_heavy_module() -> None:
    """No module of the first floor imports a heavy one when it is imported itself."""
    heavy = [
        found.place
        for found in IMPORTS
        if found.importer in FIRST_FLOOR
        and not found.lazy
        and any(found.module == name or found.module.startswith(f"{name}.") for name in HEAVY)
    ]
    assert heavy == []


def test_the_first_floor_loads_no_heavy_module() -> None:
    """Nor does it load one through another module of the standard library, such as asyncio or functools."""
    present = [name for name in FIRST_FLOOR if is_room(name)]
    script = f"""
import importlib, sys
sys.path.insert(0, {str(ROOT)!r})
for name in {present!r}:
    importlib.import_module("errkit." + name)
    loaded = sorted({set(HEAVY)!r} & set(sys.modules))
    if loaded:
        sys.exit(f"errkit.{{name}} loads {{', '.join(loaded)}}")
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=module_name)
def test_no_module_bears_a_public_name(path: Path) -> None:
    """Importing a module sets an attribute on its package; that must not hide a public name there."""
    package = importlib.import_module(".".join(["errkit", *filter(None, [module_name(path)])]))
    modules = {found.stem for found in path.parent.glob("*.py")} | {
        found.parent.name for found in path.parent.glob("*/__init__.py")
    }
    public = {
        name for name in getattr(package, "__all__", ()) if not isinstance(getattr(package, name), ModuleType)
    }
    assert sorted(modules & public) == []


def test_every_room_says_what_it_is_for() -> None:
    """Each module opens with a docstring."""
    assert [str(path) for path in FILES if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def test_every_test_states_its_behaviour() -> None:
    """Each test function of the suite has a docstring."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def test_tests_are_no_packages() -> None:
    """The folders of tests are called like the rooms they prove, and must never be importable as those."""
    assert [str(path) for path in (ROOT / "tests").rglob("__init__.py")] == []
