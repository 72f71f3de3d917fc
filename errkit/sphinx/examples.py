"""What a code looks like when it is met: its payload, other people's forms of it, and how to catch it.

Everything is made from one real instance of the code, by the encoders that a program would call, so an
example can't differ from what is sent. A form is JSON, since it is kept with the page: a name, and a payload
or pieces of source with the classes that Pygments would give them.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from errkit import dialects
from errkit.payload import to_payload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errkit.codes import ErrorSpec
    from errkit.errors import CodedError
    from errkit.payload import Audience

    Form: TypeAlias = tuple[str, Any]
    """(name, payload), or ("python", [(class, text), ...])."""

__all__ = ["NAMES", "PYTHON", "caption", "example_error", "example_payload", "forms_of", "plain_text"]

PYTHON: Final = "python"
NAMES: Final = (PYTHON, *dialects.names())
"""What `errkit_examples` may name."""
_CAPTIONS: Final = {
    PYTHON: "Python",
    "problem": "Problem (HTTP)",
    "jsonrpc": "JSON-RPC",
    "grpc": "gRPC",
    "mcp": "MCP",
}


def caption(name: str) -> str:
    """How people call a form."""
    return _CAPTIONS.get(name, name)


def example_error(spec: ErrorSpec) -> CodedError | None:
    """A real instance of the code; None if there is no example to build one from.

    Raises
    ------
    Exception
        Whatever the code's class raises when it is called.
    """
    if spec.cls is None or (spec.example is None and _needs_details(spec)):
        return None
    error: CodedError = getattr(spec.cls, spec.const)(**(spec.example or {}))
    return error


def _needs_details(spec: ErrorSpec) -> bool:
    return spec.details is not None and bool(spec.details.field_names()[1])


def example_payload(spec: ErrorSpec, audience: Audience = "internal") -> dict[str, Any] | None:
    """The native payload of `example_error`; None if there is none."""
    error = example_error(spec)
    return None if error is None else to_payload(error, audience=audience)


def forms_of(spec: ErrorSpec, names: Sequence[str], audience: Audience = "internal") -> list[Form]:
    """The forms of those names.

    A dialect speaks to those that it is made for; on a site for the public, to the public.

    Parameters
    ----------
    spec
        The code.
    names
        Some of `NAMES`.
    audience
        Who reads the site.
    """
    error = example_error(spec) if any(name != PYTHON for name in names) else None
    found: list[Form] = []
    for name in names:
        if name == PYTHON:
            found.append((name, list(_catching(spec))))
        elif error is not None:
            encode = dialects.get(name).encode
            found.append((name, encode(error, audience="public") if audience == "public" else encode(error)))
    return found


def plain_text(form: Form) -> str:
    """A form as text, as a reader copies it."""
    name, value = form
    if name == PYTHON:
        return "".join(text for _, text in value)
    return json.dumps(value, ensure_ascii=False, indent=2)


def _catching(spec: ErrorSpec) -> Iterator[tuple[str, str]]:
    """How to catch the code and let all others of its domain pass."""
    module, name, code = _names(spec)
    yield from (("kn", "from"), ("", " "), ("nn", module), ("", " "), ("kn", "import"), ("", " "))
    yield from (("n", name.partition(".")[0]), ("", "\n\n"))
    yield from (("k", "try"), ("p", ":"), ("", "\n    "), ("o", "..."), ("", "\n"))
    yield from (("k", "except"), ("", " "), ("n", name), ("", " "), ("k", "as"), ("", " "), ("n", "error"))
    yield from (("p", ":"), ("", "\n    "), ("k", "if"), ("", " "), ("n", "error.code"), ("", " "))
    yield from (("o", "!="), ("", " "), code, ("p", ":"), ("", "\n        "), ("k", "raise"), ("", "\n    "))
    yield "o", "..."


def _names(spec: ErrorSpec) -> tuple[str, str, tuple[str, str]]:
    """Module and name of the class to catch, and how the code is written: as text, if it has no module."""
    cls = spec.cls
    if cls is not None and cls.__module__ != "__main__":
        found: object = sys.modules.get(cls.__module__)
        for part in cls.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is cls:
            return cls.__module__, cls.__qualname__, ("n", f"{cls.__qualname__}.{spec.const}")
    return "errkit", "CodedError", ("s2", json.dumps(spec.code))
