"""The error codes of mypy, from the text of its module `errorcodes.py`; it is parsed and never run."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, Any

from errkit.imports.draft import Entry
from errkit.imports.files import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errkit.imports.files import Source

__all__ = ["read"]


def read(source: Source) -> Iterator[Entry]:
    """Each `NAME = ErrorCode("code", "description", "category")`; a category is a domain."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        refuse(source.path, f"line {getattr(error, 'lineno', None) or 1}", "is no Python")
    for node in tree.body:
        call = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(call, ast.Call):
            texts = [_constant(argument) for argument in call.args[:3]]
            named = getattr(call.func, "id", "") == "ErrorCode"
            if named and len(texts) == 3 and all(isinstance(text, str) for text in texts):
                code, about, category = texts
                yield _entry(node.lineno, code, about, category, call)


def _entry(line: int, code: str, about: str, category: str, call: ast.Call) -> Entry:
    off = any(
        option.arg == "default_enabled" and _constant(option.value) is False for option in call.keywords
    )
    return Entry(
        code=code,
        place=f"line {line}",
        domain=category.lower(),
        domain_title=category,
        title=about,
        facts={
            "public": True,
            "hint": f"Enable it with `--enable-error-code {code}`." if off else "",
            "docs": f"https://mypy.readthedocs.io/en/stable/_refs.html#code-{code}",
        },
    )


def _constant(node: ast.expr) -> Any:
    return node.value if isinstance(node, ast.Constant) else None
