"""The documentation in the source: under codes, under details fields, at the top of their classes.

    NOT_FOUND = code("File or folder not found", PathDetails)
    \"\"\"What happened, why it happens, what to do now.\"\"\"

Python forgets a string below an assignment, so it is read from the file with `ast`: never at import, only
when a face asks (the reference site, `errkit explain`, a notebook). Everything here is total: no source, an
unreadable file or one with a syntax error means no prose, never an error. Nothing is imported or run to find
prose.

Text that a catalogue file gives wins over the source. A folder of prose files that replaces both is the
business of the reference site; where an error is raised is the business of `source.py`.
"""

from __future__ import annotations

import ast
import importlib.util
import linecache
import os
import re
import sys
import threading
import warnings
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from errkit.fields import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from errkit.codes import Details, DomainSpec, ErrorSpec

__all__ = ["Prose", "code_prose", "details_prose", "domain_prose", "field_prose"]


class Prose(Record):
    """One piece of documentation and where it was written."""

    text: str
    """The text without its indentation, as `inspect.cleandoc` gives it. Never empty."""
    file: str
    """The file that holds it."""
    line: int
    """The line, from 1, on which the text starts: warnings about its markup count from here."""
    escaped: bool = False
    """It came with a catalogue file, where a text need not have lines of its own: all of it is at `line`."""


def code_prose(spec: ErrorSpec) -> Prose | None:
    """The prose of one code: its explicit description, else the string under its declaration.

    An inherited, shared or rebound code has the one spec of its owner, and so its owner's prose.
    """
    if spec.description:
        return _explicit(spec.description, spec.file, spec.line)
    owner = spec.cls
    if owner is None:
        return None
    for file, classes in _outlines(owner, spec.file):
        attribute = _attribute(classes.get(owner.__qualname__, ()), spec.const, spec.line)
        if attribute is None and file == spec.file:
            # The class was renamed after its body ran, or built from another: the line still tells.
            around = [cls for named in classes.values() for cls in named if cls.spans(spec.line)]
            attribute = _attribute(around, spec.const, spec.line)
        if attribute is not None:
            return _prose(attribute.text, file)
    return None


def domain_prose(domain: DomainSpec) -> Prose | None:
    """The prose of a domain: its explicit description, else the docstring of its own class."""
    if domain.description:
        return _explicit(domain.description, domain.file, domain.line)
    return _class_prose(domain.cls, domain.file, domain.line)


def details_prose(details_cls: type[Details]) -> Prose | None:
    """The docstring of a Details class itself; that of a base is not its own."""
    return _class_prose(details_cls)


def field_prose(details_cls: type[Details]) -> Mapping[str, str]:
    """What is written under the fields of a Details class and its bases: field name -> text.

    Bases come first, in order of declaration. A field that a subclass declares again keeps the text of the
    base unless the subclass writes its own.
    """
    names, _ = details_cls.field_names()
    found: dict[str, str] = {}
    for base in reversed(details_cls.__mro__):
        if base is Record or not issubclass(base, Record):
            continue
        _, outline = _find_class(base)
        for name, attributes in outline.attributes.items() if outline else ():
            texts = [attribute.text.content for attribute in attributes if attribute.text is not None]
            if name in names and texts:
                found[name] = texts[-1]
        # A class made from a catalogue file has no source; the file's texts come with it.
        found.update({name: text for name, text in base.__dict__.get("__field_prose__", {}).items() if text})
    return found


# --- from a class to its place in the source ------------------------------------------------------------


class _Text(NamedTuple):
    content: str
    line: int


class _Attribute(NamedTuple):
    first: int
    last: int
    text: _Text | None

    def spans(self, line: int) -> bool:
        return self.first <= line <= self.last


class _Class(NamedTuple):
    first: int
    last: int
    text: _Text | None
    attributes: dict[str, list[_Attribute]]
    """The assignments to each name, in the order of their blocks."""

    def spans(self, line: int) -> bool:
        return self.first <= line <= self.last


_Outline: TypeAlias = "dict[str, list[_Class]]"
"""The classes of a file by qualified name; several of one name in source order."""


def _explicit(text: str, file: str, line: int) -> Prose | None:
    content = cleaned(text)
    return Prose(text=content, file=file, line=line, escaped=True) if content else None


def _prose(text: _Text | None, file: str) -> Prose | None:
    return None if text is None else Prose(text=text.content, file=file, line=text.line)


def _class_prose(cls: type, file: str = "", line: int = 0) -> Prose | None:
    found, outline = _find_class(cls, file, line)
    return None if outline is None else _prose(outline.text, found)


def _find_class(cls: type, file: str = "", line: int = 0) -> tuple[str, _Class | None]:
    # Python 3.13 and newer keep the line of a class statement, which tells two classes of one name apart.
    line = line or cls.__dict__.get("__firstlineno__", 0)
    for path, classes in _outlines(cls, file):
        named = classes.get(cls.__qualname__)
        if named:
            return path, next((outline for outline in named if outline.spans(line)), named[-1])
    return "", None


def _attribute(classes: Sequence[_Class], name: str, line: int) -> _Attribute | None:
    """The attribute of that name on that line, else the one that was assigned last."""
    named = [attribute for cls in classes for attribute in cls.attributes.get(name, ())]
    return next((found for found in named if found.spans(line)), named[-1] if named else None)


def _outlines(cls: type, file: str = "") -> Iterator[tuple[str, _Outline]]:
    """The files that may hold the source of `cls`, likeliest first, each with the classes in it."""
    module = sys.modules.get(cls.__module__)
    scope: dict[str, Any] = vars(module) if module is not None else {}
    home = scope.get("__file__")
    paths = (path for path in (file, home) if path and isinstance(path, str))
    # The classes of a catalogue file have that file in place of a source.
    files = dict.fromkeys(path for path in paths if not path.endswith((".json", ".toml")))
    for path in files:
        yield path, _outline(path, scope)
    if cls.__module__ == "__main__":
        for path in _typed_in():
            yield path, _outline(path, scope)


def _typed_in() -> list[str]:
    """Cells of a notebook and inputs of a console, newest first: `linecache` keeps them without a time."""
    entries = [(path, entry) for path, entry in list(linecache.cache.items()) if path]
    return [path for path, entry in reversed(entries) if len(entry) == 4 and entry[1] is None]


# --- from a file to its classes -------------------------------------------------------------------------

_LOCK: Final = threading.Lock()
_CACHE: Final[dict[str, tuple[object, _Outline]]] = {}
_KEPT: Final = 32
"""So many files are kept at a time: who reads the prose of a registry goes through it file by file."""


def _outline(path: str, scope: dict[str, Any]) -> _Outline:
    """The classes in a file, parsed again only when the file has changed."""
    stamp = _stamp(path)
    source = None
    if stamp is None:
        # Not on the disk: inside a zip file, a notebook cell, a console. Then the text itself is the stamp.
        stamp = source = _loaded_source(path, scope)
    with _LOCK:
        # The last in the table is the one that was used last.
        known = _CACHE.pop(path, None)
        if known is None or known[0] != stamp:
            known = stamp, _parse(_file_source(path) if source is None else source)
        _CACHE[path] = known
        if len(_CACHE) > _KEPT:
            del _CACHE[next(iter(_CACHE))]
    return known[1]


def _stamp(path: str) -> object:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _file_source(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return importlib.util.decode_source(file.read())
    except (OSError, SyntaxError, UnicodeError):
        return ""


def _loaded_source(path: str, scope: dict[str, Any]) -> str:
    try:
        return "".join(linecache.getlines(path, scope))
    except Exception:
        # A foreign loader may raise anything.
        return ""


def _parse(source: str) -> _Outline:
    try:
        with warnings.catch_warnings():
            # A doubtful escape in somebody's text is no reason to lose the file's prose under `-W error`.
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: _Outline = {}
    for qualname, cls in _classes(tree, source.split("\n")):
        found.setdefault(qualname, []).append(cls)
    return found


_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES: Final = (ast.ClassDef, *_FUNCTIONS)
_BLOCKS: Final = (ast.stmt, ast.excepthandler, ast.match_case)


def _classes(tree: ast.AST, lines: list[str]) -> Iterator[tuple[str, _Class]]:
    """Every class in source order, under its qualified name, also nested ones and those in functions."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, prefix = pending.pop()
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, _read_class(node, lines)
            prefix += f"{node.name}."
        elif isinstance(node, _FUNCTIONS):
            prefix += f"{node.name}.<locals>."
        pending.extend((child, prefix) for child in _children(node))


def _children(node: ast.AST) -> Sequence[ast.AST]:
    """The statements inside a node, last first, to be popped off a stack: a chain of elif may be deep."""
    children = [child for child in ast.iter_child_nodes(node) if isinstance(child, _BLOCKS)]
    return children[::-1]


def _read_class(node: ast.ClassDef, lines: list[str]) -> _Class:
    attributes: dict[str, list[_Attribute]] = {}
    for name, attribute in _attributes(node, lines):
        attributes.setdefault(name, []).append(attribute)
    return _Class(
        first=min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
        last=node.end_lineno or node.lineno,
        text=_read_text(node.body[0], lines),
        attributes=attributes,
    )


def _attributes(cls: ast.ClassDef, lines: list[str]) -> Iterator[tuple[str, _Attribute]]:
    pending: list[ast.AST] = [cls]
    while pending:
        node = pending.pop()
        for block in _statement_lists(node):
            for statement, below in zip_longest(block, block[1:]):
                for name in _targets(statement):
                    last = statement.end_lineno or statement.lineno
                    yield name, _Attribute(statement.lineno, last, _read_text(below, lines))
        pending.extend(
            child for child in _children(node) if not isinstance(child, (ast.ClassDef, *_FUNCTIONS))
        )


def _statement_lists(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block


def _targets(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.AnnAssign):
        targets: list[ast.expr] = [statement.target]
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    else:
        return []
    return [target.id for target in targets if isinstance(target, ast.Name)]


# --- from a string literal to its text ------------------------------------------------------------------

_CONTINUED: Final = re.compile(r"[\"']\\$")


def _read_text(statement: ast.stmt | None, lines: list[str]) -> _Text | None:
    """The text of a statement that is nothing but a string literal; None for others and for blank strings."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str(raw))):
            content = cleaned(raw)
        case _:
            return None
    if not content:
        return None
    blank = raw[: len(raw) - len(raw.lstrip())].count("\n")
    # `"""\` puts the text on the next line without a line break in the value.
    continued = statement.lineno <= len(lines) and bool(_CONTINUED.search(lines[statement.lineno - 1]))
    return _Text(content, statement.lineno + blank + continued)


def cleaned(raw: str) -> str:
    """What `inspect.cleandoc` does, without loading `inspect`."""
    first, *rest = raw.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")), default=0)
    lines = [first.lstrip(" "), *(line[margin:] for line in rest)]
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)
