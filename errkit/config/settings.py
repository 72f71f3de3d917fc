"""`[tool.errkit]` in pyproject.toml as one checked record.

A wrong value is refused with the file, the key, what was found and what belongs there. An unknown key is
refused as well: a misspelt setting that is passed over in silence is the worst of all.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from errkit.config.scan import Scan, read_scan
from errkit.config.sources import item_fault
from errkit.fields import Record
from errkit.own import ErrkitError
from errkit.registry import MARKUPS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Config", "Exemption", "Value", "read_config"]

FILE: Final = "pyproject.toml"
TABLE: Final = "tool.errkit"


class Exemption(Record):
    """A check that one code need not pass, and why."""

    code: str
    check: str
    reason: str


class Config(Record):
    """The settings of one project; paths are absolute."""

    root: Path
    """The folder of the file, or the folder where the search began."""
    path: Path | None = None
    """The file that holds the settings; None where no project has any."""
    registries: tuple[Any, ...] = ()
    """Items for `load_sources`, as written; empty if none are named."""
    prose: Path | None = None
    """A folder of prose files."""
    markup: str = "rst"
    """The markup of docstrings, `rst`, `md` or `text`."""
    docs: Path | None = None
    """The folder of the built site, or its `objects.inv`."""
    base_url: str = ""
    """The address of the published site."""
    lock: Path
    """The lock file."""
    exempt: tuple[Exemption, ...] = ()
    scan: Scan = Scan()
    """What `errkit scan` looks at, and what it lets pass."""

    def prose_folder(self) -> Path | None:
        """The folder of prose files, for those who read it; who writes the first file makes the folder.

        Raises
        ------
        CodedError
            `errkit.bad_config`, if there is no such folder.
        """
        if self.prose is not None and not self.prose.is_dir():
            beside = [found.name for found in self.prose.parent.glob("*/")]
            near = difflib.get_close_matches(self.prose.name, beside, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            _refuse(self.path or self.root, f"{TABLE}.prose", f"there is no folder {self.prose}{meant}")
        return self.prose


def read_config(start: str | os.PathLike[str] | None = None) -> Config:
    """The settings of the project that a folder or file belongs to.

    The nearest pyproject.toml with a table `[tool.errkit]` counts, from `start` upwards. Where there is none,
    all settings have their defaults.

    Parameters
    ----------
    start
        A folder, or a file in it; the current folder if not given.

    Raises
    ------
    CodedError
        `errkit.bad_config`, naming file and key.
    """
    begin = Path(os.fspath(start) if start is not None else os.curdir).resolve()
    folder = begin if begin.is_dir() else begin.parent
    for root in (folder, *folder.parents):
        table = _read_table(root / FILE)
        if table is not None:
            return _config(root, table)
    return Config(root=folder, lock=folder / "errors.lock.json")


def _read_table(path: Path) -> object:
    """What stands under `[tool.errkit]`; None if the file is not there or says nothing of errkit."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _refuse(path, TABLE, f"the file can't be read: {error.strerror or error}", error)
    if b"errkit" not in data:
        # What is wrong with a file that says nothing of errkit is no business of errkit.
        return None
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        _refuse(path, TABLE, f"the file is no TOML: {error}", error)
    tool = found.get("tool")
    return tool.get("errkit") if isinstance(tool, dict) else None


def _config(root: Path, table: object) -> Config:
    path = root / FILE
    if not isinstance(table, dict):
        _refuse(path, TABLE, f"expected a table, found {_kind_of(table)}")
    for key in table:
        if key not in _READERS:
            near = difflib.get_close_matches(key, _READERS, n=1)
            _refuse(path, f"{TABLE}.{key}", f"is no setting; {_instead(near)}")
    read = {key: _READERS[key](Value(path, f"{TABLE}.{key}", value)) for key, value in table.items()}
    return Config(**{"root": root, "path": path, "lock": root / "errors.lock.json", **read})


def _instead(near: list[str]) -> str:
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_READERS)}"


class Value:
    """A value of the table, and where it stands; each reading of it refuses what does not belong there."""

    def __init__(self, path: Path, key: str, value: object) -> None:
        self.path = path
        self.key = key
        self.value = value

    def refuse(self, problem: str) -> NoReturn:
        """Refuse the value."""
        _refuse(self.path, self.key, problem)

    def text(self) -> str:
        """The value as text that says something."""
        if not isinstance(self.value, str):
            self.refuse(f"expected text, found {_kind_of(self.value)}")
        if not self.value.strip():
            self.refuse("is empty; leave the setting out or say something")
        return self.value

    def file(self) -> Path:
        """The value as a path; it starts from the folder of the file."""
        return self.path.parent / self.text()

    def items(self) -> list[Value]:
        """The values of a list."""
        if not isinstance(self.value, list):
            wrapped = f"; write [{self.value!r}]" if isinstance(self.value, str) else ""
            self.refuse(f"expected a list, found {_kind_of(self.value)}{wrapped}")
        return [Value(self.path, f"{self.key}[{index}]", item) for index, item in enumerate(self.value)]

    def named(self, *names: str) -> dict[str, Value]:
        """The values of a table by name; without `names` any will do."""
        if not isinstance(self.value, dict):
            expected = f" with {', '.join(names)}" if names else ""
            self.refuse(f"expected a table{expected}, found {_kind_of(self.value)}")
        for name in self.value:
            if names and name not in names:
                near = difflib.get_close_matches(name, names, n=1)
                instead = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
                _refuse(self.path, f"{self.key}.{name}", f"is no key here; {instead}")
        return {name: Value(self.path, f"{self.key}.{name}", value) for name, value in self.value.items()}

    def table(self, *names: str, optional: tuple[str, ...] = ()) -> dict[str, str]:
        """The texts of a table by name; each of `names` has to be there."""
        found = self.named(*names, *optional)
        for name in names:
            if name not in found:
                _refuse(self.path, f"{self.key}.{name}", "is missing")
        return {name: value.text() for name, value in found.items()}


def _registries(value: Value) -> tuple[Any, ...]:
    for item in value.items():
        fault = item_fault(item.value)
        if fault is not None:
            key, problem = fault
            _refuse(item.path, f"{item.key}.{key}" if key else item.key, problem)
    return tuple(item.value for item in value.items())


def _markup(value: Value) -> str:
    if value.value not in tuple(MARKUPS):
        value.refuse(f"expected 'rst', 'md' or 'text', found {value.value!r}")
    return value.text()


def _address(value: Value) -> str:
    text = value.text()
    if not text.startswith(("http://", "https://")):
        value.refuse(f"expected an address that begins with https:// or http://, found {text!r}")
    return text


def _exempt(value: Value) -> tuple[Exemption, ...]:
    return tuple(Exemption(**item.table("code", "check", "reason")) for item in value.items())


_READERS: Final[Mapping[str, Any]] = {
    "registries": _registries,
    "prose": Value.file,
    "markup": _markup,
    "docs": Value.file,
    "base_url": _address,
    "lock": Value.file,
    "exempt": _exempt,
    "scan": read_scan,
}


def _kind_of(value: object) -> str:
    if isinstance(value, str):
        return f"the text {value!r}"
    named = {bool: "a truth value", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return named.get(type(value), f"a {type(value).__name__}")


def _refuse(path: Path, key: str, problem: str, cause: Exception | None = None) -> NoReturn:
    raise ErrkitError.BAD_CONFIG(
        f"{path}: {key}: {problem}", path=str(path), key=key, problem=problem
    ) from cause
