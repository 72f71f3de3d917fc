"""From a file to its outline: bytes, encodings, syntax, comments for errkit; and which files there are.

A file is read once for as long as its content stays the same. What can't be read (another Python's syntax, a
wrong encoding, null bytes, nesting that is too deep) is a fact of the outline, never an error.
"""

from __future__ import annotations

import ast
import fnmatch
import gc
import io
import os
import re
import tokenize
import warnings
from contextlib import contextmanager
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Final

from errkit.source.facts import Outline
from errkit.source.walking import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["find_files", "module_of", "read_outline", "without_pauses"]

_LOCK: Final = Lock()
_KEPT: Final[dict[tuple[str, str], tuple[bytes, Outline]]] = {}
_MANY: Final = 4_096
"""How many outlines are kept; one that is asked for again goes to the end of the line."""

_REMARK: Final = re.compile(rb"#\s*errkit:")
_NOT_ENTERED: Final = frozenset({"__pycache__", "node_modules", "site-packages"})


def find_files(paths: Iterable[str | os.PathLike[str]], exclude: Sequence[str] = ()) -> Iterator[str]:
    """The Python files among and below some paths, absolute, each once, in order.

    Folders of hidden names, of installed packages and of caches are not entered, unless one of them is named
    itself.

    Parameters
    ----------
    paths
        Files and folders.
    exclude
        Patterns of paths to leave out, with `*` and `?`; `*` also matches a separator.
    """
    seen: set[str] = set()
    for path in paths:
        for file in _below(os.path.abspath(os.fspath(path))):
            if file not in seen and not any(matches(file, pattern) for pattern in exclude):
                seen.add(file)
                yield file


def matches(file: str, pattern: str) -> bool:
    """Whether a path, or a folder above it, is meant by a pattern."""
    path = f"/{file.replace(os.sep, '/').lstrip('/')}"
    pattern = pattern.replace(os.sep, "/").rstrip("/")
    whole = pattern if pattern.startswith("/") else f"*/{pattern}"
    return fnmatch.fnmatchcase(path, whole) or fnmatch.fnmatchcase(path, f"{whole}/*")


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _NOT_ENTERED)
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))


def module_of(file: str) -> tuple[str, str]:
    """The dotted name of a file's module, and the folder that the name starts from."""
    folder, name = os.path.split(file)
    stem = os.path.splitext(name)[0]
    parts = [] if stem == "__init__" else [stem]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return ".".join(parts) or stem, folder


def read_outline(file: str, module: str) -> Outline:
    """The outline of a file, read again only when its content has changed."""
    try:
        with open(file, "rb") as opened:
            data = opened.read()
    except (OSError, ValueError) as error:
        return _unreadable(file, module, 0, f"can't be read: {getattr(error, 'strerror', None) or error}")
    digest = blake2b(data, digest_size=16).digest()
    with _LOCK:
        known = _KEPT.pop((file, module), None)
        if known is not None and known[0] == digest:
            _KEPT[file, module] = known
            return known[1]
    outline = _parse(data, file, module)
    with _LOCK:
        _KEPT[file, module] = digest, outline
        while len(_KEPT) > _MANY:
            del _KEPT[next(iter(_KEPT))]
    return outline


def _parse(data: bytes, file: str, module: str) -> Outline:
    outline = Outline(file, module, package=os.path.basename(file).startswith("__init__."))
    try:
        with warnings.catch_warnings():
            # A doubtful escape in somebody's text is no business of ours.
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
        walk(tree, outline)
        if _REMARK.search(data):
            outline.remarks = list(_remarks(data))
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", None) or str(error)
        return _unreadable(file, module, getattr(error, "lineno", None) or 0, f"is no Python: {reason}")
    except (RecursionError, MemoryError):
        return _unreadable(file, module, 0, "is nested too deep for Python's own parser")
    return outline


def _unreadable(file: str, module: str, line: int, problem: str) -> Outline:
    outline = Outline(file, module, package=False)
    outline.problem = line, problem
    return outline


def _remarks(data: bytes) -> Iterator[tuple[int, str, bool]]:
    """The comments for errkit; a text that looks like one is none."""
    try:
        for token in tokenize.tokenize(io.BytesIO(data).readline):
            if token.type == tokenize.COMMENT and _REMARK.match(token.string.encode("utf-8", "replace")):
                yield token.start[0], token.string, not token.line[: token.start[1]].strip()
    except (tokenize.TokenError, SyntaxError):
        return


@contextmanager
def without_pauses() -> Iterator[None]:
    """Parse without the collector of cycles: trees have none, and it would look at each of their nodes."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
